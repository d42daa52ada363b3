/* Arithmetic of the check's own: a wrong lane function, which back end and fast check share, is
 * noticed by the full check alone. */
#include "tests/iss/machine.h"

#include "csim/iss/arith/arith.h"
#include "tests/test.h"

/* One instruction of each kind on the lane's number and a float made of it. */
static const char program[] =
    ".kernel sums\n.regs 25\n"
    "  movs r0, tid.x\n  i2f.u r1, r0\n  fadd r1, r1, #1.5\n  movi r3, #7\n"
    "  iadd r4, r0, r3\n  mul r5, r0, r3\n  mad r6, r0, r3, r3\n  idiv.u r7, r3, r0\n"
    "  fma r8, r1, r1, r1\n  fdiv r9, r1, r8\n  rcp r10, r1\n  sqrt r11, r1\n  rsqrt r12, r1\n"
    "  sin r13, r1\n  cos r14, r8\n  ex2 r15, r1\n  lg2 r16, r1\n  f2i.s r17, r8\n"
    "  prmt r18, r0, r1, r3\n  bfe.s r19, r1, r3, r3\n  f2d r20, r1\n  dfma r22, r20, r20, r20\n"
    "  prmt.bfly r24, r1, r3, r3\n  isetp.lt.u p0, r0, r3\n  vote.any p1, p0\n  ballot r2, p0\n  "
    "exit\n.end\n";
enum { FIRST = 1, LAST = 25 };

/* The right function, and one bit of its result wrong in the highest lane. */
static isa_lane_fn *right;
static uint32_t wrong(const struct isa_uop *u, uint32_t *restrict d, const uint32_t *a,
                      const uint32_t *b, const uint32_t *c, uint32_t p2, uint32_t p3,
                      uint32_t active) {
  const uint32_t pred = right(u, d, a, b, c, p2, p3, active);
  if (u->o.dp)
    return pred ^ 1U << 31;
  d[31] ^= 4; /* more than a last place */
  return pred;
}

static bool run(int pc, bool full, struct iss_mismatch *bad) {
  static const uint32_t one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
  struct machine m;
  struct sm_config config;
  sm_config_default(&config);
  machine_open(&m, program, 1, &config, true);
  iss_set_full(m.iss[0], full);
  if (pc >= 0) {
    right = m.uops[pc].fn;
    assert_non_null(right);
    m.uops[pc].fn = wrong;
  }
  const bool good = machine_run(&m, "sums", one, block, NULL, 100000);
  *bad = *iss_mismatch(m.iss[0]);
  machine_close(&m);
  return good;
}

TEST(right_functions_pass) {
  struct iss_mismatch bad;
  assert_true(run(-1, true, &bad));
  assert_true(run(-1, false, &bad));
}

TEST(each_wrong_function_is_caught) {
  struct iss_mismatch bad;
  for (int pc = FIRST; pc <= LAST; pc++) {
    if (run(pc, true, &bad))
      fail_msg("a wrong function at PC %d passes", pc);
    assert_int_equal(bad.pc, pc);
    assert_true(run(pc, false, &bad)); /* both sides have it */
  }
}

/* Values at the edges: far from 0, near a multiple of pi, at 1, beyond all floats. */
TEST(functions_at_their_edges) {
  static const struct {
    enum isa_id id;
    uint32_t a, want;
  } cases[] = {
      {ISA_SIN, 0x00000000, 0x00000000},   {ISA_SIN, 0x80000000, 0x80000000},
      {ISA_SIN, 0x00000001, 0x00000001},   {ISA_SIN, 0x40490fdb, 0xb3bbbd2e}, /* pi */
      {ISA_SIN, 0x7f7fffff, 0xbf0599b3}, /* the largest: -0.5218765 */
      {ISA_COS, 0x7f7fffff, 0x3f5a5f96},   {ISA_COS, 0x3fc90fdb, 0xb33bbd2e}, /* pi / 2 */
      {ISA_SIN, 0x7f800000, 0x7fffffff},   {ISA_COS, 0x00000000, 0x3f800000},
      {ISA_EX2, 0x43000000, 0x7f800000},   {ISA_EX2, 0xc3150000, 0x00000001}, /* 128, -149 */
      {ISA_EX2, 0xc3800000, 0x00000000},   {ISA_EX2, 0xff800000, 0x00000000},
      {ISA_EX2, 0x3f000000, 0x3fb504f3},   {ISA_LG2, 0x3f800000, 0x00000000},
      {ISA_LG2, 0x00000001, 0xc3150000},   {ISA_LG2, 0x80000000, 0xff800000},
      {ISA_LG2, 0xbf800000, 0x7fffffff},   {ISA_LG2, 0x7f800000, 0x7f800000},
      {ISA_RSQRT, 0x40800000, 0x3f000000}, {ISA_RSQRT, 0x80000000, 0xff800000},
      {ISA_RSQRT, 0x00000000, 0x7f800000}, {ISA_RSQRT, 0xbf800000, 0x7fffffff},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const struct arith_in in = {.id = cases[i].id, .a = cases[i].a};
    assert_int_equal(arith_of(in.id)(&in), cases[i].want);
  }
}

/* A result in doubt may be either; no other. */
TEST(a_last_place_off_is_wrong) {
  uint64_t want;
  unsigned two = 0;
  for (uint32_t a = 0x3f000000; a < 0x3f000000 + 4096; a++) {
    const struct arith_in in = {.id = ISA_SIN, .a = a};
    assert_true(arith_fits(&in, arith_of(ISA_SIN)(&in), &want));
    two += arith_fits(&in, want + 1, &want) || arith_fits(&in, want - 1, &want);
  }
  assert_true(two <= 1);
}

int main(void) { return test_run(NULL, NULL); }
