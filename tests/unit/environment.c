/* A random environment of the SM front end that keeps its contract. */
#include "tests/unit/environment.h"

#include <string.h>

#include "csim/ref/sm/decode.h"
#include "tests/unit/rows_noise.h"

enum { PIPES = 3 };

/* The program. */

struct writer {
  struct environment *e;
  unsigned pc;
};

static unsigned emit(struct writer *w, uint64_t word) {
  w->e->code[w->pc & 0xffff] = word;
  return w->pc++;
}

static uint64_t control(struct rng *r, enum isa_id id, unsigned imm, unsigned rpc) {
  uint64_t guard = rng_chance(r, 40) ? ISA_PT : rng_below(r, 16);
  return (uint64_t)isa_ops[id].unit << 54 | (uint64_t)isa_ops[id].op << 48 |
         (uint64_t)(imm & 0xffff) << 32 | guard << 20 | (rpc & 0xffff);
}

/* Any operation but control, its fields random: few registers, so that hazards are frequent. */
static uint64_t plain(struct rng *r) {
  if (rng_chance(r, 1)) /* an undefined operation */
    return UINT64_C(0x3f) << 48 | UINT64_C(12) << 54 | (rng_next(r) & 0x1ffffff);
  const struct isa_op *op;
  do
    op = &isa_ops[rng_below(r, ISA_OPS)];
  while (op->unit == ISA_U_CTRL || (op->pipe != ISA_PIPE_SP && rng_chance(r, 30)));
  unsigned reg = rng_chance(r, 70) ? 31 : 7;
  return isa_pack((struct isa_inst){.unit = op->unit,
                                    .op = op->op,
                                    .imm = (uint16_t)rng_next(r),
                                    .mods = (uint8_t)(rng_next(r) & 127),
                                    .guard = rng_chance(r, 70) ? ISA_PT : (uint8_t)rng_below(r, 32),
                                    .src3 = (uint8_t)(rng_next(r) & reg),
                                    .src2 = (uint8_t)(rng_next(r) & reg),
                                    .src1 = (uint8_t)(rng_next(r) & reg),
                                    .dst = (uint8_t)(rng_next(r) & reg)});
}

static void block(struct writer *w, unsigned nest, unsigned length);

/* if (..) block [else block]: both ways meet behind. */
static void write_if(struct writer *w, unsigned nest, bool has_else) {
  struct rng *r = &w->e->rng;
  unsigned branch = emit(w, 0), skip = 0;
  block(w, nest - 1, 1 + rng_below(r, 6));
  if (has_else)
    skip = emit(w, 0);
  unsigned other = w->pc;
  if (has_else)
    block(w, nest - 1, 1 + rng_below(r, 6));
  unsigned meet = w->pc;
  w->e->code[branch & 0xffff] = control(r, ISA_BRA, other, meet);
  if (has_else)
    w->e->code[skip & 0xffff] = control(r, ISA_BRA, meet, meet);
}

static void write_loop(struct writer *w, unsigned nest) {
  struct rng *r = &w->e->rng;
  unsigned head = w->pc;
  block(w, nest - 1, 1 + rng_below(r, 5));
  emit(w, control(r, ISA_BRA, head, w->pc + 1));
}

static void statement(struct writer *w, unsigned nest) {
  struct rng *r = &w->e->rng;
  unsigned kind = rng_below(r, 100);
  if (nest > 0 && kind < 8)
    write_if(w, nest, false);
  else if (nest > 0 && kind < 15)
    write_if(w, nest, true);
  else if (nest > 0 && kind < 20)
    write_loop(w, nest);
  else if (kind < 24 && !w->e->rates.calm)
    emit(w, control(r, ISA_BAR, 0, 0) | (uint64_t)ISA_PT << 20);
  else if (kind < 27)
    emit(w, control(r, ISA_NOP, 0, 0));
  else if (kind < 29)
    emit(w, control(r, ISA_EXIT, 0, 0));
  else if (kind < 31)
    emit(w, control(r, ISA_BRA, w->pc + 1, w->pc + 1));
  else
    emit(w, plain(r));
}

static void block(struct writer *w, unsigned nest, unsigned length) {
  for (unsigned i = 0; i < length; i++)
    statement(w, nest);
}

