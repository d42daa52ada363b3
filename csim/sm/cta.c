/* CTAs and their warps: occupancy, launch, end. */
#include "csim/sm/sm_local.h"

#include <errno.h>

unsigned sm_ctas_of(const char *resource, uint64_t need, uint64_t have, unsigned limit,
                    struct tandem_error *err) {
  if (need > have) {
    (void)tandem_fail(err, -EINVAL, "a CTA needs %llu %s, an SM has %llu", (unsigned long long)need,
                      resource, (unsigned long long)have);
    return 0;
  }
  uint64_t n = need == 0 ? limit : have / need;
  return n < limit ? (unsigned)n : limit;
}

static uint64_t round_up(uint64_t n, uint64_t unit) { return (n + unit - 1) / unit * unit; }

/* Returns the warps that a CTA takes, rounded up to whole large warps. */
static uint32_t warps_of(const struct sm_config *config, const struct grid *grid) {
  return (uint32_t)round_up(grid->warps, config->slices);
}

uint64_t sm_registers_of_warp(uint64_t regs) { return round_up(regs * ISA_WARP_SIZE, SM_REG_UNIT); }

uint64_t sm_shared_of(const struct grid *grid) {
  return round_up(grid->shared_bytes, SM_SHARED_UNIT);
}

void sm_spread_registers(const struct sm_config *config, uint8_t spread[ISA_REGS + 1]) {
  const uint64_t most = config->most_warps != 0 ? config->most_warps : config->warps;
  uint64_t above = 0;
  for (unsigned n = ISA_REGS; n > 0; n--) {
    const uint64_t held = config->registers / sm_registers_of_warp(n);
    const uint64_t warps = held < most ? held : most;
    spread[n] = n < ISA_REGS && warps == above ? spread[n + 1] : (uint8_t)n;
    above = warps;
  }
  spread[0] = spread[1];
}

unsigned sm_occupancy(const struct sm_config *config, const struct grid *grid,
                      struct tandem_error *err) {
  uint64_t warp_regs = sm_registers_of_warp(grid_registers(grid));
  const struct {
    const char *name;
    uint64_t need, have;
  } resource[] = {
      {"threads", grid->threads, config->threads},
      {"warps", warps_of(config, grid), config->warps},
      {"registers", warp_regs * warps_of(config, grid), config->registers},
      {"bytes of shared memory", sm_shared_of(grid), config->shared_bytes},
  };
  const size_t limits = sizeof resource / sizeof resource[0] - (config->integer_only ? 1 : 0);
  unsigned n = config->ctas;
  for (size_t i = 0; i < limits && n != 0; i++) /* an interface unit has no shared memory */
    n = sm_ctas_of(resource[i].name, resource[i].need, resource[i].have, n, err);
  return n;
}

bool sm_cta_ready(const struct sm *sm) {
  return sm->grid != NULL && sm->fault.kind == SM_FAULT_NONE &&
         (unsigned)__builtin_popcount(sm->resident) < sm->fit;
}

/* A slot stands for its part of shared memory, so that only the first `fit` slots exist. */
void sm_cta_room(const struct sm *sm, struct sm_room *room) {
  const bool works = sm->grid != NULL && sm->fault.kind == SM_FAULT_NONE;
  room->slots &= works ? ~(uint32_t)sm->resident & ((1U << sm->fit) - 1) : 0;
  room->warps &= ~sm->allocated & (SM_BIT(SM_WARPS) - 1);
  room->need = works ? warps_of(&sm->config, sm->grid) : 0;
  if (sm->shaped)
    sm_shape_room(sm, room);
}

bool sm_room_fits(const struct sm_room *room) {
  return room->slots != 0 && (unsigned)__builtin_popcountll(room->warps) >= room->need;
}

