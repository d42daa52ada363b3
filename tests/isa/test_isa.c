/* Words: fields, legality, operands, and their text there and back. */
#include "csim/isa/asm/asm.h"
#include "csim/isa/core/isa_mods.h"
#include "tests/isa/programs.h"
#include "tests/test.h"

static struct rng rng;

static struct isa_inst inst(enum isa_id id, unsigned mods) {
  return (struct isa_inst){.unit = isa_ops[id].unit,
                           .op = isa_ops[id].op,
                           .mods = (uint8_t)mods,
                           .guard = ISA_PT,
                           .imm = least_imm(id)};
}

TEST(fields) {
  struct rng r = rng;
  for (unsigned i = 0; i < 10000; i++) {
    uint64_t word = rng_next(&r);
    assert_int_equal(isa_pack(isa_unpack(word)), word);
  }
  struct isa_inst f = isa_unpack((uint64_t)0x3f << 58 | (uint64_t)13 << 54 | (uint64_t)9 << 48 |
                                 (uint64_t)0xabcd << 32 | 0x55ULL << 25 | 0x11ULL << 20 |
                                 3ULL << 15 | 4ULL << 10 | 5ULL << 5 | 6);
  assert_int_equal(f.warp, 63);
  assert_int_equal(f.unit, ISA_U_MEM);
  assert_int_equal(f.op, 9);
  assert_int_equal(f.imm, 0xabcd);
  assert_int_equal(f.mods, 0x55);
  assert_int_equal(f.guard, 0x11);
  assert_int_equal(f.src3, 3);
  assert_int_equal(f.src2, 4);
  assert_int_equal(f.src1, 5);
  assert_int_equal(f.dst, 6);
}

static void assert_text_round_trip(uint64_t word) {
  char text[ISA_TEXT], again[ISA_TEXT];
  struct isa_program *p;
  struct tandem_error err = {{0}};
  isa_disasm(word, text);
  int rc = isa_assemble(text, "test", &p, &err);
  if (rc != 0)
    fail_msg("%s: %s", text, err.text);
  assert_int_equal(p->ncode, 1);
  isa_disasm(p->code[0], again);
  if (p->code[0] != word)
    fail_msg("%016llx is `%s`, but that assembles to %016llx, `%s`", (unsigned long long)word, text,
             (unsigned long long)p->code[0], again);
  isa_program_free(p);
}

/* Every operation with every value of the modifier bits: either it is legal and survives as text,
 * or the check says why not. */
TEST(every_word) {
  struct rng r = rng;
  unsigned legal = 0;
  for (enum isa_id id = 0; id < ISA_OPS; id++) {
    unsigned legal_of_op = 0;
    for (unsigned mods = 0; mods < 128; mods++) {
      for (unsigned i = 0; i < 10; i++) {
        bool ok;
        uint64_t word = random_word(&r, id, mods, &ok);
        if (!ok)
          break;
        legal_of_op += i == 0;
        assert_int_equal(isa_id_of(word), id);
        assert_null(isa_check(word));
        assert_text_round_trip(word);
      }
    }
    assert_true(legal_of_op > 0);
    legal += legal_of_op;
  }
  print_message("%u operations, %u with their modifiers\n", (unsigned)ISA_OPS, legal);
}

TEST(undefined_words_survive) {
  struct rng r = rng;
  for (unsigned i = 0; i < 3000; i++) {
    uint64_t word = rng_next(&r) >> 6; /* a program's words name no warp */
    if (isa_check(word) != NULL)
      assert_text_round_trip(word);
  }
}

/* The table read again, by name: what is not in it is refused. */
TEST(undefined_operations) {
  unsigned defined = 0;
  for (unsigned unit = 0; unit < 16; unit++) {
    for (unsigned op = 0; op < 64; op++) {
      struct isa_inst f = {.unit = (uint8_t)unit, .op = (uint8_t)op, .guard = ISA_PT};
      bool in_table = false;
      for (unsigned i = 0; i < ISA_OPS; i++)
        if (isa_ops[i].unit == unit && isa_ops[i].op == op) {
          in_table = true;
          f.imm = least_imm((enum isa_id)i);
        }
      defined += in_table;
      assert_int_equal(isa_id_of(isa_pack(f)) != ISA_ILLEGAL, in_table);
      assert_int_equal(isa_check(isa_pack(f)) == NULL, in_table);
      if (!in_table) {
        struct isa_operands o = isa_operands_of(isa_pack(f));
        assert_int_equal(o.d | o.s1 | o.s2 | o.s3 | o.dp | o.p2 | o.p3, 0);
      }
    }
  }
  assert_int_equal(defined, ISA_OPS);
}

