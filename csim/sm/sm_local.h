/* The state of the back end, and the functions that its files share. */
#ifndef TANDEM_SM_LOCAL_H
#define TANDEM_SM_LOCAL_H

#include "csim/isa/lanes/lanes.h"
#include "csim/isa/lanes/planes.h"
#include "csim/ports/pipeline_rows.h"
#include "csim/sm/path.h"
#include "csim/sm/sm.h"
#include "csim/sm/timing/alu.h"
#include "csim/util/pages.h"

enum {
  SM_WARPS = 48,
  SM_CTAS = 8,
  SM_SLICES = 4,  /* most slices of a large warp */
  SM_PREDS = 16,  /* with pT, which is always all ones */
  SM_CHUNK = 128, /* instruction records that are allocated together */
  SM_CHUNKS = 512,
  SM_NEAR = 4,        /* chunks that are part of the SM's own memory */
  SM_MEM_PLACES = 8,  /* MEM instructions of a cluster member that are issued and not handed over */
  SM_MEM_LIMIT = 256, /* instructions in the memory side of an SM */
  SM_SCHEDULERS = 2,
  SM_REG_UNIT = 64, /* registers are allocated to a warp in these units */
  SM_SHARED_UNIT = 128,
  SM_REGROLE = ISA_SR_REGROLE - ISA_SR_REGVIU,
  SM_CHECK_PERIOD = 1024, /* ALU timing is replayed for WINDOW of PERIOD cycles */
  SM_CHECK_WINDOW = 64
};

/* sm_inst.state[] */
enum { SM_STATE_ID0, SM_STATE_ID1, SM_STATE_STAGE };

/* The instruction at a PC, decoded for the pipelines. */
struct sm_decoded {
  uint64_t word;          /* the word without the warp; no word if the SM cannot execute it */
  uint8_t reg[SM_PLANES]; /* register of each operand plane: two of src 1, four of 2, two of 3 */
  uint64_t need, written; /* banks that warp 0 reads and writes; two copies, for rotation */
  uint8_t planes;         /* planes that exist */
  bool apart;             /* all planes are in different banks */
  uint8_t pipe, cls, lat; /* enum isa_pipe, class within its collectors, enum isa_lat */
  uint8_t reads, writes;  /* registers */
};

struct sm_warp {
  _Alignas(64) struct sm_inst *head, *tail; /* in flight or not taken, in program order */
  uint32_t lanes;                           /* live lanes */
  uint32_t barriers;                        /* barriers executed */
  uint16_t bar_pc, last_pc; /* PC of the last barrier, of the last instruction issued */
  bool at_barrier;          /* the last instruction issued is a barrier */
  bool last;                /* the last warp of its CTA */
  struct warp_place place;
};

/* A taken backward branch of a warp. */
struct sm_spin_branch {
  uint32_t active, taken, lanes; /* active, taken and the warp's live lanes */
  uint16_t pc, from;             /* of the branch, and its target */
};

/* The state of a warp behind a backward branch (spin.c). */
struct sm_spin {
  uint32_t regs[ISA_REGS][ISA_WARP_SIZE], preds[SM_PREDS];
  uint64_t since, last;    /* cycles of the copy or a return, and of the last backward branch */
  uint64_t fresh;          /* cycle of a later return, which has been seen `turns` times */
  uint32_t branches, next; /* since the copy; after how many the next copy is due */
  struct sm_spin_branch branch, at; /* the last one; the one of the copy */
  uint8_t returned, turns;          /* how often the state was found again; since `fresh` */
  uint8_t differs;                  /* register in which it differed last */
  bool changed;                     /* the warp has changed memory or read a clock since the copy */
  bool found;                       /* counted as a warp that spins */
};

struct sm_cta {
  uint64_t warps;              /* warps of the CTA */
  uint64_t ended;              /* warps that have ended */
  uint8_t first_ended;         /* warp whose number of barriers the others must have */
  uint16_t start;              /* first PC of its warps */
  uint32_t spu[ISA_SPU_SREGS]; /* special registers of a stencil processing unit */
};

/* Slots of a scheduler since its last issue (profile.h). */
struct sm_waiting_slots {
  uint64_t slots[STALL_CODES];
  uint32_t causes;                 /* of which there are some, bit c for code c */
  uint32_t last, control, barrier; /* rows of the instructions issued last */
};

struct sm_profiling {
  struct sm_profile *rows; /* by PC; NULL: none */
  uint32_t none;           /* the row of no instruction */
  struct sm_waiting_slots waits[SM_SCHEDULERS];
};

