/* One verilated model behind rtl.h.  Compiled once a model, with MODEL its class and
 *
 *   UNIT       its ports table, of which it has one row
 *   MEMBERS    a cluster of so many: besides its own row it has one of each member
 *   FRONTEND   the model is a front end: its state is that of its parts
 *   WIDE       its masks have more than 32 lanes
 *   TRACED     it has traces; of a cluster also registers that can be scrambled
 *   NETLIST    it is a netlist, which has no names of state
 *   COVERED    it counts what is covered
 *   NETS_FILE  what to count in a netlist (netlist_probe.h)
 */
#include "harness/shim/coverage.h"
#include "harness/shim/model.h"
#include "harness/shim/mutant.h"
#include "harness/shim/readers.h"
#include "harness/shim/rows.h"
#include "harness/shim/rtl.h"
#include "harness/shim/runtime.h"
#include "harness/shim/scramble.h"
#include "harness/shim/tracer.h"

#include "csim/ports/told.h"

#define ROOT CAT(MODEL, ___024root)
#ifdef NETS_FILE
#include "harness/shim/netlist_probe.h"
#endif

namespace {

/* ---- ports ---- */

#define STATE(name, width, count, signal, qualifier)
#ifdef MEMBERS

using ports_in = struct cluster_in;
using ports_out = struct cluster_out;

/* all: payloads too while no member has their valid. */
inline void apply(MODEL &m, const ports_in &in, bool all) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) pin_put(m.name##_i, in.own.name);
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
  struct buddy_member_in any = {}; /* what some member has */
  const struct buddy_member_in *p = &any;
#define PORT_IN(name, width, qualifier)                                                            \
  if (all || (qualifier))                                                                          \
    any.name = rows_put<MEMBERS>(m.name##_i, width, [&](unsigned i) { return in.sm[i].name; });
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}

template <class T> bool is_some(const T &pin) { return pin != 0; }
template <std::size_t N> bool is_some(const VlWide<N> &) { return true; }

inline void read(const MODEL &m, ports_out &o) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) o.own.name = m.name##_o;
#include "csim/ports/buddy_cluster.def"
#undef PORT_OUT
  struct buddy_member_out any = {}; /* what some member has */
  const struct buddy_member_out *p = &any;
#define PORT_OUT(name, width, qualifier)                                                           \
  if (qualifier) {                                                                                 \
    any.name = is_some(m.name##_o);                                                                \
    _Pragma("GCC unroll 8") for (unsigned i = 0; i < MEMBERS; i++) o.member[i].name =              \
        row_get(m.name##_o, i * (width), width);                                                   \
  }
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
#undef PORT_IN
}

#else

/* clang-format off */
#ifdef WIDE
using ports_in = struct sm_frontend_wide_in;
using ports_out = struct sm_frontend_wide_out;
#else
using ports_in = struct CAT(UNIT, _in);
using ports_out = struct CAT(UNIT, _out);
#endif
#define UNIT_PORTS PORTS_QUOTE(csim/ports/UNIT.def)
/* clang-format on */

/* Lanes from 64 on, which large warps have in another field. */
template <class P> void apply_upper(MODEL &, const P &) {}
template <class P> void read_upper(const MODEL &, P &) {}
#ifdef WIDE
template <> void apply_upper(MODEL &m, const ports_in &in) {
  pin_put_high(m.launch_mask_i, in.launch_mask_hi);
  pin_put_high(m.resolve_taken_i, in.resolve_taken_hi);
}
template <> void read_upper(const MODEL &m, ports_out &o) {
  o.iss0_mask_hi = pin_high(m.iss0_mask_o);
  o.iss1_mask_hi = pin_high(m.iss1_mask_o);
}
#endif

/* all: payloads too that have no valid. */
inline void apply(MODEL &m, const ports_in &in, [[maybe_unused]] bool all) {
  [[maybe_unused]] const ports_in *p = &in;
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier)                                                            \
  if (all || (qualifier))                                                                          \
    pin_put(m.name##_i, in.name);
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
  apply_upper(m, in);
}

inline void read(const MODEL &m, ports_out &o) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) pin_read(m.name##_o, o.name);
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
  read_upper(m, o);
}
#endif
#undef STATE

/* ---- state ---- */

/* Payloads without their valid: registered inputs are not looked at then, and plain models are
 * spared them; units by themselves and full models get them, as tests make them noise. */
#if (defined FRONTEND || defined MEMBERS) && !defined TRACED && !defined NETLIST
constexpr bool all_payloads = false;
#else
constexpr bool all_payloads = true;
#endif

#ifdef MEMBERS
#define MEMBER(n) buddy_cluster__DOT__g_member__BRA__##n##__KET____DOT__u_member__DOT__
#if MEMBERS == 2
#define EACH_MEMBER(F) F(0) F(1)
#elif MEMBERS == 4
#define EACH_MEMBER(F) F(0) F(1) F(2) F(3)
#else
#define EACH_MEMBER(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7)
#endif

