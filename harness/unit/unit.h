/* A unit: hardware with registered ports, simulated by one or two engines that are compared.
 *
 * The engines are its verilated RTL and its reference in C; both get the same inputs.  The
 * cycle loop, lockstep, reports and waveforms know a unit by this interface and by the tables of
 * its type: which ports and states it has.  A unit has ports of its own and, if SMs are behind it,
 * a row of ports for each of them.
 *
 * A cycle of a unit:
 *   unit_out       the outputs as they are after the last edge, if it was clocked since
 *   unit_compare   the outputs of both engines, and their states when these are due
 *   (the models behind it take the outputs and write the inputs)
 *   unit_record    keeps the cycle's ports for a report, if the unit is watched
 *   unit_step_ref, unit_step_rtl
 *                  the inputs, and the clock edges, of each engine; both left out while nothing
 *                  would change
 */
#ifndef TANDEM_UNIT_H
#define TANDEM_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/ports/parts.h"
#include "csim/util/output.h"
#include "harness/shim/models/models.h"
#include "harness/unit/failure.h"

struct tandem_error;
struct tandem_instead; /* harness/netlist.h */
struct tandem_netlist;

enum {
  UNIT_SMS = 8,     /* SMs behind a unit at most */
  UNIT_ROWS = 2,    /* ports tables of a unit at most */
  UNIT_HISTORY = 32 /* recorded cycles */
};

/* Ports of a unit, in its structs of inputs and outputs: once, or a row for each SM behind it. */
struct unit_rows {
  const struct ports_table *ports;
  bool of_sms;
  size_t in_at, in_stride, out_at, out_stride;
};

/* The reference as an engine.  numbers: the unit's parameters, as its machine knows them. */
struct unit_ref {
  void *(*create)(const unsigned *numbers); /* in reset state; NULL: out of memory */
  void (*destroy)(void *ref);
  /* The outputs after the last edge, for inputs `in` if they depend on them: put into room, or the
   * engine's own until its next step. */
  const void *(*out)(void *ref, const void *in, void *room);
  void (*step)(void *ref, const void *in);
  /* The state, of an SM behind it; false: without the parts that are switched off. */
  bool (*view)(void *ref, unsigned sm, void *view);
};

struct unit_type {
  const char *name; /* the RTL's top module */
  struct unit_rows rows[UNIT_ROWS];
  unsigned nrows;
  size_t in_bytes, out_bytes;
  const struct ports_part *parts; /* what is compared of the state, of each SM behind it */
  unsigned nparts;
  size_t view_bytes; /* of the state of one SM, or of the unit if none is behind it */
  /* Some outputs depend on the inputs of the cycle (harness/shim/boundary/boundary.c names them):
   * unit_out comes when they are there. */
  bool combinational;
  struct unit_ref ref;
};

/* The ports of a cycle, for reports. */
struct unit_record {
  uint64_t cycle;
  bool stepped; /* its clock ran */
  void *in, *rtl, *ref;
};

struct unit_history {
  struct unit_record ring[UNIT_HISTORY];
  unsigned filled; /* records ever written */
};

enum tandem_engine { TANDEM_ENGINE_RTL, TANDEM_ENGINE_REF, TANDEM_ENGINE_LOCKSTEP };

struct unit {
  const struct unit_type *type;
  unsigned index;      /* in the GPU's units */
  unsigned first, sms; /* the SMs behind it */
  enum tandem_engine engine;
  bool compare, assertions;
  bool opaque; /* something else in the place of its RTL: it has no state to look at */
  bool fresh;  /* clocked since its outputs were read */
  bool watched;
  bool follows;        /* its RTL follows by the log */
  bool trace_open;     /* a waveform is being written */
  uint32_t interval;   /* clock edges between comparisons of states */
  uint64_t views_from; /* watched: compare states in every cycle from here on */

  struct rtl_model *rtl;
  void *ref;
  void *in, *out;      /* out: the RTL's, without RTL the reference's */
  void *room;          /* for the reference's outputs */
  const void *ref_out; /* in lockstep */

  struct unit_state {
    bool due;        /* clocked since the last comparison */
    uint32_t left;   /* clock edges until the next one */
    uint64_t agreed; /* cycle of the last one */
    void *rtl, *ref; /* as they were compared last */
  } state[UNIT_SMS];

  uint64_t *compared[UNIT_ROWS]; /* how often each line of outputs was (ports_table.diff) */
  uint64_t *compared_state;      /* and of states */
  struct failure failure;        /* the first one */
  struct unit_history *history;
  struct unit_log *log; /* log.h; NULL: it never follows */

