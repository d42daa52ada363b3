/* The pipelines of an SM with two sides: values, reports and credits, paths to and from memory. */
#include "csim/sm/sm_local.h"

enum { MEM_QUEUE = 4 };

static unsigned side_of(unsigned warp) { return warp >= SM_SIDE1; }

void sm_two_sides_reset(struct sm *sm) {
  struct sm_two_sides *t = &sm->side;
  sm_sides_reset(&t->alu, &sm->config, &sm->shape);
  const uint8_t rates[SM_CLASSES] = {1, 1};
  for (unsigned side = 0; side < SM_SIDES; side++) {
    const unsigned part = side == 1 && sm->shape.far == SM_FAR_HALF ? 2 : 1;
    const uint8_t collectors[SM_CLASSES] = {(uint8_t)(sm->config.collectors_mem / part), 1};
    const uint8_t queues[SM_CLASSES] = {(uint8_t)(MEM_QUEUE / part), 0};
    sm_collect_reset(&t->memq[side], collectors, queues, rates, sm->config.banks / part);
  }
  t->mem_seq = 0;
  memset(t->mem_reports, 0, sizeof t->mem_reports);
  memset(t->lag, 0, sizeof t->lag);
  t->to_memory = t->from_memory = (struct sm_path){0};
  t->completed = NULL;
}

/* ---- issue ---- */

/* Fills the banks of an instruction in a side whose warps are numbered from 0. */
static void place_in_banks(struct sm_op *op, const struct sm_decoded *d, unsigned warp,
                           unsigned dst, unsigned mask) {
  op->need = op->written = 0;
  op->apart = true;
  for (unsigned left = d->planes; left != 0; left &= left - 1) {
    const uint32_t bank = UINT32_C(1) << ((d->reg[__builtin_ctz(left)] + warp) & mask);
    op->apart &= (op->need & bank) == 0;
    op->need |= bank;
  }
  for (unsigned k = 0; k < d->writes; k++)
    op->written |= UINT32_C(1) << ((dst + k + warp) & mask);
}

static void fill(struct sm_op *op, const struct sm_decoded *d, const struct sm_inst *inst,
                 unsigned mask) {
  op->id = sm_inst_id(inst);
  op->lat = d->lat;
  op->warp = (uint8_t)(inst->warp - (side_of(inst->warp) != 0 ? SM_SIDE1 : 0));
  op->pending = d->planes;
  op->ends = inst->uop->f.unit == ISA_U_CTRL;
  memcpy(op->reg, d->reg, sizeof op->reg);
  place_in_banks(op, d, op->warp, inst->uop->f.dst, mask);
}

bool sm_two_sides_queue(struct sm *sm, const struct sm_decoded *d, const struct sm_inst *inst) {
  struct sm_two_sides *t = &sm->side;
  const unsigned side = side_of(inst->warp);
  struct sm_op *op, *copy = NULL;
  unsigned mask;
  if (d->pipe == ISA_PIPE_MEM) {
    mask = t->memq[side].bank_mask;
    t->memq[side].seq = t->mem_seq;
    op = sm_collect_push(&t->memq[side], d->cls);
    t->mem_seq += op != NULL;
  } else {
    mask = t->alu.oc[side].bank_mask;
    op = sm_sides_push(&t->alu, side, d->cls, d->reads);
    if (sm->replay.on)
      copy = sm_sides_push(&t->replay, side, d->cls, d->reads);
  }
  if (op == NULL)
    return false;
  fill(op, d, inst, mask);
  if (copy != NULL)
    *copy = *op;
  return true;
}

/* ---- reports and credits ---- */

/* Returns the reports that leave `delay` cycles from now, of which some are made in this cycle. */
static struct sm_lag *lag_of(struct sm *sm) {
  return &sm->side.lag[(sm->cycle + sm->shape.delay) % SM_LAG];
}

static bool lag_empty(const struct sm_lag *l) {
  return (l->n | l->credits.sp | l->credits.sfu | l->credits.mem) == 0;
}

static bool lags(const struct sm_two_sides *t) {
  for (unsigned i = 0; i < SM_LAG; i++)
    if (!lag_empty(&t->lag[i]))
      return true;
  return false;
}

/* Passes on what side 1 has reported `delay` cycles ago. */
static void deliver(struct sm *sm, struct sm_frontend_in *in) {
  struct sm_lag *l = &sm->side.lag[sm->cycle % SM_LAG];
  if (lag_empty(l))
    return;
  for (unsigned i = 0; i < l->n; i++)
    sm_put_collected(sm, in, (enum isa_pipe)l->collected[i].pipe, l->collected[i].warp);
  sm->far_credits = l->credits;
  if ((l->credits.sp | l->credits.sfu | l->credits.mem) != 0)
    sm->raised |= SM_RAISED_FAR;
  *l = (struct sm_lag){0};
}

