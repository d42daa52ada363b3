/* Machines: what a GPU is made of.  A machine is a list of cells, each a unit and the SMs behind
 * it, and what only it does between them; one file a feature.  The cycle loop (cell.c) is the same
 * for all.  Beside the cells every GPU has units that serve all SMs. */
#ifndef TANDEM_MACHINE_H
#define TANDEM_MACHINE_H

#include <stdio.h>

#include "csim/sm/sm.h"
#include "harness/unit/unit.h"

struct tandem;
struct gpu_sm;

/* A unit and the SMs behind it: the work that a thread takes as a whole.  During the parallel part
 * of a cycle only one thread touches it and them. */
struct cell {
  _Alignas(64) struct unit *unit;
  struct gpu_sm *sm;            /* the first of its SMs */
  struct sm_mem *mem[UNIT_SMS]; /* their memory sides */
  unsigned first, sms;
  bool idle;  /* nothing to do until a CTA comes: left out */
  bool rests; /* nothing changes before memory has something: left out, and counted when it wakes */
  unsigned still;      /* cycles in a row without any input or output */
  uint64_t rests_from; /* first cycle left out */
  uint64_t work;       /* weight of its cycles since the last balancing */
  void *own;           /* the machine's */
};

/* Functions that are NULL have nothing to do. */
struct machine {
  const char *name;
  /* Cycles that a cell may run before anything of another one can reach it: memory and CTA dispatch
   * join all cells after each such stretch. */
  unsigned lookahead;
  /* Cycles of a launch before CTAs may be given; NULL: none. */
  unsigned (*forming)(const struct tandem_config *c);

  /* The longest time in cycles in which it issues nothing by itself; NULL: none. */
  unsigned (*pause)(const struct tandem_config *c);
  /* Reports if CTA dispatch forms its groups by the residue of CTAs. */
  bool (*adaptive)(const struct tandem_config *c);

  /* Reports if the configuration asks for this machine. */
  bool (*wanted)(const struct tandem_config *c);
  unsigned (*cell_sms)(const struct tandem_config *c); /* SMs of a cell */
  /* SMs beside the configuration's `sms`, which have the numbers behind them; CTA dispatch serves
   * them not. */
  unsigned (*more_sms)(const struct tandem_config *c);
  /* What has no key, of an SM. */
  void (*sm_config)(const struct tandem_config *c, unsigned sm, struct sm_config *of);
  unsigned (*units)(const struct tandem_config *c); /* its units that have no SM behind them */

  /* Makes the cells, their units and what is its own; the SMs' back ends exist.  0 or a negative
   * errno.  Ends what is its own. */
  int (*open)(struct tandem *t, struct tandem_error *err);
  void (*close)(struct tandem *t);

  /* Places in device memory what a launch needs, for t->grid, 0 or a negative errno; gives that
   * back.  Begins; a machine that itself places the CTAs sets t->dispatch. */
  int (*place)(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err);
  void (*drop)(struct tandem *t);
  void (*begin)(struct tandem *t);
  /* All cells have had their cycle, and memory is about to join: that of the machine's own units.
   */
  void (*step)(struct tandem *t);

  /* In a cycle of a cell, in this order: its outputs are new; it has so many cycles alike (also
   * those in which it rested); an SM's back end takes s->out and writes s->in, and returns the set
   * of raised inputs (csim/ports/inputs.h). */
  void (*observed)(struct tandem *t, struct cell *c);
  void (*passed)(struct cell *c, uint64_t cycles);
  uint64_t (*back_end)(struct tandem *t, struct gpu_sm *s);

  /* The SMs' inputs are written: the unit's own ones.  raised: some input is raised; asked: some
   * output. Returns whether the unit would not change. */
  bool (*quiet)(struct tandem *t, struct cell *c, bool raised, bool asked);
  /* Last in the cycle: both engines of the unit were clocked, its inputs may change. */
  void (*stepped)(struct tandem *t, struct cell *c);

  /* Sets idle of the SMs; returns whether the cell is (quiet: the unit is). */
  bool (*idle)(struct tandem *t, struct cell *c, bool quiet);
  bool (*quiescent)(const struct gpu_sm *s); /* sm_waiting */

