/* A verilated buddy cluster behind cluster.h: compiled once a number of members, MEMBERS. */
#include "harness/shim/cluster.h"

#include "harness/shim/model.h"
#include "harness/shim/runtime.h"

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
  using seeded_model::seeded_model;
  assertion_log log;
};

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
}
#undef STATE

unsigned buddy_cluster_rtl_assertions(const struct buddy_cluster_rtl *c, const char **first) {
  if (first)
    *first = c->log.count ? c->log.first.c_str() : nullptr;
  return c->log.count;
}