/* The reports of side 1 in a cycle. */
struct sm_lag {
  uint8_t n;
  struct {
    uint8_t pipe, warp; /* enum isa_pipe */
  } collected[ROW_PORTS];
  struct sm_credits credits;
};

struct sm {
  /* One register more than there are: else the planes of a register would share a cache set. */
  _Alignas(64) uint32_t regs[SM_WARPS][ISA_REGS + 1][ISA_WARP_SIZE];

  /* Set by the caller. */
  struct sm_config config;
  struct sm_mem *mem;
  const struct grid *grid;
  struct sm_decoded *decoded; /* by PC, up to the kernel's end */
  size_t ndecoded;
  uint32_t entry, code; /* first PC of the kernel, number of its instructions */
  unsigned index;
  bool checked;
  bool mem_first; /* a fault for tests: MEM operands are read before those of the ALUs */
  uint32_t check_period, check_window;

  /* Warps and CTAs; vectors have bit w for warp w, bit c for CTA slot c. */
  uint64_t allocated, live, unresolved, launched, retired;
  uint32_t nlive; /* live warps that statistics count: not upper halves */
  unsigned fit;   /* most CTAs of this grid that are resident at once */
  struct sm_cta cta[SM_CTAS];
  uint8_t resident, ending; /* CTA slots: taken; taken with all warps ended */
  uint8_t launch_at, launches;
  uint8_t launch[SM_WARPS]; /* warps to launch, a ring */
  bool begin;               /* kernel_start is due */
  bool shaped;              /* .shape counts */
  bool part;                /* warps are parts of wider ones, which lanes/lanes.h counts */
  uint8_t half;             /* of wide warps: 0: the lower one */
  struct sm *other;         /* the SM with the other halves; NULL: there is none */
  uint8_t smid;             /* number of the SM that programs see */
  uint8_t resolve_delay;    /* cycles from the collection of a branch or exit to its resolve */

  /* Stencil processing unit. */
  uint64_t syncing; /* warps with an open bsync */
  bool block_event; /* .events is not empty */
  struct sm_block_events events;

  /* Branches and exits that are executed and wait for the port, a ring. */
  uint8_t resolve_at, resolves;
  bool off;        /* the front end is off */
  uint64_t raised; /* inputs of the front end raised so far in this cycle */
  struct {
    uint32_t taken;
    uint8_t warp;
    bool is_exit;
    uint16_t due; /* first cycle in which the port may take it, modulo 2^16 */
  } resolve[SM_WARPS];

  /* Pipelines. */
  uint64_t cycle;
  uint32_t in_flight; /* instructions not retired */
  uint32_t in_memory; /* instructions from hand-over to completion */
  struct sm_collect memq[SM_SIDES];

  /* Instruction records: free list and chunks. */
  struct sm_inst *pool;
  unsigned chunks;
  struct sm_inst *chunk[SM_CHUNKS];

  struct sm_fault fault;
  struct sm_stats stats;
  struct sm_profiling profile;
  struct sm_warp warp[SM_WARPS];
  _Alignas(64) uint32_t preds[SM_WARPS][SM_PREDS];
  struct sm_alu alu;
  struct {
    bool on;
    uint32_t busy[SM_SIDES]; /* banks that the replayed ALUs took in .cycle */
    uint64_t cycle;
    struct sm_alu alu;
    struct sm_collect memq; /* used with deep queues: memory takes every instruction at once */
  } replay;

  uint64_t looping; /* warps whose last instruction is a taken backward branch */
  uint64_t changed; /* cycle of the last write-back of an instruction that changed memory */
  struct sm_spin spin[SM_WARPS];

  struct sm_inst near[SM_NEAR][SM_CHUNK];

  struct sm_shape shape; /* of the launch */
  struct sm_path to_memory, from_memory;
  struct sm_inst *completed; /* by the memory side, waits for from_memory */
  uint8_t lags;              /* entries of .lag that are not empty, a bit each */
  struct sm_lag lag[SM_LAG]; /* by cycle */
  struct sm_credits far_credits;
  struct sm_links links;
};

#define SM_BIT(w) (UINT64_C(1) << (w))

/* faults.c: records a fault, if it is the first. */
void sm_raise(struct sm *sm, enum sm_fault_kind kind, unsigned warp, uint16_t pc, uint64_t word,
              const char *format, ...) __attribute__((cold, format(printf, 6, 7)));

