/* tandem bugs: each deliberate fault of the RTL (rtl/bugs.def), one by one, over some programs.
 *
 * For each fault: the first program in which lockstep reports it, in which cycle and where, when
 * state views are compared every cycle; how many cycles later the outputs alone tell; and what the
 * same program set shows without any comparison, the architectural check alone.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"

enum { KEY_JSON = 0x200, KEY_LIST, KEY_ONLY, KEY_BUDDY };

static const struct fault {
  unsigned number, members;
  const char *unit, *text;
} faults[] = {
#define BUG(number, unit, members, kind, text) {number, members, #unit, kind ": " text},
#include "rtl/bugs.def"
#undef BUG
    {0, 0, NULL, NULL},
};

static const char *const standard[] = {"vecadd",    "reduction", "transpose", "histogram",
                                       "mergesort", "spill",     "bfs",       NULL};

struct bugs {
  const char *json;
  bool list;
  struct tandem_config config; /* what all runs share */
  unsigned only;
  const char *programs[64];
  size_t n;
};

/* What a fault did in one way of running. */
struct found {
  const char *program; /* NULL: nothing noticed in any */
  char kind[16], where[80];
  uint64_t cycle;
};

static const struct argp_option options[] = {
    {"buddy", KEY_BUDDY, "2|4|8", 0, "the faults of clusters of so many SMs instead", 0},
    {"list", KEY_LIST, NULL, 0, "only list the faults", 0},
    {"only", KEY_ONLY, "N", 0, "this fault only", 0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "results as JSON to FILE (standard output)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct bugs *b = state->input;
  struct tandem_error err;
  switch (key) {
  case KEY_BUDDY:
    if (tandem_config_set(&b->config, "buddy.size", arg, &err) != TANDEM_OK)
      argp_error(state, "--buddy: %s", err.text);
    return 0;
  case KEY_LIST:
    b->list = true;
    return 0;
  case KEY_ONLY:
    b->only = (unsigned)cli_number(arg, "--only", 1, 255, state);
    return 0;
  case KEY_JSON:
    b->json = arg != NULL ? arg : "-";
    return 0;
  case ARGP_KEY_ARG:
    if (b->n == sizeof b->programs / sizeof b->programs[0])
      argp_error(state, "too many launch descriptions");
    b->programs[b->n++] = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Runs one program; true if something was noticed.  A wrong use is told and counts as nothing. */
static bool run_one(const char *path, const struct tandem_config *c, struct found *f) {
  struct tandem *t;
  struct tandem_job *job;
  struct tandem_error err;
  enum tandem_status status = tandem_open(c, &t, &err);
  if (status != TANDEM_OK) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return false;
  }
  status = tandem_job_open(t, path, &job, &err);
  if (status == TANDEM_OK)
    status = tandem_job_run(job, &err);
  if (status == TANDEM_USAGE)
    fprintf(stderr, "tandem: %s\n", err.text);
  const bool noticed = status == TANDEM_FAULT;
  if (noticed) {
    const struct tandem_failure *failure = tandem_failure(t);
    f->program = path;
    f->cycle = failure->cycle;
    snprintf(f->kind, sizeof f->kind, "%s", failure->kind);
    snprintf(f->where, sizeof f->where, "%s", failure->where);
  }
  tandem_job_close(job);
  tandem_close(t);
  return noticed;
}

/* Whether the table has the fault: of a GPU without clusters all that it has, of one with clusters
 * those that no other has. */
static bool concerns(const struct bugs *b, const struct fault *f) {
  return gpu_has_fault(f->number, b->config.buddy) && (b->config.buddy == 1 || f->members > 1);
}

static void look(const struct bugs *b, const struct tandem_config *c, struct found *f) {
  memset(f, 0, sizeof *f);
  for (size_t i = 0; i < b->n && f->program == NULL; i++)
    (void)run_one(b->programs[i], c, f);
}

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static json_t *found_json(const struct found *f) {
  if (f->program == NULL)
    return json_null();
  return json_pack("{s:s, s:s, s:s, s:I}", "program", file_of(f->program), "kind", f->kind, "where",
                   f->where, "cycle", (json_int_t)f->cycle);
}

/* One row of the table. */
static void examine(const struct bugs *b, const struct fault *fault, FILE *text, json_t *rows,
                    unsigned found[2]) {
  struct found state, port = {0}, alone;
  struct tandem_config c = b->config;
  c.sms = 2 * c.buddy;
  c.threads = 1;
  c.bug = fault->number;
  c.max_cycles = 2000000;
  c.hang_cycles = 5000;
  c.pin = false;
  c.state_interval = 1;
  look(b, &c, &state);
  if (state.program != NULL) {
    c.state_interval = 1 << 20;
    (void)run_one(state.program, &c, &port);
  }
  c.compare = false;
  look(b, &c, &alone);
  char later[32] = "-";
  if (port.program != NULL)
    snprintf(later, sizeof later, "%" PRIu64, port.cycle - state.cycle);
  found[0] += state.program != NULL;
  found[1] += strcmp(alone.kind, "iss") == 0;
  fprintf(text, "%3u %-14s %-46.46s %-16.16s %9" PRIu64 " %-28.28s %9s %s\n", fault->number,
          fault->unit, fault->text, state.program != NULL ? file_of(state.program) : "not found",
          state.cycle, state.where, later, alone.program != NULL ? alone.kind : "nothing");
  fflush(text);
  json_array_append_new(rows,
                        json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "fault", (int)fault->number,
                                  "unit", fault->unit, "text", fault->text, "lockstep",
                                  found_json(&state), "outputs_only", found_json(&port),
                                  "architectural_check", found_json(&alone)));
}

static int examine_all(const struct bugs *b, struct outfile *out) {
  FILE *text = b->json != NULL && strcmp(b->json, "-") == 0 ? stderr : stdout;
  json_t *rows = json_array();
  unsigned found[2] = {0, 0}, n = 0;
  fprintf(text, "%3s %-14s %-46s %-16s %9s %-28s %9s %s\n", "", "unit", "fault", "program", "cycle",
          "first difference", "outputs +", "without comparison");
  for (const struct fault *f = faults; f->unit != NULL; f++)
    if (concerns(b, f) && (b->only == 0 || b->only == f->number)) {
      examine(b, f, text, rows, found);
      n++;
    }
  fprintf(text, "lockstep found %u of %u, the architectural check alone %u\n", found[0], n,
          found[1]);
  bool good = true;
  if (b->json != NULL) {
    json_t *o = json_pack("{s:o, s:i, s:i, s:i}", "rows", rows, "faults", (int)n, "lockstep",
                          (int)found[0], "architectural_check", (int)found[1]);
    good = json_dumpf(o, out->file, JSON_INDENT(2)) == 0 && fputc('\n', out->file) != EOF &&
           outfile_commit(out);
    json_decref(o);
  } else {
    json_decref(rows);
  }
  return good ? TANDEM_OK : TANDEM_USAGE;
}

int cli_bugs(int argc, char **argv) {
  static const struct argp argp = {
      options,
      parse,
      "[LAUNCH.yaml...]",
      "Tells which deliberate faults of the RTL a program would show: switches each on, one by "
      "one, "
      "in one of two SMs (or clusters), and runs the launch descriptions (by default some of the "
      "kernels that "
      "come with Tandem) until lockstep reports it: in which cycle and where, how many cycles "
      "later the outputs alone would have told, and what is noticed without any comparison.",
      NULL,
      NULL,
      NULL};
  static char paths[sizeof standard / sizeof standard[0]][1024];
  struct bugs b = {0};
  struct outfile out = {0};
  gpu_config_default(&b.config);
  argc = cli_join_json(argc, argv);
  argp_parse(&argp, argc, argv, 0, NULL, &b);
  if (b.list) {
    for (const struct fault *f = faults; f->unit != NULL; f++)
      if (concerns(&b, f))
        printf("%3u %-14s %s\n", f->number, f->unit, f->text);
    return 0;
  }
  for (size_t i = 0; b.n == i && standard[i] != NULL; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/tests/kernels/%s/%s.yaml", cli_root(), standard[i],
             standard[i]);
    b.programs[b.n++] = paths[i];
  }
  if (b.json != NULL && !outfile_open(&out, b.json))
    return TANDEM_USAGE;
  const int status = examine_all(&b, &out);
  outfile_abandon(&out);
  return status;
}
