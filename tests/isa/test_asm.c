/* The assembler: what it makes of text, its errors, and programs there and back. */

#include <errno.h>

#include "csim/isa/asm/asm.h"
#include "tests/isa/programs.h"
#include "tests/test.h"

static struct rng rng;

static struct isa_program *assembled(const char *text) {
  struct isa_program *p = NULL;
  struct tandem_error err = {{0}};
  if (isa_assemble(text, "test.s", &p, &err) != 0)
    fail_msg("%s", err.text);
  return p;
}

static const char *const vector_add = "// c = a + b\n"
                                      ".source vecadd.cl\n"
                                      ".kernel vecadd\n"
                                      ".regs 8\n"
                                      ".shared 128\n"
                                      ".local 16\n"
                                      ".reqntid 256, 1, 1\n"
                                      ".param a, 4, ptr global\n"
                                      ".param flag, 1\n"
                                      ".param n, 8\n"
                                      "  movs r1, tid.x ; the thread\n"
                                      "  movs r2, param+4\n"
                                      "  isetp.lt.s p0, r1, r2\n"
                                      "  @!p0 bra out, rpc out\n"
                                      "top: ld.global.32 r5, [r3 + 4]\n"
                                      "  fadd.rz r5, r5, #1.5\n"
                                      "  st.shared.16 [40000], r5\n"
                                      "  movi r6, table+4\n"
                                      "  movi r7, #-2.0\n"
                                      "  p1bra: bra top, rpc none\n"
                                      "out: exit\n"
                                      ".end\n"
                                      ".data\n"
                                      "first: .u8 1, 0xff, -1\n"
                                      "  .zero 1\n"
                                      "table: .u32 7, table+4, data\n"
                                      "  .u16 258\n";

TEST(program) {
  struct isa_program *p = assembled(vector_add);
  assert_string_equal(p->source, "vecadd.cl");
  assert_int_equal(p->ncode, 11);
  assert_int_equal(p->nkernels, 1);
  const struct isa_kernel *k = isa_program_kernel(p, "vecadd");
  assert_non_null(k);
  assert_null(isa_program_kernel(p, "other"));
  assert_int_equal(k->entry, 0);
  assert_int_equal(k->end, 11);
  assert_int_equal(k->regs, 8);
  assert_int_equal(k->shared_bytes, 128);
  assert_int_equal(k->local_bytes, 16);
  assert_int_equal(k->reqntid[0], 256);
  assert_int_equal(k->reqntid[2], 1);
  assert_int_equal(k->nparams, 3);
  assert_true(k->params[0].pointer);
  assert_int_equal(k->params[1].offset, 4);
  assert_int_equal(k->params[2].offset, 8);
  assert_int_equal(k->params[2].align, 8);
  assert_int_equal(k->param_bytes, 16);
  /* Words by hand: guard !p0, target 10, reconvergence PC 10. */
  assert_int_equal(p->code[3], (uint64_t)1 << 48 | (uint64_t)10 << 32 | 16ULL << 20 | 10);
  assert_int_equal(p->code[9], (uint64_t)1 << 48 | (uint64_t)4 << 32 | 15ULL << 20 | 0xffff);
  /* ld.global.32 r5, [r3 + 4] */
  assert_int_equal(p->code[4],
                   (uint64_t)13 << 54 | (uint64_t)4 << 32 | 2ULL << 25 | 15ULL << 20 | 3 << 5 | 5);
  /* fadd with the immediate 0x3fc0 and rz */
  assert_int_equal(p->code[5], (uint64_t)6 << 54 | (uint64_t)0x3fc0 << 32 | 0x50ULL << 25 |
                                   15ULL << 20 | 5 << 5 | 5);
  /* st.shared.16 [40000], r5 */
  assert_int_equal(p->code[6], (uint64_t)13 << 54 | (uint64_t)9 << 48 | (uint64_t)40000 << 32 |
                                   0x41ULL << 25 | 15ULL << 20 | 5 << 10);
  /* movi of data offset 8, and of -2.0 = 0xc0000000 */
  assert_int_equal(p->code[7],
                   (uint64_t)1 << 54 | (uint64_t)1 << 48 | (uint64_t)8 << 32 | 15ULL << 20 | 6);
  assert_int_equal(p->code[8], (uint64_t)1 << 54 | (uint64_t)1 << 48 | 1ULL << 25 | 15ULL << 20 |
                                   0x4000ULL << 5 | 7);
  static const uint8_t data[] = {1, 0xff, 0xff, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 2, 1};
  assert_int_equal(p->data_bytes, sizeof data);
  assert_memory_equal(p->data, data, sizeof data);
  assert_int_equal(p->nrelocs, 3);
  assert_int_equal(p->lines[0], 11);
  assert_int_equal(p->lines[4], 15);
  isa_program_free(p);
}

