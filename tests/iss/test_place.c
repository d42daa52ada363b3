/* Placement: what a warp holds follows from the launch, and each CTA runs once. */
#include "tests/iss/machine.h"
#include "tests/test.h"

enum { SMS = 2, NX = 3, NY = 2, THREADS = 40 };
static const uint32_t dim[3] = {NX, NY, 1}, block[3] = {THREADS, 1, 1};

/* Each thread stores its number in the grid to its place. */
static const char number[] = ".kernel number\n.regs 8\n.param out, 4, ptr global\n"
                             "  movs r1, ctaid.y\n  movs r2, nctaid.x\n  movs r3, ctaid.x\n"
                             "  mad r1, r1, r2, r3\n  movs r2, ntid.x\n  movs r3, tid.x\n"
                             "  mad r1, r1, r2, r3\n  shl r2, r1, #2\n  movs r3, param+0\n"
                             "  iadd r2, r2, r3\n  st.global.32 [r2], r1\n  exit\n.end\n";

static bool run(struct machine *m, void (*meddle)(struct machine *), uint64_t skip_cta) {
  struct sm_config config;
  sm_config_default(&config);
  machine_open(m, number, SMS, &config, true);
  m->meddle = meddle;
  m->skip_cta = skip_cta;
  const uint32_t params[] = {machine_alloc(m, NX * NY * THREADS * 4)};
  return machine_run(m, "number", dim, block, params, 100000);
}

static const struct iss_mismatch *found(const struct machine *m) {
  for (unsigned i = 0; i < SMS; i++)
    if (iss_mismatch(m->iss[i])->any)
      return iss_mismatch(m->iss[i]);
  return iss_mismatch(m->iss[0]);
}

TEST(every_cta_runs_once) {
  struct machine m;
  char text[4096];
  if (!run(&m, NULL, 0))
    fail_msg("%s", machine_trouble(&m, text, sizeof text));
  machine_close(&m);
}

/* The places of warps that wait for their launch are changed. */
static struct warp_place *waiting(struct machine *m, unsigned nth) {
  struct sm *sm = m->sm[0];
  return sm->launches > nth ? &sm->warp[sm->launch[(sm->launch_at + nth) % SM_WARPS]].place : NULL;
}
static void other_cta(struct machine *m) {
  if (m->cycle == 1 && waiting(m, 0) != NULL)
    waiting(m, 0)->ctaid[1] ^= 1;
}
static void other_threads(struct machine *m) {
  if (m->cycle == 1 && waiting(m, 1) != NULL)
    waiting(m, 1)->first = 0;
}
static void more_lanes(struct machine *m) {
  if (m->cycle == 1 && waiting(m, 1) != NULL)
    waiting(m, 1)->mask = 0x1ff;
}
/* After its launch, so that the machine alone reads it. */
static void moved_later(struct machine *m) {
  if (m->cycle == 6)
    m->sm[1]->warp[0].place.ctaid[0] += 1;
}

