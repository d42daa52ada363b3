/* shuffle and shuffle2 of all types and widths. */
#include <stdio.h>

#include "tests/builtins/case.h"

/* Bits of the mask above those that choose a component count for nothing. */
static void judge(struct item *it) {
  const unsigned masks = it->c->nin - 1, m = it->c->in[0].n;
  for (unsigned e = 0; e < it->c->out[0].n; e++) {
    const unsigned k = (unsigned)it->in[masks][e] & (masks * m - 1);
    expect_bits(it, 0, e, it->in[k / m][k % m]);
  }
}

static void add_shuffle(struct cases *all, enum type t, unsigned n, unsigned m, bool two) {
  struct builtin_case *c = case_add(all);
  char a[16], b[16];
  c->group = "shuffle";
  snprintf(c->name, sizeof c->name, two ? "shuffle2" : "shuffle");
  snprintf(c->type, sizeof c->type, "%s", type_names[t]);
  snprintf(c->variant, sizeof c->variant, "%s of %s", type_text(a, t, n), type_text(b, t, m));
  c->width = n > m ? n : m;
  c->judge = judge;
  case_input(c, t, m);
  if (two)
    case_input(c, t, m);
  case_input(c, type_as_unsigned(t), n);
  case_output(c, t, n, two ? "shuffle2(x0, x1, x2)" : "shuffle(x0, x1)");
}

void cases_of_shuffles(struct cases *all) {
  static const unsigned sizes[] = {2, 4, 8, 16};
  for (enum type t = 0; t < TYPES; t++)
    for (unsigned n = 0; n < 4; n++)
      for (unsigned m = 0; m < 4; m++)
        for (unsigned two = 0; two < 2; two++)
          add_shuffle(all, t, sizes[n], sizes[m], two != 0);
}
