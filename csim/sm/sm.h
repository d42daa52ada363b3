/* The back end of an SM: register file, operand collectors, SP, SFU and MEM pipelines, write-back.
 *
 * The model is timing-true: it reads operands at collection and writes results at write-back, so
 * that an instruction reads a stale value if the front end lets a hazard through.  The timing of
 * instructions that do not use the MEM pipeline depends on the sequence of issues alone; sm_step
 * checks that (alu_replay.c).
 */
#ifndef TANDEM_SM_H
#define TANDEM_SM_H

#include "csim/isa/core/grid.h"
#include "csim/isa/core/inst.h"
#include "csim/mem/mem.h"
#include "csim/ports/inputs.h"
#include "csim/ports/stalls.h"
#include "csim/sm/profile.h"
#include "csim/sm/shape.h"
#include "csim/sm/sm_config.h"
#include "csim/util/stats.h"

struct sm;
struct pages;

/* Creates a back end in memory of `pages`, which outlive it.  NULL with *err if the configuration
 * is wrong or there is no memory. */
struct sm *sm_create(const struct sm_config *config, unsigned index, struct sm_mem *mem,
                     struct pages *pages, struct tandem_error *err);
void sm_destroy(struct sm *sm);

/* Begins a launch.  The next step raises kernel_start on the front end and does nothing else.  A
 * caller that raises kernel_start itself, for a cluster, raises it with the inputs of that step.
 * The caller may launch CTAs from now on; their warps start in the steps after that one, one a
 * cycle.  In a cluster it must wait until the outputs show the formation, two steps and the
 * side-band's delay later. */
void sm_begin(struct sm *sm, const struct grid *grid);

/* Returns how many CTAs of the grid's kernel fit an SM by threads, warps, CTA slots, registers and
 * shared memory.  0, with the resource in *err, if one CTA alone does not fit. */
unsigned sm_occupancy(const struct sm_config *config, const struct grid *grid,
                      struct tandem_error *err);

/* Fills spread[n], for kernels that need n registers, with the most registers with which an SM
 * holds as many warps as with n. */
void sm_spread_registers(const struct sm_config *config, uint8_t spread[ISA_REGS + 1]);

/* Returns whether the SM has room for a CTA now. */
bool sm_cta_ready(const struct sm *sm);

/* Launches a CTA: its warps start through the launch ports, one a cycle. */
void sm_cta_launch(struct sm *sm, const uint32_t ctaid[3]);

/* Room for a CTA in an SM, or in all SMs of a group that takes its CTAs together: the CTA slots and
 * warps that are free in each of them. */
struct sm_room {
  uint64_t warps;
  uint32_t slots;
  uint32_t need; /* warps of a CTA */
};
#define SM_ROOM_ANY ((struct sm_room){UINT64_MAX, UINT32_MAX, 0})

/* Removes from *room, at first SM_ROOM_ANY, all that is not free in this SM. */
void sm_cta_room(const struct sm *sm, struct sm_room *room);

/* Returns whether the room is enough for a CTA. */
bool sm_room_fits(const struct sm_room *room);

/* Launches a CTA in the lowest slot and the lowest warps of the room, which fits.  These are the
 * same in every SM of the group.  SMs that get the same launches in the same cycles, from a cycle
 * on in which sm_settled holds, start the warps in the same cycles. */
void sm_cta_launch_in(struct sm *sm, const uint32_t ctaid[3], const struct sm_room *room);

/* Sets the first PC of the warps of a CTA, after its launch and before the next step. */
void sm_cta_start_at(struct sm *sm, unsigned slot, uint16_t pc);

/* Returns whether the slot holds a CTA or instructions of one that has ended. */
bool sm_cta_resident(const struct sm *sm, unsigned slot);

/* Events in the CTA slots of an SPU, for their block ports. */
struct sm_block_events {
  uint8_t launched; /* bit c: a CTA was launched in slot c */
  uint8_t warps[8]; /* warps of that CTA */
  uint8_t ended[8]; /* number of warps that have ended */
};

/* Moves the events since the last call to *events.  False if there are none. */
bool sm_block_events(struct sm *sm, struct sm_block_events *events);

/* Returns whether the SM has no warps to launch, no instruction in collection or in an ALU pipeline
 * and no open branch or exit.  SMs of a group must have all of these alike from cycle to cycle: all
 * are settled when the group is formed, and equal inputs keep them equal. */
bool sm_settled(const struct sm *sm);

/* Lets the SM work in a group again, within a kernel; `leader` is the group's leader, or sm itself.
 * Raises a protocol fault unless the SM is settled but for warps that wait for their launch, the
 * same ones as in the leader. */
void sm_join(struct sm *sm, const struct sm *leader);

/* Notes whether the front end is off.  While it is, sm_step counts the slots of its schedulers as
 * gated. */
void sm_set_off(struct sm *sm, bool off);