/* A label behind them has the PC behind all of them. */
TEST(many_nops) {
  struct isa_program *p = assembled(".kernel k\n.nops 3\nhere: bra here, rpc none\n.end\n");
  struct isa_program *q = assembled(".kernel k\nnop\nnop\nnop\nbra 3, rpc none\n.end\n");
  struct isa_program *none = NULL;
  struct tandem_error err;
  assert_int_equal(p->ncode, q->ncode);
  assert_memory_equal(p->code, q->code, q->ncode * sizeof *q->code);
  assert_int_not_equal(isa_assemble(".kernel k\n.nops 0\n.end\n", "test.s", &none, &err), 0);
  assert_int_not_equal(isa_assemble(".nops 65535\nnop\n", "test.s", &none, &err), 0);
  assert_int_not_equal(isa_assemble(".data\n.nops 1\n", "test.s", &none, &err), 0);
  isa_program_free(p);
  isa_program_free(q);
}

/* Instructions of a stencil processing unit, by hand, there and back. */
TEST(block_synchronisation) {
  static const char *const registers[] = {
      "regviu",    "regiudir",   "reglast",     "iuid",    "regpassx", "regpassy", "regcpassx",
      "regcpassy", "regspillnb", "regcspillnb", "regrole", "regspill", "regface"};
  struct isa_program *p = assembled("bsync r5, #12\nbsync r31, #64\nbsync r0, #0x3f");
  const uint64_t bsync = (uint64_t)13 << 54 | (uint64_t)6 << 48 | 15ULL << 20;
  char text[ISA_TEXT];
  assert_int_equal(p->ncode, 3);
  assert_int_equal(p->code[0], bsync | (uint64_t)12 << 32 | 5);
  assert_int_equal(p->code[1], bsync | (uint64_t)64 << 32 | 31);
  assert_int_equal(p->code[2], bsync | (uint64_t)63 << 32);
  isa_disasm(p->code[0], text);
  assert_string_equal(text, "bsync r5, #12");
  isa_program_free(p);
  for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++) {
    (void)snprintf(text, sizeof text, "movs r7, %s", registers[i]);
    p = assembled(text);
    assert_int_equal(isa_unpack(p->code[0]).imm, 32 + i);
    isa_disasm(p->code[0], text);
    assert_string_equal(text + strlen("movs r7, "), registers[i]);
    isa_program_free(p);
  }
}

static char *disassembled(const struct isa_program *p) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(isa_disassemble(p, out), 0);
  assert_int_equal(fclose(out), 0);
  return text;
}

static void assert_survives(const struct isa_program *p) {
  char *text = disassembled(p);
  struct isa_program *again = NULL;
  struct tandem_error err = {{0}};
  if (isa_assemble(text, "again", &again, &err) != 0)
    fail_msg("%s in\n%s", err.text, text);
  assert_same_program(p, again);
  isa_program_free(again);
  free(text);
}

TEST(round_trip) {
  struct rng r = rng;
  struct isa_program *p = assembled(vector_add);
  assert_survives(p);
  isa_program_free(p);
  for (unsigned i = 0; i < 300; i++) {
    p = random_program(&r);
    assert_survives(p);
    isa_program_free(p);
  }
}