/* Bits that each layout defines, written down once more by hand. */
TEST(undefined_modifiers) {
  static const uint8_t bits[ISA_MODSETS] = {
      [ISA_M_IADD] = 0x47,  [ISA_M_IMM] = 0x40,  [ISA_M_EXT] = 0x03,   [ISA_M_SGN] = 0x41,
      [ISA_M_BFIND] = 0x03, [ISA_M_PRMT] = 0x4f, [ISA_M_PLOP] = 0x03,  [ISA_M_VOTE] = 0x03,
      [ISA_M_ISETP] = 0x4f, [ISA_M_FADD] = 0x7f, [ISA_M_FMUL] = 0x7d,  [ISA_M_FMA] = 0x7f,
      [ISA_M_FUN] = 0x7c,   [ISA_M_FCMP] = 0x44, [ISA_M_FSETP] = 0x5f, [ISA_M_F2I] = 0x3f,
      [ISA_M_I2F] = 0x31,   [ISA_M_MEM] = 0x7f,  [ISA_M_ATOM] = 0x67};
  for (enum isa_id id = 0; id < ISA_OPS; id++) {
    unsigned allowed = bits[isa_ops[id].mods];
    if (id == ISA_MOVI)
      allowed = 1; /* bit 31 of the value */
    if (id == ISA_LADD)
      allowed &= ~4U;
    if (id == ISA_AINC || id == ISA_ADEC || id == ISA_AFADD)
      allowed &= ~(unsigned)ISA_MOD_64;
    char src2 = isa_ops[id].shape[2];
    if (isa_ops[id].unit <= ISA_U_LONG && src2 != 'R' && src2 != 'D')
      allowed &= ~(unsigned)ISA_MOD_IMM;
    for (unsigned bit = 0; bit < 7; bit++) {
      if ((allowed >> bit & 1) == 0)
        assert_non_null(isa_check(isa_pack(inst(id, 1U << bit))));
      else
        assert_null(isa_check(isa_pack(inst(id, 1U << bit))));
    }
  }
  /* Values behind the last of a field, and combinations. */
  assert_non_null(isa_check(isa_pack(inst(ISA_VOTE, 3))));
  assert_non_null(isa_check(isa_pack(inst(ISA_PRMT, 11))));
  assert_non_null(isa_check(isa_pack(inst(ISA_ISETP, 6))));
  assert_non_null(isa_check(isa_pack(inst(ISA_FSETP, 14))));
  assert_non_null(isa_check(isa_pack(inst(ISA_LDG, 3 << 3))));
  assert_non_null(isa_check(isa_pack(inst(ISA_LDG, 3 | 2 << 3))));
  assert_non_null(isa_check(isa_pack(inst(ISA_LDG, ISA_MOD_ABS | ISA_MOD_A64))));
  assert_non_null(isa_check(isa_pack(inst(ISA_F2I, 2 | 8))));
}

static void assert_operands(enum isa_id id, unsigned mods, const char *want) {
  struct isa_operands o = isa_operands_of(isa_pack(inst(id, mods)));
  char got[32];
  (void)snprintf(got, sizeof got, "%u%u%u%u%s%s%s", o.d, o.s1, o.s2, o.s3, o.dp ? "d" : "",
                 o.p2 ? "2" : "", o.p3 ? "3" : "");
  assert_string_equal(got, want);
}