/* Steps one core cycle.  Reads the front end's outputs after the last edge, and writes all inputs
 * for the next one but cfg_lrr, which the caller sets.  Returns the set of raised inputs
 * (csim/ports/inputs.h), with SM_RAISED_FAR if sm_far_credits are not 0.  The caller has called
 * sm_mem_step for the same cycle.  Cycles are consecutive while the SM is not idle.  A check takes
 * retired instructions between two calls. */
uint64_t sm_step(struct sm *sm, uint64_t cycle, const struct sm_frontend_out *fe,
                 struct sm_frontend_in *in);

/* Returns the SPU's special registers, regviu first, of the CTA in a slot.  The caller writes them
 * if the grid has an SPU; they are 0 when the CTA is launched.  movs reads them in the cycle in
 * which it executes.  At each access and bsync regrole selects the CTA's communication buffers and
 * directions. */
uint32_t *sm_spu_registers(struct sm *sm, unsigned cta_slot);

/* Returns whether the SM has no work: no instruction in flight, no resident CTA, nothing to launch,
 * and an idle memory side. */
bool sm_idle(const struct sm *sm);

/* Returns whether the SM only waits: sm_step would raise no input and move nothing, and only count
 * the cycle.  The caller asks between two cycles, after the check.  The answer holds until the
 * front end has an output other than its stall causes, the memory side completes an instruction,
 * becomes ready (sm_mem_ready) or delivers a beat of a fill, or a CTA or a launch begins. */
bool sm_waiting(const struct sm *sm);

/* Replaces sm_step for `cycles` cycles from `cycle` on, in which the SM waits (sm_waiting) and the
 * front end has the stall causes of fe.  Clock and statistics become those of the steps. */
void sm_skip(struct sm *sm, uint64_t cycle, uint64_t cycles, const struct sm_frontend_out *fe);

/* Returns the warp's oldest instruction that is in flight or not taken, or NULL.  inst->next is the
 * next one in program order. */
struct sm_inst *sm_oldest(struct sm *sm, unsigned warp);

/* Where an instruction in flight is. */
enum sm_inst_stage { SM_INST_OPERANDS, SM_INST_PIPE, SM_INST_MEMORY, SM_INST_RETIRED };
enum sm_inst_stage sm_inst_stage(const struct sm_inst *inst);

/* Returns how many warps of the back end make a warp of the front end, its slices: 1, 2 or 4. */
unsigned sm_slices(const struct sm *sm);

/* Takes the warp's oldest instruction, which has retired: the architectural check has seen it. */
void sm_take(struct sm *sm, unsigned warp);

/* Sets whether a check takes retired instructions; else the back end takes them itself. */
void sm_set_checked(struct sm *sm, bool checked);

/* Returns the warps (bit w for warp w) whose oldest instruction has retired since the last call. */
uint64_t sm_retired_warps(struct sm *sm);

const struct warp_place *sm_place(const struct sm *sm, unsigned warp);

/* Returns the warps (bit w for warp w) launched since the last call; the check starts them. */
uint64_t sm_launched_warps(struct sm *sm);

/* Faults of the simulated program or hardware, which stop the run. */
enum sm_fault_kind {
  SM_FAULT_NONE,
  SM_FAULT_ILLEGAL,  /* illegal instruction or malformed word */
  SM_FAULT_PC,       /* issued word is not the program's at that PC, or PC out of the kernel */
  SM_FAULT_STACK,    /* SIMT stack overflow trap */
  SM_FAULT_BARRIER,  /* a barrier in divergent code, or one that a warp of the CTA never reached */
  SM_FAULT_PROTOCOL, /* the front end broke its contract: issue to a dead warp, no credit, ... */
  SM_FAULT_TIMING,   /* non-memory timing depended on memory */
  SM_FAULT_BLOCK     /* a bsync with a wrong direction or in divergent code, or a memory instruction
                        or the end of the warp while its bsync is open */
};
struct sm_fault {
  enum sm_fault_kind kind;
  uint8_t warp;
  uint16_t pc;
  uint64_t cycle, word;
  char text[160];
};
const struct sm_fault *sm_fault(const struct sm *sm); /* kind 0: none */

struct sm_stats {
#define STAT_COUNT STAT_FIELD
#include "csim/sm/stats.def"
  uint64_t by_unit[16];         /* warp instructions by function unit */
  uint64_t stalls[STALL_CODES]; /* scheduler cycles by cause (csim/ports/stalls.def) */
};
void sm_stats_add(struct sm_stats *to, const struct sm_stats *from);
void sm_stats(const struct sm *sm, struct sm_stats *stats);

/* Writes one line for each warp of a resident CTA, for hang reports: PC, what the warp waits for,
 * its oldest instruction in flight, and its stores that are not acknowledged.  Returns the length
 * of the whole text, of which `text` gets at most size - 1 characters. */
int sm_describe(const struct sm *sm, char *text, size_t size);

#endif
