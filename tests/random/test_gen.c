/* The generator of random programs: what it gives is well formed, and says what it should of
 * reconvergence. */
#include "tests/random/gen.h"
#include "tests/test.h"

static uint64_t word(enum isa_id id, unsigned guard, unsigned imm) {
  return isa_pack((struct isa_inst){.unit = isa_ops[id].unit,
                                    .op = isa_ops[id].op,
                                    .guard = (uint8_t)guard,
                                    .imm = (uint16_t)imm});
}

static unsigned rpc(uint64_t w) { return (unsigned)(w & 0xfffff); }

/* if-else in a loop that is left in the middle:
 *   0 nop  1 @p0 bra 4  2 nop  3 bra 5  4 nop  5 @p1 bra 8  6 @p2 bra 0  7 nop  8 exit */
TEST(reconverges_at_the_immediate_post_dominator) {
  uint64_t code[] = {word(ISA_NOP, ISA_PT, 0), word(ISA_BRA, 0, 4),      word(ISA_NOP, ISA_PT, 0),
                     word(ISA_BRA, ISA_PT, 5), word(ISA_NOP, ISA_PT, 0), word(ISA_BRA, 1, 8),
                     word(ISA_BRA, 2, 0),      word(ISA_NOP, ISA_PT, 0), word(ISA_EXIT, ISA_PT, 0)};
  assert_true(gen_reconverge(code, 9));
  assert_int_equal(rpc(code[1]), 5);
  assert_int_equal(rpc(code[3]), 5);
  assert_int_equal(rpc(code[5]), 8);
  assert_int_equal(rpc(code[6]), 8);
}

TEST(guarded_exits_fall_through) {
  uint64_t code[] = {word(ISA_BRA, 0, 2), word(ISA_EXIT, 1, 0), word(ISA_EXIT, ISA_PT, 0)};
  assert_true(gen_reconverge(code, 3));
  assert_int_equal(rpc(code[0]), 2);
}

TEST(programs_are_well_formed) {
  unsigned kinds[ISA_OPS] = {0};
  for (uint64_t seed = 0; seed < 400; seed++) {
    struct gen_options options = {.statements = 20 + (unsigned)seed % 100,
                                  .barriers = seed % 3 != 0,
                                  .memory = seed % 5 != 0,
                                  .race_free = seed % 2 != 0,
                                  .operands = seed % 7 == 0};
    struct isa_program *p = gen_program(seed, &options);
    assert_non_null(p);
    assert_true(p->ncode <= GEN_MAX_CODE);
    for (size_t i = 0; i < p->ncode; i++) {
      const char *wrong = isa_check(p->code[i]);
      if (wrong != NULL)
        fail_msg("seed %llu, instruction %zu: %s", (unsigned long long)seed, i, wrong);
      enum isa_id id = isa_id_of(p->code[i]);
      kinds[id]++;
      if (id == ISA_BRA) {
        assert_in_range(isa_unpack(p->code[i]).imm, 1, p->ncode - 1); /* 0: forgotten */
        assert_true(rpc(p->code[i]) < p->ncode);
      }
      if (id == ISA_BAR)
        assert_true(options.barriers);
      if (id == ISA_MOVS && options.race_free) { /* nothing of machine and time */
        unsigned number = isa_unpack(p->code[i]).imm;
        assert_false(number == ISA_SR_SMID || number == ISA_SR_NSMID);
        assert_false(number == ISA_SR_CLOCK || number == ISA_SR_CLOCKHI);
      }
    }
    isa_program_free(p);
  }
  for (unsigned id = 0; id < ISA_OPS; id++)
    if (kinds[id] == 0 && id != ISA_BSYNC)
      fail_msg("%s never occurs", isa_ops[id].mnemonic);
}

TEST(equal_seeds_give_equal_programs) {
  struct gen_options options = {
      .statements = 80, .barriers = true, .memory = true, .warps_end = true};
  struct isa_program *a = gen_program(7, &options), *b = gen_program(7, &options),
                     *c = gen_program(8, &options);
  assert_int_equal(a->ncode, b->ncode);
  assert_memory_equal(a->code, b->code, a->ncode * sizeof *a->code);
  assert_true(a->ncode != c->ncode || memcmp(a->code, c->code, a->ncode * sizeof *a->code) != 0);
  isa_program_free(a);
  isa_program_free(b);
  isa_program_free(c);
}

int main(void) { return test_run(NULL, NULL); }
