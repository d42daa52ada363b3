/* The back end of an SM at the pins of its front end. */
#include "tb/back_end.h"

back_end::back_end(sc_core::sc_module_name name, const struct sm_config &config, unsigned index)
    : sc_module(name), member(config.buddy != 0) {
  struct tandem_error err = {};
  pages = pages_create();
  if (pages == nullptr)
    SC_REPORT_FATAL("back_end", "out of memory");
  sm = sm_create(&config, index, memory.handle(), pages, &err);
  if (sm == nullptr)
    SC_REPORT_FATAL("back_end", err.text);
  sm_set_checked(sm, false);
  if (config.cb_bytes != 0)
    memory.role_of = [this](unsigned slot) {
      return spu_registers(slot) + (ISA_SR_REGROLE - ISA_SR_REGVIU);
    };
  SC_METHOD(half);
  sensitive << clk.neg();
  dont_initialize();
  SC_METHOD(step);
  sensitive << step_event;
  dont_initialize();
}

void back_end::begin(const struct grid *grid) {
  memory.begin(grid);
  sm_begin(sm, grid);
  running = true;
  is_idle = false;
}

void back_end::launch(const uint32_t ctaid[3], const struct sm_room &room) {
  sm_cta_launch_in(sm, ctaid, &room);
  is_idle = false;
}

const char *back_end::fault() const {
  const struct sm_fault *f = sm_fault(sm);
  return f->kind != SM_FAULT_NONE ? f->text : nullptr;
}

void back_end::step() {
  struct sm_frontend_out out = {};
  struct sm_frontend_in in = {};
  if (running) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) out.name = name.read();
#include "csim/ports/sm.def"
#undef PORT_OUT
#undef PORT_IN
    const uint64_t raised = sm_step(sm, cycle++, &out, &in);
    is_idle = sm_idle(sm) && drained.read() != 0 && (member || raised == 0);
  }
  kernel_start.write(in.kernel_start);
  drive(in);
}

void back_end::drive(const struct sm_frontend_in &in) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) name.write(in.name);
#include "csim/ports/sm.def"
#undef PORT_OUT
#undef PORT_IN
}
