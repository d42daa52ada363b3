/* Modules of the RTL of both sides, and which of them a change concerns. */
#ifndef TANDEM_COMPARE_MODULES_H
#define TANDEM_COMPARE_MODULES_H

#include "harness/compare/compare.h"

struct compare_text {
  char *name, *path[SIDES],
      *text[SIDES];   /* NULL: the side has no such module; texts have no comments */
  bool package, unit; /* unit: it has a ports table */
  bool changed;       /* the texts differ, comments apart */
  bool asked;         /* it was asked for, and has not changed */
  bool chosen;        /* it changed, was asked for, or is made of a chosen one that is no unit */
};
struct compare_modules {
  const struct compare_side *sides;
  struct compare_text *at; /* by name */
  size_t n;
};

/* Reads the RTL of both sides, and chooses modules.  also: further ones.  -ENOENT: neither side has
 * one of these. */
int compare_modules_read(const struct compare_side *sides, const char *const *also, size_t nalso,
                         struct compare_modules *m, struct tandem_error *err);
void compare_modules_free(struct compare_modules *m);
/* True if the text of a module of a side names another one. */
bool compare_names(const struct compare_text *of, int side, const char *name);

#endif
