/* The RTL that a model is made of. */
#include "harness/shim/models/sources.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"

static struct source *find(const struct sources *s, const char *name, size_t n) {
  for (size_t i = 0; i < s->n; i++)
    if (strncmp(s->file[i].name, name, n) == 0 && s->file[i].name[n] == '\0')
      return &s->file[i];
  return NULL;
}

/* Notes a file unless there is one of its name, of which n bytes count. */
static int note(struct sources *s, const char *path, const char *shown, const char *base, size_t n,
                bool own, struct tandem_error *err) {
  if (find(s, base, n) != NULL)
    return 0;
  if (s->n == s->room) {
    const size_t room = s->room != 0 ? 2 * s->room : 128;
    struct source *more = realloc(s->file, room * sizeof *more);
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    s->file = more;
    s->room = room;
  }
  s->file[s->n++] = (struct source){
      .name = strndup(base, n), .path = strdup(path), .shown = strdup(shown), .own = own};
  const struct source *f = &s->file[s->n - 1];
  return f->name != NULL && f->path != NULL && f->shown != NULL
             ? 0
             : tandem_fail(err, -ENOMEM, "out of memory");
}

/* All .sv files that a pattern names; what messages call them leaves out the first `skip` bytes. */
static int note_all(struct sources *s, const char *pattern, size_t skip, bool own,
                    struct tandem_error *err) {
  glob_t files;
  int status = 0;
  const int found = glob(pattern, 0, NULL, &files);
  if (found == GLOB_NOSPACE)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; found == 0 && status == 0 && i < files.gl_pathc; i++) {
    const char *path = files.gl_pathv[i], *base = strrchr(path, '/') + 1;
    status = note(s, path, path + skip, base, strcspn(base, "."), own, err);
  }
  if (found == 0)
    globfree(&files);
  return status;
}

/* A folder's name is no pattern. */
static char *pattern_of(const char *folder, const char *rest) {
  char *text = malloc(2 * strlen(folder) + strlen(rest) + 1), *to = text;
  for (const char *p = folder; text != NULL && *p != '\0'; *to++ = *p++)
    if (strchr("*?[\\", *p) != NULL)
      *to++ = '\\';
  if (text != NULL)
    strcpy(to, rest);
  return text;
}

static int open_folder(struct sources *s, const char *folder, const char *rest, size_t skip,
                       bool own, struct tandem_error *err) {
  char *pattern = pattern_of(folder, rest);
  const int status = pattern == NULL ? tandem_fail(err, -ENOMEM, "out of memory")
                                     : note_all(s, pattern, skip, own, err);
  free(pattern);
  return status;
}

/* Notes the user's files, then Tandem's. */
static int note_folders(struct sources *s, const char *root, const char *own,
                        struct tandem_error *err) {
  struct stat st;
  size_t of_root = 0;
  if (own != NULL && stat(own, &st) != 0)
    return tandem_fail(err, -errno, "the folder of RTL %s: %s", own, strerror(errno));
  if (own != NULL && !S_ISDIR(st.st_mode))
    return tandem_fail(err, -ENOTDIR, "%s is no folder: RTL of your own is a folder of <module>.sv",
                       own);
  if (own != NULL) {
    TRY(open_folder(s, own, "/*.sv", 0, true, err));
    if (s->n == 0)
      return tandem_fail(err, -ENOENT, "the folder of RTL %s has no file <module>.sv", own);
  }
  if (root == NULL)
    return 0;
  TRY(open_folder(s, root, "/rtl/*.sv", strlen(root) + 1, false, err));
  TRY(open_folder(s, root, "/rtl/*/*.sv", strlen(root) + 1, false, err));
  for (size_t i = 0; i < s->n; i++)
    of_root += !s->file[i].own;
  if (of_root == 0)
    return tandem_fail(err, -ENOENT,
                       "a model has to be made of Tandem's sources, and %s has no rtl: TANDEM_ROOT "
                       "names their folder, that of an installed Tandem is share/tandem",
                       *root != '\0' ? root : "this program");
  return 0;
}

int sources_open(struct sources *s, const char *root, const char *own, struct tandem_error *err) {
  *s = (struct sources){0};
  const int status = note_folders(s, root, own, err);
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

/* Reads the file that `include names at p, if the user's folder has it; else Verilator says so. */
static int include(struct sources *s, const char *p, struct tandem_error *err) {
  const char *name = strchr(p, '"'), *line = strchr(p, '\n');
  const size_t n = name != NULL ? strcspn(name + 1, "\"\n") : 0;
  const struct source *of = s->n != 0 && s->file[0].own ? &s->file[0] : NULL;
  char *path = NULL, *base = NULL;
  int status = 0;
  if (of == NULL || name == NULL || (line != NULL && name > line) ||
      memchr(name + 1, '/', n) != NULL || find(s, name + 1, n) != NULL)
    return 0;
  if (asprintf(&path, "%.*s/%.*s", (int)(strrchr(of->path, '/') - of->path), of->path, (int)n,
               name + 1) < 0 ||
      (base = strndup(name + 1, n)) == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  else if (access(path, R_OK) == 0) {
    status = note(s, path, path, base, n, true, err);
    if (status == 0) {
      s->file[s->n - 1].include = true;
      status = sources_of_module(s, base, err);
    }
  }
  free(path);
  free(base);
  return status;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

int sources_of_text(struct sources *s, const char *text, struct tandem_error *err) {
  for (const char *p = text; *p != '\0';) {
    const char *behind = skip(p);
    if (behind != p) {
      p = behind;
      continue;
    }
    if (strncmp(p, "`include", 8) == 0)
      TRY(include(s, p, err));
    size_t n = 0;
    while (is_word(p[n]))
      n++;
    const struct source *f = n != 0 ? find(s, p, n) : NULL;
    if (strncmp(p, "`FAULT(", 7) == 0) /* a macro of the package */
      f = find(s, "tandem_pkg", 10);
    if (f != NULL && !f->read)
      TRY(sources_of_module(s, f->name, err));
    p += n != 0 ? n : 1;
  }
  return 0;
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
  const int status = sources_of_text(s, f->text, err);
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
