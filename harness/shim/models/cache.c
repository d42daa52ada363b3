/* The cache of models: finding, making under a lock, loading. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/shim/models/linked.h"
#include "harness/shim/models/loader.h"
#include "harness/shim/models/local.h"

/* ---- what is loaded ---- */

struct loaded {
  struct loaded *next;
  char *path, *rtl, *sources;  /* the modules that it has of the folder rtl, each between commas */
  const struct rtl_type *type; /* NULL: of a support */
};
static struct loaded *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The user's modules that a model reads. */
static char *own_sources(const struct sources *s) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; out != NULL && i < s->n; i++)
    if (s->file[i].read && s->file[i].own)
      fprintf(out, ",%s,", s->file[i].name);
  if (out != NULL)
    fclose(out);
  return text;
}

/* With the lock held. */
static struct loaded *find(const char *path) {
  struct loaded *l = all;
  while (l != NULL && strcmp(l->path, path) != 0)
    l = l->next;
  return l;
}

/* Loads a file: 0, or -ENOEXEC if it is damaged. */
static int load(const char *path, bool support, const struct model *m, const struct rtl_type **type,
                struct tandem_error *err) {
  int status = 0;
  pthread_mutex_lock(&lock);
  struct loaded *l = find(path);
  if (l == NULL && !file_whole(path))
    status = tandem_fail(err, -ENOEXEC, "%s is damaged", path);
  const struct rtl_type *found = NULL;
  if (l == NULL && status == 0)
    status = loader_open(path, support ? NULL : &found, err);
  if (l == NULL && status == 0 && (l = calloc(1, sizeof *l)) != NULL) {
    l->path = strdup(path);
    l->type = found;
    l->rtl = m != NULL && m->spec->rtl != NULL ? strdup(m->spec->rtl) : NULL;
    l->sources = m != NULL ? own_sources(&m->sources) : NULL;
    l->next = all;
    if (l->path != NULL)
      all = l;
  }
  if (type != NULL)
    *type = l != NULL ? l->type : NULL;
  pthread_mutex_unlock(&lock);
  if (status == 0 && l == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory for a model");
  return status;
}

bool cache_has_unit(const struct rtl_spec *s) {
  bool has = false;
  pthread_mutex_lock(&lock);
  for (const struct loaded *l = all; l != NULL && !has; l = l->next)
    has = l->type != NULL && l->rtl != NULL && s->rtl != NULL && strcmp(l->rtl, s->rtl) == 0 &&
          strcmp(l->type->unit, s->unit) == 0;
  pthread_mutex_unlock(&lock);
  return has;
}

/* True if a model that was got with the folder has read the module. */
static bool is_read(const char *rtl, const char *module) {
  char name[300];
  bool read = false;
  snprintf(name, sizeof name, ",%s,", module);
  pthread_mutex_lock(&lock);
  for (const struct loaded *l = all; l != NULL && !read; l = l->next)
    read = l->rtl != NULL && strcmp(l->rtl, rtl) == 0 && strstr(l->sources, name) != NULL;
  pthread_mutex_unlock(&lock);
  return read;
}

/* True if Tandem's own file of that module has the same text. */
static bool is_copy(const struct sources *ours, const struct source *f) {
  char *a = NULL, *b = NULL;
  size_t i = 0;
  while (i < ours->n && strcmp(ours->file[i].name, f->name) != 0)
    i++;
  const bool same = i < ours->n && files_read(f->path, &a, NULL, NULL) == 0 &&
                    files_read(ours->file[i].path, &b, NULL, NULL) == 0 && strcmp(a, b) == 0;
  free(a);
  free(b);
  return same;
}

size_t models_unread(const char *rtl, char **names) {
  struct sources s, ours;
  size_t n = 0, size;
  *names = NULL;
  if (sources_open(&s, NULL, rtl, NULL) != 0)
    return 0;
  (void)sources_open(&ours, models_root(), NULL, NULL);
  FILE *out = open_memstream(names, &size);
  for (size_t i = 0; out != NULL && i < s.n; i++)
    if (!is_read(rtl, s.file[i].name) && !is_copy(&ours, &s.file[i]))
      fprintf(out, "%s%s", n++ != 0 ? ", " : "", s.file[i].path);
  if (out != NULL)
    fclose(out);
  sources_close(&ours);
  sources_close(&s);
  return n;
}

/* ---- a file of the cache ---- */

/* Something that is made as a file: a model, a support, or headers, which are not loaded. */
struct item {
  const char *name;
  const char *key, *shipped;
  const struct model *model; /* NULL: it is a support or headers */
  bool headers;
  unsigned number;          /* of support or headers */
  char *supports[SUPPORTS]; /* paths of those that it needs */
};

static int obtain(struct item *it, char **path, const struct rtl_type **type,
                  struct tandem_error *err);

static int obtain_headers(enum recipe_headers n, char **path, struct tandem_error *err) {
  char key[HASH_KEY], shipped[HASH_KEY], text[100];
  snprintf(text, sizeof text, "%s %s", headers_names[n], headers_flags[n]);
  TRY(support_keys(text, key, shipped, err));
  struct item it = {
      .name = headers_names[n], .key = key, .shipped = shipped, .headers = true, .number = n};
  return obtain(&it, path, NULL, err);
}

static int make_model(struct item *it, char **to, struct tandem_error *err) {
  const struct recipe *r = &it->model->recipe;
  char *headers[HEADERS] = {NULL};
  int status = 0;
  for (unsigned i = 0; i < HEADERS && status == 0 && it->model->spec->kind != RTL_PLAIN; i++)
    if (strcmp(r->fast, headers_flags[i]) == 0 ||
        (!r->whole && strcmp(r->slow, headers_flags[i]) == 0))
      status = obtain_headers(i, &headers[i], err);
  if (status == 0)
    status = model_make(it->model, it->supports, headers, to, err);
  for (unsigned i = 0; i < HEADERS; i++)
    free(headers[i]);
  return status;
}

static int make(struct item *it, char **to, struct tandem_error *err) {
  return it->headers         ? headers_make(it->number, *to, err)
         : it->model == NULL ? support_make(it->number, it->name, it->supports, *to, err)
                             : make_model(it, to, err);
}

/* The file of the cache that an item has now, by the file of its key. */
static int current(const struct item *it, const char *keyed, char **path,
                   struct tandem_error *err) {
  char key[HASH_KEY];
  snprintf(key, sizeof key, "%s", it->key);
  if (it->model != NULL)
    TRY(reads_key(keyed, it->key, key, err));
  const size_t tail = strlen(key) + strlen(".so");
  return asprintf(path, "%.*s%s.so", (int)(strlen(keyed) - tail), keyed, key) >= 0
             ? 0
             : tandem_fail(err, -ENOMEM, "out of memory");
}

static void lock_name(const char *path, char file[MODELS_PATH]) {
  snprintf(file, MODELS_PATH, "%.*s.lock", (int)(strlen(path) - strlen(".so")), path);
}

/* Opens and locks a file beside the model's; it goes with the lock, and with a signal that ends
 * this process.  A negative errno if not. */
static int open_lock(const char *path, const char *name, struct tandem_error *err) {
  char file[MODELS_PATH];
  lock_name(path, file);
  const int fd = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0)
    return tandem_fail(err, -errno,
                       "the model %s has to be made, and the cache cannot be written: %s: %s "
                       "(XDG_CACHE_HOME names another folder)",
                       name, file, strerror(errno));
  bool waits = false;
  while (flock(fd, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR && errno != EWOULDBLOCK) {
      const int status = tandem_fail(err, -errno, "cannot lock %s: %s", file, strerror(errno));
      close(fd);
      return status;
    }
    if (!waits)
      models_progress("waiting for another process that makes the model %s", name);
    waits = true;
  }
  if (waits)
    models_progress(NULL);
  scratch_add(file);
  return fd;
}

