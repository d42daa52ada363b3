/* Runs the model of tiny.v: 16 cycles, en_i high in cycles 4 to 11. */
#include "harness/shim/model.h"
#include "harness/shim/runtime.h"

#define ROOT CAT(MODEL, ___024root)
#include "harness/shim/netlist_probe.h"

namespace {
struct tiny {
  seeded_model<MODEL> top;
  probe nets;
  explicit tiny(uint64_t from, uint64_t to) : top(1), nets(top.m->rootp, from, to) {}
};
} // namespace

extern "C" void tiny_run(uint64_t from, uint64_t to, struct netlist_counts *counts) {
  static tiny t(from, to);
  MODEL &m = *t.top.m;
  m.rst_ni = 1;
  for (unsigned cycle = 0; cycle < 16; cycle++) {
    m.clk_i = m.noc_clk_i = 0;
    m.en_i = cycle >= 4 && cycle < 12;
    m.eval();
    for (int quarter = 0; quarter < 4; quarter++) {
      m.clk_i = quarter < 2;
      m.noc_clk_i = quarter % 2 == 0;
      m.eval();
      t.nets.sample();
    }
    t.nets.end_cycle();
  }
  t.nets.counts(counts);
}
