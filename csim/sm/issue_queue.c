/* Issued instructions: checked against the program and the front end's contract, then queued. */
#include "csim/sm/sm_local.h"

/* Raises the fault of a wrong issue, from the front end's own state to the instruction. */
__attribute__((cold, noinline)) static void refuse(struct sm *sm, unsigned port, uint64_t word,
                                                   uint16_t pc, uint32_t mask) {
  unsigned warp = (unsigned)(word >> 58);
  const struct grid *g = sm->grid;
  uint64_t plain = word & ~(UINT64_C(63) << 58);
  if (warp >= SM_WARPS || (sm->live >> warp & 1) == 0)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word, "warp %u issues, but it is not live", warp);
  else if ((warp & 1) != port)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word, "issue port %u issues warp %u", port, warp);
  else if ((sm->unresolved >> warp & 1) != 0)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word,
             "warp %u issues after its unresolved branch or exit at pc %u", warp,
             sm->warp[warp].last_pc);
  else if (mask == 0 || (mask & ~sm->warp[warp].lanes) != 0)
    sm_raise(sm, SM_FAULT_PROTOCOL, warp, pc, word,
             "warp %u issues with active mask %08x, but its live lanes are %08x", warp, mask,
             sm->warp[warp].lanes);
  else if (!grid_has_pc(g, pc))
    sm_raise(sm, SM_FAULT_PC, warp, pc, word, "pc %u is outside kernel %s (%u to %u)", pc,
             g->kernel->name, g->kernel->entry, g->kernel->end - 1);
  else if (plain != g->code[pc])
    sm_raise(sm, SM_FAULT_PC, warp, pc, word,
             "the issued word is %016llx, but the program's is %016llx", (unsigned long long)plain,
             (unsigned long long)g->code[pc]);
  else if (g->uops[pc].id == ISA_ILLEGAL)
    sm_raise(sm, SM_FAULT_ILLEGAL, warp, pc, word, "the word is not valid: %s", isa_check(plain));
  else if (sm_needs_spu(&g->uops[pc]))
    sm_raise(sm, SM_FAULT_ILLEGAL, warp, pc, word,
             "%s needs a stencil processing unit (spu), which the configuration does not have",
             g->uops[pc].id == ISA_BSYNC ? "bsync" : isa_sregs[g->uops[pc].f.imm].name);
  else if (g->uops[pc].id != ISA_MOVS)
    sm_raise(sm, SM_FAULT_ILLEGAL, warp, pc, word, "an interface unit has no unit for %s",
             isa_ops[g->uops[pc].id].mnemonic);
  else
    sm_raise(sm, SM_FAULT_ILLEGAL, warp, pc, word,
             "the instruction reads parameter word %u, but the kernel has %u bytes of parameters",
             g->uops[pc].f.imm - ISA_SREG_PARAM, g->kernel->param_bytes);
}

static inline __attribute__((always_inline)) bool
acceptable(const struct sm *sm, unsigned port, uint64_t word, uint16_t pc, uint32_t mask) {
  unsigned warp = (unsigned)(word >> 58);
  return ((sm->live & ~sm->unresolved) >> warp & 1) != 0 && (warp & 1) == port && mask != 0 &&
         (mask & ~sm->warp[warp].lanes) == 0 && pc - sm->entry < sm->code &&
         (word & ~(UINT64_C(63) << 58)) == sm->decoded[pc].word;
}

/* Takes and fills a record. */
static inline __attribute__((always_inline)) struct sm_inst *
new_record(struct sm *sm, const struct isa_uop *uop, unsigned warp, uint16_t pc, uint32_t mask) {
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
  inst->number = (uint8_t)(sm->other != NULL ? 2 * warp + sm->half : warp);
  inst->sm = (uint8_t)sm->index;
  inst->retired = 0;
  inst->state[SM_STATE_STAGE] = SM_INST_OPERANDS;
  inst->next = NULL;
  sm->in_flight++;
  return inst;
}

