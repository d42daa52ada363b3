/* The load-store unit: takes instructions in order, performs the effect of the first one, and
 * passes its transactions to L1D, constant cache and shared memory, one a cycle. */
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

static void ready_at(struct sm_inst *inst, uint64_t cycle) {
  if (inst->mem.ready < cycle)
    inst->mem.ready = cycle;
}

static void clear_lanes(struct sm_inst *inst, uint32_t lanes) {
  for (uint32_t todo = lanes; todo != 0; todo &= todo - 1)
    for (unsigned k = 0; k < 4; k++)
      inst->d[k][__builtin_ctz(todo)] = 0;
}

void lsu_start_shared(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes) {
  uint32_t mask = lanes->mask[ISA_SPACE_SHARED];
  struct lsu_view v = {.base = s->shared + (size_t)s->slot[inst->warp] * s->shared_stride,
                       .stride = 4,
                       .off = lanes->off};
  if (inst->uop->f.unit == ISA_U_ATOM)
    lsu_atomic(&v, inst, mask);
  else if (lsu_is_store(inst->uop))
    lsu_store(&v, inst, mask);
  else
    lsu_load(&v, inst, mask);
  uint32_t conflicts;
  s->passes += shared_passes(s, inst, lanes->off, mask, &conflicts);
  MEM_COUNT(s, inst, shared_conflict_cycles, conflicts);
}

void lsu_start_local(struct sm_mem *s, const struct sm_mem *own, struct sm_inst *inst,
                     const struct lsu_lanes *lanes) {
  uint32_t mask = lanes->mask[ISA_SPACE_LOCAL];
  uint32_t off[ISA_WARP_SIZE] = {0}; /* word by word over the lanes */
  for (uint32_t l = 0; l < ISA_WARP_SIZE; l++)
    if ((mask >> l & 1) != 0)
      off[l] = lanes->off[l] / 4 * 128 + 4 * l + (lanes->off[l] & 3);
  struct lsu_view v = {
      .base = own->local + (size_t)inst->warp * s->local_words * 128, .stride = 128, .off = off};
  if (lsu_is_store(inst->uop))
    lsu_store(&v, inst, mask);
  else
    lsu_load(&v, inst, mask);
  coalesce_local(s, own, inst, lanes->off, mask);
}

void lsu_read_const(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes) {
  bool param = inst->mem.space == ISA_SPACE_PARAM;
  /* Loads never write through the view. */
  uint8_t *params = (uint8_t *)(uintptr_t)s->grid->params;
  if (param) {
    const struct lsu_view v = {.base = params, .stride = 4, .off = lanes->off};
    lsu_load(&v, inst, lanes->mask[0]);
  } else {
    log_load(s, inst, lanes->mask[0], s->config->const_latency);
  }
}

static void start_const(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes) {
  uint32_t seen[ISA_WARP_SIZE], n = 0;
  lsu_read_const(s, inst, lanes);
  coalesce_const(s, lanes->off, lanes->mask[0],
                 inst->mem.space == ISA_SPACE_PARAM ? s->grid->param_address : 0, seen, &n);
  s->stats.const_accesses++;
}

/* Returns the words that the lanes of a load or store move; less than a word counts as one. */
static uint64_t words_of(const struct isa_uop *u, uint32_t mask) {
  return (uint64_t)__builtin_popcount(mask) * ((u->mem_size * u->mem_elems + 3U) / 4);
}

/* Counts the words of a load from or store to global memory. */
static void count_words(struct sm_mem *s, const struct sm_inst *inst, uint32_t mask) {
  const uint64_t words = words_of(inst->uop, mask);
  const bool store = lsu_is_store(inst->uop);
  *(store ? &s->stats.global_words_stored : &s->stats.global_words_loaded) += words;
  if (s->cb != NULL)
    s->cb->words[s->slot[inst->warp]][store] += words;
}

void lsu_read_global(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes) {
  const uint32_t mask = lanes->mask[ISA_SPACE_GLOBAL];
  if (inst->uop->f.unit == ISA_U_ATOM)
    return;
  if (!lsu_is_store(inst->uop))
    log_load(s, inst, mask, s->l1d_latency);
  count_words(s, inst, mask);
}

bool lsu_count_global(struct sm_mem *s, struct sm_inst *inst) {
  if (inst->uop->f.unit == ISA_U_ATOM) {
    s->stats.atomics++;
  } else if (lsu_is_store(inst->uop)) {
    s->stats.global_stores++;
  } else {
    s->stats.global_loads++;
    inst->mem.aux[AUX_GLOBAL_LOAD] = 1;
    return false;
  }
  return true;
}

static void start_global(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes) {
  uint32_t mask = lanes->mask[ISA_SPACE_GLOBAL];
  coalesce_global(s, inst, lanes->off, mask);
  lsu_read_global(s, inst, lanes);
  if (lsu_count_global(s, inst))
    log_write(s, inst, mask);
}

void lsu_lanes_of(struct sm_mem *s, struct sm_inst *inst, struct lsu_lanes *lanes) {
  lsu_resolve(s, inst, lanes);
  uint32_t good = lanes->mask[0] | lanes->mask[1] | lanes->mask[2] | lanes->buffers;
  if (good != inst->exec)
    clear_lanes(inst, inst->exec & ~good);
}

