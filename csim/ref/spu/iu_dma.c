/* Reference of rtl/spu/iu_dma.sv. */
#include "csim/ref/spu/iu_dma.h"

#include <string.h>

#include "csim/ref/spu/roles.h"

void iu_dma_ref_reset(struct iu_dma_ref *e, unsigned stores) {
  *e = (struct iu_dma_ref){.stores = stores};
}

static const struct iu_dma_descriptor *iu_dma_selected(const struct iu_dma_ref *e) {
  return &e->d[e->sel];
}

static bool iu_dma_is_global(const struct iu_dma_ref *e) {
  return (iu_dma_selected(e)->reg[IU_DMA_MODE] & IU_DMA_GLOBAL) != 0;
}

/* ---- tags ---- */

static bool iu_dma_any_busy(const struct iu_dma_ref *e) {
  for (unsigned t = 0; t < IU_DMA_TAGS; t++)
    if (e->busy[t])
      return true;
  return false;
}

/* The lowest tag that may be taken; IU_DMA_TAGS: none. */
static unsigned iu_dma_free_tag(const struct iu_dma_ref *e) {
  for (unsigned t = 0; t < e->d[0].reg[IU_DMA_OUTSTANDING]; t++)
    if (!e->busy[t])
      return t;
  return IU_DMA_TAGS;
}

static unsigned iu_dma_sectors(const struct iu_dma_piece *p) {
  return ((1U << p->count) - 1) << p->first;
}

/* ---- the walk ---- */

static void iu_dma_walk_row(struct iu_dma_ref *e) {
  const uint32_t *reg = iu_dma_selected(e)->reg;
  e->walk.addr = e->walk.row_addr;
  e->walk.words_left = reg[e->virt ? IU_DMA_FACE_WORDS : IU_DMA_ROW_WORDS];
}

static void iu_dma_walk_start(struct iu_dma_ref *e) {
  const struct iu_dma_descriptor *d = iu_dma_selected(e);
  e->walk = (struct iu_dma_walk){.row_addr = e->virt ? d->spill_ptr : e->tile_addr,
                                 .row_left = e->virt ? 1 : d->reg[IU_DMA_ROWS]};
  iu_dma_walk_row(e);
}

static struct iu_dma_piece iu_dma_walk_take(struct iu_dma_ref *e) {
  struct iu_dma_walk *w = &e->walk;
  struct iu_dma_piece p = {
      .segment = w->addr & ~UINT32_C(127), .first = w->addr / 32 % 4, .octet = w->octet};
  p.count = w->words_left / 8 < 4 - p.first ? w->words_left / 8 : 4 - p.first;
  w->octet += p.count;
  w->addr += 32 * p.count;
  w->words_left -= 8 * p.count;
  if (w->words_left == 0) {
    w->row_left--;
    w->row_addr += iu_dma_selected(e)->reg[IU_DMA_ROW_PITCH];
    iu_dma_walk_row(e);
  }
  return p;
}

/* A tile is moved. */
static void iu_dma_walk_end(struct iu_dma_ref *e) {
  struct iu_dma_descriptor *d = &e->d[e->sel];
  if (e->virt)
    d->spill_ptr += 4 * d->reg[IU_DMA_FACE_WORDS];
  else
    e->tile_addr += d->reg[IU_DMA_TILE_PITCH];
}

/* ---- states ---- */

static void iu_dma_enter(struct iu_dma_ref *e, enum iu_dma_state state) {
  e->state = state;
  e->out.get = state == IU_DMA_CREDIT;
  e->out.post = state == IU_DMA_POST || state == IU_DMA_ASK;
  e->out.gpost = state == IU_DMA_STEP;
  if (state == IU_DMA_FETCH || state == IU_DMA_DRAIN)
    iu_dma_walk_start(e);
}

static bool iu_dma_due(const struct iu_dma_ref *e) {
  const struct iu_dma_descriptor *d = iu_dma_selected(e);
  return e->virt || (d->pass_first <= e->count && e->count < d->pass_first + d->reg[IU_DMA_TILES]);
}

static void iu_dma_begin_tile(struct iu_dma_ref *e) {
  if (iu_dma_is_global(e))
    iu_dma_enter(e, !e->store && iu_dma_due(e) ? IU_DMA_FETCH : IU_DMA_STEP);
  else if (e->store)
    iu_dma_enter(e, IU_DMA_ASK);
  else
    iu_dma_enter(e, e->virt ? IU_DMA_CREDIT : IU_DMA_FETCH);
}

static void iu_dma_end_tile(struct iu_dma_ref *e) {
  const uint32_t *reg = iu_dma_selected(e)->reg;
  e->count++;
  if (e->count == reg[iu_dma_is_global(e) ? IU_DMA_STEPS : IU_DMA_TILES]) {
    e->out.fin = 1;
    iu_dma_enter(e, IU_DMA_IDLE);
  } else {
    iu_dma_begin_tile(e);
  }
}

