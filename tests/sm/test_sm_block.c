/* Blocks of a stencil processing unit: their registers, the rules of bsync, the inputs of their
 * ports, and the SM of an interface unit. */
#include "tests/sm/bench.h"
#include "tests/test.h"

static const struct grid_spu spu = {.columns = 4, .rows = 4};

static void spu_defaults(struct bench *b, unsigned threads) {
  bench_defaults(b, threads);
  b->config.cb_bytes = 4096;
  b->config.cb_latency = 28;
  b->grid.spu = &spu;
}

static void set_role(struct bench *b, unsigned slot, enum block_role role) {
  sm_spu_registers(b->sm, slot)[ISA_SR_REGROLE - ISA_SR_REGVIU] = role;
}

static uint64_t bsync(unsigned dst, unsigned dirs) {
  return word(ISA_BSYNC, dst, 0, 0, 0) | (uint64_t)dirs << 32;
}
static uint64_t load(unsigned dst) { return with_mods(word(ISA_LDS, dst, 1, 0, 0), 2); }

/* The memory side reads the role where movs does. */
TEST(the_role_is_a_register) {
  struct bench b;
  spu_defaults(&b, 32);
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  assert_int_equal(b.mem.cb_bytes, 4096);
  assert_int_equal(b.mem.cb_latency, 28);
  for (unsigned slot = 0; slot < 2; slot++) {
    bench_cta(&b, slot);
    assert_int_equal(*b.mem.role[slot], ROLE_NONE);
    set_role(&b, slot, slot == 0 ? ROLE_BLOCK : ROLE_STORE);
  }
  assert_true(*b.mem.role[0] == ROLE_BLOCK && *b.mem.role[1] == ROLE_STORE);
  bench_close(&b);
}

/* Until its bsync has returned, a warp may compute, but not access memory; other warps may. */
TEST(a_bsync_is_open_until_its_write_back) {
  for (unsigned bad = 0; bad < 2; bad++) {
    struct bench b;
    spu_defaults(&b, 64);
    const unsigned sync = bench_add(&b, bsync(2, ISA_DIR_NORTH | ISA_DIR_WEST)),
                   add = bench_add(&b, with_imm(word(ISA_IADD, 4, 4, 0, 0), 1)),
                   access = bench_add(&b, load(5));
    bench_start(&b);
    set_role(&b, 0, ROLE_BLOCK);
    b.mem.latency = 100;
    const unsigned t = bench_one(&b, 0, sync);
    bench_run(&b, 20);
    bench_one(&b, 0, add);
    bench_run(&b, 20);
    assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
    assert_true(sm_waiting(b.sm)); /* while only bsyncs are open */
    char text[2048];
    sm_describe(b.sm, text, sizeof text);
    assert_non_null(strstr(text, "its block's synchronisation"));
    bench_one(&b, 1, access);
    assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
    if (bad == 0)
      bench_run(&b, 200);
    assert_int_equal(bench_wb(&b, 0, 2, t) >= 0, bad == 0);
    bench_one(&b, 0, access);
    const struct sm_fault *f = sm_fault(b.sm);
    assert_int_equal(f->kind, bad != 0 ? SM_FAULT_BLOCK : SM_FAULT_NONE);
    if (bad != 0) {
      assert_int_equal(f->pc, access);
      assert_non_null(strstr(f->text, "while its bsync is open"));
    }
    bench_close(&b);
  }
}