TEST(each_misplacement_is_caught) {
  static const struct {
    void (*meddle)(struct machine *);
    const char *text;
  } cases[] = {{other_cta, "ctaid.y of the warp is 1, must be 0"},
               {other_threads, "the first thread of the warp is 0, must be 32"},
               {more_lanes, "the mask of the warp's threads is 0x1ff, must be 0xff"},
               {moved_later, "r3 is 0x2, must be 0x1"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct machine m;
    assert_false(run(&m, cases[i].meddle, 0));
    assert_string_equal(found(&m)->text, cases[i].text);
    machine_close(&m);
  }
}

TEST(a_cta_that_runs_twice_is_caught) {
  struct machine m;
  assert_false(run(&m, NULL, 4));
  assert_string_equal(found(&m)->text, "CTA 2 was dispatched twice");
  machine_close(&m);
}

/* Without a machine: what it would claim. */
struct claim {
  struct pages *pages;
  struct isa_kernel kernel;
  struct isa_uop uop;
  uint64_t code;
  struct grid grid;
  struct iss *iss;
  struct iss_launch *launch;
};
static void open_claim(struct claim *c) {
  *c = (struct claim){.pages = pages_create(), .kernel = {.end = 1}};
  c->code = isa_pack((struct isa_inst){.op = isa_ops[ISA_EXIT].op, .guard = ISA_PT});
  isa_uop_decode(c->code, &c->uop);
  assert_int_equal(c->uop.id, ISA_EXIT);
  c->grid = (struct grid){.kernel = &c->kernel,
                          .uops = &c->uop,
                          .code = &c->code,
                          .dim = {NX, NY, 1},
                          .block = {THREADS, 1, 1},
                          .threads = THREADS,
                          .warps = 2,
                          .ctas = NX * NY};
  c->iss = iss_create(0, c->pages, NULL);
  c->launch = iss_launch_create(1, NULL);
  assert_non_null(c->iss);
  assert_non_null(c->launch);
  iss_launch_join(c->launch, c->iss);
  assert_int_equal(iss_launch_begin(c->launch, &c->grid, NULL, NULL), 0);
  iss_begin(c->iss, &c->grid);
}
static void close_claim(struct claim *c) {
  iss_launch_destroy(c->launch);
  pages_destroy(c->pages);
}
static bool starts(struct claim *c, unsigned warp, unsigned cta, unsigned of_cta, unsigned slot) {
  const struct warp_place place = {.ctaid = {cta % NX, cta / NX, 0},
                                   .cta_slot = slot,
                                   .first = 32 * of_cta,
                                   .mask = of_cta == 0 ? ~0U : 0xff};
  return iss_start(c->iss, warp, &place);
}
static bool ends(struct claim *c, unsigned warp, unsigned of_cta) {
  static struct sm_inst inst;
  const uint32_t mask = of_cta == 0 ? ~0U : 0xff;
  inst = (struct sm_inst){.uop = &c->uop,
                          .active = mask,
                          .exec = mask,
                          .pred = mask,
                          .warp = (uint8_t)warp,
                          .number = (uint8_t)warp};
  return iss_check(c->iss, &inst);
}
static void says(const struct claim *c, const char *text) {
  assert_true(iss_mismatch(c->iss)->any);
  assert_string_equal(iss_mismatch(c->iss)->text, text);
}

TEST(claims_are_compared_with_the_launch) {
  struct claim c;
  open_claim(&c); /* a warp of no CTA */
  assert_false(starts(&c, 0, 0, 0, 0));
  says(&c, "a warp starts, but all warps of all dispatched CTAs have started");
  close_claim(&c);

  open_claim(&c); /* the second warp in another slot */
  iss_cta(c.iss, 0, true);
  assert_true(starts(&c, 0, 0, 0, 0));
  assert_false(starts(&c, 1, 0, 1, 1));
  says(&c, "warp 1 of CTA 0 starts in slot 1, which is not the CTA's");
  close_claim(&c);

  open_claim(&c); /* a CTA into a slot whose last one lives */
  iss_cta(c.iss, 0, true);
  iss_cta(c.iss, 1, true);
  assert_true(starts(&c, 0, 0, 0, 0) && starts(&c, 1, 0, 1, 0));
  assert_true(ends(&c, 0, 0));
  assert_false(starts(&c, 2, 1, 0, 0));
  says(&c, "CTA 1 starts in slot 0, but warps of CTA 0 live there: mask 0x2");
  close_claim(&c);

  open_claim(&c); /* beyond the grid */
  iss_cta(c.iss, NX * NY, true);
  says(&c, "CTA 6 was dispatched, but the grid's last is 5");
  close_claim(&c);

  open_claim(&c); /* a warp that never starts */
  iss_cta(c.iss, 0, true);
  assert_true(starts(&c, 0, 0, 0, 0) && ends(&c, 0, 0));
  assert_false(iss_finish(c.iss));
  says(&c, "warps of CTA 0, which was dispatched, never started");
  close_claim(&c);
}

TEST(a_lost_cta_is_caught) {
  struct claim c;
  unsigned sm = 9;
  open_claim(&c);
  for (unsigned n = 0; n < NX * NY; n++) {
    if (n == 3)
      continue;
    iss_cta(c.iss, n, true);
    assert_true(starts(&c, 0, n, 0, 0) && starts(&c, 1, n, 1, 0));
    assert_true(ends(&c, 0, 0) && ends(&c, 1, 1));
  }
  iss_cta(c.iss, 1, false); /* an interface unit's is none of the grid */
  assert_true(starts(&c, 0, 1, 0, 0) && starts(&c, 1, 1, 1, 0));
  assert_true(ends(&c, 0, 0) && ends(&c, 1, 1));
  assert_true(iss_finish(c.iss));
  assert_false(iss_launch_finish(c.launch, &sm));
  assert_int_equal(sm, 0);
  says(&c, "CTA 3 was not dispatched; 5 of 6 CTAs were");
  close_claim(&c);
}

int main(void) { return test_run(NULL, NULL); }