/* Records an instruction behind those of its warp. */
static inline __attribute__((always_inline)) struct sm_inst *
record(struct sm *sm, const struct isa_uop *uop, unsigned warp, uint16_t pc, uint32_t mask) {
  struct sm_inst *inst = new_record(sm, uop, warp, pc, mask);
  if (inst == NULL)
    return NULL;
  struct sm_warp *w = &sm->warp[warp];
  if (w->tail != NULL)
    w->tail->next = inst;
  else
    w->head = inst;
  w->tail = inst;
  w->last_pc = pc;
  w->at_barrier = false;
  return inst;
}

static void barrier(struct sm *sm, const struct sm_inst *inst) {
  struct sm_warp *w = &sm->warp[inst->warp];
  sm->stats.barriers += !sm->part;
  w->barriers++;
  w->bar_pc = inst->pc;
  w->at_barrier = true;
  if (sm->config.barrier_check && inst->active != w->lanes)
    sm_raise(sm, SM_FAULT_BARRIER, inst->warp, inst->pc, inst->uop->word,
             "warp %u reaches the barrier at pc %u with lanes %08x of its live %08x", inst->warp,
             inst->pc, inst->active, w->lanes);
}

/* Returns the banks of a warp from two copies of those of warp 0; each warp is shifted by one bank.
 */
static inline uint32_t rotate(uint64_t twice, unsigned warp, unsigned banks) {
  return (uint32_t)(twice << (warp & (banks - 1)) >> banks & ((UINT64_C(1) << banks) - 1));
}

/* Prefetches a register: the warp last issued many cycles ago, and the operands are collected in a
 * later cycle. */
static inline void fetch_plane(const uint32_t plane[ISA_WARP_SIZE]) {
  enum { LINE = 64 / sizeof *plane };
  for (unsigned l = 0; l < ISA_WARP_SIZE; l += LINE)
    __builtin_prefetch(plane + l);
}

__attribute__((cold, noinline)) static void no_credit(struct sm *sm, const struct sm_decoded *d,
                                                      const struct sm_inst *inst) {
  static const char *const name[] = {"SP", "SFU", "MEM"};
  sm_raise(sm, SM_FAULT_PROTOCOL, inst->warp, inst->pc, inst->uop->word,
           "warp %u issues to the %s queue, which is full: no credit was left", inst->warp,
           name[d->pipe]);
}

/* Fills the banks of an instruction in a side that has half of the banks. */
__attribute__((cold, noinline)) static void halve_banks(struct sm_op *op, unsigned banks) {
  const uint32_t half = (UINT32_C(1) << banks / 2) - 1;
  op->need = (op->need | op->need >> banks / 2) & half;
  op->written = (op->written | op->written >> banks / 2) & half;
  op->apart = __builtin_popcount(op->need) == op->reads;
}

static inline __attribute__((always_inline)) void fill_entry(const struct sm *sm, struct sm_op *op,
                                                             const struct sm_decoded *d,
                                                             const struct sm_inst *inst,
                                                             unsigned side) {
  const unsigned warp = inst->warp - side * SM_SIDE1;
  op->need = rotate(d->need, warp, sm->config.banks);
  op->written = rotate(d->written, warp, sm->config.banks);
  op->id = sm_inst_id(inst);
  op->lat = d->lat;
  op->warp = (uint8_t)warp;
  op->pending = d->planes;
  op->reads = d->reads;
  op->apart = d->apart;
  op->ends = inst->uop->f.unit == ISA_U_CTRL;
  memcpy(op->reg, d->reg, sizeof op->reg);
  if (side != 0 && sm->shape.far == SM_FAR_HALF)
    halve_banks(op, sm->config.banks);
}