static void iu_dma_start(struct iu_dma_ref *e, const struct iu_dma_in *in) {
  e->store = in->role == SPU_ROLE_STORE;
  e->virt = in->viu != 0;
  e->sel = e->stores == 2 ? (unsigned)in->side : 0;
  e->count = 0;
  e->tile_addr = iu_dma_selected(e)->pass_base;
  iu_dma_begin_tile(e);
}

static void iu_dma_idle(struct iu_dma_ref *e, const struct iu_dma_in *in) {
  static const unsigned width[IU_DMA_REGISTERS] = {32, 32, 13, 13, 32, 32, 16,
                                                   16, 16, 16, 32, 14, 2,  5};
  const unsigned d = (unsigned)in->cfg_reg >> 4, number = (unsigned)in->cfg_reg & 15;
  const struct iu_dma_descriptor *served = &e->d[e->stores == 2 ? in->side : 0];
  if (in->start && served->reg[IU_DMA_TILES] == 0)
    e->out.fin = 1;
  else if (in->start)
    iu_dma_start(e, in);
  if (in->cfg_valid && d < e->stores && number < IU_DMA_REGISTERS)
    e->d[d].reg[number] = (uint32_t)(in->cfg_data & port_mask(width[number]));
}

/* Requests a piece, of memory or of the CB. */
static void iu_dma_request(struct iu_dma_ref *e) {
  const unsigned tag = iu_dma_free_tag(e);
  if (tag == IU_DMA_TAGS)
    return;
  const struct iu_dma_piece p = iu_dma_walk_take(e);
  e->busy[tag] = true;
  e->tag[tag] = p;
  if (e->state == IU_DMA_FETCH) {
    e->out.m_valid = 1;
    e->out.m_write = 0;
    e->out.m_addr = p.segment;
    e->out.m_sectors = iu_dma_sectors(&p);
    e->out.m_tag = tag;
    return;
  }
  e->queue[e->queued++] = tag;
  e->out.c_valid = 1;
  e->out.c_bank = 0;
  memset(e->out.c_row, 0, sizeof e->out.c_row);
  for (unsigned o = p.octet; o < p.octet + p.count; o++) {
    e->out.c_bank |= UINT64_C(0xff) << o % 4 * 8;
    e->out.c_row[o % 4] = o / 4 * UINT64_C(0x0101010101010101);
  }
}

static void iu_dma_move(struct iu_dma_ref *e) {
  if (e->walk.row_left != 0) {
    iu_dma_request(e);
    return;
  }
  if (iu_dma_any_busy(e))
    return;
  iu_dma_walk_end(e);
  if (e->state == IU_DMA_FETCH)
    iu_dma_enter(e, iu_dma_is_global(e) ? IU_DMA_STEP : IU_DMA_POST);
  else if (e->virt && !iu_dma_is_global(e))
    iu_dma_enter(e, IU_DMA_PUT);
  else
    iu_dma_end_tile(e);
}

static void iu_dma_step_done(struct iu_dma_ref *e) {
  if (e->store && iu_dma_due(e))
    iu_dma_enter(e, IU_DMA_DRAIN);
  else
    iu_dma_end_tile(e);
}

/* ---- answers ---- */

/* Words from memory go to the CB: an octet is 4 words of 64 bits on both sides. */
static void iu_dma_arrive(struct iu_dma_ref *e, const struct iu_dma_in *in) {
  const struct iu_dma_piece *p = &e->tag[in->m_rsp_tag];
  e->out.p_valid = 1;
  e->out.p_bank = 0;
  memset(e->out.p_row, 0, sizeof e->out.p_row);
  memset(e->out.p_data, 0, sizeof e->out.p_data);
  for (unsigned i = 0; i < p->count; i++) {
    const unsigned o = p->octet + i;
    e->out.p_bank |= UINT64_C(0xff) << o % 4 * 8;
    e->out.p_row[o % 4] = o / 4 * UINT64_C(0x0101010101010101);
    memcpy(&e->out.p_data[o % 4 * 4], &in->m_rsp_data[(p->first + i) * 4], 32);
  }
}

/* Words from the CB go to memory. */
static void iu_dma_send(struct iu_dma_ref *e, const struct iu_dma_in *in) {
  const unsigned tag = e->queue[0];
  const struct iu_dma_piece *p = &e->tag[tag];
  memmove(e->queue, e->queue + 1, --e->queued * sizeof *e->queue);
  e->out.m_valid = 1;
  e->out.m_write = 1;
  e->out.m_addr = p->segment;
  e->out.m_sectors = iu_dma_sectors(p);
  e->out.m_tag = tag;
  memset(e->out.m_data, 0, sizeof e->out.m_data);
  for (unsigned i = 0; i < p->count; i++)
    memcpy(&e->out.m_data[(p->first + i) * 4], &in->c_data[(p->octet + i) % 4 * 4], 32);
}

/* ---- a cycle ---- */

