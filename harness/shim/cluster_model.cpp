/* One variant of a verilated cluster: compiled once a variant, with MEMBERS, HOP, ENTRIES its
 * parameters, VARIANT its name, and TRACED if it has assertions, traces and faults; or with its
 * members' netlists (NETLIST), which have no names of state. */
#include "harness/shim/cluster_model.h"
#include "harness/shim/model.h"
#include "harness/shim/scramble.h"
#include "harness/shim/tracer.h"

#include <cstddef>
#include <cstring>
#include <random>

#define ROOT CAT(MODEL, ___024root)

namespace {

#define ALWAYS_INLINE __attribute__((always_inline)) inline

/* Bits at..at + width - 1 of a pin: an integer, or words of 32 bits. */
constexpr uint64_t ones(unsigned width) {
  return width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

template <class T> ALWAYS_INLINE uint64_t take(const T &pin, unsigned at, unsigned width) {
  return static_cast<uint64_t>(pin) >> at & ones(width);
}
template <std::size_t N>
ALWAYS_INLINE uint64_t take(const VlWide<N> &pin, unsigned at, unsigned width) {
  uint64_t v = 0;
  for (unsigned got = 0; got < width;) {
    const unsigned bit = (at + got) % 32;
    v |= static_cast<uint64_t>(pin[(at + got) / 32] >> bit) << got;
    got += 32 - bit;
  }
  return v & ones(width);
}

template <class Body> ALWAYS_INLINE void each(const Body &body) {
#pragma GCC unroll 8
  for (unsigned i = 0; i < MEMBERS; i++)
    body(i);
}

template <class T> ALWAYS_INLINE bool is_some(const T &pin) { return pin != 0; }
template <std::size_t N> ALWAYS_INLINE bool is_some(const VlWide<N> &) { return true; }

/* A pin of all members, member i's part of it of(i); true if that is not 0. */
template <class T, class Of> ALWAYS_INLINE bool put(T &pin, unsigned width, const Of &of) {
  uint64_t v = 0;
  each([&](unsigned i) { v |= static_cast<uint64_t>(of(i)) << i * width; });
  pin = static_cast<T>(v);
  return v != 0;
}
template <std::size_t N, class Of>
ALWAYS_INLINE bool put(VlWide<N> &pin, unsigned width, const Of &of) {
  uint64_t v = 0;
  unsigned have = 0, word = 0; /* bits of v, words of the pin that are done */
#pragma GCC unroll 8
  for (unsigned i = 0; i < MEMBERS; i++) {
    const uint64_t part = of(i);
    for (unsigned done = 0; done < width; done += 32) {
      const unsigned n = width - done < 32 ? width - done : 32;
      v |= (part >> done & ones(n)) << have;
      have += n;
      if (have >= 32) {
        pin[word++] = static_cast<EData>(v);
        v >>= 32;
        have -= 32;
      }
    }
  }
  if (have != 0)
    pin[word] = static_cast<EData>(v);
  return true;
}

#define STATE(name, width, count, signal, qualifier)

/* Whether an input goes to registers of the front end alone that have its units' clock. */
constexpr bool begins(const char *name, const char *with) {
  return *with == 0 || (*name == *with && begins(name + 1, with + 1));
}
constexpr bool is_units(const char *name) {
  return begins(name, "col") || begins(name, "fill_") || begins(name, "sp_credit") ||
         begins(name, "sfu_credit") || (begins(name, "wb") && name[2] != '3');
}
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) | (is_units(#name) ? TOLD(name) : 0)
constexpr uint64_t UNITS = 0
#include "csim/ports/buddy_member.def"
    ;
#undef PORT_IN

/* The inputs of members that are in look, those of units or the others. */
template <bool all, bool units, bool others>
ALWAYS_INLINE void give_members(ROOT &__restrict root, const struct member_told *__restrict told,
                                uint64_t look) {
  const struct sm_frontend_in *member[MEMBERS];
  each([&](unsigned i) { member[i] = told[i].in; });
  struct buddy_member_in any = {}; /* what some member has: what stands in a qualifier */
  const struct buddy_member_in *p = &any;
#define PORT_IN(name, width, qualifier)                                                            \
  if (is_units(#name) ? units : others)                                                            \
    if (PORT_ALWAYS(qualifier) ? (look >> TOLD_##name & 1) != 0 : all || (qualifier) != 0)         \
      any.name = put(root.name##_i, width, [&](unsigned i) { return member[i]->name; });
#include "csim/ports/buddy_member.def"
#undef PORT_IN
}

/* The inputs of the first member's units, those of the others being off.  All of them: most are one
 * move, less than to find out whether it is needed. */
ALWAYS_INLINE void give_first(ROOT &__restrict root, const struct sm_frontend_in *__restrict p) {
#define PORT_IN(name, width, qualifier)                                                            \
  if (is_units(#name) && ((width) <= 6 || (qualifier) != 0))                                       \
    pin_put(root.name##_i, p->name);
#include "csim/ports/buddy_member.def"
#undef PORT_IN
}
#undef PORT_OUT

/* A pin is as wide as the members there are.  Payloads are read, and by the plain variant written,
 * only with their valid: what they are otherwise does not matter.  Controls are written while they
 * are not 0, and once more; before: those that were not in the cycle before.  on: the members whose
 * units have a clock; to those that have none, nothing that only they look at is given. */
template <bool all>
ALWAYS_INLINE void apply(ROOT &__restrict root, const struct buddy_cluster_in *__restrict in,
                         const struct member_told *__restrict told, uint64_t &before, uint64_t on) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) pin_put(root.name##_i, in->name);
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
#undef PORT_OUT
  uint64_t now = 0;
  each([&](unsigned i) { now |= told[i].set; });
  const uint64_t look = all ? ~UINT64_C(0) : now | before;
  before = now;
  if (look == 0)
    return;
  if (all || on != 1) {
    give_members<all, true, true>(root, told, look);
    return;
  }
  if ((look & UNITS) != 0)
    give_first(root, told[0].in);
  if ((look & ~UNITS) != 0)
    give_members<all, false, true>(root, told, look);
}

/* Controls of any member that are often not 0, and those of a leader. */
constexpr bool is_often(const char *name) {
  return begins(name, "ack_") || begins(name, "credit_") || begins(name, "drained");
}
constexpr bool is_leaders(const char *name) {
  return begins(name, "stall") || begins(name, "p0_") || begins(name, "p1_");
}

/* Outputs; shown: whether members have more from the last time than is written each time: is_often,
 * the first one is_leaders. */
ALWAYS_INLINE void read_out(const ROOT &__restrict root, struct buddy_cluster_out *__restrict o,
                            struct buddy_member_out *__restrict members, bool &shown) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) o->name = root.name##_o;
#include "csim/ports/buddy_cluster.def"
#undef PORT_OUT
  struct buddy_member_out any; /* what some member has: what stands in a qualifier */
  const struct buddy_member_out *p = &any;
  uint64_t some = 0;
#define PORT_OUT(name, width, qualifier)                                                           \
  if (PORT_ALWAYS(qualifier)) {                                                                    \
    any.name = is_some(root.name##_o);                                                             \
    if (is_often(#name))                                                                           \
      each([&](unsigned i) { members[i].name = take(root.name##_o, i * (width), width); });        \
    else                                                                                           \
      some |= is_leaders(#name) ? pin_get(root.name##_o) >> (width) : any.name;                    \
  }
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
  const bool all = some != 0 || shown;
  shown = some != 0;
  if (__builtin_expect(!all, 1)) {
#define PORT_OUT(name, width, qualifier)                                                           \
  if (is_leaders(#name))                                                                           \
    members[0].name = pin_get(root.name##_o);
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
    return;
  }
#define PORT_OUT(name, width, qualifier)                                                           \
  if (!is_often(#name) && (qualifier))                                                             \
    each([&](unsigned i) { members[i].name = take(root.name##_o, i * (width), width); });
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
#undef PORT_IN
}

struct model final : buddy_cluster_rtl {
  ROOT *root;        /* what each cycle needs is together */
  uint64_t on = 0;   /* front ends that were, after the last edge */
  uint64_t told = 0; /* at the last edge */
  bool shown = true; /* of read_out */
  seeded_model<MODEL> top;
  std::mt19937_64 noise;
  tracer trace;

  explicit model(uint64_t seed) : top(seed), noise(seed) {
    root = top.m->rootp;
    const struct buddy_cluster_in in = {};
    const struct sm_frontend_in none = {};
    struct member_told members[MEMBERS];
    for (struct member_told &m : members)
      m = {&none, 0};
    assertion_log_use(&log);
    bug(0);
    apply<true>(*root, &in, members, told, on);
    pulse_reset(*top.m);
    look_at_power();
    top.context.assertOn(true);
  }
  ~model() override { trace_close(); }

#define MEMBER(n) buddy_cluster__DOT__g_member__BRA__##n##__KET____DOT__u_member__DOT__
#define FRONTEND(n) CAT(MEMBER(n), u_frontend)
#define ON(n) now |= static_cast<uint64_t>(root->CAT(MEMBER(n), on)) << n
  /* Front ends whose power has fallen lose what they hold, where the model can be written. */
  ALWAYS_INLINE void look_at_power() {
#ifndef NETLIST
    uint64_t now = 0;
    ON(0);
    ON(1);
#if MEMBERS > 2
    ON(2);
    ON(3);
#endif
#if MEMBERS > 4
    ON(4);
    ON(5);
    ON(6);
    ON(7);
#endif
    const uint64_t fallen = on & ~now;
    on = now;
#ifdef TRACED
    for (unsigned m = 0; m < MEMBERS; m++)
      if (fallen >> m & 1)
        scramble_member(m);
#else
    (void)fallen;
#endif
#endif
  }

  void scramble_member(unsigned m) {
    static const char *const parts[] = {"fetch",  "icache", "ibuffer", "scoreboard",
                                        "sched0", "sched1", "issue"};
    const std::string member = "TOP.buddy_cluster.g_member[" + std::to_string(m) + "].u_member.";
    Verilated::threadContextp(&top.context);
    for (const char *part : parts)
      if (!scramble(member + "u_frontend.u_" + part, noise))
        std::abort();
    scramble(member + "g_leads.u_monitor", noise);
  }

  int bug(unsigned n) override { return set_bug(*top.m, n, 0); }

  void out(struct buddy_cluster_out *o, struct buddy_member_out *members) override {
    read_out(*root, o, members, shown);
  }

  void step(const struct buddy_cluster_in *in, const struct member_told *told) override {
    apply<tracer::possible>(*root, in, told, this->told, on);
    assertion_log_use(&log);
    step_clocks(*top.m, 0);
    look_at_power();
  }
#undef STATE

#ifdef NETLIST
  void state(unsigned, struct sm_frontend_state *s) override { *s = {}; }
#else
  void state(unsigned member, struct sm_frontend_state *s) override {
    const ROOT &root = *this->root;
    const bool powered = (on >> member & 1) != 0;
    switch (member) {
    case 0:
#define PATH FRONTEND(0)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 1:
#define PATH FRONTEND(1)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
#if MEMBERS > 2
    case 2:
#define PATH FRONTEND(2)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 3:
#define PATH FRONTEND(3)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
#endif
#if MEMBERS > 4
    case 4:
#define PATH FRONTEND(4)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 5:
#define PATH FRONTEND(5)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 6:
#define PATH FRONTEND(6)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 7:
#define PATH FRONTEND(7)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
#endif
    }
  }
#endif

  int trace_open(const char *path) override { return trace.open(top.context, *top.m, path); }
  void trace_sample(uint64_t time_ps) override { trace.dump(time_ps); }
  void trace_close() override { trace.close(); }
};

} // namespace

#define MAKE_(members, hop, entries, variant) cluster_make_##members##_##hop##_##entries##_##variant
#define MAKE(members, hop, entries, variant) MAKE_(members, hop, entries, variant)
buddy_cluster_rtl *MAKE(MEMBERS, HOP, ENTRIES, VARIANT)(uint64_t seed) { return new model(seed); }
