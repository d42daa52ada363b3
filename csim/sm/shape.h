/* The shape of an SM in a launch: the part of a group's hardware that serves its warps.
 *
 * An SM that borrows from a neighbour has two sides.  Side 0 is its own; side 1 has the registers,
 * operand collectors and queues of the neighbour, and the warps from SM_SIDE1 on.  A path between
 * the sides has `delay` register stages, and the same path within side 0 has as many.  Two SMs of a
 * pair have the halves of wide warps.  (docs/models/sm_sides.md) */
#ifndef TANDEM_SM_SHAPE_H
#define TANDEM_SM_SHAPE_H

#include "csim/isa/core/grid.h"
#include "csim/sm/sm_config.h"
#include "csim/util/error.h"

struct sm;

enum { SM_SIDE1 = 24, SM_DELAY_MOST = 2, SM_LINK_MOST = 8 };

/* The hardware of side 1, as a part of the neighbour's. */
enum sm_far { SM_FAR_NONE, SM_FAR_HALF, SM_FAR_WHOLE };

struct sm_shape {
  uint64_t warps;         /* bit w: warp w has registers, see sm_side_warps */
  uint32_t threads;       /* of all resident CTAs, at most */
  uint32_t shared_bytes;  /* likewise */
  uint8_t delay;          /* stages of a path, 0 to SM_DELAY_MOST */
  uint8_t far;            /* enum sm_far */
  uint8_t operand_planes; /* planes a cycle to SP and SFU from side 1, 1 to SM_LINK_MOST */
  uint8_t memory_planes;  /* planes a cycle to and from the load-store unit, likewise */
  bool whole_sides;       /* the warps of a CTA are on one side */
  bool pair;              /* the SM has the halves of wide warps, and no side 1 */
};

/* Gives the SM a shape, or that of its configuration if NULL.  It counts from the next sm_begin on,
 * until the next call.  The SM is idle. */
void sm_set_shape(struct sm *sm, const struct sm_shape *shape);

/* Returns the warps, the lowest ones of a side's, that its registers allow. */
uint64_t sm_side_warps(const struct grid *grid, unsigned warps, uint32_t registers);

/* Returns how many CTAs of the grid's kernel fit an SM of this shape by threads, warps, CTA slots
 * and shared memory.  0, with the resource in *err, if one CTA alone does not fit. */
unsigned sm_shape_occupancy(const struct sm_config *config, const struct sm_shape *shape,
                            const struct grid *grid, struct tandem_error *err);

/* Queue entries of side 1 that the last step has returned. */
struct sm_credits {
  uint8_t sp, sfu, mem;
};
struct sm_credits sm_far_credits(const struct sm *sm);

/* The bit of sm_step's answer for credits of side 1. */
#define SM_RAISED_FAR (UINT64_C(1) << 63)

/* Planes that have crossed between the sides, or the halves, so far. */
struct sm_links {
  uint64_t operand_planes; /* to SP and SFU */
  uint64_t result_planes;  /* from SP and SFU */
  uint64_t address_planes; /* to the load-store unit: addresses and data of stores */
  uint64_t data_planes;    /* from the load-store unit */
  uint64_t branches;       /* branches and exits whose lanes cross to the front end */
  uint64_t waits;          /* cycles in which an instruction waited for one of these links */
};
const struct sm_links *sm_links(const struct sm *sm);

#endif
