/* Keys of runs: hashes of all that determines their results.  A launch description counts with
 * itself, the files that it names, and what clang reads for its program. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csim/isa/opencl/opencl.h"
#include "csim/util/expression.h"
#include "csim/util/files.h"
#include "harness/experiment/runner.h"
#include "harness/job/inputs.h"
#include "harness/tandem.h"

/* A key of a part of a run, which many runs have: computed once. */
struct part {
  char *name;
  char key[HASH_KEY];
};

struct keys {
  struct experiment_suite *s;
  struct experiment_places places;
  void *parts; /* a tree of struct part, by tsearch */
  struct hash program;
  char compiler[HASH_KEY]; /* of clang and libclc; "": not computed yet */
};

static int by_name(const void *a, const void *b) {
  const struct part *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static void free_part(void *part) {
  free(((struct part *)part)->name);
  free(part);
}

/* The part of a name, which is freed or the part's from now on; key "": it is new.  NULL: out of
 * memory. */
static struct part *find_part(struct keys *k, char *name, struct tandem_error *err) {
  struct part *new = calloc(1, sizeof *new);
  struct part **found = NULL;
  if (new != NULL && name != NULL) {
    new->name = name;
    found = tsearch(new, &k->parts, by_name);
  }
  if (found != NULL && *found == new)
    return new;
  free(name);
  free(new);
  if (found == NULL)
    (void)tandem_fail(err, -ENOMEM, "out of memory");
  return found != NULL ? *found : NULL;
}

/* ---- a source ---- */

struct reading {
  struct keys *keys;
  struct hash *hash;
  struct tandem_error *err;
  int status;
};

static void add_input(void *user, const char *path) {
  struct reading *r = user;
  if (r->status == 0)
    r->status = files_hash(r->hash, path, r->err);
}

static void hash_words(struct hash *h, const char *const *words) {
  for (; *words != NULL; words++)
    hash_text(h, *words);
}

/* The compiler of sources, looked at once. */
static int add_compiler(struct keys *k, struct hash *to, struct tandem_error *err) {
  struct hash h;
  hash_start(&h);
  if (*k->compiler == '\0') {
    TRY(opencl_tools(&h, err));
    hash_end(&h, k->compiler);
  }
  hash_text(to, k->compiler);
  return 0;
}

/* A source with what it includes, and its compiler.  If clang finds fault with it, its message says
 * with what: the run fails with another one once that has changed. */
static int add_source(void *user, const char *path, const char *const *options,
                      struct tandem_error *err) {
  struct reading *outer = user;
  struct hash named, h;
  struct tandem_error why = {{0}};
  char key[HASH_KEY], *name = NULL;
  hash_start(&named);
  hash_words(&named, options);
  hash_end(&named, key);
  if (asprintf(&name, "%s\n%s", key, path) < 0)
    name = NULL;
  struct part *part = find_part(outer->keys, name, err);
  if (part == NULL)
    return -ENOMEM;
  if (*part->key == '\0') {
    hash_start(&h);
    TRY(add_compiler(outer->keys, &h, err));
    struct reading r = {outer->keys, &h, err, 0};
    const int status = opencl_inputs(path, options, add_input, &r, &why);
    if (status != 0 && status != -EINVAL)
      return tandem_fail(err, status, "%s", why.text);
    if (status != 0) {
      hash_text(&h, why.text);
      add_input(&r, path);
    }
    if (r.status != 0)
      return r.status;
    hash_end(&h, part->key);
  }
  hash_text(outer->hash, part->key);
  return 0;
}

/* ---- a launch description ---- */

static int add_file(void *user, const char *path, struct tandem_error *err) {
  const struct reading *r = user;
  return files_hash(r->hash, path, err);
}

/* Pipes are read once, and by nobody who only wants to know the key. */
static int check_file(const char *path, struct tandem_error *err) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)
             ? tandem_fail(err, -EINVAL,
                           "cannot read %s: it is a pipe or a device; copy it to a "
                           "file",
                           path)
             : 0;
}

