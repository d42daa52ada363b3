/* Wide warps as halves in two SMs that step together. */
#include "csim/sm/pair/pair.h"

#include "csim/sm/sm_local.h"

#include <errno.h>
#include <stdlib.h>

enum { HALVES = 2 };

/* The open branch of a wide warp. */
struct open_branch {
  uint32_t active[HALVES];
  bool branch; /* no exit */
};

struct sm_pair {
  struct sm *sm[HALVES]; /* lower, upper */
  struct sm_frontend_out fe[HALVES];
  struct sm_frontend_in in[HALVES];
  struct sm_path to_memory, from_memory;
  struct sm_inst *completed; /* by the load-store unit, waits for from_memory */
  uint32_t in_memory;        /* instructions of wide warps from hand-over to completion */
  struct open_branch open[SM_WARPS];
};

struct sm_pair *sm_pair_create(struct sm *low, struct sm *high, struct tandem_error *err) {
  struct sm_pair *p = calloc(1, sizeof *p);
  if (p == NULL) {
    (void)tandem_fail(err, -ENOMEM, "no memory for the wide warps of SM %u", low->index);
    return NULL;
  }
  p->sm[0] = low;
  p->sm[1] = high;
  return p;
}

void sm_pair_destroy(struct sm_pair *p) { free(p); }

void sm_pair_begin(struct sm_pair *p, const struct grid *grid, const struct sm_shape *shape) {
  for (unsigned h = 0; h < HALVES; h++) {
    sm_set_shape(p->sm[h], shape);
    p->sm[h]->half = (uint8_t)h;
    p->sm[h]->other = p->sm[1 - h];
    p->sm[h]->smid = (uint8_t)p->sm[0]->index;
    sm_begin(p->sm[h], grid);
  }
  p->to_memory = p->from_memory = (struct sm_path){0};
  p->completed = NULL;
  p->in_memory = 0;
}

/* ---- CTAs ---- */

static struct sm_room room_of(const struct sm_pair *p) {
  struct sm_room room = SM_ROOM_ANY;
  for (unsigned h = 0; h < HALVES; h++)
    sm_cta_room(p->sm[h], &room);
  return room;
}

bool sm_pair_ready(const struct sm_pair *p) {
  const struct sm_room room = room_of(p);
  return sm_cta_ready(p->sm[0]) && sm_cta_ready(p->sm[1]) && sm_room_fits(&room);
}

void sm_pair_cta(struct sm_pair *p, const uint32_t ctaid[3]) {
  const struct sm_room room = room_of(p);
  const uint64_t ctas = p->sm[1]->stats.ctas;
  for (unsigned h = 0; h < HALVES; h++)
    sm_cta_launch_in(p->sm[h], ctaid, &room);
  p->sm[1]->stats.ctas = ctas; /* counted once */
}

/* ---- issue ---- */

static bool fails(struct sm_pair *p, bool wrong, enum sm_fault_kind kind, unsigned warp,
                  uint16_t pc, const char *text) {
  if (wrong)
    sm_raise(p->sm[0], kind, warp, pc, 0, "wide warp %u at pc %u: %s", warp, pc, text);
  return wrong;
}

/* Checks an issue of the wide warp as a whole; each SM checks its half. */
static bool acceptable(struct sm_pair *p, unsigned port, unsigned warp, uint16_t pc,
                       const uint32_t lanes[HALVES]) {
  const struct sm *low = p->sm[0];
  if (fails(p, warp >= SM_WARPS || (warp & 1) != port, SM_FAULT_PROTOCOL, warp, pc,
            "issued at the other port") ||
      fails(p, (lanes[0] | lanes[1]) == 0, SM_FAULT_PROTOCOL, warp, pc,
            "issued without an active lane") ||
      fails(p, (low->unresolved >> warp & 1) != 0, SM_FAULT_PROTOCOL, warp, pc,
            "issued behind its unresolved branch or exit"))
    return false;
  if (pc - low->entry >= low->code || low->grid->uops[pc].id != ISA_BAR ||
      !low->config.barrier_check)
    return true;
  for (unsigned h = 0; h < HALVES; h++) {
    const struct sm *sm = p->sm[h];
    const uint32_t live = (sm->live >> warp & 1) != 0 ? sm->warp[warp].lanes : 0;
    if (fails(p, lanes[h] != live, SM_FAULT_BARRIER, warp, pc,
              "a barrier without all of its live lanes"))
      return false;
  }
  return true;
}

