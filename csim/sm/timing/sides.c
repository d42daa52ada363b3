/* SP and SFU instructions on two sides: dispatch, links, write-back, comparison of events. */
#include "csim/sm/timing/sides.h"

#include <stddef.h>
#include <string.h>

enum { SFU_QUEUE = 4, SFU_PIPE = 2, RESULT_LINK = SM_ALU_PIPES };
_Static_assert((int)SM_LATENCY_MOST + 2 * SM_DELAY_MOST + SM_PLANES < (int)SM_ALU_RING,
               "a result of side 1 is due within the ring");
_Static_assert((int)SM_DELAY_MOST < (int)SM_LAG, "a delayed report is within its ring");

void sm_sides_reset(struct sm_sides *t, const struct sm_config *config,
                    const struct sm_shape *shape) {
  *t = (struct sm_sides){
      .delay = shape->delay, .link_planes = shape->operand_planes, .sp_pipes = config->sp_pipes};
  const uint8_t rates[] = {2, 1};
  for (unsigned side = 0; side < SM_SIDES; side++) {
    const unsigned part = side == 1 && shape->far == SM_FAR_HALF ? 2 : 1;
    const uint8_t collectors[] = {(uint8_t)(config->collectors_sp / part),
                                  (uint8_t)(config->collectors_sfu / part)};
    const uint8_t queues[] = {(uint8_t)(SM_SP_PLACES / part), (uint8_t)(SFU_QUEUE / part)};
    sm_collect_reset(&t->oc[side], collectors, queues, rates, config->banks / part);
  }
  uint32_t longest = 1;
  for (unsigned i = 0; i < ISA_LATS; i++) {
    t->latency[i] = (uint16_t)config->lat[i].latency;
    t->interval[i] = (uint16_t)config->lat[i].interval;
    if (t->latency[i] > longest)
      longest = t->latency[i];
  }
  longest += 2U * shape->delay + sm_link_cycles(SM_PLANES, shape->operand_planes) - 1;
  while (t->ring_mask < longest)
    t->ring_mask = t->ring_mask << 1 | 1;
}

void sm_sides_copy(struct sm_sides *to, const struct sm_sides *from) {
  memcpy(to, from,
         offsetof(struct sm_sides, ring) + sizeof from->ring[0] * (size_t)(from->ring_mask + 1));
}

struct sm_op *sm_sides_push(struct sm_sides *t, unsigned side, unsigned cls, unsigned planes) {
  struct sm_collect *c = &t->oc[side];
  c->seq = t->seq;
  struct sm_op *op = sm_collect_push(c, cls);
  if (op == NULL)
    return NULL;
  t->seq++;
  if (side == 1)
    t->planes[op - c->op] = (uint8_t)planes;
  return op;
}

/* An instruction that may be dispatched. */
struct candidate {
  const struct sm_op *op;
  unsigned side;
  bool crosses;    /* its operands take the link */
  unsigned cycles; /* of the link */
};

/* Starts an instruction in a pipe.  False if the pipe, its write-back port or, for side 1, the
 * result link is taken. */
static bool start(struct sm_sides *t, unsigned pipe, const struct candidate *c, uint64_t cycle,
                  struct sm_sides_events *ev) {
  const uint64_t starts = cycle + c->cycles - 1;
  struct sm_sides_slot *due =
      t->ring[(starts + t->latency[c->op->lat] + 2U * t->delay) & t->ring_mask];
  if (t->free_at[pipe] > cycle || due[pipe].id != 0)
    return false;
  if (c->side == 1 && due[RESULT_LINK].id != 0) {
    ev->waited = true;
    return false;
  }
  due[pipe] = (struct sm_sides_slot){c->op->written, c->op->id, (uint8_t)c->side};
  if (c->side == 1)
    due[RESULT_LINK].id = c->op->id;
  t->free_at[pipe] = starts + t->interval[c->op->lat];
  if (c->crosses)
    t->link_at = cycle + c->cycles;
  t->in_pipes++;
  return true;
}

/* Returns the side of the oldest collected instruction behind the first at[0], at[1] of each side;
 * SM_SIDES: there is none. */
static unsigned oldest(const struct sm_sides *t, unsigned cls, const unsigned at[SM_SIDES]) {
  const struct sm_list *a = &t->oc[0].full[cls], *b = &t->oc[1].full[cls];
  if (at[0] == a->n || at[1] == b->n)
    return at[0] < a->n ? 0 : at[1] < b->n ? 1 : SM_SIDES;
  return (int32_t)(t->oc[0].age[a->at[at[0]]] - t->oc[1].age[b->at[at[1]]]) < 0 ? 0 : 1;
}

/* Starts collected instructions of both sides, oldest first, each in the lowest pipe that takes it.
 */
static void dispatch(struct sm_sides *t, unsigned cls, unsigned first, unsigned end, uint64_t cycle,
                     struct sm_sides_events *ev) {
  unsigned idle = end - first, at[SM_SIDES] = {0, 0};
  for (unsigned side; idle != 0 && (side = oldest(t, cls, at)) < SM_SIDES;) {
    const unsigned slot = t->oc[side].full[cls].at[at[side]];
    const unsigned planes = side == 1 ? t->planes[slot] : 0;
    const struct candidate c = {.op = &t->oc[side].op[slot],
                                .side = side,
                                .crosses = planes != 0,
                                .cycles = sm_link_cycles(planes, t->link_planes)};
    const bool link = !c.crosses || t->link_at <= cycle;
    ev->waited |= !link;
    unsigned pipe = link ? first : end;
    while (pipe < end && !start(t, pipe, &c, cycle, ev))
      pipe++;
    if (pipe == end) {
      at[side]++;
      continue;
    }
    ev->dispatched[ev->ndispatched++] = c.op->id;
    sm_collect_take(&t->oc[side], cls, at[side]);
    idle--;
  }
}

static void write_back(struct sm_sides *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                       struct sm_sides_events *ev) {
  struct sm_sides_slot *due = t->ring[cycle & t->ring_mask];
  due[RESULT_LINK].id = 0;
  for (unsigned p = 0; p < SM_ALU_PIPES; p++) {
    ev->wb[p] = due[p].id;
    if (due[p].id == 0)
      continue;
    busy[due[p].side] |= due[p].banks;
    due[p] = (struct sm_sides_slot){0, 0, 0};
    t->in_pipes--;
  }
}

void sm_sides_step(struct sm_sides *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                   struct sm_sides_events *ev) {
  ev->ndispatched = 0;
  ev->waited = false;
  write_back(t, cycle, busy, ev);
  dispatch(t, SM_ALU_SP, 0, t->sp_pipes, cycle, ev);
  dispatch(t, SM_ALU_SFU, SFU_PIPE, SM_ALU_PIPES, cycle, ev);
  sm_collect_sides(t->oc, busy, t->reports[cycle % SM_LAG], t->reports[(cycle + t->delay) % SM_LAG],
                   ev->oc);
}

bool sm_sides_same(const struct sm_sides_events *a, const struct sm_sides_events *b) {
  if (memcmp(a->wb, b->wb, sizeof a->wb) != 0 || a->ndispatched != b->ndispatched ||
      memcmp(a->dispatched, b->dispatched, a->ndispatched * sizeof a->dispatched[0]) != 0)
    return false;
  for (unsigned side = 0; side < SM_SIDES; side++)
    if (memcmp(a->oc[side].credit, b->oc[side].credit, sizeof a->oc[side].credit) != 0 ||
        !sm_collect_same(&a->oc[side], &b->oc[side]))
      return false;
  return true;
}
