/* tandem run */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/cli/input.h"
#include "harness/cli/inside.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/open.h"
#include "harness/gpu/results/statistics.h"

enum { KEY_DUMP = 0x200 };

struct run {
  struct cli_config c;
  struct cli_input input;
  bool stats;
  const char *json;
  struct run_dump {
    const char *spec; /* buffer=file */
    struct output file;
  } * dumps;
  size_t ndumps;
  struct output json_file;
  struct cli_inside inside;
  char *command;
};

static const struct argp_option options[] = {
    CLI_INPUT_PARAM,
    {NULL, 0, NULL, 0, "Output:", 60},
    {"stats", CLI_STORE(CLI_FLAG, run, stats), NULL, 0, "all statistics", 60},
    {"json", CLI_STORE(CLI_OPTIONAL, run, json), "FILE", OPTION_ARG_OPTIONAL,
     "results as JSON to FILE (standard output)", 60},
    {"verbose", CLI_STORE(CLI_FLAG, run, c.verbose), NULL, 0,
     "how often each port and state field was compared", 60},
    {"dump", KEY_DUMP, "BUFFER=FILE", CLI_REPEATED, "write a buffer's bytes after the run", 60},
    CLI_INPUT_PROGRAM(run),
    {0}};

static void add_dump(struct run *r, const char *spec, struct argp_state *state) {
  struct run_dump *more = realloc(r->dumps, (r->ndumps + 1) * sizeof *more);
  if (strchr(spec, '=') == NULL)
    argp_error(state, "--dump takes BUFFER=FILE, not \"%s\"", spec);
  if (more == NULL)
    argp_failure(state, TANDEM_USAGE, ENOMEM, "--dump");
  r->dumps = more;
  more[r->ndumps++] = (struct run_dump){.spec = spec};
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct run *r = state->input;
  if (key == ARGP_KEY_INIT) {
    state->child_inputs[0] = &r->c;
    state->child_inputs[1] = &r->inside;
    return 0;
  }
  switch (key) {
  case KEY_DUMP:
    add_dump(r, arg, state);
    return 0;
  default:
    return cli_input_take(&r->input, key, arg, state) == 0 ? 0 : cli_store(key, arg, r);
  }
}

/* All outputs are opened before anything is simulated. */
static bool open_outputs(struct run *r) {
  if (r->json != NULL && !outfile_open(&r->json_file, r->json))
    return false;
  for (size_t i = 0; i < r->ndumps; i++)
    if (!outfile_open(&r->dumps[i].file, strchr(r->dumps[i].spec, '=') + 1))
      return false;
  if (r->inside.pipeline != NULL || r->inside.timeline != NULL)
    r->c.config.rtl_block = 1; /* observers see every cycle: no thread would work beside */
  return cli_inside_open(&r->inside);
}

static void abandon_outputs(struct run *r) {
  cli_inside_close(&r->inside);
  output_abandon(&r->json_file);
  for (size_t i = 0; i < r->ndumps; i++)
    output_abandon(&r->dumps[i].file);
}

static const char *buffer_name(const char *spec, char *name, size_t size) {
  snprintf(name, size, "%.*s", (int)(strchr(spec, '=') - spec), spec);
  return name;
}

static bool check_dumps(struct run *r, const struct tandem_job *job) {
  for (size_t i = 0; i < r->ndumps; i++) {
    char name[128];
    uint32_t address;
    uint64_t bytes;
    if (!tandem_job_buffer(job, buffer_name(r->dumps[i].spec, name, sizeof name), &address,
                           &bytes)) {
      fprintf(stderr, "tandem: --dump: there is no buffer \"%s\"\n", name);
      return false;
    }
  }
  return true;
}

/* The buffers' bytes; no file has them yet. */
static bool write_dumps(struct run *r, struct tandem *t, const struct tandem_job *job) {
  for (size_t i = 0; i < r->ndumps; i++) {
    char name[128];
    uint32_t address = 0;
    uint64_t bytes = 0;
    tandem_job_buffer(job, buffer_name(r->dumps[i].spec, name, sizeof name), &address, &bytes);
    void *data = malloc(bytes);
    bool good = data != NULL && tandem_read(t, address, data, bytes, NULL) == TANDEM_OK &&
                fwrite(data, 1, bytes, r->dumps[i].file.file) == bytes;
    free(data);
    if (!good) {
      fprintf(stderr, "tandem: cannot write buffer %s\n", name);
      return false;
    }
  }
  return true;
}

/* All files get their names together, once everything is written: JSON that says `ok` is not there
 * without the rest. */
static bool commit_outputs(struct run *r) {
  bool good = cli_inside_commit(&r->inside);
  for (size_t i = 0; i < r->ndumps && good; i++)
    good = outfile_commit(&r->dumps[i].file);
  return good && (r->json == NULL || outfile_commit(&r->json_file));
}

static const char *status_text(const struct tandem *t, enum tandem_status run,
                               enum tandem_status check) {
  const char *kind = tandem_failure(t)->kind;
  if (run == TANDEM_OK && check == TANDEM_OK)
    return "ok";
  if (run == TANDEM_OK)
    return "unexpected";
  return strcmp(kind, "port") == 0 || strcmp(kind, "state") == 0 || strcmp(kind, "iss") == 0
             ? "mismatch"
             : "fault";
}