/* The members whose front ends are on. */
[[maybe_unused]] uint64_t power_of([[maybe_unused]] const ROOT &root) {
  uint64_t on = 0;
#ifndef NETLIST
#define ON(n) on |= static_cast<uint64_t>(root.CAT(MEMBER(n), on)) << n;
  EACH_MEMBER(ON)
#undef ON
#endif
  return on;
}

#ifdef TRACED
/* Nothing may rely on what a front end holds whose power has fallen: its parts' registers, and the
 * monitor of one that leads. */
void scramble_member(unsigned n, std::mt19937_64 &noise) {
  static const char *const switched[] = {
#define PART_EACH "harness/shim/switched_part.inc"
#include "csim/ports/frontend_parts.def"
#undef PART_EACH
  };
  const std::string member = "TOP.buddy_cluster.g_member[" + std::to_string(n) + "].u_member.";
  /* Verilator 5.006 spells the index of a nested scope either way. */
  const std::string spelled =
      "TOP.buddy_cluster.g_member__BRA__" + std::to_string(n) + "__KET__.u_member.";
  for (const std::string side :
       {"u_frontend.u_scoreboard.u_writes", "u_frontend.u_scoreboard.u_reads"})
    if (!scramble(member + side, noise) && !scramble(spelled + side, noise))
      std::abort();
  for (const char *instance : switched)
    if (instance != nullptr && !scramble(member + "u_frontend." + instance, noise))
      std::abort(); /* rtl/scramble.vlt names no register of it */
  if (n % 2 == 0 && !scramble(member + "g_leads.u_leader.u_monitor", noise))
    std::abort(); /* one that can lead has a monitor */
}
#endif
#endif

/* ---- the model ---- */

struct model final : rtl_model {
  static const struct rtl_functions own;
  assertion_log log;
  seeded_model<MODEL> top;
  coverage counts{top.context};
  tracer trace;
  uint64_t time_ps = 0, period_ps = 1;
  unsigned fault = mutant_of(*top.m, 0); /* which a reset leaves on */
#ifdef MEMBERS
  uint64_t on = 0; /* front ends that were, after the last edge */
  std::mt19937_64 noise;
#endif
#ifdef NETS_FILE
  probe nets;
  model(uint64_t seed, uint64_t from, uint64_t to)
      : rtl_model{&own}, top(seed), nets((reset(), top.m->rootp), from, to) {}
#elif defined MEMBERS
  explicit model(uint64_t seed) : rtl_model{&own}, top(seed), noise(seed) {
    reset();
    counts.start([this] { reset(); });
  }
#else
  explicit model(uint64_t seed) : rtl_model{&own}, top(seed) {
    reset();
    counts.start([this] { reset(); });
  }
#endif
  ~model() { trace_close(); }
  model(const model &) = delete;
  model &operator=(const model &) = delete;

  void reset() {
    const ports_in zero = {};
    assertion_log_use(&log);
    top.context.assertOn(false);
    set_bug(*top.m, fault, 0);
    apply(*top.m, zero, true);
    pulse_reset(*top.m);
    clear_buffers(*top.m->rootp, 0);
    power();
    top.context.assertOn(true);
  }

  int bug(unsigned n) {
    const int status = set_bug(*top.m, n, 0);
    if (status == 0)
      fault = n;
    return status;
  }

  void out(void *to) { read(*top.m, *static_cast<ports_out *>(to)); }

  void eval(const void *in, void *to) {
    assertion_log_use(&log);
    apply(*top.m, *static_cast<const ports_in *>(in), true);
    top.m->eval();
    mutant_look(*top.m, 0);
    out(to);
  }

  void step(const void *in) {
    assertion_log_use(&log);
    apply(*top.m, *static_cast<const ports_in *>(in), all_payloads);
    mutant_begin_step(*top.m, 0);
    step_clocks(
        *top.m, [this]([[maybe_unused]] int quarters) { sample(quarters); }, 0);
    power();
#ifdef NETS_FILE
#ifdef MEMBERS
    nets.sample_power(top.m->power_o);
#endif
    nets.end_cycle();
#endif
  }

  /* After each evaluation of a step, so many quarters of a cycle behind the core clock's edge. */
  void sample([[maybe_unused]] int quarters) {
    if (trace)
      trace.dump(time_ps + static_cast<uint64_t>(quarters * static_cast<int64_t>(period_ps) / 4));
#ifdef NETS_FILE
    nets.sample();
#endif
  }

