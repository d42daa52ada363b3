/* Reconvergence PCs of arbitrary control flow, on single instructions as nodes. */
#include <stdlib.h>
#include <string.h>

#include "tests/random/gen.h"

enum { WORDS = (GEN_MAX_CODE + 63) / 64 };

struct set {
  uint64_t bits[WORDS];
};

static bool has(const struct set *s, unsigned i) { return s->bits[i / 64] >> (i % 64) & 1; }

/* Successors of instruction i: none after an exit of all lanes. */
static unsigned successors(const uint64_t *code, unsigned n, unsigned i, unsigned next[2]) {
  enum isa_id id = isa_id_of(code[i]);
  struct isa_inst f = isa_unpack(code[i]);
  unsigned count = 0;
  bool always = f.guard == ISA_PT;
  if (id == ISA_BRA)
    next[count++] = f.imm;
  if (i + 1 < n && !(always && (id == ISA_BRA || id == ISA_EXIT)))
    next[count++] = i + 1;
  return count;
}

static bool refine(const uint64_t *code, unsigned n, unsigned i, struct set *dom) {
  unsigned next[2];
  unsigned count = successors(code, n, i, next);
  struct set s = {{0}};
  if (count > 0)
    s = dom[next[0]];
  for (unsigned k = 0; count == 2 && k < WORDS; k++)
    s.bits[k] &= dom[next[1]].bits[k];
  s.bits[i / 64] |= UINT64_C(1) << (i % 64);
  bool changed = memcmp(&s, &dom[i], sizeof s) != 0;
  dom[i] = s;
  return changed;
}

static unsigned size(const struct set *s) {
  unsigned n = 0;
  for (unsigned k = 0; k < WORDS; k++)
    n += (unsigned)__builtin_popcountll(s->bits[k]);
  return n;
}

bool gen_reconverge(uint64_t *code, unsigned n) {
  struct set *dom = malloc(n * sizeof *dom); /* post-dominators of each instruction */
  if (dom == NULL)
    return false;
  memset(dom, 0xff, n * sizeof dom[0]);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = n; i-- > 0;)
      changed |= refine(code, n, i, dom);
  }
  for (unsigned i = 0; i < n; i++) {
    if (isa_id_of(code[i]) != ISA_BRA)
      continue;
    /* The nearest strict dominator of i is the one that has most dominators itself. */
    unsigned rpc = ISA_NO_RPC, most = 0;
    for (unsigned j = 0; j < n; j++)
      if (j != i && has(&dom[i], j) && size(&dom[j]) > most) {
        most = size(&dom[j]);
        rpc = j;
      }
    code[i] = (code[i] & ~UINT64_C(0xfffff)) | rpc;
  }
  free(dom);
  return true;
}
