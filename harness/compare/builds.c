/* Programs of revisions: built in a folder that a hash of their texts names. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "harness/compare/kept.h"

enum { SHOWN = 4 /* lines of a compiler's message */ };

/* The lines of a log from its first error on. */
static void first_error(const char *log, char *text, size_t size) {
  static const char *const words[] = {"error:", "CMake Error", "ninja: error", "FAILED"};
  const char *at = NULL;
  for (size_t i = 0; at == NULL && i < sizeof words / sizeof words[0]; i++)
    at = strstr(log, words[i]);
  while (at != NULL && at > log && at[-1] != '\n')
    at--;
  const char *end = at != NULL ? at : (at = log);
  for (int i = 0; i < SHOWN && *end != '\0'; i++)
    end += strcspn(end, "\n") + (end[strcspn(end, "\n")] != '\0');
  while (end > at && end[-1] == '\n')
    end--;
  snprintf(text, size, "%.*s", (int)(end - at), at);
}

/* Notes that a step of the build has failed. */
static int fail(struct compare_side *s, const char *log, int status, struct tandem_error *err) {
  char *said = NULL, shown[2048] = "", cause[PROCESS_CAUSE];
  if (files_read(log, &said, NULL, NULL) == 0)
    first_error(said, shown, sizeof shown);
  const char *lacks = process_lacked(status, said);
  if (lacks == NULL && WIFEXITED(status) && *shown != '\0')
    lacks = shown;
  const int n =
      asprintf(&s->failure, "%s\n(the log: %s)",
               lacks != NULL ? lacks : process_cause(status, said, cause, sizeof cause), log);
  free(said);
  s->program[0] = s->build[0] = '\0';
  if (n >= 0)
    return 0;
  s->failure = NULL;
  return tandem_fail(err, -ENOMEM, "out of memory");
}

/* Runs a step of the build, its output in a log beside the folder; *good: it has ended well. */
static int step(struct compare_side *s, const char *const *argv, const char *name, bool *good,
                struct tandem_error *err) {
  char log[COMPARE_PATH];
  pid_t pid;
  int status = 0;
  snprintf(log, sizeof log, "%.4000s.%s.log", s->build, name);
  int error = process_start(&(struct process){.argv = argv, .log = log}, &pid);
  if (error == 0)
    error = -process_end(pid, true, &status);
  if (error > 0)
    return tandem_fail(err, -error, "cannot run %s: %s", argv[0], strerror(error));
  *good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return *good ? 0 : fail(s, log, status, err);
}

/* Compilers are told to leave the copy's path out of what ccache keys by. */
static int run_steps(struct compare_side *s, bool tests, size_t jobs, struct tandem_error *err) {
  char base[COMPARE_PATH], number[24];
  bool good = true;
  snprintf(base, sizeof base, "CCACHE_BASEDIR=%.4000s", s->root);
  snprintf(number, sizeof number, "%zu", jobs);
  const char *const configure[] = {"cmake",  "--fresh", "-S",    s->root, "-B",
                                   s->build, "-G",      "Ninja", NULL},
                    *const make[] = {"env",
                                     base,
                                     "CCACHE_NOHASHDIR=1",
                                     "ninja",
                                     "-C",
                                     s->build,
                                     "-j",
                                     number,
                                     "tandem",
                                     tests ? "regress_programs" : NULL,
                                     NULL};
  TRY(step(s, configure, "configure", &good, err));
  return good ? step(s, make, "build", &good, err) : 0;
}

/* One command at a time builds a program. */
static int lock(const char *path, struct tandem_error *err) {
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd >= 0 && flock(fd, LOCK_EX) == 0)
    return fd;
  const int error = errno;
  if (fd >= 0)
    close(fd);
  return tandem_fail(err, -error, "cannot lock %s: %s", path, strerror(error));
}

/* Returns true if a file says that the program was built, and of which tree, which is still there:
 * programs of tests read it. */
static bool is_built(const struct compare_places *at, const char *note) {
  char tree[COMPARE_PATH], *name = NULL;
  struct tandem_error unused;
  if (files_read(note, &name, NULL, &unused) != 0 || *name == '\0') {
    free(name);
    return false;
  }
  snprintf(tree, sizeof tree, "%.2000s/compare/trees/%.100s", at->build, name);
  free(name);
  compare_kept_use(tree);
  return access(tree, R_OK) == 0;
}

/* Builds the program unless that was done. */
static int build(const struct compare_places *at, struct compare_side *s, bool tests, size_t jobs,
                 struct tandem_error *err) {
  char path[COMPARE_PATH];
  snprintf(path, sizeof path, "%.4000s.lock", s->build);
  const int fd = lock(path, err);
  if (fd < 0)
    return fd;
  snprintf(path, sizeof path, "%.4000s/built%s", s->build, tests ? "-tests" : "");
  int status = 0;
  compare_kept_use(s->build); /* before its tree, which is to be there longer */
  if (!is_built(at, path)) {
    status = run_steps(s, tests, jobs, err);
    if (status == 0 && s->failure == NULL)
      status = files_write(path, s->tree, strlen(s->tree), err);
    compare_kept_use(s->root);
  }
  close(fd);
  return status;
}

int compare_build(const struct compare_places *at, const struct compare_side *files, bool tests,
                  size_t jobs, struct compare_side *s, struct tandem_error *err) {
  const char *texts = tests ? s->tests : s->texts;
  if (strcmp(texts, tests ? files->tests : files->texts) == 0) {
    snprintf(s->program, sizeof s->program, "%s", at->program);
    snprintf(s->build, sizeof s->build, "%s", at->build);
  } else {
    char folder[COMPARE_PATH];
    snprintf(folder, sizeof folder, "%.2000s/compare/programs", at->build);
    TRY(files_folder(folder, err));
    snprintf(s->build, sizeof s->build, "%.2000s/compare/programs/%s", at->build, texts);
    snprintf(s->program, sizeof s->program, "%.2200s/bin/tandem", s->build);
    TRY(build(at, s, tests, jobs, err));
  }
  s->places = (struct experiment_places){.program = s->program,
                                         .root = s->root,
                                         .build = s->build,
                                         .others = true,
                                         .revision = &s->revision};
  return 0;
}
