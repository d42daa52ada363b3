/* The front end's netlist with its activity counted: compiled while the program runs, with MODEL
 * its verilated class and NETS its nets (synth/model.c). */
#define NETLIST
#include "harness/shim/frontend_model.cpp"
#include "harness/shim/netlist_probe.h"

namespace {

struct counted final : frontend_narrow {
  model m;
  probe nets;

  counted(uint64_t seed, uint64_t from, uint64_t to)
      : m(seed), nets((m.reset(), m.top.m->rootp), from, to) {}

  void reset() override {}
  int bug(unsigned n) override { return n != 0 ? -1 : 0; }
  void state(struct sm_frontend_state *s) override { *s = {}; }
  int trace_open(const char *) override { return -ENOTSUP; }
  void trace_sample(uint64_t) override {}
  void trace_close() override {}
  void out(struct sm_frontend_out *o) override { m.out(o); }

  void step(const struct sm_frontend_in *in) override {
    MODEL &top = *m.top.m;
    assertion_log_use(&log);
    m.apply(in, false);
    top.clk_i = 1;
    top.eval();
    nets.sample();
    top.clk_i = 0;
    top.eval();
    nets.sample();
    nets.end_cycle();
  }
};

} // namespace

struct frontend_rtl *netlist_open_frontend(uint64_t seed, uint64_t from, uint64_t to) {
  return new counted(seed, from, to);
}

void netlist_count_frontend(const struct frontend_rtl *f, struct netlist_counts *counts) {
  static_cast<const counted *>(f)->nets.counts(counts);
}