static inline __attribute__((always_inline)) void
queue_in(struct sm *sm, unsigned side, const struct sm_decoded *d, const struct sm_inst *inst) {
  const bool mem = d->pipe == ISA_PIPE_MEM, deep = sm->config.deep_queues != 0;
  const bool room = !mem || !deep || sm_collect_held(&sm->memq[0], 0) < SM_MEM_PLACES;
  struct sm_op *op = room ? sm_collect_push(mem ? sm->memq : sm->alu.oc, side, d->cls) : NULL;
  if (op == NULL) {
    no_credit(sm, d, inst);
    return;
  }
  fill_entry(sm, op, d, inst, side);
  for (unsigned left = d->planes; left != 0; left &= left - 1)
    fetch_plane(sm->regs[inst->warp][d->reg[__builtin_ctz(left)]]);
  if (!sm->replay.on || (mem && !deep))
    return;
  struct sm_op *copy = sm_collect_push(mem ? &sm->replay.memq : sm->replay.alu.oc, side, d->cls);
  if (copy != NULL)
    *copy = *op;
}

__attribute__((noinline)) static void queue_of_two(struct sm *sm, const struct sm_decoded *d,
                                                   const struct sm_inst *inst) {
  queue_in(sm, sm_side_of(sm, inst->warp), d, inst);
}

static inline __attribute__((always_inline)) void queue(struct sm *sm, const struct sm_decoded *d,
                                                        const struct sm_inst *inst) {
  if (__builtin_expect(sm_sides(sm) > 1, 0))
    queue_of_two(sm, d, inst);
  else
    queue_in(sm, 0, d, inst);
}

/* Records a right instruction, and queues it if a pipeline executes it; a slice is queued later. */
static inline __attribute__((always_inline)) struct sm_inst *
enter(struct sm *sm, uint64_t word, uint16_t pc, uint32_t mask, bool slice) {
  unsigned warp = (unsigned)(word >> 58);
  const struct isa_uop *u = &sm->grid->uops[pc];
  const struct sm_decoded *d = &sm->decoded[pc];
  if ((sm->looping >> warp & 1) != 0)
    sm_spin_look(sm, warp);
  struct sm_inst *inst = record(sm, u, warp, pc, mask);
  if (inst == NULL)
    return NULL;
  const unsigned lanes = mask == ~0U ? 32 : (unsigned)__builtin_popcount(mask);
  if (!slice)
    sm_count_issue(sm, warp, pc);
  sm->stats.thread_instructions += lanes;
  if (sm->profile.rows != NULL)
    sm->profile.rows[pc].thread_instructions += lanes;
  sm->stats.operands_read += d->reads;
  sm->stats.operands_written += d->writes;
  if (d->pipe == ISA_PIPE_NONE) {
    sm_read_preds(sm, inst);
    if (u->id == ISA_BAR)
      barrier(sm, inst);
    sm_retire(sm, inst);
    return inst;
  }
  if (u->id == ISA_BRA || u->id == ISA_EXIT)
    sm->unresolved |= SM_BIT(warp);
  if (d->pipe == ISA_PIPE_MEM && sm->config.cb_bytes != 0)
    sm_block_issue(sm, inst);
  if (!slice)
    queue(sm, d, inst);
  return inst;
}

void sm_issue(struct sm *sm, unsigned port, uint64_t word, uint16_t pc, uint32_t mask) {
  if (acceptable(sm, port, word, pc, mask))
    (void)enter(sm, word, pc, mask, false);
  else
    refuse(sm, port, word, pc, mask);
}

struct sm_inst *sm_issue_slice(struct sm *sm, uint64_t word, uint16_t pc, uint32_t mask) {
  const unsigned port = word >> 58 & 1;
  if (acceptable(sm, port, word, pc, mask))
    return enter(sm, word, pc, mask, true);
  refuse(sm, port, word, pc, mask);
  return NULL;
}

void sm_issue_queue(struct sm *sm, const struct sm_inst *inst) {
  queue(sm, &sm->decoded[inst->pc], inst);
}

struct sm_inst *sm_issue_empty(struct sm *sm, uint64_t word, uint16_t pc) {
  const struct sm_decoded *d = &sm->decoded[pc];
  struct sm_inst *inst = new_record(sm, &sm->grid->uops[pc], (unsigned)(word >> 58), pc, 0);
  if (inst == NULL)
    return NULL;
  sm->stats.operands_read += d->reads;
  sm->stats.operands_written += d->writes;
  return inst;
}
