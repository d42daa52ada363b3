/* Between the fabric, the SMs and memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/cb_port.h"
#include "harness/gpu/spu/wires.h"

/* ---- memory ---- */

int spu_open_memory(struct tandem *t, struct spu_fabric *f, struct tandem_error *err) {
  const struct spu_shape *s = &f->shape;
  f->clients = calloc(s->slots + s->lanes, sizeof(struct mem_client *));
  if (f->clients == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for the DMA engines of an SPU");
  for (unsigned i = 0; i < s->slots + s->lanes; i++) {
    const int sm = i < s->slots ? (int)spu_slot_sm(s, i) : MEM_CLIENT_OWN;
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
    struct gpu_sm *s = &t->sms[spu_slot_sm(&f->shape, dma)];
    cell_wake(t, s->cell, t->cycle + 1);
    s->idle = s->cell->idle = false;
  }
  if (!mem_client_request(f->clients[dma], t->cycle, &r) && *f->fault.text == '\0')
    (void)tandem_fail(
        &f->fault, -EPROTO,
        "DMA engine %u asks memory what it may not: tag %u, address 0x%08x, sectors %x", dma, r.tag,
        r.address, r.sectors);
}

void spu_memory_side(struct tandem *t, struct spu_fabric *f) {
  for (unsigned i = 0; i < f->shape.slots + f->shape.lanes; i++) {
    struct mem_answer a;
    if (f->clients[i] == NULL || mem_client_idle(f->clients[i]) ||
        !mem_client_answer(f->clients[i], t->cycle, &a))
      continue;
    struct iu_dma_in *in = spu_in(f, SPU_DMA, i);
    in->m_rsp = 1;
    in->m_rsp_tag = a.tag;
    memcpy(in->m_rsp_data, a.data, sizeof in->m_rsp_data);
  }
}

/* ---- CTAs ---- */

/* The registers of a block that was launched, from REGVIU on. */
static void set_registers(struct tandem *t, struct spu_fabric *f, unsigned slot) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, slot);
  const struct spu_shape *s = &f->shape;
  uint32_t *values = sm_spu_registers(t->sms[spu_slot_sm(s, slot)].sm, spu_slot_cta(s, slot));
#define REGISTER(name) values[ISA_SR_##name - ISA_SR_REGVIU]
  REGISTER(REGPASSX) = (t->grid.dim[0] + s->px - 1) / s->px;
  REGISTER(REGPASSY) = (t->grid.dim[1] + s->qy - 1) / s->qy;
  REGISTER(REGCPASSX) = (uint32_t)seq->cx;
  REGISTER(REGCPASSY) = (uint32_t)seq->cy;
  REGISTER(REGROLE) = (uint32_t)seq->role;
#undef REGISTER
}

/* The CTA of the pass, if the slot's SM has room for one: at most one a cycle and SM. */
static bool offer(struct tandem *t, struct spu_fabric *f, unsigned slot) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, slot);
  const struct spu_shape *s = &f->shape;
  struct gpu_sm *sm = &t->sms[spu_slot_sm(s, slot)];
  struct sm_room room = SM_ROOM_ANY;
  sm_cta_room(sm->sm, &room);
  room.slots &= 1U << spu_slot_cta(s, slot);
  if (!sm_room_fits(&room))
    return false;
  const uint32_t id[3] = {(uint32_t)(seq->cx * s->px + slot % s->px),
                          (uint32_t)(seq->cy * s->qy + slot / s->px), 0};
  cell_wake(t, sm->cell, t->cycle + 1);
  sm_cta_launch_in(sm->sm, id, &room);
  set_registers(t, f, slot);
  sm->idle = sm->cell->idle = false;
  f->counts.blocks++;
  f->slot[slot] = (struct spu_slot){.taken = true, .from = t->cycle};
  t->dispatch.first++;
  return true;
}

