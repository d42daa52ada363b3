/* The wires of the fabric: from the outputs of each unit to the inputs of its neighbours.
 *
 * An output that was seen in a cycle is an input of the same cycle: the clock edge at its end takes
 * it over, so that each way from a unit to its neighbour takes a core cycle. */
#include <string.h>

#include "harness/gpu/spu/border.h"
#include "harness/gpu/spu/shadow.h"
#include "harness/gpu/spu/sm_side.h"
#include "harness/gpu/spu/syncs.h"
#include "harness/gpu/spu/wires.h"

enum { SPILL = 1 << 4, GLOBAL = 1 << 5 }; /* bits of block_port's done and post */

static uint64_t count_banks(uint64_t banks) { return (uint64_t)__builtin_popcountll(banks); }

/* Returns true if a DMA engine, and not a CTA, is at work in the place. */
static bool is_engine(struct spu_fabric *f, unsigned place) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  return !f->truncated && (place >= f->shape.slots || seq->role == SPU_STORE);
}

/* Events of the place: an engine's input, or bits of a port's. */
static void done(struct spu_fabric *f, unsigned place, unsigned bits) {
  if (is_engine(f, place))
    spu_raise_dma(f, place)->done = 1;
  else
    spu_raise_port(f, place)->done |= bits;
}

/* ---- comm_pair ---- */

static void read_done(struct iu_dma_in *in, const struct comm_pair_out *out) {
  in->c_rsp = 1;
  memcpy(in->c_data, out->c_data, sizeof in->c_data);
}

void spu_wire_pair(struct tandem *t, struct spu_fabric *f, unsigned i) {
  const struct comm_pair_out *out = spu_out(f, SPU_PAIR, i);
  const struct spu_link link = spu_link_at(&f->shape, i);
  const unsigned to = spu_end_place(&f->shape, link.to);
  f->counts.tiles += out->c_done;
  if (out->p_done)
    done(f, spu_end_place(&f->shape, link.from), 1U << (link.vertical ? SPU_S : SPU_E));
  if (out->c_done)
    done(f, to, 1U << (link.vertical ? SPU_N : SPU_W));
  if (out->c_rsp && is_engine(f, to))
    read_done(spu_raise_dma(f, to), out);
  else if (out->c_rsp)
    spu_sm_data(t, f, to, out->c_data);
}

/* ---- block_port ---- */

static void count_post(struct spu_fabric *f, uint64_t post) {
  f->counts.syncs_north += post & 1;
  f->counts.syncs_south += post >> SPU_S & 1;
  f->counts.syncs_west += post >> SPU_W & 1;
  f->counts.syncs_east += post >> SPU_E & 1;
  f->counts.syncs_global += (post & GLOBAL) != 0;
}

/* The port goes on without the directions that it does not have: the run must not. */
static void bad_sync(struct spu_fabric *f, unsigned place) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  const char *who = seq->role == SPU_BLOCK ? "block" : "interface unit";
  if (*f->fault.text == '\0')
    (void)spu_bad_sync(&f->shape, place, who, seq->cx, seq->cy, &f->fault);
}

/* Channels: of the rows, then of the columns of slots. */
static unsigned channel_of(const struct spu_fabric *f, unsigned place) {
  const unsigned lane = place - f->shape.slots, side = spu_lane_side(&f->shape, lane);
  return spu_lane_number(&f->shape, lane) + (side == SPU_N || side == SPU_S ? f->shape.qy : 0);
}

static void post_global(struct spu_fabric *f, unsigned place) {
  struct spu_global_in *in = spu_raise_global(f);
  if (place < f->shape.slots)
    bitset_put(in->post, place, true);
  else
    bitset_put(in->lane_post, place - f->shape.slots, true);
}

static void post_links(struct spu_fabric *f, unsigned place, uint64_t post) {
  for (unsigned side = 0; side < SPU_SIDES; side++) {
    if ((post >> side & 1) == 0)
      continue;
    struct comm_pair_in *in = spu_raise_pair(f, spu_own_link(&f->shape, place, side));
    if (side == SPU_S || side == SPU_E)
      in->p_post = 1;
    else
      in->c_post = 1;
  }
}

static void post_spill(struct spu_fabric *f, unsigned place) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  struct spill_chan_in *in = spu_raise_chan(f, channel_of(f, place));
  if (seq->role == SPU_STORE)
    in->put = 1;
  else
    in->get = 1;
}

void spu_wire_port(struct tandem *t, struct spu_fabric *f, unsigned place) {
  const struct block_port_out *out = spu_out(f, SPU_PORT, place);
  struct spu_place *p = &f->place[place];
  post_links(f, place, out->post);
  if ((out->post & SPILL) != 0)
    post_spill(f, place);
  if ((out->post & GLOBAL) != 0)
    post_global(f, place);
  if (out->bad)
    bad_sync(f, place);
  if (out->post != 0)
    p->post = t->cycle;
  if (out->post != 0)
    spu_check_syncs(t, f, place, out->post);
  if (p->role == SPU_BLOCK) {
    count_post(f, out->post);
  } else if (p->taken) {
    spu_border_progress(t, f, place);
  }
  if (!out->ack)
    return;
  if (p->role == SPU_BLOCK)
    f->counts.wait_cycles += t->cycle - p->post;
  spu_sm_ack(t, f, place);
}

/* ---- pass_seq ---- */

