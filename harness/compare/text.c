/* The comparison as text. */
#include <math.h>
#include <string.h>

#include "harness/compare/report.h"

enum { NAME = 28, VERDICT = 400 };

static void print_value(FILE *out, double value, int decimals) {
  if (isnan(value))
    fprintf(out, " %14s", "-");
  else
    fprintf(out, " %14.*f", decimals, value);
}

static void print_section(FILE *out, const struct compare_section *s) {
  char change[32];
  if (s->n == 0 && *s->note == '\0')
    return;
  if (s->n != 0)
    fprintf(out, "\n%-*s %14s %14s %12s\n", NAME + 2, s->title, "before", "after", "change");
  else
    fprintf(out, "\n%s\n", s->title);
  for (size_t i = 0; i < s->n; i++) {
    const double *v = s->rows[i].value;
    fprintf(out, "  %-*s", NAME, s->rows[i].name);
    print_value(out, v[BEFORE], s->decimals);
    print_value(out, v[AFTER], s->decimals);
    fprintf(out, " %12s\n", compare_change_text(v[BEFORE], v[AFTER], change));
  }
  if (*s->note != '\0')
    fprintf(out, "  %s\n", s->note);
}

static void print_sides(FILE *out, const struct compare_difference *d) {
  static const char *const titles[SIDES] = {"before", "after"};
  for (int side = 0; side < SIDES; side++) {
    const struct compare_side *s = &d->sides[side];
    fprintf(out, "%-7s %s\n", titles[side], s->name);
    if (s->failure != NULL)
      fprintf(out, "\n%s does not build:\n%s\n\n", s->name, s->failure);
  }
}

static void print_verdicts(FILE *out, const struct compare_difference *d) {
  bool any = false;
  for (size_t i = 0; i < d->n; i++) {
    char before[VERDICT], after[VERDICT];
    if (!compare_verdict_changed(&d->cases[i]))
      continue;
    if (!any)
      fputs("\nVerdicts that changed\n", out);
    any = true;
    compare_verdict(&d->cases[i], BEFORE, before, sizeof before);
    compare_verdict(&d->cases[i], AFTER, after, sizeof after);
    fprintf(out, "  %-*s %s -> %s\n", NAME, d->cases[i].name, before, after);
    const struct experiment_result *r = &d->cases[i].result[AFTER];
    if (r->command != NULL && strcmp(after, "ok") != 0)
      fprintf(out, "  %-*s %s\n", NAME, "", r->command);
  }
}

/* Modules of which nothing is known. */
static void print_modules(FILE *out, const struct compare_report *r) {
  for (size_t i = 0; r->modules != NULL && i < r->modules->n; i++)
    if (r->modules->at[i].changed && r->modules->at[i].package)
      fprintf(out, "\nThe package %s changed: --area MODULE compares what uses it\n",
              r->modules->at[i].name);
  for (int side = 0; r->area != NULL && side < SIDES; side++)
    if (r->area->failure[side] != NULL)
      fprintf(out, "\n%s has no area: %s\n", r->d->sides[side].name, r->area->failure[side]);
}

/* Indents the lines of a text. */
static void print_lines(FILE *out, const char *text) {
  for (; *text != '\0'; text += strspn(text, "\n")) {
    fprintf(out, "    %.*s\n", (int)strcspn(text, "\n"), text);
    text += strcspn(text, "\n");
  }
}

static void print_proofs(FILE *out, const struct compare_report *r) {
  if (r->proofs == NULL || r->proofs->n == 0)
    return;
  fputs("\nUnits whose RTL changed, and whose reference did not\n", out);
  for (size_t i = 0; i < r->proofs->n; i++) {
    const struct compare_proof *p = &r->proofs->at[i];
    fprintf(out, "  %-*s %s: ", NAME, p->unit, compare_outcomes[p->outcome]);
    if (p->outcome == PROOF_EQUAL)
      fputs("proved for all cycles\n", out);
    else if (p->outcome == PROOF_DIFFERS)
      fprintf(out, "outputs differ in cycle %u, after these inputs (cycle 0: reset)\n", p->cycle);
    else
      fprintf(out, "not proved; no difference in %u cycles\n", p->cycle);
    print_lines(out, p->text);
  }
}

static void print_worst(FILE *out, const struct compare_difference *d) {
  char change[32];
  if (d->worst[0] == NULL)
    return;
  fputs("\nWorst by cycles:", out);
  for (size_t i = 0; i < COMPARE_WORST && d->worst[i] != NULL; i++) {
    const struct compare_case *c = d->worst[i];
    fprintf(out, "%s %s %s", i != 0 ? "," : "", c->name,
            compare_change_text(c->value[BEFORE][COMPARE_CYCLES], c->value[AFTER][COMPARE_CYCLES],
                                change));
  }
  fputc('\n', out);
}

static void print_limits(FILE *out, const struct compare_report *r) {
  for (size_t i = 0; i < r->nlimits; i++) {
    const struct compare_limit *l = &r->limits[i];
    if (isnan(l->worse))
      fprintf(out, "\nlimit: %s is not known, and may be worse by %g %%", l->name, l->most);
    else
      fprintf(out, "\nlimit: %s is worse by %.2f %%, and may be by %g %%: %s", l->name, l->worse,
              l->most, l->exceeded ? "exceeded" : "kept");
  }
  if (r->nlimits != 0)
    fputc('\n', out);
}

int compare_text(FILE *out, const struct compare_report *r, struct tandem_error *err) {
  struct compare_sections s;
  print_sides(out, r->d);
  if (compare_no_difference(r->d)) {
    if (r->d->n == 0)
      fputs("no difference: the sources are the same\n", out);
    else
      fprintf(out, "no difference: %zu runs of %s\n", r->d->n, r->suite);
  }
  print_verdicts(out, r->d);
  print_modules(out, r);
  print_proofs(out, r);
  const int status = compare_sections_make(r, &s, err);
  for (size_t i = 0; status == 0 && i < s.n; i++)
    print_section(out, &s.at[i]);
  compare_sections_free(&s);
  print_worst(out, r->d);
  print_limits(out, r);
  return status;
}