/* A run in lockstep that compared nothing proves nothing. */
static enum tandem_status nothing_compared(const struct run *r, const struct tandem *t,
                                           struct tandem_error *err) {
  struct gpu_stats s;
  gpu_statistics(t, &s);
  if (r->c.config.engine != TANDEM_ENGINE_LOCKSTEP || !r->c.config.compare || s.compared != 0)
    return TANDEM_OK;
  tandem_fail(err, 0, "the run in lockstep compared nothing: no kernel was launched");
  return TANDEM_FAULT;
}

/* Prints the results once the job has run.  False: the JSON could not be written. */
static bool tell(struct run *r, struct tandem *t, const struct cli_result *result) {
  const bool quiet = r->json != NULL && strcmp(r->json, "-") == 0;
  if (!quiet) {
    cli_summary(stdout, result);
    if (r->stats)
      cli_stats(stdout, result);
    if (r->c.config.races)
      cli_races(stdout, t);
    if (r->c.verbose)
      cli_comparisons(stdout, t);
  }
  return r->json == NULL || cli_json_write(r->json_file.file, result);
}

static int run_job(struct run *r, struct tandem *t, struct tandem_job *job) {
  struct tandem_error err = {{0}};
  enum tandem_status run = tandem_job_run(job, &err), check = TANDEM_OK;
  cli_progress_end();
  if (run == TANDEM_USAGE) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return run;
  }
  if (run == TANDEM_OK)
    check = tandem_job_check(job, &err);
  if (run == TANDEM_OK && check == TANDEM_OK)
    run = nothing_compared(r, t, &err);
  const bool unchecked = r->c.config.engine == TANDEM_ENGINE_LOCKSTEP && !r->c.config.compare;
  const enum tandem_status status = run != TANDEM_OK ? run : check;
  struct cli_result result = {
      .status = status == TANDEM_OK && unchecked ? "unchecked" : status_text(t, run, check),
      .error = status != TANDEM_OK ? err.text : "",
      .t = t,
      .job = job,
      .config = gpu_config(t),
      .digest = tandem_digest(t)};
  if (status != TANDEM_OK) {
    const char *report = tandem_report(t);
    fprintf(stderr, "tandem: %s\n", *report != '\0' ? report : err.text);
  }
  struct tandem_error no_trace;
  if (tandem_trace_end(t, &no_trace) != TANDEM_OK) {
    fprintf(stderr, "tandem: %s\n", no_trace.text);
    if (status == TANDEM_OK)
      return TANDEM_USAGE;
  }
  if (!tell(r, t, &result) || !cli_inside_write(&r->inside, t) || !write_dumps(r, t, job) ||
      !commit_outputs(r))
    return TANDEM_USAGE;
  return (int)status;
}

static int open_and_run(struct run *r, struct tandem **t, struct tandem_job *job) {
  struct tandem_error err;
  enum tandem_status status = tandem_open(&r->c.config, t, &err);
  if (status == TANDEM_OK) {
    cli_unread(r->c.config.rtl);
    status = tandem_job_bind(job, *t, &err);
  }
  if (status == TANDEM_OK && cli_inside_begin(&r->inside, *t, &err) != 0)
    status = TANDEM_USAGE;
  if (status == TANDEM_OK)
    return check_dumps(r, job) ? run_job(r, *t, job) : TANDEM_USAGE;
  fprintf(stderr, "tandem: %s\n", err.text);
  return status;
}

static int run_all(struct run *r) {
  struct tandem *t = NULL;
  struct tandem_job *job;
  struct tandem_error err;
  int status = TANDEM_USAGE;
  if (cli_input_read(&r->input, &r->c, &job, &err) != TANDEM_OK)
    fprintf(stderr, "tandem: %s\n", err.text);
  else if (open_outputs(r))
    status = open_and_run(r, &t, job);
  tandem_job_close(job);
  tandem_close(t);
  return status;
}

int cli_run(int argc, char **argv) {
  static const struct argp_child children[] = {
      {&cli_config_argp, 0, NULL, 0}, {&cli_inside_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {options,
                                   parse,
                                   "[LAUNCH.yaml | PROGRAM]",
                                   "Simulates a launch description (docs/use/launch.md), a program "
                                   "(.cl, .cu, .ptx, .s, .img) or, "
                                   "without either, Black-Scholes.",
                                   children,
                                   NULL,
                                   NULL};
  struct run r = {0};
  argc = cli_join_json(argc, argv);
  cli_parse(&argp, argc, argv, &r.c, &r);
  r.command = cli_command("run", argc, argv);
  r.c.config.command = r.command;
  r.c.config.profile = r.inside.nprofiles != 0;
  if (isatty(STDERR_FILENO))
    r.c.config.on_progress = cli_progress;
  if (r.c.config.rtl != NULL)
    r.c.config.on_failure = cli_failure;
  const int status = run_all(&r);
  abandon_outputs(&r);
  cli_input_free(&r.input);
  free(r.dumps);
  free(r.command);
  return status;
}
