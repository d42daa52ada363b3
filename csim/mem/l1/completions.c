/* Completions: instructions by the cycle in which they are ready, and the queue for the back end.
 */
#include <stdlib.h>
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

bool completions_reach(struct sm_mem *s, uint32_t latency) {
  const uint64_t size = power_above(latency + 2);
  if (s->wheel != NULL && size <= s->wheel_mask + 1)
    return true;
  struct sm_inst **wheel = calloc(size, sizeof wheel[0]);
  if (wheel == NULL)
    return false;
  free(s->wheel);
  s->wheel = wheel;
  s->wheel_mask = size - 1;
  return true;
}

static void schedule(struct sm_mem *s, struct sm_inst *inst) {
  struct sm_inst **list = &s->wheel[inst->mem.ready & s->wheel_mask];
  inst->mem.next = *list;
  *list = inst;
}

void completions_settle(struct sm_mem *s, struct sm_inst *inst) {
  if (inst->mem.phase == PHASE_WAITING && inst->mem.waiting == 0)
    schedule(s, inst);
}

void completions_collect(struct sm_mem *s) {
  struct sm_inst **bucket = &s->wheel[s->now & s->wheel_mask];
  struct sm_inst *list = *bucket;
  if (list == NULL)
    return;
  *bucket = NULL;
  struct sm_inst *first = NULL;
  struct sm_inst *last = list;
  while (list != NULL) {
    struct sm_inst *next = list->mem.next;
    list->mem.next = first;
    first = list;
    list = next;
  }
  if (s->done_first == NULL)
    s->done_first = first;
  else
    s->done_last->mem.next = first;
  s->done_last = last;
}

static void count_latency(struct sm_mem *s, const struct sm_inst *inst) {
  uint64_t accepted;
  memcpy(&accepted, &inst->mem.aux[AUX_LOW], sizeof accepted);
  uint64_t latency = s->now - accepted;
  s->stats.load_latency_sum += latency;
  s->stats.load_latency_count++;
  if (latency > s->stats.load_latency_max)
    s->stats.load_latency_max = latency;
}

struct sm_inst *sm_mem_completed(struct sm_mem *s) {
  struct sm_inst *inst = s->done_first;
  if (inst == NULL || s->taken)
    return NULL;
  s->done_first = inst->mem.next;
  s->taken = true;
  s->in_flight--;
  if ((s->log.writing >> inst->warp & 1) != 0)
    log_returned(s, inst);
  if (inst->mem.aux[AUX_GLOBAL_LOAD] != 0)
    count_latency(s, inst);
  return inst;
}
