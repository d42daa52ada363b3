/* C access to the verilated units.  For a unit X of csim/ports/units.h:
 *
 *   struct X_rtl *X_rtl_create(uint64_t seed);   model out of reset; seed randomises uninitialised
 * state void X_rtl_destroy(struct X_rtl *);          NULL allowed void X_rtl_reset(struct X_rtl *);
 * a reset pulse void X_rtl_eval(struct X_rtl *, const struct X_in *, struct X_out *); applies the
 * inputs, settles combinational logic, reads the outputs; no clock edge void X_rtl_step(struct
 * X_rtl *, const struct X_in *);   applies the inputs and a rising clock edge void
 * X_rtl_view(struct X_rtl *, struct X_view *);       state after the last edge A decode has no
 * state: step is eval, view is empty.
 *
 * X_rtl_bug switches fault n of rtl/buddy/bugs.def on (0: none); -1 if the build has no faults.
 *
 * Units with the NoC's clock (noc_clk_i) see in a step its edge in the middle of the core cycle,
 * and then both clocks' edges, which end it.
 *
 * A cycle of a unit test is: eval both sides, compare outputs, step both sides, compare views.
 * The netlist build of a unit has the same functions with X_netlist_ in place of X_rtl_, without
 * view.
 */
#ifndef TANDEM_RTL_UNITS_H
#define TANDEM_RTL_UNITS_H

#include "csim/ports/units.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RTL_UNIT_API(unit, kind)                                                                   \
  struct unit##_##kind;                                                                            \
  struct unit##_##kind *unit##_##kind##_create(uint64_t seed);                                     \
  void unit##_##kind##_destroy(struct unit##_##kind *);                                            \
  int unit##_##kind##_bug(struct unit##_##kind *, unsigned n);                                     \
  void unit##_##kind##_reset(struct unit##_##kind *);                                              \
  void unit##_##kind##_eval(struct unit##_##kind *, const struct unit##_in *,                      \
                            struct unit##_out *);                                                  \
  void unit##_##kind##_step(struct unit##_##kind *, const struct unit##_in *);                     \
  void unit##_##kind##_view(struct unit##_##kind *, struct unit##_view *);

#define RTL_UNITS(F, kind)                                                                         \
  F(fetch, kind)                                                                                   \
  F(icache, kind)                                                                                  \
  F(decode, kind)                                                                                  \
  F(ibuffer, kind)                                                                                 \
  F(simt_stack, kind)                                                                              \
  F(scoreboard, kind)                                                                              \
  F(warp_scheduler, kind)                                                                          \
  F(issue, kind)                                                                                   \
  F(barrier, kind)                                                                                 \
  F(cta_dispatch, kind)                                                                            \
  F(group_control, kind)                                                                           \
  F(monitor, kind)                                                                                 \
  F(uplink, kind)                                                                                  \
  F(downlink, kind)                                                                                \
  F(master_port, kind)                                                                             \
  F(slave_port, kind)                                                                              \
  F(park, kind)

RTL_UNITS(RTL_UNIT_API, rtl)
RTL_UNITS(RTL_UNIT_API, netlist)
RTL_UNIT_API(warp_scheduler, rtl_odd) /* with Parity 1 */

/* CTA dispatch as the GPU's engines use it: without assertions, with faults that can be switched
 * on, in the library rtl_frontend. */
RTL_UNIT_API(cta_dispatch, gpu)

/* The verilated front end, as the engines use it.  variant: which build of the same RTL. */
enum rtl_variant {
  RTL_FAST,    /* no assertions, no traces */
  RTL_TRACED,  /* no assertions */
  RTL_CHECKED, /* assertions on */
  RTL_BUGS     /* faults can be switched on (rtl/bugs.def), no assertions */
};

struct frontend_rtl; /* one SM's verilated front end */
struct frontend_rtl *frontend_rtl_create(enum rtl_variant variant, uint64_t seed);
/* The netlist of the front end, in the library rtl_netlists: without states (all 0), traces
 * (-ENOTSUP), assertions and faults. */
struct frontend_rtl *frontend_rtl_create_netlist(uint64_t seed);
void frontend_rtl_destroy(struct frontend_rtl *f);

/* A front end of large warps, of 64 or 128 lanes; full: with assertions, traces and faults.  All
 * functions are as above and below but for these two. */
struct frontend_rtl *frontend_rtl_create_wide(unsigned lanes, bool full, uint64_t seed);
void frontend_rtl_wide_out(struct frontend_rtl *f, struct sm_frontend_wide_out *out);
void frontend_rtl_wide_step(struct frontend_rtl *f, const struct sm_frontend_wide_in *in);

/* Switches fault n on (RTL_BUGS only; 0: none).  Returns -1 if the variant has no faults. */
int frontend_rtl_bug(struct frontend_rtl *f, unsigned n);

/* Outputs after the last edge (they depend on state alone). */
void frontend_rtl_out(struct frontend_rtl *f, struct sm_frontend_out *out);

/* Applies the inputs and a rising edge. */
void frontend_rtl_step(struct frontend_rtl *f, const struct sm_frontend_in *in);

void frontend_rtl_state(struct frontend_rtl *f, struct sm_frontend_state *state);

/* FST trace: open before the first cycle to be traced; sample after each step while open.  time_ps
 * of the edge.  0 or a negative errno, -ENOTSUP of RTL_FAST. */
int frontend_rtl_trace_open(struct frontend_rtl *f, const char *path);
void frontend_rtl_trace_sample(struct frontend_rtl *f, uint64_t time_ps);
void frontend_rtl_trace_close(struct frontend_rtl *f);

/* Number of failed RTL assertions so far (RTL_CHECKED), with the text of the first; 0 if none. */
unsigned frontend_rtl_assertions(const struct frontend_rtl *f, const char **first);

/* Nanoseconds of one step of the bare model, best of ten runs: busy (48 warps in a loop of adds,
 * the instructions issued a cycle in *ipc unless NULL) or stalled (48 warps waiting for memory). */
double frontend_rtl_bench(enum rtl_variant variant, bool busy, double *ipc);

#ifdef __cplusplus
}
#endif
#endif
