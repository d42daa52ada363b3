/* Machines: what a GPU is made of.  A machine is a list of cells, each a unit and the SMs behind
 * it, and what only it does between them; one file a feature.  The cycle loop (cell.c) is the same
 * for all.  Beside the cells every GPU has units that serve all SMs. */
#ifndef TANDEM_MACHINE_H
#define TANDEM_MACHINE_H

#include <stdio.h>

#include "csim/sm/sm.h"
#include "harness/unit/unit.h"

struct cell;
struct tandem;
struct tandem_config;
struct tandem_error;
struct tandem_launch;
struct isa_program;
struct gpu_sm;
struct gpu_stats;

/* The three tables of a machine.  Functions that are NULL have nothing to do. */

/* Its parts, and how they are called. */
struct machine_shape {
  const char *name;
  bool apart; /* its cells touch each other through memory and CTA dispatch alone */
  /* Reports if the configuration asks for this machine. */
  bool (*wanted)(const struct tandem_config *c);
  /* Returns the SMs of a cell. */
  unsigned (*cell_sms)(const struct tandem_config *c);
  /* Returns how many SMs it has beside the configuration's `sms`.  Their numbers follow those; CTA
   * dispatch does not serve them. */
  unsigned (*more_sms)(const struct tandem_config *c);
  /* Returns how many units it has that have no SM behind them. */
  unsigned (*units)(const struct tandem_config *c);
  /* Changes the configuration of SM number `sm`. */
  void (*sm_config)(const struct tandem_config *c, unsigned sm, struct sm_config *of);
  /* Makes the cells, their units and its own state; the SMs' back ends exist.  0 or a negative
   * errno. */
  int (*open)(struct tandem *t, struct tandem_error *err);
  /* Frees its own state, also that of a half-finished open. */
  void (*close)(struct tandem *t);
  /* Writes the place of an SM that CTA dispatch does not serve: " (W lane 2)". */
  void (*sm_place)(const struct tandem *t, unsigned sm, char *text, size_t size);
  /* Writes the name of a client of memory, by its number there. */
  void (*client_name)(const struct tandem *t, unsigned client, char *name, size_t size);
};

/* A launch, and the CTAs that it gets. */
struct machine_launch {
  /* Returns the cycles of a launch before CTAs may be given. */
  unsigned (*forming)(const struct tandem_config *c);
  /* Returns the longest time in cycles in which the machine issues nothing by itself. */
  unsigned (*pause)(const struct tandem_config *c);
  /* Reports if CTA dispatch forms its groups by the residue of CTAs. */
  bool (*adaptive)(const struct tandem_config *c);
  /* Prepares the launch, for t->launch.grid: places in device memory what it needs.  0 or a
   * negative errno. */
  int (*place)(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err);
  /* Frees what `place` has placed. */
  void (*drop)(struct tandem *t);
  /* Returns how many CTAs of the grid an SM holds, 0 with the reason in *err.  The launch may have
   * blocks of any size.  NULL: what sm_occupancy says, and blocks have at most sm.threads. */
  unsigned (*occupancy)(const struct tandem *t, const struct tandem_launch *l, const struct grid *g,
                        struct tandem_error *err);
  /* Returns the set of SMs that take CTAs of the launch.  NULL: all that CTA dispatch serves. */
  uint64_t (*enabled)(const struct tandem *t);
  /* An SM with room takes a CTA.  NULL: its back end does, in the room of its group. */
  void (*take)(struct tandem *t, struct gpu_sm *s, const uint32_t ctaid[3]);
  /* Begins the launch.  A machine that places the CTAs itself sets t->launch.dispatch. */
  void (*begin)(struct tandem *t);
  /* Sets t->launch.room of the cell's SMs, while there are CTAs. */
  void (*ready)(struct tandem *t, struct cell *c);
  /* Returns the set of SMs that are the first of their group, while there are CTAs. */
  uint64_t (*leads)(const struct tandem *t);
  /* Splits the groups that these SMs lead. */
  void (*split)(struct tandem *t, uint64_t leads);
  /* Returns code to be placed behind that of a program; NULL: none. */
  const struct isa_program *(*appendix)(const struct tandem *t, const struct isa_program *p);
  /* Adds its own counters. */
  void (*statistics)(const struct tandem *t, struct gpu_stats *stats);
  /* Prints what waits for what, for the report of a hang. */
  void (*waits)(const struct tandem *t, FILE *out);
};