/* A chain of branches that all meet at its end; those that do not take one go there at once. */
static void write_chain(struct writer *w, unsigned length) {
  struct rng *r = &w->e->rng;
  unsigned meet = w->pc + 2 * length;
  for (unsigned i = 0; i < length; i++) {
    emit(w, control(r, ISA_BRA, w->pc + 2, meet));
    emit(w, control(r, ISA_BRA, meet, meet));
  }
}

/* A function: blocks, a branch whose ways never meet, and the ends of both. */
static void function(struct writer *w) {
  struct rng *r = &w->e->rng;
  block(w, w->e->rates.nest, w->e->rates.brief ? rng_below(r, 3) : 10 + rng_below(r, 40));
  if (w->e->rates.overrun > 0)
    write_chain(w, 40);
  unsigned branch = emit(w, 0);
  block(w, 1, rng_below(r, 8));
  emit(w, control(r, ISA_EXIT, ENV_LAST_EXIT, 0));
  w->e->code[branch & 0xffff] = control(r, ISA_BRA, w->pc, ISA_NO_RPC);
  block(w, 1, rng_below(r, 8));
  emit(w, control(r, ISA_EXIT, ENV_LAST_EXIT, 0));
}

static void write_program(struct environment *e) {
  struct rng *r = &e->rng;
  unsigned start = rng_chance(r, 50) ? 0 : rng_below(r, 40000);
  struct writer w = {e, start};
  e->entries = e->rates.calm ? 1 : 1 + rng_below(r, ENV_ENTRIES);
  for (unsigned i = 0; i < e->entries; i++) {
    w.pc += rng_below(r, 40);
    e->entry[i] = (uint16_t)w.pc;
    function(&w);
  }
}

static void new_kernel(struct environment *e) {
  const unsigned filling = e->warps / ENV_CTAS; /* all warps, in CTAs in all slots */
  write_program(e);
  e->ctas = 1 + rng_below(&e->rng, rng_chance(&e->rng, 50) ? 12 : 60);
  if (e->rates.brief)
    e->ctas = UINT32_MAX;
  e->cta_least = rng_chance(&e->rng, 50) ? filling : 1;
  e->cta_most = rng_chance(&e->rng, 50) ? filling : 12;
  e->left = 0;
}

void environment_init_with(struct environment *e, unsigned warps, uint64_t seed,
                           struct env_rates rates, bool lrr) {
  memset(e, 0, sizeof *e);
  e->warps = warps;
  e->own = warps;
  e->rng.state = seed;
  e->rates = rates;
  e->lrr = lrr;
  new_kernel(e);
}

void environment_init(struct environment *e, uint64_t seed, struct env_rates rates, bool lrr) {
  environment_init_with(e, ENV_WARPS, seed, rates, lrr);
}

/* ---- outputs of the front end ---- */

static void take_issue(struct environment *e, uint64_t word) {
  unsigned warp = (unsigned)(word >> 58), dec = decode_ref_word(word), pipe = decode_pipe(dec);
  unsigned ctl = decode_ctl(dec);
  e->issued++;
  if (pipe == ISA_PIPE_NONE)
    return;
  e->owed[warp >= e->own][pipe]++;
  e->warp[warp].flights++;
  e->flight[e->flights++] = (struct env_flight){
      .to_collect = true,
      .to_write = decode_d_n(dec) != 0 || decode_d_p(dec) || rng_chance(&e->rng, 20),
      .to_resolve = ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT,
      .pred = decode_d_p(dec),
      .last_exit = ctl == DECODE_CTL_EXIT && (word >> 32 & 0xffff) == ENV_LAST_EXIT,
      .warp = (uint8_t)warp,
      .pipe = (uint8_t)pipe,
      .reg = (uint8_t)(word & 31),
      .size = (uint8_t)decode_d_n(dec)};
}

void environment_observe(struct environment *e, const struct sm_frontend_out *out) {
  if (out->iss0_valid)
    take_issue(e, out->iss0_inst);
  if (out->iss1_valid)
    take_issue(e, out->iss1_inst);
  if (out->imiss_valid)
    e->miss[e->misses++] = (uint16_t)out->imiss_line;
  if (out->done_valid) {
    struct env_warp *w = &e->warp[out->done_warp];
    w->live = false;
    e->cta_alive[w->cta]--;
    e->dones++;
    e->last_done = (unsigned)out->done_warp;
  }
  e->trapped |= out->trap_valid != 0;
}

