/* SMs for a virtual platform: kernels and their CTAs. */
#include "tb/sms_tlm.h"

using sc_core::SC_ZERO_TIME;

sms_tlm::sms_tlm(sc_core::sc_module_name name, const description &of)
    : sc_module(name), fetch("fetch", of.sms), data("data", of.sms), control("control"),
      back_ends("back_end"), settings(of) {
  back_ends.init(of.sms, [&of](const char *n, size_t i) {
    return new back_end(n, of.sm, static_cast<unsigned>(i), of.cluster);
  });
  for (unsigned i = 0; i < of.sms; i++) {
    back_ends[i].clk(clk);
    back_ends[i].memory.fetch.bind(fetch[i]);
    back_ends[i].memory.data.bind(data[i]);
  }
  control.register_b_transport(this, &sms_tlm::run);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(half);
  sensitive << clk.neg();
  dont_initialize();
  SC_METHOD(end_cycle);
  sensitive << edge_event;
  dont_initialize();
}

/* A kernel, to its end: the payload's data is its grid, of which only the address is looked at. */
void sms_tlm::run(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
  if (!trans.is_write() || trans.get_data_length() != sizeof *grid || grid != nullptr) {
    trans.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  if (delay != SC_ZERO_TIME)
    wait(delay);
  delay = SC_ZERO_TIME;
  /* Its first cycle is the one that an edge has begun. */
  while (!rst_n.read() || !clk.read())
    wait(clk.posedge_event());
  grid = reinterpret_cast<const struct grid *>(trans.get_data_ptr());
  for (unsigned cycles = prepare(); cycles > 0; cycles--)
    wait(clk.posedge_event());
  start();
  wait(end_event);
  trans.set_response_status(trouble.empty() ? tlm::TLM_OK_RESPONSE
                                            : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void sms_tlm::start() {
  struct cta_dispatch_in in = {};
  in.kernel_start = 1;
  in.ctas = places() ? 0 : grid->ctas;
  in.adaptive = settings.adaptive;
  in.cluster = settings.adaptive ? settings.sms - 1 : 0;
  in.enabled = enabled();
  trouble.clear();
  age = 0;
  running = true;
  back_ends[0].memory.tell(grid);
  for (unsigned i = 0; i < settings.sms; i++)
    back_ends[i].begin(grid, shape(i));
  cta_dispatch_ref_step(&dispatcher, &in);
  begin();
}

/* Memory ends the cycle meanwhile. */
void sms_tlm::edge() {
  before = now();
  edge_event.notify(SC_ZERO_TIME);
}

void sms_tlm::end_cycle() {
  split_groups(0);
  if (!stepped)
    return;
  stepped = false;
  if (age >= forming() && dispatcher.next != dispatcher.ctas)
    dispatch();
  age++;
  total++;
  if (!finished())
    return;
  for (auto &b : back_ends)
    b.end();
  back_ends[0].memory.tell(nullptr);
  grid = nullptr;
  running = false;
  end_event.notify();
}

struct sm_room sms_tlm::room_of(unsigned first) const {
  struct sm_room room = SM_ROOM_ANY;
  unsigned i = first;
  do
    back_ends[i].room(&room);
  while (++i < settings.sms && (before.leads >> i & 1) == 0);
  return room;
}

/* CTAs to the groups as they were in the cycle; they take effect in the back ends' next step, a
 * split at the next edge. */
void sms_tlm::dispatch() {
  struct cta_dispatch_in in = {};
  struct cta_dispatch_out out;
  struct sm_room room = SM_ROOM_ANY;
  in.enabled = enabled();
  in.lead = before.leads;
  for (unsigned i = 0; i < settings.sms; i++) {
    if ((before.leads >> i & 1) != 0)
      room = SM_ROOM_ANY;
    back_ends[i].room(&room); /* where the members of its group before it have room, too */
    in.ready |= static_cast<uint64_t>(sm_room_fits(&room) && (before.held >> i & 1) == 0) << i;
    in.idle |= static_cast<uint64_t>(back_ends[i].idle()) << i;
  }
  cta_dispatch_ref_eval(&dispatcher, &in, &out);
  cta_dispatch_ref_step(&dispatcher, &in);
  uint64_t cta = out.first;
  for (unsigned i = 0; i < settings.sms; i++) {
    if ((out.give >> i & 1) == 0)
      continue;
    if (cta == out.first || (before.leads >> i & 1) != 0)
      room = room_of(i);
    const uint64_t x = grid->dim[0], y = grid->dim[1];
    const uint32_t id[3] = {static_cast<uint32_t>(cta % x), static_cast<uint32_t>(cta / x % y),
                            static_cast<uint32_t>(cta / (x * y))};
    back_ends[i].launch(id, room);
    cta++;
  }
  split_groups(out.split);
}

void sms_tlm::look_for_trouble() {
  trouble = wrong();
  for (auto &b : back_ends)
    if (b.fault() != nullptr)
      trouble = b.fault();
    else if (b.memory.faulted())
      trouble = "a bad access to memory";
  if (age >= settings.max_cycles)
    trouble = "the kernel does not end";
}

bool sms_tlm::finished() {
  look_for_trouble();
  if (!trouble.empty())
    return true;
  bool idle = dispatcher.next == dispatcher.ctas && placed();
  for (auto &b : back_ends)
    idle = idle && b.idle();
  return idle && back_ends[0].memory.all_idle();
}
