/* A Flex cluster for a virtual platform: its wires, and the schemes of launches. */
#include "tb/flex_tlm.h"

enum { FORMING = 2 /* cycles until the outputs show another mode */ };

flex_tlm::flex_tlm(sc_core::sc_module_name name, const config &c)
    : sms_tlm(name, {FLEX_PAIR, c.sm, c.max_cycles, true}), settings(c), gpu(c.gpu) {
  connect();
  for (unsigned i = 0; i < FLEX_PAIR; i++) {
    const int upper = tb_flex_upper(i);
    if (upper >= 0)
      back_ends[i].pair_with(back_ends[static_cast<unsigned>(upper)]);
  }
}

void flex_tlm::connect() {
  rtl.clk(clk);
  rtl.rst_n(rst_n);
#define STATE(name, width, count, signal, qualifier)
#define PORT_OUT(name, width, qualifier) rtl.name##_o[0](name##_o);
#define PORT_IN(name, width, qualifier) rtl.name##_i[0](name##_i);
#include "csim/ports/flex/flex_cluster.def"
#undef PORT_IN
#undef PORT_OUT
  for (unsigned i = 0; i < FLEX_PAIR; i++) {
#define PORT_OUT(name, width, qualifier) rtl.name##_o[i](name[i]);
#define PORT_IN(name, width, qualifier) rtl.name##_i[i](name[i]);
#include "csim/ports/flex/flex_member.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_OUT(name, width, qualifier) back_ends[i].name(name[i]);
#define PORT_IN(name, width, qualifier) back_ends[i].name(name[i]);
#include "csim/ports/sm/sm.def"
#undef PORT_IN
#undef PORT_OUT
    back_ends[i].sp_credit1(sp_credit1[i]);
    back_ends[i].sfu_credit1(sfu_credit1[i]);
    back_ends[i].mem_credit1(mem_credit1[i]);
    /* Member 0 is active in all schemes. */
    back_ends[i].kernel_start(i == 0 ? kernel_start_i : unused_start[i]);
    back_ends[i].drained(drained);
  }
#undef STATE
}

void flex_tlm::begin() {
  const struct tb_flex_launch launch = tb_flex_launch_of(gpu);
  cfg_lrr_i.write(settings.lrr);
  power_up_i.write(tb_flex_power_up(gpu));
  mode_i.write(launch.mode);
  own_memory_i.write(launch.own_memory);
}

unsigned flex_tlm::forming() const { return tb_flex_launch_of(gpu).changes ? FORMING : 0; }

uint64_t flex_tlm::enabled() const { return tb_flex_active(gpu); }

const struct sm_shape *flex_tlm::shape(unsigned sm) const { return tb_flex_shape(gpu, sm); }
