/* A buddy cluster for a virtual platform: its processes and sockets. */
#include "tb/buddy_cluster_tlm.h"

using sc_core::SC_ZERO_TIME;

enum { FORMING = 2 /* cycles until the outputs show a kernel's groups */ };

buddy_cluster_tlm::buddy_cluster_tlm(sc_core::sc_module_name name, const config &c)
    : sc_module(name), fetch("fetch", MEMBERS), data("data", MEMBERS), control("control"),
      settings(c), back_ends("back_end") {
  settings.sm.buddy = 1;
  back_ends.init(MEMBERS, [this](const char *n, size_t i) {
    return new back_end(n, settings.sm, static_cast<unsigned>(i));
  });
  control.register_b_transport(this, &buddy_cluster_tlm::run);
  connect();
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

void buddy_cluster_tlm::connect() {
  rtl.clk(clk);
  rtl.noc_clk(noc_clk);
  rtl.rst_n(rst_n);
#define STATE(name, width, count, signal, qualifier)
#define PORT_OUT(name, width, qualifier) rtl.name(name);
#define PORT_IN(name, width, qualifier) rtl.name(name);
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
#undef PORT_OUT
#define PORT_OUT(name, width, qualifier)                                                           \
  rtl.name[i](name[i]);                                                                            \
  back_ends[i].name(name[i]);
#define PORT_IN(name, width, qualifier) PORT_OUT(name, width, qualifier)
  for (unsigned i = 0; i < MEMBERS; i++) {
#include "csim/ports/buddy_member.def"
    back_ends[i].clk(clk);
    back_ends[i].kernel_start(i == 0 ? kernel_start : unused_start[i]);
    back_ends[i].memory.fetch.bind(fetch[i]);
    back_ends[i].memory.data.bind(data[i]);
  }
#undef PORT_IN
#undef PORT_OUT
#undef STATE
}

/* A kernel, to its end: the payload's data is its grid, of which only the address is looked at. */
void buddy_cluster_tlm::run(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
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
  begin();
  wait(end_event);
  trans.set_response_status(trouble.empty() ? tlm::TLM_OK_RESPONSE
                                            : tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void buddy_cluster_tlm::begin() {
  const cta_dispatch_in in = {1, grid->ctas, (UINT64_C(1) << MEMBERS) - 1, 0, 0, 0};
  trouble.clear();
  age = 0;
  back_ends[0].memory.tell(grid);
  for (auto &b : back_ends)
    b.begin(grid);
  cta_dispatch_ref_step(&dispatcher, &in);
  power_up.write(settings.power_up);
  form.write(settings.adaptive && grid->ctas >= MEMBERS ? grid->ctas % MEMBERS : 0);
}

/* What the cluster's outputs were in the cycle that this edge ends; memory ends it meanwhile. */
void buddy_cluster_tlm::edge() {
  leads = cta_lead.read();
  held = hold.read();
  edge_event.notify(SC_ZERO_TIME);
}

void buddy_cluster_tlm::end_cycle() {
  split.write(0);
  if (!stepped)
    return;
  stepped = false;
  if (age >= FORMING && dispatcher.next != dispatcher.ctas)
    dispatch();
  age++;
  total++;
  if (!finished())
    return;
  for (auto &b : back_ends)
    b.end();
  grid = nullptr;
  end_event.notify();
}

struct sm_room buddy_cluster_tlm::room_of(unsigned first) const {
  struct sm_room room = SM_ROOM_ANY;
  unsigned i = first;
  do
    back_ends[i].room(&room);
  while (++i < MEMBERS && (leads >> i & 1) == 0);
  return room;
}

/* CTAs to the groups as they were in the cycle; they take effect in the back ends' next step, a
 * split at the cluster's next edge. */
void buddy_cluster_tlm::dispatch() {
  struct cta_dispatch_in in = {};
  struct cta_dispatch_out out;
  struct sm_room room = SM_ROOM_ANY;
  in.enabled = (UINT64_C(1) << MEMBERS) - 1;
  in.lead = leads;
  for (unsigned i = 0; i < MEMBERS; i++) {
    if (i == 0 || (leads >> i & 1) != 0)
      room = room_of(i);
    in.ready |= static_cast<uint64_t>(sm_room_fits(&room) && (held >> i & 1) == 0) << i;
    in.idle |= static_cast<uint64_t>(back_ends[i].idle()) << i;
  }
  cta_dispatch_ref_eval(&dispatcher, &in, &out);
  cta_dispatch_ref_step(&dispatcher, &in);
  uint64_t cta = out.first;
  for (unsigned i = 0; i < MEMBERS; i++) {
    if ((out.give >> i & 1) == 0)
      continue;
    if (cta == out.first || (leads >> i & 1) != 0)
      room = room_of(i);
    const uint64_t x = grid->dim[0], y = grid->dim[1];
    const uint32_t id[3] = {static_cast<uint32_t>(cta % x), static_cast<uint32_t>(cta / x % y),
                            static_cast<uint32_t>(cta / (x * y))};
    back_ends[i].launch(id, room);
    cta++;
  }
  split.write(out.split);
}

bool buddy_cluster_tlm::finished() {
  bool idle = dispatcher.next == dispatcher.ctas;
  for (unsigned i = 0; i < MEMBERS; i++) {
    if (back_ends[i].fault() != nullptr)
      trouble = back_ends[i].fault();
    else if (back_ends[i].memory.faulted())
      trouble = "a bad access to memory";
    idle = idle && back_ends[i].idle();
  }
  if (age >= settings.max_cycles)
    trouble = "the kernel does not end";
  return !trouble.empty() || (idle && back_ends[0].memory.all_idle());
}
