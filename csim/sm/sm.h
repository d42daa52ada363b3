/* The back end of an SM: register file, operand collectors, SP, SFU and MEM pipelines, write-back.
 *
 * Timing-true: operands are read at collection and written at write-back, so that a hazard which
 * the front end lets through really reads a stale value.  The timing of instructions that do not
 * use the MEM pipeline depends on the sequence of issues alone; sm_step asserts it.
 */
#ifndef TANDEM_SM_H
#define TANDEM_SM_H

#include "csim/isa/core/grid.h"
#include "csim/isa/core/inst.h"
#include "csim/mem/mem.h"
#include "csim/ports/stalls.h"
#include "csim/ports/told.h"
#include "csim/sm/sm_config.h"
#include "csim/util/stats.h"

struct sm;
struct pages;

/* In memory of pages, which are destroyed after it.  NULL: err tells. */
struct sm *sm_create(const struct sm_config *config, unsigned index, struct sm_mem *mem,
                     struct pages *pages, struct tandem_error *err);
void sm_destroy(struct sm *sm);

/* A launch begins; raises kernel_start on the front end in the next step, which does nothing else.
 * A caller that raises kernel_start itself, for a cluster, raises it with the inputs of that step.
 * CTAs may be launched from now on: their warps start in the step after it, one a cycle.  In a
 * cluster they may not before the outputs show the formation, two steps and the side-band's delay
 * after it. */
void sm_begin(struct sm *sm, const struct grid *grid);

/* CTAs of this kernel that fit an SM by threads, warps, CTA slots, registers and shared memory; 0
 * if one CTA alone does not fit: err names the resource. */
unsigned sm_occupancy(const struct sm_config *config, const struct grid *grid,
                      struct tandem_error *err);

/* Whether a CTA can be taken now, and takes it: its warps start one a cycle through the launch
 * ports. */
bool sm_cta_ready(const struct sm *sm);
void sm_cta_launch(struct sm *sm, const uint32_t ctaid[3]);

/* Room for a CTA in all SMs of a group that takes its CTAs together: CTA slots and warps that are
 * free in each.  Starts as SM_ROOM_ANY, each SM of the group narrows it. */
struct sm_room {
  uint64_t warps;
  uint32_t slots;
  uint32_t need; /* warps of a CTA */
};
#define SM_ROOM_ANY ((struct sm_room){UINT64_MAX, UINT32_MAX, 0})
void sm_cta_room(const struct sm *sm, struct sm_room *room);
bool sm_room_fits(const struct sm_room *room);
/* Takes a CTA into the lowest slot and the lowest warps of the room, which fits: the same ones in
 * every SM of the group.  SMs that have had the same launches in the same cycles start the warps in
 * the same cycles, too: sm_settled is true where that begins. */
void sm_cta_launch_in(struct sm *sm, const uint32_t ctaid[3], const struct sm_room *room);

/* The warps of the CTA that was launched in the slot since the last step start at this PC of the
 * kernel. */
void sm_cta_start_at(struct sm *sm, unsigned slot, uint16_t pc);

/* Whether a CTA is in the slot, or what it left is not complete. */
bool sm_cta_resident(const struct sm *sm, unsigned slot);

/* Events of the CTA slots of an SPU since the last call, for their block ports: CTAs launched in
 * them, with so many warps, and warps ended.  False: none. */
struct sm_block_events {
  uint8_t launched; /* bit c for slot c */
  uint8_t warps[8];
  uint8_t ended[8];
};
bool sm_block_events(struct sm *sm, struct sm_block_events *events);

/* Nothing is under way of what the SMs of a group must have alike from cycle to cycle: warps to
 * launch, operands, ALU pipelines, branches and exits.  All members are settled when a group is
 * formed; what they do alike keeps them alike. */
bool sm_settled(const struct sm *sm);

