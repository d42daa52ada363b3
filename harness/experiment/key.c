/* Keys of runs: hashes of all that determines their results.  A launch description counts
 * with itself, the files that it names, and what these include. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csim/util/expression.h"
#include "csim/util/files.h"
#include "csim/util/yaml_parameters.h"
#include "harness/experiment/suite.h"
#include "harness/tandem.h"

enum { PATH = 4096, DEEPEST = 16 };

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool ends(const char *text, const char *ending) {
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

/* The folder of a file joined with a name. */
static bool beside(const char *file, const char *name, size_t n, char *path) {
  const char *slash = strrchr(file, '/');
  const int folder = *name == '/' || slash == NULL ? 0 : (int)(slash + 1 - file);
  return snprintf(path, PATH, "%.*s%.*s", folder, file, (int)n, name) < PATH;
}

struct folders {
  char **at; /* of options -I */
  size_t n;
};

static int add_source(struct hash *h, const char *path, const struct folders *folders,
                      unsigned depth, struct tandem_error *err);

/* A file that a source includes, if it is there. */
static int add_included(struct hash *h, const char *source, const char *name, size_t n,
                        const struct folders *folders, unsigned depth, struct tandem_error *err) {
  char path[PATH];
  if (beside(source, name, n, path) && is_file(path))
    return add_source(h, path, folders, depth + 1, err);
  for (size_t i = 0; i < folders->n; i++)
    if (snprintf(path, sizeof path, "%s/%.*s", folders->at[i], (int)n, name) < PATH &&
        is_file(path))
      return add_source(h, path, folders, depth + 1, err);
  return 0;
}

static int add_source(struct hash *h, const char *path, const struct folders *folders,
                      unsigned depth, struct tandem_error *err) {
  char *text;
  int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  hash_text(h, text);
  for (const char *p = text; depth < DEEPEST && status == 0 && (p = strchr(p, '#')) != NULL;) {
    for (p++; *p == ' ' || *p == '\t'; p++)
      ;
    if (strncmp(p, "include", 7) != 0)
      continue;
    p += 7;
    p += strspn(p, " \t");
    const size_t n = *p == '"' || *p == '<' ? strcspn(p + 1, "\">\n") : 0;
    if (n != 0)
      status = add_included(h, path, p + 1, n, folders, depth, err);
  }
  free(text);
  return status;
}

/* The texts of the values of a launch description, as they are computed. */
static const char *text_of(struct yaml_file *f, size_t node) {
  const char *text;
  struct tandem_error unused;
  return yaml_text(f, &f->document.nodes.start[node], "", &text, &unused) == 0 ? text : NULL;
}

static size_t nodes_of(const struct yaml_file *f) {
  return (size_t)(f->document.nodes.top - f->document.nodes.start);
}

static int find_folders(struct yaml_file *f, const char *launch, struct folders *folders,
                        struct tandem_error *err) {
  folders->at = calloc(nodes_of(f) + 1, sizeof *folders->at);
  if (folders->at == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < nodes_of(f); i++) {
    const char *text = text_of(f, i);
    char path[PATH];
    if (text == NULL || strncmp(text, "-I", 2) != 0)
      continue;
    (void)beside(launch, text + 2, strlen(text + 2), path);
    folders->at[folders->n] = strdup(is_file(path) ? path : text + 2);
    if (folders->at[folders->n++] == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
  }
  return 0;
}

/* Every value that is the name of a file stands for its contents. */
static int add_files(struct hash *h, struct yaml_file *f, const char *launch,
                     struct tandem_error *err) {
  struct folders folders = {0};
  int status = find_folders(f, launch, &folders, err);
  for (size_t i = 0; status == 0 && i < nodes_of(f); i++) {
    const char *text = text_of(f, i);
    char path[PATH];
    if (text == NULL || *text == '\0' || !beside(launch, text, strlen(text), path) ||
        !is_file(path))
      continue;
    hash_text(h, text);
    status = ends(path, ".cl") || ends(path, ".h") ? add_source(h, path, &folders, 0, err)
                                                   : files_hash(h, path, err);
  }
  for (size_t i = 0; i < folders.n; i++)
    free(folders.at[i]);
  free(folders.at);
  return status;
}

static int add_launch(struct hash *h, const struct experiment_run *run, struct tandem_error *err) {
  struct yaml_parameter given[EXPERIMENT_PAIRS], *list = NULL;
  const struct experiment_pairs *params = &run->settings.params;
  struct yaml_file f;
  size_t n = 0;
  int status = files_hash(h, run->launch, err);
  if (status == 0)
    status = yaml_open(&f, run->launch, err);
  if (status != 0)
    return status;
  for (size_t i = 0; status == 0 && i < params->n; i++) {
    given[i].name = params->at[i].name;
    status = expression_whole(params->at[i].value, NULL, &given[i].value, err);
  }
  yaml_node_t *root = yaml_root(&f);
  if (status == 0 && root == NULL)
    status = yaml_fail(&f, NULL, err, "the launch description is empty");
  if (status == 0)
    status =
        yaml_parameters(&f, yaml_get(&f, root, "parameters"), given, params->n, &list, &n, err);
  free(list);
  if (status == 0)
    status = add_files(h, &f, run->launch, err);
  yaml_close(&f);
  return status;
}

static int by_name(const void *a, const void *b) {
  const struct experiment_pair *x = a, *y = b;
  return strcmp(x->name, y->name);
}

/* In an order of its own, so that the suite's does not matter. */
static void add_pairs(struct hash *h, const struct experiment_pairs *pairs) {
  struct experiment_pairs sorted = *pairs;
  qsort(sorted.at, sorted.n, sizeof sorted.at[0], by_name);
  for (size_t i = 0; i < sorted.n; i++) {
    hash_text(h, sorted.at[i].name);
    hash_text(h, sorted.at[i].value);
  }
  hash_text(h, "");
}

static int make_key(struct experiment_suite *s, struct experiment_run *run,
                    const struct hash *program, struct tandem_error *err) {
  struct hash h = *program;
  struct tandem_error why;
  yaml_node_t *at = run->settings.launch;
  hash_text(&h, run->settings.engine != NULL ? run->settings.engine : "");
  add_pairs(&h, &run->settings.params);
  add_pairs(&h, &run->settings.set);
  int status = add_launch(&h, run, &why);
  if (status == 0 && run->config != NULL) {
    at = run->settings.config;
    status = files_hash(&h, run->config, &why);
  }
  if (status != 0)
    return yaml_fail(&s->file, at, err, "run %s: %s", run->name, why.text);
  hash_end(&h, run->key);
  return 0;
}

int experiment_keys(struct experiment_suite *s, const char *program, const char *hardware,
                    struct tandem_error *err) {
  struct hash h;
  hash_start(&h);
  hash_text(&h, tandem_version());
  hash_text(&h, hardware);
  int status = files_hash(&h, program, err);
  for (size_t i = 0; status == 0 && i < s->nruns; i++)
    status = make_key(s, &s->runs[i], &h, err);
  return status;
}
