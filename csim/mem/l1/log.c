/* Accesses to global memory between the load-store units and the serial part. */
#include "csim/mem/l1/log.h"

#include <stdlib.h>

#include "csim/mem/l1/sm_mem.h"

bool log_init(struct mem_log *l) {
  *l = (struct mem_log){.due = UINT64_MAX};
  l->all = aligned_alloc(64, LOG_COPIES * sizeof *l->all);
  for (unsigned i = 0; l->all != NULL && i < LOG_COPIES; i++)
    l->copy[l->copies++] = &l->all[LOG_COPIES - 1 - i];
  return l->all != NULL;
}

void log_free(struct mem_log *l) { free(l->all); }

/* ---- the SM's side ---- */

void log_event(struct sm_mem *s) { *s->active |= MEM_EVENT(s->now); }

static void add(struct sm_mem *s, struct sm_inst *inst, uint32_t lanes, uint64_t due) {
  s->log.entry[s->log.end++ % LOG_ENTRIES] =
      (struct log_entry){.cycle = s->now, .due = due, .inst = inst, .lanes = lanes};
  log_event(s);
}

void log_load(struct sm_mem *s, struct sm_inst *inst, uint32_t lanes, uint32_t latency) {
  const uint64_t due = s->now + (latency > 1 ? latency - 1 : 1);
  add(s, inst, lanes, due);
  if (s->log.due > due)
    s->log.due = due;
}

void log_write(struct sm_mem *s, struct sm_inst *inst, uint32_t lanes) {
  add(s, inst, lanes, UINT64_MAX);
  s->log.writing |= UINT64_C(1) << inst->warp;
}

void log_returned(struct sm_mem *s, const struct sm_inst *inst) {
  struct mem_log *l = &s->log;
  for (uint32_t i = l->first; i != l->end; i++) {
    struct log_entry *e = &l->entry[i % LOG_ENTRIES];
    if (e->inst != inst)
      continue;
    e->inst = l->copy[--l->copies];
    *e->inst = *inst;
    e->back = s->now;
  }
}

uint64_t sm_mem_writing(const struct sm_mem *s) { return s->log.writing; }

uint64_t sm_mem_changed(struct sm_mem *s, uint64_t *cycle) {
  const uint64_t warps = s->log.changed;
  *cycle = s->log.last;
  s->log.changed = 0;
  return warps;
}

/* ---- the serial part ---- */

static void perform(const struct sm_mem *s, struct sm_inst *inst, uint32_t lanes) {
  const struct lsu_view v = {.base = s->store->base, .stride = 4, .off = inst->addr};
  if (inst->uop->f.unit == ISA_U_ATOM)
    lsu_atomic(&v, inst, lanes);
  else if (lsu_is_store(inst->uop))
    lsu_store(&v, inst, lanes);
  else
    lsu_load(&v, inst, lanes);
}

/* Notes what is left. */
static void look(struct mem_log *l) {
  l->due = UINT64_MAX;
  l->writing = 0;
  for (uint32_t i = l->first; i != l->end; i++) {
    const struct log_entry *e = &l->entry[i % LOG_ENTRIES];
    if (e->due == UINT64_MAX)
      l->writing |= UINT64_C(1) << e->inst->warp;
    else if (l->due > e->due)
      l->due = e->due;
  }
}

static void end_copy(struct mem_log *l, const struct log_entry *e) {
  if (e->inst->mem.changed) {
    if (l->changed == 0 || l->last < e->back) /* a store to shared memory, too, comes back late */
      l->last = e->back;
    l->changed |= UINT64_C(1) << e->inst->warp;
  }
  l->copy[l->copies++] = e->inst;
}

static void take(struct sm_mem *s, uint64_t cycle, bool write) {
  struct mem_log *l = &s->log;
  const uint32_t before = l->first;
  while (l->first != l->end) {
    const struct log_entry *e = &l->entry[l->first % LOG_ENTRIES];
    if (e->cycle != cycle || (e->due == UINT64_MAX) != write)
      break;
    perform(s, e->inst, e->lanes);
    if (e->back != 0)
      end_copy(l, e);
    l->first++;
  }
  if (l->first != before)
    look(l);
}

void log_loads(struct sm_mem *s, uint64_t cycle) { take(s, cycle, false); }

void log_writes(struct sm_mem *s, uint64_t cycle) { take(s, cycle, true); }
