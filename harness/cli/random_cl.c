/* tandem random-cl: random OpenCL programs beside C that computes the same. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/suite.h"
#include "harness/random_cl/random_cl.h"

enum { KEY_SEED = 0x200, KEY_COUNT, KEY_ONLY, KEY_SIZE, KEY_TIME, PATH = 4096 };

struct random_cl {
  struct random_cl_request q;
  const char *json, *as;
  char program[PATH], folder[PATH];
  bool only;
  struct output json_file;
};

#define STORE(kind, member) CLI_STORE(kind, random_cl, member)
static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Programs:", 10},
    {"seed", KEY_SEED, "N", 0, "seed of all programs (1)", 10},
    {"count", KEY_COUNT, "N", 0, "programs 0 to N-1 of the seed (16)", 10},
    {"only", KEY_ONLY, "I", 0, "only program I", 10},
    {"size", KEY_SIZE, "N", 0, "statements of a kernel, beside those within them (10)", 10},
    {"parts", STORE(CLI_TEXT, q.parts), "FILE", 0,
     "with --only: leave out all parts but these, one number a line", 10},
    {NULL, 0, NULL, 0, "Runs:", 20},
    {"engine", STORE(CLI_TEXT, q.engine), "ENGINE", 0, "of the simulation (ref)", 20},
    {"out", STORE(CLI_TEXT, q.folder), "DIR", 0,
     "folder for programs that differ (build/random-cl)", 20},
    {"report-dir", STORE(CLI_TEXT, q.folder), "DIR", OPTION_ALIAS, NULL, 20},
    {"shrink", STORE(CLI_FLAG, q.shrink), NULL, 0, "make programs that differ small", 20},
    {"time", KEY_TIME, "TIME", 0, "the longest time for that, for each program (5m)", 20},
    {"as", STORE(CLI_TEXT, as), "KIND", 0,
     "for reducers: the exit status is 0 if a program is `different` or `refused`, and 1 if not",
     20},
    {"broken", STORE(CLI_TEXT, q.broken), "OPERATION", 0,
     "the C computes an operation of harness/random_cl/ops.def wrong, as a test of the comparison",
     20},
    {"json", STORE(CLI_OPTIONAL, json), "FILE", OPTION_ARG_OPTIONAL,
     "results as JSON to FILE (standard output)", 20},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct random_cl *r = state->input;
  static const char *const engines[] = {"ref", "rtl", "lockstep"};
  switch (key) {
  case KEY_SEED:
    r->q.seed = cli_number(arg, "--seed", 0, UINT64_MAX, state);
    return 0;
  case KEY_COUNT:
    r->q.count = cli_number(arg, "--count", 1, 1000000, state);
    return 0;
  case KEY_ONLY:
    r->only = true;
    r->q.first = cli_number(arg, "--only", 0, 999999, state);
    return 0;
  case KEY_SIZE:
    r->q.size = (unsigned)cli_number(arg, "--size", 1, 100, state);
    return 0;
  case KEY_TIME:
    r->q.shrink_s = cli_time(arg, "time", state);
    return 0;
  case ARGP_KEY_ARG:
    argp_error(state, "\"%s\" is no option", arg);
    return 0;
  case ARGP_KEY_END:
    if (!r->only && (r->q.parts != NULL || r->as != NULL))
      argp_error(state, "--parts and --as need --only");
    if (r->as != NULL && strcmp(r->as, "different") != 0 && strcmp(r->as, "refused") != 0)
      argp_error(state, "--as is different or refused, not \"%s\"", r->as);
    if (r->q.broken != NULL && !random_cl_has(r->q.broken))
      argp_error(state, "--broken: harness/random_cl/ops.def has no operation \"%s\"", r->q.broken);
    for (size_t i = 0; strcmp(r->q.engine, engines[i]) != 0; i++)
      if (i == 2)
        argp_error(state, "--engine is ref, rtl or lockstep, not \"%s\"", r->q.engine);
    return 0;
  default:
    return cli_store(key, arg, r);
  }
}

/* A line of progress on a terminal. */
static void progress(void *user, uint64_t done, uint64_t different) {
  const struct random_cl *r = user;
  if (!isatty(STDERR_FILENO))
    return;
  fprintf(stderr, "\r\033[K%" PRIu64 " of %" PRIu64 " programs, %" PRIu64 " differ", done,
          r->q.count, different);
  fflush(stderr);
}

static void program_path(const struct random_cl *r, const struct random_cl_difference *d,
                         char *path, size_t size) {
  snprintf(path, size, "%s/%" PRIu64 "-%" PRIu64 "/launch.yaml", r->q.folder, r->q.seed, d->index);
}

