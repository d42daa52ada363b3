/* The runs of a suite: each entry of `runs:` with each combination of values of its axes, less
 * those that `exclude:` selects, and those of `include:`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"
#include "harness/job/inputs.h"

/* Runs of a suite; combinations of values that one entry may stand for. */
enum { MOST = 100000, MOST_COMBINED = 1000000 };

/* Returns true if a selection of an axis (a value or a list of values) has this value. */
static bool has(struct experiment_suite *s, yaml_node_t *node, const char *value) {
  const char *text;
  struct tandem_error unused;
  if (node->type != YAML_SEQUENCE_NODE)
    return yaml_text(&s->file, node, "", &text, &unused) == 0 && strcmp(text, value) == 0;
  for (size_t i = 0; i < yaml_count(node); i++)
    if (has(s, yaml_item(&s->file, node, i), value))
      return true;
  return false;
}

bool experiment_selects(struct experiment_suite *s, yaml_node_t *selection,
                        const struct experiment_run *run) {
  for (size_t i = 0; i < s->naxes && selection != NULL; i++) {
    yaml_node_t *node = yaml_get(&s->file, selection, s->axes[i].name);
    if (node != NULL && (run->at[i] == NULL || !has(s, node, run->at[i]->name)))
      return false;
  }
  return true;
}

/* "vecadd/16" */
static char *name_of(const struct experiment_suite *s, const struct experiment_run *run) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  for (size_t i = 0; i < s->naxes; i++)
    if (run->at[i] != NULL)
      fprintf(out, "%s%s", i != 0 ? "/" : "", run->at[i]->name);
  return fclose(out) == 0 ? text : NULL;
}

/* A path relative to the suite's file. */
static char *path_of(const struct experiment_suite *s, yaml_node_t *node) {
  const char *text;
  char *joined = NULL;
  if (yaml_text(&s->file, node, "", &text, NULL) != 0)
    return NULL;
  if (asprintf(&joined, "%s%s", *text != '/' ? s->folder : "", text) < 0)
    return NULL;
  char *real = realpath(joined, NULL); /* as short as it can be; a missing file is reported later */
  if (real != NULL)
    free(joined);
  return real != NULL ? real : joined;
}

/* The name of a GPU, or a path relative to the suite's file. */
static char *base_of(const struct experiment_suite *s, yaml_node_t *node) {
  const char *text;
  if (yaml_text(&s->file, node, "", &text, NULL) != 0)
    return NULL;
  return config_is_path(text) ? path_of(s, node) : strdup(text);
}

