/* Programs for a stencil processing unit: block synchronisation, special registers and addresses of
 * communication buffers, from PTX. */
#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

typedef uint32_t u32;

enum { LANES = 32 };
static const unsigned limits[] = {32, 16, 8};
enum { LIMITS = sizeof limits / sizeof limits[0] };

#define HEAD                                                                                       \
  ".version 3.2\n.target sm_20\n.address_size 32\n.entry k(.param .u32 out)\n"                     \
  "{ .reg .pred %p<4>; .reg .b32 %r<32>; .reg .b64 %rd<4>; .reg .f32 %f<8>;\n"                     \
  " ld.param.u32 %r0, [out]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 4; add.u32 %r2, %r0, %r2;\n"

static struct isa_program *translate(const char *body, unsigned regs) {
  char text[8192];
  struct ptx_options opt = {.max_regs = regs};
  struct tandem_error err = {""};
  struct isa_program *p;
  (void)snprintf(text, sizeof text, "%s%s\n ret; }\n", HEAD, body);
  if (ptx_translate(text, "spu.ptx", &opt, &p, &err) != 0)
    fail_msg("%s\n%s", err.text, text);
  return p;
}

/* Every bsync is followed by a move of its register, and nothing may leave its lanes out. */
static unsigned synchronisations(const struct isa_program *p, unsigned *dirs, unsigned most) {
  unsigned n = 0;
  for (unsigned pc = 0; pc < p->ncode; pc++) {
    if (isa_id_of(p->code[pc]) != ISA_BSYNC)
      continue;
    struct isa_inst sync = isa_unpack(p->code[pc]), wait = isa_unpack(p->code[pc + 1]);
    assert_int_equal(isa_id_of(p->code[pc + 1]), ISA_MOV);
    assert_int_equal(wait.src1, sync.dst);
    assert_int_equal(wait.guard, ISA_PT);
    assert_int_equal(sync.guard, ISA_PT);
    assert_true(n < most);
    dirs[n++] = sync.imm;
  }
  return n;
}

/* Runs the kernel on a warp. */
static void run(struct machine *m, const u32 *args) {
  struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = args, .param_bytes = 4};
  if (machine_run(m, &m->program->kernels[0], &l) != 0)
    fail_msg("%s", m->error);
}

/* ---- block synchronisation ---- */

TEST(plain_and_masked) {
  unsigned dirs[4];
  struct isa_program *p =
      translate("bar.blocksync; bar.blocksync 5; bar.blocksync 0x3f; bar.blocksync 64;", 8);
  assert_int_equal(synchronisations(p, dirs, 4), 4);
  assert_int_equal(dirs[0], 64);
  assert_int_equal(dirs[1], 5);
  assert_int_equal(dirs[2], 63);
  assert_int_equal(dirs[3], 64);
  isa_program_free(p);
}

static unsigned synced; /* sum of the directions of the synchronisations that were executed */
static void count_sync(struct machine *m, unsigned dirs) { (void)m, synced += dirs; }

TEST(guarded) {
  unsigned dirs[2];
  struct isa_program *p =
      translate("ld.global.u32 %r3, [%r0]; setp.eq.u32 %p1, %r3, 1; @%p1 bar.blocksync 4;\n"
                "@!%p1 bar.blocksync 8; st.global.u32 [%r2], %r3;",
                8);
  assert_int_equal(synchronisations(p, dirs, 2), 2);
  for (u32 value = 0; value < 2; value++) {
    struct machine *m = machine_create(p, 1 << 16);
    u32 in[LANES * 4] = {value}, args[1] = {machine_buffer(m, in, sizeof in)};
    m->sync = count_sync;
    synced = 0;
    run(m, args);
    assert_int_equal(synced, value == 1 ? 4 : 8);
    machine_destroy(m);
  }
  isa_program_free(p);
}

/* Stores before the synchronisation stay before it, loads behind it: in the order of the text. */
TEST(order_in_a_loop) {
  static const enum isa_id want[] = {ISA_STS, ISA_STG, ISA_LDS, ISA_BSYNC,
                                     ISA_LDS, ISA_LDG, ISA_STS, ISA_STG};
  for (unsigned i = 0; i < LIMITS; i++) {
    struct isa_program *p =
        translate("mov.u32 %r9, 0; mov.u32 %r8, 0;\n"
                  "again: st.shared.u32 [%r1], %r9; st.global.u32 [%r2], %r9;\n"
                  "ld.shared.u32 %r3, [%r1]; bar.blocksync 3; ld.shared.u32 %r4, [%r1];\n"
                  "ld.global.u32 %r5, [%r2]; st.shared.u32 [%r1], %r4; add.u32 %r8, %r8, %r3;\n"
                  "add.u32 %r8, %r8, %r5; add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 10;\n"
                  "@%p1 bra again; st.global.u32 [%r2+4], %r8;",
                  limits[i]);
    unsigned n = 0, dirs[1];
    assert_int_equal(synchronisations(p, dirs, 1), 1);
    for (unsigned pc = 0; pc < p->ncode; pc++) {
      enum isa_id id = isa_id_of(p->code[pc]);
      if (isa_ops[id].unit == ISA_U_MEM && id != ISA_LDL && id != ISA_STL)
        assert_int_equal(id, want[n++]);
    }
    assert_int_equal(n, sizeof want / sizeof want[0]);
    isa_program_free(p);
  }
}

