/* The back end of one member at the pins of its front end. */
#include "tb/back_end.h"

#include <cstddef>
#include <cstring>

/* A member's ports are those of a front end but for what the cluster has for all, in their order.
 */
static_assert(sizeof(sm_frontend_in) - offsetof(sm_frontend_in, launch_valid) ==
                  sizeof(buddy_member_in),
              "inputs of a member");
static_assert(offsetof(sm_frontend_out, stall1) == offsetof(buddy_member_out, stall1),
              "outputs of a member");

back_end::back_end(sc_core::sc_module_name name, const struct sm_config &config, unsigned index)
    : sc_module(name) {
  struct tandem_error err = {};
  pages = pages_create();
  if (pages == nullptr)
    SC_REPORT_FATAL("back_end", "out of memory");
  sm = sm_create(&config, index, memory.handle(), pages, &err);
  if (sm == nullptr)
    SC_REPORT_FATAL("back_end", err.text);
  sm_set_checked(sm, false);
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
  struct buddy_member_out own;
  struct buddy_member_in inputs;
  if (running) {
#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) own.name = name.read();
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
#undef PORT_IN
    std::memcpy(&out, &own, offsetof(sm_frontend_out, quiet));
    sm_step(sm, cycle++, &out, &in);
    is_idle = sm_idle(sm) && own.drained != 0;
  }
  std::memcpy(&inputs, &in.launch_valid, sizeof inputs);
  kernel_start.write(in.kernel_start);
  drive(inputs);
}

void back_end::drive(const struct buddy_member_in &in) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) name.write(in.name);
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
#undef PORT_IN
#undef STATE
}
