/* Random instruction words and programs. */
#include "tests/isa/programs.h"
#include "tests/test.h"

static uint8_t random_reg(struct rng *r, unsigned n) {
  return n == ISA_N_NONE ? 0 : (uint8_t)(rng_below(r, ISA_REGS) & ~(isa_n_regs(n) - 1));
}

uint16_t least_imm(enum isa_id id) { return id == ISA_BSYNC ? 1 : 0; }

static uint16_t random_imm(struct rng *r, enum isa_id id) {
  if (id == ISA_BSYNC)
    return (uint16_t)(1 + rng_below(r, ISA_DIR_GLOBAL));
  if (id == ISA_MOVS && rng_below(r, 2) == 0)
    return (uint16_t)rng_below(r, ISA_SREGS);
  if (id == ISA_MOVS)
    return (uint16_t)(ISA_SREG_PARAM + rng_below(r, 0x10000 - ISA_SREG_PARAM));
  return (uint16_t)rng_below(r, 0xffff);
}

uint64_t random_word(struct rng *r, enum isa_id id, unsigned mods, bool *ok) {
  struct isa_inst f = {.unit = isa_ops[id].unit,
                       .op = isa_ops[id].op,
                       .mods = (uint8_t)mods,
                       .guard = ISA_PT,
                       .imm = least_imm(id)};
  *ok = isa_check(isa_pack(f)) == NULL;
  if (!*ok)
    return 0;
  if (id != ISA_BAR && id != ISA_BSYNC)
    f.guard = (uint8_t)rng_below(r, 32);
  if (id == ISA_BRA || id == ISA_MOVI) { /* the register fields hold a number */
    f.imm = random_imm(r, id);
    return isa_pack(f) | (id == ISA_BRA ? rng_next(r) & 0xffff : rng_next(r) & 0xfffff);
  }
  struct isa_operands o = isa_operands_of(isa_pack(f));
  f.dst = o.dp ? (uint8_t)rng_below(r, 16) : random_reg(r, o.d);
  f.src1 = random_reg(r, o.s1);
  f.src2 = o.p2 ? (uint8_t)rng_below(r, 32) : random_reg(r, o.s2);
  f.src3 = o.p3 ? (uint8_t)rng_below(r, 32) : random_reg(r, o.s3);
  uint64_t plain = isa_pack(f);
  f.imm = random_imm(r, id);
  return isa_check(isa_pack(f)) == NULL ? isa_pack(f) : plain;
}

uint64_t random_legal_word(struct rng *r) {
  for (;;) {
    bool ok;
    enum isa_id id = (enum isa_id)rng_below(r, ISA_OPS);
    uint64_t word = random_word(r, id, rng_below(r, 4) == 0 ? 0 : rng_below(r, 128), &ok);
    if (ok)
      return word;
  }
}

/* An identifier; of a source any text. */
static char *random_name(struct rng *r, const char *kind, unsigned number) {
  static const char *const odd[] = {"",       ".part",   "$1",          "__",
                                    "a.$",    "_.",      " with blank", "\"quoted\"",
                                    "\\back", "; // no", "\n\t"};
  char *name = malloc(64);
  const unsigned most = strcmp(kind, "source") == 0 ? sizeof odd / sizeof odd[0] : 6;
  (void)snprintf(name, 64, "%s_%u%s", kind, number, odd[rng_below(r, most)]);
  return name;
}

static void random_kernel(struct rng *r, struct isa_kernel *k, unsigned number) {
  k->name = random_name(r, "kernel", number);
  k->regs = 1 + rng_below(r, ISA_REGS);
  k->shared_bytes = rng_below(r, 49152);
  k->local_bytes = 4 * rng_below(r, 1000);
  for (unsigned i = 0; i < 3 && number % 2 == 0; i++)
    k->reqntid[i] = rng_below(r, 1024);
  k->nparams = rng_below(r, 5);
  k->params = k->nparams == 0 ? NULL : calloc(k->nparams, sizeof *k->params);
  for (unsigned i = 0; i < k->nparams; i++) {
    struct isa_param *q = &k->params[i];
    q->name = random_name(r, "param", i);
    q->align = 1U << rng_below(r, 5);
    q->offset = (k->param_bytes + q->align - 1) & ~(q->align - 1);
    q->size = rng_below(r, 40);
    q->pointer = rng_below(r, 2) != 0;
    q->space = (enum isa_space)rng_below(r, ISA_SPACE_PARAM + 1);
    k->param_bytes = q->offset + q->size;
  }
  k->param_bytes = ((k->param_bytes + 3) & ~3U) + 4 * rng_below(r, 3);
}

