/* MEM instructions on their way to the load-store unit and back. */
#include "csim/sm/sm_local.h"

/* Returns whether a side has a MEM instruction that is older and has not all of its operands. */
static inline bool collects_older(const struct sm_collect *c, uint32_t age) {
  const struct sm_queue *q = &c->queue[0];
  return (c->collecting.n != 0 && sm_age_before(c->age[c->collecting.at[0]], age)) ||
         (q->n != 0 && sm_age_before(c->age[q->slot[q->at % SM_QUEUE_RING]], age));
}

/* Returns the side of the oldest MEM instruction if it has its operands, else SM_SIDES. */
static inline __attribute__((always_inline)) unsigned oldest_of(const struct sm_collect *c,
                                                                unsigned sides) {
  const struct sm_list *const full[SM_SIDES] = {&c[0].full[0], &c[1].full[0]};
  const unsigned first[SM_SIDES] = {0, 0};
  const unsigned found = sm_collect_oldest(c, sides, full, first);
  if (found == sides)
    return SM_SIDES;
  const uint32_t age = c[found].age[full[found]->at[0]];
  for (unsigned side = 0; side < sides; side++)
    if (collects_older(&c[side], age))
      return SM_SIDES;
  return found;
}

static inline unsigned oldest_collected(const struct sm *sm) {
  return sm_sides(sm) == 1 ? oldest_of(sm->memq, 1) : oldest_of(sm->memq, SM_SIDES);
}

struct sm_inst *sm_mem_oldest(const struct sm *sm) {
  const unsigned side = oldest_collected(sm);
  if (side == SM_SIDES)
    return NULL;
  const struct sm_collect *c = &sm->memq[side];
  return sm_inst_at(sm, c->op[c->full[0].at[0]].id);
}

/* Without stages an instruction that takes the link for one cycle passes at once. */
bool sm_mem_room(const struct sm *sm) {
  const struct sm_path *p = &sm->to_memory;
  return sm->shape.delay == 0 ? p->n == 0 && sm_mem_ready(sm->mem) : p->n < sm->shape.delay;
}

static void reach(struct sm *sm) {
  struct sm_inst *inst = sm_path_due(&sm->to_memory, sm->cycle);
  if (inst == NULL || !sm_mem_ready(sm->mem))
    return;
  sm_path_take(&sm->to_memory);
  sm_mem_accept(sm->mem, inst);
}

static struct sm_inst *take(struct sm *sm, unsigned side) {
  struct sm_inst *inst = sm_inst_at(sm, sm_collect_take(&sm->memq[side], 0, 0)->id);
  inst->state[SM_STATE_STAGE] = SM_INST_MEMORY;
  inst->mem.other = NULL;
  inst->mem.upper = sm->half != 0;
  return inst;
}

/* Returns whether an instruction's planes cross a link: those of side 1, or of an upper half. */
static bool crosses(const struct sm *sm, const struct sm_inst *inst) {
  return sm->other != NULL || sm_side_of(sm, inst->warp) != 0;
}

static unsigned hand_over(struct sm *sm) {
  const unsigned side = oldest_collected(sm);
  if (side == SM_SIDES || sm->in_memory >= SM_MEM_LIMIT || !sm_mem_room(sm))
    return 0;
  if (sm->to_memory.free_at > sm->cycle) {
    sm->links.waits++;
    return 0;
  }
  struct sm_inst *inst = take(sm, side);
  if (sm->other != NULL)
    inst->mem.other = take(sm->other, 0);
  const unsigned planes = crosses(sm, inst) ? sm->decoded[inst->pc].reads : 0;
  sm->in_memory++;
  sm->links.address_planes += planes;
  sm_path_put(&sm->to_memory, inst, sm->cycle, sm_link_cycles(planes, sm->shape.memory_planes),
              sm->shape.delay);
  return 1;
}

unsigned sm_mem_enter(struct sm *sm) {
  if (sm->shape.delay != 0)
    reach(sm);
  const unsigned left = hand_over(sm);
  if (sm->shape.delay == 0 && sm->to_memory.n != 0)
    reach(sm);
  return left;
}

struct sm_inst *sm_mem_leave(struct sm *sm) {
  struct sm_inst *inst = sm->completed;
  if (inst != NULL && sm->from_memory.free_at > sm->cycle) {
    sm->links.waits++;
  } else if (inst != NULL) {
    const unsigned planes = crosses(sm, inst) ? sm->decoded[inst->pc].writes : 0;
    sm->links.data_planes += planes;
    sm_path_put(&sm->from_memory, inst, sm->cycle, sm_link_cycles(planes, sm->shape.memory_planes),
                sm->shape.delay);
    sm->completed = NULL;
  }
  inst = sm_path_due(&sm->from_memory, sm->cycle);
  if (inst != NULL)
    sm_path_take(&sm->from_memory);
  return inst;
}
