/* A verilated buddy cluster behind cluster.h: compiled once a number of members, MEMBERS. */
#include "harness/shim/cluster.h"

#include "harness/shim/model.h"
#include "harness/shim/runtime.h"

#include <random>

namespace {

/* Bits at..at + width - 1 of a pin: an integer, or words of 32 bits. */
uint64_t ones(unsigned width) { return width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1; }

template <class T> uint64_t take(const T &pin, unsigned at, unsigned width) {
  return static_cast<uint64_t>(pin) >> at & ones(width);
}
template <std::size_t N> uint64_t take(const VlWide<N> &pin, unsigned at, unsigned width) {
  uint64_t v = 0;
  for (unsigned got = 0; got < width;) {
    unsigned bit = (at + got) % 32;
    v |= static_cast<uint64_t>(pin[(at + got) / 32] >> bit) << got;
    got += 32 - bit;
  }
  return v & ones(width);
}

template <class T> void put(T &pin, unsigned at, unsigned width, uint64_t v) {
  const uint64_t mask = ones(width) << at;
  pin = static_cast<T>((static_cast<uint64_t>(pin) & ~mask) | (v << at & mask));
}
template <std::size_t N> void put(VlWide<N> &pin, unsigned at, unsigned width, uint64_t v) {
  for (unsigned done = 0; done < width;) {
    const unsigned bit = (at + done) % 32;
    const unsigned n = width - done < 32 - bit ? width - done : 32 - bit;
    const uint32_t mask = static_cast<uint32_t>(ones(n)) << bit;
    uint32_t &word = pin[(at + done) / 32];
    word = (word & ~mask) | (static_cast<uint32_t>(v >> done) << bit & mask);
    done += n;
  }
}

} // namespace

struct buddy_cluster_rtl : seeded_model<MODEL> {
  explicit buddy_cluster_rtl(uint64_t seed) : seeded_model(seed), noise(seed) {}
  assertion_log log;
  std::mt19937_64 noise;
  uint64_t on = 0; /* front ends that were, after the last edge */
};

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

/* Behind the model's interface: settles combinational logic from the state as it is. */
void CAT(MODEL, ___024root___eval_settle)(CAT(MODEL, ___024root) *);

static void scramble_off(struct buddy_cluster_rtl *c) {
  auto &root = *c->m->rootp;
  uint64_t on = 0;
#define GATED(member, name, width)
#define ON(member, name) on |= static_cast<uint64_t>(root.name & 1) << member;
#include GATED_DEF
#undef ON
#undef GATED
  const uint64_t fallen = c->on & ~on;
  c->on = on;
  if (fallen == 0)
    return;
#define ON(member, name)
#define GATED(member, name, width)                                                                 \
  if (fallen >> member & 1)                                                                        \
    scramble(root.name, width, c->noise);
#include GATED_DEF
#undef ON
#undef GATED
  CAT(MODEL, ___024root___eval_settle)(&root);
}

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

/* A pin is as wide as the members there are. */
#define STATE(name, width, count, signal, qualifier)
static void apply(MODEL &m, const struct buddy_cluster_in *in,
                  const struct buddy_member_in *members) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier)                                                            \
  m.name##_i = static_cast<std::remove_reference<decltype(m.name##_i)>::type>(in->name);
#include "harness/ports/buddy_cluster.def"
#undef PORT_IN
#define PORT_IN(name, width, qualifier)                                                            \
  for (unsigned i = 0; i < MEMBERS; i++)                                                           \
    put(m.name##_i, i *(width), width, members[i].name);
#include "harness/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}

unsigned buddy_cluster_rtl_members(void) { return MEMBERS; }

int buddy_cluster_rtl_bug([[maybe_unused]] struct buddy_cluster_rtl *c, unsigned n) {
#ifdef HAS_BUGS
  c->m->bug_i = n & 0xff;
  c->m->eval();
  return 0;
#else
  return n ? -1 : 0;
#endif
}

struct buddy_cluster_rtl *buddy_cluster_rtl_create(uint64_t seed) {
  auto *c = new buddy_cluster_rtl(seed);
  const struct buddy_cluster_in in = {};
  const struct buddy_member_in members[MEMBERS] = {};
  assertion_log_use(&c->log);
  buddy_cluster_rtl_bug(c, 0);
  apply(*c->m, &in, members);
  pulse_reset(*c->m);
  c->context.assertOn(true);
  return c;
}

void buddy_cluster_rtl_destroy(struct buddy_cluster_rtl *c) { delete c; }

void buddy_cluster_rtl_out(struct buddy_cluster_rtl *c, struct buddy_cluster_out *out,
                           struct buddy_member_out *members) {
  const MODEL &m = *c->m;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) out->name = m.name##_o;
#include "harness/ports/buddy_cluster.def"
#undef PORT_OUT
#define PORT_OUT(name, width, qualifier)                                                           \
  for (unsigned i = 0; i < MEMBERS; i++)                                                           \
    members[i].name = take(m.name##_o, i * (width), width);
#include "harness/ports/buddy_member.def"
#undef PORT_OUT
#undef PORT_IN
}

void buddy_cluster_rtl_step(struct buddy_cluster_rtl *c, const struct buddy_cluster_in *in,
                            const struct buddy_member_in *members) {
  assertion_log_use(&c->log);
  apply(*c->m, in, members);
  step_clocks(*c->m, 0);
  scramble_off(c);
}
#undef STATE

unsigned buddy_cluster_rtl_assertions(const struct buddy_cluster_rtl *c, const char **first) {
  if (first)
    *first = c->log.count ? c->log.first.c_str() : nullptr;
  return c->log.count;
}
