/* One variant of the verilated front end: compiled once a variant, with VARIANT its name, TRACED if
 * it can be traced and WIDE if it is one of large warps; or its netlist (NETLIST), which has no
 * names of state. */
#include "harness/shim/frontend.h"
#include "harness/shim/model.h"
#include "harness/shim/tracer.h"

#define ROOT CAT(MODEL, ___024root)

#define SIMT_STACK(signal) sm_frontend__DOT__u_frontend__DOT__u_simt_stack__DOT__##signal

namespace {

#ifdef WIDE
using base = frontend_wide;
using ports_in = struct sm_frontend_wide_in;
using ports_out = struct sm_frontend_wide_out;
#else
using base = frontend_narrow;
using ports_in = struct sm_frontend_in;
using ports_out = struct sm_frontend_out;
#endif

/* What the pins of masks have beyond 64 bits. */
template <class R> void apply_high(R &, const struct sm_frontend_in *) {}
template <class R> void apply_high(R &root, const struct sm_frontend_wide_in *p) {
  pin_put_high(root.launch_mask_i, p->launch_mask_hi);
  pin_put_high(root.resolve_taken_i, p->resolve_taken_hi);
}
template <class R> void out_high(const R &, struct sm_frontend_out *) {}
template <class R> void out_high(const R &root, struct sm_frontend_wide_out *o) {
  o->iss0_mask_hi = pin_high(root.iss0_mask_o);
  o->iss1_mask_hi = pin_high(root.iss1_mask_o);
}

struct model final : base {
  seeded_model<MODEL> top;
  tracer trace;

  explicit model(uint64_t seed) : top(seed) {}
  ~model() override { trace_close(); }

  void reset() override {
    assertion_log_use(&log);
    top.context.assertOn(false);
    ports_in zero = {};
    apply(&zero, true);
    bug(0);
    pulse_reset(*top.m);
    top.context.assertOn(true);
  }

  /* Payloads are written only with their valid: what they are otherwise does not matter. */
  void apply(const ports_in *p, bool all) {
    ROOT &root = *top.m->rootp; /* the pins themselves: the model has references to them */
#define PORT_IN(name, width, qualifier)                                                            \
  if (all || (qualifier))                                                                          \
    pin_put(root.name##_i, p->name);
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include "csim/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
    apply_high(root, p);
  }

  int bug(unsigned n) override { return set_bug(*top.m, n, 0); }

  void out(ports_out *o) override {
    const ROOT &root = *top.m->rootp;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) o->name = pin_get(root.name##_o);
#define STATE(name, width, count, signal, qualifier)
#include "csim/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
    out_high(root, o);
  }

  void step(const ports_in *in) override {
    MODEL &m = *top.m;
    assertion_log_use(&log);
    apply(in, false);
    m.clk_i = 1;
    m.eval();
    if (!trace) { /* the clock is in the picture, and stays high until its sample is taken */
      m.clk_i = 0;
      m.eval();
    }
  }

#ifdef NETLIST
  void state(struct sm_frontend_state *s) override { *s = {}; }
#else
  void state(struct sm_frontend_state *s) override {
    const auto &root = *top.m->rootp;
    const bool powered = true;
#define PATH sm_frontend__DOT__u_frontend
#include "harness/shim/frontend_state.inc"
#undef PATH
#ifdef WIDE
    const uint64_t live = s->simt_stack.live[0];
    read_some(s->wide.tos_mask_hi, root.SIMT_STACK(tos_rest_q) | bits(80, 64), live);
    read_some(s->wide.live_mask_hi, root.SIMT_STACK(live_mask_q) | bits(64, 64), live);
#endif
  }
#endif

  int trace_open(const char *path) override { return trace.open(top.context, *top.m, path); }

  /* The clock falls half a cycle (357 ps of 714 ps at 1.4 GHz, whatever the harness's clock) after
   * the edge, for the eye only. */
  void trace_sample(uint64_t time_ps) override {
    if (!trace)
      return;
    MODEL &m = *top.m;
    trace.dump(time_ps);
    m.clk_i = 0;
    m.eval();
    trace.dump(time_ps + 357);
  }

  void trace_close() override {
    if (!trace)
      return;
    trace.close();
    top.m->clk_i = 0;
    top.m->eval();
  }
};

} // namespace

#ifdef NETLIST
struct frontend_rtl *frontend_rtl_create_netlist(uint64_t seed) {
  auto *f = new model(seed);
  f->reset();
  return f;
}
#else
frontend_rtl *CAT(frontend_make_, VARIANT)(uint64_t seed) { return new model(seed); }
#endif
