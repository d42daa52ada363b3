/* The telling of a chain, as why.c and why_memory.c share it. */
#ifndef TANDEM_GPU_WHY_TELL_H
#define TANDEM_GPU_WHY_TELL_H

#include "harness/gpu/inside/why_record.h"

struct why_telling {
  const struct why *w;
  const struct tandem *t;
  struct why_chain *chain;
  const struct pipeline_inst *inst;
  size_t n;
  uint64_t cycle;         /* that is asked for */
  uint64_t told[GPU_ALL]; /* warps of each SM that were told: a circle ends there */
};

/* Returns the cycle in which a request began. */
static inline uint64_t why_begun(const struct why_miss *m) {
  return m->at[MEM_AT_PORT] != PIPELINE_NEVER ? m->at[MEM_AT_PORT] : m->at[MEM_TO_L2];
}

/* Adds a link to the chain, unless it is full. */
void why_add(struct why_telling *a, const char *cause, const struct pipeline_inst *inst,
             uint64_t from, uint64_t until, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Tells where an instruction in flight is. */
void why_tell_inst(struct why_telling *a, const struct pipeline_inst *i);

/* Tells the way of a request, for which an instruction waits. */
void why_tell_miss(struct why_telling *a, const struct why_miss *m, const struct pipeline_inst *of);

#endif