/* Each text has one mistake: where it is reported, and a word of the report. */
TEST(errors) {
  static const struct {
    const char *text, *where, *what;
  } cases[] = {
      {"frob r1, r2", "test.s:1:1:", "expected an instruction"},
      {"nop\n  iadd r1, r2", "test.s:2:14:", "expected ','"},
      {"iadd r1, r2, r32", ":1:14:", "expected a register"},
      {"iadd r1, r2, #40000", ":1:15:", "movi"},
      {"iadd.foo r1, r2, r3", ":1:5:", "no modifier foo"},
      {"iadd.imm r1, r2, r3", ":1:5:", "no modifier imm"},
      {"ld.global.32.abs r1, [r2]", ":1:13:", "no modifier abs"},
      {"fadd.rz.rm r1, r2, r3", ":1:8:", "no modifier rm"},
      {"isetp.u p0, r1, r2", ":1:8:", "cmp"},
      {"ld.global r1, [r2]", ":1:10:", "size"},
      {"ld.global.64.v4 r4, [r2]", ":1:1:", "four 64-bit"},
      {"ld.global.32.v4 r6, [r2]", ":1:17:", "multiple of 4"},
      {"dadd d2, d3, d4", ":1:10:", "multiple of 2"},
      {"dadd q4, d2, d4", ":1:6:", "expected a register"},
      {"atom.add r1, [16], r2", ":1:15:", "no absolute address"},
      {"atom.add.64 r1, [r2], r4", ":1:13:", "a pair must start at a multiple of 2"},
      {"atom.add.64 r2, [r1], r3", ":1:23:", "a pair must start at a multiple of 2"},
      {"atom.cas.64 d2, [r1], d4, d7", ":1:27:", "a pair must start at a multiple of 2"},
      {"atom.inc.64 d2, [r1], d4", ":1:13:", "expected a register"},
      {"atom.inc.64 r2, [r1], r4", ":1:1:", "on 32 bits only"},
      {"atom.dec.64.noret [r1], r4", ":1:1:", "on 32 bits only"},
      {"atom.fadd.64 r2, [r1], r4", ":1:1:", "on 32 bits only"},
      {"ld.global.32 r1, [r2 + 32768]", ":1:24:", "offset"},
      {"fadd r1, r2, #0.1", ":1:15:", "does not fit"},
      {"mov r1, #1", ":1:9:", "expected a register"},
      {"isetp.eq p15, r1, r2", ":1:10:", "predicate"},
      {"plop.and !p1, p2, p3", ":1:10:", "predicate"},
      {"@p1 bar", ":1:1:", "pT"},
      {"@p1 bsync r1, #4", ":1:1:", "pT"},
      {"bsync r1, #0", ":1:12:", "directions"},
      {"bsync r1, #65", ":1:12:", "directions"},
      {"bsync r1, 4", ":1:11:", "'#'"},
      {"bsync #4", ":1:7:", "register"},
      {"bsync.s r1, #4", ":1:6:", "no modifier s"},
      {"bra 1", ":1:6:", "expected ','"},
      {"bra 1, 2", ":1:8:", "rpc"},
      {"bra nowhere, rpc none", ":1:12:", "nowhere is not a label"},
      {"a: nop\na: nop", ":2:3:", "twice"},
      {"movi r1, a\na: nop", ":1:11:", "label of the data"},
      {"movs r1, tid.w", ":1:10:", "special register"},
      {"movs r1, param+3", ":1:17:", "multiple of 4"},
      {"nop nop", ":1:5:", "behind the statement"},
      {".foo", ":1:1:", "directive"},
      {".regs 3", ":1:6:", "kernel"},
      {".kernel a\n.kernel b", ":2:8:", "not closed"},
      {".kernel a\nnop\n", "test.s:2:", "not closed"},
      {".kernel a\n.end\n.kernel a", ":3:10:", "already"},
      {".kernel \"a;b\"", ":1:9:", "identifier"},
      {".kernel \"a\\x0ab\"", ":1:9:", "identifier"},
      {".kernel a\n.param \"$(b)\", 4", ":2:8:", "identifier"},
      {".kernel a\n.regs 33", ":2:7:", "registers"},
      {".data\nnop", ":2:1:", ".text"},
      {".u8 1", ":1:4:", ".data"},
      {".data\n.u8 256", ":2:5:", "datum"},
      {".data\n.word 1", ":2:6:", ".u32"},
      {".kernel a\n.param x, 70000", ":2:16:", "64 KB"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct isa_program *p = NULL;
    struct tandem_error err = {{0}};
    int rc = isa_assemble(cases[i].text, "test.s", &p, &err);
    if (rc != -EINVAL || strstr(err.text, cases[i].where) == NULL ||
        strstr(err.text, cases[i].what) == NULL)
      fail_msg("`%s` gives %d, %s", cases[i].text, rc, err.text);
  }
}

/* Random damage to a text: an error or a program, nothing worse. */
TEST(damaged_text) {
  struct rng r = rng;
  struct isa_program *good = assembled(vector_add);
  char *text = disassembled(good);
  size_t n = strlen(text);
  isa_program_free(good);
  unsigned refused = 0;
  for (unsigned i = 0; i < 2000; i++) {
    char *copy = strdup(text);
    for (unsigned k = 0; k <= rng_below(&r, 4); k++)
      copy[rng_below(&r, (unsigned)n)] = (char)(rng_below(&r, 4) == 0 ? '\n' : rng_next(&r));
    struct isa_program *p = NULL;
    if (isa_assemble(copy, "damaged", &p, NULL) == 0)
      isa_program_free(p);
    else
      refused++;
    free(copy);
  }
  assert_true(refused > 100);
  free(text);
}

TEST(bad_programs) {
  FILE *null = fopen("/dev/null", "w");
  assert_non_null(null);
  struct isa_program *p = assembled(vector_add);
  p->kernels[0].end = 12;
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  p->kernels[0].end = 11;
  assert_int_equal(isa_disassemble(p, null), 0);
  p->code[7] |= UINT64_C(1) << 58; /* a relocated movi would be listed as a bare word */
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  p->code[7] &= ~(UINT64_C(1) << 58);
  p->relocs[0] = (struct isa_reloc){.pc = 0}; /* not a movi */
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  p->relocs[0] = (struct isa_reloc){.pc = 16, .in_data = 1}; /* cut off by the end */
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  p->relocs[0] = (struct isa_reloc){.pc = 6, .in_data = 1}; /* overlaps the one at 8 */
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  isa_program_free(p);
  p = assembled(".kernel a\nnop\nnop\n.end\n.kernel b\nexit\n.end\n");
  assert_int_equal(isa_disassemble(p, null), 0);
  p->kernels[1].entry = 1; /* into the other */
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  p->kernels[1].entry = 4; /* behind its end */
  assert_int_equal(isa_disassemble(p, null), -EINVAL);
  isa_program_free(p);
  isa_program_free(NULL);
  assert_int_equal(fclose(null), 0);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
