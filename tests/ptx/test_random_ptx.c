/* Random PTX programs: nested conditions and loops over 32- and 64-bit registers, evaluated thread
 * by thread here, and translated at several register limits and run as warps there. */
#include <unistd.h>

#include "csim/isa/ptx/ptx.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

typedef uint32_t u32;
typedef uint64_t u64;

static u64 drawn;
static u32 rnd(u32 n) {
  drawn = drawn * 6364136223846793005U + 1442695040888963407U;
  return (u32)(drawn >> 33) % n;
}

/* ---- a program: a list of instructions with labels, which is at once PTX and what we evaluate
 * ---- */

enum { WORDS = 24, LONGS = 10, PREDS = 18, LANES = 96, MOST = 600, ADDRESS = 30 };

enum op {
  ADD,
  SUB,
  MUL,
  AND,
  OR,
  XOR,
  SHL,
  SHR,
  SAR,
  MIN,
  MAXS,
  MAD,
  SELP,
  GUARDED,
  MOVI,
  PACK,
  LOW,
  HIGH,
  LADD,
  LSUB,
  LMUL,
  LXOR,
  LSHL,
  LSHR,
  WIDE,
  SETP,
  LSETP,
  PAND,
  PXOR,
  STORE,
  LOAD,
  LABEL,
  BRANCH,
  JUMP,
  EXIT,
  OPS
};

struct step {
  enum op op;
  u32 d, a, b, c;
  bool imm;   /* b is a constant */
  bool first; /* and written before a */
};

struct program {
  struct step s[MOST + 200];
  u32 n, labels;
};

static void put(struct program *p, struct step s) { p->s[p->n++] = s; }

static const u32 constants[] = {0,      1,      2,          31,         255,       0x7fff,
                                0x8000, 0xffff, 0x12345678, 0xffffffff, 0x80000000};

static void random_step(struct program *p) {
  struct step s = {.op = (enum op)rnd(LABEL), .a = rnd(WORDS), .b = rnd(WORDS), .c = rnd(WORDS)};
  s.d = rnd(WORDS);
  if (s.op == PACK || (s.op >= LADD && s.op <= WIDE))
    s.d = rnd(LONGS);
  if (s.op == LOW || s.op == HIGH || (s.op >= LADD && s.op <= LSHR) || s.op == LSETP)
    s.a = rnd(LONGS);
  if ((s.op >= LADD && s.op <= LXOR) || s.op == LSETP)
    s.b = rnd(LONGS);
  if (s.op >= SETP && s.op <= PXOR)
    s.d = rnd(PREDS);
  if (s.op == PAND || s.op == PXOR) {
    s.a = rnd(PREDS);
    s.b = rnd(PREDS);
  }
  if (s.op == SELP || s.op == GUARDED)
    s.c = rnd(PREDS);
  if (s.op == STORE || s.op == LOAD)
    s.b = rnd(16);
  s.imm = (s.op <= MAXS || (s.op >= LADD && s.op <= LXOR)) && rnd(3) == 0;
  s.first = s.imm && rnd(2);
  if (s.imm || s.op == MOVI)
    s.b = rnd(2) ? constants[rnd(11)] : rnd(70000);
  put(p, s);
}

/* Statements; loops count a word of their own, from WORDS on. */
static void random_block(struct program *p, u32 depth, u32 *counters) {
  for (u32 k = 2 + rnd(8); k > 0 && p->n < MOST; k--) {
    u32 what = rnd(depth < 4 ? 10 : 7);
    if (what < 7) {
      random_step(p);
    } else if (what == 7) { /* if, perhaps with else */
      u32 other = p->labels++, end = p->labels++;
      put(p, (struct step){.op = BRANCH, .a = rnd(PREDS), .b = rnd(2), .d = other});
      random_block(p, depth + 1, counters);
      put(p, (struct step){.op = JUMP, .d = end});
      put(p, (struct step){.op = LABEL, .d = other});
      if (rnd(2))
        random_block(p, depth + 1, counters);
      put(p, (struct step){.op = LABEL, .d = end});
    } else if (what == 8 && *counters < 5) { /* a loop, some lanes leaving early */
      u32 count = WORDS + (*counters)++, head = p->labels++, end = p->labels++;
      put(p, (struct step){.op = AND, .d = count, .a = rnd(WORDS), .b = 3, .imm = true});
      put(p, (struct step){.op = LABEL, .d = head});
      random_block(p, depth + 1, counters);
      if (rnd(2))
        put(p, (struct step){.op = BRANCH, .a = rnd(PREDS), .b = rnd(2), .d = end});
      random_block(p, depth + 1, counters);
      put(p, (struct step){.op = SUB, .d = count, .a = count, .b = 1, .imm = true});
      put(p, (struct step){.op = SETP, .d = PREDS, .a = count, .b = 0x7fffffff, .imm = true});
      put(p, (struct step){.op = BRANCH, .a = PREDS, .b = 0, .d = head});
      put(p, (struct step){.op = LABEL, .d = end});
    } else if (what == 9 && rnd(6) == 0) {
      put(p, (struct step){.op = EXIT, .a = rnd(PREDS), .b = rnd(2)});
    }
  }
}

