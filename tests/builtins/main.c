/* Compares the built-in functions of OpenCL C with a host oracle.  A line a case on standard
 * output, tabs between: group, name, type, variant, state, ulp allowed, ulp seen, failures, text.
 *
 *   builtins [--engine ENGINE] [--seed N] [--tuples N] [--only NAME[:TYPE]]... [--sample K]
 * [--share I/N] [--list]
 *
 * --only takes the beginning of names; --sample each K-th case, chosen by the seed; --share one of
 * N parts.  Exit status 1: a case was wrong or refused.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/builtins/run.h"
#include "tests/builtins/special.h"

enum { ONLY = 64 };
struct options {
  struct run_options run;
  const char *only[ONLY];
  unsigned nonly, sample, part, parts;
  bool list;
};

static bool parse(int argc, char **argv, struct options *o) {
  *o = (struct options){.run = {"ref", 1, 1536}, .sample = 1, .parts = 1};
  for (int i = 1; i < argc; i++) {
    const char *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(argv[i], "--list") == 0) {
      o->list = true;
      continue;
    }
    if (value == NULL)
      return false;
    if (strcmp(argv[i], "--engine") == 0)
      o->run.engine = value;
    else if (strcmp(argv[i], "--seed") == 0)
      o->run.seed = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--tuples") == 0)
      o->run.tuples = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--sample") == 0)
      o->sample = (unsigned)strtoul(value, NULL, 10);
    else if (strcmp(argv[i], "--only") == 0 && o->nonly < ONLY)
      o->only[o->nonly++] = value;
    else if (strcmp(argv[i], "--share") != 0 || sscanf(value, "%u/%u", &o->part, &o->parts) != 2)
      return false;
    i++;
  }
  return o->sample > 0 && o->parts > 0 && o->run.tuples > 0 && o->run.tuples % 1536 == 0;
}

static bool chosen(const struct options *o, const struct builtin_case *c, size_t number) {
  char text[120];
  snprintf(text, sizeof text, "%s:%s", c->name, c->variant);
  bool named = o->nonly == 0;
  for (unsigned k = 0; k < o->nonly; k++)
    named = named || fnmatch(o->only[k], text, 0) == 0 || fnmatch(o->only[k], c->name, 0) == 0;
  const uint64_t hash =
      (number * 0x9e3779b97f4a7c15ULL + o->run.seed * 0xbf58476d1ce4e5b9ULL) >> 32;
  return named && hash % o->sample == 0;
}

/* Roughly the instructions of a case; a program of ours has at most so many. */
static unsigned weight(const struct builtin_case *c) {
  const bool big = strcmp(c->group, "math") == 0 && c->allowed > 0;
  return c->width * (big ? strcmp(c->type, "double") == 0 ? 30 : 12 : 2);
}

static void print(const struct builtin_case *c, const struct run_result *r) {
  static const char *const states[] = {"right", "wrong", "refused"};
  printf("%s\t%s\t%s\t%s\t%s\t%g\t%.3f\t%zu\t%s\n", c->group, c->name, c->type, c->variant,
         states[r->state], c->allowed, r->worst, r->wrong, r->text);
}

int main(int argc, char **argv) {
  enum { PROGRAM = 480, MOST = 120 };
  struct options o;
  struct cases all = {0};
  if (!parse(argc, argv, &o)) {
    fputs("builtins: see the comment of tests/builtins/main.c for its options\n", stderr);
    return 2;
  }
  all.seed = o.run.seed;
  cases_of_table(&all);
  cases_of_special(&all);
  cases_of_conversions(&all);
  cases_of_memory(&all);
  cases_of_groups(&all);
  cases_of_shuffles(&all);
  cases_of_work_items(&all);
  size_t n = 0, bad = 0;
  for (size_t i = 0; i < all.n; i++)
    if (chosen(&o, &all.list[i], i))
      all.list[n++] = all.list[i];
  size_t program = 0;
  for (size_t first = 0, end; first < n; first = end) {
    unsigned sum = 0;
    for (end = first; end < n && end - first < MOST; end++)
      if ((sum += weight(&all.list[end])) > PROGRAM && end > first)
        break;
    if (program++ % o.parts != o.part)
      continue;
    struct run_result results[MOST];
    if (!o.list)
      run_cases(&o.run, all.list + first, end - first, results);
    for (size_t i = first; i < end; i++) {
      if (o.list) {
        printf("%s\t%s\n", all.list[i].name, all.list[i].variant);
        continue;
      }
      print(&all.list[i], &results[i - first]);
      bad += results[i - first].state != RIGHT;
    }
    fflush(stdout);
  }
  free(all.list);
  mpfr_free_cache();
  return bad > 0;
}
