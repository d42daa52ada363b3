/* iu_dma: faces between memory and a CB, by tiles, passes and steps. */
#include "csim/ref/spu/iu_dma.h"

#include "csim/ref/spu/roles.h"

static unsigned stores; /* descriptors of an engine */
#define UNIT iu_dma
#define UNIT_REF_RESET(ref) iu_dma_ref_reset(ref, stores)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(role, stores == 2 ? 7 : 6, "roles of interface units")                                         \
  F(got, stores == 2, "engines of slots restore nothing")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define UNIT_EVENT(l, in)                                                                          \
  ((void)(l), (in).kernel_start || (in).cfg_valid || (in).start || (in).next_cx || (in).next_cy || \
                  (in).got || (in).done || (in).c_rsp || (in).gdone || (in).m_rsp)
#include "tests/unit/spu/dma_environment.h"
#include "tests/unit/spu/quiet.h"

#define COVERAGE(F)                                                                                \
  F(one_row_of_eight)                                                                              \
  F(second_descriptor)                                                                             \
  F(descriptors_differ_in_mode)                                                                    \
  F(global_virtual)                                                                                \
  F(not_due)                                                                                       \
  F(without_tiles)                                                                                 \
  F(step_after_step)                                                                               \
  F(first_beyond_16_bits)                                                                          \
  F(piece_ends_in_segment)                                                                         \
  F(piece_over_two_cb_rows)                                                                        \
  F(row_over_segments)                                                                             \
  F(rows_downwards)                                                                                \
  F(one_outstanding)                                                                               \
  F(answer_beside_request)                                                                         \
  F(overtaken)                                                                                     \
  F(queue_of_three)                                                                                \
  F(full_cb)                                                                                       \
  F(vertical_next_row)                                                                             \
  F(horizontal_next_row)                                                                           \
  F(horizontal_next_column)                                                                        \
  F(kernel_start_amid)                                                                             \
  F(quiet_with_tags_busy)
COVER_DEFINE(COVERAGE)

/* With two descriptors an engine stores alone. */
static void parameters(void) {
  stores = device_parameter("Stores", 1);
  cover(COVER_one_row_of_eight, stores == 2);
  cover(COVER_second_descriptor, stores == 1);
  cover(COVER_descriptors_differ_in_mode, stores == 1);
}

/* ---- directed ---- */

static void set(struct lockstep *l, unsigned number, uint32_t value) {
  TICK(.cfg_valid = 1, .cfg_reg = number, .cfg_data = value);
}

/* Two rows of 16 words from sector 3 of a segment on, two tiles. */
static void configure(struct lockstep *l, unsigned mode) {
  set(l, IU_DMA_BASE, 0x10060);
  set(l, IU_DMA_PASS_PITCH, 0x1000);
  set(l, IU_DMA_ROWS, 2);
  set(l, IU_DMA_ROW_WORDS, 16);
  set(l, IU_DMA_ROW_PITCH, 0x200);
  set(l, IU_DMA_TILE_PITCH, 0x40);
  set(l, IU_DMA_TILES, 2);
  set(l, IU_DMA_FIRST, 1);
  set(l, IU_DMA_FIRST_STEP, 1);
  set(l, IU_DMA_STEPS, 4);
  set(l, IU_DMA_SPILL, 0x80000);
  set(l, IU_DMA_FACE_WORDS, 40);
  set(l, IU_DMA_MODE, mode);
  set(l, IU_DMA_OUTSTANDING, 3);
  TICK(.kernel_start = 1);
  EXPECT_STATE(pass_base, 0, 0x10060);
  EXPECT_STATE(spill_ptr, 0, 0x80000);
}

/* A request at the outputs of the last cycle. */
static void expect_request(const struct lockstep *l, unsigned tag, uint32_t addr,
                           unsigned sectors) {
  EXPECT(m_valid, 1);
  EXPECT(m_write, 0);
  EXPECT(m_tag, tag);
  EXPECT(m_addr, addr);
  EXPECT(m_sectors, sectors);
}

