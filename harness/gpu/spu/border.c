/* Interface units that are SMs: first PC and registers of their CTAs, and the words that these
 * move. */
#include "harness/gpu/spu/border.h"

#include "csim/mem/cb_port.h"
#include "harness/gpu/core/program.h"
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/syncs.h"

void spu_border_code(const struct tandem *t, const struct spu_fabric *f, struct grid_spu *grid) {
  const struct tandem_program *p = t->programs;
  while (p->isa != t->launch.grid.program)
    p = p->next;
  grid->viu = (uint16_t)p->appendix;
  grid->viu_end = (uint16_t)p->ncode;
  grid->spill = (uint16_t)(p->appendix + isa_program_kernel(f->viu, "spill")->entry);
  grid->restore = (uint16_t)(p->appendix + isa_program_kernel(f->viu, "restore")->entry);
}

/* The lane that an interface unit is or stands for. */
static unsigned lane_of(struct spu_fabric *f, unsigned place) {
  const struct spu_shape *s = &f->shape;
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  if (place >= s->slots)
    return place - s->slots;
  return seq->side ? spu_lane(s, SPU_S, place % s->px) : spu_lane(s, SPU_E, place / s->px);
}

void spu_border_progress(struct tandem *t, struct spu_fabric *f, unsigned place) {
  const struct block_port_out *port = spu_out(f, SPU_PORT, place);
  const unsigned lane = lane_of(f, place), side = spu_lane_side(&f->shape, lane);
  const bool vertical = side == SPU_N || side == SPU_S;
  const uint32_t face = 4 * spu_face_words(&f->launch, vertical);
  uint32_t *values = spu_registers(t, f, place);
  spu_register(values, ISA_SR_REGCSPILLNB, (uint32_t)port->cspill);
  /* A unit of a side without faces serves nothing, like a DMA engine of such a side. */
  spu_register(values, ISA_SR_REGLAST,
               port->cspill == f->grid.spills || f->launch.face[side].rows == 0);
  spu_register(values, ISA_SR_REGSPILL,
               spu_region(f, vertical, spu_lane_number(&f->shape, lane)) +
                   (uint32_t)port->vcount * face);
}

void spu_border_launched(struct tandem *t, struct spu_fabric *f, unsigned place) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  const unsigned sm = spu_place_sm(&f->shape, place), cta = spu_place_cta(&f->shape, place);
  const unsigned lane = lane_of(f, place), side = spu_lane_side(&f->shape, lane);
  struct spu_place *p = &f->place[place];
  uint32_t *values = spu_registers(t, f, place);
  p->viu = seq->viu != 0;
  if (p->viu)
    sm_cta_start_at(t->sms[sm].sm, cta, p->role == SPU_LOAD ? f->grid.restore : f->grid.spill);
  spu_register(values, ISA_SR_REGVIU, p->viu);
  spu_register(values, ISA_SR_REGIUDIR, side);
  spu_register(values, ISA_SR_IUID, lane);
  spu_register(values, ISA_SR_REGFACE, 4 * spu_face_words(&f->launch, side < SPU_W));
  spu_border_progress(t, f, place);
  sm_mem_words(t->sms[sm].mem, cta, &p->loaded, &p->stored);
  f->counts.border_ctas++;
}

void spu_border_ended(struct tandem *t, struct spu_fabric *f, unsigned place) {
  const unsigned sm = spu_place_sm(&f->shape, place), cta = spu_place_cta(&f->shape, place);
  const struct spu_place *p = &f->place[place];
  struct spu_statistics *c = &f->counts;
  uint64_t loaded, stored;
  spu_check_unit_end(f, place, spu_lane_side(&f->shape, lane_of(f, place)));
  sm_mem_words(t->sms[sm].mem, cta, &loaded, &stored);
  loaded -= p->loaded;
  stored -= p->stored;
  if (p->role == SPU_LOAD)
    *(p->viu ? &c->words_restored : &c->words_in) += loaded;
  else
    *(p->viu ? &c->words_spilled : &c->words_out) += stored;
  f->border_loaded += p->role == SPU_LOAD ? loaded : 0;
  f->border_stored += p->role == SPU_LOAD ? 0 : stored;
  c->border_cycles += t->cycle - p->from;
}

void spu_border_sm(const struct tandem *t, unsigned sm, char *text, size_t size) {
  const struct spu_fabric *f = t->own;
  const unsigned n = spu_sm_places(&f->shape, sm), place = spu_place_of(&f->shape, sm, 0);
  const unsigned lane = place - f->shape.slots, number = spu_lane_number(&f->shape, lane);
  char name[32];
  spu_lane_name(&f->shape, lane, name);
  if (n == 1)
    snprintf(text, size, " (%s)", name);
  else
    snprintf(text, size, " (%c lanes %u to %u)", *name, number, number + n - 1);
}