/* ---- inputs of the front end ---- */

static void drop_finished(struct environment *e) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->flights; i++) {
    struct env_flight f = e->flight[i];
    f.age = (uint8_t)(f.age + (f.age < e->resolve_after));
    if (f.to_collect || f.to_write || f.to_resolve)
      e->flight[n++] = f;
    else
      e->warp[f.warp].flights--;
  }
  e->flights = n;
}

static struct env_flight *find_collectable(struct environment *e, unsigned pipe) {
  unsigned first = e->flights > 0 ? rng_below(&e->rng, e->flights) : 0;
  for (unsigned i = 0; i < e->flights; i++) {
    struct env_flight *f = &e->flight[(first + i) % e->flights];
    if (f->pipe == pipe && f->to_collect)
      return f;
  }
  return NULL;
}

static struct env_flight *find_writable(struct environment *e, unsigned pipe) {
  unsigned first = e->flights > 0 ? rng_below(&e->rng, e->flights) : 0;
  for (unsigned i = 0; i < e->flights; i++) {
    struct env_flight *f = &e->flight[(first + i) % e->flights];
    if (f->pipe == pipe && f->to_write && !f->to_collect)
      return f;
  }
  return NULL;
}

static void pipelines(struct environment *e, struct sm_frontend_in *in) {
  struct env_flight *f;
  static const unsigned pipe_of[ROW_PORTS] = {ISA_PIPE_SP, ISA_PIPE_SP, ISA_PIPE_SFU, ISA_PIPE_MEM};
  for (unsigned k = 0; k < ROW_PORTS; k++)
    if (rng_chance(&e->rng, e->rates.collect) && (f = find_collectable(e, pipe_of[k])) != NULL) {
      rows_put_collected(in, k, f->warp);
      f->to_collect = false;
    }
  for (unsigned k = 0; k < ROW_PORTS; k++)
    if (rng_chance(&e->rng, e->rates.write) && (f = find_writable(e, pipe_of[k])) != NULL) {
      rows_put_write(in, k, (struct row_write){f->warp, f->reg, f->size, f->pred});
      f->to_write = false;
    }
  if ((in->wb_valid | in->col_valid) != 0) /* inputs stay idle otherwise */
    ROWS_NOISE(in, ROW_PORTS, &e->rng);
}

static uint32_t outcome(struct environment *e) {
  struct rng *r = &e->rng;
  if (rng_chance(r, e->rates.overrun))
    return ~(1U << rng_below(r, 32));
  switch (rng_below(r, 4)) {
  case 0:
    return 0;
  case 1:
    return UINT32_MAX;
  case 2:
    return 1U << rng_below(r, 32);
  default:
    return (uint32_t)rng_next(r);
  }
}

static void resolve(struct environment *e, struct sm_frontend_in *in) {
  if (e->flights == 0 || !rng_chance(&e->rng, e->rates.resolve))
    return;
  unsigned first = rng_below(&e->rng, e->flights);
  for (unsigned i = 0; i < e->flights; i++) {
    struct env_flight *f = &e->flight[(first + i) % e->flights];
    if (!f->to_resolve || f->age < e->resolve_after || (f->to_collect && rng_chance(&e->rng, 80)))
      continue;
    in->resolve_valid = 1;
    in->resolve_warp = f->warp;
    in->resolve_taken = f->last_exit ? UINT32_MAX : outcome(e);
    f->to_resolve = false;
    return;
  }
}

/* Slots of a pipe that a side gives back, so many at most. */
static unsigned freed(struct environment *e, unsigned side, unsigned pipe, unsigned most) {
  unsigned n = 0;
  for (unsigned i = 0; i < most; i++)
    n += e->owed[side][pipe] > n && rng_chance(&e->rng, e->rates.credit);
  e->owed[side][pipe] -= n;
  return n;
}

static void credits(struct environment *e, struct sm_frontend_in *in) {
  memset(e->credit1, 0, sizeof e->credit1);
  if (e->flights > ENV_FLIGHTS - 40)
    return;
  in->sp_credit = freed(e, 0, ISA_PIPE_SP, 2);
  in->sfu_credit = freed(e, 0, ISA_PIPE_SFU, 1);
  in->mem_credit = freed(e, 0, ISA_PIPE_MEM, 1);
  for (unsigned pipe = 0; e->own < e->warps && pipe < PIPES; pipe++)
    e->credit1[pipe] = freed(e, 1, pipe, pipe == ISA_PIPE_SP ? 2 : 1);
}