/* Starts an instruction: addresses, checks, functional effect, transactions. */
static void start(struct sm_mem *s, struct sm_inst *inst) {
  struct lsu_lanes lanes;
  s->head = inst;
  s->count = s->next = s->passes = 0;
  inst->mem.phase = PHASE_ACTIVE;
  inst->mem.ready = 0;
  if (inst->uop->id == ISA_BSYNC) {
    s->fence = true;
    return;
  }
  if (__builtin_expect(inst->mem.other != NULL, 0)) {
    pair_start(s, inst);
    return;
  }
  lsu_lanes_of(s, inst, &lanes);
  if (lanes.mask[ISA_SPACE_SHARED] != 0) {
    lsu_start_shared(s, inst, &lanes);
    s->stats.shared_accesses++;
  }
  if (lanes.mask[ISA_SPACE_GLOBAL] != 0) {
    if (inst->mem.space == ISA_SPACE_CONST || inst->mem.space == ISA_SPACE_PARAM) {
      start_const(s, inst, &lanes);
    } else {
      start_global(s, inst, &lanes);
      MEM_COUNT(s, inst, transactions, s->count);
    }
  }
  if (lanes.mask[ISA_SPACE_LOCAL] != 0) {
    uint32_t before = s->count;
    lsu_start_local(s, s, inst, &lanes);
    s->stats.local_accesses++;
    MEM_COUNT(s, inst, transactions, s->count - before);
  }
}

/* Performs the next transaction of the head instruction.  If it found no room, it is tried again
 * only after a packet has left the port or a response has come, as nothing else makes room. */
static void transact(struct sm_mem *s, struct sm_inst *inst) {
  const struct transaction *t = &s->list[s->next];
  const uint64_t misses = s->stats.l1d_misses;
  bool same = s->stalled && s->stall_head == s->out.head;
  if (!same && l1_access(s, inst, t)) {
    s->stalled = false;
    s->next++;
    if (s->profile != NULL)
      s->profile[inst->pc].l1d_misses += s->stats.l1d_misses - misses;
    return;
  }
  s->stalled = true;
  s->stall_head = s->out.head;
  MEM_COUNT(s, inst, l1d_reserved_fails, t->kind != TR_CONST);
}

/* Does one cycle's work of the head instruction: a bsync's arrival (with direction SPILL, when
 * memory has all writes of the SM), a pass over shared memory or communication buffers, or a
 * transaction. */
static void work(struct sm_mem *s, struct sm_inst *inst) {
  if (s->fence) {
    if ((inst->uop->imm32 & ISA_DIR_SPILL) != 0 && s->writes != 0)
      return;
    s->fence = false;
    cb_arrive(s, inst);
  } else if (s->passes > 0) {
    s->passes--;
    ready_at(inst, s->now + s->shared_latency - 1);
  } else if (s->cb_todo) {
    cb_pass(s, inst);
  } else if (__builtin_expect(s->second, 0)) {
    s->second = false;
  } else if (s->next < s->count) {
    transact(s, inst);
  }
  if (s->passes > 0 || s->cb_todo || s->next < s->count)
    return;
  ready_at(inst, s->now + 1);
  s->head = NULL;
  inst->mem.phase = PHASE_WAITING;
  completions_settle(s, inst);
}

/* The order: 1. responses of the crossbar; 2. requests for instruction lines, before data, which
 * would keep the port full; 3. the load-store unit; 4. completions of this cycle. */
void sm_mem_step(struct sm_mem *s, uint64_t cycle) {
  s->now = cycle;
  s->taken = false;
  if (s->cb != NULL)
    cb_clear(s->cb, cycle);
  if (s->in_flight == 0 && ring_empty(&s->in) && s->ask_head == s->ask_tail)
    return;
  if (!ring_empty(&s->in))
    l1_responses(s);
  if (s->ask_head != s->ask_tail)
    l1_ask_code(s);
  if (s->head == NULL && s->queue_head != s->queue_tail)
    start(s, s->queue[s->queue_head++ & s->queue_mask]);
  if (s->head != NULL)
    work(s, s->head);
  if (s->in_flight != 0)
    completions_collect(s);
}

bool sm_mem_waits(const struct sm_mem *s, uint64_t cycle) {
  if (s->in_flight == 0 && s->outstanding == 0) /* nothing to wait for: its port empties */
    return false;
  if (!ring_empty(&s->in) && ring_head(&s->in)->ready <= cycle)
    return false;
  if (s->ask_head != s->ask_tail || s->fill_head != s->fill_tail)
    return false;
  if (s->head != NULL ? !s->stalled || s->stall_head != s->out.head
                      : s->queue_head != s->queue_tail)
    return false;
  if (s->cb != NULL && cb_recorded(s->cb))
    return false;
  return s->done_first == NULL && s->wheel[cycle & s->wheel_mask] == NULL;
}

void sm_mem_skip(struct sm_mem *s, uint64_t cycles) {
  s->now += cycles;
  if (s->head != NULL)
    MEM_COUNT(s, s->head, l1d_reserved_fails, s->list[s->next].kind != TR_CONST ? cycles : 0);
}

bool sm_mem_ready(const struct sm_mem *s) {
  return s->queue_tail - s->queue_head + (s->head != NULL) < s->config->lsu_queue;
}

void sm_mem_accept(struct sm_mem *s, struct sm_inst *inst) {
  inst->mem.phase = PHASE_QUEUED;
  inst->mem.waiting = 0;
  inst->mem.changed = false;
  if (inst->mem.other != NULL)
    inst->mem.other->mem.changed = false;
  memcpy(&inst->mem.aux[AUX_LOW], &s->now, sizeof s->now);
  inst->mem.aux[AUX_GLOBAL_LOAD] = 0;
  s->queue[s->queue_tail++ & s->queue_mask] = inst;
  s->in_flight++;
}
