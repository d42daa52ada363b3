/* The log of an SM's accesses to global memory: private to csim/mem.
 *
 * The load-store unit finds out which bytes an instruction accesses; the bytes move in the serial
 * part, cycle by cycle, the loads of a cycle before its stores and atomics, those of lower SMs
 * first.  So an SM may be some cycles ahead of memory, with the same result: a load's value is
 * there before its latency is over, and a store or atomic without result that comes back earlier
 * leaves a copy of its data here. */
#ifndef TANDEM_MEM_LOG_H
#define TANDEM_MEM_LOG_H

#include "csim/isa/core/inst.h"
#include "csim/mem/mem.h"

enum {
  LOG_ENTRIES = 2 * MEM_LOOKAHEAD, /* a wide warp's instruction has two in a cycle */
  LOG_COPIES = MEM_LOOKAHEAD       /* an instruction comes back in a cycle */
};

struct log_entry {
  uint64_t cycle;       /* of the access */
  uint64_t due;         /* first cycle in which a load's value may be taken; UINT64_MAX: a write */
  uint64_t back;        /* in which the instruction came back before its access; 0: it has not */
  struct sm_inst *inst; /* the instruction, or its copy */
  uint32_t lanes;
};

struct mem_log {
  struct log_entry entry[LOG_ENTRIES]; /* ring of the accesses that memory has not performed */
  uint32_t first, end;
  uint64_t due;     /* the first of these */
  uint64_t writing; /* warps of stores and atomics among them */
  uint64_t changed; /* warps with an access that came back and then changed memory */
  uint64_t last;    /* cycle in which the last of these came back */
  struct sm_inst *copy[LOG_COPIES]; /* stack of unused ones */
  uint32_t copies;
  struct sm_inst *all; /* the copies */
};

/* False if there is no memory. */
bool log_init(struct mem_log *l);
void log_free(struct mem_log *l);

/* Adds the load of lanes at inst->addr, whose value may be taken after `latency` cycles. */
void log_load(struct sm_mem *s, struct sm_inst *inst, uint32_t lanes, uint32_t latency);
/* Adds a store or an atomic. */
void log_write(struct sm_mem *s, struct sm_inst *inst, uint32_t lanes);
/* Notes that the SM has something for the serial part of this cycle: an entry, or a packet. */
void log_event(struct sm_mem *s);
/* The instruction leaves the memory side. */
void log_returned(struct sm_mem *s, const struct sm_inst *inst);

/* Perform the loads, or the stores and atomics, of a cycle, that before which all are performed. */
void log_loads(struct sm_mem *s, uint64_t cycle);
void log_writes(struct sm_mem *s, uint64_t cycle);

#endif
