/* Programs without some of their instructions. */
#include <stdlib.h>
#include <string.h>

#include "harness/shrink/program.h"

static void *copy_of(const void *from, size_t n, size_t size) {
  void *to = calloc(n + 1, size);
  if (to != NULL && from != NULL)
    memcpy(to, from, n * size);
  return to;
}

static bool copy_kernel(struct isa_kernel *to, const struct isa_kernel *from) {
  *to = *from;
  to->nparams = 0;
  to->name = strdup(from->name);
  to->params = calloc(from->nparams + 1, sizeof *to->params);
  for (size_t i = 0; to->params != NULL && i < from->nparams; i++, to->nparams++) {
    to->params[i] = from->params[i];
    to->params[i].name = strdup(from->params[i].name);
    if (to->params[i].name == NULL)
      return false;
  }
  return to->name != NULL && to->params != NULL;
}

struct isa_program *code_copy(const struct isa_program *p) {
  struct isa_program *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  *c = (struct isa_program){.code = copy_of(p->code, p->ncode, sizeof *p->code),
                            .ncode = p->ncode,
                            .lines = copy_of(p->lines, p->ncode, sizeof *p->lines),
                            .source = p->source != NULL ? strdup(p->source) : NULL,
                            .kernels = calloc(p->nkernels + 1, sizeof *p->kernels),
                            .data = copy_of(p->data, p->data_bytes, 1),
                            .data_bytes = p->data_bytes,
                            .relocs = copy_of(p->relocs, p->nrelocs, sizeof *p->relocs),
                            .nrelocs = p->nrelocs};
  bool good = c->code != NULL && c->lines != NULL && c->kernels != NULL && c->data != NULL &&
              c->relocs != NULL && (c->source != NULL || p->source == NULL);
  for (size_t i = 0; good && i < p->nkernels; i++, c->nkernels++)
    good = copy_kernel(&c->kernels[i], &p->kernels[i]);
  if (good)
    return c;
  isa_program_free(c);
  return NULL;
}

/* Puts the PC that an old one has become into a branch's target and reconvergence PC. */
static uint64_t lead(uint64_t word, const uint16_t *now, size_t n) {
  const uint16_t target = isa_unpack(word).imm, rpc = (uint16_t)word;
  if (isa_id_of(word) != ISA_BRA || isa_check(word) != NULL)
    return word;
  if (target <= n)
    word = (word & ~(UINT64_C(0xffff) << 32)) | (uint64_t)now[target] << 32;
  if (rpc != ISA_NO_RPC && rpc <= n)
    word = (word & ~UINT64_C(0xffff)) | now[rpc];
  return word;
}

static void drop_relocations(struct isa_program *c, const bool *gone, const uint16_t *now) {
  size_t n = 0;
  for (size_t i = 0; i < c->nrelocs; i++) {
    struct isa_reloc r = c->relocs[i];
    if (r.in_data == 0 && gone[r.pc])
      continue;
    if (r.in_data == 0)
      r.pc = now[r.pc];
    c->relocs[n++] = r;
  }
  c->nrelocs = n;
}

/* Takes the instructions out of a program that is the caller's; false: a kernel has none left. */
static bool take_out(struct isa_program *c, const bool *gone, uint16_t *now) {
  const size_t before = c->ncode;
  size_t n = 0;
  for (size_t pc = 0; pc <= before; pc++) {
    now[pc] = (uint16_t)n;
    if (pc < before && !gone[pc]) {
      c->code[n] = c->code[pc];
      c->lines[n++] = c->lines[pc];
    }
  }
  for (size_t pc = 0; pc < n; pc++)
    c->code[pc] = lead(c->code[pc], now, before);
  c->ncode = n;
  drop_relocations(c, gone, now);
  for (size_t i = 0; i < c->nkernels; i++) {
    c->kernels[i].entry = now[c->kernels[i].entry];
    c->kernels[i].end = now[c->kernels[i].end];
    if (c->kernels[i].entry == c->kernels[i].end)
      return false;
  }
  return true;
}

struct isa_program *code_without(const struct isa_program *p, const bool *gone) {
  struct isa_program *c = code_copy(p);
  uint16_t *now = calloc(p->ncode + 1, sizeof *now);
  if (c != NULL && now != NULL && take_out(c, gone, now)) {
    free(now);
    return c;
  }
  free(now);
  isa_program_free(c);
  return NULL;
}
