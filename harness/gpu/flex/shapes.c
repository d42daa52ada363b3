/* The shape of each SM and of its memory side in a launch, by the scheme and its place. */
#include "harness/gpu/flex/flex.h"

/* Shared memory and L1D: those of side 1 are lent. */
static struct sm_mem_shape memory_of(const struct tandem_config *c, enum flex_scheme scheme,
                                     uint32_t shared_bytes) {
  const struct flex_config *k = &c->feature.flex;
  const unsigned part = scheme == FLEX_BAL ? 2 : 1;
  const bool own = k->memory == FLEX_MEMORY_OWN;
  return (struct sm_mem_shape){.shared_bytes = shared_bytes,
                               .shared_own = c->sm.shared_bytes,
                               .shared_far_banks = own ? 0 : c->mem.shared_banks / part,
                               .l1d_far_ways = own ? 0 : c->mem.l1d_ways / part,
                               /* Nothing crosses: there is no stage to be equal to. */
                               .delay = own ? 0 : k->dummy};
}

static struct sm_shape shape_of(const struct tandem_config *c, enum flex_scheme scheme,
                                const struct flex_shape *s) {
  const struct flex_config *k = &c->feature.flex;
  return (struct sm_shape){.warps = s->warps[0] | s->warps[1],
                           .threads = s->threads,
                           .shared_bytes = s->shared_bytes,
                           .delay = (uint8_t)k->dummy,
                           .far = scheme == FLEX_BAL ? SM_FAR_HALF : SM_FAR_WHOLE,
                           .operand_planes = (uint8_t)k->operand_planes,
                           .memory_planes = (uint8_t)k->memory_planes,
                           .whole_sides = k->placement == FLEX_PLACE_SIDES};
}

static int set_shape(struct tandem *t, unsigned sm, const struct flex_shape *shape,
                     struct tandem_error *err) {
  const enum flex_scheme scheme = ((const struct flex *)t->own)->now;
  const bool borrows = flex_lender(scheme, sm % t->config.feature.flex.size) >= 0;
  struct gpu_sm *s = &t->sms[sm];
  const struct sm_shape of = shape_of(&t->config, scheme, shape);
  const struct sm_mem_shape memory = memory_of(&t->config, scheme, shape->shared_bytes);
  sm_set_shape(s->sm, borrows ? &of : NULL);
  return sm_mem_set_shape(s->mem, borrows ? &memory : NULL, err);
}

int flex_set_shapes(struct tandem *t, struct tandem_error *err) {
  const struct flex_gpu gpu = flex_gpu_of(&t->config);
  const enum flex_scheme scheme = ((const struct flex *)t->own)->now;
  const struct flex_shape shape = flex_shape(&gpu, scheme, grid_registers(&t->launch.grid));
  for (unsigned i = 0; i < t->nsms; i++)
    TRY(set_shape(t, i, &shape, err));
  return 0;
}
