/* The record of a run around a cycle, as why*.c share it. */
#ifndef TANDEM_GPU_WHY_RECORD_H
#define TANDEM_GPU_WHY_RECORD_H

#include "csim/mem/look.h"
#include "csim/sm/look.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/inside/why.h"

enum {
  WHY_WARPS = 48,
  WHY_NONE = -1,
  /* Instructions: twice as many as 8 SMs have in flight, and more. */
  WHY_ROOM = 1 << 14
};

/* A request of an SM to memory. */
struct why_miss {
  uint64_t at[MEM_STAGES]; /* cycle in which a stage was seen first; PIPELINE_NEVER: never */
  uint64_t end;            /* the last cycle before the SM has the answer */
  unsigned sm;
  int32_t inst;          /* of an atomic */
  struct mem_look first; /* as it was seen first; bank and row as they were in DRAM first */
  struct mem_look last;
};

/* The memory side's work for an instruction. */
struct why_access {
  uint64_t from, until; /* it was the first one in the load-store unit; from 0: never */
  int32_t miss;         /* whose answer came last, plus one */
};

/* The first instruction in the load-store unit. */
struct why_head {
  uint64_t cycle;   /* since then */
  int32_t inst;     /* WHY_NONE: none, or one that is not recorded */
  uint32_t address; /* of the transaction that finds no room */
  uint8_t block, passes;
  bool full; /* the unit takes no instruction */
};

/* The record of an SM. */
struct why_sm {
  bool on;
  int32_t *open; /* misses under way */
  size_t nopen, open_room;
  struct why_head head; /* up to the cycle that is asked for */
  /* In that cycle. */
  bool off;
  uint8_t cause[2];  /* of its schedulers */
  unsigned delay;    /* from the grants of its front end to its ports (struct feature_causes) */
  bool places_known; /* that its front end counts, by pipeline */
  uint8_t places[ISA_PIPE_NONE];
  int issuer; /* the SM whose front end issues for it */
  struct sm_warp_look warp[WHY_WARPS];
  uint64_t missing[8]; /* by CTA slot: warps that have not reached the barrier */
};

struct why {
  struct why_request request;
  struct pipeline *pipeline;
  struct why_sm sm[GPU_ALL];
  struct why_access *access; /* by the instruction's number in the pipeline's record */
  struct why_miss *miss;
  size_t misses, miss_room;
  const struct feature_causes *causes; /* of the feature whose machine it is; NULL: none */
  void *own;                           /* theirs */
  unsigned slices;                     /* of a warp */
  uint64_t from;                       /* first cycle that is recorded */
  uint64_t ended;                      /* the last one that was seen, plus one */
  void *view;                          /* of an SM, as it is looked at */
  int32_t *number;                     /* for why_forget, by the instruction's number */
  bool seen, complete, failed;
  bool full; /* the record has no room for more */
};

/* Returns the number of an instruction in flight in the pipeline's record, or WHY_NONE. */
int32_t why_number(const struct why *w, unsigned sm, const struct sm_inst *inst);

/* Forgets instructions and requests that had ended before the cycle that is asked for, or before
 * now, and issues behind it that no answer needs.  False: out of memory. */
bool why_forget(struct why *w, uint64_t now);

#endif