  /* A front end that has lost its power. */
  void power() {
#ifdef MEMBERS
    const uint64_t now = power_of(*top.m->rootp);
    [[maybe_unused]] const uint64_t fallen = on & ~now;
    on = now;
#ifdef TRACED
    if (fallen != 0) {
      Verilated::threadContextp(&top.context);
      for (unsigned i = 0; i < MEMBERS; i++)
        if (fallen >> i & 1)
          scramble_member(i, noise);
    }
#endif
#endif
  }

  void view([[maybe_unused]] unsigned sm, void *to) {
#if defined MEMBERS || defined FRONTEND
    auto *s = static_cast<struct sm_frontend_state *>(to);
#ifdef NETLIST
    *s = {};
#else
    const ROOT &root = *top.m->rootp;
#define PART_EACH "harness/shim/view_part.inc"
#ifdef MEMBERS
    const bool powered = (on >> sm & 1) != 0;
#define VIEW_MEMBER 0
#include "harness/shim/view_member.inc"
#define VIEW_MEMBER 1
#include "harness/shim/view_member.inc"
#if MEMBERS > 2
#define VIEW_MEMBER 2
#include "harness/shim/view_member.inc"
#define VIEW_MEMBER 3
#include "harness/shim/view_member.inc"
#endif
#if MEMBERS > 4
#define VIEW_MEMBER 4
#include "harness/shim/view_member.inc"
#define VIEW_MEMBER 5
#include "harness/shim/view_member.inc"
#define VIEW_MEMBER 6
#include "harness/shim/view_member.inc"
#define VIEW_MEMBER 7
#include "harness/shim/view_member.inc"
#endif
#else
    const bool powered = true;
#define PATH sm_frontend__DOT__u_frontend
#include "csim/ports/frontend_parts.def"
#ifdef WIDE
#define SIMT_STACK(signal) CAT(PATH, __DOT__u_simt_stack__DOT__##signal)
    const uint64_t live = s->simt_stack.live[0];
    read_some(s->wide.tos_mask_hi, root.SIMT_STACK(tos_rest_q) | bits(80, 64), live);
    read_some(s->wide.live_mask_hi, root.SIMT_STACK(live_mask_q) | bits(64, 64), live);
#endif
#undef PATH
#endif
#undef PART_EACH
#endif
#else
    auto *view = static_cast<struct CAT(UNIT, _view) *>(to);
    *view = {};
    [[maybe_unused]] auto &root = *top.m->rootp;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)
#undef STATE_BY
#ifdef NETLIST
#define STATE(name, width, count, signal, qualifier)
#define STATE_BY(name, width, count, reader, qualifier)
#else
#define STATE(name, width, count, signal, qualifier)                                               \
  read_state(view->name, root.CAT(UNIT, __DOT__##signal));
#define STATE_BY(name, width, count, reader, qualifier) reader(view->name, root);
#endif
#include UNIT_PORTS
#undef STATE_BY
#include "csim/ports/words.inc"
#undef PORT_IN
#undef PORT_OUT
#undef STATE
#endif
  }

  int trace_open(const char *path) { return trace.open(top.context, *top.m, path); }
  void trace_time(uint64_t at, uint64_t period) {
    time_ps = at;
    period_ps = period;
  }
  bool trace_close() { return trace.close(); }
};

model &of(struct rtl_model *m) { return *static_cast<model *>(m); }

const struct rtl_functions model::own = {
    [](struct rtl_model *m) { delete &of(m); },
    [](struct rtl_model *m) { of(m).reset(); },
    [](struct rtl_model *m, void *out) { of(m).out(out); },
    [](struct rtl_model *m, const void *in, void *out) { of(m).eval(in, out); },
    [](struct rtl_model *m, const void *in) { of(m).step(in); },
    [](struct rtl_model *m, unsigned sm, void *view) { of(m).view(sm, view); },
    [](struct rtl_model *m, unsigned n) { return of(m).bug(n); },
    [](struct rtl_model *m, const char *path) { return of(m).trace_open(path); },
    [](struct rtl_model *m, uint64_t time, uint64_t period) { of(m).trace_time(time, period); },
    [](struct rtl_model *m) { return of(m).trace_close(); },
    [](const struct rtl_model *m, const char **first) {
      return static_cast<const model *>(m)->log.failed(first);
    }};

} // namespace

#ifdef NETS_FILE
struct rtl_model *netlist_open(uint64_t seed, uint64_t from, uint64_t to) {
  return new model(seed, from, to);
}

void netlist_count(const struct rtl_model *m, struct netlist_counts *counts) {
  static_cast<const model *>(m)->nets.counts(counts);
}
#else
extern "C" {
extern const struct rtl_type RTL_TYPE;
const struct rtl_type RTL_TYPE = {PORTS_QUOTE(UNIT),
                                  [](uint64_t seed) -> struct rtl_model *{return new model(seed);
}
, mutant_choose, mutant_age, nullptr
}
;
}
#endif