static void random_relocs(struct rng *r, struct isa_program *p) {
  p->relocs = calloc(p->ncode + p->data_bytes + 1, sizeof *p->relocs);
  for (uint32_t pc = 0; pc < p->ncode; pc++) {
    if (isa_id_of(p->code[pc]) == ISA_MOVI && p->code[pc] >> 58 == 0 &&
        isa_check(p->code[pc]) == NULL)
      p->relocs[p->nrelocs++] = (struct isa_reloc){.pc = pc};
  }
  for (uint32_t at = rng_below(r, 50); at + 4 <= p->data_bytes; at += 4 + rng_below(r, 60))
    p->relocs[p->nrelocs++] = (struct isa_reloc){.pc = at, .in_data = 1};
}

struct isa_program *random_program(struct rng *r) {
  struct isa_program *p = calloc(1, sizeof *p);
  p->source = random_name(r, "source", 0);
  p->ncode = rng_below(r, 300);
  p->code = calloc(p->ncode + 1, sizeof *p->code);
  p->lines = calloc(p->ncode + 1, sizeof *p->lines);
  for (size_t i = 0; i < p->ncode; i++) {
    bool ok;
    unsigned kind = rng_below(r, 8);
    p->code[i] = kind == 0   ? rng_next(r) >> 6 /* anything, mostly undefined */
                 : kind == 1 ? random_word(r, ISA_MOVI, 1, &ok)
                             : random_legal_word(r);
    if (kind > 1 && isa_id_of(p->code[i]) == ISA_BRA) /* mostly within the program */
      p->code[i] = (p->code[i] & ~0xffff0000ffffULL & ~(0xffffULL << 32)) |
                   (uint64_t)rng_below(r, (unsigned)p->ncode + 1) << 32 |
                   rng_below(r, (unsigned)p->ncode + 1);
    p->lines[i] = i > 0 && rng_below(r, 2) != 0 ? p->lines[i - 1] : rng_below(r, 1000);
  }
  p->nkernels = rng_below(r, 5);
  p->kernels = calloc(p->nkernels + 1, sizeof *p->kernels);
  unsigned pc = 0;
  for (unsigned i = 0; i < p->nkernels; i++) {
    random_kernel(r, &p->kernels[i], i);
    p->kernels[i].entry = (uint16_t)(pc += rng_below(r, ((unsigned)p->ncode - pc) / 2 + 1));
    p->kernels[i].end = (uint16_t)(pc += rng_below(r, ((unsigned)p->ncode - pc) / 2 + 1));
  }
  p->data_bytes = rng_below(r, 2) == 0 ? 0 : rng_below(r, 1000);
  p->data = calloc(p->data_bytes + 1, 1);
  for (size_t i = 0; i < p->data_bytes; i++)
    p->data[i] = i % 128 < 40 ? 0 : (uint8_t)rng_next(r);
  random_relocs(r, p);
  return p;
}

static void assert_same_kernel(const struct isa_kernel *x, const struct isa_kernel *y) {
  assert_string_equal(x->name, y->name);
  assert_int_equal(x->entry, y->entry);
  assert_int_equal(x->end, y->end);
  assert_int_equal(x->regs, y->regs);
  assert_int_equal(x->shared_bytes, y->shared_bytes);
  assert_int_equal(x->local_bytes, y->local_bytes);
  assert_int_equal(x->param_bytes, y->param_bytes);
  assert_memory_equal(x->reqntid, y->reqntid, sizeof x->reqntid);
  assert_int_equal(x->nparams, y->nparams);
  for (size_t i = 0; i < x->nparams; i++) {
    const struct isa_param *a = &x->params[i], *b = &y->params[i];
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->offset, b->offset);
    assert_int_equal(a->size, b->size);
    assert_int_equal(a->align, b->align);
    assert_int_equal(a->pointer, b->pointer);
    assert_int_equal(a->space, b->space);
  }
}

void assert_same_program(const struct isa_program *x, const struct isa_program *y) {
  assert_int_equal(x->ncode, y->ncode);
  for (size_t i = 0; i < x->ncode; i++) {
    assert_int_equal(x->code[i], y->code[i]);
    assert_int_equal(x->lines[i], y->lines[i]);
  }
  assert_string_equal(x->source, y->source);
  assert_int_equal(x->nkernels, y->nkernels);
  for (size_t i = 0; i < x->nkernels; i++)
    assert_same_kernel(&x->kernels[i], &y->kernels[i]);
  assert_int_equal(x->data_bytes, y->data_bytes);
  if (x->data_bytes != 0)
    assert_memory_equal(x->data, y->data, x->data_bytes);
  assert_int_equal(x->nrelocs, y->nrelocs);
  for (size_t i = 0; i < x->nrelocs; i++) { /* in any order; a check forbids doubles */
    bool found = false;
    for (size_t j = 0; j < y->nrelocs; j++)
      found = found ||
              (x->relocs[i].pc == y->relocs[j].pc && x->relocs[i].in_data == y->relocs[j].in_data);
    assert_true(found);
  }
}
