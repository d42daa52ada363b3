/* Steps of the flow: each a program run in a folder, kept under a key of its inputs. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "synth/flow/steps.h"

/* A step's file `key` has its key, and the seconds that it took. */
static bool same_key(struct synth_step *s) {
  char path[1100], line[HASH_KEY + 24] = "";
  snprintf(path, sizeof path, "%s/key", s->folder);
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return false;
  const bool same = fgets(line, sizeof line, f) != NULL && strncmp(line, s->key, HASH_KEY - 1) == 0;
  fclose(f);
  if (same)
    s->seconds = strtod(line + HASH_KEY - 1, NULL);
  return same;
}

/* Puts the job into a folder of its own, and starts the tool there. */
static int start(struct synth_step *s, const char *job, struct tandem_error *err) {
  char path[1200];
  int status = scratch_folder(s->folder, &s->part);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a folder beside %s: %s", s->folder,
                       strerror(-status));
  snprintf(path, sizeof path, "%s/job.tcl", s->part);
  if ((status = files_write(path, job, strlen(job), err)) != 0)
    return status;
  const bool sta = strcmp(s->script, "time") == 0;
  /* Yosys takes one of two drivers of a net and warns; here the warning is an error. */
  const char *const yosys_argv[] = {s->tool, "-q",      "-e", "Driver-driver conflict",
                                    "-c",    "job.tcl", NULL};
  const char *const sta_argv[] = {s->tool, "-no_splash", "-no_init", "-exit", "job.tcl", NULL};
  const struct process p = {.argv = sta ? sta_argv : yosys_argv, .folder = s->part, .log = "log"};
  status = -process_start(&p, &s->pid);
  return status == 0 ? 0
                     : tandem_fail(err, status, "cannot start %s: %s", s->tool, strerror(-status));
}

int synth_step_start(struct synth_step *s, const char *job, struct tandem_error *err) {
  char path[1200];
  if (same_key(s))
    return 1;
  snprintf(path, sizeof path, "%s", s->folder);
  *strrchr(path, '/') = '\0';
  int status = files_folder(path, err);
  if (status == 0)
    status = start(s, job, err);
  if (status != 0) {
    scratch_drop(s->part);
    s->part = NULL;
    s->pid = 0;
  }
  return status;
}

/* The words of ABC, which yosys does not show, after its last command; false: there are none. */
static bool abc_error(const char *folder, char *text, size_t size) {
  static const char prefix[] = "ABC: ";
  char path[1200], command[80] = "", *log, *rest;
  size_t n = 0, start = 0;
  snprintf(path, sizeof path, "%s/abc.log", folder);
  if (files_read(path, &log, NULL, NULL) != 0)
    return false;
  for (char *line = strtok_r(log, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    const char *says = line + sizeof prefix - 1;
    if (strncmp(line, prefix, sizeof prefix - 1) != 0)
      continue;
    if (strncmp(says, "+ ", 2) == 0) {
      snprintf(command, sizeof command, "%.*s", (int)strcspn(says + 2, " "), says + 2);
      n = start = (size_t)snprintf(text, size, "ABC's command %s: ", command);
    } else if (strncmp(says, "** cmd error", 12) != 0 && n + 1 < size) {
      n += (size_t)snprintf(text + n, size - n, "%s%s", n > start ? "; " : "", says);
    }
  }
  free(log);
  return n > start;
}

void synth_log_error(const char *folder, char *text, size_t size) {
  char path[1200], *log, *rest;
  bool abc = false;
  text[0] = '\0';
  snprintf(path, sizeof path, "%s/log", folder);
  if (files_read(path, &log, NULL, NULL) != 0)
    return;
  for (char *line = strtok_r(log, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    const char *error = strstr(line, "ERROR");
    abc = error != NULL && strstr(line, "ABC") != NULL;
    if (error == NULL)
      error = strstr(line, "Error: "); /* OpenSTA does not always start a line for it */
    snprintf(text, size, "%s", error != NULL ? error : line);
    if (error != NULL || strstr(line, "error:") != NULL)
      break;
  }
  free(log);
  char why[512];
  if (abc && abc_error(folder, why, sizeof why))
    snprintf(text, size, "ERROR: %s", why);
}

void synth_log_cause(const char *folder, int status, char *text, size_t size) {
  char path[1200], *log;
  snprintf(path, sizeof path, "%s/log", folder);
  if (files_read(path, &log, NULL, NULL) != 0)
    log = NULL;
  (void)process_cause(status, log, text, size);
  free(log);
}

/* Both tools may go on after what they call an error. */
static bool has_error(const char *part) {
  char text[512];
  synth_log_error(part, text, sizeof text);
  return strstr(text, "ERROR") != NULL || strncmp(text, "Error: ", 7) == 0;
}

int synth_step_end(struct synth_step *s, int status, struct tandem_error *err) {
  char path[1200], text[512], cause[PROCESS_CAUSE];
  char *part = s->part;
  s->part = NULL;
  s->pid = 0;
  snprintf(path, sizeof path, "%s/%s", part, s->output);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || access(path, R_OK) != 0 ||
      has_error(part)) {
    const char *slash = strrchr(s->tool, '/');
    synth_log_error(part, text, sizeof text);
    synth_log_cause(part, status, cause, sizeof cause);
    scratch_drop(part);
    return tandem_fail(err, -EINVAL, "%s %s (step %s): %s", slash != NULL ? slash + 1 : s->tool,
                       cause, s->script, text);
  }
  snprintf(path, sizeof path, "%s/key", part);
  snprintf(text, sizeof text, "%s %.2f", s->key, s->seconds);
  int result = files_write(path, text, strlen(text), err);
  scratch_remove(s->folder);
  if (result != 0)
    scratch_drop(part);
  else if ((result = scratch_become(part, s->folder)) != 0)
    (void)tandem_fail(err, result, "cannot write %s: %s", s->folder, strerror(-result));
  return result;
}

int synth_tool(const char *name, const char *package, char *path, size_t size,
               struct tandem_error *err) {
  const char *list = getenv("PATH");
  while (list != NULL && *list != '\0') {
    const size_t n = strcspn(list, ":");
    if (n > 0 && snprintf(path, size, "%.*s/%s", (int)n, list, name) < (int)size &&
        access(path, X_OK) == 0)
      return 0;
    list += n + (list[n] == ':');
  }
  return tandem_fail(err, -ENOENT, "there is no program %s in PATH: install Debian's package %s",
                     name, package);
}

int synth_version(const char *tool, const char *argument, char *text, size_t size,
                  struct tandem_error *err) {
  const char *const argv[] = {tool, argument, NULL};
  const struct process p = {.argv = argv, .errors = "/dev/null"};
  char *said;
  int ended = 0;
  const int status = process_output(&p, &ended, &said);
  snprintf(text, size, "%.*s", said != NULL ? (int)strcspn(said, "\n") : 0,
           said != NULL ? said : "");
  free(said);
  return status == 0 && ended == 0
             ? 0
             : tandem_fail(err, -ENOEXEC, "%s %s does not run", tool, argument);
}
