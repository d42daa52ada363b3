/* A stencil processing unit for a virtual platform: its wires, and how a launch runs on it. */
#include "tb/spu_tlm.h"

spu_tlm::spu_tlm(sc_core::sc_module_name name, const config &c)
    : sms_tlm(name, {SMS, c.sm, c.max_cycles}), settings(c), gpu(c.gpu) {
  slots.init(SPU_GRID_SLOTS, [this](const char *n, size_t i) {
    return new spu_slot(n, gpu, static_cast<unsigned>(i), back_ends[i]);
  });
  connect_grid();
  for (unsigned i = 0; i < SMS; i++)
    connect_sm(i);
  for (unsigned i = 0; i < SPU_GRID_ENGINES; i++)
    connect_engine(i);
  SC_METHOD(falling);
  sensitive << clk.neg();
  dont_initialize();
  SC_METHOD(later);
  sensitive << falling_event;
  dont_initialize();
  SC_METHOD(step);
  sensitive << step_event;
  dont_initialize();
}

/* ---- wires ---- */

void spu_tlm::connect_grid() {
  rtl.clk(clk);
  rtl.rst_n(rst_n);
#define PORT_IN(name, width, qualifier) rtl.name##_i[0](name##_i);
#define PORT_OUT(name, width, qualifier) rtl.name##_o[0](name##_o);
#include "tb/spu_own_ports.def"
#undef PORT_IN
#undef PORT_OUT
}

/* SM i, its front end and its slot. */
void spu_tlm::connect_sm(unsigned i) {
  front_ends[i].clk(clk);
  front_ends[i].rst_n(rst_n);
#define PORT_IN(name, width, qualifier) front_ends[i].name##_i[0](name[i]);
#define PORT_OUT(name, width, qualifier) front_ends[i].name##_o[0](name[i]);
#include "csim/ports/sm/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_IN(name, width, qualifier) back_ends[i].name(name[i]);
#define PORT_OUT(name, width, qualifier) back_ends[i].name(name[i]);
#include "csim/ports/sm/sm.def"
#undef PORT_IN
#undef PORT_OUT
  back_ends[i].kernel_start(kernel_start[i]);
  back_ends[i].drained(quiet[i]);
#define PORT_IN(name, width, qualifier)                                                            \
  rtl.name##_i[i](slot_##name##_i[i]);                                                             \
  slots[i].name##_i(slot_##name##_i[i]);
#define PORT_OUT(name, width, qualifier)                                                           \
  rtl.name##_o[i](slot_##name##_o[i]);                                                             \
  slots[i].name##_o(slot_##name##_o[i]);
#include "tb/spu_slot_ports.def"
#undef PORT_IN
#undef PORT_OUT
}

void spu_tlm::connect_engine(unsigned number) {
  if (number < SPU_GRID_SLOTS) {
#define PORT_IN(name, width, qualifier) rtl.name##_i[number](name##_i[number]);
#define PORT_OUT(name, width, qualifier) rtl.name##_o[number](name##_o[number]);
#include "tb/dma_ports.def"
#undef PORT_IN
#undef PORT_OUT
  } else {
    const unsigned lane = number - SPU_GRID_SLOTS;
#define PORT_IN(name, width, qualifier) rtl.lane_##name##_i[lane](name##_i[number]);
#define PORT_OUT(name, width, qualifier) rtl.lane_##name##_o[lane](name##_o[number]);
#include "tb/dma_ports.def"
#undef PORT_IN
#undef PORT_OUT
  }
  if (number == 0) /* the grid has no such engine */
    return;
  dma_port &e = engines[number - 1];
  e.clk(clk);
  e.memory.bind(dma[number - 1]);
#define PORT_IN(name, width, qualifier) e.name##_i(name##_i[number]);
#define PORT_OUT(name, width, qualifier) e.name##_o(name##_o[number]);
#include "tb/dma_ports.def"
#undef PORT_IN
#undef PORT_OUT
}

/* ---- launches ---- */

void spu_tlm::begin() {
  for (auto &w : cfg_lrr)
    w.write(settings.lrr);
}

/* The grid takes one register a cycle.  The harness writes those of all engines at once: a kernel
 * begins as many cycles before the last of them as that takes there. */
unsigned spu_tlm::prepare() {
  if (!tb_spu_used(gpu))
    return 0;
  state = phase::WRITES;
  written = 0;
  for (auto &s : slots)
    s.begin(grid->warps);
  for (auto &e : engines)
    e.begin();
  return tb_spu_writes(gpu) - tb_spu_write_cycles();
}

void spu_tlm::write_register() {
  const struct tb_spu_write w = tb_spu_write_at(gpu, written);
  const bool of_slot = w.engine < SPU_GRID_SLOTS;
  cfg_slot_i.write(of_slot ? UINT64_C(1) << w.engine : 0);
  cfg_lane_i.write(of_slot ? 0 : UINT64_C(1) << (w.engine - SPU_GRID_SLOTS));
  cfg_reg_i.write(w.reg);
  cfg_data_i.write(w.data);
  if (++written == tb_spu_writes(gpu))
    state = phase::START;
}

void spu_tlm::begin_passes() {
  const struct tb_spu_constants c = tb_spu_constants_of(gpu);
  mode_i.write(c.mode);
  overlap_i.write(c.overlap);
  npx_i.write(c.passes.npx);
  npy_i.write(c.passes.npy);
  lastc_i.write(c.passes.lastc);
  lastr_i.write(c.passes.lastr);
  global_hops_i.write(c.hops);
  kernel_start_i.write(1);
  state = phase::RUNS;
}

void spu_tlm::run_passes() {
  for (auto &s : slots)
    s.step();
  if (done_o.read() != 0)
    state = phase::OFF;
}

/* Half a core cycle after an edge, when the back ends have had their step: the grid's outputs of
 * that edge, its inputs of the next one. */
void spu_tlm::step() {
  cfg_slot_i.write(0);
  cfg_lane_i.write(0);
  kernel_start_i.write(0);
  if (state == phase::WRITES)
    write_register();
  else if (state == phase::START)
    begin_passes();
  else if (state == phase::RUNS && running)
    run_passes();
}

std::string spu_tlm::wrong() const {
  struct tandem_error err = {};
  for (auto &e : engines)
    if (e.faulted())
      return "a bad access of a DMA engine to memory";
  for (unsigned i = 0; i < SPU_GRID_SLOTS; i++)
    if (slot_bad_o[i].read() != 0)
      tb_spu_bad_sync(gpu, i, slot_cx_o[i].read(), slot_cy_o[i].read(), &err);
  return err.text;
}
