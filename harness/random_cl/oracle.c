/* Runs of random programs beside their C.
 *
 *   1. Up to BATCH programs are kernels of one module, and one program of C: clang and gcc start
 *      once for all.
 *   2. The C leaves the results that the launch description expects; `tandem run` compares them.
 *   3. If the run of a batch does not end well, each of its programs runs alone. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "csim/util/shell.h"
#include "harness/random_cl/print.h"
#include "harness/random_cl/random_cl.h"
#include "harness/random_cl/texts.h"
#include "harness/shrink/cvise.h"

enum { BATCH = 16, PATH = 4300, RUN_S = 300 };

enum verdict { SAME, DIFFERENT, REFUSED };

/* Programs that are run together. */
struct batch {
  const struct random_cl_request *q;
  struct program *programs[BATCH];
  size_t n;
  const bool *kept; /* parts; NULL: all */
};

/* ---- files ---- */

static void print_programs(FILE *out, const struct batch *b, bool c) {
  for (size_t i = 0; i < b->n; i++) {
    struct printer w = {
        .out = out, .p = b->programs[i], .kept = b->kept, .broken = b->q->broken, .c = c};
    print_program(&w);
  }
}

static void print_command(FILE *out, const struct batch *b, const char *comment) {
  const struct random_cl_request *q = b->q;
  fprintf(out, "%s ./tandem random-cl --seed=%" PRIu64 " --only=%" PRIu64 " --size=%u --engine=%s",
          comment, q->seed, b->programs[0]->index, q->size, q->engine);
  fprintf(out, "%s\n", b->kept != NULL ? " --parts=parts" : "");
}

static void print_source(FILE *out, const struct batch *b) {
  print_command(out, b, "//");
  fputs(random_cl_prologue, out);
  print_programs(out, b, false);
}

static void print_oracle(FILE *out, const struct batch *b) {
  fputs(random_cl_lanes, out);
  print_programs(out, b, true);
  fputs("int main(void) {\n", out);
  for (size_t i = 0; i < b->n; i++)
    fprintf(out, "  run_%" PRIu64 "();\n", b->programs[i]->index);
  fputs("}\n", out);
}

static void print_launch(FILE *out, const struct batch *b) {
  print_command(out, b, "#");
  fputs("program: program.cl\n"
        "options: [\"-w\", \"-cl-fp32-correctly-rounded-divide-sqrt\"]\nbuffers:\n",
        out);
  for (size_t i = 0; i < b->n; i++) {
    const struct program *p = b->programs[i];
    fprintf(out,
            "  - {name: out%" PRIu64 ", type: u64, count: %zu, fill: {random: {seed: %" PRIu64
            ", min: 0, max: 0xfffffffffffffffe}}}\n",
            p->index, program_words(p), p->index);
    fprintf(out,
            "  - {name: in%" PRIu64 ", type: u32, count: %d, fill: {random: {seed: %" PRIu64
            ", min: 0, max: 0xffffffff}}}\n",
            p->index, INPUT_WORDS, p->index);
  }
  fputs("steps:\n", out);
  for (size_t i = 0; i < b->n; i++) {
    const struct program *p = b->programs[i];
    fprintf(out, "  - launch: {kernel: k%" PRIu64 ", ", p->index);
    for (unsigned d = 0; d < p->dims; d++)
      fprintf(out, "%s%u", d == 0 ? "grid: [" : ", ", p->grid[d]);
    for (unsigned d = 0; d < p->dims; d++)
      fprintf(out, "%s%u", d == 0 ? "], block: [" : ", ", p->block[d]);
    fprintf(out, "], args: [{buffer: out%" PRIu64 "}, {buffer: in%" PRIu64 "}]}\n", p->index,
            p->index);
  }
  fputs("expect:\n", out);
  for (size_t i = 0; i < b->n; i++)
    fprintf(out, "  - {buffer: out%" PRIu64 ", file: %" PRIu64 ".bin}\n", b->programs[i]->index,
            b->programs[i]->index);
}

