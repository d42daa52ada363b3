/* Verdicts as text and as JSON. */
#include <math.h>
#include <string.h>

#include "harness/regress/regress.h"

static const char *or_nothing(const char *text) { return text != NULL ? text : ""; }

static const char *named_files(const struct regress_case *c) {
  for (char **f = c->files; f != NULL && *f != NULL; f++)
    if (strstr(*f, ".fst") != NULL)
      return *f;
  return c->files != NULL && c->files[0] != NULL ? c->files[0] : NULL;
}

/* A line for each place of failures, with the command to paste. */
static void groups(FILE *out, const struct regress_report *r) {
  if (r->ngroups != 0)
    fprintf(out, "\nFailures by their places\n");
  for (size_t i = 0; i < r->ngroups; i++) {
    const struct regress_group *g = &r->groups[i];
    char place[200];
    regress_place_text(&g->first->failure, place, sizeof place);
    fprintf(out, "  %4zu  %-36s %s: %s\n", g->n, place, g->first->run->name,
            or_nothing(g->first->result->command));
    if (g->first->text != NULL)
      fprintf(out, "        %s%s\n", g->first->text,
              g->first->once ? " (it passed when it was run again)" : "");
    if (named_files(g->first) != NULL)
      fprintf(out, "        kept: %s\n", named_files(g->first));
    if (g->first->small != NULL)
      fprintf(out, "        small: %s\n", g->first->small);
  }
}

/* A row for each entry of the suite. */
static void entries(FILE *out, const struct regress_report *r) {
  const struct experiment_axis *axis = &r->s->axes[0];
  int width = (int)strlen("run");
  for (size_t k = 0; k < axis->n; k++)
    width = (int)strlen(axis->values[k].name) > width ? (int)strlen(axis->values[k].name) : width;
  fprintf(out, "\n  %-*s  %6s  %6s  %6s  %8s\n", width, "run", "passed", "failed", "others",
          "seconds");
  for (size_t k = 0; k < axis->n; k++) {
    size_t passed = 0, failed = 0, others = 0;
    double wall_s = 0;
    for (size_t i = 0; i < r->s->nruns; i++) {
      const struct regress_case *c = &r->cases[i];
      if (c->run->at[0] != &axis->values[k] || c->left_out)
        continue;
      passed += c->verdict == REGRESS_PASSED;
      failed += regress_bad(c);
      others += c->verdict == REGRESS_EXPECTED || c->verdict == REGRESS_MISSING;
      wall_s += c->verdict != REGRESS_MISSING ? c->result->wall_s : 0;
    }
    if (passed + failed + others != 0)
      fprintf(out, "  %-*s  %6zu  %6zu  %6zu  %8.1f\n", width, axis->values[k].name, passed, failed,
              others, wall_s);
  }
}

/* A failure that was expected, with its place: another one than before stands out. */
static void expected(FILE *out, const struct regress_case *c) {
  char place[200];
  regress_place_text(&c->failure, place, sizeof place);
  fprintf(out, "\n%s: failed as expected at %s: %s\n", c->run->name, place,
          c->run->settings.because);
}

void regress_text(FILE *out, const struct regress_report *r) {
  entries(out, r);
  for (size_t i = 0; i < r->s->nruns; i++)
    if (r->cases[i].verdict == REGRESS_EXPECTED)
      expected(out, &r->cases[i]);
  groups(out, r);
  fprintf(out, "\n%s:", r->s->title);
  for (size_t i = 0; i < REGRESS_VERDICTS; i++)
    if (r->counts[i] != 0)
      fprintf(out, " %zu %s%s", r->counts[i], regress_verdicts[i],
              i + 1 < REGRESS_VERDICTS ? ";" : "");
  fprintf(out, " %.0f s of runs%s%.10s%s\n", r->wall_s,
          *r->revision->text != '\0' ? "; revision " : "", r->revision->text,
          *r->revision->text != '\0' && !r->revision->clean ? ", changed" : "");
}

/* ---- JSON ---- */

static json_t *failure_json(const struct regress_case *c) {
  json_t *files = json_array();
  for (char **f = c->files; f != NULL && *f != NULL; f++)
    json_array_append_new(files, json_string(*f));
  json_t *o =
      json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:o}", "kind", c->failure.kind, "unit",
                c->failure.unit, "field", c->failure.field, "text", or_nothing(c->text), "command",
                or_nothing(c->result->command), "passed_again", (int)c->once, "files", files);
  if (c->small != NULL)
    json_object_set_new(o, "small", json_string(c->small));
  return o;
}

static json_t *goldens_json(const struct regress_report *r, size_t run) {
  const struct regress_goldens *g = &r->goldens;
  json_t *o = json_object();
  for (size_t m = 0; m < g->nmetrics; m++) {
    const double golden = g->golden[run * g->nmetrics + m], v = g->value[run * g->nmetrics + m];
    if (!isnan(v))
      json_object_set_new(o, g->metrics[m],
                          json_pack("{s:f, s:o}", "value", v, "golden",
                                    isnan(golden) ? json_null() : json_real(golden)));
  }
  return o;
}

bool regress_json(FILE *out, const struct regress_report *r) {
  json_t *runs = json_array(), *places = json_array();
  for (size_t i = 0; i < r->s->nruns; i++) {
    const struct regress_case *c = &r->cases[i];
    json_t *o = json_pack("{s:s, s:s, s:s, s:f}", "name", c->run->name, "kind",
                          experiment_kinds[c->run->settings.kind], "verdict",
                          regress_verdicts[c->verdict], "wall_s", c->result->wall_s);
    if (regress_bad(c))
      json_object_set_new(o, "failure", failure_json(c));
    if (r->goldens.path != NULL && c->run->settings.kind == EXPERIMENT_LAUNCH)
      json_object_set_new(o, "goldens", goldens_json(r, i));
    json_array_append_new(runs, o);
  }
  for (size_t i = 0; i < r->ngroups; i++)
    json_array_append_new(places, json_pack("{s:I, s:s, s:o}", "runs", (json_int_t)r->groups[i].n,
                                            "first", r->groups[i].first->run->name, "failure",
                                            failure_json(r->groups[i].first)));
  json_t *counts = json_object();
  for (size_t i = 0; i < REGRESS_VERDICTS; i++)
    json_object_set_new(counts, regress_verdicts[i], json_integer((json_int_t)r->counts[i]));
  json_t *o =
      json_pack("{s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:o}", "suite", r->s->name, "title",
                r->s->title, "revision", r->revision->text, "clean", (int)r->revision->clean,
                "host", r->revision->host, "counts", counts, "groups", places, "runs", runs);
  const bool good =
      json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
