/* Programs on two SMs with the halves of wide warps: one check sees both halves, whose CTAs,
 * barriers and shared memory are one thing. */
#include "csim/isa/asm/asm.h"
#include "csim/mem/l1/sm_mem.h"
#include "csim/ref/sm/ref_wide.h"
#include "csim/sm/lanes/lanes.h"
#include "tests/iss/machine.h"
#include "tests/test.h"

enum { THREADS = 1000, CTAS = 7, LONG_RUN = 400000 };

/* out[g] = 3 * (T - 1 - t) + the number of turns of a loop that lanes leave one after the other; a
 * counter is added to by all threads. */
static const char text[] =
    ".kernel mix\n.regs 16\n.shared 4096\n.local 16\n"
    ".param out, 4, ptr global\n.param count, 4, ptr global\n"
    "  movs r1, tid.x\n  shl r2, r1, #2\n  movi r3, #3\n  movi r4, #0\n"
    "  mad r5, r1, r3, r4\n  st.shared.32 [r2], r5\n  st.local.32 [r4+4], r5\n"
    "  and r6, r1, #47\n  movi r7, #0\n"
    "turn:\n  iadd r7, r7, #1\n  isetp.lt.u p0, r7, r6\n  @p0 bra turn, rpc after\n"
    "after:\n  bar\n"
    "  movi r8, #999\n  iadd.neg2 r8, r8, r1\n  shl r8, r8, #2\n  ld.shared.32 r9, [r8]\n"
    "  iadd r9, r9, r7\n  ld.local.32 r10, [r4+4]\n  iadd.neg2 r10, r10, r5\n  iadd r9, r9, r10\n"
    "  movs r10, ctaid.x\n  movs r11, ntid.x\n  mad r10, r10, r11, r1\n  shl r10, r10, #2\n"
    "  movs r12, param+0\n  iadd r10, r10, r12\n  st.global.32 [r10], r9\n"
    "  movs r12, param+4\n  movi r13, #1\n  atom.add r14, [r12], r13\n"
    "  exit\n.end\n";

struct rig {
  struct isa_program *program;
  struct isa_uop *uops;
  struct grid grid;
  struct gpu_mem *mem;
  struct pages *pages;
  struct sm *sm[2];
  struct sm_lanes *pair;
  struct iss *iss;
  struct iss_launch *check;
  struct frontend_wide *fe;
  struct sm_frontend_wide_in in;
  uint32_t params[2];
  uint64_t cycle, next;
  unsigned highest; /* number in the check of a half that has started */
  bool waited;      /* the check has seen one of the upper numbers wait at a barrier */
  void (*meddle)(struct rig *r);
};

static void ok(int status, const struct tandem_error *err) {
  if (status != 0)
    fail_msg("%s", err->text);
}

static uint32_t allocate(struct rig *r, uint32_t bytes) {
  struct tandem_error err = {{0}};
  uint32_t address = 0;
  ok(gpu_mem_alloc(r->mem, bytes, &address, &err), &err);
  return address;
}

static void open(struct rig *r) {
  struct tandem_error err = {{0}};
  struct mem_config mc;
  struct sm_config config;
  *r = (struct rig){.highest = 0};
  ok(isa_assemble(text, "test.s", &r->program, &err), &err);
  mem_config_default(&mc);
  sm_config_default(&config);
  r->mem = gpu_mem_create(&mc, 2, &err);
  ok(r->mem == NULL, &err);
  r->pages = pages_create();
  r->check = iss_launch_create(1, &err);
  r->iss = iss_create(0, r->pages, &err);
  r->fe = frontend_wide_create_with(48);
  assert_non_null(r->check);
  assert_non_null(r->iss);
  assert_non_null(r->fe);
  iss_launch_join(r->check, r->iss);
  iss_set_full(r->iss, true);
  for (unsigned h = 0; h < 2; h++) {
    r->sm[h] = sm_create(&config, h, gpu_mem_sm(r->mem, h), r->pages, &err);
    ok(r->sm[h] == NULL, &err);
    sm_set_checked(r->sm[h], true);
  }
  r->pair = sm_lanes_create(r->sm[0], r->sm[1], &err);
  assert_non_null(r->pair);
  const size_t n = r->program->ncode;
  r->uops = aligned_alloc(64, n * sizeof *r->uops);
  assert_non_null(r->uops);
  for (size_t i = 0; i < n; i++)
    isa_uop_decode(r->program->code[i], &r->uops[i]);
  const uint32_t code = allocate(r, (uint32_t)(n * 8 + 256));
  ok(gpu_mem_write(r->mem, code, r->program->code, n * 8, &err), &err);
  r->params[0] = allocate(r, CTAS * THREADS * 4);
  r->params[1] = allocate(r, 4);
  r->grid = (struct grid){.program = r->program,
                          .kernel = isa_program_kernel(r->program, "mix"),
                          .uops = r->uops,
                          .code = r->program->code,
                          .dim = {CTAS, 1, 1},
                          .block = {THREADS, 1, 1},
                          .params = r->params,
                          .param_address = allocate(r, 256),
                          .code_address = code,
                          .shared_bytes = 4096,
                          .local_address = allocate(r, 2 * 48 * 32 * 16),
                          .sms = 2,
                          .threads = THREADS,
                          .warps = (THREADS + 31) / 32,
                          .ctas = CTAS};
  ok(gpu_mem_write(r->mem, r->grid.param_address, r->params, sizeof r->params, &err), &err);
}