/* pool.c: returns a new instruction record.  NULL if host memory or the records are exhausted. */
struct sm_inst *sm_inst_get(struct sm *sm);
void sm_pool_free(struct sm *sm);
static inline struct sm_inst *sm_inst_at(const struct sm *sm, unsigned id) {
  return &sm->chunk[id / SM_CHUNK][id % SM_CHUNK];
}
static inline uint16_t sm_inst_id(const struct sm_inst *inst) {
  return (uint16_t)(inst->state[SM_STATE_ID0] | inst->state[SM_STATE_ID1] << 8);
}

/* Marks an instruction as retired: its result is final, and the check may take it. */
void sm_retire(struct sm *sm, struct sm_inst *inst);

static inline unsigned sm_sides(const struct sm *sm) { return sm->memq[0].sides; }

/* Returns the side of a warp's registers, collectors and queues. */
static inline unsigned sm_side_of(const struct sm *sm, unsigned warp) {
  return sm_sides(sm) > 1 && warp >= SM_SIDE1;
}

/* alu_replay.c: starts a window in which the timing of the same ALU instructions is replayed
 * without memory instructions, from a copy of the pipelines. */
void sm_replay_begin(struct sm *sm);

/* Steps the replayed ALUs; raises a timing fault if their events differ from ev. */
void sm_replay_alu(struct sm *sm, const struct sm_alu_events *ev);

/* Steps the replayed collection of MEM operands, after sm_replay_alu, and compares it with oc. */
void sm_replay_mem(struct sm *sm, const struct sm_collected *oc);

/* Sets how often a window starts and how long it is, in cycles, for tests.  The period is a power
 * of two. */
void sm_set_timing_check(struct sm *sm, uint32_t period, uint32_t window);

/* decoded.c: decodes the kernel's instructions, once a launch.  False if there is no memory. */
bool sm_decode(struct sm *sm);

/* Returns whether only a stencil processing unit has the instruction. */
bool sm_needs_spu(const struct isa_uop *u);

/* block.c: notes the issue of a MEM instruction of an SPU; an open bsync of the warp is a fault. */
void sm_block_issue(struct sm *sm, const struct sm_inst *inst);

/* Notes the write-back of a MEM instruction, which closes a bsync. */
void sm_block_passed(struct sm *sm, const struct sm_inst *inst);

/* Notes the end of a warp, whose bsync must not be open. */
void sm_block_ended(struct sm *sm, unsigned warp);

/* issue_queue.c: checks an issued instruction and queues it. */
void sm_issue(struct sm *sm, unsigned port, uint64_t word, uint16_t pc, uint32_t mask);

/* Checks and records a slice of a large warp, in program order, and retires it at once if it uses
 * no pipeline.  sm_issue_queue queues it later.  NULL after a fault. */
struct sm_inst *sm_issue_slice(struct sm *sm, uint64_t word, uint16_t pc, uint32_t mask);
void sm_issue_queue(struct sm *sm, const struct sm_inst *inst);

/* Records an instruction that has no active lane in this half of a wide warp.  It passes all stages
 * and is on no list of its warp.  NULL after a fault. */
struct sm_inst *sm_issue_empty(struct sm *sm, uint64_t word, uint16_t pc);

/* exec.c: reads operand registers. */
void sm_read_planes(struct sm *sm, struct sm_inst *inst, unsigned planes);

/* Reads the guard and the predicate operands. */
void sm_read_preds(struct sm *sm, struct sm_inst *inst);

/* Computes the result from the operands that were read. */
void sm_compute(struct sm *sm, struct sm_inst *inst);

/* Writes the result to the register file. */
void sm_write(struct sm *sm, const struct sm_inst *inst);

/* Causes whose slots do not wait for the next issue, bit c for code c. */
enum {
  SM_PROFILE_KNOWN = 1 << STALL_IDLE | 1 << STALL_CONTROL | 1 << STALL_VERDICT |
                     1 << STALL_BARRIER | 1 << STALL_GATED
};

/* profile.c: adds slots of such a cause to their instruction. */
void sm_profile_known(struct sm *sm, unsigned scheduler, unsigned cause, uint64_t cycles);

/* Adds slots to the instruction that waits in them. */
static inline void sm_profile_slots(struct sm *sm, unsigned scheduler, unsigned cause,
                                    uint64_t cycles) {
  struct sm_waiting_slots *w = &sm->profile.waits[scheduler];
  if ((SM_PROFILE_KNOWN >> cause & 1) != 0) {
    sm_profile_known(sm, scheduler, cause, cycles);
    return;
  }
  w->slots[cause] += cycles;
  w->causes |= 1U << cause;
}

/* An instruction is issued: the slots that waited for it become its own. */
void sm_profile_issue(struct sm *sm, unsigned scheduler, uint16_t pc);