static void wire_roles(struct spu_fabric *f, unsigned i, const struct pass_seq_out *out) {
  if (spu_has_port(f, i)) {
    struct block_port_in *in = spu_unit(f, SPU_PORT, i)->u->in;
    in->role = out->role;
    in->viu = out->viu;
    in->side = out->side;
    if (out->start)
      spu_raise_port(f, i)->start = 1;
  }
  if (!spu_has_dma(f, i))
    return;
  struct iu_dma_in *dma = spu_unit(f, SPU_DMA, i)->u->in;
  dma->role = out->role;
  dma->viu = out->viu;
  dma->side = out->side;
  if (out->start && out->role != SPU_BLOCK)
    spu_raise_dma(f, i)->start = 1;
  if (out->next_cx)
    spu_raise_dma(f, i)->next_cx = 1;
  if (out->next_cy)
    spu_raise_dma(f, i)->next_cy = 1;
}

void spu_wire_seq(struct tandem *t, struct spu_fabric *f, unsigned i) {
  const struct pass_seq_out *out = spu_out(f, SPU_SEQ, i);
  struct spu_global_in *global = spu_raise_global(f);
  (void)t;
  wire_roles(f, i, out);
  if (i < f->shape.slots) {
    bitset_put(global->member, i, out->member != 0);
    bitset_put(global->at_end, i, out->at_end != 0);
  } else {
    bitset_put(global->lane_member, i - f->shape.slots, out->member != 0);
    bitset_put(global->lane_at_end, i - f->shape.slots, out->at_end != 0);
  }
  bitset_put(f->offers, i, out->offer != 0);
}

/* ---- iu_dma ---- */

/* The link of a DMA engine: a lane's, or that of the slot's side where it serves. */
static unsigned dma_link(struct spu_fabric *f, unsigned i) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, i);
  return spu_own_link(&f->shape, i, seq->side ? SPU_N : SPU_W);
}

static void wire_buffer(struct spu_fabric *f, unsigned i, const struct iu_dma_out *out) {
  if (!(out->post | out->p_valid | out->c_valid))
    return;
  const struct spu_link link = spu_link_at(&f->shape, dma_link(f, i));
  struct comm_pair_in *in = spu_raise_pair(f, dma_link(f, i));
  const bool producer = i >= f->shape.slots && link.from.lane;
  if (out->post && producer)
    in->p_post = 1;
  else if (out->post)
    in->c_post = 1;
  if (out->p_valid) {
    f->counts.cb_writes += count_banks(out->p_bank);
    in->p_valid = 1;
    in->p_bank = out->p_bank;
    memcpy(in->p_row, out->p_row, sizeof in->p_row);
    memcpy(in->p_data, out->p_data, sizeof in->p_data);
  }
  if (out->c_valid) {
    f->counts.cb_reads += count_banks(out->c_bank);
    in->c_valid = 1;
    in->c_bank = out->c_bank;
    memcpy(in->c_row, out->c_row, sizeof in->c_row);
  }
}

static void count_request(struct spu_fabric *f, unsigned i, const struct iu_dma_out *out) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, i);
  const uint64_t words = 8 * count_banks(out->m_sectors);
  f->counts.dma_requests++;
  if (out->m_write)
    *(seq->viu ? &f->counts.words_spilled : &f->counts.words_out) += words;
  else
    *(seq->viu ? &f->counts.words_restored : &f->counts.words_in) += words;
}

void spu_wire_dma(struct tandem *t, struct spu_fabric *f, unsigned i) {
  const struct iu_dma_out *out = spu_out(f, SPU_DMA, i);
  if (out->fin)
    spu_raise_seq(f, i)->fin = 1;
  if (out->put)
    spu_raise_chan(f, channel_of(f, i))->put = 1;
  if (out->get)
    spu_raise_chan(f, channel_of(f, i))->get = 1;
  if (out->gpost)
    post_global(f, i);
  wire_buffer(f, i, out);
  if (out->m_valid) {
    count_request(f, i, out);
    spu_memory_request(t, f, i, out);
  }
}

/* ---- spill_chan, spu_global ---- */

void spu_wire_chan(struct tandem *t, struct spu_fabric *f, unsigned i) {
  const struct spill_chan_out *out = spu_out(f, SPU_CHAN, i);
  const struct spu_shape *s = &f->shape;
  (void)t;
  if (!out->got)
    return;
  const unsigned lane = i < s->qy ? spu_lane(s, SPU_W, i) : spu_lane(s, SPU_N, i - s->qy);
  const unsigned place = spu_lane_place(s, lane);
  if (f->truncated)
    spu_raise_port(f, place)->done |= SPILL;
  else
    spu_raise_dma(f, place)->got = 1;
}

static void barrier_done(struct spu_fabric *f) {
  const struct spu_shape *s = &f->shape;
  for (unsigned i = 0; i < s->links; i++)
    spu_raise_pair(f, i)->swap = 1;
  f->counts.tiles += s->links;
  spu_shadow_swap(f);
  for (unsigned i = 0; i < spu_places(f); i++) {
    const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, i);
    if (seq->member && is_engine(f, i))
      spu_raise_dma(f, i)->gdone = 1;
    else if (seq->member)
      spu_raise_port(f, i)->done |= GLOBAL;
  }
}

void spu_wire_global(struct tandem *t, struct spu_fabric *f, unsigned i) {
  const struct spu_global_out *out = spu_out(f, SPU_GLOBAL, i);
  (void)t;
  if (out->done)
    barrier_done(f);
  for (unsigned k = 0; out->go && k < spu_places(f); k++)
    spu_raise_seq(f, k)->go = 1;
}