/* Returns the warps that a CTA blocks: its own, and the missing slices of its last large warp. */
static uint64_t taken(const struct sm *sm, const struct sm_cta *cta) {
  const unsigned slices = sm->config.slices;
  uint64_t warps = cta->warps;
  for (uint64_t left = slices > 1 ? warps : 0; left != 0; left &= left - 1)
    warps |= (SM_BIT(slices) - 1) << (unsigned)__builtin_ctzll(left) / slices * slices;
  return warps;
}

static void launch_turn(struct sm *sm, unsigned entry) {
  sm->launch[(sm->launch_at + sm->launches++) % SM_WARPS] = (uint8_t)entry;
}

static void place_warp(struct sm *sm, unsigned warp, unsigned slot, unsigned number,
                       const uint32_t ctaid[3]) {
  struct sm_warp *w = &sm->warp[warp];
  uint32_t first = number * ISA_WARP_SIZE, left = sm->grid->threads - first;
  *w = (struct sm_warp){.last = number + 1 == sm->grid->warps,
                        .place = {.ctaid = {ctaid[0], ctaid[1], ctaid[2]},
                                  .cta_slot = slot,
                                  .first = first,
                                  .mask = left >= ISA_WARP_SIZE ? ~0U : (1U << left) - 1}};
  sm->cta[slot].warps |= SM_BIT(warp);
  launch_turn(sm, warp);
  sm_mem_warp(sm->mem, warp, &w->place);
}

/* Places this half of the wide warps of a CTA.  A half without threads keeps its turn; the lower
 * half blocks its warp. */
static void place_halves(struct sm *sm, uint64_t warps, unsigned slot, const uint32_t ctaid[3]) {
  for (unsigned i = sm->half; i < sm->grid->warps + sm->half; i += 2, warps &= warps - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(warps);
    if (i < sm->grid->warps)
      place_warp(sm, warp, slot, i, ctaid);
    else
      launch_turn(sm, SM_LAUNCH_NONE | warp);
    sm->warp[warp].last = i / 2 == (sm->grid->warps - 1) / 2;
  }
}

void sm_cta_launch_in(struct sm *sm, const uint32_t ctaid[3], const struct sm_room *room) {
  struct sm_room own = *room;
  sm_cta_room(sm, &own);
  if (!sm_room_fits(&own) || own.slots != room->slots || own.warps != room->warps) {
    sm_raise(sm, SM_FAULT_PROTOCOL, 0, 0, 0, "a CTA is launched on an SM that has no room for it");
    return;
  }
  unsigned slot = (unsigned)__builtin_ctz(own.slots);
  sm->resident |= (uint8_t)(1U << slot);
  sm->cta[slot] = (struct sm_cta){.start = sm->grid->kernel->entry};
  sm_mem_cta(sm->mem, slot);
  /* Large warps are taken and given back whole, so that the lowest free ones are whole, too. */
  if (sm->other != NULL)
    place_halves(sm, own.warps, slot, ctaid);
  for (unsigned i = 0; sm->other == NULL && i < sm->grid->warps; i++, own.warps &= own.warps - 1)
    place_warp(sm, (unsigned)__builtin_ctzll(own.warps), slot, i, ctaid);
  sm->allocated |= taken(sm, &sm->cta[slot]);
  sm->stats.ctas += sm->half == 0; /* one of both halves */
  if (sm->config.cb_bytes == 0)
    return;
  sm->events.launched |= (uint8_t)(1U << slot);
  sm->events.warps[slot] = (uint8_t)sm->grid->warps;
  sm->block_event = true;
}

void sm_cta_launch(struct sm *sm, const uint32_t ctaid[3]) {
  struct sm_room room = SM_ROOM_ANY;
  sm_cta_room(sm, &room);
  sm_cta_launch_in(sm, ctaid, &room);
}

