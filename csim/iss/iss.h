/* The architectural check: executes every warp's instructions in program order with its own PCs,
 * masks, SIMT stack, registers and predicates, and checks every retired instruction of the back
 * end: PC, active mask, executing lanes, result values, addresses, store data and branch outcome.
 * The threads of a warp follow from the launch and the number of its CTA (placement.c).
 *
 * After a load or an atomic the check continues with the value that the memory model returned, so
 * that it can check programs with races; memory.h says which returned values are mismatches.  The
 * check also takes the values of clock registers and of the registers that show the state of an
 * interface unit.  It computes everything else itself: with the arithmetic of
 * csim/isa/lanes/lanes.h, or, in full mode (iss_set_full), with the slower one of csim/iss/arith.
 */
#ifndef TANDEM_ISS_H
#define TANDEM_ISS_H

#include <stdbool.h>

#include "csim/isa/core/grid.h"
#include "csim/isa/core/inst.h"
#include "csim/util/error.h"

struct iss; /* the check of one SM */
struct pages;

/* Creates the check of SM sm_index in memory of `pages`, which frees it.  NULL with *err if there
 * is no memory. */
struct iss *iss_create(unsigned sm_index, struct pages *pages, struct tandem_error *err);

/* Selects the arithmetic: that of csim/iss/arith if full, else that of csim/isa/lanes. */
void iss_set_full(struct iss *iss, bool full);

/* Begins a launch. */
void iss_begin(struct iss *iss, const struct grid *grid);

/* Notes that a CTA was dispatched to the SM.  Its warps start next, in the order of their numbers,
 * after those of the CTAs before it.  `number` is the linear number of the CTA, x first.  `of_grid`
 * is true for the CTAs of the grid, each of which must run once; it is false for an interface
 * unit's CTA, which has the number of the block it serves.  iss_check returns false after a wrong
 * dispatch. */
void iss_cta(struct iss *iss, uint64_t number, bool of_grid);

/* Starts a warp that the machine has launched at `place`.  All of the place but CTA slot and first
 * PC must follow from the launch.  False, with a mismatch, if it does not, or if the check has not
 * seen the end of the warp before. */
bool iss_start(struct iss *iss, unsigned warp, const struct warp_place *place);

/* Checks an instruction that has retired.  The caller hands over all instructions of a warp, in
 * program order.  False once there is a mismatch. */
bool iss_check(struct iss *iss, const struct sm_inst *inst);

/* Returns whether the warp is at a barrier that other warps of its CTA have not reached.  Its next
 * instruction must not be checked yet. */
bool iss_waits(const struct iss *iss, unsigned warp);

/* Returns the warps that have passed a barrier since the last call: bit w for warp from + w, where
 * `from` is 0 or 64.  Only an SM with halves of wide warps has warps from 64 on, up to 95. */
uint64_t iss_released(struct iss *iss, unsigned from);

/* Ends a launch.  False, with a mismatch, if a warp has not ended in the check. */
bool iss_finish(struct iss *iss);

/* Lanes of a warp that wait in its SIMT stack, at their next instruction. */
struct iss_group {
  uint32_t lanes;
  uint16_t pc;
};

/* Fills the groups of lanes that wait, the uppermost first, at most `max`: all if no lane of the
 * warp runs, else those below the running ones.  Returns how many it filled. */
unsigned iss_groups(const struct iss *iss, unsigned warp, bool runs, struct iss_group *groups,
                    unsigned max);

struct iss_mismatch {
  bool any;
  uint8_t warp, lane;
  uint16_t pc;          /* PC at which the check is */
  uint64_t word, cycle; /* instruction; cycle of issue */
  const char *what;     /* short name: "pc", "active mask", "r5", ...; static text */
  uint64_t expected, got;
  const char *of; /* kind of `at`: "address" or "CTA", static text; NULL: there is no `at` */
  uint64_t at;
  uint64_t thread; /* number in the grid, counted CTA by CTA, plus one; 0: see warp and lane */
  char text[120];  /* one sentence, without the place */
};
const struct iss_mismatch *iss_mismatch(const struct iss *iss);

/* Returns the number of warp instructions checked. */
uint64_t iss_checked(const struct iss *iss);

/* A race: two instructions whose threads no barrier orders, of which one writes what the other
 * accesses.  The fields but `count` are those of its first occurrence. */
enum { ISS_RACE_SEVERAL = 0x7fffffff };
struct iss_race {
  bool shared; /* shared memory of the second thread's CTA; else global memory */
  uint32_t address;
  uint16_t pc[2]; /* the first of the two writes */
  /* Number in the CTA, or in the grid counted CTA by CTA, plus one; ISS_RACE_SEVERAL: several have
   * written, and none of them is kept. */
  uint32_t thread[2];
  uint64_t count; /* occurrences */
};

#endif
