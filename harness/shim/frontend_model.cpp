/* One variant of the verilated front end: compiled once a variant, with VARIANT its name; or its
 * netlist (NETLIST), which has neither names of state nor traces. */
#include "harness/shim/frontend.h"
#include "harness/shim/model.h"

#ifndef NETLIST
#include <verilated_fst_c.h>
#endif

#include <cerrno>
#include <memory>

namespace {

/* With everything on the rising edge, a falling one changes nothing but Verilator's memory of the
 * clock, which is set here for a fifth of the price of an evaluation.  Verilators that name it
 * otherwise get the evaluation. */
template <class M>
auto lower_clock(M &m, int) -> decltype(m.rootp->__Vtrigrprev__TOP__clk_i, void()) {
  m.clk_i = 0;
  m.rootp->__Vtrigrprev__TOP__clk_i = 0;
}
template <class M> void lower_clock(M &m, long) {
  m.clk_i = 0;
  m.eval();
}

struct model final : frontend_rtl {
  seeded_model<MODEL> top;
#ifdef NETLIST
  static constexpr bool fst = false;
#else
  std::unique_ptr<VerilatedFstC> fst;
#endif

  explicit model(uint64_t seed) : top(seed) {}
  ~model() override { trace_close(); }

  void reset() override {
    assertion_log_use(&log);
    top.context.assertOn(false);
    struct sm_frontend_in zero = {};
    apply(&zero, true);
    bug(0);
    pulse_reset(*top.m);
    top.context.assertOn(true);
  }

  /* Payloads are written only with their valid: what they are otherwise does not matter. */
  void apply(const struct sm_frontend_in *p, bool all) {
    MODEL &m = *top.m;
#define PORT_IN(name, width, qualifier)                                                            \
  if (all || (qualifier))                                                                          \
    m.name##_i = static_cast<std::remove_reference<decltype(m.name##_i)>::type>(p->name);
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include "harness/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
  }

  int bug([[maybe_unused]] unsigned n) override {
#ifdef HAS_BUGS
    top.m->bug_i = n & 0xff;
    return 0;
#else
    return n ? -1 : 0;
#endif
  }

  void out(struct sm_frontend_out *o) override {
    MODEL &m = *top.m;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) o->name = m.name##_o;
#define STATE(name, width, count, signal, qualifier)
#include "harness/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
  }

  void step(const struct sm_frontend_in *in) override {
    MODEL &m = *top.m;
    assertion_log_use(&log);
    apply(in, false);
    m.clk_i = 1;
    m.eval();
    if (!fst)
      lower_clock(m, 0);
  }

#ifdef NETLIST
  void state(struct sm_frontend_state *s) override { *s = {}; }
  int trace_open(const char *) override { return -ENOTSUP; }
  void trace_sample(uint64_t) override {}
  void trace_close() override {}
#else
  void state(struct sm_frontend_state *s) override {
    const auto &root = *top.m->rootp;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)
#define STATE_OF(instance, field, signal)                                                          \
  read_state(s->AT.field, root.CAT(sm_frontend__DOT__u_##instance, __DOT__##signal));
#define AT fetch
#define STATE(name, width, count, signal, qualifier) STATE_OF(fetch, name, signal)
#include "harness/ports/fetch.def"
#undef STATE
#undef AT
#define AT icache
#define STATE(name, width, count, signal, qualifier) STATE_OF(icache, name, signal)
#include "harness/ports/icache.def"
#undef STATE
#undef AT
#define AT ibuffer
#define STATE(name, width, count, signal, qualifier) STATE_OF(ibuffer, name, signal)
#include "harness/ports/ibuffer.def"
#undef STATE
#undef AT
#define AT simt_stack
#define STATE(name, width, count, signal, qualifier) STATE_OF(simt_stack, name, signal)
#include "harness/ports/simt_stack.def"
#undef STATE
#undef AT
#define AT scoreboard
#define STATE(name, width, count, signal, qualifier) STATE_OF(scoreboard, name, signal)
#include "harness/ports/scoreboard.def"
#undef STATE
#undef AT
#define AT sched0
#define STATE(name, width, count, signal, qualifier) STATE_OF(sched0, name, signal)
#include "harness/ports/warp_scheduler.def"
#undef STATE
#undef AT
#define AT sched1
#define STATE(name, width, count, signal, qualifier) STATE_OF(sched1, name, signal)
#include "harness/ports/warp_scheduler.def"
#undef STATE
#undef AT
#define AT issue
#define STATE(name, width, count, signal, qualifier) STATE_OF(issue, name, signal)
#include "harness/ports/issue.def"
#undef STATE
#undef AT
#define AT barrier
#define STATE(name, width, count, signal, qualifier) STATE_OF(barrier, name, signal)
#include "harness/ports/barrier.def"
#undef STATE
#undef AT
#undef PORT_IN
#undef PORT_OUT
  }

  int trace_open(const char *path) override {
    trace_close();
    /* Verilator allows a trace only in a context that was told so before any trace. */
    top.context.traceEverOn(true);
    fst = std::make_unique<VerilatedFstC>();
    top.m->trace(fst.get(), 99);
    fst->open(path);
    if (!fst->isOpen()) {
      fst.reset();
      return -EIO;
    }
    return 0;
  }

  /* The clock falls half a cycle (357 ps of 714 ps at 1.4 GHz, whatever the harness's clock) after
   * the edge, for the eye only. */
  void trace_sample(uint64_t time_ps) override {
    if (!fst)
      return;
    MODEL &m = *top.m;
    fst->dump(time_ps);
    m.clk_i = 0;
    m.eval();
    fst->dump(time_ps + 357);
  }

  void trace_close() override {
    if (fst)
      fst->close();
    fst.reset();
    lower_clock(*top.m, 0);
  }
#endif
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