static void a_tile_is_fetched(struct lockstep *l) {
  ONLY_IF(stores == 1);
  configure(l, 0);
  TICK(.start = 1, .role = SPU_ROLE_LOAD);
  EXPECT_STATE(state, 0, IU_DMA_FETCH);
  TICK(0);
  EXPECT(m_valid, 0);
  TICK(0);
  expect_request(l, 0, 0x10000, 8);
  TICK(0);
  expect_request(l, 1, 0x10080, 1);
  /* The third request takes the last tag.  Tag 1 is answered first and taken again. */
  TICK(.m_rsp = 1, .m_rsp_tag = 1, .m_rsp_data = {1, 2, 3, 4, 5});
  expect_request(l, 2, 0x10200, 8);
  TICK(0);
  EXPECT(m_valid, 0);
  EXPECT(p_valid, 1);
  EXPECT(p_bank, 0xff00);
  EXPECT(p_row[1], 0);
  EXPECT(p_data[3], 0);
  EXPECT(p_data[4], 1);
  EXPECT(p_data[7], 4);
  EXPECT(p_data[8], 0);
  TICK(.m_rsp = 1, .m_rsp_tag = 0, .m_rsp_data = {[12] = 7});
  expect_request(l, 1, 0x10280, 1);
  TICK(.m_rsp = 1, .m_rsp_tag = 2);
  EXPECT(p_bank, 0xff);
  EXPECT(p_data[0], 7);
  TICK(0);
  EXPECT(quiet, 0); /* p_valid is high */
  TICK(0);
  EXPECT(quiet, 1);
  TICK(.m_rsp = 1, .m_rsp_tag = 1);
  TICK(0);
  EXPECT(p_bank, UINT64_C(0xff000000));
  EXPECT(post, 0);
  TICK(0);
  EXPECT(post, 1);
  EXPECT_STATE(tile_addr, 0, 0x100a0);
  TICK(.done = 1);
  EXPECT(post, 0);
  EXPECT(quiet, 1);
  EXPECT_STATE(count, 0, 1);
  EXPECT_STATE(state, 0, IU_DMA_FETCH);
  TICK(0);
  TICK(0);
  expect_request(l, 0, 0x10080, 6); /* both sectors of a row */
}

static void a_virtual_tile_waits_for_credit(struct lockstep *l) {
  ONLY_IF(stores == 1);
  configure(l, 0);
  set(l, IU_DMA_TILES, 1);
  TICK(.start = 1, .role = SPU_ROLE_LOAD, .viu = 1);
  TICK(0);
  EXPECT(get, 1);
  TICK(0);
  EXPECT(get, 0);
  EXPECT(quiet, 1);
  TICK(.got = 1);
  /* 40 words: a whole segment, and a sector of the next one. */
  TICK(0);
  TICK(0);
  expect_request(l, 0, 0x80000, 15);
  TICK(.m_rsp = 1, .m_rsp_tag = 0);
  expect_request(l, 1, 0x80080, 1);
  TICK(.m_rsp = 1, .m_rsp_tag = 1);
  EXPECT(p_bank, UINT64_C(0xffffffff));
  TICK(0);
  EXPECT(p_bank, 0xff);
  EXPECT(p_row[0], UINT64_C(0x0101010101010101));
  EXPECT(p_row[1], 0);
  TICK(0);
  EXPECT(post, 1);
  EXPECT_STATE(spill_ptr, 0, 0x800a0);
  TICK(.done = 1);
  TICK(0);
  EXPECT(fin, 1);
  TICK(0);
  EXPECT(fin, 0);
  EXPECT(quiet, 1);
}

/* A cycle in which the lowest tag that is busy is answered. */
static void answer_lowest(struct lockstep *l) {
  for (unsigned t = 0; t < IU_DMA_TAGS; t++)
    if (l->ref.busy[t]) {
      TICK(.m_rsp = 1, .m_rsp_tag = t);
      return;
    }
  TICK(0);
}

static void steps_of_a_load(struct lockstep *l) {
  ONLY_IF(stores == 1);
  /* Tiles are due in steps 1 and 2 of 4. */
  configure(l, IU_DMA_GLOBAL);
  TICK(.start = 1, .role = SPU_ROLE_LOAD);
  TICK(0);
  EXPECT(gpost, 1);
  TICK(.gdone = 1);
  for (unsigned step = 1; step < 3; step++) {
    EXPECT_STATE(state, 0, IU_DMA_FETCH);
    while (l->ref.state == IU_DMA_FETCH)
      answer_lowest(l);
    TICK(0);
    EXPECT(gpost, 1);
    EXPECT(post, 0);
    TICK(.gdone = 1);
    EXPECT(gpost, 0);
  }
  TICK(0);
  EXPECT(gpost, 1);
  EXPECT_STATE(count, 0, 3);
  TICK(.gdone = 1);
  TICK(0);
  EXPECT(fin, 1);
}