void sm_warp_launch(struct sm *sm, struct sm_frontend_in *in) {
  const unsigned entry = sm->launch[sm->launch_at], warp = entry & ~(unsigned)SM_LAUNCH_NONE;
  struct sm_warp *w = &sm->warp[warp];
  sm->launch_at = (uint8_t)((sm->launch_at + 1) % SM_WARPS);
  sm->launches--;
  if (__builtin_expect((entry & SM_LAUNCH_NONE) != 0, 0)) {
    w->lanes = 0;
    return;
  }
  w->lanes = w->place.mask;
  w->last_pc = w->place.entry = sm->cta[w->place.cta_slot].start;
  sm->live |= SM_BIT(warp);
  sm->nlive += sm->half == 0;
  sm->launched |= SM_BIT(warp);
  sm_spin_begin(sm, warp);
  /* A program that reads a register before it writes it gets 0, always. */
  memset(sm->regs[warp], 0, sizeof sm->regs[warp]);
  memset(sm->preds[warp], 0, sizeof sm->preds[warp]);
  sm->preds[warp][ISA_PT] = ~0U;
  in->launch_valid = 1;
  sm->raised |= INPUT(launch_valid);
  in->launch_warp = warp;
  in->launch_cta = w->place.cta_slot;
  in->launch_last = w->last;
  in->launch_pc = w->last_pc;
  in->launch_mask = w->place.mask;
}

static void check_barriers(struct sm *sm, struct sm_cta *cta, unsigned warp) {
  const struct sm_warp *w = &sm->warp[warp], *first = &sm->warp[cta->first_ended];
  if (cta->ended == 0) {
    cta->first_ended = (uint8_t)warp;
    return;
  }
  if (!sm->config.barrier_check || w->barriers == first->barriers)
    return;
  sm_raise(sm, SM_FAULT_BARRIER, warp, w->bar_pc, 0,
           "warp %u ended after %u barriers (last at pc %u), warp %u of its CTA after %u (last at "
           "pc %u)",
           warp, w->barriers, w->bar_pc, cta->first_ended, first->barriers, first->bar_pc);
}

void sm_warp_done(struct sm *sm, unsigned warp) {
  if (warp >= SM_WARPS || (sm->live >> warp & 1) == 0 || sm->warp[warp].lanes != 0) {
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, 0, 0, "warp %u is reported as ended, but %s", warp,
             warp < SM_WARPS && (sm->live >> warp & 1) != 0 ? "has live lanes" : "is not live");
    return;
  }
  struct sm_cta *cta = &sm->cta[sm->warp[warp].place.cta_slot];
  sm->live &= ~SM_BIT(warp);
  sm->nlive -= sm->half == 0;
  check_barriers(sm, cta, warp);
  if (sm->config.cb_bytes != 0)
    sm_block_ended(sm, warp);
  cta->ended |= SM_BIT(warp);
  if (cta->ended == cta->warps)
    sm->ending |= (uint8_t)(1U << sm->warp[warp].place.cta_slot);
}

bool sm_cta_resident(const struct sm *sm, unsigned slot) { return (sm->resident >> slot & 1) != 0; }

uint32_t *sm_spu_registers(struct sm *sm, unsigned cta_slot) { return sm->cta[cta_slot].spu; }

bool sm_cta_held(const struct sm *sm, unsigned slot) {
  for (uint64_t w = sm->cta[slot].warps; w != 0; w &= w - 1)
    if (sm->warp[__builtin_ctzll(w)].head != NULL ||
        sm_mem_stores(sm->mem, (unsigned)__builtin_ctzll(w)) != 0)
      return true;
  return false;
}

/* A CTA leaves when all instructions of its warps, mainly stores, are complete and taken, and
 * memory has acknowledged the stores that it acknowledges. */
void sm_cta_release(struct sm *sm) {
  for (unsigned left = sm->ending; left != 0; left &= left - 1) {
    unsigned slot = (unsigned)__builtin_ctz(left);
    if (sm_cta_held(sm, slot))
      continue;
    sm->allocated &= ~taken(sm, &sm->cta[slot]);
    sm->resident &= (uint8_t) ~(1U << slot);
    sm->ending &= (uint8_t) ~(1U << slot);
  }
}
