/* Cases with operands that the compiler knows: it computes what it can, by rules of its own. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/builtins/operands.h"

/* Judges result k of an output by the scalar's judge; of the operands the first ones are variable.
 */
static void judge_one(struct item *it, const struct builtin_case *scalar, unsigned out, unsigned k,
                      unsigned variable) {
  struct item one = {.c = scalar, .index = it->index, .got = {&it->got[out][k]}};
  for (unsigned a = 0; a < scalar->nin; a++)
    one.in[a] = a < variable ? it->in[a] : &it->c->constants[a][k];
  it->c->judge_scalar(&one);
  if (one.worst > it->worst)
    it->worst = one.worst;
  if (one.failed && !it->failed) {
    it->failed = true;
    memcpy(it->text, one.text, sizeof it->text);
  }
}

static void judge(struct item *it) {
  struct builtin_case scalar = *it->c;
  scalar.width = 1;
  scalar.nin = scalar.nconstants;
  for (unsigned a = 0; a < scalar.nin; a++)
    scalar.in[a] = (struct operand){scalar.constant_types[a], 1};
  for (unsigned k = 0; k < CONSTANTS; k++) {
    judge_one(it, &scalar, 0, k, 0);
    if (it->c->nout > 1)
      judge_one(it, &scalar, 1, k, 1);
  }
}

/* Edges are first, random ones last. */
static void choose(struct builtin_case *c, const struct builtin_case *scalar, uint64_t seed) {
  uint64_t *tuples[INPUTS] = {NULL};
  for (unsigned a = 0; a < scalar->nin; a++)
    tuples[a] = calloc(1024, sizeof *tuples[a]);
  operands_make(scalar, seed, 1024, tuples);
  for (unsigned a = 0; a < scalar->nin; a++) {
    for (unsigned k = 0; k < CONSTANTS; k++)
      c->constants[a][k] = tuples[a][k < 6 ? (seed * 6 + k) % 90 : 900 + k];
    c->constant_types[a] = scalar->in[a].type;
    free(tuples[a]);
  }
  c->nconstants = scalar->nin;
}

static void add_calls(struct builtin_case *c, unsigned out, unsigned variable) {
  for (unsigned k = 0; k < CONSTANTS; k++) {
    body_add(c, "r%u[i * %d + %u] = %s%s(", out, CONSTANTS, k,
             c->out[out].type == HALF ? "as_ushort(" : "", c->name);
    for (unsigned a = 0; a < c->nconstants; a++)
      if (a < variable)
        body_add(c, "x%u", a);
      else
        body_add(c, "%sas_%s((%s)0x%" PRIx64 "ul)", a > 0 ? ", " : "",
                 type_names[c->constant_types[a]],
                 type_names[type_as_unsigned(c->constant_types[a])], c->constants[a][k]);
    body_add(c, c->out[out].type == HALF ? ")); " : "); ");
  }
}

void case_add_constants(struct cases *all, size_t number) {
  struct builtin_case *c = case_add(all);
  const struct builtin_case *scalar = &all->list[number];
  *c = *scalar;
  snprintf(c->variant, sizeof c->variant, "%s, constants", scalar->type);
  c->width = MOST_WIDTH; /* no more work-items than that leaves */
  c->judge = judge;
  c->judge_scalar = scalar->judge;
  c->nin = c->nout = 0;
  c->body[0] = '\0';
  choose(c, scalar, all->seed);
  case_plain_output(c, scalar->out[0].type, CONSTANTS);
  if (scalar->nin > 1) {
    case_input(c, scalar->in[0].type, 1);
    case_plain_output(c, scalar->out[0].type, CONSTANTS);
  }
  add_calls(c, 0, 0);
  if (scalar->nin > 1)
    add_calls(c, 1, 1);
}