static void close_lock(const char *path, int fd) {
  char file[MODELS_PATH];
  lock_name(path, file);
  (void)unlink(file);
  scratch_gone(file);
  close(fd);
}

/* The item as the cache's file, made unless it is there; `damaged`: the one that is there is not
 * good.  Whoever holds the lock looks again.  *path gets the file, whose lock is that of its key.
 */
static int make_locked(struct item *it, const char *keyed, bool damaged, char **path,
                       struct tandem_error *err) {
  const int fd = open_lock(keyed, it->name, err);
  if (fd < 0)
    return fd;
  free(*path);
  *path = NULL;
  int status = current(it, keyed, path, err);
  if (status == 0 && damaged && !file_whole(*path))
    scratch_remove(*path);
  if (status == 0 && access(*path, F_OK) != 0) {
    if (!it->headers)
      models_progress("making the model %s", it->name);
    free(*path);
    *path = strdup(keyed);
    status = *path != NULL ? make(it, path, err) : tandem_fail(err, -ENOMEM, "out of memory");
    if (!it->headers)
      models_progress(NULL);
  }
  close_lock(keyed, fd);
  return status;
}

static char *path_of(const char *folder, const struct item *it, const char *key) {
  char *path = NULL;
  return asprintf(&path, "%s/%s.%s.so", folder, it->name, key) < 0 ? NULL : path;
}