/* Returns true if a path is that of a launch description. */
static bool is_description(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static void add_run(struct suite_reader *r, const struct experiment_run *run) {
  struct experiment_suite *s = r->s;
  if (s->nruns == MOST) {
    suite_fail(r, run->from, "there are more than %d runs", MOST);
    return;
  }
  if ((s->nruns & (s->nruns - 1)) == 0) { /* powers of two are full */
    const size_t room = s->nruns != 0 ? 2 * s->nruns : 1;
    struct experiment_run *more = realloc(s->runs, room * sizeof *more);
    if (more == NULL) {
      r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
      return;
    }
    s->runs = more;
  }
  struct experiment_run *to = &s->runs[s->nruns++];
  *to = *run;
  to->name = name_of(s, to);
  to->launch = to->settings.launch != NULL ? path_of(s, to->settings.launch) : NULL;
  to->base = to->settings.base != NULL ? base_of(s, to->settings.base) : NULL;
  to->config = to->settings.config != NULL ? path_of(s, to->settings.config) : NULL;
  to->program =
      to->settings.kind == EXPERIMENT_LAUNCH && to->launch != NULL && !is_description(to->launch);
  if (to->name == NULL)
    r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
  else if (to->settings.kind < 0)
    suite_fail(r, to->from, "run %s has no launch description or program (launch:)", to->name);
  else if (experiment_has_seeds(to->settings.kind) && to->settings.seed == NULL)
    suite_fail(r, to->from, "run %s: random programs are entries of runs", to->name);
  else if (to->settings.kind != EXPERIMENT_LAUNCH)
    return;
  else if (!to->program &&
           (to->settings.grid != NULL || to->settings.block != NULL || to->settings.nargs != 0))
    suite_fail(r, to->from,
               "run %s: grid, block and args are for programs; a launch description has its own",
               to->name);
}

/* The axis of random programs' seeds; EXPERIMENT_AXES: there is none. */
static size_t seeds_axis(const struct experiment_suite *s) {
  return s->seeds != NULL ? experiment_axis(s, "seed") : EXPERIMENT_AXES;
}

/* All runs with one of the values that are chosen of each axis. */
struct product {
  const struct experiment_value *entry;   /* the run's value of the axis "run"; NULL: as chosen */
  yaml_node_t *chosen[EXPERIMENT_AXES];   /* a value or a list; NULL: all */
  bool without[EXPERIMENT_AXES];          /* the runs are not on this axis */
  size_t seeds;                           /* the axis of seeds; EXPERIMENT_AXES: there is none */
  yaml_node_t *exclude;                   /* selections that are left out, NULL: none */
  const struct experiment_settings *last; /* they win; NULL: none */
  size_t left;                            /* combinations that may follow, excluded ones too */
};

static void multiply(struct suite_reader *r, struct product *p, size_t axis,
                     const struct experiment_run *so_far) {
  struct experiment_suite *s = r->s;
  struct experiment_run run = *so_far;
  if (axis == s->naxes) {
    if (p->left-- == 0)
      suite_fail(r, run.from,
                 "it stands for more than %d combinations of values, excluded ones too",
                 MOST_COMBINED);
    for (size_t i = 0; p->exclude != NULL && i < yaml_count(p->exclude); i++)
      if (experiment_selects(s, yaml_item(&s->file, p->exclude, i), &run))
        return;
    if (p->last != NULL)
      experiment_add(&run.settings, p->last);
    if (r->status == 0)
      add_run(r, &run);
    return;
  }
  if (p->without[axis]) {
    multiply(r, p, axis + 1, so_far);
    return;
  }
  const struct experiment_value *v =
                                    axis == 0 && p->entry != NULL ? p->entry : s->axes[axis].values,
                                *end = v == p->entry ? v + 1 : v + s->axes[axis].n;
  for (; r->status == 0 && v < end; v++) {
    if (p->chosen[axis] != NULL && !has(s, p->chosen[axis], v->name))
      continue;
    if (axis == p->seeds && !experiment_has_seed(s, so_far->at[0], v->name))
      continue;
    run = *so_far;
    run.at[axis] = v;
    experiment_add(&run.settings, &v->settings);
    multiply(r, p, axis + 1, &run);
  }
}

/* The axes of an entry of `runs:`, if it names them: it is not on the others. */
static void read_over(struct suite_reader *r, yaml_node_t *list, struct product *p) {
  for (size_t i = 1; list != NULL && i < r->s->naxes; i++)
    p->without[i] = true;
  for (size_t i = 0; i < suite_count(r, list, "over"); i++)
    p->without[suite_axis(r, yaml_item(&r->s->file, list, i), "over")] = false;
}

/* An entry of `include:`: a value or several of each axis that its runs are on. */
static void include(struct suite_reader *r, yaml_node_t *map, struct experiment_run *start) {
  struct experiment_settings settings = {0};
  struct product p = {.last = &settings, .left = MOST_COMBINED, .seeds = seeds_axis(r->s)};
  experiment_check_names(r, map, experiment_setting_keys);
  experiment_settings(r, map, &settings);
  for (size_t i = 0; i < r->s->naxes; i++) {
    p.chosen[i] = suite_get(r, map, r->s->axes[i].name);
    p.without[i] = p.chosen[i] == NULL;
  }
  if (p.without[0])
    suite_fail(r, map, "what is included needs a run: of runs");
  start->from = map;
  if (r->status == 0)
    multiply(r, &p, 0, start);
}

/* By the values of the axes, in the order of their places in memory. */
static int by_values(const void *a, const void *b) {
  const struct experiment_run *const *x = a, *const *y = b;
  return memcmp((*x)->at, (*y)->at, sizeof(*x)->at);
}

const struct experiment_run *experiment_run_at(const struct experiment_suite *s,
                                               const struct experiment_run *wanted) {
  const struct experiment_run **found =
      bsearch(&wanted, s->order, s->nruns, sizeof *s->order, by_values);
  return found != NULL ? *found : NULL;
}

/* Puts the runs in order by values; each name is there once. */
static void sort_runs(struct suite_reader *r) {
  struct experiment_suite *s = r->s;
  struct name *names = suite_room(r, s->nruns, sizeof *names);
  s->order = suite_room(r, s->nruns, sizeof(struct experiment_run *));
  for (size_t i = 0; r->status == 0 && i < s->nruns; i++) {
    names[i] = (struct name){s->runs[i].name, i};
    s->order[i] = &s->runs[i];
  }
  if (r->status == 0) {
    names_sort(names, s->nruns);
    qsort(s->order, s->nruns, sizeof *s->order, by_values);
    const size_t twice = names_twice(names, s->nruns);
    if (twice != SIZE_MAX)
      suite_fail(r, s->runs[twice].from, "two runs are named %s", s->runs[twice].name);
  }
  free(names);
}

void experiment_make_runs(struct suite_reader *r, const struct experiment_settings *defaults) {
  struct experiment_suite *s = r->s;
  yaml_node_t *root = yaml_root(&s->file), *runs = suite_get(r, root, "runs"),
              *out = suite_get(r, root, "exclude"), *in = suite_get(r, root, "include");
  struct experiment_run start = {.settings = *defaults};
  for (size_t i = 0; i < suite_count(r, out, "exclude"); i++)
    (void)suite_selection(r, yaml_item(&s->file, out, i));
  for (size_t i = 0; r->status == 0 && i < s->axes[0].n; i++) {
    yaml_node_t *entry = yaml_item(&s->file, runs, i);
    struct product p = {.entry = &s->axes[0].values[i],
                        .exclude = out,
                        .left = MOST_COMBINED,
                        .seeds = seeds_axis(s)};
    read_over(r, suite_get(r, entry, "over"), &p);
    if (p.seeds != EXPERIMENT_AXES)
      p.without[p.seeds] = !experiment_has_seeds(p.entry->settings.kind);
    start.from = entry;
    if (r->status == 0)
      multiply(r, &p, 0, &start);
  }
  for (size_t i = 0; i < suite_count(r, in, "include"); i++)
    include(r, yaml_item(&s->file, in, i), &start);
  sort_runs(r);
}