static void a_tile_is_drained_and_put(struct lockstep *l) {
  configure(l, 0);
  set(l, IU_DMA_TILES, 1);
  TICK(.start = 1, .role = SPU_ROLE_STORE, .viu = 1);
  TICK(0);
  EXPECT(post, 1);
  TICK(.done = 1);
  TICK(0);
  EXPECT(c_valid, 0);
  TICK(0);
  EXPECT(c_valid, 1);
  EXPECT(c_bank, UINT64_C(0xffffffff));
  TICK(.c_rsp = 1, .c_data = {[0] = 11, [15] = 12});
  EXPECT(c_valid, 1);
  EXPECT(c_bank, 0xff);
  EXPECT(c_row[0], UINT64_C(0x0101010101010101));
  EXPECT(c_row[1], 0);
  TICK(.c_rsp = 1, .c_data = {[3] = 13, [15] = 14});
  EXPECT(m_valid, 1);
  EXPECT(m_write, 1);
  EXPECT(m_addr, 0x80000);
  EXPECT(m_sectors, 15);
  EXPECT(m_data[0], 11);
  EXPECT(m_data[15], 12);
  /* The second write is answered first. */
  TICK(.m_rsp = 1, .m_rsp_tag = 1);
  EXPECT(m_addr, 0x80080);
  EXPECT(m_sectors, 1);
  EXPECT(m_data[3], 13);
  EXPECT(m_data[15], 0);
  TICK(0);
  EXPECT(quiet, 1);
  TICK(.m_rsp = 1, .m_rsp_tag = 0);
  TICK(0);
  EXPECT(put, 0);
  TICK(0);
  EXPECT(put, 1);
  EXPECT(quiet, 0);
  TICK(0);
  EXPECT(put, 0);
  EXPECT(fin, 1);
}

static void a_descriptor_without_tiles(struct lockstep *l) {
  configure(l, IU_DMA_GLOBAL);
  set(l, IU_DMA_TILES, 0);
  TICK(.start = 1, .role = SPU_ROLE_STORE, .viu = 1);
  EXPECT_STATE(state, 0, IU_DMA_IDLE);
  TICK(0);
  EXPECT(fin, 1);
  EXPECT(gpost, 0);
  TICK(0);
  EXPECT(fin, 0);
  EXPECT(quiet, 1);
}

static void passes_move_on(struct lockstep *l) {
  configure(l, 0);
  TICK(.next_cx = 1);
  EXPECT_STATE(pass_base, 0, 0x10060);
  TICK(.next_cy = 1);
  EXPECT_STATE(pass_base, 0, 0x11060);
  EXPECT_STATE(pass_first, 0, 2);
  set(l, IU_DMA_MODE, IU_DMA_VERTICAL);
  TICK(.next_cx = 1);
  EXPECT_STATE(pass_base, 0, 0x12060);
  EXPECT_STATE(pass_first, 0, 3);
  TICK(.next_cy = 1);
  EXPECT_STATE(pass_base, 0, 0x10060);
  EXPECT_STATE(pass_first, 0, 1);
}

/* Drains a tile of eight words. */
static void drain_eight(struct lockstep *l) {
  EXPECT_STATE(state, 0, IU_DMA_DRAIN);
  TICK(0);
  TICK(0);
  EXPECT(c_valid, 1);
  EXPECT(c_bank, 0xff);
  TICK(.c_rsp = 1);
  TICK(.m_rsp = 1, .m_rsp_tag = 0);
  EXPECT(m_valid, 1);
  TICK(0);
}

/* Tiles of a row of eight words. */
static void configure_eight(struct lockstep *l, unsigned mode) {
  configure(l, mode);
  set(l, IU_DMA_ROWS, 1);
  set(l, IU_DMA_ROW_WORDS, 8);
}

