/* A small machine around the memory system. */
#include "tests/mem/bench.h"

void bench_figures(struct mem_config *config) {
  mem_config_default(config);
  config->xbar_mhz = 1400;
  config->xbar_latency = 4;
  config->l2_bytes = 65536;
  config->l2_ways = 16;
  config->l2_mshrs = 32;
  config->const_latency = 26;
  config->store_acks = false;
}

void bench_open(struct bench *b, const struct mem_config *config, unsigned sms) {
  struct tandem_error err;
  memset(b, 0, sizeof *b);
  if (config != NULL)
    b->config = *config;
  else
    bench_figures(&b->config);
  b->sms = sms;
  b->m = gpu_mem_create(&b->config, sms, &err);
  assert_non_null(b->m);
  for (unsigned i = 0; i < BENCH_CODE; i++)
    b->code[i] = 0x1000000000000000U + i;
  for (unsigned i = 0; i < BENCH_PARAMS / 4; i++)
    b->params[i] = 0xca000000U + i;
  b->program = (struct isa_program){.code = b->code, .ncode = BENCH_CODE};
  b->kernel = (struct isa_kernel){.local_bytes = 64, .param_bytes = BENCH_PARAMS};
  b->grid = (struct grid){.program = &b->program,
                          .kernel = &b->kernel,
                          .code = b->code,
                          .params = b->params,
                          .shared_bytes = 1024,
                          .local_address = 0xe0000000U,
                          .sms = sms};
  b->grid.param_address = bench_alloc(b, BENCH_PARAMS);
  b->grid.code_address = bench_alloc(b, sizeof b->code);
  gpu_mem_begin(b->m, &b->grid);
  for (unsigned s = 0; s < sms; s++) {
    for (unsigned slot = 0; slot < 2; slot++)
      sm_mem_cta(gpu_mem_sm(b->m, s), slot);
    for (unsigned w = 0; w < 48; w++)
      sm_mem_warp(gpu_mem_sm(b->m, s), w, &(struct warp_place){.cta_slot = w & 1});
  }
}

void bench_close(struct bench *b) { gpu_mem_destroy(b->m); }

uint32_t bench_alloc(struct bench *b, uint64_t bytes) {
  uint32_t address;
  assert_int_equal(gpu_mem_alloc(b->m, bytes, &address, NULL), 0);
  return address;
}

uint32_t bench_read32(struct bench *b, uint32_t address) {
  uint32_t value;
  assert_int_equal(gpu_mem_read(b->m, address, &value, 4, NULL), 0);
  return value;
}

void bench_write32(struct bench *b, uint32_t address, uint32_t value) {
  assert_int_equal(gpu_mem_write(b->m, address, &value, 4, NULL), 0);
}

void bench_uop(struct isa_uop *uop, enum isa_id id, unsigned mods, unsigned imm) {
  const struct isa_op *op = &isa_ops[id];
  struct isa_inst f = {.unit = op->unit,
                       .op = op->op,
                       .mods = (uint8_t)mods,
                       .guard = ISA_PT,
                       .imm = (uint16_t)imm,
                       .dst = op->shape[0] == '-' ? 0 : 4,
                       .src1 = op->shape[1] == '-' ? 0 : 8,
                       .src2 = op->shape[2] == '-' ? 0 : 12,
                       .src3 = op->shape[3] == '-' ? 0 : 16};
  if (op->unit == ISA_U_MEM && (mods & MABS) != 0)
    f.src1 = 0;
  if (op->unit == ISA_U_ATOM && (mods & ANORET) != 0)
    f.dst = 0;
  isa_uop_decode(isa_pack(f), uop);
  if (isa_check(isa_pack(f)) != NULL)
    print_message("%s\n", isa_check(isa_pack(f)));
  assert_int_equal(uop->id, id);
}

void bench_inst(struct sm_inst *inst, const struct isa_uop *uop, unsigned warp) {
  memset(inst, 0, sizeof *inst);
  memset(inst->d, 0xee, sizeof inst->d);
  inst->uop = uop;
  inst->warp = (uint8_t)warp;
  inst->active = inst->exec = UINT32_MAX;
}

void bench_address(struct sm_inst *inst, uint32_t first, uint32_t stride) {
  for (uint32_t l = 0; l < ISA_WARP_SIZE; l++)
    inst->a[0][l] = first + l * stride;
}

void bench_access(struct sm_inst *inst, struct isa_uop *uop, enum isa_id id, unsigned mods,
                  unsigned imm, uint32_t first, uint32_t stride) {
  bench_uop(uop, id, mods, imm);
  bench_inst(inst, uop, 0);
  bench_address(inst, first, stride);
}

struct sm_inst *bench_step(struct bench *b, unsigned sm, struct sm_inst *accept) {
  struct sm_inst *done = NULL;
  for (unsigned s = 0; s < b->sms; s++) {
    struct sm_mem *mem = gpu_mem_sm(b->m, s);
    sm_mem_step(mem, b->cycle);
    struct sm_inst *completed = sm_mem_completed(mem);
    if (s != sm)
      continue;
    done = completed;
    if (accept != NULL) {
      assert_true(sm_mem_ready(mem));
      sm_mem_accept(mem, accept);
    }
  }
  gpu_mem_step(b->m, b->cycle++);
  return done;
}

unsigned bench_run(struct bench *b, unsigned sm, struct sm_inst *inst) {
  assert_null(bench_step(b, sm, inst));
  for (unsigned n = 1; n < 5000; n++)
    if (bench_step(b, sm, NULL) == inst)
      return n;
  fail_msg("the instruction never completes");
  return 0;
}

void bench_drain(struct bench *b) {
  for (unsigned n = 0; !gpu_mem_idle(b->m); n++) {
    assert_true(n < 100000);
    bench_step(b, 0, NULL);
  }
}

struct mem_stats bench_stats(const struct bench *b) {
  struct mem_stats stats;
  gpu_mem_stats(b->m, &stats);
  return stats;
}
