/* The RTL that a model is made of. */
#include "harness/shim/models/sources.h"

#include <ctype.h>
#include <errno.h>
#include <fts.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"

static struct source *find(const struct sources *s, const char *name, size_t n) {
  for (size_t i = 0; i < s->n; i++)
    if (s->file[i].length == n && memcmp(s->file[i].name, name, n) == 0)
      return &s->file[i];
  return NULL;
}

/* Notes a file by the first n bytes of its name. */
static int note(struct sources *s, const char *path, const char *shown, const char *base, size_t n,
                bool own, struct tandem_error *err) {
  if (s->n == s->room) {
    const size_t room = s->room != 0 ? 2 * s->room : 128;
    struct source *more = realloc(s->file, room * sizeof *more);
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    s->file = more;
    s->room = room;
  }
  s->file[s->n++] = (struct source){.name = strndup(base, n),
                                    .length = n,
                                    .path = strdup(path),
                                    .shown = strdup(shown),
                                    .own = own};
  const struct source *f = &s->file[s->n - 1];
  return f->name != NULL && f->path != NULL && f->shown != NULL
             ? 0
             : tandem_fail(err, -ENOMEM, "out of memory");
}

static int by_name(const FTSENT **a, const FTSENT **b) {
  return strcmp((*a)->fts_name, (*b)->fts_name);
}

static int twice(const struct source *first, const char *path, struct tandem_error *err) {
  return tandem_fail(err, -EEXIST, "the folder of RTL has %s twice, as %s and %s: remove one",
                     first->name, first->path, path);
}

static int no_file(const char *path, struct tandem_error *err) {
  return tandem_fail(err, -EINVAL, "%s is to be RTL, and is no regular file", path);
}

static int note_found(struct sources *s, const FTSENT *f, size_t skip, bool own,
                      struct tandem_error *err) {
  enum { END = sizeof ".sv" - 1 };
  if (f->fts_info == FTS_DNR || f->fts_info == FTS_ERR || f->fts_info == FTS_NS)
    return tandem_fail(err, -f->fts_errno, "the folder of RTL %s: %s", f->fts_path,
                       strerror(f->fts_errno));
  if (f->fts_info == FTS_D || f->fts_info == FTS_DP || f->fts_namelen <= END ||
      strcmp(f->fts_name + f->fts_namelen - END, ".sv") != 0)
    return 0;
  if (f->fts_info != FTS_F)
    return no_file(f->fts_path, err);
  const size_t n = f->fts_namelen - END;
  const struct source *other = find(s, f->fts_name, n);
  if (other != NULL && other->own && own)
    return twice(other, f->fts_path, err);
  return other != NULL ? 0 : note(s, f->fts_path, f->fts_path + skip, f->fts_name, n, own, err);
}

/* Notes all .sv files of a folder and the folders in it, but hidden ones; what messages call them
 * leaves out the first `skip` bytes. */
static int note_folder(struct sources *s, const char *folder, size_t skip, bool own,
                       struct tandem_error *err) {
  char *const folders[] = {(char *)(uintptr_t)folder, NULL};
  FTS *tree = fts_open(folders, FTS_LOGICAL | FTS_NOCHDIR, by_name);
  int status = 0;
  if (tree == NULL)
    return tandem_fail(err, -errno, "the folder of RTL %s: %s", folder, strerror(errno));
  for (FTSENT *f; status == 0 && (f = fts_read(tree)) != NULL;)
    if (f->fts_level != FTS_ROOTLEVEL && f->fts_name[0] == '.')
      (void)fts_set(tree, f, FTS_SKIP);
    else
      status = note_found(s, f, skip, own, err);
  fts_close(tree);
  return status;
}

static int note_own(struct sources *s, const char *own, struct tandem_error *err) {
  struct stat st;
  if (stat(own, &st) != 0)
    return tandem_fail(err, -errno, "the folder of RTL %s: %s", own, strerror(errno));
  if (!S_ISDIR(st.st_mode))
    return tandem_fail(err, -ENOTDIR, "%s is no folder: RTL of your own is a folder of <module>.sv",
                       own);
  TRY(note_folder(s, own, 0, true, err));
  return s->n != 0
             ? 0
             : tandem_fail(
                   err, -ENOENT,
                   "the folder of RTL %s has no file <module>.sv, nor have the folders in it", own);
}

static int note_root(struct sources *s, const char *root, struct tandem_error *err) {
  char *folder = NULL;
  if (asprintf(&folder, "%s/rtl", root) < 0)
    return tandem_fail(err, -ENOMEM, "out of memory");
  const int status =
      access(folder, F_OK) == 0
          ? note_folder(s, folder, strlen(root) + 1, false, err)
          : tandem_fail(err, -ENOENT,
                        "a model has to be made of Tandem's sources, and %s has no rtl: "
                        "TANDEM_ROOT names their folder, that of an installed Tandem is "
                        "share/tandem",
                        *root != '\0' ? root : "this program");
  free(folder);
  return status;
}

