/* C access to verilated units.  A model's ports are the structs of its unit: X_in and X_out of
 * csim/ports/units.h, of sm_frontend with large warps those of sm_frontend_wide, of buddy_cluster
 * struct cluster_in and cluster_out; its view is X_view, of front ends and of a cluster's members
 * struct sm_frontend_state.
 *
 * Of each unit and set of parameters that machines use there are two models, of the same text and
 * made with the same options: a plain one, and a full one that adds traces, assertions, seeded
 * faults and checks (rtl/CMakeLists.txt). */
#ifndef TANDEM_SHIM_RTL_H
#define TANDEM_SHIM_RTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rtl_model;

/* A model that was built; parameters as in "Members=4 Hop=1 Entries=1".  The list ends with a unit
 * of NULL. */
struct rtl_build {
  const char *unit, *parameters;
  struct rtl_model *(*plain)(uint64_t seed), *(*full)(uint64_t seed);
};
extern const struct rtl_build rtl_builds[];

/* The build of a unit with these parameters; NULL if there is none. */
const struct rtl_build *rtl_find(const char *unit, const char *parameters);

/* A model after a reset, what reset leaves alone random by the seed; out of memory ends the
 * process. */
struct rtl_model *rtl_create(const struct rtl_build *build, bool full, uint64_t seed);
void rtl_destroy(struct rtl_model *m); /* NULL allowed */
void rtl_reset(struct rtl_model *m);   /* a reset pulse */

/* Outputs after the last edge, of a unit whose ports are registered. */
void rtl_out(struct rtl_model *m, void *out);

/* Applies the inputs, settles what is combinational, gives the outputs; no clock edge. */
void rtl_eval(struct rtl_model *m, const void *in, void *out);

/* Applies the inputs and the clock edges of a core cycle, which ends with the rising edge of the
 * core clock; the NoC's rises in its middle and at its end. */
void rtl_step(struct rtl_model *m, const void *in);

/* State after the last edge.  sm: a member of a cluster, else 0; of one whose front end is off, the
 * parts that are not switched alone.  A netlist has no names of state: all 0. */
void rtl_view(struct rtl_model *m, unsigned sm, void *view);

/* Switches fault n of rtl/bugs.def on (0: none); -1 if the model has none.  It stays on through
 * resets. */
int rtl_bug(struct rtl_model *m, unsigned n);

/* Of netlists with mutants: those that are made from now on have mutant n on (0: none). */
void rtl_mutate(unsigned n);
/* Steps since it has changed a bit for the first time, of the model in which it has: 1 in the same
 * step; 0: it has changed none. */
uint64_t rtl_mutant_age(void);

/* FST waveform, of full models: open before the first cycle to be traced; each step is then sampled
 * at each of its edges, the one of the core clock being at time_ps in periods of period_ps.  0 or a
 * negative errno, -ENOTSUP of a plain model. */
int rtl_trace_open(struct rtl_model *m, const char *path);
void rtl_trace_time(struct rtl_model *m, uint64_t time_ps, uint64_t period_ps);
bool rtl_trace_close(struct rtl_model *m); /* false: no room for all of it */

/* Number of failed RTL assertions so far, with the text of the first; 0 if none. */
unsigned rtl_assertions(const struct rtl_model *m, const char **first);

/* Nanoseconds of one step of the bare front end, best of ten runs: busy (48 warps in a loop of
 * adds, the instructions issued a cycle in *ipc unless NULL) or stalled (48 warps waiting for
 * memory). */
double rtl_bench(bool full, bool busy, double *ipc);

#ifdef __cplusplus
}
#endif
#endif
