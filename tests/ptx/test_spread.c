/* Values spread over registers: what it brings, and that it costs nothing. */
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/isa/ptx/ptx.h"
#include "tests/test.h"

enum { ROUNDS = 12 };

/* Rounds of a load, an add and a store, each with values of its own. */
static void write_rounds(char *text, size_t size) {
  size_t n = (size_t)snprintf(text, size,
                              ".version 6.0\n.target sm_35\n.address_size 32\n"
                              ".visible .entry k(.param .u32 p)\n{\n.reg .b32 %%r<100>;\n"
                              "ld.param.u32 %%r1, [p];\n");
  for (unsigned i = 0; i < ROUNDS; i++)
    n += (size_t)snprintf(text + n, size - n,
                          "ld.global.u32 %%r%u, [%%r1+%u];\nadd.u32 %%r%u, %%r%u, 7;\n"
                          "st.global.u32 [%%r1+%u], %%r%u;\n",
                          10 + 2 * i, 4 * i, 11 + 2 * i, 10 + 2 * i, 256 + 4 * i, 11 + 2 * i);
  snprintf(text + n, size - n, "ret;\n}\n");
}

static struct isa_program *translate(unsigned max_regs, unsigned spread) {
  char text[8192];
  struct ptx_options opt = {.max_regs = max_regs};
  struct tandem_error err = {""};
  struct isa_program *p;
  write_rounds(text, sizeof text);
  memset(opt.spread, (int)spread, sizeof opt.spread);
  if (ptx_translate(text, "rounds.ptx", &opt, &p, &err) != 0)
    fail_msg("%s", err.text);
  return p;
}

/* Returns the fewest instructions from a read of a register to the next write of it. */
static size_t closest(const struct isa_program *p) {
  size_t last[ISA_REGS], least = SIZE_MAX;
  memset(last, 0xff, sizeof last);
  for (size_t pc = 0; pc < p->ncode; pc++) {
    struct isa_uop u;
    isa_uop_decode(p->code[pc], &u);
    if (u.o.s1 != ISA_N_NONE)
      last[u.f.src1] = pc;
    if (u.o.s2 != ISA_N_NONE && u.imm == 0)
      last[u.f.src2] = pc;
    if (u.o.d == ISA_N_NONE || last[u.f.dst] == SIZE_MAX)
      continue;
    least = pc - last[u.f.dst] < least ? pc - last[u.f.dst] : least;
  }
  return least;
}

TEST(a_register_rests_between_two_values) {
  struct isa_program *low = translate(32, 0), *far = translate(32, 20), *most = translate(32, 32);
  assert_true(closest(low) <= 2);
  assert_true(closest(far) >= 12);
  assert_true(closest(most) >= closest(far));
  assert_true(low->kernels[0].regs < 8);
  assert_true(far->kernels[0].regs > 8 && far->kernels[0].regs <= 20);
  assert_int_equal(far->ncode, low->ncode);
  isa_program_free(low);
  isa_program_free(far);
  isa_program_free(most);
}

TEST(max_regs_stays_a_limit) {
  struct isa_program *p = translate(9, 20);
  assert_true(p->kernels[0].regs <= 9);
  isa_program_free(p);
}

int main(void) { return test_run(NULL, NULL); }