/* Records both halves.  A half without an active lane passes all stages, too. */
static bool record(struct sm_pair *p, uint64_t word, uint16_t pc, const uint32_t lanes[HALVES],
                   struct sm_inst *inst[HALVES]) {
  const unsigned first = lanes[0] != 0 ? 0 : 1; /* it checks word and PC */
  inst[first] = sm_issue_slice(p->sm[first], word, pc, lanes[first]);
  if (inst[first] == NULL)
    return false;
  const unsigned other = 1 - first;
  if (lanes[other] != 0)
    inst[other] = sm_issue_slice(p->sm[other], word, pc, lanes[other]);
  else if (p->sm[0]->decoded[pc].pipe != ISA_PIPE_NONE)
    inst[other] = sm_issue_empty(p->sm[other], word, pc);
  else
    return true;
  return inst[other] != NULL;
}

static void issue(struct sm_pair *p, unsigned port, uint64_t word, uint16_t pc, uint64_t mask) {
  const unsigned warp = (unsigned)(word >> 58);
  const uint32_t lanes[HALVES] = {(uint32_t)mask, (uint32_t)(mask >> 32)};
  struct sm_inst *inst[HALVES] = {NULL, NULL};
  if (!acceptable(p, port, warp, pc, lanes))
    return;
  const uint64_t barriers[HALVES] = {p->sm[0]->stats.barriers, p->sm[1]->stats.barriers};
  if (!record(p, word, pc, lanes, inst))
    return;
  for (unsigned h = 0; h < HALVES; h++) /* counted once, below */
    p->sm[h]->stats.barriers = barriers[h];
  const struct isa_uop *u = &p->sm[0]->grid->uops[pc];
  sm_count_issue(p->sm[0], warp, pc);
  if (p->sm[1]->profile.rows != NULL)
    sm_profile_issue(p->sm[1], warp % SM_SCHEDULERS, pc);
  p->sm[0]->stats.barriers += u->id == ISA_BAR;
  if (u->pipe == ISA_PIPE_NONE)
    return;
  if (u->id == ISA_BRA || u->id == ISA_EXIT) {
    p->open[warp] = (struct open_branch){{lanes[0], lanes[1]}, u->id == ISA_BRA};
    p->sm[0]->unresolved |= SM_BIT(warp); /* also if no lane of the lower half is active */
  }
  for (unsigned h = 0; h < HALVES; h++)
    sm_issue_queue(p->sm[h], inst[h]);
}

static void warp_done(struct sm_pair *p, unsigned warp) {
  bool live = false;
  for (unsigned h = 0; h < HALVES && warp < SM_WARPS; h++) {
    struct sm *sm = p->sm[h];
    if ((sm->live >> warp & 1) == 0)
      continue;
    live = true;
    sm_warp_done(sm, warp);
  }
  if (fails(p, !live, SM_FAULT_PROTOCOL, warp, 0, "reported as ended, but is not live"))
    return;
  /* A CTA of one half warp has none in the upper SM. */
  for (unsigned left = p->sm[0]->ending; left != 0; left &= left - 1) {
    const unsigned slot = (unsigned)__builtin_ctz(left);
    if ((p->sm[1]->resident >> slot & 1) != 0 && p->sm[1]->cta[slot].warps == 0)
      p->sm[1]->ending |= (uint8_t)(1U << slot);
  }
}

/* ---- memory ---- */

/* Returns whether the oldest MEM instruction of a half has its operands. */
static bool collected(const struct sm *sm) {
  const struct sm_collect *c = &sm->memq;
  return c->full[0].n != 0 &&
         (c->collecting.n == 0 || !sm_collect_older(c, c->collecting.at[0], c->full[0].at[0]));
}

