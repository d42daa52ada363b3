/* The state of the back end, and the functions that its files share. */
#ifndef TANDEM_SM_LOCAL_H
#define TANDEM_SM_LOCAL_H

#include "csim/isa/lanes/lanes.h"
#include "csim/isa/lanes/planes.h"
#include "csim/sm/sm.h"
#include "csim/sm/timing/alu.h"
#include "csim/util/pages.h"

enum {
  SM_WARPS = 48,
  SM_CTAS = 8,
  SM_SLICES = 4,  /* of a large warp at most */
  SM_PREDS = 16,  /* pT included, always all ones */
  SM_CHUNK = 128, /* records of instructions allocated together */
  SM_CHUNKS = 512,
  SM_NEAR = 4,        /* chunks that are part of the SM's own memory */
  SM_MEM_PLACES = 8,  /* of MEM instructions of a member of a cluster, issued and not handed over */
  SM_MEM_LIMIT = 256, /* instructions in the memory side of an SM */
  SM_REG_UNIT = 64,   /* registers are allocated to a warp in these units */
  SM_SHARED_UNIT = 128,
  SM_REGROLE = ISA_SR_REGROLE - ISA_SR_REGVIU,
  SM_CHECK_PERIOD = 1024, /* the witness of ALU timing runs for WINDOW of PERIOD cycles */
  SM_CHECK_WINDOW = 64
};

/* sm_inst.state[] */
enum { SM_STATE_ID0, SM_STATE_ID1, SM_STATE_STAGE };
enum sm_stage { SM_STAGE_OPERANDS, SM_STAGE_PIPE, SM_STAGE_MEMORY, SM_STAGE_RETIRED };

/* The instruction at a PC, described for the pipelines. */
struct sm_desc {
  uint64_t word;          /* as issued but for the warp; never equal if it is not to be executed */
  uint8_t reg[SM_PLANES]; /* register of each operand plane: two of src 1, four of 2, two of 3 */
  uint64_t need, written; /* banks read and written by warp 0, twice over, to be rotated */
  uint8_t planes;         /* those that exist */
  bool apart;             /* all in different banks */
  uint8_t pipe, cls, lat; /* enum isa_pipe, class within its collectors, enum isa_lat */
  uint8_t reads, writes;  /* registers */
};

struct sm_warp {
  _Alignas(64) struct sm_inst *head, *tail; /* in flight or not taken, program order */
  uint32_t lanes;                           /* live */
  uint32_t barriers;                        /* executed */
  uint16_t bar_pc, last_pc; /* of the last barrier, of the last instruction issued */
  bool at_barrier;          /* the last instruction issued is a barrier */
  bool last;                /* of its CTA */
  struct warp_place place;
};

struct sm_cta {
  uint64_t warps; /* allocated to it; of large warps, whole ones are (cta.c) */
  uint64_t ended;
  uint8_t first_ended;         /* warp whose barriers the others' are compared with */
  uint16_t start;              /* first PC of its warps */
  uint32_t spu[ISA_SPU_SREGS]; /* special registers of a stencil processing unit */
};

struct sm {
  /* One more than there are: a register's planes of several warps would share a cache set. */
  _Alignas(64) uint32_t regs[SM_WARPS][ISA_REGS + 1][ISA_WARP_SIZE];

  /* Of the caller. */
  struct sm_config config;
  struct sm_mem *mem;
  const struct grid *grid;
  struct sm_desc *desc; /* of every PC up to the kernel's end */
  size_t ndesc;
  uint32_t entry, code; /* first PC of the kernel, number of its instructions */
  unsigned index;
  bool checked;
  bool mem_first; /* deliberate fault for tests: MEM operands are read before those of the ALUs */
  uint32_t check_period, check_window;

  /* Warps and CTAs; vectors have bit w for warp w, bit c for CTA slot c. */
  uint64_t allocated, live, unresolved, launched, retired;
  uint32_t nlive;
  unsigned fit; /* CTAs of this grid that are resident at most */
  struct sm_cta cta[SM_CTAS];
  uint8_t resident, ending; /* CTA slots: taken; all warps ended */
  uint8_t launch_at, launches;
  uint8_t launch[SM_WARPS]; /* warps to launch, a ring */
  bool begin;               /* kernel_start is due */

  /* Of an SPU. */
  uint64_t syncing; /* warps with an open bsync */
  bool block_event; /* .events has something */
  struct sm_block_events events;

  /* Branches and exits that are executed and wait for the port, a ring. */
  uint8_t resolve_at, resolves;
  bool off;      /* the front end */
  uint64_t told; /* of this cycle's inputs of the front end, so far */
  struct {
    uint32_t taken;
    uint8_t warp;
    bool is_exit;
  } resolve[SM_WARPS];