static bool write_json(struct random_cl *r, const struct random_cl_result *result) {
  json_t *list = json_array();
  for (size_t i = 0; i < result->n; i++) {
    const struct random_cl_difference *d = &result->different[i];
    json_array_append_new(list,
                          json_pack("{s:I, s:s, s:s, s:I, s:I}", "program", (json_int_t)d->index,
                                    "kind", d->refused ? "refused" : "different", "error", d->text,
                                    "parts", (json_int_t)d->before, "small", (json_int_t)d->after));
  }
  json_t *o =
      json_pack("{s:s, s:I, s:I, s:o}", "status", result->n == 0 ? "ok" : "mismatch", "seed",
                (json_int_t)r->q.seed, "programs", (json_int_t)result->done, "different", list);
  if (result->n != 0 && r->q.folder != NULL) {
    char text[PATH + 64];
    snprintf(text, sizeof text, "%zu of %zu parts", result->different->after,
             result->different->before);
    json_object_set_new(o, "size", json_string(text));
    program_path(r, result->different, text, sizeof text);
    json_object_set_new(o, "small", json_string(text));
  }
  if (result->n != 0)
    json_object_set_new(o, "failure",
                        json_pack("{s:s, s:s}", "kind",
                                  result->different[0].refused ? "refused" : "result", "where",
                                  ""));
  const bool good = json_dumpf(o, r->json_file.file, JSON_INDENT(2)) == 0 &&
                    fputc('\n', r->json_file.file) != EOF;
  json_decref(o);
  return good && outfile_commit(&r->json_file);
}

static void summary(const struct random_cl *r, const struct random_cl_result *result) {
  char path[PATH + 64];
  FILE *out = r->json != NULL ? stderr : stdout;
  for (size_t i = 0; i < result->n; i++) {
    const struct random_cl_difference *d = &result->different[i];
    fprintf(out, "program %" PRIu64 " of seed %" PRIu64 " %s: %s\n", d->index, r->q.seed,
            d->refused ? "is refused" : "differs", d->text);
    if (d->after != d->before)
      fprintf(out, "  %zu of %zu parts are left\n", d->after, d->before);
    if (r->q.folder == NULL)
      continue;
    program_path(r, d, path, sizeof path);
    fprintf(out, "  ./tandem run %s\n", path);
  }
  if (r->json == NULL)
    fprintf(out, "%" PRIu64 " programs of seed %" PRIu64 ": %zu differ\n", result->done, r->q.seed,
            result->n);
}

static int run(struct random_cl *r) {
  struct random_cl_result result;
  struct tandem_error err;
  int status;
  cli_suite_signals();
  const int bad = random_cl_run(&r->q, &result, &err);
  cli_progress_end();
  if (bad != 0) {
    fprintf(stderr, "tandem: %s\n", err.text);
    status = TANDEM_USAGE;
  } else if (r->as != NULL) {
    status = result.n == 1 && result.different[0].refused == (strcmp(r->as, "refused") == 0)
                 ? TANDEM_OK
                 : TANDEM_FAULT;
  } else {
    summary(r, &result);
    status = result.n != 0 || cli_stopped != 0 ? TANDEM_FAULT : TANDEM_OK;
    if (r->json != NULL && !write_json(r, &result))
      status = TANDEM_USAGE;
  }
  free(result.different);
  return status;
}

int cli_random_cl(int argc, char **argv) {
  static const struct argp argp = {options,
                                   parse,
                                   NULL,
                                   "Random OpenCL programs beside C that computes the same "
                                   "(docs/use/random_cl.md): gcc compiles "
                                   "the C, and the results are to be equal, bit by bit.",
                                   NULL,
                                   NULL,
                                   NULL};
  struct random_cl r = {.q = {.engine = "ref",
                              .seed = 1,
                              .count = 16,
                              .size = 10,
                              .shrink_s = 300,
                              .stop = &cli_stopped,
                              .on_progress = progress}};
  int status;
  argc = cli_join_json(argc, argv);
  cli_argp(&argp, argc, argv, &r);
  const ssize_t n = readlink("/proc/self/exe", r.program, sizeof r.program - 1);
  r.program[n > 0 ? n : 0] = '\0';
  snprintf(r.folder, sizeof r.folder, "%.4000s/random-cl", cli_build());
  r.q.program = r.program;
  r.q.user = &r;
  r.q.count = r.only ? 1 : r.q.count;
  if (r.q.folder == NULL)
    r.q.folder = r.folder;
  if (r.as != NULL || *r.q.folder == '\0') /* as of runs of a suite: no files */
    r.q.folder = NULL;
  if (r.json != NULL && !outfile_open(&r.json_file, r.json))
    return TANDEM_USAGE;
  status = run(&r);
  output_abandon(&r.json_file);
  return status;
}
