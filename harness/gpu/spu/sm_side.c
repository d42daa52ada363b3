/* Between the fabric, the SMs and memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/cb_port.h"
#include "harness/gpu/core/cell.h"
#include "harness/gpu/spu/border.h"
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/sm_side.h"
#include "harness/gpu/spu/syncs.h"

/* ---- memory ---- */

int spu_open_memory(struct tandem *t, struct spu_fabric *f, struct tandem_error *err) {
  const struct spu_shape *s = &f->shape;
  f->clients = calloc(s->slots + s->lanes, sizeof(struct mem_client *));
  if (f->clients == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for the DMA engines of an SPU");
  for (unsigned i = 0; i < s->slots + s->lanes; i++) {
    const int sm = i < s->slots ? (int)spu_place_sm(s, i) : MEM_CLIENT_OWN;
    if (!spu_has_dma(f, i))
      continue;
    f->clients[i] = gpu_mem_client(t->mem, sm, err);
    if (f->clients[i] == NULL)
      return -EINVAL;
  }
  return 0;
}

void spu_memory_request(struct tandem *t, struct spu_fabric *f, unsigned dma,
                        const struct iu_dma_out *out) {
  struct mem_request r = {.address = (uint32_t)out->m_addr,
                          .tag = (uint8_t)out->m_tag,
                          .sectors = (uint8_t)out->m_sectors,
                          .write = out->m_write != 0};
  if (r.write)
    memcpy(r.data, out->m_data, sizeof r.data);
  if (dma < f->shape.slots) { /* answers come through the SM's memory side */
    struct gpu_sm *s = &t->sms[spu_place_sm(&f->shape, dma)];
    cell_wake(t, s->cell, t->cycle + 1);
    s->idle = s->cell->idle = false;
  }
  bitset_put(f->asking, dma, true);
  if (!mem_client_request(f->clients[dma], t->cycle, &r) && *f->fault.text == '\0')
    (void)tandem_fail(
        &f->fault, -EPROTO,
        "DMA engine %u asks memory what it may not: tag %u, address 0x%08x, sectors %x", dma, r.tag,
        r.address, r.sectors);
  for (uint32_t i = 0; t->check != NULL && r.write && i < 4; i++)
    if ((r.sectors >> i & 1) != 0)
      iss_launch_written(t->check, r.address + 32 * i, 32);
}

static void take_answer(struct tandem *t, struct spu_fabric *f, unsigned i) {
  struct mem_answer a;
  if (!mem_client_answer(f->clients[i], t->cycle, &a))
    return;
  struct iu_dma_in *in = spu_raise_dma(f, i);
  in->m_rsp = 1;
  in->m_rsp_tag = a.tag;
  memcpy(in->m_rsp_data, a.data, sizeof in->m_rsp_data);
  bitset_put(f->asking, i, !mem_client_idle(f->clients[i]));
}

void spu_memory_side(struct tandem *t, struct spu_fabric *f) {
  BITSET_EACH (i, f->asking, f->words)
    take_answer(t, f, i);
}

/* ---- CTAs ---- */

/* The block of the pass that is in the place, or that the interface unit there serves. */
static void block_of(const struct spu_fabric *f, unsigned place, const struct pass_seq_out *seq,
                     uint32_t id[3]) {
  const struct spu_shape *s = &f->shape;
  const struct spu_link l = spu_link_at(s, spu_own_link(s, place, seq->side ? SPU_N : SPU_W));
  const struct spu_end served = seq->role == SPU_LOAD ? l.to : l.from;
  spu_block_id(f, seq->role == SPU_BLOCK ? place : served.index, seq->cx, seq->cy, id);
}

/* The CTA of the pass, if the place's SM has room for one: at most one a cycle and SM. */
static bool offer(struct tandem *t, struct spu_fabric *f, unsigned place) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  const struct spu_shape *s = &f->shape;
  const unsigned cta = spu_place_cta(s, place);
  struct gpu_sm *sm = &t->sms[spu_place_sm(s, place)];
  struct sm_room room = SM_ROOM_ANY;
  uint32_t id[3];
  sm_cta_room(sm->sm, &room);
  room.slots &= 1U << cta;
  if (!sm_room_fits(&room))
    return false;
  block_of(f, place, seq, id);
  cell_wake(t, sm->cell, t->cycle + 1);
  sm_cta_launch_in(sm->sm, id, &room);
  if (sm->iss != NULL)
    iss_cta(sm->iss, id[0] + (uint64_t)t->launch.grid.dim[0] * id[1], seq->role == SPU_BLOCK);
  spu_block_registers(t, f, seq->cx, seq->cy, seq->role, spu_registers(t, f, place));
  sm->idle = sm->cell->idle = false;
  f->place[place] = (struct spu_place){.taken = true, .role = (uint8_t)seq->role, .from = t->cycle};
  if (seq->role == SPU_BLOCK) {
    f->counts.blocks++;
    t->launch.dispatch.first++;
  } else {
    spu_border_launched(t, f, place);
  }
  return true;
}