  /* Pipelines. */
  uint64_t cycle;
  uint32_t in_flight; /* instructions not retired */
  uint32_t in_memory;
  struct sm_collect memq;

  /* Instruction records: free list, and chunks by index. */
  struct sm_inst *pool;
  unsigned chunks;
  struct sm_inst *chunk[SM_CHUNKS];

  struct sm_fault fault;
  struct sm_stats stats;
  struct sm_warp warp[SM_WARPS];
  _Alignas(64) uint32_t preds[SM_WARPS][SM_PREDS];
  struct sm_alu alu;
  struct {
    bool on;
    uint32_t busy; /* banks that its ALUs took in .cycle */
    uint64_t cycle;
    struct sm_alu alu;
    struct sm_collect memq; /* of a member of a cluster: as if memory took everything at once */
  } witness;

  struct sm_inst near[SM_NEAR][SM_CHUNK];
};

#define SM_BIT(w) (UINT64_C(1) << (w))

/* report.c: records the first fault. */
void sm_raise(struct sm *sm, enum sm_fault_kind kind, unsigned warp, uint16_t pc, uint64_t word,
              const char *format, ...) __attribute__((cold, format(printf, 6, 7)));

/* pool.c */
struct sm_inst *sm_inst_get(struct sm *sm); /* NULL: out of memory or of records */
static inline struct sm_inst *sm_inst_at(const struct sm *sm, unsigned id) {
  return &sm->chunk[id / SM_CHUNK][id % SM_CHUNK];
}
static inline uint16_t sm_inst_id(const struct sm_inst *inst) {
  return (uint16_t)(inst->state[SM_STATE_ID0] | inst->state[SM_STATE_ID1] << 8);
}
void sm_pool_free(struct sm *sm);
/* The result is final: the check, or nobody, may take the instruction. */
void sm_retire(struct sm *sm, struct sm_inst *inst);

/* witness.c: replays the timing of what must not depend on memory, from a copy now and then, which
 * is enough to see that something interferes.  The ALUs first, then MEM operands, in a cycle. */
void sm_witness_begin(struct sm *sm);
void sm_witness_alu(struct sm *sm, const struct sm_alu_events *ev);
void sm_witness_mem(struct sm *sm, const struct sm_collected *oc);

/* desc.c: describes the kernel's instructions; false: no memory. */
bool sm_describe_code(struct sm *sm);
/* Whether the instruction is one that only a stencil processing unit has. */
bool sm_needs_spu(const struct isa_uop *u);

/* block.c: a MEM instruction of an SPU is issued, which a bsync before it may forbid; a bsync is
 * written back; a warp of the CTA in a slot ended. */
void sm_block_issue(struct sm *sm, const struct sm_inst *inst);
void sm_block_passed(struct sm *sm, const struct sm_inst *inst);
void sm_block_ended(struct sm *sm, unsigned warp);

/* intake.c: an issued instruction into its queue. */
void sm_intake(struct sm *sm, unsigned port, uint64_t word, uint16_t pc, uint32_t mask);

/* The same for a slice of a large warp, in two steps: on record, in program order, which retires it
 * at once if it uses no pipeline; into its queue.  NULL: a fault was raised. */
struct sm_inst *sm_intake_slice(struct sm *sm, uint64_t word, uint16_t pc, uint32_t mask);
void sm_intake_queue(struct sm *sm, const struct sm_inst *inst);

/* exec.c */
void sm_read_planes(struct sm *sm, struct sm_inst *inst, unsigned planes); /* operand registers */
void sm_read_preds(struct sm *sm, struct sm_inst *inst);                   /* guard, p2, p3 */
void sm_compute(struct sm *sm, struct sm_inst *inst);
void sm_write(struct sm *sm, const struct sm_inst *inst); /* result to register file */

/* So many cycles, in each of which the schedulers stall, or issue, as fe shows. */
static inline void sm_account(struct sm *sm, uint64_t cycles, const struct sm_frontend_out *fe) {
  sm->stats.cycles += cycles;
  sm->stats.active_cycles += sm->live != 0 ? cycles : 0;
  sm->stats.warp_cycles += sm->nlive * cycles;
  const uint64_t cause[] = {fe->stall0 % STALL_CODES, fe->stall1 % STALL_CODES};
  sm->stats.stalls[sm->off ? STALL_GATED : cause[0]] += cycles;
  sm->stats.stalls[sm->off ? STALL_GATED : cause[1]] += cycles;
}

/* cta.c */
bool sm_cta_held(const struct sm *sm, unsigned slot); /* by instructions that are not complete */
void sm_cta_release(struct sm *sm);
void sm_warp_launch(struct sm *sm, struct sm_frontend_in *in);
void sm_warp_done(struct sm *sm, unsigned warp);

/* Whether the witness runs, how often: for tests. */
void sm_set_timing_check(struct sm *sm, uint32_t period, uint32_t window);

#endif