/* Hands the oldest MEM instruction over for both halves; the upper one's operands cross. */
static void hand_over(struct sm_pair *p, uint64_t cycle) {
  struct sm *low = p->sm[0];
  const bool ready = collected(low);
  if (fails(p, ready != collected(p->sm[1]), SM_FAULT_TIMING, 0, 0,
            "one half has the operands of the oldest MEM instruction, the other has not"))
    return;
  if (!ready || p->in_memory >= SM_MEM_LIMIT || !sm_path_room(low, &p->to_memory))
    return;
  if (p->to_memory.free_at > cycle) {
    low->links.waits++;
    return;
  }
  struct sm_inst *inst[HALVES];
  for (unsigned h = 0; h < HALVES; h++) {
    inst[h] = sm_inst_at(p->sm[h], sm_collect_take(&p->sm[h]->memq, 0, 0)->id);
    inst[h]->state[SM_STATE_STAGE] = SM_INST_MEMORY;
    inst[h]->mem.other = NULL;
    inst[h]->mem.upper = h != 0;
  }
  if (fails(p, inst[0]->warp != inst[1]->warp || inst[0]->pc != inst[1]->pc, SM_FAULT_TIMING,
            inst[0]->warp, inst[0]->pc, "the halves hand over different MEM instructions"))
    return;
  inst[0]->mem.other = inst[1];
  p->in_memory++;
  const unsigned planes = low->decoded[inst[0]->pc].reads;
  low->links.address_planes += planes;
  sm_path_put(&p->to_memory, inst[0], cycle, sm_link_cycles(planes, low->shape.memory_planes),
              low->shape.delay);
}

static void enter_memory(struct sm_pair *p, uint64_t cycle) {
  if (p->sm[0]->shape.delay != 0)
    sm_path_reach(p->sm[0], &p->to_memory);
  hand_over(p, cycle);
  if (p->sm[0]->shape.delay == 0)
    sm_path_reach(p->sm[0], &p->to_memory);
}

/* Takes a completion, and writes both halves of one that is through. */
static void leave_memory(struct sm_pair *p, uint64_t cycle) {
  struct sm *low = p->sm[0];
  if (p->completed == NULL && p->in_memory != 0 &&
      (p->completed = sm_mem_completed(low->mem)) != NULL)
    p->in_memory--;
  if (p->completed != NULL && p->from_memory.free_at > cycle) {
    low->links.waits++;
  } else if (p->completed != NULL) {
    const unsigned planes = low->decoded[p->completed->pc].writes;
    low->links.data_planes += planes;
    sm_path_put(&p->from_memory, p->completed, cycle,
                sm_link_cycles(planes, low->shape.memory_planes), low->shape.delay);
    p->completed = NULL;
  }
  struct sm_inst *inst = sm_path_due(&p->from_memory, cycle);
  if (inst == NULL)
    return;
  sm_path_take(&p->from_memory);
  struct sm_inst *other = inst->mem.other;
  struct sm_inst *const halves[HALVES] = {inst, other};
  for (unsigned h = 0; h < HALVES; h++) {
    p->sm[h]->changed = halves[h]->mem.changed ? cycle : p->sm[h]->changed;
    p->sm[h]->spin[halves[h]->warp].changed |= halves[h]->mem.changed;
    sm_put_result(p->sm[h], ROW_MEM, halves[h], &p->in[h]);
  }
}

/* ---- inputs of the front end ---- */

/* The halves must report the same in the same cycle. */
static void compare(struct sm_pair *p) {
  const struct sm_frontend_in *a = &p->in[0], *b = &p->in[1];
  const bool same = a->wb_valid == b->wb_valid && a->wb_warp == b->wb_warp &&
                    a->wb_reg == b->wb_reg && a->wb_size == b->wb_size &&
                    a->wb_pred == b->wb_pred && a->col_valid == b->col_valid &&
                    a->col_warp == b->col_warp && a->sp_credit == b->sp_credit &&
                    a->sfu_credit == b->sfu_credit && a->mem_credit == b->mem_credit &&
                    a->resolve_valid == b->resolve_valid && a->resolve_warp == b->resolve_warp;
  if (same)
    return;
  const struct sm_frontend_in *in = (a->wb_valid | a->col_valid | a->resolve_valid) != 0 ? a : b;
  const unsigned warp = in->resolve_valid   ? (unsigned)in->resolve_warp
                        : in->wb_valid != 0 ? (unsigned)(in->wb_warp & 63)
                                            : (unsigned)(in->col_warp & 63);
  (void)fails(p, true, SM_FAULT_TIMING, warp, p->sm[0]->warp[warp % SM_WARPS].last_pc,
              "its halves differ in what they collect, write, resolve or give back");
}