/* ---- PTX ---- */

static const char *const names[] = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32",
                                    "or.b32",  "xor.b32", "shl.b32",    "shr.u32",
                                    "shr.s32", "min.u32", "max.s32"};
static const char *const long_names[] = {"add.s64", "sub.s64", "mul.lo.s64",
                                         "xor.b64", "shl.b64", "shr.u64"};

static void write_step(FILE *f, const struct step *s) {
  switch (s->op) {
  case MAD:
    fprintf(f, "mad.lo.s32 %%r%u, %%r%u, %%r%u, %%r%u;\n", s->d, s->a, s->b, s->c);
    break;
  case SELP:
    fprintf(f, "selp.b32 %%r%u, %%r%u, %%r%u, %%p%u;\n", s->d, s->a, s->b, s->c);
    break;
  case GUARDED:
    fprintf(f, "@%%p%u add.u32 %%r%u, %%r%u, %%r%u;\n", s->c, s->d, s->a, s->b);
    break;
  case MOVI:
    fprintf(f, "mov.u32 %%r%u, %u;\n", s->d, s->b);
    break;
  case PACK:
    fprintf(f, "mov.b64 %%l%u, {%%r%u, %%r%u};\n", s->d, s->a, s->b);
    break;
  case LOW:
    fprintf(f, "cvt.u32.u64 %%r%u, %%l%u;\n", s->d, s->a);
    break;
  case HIGH:
    fprintf(f, "{ .reg .b32 %%lo; mov.b64 {%%lo, %%r%u}, %%l%u; }\n", s->d, s->a);
    break;
  case LADD:
  case LSUB:
  case LMUL:
  case LXOR:
    fprintf(f, "%s %%l%u, ", long_names[s->op - LADD], s->d);
    if (s->first)
      fprintf(f, "%u, %%l%u;\n", s->b, s->a);
    else
      fprintf(f, s->imm ? "%%l%u, %u;\n" : "%%l%u, %%l%u;\n", s->a, s->b);
    break;
  case LSHL:
  case LSHR:
    fprintf(f, "%s %%l%u, %%l%u, %%r%u;\n", long_names[s->op - LADD], s->d, s->a, s->b);
    break;
  case WIDE:
    fprintf(f, "mul.wide.s32 %%l%u, %%r%u, %%r%u;\n", s->d, s->a, s->b);
    break;
  case SETP:
    fprintf(f, s->imm ? "setp.lt.u32 %%p%u, %%r%u, %u;\n" : "setp.lt.u32 %%p%u, %%r%u, %%r%u;\n",
            s->d, s->a, s->b);
    break;
  case LSETP:
    fprintf(f, "setp.gt.s64 %%p%u, %%l%u, %%l%u;\n", s->d, s->a, s->b);
    break;
  case PAND:
    fprintf(f, "and.pred %%p%u, %%p%u, %%p%u;\n", s->d, s->a, s->b);
    break;
  case PXOR:
    fprintf(f, "xor.pred %%p%u, %%p%u, !%%p%u;\n", s->d, s->a, s->b);
    break;
  case STORE:
    fprintf(f, "st.global.u32 [%%r40+%u], %%r%u;\n", 4 * s->b, s->a);
    break;
  case LOAD:
    fprintf(f, "ld.global.u32 %%r%u, [%%r40+%u];\n", s->d, 4 * s->b);
    break;
  case LABEL:
    fprintf(f, "L%u:\n", s->d);
    break;
  case BRANCH:
    fprintf(f, "@%s%%p%u bra L%u;\n", s->b ? "!" : "", s->a, s->d);
    break;
  case JUMP:
    fprintf(f, "bra.uni L%u;\n", s->d);
    break;
  case EXIT:
    fprintf(f, "@%s%%p%u exit;\n", s->b ? "!" : "", s->a);
    break;
  default:
    if (s->first)
      fprintf(f, "%s %%r%u, %u, %%r%u;\n", names[s->op], s->d, s->b, s->a);
    else
      fprintf(f, s->imm ? "%s %%r%u, %%r%u, %u;\n" : "%s %%r%u, %%r%u, %%r%u;\n", names[s->op],
              s->d, s->a, s->b);
  }
}