/* Within a kernel the SM begins to work in a group again, led by `leader` (itself, if it leads).
 * Only warps may be under way of what must be alike, those that wait for their launch, the same
 * ones as in the leader; else it is a protocol fault. */
void sm_join(struct sm *sm, const struct sm *leader);

/* While the front end is off, the slots of its schedulers count as such, whatever it says. */
void sm_set_off(struct sm *sm, bool off);

/* One core cycle: takes the front end's outputs after the last edge and gives its inputs for the
 * next (all of them, except cfg_lrr, which stays as the caller has set it) and the set of those
 * that are told (csim/ports/told.h).  The caller has stepped the memory side before
 * (sm_mem_step, same cycle); sm_step does not.  Cycles are consecutive while the SM is not idle.
 * Where there is a check, it takes what has retired between two calls. */
uint64_t sm_step(struct sm *sm, uint64_t cycle, const struct sm_frontend_out *fe,
                 struct sm_frontend_in *in);

/* The special registers of a stencil processing unit, regviu first, of the CTA in a slot: for the
 * caller to write where the grid has such a unit.  They are 0 when the CTA is launched; movs reads
 * them in the cycle in which it executes, and regrole says at each access and bsync which
 * communication buffers and directions the CTA has. */
uint32_t *sm_spu_registers(struct sm *sm, unsigned cta_slot);

/* Nothing in flight, no warp live, nothing to launch, no CTA resident, memory side idle. */
bool sm_idle(const struct sm *sm);

/* Whether sm_step would do nothing but count: no input of the front end would be raised, nothing
 * would move.  Asked between two cycles, after the check's step; it holds until the front end has
 * an output (anything but the causes of its stalls), the memory side completes an instruction,
 * takes one where it took none (sm_mem_ready) or delivers a beat of a fill, or a CTA or grid is
 * begun. */
bool sm_quiescent(const struct sm *sm);

/* In the place of sm_step in so many cycles, the first of them `cycle`, in which sm_quiescent holds
 * and the front end stalls for the causes in fe: statistics and clock are as if it had stepped. */
void sm_skip(struct sm *sm, uint64_t cycle, uint64_t cycles, const struct sm_frontend_out *fe);

/* Instructions in flight or retired but not checked, of one warp in program order (inst->next), for
 * the architectural check, which takes retired ones from the front with sm_take. */
struct sm_inst *sm_oldest(struct sm *sm, unsigned warp);
void sm_take(struct sm *sm, unsigned warp);
/* Without a check, retired instructions are taken by the back end itself. */
void sm_set_checked(struct sm *sm, bool checked);
/* Warps with instructions retired at the front since the last call (48-bit vector, cleared by the
 * call). */
uint64_t sm_retired_warps(struct sm *sm);
const struct warp_place *sm_place(const struct sm *sm, unsigned warp);
/* Warps launched since the last call (48-bit vector, cleared): the check starts them. */
uint64_t sm_launched_warps(struct sm *sm);

/* The simulated program or hardware did something that stops the run. */
enum sm_fault_kind {
  SM_FAULT_NONE,
  SM_FAULT_ILLEGAL,  /* illegal instruction or malformed word */
  SM_FAULT_PC,       /* issued word is not the program's at that PC, or PC out of the kernel */
  SM_FAULT_STACK,    /* SIMT stack overflow trap */
  SM_FAULT_BARRIER,  /* barrier in divergent code, or a warp ended without reaching one that others
                        wait at */
  SM_FAULT_PROTOCOL, /* the front end broke its contract: issue to a dead warp, no credit, ... */
  SM_FAULT_TIMING,   /* non-memory timing depended on memory */
  SM_FAULT_BLOCK /* a bsync with a bad direction or in divergent code, or an access or the end of a
                    warp while its bsync is open */
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

/* The reason why each live warp waits, one line a warp, for hang reports: pc, state, oldest
 * instruction in flight.  Returns the length of the whole text, which is cut to size. */
int sm_describe(const struct sm *sm, char *text, size_t size);

#endif
