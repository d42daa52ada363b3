/* A verilated spu_grid behind grid.h.  Compiled once a shape, with MODEL its class, GRID_COLUMNS
 * and GRID_ROWS.  Its units are not inlined (rtl/grid.vlt), so that each is an object by its name.
 */
#include "harness/shim/grid.h"

#include "harness/shim/model.h"
#include "harness/shim/mutant.h"
#include "harness/shim/rtl.h"
#include "harness/shim/runtime.h"
#include SYMS_H
#define READERS_PAIR
#include "harness/shim/readers.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "csim/ports/units.h"

namespace {

/* ---- ports: that of slot or lane i in bits i * width and above ---- */

template <class T> void put(T &pin, unsigned i, unsigned width, const uint64_t *from) {
  uint32_t words[sizeof(T) / 4 + 1] = {};
  std::memcpy(words, &pin, sizeof pin);
  for (unsigned n = 0, at = i * width; n < width;) {
    const unsigned room = 32 - at % 32, left = width - n, half = 32 - n % 32;
    const unsigned bits = std::min(std::min(room, left), half);
    const uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
    const uint32_t value = static_cast<uint32_t>(from[n / 64] >> n % 64) & mask;
    words[at / 32] = (words[at / 32] & ~(mask << at % 32)) | value << at % 32;
    n += bits, at += bits;
  }
  std::memcpy(&pin, words, sizeof pin);
}

template <class T> void get(const T &pin, unsigned i, unsigned width, uint64_t *to) {
  uint32_t words[sizeof(T) / 4 + 1] = {};
  std::memcpy(words, &pin, sizeof pin);
  std::memset(to, 0, (width + 63) / 64 * sizeof *to);
  for (unsigned n = 0, at = i * width; n < width;) {
    const unsigned room = 32 - at % 32, left = width - n, half = 32 - n % 32;
    const unsigned bits = std::min(std::min(room, left), half);
    const uint32_t mask = bits == 32 ? ~0U : (1U << bits) - 1;
    to[n / 64] |= static_cast<uint64_t>(words[at / 32] >> at % 32 & mask) << n % 64;
    n += bits, at += bits;
  }
}

void apply(MODEL &m, const grid_in &in) {
#define GRID_IN(name, width) put(m.name##_i, 0, width, &in.name);
#include "harness/shim/grid.inc"
  for (unsigned i = 0; i < GRID_SLOTS; i++) {
    const grid_slot_in &s = in.slot[i];
#define SLOT_IN(name, width) put(m.name##_i, i, width, &s.name);
#define SLOT_IN_WORDS(name, words) put(m.name##_i, i, 64 * (words), s.name);
#include "harness/shim/grid.inc"
  }
  for (unsigned i = 0; i < GRID_LANES; i++) {
    const grid_lane_in &s = in.lane[i];
#define LANE_IN(name, width) put(m.name##_i, i, width, &s.name);
#define LANE_IN_WORDS(name, words) put(m.name##_i, i, 64 * (words), s.name);
#include "harness/shim/grid.inc"
  }
}

void read(const MODEL &m, grid_out &out) {
#define GRID_OUT(name, width) get(m.name##_o, 0, width, &out.name);
#include "harness/shim/grid.inc"
  for (unsigned i = 0; i < GRID_SLOTS; i++) {
    grid_slot_out &s = out.slot[i];
#define SLOT_OUT(name, width, qualifier) get(m.name##_o, i, width, &s.name);
#define SLOT_OUT_WORDS(name, words, qualifier) get(m.name##_o, i, 64 * (words), s.name);
#include "harness/shim/grid.inc"
  }
  for (unsigned i = 0; i < GRID_LANES; i++) {
    grid_lane_out &s = out.lane[i];
#define LANE_OUT(name, width, qualifier) get(m.name##_o, i, width, &s.name);
#define LANE_OUT_WORDS(name, words, qualifier) get(m.name##_o, i, 64 * (words), s.name);
#include "harness/shim/grid.inc"
  }
}

/* ---- state ---- */

/* A vector, of as many words as it has; or an array of rows of one word. */
template <std::size_t N, class T> void take(uint64_t (&to)[N], const T &from) {
  static_assert(sizeof from <= sizeof to, "the view has room");
  std::memcpy(to, &from, sizeof from);
}
template <std::size_t N, class T, std::size_t Rows>
void take(uint64_t (&to)[N], const VlUnpacked<T, Rows> &from) {
  static_assert(Rows <= N, "the view has room");
  for (std::size_t i = 0; i < Rows; i++)
    to[i] = from[i];
}

#define UNIT comm_pair
#include "harness/shim/grid_state.inc"
#define UNIT block_port
#include "harness/shim/grid_state.inc"
#define UNIT pass_seq
#include "harness/shim/grid_state.inc"
#define UNIT iu_dma
#include "harness/shim/grid_state.inc"
#define UNIT spill_chan
#include "harness/shim/grid_state.inc"
#define UNIT spu_global
#include "harness/shim/grid_state.inc"

/* F(i, n): unit i is in instance n of the generate loop. */
#if GRID_COLUMNS == 2 && GRID_ROWS == 2
#define EACH_SLOT(F) F(0, 0) F(1, 1) F(2, 2) F(3, 3)
#define EACH_LINK(F)                                                                               \
  F(0, 0)                                                                                          \
  F(1, 1) F(2, 2) F(3, 3) F(4, 4) F(5, 5) F(6, 6) F(7, 7) F(8, 8) F(9, 9) F(10, 10) F(11, 11)
#define EACH_ROW(F) F(0, 4) F(1, 5)
#define EACH_COLUMN(F) F(2, 0) F(3, 1)
#elif GRID_COLUMNS == 3 && GRID_ROWS == 1
#define EACH_SLOT(F) F(0, 0) F(1, 1) F(2, 2)
#define EACH_LINK(F) F(0, 0) F(1, 1) F(2, 2) F(3, 3) F(4, 4) F(5, 5) F(6, 6) F(7, 7) F(8, 8) F(9, 9)
#define EACH_ROW(F) F(0, 6)
#define EACH_COLUMN(F) F(1, 0) F(2, 1) F(3, 2)
#else
#error "a shape whose instances are not listed"
#endif
#define EACH_LANE(F) F(0, 0) F(1, 1) F(2, 2) F(3, 3) F(4, 4) F(5, 5) F(6, 6) F(7, 7)

/* Instances by Verilator's names: of a netlist, whose hierarchy ends at the units, name[n].part is
 * one escaped name, elsewhere a path. */
#ifdef NETLIST
#define ITS __02e
#define ROW JOIN(genblk1, g_row)
#define OF(name, n) name##__05b##n##__05d
#else
#define ITS __DOT__
#define ROW g_row
#define OF(name, n) name##__BRA__##n##__KET__
#endif
#define JOIN(a, b) CAT(CAT(a, ITS), b)
#define TOP(path) syms.CAT(TOP__spu_grid__DOT__, path)
#define IN_LINK(n) TOP(JOIN(OF(g_link, n), u_pair))
#define IN_SLOT(n, unit) TOP(JOIN(JOIN(OF(g_slot, n), u_slot), unit))
#define IN_LANE(n, unit) TOP(JOIN(JOIN(OF(g_lane, n), u_lane), unit))
#define IN_CHANNEL(n, kind) TOP(JOIN(JOIN(OF(g_channel, n), kind), u_chan))

/* Each returns whether there is a unit i of its kind. */
template <class Syms> bool view_of(const Syms &syms, unsigned i, comm_pair_view *view) {
#define READ(number, n)                                                                            \
  if (i == number)                                                                                 \
    return read_unit(IN_LINK(n), view), true;
  EACH_LINK(READ)
#undef READ
  return false;
}
template <class Syms> void clear_all_buffers(Syms &syms) {
#define CLEAR(number, n) clear_buffers(IN_LINK(n), 0);
  EACH_LINK(CLEAR)
#undef CLEAR
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, block_port_view *view) {
#define READ(number, n)                                                                            \
  if (i == number)                                                                                 \
    return read_unit(IN_SLOT(n, u_block_port), view), true;
  EACH_SLOT(READ)
#undef READ
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, pass_seq_view *view) {
#define READ(number, n)                                                                            \
  if (i == number)                                                                                 \
    return read_unit(IN_SLOT(n, u_pass_seq), view), true;
  EACH_SLOT(READ)
#undef READ
#define READ(number, n)                                                                            \
  if (i == GRID_SLOTS + number)                                                                    \
    return read_unit(IN_LANE(n, u_pass_seq), view), true;
  EACH_LANE(READ)
#undef READ
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, iu_dma_view *view) {
#define READ(n)                                                                                    \
  if (i == n)                                                                                      \
    return read_unit(IN_SLOT(n, JOIN(g_dma, u_iu_dma)), view), true;
  READ(1)
  READ(2) /* but slot 0 */
#if GRID_COLUMNS * GRID_ROWS > 3
  READ(3)
#endif
#undef READ
#define READ(number, n)                                                                            \
  if (i == GRID_SLOTS + number)                                                                    \
    return read_unit(IN_LANE(n, u_iu_dma), view), true;
  EACH_LANE(READ)
#undef READ
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, spill_chan_view *view) {
#define READ(number, n)                                                                            \
  if (i == number)                                                                                 \
    return read_unit(IN_CHANNEL(n, ROW), view), true;
  EACH_ROW(READ)
#undef READ
#define READ(number, n)                                                                            \
  if (i == number)                                                                                 \
    return read_unit(IN_CHANNEL(n, g_column), view), true;
  EACH_COLUMN(READ)
#undef READ
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned, spu_global_view *view) {
  return read_unit(TOP(u_global), view), true;
}

} // namespace