/* With few registers nothing of the spilling comes between a synchronisation and its wait, though
 * loops behind it need all registers more. */
TEST(pressure) {
  enum { VALUES = 14, SYNCS = 6 };
  char body[4096];
  size_t n = 0;
  for (unsigned v = 0; v < VALUES; v++)
    n += (size_t)sprintf(body + n, "ld.global.u32 %%r%u, [%%r2+%u];\n", 4 + v, 4 * v);
  for (unsigned k = 0; k < SYNCS; k++) {
    n += (size_t)sprintf(body + n, "bar.blocksync %u;\n", 1 + k);
    for (unsigned v = 0; v < VALUES; v++)
      n += (size_t)sprintf(body + n, "add.u32 %%r%u, %%r%u, %%r%u;\n", 4 + v, 4 + v,
                           4 + (v + 5) % VALUES);
  }
  n += (size_t)sprintf(body + n, "outer: add.u32 %%r4, %%r4, 1; inner:\n");
  for (unsigned v = 0; v < VALUES; v++)
    n += (size_t)sprintf(body + n, "add.u32 %%r%u, %%r%u, %%r%u;\n", 4 + v, 4 + v,
                         4 + (v + 1) % VALUES);
  n += (size_t)sprintf(body + n, "setp.lt.u32 %%p1, %%r4, 9; @%%p1 bra inner;\n"
                                 "setp.lt.u32 %%p2, %%r5, 9; @%%p2 bra outer;\n");
  for (unsigned v = 0; v < VALUES; v++)
    n += (size_t)sprintf(body + n, "st.global.u32 [%%r2+%u], %%r%u;\n", 4 * v, 4 + v);
  for (unsigned i = 0; i < LIMITS; i++) {
    struct isa_program *p = translate(body, limits[i]);
    unsigned dirs[SYNCS];
    assert_true(limits[i] > 8 || p->kernels[0].local_bytes > 0);
    assert_int_equal(synchronisations(p, dirs, SYNCS), SYNCS);
    for (unsigned k = 0; k < SYNCS; k++)
      assert_int_equal(dirs[k], 1 + k);
    isa_program_free(p);
  }
}

TEST(errors) {
  static const char *const wrong[] = {"bar.blocksync 0;", "bar.blocksync 65;", "bar.blocksync %r1;",
                                      "bar.blocksync -1;"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    char text[1024];
    struct isa_program *p;
    struct tandem_error err = {""};
    (void)snprintf(text, sizeof text, "%s%s\n ret; }\n", HEAD, wrong[i]);
    assert_true(ptx_translate(text, "spu.ptx", NULL, &p, &err) < 0);
    if (strstr(err.text, "spu.ptx:7: 'bar.blocksync' takes a sum of directions") == NULL)
      fail_msg("%s gives: %s", wrong[i], err.text);
  }
}

/* ---- registers ---- */

TEST(registers) {
  static const char *const names[ISA_SPU_SREGS] = {
      "regviu",    "regiudir",   "reglast",     "iuid",    "regpassx", "regpassy", "regcpassx",
      "regcpassy", "regspillnb", "regcspillnb", "regrole", "regspill", "regface"};
  char body[4096];
  size_t n = 0;
  for (unsigned i = 0; i < ISA_SPU_SREGS; i++)
    n += (size_t)sprintf(body + n, "mov.u32 %%r3, %%%s; st.global.u32 [%%r0+%u], %%r3;\n", names[i],
                         4 * i);
  struct isa_program *p = translate(body, 8);
  struct machine *m = machine_create(p, 1 << 16);
  u32 args[1] = {machine_buffer(m, NULL, sizeof m->spu)};
  for (u32 i = 0; i < ISA_SPU_SREGS; i++)
    m->spu[i] = 1000 + i;
  run(m, args);
  assert_memory_equal(m->memory + args[0], m->spu, sizeof m->spu);
  machine_destroy(m);
  isa_program_free(p);
}

static void change_registers(struct machine *m, unsigned dirs) {
  (void)dirs;
  for (unsigned i = 0; i < ISA_SPU_SREGS; i++)
    m->spu[i] += isa_sregs[ISA_SR_REGVIU + i].changes ? 1000 : 0;
}

/* A register that changes is read where the text reads it: not later, where a copy is wanted or no
 * register is free, and not once for two. */