/* The next pass of a row, or the next row of passes. */
static void iu_dma_next_pass(struct iu_dma_ref *e, const struct iu_dma_in *in) {
  for (unsigned i = 0; i < e->stores; i++) {
    struct iu_dma_descriptor *d = &e->d[i];
    const bool vertical = (d->reg[IU_DMA_MODE] & IU_DMA_VERTICAL) != 0;
    if (vertical && in->next_cy) {
      d->pass_base = d->reg[IU_DMA_BASE];
      d->pass_first = (uint16_t)d->reg[IU_DMA_FIRST];
    } else if (vertical ? in->next_cx : in->next_cy) {
      d->pass_base += d->reg[IU_DMA_PASS_PITCH];
      d->pass_first = (uint16_t)(d->pass_first + d->reg[IU_DMA_FIRST_STEP]);
    }
  }
}

static void iu_dma_kernel_start(struct iu_dma_ref *e) {
  struct iu_dma_ref fresh = {.stores = e->stores};
  for (unsigned i = 0; i < e->stores; i++) {
    memcpy(fresh.d[i].reg, e->d[i].reg, sizeof fresh.d[i].reg);
    fresh.d[i].pass_base = e->d[i].reg[IU_DMA_BASE];
    fresh.d[i].pass_first = (uint16_t)e->d[i].reg[IU_DMA_FIRST];
    fresh.d[i].spill_ptr = e->d[i].reg[IU_DMA_SPILL];
  }
  *e = fresh;
}

void iu_dma_ref_step(struct iu_dma_ref *e, const struct iu_dma_in *in) {
  if (in->kernel_start) {
    iu_dma_kernel_start(e);
    return;
  }
  struct iu_dma_out *o = &e->out;
  o->fin = o->get = o->post = o->gpost = o->p_valid = o->c_valid = o->m_valid = 0;
  /* 1. The state; tags are free, and tiles moved, by what was so before the cycle. */
  switch (e->state) {
  case IU_DMA_IDLE:
    iu_dma_idle(e, in);
    break;
  case IU_DMA_CREDIT:
    if (in->got)
      iu_dma_enter(e, IU_DMA_FETCH);
    break;
  case IU_DMA_FETCH:
  case IU_DMA_DRAIN:
    iu_dma_move(e);
    break;
  case IU_DMA_POST:
    if (in->done)
      iu_dma_end_tile(e);
    break;
  case IU_DMA_ASK:
    if (in->done)
      iu_dma_enter(e, IU_DMA_DRAIN);
    break;
  case IU_DMA_PUT:
    iu_dma_end_tile(e);
    break;
  case IU_DMA_STEP:
    if (in->gdone)
      iu_dma_step_done(e);
    break;
  }
  iu_dma_next_pass(e, in);
  /* 2. Answers. */
  if (in->c_rsp)
    iu_dma_send(e, in);
  if (in->m_rsp) {
    if (!e->store)
      iu_dma_arrive(e, in);
    e->busy[in->m_rsp_tag] = false;
  }
}

static bool iu_dma_quiet(const struct iu_dma_ref *e) {
  const struct iu_dma_out *o = &e->out;
  if (o->fin || o->get || o->post || o->gpost || o->p_valid || o->c_valid || o->m_valid)
    return false;
  if (e->state == IU_DMA_FETCH || e->state == IU_DMA_DRAIN)
    return iu_dma_any_busy(e) && (e->walk.row_left == 0 || iu_dma_free_tag(e) == IU_DMA_TAGS);
  return e->state != IU_DMA_PUT;
}

void iu_dma_ref_eval(const struct iu_dma_ref *e, const struct iu_dma_in *in,
                     struct iu_dma_out *out) {
  (void)in;
  *out = e->out;
  out->put = e->state == IU_DMA_PUT;
  out->quiet = iu_dma_quiet(e);
}

void iu_dma_ref_view(const struct iu_dma_ref *e, struct iu_dma_view *view) {
  *view = (struct iu_dma_view){
      .state = {e->state},
      .count = {e->count},
      .store = {e->store},
      .virt = {e->virt},
      .sel = {e->sel},
      .tile_addr = {e->tile_addr},
      .row_left = {e->walk.row_left},
      .row_addr = {e->walk.row_addr},
      .addr = {e->walk.addr},
      .words_left = {e->walk.words_left},
      .octet = {e->walk.octet & 0x3ff /* its bits, after the last word of 8192 */}};
  for (unsigned i = 0; i < IU_DMA_DESCRIPTORS; i++) {
    view->pass_base[i] = e->d[i].pass_base;
    view->pass_first[i] = e->d[i].pass_first;
    view->spill_ptr[i] = e->d[i].spill_ptr;
  }
  for (unsigned t = 0; t < IU_DMA_TAGS; t++) {
    const struct iu_dma_piece *p = &e->tag[t];
    view->busy[0] |= (uint64_t)e->busy[t] << t;
    view->tag_addr[t] = p->segment;
    view->tag_octet[t] = p->octet;
    view->tag_first[t] = p->first;
    view->tag_sectors[t] = iu_dma_sectors(p);
  }
}
