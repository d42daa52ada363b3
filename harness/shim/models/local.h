/* Inside of harness/shim/models. */
#ifndef TANDEM_MODELS_LOCAL_H
#define TANDEM_MODELS_LOCAL_H

#include <stdbool.h>

#include "csim/util/hash.h"
#include "harness/shim/models/models.h"
#include "harness/shim/models/recipe.h"
#include "harness/shim/models/sources.h"

enum { MODELS_PATH = 4096 };

/* ---- places.c ---- */

/* Tandem's sources; the folder of shipped models, NULL: none. */
const char *models_root(void);
const char *models_shipped(void);
/* The cache's folder, which need not be there; NULL: err has the reason. */
char *models_cache(struct tandem_error *err);
/* It, made if it is not there. */
char *models_cache_made(struct tandem_error *err);

/* ---- tools.c ---- */

/* Adds the path, size and date of each tool, which differ between versions. */
void tools_hash(struct hash *h);
/* The file of a folder with a line for each tool that ran there: its log's name, and its processor
 * seconds. */
extern const char models_made_by[];
/* A tool that runs in a folder, one of as many at a time as there are processors; its output goes
 * to the file `log` there. */
struct command {
  struct words words;
  const char *folder, *log;
  /* If it ends with an error: what refuses what, and the lines of its log that have this word. */
  char refuses[200];
  const char *complaint;
};
/* Begins with the program as PATH has it; of `c++` what CXX in the environment names.  0 or
 * -ENOENT, err says what to install. */
int command_open(struct command *c, const char *tool, const char *folder, const char *log,
                 struct tandem_error *err);
/* Runs it and frees its words: 0 or a negative errno; -ECHILD: it refuses its input. */
int command_run(struct command *c, struct tandem_error *err);

/* ---- listen.c ---- */

void models_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void models_warning(const char *text);

/* ---- key.c ---- */

/* A model that is wanted, with all that it is made of. */
struct model {
  const struct rtl_spec *spec;
  struct recipe recipe;
  struct sources sources;
  bool own;        /* it reads a file of the user's RTL; else it is the model without that */
  char *given[32]; /* the texts of spec->files */
  size_t ngiven;
  char key[HASH_KEY], shipped[HASH_KEY]; /* the latter without the tools */
  /* Names of the model's class and of what it exports, which differ where models are linked. */
  char class[40], type[40];
};
int model_open(const struct rtl_spec *s, struct model *m, struct tandem_error *err);
void model_close(struct model *m);
/* The keys of a support, or of headers. */
int support_keys(const char *name, char key[HASH_KEY], char shipped[HASH_KEY],
                 struct tandem_error *err);

/* ---- reads.c ---- */

/* The key of the model that stands in the cache under a key, `path` being the file of that key:
 * with the files of its list, if it has one. */
int reads_key(const char *path, const char *key, char with[HASH_KEY], struct tandem_error *err);
/* The list was used now. */
void reads_used(const char *path);
/* Writes the list of a model that was verilated in a folder from `start` on, beside the file *to of
 * its key, and puts the file of the key with it in its place.  A model without one keeps *to. */
int reads_note(const struct model *m, const char *folder, const struct timespec *start, char **to,
               struct tandem_error *err);

/* ---- make.c ---- */

/* Makes a model as the file *to, which appears complete, out of the supports that it needs, with
 * compiled headers where they are not NULL.  *to changes as reads_note says.  0 or a negative
 * errno.
 */
int model_make(const struct model *m, char *const supports[SUPPORTS], char *const headers[HEADERS],
               char **to, struct tandem_error *err);
int headers_make(enum recipe_headers h, const char *to, struct tandem_error *err);
int support_make(enum recipe_support s, const char *name, char *const supports[SUPPORTS],
                 const char *to, struct tandem_error *err);

/* ---- ports.c ---- */

/* Compares the ports of a verilated model, as its header declares them, with the unit's ports
 * table. 0 or -EINVAL, err names the first that differs. */
int ports_check(const struct model *m, const char *header, struct tandem_error *err);

/* ---- cache.c ---- */

/* True if a model of the same unit with the same RTL of the user is loaded: its boundary is known.
 */
bool cache_has_unit(const struct rtl_spec *s);

/* ---- file.c ---- */

/* Adds the lines of `made_by`, and that with which a whole file of the cache ends.  0 or a negative
 * errno. */
int file_seal(const char *path, const char *made_by, struct tandem_error *err);
/* The seconds that these lines give each stage. */
void file_seconds(const char *path, double seconds[MODEL_STAGES]);
/* Returns true if a file of the cache is whole, as its last line shows. */
bool file_whole(const char *path);

#endif