TEST(changing_registers) {
  static const char *const names[] = {"reglast",     "regcpassx", "regcpassy",
                                      "regcspillnb", "regspill",  "clock"};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    char body[4096];
    size_t n = (size_t)sprintf(body, "mov.u32 %%r30, %%%s; mov.u32 %%r29, %%r30;\n", names[k]);
    for (unsigned v = 0; v < 12; v++)
      n += (size_t)sprintf(body + n, "ld.global.u32 %%r%u, [%%r0+%u];\n", 4 + v, 64 + 4 * v);
    n += (size_t)sprintf(body + n, "bar.blocksync 16; mov.u32 %%r28, %%%s;\n", names[k]);
    for (unsigned v = 0; v < 12; v++)
      n += (size_t)sprintf(body + n, "st.global.u32 [%%r0+%u], %%r%u;\n", 64 + 4 * v, 4 + v);
    /* A second definition, so that the copy is not looked through. */
    (void)sprintf(body + n,
                  "setp.eq.u32 %%p1, %%r4, 77; @%%p1 mov.u32 %%r29, 3;\n"
                  "st.global.v2.u32 [%%r0], {%%r30, %%r29}; st.global.u32 [%%r0+8], %%r28;");
    for (unsigned i = 0; i < LIMITS; i++) {
      struct isa_program *p = translate(body, limits[i]);
      unsigned reads = 0;
      for (unsigned pc = 0; pc < p->ncode; pc++)
        reads += isa_id_of(p->code[pc]) == ISA_MOVS && isa_unpack(p->code[pc]).imm >= 18 &&
                 isa_unpack(p->code[pc]).imm < ISA_SREG_PARAM;
      assert_int_equal(reads, 2);
      struct machine *m = machine_create(p, 1 << 16);
      u32 args[1] = {machine_buffer(m, NULL, 256)};
      m->sync = change_registers;
      run(m, args);
      const u32 *got = (const void *)(m->memory + args[0]);
      assert_int_equal(got[0], 0);
      assert_int_equal(got[1], 0);
      assert_int_equal(got[2], strcmp(names[k], "clock") == 0 ? 0 : 1000);
      machine_destroy(m);
      isa_program_free(p);
    }
  }
}

/* ---- communication buffers ---- */

TEST(windows) {
  static const char body[] =
      "shl.b32 %r3, %r1, 2;\n"
      "ld.shared.f32 %f1, [%r3+16777216]; st.shared.f32 [%r3+17825792], %f1;\n" /* N to S */
      "ld.shared.u32 %r4, [18874376]; st.global.u32 [%r2], %r4;\n"              /* W, word 2 */
      "mov.u32 %r5, 19922944; add.u32 %r5, %r5, %r3; st.shared.u32 [%r5+1024], %r4;\n"
      "add.u32 %r5, %r5, 32768; st.shared.u32 [%r5-32768], %r1;\n" /* E, first words */
      "cvt.u64.u32 %rd1, %r3; ld.shared.u32 %r6, [%rd1+16777220];\n"
      "st.global.u32 [%r2+4], %r6;\n"
      "mov.u32 %r7, 4043309056; ld.u32 %r8, [%r7+16]; st.global.u32 [%r2+8], %r8;\n" /* generic */
      "add.u32 %r7, %r7, %r3; ld.u32 %r8, [%r7+4]; st.global.u32 [%r2+12], %r8;\n"
      "shl.b32 %r9, %r1, 3; st.shared.v2.u32 [%r9+20971520], {%r1, %r4};"; /* own */
  for (unsigned i = 0; i < LIMITS; i++) {
    struct isa_program *p = translate(body, limits[i]);
    struct machine *m = machine_create(p, 1 << 16);
    u32 side[MACHINE_SIDES][MACHINE_SIDE_BYTES / 4];
    for (u32 k = 0; k < sizeof side / 4; k++)
      side[k / (MACHINE_SIDE_BYTES / 4)][k % (MACHINE_SIDE_BYTES / 4)] = k * 2654435761U;
    memcpy(m->sides, side, sizeof side);
    u32 args[1] = {machine_buffer(m, NULL, 16 * LANES)};
    run(m, args);
    const u32(*out)[4] = (const void *)(m->memory + args[0]);
    for (u32 l = 0; l < LANES; l++) {
      assert_int_equal(out[l][0], side[2][2]);
      assert_int_equal(out[l][1], side[0][l + 1]);
      assert_int_equal(out[l][2], side[0][4]);
      assert_int_equal(out[l][3], side[0][l + 1]);
      side[1][l] = side[0][l];
      side[3][256 + l] = side[2][2];
      side[3][l] = l;
      side[4][2 * l] = l;
      side[4][2 * l + 1] = side[2][2];
    }
    assert_memory_equal(m->sides, side, sizeof side);
    machine_destroy(m);
    isa_program_free(p);
  }
}

int main(void) { return test_run(NULL, NULL); }