int sources_open(struct sources *s, const char *root, const char *own, struct tandem_error *err) {
  *s = (struct sources){.own = own};
  int status = own != NULL ? note_own(s, own, err) : 0;
  if (status == 0 && root != NULL)
    status = note_root(s, root, err);
  if (status != 0)
    sources_close(s);
  return status;
}

/* Behind a comment or a string that begins at p; p: none does. */
static const char *skip(const char *p) {
  if (p[0] == '/' && p[1] == '/')
    return p + strcspn(p, "\n");
  if (p[0] == '/' && p[1] == '*') {
    const char *end = strstr(p + 2, "*/");
    return end != NULL ? end + 2 : p + strlen(p);
  }
  if (*p == '"') {
    for (p++; *p != '\0' && *p != '"'; p++)
      if (*p == '\\' && p[1] != '\0')
        p++;
    return *p == '"' ? p + 1 : p;
  }
  return p;
}

/* The file of a folder that `include names; NULL: there is none. */
static char *readable(const char *folder, size_t length, const char *name, size_t n) {
  char *path;
  if (asprintf(&path, "%.*s/%.*s", (int)length, folder, (int)n, name) < 0)
    return NULL;
  if (access(path, R_OK) == 0)
    return path;
  free(path);
  return NULL;
}

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

/* Notes and reads a file for `include, whose path is freed. */
static int read_included(struct sources *s, char *path, struct tandem_error *err) {
  const char *base = strrchr(path, '/') + 1;
  const struct source *other = find(s, base, strlen(base));
  int status = 0;
  if (!is_file(path)) {
    status = no_file(path, err);
  } else if (other == NULL) {
    status = note(s, path, path, base, strlen(base), true, err);
    if (status == 0) {
      s->file[s->n - 1].include = true;
      status = sources_of_module(s, base, err);
    }
  } else if (strcmp(other->path, path) != 0) {
    status = twice(other, path, err);
  }
  free(path);
  return status;
}

/* Reads what `include names at p, if it is beside the file `by`, or in the user's folder; else
 * Verilator says so. */
static int include(struct sources *s, const char *by, const char *p, struct tandem_error *err) {
  const char *name = strchr(p, '"'), *line = strchr(p, '\n');
  const size_t n = name != NULL ? strcspn(name + 1, "\"\n") : 0;
  if (s->own == NULL || name == NULL || (line != NULL && name > line))
    return 0;
  if (memchr(name + 1, '/', n) != NULL) { /* Verilator reads it (reads.c), and would wait */
    char *whole = strndup(name + 1, n);
    const int status = whole == NULL || is_file(whole) ? 0 : no_file(whole, err);
    free(whole);
    return status;
  }
  char *path = by != NULL ? readable(by, (size_t)(strrchr(by, '/') - by), name + 1, n) : NULL;
  if (path == NULL)
    path = readable(s->own, strlen(s->own), name + 1, n);
  return path != NULL ? read_included(s, path, err) : 0;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Marks what a text names; `by`: the user's file that it is. */
static int read_names(struct sources *s, const char *text, const char *by,
                      struct tandem_error *err) {
  for (const char *p = text; *p != '\0';) {
    const char *behind = skip(p);
    if (behind != p) {
      p = behind;
      continue;
    }
    if (*p == '`' && strncmp(p, "`include", 8) == 0)
      TRY(include(s, by, p, err));
    size_t n = 0;
    while (is_word(p[n]))
      n++;
    const struct source *f = n != 0 ? find(s, p, n) : NULL;
    if (*p == '`' && strncmp(p, "`FAULT(", 7) == 0) /* a macro of the package */
      f = find(s, "tandem_pkg", 10);
    if (f != NULL && !f->read)
      TRY(sources_of_module(s, f->name, err));
    p += n != 0 ? n : 1;
  }
  return 0;
}

int sources_of_text(struct sources *s, const char *text, struct tandem_error *err) {
  return read_names(s, text, NULL, err);
}

/* True if the text's first word, behind comments, is `package`. */
static bool is_package(const char *text) {
  for (const char *p = text; *p != '\0';) {
    const char *behind = skip(p);
    if (behind == p && !isspace((unsigned char)*p))
      return strncmp(p, "package", 7) == 0 && !is_word(p[7]);
    p = behind != p ? behind : p + 1;
  }
  return false;
}

int sources_of_module(struct sources *s, const char *module, struct tandem_error *err) {
  struct source *f = find(s, module, strlen(module));
  if (f == NULL)
    return tandem_fail(err, -ENOENT, "there is no RTL of %s: no file %s.sv", module, module);
  f->read = true;
  const int unread = files_read(f->path, &f->text, NULL, err);
  if (unread != 0)
    return unread;
  f->package = !f->include && is_package(f->text);
  const size_t i = (size_t)(f - s->file); /* the array may move */
  const int status = read_names(s, f->text, f->own ? f->path : NULL, err);
  s->file[i].order = s->ordered++;
  return status;
}

void sources_close(struct sources *s) {
  for (size_t i = 0; i < s->n; i++) {
    free(s->file[i].name);
    free(s->file[i].path);
    free(s->file[i].shown);
    free(s->file[i].text);
  }
  free(s->file);
  *s = (struct sources){0};
}
