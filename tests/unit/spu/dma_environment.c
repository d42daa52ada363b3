/* The surroundings of an iu_dma. */
#include "tests/unit/spu/dma_environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ref/spu/roles.h"

uint32_t dma_memory(uint32_t addr) {
  const uint32_t x = (addr ^ addr >> 15) * 0x2c1b3c6dU;
  return x ^ x >> 12;
}

static bool chance(struct dma_environment *e, unsigned percent) {
  return rng_chance(&e->rng, percent);
}
static unsigned below(struct dma_environment *e, unsigned n) { return rng_below(&e->rng, n); }

/* ---- what is to be moved ---- */

static unsigned tile_words(const struct dma_environment *e) {
  const struct dma_face *f = &e->face[e->sel];
  return e->virt ? f->face_words : f->rows * f->row_words;
}

static unsigned pass_first(const struct dma_environment *e) {
  const struct dma_face *f = &e->face[e->sel];
  return (f->first + (f->vertical ? e->cx : e->cy) * f->first_step) & 0xffff;
}

static bool is_due(const struct dma_environment *e) {
  const struct dma_face *f = &e->face[e->sel];
  const unsigned first = pass_first(e);
  return !f->global || e->virt || (first <= e->count && e->count < first + f->tiles);
}

/* Where word i of the present tile is in memory. */
static uint32_t address(const struct dma_environment *e, unsigned i) {
  const struct dma_face *f = &e->face[e->sel];
  if (e->virt)
    return f->spill + 4 * (f->spilled * f->face_words + i);
  const unsigned pass = f->vertical ? e->cx : e->cy;
  const unsigned tile = f->global ? e->count - pass_first(e) : e->count;
  return f->base + pass * f->pass_pitch + tile * f->tile_pitch + i / f->row_words * f->row_pitch +
         4 * (i % f->row_words);
}

/* The word's place in the table: where it is, or may be put. */
static struct dma_word *place_of(struct dma_environment *e, uint32_t addr) {
  unsigned at = (addr / 4 * 0x9e3779b1U) >> 17;
  while (e->word[at].drain == e->drain && e->word[at].addr != addr)
    at = (at + 1) % DMA_PLACES;
  return &e->word[at];
}

static void no_request_open(const struct dma_environment *e) {
  for (unsigned t = 0; t < DMA_TAGS; t++)
    assert_false(e->request[t].open);
}

static void tile_checked(struct dma_environment *e) {
  no_request_open(e);
  e->checked++;
  e->virtual_checked += e->virt;
  e->full += tile_words(e) == DMA_WORDS;
  e->face[e->sel].spilled += e->virt;
}

/* A fetch is over: the tile is in the CB. */
static void check_fetch(struct dma_environment *e) {
  const unsigned n = is_due(e) ? tile_words(e) : 0;
  assert_int_equal(e->fetched, n);
  for (unsigned i = 0; i < n; i++) {
    assert_int_equal(e->written[i], 1);
    assert_int_equal(e->cb[i], dma_memory(address(e, i)));
  }
  memset(e->written, 0, sizeof e->written);
  e->fetched = 0;
  if (n != 0)
    tile_checked(e);
  else
    e->skipped++;
}

/* A drain begins, of what the producer left. */
static void begin_drain(struct dma_environment *e) {
  for (unsigned i = 0; i < DMA_WORDS; i++)
    e->cb[i] = (uint32_t)rng_next(&e->rng);
  e->drain++;
  e->drained = 0;
  e->draining = true;
}

/* A drain is over: the tile is in memory. */
static void check_drain(struct dma_environment *e) {
  const unsigned n = tile_words(e);
  assert_int_equal(e->drained, n);
  for (unsigned i = 0; i < n; i++) {
    const struct dma_word *w = place_of(e, address(e, i));
    assert_int_equal(w->drain, e->drain);
    assert_int_equal(w->times, 1);
    assert_int_equal(w->value, e->cb[i]);
  }
  no_request_open(e);
}

/* ---- a kernel ---- */

