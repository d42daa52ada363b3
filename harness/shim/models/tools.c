/* Verilator, the compiler, yosys: where they are, which they are, and running them. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "harness/shim/models/local.h"

/* The package of a tool, in Debian. */
static const char *package_of(const char *tool) {
  return strcmp(tool, "c++") == 0 ? "build-essential" : tool;
}

static bool in_path(const char *name, char *path) {
  const char *folders = getenv("PATH");
  if (strchr(name, '/') != NULL)
    return snprintf(path, MODELS_PATH, "%s", name) < MODELS_PATH && access(path, X_OK) == 0;
  for (const char *p = folders != NULL ? folders : "/usr/bin:/bin"; *p != '\0';) {
    const size_t n = strcspn(p, ":");
    struct stat st;
    if (n != 0 && snprintf(path, MODELS_PATH, "%.*s/%s", (int)n, p, name) < MODELS_PATH &&
        access(path, X_OK) == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
      return true;
    p += n;
    p += *p == ':';
  }
  return false;
}

static const char *name_of(const char *tool) {
  const char *compiler = getenv("CXX");
  return strcmp(tool, "c++") == 0 && compiler != NULL && *compiler != '\0' ? compiler : tool;
}

/* A program is identified by its file: asking each for its version would take longer than finding a
 * model. */
static void hash_tool(struct hash *h, const char *tool) {
  char path[MODELS_PATH], *real = NULL, text[100];
  struct stat st;
  if (in_path(name_of(tool), path))
    real = realpath(path, NULL);
  hash_text(h, real != NULL ? real : "");
  if (real == NULL || stat(real, &st) != 0)
    memset(&st, 0, sizeof st);
  snprintf(text, sizeof text, "%lld %lld", (long long)st.st_size, (long long)st.st_mtime);
  hash_text(h, text);
  free(real);
}

void tools_hash(struct hash *h) {
  const char *root = getenv("VERILATOR_ROOT");
  hash_tool(h, "verilator");
  hash_tool(h, "verilator_bin");
  hash_text(h, root != NULL ? root : "");
  hash_tool(h, "c++");
}

static sem_t slots;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void open_slots(void) {
  const long n = sysconf(_SC_NPROCESSORS_ONLN);
  (void)sem_init(&slots, 0, n > 0 ? (unsigned)n : 1);
}

/* Adds the lines of the log that have the word, as far as they fit. */
static void add_lines(char *log, const char *word, struct tandem_error *err) {
  char said[sizeof err->text] = "", *rest;
  size_t n = (size_t)snprintf(said, sizeof said, "%s", err->text);
  for (char *line = strtok_r(log, "\n", &rest); line != NULL && n < sizeof said;
       line = strtok_r(NULL, "\n", &rest))
    if (strstr(line, word) != NULL)
      n += (size_t)snprintf(said + n, sizeof said - n, "\n%s", line);
  tandem_fail(err, 0, "%s", said);
}

/* The tool has ended badly: because the machine lacks something, a signal came, or its input is
 * wrong. */
static int failed(const struct command *c, int status, struct tandem_error *err) {
  char path[MODELS_PATH], cause[PROCESS_CAUSE], *log = NULL;
  snprintf(path, sizeof path, "%s/%s", c->folder, c->log != NULL ? c->log : "");
  if (c->log == NULL || files_read(path, &log, NULL, NULL) != 0)
    log = NULL;
  const bool refuses = WIFEXITED(status) && c->refuses[0] != '\0' && log != NULL &&
                       process_lacked(status, log) == NULL;
  if (refuses)
    tandem_fail(err, 0, "%s:", c->refuses);
  else
    tandem_fail(err, 0, "%s %s", c->words.word[0], process_cause(status, log, cause, sizeof cause));
  if (log != NULL)
    add_lines(log, refuses ? c->complaint : "", err);
  free(log);
  return refuses ? -ECHILD : -EINTR;
}

/* Notes the processor time of a command in a file of its folder, one line each. */
static void note(const struct command *c, const struct rusage *used) {
  char path[MODELS_PATH];
  snprintf(path, sizeof path, "%s/%s", c->folder, models_made_by);
  FILE *f = fopen(path, "a");
  if (f == NULL)
    return;
  fprintf(f, "%.*s %.3f\n", (int)strcspn(c->log, "."), c->log, process_seconds(used));
  fclose(f);
}

static int run(const struct command *c, struct tandem_error *err) {
  pid_t pid;
  struct rusage used;
  int status = 0;
  pthread_once(&once, open_slots);
  while (sem_wait(&slots) != 0)
    continue;
  int error = process_start(&(struct process){.argv = (const char *const *)c->words.word,
                                              .folder = c->folder,
                                              .log = c->log},
                            &pid);
  if (error == 0 && (error = -process_end_used(pid, true, &status, &used)) <= 0)
    note(c, &used);
  sem_post(&slots);
  if (error > 0)
    return tandem_fail(err, -error, "cannot run %s: %s", c->words.word[0], strerror(error));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : failed(c, status, err);
}

int command_open(struct command *c, const char *tool, const char *folder, const char *log,
                 struct tandem_error *err) {
  char path[MODELS_PATH];
  *c = (struct command){.folder = folder, .log = log};
  if (!in_path(name_of(tool), path))
    return tandem_fail(err, -ENOENT, "there is no %s in PATH (Debian's package %s)", name_of(tool),
                       package_of(tool));
  words_add(&c->words, "%s", path);
  return 0;
}

int command_run(struct command *c, struct tandem_error *err) {
  const int status = c->words.failed ? tandem_fail(err, -ENOMEM, "out of memory") : run(c, err);
  words_free(&c->words);
  return status;
}