/* A cycle: for each cell in this order, then for the machine. */
struct machine_cycle {
  /* The cell's unit has new outputs. */
  void (*observed)(struct tandem *t, struct cell *c);
  /* `cycles` cycles went by with the same outputs, skipped ones included. */
  void (*passed)(struct cell *c, uint64_t cycles);
  /* The back end of an SM: reads s->out, writes s->in, returns the set of raised inputs
   * (csim/ports/inputs.h). */
  uint64_t (*back_end)(struct tandem *t, struct gpu_sm *s);
  /* Checks what has retired in an SM (check_retired).  NULL: in its own back end alone. */
  bool (*retired)(struct gpu_sm *s);
  /* Writes the unit's own inputs, after those of its SMs.  raised: an input of an SM is raised;
   * asked: an output is.  Returns true if a clock edge would not change the unit. */
  bool (*quiet)(struct tandem *t, struct cell *c, bool raised, bool asked);
  /* Both engines of the unit were clocked; its inputs may change. */
  void (*stepped)(struct tandem *t, struct cell *c);
  /* Sets `idle` of the SMs.  Returns true if the cell has nothing to do; quiet: its unit is. */
  bool (*idle)(struct tandem *t, struct cell *c, bool quiet);
  /* Returns the SM whose front end issues for this one, for observers.  NULL: its own. */
  unsigned (*issuer)(const struct gpu_sm *s);
  /* Reports if the SM only waits for memory (sm_waiting). */
  bool (*waiting)(const struct gpu_sm *s);
  /* The cycle of the machine's own units: all cells have had theirs, memory has not joined. */
  void (*step)(struct tandem *t);
  /* Returns the fault that a check of its own has found; NULL: none. */
  const char *(*fault)(const struct tandem *t);
};

struct machine {
  struct machine_shape shape;
  struct machine_launch launch;
  struct machine_cycle cycle;
};

/* A unit that serves all SMs of a GPU, whatever its machine: no SM is behind it.  Its functions run
 * while no cell does. */
struct gpu_unit {
  const struct unit_type *type;
  void (*begin)(struct tandem *t, struct unit *u); /* a launch begins */
  void (*step)(struct tandem *t, struct unit *u);  /* all cells have had their cycle */
};

#define GPU_UNIT(name) extern const struct gpu_unit gpu_unit_##name;
#include "harness/gpu/core/gpu_units.def"

/* A cycle of such a unit with its inputs as they are: outputs, comparison, clock edge.  Its outputs
 * stay those before the edge. */
void gpu_unit_cycle(struct tandem *t, struct unit *u);
/* The same without a clock edge: the outputs after the last one, compared. */
void gpu_unit_look(struct tandem *t, struct unit *u);

/* All of them, which follow the cells' in t->units: how many there are; opened, 0 or a negative
 * errno; a launch begins; a cycle. */
unsigned gpu_units_count(void);
int gpu_units_open(struct tandem *t, struct tandem_error *err);
void gpu_units_begin(struct tandem *t);
void gpu_units_step(struct tandem *t);

/* The machine of SMs alone, which takes every configuration. */
extern const struct machine machine_sms;
/* The machine that a configuration asks for, and the SMs of each of its cells. */
const struct machine *machine_of(const struct tandem_config *c);
unsigned machine_cell_sms(const struct tandem_config *c);
unsigned machine_all_sms(const struct tandem_config *c); /* all SMs */
/* Checks that all machines accept the configuration.  0 or a negative errno. */
int machine_check(const struct tandem_config *c, struct tandem_error *err);

/* "SM 3", with its place if CTA dispatch does not serve it: "SM 22 (W lane 2)". */
enum { GPU_SM_NAME = 48 };
void gpu_sm_name(const struct tandem *t, unsigned sm, char name[GPU_SM_NAME]);

/* Makes t->cells.  0 or a negative errno. */
int machine_cells(struct tandem *t, struct tandem_error *err);
/* Opens a unit with the GPU's settings, and adds it to t->units.  NULL: err has the reason. */
struct unit *machine_add_unit(struct tandem *t, const struct unit_request *r,
                              struct tandem_error *err);
/* Opens a cell's unit, its faults, waveform and netlist as the configuration asks for, and gives it
 * its name: "<what> <number of the cell>".  0 or a negative errno. */
int machine_unit(struct tandem *t, struct cell *c, const struct unit_type *type,
                 const char *parameters, const unsigned *numbers, const char *what,
                 struct tandem_error *err);
/* Switches front ends: those of the cell's SMs in the set `off` are off, the others on. */
void machine_switch(struct cell *c, uint64_t off);

#endif
