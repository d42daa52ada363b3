/* A buddy cluster for a virtual platform: its wires. */
#include "tb/buddy_cluster_tlm.h"

enum {
  DELAY = (MEMBERS + 1) / 2, /* D, with one NoC cycle from a member to the next */
  FORMING = 2 + DELAY        /* cycles until the outputs show a kernel's groups */
};

static struct sm_config of_member(struct sm_config config) {
  config.deep_queues = 1;
  return config;
}

buddy_cluster_tlm::buddy_cluster_tlm(sc_core::sc_module_name name, const config &c)
    : sms_tlm(name, {MEMBERS, of_member(c.sm), c.max_cycles, true, c.adaptive}), settings(c) {
  connect();
}

void buddy_cluster_tlm::connect() {
  rtl.clk(clk);
  rtl.noc_clk(noc_clk);
  rtl.rst_n(rst_n);
#define STATE(name, width, count, signal, qualifier)
#define PORT_OUT(name, width, qualifier) rtl.name##_o[0](name);
#define PORT_IN(name, width, qualifier) rtl.name##_i[0](name);
#include "csim/ports/buddy/buddy_cluster.def"
#undef PORT_IN
#undef PORT_OUT
  for (unsigned i = 0; i < MEMBERS; i++) {
#define PORT_OUT(name, width, qualifier) rtl.name##_o[i](name[i]);
#define PORT_IN(name, width, qualifier) rtl.name##_i[i](name[i]);
#include "csim/ports/buddy/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_OUT(name, width, qualifier) back_ends[i].name(name[i]);
#define PORT_IN(name, width, qualifier) back_ends[i].name(name[i]);
#include "csim/ports/sm/sm.def"
#undef PORT_IN
#undef PORT_OUT
    back_ends[i].kernel_start(i == 0 ? kernel_start : unused_start[i]);
    back_ends[i].drained(drained[i]);
  }
#undef STATE
}

unsigned buddy_cluster_tlm::forming() const { return FORMING; }

void buddy_cluster_tlm::begin() {
  power_up.write(settings.power_up);
  form.write(residue());
}