static void merge_resolve(struct sm_pair *p, struct sm_frontend_in *in) {
  const struct open_branch *open = &p->open[in->resolve_warp % SM_WARPS];
  const uint64_t active = (uint64_t)open->active[1] << 32 | open->active[0];
  in->resolve_taken |= p->in[1].resolve_taken << 32;
  p->sm[0]->links.branches++;
  if (!open->branch)
    return;
  p->sm[0]->stats.branches++;
  p->sm[0]->stats.divergent_branches += in->resolve_taken != 0 && in->resolve_taken != active;
}

static void merge(struct sm_pair *p, struct sm_frontend_in *in) {
  const uint64_t lrr = in->cfg_lrr;
  *in = p->in[0];
  in->cfg_lrr = lrr;
  if (in->launch_valid && p->in[1].launch_valid)
    in->launch_mask |= p->in[1].launch_mask << 32;
  if (in->resolve_valid)
    merge_resolve(p, in);
}

/* ---- a cycle ---- */

/* Steps a half, whose own counts of branches stay as they are. */
static void step_half(struct sm_pair *p, unsigned h, uint64_t cycle) {
  struct sm_stats *stats = &p->sm[h]->stats;
  const uint64_t branches = stats->branches, divergent = stats->divergent_branches;
  (void)sm_step(p->sm[h], cycle, &p->fe[h], &p->in[h]);
  stats->branches = branches;
  stats->divergent_branches = divergent;
}

static void take_fault(struct sm_pair *p) {
  if (p->sm[0]->fault.kind == SM_FAULT_NONE)
    p->sm[0]->fault = p->sm[1]->fault;
}

/* The order within a cycle:
 * 1. the oldest MEM instruction is handed over for both halves;
 * 2. both halves step, without issues, ends of warps and memory;
 * 3. a result of memory is written in both halves;
 * 4. their reports are compared and become those of wide warps;
 * 5. ends of warps and traps, then issues, are taken. */
uint64_t sm_pair_step(struct sm_pair *p, uint64_t cycle, const struct sm_frontend_out *fe,
                      struct sm_frontend_in *in) {
  struct sm *low = p->sm[0];
  const bool begins = low->begin;
  p->fe[0] = (struct sm_frontend_out){.imiss_valid = fe->imiss_valid,
                                      .imiss_line = fe->imiss_line,
                                      .stall0 = fe->stall0,
                                      .stall1 = fe->stall1};
  p->fe[1] = (struct sm_frontend_out){.stall0 = STALL_IDLE, .stall1 = STALL_IDLE};
  low->cycle = cycle;
  if (!begins && low->fault.kind == SM_FAULT_NONE)
    enter_memory(p, cycle);
  for (unsigned h = 0; h < HALVES; h++)
    step_half(p, h, cycle);
  take_fault(p);
  if (begins || low->fault.kind != SM_FAULT_NONE) {
    merge(p, in);
    return begins ? INPUT(kernel_start) : 0;
  }
  leave_memory(p, cycle);
  compare(p);
  merge(p, in);
  if (fe->done_valid)
    warp_done(p, (unsigned)fe->done_warp);
  if (fe->trap_valid)
    sm_raise(low, SM_FAULT_STACK, (unsigned)fe->trap_warp & 63,
             low->warp[fe->trap_warp % SM_WARPS].last_pc, 0,
             "SIMT stack overflow of wide warp %u: branches nest too deeply",
             (unsigned)fe->trap_warp);
  if (fe->iss0_valid)
    issue(p, 0, fe->iss0_inst, (uint16_t)fe->iss0_pc, fe->iss0_mask);
  if (fe->iss1_valid)
    issue(p, 1, fe->iss1_inst, (uint16_t)fe->iss1_pc, fe->iss1_mask);
  take_fault(p);
  return low->raised;
}

bool sm_pair_idle(const struct sm_pair *p) { return sm_idle(p->sm[0]) && sm_idle(p->sm[1]); }

bool sm_pair_waiting(const struct sm_pair *p) {
  const struct sm *low = p->sm[0];
  if (!sm_waiting(low) || !sm_waiting(p->sm[1]) || p->completed != NULL || p->from_memory.n != 0)
    return false;
  if (p->to_memory.n != 0 && sm_mem_ready(low->mem))
    return false;
  return low->memq.full[0].n == 0 || !sm_path_room(low, &p->to_memory);
}
