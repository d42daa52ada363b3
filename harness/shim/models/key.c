/* The sources of a model, and its key. */
#include <errno.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/generate/generate.h"
#include "csim/util/files.h"
#include "harness/shim/models/local.h"

static bool is_source(const char *path) {
  const char *dot = strrchr(path, '.');
  return strcmp(dot, ".txt") != 0; /* CMakeLists.txt */
}

/* The names and texts of the sources that a pattern below the root names. */
static int hash_files(struct hash *h, const char *sources, struct tandem_error *err) {
  char pattern[MODELS_PATH];
  glob_t files;
  int status = 0;
  snprintf(pattern, sizeof pattern, "%s/%s", models_root(), sources);
  if (glob(pattern, 0, NULL, &files) != 0)
    return tandem_fail(
        err, -ENOENT,
        "a model has to be made of Tandem's sources, and %s has no %s: TANDEM_ROOT names "
        "their folder, that of an installed Tandem is share/tandem",
        *models_root() != '\0' ? models_root() : "this program", sources);
  for (size_t i = 0; status == 0 && i < files.gl_pathc; i++) {
    if (!is_source(files.gl_pathv[i]))
      continue;
    hash_text(h, strrchr(files.gl_pathv[i], '/'));
    status = files_hash(h, files.gl_pathv[i], err);
  }
  globfree(&files);
  return status;
}

static int hash_generated(const char *name, const char *text, void *h, struct tandem_error *err) {
  (void)err;
  hash_text(h, name);
  hash_text(h, text);
  return 0;
}

/* The shim, with what it includes, and the compiler's flags: of all models the same, so once. */
static int hash_shim(struct hash *h, struct tandem_error *err) {
  static const char *const used[] = {"harness/shim/*.*", "csim/ports/*.*", "csim/ports/*/*.def",
                                     "rtl/*/*_model.*"};
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static char of[MODELS_PATH], key[HASH_KEY];
  int status = 0;
  pthread_mutex_lock(&lock);
  if (strcmp(of, models_root()) != 0) {
    struct hash own;
    struct words flags = {0};
    hash_start(&own);
    for (size_t i = 0; status == 0 && i < sizeof used / sizeof used[0]; i++)
      status = hash_files(&own, used[i], err);
    if (status == 0)
      status = ports_generate(models_root(), hash_generated, &own, err);
    recipe_compile(&flags);
    for (size_t i = 0; i < flags.n; i++)
      hash_text(&own, flags.word[i]);
    words_free(&flags);
    hash_end(&own, key);
    if (status == 0)
      snprintf(of, sizeof of, "%s", models_root());
  }
  if (status == 0)
    hash_text(h, key);
  pthread_mutex_unlock(&lock);
  return status;
}

static void hash_words(struct hash *h, const struct words *w) {
  for (size_t i = 0; i < w->n; i++)
    hash_text(h, w->word[i]);
  hash_text(h, "");
}

/* Both keys: without the tools, and with them. */
static void end(struct hash *h, char key[HASH_KEY], char shipped[HASH_KEY]) {
  hash_end(h, shipped);
  tools_hash(h);
  hash_end(h, key);
}

/* The scripts that make a netlist. */
static int hash_synthesis(struct hash *h, struct tandem_error *err) {
  static const char *const scripts[] = {"netlist.sh", "gated_netlist.tcl", "clock_gating.tcl",
                                        "clock_gating.v", "clock_gate.v"};
  char path[MODELS_PATH];
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++) {
    snprintf(path, sizeof path, "%s/synth/flow/scripts/%s", models_root(), scripts[i]);
    TRY(files_hash(h, path, err));
  }
  return 0;
}

