/* Issued instructions: checked against the program and the front end's contract, then queued. */
#include "csim/sm/sm_local.h"

/* An issue that cannot be right; the fault says why.  The order is from the front end's own state
 * to the instruction. */
static bool acceptable(struct sm *sm, unsigned port, uint64_t word, uint16_t pc, uint32_t mask) {
  unsigned warp = (unsigned)(word >> 58);
  const struct grid *g = sm->grid;
  uint64_t plain = word & ~(UINT64_C(63) << 58);
  if (warp >= SM_WARPS || (sm->live >> warp & 1) == 0)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word, "issue of warp %u, which is not live", warp);
  else if ((warp & 1) != port)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word, "issue port %u issues warp %u", port, warp);
  else if ((sm->unresolved >> warp & 1) != 0)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word,
             "warp %u issues behind its unresolved branch or exit at pc %u", warp,
             sm->warp[warp].last_pc);
  else if (mask == 0 || (mask & ~sm->warp[warp].lanes) != 0)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word,
             "active mask %08x, but the live lanes of warp %u are %08x", mask, warp,
             sm->warp[warp].lanes);
  else if (pc < g->kernel->entry || pc >= g->kernel->end)
    sm_raise(sm, SM_FAULT_PC, warp, pc, word, "pc %u is outside kernel %s (%u to %u)", pc,
             g->kernel->name, g->kernel->entry, g->kernel->end - 1);
  else if (plain != g->code[pc])
    sm_raise(sm, SM_FAULT_PC, warp, pc, word, "issued word %016llx, the program's is %016llx",
             (unsigned long long)plain, (unsigned long long)g->code[pc]);
  else if (g->uops[pc].id == ISA_ILLEGAL)
    sm_raise(sm, SM_FAULT_ILLEGAL, warp, pc, word, "illegal instruction: %s", isa_check(plain));
  else if (g->uops[pc].id == ISA_MOVS && g->uops[pc].f.imm >= ISA_SREG_PARAM &&
           (g->uops[pc].f.imm - ISA_SREG_PARAM) * 4U >= g->kernel->param_bytes)
    sm_raise(sm, SM_FAULT_ILLEGAL, warp, pc, word,
             "parameter word %u, but the kernel has %u bytes of parameters",
             g->uops[pc].f.imm - ISA_SREG_PARAM, g->kernel->param_bytes);
  else
    return true;
  return false;
}

static struct sm_inst *record(struct sm *sm, const struct isa_uop *uop, unsigned warp, uint16_t pc,
                              uint32_t mask) {
  struct sm_inst *inst = sm_inst_get(sm);
  if (inst == NULL) {
    sm_raise(
        sm, SM_FAULT_PROTOCOL, warp, pc, uop->word,
        "no record for an instruction: host memory is exhausted, or nobody takes what retired");
    return NULL;
  }
  inst->uop = uop;
  inst->issued = sm->cycle;
  inst->active = mask;
  inst->exec = inst->p2 = inst->p3 = inst->pred = 0;
  inst->pc = pc;
  inst->warp = (uint8_t)warp;
  inst->sm = (uint8_t)sm->index;
  inst->retired = 0;
  inst->state[SM_STATE_STAGE] = SM_STAGE_OPERANDS;
  inst->next = NULL;
  struct sm_warp *w = &sm->warp[warp];
  if (w->tail != NULL)
    w->tail->next = inst;
  else
    w->head = inst;
  w->tail = inst;
  w->last_pc = pc;
  w->at_barrier = false;
  sm->in_flight++;
  return inst;
}

static void barrier(struct sm *sm, const struct sm_inst *inst) {
  struct sm_warp *w = &sm->warp[inst->warp];
  sm->stats.barriers++;
  w->barriers++;
  w->bar_pc = inst->pc;
  w->at_barrier = true;
  if (sm->config.barrier_check && inst->active != w->lanes)
    sm_raise(sm, SM_FAULT_BARRIER, inst->warp, inst->pc, inst->uop->word,
             "warp %u reaches the barrier at pc %u with lanes %08x of its live %08x", inst->warp,
             inst->pc, inst->active, w->lanes);
}

/* Bank of a register: neighbouring warps are shifted by one. */
static uint8_t bank_of(const struct sm *sm, unsigned warp, unsigned reg) {
  return (uint8_t)((warp + reg) & (sm->config.banks - 1));
}

static struct sm_op timing_of(const struct sm *sm, const struct sm_inst *inst) {
  static const uint8_t planes[4] = {0, 1, 3, 15}; /* by enum isa_n */
  static const uint8_t offset[SM_PLANES] = {0, 1, 0, 1, 2, 3, 0, 1};
  const struct isa_uop *u = inst->uop;
  const uint8_t base[SM_PLANES] = {u->f.src1, u->f.src1, u->f.src2, u->f.src2,
                                   u->f.src2, u->f.src2, u->f.src3, u->f.src3};
  struct sm_op op = {.id = sm_inst_id(inst), .lat = u->lat};
  op.pending = (uint8_t)(planes[u->o.s1] | planes[u->o.s2] << 2 | planes[u->o.s3] << 6);
  for (unsigned left = op.pending; left != 0; left &= left - 1) {
    unsigned k = (unsigned)__builtin_ctz(left);
    op.bank[k] = bank_of(sm, inst->warp, base[k] + offset[k]);
  }
  for (unsigned k = 0; k < isa_n_regs(u->o.d); k++)
    op.written |= UINT32_C(1) << bank_of(sm, inst->warp, u->f.dst + k);
  return op;
}

static void queue(struct sm *sm, struct sm_inst *inst) {
  const struct isa_uop *u = inst->uop;
  struct sm_op op = timing_of(sm, inst);
  bool room;
  if (u->pipe == ISA_PIPE_MEM) {
    room = sm_collect_push(&sm->memq, &op);
  } else {
    op.cls = u->pipe == ISA_PIPE_SFU ? SM_ALU_SFU : SM_ALU_SP;
    room = sm_collect_push(&sm->alu.oc, &op);
    if (sm->witness_on)
      (void)sm_collect_push(&sm->witness.oc, &op);
  }
  if (!room)
    sm_raise(sm, SM_FAULT_PROTOCOL, inst->warp, inst->pc, u->word,
             "warp %u issues to the %s queue, which is full: no credit was left", inst->warp,
             u->pipe == ISA_PIPE_MEM   ? "MEM"
             : u->pipe == ISA_PIPE_SFU ? "SFU"
                                       : "SP");
}

void sm_intake(struct sm *sm, unsigned port, uint64_t word, uint16_t pc, uint32_t mask) {
  if (!acceptable(sm, port, word, pc, mask))
    return;
  unsigned warp = (unsigned)(word >> 58);
  const struct isa_uop *u = &sm->grid->uops[pc];
  struct sm_inst *inst = record(sm, u, warp, pc, mask);
  if (inst == NULL)
    return;
  sm->stats.warp_instructions++;
  sm->stats.thread_instructions += (unsigned)__builtin_popcount(mask);
  sm->stats.by_unit[u->f.unit]++;
  if (u->pipe == ISA_PIPE_NONE) {
    sm_read_preds(sm, inst);
    if (u->id == ISA_BAR)
      barrier(sm, inst);
    sm_retire(sm, inst);
    return;
  }
  if (u->id == ISA_BRA || u->id == ISA_EXIT)
    sm->unresolved |= SM_BIT(warp);
  queue(sm, inst);
}
