/* tandem run */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/expression.h"
#include "harness/cli/cli.h"
#include "harness/cli/inside.h"
#include "harness/gpu/gpu.h"
#include "harness/gpu/statistics.h"

enum { KEY_DUMP = 0x200, KEY_ARG, KEY_PARAM };
enum { DUMPS = 32 };

struct run {
  struct cli_config c;
  const char *input;
  struct cli_launch launch;
  bool stats;
  const char *json;
  struct {
    const char *spec; /* buffer=file */
    struct output file;
  } dumps[DUMPS];
  size_t ndumps;
  struct tandem_parameter parameters[CLI_PARAMETERS];
  size_t nparameters;
  struct output json_file;
  struct cli_inside inside;
  char *command;
};

static const struct argp_option options[] = {
    {"param", KEY_PARAM, "NAME=VALUE", 0, "value of a parameter of the launch description", 0},
    {NULL, 0, NULL, 0, "Output:", 60},
    {"stats", CLI_STORE(CLI_FLAG, run, stats), NULL, 0, "all statistics", 60},
    {"json", CLI_STORE(CLI_OPTIONAL, run, json), "FILE", OPTION_ARG_OPTIONAL,
     "results as JSON to FILE (standard output)", 60},
    {"verbose", CLI_STORE(CLI_FLAG, run, c.verbose), NULL, 0,
     "how often each port and state field was compared", 60},
    {"dump", KEY_DUMP, "BUFFER=FILE", 0, "write a buffer's bytes after the run", 60},
    {NULL, 0, NULL, 0, "For a program instead of a launch description:", 70},
    {"kernel", CLI_STORE(CLI_TEXT, run, launch.kernel), "NAME", 0, "kernel (the only one)", 70},
    {"grid", CLI_STORE(CLI_TEXT, run, launch.grid), "X[,Y[,Z]]", 0, "CTAs (1)", 70},
    {"block", CLI_STORE(CLI_TEXT, run, launch.block), "X[,Y[,Z]]", 0, "threads of a CTA (32)", 70},
    {"dynamic-shared", CLI_STORE(CLI_TEXT, run, launch.dynamic_shared), "BYTES", 0,
     "shared memory of a CTA for .extern .shared arrays (0)", 70},
    {"arg", KEY_ARG, "SPEC", 0,
     "next argument: TYPE:VALUE, local:BYTES, buffer:TYPE:COUNT[:zero|range|random|FILE]; "
     "buffers are named arg0, arg1, ... by position",
     7},
    {0}};

static bool is_description(const char *path) {
  return cli_ends(path, ".yaml") || cli_ends(path, ".yml");
}

static void take_input(struct run *r, const char *path, struct argp_state *state) {
  if (r->input != NULL)
    argp_error(state, "one launch description or program, not also \"%s\"", path);
  r->input = path;
}

/* NAME=VALUE, a whole number. */
static void add_parameter(struct run *r, char *arg, struct argp_state *state) {
  struct tandem_parameter *p = &r->parameters[r->nparameters];
  struct tandem_error err;
  char *value = strchr(arg, '=');
  if (value == NULL || r->nparameters == CLI_PARAMETERS)
    argp_error(state, "--param takes NAME=VALUE, at most %d times, not \"%s\"", CLI_PARAMETERS,
               arg);
  else if (expression_whole(value + 1, NULL, &p->value, &err) != 0)
    argp_error(state, "--param %s: %s", arg, err.text);
  else if ((p->name = strndup(arg, (size_t)(value - arg))) != NULL)
    r->nparameters++;
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
    if (strchr(arg, '=') == NULL || r->ndumps == DUMPS)
      argp_error(state, "--dump takes BUFFER=FILE, at most %d times", DUMPS);
    r->dumps[r->ndumps++].spec = arg;
    return 0;
  case KEY_PARAM:
    add_parameter(r, arg, state);
    return 0;
  case KEY_ARG:
    if (r->launch.nargs == sizeof r->launch.args / sizeof r->launch.args[0])
      argp_error(state, "too many arguments");
    r->launch.args[r->launch.nargs++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    take_input(r, arg, state);
    return 0;
  default:
    return cli_store(key, arg, r);
  }
}

/* Returns true if there are options for a program instead of a launch description. */
static bool has_launch(const struct cli_launch *l) {
  return l->kernel != NULL || l->grid != NULL || l->block != NULL || l->dynamic_shared != NULL ||
         l->nargs != 0;
}

/* Reads what is to be run. */
static enum tandem_status read_job(const struct run *r, struct tandem_job **job,
                                   struct tandem_error *err) {
  char path[4096];
  *job = NULL;
  if (r->input == NULL) {
    const struct tandem_parameter small[] = {{"blocks", 60}, {"n", 8192}};
    const bool given = r->nparameters != 0;
    snprintf(path, sizeof path, "%s/tests/kernels/blackscholes/blackscholes.yaml", cli_root());
    return tandem_job_read(path, given ? r->parameters : small, given ? r->nparameters : 2, job,
                           err);
  }
  if (is_description(r->input)) {
    if (!has_launch(&r->launch))
      return tandem_job_read(r->input, r->parameters, r->nparameters, job, err);
    tandem_fail(err, 0,
                "--kernel, --grid, --block, --dynamic-shared and --arg are for programs; a launch "
                "description has its own");
    return TANDEM_USAGE;
  }
  if (r->nparameters != 0) {
    tandem_fail(err, 0, "--param is for a launch description; %s is a program", r->input);
    return TANDEM_USAGE;
  }
  char *text = cli_launch_text(r->input, &r->launch);
  if (text == NULL) {
    tandem_fail(err, 0, "%s was not run", r->input);
    return TANDEM_USAGE;
  }
  enum tandem_status status = tandem_job_read_text(text, "command line", job, err);
  free(text);
  return status;
}

/* The description's GPU, unless the command line has another one, and over it what options set. */
static enum tandem_status configure(struct run *r, struct tandem_job *job,
                                    struct tandem_error *err) {
  const enum tandem_status status =
      r->c.ndescriptions != 0 ? TANDEM_OK : tandem_job_config(job, &r->c.config, err);
  cli_settle(&r->c);
  return status;
}

/* All outputs are opened before anything is simulated. */
static bool open_outputs(struct run *r) {
  if (r->json != NULL && !outfile_open(&r->json_file, r->json))
    return false;
  for (size_t i = 0; i < r->ndumps; i++)
    if (!outfile_open(&r->dumps[i].file, strchr(r->dumps[i].spec, '=') + 1))
      return false;
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
  if (read_job(r, &job, &err) != TANDEM_OK || configure(r, job, &err) != TANDEM_OK)
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
  for (size_t i = 0; i < r.nparameters; i++)
    free((char *)(uintptr_t)r.parameters[i].name);
  free(r.command);
  return status;
}