static int write_file(const struct batch *b, const char *folder, const char *name,
                      void (*print)(FILE *out, const struct batch *b), struct tandem_error *err) {
  char path[PATH], *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  print(out, b);
  snprintf(path, sizeof path, "%.4000s/%s", folder, name);
  const int status = fclose(out) == 0 ? files_write(path, text, size, err)
                                      : tandem_fail(err, -ENOMEM, "out of memory");
  free(text);
  return status;
}

static int write_all(const struct batch *b, const char *folder, struct tandem_error *err) {
  TRY(files_folder(folder, err));
  TRY(write_file(b, folder, "program.cl", print_source, err));
  TRY(write_file(b, folder, "oracle.c", print_oracle, err));
  return write_file(b, folder, "launch.yaml", print_launch, err);
}

/* ---- runs ---- */

/* Runs a program within its time, with its output in a file of the folder; the status as waitpid
 * has it, or a negative errno. */
static int run(const char *folder, const char *const *argv, int *status, struct tandem_error *err) {
  const struct process p = {.argv = argv, .folder = folder, .log = "log"};
  pid_t pid;
  const int error = process_start(&p, &pid);
  if (error != 0)
    return tandem_fail(err, -error, "cannot run %s: %s%s", argv[0], strerror(error),
                       error == ENOENT ? "; install it" : "");
  const int ended = process_end_within(pid, RUN_S, status);
  if (ended < 0)
    return tandem_fail(err, ended, "cannot wait for %s: %s", argv[0], strerror(-ended));
  return 0;
}

/* The first line that a process has said, or two if the first one ends in a colon; or how it has
 * ended. */
static void said(const char *folder, int status, char *text, size_t size) {
  char path[PATH], ended[PROCESS_CAUSE], *log = NULL;
  struct tandem_error unused;
  snprintf(path, sizeof path, "%.4000s/log", folder);
  if (files_read(path, &log, NULL, &unused) == 0 && *log != '\0') {
    size_t n = strcspn(log, "\n");
    if (n > 0 && log[n - 1] == ':' && log[n] != '\0') {
      log[n] = ' ';
      n = strcspn(log, "\n");
    }
    snprintf(text, size, "%.*s", (int)n, log);
  } else {
    snprintf(text, size, "tandem %s", process_cause(status, NULL, ended, sizeof ended));
  }
  free(log);
}

/* Makes the results by gcc's program: 0 or a negative errno. */
static int make_results(const char *folder, struct tandem_error *err) {
  static const char *const compile[] = {"gcc",
                                        "-std=gnu11",
                                        "-O0",
                                        "-w",
                                        "-ffp-contract=off",
                                        "-fno-fast-math",
                                        "-frounding-math",
                                        "-fwrapv",
                                        "-fno-strict-aliasing",
                                        "oracle.c",
                                        "-o",
                                        "oracle",
                                        "-lm",
                                        NULL};
  static const char *const execute[] = {"./oracle", NULL};
  const char *const *const steps[] = {compile, execute};
  for (size_t i = 0; i < 2; i++) {
    char text[600];
    int status;
    TRY(run(folder, steps[i], &status, err));
    if (status == 0)
      continue;
    said(folder, status, text, sizeof text);
    return tandem_fail(err, -EIO, "%s/oracle.c: its program has no results: %s", folder, text);
  }
  return 0;
}

/* Runs a batch in a folder. */
static int judge(const struct batch *b, const char *folder, enum verdict *verdict, char *text,
                 size_t size, struct tandem_error *err) {
  char engine[64];
  int status;
  snprintf(engine, sizeof engine, "--engine=%.40s", b->q->engine);
  const char *const argv[] = {b->q->program, "run",   "launch.yaml", engine,
                              "--set",       "sms=1", "--threads=1", NULL};
  TRY(write_all(b, folder, err));
  TRY(make_results(folder, err));
  TRY(run(folder, argv, &status, err));
  *verdict = status == 0                                     ? SAME
             : WIFEXITED(status) && WEXITSTATUS(status) == 1 ? DIFFERENT
                                                             : REFUSED;
  if (*verdict != SAME)
    said(folder, status, text, size);
  return 0;
}