TEST(a_bsync_that_cannot_be_is_a_fault) {
  enum { N = ISA_DIR_NORTH, O = ISA_DIR_OWN, P = ISA_DIR_SPILL, G = ISA_DIR_GLOBAL, ALL = 15 };
  static const struct {
    enum block_role role;
    unsigned dirs;
    uint32_t mask;
    const char *text; /* NULL: no fault */
  } cases[] = {
      {ROLE_BLOCK, ALL, ~0U, NULL},
      {ROLE_BLOCK, G, ~0U, NULL},
      {ROLE_BLOCK, N | O, ~0U, "directions 17"},
      {ROLE_BLOCK, P, ~0U, "directions 32"},
      {ROLE_LOAD, O, ~0U, NULL},
      {ROLE_STORE, P, ~0U, NULL},
      {ROLE_STORE, G, ~0U, NULL},
      {ROLE_LOAD, N, ~0U, "directions 1"},
      {ROLE_NONE, G, ~0U, "role 0"},
      {ROLE_BLOCK, N, ~0U << 1, "lanes fffffffe of its live ffffffff"},
  };
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    struct bench b;
    spu_defaults(&b, 32);
    const unsigned sync = bench_add(&b, bsync(2, cases[k].dirs));
    bench_start(&b);
    set_role(&b, 0, cases[k].role);
    bench_issue(&b, 0, sync, cases[k].mask);
    bench_step(&b);
    const struct sm_fault *f = sm_fault(b.sm);
    assert_int_equal(f->kind, cases[k].text != NULL ? SM_FAULT_BLOCK : SM_FAULT_NONE);
    if (cases[k].text != NULL)
      assert_non_null(strstr(f->text, cases[k].text));
    bench_close(&b);
  }
}

static void end_warp(struct bench *b, unsigned warp, unsigned exit_pc) {
  bench_one(b, warp, exit_pc);
  bench_run(b, 20);
  bench_done(b, warp);
  bench_step(b);
}

TEST(launches_and_ends_are_events) {
  struct bench b;
  struct sm_block_events ev;
  spu_defaults(&b, 96);
  const unsigned end = bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  assert_false(sm_block_events(b.sm, &ev));
  const uint32_t ctaid[3] = {7, 0, 0};
  struct sm_room room = SM_ROOM_ANY;
  sm_cta_room(b.sm, &room);
  room.slots = 1U << 2; /* the slot that a grid of slots gives the block */
  sm_cta_launch_in(b.sm, ctaid, &room);
  sm_cta_start_at(b.sm, 2, 77);
  assert_true(sm_block_events(b.sm, &ev));
  assert_int_equal(ev.launched, 1U << 2);
  assert_int_equal(ev.warps[2], 3);
  assert_false(sm_block_events(b.sm, &ev));
  const unsigned t = bench_step(&b);
  assert_true(b.log[t].launch_valid && b.log[t].launch_cta == 2);
  assert_int_equal(b.log[t].launch_pc, 77);
  bench_run(&b, 4);
  for (unsigned warp = 0; warp < 3; warp++) {
    end_warp(&b, warp, end);
    assert_true(sm_block_events(b.sm, &ev));
    assert_int_equal(ev.launched, 0);
    for (unsigned slot = 0; slot < 8; slot++)
      assert_int_equal(ev.ended[slot], slot == 2);
  }
  bench_cta(&b, 1); /* another one starts at the kernel's entry */
  for (unsigned c = t + 4; c < b.cycle; c++)
    assert_true(!b.log[c].launch_valid || b.log[c].launch_pc == 0);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
  bench_close(&b);
}

TEST(a_warp_may_not_end_before_its_bsync) {
  struct bench b;
  spu_defaults(&b, 32);
  const unsigned sync = bench_add(&b, bsync(2, ISA_DIR_EAST)),
                 end = bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_start(&b);
  set_role(&b, 0, ROLE_BLOCK);
  b.mem.latency = 1000;
  bench_one(&b, 0, sync);
  end_warp(&b, 0, end);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_BLOCK);
  assert_non_null(strstr(sm_fault(b.sm)->text, "ends while its bsync is open"));
  bench_close(&b);
}

