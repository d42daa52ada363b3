/* The reach of a launch description that comes from anywhere: files below its folder, and options
 * of the compiler that neither read nor write others.  Pipes would let it wait without end. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/job/job.h"

char *job_path(const struct tandem_job *job, const char *path) {
  char *joined = NULL;
  if (*path == '/')
    return strdup(path);
  return asprintf(&joined, "%s%s", job->folder, path) < 0 ? NULL : joined;
}

/* Returns true if a file is below the folder of the description, all links resolved.  The reader of
 * a missing file reports it. */
static bool is_below(const char *description, const char *path) {
  const char *slash = strrchr(description, '/');
  char *folder =
      slash != NULL ? strndup(description, (size_t)(slash - description) + 1) : strdup(".");
  char *top = folder != NULL ? realpath(folder, NULL) : NULL, *file = realpath(path, NULL);
  const size_t n = top != NULL && strcmp(top, "/") != 0 ? strlen(top) : 0;
  const bool below = file == NULL ? errno == ENOENT && strstr(path, "..") == NULL
                                  : top != NULL && strncmp(top, file, n) == 0 &&
                                        (file[n] == '/' || file[n] == '\0');
  free(folder);
  free(top);
  free(file);
  return below;
}

int job_reach(const struct yaml_file *f, bool trust, const yaml_node_t *at, const char *path,
              struct tandem_error *err) {
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
    return yaml_fail(f, at, err, "%s is a pipe or a device: copy what it has to a file", path);
  if (trust || is_below(f->name, path))
    return 0;
  return yaml_fail(f, at, err,
                   "%s is not below the folder of the launch description; if you trust it, --trust "
                   "lets it read any file",
                   path);
}

/* Options without a file in them. */
static bool is_plain(const char *option) {
  static const char *const whole[] = {"-O0",
                                      "-O1",
                                      "-O2",
                                      "-O3",
                                      "-Os",
                                      "-w",
                                      "-ffast-math",
                                      "-fno-fast-math",
                                      "-funroll-loops",
                                      "-fno-unroll-loops"};
  static const char *const starts[] = {"-D", "-U", "-cl-", "-ffp-contract="};
  for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
    if (strcmp(option, whole[i]) == 0)
      return true;
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
    if (strncmp(option, starts[i], strlen(starts[i])) == 0)
      return option[strlen(starts[i])] != '\0';
  /* Behind a comma, -W passes words to the other tools. */
  return strncmp(option, "-W", 2) == 0 && strchr(option, ',') == NULL;
}

int job_option(const struct tandem_job *job, const yaml_node_t *at, char **option,
               struct tandem_error *err) {
  const bool folder = strncmp(*option, "-I", 2) == 0 && (*option)[2] != '\0';
  if (folder) {
    char *path = job_path(job, *option + 2), *whole = NULL;
    int status = path == NULL || asprintf(&whole, "-I%s", path) < 0
                     ? tandem_fail(err, -ENOMEM, "out of memory")
                     : job_reach(&job->file, job->trust, at, path, err);
    free(path);
    free(*option);
    *option = whole;
    return status;
  }
  if (job->trust || is_plain(*option))
    return 0;
  return yaml_fail(&job->file, at, err,
                   "the option \"%s\" is not one of -D, -U, -I, -O, -W, -cl-..., -ffast-math, "
                   "-ffp-contract, -funroll-loops; if you trust the launch description, --trust "
                   "passes any",
                   *option);
}
