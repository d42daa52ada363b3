/* Faults, statistics, and the state of every warp for hang reports. */
#include "csim/isa/asm/asm.h"
#include "csim/sm/sm_local.h"

#include <stdarg.h>
#include <stdio.h>

void sm_raise(struct sm *sm, enum sm_fault_kind kind, unsigned warp, uint16_t pc, uint64_t word,
              const char *format, ...) {
  struct sm_fault *f = &sm->fault;
  if (f->kind != SM_FAULT_NONE)
    return;
  *f = (struct sm_fault){
      .kind = kind, .warp = (uint8_t)warp, .pc = pc, .cycle = sm->cycle, .word = word};
  va_list args;
  va_start(args, format);
  (void)vsnprintf(f->text, sizeof f->text, format, args);
  va_end(args);
}

const struct sm_fault *sm_fault(const struct sm *sm) { return &sm->fault; }

void sm_stats(const struct sm *sm, struct sm_stats *stats) { *stats = sm->stats; }

void sm_stats_add(struct sm_stats *to, const struct sm_stats *from) {
#define STAT_COUNT STAT_ADD
#include "csim/sm/stats.def"
  for (unsigned i = 0; i < sizeof to->by_unit / sizeof to->by_unit[0]; i++)
    to->by_unit[i] += from->by_unit[i];
  for (unsigned i = 0; i < STALL_CODES; i++)
    to->stalls[i] += from->stalls[i];
}

struct text {
  char *at;
  size_t size, length;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = t->length < t->size ? t->size - t->length : 0;
  int n = vsnprintf(room != 0 ? t->at + t->length : NULL, room, format, args);
  va_end(args);
  t->length += n > 0 ? (size_t)n : 0;
}

static void put_inst(struct text *t, const struct sm *sm, const struct sm_inst *inst) {
  static const char *const stage[] = {
      [SM_INST_OPERANDS] = "waits for operands, a collector or a pipeline",
      [SM_INST_PIPE] = "is in its pipeline",
      [SM_INST_MEMORY] = "is in the memory system",
      [SM_INST_RETIRED] = "is retired, not checked",
  };
  char code[ISA_TEXT];
  isa_disasm(inst->uop->word, code);
  put(t, "; oldest in flight: pc %u '%s', issued %llu cycles ago, %s", inst->pc, code,
      (unsigned long long)(sm->cycle - inst->issued), stage[inst->state[SM_STATE_STAGE]]);
}

static const char *state_of(const struct sm *sm, unsigned warp) {
  if ((sm->live >> warp & 1) == 0)
    return sm->cta[sm->warp[warp].place.cta_slot].ended >> warp & 1 ? "ended, its CTA has not"
                                                                    : "waits for its launch";
  if (sm->unresolved >> warp & 1)
    return "waits for its branch or exit";
  if (sm->warp[warp].at_barrier)
    return "at a barrier";
  if (sm->syncing >> warp & 1)
    return "waits at its block's synchronisation";
  return sm->warp[warp].head != NULL ? "waits for instructions in flight" : "waits for its issue";
}

/* The warps of the resident CTAs. */
static uint64_t allocated(const struct sm *sm) {
  uint64_t warps = 0;
  for (unsigned left = sm->resident; left != 0; left &= left - 1)
    warps |= sm->cta[__builtin_ctz(left)].warps;
  return warps;
}

int sm_describe(const struct sm *sm, char *text, size_t size) {
  struct text t = {text, size, 0};
  if (size != 0)
    text[0] = '\0';
  for (uint64_t left = allocated(sm); left != 0; left &= left - 1) {
    unsigned warp = (unsigned)__builtin_ctzll(left), slices = sm->config.slices;
    const struct sm_warp *w = &sm->warp[warp];
    put(&t, "warp %u ", warp / slices);
    if (slices > 1)
      put(&t, "slice %u ", warp % slices);
    put(&t, "(CTA %u,%u,%u slot %u, warp %u of it): pc %u, lanes %08x, barriers %u, %s",
        w->place.ctaid[0], w->place.ctaid[1], w->place.ctaid[2], w->place.cta_slot,
        w->place.first / ISA_WARP_SIZE / slices, w->last_pc, w->lanes, w->barriers,
        state_of(sm, warp));
    if (w->head != NULL)
      put_inst(&t, sm, w->head);
    const uint32_t stores = sm_mem_stores(sm->mem, warp);
    if (stores != 0)
      put(&t, "; memory has not acknowledged %u of its stores", stores);
    put(&t, "\n");
  }
  return (int)t.length;
}
