/* Which threads a warp holds, from the launch alone, and the barriers of its CTA. */
#include "csim/iss/launch_local.h"

#include <string.h>

bool iss_fails(struct iss *iss, const char *what, unsigned warp, uint16_t pc, uint64_t expected,
               uint64_t got) {
  if (iss->bad.any)
    return false;
  iss->bad = (struct iss_mismatch){.any = true,
                                   .warp = (uint8_t)warp,
                                   .pc = pc,
                                   .word = grid_has_pc(iss->grid, pc) ? iss->grid->code[pc] : 0,
                                   .what = what,
                                   .expected = expected,
                                   .got = got};
  return false;
}

void iss_place_begin(struct iss *iss) {
  iss->due_at = iss->dues = 0;
  iss->released = 0;
  memset(iss->cta, 0, sizeof iss->cta);
}

void iss_cta(struct iss *iss, uint64_t number, bool of_grid) {
  const uint16_t entry = iss->grid->kernel->entry;
  if (number >= iss->grid->ctas) {
    (void)iss_fails(iss, "number of the CTA, at most", 0, entry, iss->grid->ctas - 1, number);
    return;
  }
  if (iss->dues == ISS_CTAS) {
    (void)iss_fails(iss, "CTAs whose warps have not started", 0, entry, ISS_CTAS, ISS_CTAS + 1);
    return;
  }
  if (of_grid && iss->launch != NULL && !iss_launch_ran(iss->launch, number, iss->sm)) {
    (void)iss_fails(iss, "CTA that has run before: its runs", 0, entry, 1, 2);
    return;
  }
  iss->due[(iss->due_at + iss->dues++) % ISS_CTAS] = (struct iss_due){number, 0, of_grid};
}

/* The place of the next warp of the CTA. */
static struct warp_place derive(const struct grid *g, const struct iss_due *due) {
  const uint32_t first = due->warp * ISA_WARP_SIZE, left = g->threads - first;
  return (struct warp_place){.ctaid = {(uint32_t)(due->number % g->dim[0]),
                                       (uint32_t)(due->number / g->dim[0] % g->dim[1]),
                                       (uint32_t)(due->number / ((uint64_t)g->dim[0] * g->dim[1]))},
                             .first = first,
                             .mask = left >= ISA_WARP_SIZE ? ~0U : (1U << left) - 1};
}

/* The machine must say the same of the warp. */
static bool same_place(struct iss *iss, unsigned warp, const struct warp_place *is,
                       const struct warp_place *must) {
  static const char *const axis[] = {"ctaid.x of the warp", "ctaid.y of the warp",
                                     "ctaid.z of the warp"};
  const uint16_t entry = iss->grid->kernel->entry;
  for (unsigned i = 0; i < 3; i++)
    if (is->ctaid[i] != must->ctaid[i])
      return iss_fails(iss, axis[i], warp, entry, must->ctaid[i], is->ctaid[i]);
  if (is->first != must->first)
    return iss_fails(iss, "first thread of the warp", warp, entry, must->first, is->first);
  if (is->mask != must->mask)
    return iss_fails(iss, "threads of the warp", warp, entry, must->mask, is->mask);
  return true;
}

/* The warps of a CTA share a slot, in which none of another one is left. */
static bool takes_slot(struct iss *iss, unsigned warp, const struct iss_due *due, unsigned slot) {
  const uint16_t entry = iss->grid->kernel->entry;
  if (slot >= ISS_CTAS)
    return iss_fails(iss, "CTA slot, at most", warp, entry, ISS_CTAS - 1, slot);
  struct iss_cta *c = &iss->cta[slot];
  if (due->warp == 0) {
    if (c->live != 0 || c->missing != 0)
      return iss_fails(iss, "live warps in the slot of a CTA that starts", warp, entry, 0, c->live);
    *c = (struct iss_cta){
        .number = due->number, .of_grid = due->of_grid, .missing = iss->grid->warps};
    memory_cta(iss, slot);
  } else if (c->number != due->number || c->missing != iss->grid->warps - due->warp) {
    return iss_fails(iss, "CTA in the slot of the warp", warp, entry, due->number, c->number);
  }
  c->live |= UINT64_C(1) << warp;
  c->missing--;
  return true;
}

bool iss_place(struct iss *iss, unsigned warp, const struct warp_place *claimed,
               struct warp_place *place) {
  if (iss->dues == 0)
    return iss_fails(iss, "warps that start without a CTA", warp, iss->grid->kernel->entry, 0, 1);
  struct iss_due *due = &iss->due[iss->due_at];
  *place = derive(iss->grid, due);
  place->cta_slot = claimed->cta_slot;
  place->entry = claimed->entry;
  if (!same_place(iss, warp, claimed, place) || !takes_slot(iss, warp, due, place->cta_slot))
    return false;
  if (++due->warp == iss->grid->warps) {
    iss->due_at = (iss->due_at + 1) % ISS_CTAS;
    iss->dues--;
  }
  return true;
}

/* All warps of the CTA that live are at the barrier, or none does. */
static bool look_at_barrier(struct iss *iss, unsigned slot) {
  struct iss_cta *c = &iss->cta[slot];
  if (c->missing != 0 || c->waiting != c->live)
    return true;
  iss->released |= c->waiting;
  c->waiting = 0;
  return memory_epoch(iss, slot);
}

bool iss_barrier(struct iss *iss, unsigned warp) {
  const unsigned slot = iss->warp[warp].place.cta_slot;
  iss->cta[slot].waiting |= UINT64_C(1) << warp;
  return look_at_barrier(iss, slot);
}

bool iss_warp_ends(struct iss *iss, unsigned warp) {
  const unsigned slot = iss->warp[warp].place.cta_slot;
  if (iss->cta[slot].of_grid)
    iss->paths += iss_path(iss->warp[warp].path, 0);
  iss->cta[slot].live &= ~(UINT64_C(1) << warp);
  return look_at_barrier(iss, slot);
}

bool iss_waits(const struct iss *iss, unsigned warp) {
  return (iss->cta[iss->warp[warp].place.cta_slot].waiting >> warp & 1) != 0;
}

uint64_t iss_released(struct iss *iss) {
  const uint64_t warps = iss->released;
  iss->released = 0;
  return warps;
}

bool iss_placed_all(struct iss *iss) {
  return iss->dues == 0 || iss_fails(iss, "CTAs whose warps never started", 0,
                                     iss->grid->kernel->entry, 0, iss->dues);
}
