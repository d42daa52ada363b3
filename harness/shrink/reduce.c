/* Delta debugging: leaves out parts of a list while the rest still fails.
 *
 *   1. Parts of half of the list's size go, if the rest fails without them.
 *   2. Then parts of half that size, down to single items.
 *   3. Single items again, until none of them can go.
 *
 * After a part that goes, the search continues behind it: parts before it have been tried. */
#include "harness/shrink/reduce.h"

#include <stdlib.h>
#include <string.h>

struct reduction {
  const struct tries *t;
  size_t n;
  bool *gone, *trial; /* trial: of the candidate at hand */
  size_t *kept;       /* numbers of the items that are there */
  size_t nkept, part; /* part: items of a part */
  size_t from;        /* the first part to be tried */
  reduce_make *make;
  void *user;
};

static void count(struct reduction *r) {
  r->nkept = 0;
  for (size_t i = 0; i < r->n; i++)
    if (!r->gone[i])
      r->kept[r->nkept++] = i;
}

/* Marks the items of a part as gone. */
static void drop(const struct reduction *r, size_t part, bool *gone) {
  const size_t begin = part * r->part;
  for (size_t i = begin; i < begin + r->part && i < r->nkept; i++)
    gone[r->kept[i]] = true;
}

static bool without_part(void *user, size_t i, void *to) {
  struct reduction *r = user;
  memcpy(r->trial, r->gone, r->n * sizeof *r->gone);
  drop(r, r->from + i, r->trial);
  return r->make(r->user, r->trial, to);
}

/* Tries all parts of a size; true if one has gone. */
static bool pass(struct reduction *r) {
  bool any = false;
  for (r->from = 0; r->from * r->part < r->nkept;) {
    const size_t left = (r->nkept + r->part - 1) / r->part - r->from;
    const size_t found = r->t->first(r->t->self, left, without_part, r);
    if (found == left)
      break;
    drop(r, r->from + found, r->gone);
    count(r);
    r->from += found; /* what was behind the part is in its place now */
    any = true;
  }
  return any;
}

bool reduce_list(const struct tries *t, size_t n, size_t least, bool *gone, reduce_make *make,
                 void *user) {
  struct reduction r = {.t = t, .n = n, .gone = gone, .make = make, .user = user};
  bool any = false, more = n != 0 && least == 1;
  r.trial = calloc(n + 1, sizeof *r.trial);
  r.kept = calloc(n + 1, sizeof *r.kept);
  if (r.trial != NULL && r.kept != NULL) {
    count(&r);
    for (r.part = (r.nkept + 1) / 2; r.part > 1 && r.part >= least; r.part = (r.part + 1) / 2)
      any |= pass(&r);
    for (r.part = 1; more; any |= more)
      more = pass(&r);
  }
  free(r.trial);
  free(r.kept);
  return any;
}

/* The k-th number that is tried: 0 to 8, 12, 16, 24, 32, 48, ... */
static size_t number(size_t k) {
  if (k <= 8)
    return k;
  const size_t power = (size_t)8 << (k - 8) / 2;
  return (k - 8) % 2 == 0 ? power : power + power / 2;
}

struct numbers {
  size_t first; /* number(first) is the first one to be tried */
  tries_make *make;
  void *user;
};

static bool with_number(void *user, size_t i, void *to) {
  const struct numbers *x = user;
  return x->make(x->user, number(x->first + i), to);
}

size_t reduce_number(const struct tries *t, size_t least, size_t now, tries_make *make,
                     void *user) {
  struct numbers x = {0, make, user};
  size_t n = 0;
  while (number(x.first) < least)
    x.first++;
  while (number(x.first + n) < now)
    n++;
  const size_t found = t->first(t->self, n, with_number, &x);
  return found < n ? number(x.first + found) : now;
}
