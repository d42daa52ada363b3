/* Functions of work-groups: asynchronous copies and atomics. */
#include <stdio.h>
#include <string.h>

#include "tests/builtins/case.h"

/* ---- asynchronous copies ---- */

enum { STRIDE = 2 };

/* A copy to local memory: the CTA's elements backwards, or every second one in the first half. */
static void judge_in(struct item *it) {
  const size_t lane = it->index % BLOCK, cta = it->index - lane;
  const bool strided = strstr(it->c->name, "strided") != NULL;
  size_t from = strided ? cta + lane % (BLOCK / STRIDE) * STRIDE : cta + BLOCK - 1 - lane;
  for (unsigned e = 0; e < it->c->width; e++)
    expect_bits(it, 0, e, type_load(it->c->in[0].type, it->buffer[0], from * it->c->in[0].n + e));
}
/* A copy to global memory: all elements, or every second one, others being 0. */
static void judge_out(struct item *it) {
  const size_t lane = it->index % BLOCK, cta = it->index - lane;
  const bool strided = strstr(it->c->name, "strided") != NULL;
  const size_t from = strided ? cta + lane / STRIDE : it->index;
  for (unsigned e = 0; e < it->c->width; e++)
    expect_bits(it, 0, e,
                strided && lane % STRIDE != 0
                    ? 0
                    : type_load(it->c->in[0].type, it->buffer[0], from * it->c->in[0].n + e));
}

static void add_copy(struct cases *all, enum type t, unsigned width, bool in, bool strided) {
  struct builtin_case *c = case_add(all);
  char type[16];
  const unsigned room = width == 3 ? 4 : width;
  c->group = "copy";
  snprintf(c->name, sizeof c->name, "async_work_group_%scopy", strided ? "strided_" : "");
  snprintf(c->type, sizeof c->type, "%s", type_names[t]);
  snprintf(c->variant, sizeof c->variant, "%s, %s", type_text(type, t, width),
           in ? "to local" : "to global");
  c->width = width;
  c->judge = in ? judge_in : judge_out;
  case_plain_input(c, t, room);
  case_plain_output(c, t, room);
  body_add(
      c,
      "__local %s l[BLOCK]; size_t lane = get_local_id(0), cta = get_group_id(0) * BLOCK; "
      "__global const %s *from = (__global const %s *)a0; __global %s *to = (__global %s *)r0; ",
      type, type, type, type, type);
  if (in)
    body_add(c, strided
                    ? "event_t e = async_work_group_strided_copy(l, from + cta, BLOCK / 2, 2, 0); "
                      "wait_group_events(1, &e); to[i] = l[lane %% (BLOCK / 2)]; "
                    : "event_t e = async_work_group_copy(l, from + cta, BLOCK, 0); "
                      "prefetch(from + cta, 2); wait_group_events(1, &e); "
                      "to[i] = l[BLOCK - 1 - lane]; ");
  else
    body_add(
        c,
        "l[lane] = from[i]; to[i] = (%s)%s; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); "
        "event_t e = %s; wait_group_events(1, &e); ",
        type, t == HALF ? "(half)0" : "0",
        strided ? "async_work_group_strided_copy(to + cta, l, BLOCK / 2, 2, 0)"
                : "async_work_group_copy(to + cta, l, BLOCK, 0)");
}

/* ---- atomics ---- */

static const struct atomic {
  const char *name;
  unsigned operands;
} atomics[] = {{"add", 1}, {"sub", 1}, {"xchg", 1}, {"inc", 0}, {"dec", 0}, {"cmpxchg", 2},
               {"min", 1}, {"max", 1}, {"and", 1},  {"or", 1},  {"xor", 1}};

static uint64_t changed(const struct atomic *a, enum type t, uint64_t old, uint64_t x, uint64_t y) {
  const __int128 o = type_value(t, old), v = type_value(t, x);
  switch (a - atomics) {
  case 0:
    return type_wrap(t, o + v);
  case 1:
    return type_wrap(t, o - v);
  case 2:
    return x;
  case 3:
    return type_wrap(t, o + 1);
  case 4:
    return type_wrap(t, o - 1);
  case 5:
    return old == x ? y : old;
  case 6:
    return type_wrap(t, o < v ? o : v);
  case 7:
    return type_wrap(t, o > v ? o : v);
  case 8:
    return old & x;
  case 9:
    return old | x;
  default:
    return old ^ x;
  }
}

static bool is_float(const struct builtin_case *c) { return c->in[0].type == FLOAT; }

