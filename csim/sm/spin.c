/* Warps that wait in a loop.
 *
 * The state of a warp at its backward branches is a walk through finitely many states; the copies
 * that it is compared with are taken after 1, 2, 4, ... branches (Brent, BIT 20, 1980), so that a
 * loop of any length is found after a few turns.  A loop that counts differs in its counter, which
 * is the register that is compared first: then a branch costs one comparison of a register. */
#include "csim/sm/spin.h"

#include "csim/sm/sm_local.h"

enum {
  FURTHEST = 1024, /* branches between two copies, at most */
  LONGEST = 16384, /* cycles between two copies, unless there were fewer branches than: */
  FEWEST = 4,
  TWICE = 2 /* a state that has returned so often will return again */
};

/* Returns whether all instructions of the warp are complete: then its registers are those that the
 * program has at the next one. */
static bool complete(const struct sm_warp *w) {
  for (const struct sm_inst *i = w->head; i != NULL; i = i->next)
    if (!i->retired)
      return false;
  return true;
}

static void copy(struct sm *sm, struct sm_spin *s, unsigned warp) {
  memcpy(s->regs, sm->regs[warp], sm->grid->kernel->regs * sizeof s->regs[0]);
  memcpy(s->preds, sm->preds[warp], sizeof s->preds);
  s->at = s->branch;
  s->since = sm->cycle;
  s->branches = 0;
  s->next = s->next < FURTHEST ? 2 * s->next : FURTHEST;
  s->returned = 0;
  s->changed = false;
}

/* Returns whether the warp is as it was at the copy, and notes a register that is not. */
static bool same(const struct sm *sm, struct sm_spin *s, unsigned warp) {
  const unsigned regs = sm->grid->kernel->regs;
  const uint32_t(*now)[ISA_WARP_SIZE] = sm->regs[warp];
  if (memcmp(&s->at, &s->branch, sizeof s->at) != 0 ||
      memcmp(s->regs[s->differs], now[s->differs], sizeof now[0]) != 0 ||
      memcmp(s->preds, sm->preds[warp], sizeof s->preds) != 0)
    return false;
  for (unsigned r = 0; r < regs; r++)
    if (memcmp(s->regs[r], now[r], sizeof now[0]) != 0) {
      s->differs = (uint8_t)r;
      return false;
    }
  return true;
}

void sm_spin_begin(struct sm *sm, unsigned warp) {
  struct sm_spin *s = &sm->spin[warp];
  s->branches = s->next = s->returned = s->differs = 0;
  s->found = false;
  s->changed = true;
  s->last = 0;
  sm->looping &= ~SM_BIT(warp);
}

/* Counts a warp that spins, a wide one once. */
static void count(struct sm *sm, unsigned warp) {
  if (sm->other == NULL)
    sm->stats.spinning_warps++;
  else if (!sm->other->spin[warp].found)
    (sm->half == 0 ? sm : sm->other)->stats.spinning_warps++;
}

/* The state has returned; `since` follows, so that it is not older than what others changed. */
static void returned(struct sm *sm, struct sm_spin *s, unsigned warp) {
  if (s->returned == TWICE) {
    if (++s->turns < TWICE)
      return;
    s->since = s->fresh;
  } else if (++s->returned < TWICE) {
    return;
  } else if (!s->found) {
    s->found = true;
    count(sm, warp);
  }
  s->fresh = sm->cycle;
  s->turns = 0;
}

void sm_spin_branch(struct sm *sm, const struct sm_inst *inst) {
  struct sm_spin *s = &sm->spin[inst->warp];
  s->last = sm->cycle;
  s->branch = (struct sm_spin_branch){.active = inst->active,
                                      .taken = inst->exec,
                                      .lanes = sm->warp[inst->warp].lanes,
                                      .pc = inst->pc,
                                      .from = inst->uop->f.imm};
  sm->looping |= SM_BIT(inst->warp);
}

void sm_spin_look(struct sm *sm, unsigned warp) {
  struct sm_spin *s = &sm->spin[warp];
  sm->looping &= ~SM_BIT(warp);
  if (!complete(&sm->warp[warp]))
    return;
  s->branches++;
  if (!s->changed && same(sm, s, warp)) {
    returned(sm, s, warp);
  } else if (s->branches > s->next || (s->branches > FEWEST && sm->cycle - s->since > LONGEST)) {
    s->next += s->next == 0;
    copy(sm, s, warp);
  }
}

static bool spins(const struct sm *sm, unsigned warp) {
  return (sm->live >> warp & 1) != 0 && sm->spin[warp].returned == TWICE && !sm->spin[warp].changed;
}

/* Returns whether a warp of a CTA spins and has not reached a number of barriers. */
static bool spins_before(const struct sm *sm, unsigned slot, uint32_t barriers) {
  for (uint64_t left = sm->cta[slot].warps; left != 0; left &= left - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(left);
    if (spins(sm, warp) && sm->warp[warp].barriers < barriers)
      return true;
  }
  return false;
}

/* Returns whether a warp waits at a barrier that a spinning warp of its CTA, or a half of one, has
 * not reached. */
