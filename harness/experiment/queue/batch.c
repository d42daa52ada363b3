/* Workers as jobs of a batch system: the command that starts them, and Slurm's list of jobs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "csim/util/shell.h"
#include "harness/experiment/queue/queue.h"

/* A worker that ends with its node starts again by --requeue.  The log of element %a of array %A is
 * in the folder: sbatch would replace more in a path (%j, a backslash). */
const char BATCH_SLURM[] = "sbatch --parsable --requeue --job-name=tandem --ntasks=1 "
                           "--array=1-%n --chdir=%d --output=log/%%A_%%a %c";

int batch_check(const char *template, struct tandem_error *err) {
  bool command = false;
  for (const char *p = template; (p = strchr(p, '%')) != NULL; p += 2) {
    if (p[1] == '\0' || strchr("ncd%", p[1]) == NULL)
      return tandem_fail(err, -EINVAL,
                         "--submit: %%%.1s is unknown; %%n is the number of workers, %%c the "
                         "command of a worker, %%d the folder of the runs, %%%% a %%",
                         p + 1);
    command = command || p[1] == 'c';
  }
  return command ? 0
                 : tandem_fail(err, -EINVAL,
                               "--submit needs %%c, the command that a job is to run, as in "
                               "'bsub -J \"t[1-%%n]\" %%c'");
}

/* The template with its parts; NULL: out of memory. */
static char *fill(const struct batch *b, const char *folder, const char *script) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  for (const char *p = b->template; *p != '\0'; p++) {
    if (*p != '%')
      fputc(*p, out);
    else if (*++p == 'n')
      fprintf(out, "%zu", b->workers);
    else if (*p == '%')
      fputc('%', out);
    else
      shell_word(out, *p == 'c' ? script : folder);
  }
  return fclose(out) == 0 ? text : NULL;
}

static int write_script(const char *path, const char *folder, const struct queue_front *f,
                        struct tandem_error *err) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  fputs("#!/bin/sh\nexec ", out);
  shell_word(out, f->program);
  fprintf(out, " worker --jobs=1 --session=%s -- ", f->session);
  shell_word(out, folder);
  fputc('\n', out);
  int status =
      fclose(out) == 0 ? queue_write(path, text, err) : tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0 && chmod(path, 0755) != 0)
    status = tandem_fail(err, -errno, "cannot make %s a program: %s", path, strerror(errno));
  free(text);
  return status;
}

/* Runs the command that starts the workers; its output goes to *said. */
static int submit(const char *command, char **said, struct tandem_error *err) {
  const char *const argv[] = {"/bin/sh", "-c", command, NULL};
  const struct process p = {.argv = argv};
  int status;
  TRY(process_output(&p, &status, said));
  (*said)[strcspn(*said, "\n")] = '\0';
  char cause[PROCESS_CAUSE];
  return status == 0 ? 0
                     : tandem_fail(err, -EIO, "no workers are started: %s %s: %s", command,
                                   process_cause(status, *said, cause, sizeof cause), *said);
}

int batch_submit(struct batch *b, const char *folder, const struct queue_front *f,
                 struct tandem_error *err) {
  char script[QUEUE_PATH], *said = NULL;
  TRY(queue_path(folder, "worker.sh", "", script, err));
  TRY(write_script(script, folder, f, err));
  char *command = fill(b, folder, script);
  const int status =
      command != NULL ? submit(command, &said, err) : tandem_fail(err, -ENOMEM, "out of memory");
  free(command);
  if (status == 0 && b->slurm) { /* "123", or "123;" and a name */
    free(b->job);
    said[strcspn(said, "; ")] = '\0';
    b->job = said;
    return 0;
  }
  free(said);
  return status;
}

/* ---- Slurm's jobs ---- */

bool batch_look(struct batch *b) {
  static const char *const argv[] = {"timeout", "5",  "squeue",   "-h", "-r",
                                     "--me",    "-o", "%A %F %T", NULL};
  const struct process p = {.argv = argv, .errors = "/dev/null"};
  int status = -1;
  free(b->jobs);
  b->jobs = NULL;
  if (process_output(&p, &status, &b->jobs) == 0 && status == 0)
    return true;
  free(b->jobs);
  b->jobs = NULL;
  return false;
}

/* Returns true if a line has these words; NULL is any. */
static bool has(const char *lines, const char *job, const char *array, bool runs) {
  char words[3][32];
  int used;
  for (; sscanf(lines, "%31s %31s %31s%n", words[0], words[1], words[2], &used) == 3; lines += used)
    if ((job == NULL || strcmp(words[0], job) == 0) &&
        (array == NULL || strcmp(words[1], array) == 0) &&
        (!runs || strcmp(words[2], "PENDING") != 0))
      return true;
  return false;
}

bool batch_is_gone(const struct batch *b, const char *worker) {
  char job[32];
  return b->jobs != NULL && sscanf(worker, "slurm-%31[0-9]", job) == 1 &&
         !has(b->jobs, job, NULL, true);
}

bool batch_all_gone(const struct batch *b) {
  return b->jobs != NULL && b->job != NULL && !has(b->jobs, NULL, b->job, false);
}
