/* A back end with a fake memory and a test in the place of the front end. */
#include "tests/sm/bench.h"
#include "tests/test.h"

uint64_t word(enum isa_id id, unsigned dst, unsigned s1, unsigned s2, unsigned s3) {
  return isa_pack((struct isa_inst){.unit = isa_ops[id].unit,
                                    .op = isa_ops[id].op,
                                    .guard = ISA_PT,
                                    .dst = (uint8_t)dst,
                                    .src1 = (uint8_t)s1,
                                    .src2 = (uint8_t)s2,
                                    .src3 = (uint8_t)s3});
}

uint64_t with_imm(uint64_t w, unsigned imm) {
  return w | (uint64_t)imm << 32 | (uint64_t)ISA_MOD_IMM << 25;
}
uint64_t with_target(uint64_t w, unsigned target, unsigned rpc) {
  return w | (uint64_t)target << 32 | rpc;
}
uint64_t with_mods(uint64_t w, unsigned mods) { return w | (uint64_t)mods << 25; }
uint64_t with_guard(uint64_t w, unsigned guard) {
  return (w & ~(UINT64_C(31) << 20)) | (uint64_t)guard << 20;
}
uint64_t movi(unsigned dst, uint32_t value) {
  return with_mods(word(ISA_MOVI, dst, value >> 16 & 31, value >> 21 & 31, value >> 26 & 31) |
                       (uint64_t)(value & 0xffff) << 32,
                   value >> 31);
}

void bench_defaults(struct bench *b, unsigned threads) {
  *b = (struct bench){.mem = {.latency = 30, .value = 1000, .asked = -1}};
  sm_config_default(&b->config);
  b->kernel.name = (char *)(uintptr_t) "bench";
  b->kernel.regs = 16;
  b->kernel.param_bytes = sizeof b->params;
  for (unsigned i = 0; i < 8; i++)
    b->params[i] = 0x100 + i;
  b->grid = (struct grid){.kernel = &b->kernel,
                          .code = b->code,
                          .dim = {100, 1, 1},
                          .block = {threads, 1, 1},
                          .params = b->params,
                          .sms = 1,
                          .core_mhz = 700,
                          .threads = threads,
                          .warps = (threads + 31) / 32,
                          .ctas = 100};
  b->log = calloc(BENCH_CYCLES, sizeof *b->log);
  b->far = calloc(BENCH_CYCLES, sizeof *b->far);
  b->uops = aligned_alloc(64, sizeof *b->uops * BENCH_CODE);
  assert_non_null(b->log);
  assert_non_null(b->far);
  assert_non_null(b->uops);
}

unsigned bench_add(struct bench *b, uint64_t w) {
  assert_true(b->ncode < BENCH_CODE);
  b->code[b->ncode] = w;
  isa_uop_decode(w, &b->uops[b->ncode]);
  return b->ncode++;
}

/* Creates the other half of wide warps, and the lanes that the configuration or the shape asks for.
 */
static void widen(struct bench *b) {
  struct tandem_error err = {{0}};
  if (b->shape != NULL && b->shape->pair) {
    b->high = sm_create(&b->config, 4, &b->unused, b->pages, &err);
    assert_non_null(b->high);
    sm_set_timing_check(b->high, 1, 0);
  } else if (b->config.slices == 1) {
    return;
  }
  b->lanes = sm_lanes_create(b->sm, b->high, &err);
  assert_non_null(b->lanes);
}

void bench_begin(struct bench *b) {
  struct tandem_error err = {{0}};
  b->kernel.end = (uint16_t)b->ncode;
  b->pages = pages_create();
  assert_non_null(b->pages);
  b->grid.uops = b->uops;
  b->sm = sm_create(&b->config, 3, &b->mem, b->pages, &err);
  if (b->sm == NULL)
    fail_msg("%s", err.text);
  sm_set_timing_check(b->sm, 1, 0);
  widen(b);
  if (b->high != NULL) {
    sm_lanes_begin(b->lanes, &b->grid, b->shape);
  } else {
    sm_set_shape(b->sm, b->shape);
    sm_begin(b->sm, &b->grid);
  }
  unsigned c = bench_step(b);
  assert_int_equal(b->log[c].kernel_start, 1);
}

void bench_cta(struct bench *b, uint32_t x) {
  const uint32_t ctaid[3] = {x, 0, 0};
  assert_true(b->high != NULL ? sm_lanes_ready(b->lanes) : sm_cta_ready(b->sm));
  if (b->high != NULL)
    sm_lanes_cta(b->lanes, ctaid);
  else
    sm_cta_launch(b->sm, ctaid);
  while (b->sm->launches != 0)
    bench_step(b);
}