static void place_blocks(struct tandem *t, struct spu_fabric *f) {
  uint64_t served = 0; /* SMs */
  for (unsigned slot = 0; slot < f->shape.slots; slot++) {
    const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, slot);
    const unsigned sm = spu_slot_sm(&f->shape, slot);
    if (!seq->offer || (served >> sm & 1) != 0 || !offer(t, f, slot))
      continue;
    served |= UINT64_C(1) << sm;
    ((struct pass_seq_in *)spu_in(f, SPU_SEQ, slot))->taken = 1;
    struct block_port_in *port = spu_in(f, SPU_PORT, slot);
    port->launch = 1;
    port->launch_warps = t->grid.warps;
  }
}

/* ---- what SMs ask, and what they get ---- */

/* A pass of a slot's CTA over one of its buffers. */
static void access_buffer(struct spu_fabric *f, unsigned slot, const struct cb_pass *p) {
  struct comm_pair_in *in = spu_in(f, SPU_PAIR, spu_slot_link(&f->shape, slot, p->side));
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

static void take_record(struct tandem *t, struct spu_fabric *f, unsigned sm) {
  const struct cb_record *r = sm_mem_record(t->sms[sm].mem);
  if (r->cycle != t->cycle) /* the SM rests */
    return;
  if (r->pass.banks != 0)
    access_buffer(f, spu_slot_of(&f->shape, sm, r->pass.cta_slot), &r->pass);
  if (r->arrival.dirs != 0) {
    struct block_port_in *in = spu_in(f, SPU_PORT, spu_slot_of(&f->shape, sm, r->arrival.cta_slot));
    in->arrive = 1;
    in->arrive_dirs = r->arrival.dirs;
  }
}

static void take_exits(struct tandem *t, struct spu_fabric *f, unsigned sm) {
  struct sm_block_events e;
  if (!sm_block_events(t->sms[sm].sm, &e))
    return;
  for (unsigned c = 0; c < f->shape.bx * f->shape.by; c++)
    if (e.ended[c] != 0)
      ((struct block_port_in *)spu_in(f, SPU_PORT, spu_slot_of(&f->shape, sm, c)))->exit = 1;
}

/* Blocks that have left their slots. */
static void look_for_ends(struct tandem *t, struct spu_fabric *f) {
  for (unsigned slot = 0; slot < f->shape.slots; slot++) {
    struct spu_slot *s = &f->slot[slot];
    if (!s->taken ||
        sm_cta_resident(t->sms[spu_slot_sm(&f->shape, slot)].sm, spu_slot_cta(&f->shape, slot)))
      continue;
    s->taken = false;
    f->counts.block_cycles += t->cycle - s->from;
    ((struct pass_seq_in *)spu_in(f, SPU_SEQ, slot))->fin = 1;
  }
}

void spu_sm_data(struct tandem *t, struct spu_fabric *f, unsigned slot, const uint64_t data[16]) {
  struct gpu_sm *s = &t->sms[spu_slot_sm(&f->shape, slot)];
  uint32_t words[CB_BANKS];
  memcpy(words, data, sizeof words);
  cell_wake(t, s->cell, t->cycle + 1);
  sm_mem_cb_answer(s->mem, t->cycle, words);
}

void spu_sm_ack(struct tandem *t, struct spu_fabric *f, unsigned slot) {
  struct gpu_sm *s = &t->sms[spu_slot_sm(&f->shape, slot)];
  cell_wake(t, s->cell, t->cycle + 1);
  sm_mem_block_ack(s->mem, t->cycle, spu_slot_cta(&f->shape, slot));
}

void spu_sm_side(struct tandem *t, struct spu_fabric *f) {
  for (unsigned sm = 0; sm < t->config.sms; sm++) {
    take_record(t, f, sm);
    take_exits(t, f, sm);
  }
  look_for_ends(t, f);
  place_blocks(t, f);
  f->counts.slot_cycles += f->shape.slots;
}