/* One tile of any size that a CB has room for: all of it; rows of eight words; or any. */
static void large_tile(struct dma_environment *e, struct dma_face *f) {
  const unsigned kind = below(e, 3);
  f->row_words = kind == 0 ? DMA_WORDS / 2 : kind == 1 ? 8 : 8 * (1 + below(e, DMA_WORDS / 8 - 1));
  f->rows = kind == 0 ? 2 : 1 + below(e, DMA_WORDS / f->row_words);
  f->face_words = kind == 0 ? DMA_WORDS : 8 * (1 + below(e, DMA_WORDS / 8));
  f->tiles = f->steps = 1;
}

static void random_face(struct dma_environment *e, struct dma_face *f, bool second) {
  *f = (struct dma_face){.base = (uint32_t)rng_next(&e->rng) & ~31U,
                         .pass_pitch = (uint32_t)rng_next(&e->rng) & ~31U,
                         .row_words = 8 * (1 + below(e, chance(e, 60) ? 8 : 20)),
                         .rows = 1 + below(e, chance(e, 20) ? 12 : 4),
                         .tile_pitch = (uint32_t)rng_next(&e->rng) & ~31U,
                         .tiles = chance(e, 10) ? 0 : 1 + below(e, 4),
                         .spill = (uint32_t)rng_next(&e->rng) & ~127U,
                         .face_words = 8 * (1 + below(e, 16)),
                         .first = below(e, 4),
                         .first_step = below(e, 3),
                         .steps = 1 + below(e, 8),
                         .global = chance(e, 40),
                         .vertical = second || chance(e, 50)};
  if (e->large)
    large_tile(e, f);
  if (chance(e, 5)) /* the sum of first and tiles, and steps that a pass adds, go beyond 16 bits */
    f->first = 0xfffe;
  /* Rows do not overlap; they may go downwards. */
  f->row_pitch = 4 * f->row_words + 32 * below(e, 5);
  if (chance(e, 20))
    f->row_pitch = 0 - f->row_pitch;
  if (chance(e, 30)) { /* a border as it is: tiles one after the other */
    f->tile_pitch = f->rows * f->row_pitch;
    f->pass_pitch = f->tiles * f->tile_pitch;
  }
}

static void new_kernel(struct dma_environment *e) {
  e->large = chance(e, 4);
  for (unsigned d = 0; d < e->stores; d++)
    random_face(e, &e->face[d], d == 1);
  e->outstanding = chance(e, 30) ? 1 + below(e, 2) : chance(e, 50) ? 16 : 1 + below(e, 16);
  if (e->large)
    e->outstanding = DMA_TAGS;
  e->slow = (unsigned[]){1, 10, 60}[below(e, 3)];
  e->load = e->stores == 1 && chance(e, 50);
  e->npx = 1 + below(e, 3);
  e->npy = 1 + below(e, 3);
  e->cfg = 32;
  e->pause = below(e, 10);
  e->fresh = true;
}

static uint32_t register_value(const struct dma_environment *e, unsigned d, unsigned number) {
  const struct dma_face *f = &e->face[d];
  const uint32_t values[] = {f->base,
                             f->pass_pitch,
                             f->rows,
                             f->row_words,
                             f->row_pitch,
                             f->tile_pitch,
                             f->tiles,
                             f->first,
                             f->first_step,
                             f->steps,
                             f->spill,
                             f->face_words,
                             f->global + 2U * f->vertical,
                             e->outstanding};
  return number < sizeof values / sizeof *values ? values[number] : 0;
}

/* Writes a register a cycle; those that the engine does not have, too, and bits that registers do
 * not have. */
static void configure(struct dma_environment *e, struct iu_dma_in *in) {
  static const unsigned width[16] = {32, 32, 13, 13, 32, 32, 16, 16, 16, 16, 32, 14, 2, 5, 0, 0};
  if (!chance(e, 80))
    return;
  e->cfg--;
  const unsigned d = e->cfg / 16, number = e->cfg % 16;
  const uint64_t noise = (uint32_t)rng_next(&e->rng) & ~port_mask(width[number]);
  in->cfg_valid = 1;
  in->cfg_reg = e->cfg;
  in->cfg_data = d < e->stores ? register_value(e, d, number) | noise : (uint32_t)noise;
}

