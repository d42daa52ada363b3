/* Vector loads and stores, those of halves with all roundings, in all spaces. */
#include <stdio.h>
#include <string.h>

#include "tests/builtins/case.h"

enum space { GLOBAL, LOCAL, PRIVATE, CONSTANT };
static const char *const space_names[] = {"global", "local", "private", "constant"};

static struct builtin_case *add(struct cases *all, const char *name, enum type t, unsigned width,
                                enum space space) {
  struct builtin_case *c = case_add(all);
  char type[16];
  c->group = "memory";
  snprintf(c->name, sizeof c->name, "%s", name);
  snprintf(c->type, sizeof c->type, "%s", type_names[t]);
  snprintf(c->variant, sizeof c->variant, "%s, %s", type_text(type, t, width), space_names[space]);
  c->width = width;
  c->constant = space == CONSTANT;
  return c;
}

/* Room in local or private memory for some elements of each work-item, as array l; `at` is the
 * number of this work-item's share there, else in the whole buffer. */
static void add_room(struct builtin_case *c, enum space space, enum type t, unsigned elements) {
  const char *type = type_in_memory(t);
  if (space == LOCAL)
    body_add(c, "__local %s l[BLOCK * %u] __attribute__((aligned(128))); ", type, elements);
  else if (space == PRIVATE)
    body_add(c, "%s l[2 * %u] __attribute__((aligned(128))); ", type, elements);
  body_add(c, "size_t at = %s; ",
           space == LOCAL     ? "get_local_id(0)"
           : space == PRIVATE ? "i & 1"
                              : "i");
}

/* ---- loads ---- */

/* Elements are the operand's. */
static void judge_load(struct item *it) {
  for (unsigned e = 0; e < it->c->width; e++)
    expect_bits(it, 0, e, it->in[0][e]);
}
static void judge_half_load(struct item *it) {
  mpfr_t x;
  mpfr_init2(x, 64);
  for (unsigned e = 0; e < it->c->width; e++) {
    type_get(x, HALF, it->in[0][e]);
    expect_bits(it, 0, e, type_round(FLOAT, x, RTE));
  }
  mpfr_clear(x);
}

/* Loads `width` elements of each `stride`; the pointer is cast to what `cast` says, if anything. */
static void add_load(struct cases *all, const char *name, enum type t, unsigned width,
                     unsigned stride, enum space space, const char *cast) {
  struct builtin_case *c = add(all, name, t, width, space);
  char call[120], pointer[60] = "", suffix[12] = "";
  const char *room = space == LOCAL || space == PRIVATE ? "l" : "a0";
  case_plain_input(c, t, stride);
  add_room(c, space, t, stride);
  if (*room == 'l')
    body_add(c, "for (uint e = 0; e < %u; e++) l[at * %u + e] = a0[i * %u + e]; ", stride, stride,
             stride);
  if (*cast)
    snprintf(pointer, sizeof pointer, "(__%s const %s *)", space_names[space], cast);
  if (width > 1)
    snprintf(suffix, sizeof suffix, "%u", width);
  const bool half = strstr(name, "half") != NULL;
  snprintf(call, sizeof call, "%s%s(at, %s%s)", name, suffix, pointer, room);
  c->judge = half ? judge_half_load : judge_load;
  case_output(c, half ? FLOAT : t, width, call);
}

/* ---- stores ---- */

/* Elements beside those that are stored stay 0. */
static void judge_store(struct item *it) {
  const enum type t = it->c->out[0].type;
  mpfr_t x;
  mpfr_init2(x, 64);
  for (unsigned e = 0; e < it->c->width; e++) {
    type_get(x, it->c->in[0].type, it->in[0][e]);
    expect_bits(it, 0, e, type_real(t) ? type_round(t, x, it->c->mode) : it->in[0][e]);
  }
  for (unsigned e = it->c->width; e < it->c->out[0].n; e++)
    expect_bits(it, 0, e, 0);
  mpfr_clear(x);
}

/* Stores a vector of type `from` as elements of type `to`. */
static void add_store(struct cases *all, const char *name, enum type from, enum type to,
                      unsigned width, unsigned stride, enum space space, enum mode mode) {
  struct builtin_case *c = add(all, name, from, width, space);
  char suffix[12] = "", pointer[60] = "";
  const char *room = space == GLOBAL ? "r0" : "l";
  strcat(c->name, mode_suffixes[mode]);
  c->mode = mode;
  c->judge = judge_store;
  case_input(c, from, width);
  case_plain_output(c, to, stride);
  add_room(c, space, to, stride);
  body_add(c, "for (uint e = 0; e < %u; e++) %s[at * %u + e] = 0; ", stride, room, stride);
  if (to == HALF)
    snprintf(pointer, sizeof pointer, "(__%s half *)", space_names[space]);
  if (width > 1)
    snprintf(suffix, sizeof suffix, "%u", width);
  body_add(c, "%s%s%s(x0, at, %s%s); ", name, suffix, mode_suffixes[mode], pointer, room);
  if (*room == 'l')
    body_add(c, "for (uint e = 0; e < %u; e++) r0[i * %u + e] = l[at * %u + e]; ", stride, stride,
             stride);
}

/* ---- all ---- */

static void add_vectors(struct cases *all, unsigned width, enum space space) {
  for (enum type t = 0; t < TYPES; t++) {
    add_load(all, "vload", t, width, width, space, t == HALF ? "half" : "");
    if (space != CONSTANT)
      add_store(all, "vstore", t, t, width, width, space, DEFAULT_MODE);
  }
}

static void add_halves(struct cases *all, unsigned width, enum space space) {
  const unsigned aligned = width == 3 ? 4 : width;
  add_load(all, "vload_half", HALF, width, width, space, "half");
  if (width > 1)
    add_load(all, "vloada_half", HALF, width, aligned, space, "half");
  if (space == CONSTANT)
    return;
  for (enum type from = FLOAT; from <= DOUBLE; from++)
    for (enum mode mode = RTE; mode <= DEFAULT_MODE; mode++) {
      add_store(all, "vstore_half", from, HALF, width, width, space, mode);
      if (width > 1)
        add_store(all, "vstorea_half", from, HALF, width, aligned, space, mode);
    }
}

void cases_of_memory(struct cases *all) {
  for (unsigned w = 0; w < 6; w++)
    for (enum space space = GLOBAL; space <= CONSTANT; space++) {
      if (widths[w] > 1)
        add_vectors(all, widths[w], space);
      add_halves(all, widths[w], space);
    }
}