static bool waits_at_barrier(const struct sm *sm, const struct sm_warp *w) {
  return w->at_barrier &&
         (spins_before(sm, w->place.cta_slot, w->barriers) ||
          (sm->other != NULL && spins_before(sm->other, w->place.cta_slot, w->barriers)));
}

/* Returns whether a warp has executed no backward branch since another part of it, of which none of
 * its own lanes run, was last seen to spin. */
static bool waits_for(const struct sm *sm, unsigned warp, const struct sm *part, unsigned other) {
  return spins(part, other) && part->spin[other].since > sm->spin[warp].last;
}

/* Returns whether a warp is a slice of a large warp, or a half of a wide one, another part of which
 * spins, and none of its own lanes run: it has executed no backward branch of that loop. */
static bool waits_for_part(const struct sm *sm, unsigned warp) {
  if (sm->other != NULL)
    return waits_for(sm, warp, sm->other, warp);
  const unsigned slices = sm->config.slices, first = warp / slices * slices;
  for (unsigned other = first; other < first + slices; other++)
    if (other != warp && waits_for(sm, warp, sm, other))
      return true;
  return false;
}

static enum sm_spin_kind kind_of(const struct sm *sm, unsigned warp) {
  if ((sm->live >> warp & 1) == 0)
    return SM_SPIN_NONE;
  if (spins(sm, warp))
    return SM_SPIN_LOOP;
  if (waits_at_barrier(sm, &sm->warp[warp]))
    return SM_SPIN_BARRIER;
  return waits_for_part(sm, warp) ? SM_SPIN_SLICE : SM_SPIN_NONE;
}

/* Describes a warp, or a half of a wide one. */
static struct sm_spin_state part_of(const struct sm *sm, unsigned warp) {
  const struct sm_spin *s = &sm->spin[warp];
  return (struct sm_spin_state){.kind = kind_of(sm, warp),
                                .from = s->at.from,
                                .to = s->at.pc,
                                .lanes = s->at.taken,
                                .alive = s->at.lanes,
                                .bar_pc = sm->warp[warp].bar_pc};
}

/* Describes a wide warp: halves that spin do so in one loop. */
static struct sm_spin_state both_halves(const struct sm *low, unsigned warp) {
  const struct sm_spin_state part[] = {part_of(low, warp), part_of(low->other, warp)};
  const unsigned first = part[0].kind != SM_SPIN_LOOP && part[1].kind == SM_SPIN_LOOP;
  struct sm_spin_state s = part[first];
  s.wide = true;
  s.lanes = s.alive = 0;
  for (unsigned h = 0; h < 2; h++) {
    const struct sm *sm = h == 0 ? low : low->other;
    s.lanes |= part[h].kind == SM_SPIN_LOOP ? part[h].lanes << 32 * h : 0;
    s.alive |= (sm->live >> warp & 1) != 0 ? (uint64_t)sm->warp[warp].lanes << 32 * h : 0;
  }
  return s;
}

struct sm_spin_state sm_spin_of(const struct sm *sm, unsigned warp) {
  if (sm->other == NULL)
    return part_of(sm, warp);
  return sm->half == 0 ? both_halves(sm, warp) : (struct sm_spin_state){.kind = SM_SPIN_NONE};
}

/* sm_spins for one SM. */
static bool all_spin(const struct sm *sm, uint64_t *since) {
  /* Buffers between SMs are not memory: another SM, or a DMA engine, may change them unseen. */
  if (sm->begin || sm->launches != 0 || sm->config.cb_bytes != 0)
    return false;
  if (sm->ending != 0) /* a slot gets free, and another CTA may begin */
    return false;
  for (unsigned slots = sm->resident; slots != 0; slots &= slots - 1)
    for (uint64_t left = sm->cta[__builtin_ctz(slots)].warps; left != 0; left &= left - 1) {
      const unsigned w = (unsigned)__builtin_ctzll(left);
      const enum sm_spin_kind kind = kind_of(sm, w);
      if (kind == SM_SPIN_LOOP && sm->spin[w].since < *since)
        *since = sm->spin[w].since;
      else if (kind != SM_SPIN_LOOP &&
               (!complete(&sm->warp[w]) || (kind == SM_SPIN_NONE && (sm->live >> w & 1) != 0)))
        return false;
    }
  return true;
}

bool sm_spins(const struct sm *sm, uint64_t *since) {
  return all_spin(sm, since) && (sm->other == NULL || all_spin(sm->other, since));
}

uint64_t sm_changed(const struct sm *sm) { return sm->changed; }

bool sm_may_step(const struct sm *sm, uint64_t cycle) {
  return sm_mem_may_step(sm->mem, cycle) && (sm->looping & sm_mem_writing(sm->mem)) == 0;
}

void sm_take_changes(struct sm *sm) {
  uint64_t cycle;
  const uint64_t warps = sm_mem_changed(sm->mem, &cycle);
  if (warps != 0 && sm->changed < cycle)
    sm->changed = cycle;
  for (uint64_t left = warps; left != 0; left &= left - 1)
    sm->spin[__builtin_ctzll(left)].changed = true;
}
