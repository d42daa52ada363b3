/* The back end of an SM at the pins of its front end. */
#include "tb/back_end.h"

back_end::back_end(sc_core::sc_module_name name, const struct sm_config &config, unsigned index,
                   bool cluster)
    : sc_module(name), member(cluster) {
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
  SC_METHOD(falling);
  sensitive << clk.neg();
  dont_initialize();
  SC_METHOD(step);
  sensitive << step_event;
  dont_initialize();
}

void back_end::pair_with(back_end &other) {
  struct tandem_error err = {};
  upper = &other;
  pair = sm_lanes_create(sm, other.sm, &err);
  if (pair == nullptr)
    SC_REPORT_FATAL("back_end", err.text);
}

void back_end::begin(const struct grid *grid, const struct sm_shape *shape) {
  paired = shape != nullptr && shape->pair;
  memory.begin(grid);
  if (wide()) {
    sm_lanes_begin(pair, grid, shape);
  } else if (!paired) {
    sm_set_shape(sm, shape);
    sm_begin(sm, grid);
  }
  running = true;
  is_idle = half();
}

void back_end::room(struct sm_room *room) const {
  sm_cta_room(sm, room);
  if (wide())
    sm_cta_room(upper->sm, room);
}

void back_end::launch(const uint32_t ctaid[3], const struct sm_room &room) {
  if (wide())
    sm_lanes_cta(pair, ctaid);
  else
    sm_cta_launch_in(sm, ctaid, &room);
  is_idle = false;
}

const char *back_end::fault() const {
  const struct sm_fault *f = sm_fault(sm);
  return f->kind != SM_FAULT_NONE ? f->text : nullptr;
}

uint64_t back_end::step_sm(const struct sm_frontend_out &out, struct sm_frontend_in *in) {
  if (half())
    return 0;
  const uint64_t raised =
      wide() ? sm_lanes_step(pair, cycle, &out, in) : sm_step(sm, cycle, &out, in);
  const bool idle = wide() ? sm_lanes_idle(pair) : sm_idle(sm);
  is_idle = idle && drained.read() != 0 && (member || raised == 0);
  return raised;
}

void back_end::step() {
  struct sm_frontend_out out = {};
  struct sm_frontend_in in = {};
  struct sm_credits far = {};
  if (running) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) out.name = name.read();
#include "csim/ports/sm/sm.def"
#undef PORT_OUT
#undef PORT_IN
    if ((step_sm(out, &in) & SM_RAISED_FAR) != 0)
      far = sm_far_credits(sm);
    cycle++;
  }
  kernel_start.write(in.kernel_start);
  drive(in);
  drive(far);
}

void back_end::drive(const struct sm_frontend_in &in) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) name.write(in.name);
#include "csim/ports/sm/sm.def"
#undef PORT_OUT
#undef PORT_IN
}

void back_end::drive(const struct sm_credits &credits) {
  if (sp_credit1.size() == 0)
    return;
  sp_credit1->write(credits.sp);
  sfu_credit1->write(credits.sfu);
  mem_credit1->write(credits.mem);
}