  struct output_claim trace; /* of the waveform, and the folder in which it is written */
  char *trace_folder;
  uint32_t core_mhz;
  char name[40]; /* "SM 3"; given by the machine */

  struct rtl_spec spec; /* of its model */
  char parameters[80];
  unsigned bug;
  uint64_t seed;
};

/* The properties of a unit that is to be opened. */
struct unit_request {
  const struct unit_type *type;
  const char *parameters;  /* of the RTL (struct rtl_spec) */
  const unsigned *numbers; /* of the reference */
  unsigned first, sms;     /* the SMs behind it; 0: none */
  unsigned bug;            /* fault to switch on, 0: none */
  bool traced;             /* a waveform may be asked for */
  bool opaque;             /* settings.netlist takes the place of the RTL */
  uint64_t seed;
};

/* Settings of all units of a GPU. */
struct unit_settings {
  enum tandem_engine engine;
  bool compare, assertions;
  uint32_t state_interval, core_mhz;
  unsigned sms;    /* of the GPU: their states are compared in turn */
  const char *rtl; /* folder whose modules come before those of rtl/, or NULL */
  const struct tandem_instead *instead; /* another model of a unit; NULL: none */
  const struct tandem_netlist *netlist; /* NULL: no request is opaque */
  uint64_t netlist_seed;
};

/* A unit as the request asks for it; its name is still to be set, and its RTL to be loaded.
 * NULL: err has the reason. */
struct unit *unit_open(const struct unit_request *r, const struct unit_settings *c,
                       struct tandem_error *err);
void unit_close(struct unit *u); /* NULL allowed */

/* Loads the models of units, which are made if they are not in the cache: 0 or a negative errno;
 * -EINVAL too if none of them is the unit that another model is to replace. */
int units_load(struct unit *const *units, unsigned n, const struct tandem_instead *instead,
               struct tandem_error *err);

/* The functions of a cycle; ticks: an array of TANDEM_WALLS parts to which the time is added, NULL
 * if this cycle's is not taken.  unit_compare and unit_step_rtl return false, with the reason in
 * u->failure, if something differs or an assertion failed. */
void unit_out(struct unit *u, uint64_t *ticks);
bool unit_compare(struct unit *u, uint64_t cycle, uint64_t *ticks);
void unit_record(struct unit *u, uint64_t cycle, bool stepped);
void unit_step_ref(struct unit *u, uint64_t *ticks);
bool unit_step_rtl(struct unit *u, uint64_t cycle, uint64_t *ticks);

/* Compares the state of the sm-th SM behind the unit, or of a unit without any, in every respect.
 */
bool unit_compare_state(struct unit *u, unsigned sm, uint64_t cycle);

/* The state of the sm-th SM behind the unit, or of a unit without any, as its reference has it,
 * without one its RTL.  False: without the parts that are switched off. */
bool unit_view(const struct unit *u, unsigned sm, void *view);

/* From now on the ports of each cycle are recorded and, from views_from on, states compared in
 * each. 0 or -ENOMEM. */
int unit_watch(struct unit *u, uint64_t views_from, struct tandem_error *err);

/* How often outputs and states were compared; of a line of a table (ports_table.out, .states). */
uint64_t unit_compared(const struct unit *u);
uint64_t unit_compared_out(const struct unit *u, unsigned rows, unsigned line);
uint64_t unit_compared_state(const struct unit *u, unsigned part, unsigned line);

/* States that are looked at: of each SM, or of the unit itself. */
static inline unsigned unit_states(const struct unit *u) { return u->sms == 0 ? 1 : u->sms; }

/* Row i of its inputs or outputs, and of a record's. */
static inline const void *unit_row_in(const struct unit_rows *r, const void *in, unsigned i) {
  return (const char *)in + r->in_at + i * r->in_stride;
}
static inline const void *unit_row_out(const struct unit_rows *r, const void *out, unsigned i) {
  return (const char *)out + r->out_at + i * r->out_stride;
}

/* Where the host's time goes. */
enum {
  TANDEM_WALL_RTL,
  TANDEM_WALL_REF,
  TANDEM_WALL_BACKEND,
  TANDEM_WALL_MEMORY,
  TANDEM_WALL_ISS,
  TANDEM_WALL_COMPARE,
  TANDEM_WALL_OTHER,
  TANDEM_WALLS
};
/* Adds the time since *last to a part. */
uint64_t unit_ticks(void);
static inline void unit_lap(uint64_t *ticks, unsigned part, uint64_t *last) {
  if (ticks != NULL) {
    const uint64_t now = unit_ticks();
    ticks[part] += now - *last;
    *last = now;
  }
}

#endif
