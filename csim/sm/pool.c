/* Instruction records and their lists. */
#include "csim/sm/sm_local.h"

#include <stdlib.h>

/* Adds a chunk to the pool, which never shrinks.  Index 0 stays unused, so that id 0 means none. */
static bool grow(struct sm *sm) {
  if (sm->chunks == SM_CHUNKS)
    return false;
  struct sm_inst *chunk =
      sm->chunks < SM_NEAR ? sm->near[sm->chunks] : aligned_alloc(64, sizeof *chunk * SM_CHUNK);
  if (chunk == NULL)
    return false;
  memset(chunk, 0, sizeof *chunk * SM_CHUNK);
  for (unsigned i = SM_CHUNK; i-- > 0;) {
    unsigned id = sm->chunks * SM_CHUNK + i;
    if (id == 0)
      continue;
    chunk[i].state[SM_STATE_ID0] = (uint8_t)id;
    chunk[i].state[SM_STATE_ID1] = (uint8_t)(id >> 8);
    chunk[i].next = sm->pool;
    sm->pool = &chunk[i];
  }
  sm->chunk[sm->chunks++] = chunk;
  return true;
}

struct sm_inst *sm_inst_get(struct sm *sm) {
  if (__builtin_expect(sm->pool == NULL, 0) && !grow(sm))
    return NULL;
  struct sm_inst *inst = sm->pool;
  sm->pool = inst->next;
  return inst;
}

void sm_pool_free(struct sm *sm) {
  for (unsigned i = SM_NEAR; i < sm->chunks; i++)
    free(sm->chunk[i]);
}

struct sm_inst *sm_oldest(struct sm *sm, unsigned warp) {
  return sm->warp[warp].head;
}

void sm_take(struct sm *sm, unsigned warp) {
  struct sm_warp *w = &sm->warp[warp];
  struct sm_inst *inst = w->head;
  w->head = inst->next;
  if (w->head == NULL)
    w->tail = NULL;
  inst->next = sm->pool;
  sm->pool = inst;
}

void sm_retire(struct sm *sm, struct sm_inst *inst) {
  struct sm_warp *w = &sm->warp[inst->warp];
  inst->retired = 1;
  inst->state[SM_STATE_STAGE] = SM_INST_RETIRED;
  sm->in_flight--;
  if (w->head != inst) {
    if (inst->active == 0) { /* on no list: an empty half of a wide warp's instruction */
      inst->next = sm->pool;
      sm->pool = inst;
    }
    return;
  }
  sm->retired |= SM_BIT(inst->warp);
  if (!sm->checked)
    while (w->head != NULL && w->head->retired)
      sm_take(sm, inst->warp);
}

uint64_t sm_retired_warps(struct sm *sm) {
  uint64_t warps = sm->retired;
  sm->retired = 0;
  return warps;
}
