/* The telling of a chain, as why*.c and the causes of features share it. */
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

/* A warp in the cycle that is asked for. */
struct why_wait {
  unsigned sm, warp;
  unsigned cause; /* that its scheduler reports */
  /* Its last instruction that issued before the cycle, and the first one that issues from it on;
   * NULL: none is recorded. */
  const struct pipeline_inst *last, *next;
};

/* Returns the cycle in which a request began. */
static inline uint64_t why_begun(const struct why_miss *m) {
  return m->at[MEM_AT_PORT] != PIPELINE_NEVER ? m->at[MEM_AT_PORT] : m->at[MEM_TO_L2];
}

/* Finds the last instruction of a warp that issued before a cycle; NULL: none is recorded. */
const struct pipeline_inst *why_before(const struct why_telling *a, unsigned sm, unsigned warp,
                                       uint64_t cycle);

/* Adds a link to the chain, unless it is full. */
void why_add(struct why_telling *a, const char *cause, const struct pipeline_inst *inst,
             uint64_t from, uint64_t until, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

/* Tells why a warp does not issue. */
void why_tell_warp(struct why_telling *a, unsigned sm, unsigned warp);

/* Finds the instruction in flight whose registers the next one of its warp waits for longest; NULL:
 * none.  Tells where that one is. */
const struct pipeline_inst *why_producer(const struct why_telling *a,
                                         const struct pipeline_inst *next);
void why_tell_registers(struct why_telling *a, const struct pipeline_inst *next,
                        const struct pipeline_inst *producer);

/* Tells where an instruction in flight is. */
void why_tell_inst(struct why_telling *a, const struct pipeline_inst *i);

/* Tells the way of a request, for which an instruction waits. */
void why_tell_miss(struct why_telling *a, const struct why_miss *m, const struct pipeline_inst *of);

#endif