/* Reads the operands that a side has granted in this cycle; pipe[] is indexed by class. */
static void collect_values(struct sm *sm, unsigned side, const struct sm_collected *oc,
                           const enum isa_pipe pipe[SM_CLASSES], struct sm_frontend_in *in) {
  for (unsigned i = 0; i < oc->n; i++) {
    const struct sm_grant *g = &oc->grant[i];
    struct sm_inst *inst = sm_inst_at(sm, g->id);
    if (g->planes != 0)
      sm_read_planes(sm, inst, g->planes);
    if (!g->done)
      continue;
    sm_read_preds(sm, inst);
    if (side == 0) {
      sm_put_collected(sm, in, pipe[g->cls], inst->warp);
    } else {
      struct sm_lag *l = lag_of(sm);
      l->collected[l->n].pipe = (uint8_t)pipe[g->cls];
      l->collected[l->n++].warp = inst->warp;
    }
    if (inst->uop->f.unit == ISA_U_CTRL) {
      sm->links.branches += side;
      sm_put_branch(sm, inst);
    }
  }
}

/* ---- SP and SFU ---- */

static void count_crossing(struct sm *sm, const struct sm_inst *inst) {
  const struct sm_decoded *d = &sm->decoded[inst->pc];
  if (side_of(inst->warp) == 0)
    return;
  sm->links.operand_planes += d->reads;
  sm->links.result_planes += d->writes;
}

static void step_alu(struct sm *sm, uint32_t busy[SM_SIDES], struct sm_frontend_in *in) {
  struct sm_sides_events ev;
  sm_sides_step(&sm->side.alu, sm->cycle, busy, &ev);
  if (sm->replay.on)
    sm_replay_sides(sm, &ev);
  for (unsigned p = 0; p < SM_ALU_PIPES; p++)
    if (ev.wb[p] != 0)
      sm_put_result(sm, p, sm_inst_at(sm, ev.wb[p]), in);
  for (unsigned i = 0; i < ev.ndispatched; i++) {
    struct sm_inst *inst = sm_inst_at(sm, ev.dispatched[i]);
    inst->state[SM_STATE_STAGE] = SM_INST_PIPE;
    sm_compute(sm, inst);
    count_crossing(sm, inst);
  }
  static const enum isa_pipe pipe[SM_CLASSES] = {ISA_PIPE_SP, ISA_PIPE_SFU};
  for (unsigned side = 0; side < SM_SIDES; side++) {
    collect_values(sm, side, &ev.oc[side], pipe, in);
    sm_count_conflicts(sm, &ev.oc[side]);
    sm->stats.collector_full_sp += ev.oc[side].short_of[SM_ALU_SP];
    sm->stats.collector_full_sfu += ev.oc[side].short_of[SM_ALU_SFU];
  }
  in->sp_credit = ev.oc[0].credit[SM_ALU_SP];
  in->sfu_credit = ev.oc[0].credit[SM_ALU_SFU];
  sm->raised |= (uint64_t)(in->sp_credit != 0) << INPUT_sp_credit;
  sm->raised |= (uint64_t)(in->sfu_credit != 0) << INPUT_sfu_credit;
  lag_of(sm)->credits.sp = ev.oc[1].credit[SM_ALU_SP];
  lag_of(sm)->credits.sfu = ev.oc[1].credit[SM_ALU_SFU];
  sm->links.waits += ev.waited;
}

/* ---- MEM ---- */

/* Returns the side of the oldest MEM instruction if it has its operands, else -1. */
static int oldest_is_full(const struct sm_two_sides *t) {
  bool any = false;
  uint32_t age = 0;
  int found = -1;
  for (unsigned side = 0; side < SM_SIDES; side++) {
    const struct sm_collect *c = &t->memq[side];
    const struct sm_queue *q = &c->queue[0];
    const struct {
      bool there, full;
      unsigned slot;
    } head[] = {{c->full[0].n != 0, true, c->full[0].at[0]},
                {c->collecting.n != 0, false, c->collecting.at[0]},
                {q->n != 0, false, q->slot[q->at % SM_QUEUE_RING]}};
    for (unsigned i = 0; i < sizeof head / sizeof head[0]; i++) {
      if (!head[i].there || (any && (int32_t)(c->age[head[i].slot] - age) >= 0))
        continue;
      any = true;
      age = c->age[head[i].slot];
      found = head[i].full ? (int)side : -1;
    }
  }
  return found;
}

/* Without stages an instruction that takes the link for one cycle passes at once. */
bool sm_path_room(const struct sm *sm, const struct sm_path *p) {
  return sm->shape.delay == 0 ? p->n == 0 && sm_mem_ready(sm->mem) : p->n < sm->shape.delay;
}

void sm_path_reach(struct sm *sm, struct sm_path *p) {
  struct sm_inst *inst = sm_path_due(p, sm->cycle);
  if (inst == NULL || !sm_mem_ready(sm->mem))
    return;
  sm_path_take(p);
  sm_mem_accept(sm->mem, inst);
}

