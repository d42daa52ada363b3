/* Runs yosys for the check of boundaries, and says why it has refused. */
#include "harness/shim/boundary/elaborate.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"

/* One parameter: its name's and its value's place in the text. */
struct parameter {
  const char *name, *value;
  int name_length, value_length;
};

static int length_of(const char *text, const char *extra) {
  const char *c = text;
  while (isalnum((unsigned char)*c) || (*c != '\0' && strchr(extra, *c) != NULL))
    c++;
  return (int)(c - text);
}

/* Takes the next parameter off the text: 1, 0 at its end, -1 if it is no Name=value.  Yosys gets
 * name and value as words of a script, so nothing else may be in them. */
static int next_parameter(const char **text, struct parameter *p) {
  *text += strspn(*text, " ");
  if (**text == '\0')
    return 0;
  p->name = *text;
  p->name_length = length_of(p->name, "_");
  if (p->name_length == 0 || p->name[p->name_length] != '=')
    return -1;
  p->value = p->name + p->name_length + 1;
  p->value_length = length_of(p->value, "_'");
  *text = p->value + p->value_length;
  return p->value_length != 0 && (**text == ' ' || **text == '\0') ? 1 : -1;
}

unsigned elaborate_number(const char *parameters, const char *name) {
  struct parameter p;
  unsigned value = 0; /* the last one holds, as in yosys */
  if (parameters != NULL)
    while (next_parameter(&parameters, &p) == 1)
      if ((size_t)p.name_length == strlen(name) && strncmp(p.name, name, strlen(name)) == 0)
        value = (unsigned)strtoul(p.value, NULL, 10);
  return value;
}

/* True if the sources can be read, and if yosys takes their names in quotation marks. */
static bool check_sources(const struct boundary_request *r, struct tandem_error *err) {
  for (const char *const *s = r->sources; *s != NULL; s++) {
    bool plain = **s == '/';
    for (const char *c = *s; *c != '\0'; c++)
      plain &= (unsigned char)*c >= ' ' && *c != '"';
    if (!plain) {
      (void)tandem_fail(err, 0, "%s: no absolute path, or with characters that yosys does not take",
                        *s);
      return false;
    }
    if (access(*s, R_OK) != 0) {
      (void)tandem_fail(err, 0, "cannot read %s: %s", *s, strerror(errno));
      return false;
    }
  }
  return true;
}

static bool write_script(const struct boundary_request *r, struct tandem_error *err) {
  char path[BOUNDARY_PATH];
  const char *text = r->parameters != NULL ? r->parameters : "";
  struct parameter p;
  int got;
  if (snprintf(path, sizeof path, "%s/boundary.ys", r->folder) >= (int)sizeof path) {
    (void)tandem_fail(err, 0, "%s: the name is too long", r->folder);
    return false;
  }
  FILE *f = fopen(path, "we");
  if (f == NULL) {
    (void)tandem_fail(err, 0, "cannot write %s: %s", path, strerror(errno));
    return false;
  }
  fprintf(f, "read_verilog -defer -sv -noautowire");
  for (const char *const *s = r->sources; *s != NULL; s++)
    fprintf(f, " \"%s\"", *s);
  fputc('\n', f);
  while ((got = next_parameter(&text, &p)) == 1)
    fprintf(f, "chparam -set %.*s %.*s %s\n", p.name_length, p.name, p.value_length, p.value,
            r->unit);
  fprintf(f,
          "hierarchy -check -top %s\n"
          "proc\n"
          "setattr -unset src c:* w:*\n"
          "write_json boundary.json\n",
          r->unit);
  const bool failed = ferror(f) != 0;
  if (fclose(f) != 0 || failed) {
    (void)tandem_fail(err, 0, "cannot write %s: %s", path, strerror(errno));
    return false;
  }
  if (got < 0)
    (void)tandem_fail(err, 0, "the parameters \"%s\" are not Name=value Name=value", r->parameters);
  return got == 0;
}

/* Yosys has ended badly.  Its error is a line of the log with ERROR: in it; without one it was
 * ended, or it has failed by itself. */
static enum boundary_verdict refused(const struct boundary_request *r, int status,
                                     struct tandem_error *err) {
  char path[BOUNDARY_PATH], cause[PROCESS_CAUSE], *log = NULL;
  snprintf(path, sizeof path, "%s/boundary.log", r->folder);
  if (files_read(path, &log, NULL, NULL) != 0)
    log = NULL;
  char *line = log != NULL ? strstr(log, "ERROR: ") : NULL;
  const bool found = line != NULL && process_lacked(status, log) == NULL;
  if (found) {
    line[strcspn(line, "\n")] = '\0';
    while (line > log && line[-1] != '\n')
      line--;
    (void)tandem_fail(err, 0, "%s", line);
  } else {
    (void)tandem_fail(err, 0, "yosys %s; its log is %s",
                      process_cause(status, log, cause, sizeof cause), path);
  }
  free(log);
  return found ? BOUNDARY_REFUSED : BOUNDARY_FAILED;
}

enum boundary_verdict elaborate(const struct boundary_request *r, struct tandem_error *err) {
  if (!check_sources(r, err) || !write_script(r, err))
    return BOUNDARY_FAILED;
  const char *const argv[] = {"yosys", "-q", "-q", "-s", "boundary.ys", NULL};
  const struct process p = {.argv = argv, .folder = r->folder, .log = "boundary.log"};
  pid_t pid;
  int status = 0;
  int error = process_start(&p, &pid);
  if (error == ENOENT) { /* the folder is there, as it has the script */
    (void)tandem_fail(err, 0, "yosys is not installed: it is not in PATH");
    return BOUNDARY_NO_YOSYS;
  }
  if (error == 0)
    error = -process_end(pid, true, &status);
  if (error > 0) {
    (void)tandem_fail(err, 0, "cannot run yosys: %s", strerror(error));
    return BOUNDARY_FAILED;
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return BOUNDARY_GOOD;
  return refused(r, status, err);
}
