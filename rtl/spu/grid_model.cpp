/* A verilated spu_grid behind grid_model.h.  Compiled once a shape, with MODEL its class, P_Columns
 * and P_Rows.  Its units are not inlined (rtl/grid.vlt), so that each is an object by its name.
 */
#include "rtl/spu/grid_model.h"

#include "harness/shim/model.h"
#include "harness/shim/mutant.h"
#include "harness/shim/rtl.h"
#include "harness/shim/runtime.h"
#include SYMS_H
#define READERS_PAIR
#include "harness/shim/pin_rows.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace {

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

} // namespace

#include "csim/ports/pins.h"
#include "rtl/spu/comm_pair_model.h"

namespace {

void apply(MODEL &m, const grid_in &in) {
  apply_pins(m, in.own, true);
  spu_grid_slot_apply_rows<GRID_SLOTS>(m, in.slot, true);
  spu_grid_lane_apply_rows<GRID_LANES>(m, in.lane, true);
}

void read(const MODEL &m, grid_out &out) {
  read_pins(m, out.own);
  spu_grid_slot_read_rows<GRID_SLOTS>(m, out.slot);
  spu_grid_lane_read_rows<GRID_LANES>(m, out.lane);
}

/* Instances of the generate loops: link i, slot i and lane i are numbered as they are; the channel
 * of row r is that of its first lane, at 2 * columns + r, the channel of column c is at c. */
enum { LINKS = P_Rows * (P_Columns + 1) + P_Columns * (P_Rows + 1), FIRST_ROW = 2 * P_Columns };
#define EACH(F) F(0) F(1) F(2) F(3) F(4) F(5) F(6) F(7) F(8) F(9) F(10) F(11)

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
#define FIND(exists, number, instance)                                                             \
  if constexpr (exists)                                                                            \
    if (i == number)                                                                               \
      return read_instance(instance, *view), true;

template <class Syms> bool view_of(const Syms &syms, unsigned i, comm_pair_view *view) {
#define LINK(n) FIND(n < LINKS, n, IN_LINK(n))
  EACH(LINK)
  return false;
}
template <class Syms> void clear_all_buffers(Syms &syms) {
#define CLEAR(n)                                                                                   \
  if constexpr (n < LINKS)                                                                         \
    clear_buffers(IN_LINK(n), 0);
  EACH(CLEAR)
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, block_port_view *view) {
#define BLOCK_PORT(n) FIND(n < GRID_SLOTS, n, IN_SLOT(n, u_block_port))
  EACH(BLOCK_PORT)
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, pass_seq_view *view) {
#define PASS_SEQ(n)                                                                                \
  FIND(n < GRID_SLOTS, n, IN_SLOT(n, u_pass_seq))                                                  \
  FIND(n < GRID_LANES, GRID_SLOTS + n, IN_LANE(n, u_pass_seq))
  EACH(PASS_SEQ)
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, iu_dma_view *view) {
#define IU_DMA(n)                                                                                  \
  FIND(n != 0 && n < GRID_SLOTS, n, IN_SLOT(n, JOIN(g_dma, u_iu_dma)))                             \
  FIND(n < GRID_LANES, GRID_SLOTS + n, IN_LANE(n, u_iu_dma))
  EACH(IU_DMA)
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned i, spill_chan_view *view) {
#define SPILL_CHAN(n)                                                                              \
  FIND(n >= FIRST_ROW && n < FIRST_ROW + P_Rows, n - FIRST_ROW, IN_CHANNEL(n, ROW))                \
  FIND(n < P_Columns, P_Rows + n, IN_CHANNEL(n, g_column))
  EACH(SPILL_CHAN)
  return false;
}
template <class Syms> bool view_of(const Syms &syms, unsigned, spu_global_view *view) {
  return read_instance(TOP(u_global), *view), true;
}

} // namespace

struct grid {
  unsigned stops = 0;
  assertion_log log{stops};
  seeded_model<MODEL> top;
  explicit grid(uint64_t seed) : top(seed) {}
};

static struct grid *create(uint64_t seed, unsigned bug) {
  auto *g = new grid(seed);
  const grid_in zero = {};
  assertion_log_use(&g->log);
  g->top.context.assertOn(false);
  set_bug(*g->top.m, bug != 0 ? bug : mutant_of(*g->top.m, 0), 0);
  apply(*g->top.m, zero);
  rtl_guard([g] {
    hold_reset(*g->top.m);
    g->log.deaf = true;
    pulse_reset(*g->top.m);
  });
  g->log.deaf = false;
  clear_all_buffers(*g->top.m->rootp->vlSymsp);
  g->top.context.assertOn(true);
  return g;
}

static void destroy(struct grid *g) {
  assertion_log_use(&g->log);
  delete g;
}

static void step(struct grid *g, const struct grid_in *in) {
  assertion_log_use(&g->log);
  apply(*g->top.m, *in);
  mutant_begin_step(*g->top.m, 0);
  rtl_guard([g] {
    step_clocks(
        *g->top.m, [](int) {}, 0);
  });
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
