/* SP and SFU pipelines: dispatch, links, write-back, comparison of events. */
#include "csim/sm/timing/alu.h"

#include <stddef.h>
#include <string.h>

enum { SP_QUEUE = 8, SFU_QUEUE = 4, SFU_PIPE = 2, RESULT_LINK = SM_ALU_PIPES };
_Static_assert((int)SM_SP_PLACES <= (int)SM_QUEUE_MAX, "a deep SP queue is one");
_Static_assert((int)SM_LATENCY_MOST + 2 * SM_DELAY_MOST + SM_PLANES < (int)SM_ALU_RING,
               "a result of side 1 is due within the ring");

void sm_alu_reset(struct sm_alu *t, const struct sm_config *config, const struct sm_shape *shape) {
  const bool deep = config->deep_queues || shape->pair || shape->far != SM_FAR_NONE;
  const uint8_t collectors[] = {(uint8_t)config->collectors_sp, (uint8_t)config->collectors_sfu};
  const uint8_t queues[] = {deep ? SM_SP_PLACES : SP_QUEUE, SFU_QUEUE};
  const uint8_t rates[] = {2, 1};
  memset(t, 0, sizeof *t);
  sm_collect_reset(t->oc, shape, collectors, queues, rates, config->banks);
  t->sp_pipes = config->sp_pipes;
  uint32_t longest = 1;
  for (unsigned i = 0; i < ISA_LATS; i++) {
    t->latency[i] = (uint16_t)config->lat[i].latency;
    t->interval[i] = (uint16_t)config->lat[i].interval;
    if (t->latency[i] > longest)
      longest = t->latency[i];
  }
  if (t->oc[0].sides > 1) {
    t->link_planes = shape->operand_planes;
    longest += 2U * t->oc[0].delay + sm_link_cycles(SM_PLANES, t->link_planes) - 1;
  }
  while (t->ring_mask < longest)
    t->ring_mask = t->ring_mask << 1 | 1;
}

void sm_alu_copy(struct sm_alu *to, const struct sm_alu *from) {
  const size_t rest = offsetof(struct sm_alu, free_at), ring = offsetof(struct sm_alu, ring);
  memcpy(to->oc, from->oc, sizeof from->oc[0] * from->oc[0].sides);
  memcpy((char *)to + rest, (const char *)from + rest,
         ring - rest + sizeof from->ring[0] * (size_t)(from->ring_mask + 1));
}

/* An instruction that may be dispatched. */
struct candidate {
  const struct sm_op *op;
  unsigned side;
  unsigned cycles; /* of the operand link */
};

/* Starts an instruction in a pipe.  False if the pipe, its write-back port or, for side 1, the
 * result link is taken. */
static inline __attribute__((always_inline)) bool start_in(struct sm_alu *t, unsigned sides,
                                                           unsigned pipe, const struct candidate *c,
                                                           uint64_t cycle,
                                                           struct sm_alu_events *ev) {
  const uint64_t starts = cycle + c->cycles - 1;
  struct sm_alu_slot *due =
      t->ring[(starts + t->latency[c->op->lat] + (sides > 1 ? 2U * t->oc[0].delay : 0)) &
              t->ring_mask];
  if (t->free_at[pipe] > cycle || due[pipe].id != 0)
    return false;
  if (sides > 1 && c->side == 1) {
    if (due[RESULT_LINK].id != 0) {
      ev->waited = true;
      return false;
    }
    due[RESULT_LINK].id = c->op->id;
  }
  due[pipe] = (struct sm_alu_slot){c->op->written, c->op->id, (uint8_t)c->side};
  t->free_at[pipe] = starts + t->interval[c->op->lat];
  t->in_pipes++;
  return true;
}

/* Starts collected instructions of all sides, oldest first, each in the lowest pipe that is free
 * now and whose write-back port is free when the result will be due. */
static inline __attribute__((always_inline)) void dispatch(struct sm_alu *t, unsigned sides,
                                                           unsigned cls, unsigned first,
                                                           unsigned end, uint64_t cycle,
                                                           struct sm_alu_events *ev) {
  const struct sm_list *const full[SM_SIDES] = {&t->oc[0].full[cls], &t->oc[1].full[cls]};
  unsigned idle = end - first, at[SM_SIDES] = {0, 0};
  for (unsigned side; idle != 0 && (side = sm_collect_oldest(t->oc, sides, full, at)) < sides;) {
    const struct sm_op *op = &t->oc[side].op[full[side]->at[at[side]]];
    const unsigned planes = sides > 1 && side == 1 ? op->reads : 0;
    const struct candidate c = {op, side, planes == 0 ? 1 : sm_link_cycles(planes, t->link_planes)};
    const bool link = planes == 0 || t->link_at <= cycle;
    ev->waited |= !link;
    unsigned pipe = link ? first : end;
    while (pipe < end && !start_in(t, sides, pipe, &c, cycle, ev))
      pipe++;
    if (pipe == end) {
      at[side]++;
      continue;
    }
    if (planes != 0)
      t->link_at = cycle + c.cycles;
    ev->dispatched[ev->ndispatched++] = op->id;
    sm_collect_take(&t->oc[side], cls, at[side]);
    idle--;
  }
}

static inline __attribute__((always_inline)) void step_as(struct sm_alu *t, unsigned sides,
                                                          uint64_t cycle, uint32_t busy[SM_SIDES],
                                                          struct sm_alu_events *ev) {
  struct sm_alu_slot *due = t->ring[cycle & t->ring_mask];
  ev->ndispatched = 0;
  ev->waited = false;
  for (unsigned p = 0; p < SM_ALU_PIPES; p++) {
    ev->wb[p] = due[p].id;
    if (due[p].id == 0)
      continue;
    busy[sides > 1 ? due[p].side : 0] |= due[p].banks;
    due[p] = (struct sm_alu_slot){0, 0, 0};
    t->in_pipes--;
  }
  if (sides > 1)
    due[RESULT_LINK].id = 0;
  dispatch(t, sides, SM_ALU_SP, 0, t->sp_pipes, cycle, ev);
  dispatch(t, sides, SM_ALU_SFU, SFU_PIPE, SM_ALU_PIPES, cycle, ev);
  sm_collect_step(t->oc, cycle, busy, ev->oc);
}

__attribute__((noinline)) static void step_both(struct sm_alu *t, uint64_t cycle,
                                                uint32_t busy[SM_SIDES], struct sm_alu_events *ev) {
  step_as(t, SM_SIDES, cycle, busy, ev);
}

void sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                 struct sm_alu_events *ev) {
  if (t->oc[0].sides == 1)
    step_as(t, 1, cycle, busy, ev);
  else
    step_both(t, cycle, busy, ev);
}

bool sm_alu_same(const struct sm_alu_events *a, const struct sm_alu_events *b, unsigned sides) {
  if (memcmp(a->wb, b->wb, sizeof a->wb) != 0 || a->ndispatched != b->ndispatched ||
      memcmp(a->dispatched, b->dispatched, a->ndispatched * sizeof a->dispatched[0]) != 0)
    return false;
  for (unsigned side = 0; side < sides; side++)
    if (memcmp(a->oc[side].credit, b->oc[side].credit, sizeof a->oc[side].credit) != 0 ||
        !sm_collect_same(&a->oc[side], &b->oc[side]))
      return false;
  return true;
}
