/* The threads and the slot of a warp, from the launch alone. */
#include <inttypes.h>

#include "csim/iss/mismatch.h"

/* Returns the place of the next warp of the CTA. */
static struct warp_place derive(const struct grid *g, const struct iss_due *due) {
  const uint32_t first = due->warp * ISA_WARP_SIZE, left = g->threads - first;
  return (struct warp_place){.ctaid = {(uint32_t)(due->number % g->dim[0]),
                                       (uint32_t)(due->number / g->dim[0] % g->dim[1]),
                                       (uint32_t)(due->number / ((uint64_t)g->dim[0] * g->dim[1]))},
                             .first = first,
                             .mask = left >= ISA_WARP_SIZE ? ~0U : (1U << left) - 1};
}

/* Compares the place that the machine claims with the derived one. */
static bool same_place(struct iss *iss, unsigned warp, const struct warp_place *is,
                       const struct warp_place *must) {
  struct iss_mismatch bad = {
      .what = "place", .warp = (uint8_t)warp, .pc = iss->grid->kernel->entry};
  for (unsigned i = 0; i < 3; i++)
    if (is->ctaid[i] != must->ctaid[i]) {
      bad.expected = must->ctaid[i], bad.got = is->ctaid[i];
      return iss_fails(iss, bad, "ctaid.%c of the warp is %u, must be %u", 'x' + (char)i,
                       is->ctaid[i], must->ctaid[i]);
    }
  if (is->first != must->first) {
    bad.expected = must->first, bad.got = is->first;
    return iss_fails(iss, bad, "the first thread of the warp is %u, must be %u", is->first,
                     must->first);
  }
  bad.expected = must->mask, bad.got = is->mask;
  return is->mask == must->mask ||
         iss_fails(iss, bad, "the mask of the warp's threads is 0x%x, must be 0x%x", is->mask,
                   must->mask);
}

/* The warps of a CTA share a slot, in which no warp of an earlier CTA is live. */
static bool takes_slot(struct iss *iss, unsigned warp, const struct iss_due *due, unsigned slot) {
  struct iss_mismatch bad = {
      .what = "CTA slot", .warp = (uint8_t)warp, .pc = iss->grid->kernel->entry, .got = slot};
  if (slot >= ISS_CTAS)
    return iss_fails(iss, bad, "the warp starts in CTA slot %u, but the last slot is %u", slot,
                     ISS_CTAS - 1);
  struct iss_cta *c = &iss->cta[slot];
  if (due->warp == 0) {
    if (c->live.word[1] != 0)
      return iss_fails(iss, bad,
                       "CTA %" PRIu64 " starts in slot %u, but warps of CTA %" PRIu64
                       " live there: mask 0x%" PRIx64 "%016" PRIx64,
                       due->number, slot, c->number, c->live.word[1], c->live.word[0]);
    if (c->live.word[0] != 0 || c->missing != 0)
      return iss_fails(iss, bad,
                       "CTA %" PRIu64 " starts in slot %u, but warps of CTA %" PRIu64
                       " live there: mask 0x%" PRIx64,
                       due->number, slot, c->number, c->live.word[0]);
    *c = (struct iss_cta){
        .number = due->number, .of_grid = due->of_grid, .missing = iss->grid->warps};
    iss_memory_cta(iss, slot);
  } else if (c->number != due->number || c->missing != iss->grid->warps - due->warp) {
    return iss_fails(iss, bad,
                     "warp %u of CTA %" PRIu64 " starts in slot %u, which is not the CTA's",
                     due->warp, due->number, slot);
  }
  iss_set_add(&c->live, warp);
  c->missing--;
  return true;
}

bool iss_place(struct iss *iss, unsigned warp, const struct warp_place *claimed,
               struct warp_place *place) {
  if (iss->dues == 0)
    return iss_fails(
        iss,
        (struct iss_mismatch){.what = "CTA", .warp = (uint8_t)warp, .pc = iss->grid->kernel->entry},
        "a warp starts, but all warps of all dispatched CTAs have started");
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
