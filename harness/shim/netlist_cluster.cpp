/* A cluster whose members are netlists, with their activity counted: compiled while the program
 * runs, with MODEL its verilated class, MEMBERS, and NETS the members' nets (synth/model.c). */
#define NETLIST
#include "harness/shim/cluster_model.cpp"
#include "harness/shim/netlist_probe.h"

namespace {

struct counted final : buddy_cluster_rtl {
  model m;
  probe nets;

  counted(uint64_t seed, uint64_t from, uint64_t to) : m(seed), nets(m.top.m->rootp, from, to) {}

  int bug(unsigned n) override { return n != 0 ? -1 : 0; }
  void state(unsigned, struct sm_frontend_state *s) override { *s = {}; }
  int trace_open(const char *) override { return -ENOTSUP; }
  void trace_sample(uint64_t) override {}
  void trace_close() override {}
  void out(struct buddy_cluster_out *o, struct buddy_member_out *members) override {
    m.out(o, members);
  }

  /* The edges are those of step_clocks. */
  void step(const struct buddy_cluster_in *in, const struct member_told *told) override {
    MODEL &top = *m.top.m;
    assertion_log_use(&log);
    apply<false>(*top.rootp, in, told, m.told, 0);
    static const struct { unsigned char core, noc; } edges[] = {{1, 0}, {0, 1}, {0, 0}, {1, 1}};
    for (const auto &e : edges) {
      top.clk_i = e.core;
      top.noc_clk_i = e.noc;
      top.eval();
      nets.sample();
      if (e.noc != 0)
        nets.sample_links();
    }
    nets.sample_power(top.power_o);
    nets.end_cycle();
  }
};

} // namespace

struct buddy_cluster_rtl *netlist_open_cluster(uint64_t seed, uint64_t from, uint64_t to) {
  return new counted(seed, from, to);
}

void netlist_count_cluster(const struct buddy_cluster_rtl *c, struct netlist_counts *counts) {
  static_cast<const counted *>(c)->nets.counts(counts);
}