/* In an order of its own, so that the suite's does not matter. */
static int pair_order(const void *a, const void *b) {
  const struct experiment_pair *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static void add_pairs(struct hash *h, const struct experiment_pairs *pairs) {
  struct experiment_pairs sorted = *pairs;
  qsort(sorted.at, sorted.n, sizeof sorted.at[0], pair_order);
  for (size_t i = 0; i < sorted.n; i++) {
    hash_text(h, sorted.at[i].name);
    hash_text(h, sorted.at[i].value);
  }
  hash_text(h, "");
}

/* A program, and the files that clang reads for it. */
static int read_program(struct reading *r, const char *path) {
  static const char *const no_options[] = {NULL};
  const char *dot = strrchr(path, '.');
  const bool source = dot != NULL && (strcmp(dot, ".cl") == 0 || strcmp(dot, ".cu") == 0);
  return source ? add_source(r, path, no_options, r->err) : add_file(r, path, r->err);
}

static int read_launch(struct keys *k, const struct experiment_run *run, struct hash *h,
                       struct tandem_error *err) {
  const struct experiment_pairs *params = &run->settings.params;
  struct tandem_parameter given[EXPERIMENT_PAIRS];
  struct reading r = {k, h, err, 0};
  const struct job_inputs inputs = {&r, add_file, add_source};
  int status = check_file(run->launch, err);
  if (status == 0)
    status = files_hash(h, run->launch, err);
  if (status == 0 && run->program)
    return read_program(&r, run->launch);
  for (size_t i = 0; status == 0 && i < params->n; i++) {
    given[i].name = params->at[i].name;
    status = expression_whole(params->at[i].value, NULL, &given[i].value, err);
  }
  return status != 0 ? status : job_inputs(run->launch, given, params->n, &inputs, err);
}

/* With these parameters. */
static int add_launch(struct keys *k, const struct experiment_run *run, struct hash *to,
                      struct tandem_error *err) {
  struct hash h;
  char key[HASH_KEY], *name = NULL;
  hash_start(&h);
  add_pairs(&h, &run->settings.params);
  hash_end(&h, key);
  if (asprintf(&name, "%s\n%s", key, run->launch) < 0)
    name = NULL;
  struct part *part = find_part(k, name, err);
  if (part == NULL)
    return -ENOMEM;
  if (*part->key == '\0') {
    const int status = read_launch(k, run, &h, err);
    if (status != 0)
      return status;
    hash_end(&h, part->key);
  }
  hash_text(to, part->key);
  return 0;
}

/* ---- a run ---- */

/* The launch of a program.  A launch description's kernel does not change its run. */
static void add_options(const struct experiment_run *run, struct hash *h) {
  const struct experiment_settings *s = &run->settings;
  const char *const words[] = {s->kernel, s->grid, s->block};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    hash_text(h, words[i] != NULL ? words[i] : "");
  for (size_t i = 0; i < s->nargs; i++)
    hash_text(h, s->args[i]);
  hash_text(h, "");
}

/* A GPU description: a file. */
static int add_description(const char *path, struct hash *h, struct tandem_error *err) {
  const int status = check_file(path, err);
  return status != 0 ? status : files_hash(h, path, err);
}

/* A program of the tests, which `path` below the build folder names, and the options of its run. */
static int add_test(struct keys *k, struct experiment_run *run, const char *path,
                    struct tandem_error *err) {
  struct experiment_places places = k->places;
  places.others = false;
  char **words = experiment_words(run, &places, NULL, "");
  struct hash h = k->program;
  char *file = NULL;
  int status = words != NULL && asprintf(&file, "%s/%s", k->places.build, path) >= 0
                   ? 0
                   : tandem_fail(err, -ENOMEM, "out of memory");
  hash_text(&h, experiment_kinds[run->settings.kind]);
  if (status == 0 && run->settings.kind == EXPERIMENT_RANDOM_CL)
    status = add_compiler(k, &h, err);
  for (size_t i = 1; status == 0 && words[i] != NULL; i++)
    hash_text(&h, words[i]);
  struct part *part = status == 0 && *path != '\0' ? find_part(k, strdup(file), err) : NULL;
  if (status == 0 && *path != '\0' && part == NULL)
    status = -ENOMEM;
  if (part != NULL && *part->key == '\0') {
    struct hash own;
    hash_start(&own);
    status = files_hash(&own, file, err);
    hash_end(&own, part->key);
  }
  if (part != NULL)
    hash_text(&h, part->key);
  free(file);
  experiment_words_free(words);
  hash_end(&h, run->key);
  return status;
}

/* A run that is no simulation of a launch. */
static int make_special_key(struct keys *k, struct experiment_run *run, struct tandem_error *err) {
  char path[256] = "", name[EXPERIMENT_TEST];
  struct tandem_error why;
  if (experiment_test(run, name))
    snprintf(path, sizeof path, "tests/%s/%s",
             run->settings.kind == EXPERIMENT_RANDOM ? "random" : "unit", name);
  if (add_test(k, run, path, &why) == 0)
    return 0;
  char unknown[900];
  if (run->settings.special.unit != NULL &&
      experiment_no_unit(run->settings.special.unit, unknown, sizeof unknown))
    return yaml_fail(&k->s->file, run->from, err, "run %s: %s", run->name, unknown);
  return yaml_fail(&k->s->file, run->from, err,
                   "run %s: %s; `./tandem regress` in a clone builds the tests", run->name,
                   why.text);
}

static int make_key(struct keys *k, struct experiment_run *run, struct tandem_error *err) {
  if (run->settings.kind != EXPERIMENT_LAUNCH)
    return make_special_key(k, run, err);
  struct hash h = k->program;
  struct tandem_error why;
  yaml_node_t *at = run->settings.launch;
  hash_text(&h, run->settings.engine != NULL ? run->settings.engine : "");
  add_pairs(&h, &run->settings.set);
  if (run->program)
    add_options(run, &h);
  int status = add_launch(k, run, &h, &why);
  hash_text(&h, run->base != NULL ? run->base : "");
  if (status == 0 && run->base != NULL && config_is_path(run->base)) {
    at = run->settings.base;
    status = add_description(run->base, &h, &why);
  }
  if (status == 0 && run->config != NULL) {
    at = run->settings.config;
    status = add_description(run->config, &h, &why);
  }
  if (status != 0)
    return yaml_fail(&k->s->file, at, err, "run %s: %s", run->name, why.text);
  hash_end(&h, run->key);
  return 0;
}

int experiment_equal_runs(struct experiment_suite *s, struct tandem_error *err) {
  struct name *keys = calloc(s->nruns + 1, sizeof *keys);
  if (keys == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < s->nruns; i++)
    keys[i] = (struct name){s->runs[i].key, i};
  names_sort(keys, s->nruns);
  for (size_t i = 0; i < s->nruns; i++)
    s->runs[i].result = names_find(keys, s->nruns, s->runs[i].key);
  free(keys);
  return 0;
}

/* The key of a run that is not chosen, and lacks what it would need: no result has it. */
static void no_key(const struct keys *k, struct experiment_run *run) {
  struct hash h = k->program;
  hash_text(&h, run->name);
  hash_end(&h, run->key);
}

int experiment_keys(struct experiment_suite *s, const struct experiment_places *places,
                    const char *hardware, const bool *chosen, struct tandem_error *err) {
  struct keys k = {.s = s, .places = *places};
  hash_start(&k.program);
  hash_text(&k.program, tandem_version());
  hash_text(&k.program, hardware);
  int status = files_hash(&k.program, places->program, err);
  for (size_t i = 0; status == 0 && i < s->nruns; i++)
    if ((status = make_key(&k, &s->runs[i], err)) != 0 && chosen != NULL && !chosen[i]) {
      no_key(&k, &s->runs[i]);
      status = 0;
    }
  tdestroy(k.parts, free_part);
  return status != 0 ? status : experiment_equal_runs(s, err);
}