/* kernel_start, in a run, too: nobody owes anything then. */
static void start_kernel(struct dma_environment *e, struct iu_dma_in *in) {
  in->kernel_start = 1;
  memset(e->request, 0, sizeof e->request);
  memset(e->read, 0, sizeof e->read);
  memset(e->written, 0, sizeof e->written);
  e->face[0].spilled = e->face[1].spilled = 0;
  e->fetched = e->cx = e->cy = 0;
  e->fresh = e->runs = e->ran = e->draining = false;
  e->post.owed = e->get.owed = e->step.owed = false;
  e->pause = 1 + below(e, 10);
}

static void start_role(struct dma_environment *e, struct iu_dma_in *in) {
  e->runs = e->ran = true;
  e->store = !e->load;
  e->virt = chance(e, 40);
  e->sel = e->stores == 2 ? below(e, 2) : 0;
  e->count = 0;
  e->put = false;
  in->start = 1;
  in->role = e->store ? SPU_ROLE_STORE : SPU_ROLE_LOAD;
  in->viu = e->virt;
  in->side = e->stores == 2 ? e->sel : below(e, 2);
}

static void next_pass(struct dma_environment *e, struct iu_dma_in *in) {
  e->ran = false;
  if (e->cx + 1 < e->npx) {
    e->cx++;
    in->next_cx = 1;
  } else if (e->cy + 1 < e->npy) {
    e->cx = 0;
    e->cy++;
    in->next_cy = 1;
  } else {
    new_kernel(e);
  }
}

/* Between roles: registers, kernel_start, roles and passes without one. */
static void drive_passes(struct dma_environment *e, struct iu_dma_in *in) {
  static const unsigned pauses[] = {0, 1, 5};
  if (e->pause > 0) {
    e->pause--;
    return;
  }
  if (e->cfg > 0) {
    configure(e, in);
    return;
  }
  if (e->fresh) {
    start_kernel(e, in);
    return;
  }
  e->pause = pauses[below(e, 3)];
  if (!e->ran && chance(e, 70))
    start_role(e, in);
  else
    next_pass(e, in);
}

/* ---- answers ---- */

static void owe(struct dma_environment *e, struct dma_answer *a, bool asked) {
  if (!asked)
    return;
  assert_false(a->owed);
  *a = (struct dma_answer){.owed = true, .wait = 2 + below(e, e->slow)};
}

static bool is_answered(struct dma_answer *a) {
  if (!a->owed || --a->wait != 0)
    return false;
  a->owed = false;
  return true;
}

/* The engine says that a tile, or a step, is over. */
static void end_of_tile(struct dma_environment *e, const struct iu_dma_out *out) {
  const struct dma_face *f = &e->face[e->sel];
  if (!e->store && (out->post || out->gpost))
    check_fetch(e);
  if (e->draining && (out->put || out->post || out->gpost || out->fin)) {
    check_drain(e);
    e->put = e->put || out->put;
    if (!out->put) {
      /* A spilled tile is put once, in point to point mode. */
      assert_int_equal(e->put, e->virt && !f->global);
      tile_checked(e);
      e->draining = e->put = false;
      e->count++;
    }
  }
  if (out->fin) {
    assert_true(e->runs);
    assert_int_equal(e->count, f->tiles == 0 ? 0 : f->global ? f->steps : f->tiles);
    e->runs = false;
  }
}

static void answer_posts(struct dma_environment *e, const struct iu_dma_out *out,
                         struct iu_dma_in *in) {
  owe(e, &e->post, out->post);
  owe(e, &e->get, out->get);
  owe(e, &e->step, out->gpost);
  in->got = is_answered(&e->get);
  in->done = is_answered(&e->post);
  in->gdone = is_answered(&e->step);
  if (!in->done && !in->gdone)
    return;
  if (!e->store) {
    e->count++;
  } else if (is_due(e)) {
    begin_drain(e);
  } else {
    e->count++;
    e->skipped++;
  }
}

/* ---- the CB ---- */

static unsigned row_of(const uint64_t rows[4], unsigned bank) {
  return (unsigned)(rows[bank / 8] >> bank % 8 * 8) & 0xff;
}