static int make_programs(struct batch *b, uint64_t first, size_t n, struct tandem_error *err) {
  for (b->n = 0; b->n < n; b->n++) {
    b->programs[b->n] = random_cl_make(b->q->seed, first + b->n, b->q->size);
    if (b->programs[b->n] == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
  }
  return 0;
}

static void free_programs(struct batch *b) {
  for (size_t i = 0; i < b->n; i++)
    random_cl_free(b->programs[i]);
}

/* ---- parts ---- */

/* Reads the numbers of the parts that are kept; *kept is allocated. */
static int read_parts(const char *path, size_t n, bool **kept, struct tandem_error *err) {
  char *text = NULL;
  *kept = NULL;
  TRY(files_read(path, &text, NULL, err));
  *kept = calloc(n, sizeof **kept);
  if (*kept != NULL)
    (*kept)[0] = true;
  for (char *at = text, *next; *kept != NULL; at = next) {
    const unsigned long long part = strtoull(at, &next, 10);
    if (next == at)
      break;
    if (part < n)
      (*kept)[part] = true;
  }
  free(text);
  return *kept != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

static size_t count_parts(const bool *kept, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += kept == NULL || kept[i];
  return count;
}

static void print_parts(FILE *out, const struct batch *b) {
  for (size_t i = 1; i < random_cl_parts(b->programs[0]); i++)
    if (b->kept == NULL || b->kept[i])
      fprintf(out, "%zu\n", i);
}

/* The question of cvise: whether the parts of the file still differ so. */
static void print_test(FILE *out, const struct batch *b, const char *as) {
  fputs("#!/bin/sh\nexec ", out);
  shell_word(out, b->q->program);
  fprintf(out, " random-cl --seed=%" PRIu64 " --only=%" PRIu64 " --size=%u --engine=", b->q->seed,
          b->programs[0]->index, b->q->size);
  shell_word(out, b->q->engine);
  if (b->q->broken != NULL) {
    fputs(" --broken=", out);
    shell_word(out, b->q->broken);
  }
  fprintf(out, " --parts=parts --as=%s >/dev/null 2>&1\n", as);
}
static void ask_different(FILE *out, const struct batch *b) { print_test(out, b, "different"); }
static void ask_refused(FILE *out, const struct batch *b) { print_test(out, b, "refused"); }

static bool is_stopped(const struct random_cl_request *q) {
  return q->stop != NULL && *q->stop != 0;
}

struct limit {
  double until; /* by CLOCK_MONOTONIC */
  const struct random_cl_request *q;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_late(void *user) {
  const struct limit *l = user;
  return now() >= l->until || is_stopped(l->q);
}

/* Makes a program small: the parts that it needs are in b->kept, allocated, afterwards. */
static int shrink(struct batch *b, bool refused, bool **kept, struct tandem_error *err) {
  struct limit limit = {now() + b->q->shrink_s, b->q};
  char *folder = NULL, path[PATH];
  int status = scratch_folder(NULL, &folder);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a temporary folder: %s", strerror(-status));
  status = write_file(b, folder, "parts", print_parts, err);
  if (status == 0)
    status = write_file(b, folder, "test.sh", refused ? ask_refused : ask_different, err);
  snprintf(path, sizeof path, "%.4000s/test.sh", folder);
  if (status == 0 && chmod(path, 0700) != 0)
    status = tandem_fail(err, -errno, "%s: %s", path, strerror(errno));
  const struct cvise run = {folder,  "parts", (size_t)sysconf(_SC_NPROCESSORS_ONLN), RUN_S, true,
                            is_late, &limit};
  if (status == 0 && (status = cvise_run(&run)) != 0)
    status = tandem_fail(err, status, "cannot run cvise: %s; install it", strerror(-status));
  snprintf(path, sizeof path, "%.4000s/parts", folder);
  if (status == 0)
    status = read_parts(path, random_cl_parts(b->programs[0]), kept, err);
  b->kept = *kept;
  scratch_drop(folder);
  return status;
}

/* ---- one program, and all ---- */

static int note(struct random_cl_result *r, const struct random_cl_difference *d,
                struct tandem_error *err) {
  struct random_cl_difference *more = realloc(r->different, (r->n + 1) * sizeof *more);
  if (more == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  r->different = more;
  more[r->n++] = *d;
  return 0;
}

/* The files of a program that differs, small if so wanted, in the folder SEED-INDEX. */
static int keep(struct batch *b, struct random_cl_difference *d, struct tandem_error *err) {
  const size_t n = random_cl_parts(b->programs[0]);
  const bool *given = b->kept;
  bool *kept = NULL;
  char folder[PATH], path[PATH + 8], text[sizeof d->text];
  enum verdict verdict;
  int status = 0;
  if (b->q->shrink && given == NULL)
    status = shrink(b, d->refused, &kept, err);
  d->before = count_parts(given, n);
  d->after = count_parts(b->kept, n);
  snprintf(folder, sizeof folder, "%.4000s/%" PRIu64 "-%" PRIu64, b->q->folder, b->q->seed,
           d->index);
  if (status == 0)
    status = judge(b, folder, &verdict, text, sizeof text, err);
  if (status == 0)
    status = write_file(b, folder, "parts", print_parts, err);
  for (size_t i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, i == 0 ? "oracle" : "log");
    unlink(path);
  }
  b->kept = given;
  free(kept);
  return status;
}

/* Runs n programs together, and each alone if they do not all agree. */
static int run_some(const struct random_cl_request *q, uint64_t first, size_t n,
                    struct random_cl_result *r, struct tandem_error *err) {
  struct batch b = {.q = q};
  struct random_cl_difference d = {.index = first};
  char *folder = NULL;
  bool *kept = NULL;
  enum verdict verdict = SAME;
  int status = make_programs(&b, first, n, err);
  if (status == 0 && q->parts != NULL)
    status = read_parts(q->parts, random_cl_parts(b.programs[0]), &kept, err);
  b.kept = kept;
  if (status == 0 && (status = scratch_folder(NULL, &folder)) != 0)
    status = tandem_fail(err, status, "cannot make a temporary folder: %s", strerror(-status));
  if (status == 0)
    status = judge(&b, folder, &verdict, d.text, sizeof d.text, err);
  scratch_drop(folder);
  d.refused = verdict == REFUSED;
  if (status == 0 && verdict != SAME && n == 1 && q->folder != NULL)
    status = keep(&b, &d, err);
  if (status == 0 && verdict != SAME && n == 1)
    status = note(r, &d, err);
  free(kept);
  free_programs(&b);
  for (size_t i = 0; status == 0 && verdict != SAME && n > 1 && i < n && !is_stopped(q); i++)
    status = run_some(q, first + i, 1, r, err);
  return status;
}

int random_cl_run(const struct random_cl_request *q, struct random_cl_result *r,
                  struct tandem_error *err) {
  int status = 0;
  *r = (struct random_cl_result){0};
  while (status == 0 && r->done < q->count && !is_stopped(q)) {
    const size_t n = q->count - r->done < BATCH ? (size_t)(q->count - r->done) : BATCH;
    status = run_some(q, q->first + r->done, n, r, err);
    r->done += n;
    if (q->on_progress != NULL)
      q->on_progress(q->user, r->done, r->n);
  }
  return status;
}
