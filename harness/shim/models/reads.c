/* Files that Verilator has read beyond those of a model's key: what `include names outside the
 * folders of RTL, directly, by a macro or in such a file.  A list of them stands in the cache under
 * the model's key; their texts are part of the key by which the model itself is found. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/shim/models/local.h"

static void list_name(const char *path, char file[MODELS_PATH]) {
  snprintf(file, MODELS_PATH, "%.*s.reads", (int)(strlen(path) - strlen(".so")), path);
}

/* Adds a file's name and text; of one that is not there, or none, only the name. */
static int hash_file(struct hash *h, const char *path, struct tandem_error *err) {
  struct stat st;
  const bool there = stat(path, &st) == 0 && S_ISREG(st.st_mode);
  hash_text(h, path);
  hash_text(h, there ? "" : "-");
  return there ? files_hash(h, path, err) : 0;
}

/* The key of a model that has read the files of a list, a line each. */
static int key_of(const char *key, char *list, char with[HASH_KEY], struct tandem_error *err) {
  struct hash h;
  char *rest;
  hash_start(&h);
  hash_text(&h, key);
  for (char *line = strtok_r(list, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
    TRY(hash_file(&h, line, err));
  hash_end(&h, with);
  return 0;
}

int reads_key(const char *path, const char *key, char with[HASH_KEY], struct tandem_error *err) {
  char file[MODELS_PATH], *list;
  struct stat st;
  list_name(path, file);
  snprintf(with, HASH_KEY, "%s", key);
  if (stat(file, &st) != 0 || !S_ISREG(st.st_mode))
    return 0;
  TRY(files_read(file, &list, NULL, err));
  const int status = key_of(key, list, with, err);
  free(list);
  return status;
}

void reads_used(const char *path) {
  char file[MODELS_PATH];
  list_name(path, file);
  (void)utimensat(AT_FDCWD, file, NULL, 0);
}

/* True of files that the key has already: of the model's folder, with a relative name, under their
 * own names or given, Verilator itself and its configuration. */
static bool is_known(const struct model *m, const char *file) {
  const char *base = strrchr(file, '/');
  const size_t n = strlen(models_root()), length = strlen(file);
  bool given = false;
  for (const char *const *f = m->spec->files; f != NULL && *f != NULL; f++)
    given = given || strcmp(*f, file) == 0;
  for (size_t i = 0; i < m->sources.n && !given; i++)
    given = m->sources.file[i].read && strcmp(m->sources.file[i].path, file) == 0;
  return *file != '/' || given || strncmp(base, "/verilator_bin", 14) == 0 ||
         (strncmp(file, models_root(), n) == 0 && strncmp(file + n, "/rtl/", 5) == 0 &&
          strcmp(file + length - 4, ".vlt") == 0);
}

/* A line of Verilator's list, `S size inode times "file"` of a source: 0, or a negative errno. */
static int add_line(const struct model *m, char *line, const struct timespec *start, FILE *list,
                    struct tandem_error *err) {
  struct stat st;
  char *file = strchr(line, '"'), *end = strrchr(line, '"');
  if (file == NULL || end == file)
    return tandem_fail(err, -EINVAL, "Verilator has read a file whose name has a line's end");
  *end = '\0';
  if (is_known(m, ++file))
    return 0;
  if (stat(file, &st) == 0 &&
      (st.st_ctim.tv_sec > start->tv_sec ||
       (st.st_ctim.tv_sec == start->tv_sec && st.st_ctim.tv_nsec > start->tv_nsec)))
    return tandem_fail(err, -EAGAIN, "%s has changed while a model was made of it; start again",
                       file);
  fprintf(list, "%s\n", file);
  return 0;
}

/* The list of a model that was verilated in a folder, allocated; "": it has read nothing else. */
static int list_of(const struct model *m, const char *folder, const struct timespec *start,
                   char **list, struct tandem_error *err) {
  char path[MODELS_PATH], *text, *rest;
  size_t size;
  int status = 0;
  snprintf(path, sizeof path, "%s/%s__verFiles.dat", folder, m->class);
  TRY(files_read(path, &text, NULL, err));
  FILE *out = open_memstream(list, &size);
  for (char *line = strtok_r(text, "\n", &rest); out != NULL && status == 0 && line != NULL;
       line = strtok_r(NULL, "\n", &rest))
    if (strncmp(line, "S ", 2) == 0)
      status = add_line(m, line, start, out, err);
  free(text);
  if (out == NULL || fclose(out) != 0)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  return status;
}

int reads_note(const struct model *m, const char *folder, const struct timespec *start, char **to,
               struct tandem_error *err) {
  char file[MODELS_PATH], with[HASH_KEY], *list = NULL, *path = NULL;
  list_name(*to, file);
  int status = list_of(m, folder, start, &list, err);
  if (status == 0 && *list == '\0')
    (void)unlink(file);
  if (status != 0 || *list == '\0') {
    free(list);
    return status;
  }
  status = files_write(file, list, strlen(list), err);
  if (status == 0)
    status = key_of(m->key, list, with, err);
  free(list);
  const size_t tail = strlen(m->key) + strlen(".so");
  if (status == 0 && asprintf(&path, "%.*s%s.so", (int)(strlen(*to) - tail), *to, with) < 0)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  if (status != 0)
    return status;
  free(*to);
  *to = path;
  return 0;
}