static void fills(struct environment *e, struct sm_frontend_in *in) {
  if (!e->filling && e->misses > 0 && rng_chance(&e->rng, e->rates.fill)) {
    unsigned i = rng_below(&e->rng, e->misses);
    e->fill_line = e->miss[i];
    e->miss[i] = e->miss[--e->misses];
    e->fill_beat = 0;
    e->filling = true;
  }
  if (!e->filling || !rng_chance(&e->rng, e->rates.beat))
    return;
  const uint64_t *word = &e->code[e->fill_line * 16U + 2 * e->fill_beat];
  in->fill_valid = 1;
  in->fill_line = e->fill_line;
  in->fill_beat = e->fill_beat;
  in->fill_data0 = word[0];
  in->fill_data1 = word[1];
  e->filling = e->fill_beat++ < 7;
}

static uint64_t free_warps(const struct environment *e) {
  uint64_t set = 0;
  for (unsigned w = 0; w < e->warps; w++)
    if (!e->warp[w].live && e->warp[w].flights == 0)
      set |= UINT64_C(1) << w;
  return set;
}

/* Begins with the next CTA when there is room for it. */
static void next_cta(struct environment *e, uint64_t warps) {
  unsigned size = e->cta_least + rng_below(&e->rng, e->cta_most - e->cta_least + 1), slots = 0;
  for (unsigned c = 0; c < ENV_CTAS; c++)
    slots |= e->cta_alive[c] == 0 ? 1U << c : 0;
  if (e->ctas == 0 || slots == 0 || (unsigned)__builtin_popcountll(warps) < size)
    return;
  e->ctas--;
  e->launching = rng_member(&e->rng, slots);
  e->left = size;
}

static void launch(struct environment *e, struct sm_frontend_in *in) {
  if (!rng_chance(&e->rng, e->rates.launch))
    return;
  uint64_t warps = free_warps(e);
  if (e->left == 0)
    next_cta(e, warps);
  if (e->left == 0 || warps == 0)
    return;
  bool again = (warps >> e->last_done & 1) != 0 && rng_chance(&e->rng, 50);
  unsigned w = again ? e->last_done : rng_member(&e->rng, warps);
  e->warp[w].live = true;
  e->warp[w].cta = (uint8_t)e->launching;
  e->cta_alive[e->launching]++;
  e->left--;
  e->launches++;
  in->launch_valid = 1;
  in->launch_warp = w;
  in->launch_cta = e->launching;
  in->launch_last = e->left == 0;
  in->launch_pc = e->entry[rng_below(&e->rng, e->entries)];
  in->launch_mask =
      rng_chance(&e->rng, 70) ? UINT32_MAX : ((rng_next(&e->rng) & UINT32_MAX) | 1U << 31);
}

bool environment_is_over(const struct environment *e) {
  unsigned owed = 0;
  for (unsigned pipe = 0; pipe < PIPES; pipe++)
    owed += e->owed[0][pipe] + e->owed[1][pipe];
  return e->ctas == 0 && e->left == 0 && e->flights == 0 && owed == 0 && e->misses == 0 &&
         !e->filling && e->dones == e->launches;
}

void environment_drive(struct environment *e, bool launches, struct sm_frontend_in *in) {
  resolve(e, in);
  pipelines(e, in);
  drop_finished(e);
  credits(e, in);
  fills(e, in);
  if (launches)
    launch(e, in);
}

void environment_start(struct environment *e, unsigned warps, unsigned own) {
  e->warps = warps;
  e->own = own;
  e->last_done = 0;
  e->kernels++;
  new_kernel(e);
}

void environment_step(struct environment *e, const struct sm_frontend_out *out,
                      struct sm_frontend_in *in) {
  *in = (struct sm_frontend_in){.cfg_lrr = e->lrr};
  environment_observe(e, out);
  if (out->quiet && environment_is_over(e)) {
    in->kernel_start = 1;
    e->kernels++;
    new_kernel(e);
    return;
  }
  environment_drive(e, true, in);
}