/* Hands the oldest MEM instruction of both sides to the path, in order of issue. */
static void hand_over(struct sm *sm) {
  struct sm_two_sides *t = &sm->side;
  const int side = oldest_is_full(t);
  if (side < 0 || sm->in_memory >= SM_MEM_LIMIT || !sm_path_room(sm, &sm->side.to_memory))
    return;
  if (t->to_memory.free_at > sm->cycle) {
    sm->links.waits++;
    return;
  }
  struct sm_inst *inst = sm_inst_at(sm, sm_collect_take(&t->memq[side], 0, 0)->id);
  const unsigned planes = side == 1 ? sm->decoded[inst->pc].reads : 0;
  inst->state[SM_STATE_STAGE] = SM_INST_MEMORY;
  inst->mem.other = NULL;
  inst->mem.upper = false;
  sm->in_memory++;
  sm->links.address_planes += planes;
  sm_path_put(&t->to_memory, inst, sm->cycle, sm_link_cycles(planes, sm->shape.memory_planes),
              sm->shape.delay);
}

static void step_mem(struct sm *sm, uint32_t busy[SM_SIDES], struct sm_frontend_in *in) {
  struct sm_two_sides *t = &sm->side;
  struct sm_collected oc[SM_SIDES];
  if (sm->shape.delay != 0)
    sm_path_reach(sm, &t->to_memory);
  hand_over(sm);
  if (sm->shape.delay == 0)
    sm_path_reach(sm, &t->to_memory);
  sm_collect_sides(t->memq, busy, t->mem_reports[sm->cycle % SM_LAG],
                   t->mem_reports[(sm->cycle + sm->shape.delay) % SM_LAG], oc);
  static const enum isa_pipe pipe[SM_CLASSES] = {ISA_PIPE_MEM, ISA_PIPE_MEM};
  for (unsigned side = 0; side < SM_SIDES; side++) {
    collect_values(sm, side, &oc[side], pipe, in);
    sm_count_conflicts(sm, &oc[side]);
    sm->stats.collector_full_mem += oc[side].short_of[0];
  }
  in->mem_credit = oc[0].credit[0];
  sm->raised |= (uint64_t)(in->mem_credit != 0) << INPUT_mem_credit;
  lag_of(sm)->credits.mem = oc[1].credit[0];
}

/* Takes a completion and writes one that is through, at most one of each. */
static void leave_memory(struct sm *sm, struct sm_frontend_in *in) {
  struct sm_two_sides *t = &sm->side;
  if (t->completed == NULL && sm->in_memory != 0 &&
      (t->completed = sm_mem_completed(sm->mem)) != NULL)
    sm_mem_left(sm, t->completed);
  if (t->completed != NULL && t->from_memory.free_at > sm->cycle) {
    sm->links.waits++;
  } else if (t->completed != NULL) {
    const unsigned planes =
        side_of(t->completed->warp) != 0 ? sm->decoded[t->completed->pc].writes : 0;
    sm->links.data_planes += planes;
    sm_path_put(&t->from_memory, t->completed, sm->cycle,
                sm_link_cycles(planes, sm->shape.memory_planes), sm->shape.delay);
    t->completed = NULL;
  }
  struct sm_inst *inst = sm_path_due(&t->from_memory, sm->cycle);
  if (inst == NULL)
    return;
  sm_path_take(&t->from_memory);
  sm_put_result(sm, ROW_MEM, inst, in);
}

/* ---- a cycle ---- */

/* The order is that of an SM with one side; what side 1 reports comes last. */
void sm_two_sides_step(struct sm *sm, struct sm_frontend_in *in) {
  uint32_t busy[SM_SIDES] = {0, 0};
  sm->far_credits = (struct sm_credits){0};
  if (sm->in_flight != 0 || lags(&sm->side)) {
    leave_memory(sm, in);
    if (sm->mem_first)
      step_mem(sm, busy, in);
    step_alu(sm, busy, in);
    if (!sm->mem_first)
      step_mem(sm, busy, in);
  }
  deliver(sm, in);
}

bool sm_two_sides_wait(const struct sm *sm) {
  const struct sm_two_sides *t = &sm->side;
  if (!sm_sides_empty(&t->alu) || lags(t) || t->completed != NULL || t->from_memory.n != 0)
    return false;
  bool full = false;
  for (unsigned side = 0; side < SM_SIDES; side++) {
    const struct sm_collect *c = &t->memq[side];
    if (c->collecting.n != 0 || (c->queue[0].n != 0 && c->used[0] < c->collectors[0]))
      return false;
    full |= c->full[0].n != 0;
  }
  if (t->to_memory.n != 0 && sm_mem_ready(sm->mem))
    return false;
  return !full || !sm_path_room(sm, &sm->side.to_memory);
}