TEST(operands) {
  assert_operands(ISA_NOP, 0, "0000");
  assert_operands(ISA_BRA, 0, "0000");
  assert_operands(ISA_MOVI, 1, "1000");
  assert_operands(ISA_MOVS, 0, "1000");
  assert_operands(ISA_IADD, 0, "1110");
  assert_operands(ISA_IADD, ISA_MOD_IMM, "1100");
  assert_operands(ISA_SELP, 0, "11103");
  assert_operands(ISA_PLOP, 0, "0000d23");
  assert_operands(ISA_VOTE, 0, "0000d2");
  assert_operands(ISA_BALLOT, 0, "10002");
  assert_operands(ISA_ISETP, 0, "0110d");
  assert_operands(ISA_MADW, 0, "2112");
  assert_operands(ISA_DSETP, ISA_MOD_IMM, "0200d");
  assert_operands(ISA_LSHL, 0, "2210");
  assert_operands(ISA_LSELP, 0, "22203");
  enum { B8, B16, B32, B64, V2 = 1 << 3, V4 = 2 << 3 };
  assert_operands(ISA_LDG, B8, "1100");
  assert_operands(ISA_LDG, B16 | V2, "2100");
  assert_operands(ISA_LDG, B32 | V4, "3100");
  assert_operands(ISA_LDG, B64, "2100");
  assert_operands(ISA_LDG, B64 | V2 | ISA_MOD_A64, "3200");
  assert_operands(ISA_LDG, B8 | V2 | V4, "3100"); /* undefined, but decode agrees */
  assert_operands(ISA_LDG, B64 | V4, "3100");
  assert_operands(ISA_LDS, B32 | ISA_MOD_ABS, "1000");
  assert_operands(ISA_STG, B32 | V2 | ISA_MOD_A64, "0220");
  assert_operands(ISA_STL, B64 | ISA_MOD_ABS, "0020");
  assert_operands(ISA_BSYNC, 0, "1000");
  assert_operands(ISA_BSYNC, 127, "1000"); /* undefined, but decode agrees */
  assert_operands(ISA_AADD, 0, "1110");
  assert_operands(ISA_ACAS, ISA_MOD_A64, "1211");
  assert_operands(ISA_ACAS, ISA_MOD_NORET, "0111");
  assert_operands(ISA_ACAS, ISA_MOD_64, "2122");
  assert_operands(ISA_AMAX, ISA_MOD_64 | ISA_MOD_NORET | ISA_MOD_A64, "0220");
  assert_operands(ISA_ADEC, ISA_MOD_64, "1110"); /* undefined, but decode agrees */
}

TEST(bad_fields) {
  struct isa_inst f = inst(ISA_DADD, 0);
  f.dst = 3;
  assert_non_null(isa_check(isa_pack(f)));
  f.dst = 4;
  f.src2 = 7;
  assert_non_null(isa_check(isa_pack(f)));
  f.src2 = 30;
  assert_null(isa_check(isa_pack(f)));
  f = inst(ISA_LDG, 2 | 2 << 3);
  f.dst = 30;
  assert_non_null(isa_check(isa_pack(f)));
  f.dst = 28;
  assert_null(isa_check(isa_pack(f)));
  f = inst(ISA_STG, 2 | ISA_MOD_A64);
  f.src1 = 1;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_ISETP, 0);
  f.dst = 16;
  assert_non_null(isa_check(isa_pack(f)));
  f.dst = ISA_PT;
  assert_null(isa_check(isa_pack(f)));
  f = inst(ISA_BAR, 0);
  f.guard = 0;
  assert_non_null(isa_check(isa_pack(f)));
  f.guard = 31;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_BRA, 0);
  f.src3 = 2; /* rpc 0x10000 */
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_BRA, 0);
  f.imm = ISA_NO_RPC;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_BSYNC, 0);
  for (unsigned dirs = 0; dirs < 0x10000; dirs++) {
    f.imm = (uint16_t)dirs;
    assert_int_equal(isa_check(isa_pack(f)) == NULL, dirs >= 1 && dirs <= 64);
  }
  f = inst(ISA_BSYNC, 0);
  f.guard = 16 + ISA_PT;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_BSYNC, 0);
  f.src1 = 1;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_MOVS, 0);
  for (unsigned n = 0; n < ISA_SREG_PARAM; n++) {
    f.imm = (uint16_t)n;
    assert_int_equal(isa_check(isa_pack(f)) == NULL, n <= 29 || (n >= 32 && n <= 44));
  }
  f.imm = ISA_SREGS;
  assert_non_null(isa_check(isa_pack(f)));
  f.imm = ISA_SREG_PARAM;
  assert_null(isa_check(isa_pack(f)));
  /* Fields that name nothing. */
  f = inst(ISA_MOV, 0);
  f.src2 = 1;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_MOV, 0);
  f.imm = 1;
  assert_non_null(isa_check(isa_pack(f)));
  f = inst(ISA_IADD, ISA_MOD_IMM);
  f.src2 = 1;
  assert_non_null(isa_check(isa_pack(f)));
  /* The warp field is the issue stage's business. */
  assert_null(isa_check(isa_pack(inst(ISA_MOV, 0)) | (uint64_t)7 << 58));
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