static int hash_recipe(struct hash *h, const struct recipe *r, struct tandem_error *err) {
  char path[MODELS_PATH];
  TRY(hash_shim(h, err));
  hash_text(h, r->name);
  hash_text(h, r->fast);
  hash_text(h, r->slow);
  hash_text(h, r->shim);
  hash_words(h, &r->options);
  hash_words(h, &r->definitions);
  for (size_t i = 0; i < r->vlt.n; i++) {
    snprintf(path, sizeof path, "%s/rtl/%s", models_root(), r->vlt.word[i]);
    TRY(files_hash(h, path, err));
  }
  return 0;
}

static void hash_sources(struct hash *h, const struct sources *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->file[i].read) {
      hash_text(h, s->file[i].shown);
      hash_text(h, s->file[i].text);
    }
}

/* The texts of the files that the spec names. */
static int read_given(struct model *m, struct tandem_error *err) {
  const enum { MOST = sizeof m->given / sizeof m->given[0] } most = MOST;
  for (const char *const *f = m->spec->files; f != NULL && *f != NULL; f++) {
    if (m->ngiven == most)
      return tandem_fail(err, -EINVAL, "a model is made of at most %d files", most);
    TRY(files_read(*f, &m->given[m->ngiven++], NULL, err));
  }
  return 0;
}

/* The unit's RTL, or what the files that stand for it instantiate; of a model that is covered both.
 */
static int read_sources(struct model *m, struct tandem_error *err) {
  const bool instead = m->ngiven != 0 && m->spec->kind != RTL_COVERED;
  if (!instead)
    TRY(sources_of_module(&m->sources, m->spec->unit, err));
  for (size_t i = 0; i < m->ngiven; i++)
    TRY(sources_of_text(&m->sources, m->given[i], err));
  return 0;
}

static int read_all(struct model *m, struct tandem_error *err) {
  struct hash h;
  TRY(recipe_of(m->spec, &m->recipe, err));
  TRY(sources_open(&m->sources, models_root(), m->spec->rtl, err));
  TRY(read_given(m, err));
  TRY(read_sources(m, err));
  for (size_t i = 0; i < m->sources.n; i++)
    m->own = m->own || (m->sources.file[i].read && m->sources.file[i].own);
  if (m->own) /* warnings about the user's RTL are shown (models.h), and end nothing */
    words_add(&m->recipe.options, "-Wno-fatal");
  hash_start(&h);
  TRY(hash_recipe(&h, &m->recipe, err));
  if (m->spec->kind == RTL_NETLIST && m->ngiven == 0)
    TRY(hash_synthesis(&h, err));
  hash_sources(&h, &m->sources);
  for (size_t i = 0; i < m->ngiven; i++)
    hash_text(&h, m->given[i]);
  end(&h, m->key, m->shipped);
  return 0;
}

int model_open(const struct rtl_spec *s, struct model *m, struct tandem_error *err) {
  *m = (struct model){.spec = s, .class = "Vmodel", .type = "rtl_type"};
  const int status = read_all(m, err);
  if (status != 0)
    model_close(m);
  return status;
}

void model_close(struct model *m) {
  for (size_t i = 0; i < m->ngiven; i++)
    free(m->given[i]);
  m->ngiven = 0;
  sources_close(&m->sources);
  recipe_free(&m->recipe);
}

int support_keys(const char *name, char key[HASH_KEY], char shipped[HASH_KEY],
                 struct tandem_error *err) {
  struct hash h;
  hash_start(&h);
  TRY(hash_shim(&h, err));
  hash_text(&h, name);
  end(&h, key, shipped);
  return 0;
}

int models_hardware(char key[HASH_KEY], struct tandem_error *err) {
  struct sources all;
  struct hash h;
  struct tandem_error none;
  key[0] = '\0';
  if (sources_open(&all, models_root(), NULL, &none) != 0)
    return 0;
  hash_start(&h);
  int status = hash_shim(&h, err);
  for (size_t i = 0; status == 0 && i < all.n; i++)
    status = files_hash(&h, all.file[i].path, err);
  sources_close(&all);
  tools_hash(&h);
  if (status == 0)
    hash_end(&h, key);
  return status;
}