static void begin(struct rig *r) {
  struct tandem_error err = {{0}};
  struct mem_allocation list[8];
  struct iss_range range[8];
  const size_t n = gpu_mem_allocations(r->mem, list, 8);
  for (size_t i = 0; i < n; i++)
    range[i] = (struct iss_range){list[i].address, list[i].bytes};
  ok(iss_launch_begin(r->check, &r->grid,
                      &(struct iss_global_memory){gpu_mem_bytes(r->mem), range, n}, &err),
     &err);
  const struct sm_mem_shape memory = {.shared_bytes = 49152,
                                      .shared_own = 24576,
                                      .shared_far_banks = 16,
                                      .l1d_far_ways = 4,
                                      .delay = 1,
                                      .joint = true};
  ok(sm_mem_set_shape(gpu_mem_sm(r->mem, 0), &memory, &err), &err);
  gpu_mem_begin(r->mem, &r->grid);
  const struct sm_shape shape = {.warps = (UINT64_C(1) << 48) - 1,
                                 .threads = 3072,
                                 .shared_bytes = 49152,
                                 .delay = 1,
                                 .operand_planes = 3,
                                 .memory_planes = 1,
                                 .pair = true};
  sm_lanes_begin(r->pair, &r->grid, &shape);
  iss_begin(r->iss, &r->grid);
}

static void dispatch(struct rig *r) {
  if (r->next == CTAS || !sm_lanes_ready(r->pair))
    return;
  sm_lanes_cta(r->pair, (const uint32_t[3]){(uint32_t)r->next});
  iss_cta(r->iss, r->next++, true);
}

static bool bad(const struct rig *r) {
  return iss_mismatch(r->iss)->any || sm_fault(r->sm[0])->kind != SM_FAULT_NONE ||
         gpu_mem_fault(r->mem)->kind != INST_FAULT_NONE;
}

/* One cycle.  The ports of a front end of 64 lanes begin with those of sm_frontend. */
static void step(struct rig *r) {
  struct sm_frontend_wide_out out;
  if (r->meddle != NULL)
    r->meddle(r);
  frontend_wide_out(r->fe, &out);
  memset(&r->in, 0, sizeof r->in);
  for (unsigned h = 0; h < 2; h++)
    sm_mem_step(gpu_mem_sm(r->mem, h), r->cycle);
  sm_lanes_step(r->pair, r->cycle, (const struct sm_frontend_out *)&out,
                (struct sm_frontend_in *)&r->in);
  for (unsigned w = 0; w < 48; w++)
    if ((r->sm[1]->launched >> w & 1) != 0 && 2 * w + 1 > r->highest)
      r->highest = 2 * w + 1;
  (void)check_retired_pair(r->iss, r->sm[0], r->sm[1]);
  for (unsigned number = 64; number < 96; number++)
    r->waited |= iss_waits(r->iss, number);
  frontend_wide_step(r->fe, &r->in);
  gpu_mem_step(r->mem, r->cycle);
  dispatch(r);
  r->cycle++;
}

static void run(struct rig *r) {
  open(r);
  begin(r);
  dispatch(r);
  while (r->cycle < LONG_RUN && !bad(r) &&
         !(sm_lanes_idle(r->pair) && r->next == CTAS && gpu_mem_idle(r->mem)))
    step(r);
  assert_true(r->cycle < LONG_RUN);
}

