/* The state of one SM's memory side and of the whole memory: private to csim/mem and its tests. */
#ifndef TANDEM_MEM_SM_MEM_H
#define TANDEM_MEM_SM_MEM_H

#include <stdatomic.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/mem/base/store.h"
#include "csim/mem/base/tags.h"
#include "csim/mem/client.h"
#include "csim/mem/l1/cb_unit.h"
#include "csim/mem/l1/log.h"
#include "csim/mem/l2/l2.h"
#include "csim/mem/mem.h"
#include "csim/mem/net/net.h"
#include "csim/mem/net/packet.h"

enum {
  MEM_SMS = MEM_PORTS,
  MEM_PARTS = 64,         /* one word of a set of ports */
  MEM_WARPS = 64,         /* values of the 6-bit warp field */
  MEM_SLOTS = 8,          /* CTA slots */
  MEM_TRANSACTIONS = 288, /* more than the 256 of an instruction: 64 lanes of four local words */
  MEM_CODE_LINES = 8,     /* instruction lines requested at a time: the icache has 4 MSHRs */
  MEM_SEGMENT_SHIFT = 7
};

enum transaction_kind { TR_LOAD, TR_STORE, TR_ATOMIC, TR_LOCAL_LOAD, TR_LOCAL_STORE, TR_CONST };

/* One access of the load-store unit to L1D or the constant cache. */
struct transaction {
  uint64_t bytes[2]; /* stores: bytes written, bit 0 the lowest of the segment */
  uint32_t segment;  /* address of the segment (CONST: of the line) */
  uint8_t kind;
  uint8_t lanes; /* ATOMIC: lanes in this segment */
  uint8_t cost;  /* ATOMIC: most lanes at one address */
};

/* Tags of acknowledged writes that are no client's: MEM_OWN_WRITE and the warp's number, or
 * MEM_NO_WARP for a line that is written back. */
enum { MEM_OWN_WRITE = 0xff00, MEM_NO_WARP = 0xff };

/* A miss register. */
struct l1_mshr {
  int32_t line; /* index of the reserved tag; -1: L1D is off */
  uint16_t count;
};

/* L1D or the constant cache: tags, miss registers, waiting instructions. */
struct l1 {
  struct tags tags;
  struct l1_mshr *mshr;
  struct sm_inst *
      *waiter;    /* [mshr * merge + i]; NULL: a store to local memory, which does not wait */
  uint16_t *free; /* stack of free MSHRs */
  uint32_t frees, mshrs, merge;
};

struct sm_mem {
  /* Fields that every step and sm_mem_waits read, on two or three cache lines. */
  uint64_t now;
  uint32_t in_flight;              /* instructions accepted and not completed */
  uint32_t outstanding;            /* responses to come */
  uint32_t queue_head, queue_tail; /* the load-store unit's ring */
  uint32_t ask_head, ask_tail;     /* instruction lines to be requested */
  uint32_t fill_head, fill_tail;   /* instruction lines that have come */
  struct sm_inst *head;            /* instruction that the load-store unit processes */
  uint32_t stall_head;             /* first packet at the crossbar's port when it stalled */
  bool stalled;           /* the head's next transaction found no room, and nothing has changed */
  bool cb_todo;           /* the head has passes over communication buffers to make */
  bool taken;             /* an instruction was completed in this cycle */
  bool fence;             /* the head is a bsync that waits for the acknowledgements of writes */
  uint8_t index;          /* the SM's */
  struct ring in, out;    /* from and to the crossbar */
  struct sm_inst **wheel; /* completions to come: lists by cycle */
  uint64_t wheel_mask;
  struct cb_unit *cb;                        /* NULL: no communication buffers */
  struct mem_client *client[MEM_SM_CLIENTS]; /* at this SM's port */
  unsigned clients;
  struct sm_inst *done_first, *done_last; /* completions that are ready */

  /* Parts of the whole, read only. */
  struct gpu_mem *gpu;
  const struct mem_config *config;
  const struct grid *grid;
  const struct store *store;
  uint64_t *active; /* this SM's events for the serial part: a MEM_EVENT for each cycle */

  /* Load-store unit. */
  struct sm_inst **queue; /* ring */
  uint32_t queue_mask;
  uint32_t passes;      /* shared memory passes that the head has left */
  uint32_t next, count; /* transactions of the head: done, all */
  bool second;          /* the addresses of the upper half take this cycle */

  struct mem_log log; /* accesses to global memory */

  struct l1 l1d, constant;
  uint32_t l1d_latency, shared_latency; /* with the delay of the shape */

  /* Instruction fills. */
  uint16_t ask[MEM_CODE_LINES], fill[MEM_CODE_LINES];
  uint8_t beat;