static char *write_ptx(const struct program *p) {
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  fprintf(f,
          ".version 3.2\n.target sm_20\n.entry k(.param .u32 m)\n{\n.reg .b32 %%r<48>; .reg .b64 "
          "%%l<12>; .reg .pred %%p<20>;\nld.param.u32 %%r40, [m]; mov.u32 %%r41, %%tid.x;\n"
          "shl.b32 %%r42, %%r41, 6; add.u32 %%r40, %%r40, %%r42;\n");
  for (u32 i = 0; i < WORDS; i++)
    fprintf(f, "ld.global.u32 %%r%u, [%%r40+%u];\n", i, i % 16 * 4);
  for (u32 i = 0; i < LONGS; i++)
    fprintf(f, "mov.b64 %%l%u, {%%r%u, %%r%u};\n", i, i, i + 3);
  for (u32 i = 0; i < PREDS; i++)
    fprintf(f, "setp.gt.u32 %%p%u, %%r%u, %%r%u;\n", i, i, i + 5);
  for (u32 i = 0; i < p->n; i++)
    write_step(f, &p->s[i]);
  for (u32 i = 0; i < 16; i++)
    fprintf(f, "xor.b32 %%r%u, %%r%u, %%r%u; st.global.u32 [%%r40+%u], %%r%u;\n", i, i, i + 8,
            4 * i, i);
  for (u32 i = 0; i < LONGS; i++)
    fprintf(f, "cvt.u32.u64 %%r43, %%l%u; red.global.add.u32 [%%r40+%u], %%r43;\n", i, 4 * i);
  fprintf(f, "ret;\n}\n");
  fclose(f);
  return text;
}

/* ---- one thread, evaluated ---- */

struct thread {
  u32 r[WORDS + 8];
  u64 l[LONGS];
  bool p[PREDS + 1];
};

static void alu(struct thread *t, const struct step *s) {
  u32 a = s->a < WORDS + 8 ? t->r[s->a] : 0,
      b = s->imm || s->op == MOVI ? s->b : t->r[s->b % (WORDS + 8)];
  if (s->first) {
    u32 c = a;
    a = b;
    b = c;
  }
  switch (s->op) {
  case ADD:
    t->r[s->d] = a + b;
    break;
  case SUB:
    t->r[s->d] = a - b;
    break;
  case MUL:
    t->r[s->d] = a * b;
    break;
  case AND:
    t->r[s->d] = a & b;
    break;
  case OR:
    t->r[s->d] = a | b;
    break;
  case XOR:
    t->r[s->d] = a ^ b;
    break;
  case SHL:
    t->r[s->d] = b > 31 ? 0 : a << b;
    break;
  case SHR:
    t->r[s->d] = b > 31 ? 0 : a >> b;
    break;
  case SAR:
    t->r[s->d] = (u32)((int)a >> (b > 31 ? 31 : b));
    break;
  case MIN:
    t->r[s->d] = a < b ? a : b;
    break;
  case MAXS:
    t->r[s->d] = (int)a > (int)b ? a : b;
    break;
  case MAD:
    t->r[s->d] = a * b + t->r[s->c];
    break;
  case SELP:
    t->r[s->d] = t->p[s->c] ? a : b;
    break;
  case GUARDED:
    t->r[s->d] = t->p[s->c] ? a + b : t->r[s->d];
    break;
  case MOVI:
    t->r[s->d] = b;
    break;
  case PACK:
    t->l[s->d] = (u64)b << 32 | a;
    break;
  case WIDE:
    t->l[s->d] = (u64)((int64_t)(int)a * (int)b);
    break;
  case LSHL:
    t->l[s->d] = b > 63 ? 0 : t->l[s->a] << b;
    break;
  case LSHR:
    t->l[s->d] = b > 63 ? 0 : t->l[s->a] >> b;
    break;
  case SETP:
    t->p[s->d] = a < b;
    break;
  default:
    break;
  }
}

static void other(struct thread *t, const struct step *s, u32 *m) {
  u64 x = t->l[s->a % LONGS], y = s->imm ? s->b : t->l[s->b % LONGS];
  if (s->first) {
    u64 c = x;
    x = y;
    y = c;
  }
  switch (s->op) {
  case LOW:
    t->r[s->d] = (u32)t->l[s->a];
    break;
  case HIGH:
    t->r[s->d] = (u32)(t->l[s->a] >> 32);
    break;
  case LADD:
    t->l[s->d] = x + y;
    break;
  case LSUB:
    t->l[s->d] = x - y;
    break;
  case LMUL:
    t->l[s->d] = x * y;
    break;
  case LXOR:
    t->l[s->d] = x ^ y;
    break;
  case LSETP:
    t->p[s->d] = (int64_t)t->l[s->a] > (int64_t)t->l[s->b];
    break;
  case PAND:
    t->p[s->d] = t->p[s->a] && t->p[s->b];
    break;
  case PXOR:
    t->p[s->d] = t->p[s->a] != !t->p[s->b];
    break;
  case STORE:
    m[s->b] = t->r[s->a];
    break;
  case LOAD:
    t->r[s->d] = m[s->b];
    break;
  default:
    alu(t, s);
  }
}