void bench_start(struct bench *b) {
  bench_begin(b);
  bench_cta(b, 0);
}

void bench_issue_wide(struct bench *b, unsigned warp, unsigned pc, uint64_t low, uint64_t high) {
  uint64_t w = b->code[pc] | (uint64_t)warp << 58;
  if (warp % 2 == 0) {
    b->fe.iss0_valid = 1;
    b->fe.iss0_inst = w;
    b->fe.iss0_pc = pc;
    b->fe.iss0_mask = low;
    b->fe.iss0_mask_hi = high;
  } else {
    b->fe.iss1_valid = 1;
    b->fe.iss1_inst = w;
    b->fe.iss1_pc = pc;
    b->fe.iss1_mask = low;
    b->fe.iss1_mask_hi = high;
  }
}

void bench_issue(struct bench *b, unsigned warp, unsigned pc, uint64_t mask) {
  bench_issue_wide(b, warp, pc, mask, 0);
}

void bench_done(struct bench *b, unsigned warp) {
  b->fe.done_valid = 1;
  b->fe.done_warp = warp;
}

unsigned bench_step(struct bench *b) {
  assert_true(b->cycle < BENCH_CYCLES);
  b->mem.cycle = b->cycle;
  const struct sm_frontend_out *fe = (const struct sm_frontend_out *)&b->fe;
  struct sm_frontend_in *in = (struct sm_frontend_in *)&b->log[b->cycle];
  const uint64_t raised = b->lanes != NULL ? sm_lanes_step(b->lanes, b->cycle, fe, in)
                                           : sm_step(b->sm, b->cycle, fe, in);
  const struct sm_credits far = sm_far_credits(b->sm);
  b->far[b->cycle] = far;
  assert_int_equal(raised,
                   inputs_raised(in) | ((far.sp | far.sfu | far.mem) != 0 ? SM_RAISED_FAR : 0));
  b->fe = (struct sm_frontend_wide_out){0};
  return b->cycle++;
}

void bench_run(struct bench *b, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++)
    bench_step(b);
}

unsigned bench_one(struct bench *b, unsigned warp, unsigned pc) {
  bench_issue(b, warp, pc, sm_place(b->sm, warp)->mask);
  return bench_step(b);
}

int bench_wb_port(const struct bench *b, unsigned warp, unsigned reg, unsigned from) {
  for (unsigned c = from; c < b->cycle; c++) {
    const struct sm_frontend_wide_in *in = &b->log[c];
    for (unsigned k = 0; k < ROW_PORTS; k++) {
      const struct row_write w = ROWS_WRITE(in, k);
      if (row_bit(in->wb_valid, k) && w.warp == warp && w.reg == reg)
        return (int)(c * ROW_PORTS + k);
    }
  }
  return -4;
}

int bench_wb(const struct bench *b, unsigned warp, unsigned reg, unsigned from) {
  return bench_wb_port(b, warp, reg, from) / 4;
}

void bench_drop_write(struct sm_frontend_wide_in *in, unsigned k) {
  rows_put_write((struct sm_frontend_in *)in, k, (struct row_write){0});
  in->wb_valid &= ~ROW_BIT(k);
}

void bench_drop_collected(struct sm_frontend_wide_in *in, unsigned k) {
  rows_put_collected((struct sm_frontend_in *)in, k, 0);
  in->col_valid &= ~ROW_BIT(k);
}

int bench_col(const struct bench *b, unsigned warp, unsigned from) {
  for (unsigned c = from; c < b->cycle; c++) {
    const struct sm_frontend_wide_in *in = &b->log[c];
    for (unsigned k = 0; k < ROW_PORTS; k++)
      if (row_bit(in->col_valid, k) && ROWS_COLLECTED(in, k) == warp)
        return (int)c;
  }
  return -1;
}

int bench_resolved(const struct bench *b, unsigned warp, unsigned from) {
  for (unsigned c = from; c < b->cycle; c++)
    if (b->log[c].resolve_valid && b->log[c].resolve_warp == warp)
      return (int)c;
  return -1;
}

unsigned bench_credits(const struct bench *b, enum isa_pipe pipe, unsigned from, unsigned to) {
  unsigned n = 0;
  for (unsigned c = from; c < to; c++)
    n += (unsigned)(pipe == ISA_PIPE_SP    ? b->log[c].sp_credit
                    : pipe == ISA_PIPE_SFU ? b->log[c].sfu_credit
                                           : b->log[c].mem_credit);
  return n;
}

void bench_close(struct bench *b) {
  sm_lanes_destroy(b->lanes);
  sm_destroy(b->high);
  sm_destroy(b->sm);
  pages_destroy(b->pages);
  free(b->log);
  free(b->far);
  free(b->uops);
}