/* Counts an issue, of the instruction as a whole. */
static inline void sm_count_issue(struct sm *sm, unsigned warp, uint16_t pc) {
  sm->stats.warp_instructions++;
  sm->stats.by_unit[sm->grid->uops[pc].f.unit]++;
  if (sm->profile.rows == NULL)
    return;
  sm->profile.rows[pc].warp_instructions++;
  sm_profile_issue(sm, warp % SM_SCHEDULERS, pc);
}

/* Adds `cycles` cycles to the statistics.  `fe` gives the stall cause of each scheduler. */
static inline void sm_account(struct sm *sm, uint64_t cycles, const struct sm_frontend_out *fe) {
  sm->stats.cycles += cycles;
  sm->stats.active_cycles += sm->live != 0 ? cycles : 0;
  sm->stats.warp_cycles += sm->nlive * cycles;
  if (sm->ending != 0 && sm->half == 0)
    sm->stats.ended_cta_cycles += (unsigned)__builtin_popcount(sm->ending) * cycles;
  const unsigned cause[SM_SCHEDULERS] = {
      sm->off ? STALL_GATED : (unsigned)(fe->stall0 % STALL_CODES),
      sm->off ? STALL_GATED : (unsigned)(fe->stall1 % STALL_CODES)};
  for (unsigned s = 0; s < SM_SCHEDULERS; s++) {
    sm->stats.stalls[cause[s]] += cycles;
    if (sm->profile.rows != NULL)
      sm_profile_slots(sm, s, cause[s], cycles);
  }
}

/* spin.c: a warp starts; it takes a backward branch; it issues the first instruction behind it. */
void sm_spin_begin(struct sm *sm, unsigned warp);
void sm_spin_branch(struct sm *sm, const struct sm_inst *inst);
void sm_spin_look(struct sm *sm, unsigned warp);

/* step.c: writes the result of a MEM instruction and reports it. */
void sm_put_loaded(struct sm *sm, struct sm_inst *inst, struct sm_frontend_in *in);

/* to_memory.c: returns the oldest MEM instruction if it has its operands, else NULL. */
struct sm_inst *sm_mem_oldest(const struct sm *sm);

/* Returns whether the path to the load-store unit, or this unit, takes one more instruction. */
bool sm_mem_room(const struct sm *sm);

/* Hands the oldest MEM instruction over, in order of issue, as accesses of a warp must not overtake
 * each other; of a wide warp both halves.  Returns the number handed over, 0 or 1. */
unsigned sm_mem_enter(struct sm *sm);

/* Notes that an instruction has changed memory, if it has. */
static inline void sm_mem_changes(struct sm *sm, const struct sm_inst *inst) {
  if (inst->mem.changed) {
    sm->changed = sm->cycle;
    sm->spin[inst->warp].changed = true;
  }
}

/* Takes a completion of the memory side.  Returns whether sm_mem_leave has something to do. */
static inline bool sm_mem_complete(struct sm *sm) {
  if (sm->completed == NULL && sm->in_memory != 0 &&
      (sm->completed = sm_mem_completed(sm->mem)) != NULL) {
    sm->in_memory--;
    if (sm->other == NULL)
      sm_mem_changes(sm, sm->completed);
  }
  return sm->completed != NULL || sm->from_memory.n != 0;
}

/* Returns the instruction that has come through the path from memory, or NULL. */
struct sm_inst *sm_mem_leave(struct sm *sm);

/* cta.c: returns the registers that a warp takes if each of its threads has so many; the shared
 * memory that a CTA takes; how many CTAs a resource allows, at most `limit`, and 0 with the reason
 * in *err if none. */
uint64_t sm_registers_of_warp(uint64_t regs);
uint64_t sm_shared_of(const struct grid *grid);
unsigned sm_ctas_of(const char *resource, uint64_t need, uint64_t have, unsigned limit,
                    struct tandem_error *err);

/* Marks a turn in the ring of warps to launch in which this half has no thread. */
enum { SM_LAUNCH_NONE = 0x80 };

/* shape.c: removes from *room what the shape does not allow. */
void sm_shape_room(const struct sm *sm, struct sm_room *room);

/* cta.c: returns whether instructions of the slot's CTA are not complete or not taken, or a store
 * is not acknowledged. */
bool sm_cta_held(const struct sm *sm, unsigned slot);

/* Frees the slots of CTAs that have ended and hold no instruction. */
void sm_cta_release(struct sm *sm);

/* Launches the next warp through the launch ports. */
void sm_warp_launch(struct sm *sm, struct sm_frontend_in *in);

/* Ends a warp, as the front end reports. */
void sm_warp_done(struct sm *sm, unsigned warp);

#endif