/* False if it ran too long to be of use. */
static bool evaluate(const struct program *p, u32 *m) {
  struct thread t = {.r = {0}};
  for (u32 i = 0; i < WORDS; i++)
    t.r[i] = m[i % 16];
  for (u32 i = 0; i < LONGS; i++)
    t.l[i] = (u64)t.r[i + 3] << 32 | t.r[i];
  for (u32 i = 0; i < PREDS; i++)
    t.p[i] = t.r[i] > t.r[i + 5];
  u32 steps = 0;
  for (u32 pc = 0; pc < p->n; pc++) {
    const struct step *s = &p->s[pc];
    if (++steps > 20000)
      return false;
    bool go = s->op == JUMP || (s->op == BRANCH && t.p[s->a] != (s->b != 0));
    if (s->op == EXIT && t.p[s->a] != (s->b != 0))
      return true;
    if (!go)
      other(&t, s, m);
    for (u32 k = 0; go && k < p->n; k++)
      if (p->s[k].op == LABEL && p->s[k].d == s->d) {
        pc = k;
        go = false;
      }
  }
  for (u32 i = 0; i < 16; i++) {
    t.r[i] ^= t.r[i + 8];
    m[i] = t.r[i];
  }
  for (u32 i = 0; i < LONGS; i++)
    m[i] += (u32)t.l[i];
  return true;
}

/* ---- the test ---- */

static struct isa_program *translate(const char *text, unsigned regs, unsigned spread) {
  struct ptx_options opt = {.max_regs = regs};
  struct tandem_error err = {""};
  struct isa_program *p;
  memset(opt.spread, (int)spread, sizeof opt.spread);
  if (ptx_translate(text, "random.ptx", &opt, &p, &err) != 0)
    fail_msg("%s\n%s", err.text, text);
  return p;
}

/* Runs the program on all registers up to `spread`, which must cost nothing; 0: on few. */
static void compare(const char *text, unsigned regs, unsigned spread, const u32 *in,
                    const u32 *want) {
  struct isa_program *p = translate(text, regs, 0);
  assert_true(p->kernels[0].regs <= regs);
  if (spread != 0) {
    struct isa_program *few = p;
    p = translate(text, regs, spread);
    const unsigned need = few->kernels[0].regs;
    assert_true(p->kernels[0].regs <= (need > spread ? need : spread));
    assert_true(p->kernels[0].regs <= regs);
    assert_int_equal(p->ncode, few->ncode);
    assert_int_equal(p->kernels[0].local_bytes, few->kernels[0].local_bytes);
    isa_program_free(few);
  }
  struct machine *m = machine_create(p, 1 << 16);
  u32 at = machine_buffer(m, in, LANES * 64);
  struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = &at, .param_bytes = 4};
  if (machine_run(m, &p->kernels[0], &l) != 0)
    fail_msg("%u registers: %s\n%s", regs, m->error, text);
  const u32 *got = (const void *)(m->memory + at);
  for (u32 i = 0; i < LANES * 16; i++)
    if (got[i] != want[i])
      fail_msg("%u registers, thread %u, word %u: 0x%x, expected 0x%x in\n%s", regs, i / 16, i % 16,
               got[i], want[i], text);
  machine_destroy(m);
  isa_program_free(p);
}

TEST(random) {
  static struct program p;
  u32 in[LANES * 16], want[LANES * 16], used = 0;
  /* Programs that run too long are left out: others take their places. */
  for (u32 round = 0; round < 150 || (used <= 40 && round < 4000); round++) {
    u32 counters = 0;
    p.n = p.labels = 0;
    while (p.n < 40)
      random_block(&p, 0, &counters);
    for (u32 i = 0; i < LANES * 16; i++)
      in[i] = rnd(3) ? rnd(1000) : rnd(0x7fffffff) * 2 + rnd(2);
    memcpy(want, in, sizeof in);
    bool ends = true;
    for (u32 i = 0; i < LANES && ends; i++)
      ends = evaluate(&p, want + 16 * i);
    if (!ends)
      continue;
    used++;
    char *text = write_ptx(&p);
    static const unsigned limits[] = {32, 24, 16, 11, 8}, spread[] = {0, 20, 32};
    for (u32 k = 0; k < 5; k++)
      compare(text, limits[k], spread[(used + k) % 3], in, want);
    free(text);
  }
  assert_true(used > 40);
}

int main(int argc, char **argv) {
  const char *s = argc > 2 && strcmp(argv[1], "--seed") == 0 ? argv[2] : getenv("TANDEM_SEED");
  drawn = s ? (u64)strtoull(s, NULL, 0) : (u64)(unsigned)getpid();
  printf("seed %llu\n", (unsigned long long)drawn);
  return test_run(NULL, NULL);
}
