/* SP and SFU pipelines: dispatch, write-back, comparison of events. */
#include "csim/sm/timing/alu.h"

#include <stddef.h>
#include <string.h>

enum { SP_QUEUE = 8, SFU_QUEUE = 4, SFU_PIPE = 2 };
_Static_assert((int)SM_SP_PLACES <= (int)SM_QUEUE_MAX, "a member's SP queue is one");

void sm_alu_reset(struct sm_alu *t, const struct sm_config *config, bool deep) {
  memset(t, 0, sizeof *t);
  const uint8_t collectors[] = {(uint8_t)config->collectors_sp, (uint8_t)config->collectors_sfu};
  const uint8_t queues[] = {config->buddy || deep ? SM_SP_PLACES : SP_QUEUE, SFU_QUEUE};
  const uint8_t rates[] = {2, 1};
  sm_collect_reset(&t->oc, collectors, queues, rates, config->banks);
  t->sp_pipes = config->sp_pipes;
  uint32_t longest = 1;
  for (unsigned i = 0; i < ISA_LATS; i++) {
    t->latency[i] = (uint16_t)config->lat[i].latency;
    t->interval[i] = (uint16_t)config->lat[i].interval;
    if (t->latency[i] > longest)
      longest = t->latency[i];
  }
  while (t->ring_mask < longest)
    t->ring_mask = t->ring_mask << 1 | 1;
}

void sm_alu_copy(struct sm_alu *to, const struct sm_alu *from) {
  memcpy(to, from,
         offsetof(struct sm_alu, ring) + sizeof from->ring[0] * (size_t)(from->ring_mask + 1));
}

static bool start(struct sm_alu *t, unsigned pipe, const struct sm_op *op, uint64_t cycle) {
  struct sm_alu_slot *due = &t->ring[(cycle + t->latency[op->lat]) & t->ring_mask][pipe];
  if (t->free_at[pipe] > cycle || due->id != 0)
    return false;
  *due = (struct sm_alu_slot){op->id, op->written};
  t->free_at[pipe] = cycle + t->interval[op->lat];
  t->in_pipes++;
  return true;
}

/* Starts collected instructions, oldest first, each in a pipe that is free now and whose write-back
 * port is free when the result will be due. */
static void dispatch(struct sm_alu *t, unsigned cls, unsigned first, unsigned end, uint64_t cycle,
                     struct sm_alu_events *ev) {
  struct sm_list *full = &t->oc.full[cls];
  unsigned idle = end - first;
  for (unsigned i = 0; i < full->n && idle != 0;) {
    struct sm_op *op = &t->oc.op[full->at[i]];
    unsigned pipe = first;
    while (pipe < end && !start(t, pipe, op, cycle))
      pipe++;
    if (pipe == end) {
      i++;
      continue;
    }
    sm_collect_take(&t->oc, cls, i);
    ev->dispatched[ev->ndispatched++] = op->id;
    idle--;
  }
}

static void write_back_results(struct sm_alu *t, uint64_t cycle, uint32_t *busy,
                               struct sm_alu_events *ev) {
  struct sm_alu_slot *due = t->ring[cycle & t->ring_mask];
  for (unsigned p = 0; p < SM_ALU_PIPES; p++) {
    ev->wb[p] = (uint16_t)due[p].id;
    if (due[p].id == 0)
      continue;
    *busy |= due[p].banks;
    due[p] = (struct sm_alu_slot){0, 0};
    t->in_pipes--;
  }
}

void sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t *busy, struct sm_alu_events *ev) {
  ev->ndispatched = 0;
  write_back_results(t, cycle, busy, ev);
  if (t->oc.full[SM_ALU_SP].n != 0)
    dispatch(t, SM_ALU_SP, 0, t->sp_pipes, cycle, ev);
  if (t->oc.full[SM_ALU_SFU].n != 0)
    dispatch(t, SM_ALU_SFU, SFU_PIPE, SM_ALU_PIPES, cycle, ev);
  sm_collect_step(&t->oc, busy, &ev->oc);
}

bool sm_alu_same(const struct sm_alu_events *a, const struct sm_alu_events *b) {
  if (memcmp(a->wb, b->wb, sizeof a->wb) != 0 || a->ndispatched != b->ndispatched ||
      memcmp(a->dispatched, b->dispatched, a->ndispatched * sizeof a->dispatched[0]) != 0 ||
      memcmp(a->oc.credit, b->oc.credit, sizeof a->oc.credit) != 0)
    return false;
  return sm_collect_same(&a->oc, &b->oc);
}
