/* Shapes: what an SM has in a launch, and the CTAs that fit. */
#include "csim/sm/shape.h"

#include "csim/sm/sm_local.h"

#include <errno.h>

void sm_set_shape(struct sm *sm, const struct sm_shape *shape) {
  sm->shaped = shape != NULL;
  sm->shape = shape != NULL ? *shape : (struct sm_shape){0};
  sm->part = sm->shape.pair || sm->config.slices > 1;
  sm->half = 0;
  sm->other = NULL;
  sm->smid = (uint8_t)sm->index;
  sm->resolve_delay = sm->shape.delay;
}

uint64_t sm_side_warps(const struct grid *grid, unsigned warps, uint32_t registers) {
  const uint64_t held = registers / sm_registers_of_warp(grid_registers(grid));
  return SM_BIT(held < warps ? held : warps) - 1;
}

const struct sm_links *sm_links(const struct sm *sm) { return &sm->links; }

struct sm_credits sm_far_credits(const struct sm *sm) {
  return sm->far_credits;
}

/* Returns the warps of side 0 (0) or 1 (1) among those of a set. */
static uint64_t of_side(uint64_t warps, unsigned side) {
  const uint64_t own = SM_BIT(SM_SIDE1) - 1;
  return side == 0 ? warps & own : warps & ~own;
}

static unsigned need_of(const struct sm_shape *shape, const struct grid *grid) {
  return shape->pair ? (grid->warps + 1) / 2 : grid->warps;
}

/* Returns how many CTAs of `need` warps fit the usable ones. */
static unsigned by_warps(const struct sm_shape *shape, unsigned need, unsigned *most) {
  unsigned n = 0;
  *most = 0;
  for (unsigned side = 0; side < SM_SIDES; side++) {
    const uint64_t warps = shape->whole_sides ? of_side(shape->warps, side) : shape->warps;
    const unsigned held = (unsigned)__builtin_popcountll(warps);
    *most = held > *most ? held : *most;
    n += side == 0 || shape->whole_sides ? held / need : 0;
  }
  return n;
}

unsigned sm_shape_occupancy(const struct sm_config *config, const struct sm_shape *shape,
                            const struct grid *grid, struct tandem_error *err) {
  const unsigned need = need_of(shape, grid);
  unsigned most, n = config->ctas;
  const unsigned held = by_warps(shape, need, &most);
  n = sm_ctas_of("threads", grid->threads, shape->threads, n, err);
  n = n != 0 ? sm_ctas_of("bytes of shared memory", sm_shared_of(grid), shape->shared_bytes, n, err)
             : 0;
  if (n != 0 && held == 0)
    (void)tandem_fail(err, -EINVAL,
                      "a CTA needs %u warps of %u registers a thread, an SM has registers for %u%s",
                      need, grid_registers(grid), most, shape->whole_sides ? " on one side" : "");
  return held < n ? held : n;
}

void sm_shape_room(const struct sm *sm, struct sm_room *room) {
  const struct sm_shape *shape = &sm->shape;
  room->warps &= shape->warps;
  room->need = sm->grid != NULL ? need_of(shape, sm->grid) : 0;
  if (!shape->whole_sides)
    return;
  const uint64_t own = of_side(room->warps, 0);
  room->warps = (unsigned)__builtin_popcountll(own) >= room->need ? own : of_side(room->warps, 1);
}