struct grid {
  seeded_model<MODEL> top;
  assertion_log log;
  explicit grid(uint64_t seed) : top(seed) {}
};

static struct grid *create(uint64_t seed, unsigned bug) {
  auto *g = new grid(seed);
  const grid_in zero = {};
  assertion_log_use(&g->log);
  g->top.context.assertOn(false);
  set_bug(*g->top.m, bug != 0 ? bug : mutant_of(*g->top.m, 0), 0);
  apply(*g->top.m, zero);
  pulse_reset(*g->top.m);
  clear_all_buffers(*g->top.m->rootp->vlSymsp);
  g->top.context.assertOn(true);
  return g;
}

static void destroy(struct grid *g) { delete g; }

static void step(struct grid *g, const struct grid_in *in) {
  assertion_log_use(&g->log);
  apply(*g->top.m, *in);
  mutant_begin_step(*g->top.m, 0);
  step_clocks(
      *g->top.m, [](int) {}, 0);
}

static void outputs(const struct grid *g, struct grid_out *out) { read(*g->top.m, *out); }

static void view_unit(const struct grid *g, const char *unit, unsigned i, void *view) {
  const auto &syms = *g->top.m->rootp->vlSymsp;
#define KIND(name)                                                                                 \
  if (std::strcmp(unit, #name) == 0 && view_of(syms, i, static_cast<name##_view *>(view)))         \
    return;
  KIND(comm_pair)
  KIND(block_port)
  KIND(pass_seq)
  KIND(iu_dma)
  KIND(spill_chan)
  KIND(spu_global)
#undef KIND
  std::abort(); /* no such unit */
}

static unsigned assertions(const struct grid *g, const char **first) {
  return g->log.failed(first);
}

static const struct grid_functions functions = {create,  destroy,   step,
                                                outputs, view_unit, assertions};

extern "C" {
extern const struct rtl_type RTL_TYPE;
const struct rtl_type RTL_TYPE = {"spu_grid", nullptr, mutant_choose, mutant_age, &functions};
}
