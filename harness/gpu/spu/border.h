/* Interface units that are SMs: what their CTAs run, see and move.  The SMs of the border are
 * truncated ones; in a partial pass SMs of the grid serve as interface units, too. */
#ifndef TANDEM_SPU_BORDER_H
#define TANDEM_SPU_BORDER_H

#include "harness/gpu/spu/fabric.h"

/* Where that program lies behind the one of t->launch.grid. */
void spu_border_code(const struct tandem *t, const struct spu_fabric *f, struct grid_spu *grid);

/* A CTA was launched in a place, with the registers that blocks have, too; its port has new
 * outputs; it has left. */
void spu_border_launched(struct tandem *t, struct spu_fabric *f, unsigned place);
void spu_border_progress(struct tandem *t, struct spu_fabric *f, unsigned place);
void spu_border_ended(struct tandem *t, struct spu_fabric *f, unsigned place);

/* " (W lane 2)", " (N lanes 2 to 3)": what an SM of the border serves. */
void spu_border_sm(const struct tandem *t, unsigned sm, char *text, size_t size);

/* The special registers of a place's CTA, and one of them. */
static inline uint32_t *spu_registers(struct tandem *t, const struct spu_fabric *f,
                                      unsigned place) {
  return sm_spu_registers(t->sms[spu_place_sm(&f->shape, place)].sm,
                          spu_place_cta(&f->shape, place));
}
static inline void spu_register(uint32_t *values, enum isa_sreg reg, uint32_t value) {
  values[reg - ISA_SR_REGVIU] = value;
}

#endif