  /* Functional storage. */
  uint8_t *shared;
  uint32_t shared_stride, shared_limit;
  bool no_shared;                      /* the SM has no shared memory: the limit is 0 */
  bool acknowledged;                   /* memory acknowledges lines that are written back, too */
  uint32_t writes;                     /* writes of which the acknowledgement is to come */
  uint32_t stores[MEM_WARPS];          /* those of each warp */
  uint8_t *local;                      /* this SM's: [warp][word][lane] */
  uint32_t local_words;                /* words of a thread */
  uint32_t local_timing, local_stride; /* timing: address of warp 0, from warp to warp */
  uint8_t slot[MEM_WARPS];
  struct store_range range; /* the allocation that was accessed last */

  struct mem_fault fault;
  struct mem_stats stats;
  struct mem_profile *profile; /* by PC; NULL: none */
  struct transaction list[MEM_TRANSACTIONS];

  bool shaped; /* .shape counts */
  struct sm_mem_shape shape;
  uint64_t far_lines;
};

/* The bit of a cycle among events of SMs that the serial part has not had. */
#define MEM_EVENT(cycle) (UINT64_C(1) << ((cycle) % MEM_LOOKAHEAD))

/* A partition after its cycle. */
enum part_state { PART_WORKS, PART_SENDS, PART_IDLE };

struct gpu_mem {
  struct mem_config config;
  unsigned sms;
  struct store store;
  struct sm_mem **sm;
  struct l2 *part;
  struct net request, response;
  struct clock_ratio xbar_clock, dram_clock;
  uint64_t busy_parts;
  uint64_t step_cycle; /* the cycle whose serial part came last, plus one */
  uint64_t ahead;      /* the last cycle of the partitions and of their answers, plus one */
  uint64_t worked;     /* the cycle in which the last partition became idle, plus one */
  uint8_t *local;
  uint64_t local_bytes;
  unsigned clients;
  struct mem_client *client[MEM_CLIENTS]; /* by number */
  struct mem_fault no_fault;
  atomic_bool faulted; /* some SM has recorded a fault */
  /* The parallel part of a cycle writes these flags, so that the serial part reads the state only
   * of SMs, clients and partitions with work. */
  _Alignas(64) uint64_t active[MEM_SMS];
  _Alignas(64) uint8_t client_active[MEM_CLIENTS];
  _Alignas(64) uint8_t part_state[MEM_PARTS]; /* enum part_state, for busy partitions */
};

/* Adds n to a counter, also to that of the instruction in the profile. */
#define MEM_COUNT(s, inst, field, n)                                                               \
  do {                                                                                             \
    const uint64_t more_ = (n);                                                                    \
    (s)->stats.field += more_;                                                                     \
    if ((s)->profile != NULL)                                                                      \
      (s)->profile[(inst)->pc].field += more_;                                                     \
  } while (0)

/* The lanes of an instruction by space. */
struct lsu_lanes {
  uint32_t mask[3]; /* by space: ISA_SPACE_GLOBAL, with constants and parameters, _SHARED, _LOCAL */
  uint32_t buffers; /* lanes that access communication buffers */
  uint32_t off[ISA_WARP_SIZE]; /* address within the space */
};

/* lsu_check.c: computes the addresses, sorts the lanes by space, and records faults. */
void lsu_resolve(struct sm_mem *s, struct sm_inst *inst, struct lsu_lanes *lanes);

/* Records the fault of a lane, if it is the SM's first by cycle and lane. */
void lsu_fault(struct sm_mem *s, const struct sm_inst *inst, uint8_t kind, unsigned lane,
               enum isa_space space, uint32_t bytes);

/* lsu_access.c: bit l for lane l.  The table lets compilers process many lanes at once. */
extern const uint32_t lsu_bit[ISA_WARP_SIZE];

/* Returns all ones if the lane is in the mask, else 0. */
static inline uint32_t lane_on(uint32_t mask, unsigned lane) {
  return (mask & lsu_bit[lane]) != 0 ? UINT32_MAX : 0;
}

/* Returns whether each lane of the mask, which is not 0, accesses the word after that of its lower
 * neighbour. */
static inline bool lsu_consecutive(const uint32_t *off, uint32_t mask) {
  unsigned first = (unsigned)__builtin_ctz(mask);
  uint32_t base = off[first] - 4 * first;
  uint32_t wrong = 0;
  for (uint32_t l = 0; l < ISA_WARP_SIZE; l++)
    wrong |= (off[l] ^ (base + 4 * l)) & lane_on(mask, l);
  return wrong == 0;
}

/* Returns whether all lanes of the mask, which is not 0, access the same word. */
static inline bool lsu_uniform(const uint32_t *off, uint32_t mask) {
  const uint32_t base = off[__builtin_ctz(mask)];
  uint32_t wrong = 0;
  for (uint32_t l = 0; l < ISA_WARP_SIZE; l++)
    wrong |= (off[l] ^ base) & lane_on(mask, l);
  return wrong == 0;
}

