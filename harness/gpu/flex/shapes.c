/* The shape of each SM and of its memory side in a launch, by the scheme and its place. */
#include "harness/gpu/flex/flex.h"

/* Shared memory and L1D: those of side 1 are lent. */
static struct sm_mem_shape memory_of(const struct tandem_config *c, const struct flex_choice *now,
                                     uint32_t shared_bytes) {
  const struct flex_config *k = &c->feature.flex;
  const unsigned part = now->scheme == FLEX_BAL ? 2 : 1;
  const bool own = now->own_memory && !flex_wide(now->scheme);
  return (struct sm_mem_shape){.shared_bytes = shared_bytes,
                               .shared_own = c->sm.shared_bytes,
                               .shared_far_banks = own ? 0 : c->mem.shared_banks / part,
                               .l1d_far_ways = own ? 0 : c->mem.l1d_ways / part,
                               /* Nothing crosses: there is no stage to be equal to. */
                               .delay = own ? 0 : k->dummy,
                               .joint =
                                   flex_wide(now->scheme) && k->coalesce == FLEX_COALESCE_WARP};
}

static struct sm_shape shape_of(const struct tandem_config *c, enum flex_scheme scheme,
                                const struct flex_shape *s) {
  static const enum sm_far far[FLEX_SCHEMES] = {
      [FLEX_OCC] = SM_FAR_WHOLE, [FLEX_BAL] = SM_FAR_HALF};
  const struct flex_config *k = &c->feature.flex;
  return (struct sm_shape){.warps = s->warps[0] | s->warps[1],
                           .threads = s->threads,
                           .shared_bytes = s->shared_bytes,
                           .delay = (uint8_t)k->dummy,
                           .far = (uint8_t)far[scheme],
                           .operand_planes = (uint8_t)k->operand_planes,
                           .memory_planes = (uint8_t)k->memory_planes,
                           .whole_sides = k->placement == FLEX_PLACE_SIDES,
                           .pair = flex_wide(scheme)};
}

static int set_shape(struct tandem *t, unsigned sm, uint32_t shared_bytes,
                     struct tandem_error *err) {
  const struct flex *f = t->own;
  const enum flex_scheme scheme = f->now.scheme;
  const bool borrows = flex_lender(scheme, sm % t->config.feature.flex.size) >= 0;
  struct gpu_sm *s = &t->sms[sm];
  const struct sm_mem_shape memory = memory_of(&t->config, &f->now, shared_bytes);
  /* Pairs are shaped as they begin. */
  sm_set_shape(s->sm, borrows && !flex_wide(scheme) ? &f->shape : NULL);
  return sm_mem_set_shape(s->mem, borrows ? &memory : NULL, err);
}

int flex_set_shapes(struct tandem *t, struct tandem_error *err) {
  struct flex_gpu gpu = flex_gpu_of(&t->config);
  struct flex *f = t->own;
  gpu.own_memory = f->now.own_memory;
  const struct flex_shape shape = flex_shape(&gpu, f->now.scheme, grid_registers(&t->launch.grid));
  f->shape = shape_of(&t->config, f->now.scheme, &shape);
  for (unsigned i = 0; i < t->nsms; i++)
    TRY(set_shape(t, i, shape.shared_bytes, err));
  return 0;
}