  /* While there are CTAs: t->room of the SMs; the first SM of each group, those to be split. */
  void (*ready)(struct tandem *t, struct cell *c);
  uint64_t (*leads)(const struct tandem *t);
  void (*split)(struct tandem *t, uint64_t leads);

  /* Code that a program has behind its own; NULL: none. */
  const struct isa_program *(*appendix)(const struct tandem *t, const struct isa_program *p);

  const char *(*fault)(const struct tandem *t); /* of what only it checks; NULL: none */
  /* Where an SM behind config.sms is: " (W lane 2)". */
  void (*sm_place)(const struct tandem *t, unsigned sm, char *text, size_t size);
  /* Who a client of memory is, by its number there. */
  void (*client_name)(const struct tandem *t, unsigned client, char *name, size_t size);
  void (*waits)(const struct tandem *t, FILE *out); /* for a hang's report: who waits for whom */
  void (*statistics)(const struct tandem *t, struct gpu_stats *stats); /* what only it counts */
};

/* A unit that serves all SMs of a GPU, whatever its machine: no SM is behind it.  Its functions run
 * while no cell does. */
struct gpu_unit {
  const struct unit_type *type;
  void (*begin)(struct tandem *t, struct unit *u); /* a launch begins */
  void (*step)(struct tandem *t, struct unit *u);  /* all cells have had their cycle */
};

extern const struct machine machine_sms; /* of SMs alone, which takes every configuration */
#define GPU_UNIT(name) extern const struct gpu_unit gpu_unit_##name;
#include "harness/gpu/gpu_units.def"

/* A cycle of such a unit with its inputs as they are: outputs, comparison, clock edge.  Its outputs
 * stay those before the edge. */
void gpu_unit_cycle(struct tandem *t, struct unit *u);
/* The same without a clock edge: the outputs after the last one, compared. */
void gpu_unit_look(struct tandem *t, struct unit *u);

/* All of them, which follow the cells' in t->units: how many there are; the type of one; opened, 0
 * or a negative errno; a launch begins; a cycle. */
unsigned gpu_units_count(void);
const struct unit_type *gpu_unit_type(unsigned i);
int gpu_units_open(struct tandem *t, struct tandem_error *err);
void gpu_units_begin(struct tandem *t);
void gpu_units_step(struct tandem *t);

/* Of machine_sms, for machines whose cells are an SM each. */
int sms_open(struct tandem *t, struct tandem_error *err);
uint64_t sms_back_end(struct tandem *t, struct gpu_sm *s);
bool sms_idle(struct tandem *t, struct cell *c, bool quiet);
bool sms_quiescent(const struct gpu_sm *s);
void sms_begin(struct tandem *t);
unsigned sms_cell_sms(const struct tandem_config *c);
bool sms_quiet(struct tandem *t, struct cell *c, bool raised, bool asked);
void sms_ready(struct tandem *t, struct cell *c);
uint64_t sms_leads(const struct tandem *t);

/* The machine that a configuration asks for, the SMs of its cells, and all its SMs; whether all
 * machines accept the configuration, 0 or a negative errno. */
const struct machine *machine_of(const struct tandem_config *c);
unsigned machine_cell_sms(const struct tandem_config *c);
unsigned machine_all_sms(const struct tandem_config *c); /* all SMs */
int machine_check(const struct tandem_config *c, struct tandem_error *err);

/* "SM 3", with its place if CTA dispatch does not serve it: "SM 22 (W lane 2)". */
enum { GPU_SM_NAME = 48 };
void gpu_sm_name(const struct tandem *t, unsigned sm, char name[GPU_SM_NAME]);

/* Makes t->cells.  0 or a negative errno. */
int machine_cells(struct tandem *t, struct tandem_error *err);
/* Opens a cell's unit, its faults, waveform and netlist as the configuration asks for, and gives it
 * its name: "<what> <number of the cell>".  0 or a negative errno. */
int machine_unit(struct tandem *t, struct cell *c, const struct unit_type *type,
                 const char *parameters, const unsigned *numbers, const char *what,
                 struct tandem_error *err);

#endif