/* The bytes of a space that a warp accesses. */
struct lsu_view {
  uint8_t *base;       /* start of the space for this warp */
  uint32_t stride;     /* bytes from a word to the next */
  const uint32_t *off; /* offset from the base, by lane */
};

/* Perform the accesses of the lanes in the mask. */
void lsu_load(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask);
void lsu_store(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask);
void lsu_atomic(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask);

/* lsu.c: computes addresses and faults of an instruction; lanes that fault get 0. */
void lsu_lanes_of(struct sm_mem *s, struct sm_inst *inst, struct lsu_lanes *lanes);

/* Perform the accesses of the lanes to a space.  Local memory is that of `own`, the memory side of
 * the SM that has the warp's registers.  Accesses to global memory and constants are logged;
 * coalescing is left. */
void lsu_start_shared(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes);
void lsu_start_local(struct sm_mem *s, const struct sm_mem *own, struct sm_inst *inst,
                     const struct lsu_lanes *lanes);
void lsu_read_const(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes);
void lsu_read_global(struct sm_mem *s, struct sm_inst *inst, const struct lsu_lanes *lanes);

/* Counts an access to global memory.  Returns whether it writes. */
bool lsu_count_global(struct sm_mem *s, struct sm_inst *inst);

/* pair.c: starts an instruction of a wide warp, given by its lower half. */
void pair_start(struct sm_mem *s, struct sm_inst *low);

bool lsu_is_store(const struct isa_uop *u);

/* coalesce.c: the kind of an access to global memory; lanes of one request, which moves at most 128
 * bytes; adds the lanes of a request to the transactions from `first` on. */
uint8_t coalesce_kind(const struct isa_uop *u);
unsigned coalesce_request(unsigned bytes);
void coalesce_lanes(struct sm_mem *s, uint32_t first, uint8_t kind, const uint32_t *off,
                    uint32_t mask, uint32_t bytes);

/* Notes how many lanes of an atomic, of one half or two, update one word of each transaction. */
void coalesce_costs(struct sm_mem *s, const uint32_t *const off[], const uint32_t mask[],
                    unsigned halves);

/* Append the transactions of the lanes to s->list. */
void coalesce_global(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                     uint32_t mask);
void coalesce_local(struct sm_mem *s, const struct sm_mem *own, const struct sm_inst *inst,
                    const uint32_t *off, uint32_t mask);
void coalesce_const(struct sm_mem *s, const uint32_t *off, uint32_t mask, uint32_t base,
                    uint32_t *seen, uint32_t *n);

/* Returns the passes that shared memory needs, and how many of them are conflicts. */
uint32_t shared_passes(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                       uint32_t mask, uint32_t *conflicts);

/* shape.c: the place of a line in tags and data of a side; the bank of a word of shared memory. */
struct l1d_place {
  uint32_t set;
  uint8_t side, way;
};
struct l1d_place shape_line(const struct sm_mem *s, int index);
struct shared_place {
  uint8_t side, bank;
};
struct shared_place shape_word(const struct sm_mem *s, uint32_t word);

/* Returns the passes of an SM with a shape for n words, as shared_passes counts them. */
uint32_t shape_passes(struct sm_mem *s, const uint32_t *word, uint32_t n, bool share);

/* Counts the line if it is in side 1. */
static inline void shape_count(struct sm_mem *s, int index) {
  if (__builtin_expect(s->shaped, 0))
    s->far_lines += shape_line(s, index).side;
}

/* l1.c: creates a cache.  False if there is no memory. */
bool l1_init(struct l1 *l, uint32_t bytes, uint32_t ways, uint32_t line, uint32_t mshrs,
             uint32_t merge);
void l1_free(struct l1 *l);

/* Performs a transaction of the head instruction.  False if there is no room in this cycle. */
bool l1_access(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t);

/* Takes the responses that have arrived. */
void l1_responses(struct sm_mem *s);

/* Puts a request for an instruction line into the crossbar's ring, if there is room. */
void l1_ask_code(struct sm_mem *s);

/* completions.c: makes room for instructions that are ready `latency` cycles after they are
 * scheduled, while none is.  False if there is no memory. */
bool completions_reach(struct sm_mem *s, uint32_t latency);

/* Schedules the instruction for its ready time, if no response is missing. */
void completions_settle(struct sm_mem *s, struct sm_inst *inst);

/* Appends the instructions that are ready in this cycle, in the order in which they were scheduled,
 * to those for sm_mem_completed. */
void completions_collect(struct sm_mem *s);

/* inst->mem.phase */
enum { PHASE_QUEUED, PHASE_ACTIVE, PHASE_WAITING };
/* inst->mem.aux: [0], [1] the cycle of acceptance, [2] whether it is counted as a global load */
enum { AUX_LOW, AUX_HIGH, AUX_GLOBAL_LOAD };

#endif
