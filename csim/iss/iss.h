/* The architectural check: executes every warp's instructions in program order with its own PCs,
 * masks, SIMT stack, registers and predicates, and checks every retired instruction of the back
 * end: PC, active mask, executing lanes, result values, addresses, store data and branch outcome.
 * Which threads a warp holds follows from the launch and the number of its CTA (place.c).
 *
 * A load or atomic goes on with the value that the memory model returned, so that racy programs can
 * be checked; memory.h says when it can be told to be wrong.  Clock registers, and those that tell
 * the state of an interface unit, take the value read.  Everything else is computed here.
 * Arithmetic is that of csim/isa/lanes/lanes.h, or, many times as slow, this module's own
 * (iss_set_full); everything around it is this module's own.
 */
#ifndef TANDEM_ISS_H
#define TANDEM_ISS_H

#include <stdbool.h>

#include "csim/isa/core/grid.h"
#include "csim/isa/core/inst.h"
#include "csim/util/error.h"

struct iss; /* the check of one SM */
struct pages;

/* In memory of pages, with which it ends.  NULL: err tells. */
struct iss *iss_create(unsigned sm_index, struct pages *pages, struct tandem_error *err);
/* Arithmetic of its own from now on, or not. */
void iss_set_full(struct iss *iss, bool full);
void iss_begin(struct iss *iss, const struct grid *grid);

/* A CTA has been given to the SM: its warps start next, in the order of their numbers, behind those
 * of the CTAs before it.  number: linear, x first.  of_grid: it is one of the CTAs that the grid
 * consists of, each of which must run once; else an interface unit's, which has the number of the
 * block it serves.  A wrong one is a mismatch that iss_check finds. */
void iss_cta(struct iss *iss, uint64_t number, bool of_grid);

/* A warp of the grid has been launched.  place is what the machine says of it: all but CTA slot and
 * first PC must be what follows from the launch.  False, with a mismatch, if not, or if the check
 * had not seen the end of the warp before it. */
bool iss_start(struct iss *iss, unsigned warp, const struct warp_place *place);
/* Checks an instruction that has retired: of each warp all of them, in program order.  False once
 * something differs. */
bool iss_check(struct iss *iss, const struct sm_inst *inst);

/* The check runs a CTA from barrier to barrier: whether the warp is at one that others have not
 * come to, so that its next instruction must not be checked yet; warps that have passed theirs
 * since the last call (48-bit vector, cleared). */
bool iss_waits(const struct iss *iss, unsigned warp);
uint64_t iss_released(struct iss *iss);

/* At the end of a launch: every warp has ended in the check too.  False, with a mismatch, if not.
 */
bool iss_finish(struct iss *iss);

struct iss_mismatch {
  bool any;
  uint8_t warp, lane;
  uint16_t pc;          /* that the check expected */
  uint64_t word, cycle; /* instruction; cycle of issue */
  const char *what;     /* "pc", "active mask", "r5", ... static text */
  uint64_t expected, got;
  const char *of; /* "address", "CTA": the kind of `at`, static text; NULL: there is none */
  uint64_t at;
  uint64_t thread; /* of the grid, counted CTA by CTA, plus one; 0: that of warp and lane */
};
const struct iss_mismatch *iss_mismatch(const struct iss *iss);
uint64_t iss_checked(const struct iss *iss); /* warp instructions checked */

/* A digest of the paths of all warps of the grids that have ended: of each warp the PCs of its
 * instructions with their active and executing lanes, in order, with the launch, the CTA and the
 * warp's place in it.  It depends neither on when they ran, nor on where; sums of several SMs are
 * the digest of all. */
uint64_t iss_paths(const struct iss *iss);

/* Two instructions of which the threads are not ordered by a barrier, and one writes what the other
 * accesses, as first seen. */
struct iss_race {
  bool shared; /* memory: of the CTA of the second thread; else global */
  uint32_t address;
  uint16_t pc[2];     /* that of the first one writes */
  uint32_t thread[2]; /* plus one: of the CTA, or of the grid, counted CTA by CTA */
  uint64_t count;     /* times seen */
};

#endif