static void place_ctas(struct tandem *t, struct spu_fabric *f) {
  bool served[GPU_ALL] = {false}; /* SMs */
  BITSET_EACH (place, f->offers, f->words) {
    const unsigned sm = spu_place_sm(&f->shape, place);
    if (served[sm] || !offer(t, f, place))
      continue;
    served[sm] = true;
    spu_raise_seq(f, place)->taken = 1;
    struct block_port_in *port = spu_raise_port(f, place);
    port->launch = 1;
    port->launch_warps = t->launch.grid.warps;
  }
}

/* ---- what SMs ask, and what they get ---- */

/* The link of a buffer: that of the side, or the one that an interface unit serves. */
static unsigned link_of(struct spu_fabric *f, unsigned place, unsigned side) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  return spu_own_link(&f->shape, place, side != CB_OWN ? side : seq->side ? SPU_N : SPU_W);
}

/* A pass of a CTA over one of its buffers. */
static void access_buffer(struct spu_fabric *f, unsigned place, const struct cb_pass *p) {
  struct comm_pair_in *in = spu_raise_pair(f, link_of(f, place, p->side));
  const uint64_t words = (uint64_t)__builtin_popcount(p->banks);
  if (p->write) {
    f->counts.cb_writes += words;
    in->p_valid = 1;
    in->p_bank = p->banks;
    memcpy(in->p_row, p->row, sizeof in->p_row);
    memcpy(in->p_data, p->data, sizeof in->p_data);
  } else {
    f->counts.cb_reads += words;
    in->c_valid = 1;
    in->c_bank = p->banks;
    memcpy(in->c_row, p->row, sizeof in->c_row);
  }
}

static void take_record(struct spu_fabric *f, unsigned sm, const struct cb_record *r) {
  if (r->pass.banks != 0)
    access_buffer(f, spu_place_of(&f->shape, sm, r->pass.cta_slot), &r->pass);
  if (r->arrival.dirs != 0) {
    struct block_port_in *in = spu_raise_port(f, spu_place_of(&f->shape, sm, r->arrival.cta_slot));
    in->arrive = 1;
    in->arrive_dirs = r->arrival.dirs;
  }
}

static void take_exits(struct tandem *t, struct spu_fabric *f, unsigned sm) {
  struct sm_block_events e;
  if (!sm_block_events(t->sms[sm].sm, &e))
    return;
  for (unsigned c = 0; c < spu_sm_places(&f->shape, sm); c++)
    if (e.ended[c] != 0)
      spu_raise_port(f, spu_place_of(&f->shape, sm, c))->exit = 1;
}

/* CTAs that have left their places. */
static void look_for_ends(struct tandem *t, struct spu_fabric *f, unsigned sm) {
  for (unsigned c = 0; c < spu_sm_places(&f->shape, sm); c++) {
    const unsigned place = spu_place_of(&f->shape, sm, c);
    struct spu_place *p = &f->place[place];
    if (!p->taken || sm_cta_resident(t->sms[sm].sm, c))
      continue;
    p->taken = false;
    if (p->role == SPU_BLOCK) {
      spu_check_end(f, place);
      f->counts.block_cycles += t->cycle - p->from;
    } else {
      spu_border_ended(t, f, place);
    }
    spu_raise_seq(f, place)->fin = 1;
  }
}

void spu_sm_data(struct tandem *t, struct spu_fabric *f, unsigned place, const uint64_t data[16]) {
  struct gpu_sm *s = &t->sms[spu_place_sm(&f->shape, place)];
  uint32_t words[CB_BANKS];
  memcpy(words, data, sizeof words);
  cell_wake(t, s->cell, t->cycle + 1);
  sm_mem_cb_answer(s->mem, t->cycle, words);
}

void spu_sm_ack(struct tandem *t, struct spu_fabric *f, unsigned place) {
  struct gpu_sm *s = &t->sms[spu_place_sm(&f->shape, place)];
  cell_wake(t, s->cell, t->cycle + 1);
  sm_mem_block_ack(s->mem, t->cycle, spu_place_cta(&f->shape, place));
}

void spu_sm_side(struct tandem *t, struct spu_fabric *f) {
  for (unsigned sm = 0; sm < t->nsms; sm++) {
    const struct cb_record *r = sm_mem_record(t->sms[sm].mem);
    if (r->cycle != t->cycle) /* the SM rests */
      continue;
    take_record(f, sm, r);
    take_exits(t, f, sm);
    look_for_ends(t, f, sm);
  }
  place_ctas(t, f);
  f->counts.slot_cycles += f->shape.slots;
}
