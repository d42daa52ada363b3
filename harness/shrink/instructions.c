/* Fewer and simpler instructions. */
#include <stdlib.h>
#include <string.h>

#include "harness/shrink/passes.h"

struct pass {
  struct shrink_case base;
  size_t pc, n;
  size_t *item; /* PCs of instructions that may go; pc and n: a run of nops */
};

/* The case with another program, which becomes its own; false, also if there is none. */
static bool with_code(const struct pass *p, struct isa_program *code, struct shrink_case *to) {
  if (code == NULL || !case_copy(to, &p->base)) {
    isa_program_free(code);
    return false;
  }
  isa_program_free(to->code);
  to->code = code;
  return true;
}

static bool without_instructions(void *user, const bool *gone, void *to) {
  const struct pass *p = user;
  bool *out = calloc(p->base.code->ncode + 1, sizeof *out);
  for (size_t i = 0; out != NULL && i < p->n; i++)
    out[p->item[i]] = gone[i];
  struct isa_program *less = out != NULL ? code_without(p->base.code, out) : NULL;
  free(out);
  return with_code(p, less, to);
}

/* Instructions that do nothing in the place of those that are gone: the others keep their PCs. */
static bool with_nops(void *user, const bool *gone, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  for (size_t i = 0; i < p->n; i++)
    if (gone[i])
      c->code->code[p->item[i]] = CODE_NOP;
  return true;
}

/* A run of nops with i of them. */
static bool with_run(void *user, size_t i, void *to) {
  const struct pass *p = user;
  bool *out = calloc(p->base.code->ncode + 1, sizeof *out);
  for (size_t k = i; out != NULL && k < p->n; k++)
    out[p->pc + k] = true;
  struct isa_program *less = out != NULL ? code_without(p->base.code, out) : NULL;
  free(out);
  return with_code(p, less, to);
}

/* Leaves out parts of at least so many instructions, but no nops. */
static void reduce_code(struct judge *j, size_t least, reduce_make *make) {
  const struct tries t = judge_tries(j);
  struct pass p = {.pc = 0};
  if (!case_copy(&p.base, &j->best))
    return;
  bool *gone = calloc(p.base.code->ncode + 1, sizeof *gone);
  p.item = calloc(p.base.code->ncode + 1, sizeof *p.item);
  for (size_t pc = 0; p.item != NULL && pc < p.base.code->ncode; pc++)
    if (p.base.code->code[pc] != CODE_NOP)
      p.item[p.n++] = pc;
  if (gone != NULL && p.item != NULL)
    (void)reduce_list(&t, p.n, least, gone, make, &p);
  free(gone);
  free(p.item);
  case_free(&p.base);
}

/* Leaves out nops: all of a run are the same. */
static void reduce_runs(struct judge *j) {
  const struct tries t = judge_tries(j);
  for (size_t pc = 0; pc < j->best.code->ncode; pc++) {
    const struct isa_program *code = j->best.code;
    struct pass p = {.pc = pc};
    while (pc + p.n < code->ncode && code->code[pc + p.n] == CODE_NOP)
      p.n++;
    if (p.n == 0 || !case_copy(&p.base, &j->best))
      continue;
    pc += reduce_number(&t, 0, p.n, with_run, &p);
    case_free(&p.base);
  }
}

/* The PCs of a long program may matter: those of lines of the instruction cache. */
void pass_instructions(struct judge *j) {
  enum { LONG = 64, COARSE = 8 };
  if (j->best.code == NULL)
    return;
  if (j->best.code->ncode > LONG)
    reduce_code(j, j->best.code->ncode / COARSE, without_instructions);
  if (j->best.code->ncode > LONG)
    reduce_code(j, 1, with_nops);
  reduce_runs(j);
  reduce_code(j, 1, without_instructions);
}

/* ---- operands ---- */

/* Sets the value 0 or 1; false: it has none, or none that is larger. */
static bool smaller_value(enum isa_id id, struct isa_inst *i, uint16_t value) {
  const bool high = id == ISA_MOVI && (i->src1 | i->src2 | i->src3 | i->mods) != 0;
  if (id == ISA_BRA || id == ISA_MOVS || (i->imm <= value && !high))
    return false;
  i->imm = value;
  if (id == ISA_MOVI)
    i->src1 = i->src2 = i->src3 = i->mods = 0;
  return true;
}

/* Simpler forms of an instruction: the value 0, 1; no guard; no modifiers, or without one of them;
 * no place where lanes meet again of a branch whose lanes do not part.  False: it has no form of
 * this number, or is so already. */
enum {
  VALUE_0,
  VALUE_1,
  NO_GUARD,
  NO_MODIFIERS,
  LESS_MODIFIERS,
  NO_RPC = LESS_MODIFIERS + 7,
  FORMS
};
static bool simpler(uint64_t word, size_t form, uint64_t *to) {
  struct isa_inst i = isa_unpack(word);
  const enum isa_id id = isa_id_of(word);
  *to = word;
  if (form <= VALUE_1) {
    if (!smaller_value(id, &i, (uint16_t)form))
      return false;
  } else if (form == NO_GUARD) {
    i.guard = ISA_PT;
  } else if (form < NO_RPC) {
    if (id == ISA_MOVI)
      return false;
    const unsigned kept = form == NO_MODIFIERS ? 0 : ~(1U << (form - LESS_MODIFIERS));
    i.mods = (uint8_t)(i.mods & kept);
  } else {
    if (id != ISA_BRA || i.guard != ISA_PT)
      return false;
    *to = word | ISA_NO_RPC;
    return *to != word;
  }
  *to = isa_pack(i);
  return *to != word && isa_check(*to) == NULL;
}

static bool with_form(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  uint64_t word;
  if (!simpler(p->base.code->code[p->pc + i / FORMS], i % FORMS, &word) || !case_copy(c, &p->base))
    return false;
  c->code->code[p->pc + i / FORMS] = word;
  return true;
}

/* Shared memory, local memory, data: none, of all kernels. */
enum { MEMORIES = 3 };
static bool without_memory(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  bool less = false;
  if (!case_copy(c, &p->base))
    return false;
  for (size_t k = 0; k < c->code->nkernels; k++) {
    struct isa_kernel *kernel = &c->code->kernels[k];
    uint32_t *bytes = i == 0 ? &kernel->shared_bytes : &kernel->local_bytes;
    less = less || (i < 2 && *bytes != 0);
    *bytes = i < 2 ? 0 : *bytes;
  }
  if (i == 2 && c->code->nrelocs == 0 && c->code->data_bytes != 0) {
    c->code->data_bytes = 0;
    less = true;
  }
  return less;
}

void pass_operands(struct judge *j) {
  const struct tries t = judge_tries(j);
  struct pass p = {.pc = 0};
  for (size_t i = 0; i < MEMORIES && j->best.code != NULL && case_copy(&p.base, &j->best); i++) {
    (void)t.first(t.self, MEMORIES, without_memory, &p);
    case_free(&p.base);
  }
  while (j->best.code != NULL && p.pc < j->best.code->ncode && case_copy(&p.base, &j->best)) {
    const size_t n = (p.base.code->ncode - p.pc) * FORMS, found = t.first(t.self, n, with_form, &p);
    case_free(&p.base);
    p.pc = found == n ? j->best.code->ncode : p.pc + found / FORMS;
  }
}
