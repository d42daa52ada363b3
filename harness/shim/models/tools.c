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

int tools_find(const char *tool, char *path, struct tandem_error *err) {
  if (in_path(name_of(tool), path))
    return 0;
  return tandem_fail(err, -ENOENT, "there is no %s in PATH (Debian's package %s)", name_of(tool),
                     package_of(tool));
}

/* A program is told by its file: asking each for its version would take longer than finding a
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

int tools_run(const struct words *argv, const char *folder, const char *log,
              struct tandem_error *err) {
  pid_t pid;
  int status = 0;
  if (argv->failed)
    return tandem_fail(err, -ENOMEM, "out of memory");
  pthread_once(&once, open_slots);
  while (sem_wait(&slots) != 0)
    continue;
  int error = process_start(
      &(struct process){.argv = (const char *const *)argv->word, .folder = folder, .log = log},
      &pid);
  if (error == 0)
    error = -process_end(pid, true, &status);
  sem_post(&slots);
  if (error > 0)
    return tandem_fail(err, -error, "cannot run %s: %s", argv->word[0], strerror(error));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 0;
  return WIFSIGNALED(status) ? tandem_fail(err, -EINTR, "%s was ended by signal %d", argv->word[0],
                                           WTERMSIG(status))
                             : tandem_fail(err, -ECHILD, "%s ended with status %d", argv->word[0],
                                           WEXITSTATUS(status));
}

char *tools_complaints(const char *folder, const char *log, const char *word, const char *or_word) {
  enum { MOST = 900 };
  char path[MODELS_PATH], *rest, *found = calloc(1, MOST + 1);
  size_t n = 0;
  snprintf(path, sizeof path, "%s/%s", folder, log);
  char *text = sources_file(path, NULL, NULL);
  for (char *line = text != NULL && found != NULL ? strtok_r(text, "\n", &rest) : NULL;
       line != NULL && n < MOST; line = strtok_r(NULL, "\n", &rest))
    if (strstr(line, word) != NULL || strstr(line, or_word) != NULL)
      n += (size_t)snprintf(found + n, MOST - n, "%s%s", n != 0 ? "\n" : "", line);
  free(text);
  return found;
}
