/* Files of the folder: JSON. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/experiment/queue/queue.h"
#include "harness/tandem.h"

extern char **environ;
enum { FORMAT = 1 }; /* of these files */

/* The file is there whole or not at all.  It does not wait for the disk: after a crash of the
 * machine the run is made again.  A folder in its place goes. */
int queue_write(const char *path, const char *text, struct tandem_error *err) {
  char *scratch = NULL;
  struct stat st;
  const int fd = scratch_file(path, &scratch);
  const size_t n = strlen(text);
  int status = fd < 0 ? fd : 0;
  if (fd >= 0 && write(fd, text, n) != (ssize_t)n)
    status = errno != 0 ? -errno : -EIO;
  if (fd >= 0)
    close(fd);
  if (status == 0 && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
    scratch_remove(path);
  if (status == 0)
    status = scratch_become(scratch, path);
  else
    scratch_drop(scratch);
  return status == 0 ? 0 : tandem_fail(err, status, "cannot write %s: %s", path, strerror(-status));
}

static int put(const char *path, json_t *o, struct tandem_error *err) {
  char *text = o != NULL ? json_dumps(o, JSON_COMPACT) : NULL;
  const int status = text != NULL ? queue_write(path, text, err)
                                  : tandem_fail(err, -ENOMEM, "out of memory for %s", path);
  free(text);
  json_decref(o);
  return status;
}

static int get(const char *folder, const char *part, const char *name, json_t **o,
               struct tandem_error *err) {
  char *text;
  json_error_t why;
  *o = NULL;
  TRY(queue_read(folder, part, name, &text, err));
  *o = json_loads(text, 0, &why);
  free(text);
  return *o != NULL ? 0
                    : tandem_fail(err, -EINVAL, "%s/%s: it is cut off or damaged: %s", part, name,
                                  why.text);
}

/* A text of an object, allocated; NULL: there is none. */
static char *text_of(const json_t *o, const char *name) {
  const char *text = json_string_value(json_object_get(o, name));
  return text != NULL ? strdup(text) : NULL;
}

static void copy_text(const json_t *o, const char *name, char *to, size_t size) {
  const char *text = json_string_value(json_object_get(o, name));
  snprintf(to, size, "%s", text != NULL ? text : "");
  tandem_printable(to);
}

/* ---- the front end ---- */

static json_t *variables(void) {
  json_t *o = json_object();
  for (char **v = environ; *v != NULL; v++) {
    const size_t n = strcspn(*v, "=");
    if (strncmp(*v, "TANDEM_", 7) == 0 && (*v)[n] == '=') {
      char *name = strndup(*v, n);
      json_object_set_new(o, name, json_string(*v + n + 1));
      free(name);
    }
  }
  return o;
}

static int program_key(const char *program, char key[HASH_KEY], struct tandem_error *err) {
  struct hash h;
  hash_start(&h);
  TRY(files_hash(&h, program, err));
  hash_end(&h, key);
  return 0;
}

int queue_front_make(const char *program, struct queue_front *f, struct tandem_error *err) {
  *f = (struct queue_front){.format = FORMAT,
                            .program = strdup(program),
                            .version = strdup(tandem_version()),
                            .environment = variables()};
  if (f->program == NULL || f->version == NULL || f->environment == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  (void)gethostname(f->host, sizeof f->host - 1);
  struct hash h; /* this front end: no other has its place and time */
  const double now = queue_now();
  const pid_t pid = getpid();
  char key[HASH_KEY];
  hash_start(&h);
  hash_text(&h, f->host);
  hash_bytes(&h, &now, sizeof now);
  hash_bytes(&h, &pid, sizeof pid);
  hash_end(&h, key);
  snprintf(f->session, sizeof f->session, "%.16s", key);
  return program_key(program, f->key, err);
}

int queue_front_write(const char *folder, const struct queue_front *f, struct tandem_error *err) {
  char path[QUEUE_PATH];
  TRY(queue_path(folder, QUEUE_FRONT, "", path, err));
  return put(path,
             json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:O}", "format", (json_int_t)f->format,
                       "version", f->version, "session", f->session, "host", f->host, "program",
                       f->program, "key", f->key, "environment", f->environment),
             err);
}

int queue_front_read(const char *folder, struct queue_front *f, struct tandem_error *err) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz"; /* of names of files */
  json_t *o;
  *f = (struct queue_front){0};
  TRY(get(folder, "", QUEUE_FRONT, &o, err));
  f->format = json_integer_value(json_object_get(o, "format"));
  f->version = text_of(o, "version");
  f->program = text_of(o, "program");
  f->environment = json_incref(json_object_get(o, "environment"));
  copy_text(o, "session", f->session, sizeof f->session);
  copy_text(o, "host", f->host, sizeof f->host);
  copy_text(o, "key", f->key, sizeof f->key);
  json_decref(o);
  return f->version != NULL && f->program != NULL && *f->session != '\0' &&
                 f->session[strspn(f->session, letters)] == '\0'
             ? 0
             : tandem_fail(err, -EINVAL,
                           "%s/" QUEUE_FRONT ": a front end without version, program or session",
                           folder);
}

void queue_front_free(struct queue_front *f) {
  free(f->program);
  free(f->version);
  json_decref(f->environment);
  *f = (struct queue_front){0};
}