static void step_cb(struct dma_environment *e, const struct iu_dma_out *out, struct iu_dma_in *in) {
  for (unsigned b = 0; out->p_valid && b < 32; b++) {
    if ((out->p_bank >> b & 1) == 0)
      continue;
    const unsigned i = row_of(out->p_row, b) * 32 + b;
    e->cb[i] = (uint32_t)(out->p_data[b / 2] >> b % 2 * 32);
    e->written[i]++;
    e->fetched++;
  }
  in->c_rsp = e->read[1].valid;
  for (unsigned b = 0; e->read[1].valid && b < 32; b++)
    if (e->read[1].bank >> b & 1)
      in->c_data[b / 2] |= (uint64_t)e->cb[row_of(e->read[1].row, b) * 32 + b] << b % 2 * 32;
  e->read[1] = e->read[0];
  e->read[0].valid = out->c_valid != 0;
  e->read[0].bank = out->c_bank;
  memcpy(e->read[0].row, out->c_row, sizeof out->c_row);
}

/* ---- memory ---- */

static void take_write(struct dma_environment *e, const struct iu_dma_out *out) {
  for (unsigned i = 0; i < 32; i++) {
    if ((out->m_sectors >> i / 8 & 1) == 0)
      continue;
    const uint32_t addr = (uint32_t)out->m_addr + 4 * i;
    struct dma_word *w = place_of(e, addr);
    const unsigned times = w->drain == e->drain ? w->times : 0;
    *w = (struct dma_word){.addr = addr,
                           .value = (uint32_t)(out->m_data[i / 2] >> i % 2 * 32),
                           .drain = e->drain,
                           .times = times + 1};
    e->drained++;
  }
}

static void take_request(struct dma_environment *e, const struct iu_dma_out *out) {
  struct dma_request *q = &e->request[out->m_tag];
  assert_false(q->open);
  assert_true(out->m_tag < e->outstanding);
  assert_int_equal(out->m_addr % 128, 0);
  assert_int_not_equal(out->m_sectors, 0);
  assert_int_equal(out->m_write, e->store);
  *q = (struct dma_request){.open = true,
                            .write = out->m_write != 0,
                            .addr = (uint32_t)out->m_addr,
                            .wait = below(e, e->slow),
                            .serial = e->serial++};
  if (out->m_write)
    take_write(e, out);
}

static void answer_request(struct dma_environment *e, struct iu_dma_in *in) {
  uint64_t ready = 0;
  unsigned oldest = e->serial;
  for (unsigned t = 0; t < DMA_TAGS; t++) {
    struct dma_request *q = &e->request[t];
    if (!q->open)
      continue;
    oldest = q->serial < oldest ? q->serial : oldest;
    ready |= (uint64_t)(q->wait == 0) << t;
    q->wait -= q->wait != 0;
  }
  if (ready == 0)
    return;
  const unsigned tag = rng_member(&e->rng, ready);
  struct dma_request *q = &e->request[tag];
  e->overtaken += q->serial != oldest;
  q->open = false;
  in->m_rsp = 1;
  in->m_rsp_tag = tag;
  for (unsigned i = 0; i < 32; i++)
    in->m_rsp_data[i / 2] |= (uint64_t)dma_memory(q->addr + 4 * i) << i % 2 * 32;
}

/* ---- a cycle ---- */

void dma_environment_init(struct dma_environment *e, uint64_t seed, unsigned stores) {
  memset(e, 0, sizeof *e);
  e->rng.state = seed;
  e->stores = stores;
  new_kernel(e);
}

void dma_environment_step(struct dma_environment *e, const struct iu_dma_out *out,
                          struct iu_dma_in *in) {
  *in = (struct iu_dma_in){.kernel_start = 0};
  end_of_tile(e, out);
  step_cb(e, out, in);
  answer_posts(e, out, in);
  if (out->m_valid)
    take_request(e, out);
  answer_request(e, in);
  if (!e->runs)
    drive_passes(e, in);
  else if (below(e, out->put ? 500 : 5000) == 0) {
    e->aborted++;
    start_kernel(e, in);
  }
}
