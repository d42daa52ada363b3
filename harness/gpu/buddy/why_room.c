/* A warp of a master that is ready and finds no room: in the memory sides of the group's members,
 * in the monitor, or in the slots of the downlinks (docs/hardware/buddy_member.md).  The counts of
 * the hardware are not at its ports: they follow from the record of instructions. */
#include <inttypes.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "harness/gpu/buddy/why.h"

enum {
  PLACES = 8, /* of memory instructions in each follower */
  PORTS = 2,  /* cycles from an event in the front end to the first issue at its ports after it */
  FREED = 3,  /* from a write-back to that issue, without links */
  PACKET = 1  /* before a packet enters the uplink */
};

/* Finds the follower that has fewest places for memory instructions, and the oldest one there. */
static const struct pipeline_inst *oldest_place(const struct why_telling *a,
                                                const struct buddy_record *own, unsigned master,
                                                unsigned *most) {
  const struct pipeline_inst *found = NULL;
  *most = 0;
  for (unsigned m = master + 1; m < own->size; m++) {
    const struct pipeline_inst *oldest = NULL;
    unsigned n = 0;
    if (!buddy_is_in(own, master, own->cluster->first + m))
      continue;
    for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++) {
      if (i->sm != own->cluster->first + m || i->uop->pipe != ISA_PIPE_MEM ||
          i->issue > a->cycle + own->delay ||
          (i->execute != PIPELINE_NEVER && i->execute + PACKET + own->delay + PORTS <= a->cycle))
        continue;
      oldest = oldest != NULL ? oldest : i;
      n++;
    }
    if (n > *most ||
        (n == *most && found != NULL && oldest != NULL && oldest->execute > found->execute)) {
      *most = n;
      found = oldest;
    }
  }
  return found;
}

static bool tell_places(struct why_telling *a, const struct buddy_record *own,
                        const struct why_wait *w) {
  unsigned n;
  const struct pipeline_inst *i = oldest_place(a, own, w->sm - own->cluster->first, &n);
  if (i == NULL || (w->cause != STALL_MEMBERS && n < PLACES))
    return false;
  why_add(
      a, "member_credit", w->next, i->issue, w->next->issue,
      "SM %u of the group has no place for a memory instruction: of %u there the oldest is PC %u "
      "of warp %u, issued in cycle %" PRIu64,
      i->sm, n, i->pc, i->warp, i->issue);
  why_tell_inst(a, i);
  return true;
}

/* The copy of a load that ends last, in the master or in a slave; *end: when it frees the monitor's
 * entry. */
static const struct pipeline_inst *last_copy(const struct why_telling *a,
                                             const struct buddy_record *own,
                                             const struct pipeline_inst *load, unsigned master,
                                             uint64_t *end) {
  const struct pipeline_inst *found = NULL;
  *end = 0;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++) {
    if (i->issue != load->issue || i->pc != load->pc || i->warp != load->warp ||
        !buddy_is_in(own, master, i->sm))
      continue;
    const bool far = i->sm != load->sm;
    const uint64_t freed =
        i->end == PIPELINE_NEVER ? i->end : i->end + FREED + (far ? PACKET + own->delay : 0);
    if (freed >= *end) {
      *end = freed;
      found = i;
    }
  }
  return found;
}

static bool tell_monitor(struct why_telling *a, const struct buddy_record *own,
                         const struct why_wait *w) {
  const unsigned master = w->sm - own->cluster->first;
  const struct pipeline_inst *found = NULL;
  uint64_t first = PIPELINE_NEVER;
  unsigned n = 0;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++) {
    uint64_t end;
    if (i->sm != w->sm || i->warp != w->warp || i->uop->pipe != ISA_PIPE_MEM ||
        isa_n_regs(i->uop->o.d) == 0 || i->issue > a->cycle + own->delay)
      continue;
    const struct pipeline_inst *copy = last_copy(a, own, i, master, &end);
    if (copy == NULL || end <= a->cycle)
      continue;
    n++;
    if (found == NULL || end < first) {
      first = end;
      found = copy;
    }
  }
  if (found == NULL || (w->cause != STALL_MONITOR && n < own->entries))
    return false;
  why_add(a, "monitor", w->next, found->issue, w->next->issue,
          "the monitor has %u entr%s for each warp: that of PC %u, issued in cycle %" PRIu64
          ", is freed next, by SM %u",
          own->entries, own->entries == 1 ? "y" : "ies", found->pc, found->issue, found->sm);
  why_tell_inst(a, found);
  return true;
}

/* The mask packet of a branch takes the slot. */
static bool tell_slot(struct why_telling *a, const struct buddy_record *own,
                      const struct why_wait *w) {
  const struct pipeline_inst *branch = NULL, *other = NULL;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++) {
    if (i->sm == w->sm && buddy_is_branch(i) && buddy_resolved(i) + 1 == a->cycle)
      branch = i;
    if (i->sm == w->sm && i->issue == a->cycle + own->delay)
      other = i;
  }
  if (w->cause != STALL_SLOT || branch == NULL || other == NULL)
    return false;
  why_add(a, "noc_slot", w->next, a->cycle, a->cycle,
          "of the downlinks' two slots one goes to PC %u of warp %u, the other to a mask packet",
          other->pc, other->warp);
  why_add(a, "mask", branch, branch->issue, buddy_resolved(branch),
          "the packet has the directions of PC %u of warp %u, resolved in cycle %" PRIu64,
          branch->pc, branch->warp, buddy_resolved(branch));
  return true;
}

bool buddy_tell_room(struct why_telling *a, const struct buddy_record *own,
                     const struct why_wait *w) {
  const bool memory = w->next->uop->pipe == ISA_PIPE_MEM;
  return (memory && isa_n_regs(w->next->uop->o.d) != 0 && tell_monitor(a, own, w)) ||
         (memory && tell_places(a, own, w)) || tell_slot(a, own, w);
}