static int load_item(const struct item *it, const char *path, const struct rtl_type **type,
                     struct tandem_error *err) {
  if (it->headers)
    return file_whole(path) ? 0 : tandem_fail(err, -ENOEXEC, "%s is damaged", path);
  return load(path, it->model == NULL, it->model, type, err);
}

/* The same in the cache, by the file of its key. */
static int obtain_cached(struct item *it, const char *keyed, char **path,
                         const struct rtl_type **type, struct tandem_error *err) {
  TRY(current(it, keyed, path, err));
  int status = -ENOENT;
  for (unsigned tries = 0; tries < 2 && status != 0; tries++) {
    if (tries != 0 || access(*path, R_OK) != 0) {
      char *made = models_cache_made(err);
      status = made != NULL ? make_locked(it, keyed, tries != 0, path, err) : -ENOENT;
      free(made);
      if (status != 0)
        return status;
    }
    status = load_item(it, *path, type, err);
    if (status != -ENOEXEC)
      break;
  }
  if (status == 0) { /* the last use, by which the cache is pruned */
    (void)utimensat(AT_FDCWD, *path, NULL, 0);
    if (strcmp(*path, keyed) != 0)
      reads_used(keyed);
  }
  return status;
}

/* Finds or makes the item and loads it; *path gets its file. */
static int obtain(struct item *it, char **path, const struct rtl_type **type,
                  struct tandem_error *err) {
  const char *folder = models_shipped();
  *path = folder != NULL ? path_of(folder, it, it->shipped) : NULL;
  if (*path != NULL && access(*path, R_OK) == 0) {
    const int status = load_item(it, *path, type, err);
    if (status != -ENOEXEC) /* a damaged one is made anew, in the cache */
      return status;
  }
  free(*path);
  *path = NULL;
  char *cache = models_cache(err);
  if (cache == NULL)
    return -ENOENT;
  char *keyed = path_of(cache, it, it->key);
  free(cache);
  int status = keyed != NULL ? obtain_cached(it, keyed, path, type, err)
                             : tandem_fail(err, -ENOMEM, "out of memory");
  free(keyed);
  return status;
}

static int obtain_support(enum recipe_support s, char **path, char *runtime,
                          struct tandem_error *err) {
  char key[HASH_KEY], shipped[HASH_KEY];
  TRY(support_keys(support_names[s], key, shipped, err));
  struct item it = {.name = support_names[s], .key = key, .shipped = shipped, .number = s};
  it.supports[SUPPORT_RUNTIME] = runtime;
  return obtain(&it, path, NULL, err);
}

