/* One variant of a verilated cluster: compiled once a variant, with MEMBERS, HOP, ENTRIES its
 * parameters, VARIANT its name, and TRACED if it has assertions, traces and faults; or with its
 * members' netlists (NETLIST), which have no names of state. */
#include "harness/shim/cluster_model.h"
#include "harness/shim/cluster_edges.h"
#include "harness/shim/tracer.h"

#include <cstddef>
#include <cstring>
#include <random>

/* Behind the model's interface: settles combinational logic from the state as it is. */
void CAT(ROOT, ___eval_settle)(ROOT *);

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

/* What nothing may rely on while it is off: the registers of a front end whose power has fallen. */
template <class T> void scramble(T &reg, unsigned width, std::mt19937_64 &noise) {
  reg = static_cast<T>(noise() & ones(width));
}
template <std::size_t N> void scramble(VlWide<N> &reg, unsigned width, std::mt19937_64 &noise) {
  for (unsigned at = 0; at < width; at += 32)
    reg[at / 32] = static_cast<EData>(noise() & ones(width - at < 32 ? width - at : 32));
}
template <class T, std::size_t N>
void scramble(VlUnpacked<T, N> &array, unsigned width, std::mt19937_64 &noise) {
  for (std::size_t i = 0; i < N; i++)
    scramble(array[i], width, noise);
}

#ifndef NETLIST
/* The script that lists the registers has found them, in each member. */
constexpr unsigned found(unsigned of) {
  unsigned n = 0;
#define ON(member, name) n += of == member ? 1000 : 0;
#define GATED(member, name, width) n += of == member ? 1 : 0;
#include GATED_DEF
#undef ON
#undef GATED
  return n;
}
static_assert(found(0) > 1040 && found(0) < 2000, "registers of the first front end");
static_assert(found(MEMBERS - 1) > 1040 && found(MEMBERS - 1) < 2000, "registers of the last one");
#endif

/* Whether the calls of each edge are known.  They are not with loops that are to settle, with
 * Verilators that name things otherwise, in netlists; and where clocks are looked at (checks,
 * traces), all evaluations of step_clocks are needed. */
#if defined(EDGES_DEF) && !defined(TRACED)
constexpr bool edges_known = false
#define EDGE(middle, end, function) || true
#include EDGES_DEF
#undef EDGE
    ;
#else
constexpr bool edges_known = false;
#endif

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

/* What outputs are in any version but the plain one, if there are versions. */
ALWAYS_INLINE void assume_outputs([[maybe_unused]] const ROOT &root) {
#if defined(EDGES_DEF) && !defined(TRACED)
#define INPUT(from, name, value)
#define HOLDS(from, name, value)                                                                   \
  if (from == CLUSTER_STEADY && root.name != (value))                                              \
    __builtin_unreachable();
  enum : unsigned { FOLLOWERS = (1U << MEMBERS) - 2 };
#include STEADY_DEF
#undef HOLDS
#undef INPUT
#endif
}

/* What a member issues, where the model has it apart (rtl/issued.pl): the first outputs of all. */
constexpr bool is_issued(const char *name) { return begins(name, "iss"); }
enum { ISSUED = 8 };
static_assert(offsetof(struct buddy_member_out, imiss_valid) == ISSUED * sizeof(uint64_t),
              "first outputs of a member");
template <class R> constexpr auto has_issued(const R *root, int) -> decltype(root->issued, bool()) {
  return true;
}
template <class R> constexpr bool has_issued(const R *, long) { return false; }
template <class R>
ALWAYS_INLINE auto read_issued(const R &root, struct buddy_member_out *members, int)
    -> decltype(root.issued, void()) {
  each([&](unsigned i) { std::memcpy(&members[i], root.issued[i], ISSUED * sizeof(uint64_t)); });
}
template <class R> void read_issued(const R &, struct buddy_member_out *, long) {}

/* Controls of any member that are often not 0, and those of a leader. */
constexpr bool is_often(const char *name) {
  return begins(name, "ack_") || begins(name, "credit_") || begins(name, "drained");
}
constexpr bool is_leaders(const char *name) {
  return begins(name, "stall") || begins(name, "p0_") || begins(name, "p1_");
}

/* Outputs; steady: in a version that assumes some of them; shown: whether members have more from
 * the last time than is written each time: what is issued, is_often, the first one is_leaders. */