/* The old value is the result; the new one is in memory. */
static void judge_atomic(struct item *it) {
  const struct atomic *a = it->c->oracle;
  const uint64_t old = it->in[0][0];
  const uint64_t x = it->c->nin > 1 ? it->in[1][0] : 0, y = it->c->nin > 2 ? it->in[2][0] : 0;
  expect_bits(it, 0, 0, old);
  expect_bits(it, 1, 0, is_float(it->c) ? x : changed(a, it->c->in[0].type, old, x, y));
}

/* All lanes of a CTA on one word that begins as 0: the last value, where it does not depend on the
 * order. */
static void judge_contended(struct item *it) {
  const struct atomic *a = it->c->oracle;
  const enum type t = it->c->in[0].type;
  const size_t first = it->index - it->index % BLOCK;
  uint64_t v = 0;
  for (size_t k = 0; k < BLOCK; k++)
    v = changed(a, t, v, type_load(t, it->buffer[0], first + k), 0);
  expect_bits(it, 0, 0, v);
}

static struct builtin_case *add_atomic(struct cases *all, const struct atomic *a,
                                       const char *prefix, enum type t, bool local,
                                       bool contended) {
  struct builtin_case *c = case_add(all);
  c->group = "atomic";
  snprintf(c->name, sizeof c->name, "%s%s", prefix, a->name);
  snprintf(c->type, sizeof c->type, "%s", type_names[t]);
  snprintf(c->variant, sizeof c->variant, "%s, %s%s", type_names[t], local ? "local" : "global",
           contended ? ", contended" : "");
  c->width = 1;
  c->oracle = a;
  c->judge = contended ? judge_contended : judge_atomic;
  return c;
}

static void add_alone(struct cases *all, const struct atomic *a, const char *prefix, enum type t,
                      bool local) {
  static const char *const lists[] = {"", ", x1", ", x1, x2"};
  struct builtin_case *c = add_atomic(all, a, prefix, t, local, false);
  char call[60];
  case_input(c, t, 1);
  for (unsigned k = 0; k < a->operands; k++)
    case_input(c, t, 1);
  body_add(c,
           local ? "__local %s l[BLOCK]; volatile __local %s *p = l + get_local_id(0); *p = x0; "
                 : "volatile __global %s *p = (volatile __global %s *)r1 + i; *p = x0; ",
           type_names[t], type_names[t]);
  snprintf(call, sizeof call, "%s%s(p%s)", prefix, a->name, lists[a->operands]);
  case_output(c, t, 1, call);
  case_output(c, t, 1, "*p");
}

static void add_contended(struct cases *all, const struct atomic *a, const char *prefix,
                          enum type t, bool local) {
  struct builtin_case *c = add_atomic(all, a, prefix, t, local, true);
  case_input(c, t, 1);
  body_add(c,
           local ? "__local %s l; volatile __local %s *p = &l; "
                 : "volatile __global %s *p = (volatile __global %s *)scratch + get_group_id(0); ",
           type_names[t], type_names[t]);
  body_add(c,
           "if (get_local_id(0) == 0) *p = 0; "
           "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); %s%s(p%s); "
           "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); ",
           prefix, a->name, a->operands > 0 ? ", x0" : "");
  case_output(c, t, 1, "*p");
}

static void add_atomics(struct cases *all, const struct atomic *a, enum type t, bool local) {
  const bool wide = t == LONG || t == ULONG;
  if (!wide)
    add_alone(all, a, "atomic_", t, local);
  if (t == FLOAT)
    return;
  add_alone(all, a, "atom_", t, local);
  if (strcmp(a->name, "xchg") != 0 && strcmp(a->name, "cmpxchg") != 0)
    add_contended(all, a, wide ? "atom_" : "atomic_", t, local);
}

void cases_of_groups(struct cases *all) {
  for (enum type t = 0; t < TYPES; t++)
    for (unsigned w = 0; w < 6; w++)
      for (unsigned k = 0; k < 4; k++)
        add_copy(all, t, widths[w], k % 2 == 0, k / 2 != 0);
  for (size_t n = 0; n < sizeof atomics / sizeof *atomics; n++)
    for (unsigned local = 0; local < 2; local++) {
      add_atomics(all, &atomics[n], INT, local != 0);
      add_atomics(all, &atomics[n], UINT, local != 0);
      add_atomics(all, &atomics[n], LONG, local != 0);
      add_atomics(all, &atomics[n], ULONG, local != 0);
      if (strcmp(atomics[n].name, "xchg") == 0)
        add_atomics(all, &atomics[n], FLOAT, local != 0);
    }
}