int queue_front_check(const char *folder, const struct queue_front *f, struct tandem_error *why) {
  char key[HASH_KEY];
  struct tandem_error unread;
  if (f->format != FORMAT || strcmp(f->version, tandem_version()) != 0)
    return tandem_fail(why, -EPROTO,
                       "%s/" QUEUE_FRONT ": the front end on %s is Tandem %s (format %lld), this "
                       "worker is %s (format %d); start the front end's own program: %s worker %s",
                       folder, f->host, f->version, f->format, tandem_version(), FORMAT, f->program,
                       folder);
  if (program_key(f->program, key, &unread) != 0)
    return tandem_fail(why, -EPROTO,
                       "%s/" QUEUE_FRONT ": the front end on %s runs a program that is not on this "
                       "machine: %s; share its folder, or build it here",
                       folder, f->host, unread.text);
  if (strcmp(key, f->key) != 0)
    return tandem_fail(why, -EPROTO,
                       "%s/" QUEUE_FRONT ": %s on this machine is another build than on %s, where "
                       "the front end is; share its folder, or start the front end again",
                       folder, f->program, f->host);
  return 0;
}

/* ---- a run ---- */

char *queue_job_text(const struct launcher_job *job, struct tandem_error *err) {
  char *here = getcwd(NULL, 0), *text = NULL;
  json_t *words = json_array(),
         *o = json_pack("{s:s, s:f, s:I, s:b, s:O}", "folder", here != NULL ? here : "/",
                        "timeout_s", job->timeout_s, "memory_most", (json_int_t)job->memory_most,
                        "results", (int)(job->results != NULL), "words", words);
  const size_t results = job->results != NULL ? strlen(job->results) : 0;
  bool good = o != NULL;
  for (char *const *w = job->argv; *w != NULL; w++)
    good = json_array_append_new(
               words, json_stringn(*w, strlen(*w) - (w[1] == NULL ? results : 0))) == 0 &&
           good;
  free(here);
  json_decref(words);
  if (good)
    text = json_dumps(o, JSON_COMPACT);
  json_decref(o);
  if (text == NULL)
    tandem_fail(err, 0, "a word of the command %s is no UTF-8, as workers need it", job->argv[0]);
  return text;
}

static int read_words(const json_t *list, struct queue_job *j) {
  const size_t n = json_array_size(list);
  char **words = calloc(n + 1, sizeof *words);
  j->job.argv = words;
  for (size_t i = 0; words != NULL && i < n; i++) {
    const char *word = json_string_value(json_array_get(list, i));
    words[i] = strdup(word != NULL ? word : "");
    if (words[i] == NULL)
      return -ENOMEM;
  }
  return words == NULL ? -ENOMEM : n == 0 ? -EINVAL : 0;
}

int queue_job_read(const char *folder, const char *part, const char *name, struct queue_job *j,
                   struct tandem_error *err) {
  json_t *o;
  *j = (struct queue_job){0};
  TRY(get(folder, part, name, &o, err));
  j->folder = text_of(o, "folder");
  j->results = json_is_true(json_object_get(o, "results"));
  j->job.timeout_s = json_number_value(json_object_get(o, "timeout_s"));
  j->job.memory_most = (uint64_t)json_integer_value(json_object_get(o, "memory_most"));
  const int status = read_words(json_object_get(o, "words"), j);
  json_decref(o);
  return status == 0 ? 0 : tandem_fail(err, status, "%s/%s: no command", part, name);
}

void queue_job_free(struct queue_job *j) {
  for (char *const *w = j->job.argv; w != NULL && *w != NULL; w++)
    free(*w);
  free((char **)(uintptr_t)j->job.argv);
  free(j->folder);
  *j = (struct queue_job){0};
}

/* ---- the end of a run ---- */

int queue_end_write(const char *path, const struct launcher_end *end, struct tandem_error *err) {
  return put(path,
             json_pack("{s:i, s:i, s:i, s:f, s:f, s:I, s:s, s:s}", "exit", end->exit, "signal",
                       end->signal, "reason", (int)end->reason, "wall_s", end->wall_s, "cpu_s",
                       end->cpu_s, "memory", (json_int_t)end->memory, "host", end->host, "cause",
                       end->cause),
             err);
}

int queue_end_read(const char *folder, const char *name, struct launcher_end *end,
                   struct tandem_error *err) {
  json_t *o;
  TRY(get(folder, "done", name, &o, err));
  const long long reason = json_integer_value(json_object_get(o, "reason"));
  *end =
      (struct launcher_end){.exit = (int)json_integer_value(json_object_get(o, "exit")),
                            .signal = (int)json_integer_value(json_object_get(o, "signal")),
                            .reason = reason == LAUNCHER_TIMEOUT  ? LAUNCHER_TIMEOUT
                                      : reason == LAUNCHER_MEMORY ? LAUNCHER_MEMORY
                                                                  : LAUNCHER_EXIT,
                            .wall_s = json_number_value(json_object_get(o, "wall_s")),
                            .cpu_s = json_number_value(json_object_get(o, "cpu_s")),
                            .memory = (uint64_t)json_integer_value(json_object_get(o, "memory"))};
  copy_text(o, "host", end->host, sizeof end->host);
  copy_text(o, "cause", end->cause, sizeof end->cause);
  const bool whole = json_is_integer(json_object_get(o, "exit"));
  json_decref(o);
  return whole ? 0 : tandem_fail(err, -EINVAL, "done/%s: no end of a run", name);
}