/* Step 2^k of 2^k + 2 has a tile. */
static void many_steps(struct lockstep *l) {
  configure_eight(l, IU_DMA_GLOBAL);
  set(l, IU_DMA_TILES, 1);
  for (unsigned due = 1; due < 65536; due *= 2) {
    set(l, IU_DMA_FIRST, due);
    set(l, IU_DMA_STEPS, due + 2);
    TICK(.kernel_start = 1);
    TICK(.start = 1, .role = SPU_ROLE_STORE);
    for (unsigned step = 0; step < due + 2; step++) {
      EXPECT_STATE(state, 0, IU_DMA_STEP);
      EXPECT_STATE(count, 0, step);
      TICK(.gdone = 1);
      EXPECT(gpost, 1);
      if (step == due)
        drain_eight(l);
    }
    TICK(0);
    EXPECT(fin, 1);
  }
}

/* A pass of 2^k tiles; the first of any number of tiles is due at once. */
static void many_tiles(struct lockstep *l) {
  configure_eight(l, 0);
  for (unsigned tiles = 1; tiles < 2048; tiles *= 2) {
    set(l, IU_DMA_TILES, tiles);
    TICK(.kernel_start = 1);
    TICK(.start = 1, .role = SPU_ROLE_STORE);
    for (unsigned tile = 0; tile < tiles; tile++) {
      EXPECT_STATE(state, 0, IU_DMA_ASK);
      EXPECT_STATE(count, 0, tile);
      TICK(.done = 1);
      EXPECT(post, 1);
      drain_eight(l);
    }
    TICK(0);
    EXPECT(fin, 1);
  }
  configure_eight(l, IU_DMA_GLOBAL);
  set(l, IU_DMA_FIRST, 0);
  for (unsigned tiles = 1; tiles < 65536; tiles *= 2) {
    set(l, IU_DMA_TILES, tiles);
    TICK(.kernel_start = 1);
    TICK(.start = 1, .role = SPU_ROLE_STORE);
    TICK(.gdone = 1);
    EXPECT_STATE(state, 0, IU_DMA_DRAIN);
    TICK(.kernel_start = 1);
  }
}

/* Spilled tiles of 8 * (2^k + 2^j) words, up to a whole CB: the next one lies behind. */
static void spilled_tiles(struct lockstep *l) {
  configure(l, 0);
  set(l, IU_DMA_TILES, 1);
  for (unsigned i = 0; i < 10 * 10; i++) {
    const unsigned words = 8 * ((1U << i / 10) + (1U << i % 10));
    set(l, IU_DMA_FACE_WORDS, words);
    TICK(.kernel_start = 1);
    TICK(.start = 1, .role = SPU_ROLE_STORE, .viu = 1);
    TICK(.done = 1);
    while (l->ref.state == IU_DMA_DRAIN) {
      const bool written = l->ref_out.m_valid != 0;
      TICK(.c_rsp = l->ref.queued > 0, .m_rsp = written,
           .m_rsp_tag = written ? l->ref_out.m_tag : 0);
    }
    EXPECT_STATE(state, 0, IU_DMA_PUT);
    EXPECT_STATE(spill_ptr, 0, 0x80000 + 4 * words);
    TICK(0);
    EXPECT(put, 1);
    TICK(0);
    EXPECT(fin, 1);
  }
}

static void illegal(struct lockstep *l) {
  configure(l, 0);
  LEGAL(.start = 1, .role = SPU_ROLE_STORE);
  ILLEGAL(.start = 1, .role = SPU_ROLE_BLOCK);
  ILLEGAL(.start = 1, .role = SPU_ROLE_NONE);
  ILLEGAL(.got = 1);
  ILLEGAL(.done = 1);
  ILLEGAL(.gdone = 1);
  ILLEGAL(.m_rsp = 1);
  ILLEGAL(.c_rsp = 1);
  TICK(.start = 1, .role = SPU_ROLE_STORE);
  ILLEGAL(.next_cx = 1);
  ILLEGAL(.next_cy = 1);
  ILLEGAL(.cfg_valid = 1);
  ILLEGAL(.start = 1, .role = SPU_ROLE_STORE);
  ILLEGAL(.gdone = 1);
  LEGAL(.done = 1);
  TICK(.done = 1);
  TICK(0);
  /* A tag is busy, but its write is not requested. */
  ILLEGAL(.m_rsp = 1);
}

/* ---- random ---- */