/* The model if it is linked into the program. */
static int find_linked(const struct rtl_spec *s, const struct rtl_type **type,
                       struct tandem_error *err) {
  struct recipe r;
  int status = recipe_of(s, &r, err);
  *type = NULL;
  if (status == 0 && s->rtl == NULL && s->files == NULL)
    for (const struct linked_model *l = models_linked; l->name != NULL; l++)
      if (strcmp(l->name, r.name) == 0)
        *type = l->type;
  if (status == 0 && *type == NULL && !loader_loads) {
    char have[400] = "";
    size_t n = 0;
    for (const struct linked_model *l = models_linked; l->name != NULL && n < sizeof have; l++)
      n += (size_t)snprintf(have + n, sizeof have - n, " %s", l->name);
    status =
        tandem_fail(err, -ENOSYS,
                    "this program loads no models, and %s%s is none of those that are linked in:%s",
                    r.name, s->rtl != NULL ? " with RTL of your own" : "", have);
  }
  if (status == 0)
    recipe_free(&r);
  return status;
}

/* A model is linked to the supports that it was made with, which an installed Tandem has by other
 * names than the cache: they are part of its key there. */
static void key_supports(struct model *m, char *const supports[SUPPORTS]) {
  struct hash h;
  hash_start(&h);
  hash_text(&h, m->key);
  for (unsigned i = 0; i < SUPPORTS; i++)
    hash_text(&h, supports[i] != NULL ? strrchr(supports[i], '/') : "");
  hash_end(&h, m->key);
}

static const struct rtl_type *obtain_model(const struct rtl_spec *s, struct tandem_error *err) {
  struct model m;
  const struct rtl_type *type = NULL;
  char *path = NULL;
  int status = find_linked(s, &type, err);
  if (status != 0 || type != NULL)
    return type;
  status = model_open(s, &m, err);
  if (status != 0)
    return NULL;
  struct item it = {.name = m.recipe.name, .key = m.key, .shipped = m.shipped, .model = &m};
  for (unsigned i = 0; status == 0 && i < SUPPORTS; i++)
    if (m.recipe.needs[i])
      status = obtain_support(i, &it.supports[i], it.supports[SUPPORT_RUNTIME], err);
  key_supports(&m, it.supports);
  if (status == 0)
    status = obtain(&it, &path, &type, err);
  for (unsigned i = 0; i < SUPPORTS; i++)
    free(it.supports[i]);
  free(path);
  model_close(&m);
  return status == 0 ? type : NULL;
}

/* ---- several at once ---- */

struct request {
  const struct rtl_spec *spec;
  const struct rtl_type *type;
  pthread_t thread;
  bool started;
  struct tandem_error err;
};

static void *obtain_one(void *argument) {
  struct request *r = argument;
  r->type = obtain_model(r->spec, &r->err);
  return NULL;
}

const struct rtl_type *models_get(const struct rtl_spec *s, struct tandem_error *err) {
  struct tandem_error ignored;
  return obtain_model(s, err != NULL ? err : &ignored);
}

int models_get_all(const struct rtl_spec *specs, size_t n, const struct rtl_type **types,
                   struct tandem_error *err) {
  struct request *r = calloc(n != 0 ? n : 1, sizeof *r);
  int status = 0;
  if (r == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < n; i++) {
    r[i].spec = &specs[i];
    r[i].started = i != 0 && pthread_create(&r[i].thread, NULL, obtain_one, &r[i]) == 0;
  }
  for (size_t i = 0; i < n; i++)
    if (!r[i].started)
      obtain_one(&r[i]);
  for (size_t i = 0; i < n; i++) {
    if (r[i].started)
      pthread_join(r[i].thread, NULL);
    types[i] = r[i].type;
    if (status == 0 && r[i].type == NULL) {
      status = -EINVAL;
      if (err != NULL)
        *err = r[i].err;
    }
  }
  free(r);
  return status;
}