template <bool steady>
ALWAYS_INLINE void read_out(const ROOT &__restrict root, struct buddy_cluster_out *__restrict o,
                            struct buddy_member_out *__restrict members, bool &shown) {
  if constexpr (steady)
    assume_outputs(root);
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) o->name = root.name##_o;
#include "csim/ports/buddy_cluster.def"
#undef PORT_OUT
  constexpr bool apart = has_issued(static_cast<const ROOT *>(nullptr), 0);
  read_issued(root, members, 0);
  struct buddy_member_out any; /* what some member has: what stands in a qualifier */
  const struct buddy_member_out *p = &any;
  uint64_t some = !apart;
#define PORT_OUT(name, width, qualifier)                                                           \
  if (PORT_ALWAYS(qualifier) && !(apart && is_issued(#name))) {                                    \
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
  if (!(apart && is_issued(#name)) && !is_often(#name) && (qualifier))                             \
    each([&](unsigned i) { members[i].name = take(root.name##_o, i * (width), width); });
#include "csim/ports/buddy_member.def"
#undef PORT_OUT
#undef PORT_IN
}

struct model final : buddy_cluster_rtl {
  ROOT *root;                       /* what each cycle needs is together */
  uint64_t on = 0;                  /* front ends that were, after the last edge */
  uint64_t told = 0;                /* at the last edge */
  unsigned version = CLUSTER_PLAIN; /* of the next core cycle's functions */
  bool shown = true;                /* of read_out */
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
    scramble_off(); /* none was on */
    top.context.assertOn(true);
  }
  ~model() override { trace_close(); }

  ALWAYS_INLINE void scramble_off() {
    uint64_t now = 0;
#define GATED(member, name, width)
#define ON(member, name) now |= static_cast<uint64_t>(root->name) << member;
#include GATED_DEF
#undef ON
#undef GATED
    const uint64_t fallen = on & ~now;
    on = now;
    if (fallen != 0)
      scramble_front_ends(fallen);
  }

  __attribute__((noinline)) void scramble_front_ends(uint64_t fallen) {
    assertion_log_use(&log);
#define ON(member, name)
#define GATED(member, name, width)                                                                 \
  if (fallen >> member & 1)                                                                        \
    scramble(root->name, width, noise);
#include GATED_DEF
#undef ON
#undef GATED
    CAT(ROOT, ___eval_settle)(root);
  }

  int bug(unsigned n) override { return set_bug(*top.m, n, 0); }

  void out(struct buddy_cluster_out *o, struct buddy_member_out *members) override {
    if (edges_known && version != CLUSTER_PLAIN)
      read_out<true>(*root, o, members, shown);
    else
      read_out<false>(*root, o, members, shown);
  }

  void step(const struct buddy_cluster_in *in, const struct member_told *told) override {
    apply<tracer::possible>(*root, in, told, this->told, on);
    if constexpr (edges_known) {
      const unsigned before = version;
      version = cluster_edges(root, static_cast<unsigned>(on), before);
      if (before == CLUSTER_PLAIN || version == CLUSTER_PLAIN)
        scramble_off();
    } else {
      assertion_log_use(&log);
      step_clocks(*top.m, 0);
      scramble_off();
    }
  }
#undef STATE

#ifdef NETLIST
  void state(unsigned, struct sm_frontend_state *s) override { *s = {}; }
#else
  void state(unsigned member, struct sm_frontend_state *s) override {
    const ROOT &root = *this->root;
    const bool powered = (on >> member & 1) != 0;
#define MEMBER(n) buddy_cluster__DOT__g_member__BRA__##n##__KET____DOT__u_member__DOT__u_frontend
    switch (member) {
    case 0:
#define PATH MEMBER(0)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 1:
#define PATH MEMBER(1)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
#if MEMBERS > 2
    case 2:
#define PATH MEMBER(2)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 3:
#define PATH MEMBER(3)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
#endif
#if MEMBERS > 4
    case 4:
#define PATH MEMBER(4)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 5:
#define PATH MEMBER(5)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 6:
#define PATH MEMBER(6)
#include "harness/shim/frontend_state.inc"
#undef PATH
      break;
    case 7:
#define PATH MEMBER(7)
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