/* An SM without an SPU, and one in an interface unit, refuse these instructions at the issue. */
TEST(what_an_sm_lacks_is_illegal) {
  static const struct {
    enum isa_id id;
    unsigned imm;
    bool spu, unit; /* legal in an SPU's SM, in an interface unit */
  } cases[] = {
      {ISA_BSYNC, ISA_DIR_OWN, true, true},
      {ISA_MOVS, ISA_SR_REGVIU, true, true},
      {ISA_MOVS, ISA_SR_REGFACE, true, true},
      {ISA_MOVS, ISA_SR_SMID, true, true},
      {ISA_IADD, 0, true, true},
      {ISA_MUL, 0, true, true},
      {ISA_MAD, 0, true, true},
      {ISA_LDS, 0, true, true},
      {ISA_LDG, 0, true, true},
      {ISA_FADD, 0, true, false},
      {ISA_FMUL, 0, true, false},
      {ISA_FMA, 0, true, false},
      {ISA_FMIN, 0, true, false},
      {ISA_RCP, 0, true, false},
      {ISA_DADD, 0, true, false},
      {ISA_AADD, 0, true, false},
  };
  for (unsigned k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (unsigned kind = 0; kind < 3; kind++) { /* a GPU, an SPU, an interface unit */
      struct bench b;
      const struct isa_op *op = &isa_ops[cases[k].id];
      const bool gpu = !(cases[k].id == ISA_BSYNC || cases[k].imm >= ISA_SR_REGVIU);
      const bool legal = kind == 0 ? gpu : kind == 1 ? cases[k].spu : cases[k].unit;
      bench_defaults(&b, 32);
      b.config.cb_bytes = kind != 0 ? 4096 : 0;
      b.config.cb_latency = 28;
      b.config.integer_only = kind == 2;
      b.grid.spu = kind != 0 ? &spu : NULL;
      uint64_t w = word(cases[k].id, op->shape[0] == '-' ? 0 : 2, op->shape[1] == '-' ? 0 : 4,
                        op->shape[2] == '-' ? 0 : 6, op->shape[3] == '-' ? 0 : 8) |
                   (uint64_t)cases[k].imm << 32;
      if (op->unit == ISA_U_MEM && cases[k].id != ISA_BSYNC)
        w = with_mods(w, 2);
      const unsigned pc = bench_add(&b, w);
      if (isa_check(w) != NULL)
        fail_msg("%s: %s", op->mnemonic, isa_check(w));
      bench_begin(&b);
      assert_int_equal(b.mem.no_shared, kind == 2);
      bench_cta(&b, 0);
      if (kind != 0)
        set_role(&b, 0, ROLE_LOAD);
      bench_one(&b, 0, pc);
      const struct sm_fault *f = sm_fault(b.sm);
      assert_int_equal(f->kind, legal ? SM_FAULT_NONE : SM_FAULT_ILLEGAL);
      if (!legal)
        assert_non_null(
            strstr(f->text, kind == 0 ? "needs a stencil processing unit" : "interface unit"));
      bench_close(&b);
    }
}

TEST(an_interface_unit_needs_no_shared_memory) {
  struct sm_config c;
  struct isa_kernel kernel = {.regs = 16};
  struct grid grid = {.kernel = &kernel, .threads = 64, .warps = 2, .shared_bytes = 12288};
  struct tandem_error err = {{0}};
  sm_config_default(&c);
  c.warps = 8;
  c.shared_bytes = 0;
  assert_int_equal(sm_occupancy(&c, &grid, &err), 0);
  c.integer_only = 1;
  assert_int_equal(sm_occupancy(&c, &grid, &err), 4);
}

TEST(bad_combinations_are_refused) {
  struct sm_mem mem = {0};
  for (unsigned k = 0; k < 3; k++) {
    struct sm_config c;
    struct tandem_error err = {{0}};
    sm_config_default(&c);
    c.cb_bytes = 4096;
    *(k == 0 ? &c.slices : k == 1 ? &c.deep_queues : &c.integer_only) = k == 1 ? 1 : 2;
    assert_null(sm_create(&c, 0, &mem, NULL, &err));
    assert_non_null(strstr(err.text, k < 2 ? "communication buffers" : "integer_only"));
  }
}

int main(void) { return test_run(NULL, NULL); }
