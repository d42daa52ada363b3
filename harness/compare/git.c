/* Calls of git. */
#include "harness/compare/git.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "csim/util/files.h"
#include "csim/util/process.h"

enum { VARIABLES = 5, PATH = 4096 };

/* The first line that git wrote to its standard error. */
static int refuse(const char *errors, int status, struct tandem_error *err) {
  char *said = NULL, cause[PROCESS_CAUSE];
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return tandem_fail(err, -ENOEXEC,
                       "there is no program git in PATH: install Debian's package git");
  if (files_read(errors, &said, NULL, NULL) != 0)
    said = NULL;
  const char *line = said != NULL ? said : "";
  if (strncmp(line, "fatal: ", 7) == 0)
    line += 7;
  if (*line != '\0')
    (void)tandem_fail(err, 0, "git: %.*s", (int)strcspn(line, "\n"), line);
  else
    (void)tandem_fail(err, 0, "git %s", process_cause(status, said, cause, sizeof cause));
  free(said);
  return -ENOENT;
}

char *git_quoted(const char *path) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  fputc('"', out);
  for (const char *c = path; *c != '\0'; c++)
    if (*c == '\n')
      fputs("\\n", out);
    else
      fprintf(out, strchr("\"\\", *c) != NULL ? "\\%c" : "%c", *c);
  fputc('"', out);
  return fclose(out) == 0 ? text : NULL;
}

int git_run(const struct git *g, const char *const *words, char **text, struct tandem_error *err) {
  const char *const names[VARIABLES] = {"GIT_INDEX_FILE", "GIT_DIR", "GIT_WORK_TREE",
                                        "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"},
                    *const values[VARIABLES] = {g->index, g->directory, g->tree, g->objects,
                                                g->others};
  char variables[VARIABLES][PATH], errors[PATH], *said = NULL;
  const char *argv[GIT_WORDS + VARIABLES + 3] = {"env"};
  size_t n = 1;
  int status = -1;
  for (size_t i = 0; i < VARIABLES; i++)
    if (values[i] != NULL) {
      snprintf(variables[i], PATH, "%s=%s", names[i], values[i]);
      argv[n++] = variables[i];
    }
  argv[n++] = "git";
  for (size_t i = 0; words[i] != NULL && i < GIT_WORDS; i++)
    argv[n++] = words[i];
  snprintf(errors, sizeof errors, "%s/git.err", g->scratch);
  const struct process p = {.argv = argv, .folder = g->folder, .errors = errors};
  const int error = process_output(&p, &status, &said);
  if (error == 0 && status == 0 && text != NULL) {
    const size_t length = strlen(said);
    if (length > 0 && said[length - 1] == '\n')
      said[length - 1] = '\0';
    *text = said;
    return 0;
  }
  free(said);
  if (error != 0)
    return tandem_fail(err, -ENOEXEC, "cannot run git: %s", strerror(-error));
  return status == 0 ? 0 : refuse(errors, status, err);
}
