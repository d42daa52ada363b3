/* C access to verilated units.  A model's ports are the structs of its unit: X_in and X_out of
 * csim/ports/units.h and its view is X_view, unless the unit's own C++ (KIND of units.def) names
 * others.
 *
 * A model is a shared object, made and loaded when it is first needed (harness/shim/models).  It
 * exports `rtl_type`; programs and models share this header alone. */
#ifndef TANDEM_SHIM_RTL_H
#define TANDEM_SHIM_RTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rtl_model;

/* The functions below, of one kind of model. */
struct rtl_functions {
  void (*destroy)(struct rtl_model *m);
  void (*reset)(struct rtl_model *m);
  void (*out)(struct rtl_model *m, void *out);
  void (*eval)(struct rtl_model *m, const void *in, void *out);
  void (*step)(struct rtl_model *m, const void *in);
  void (*view)(struct rtl_model *m, unsigned sm, void *view);
  int (*bug)(struct rtl_model *m, unsigned n);
  int (*trace_open)(struct rtl_model *m, const char *path);
  void (*trace_time)(struct rtl_model *m, uint64_t time_ps, uint64_t period_ps);
  bool (*trace_close)(struct rtl_model *m);
  unsigned (*assertions)(const struct rtl_model *m, const char **first);
  void (*assert_on)(struct rtl_model *m, bool on);
};

/* Each model begins with it. */
struct rtl_model {
  const struct rtl_functions *functions;
  unsigned stops; /* of rtl_assertions */
};

/* A kind of model: a unit with one set of parameters. */
struct rtl_type {
  const char *unit;
  /* A model after a reset, what reset leaves alone random by the seed; out of memory ends the
   * process.  NULL: it is none of a unit. */
  struct rtl_model *(*create)(uint64_t seed);
  /* Netlists with mutants: models that are created from now on have mutant n on (0: none). */
  void (*mutate)(unsigned n);
  /* Steps since the mutant has changed a bit for the first time, of the model in which it has: 1 in
   * the same step; 0: it has changed none. */
  uint64_t (*mutant_age)(void);
  const void *own; /* functions of a model that is none of a unit, by its own header */
};

static inline struct rtl_model *rtl_create(const struct rtl_type *t, uint64_t seed) {
  return t->create(seed);
}
static inline void rtl_destroy(struct rtl_model *m) { /* NULL allowed */
  if (m != NULL)
    m->functions->destroy(m);
}

/* A reset pulse. */
static inline void rtl_reset(struct rtl_model *m) { m->functions->reset(m); }

/* Outputs after the last edge, of a unit whose ports are registered. */
static inline void rtl_out(struct rtl_model *m, void *out) { m->functions->out(m, out); }

/* Applies the inputs, settles what is combinational, gives the outputs; no clock edge. */
static inline void rtl_eval(struct rtl_model *m, const void *in, void *out) {
  m->functions->eval(m, in, out);
}

/* Applies the inputs and the clock edges of a core cycle, which ends with the rising edge of the
 * core clock; the NoC's rises in its middle and at its end. */
static inline void rtl_step(struct rtl_model *m, const void *in) { m->functions->step(m, in); }

/* State after the last edge.  sm: a member of a cluster, else 0; of one whose front end is off, the
 * parts that are not switched alone.  A netlist has no names of state: all 0. */
static inline void rtl_view(struct rtl_model *m, unsigned sm, void *view) {
  m->functions->view(m, sm, view);
}

/* Switches fault n of rtl/faults.def on (0: none); -1 if the model has none.  It stays on through
 * resets. */
static inline int rtl_bug(struct rtl_model *m, unsigned n) { return m->functions->bug(m, n); }

/* FST waveform, of full models: open before the first cycle to be traced; each step is then sampled
 * at each of its edges, the one of the core clock being at time_ps in periods of period_ps.  0 or a
 * negative errno, -ENOTSUP of a model without traces. */
static inline int rtl_trace_open(struct rtl_model *m, const char *path) {
  return m->functions->trace_open(m, path);
}
static inline void rtl_trace_time(struct rtl_model *m, uint64_t time_ps, uint64_t period_ps) {
  m->functions->trace_time(m, time_ps, period_ps);
}
static inline bool rtl_trace_close(struct rtl_model *m) { /* false: no room for all of it */
  return m->functions->trace_close(m);
}

/* Number of failed RTL assertions, and of $error, $fatal, $stop and $finish of any model, so far,
 * with the text of the first (NULL allowed); 0 if none. */
static inline unsigned rtl_assertions(const struct rtl_model *m, const char **first) {
  return first == NULL ? m->stops : m->functions->assertions(m, first);
}

/* Looks at assertions from now on, or no longer; a model that has some does by default. */
static inline void rtl_assert_on(struct rtl_model *m, bool on) { m->functions->assert_on(m, on); }

#ifdef __cplusplus
}
#endif
#endif