static void cover_piece(const struct iu_dma_ref *e, const struct iu_dma_piece *p) {
  cover(COVER_piece_ends_in_segment, p->first + p->count < 4);
  cover(COVER_piece_over_two_cb_rows, p->octet % 4 + p->count > 4);
  cover(COVER_row_over_segments, p->first + p->count == 4 && e->walk.addr % 128 == 0);
}

static void cover_state(const struct iu_dma_ref *e, const unit_out *now) {
  const bool drains = e->state == IU_DMA_DRAIN;
  uint64_t busy = 0;
  for (unsigned t = 0; t < IU_DMA_TAGS; t++)
    busy |= (uint64_t)e->busy[t] << t;
  const bool moves = e->state == IU_DMA_FETCH || drains;
  cover(COVER_global_virtual, e->virt && now->gpost);
  cover(COVER_one_outstanding, moves && busy == 1 && e->d[0].reg[IU_DMA_OUTSTANDING] == 1);
  cover(COVER_rows_downwards, moves && (int32_t)e->d[e->sel].reg[IU_DMA_ROW_PITCH] < 0);
  cover(COVER_queue_of_three, e->queued == 3);
  cover(COVER_quiet_with_tags_busy, now->quiet && busy != 0);
  const bool fetches = e->state == IU_DMA_FETCH;
  cover(COVER_one_row_of_eight, fetches && e->d[0].reg[IU_DMA_ROW_WORDS] == 8);
  cover(COVER_second_descriptor, drains && e->sel == 1);
  cover(COVER_descriptors_differ_in_mode,
        drains && stores == 2 && e->d[0].reg[IU_DMA_MODE] != e->d[1].reg[IU_DMA_MODE]);
}

static void cover_cycle(const struct iu_dma_ref *e, const unit_in *in, const unit_out *now) {
  static uint64_t last_tag;
  const bool vertical = (e->d[0].reg[IU_DMA_MODE] & IU_DMA_VERTICAL) != 0;
  cover_state(e, now);
  if (now->c_valid || (now->m_valid && !now->m_write))
    cover_piece(e, &e->tag[now->m_valid ? now->m_tag : e->queue[e->queued - 1]]);
  cover(COVER_answer_beside_request, in->m_rsp && now->m_valid && now->m_tag != last_tag);
  cover(COVER_step_after_step,
        e->state == IU_DMA_STEP && in->gdone && !e->virt && e->count + 1 < e->d[e->sel].pass_first);
  cover(COVER_first_beyond_16_bits, e->d[e->sel].pass_first > 0xfff0 && now->gpost);
  cover(COVER_without_tiles, now->fin && e->d[in->side & (stores - 1)].reg[IU_DMA_TILES] == 0);
  cover(COVER_vertical_next_row, vertical && in->next_cy);
  cover(COVER_horizontal_next_row, !vertical && in->next_cy);
  cover(COVER_horizontal_next_column, !vertical && in->next_cx);
  last_tag = now->m_tag;
}

static void random_iu_dma(struct lockstep *l, struct rng *r, uint64_t cycles) {
  static struct dma_environment e;
  dma_environment_init(&e, rng_next(r), stores);
  for (uint64_t c = 0; c < cycles; c++) {
    const unit_out now = lockstep_peek(l, &(unit_in){.kernel_start = 0});
    unit_in in;
    dma_environment_step(&e, &now, &in);
    if (in.kernel_start)
      in = lockstep_start(l);
    cover_cycle(&l->ref, &in, &now);
    quiet_tick(l, in);
  }
  cover(COVER_overtaken, e.overtaken != 0);
  cover(COVER_full_cb, e.full != 0);
  cover(COVER_not_due, e.skipped != 0);
  cover(COVER_kernel_start_amid, e.aborted != 0);
  print_message("tiles %u, virtual %u, steps without one %u\n", e.checked, e.virtual_checked,
                e.skipped);
}

UNIT_MAIN_WITH(parameters, DIRECTED(a_tile_is_fetched), DIRECTED(a_virtual_tile_waits_for_credit),
               DIRECTED(steps_of_a_load), DIRECTED(a_tile_is_drained_and_put),
               DIRECTED(a_descriptor_without_tiles), DIRECTED(passes_move_on), DIRECTED(illegal),
               RANDOM(random_iu_dma), DIRECTED(spilled_tiles), DIRECTED(many_steps),
               DIRECTED(many_tiles))