static void close(struct rig *r) {
  sm_lanes_destroy(r->pair);
  for (unsigned h = 0; h < 2; h++)
    sm_destroy(r->sm[h]);
  frontend_wide_destroy(r->fe);
  iss_launch_destroy(r->check);
  pages_destroy(r->pages);
  gpu_mem_destroy(r->mem);
  isa_program_free(r->program);
  free(r->uops);
}

/* Three CTAs of 16 wide warps at once: the check has 96 warps, and barriers of all of them. */
TEST(ninety_six_warps_are_checked) {
  static struct rig r;
  unsigned sm;
  run(&r);
  if (bad(&r))
    fail_msg("%s %s", iss_mismatch(r.iss)->text, sm_fault(r.sm[0])->text);
  assert_int_equal(r.highest, 95);
  assert_true(r.waited);
  assert_true(iss_finish(r.iss));
  assert_true(iss_launch_finish(r.check, &sm));
  assert_int_equal(iss_shared_races(r.check), 0);
  assert_true(iss_checked(r.iss) > CTAS * 32 * 30);
  struct tandem_error err;
  uint32_t count, out[THREADS];
  ok(gpu_mem_read(r.mem, r.params[1], &count, 4, &err), &err);
  assert_int_equal(count, CTAS * THREADS);
  for (unsigned c = 0; c < CTAS; c++) {
    ok(gpu_mem_read(r.mem, r.params[0] + c * 4 * THREADS, out, sizeof out, &err), &err);
    for (unsigned t = 0; t < THREADS; t++)
      assert_int_equal(out[t], 3 * (THREADS - 1 - t) + ((t & 47) > 1 ? t & 47 : 1));
  }
  close(&r);
}

static void wrong_place(struct rig *r) {
  if (r->cycle == 1)
    r->sm[1]->warp[2].place.first -= 32;
}

static void lower_place(struct rig *r) {
  if (r->cycle == 1)
    r->sm[0]->warp[1].place.first += 32;
}

/* The first thread of either half must follow from the launch. */
TEST(a_wrong_first_thread_is_a_mismatch) {
  void (*const meddle[])(struct rig *) = {wrong_place, lower_place};
  static const unsigned warp[] = {5, 2}, first[] = {160, 64};
  for (unsigned i = 0; i < 2; i++) {
    static struct rig r;
    open(&r);
    r.meddle = meddle[i];
    begin(&r);
    dispatch(&r);
    while (r.cycle < LONG_RUN && !bad(&r))
      step(&r);
    const struct iss_mismatch *m = iss_mismatch(r.iss);
    assert_true(m->any);
    assert_string_equal(m->what, "place");
    assert_int_equal(m->warp, warp[i]);
    assert_int_equal(m->expected, first[i]);
    close(&r);
  }
}

/* Spoils a word of shared memory that the lower half of the first warp has stored, before any warp
 * has passed the barrier. */
static void spoil(struct rig *r) {
  struct sm_mem *s = gpu_mem_sm(r->mem, 0);
  uint32_t value;
  memcpy(&value, s->shared + 4 * 7, sizeof value);
  if (value == 3 * 7)
    s->shared[4 * 7] ^= 0x40;
}

/* A value that one half stored and another one loads differently: thread 992 of the CTA, lane 0 of
 * its last half, loads the word of thread 7. */
TEST(a_value_between_halves_is_checked) {
  static struct rig r;
  open(&r);
  r.meddle = spoil;
  begin(&r);
  dispatch(&r);
  while (r.cycle < LONG_RUN && !bad(&r))
    step(&r);
  const struct iss_mismatch *m = iss_mismatch(r.iss);
  assert_true(m->any);
  assert_int_equal(m->warp, 31);
  assert_int_equal(m->lane, 0);
  assert_int_equal(m->expected, 3 * 7);
  assert_int_equal(m->got, 3 * 7 ^ 0x40);
  close(&r);
}

/* A value of the upper half's registers. */
static void spoil_register(struct rig *r) {
  if (r->cycle == 600)
    for (unsigned w = 0; w < 48; w++)
      r->sm[1]->regs[w][5][11] ^= 1;
}

TEST(registers_of_the_upper_half_are_checked) {
  static struct rig r;
  open(&r);
  r.meddle = spoil_register;
  begin(&r);
  dispatch(&r);
  while (r.cycle < LONG_RUN && !bad(&r))
    step(&r);
  assert_true(iss_mismatch(r.iss)->any);
  assert_int_equal(iss_mismatch(r.iss)->warp % 2, 1);
  assert_int_equal(iss_mismatch(r.iss)->lane, 11);
  close(&r);
}

int main(void) { return test_run(NULL, NULL); }
