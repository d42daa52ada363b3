/* tandem bugs: each deliberate fault of the RTL (rtl/bugs.def), one by one, over some programs.
 *
 * For each fault: the first program in which lockstep reports it, in which cycle and where, when
 * state views are compared every cycle; how many cycles later the outputs alone tell; and what is
 * noticed without any comparison: by the architectural check in the same program set, and with an
 * SPU by each of its checks in the program that lockstep found.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/bugs.h"
#include "harness/cli/cli.h"

enum { KEY_JSON = 0x200, KEY_LIST, KEY_ONLY, KEY_BUDDY, KEY_SPU };

static const struct fault {
  unsigned number, members;
  const char *unit, *text;
} faults[] = {
#define BUG(number, unit, members, kind, text) {number, members, #unit, kind ": " text},
#include "rtl/bugs.def"
#undef BUG
    {0, 0, NULL, NULL},
};

static const char *const standard[] = {"vecadd",    "atomics", "matmul", "prefix",
                                       "stencil2d", "spill",   "bfs",    NULL};
/* Of tests/kernels/spu/faults: those that show most faults first. */
static const char *const standard_spu[] = {
    "relay",       "relay_serial", "relay_decoupled", "relay_global", "relay_close",
    "relay_leave", "relay_long",   "relay_spill",     "differ",       NULL};
enum { PROGRAMS = 64 };

struct bugs {
  const char *json;
  bool list, spu;
  struct tandem_config config; /* what all runs share */
  unsigned only;
  const char *programs[PROGRAMS];
  size_t n;
  struct bugs_outcome sound[PROGRAMS]; /* of the programs without a fault */
};

/* The first program in which a fault is noticed. */
struct found {
  const char *program; /* NULL: in none */
  size_t number;       /* of the program */
  struct bugs_outcome outcome;
};

static const struct argp_option options[] = {
    {"buddy", KEY_BUDDY, "2|4|8", 0, "the faults of clusters of so many SMs instead", 0},
    {"spu", KEY_SPU, NULL, 0,
     "the faults of a stencil processing unit instead, each description on its own gpu", 0},
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
  case KEY_SPU:
    b->spu = true;
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
    if (b->n == PROGRAMS)
      argp_error(state, "too many launch descriptions");
    b->programs[b->n++] = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Whether the table has the fault: of a GPU without clusters all that it has, of one with clusters
 * or an SPU those that no other has. */
static bool concerns(const struct bugs *b, const struct fault *f) {
  if (b->spu)
    return f->members == GPU_OF_SPU;
  return gpu_has_fault(f->number, b->config.feature.buddy.size) &&
         (b->config.feature.buddy.size == 1 || f->members > 1);
}

/* A run of a program with a fault, whose states are compared at an interval.  An error in its
 * configuration was told by prepare. */
static struct tandem_config configure(const struct bugs *b, size_t program, unsigned fault,
                                      uint32_t interval) {
  struct tandem_config c = b->config;
  struct tandem_error err;
  (void)bugs_configure(b->programs[program], b->spu, &c, &err);
  c.bug = fault;
  c.state_interval = interval;
  return c;
}

/* The programs on sound hardware.  False: one cannot be run, or is none for these faults, which is
 * told. */
static bool prepare(struct bugs *b) {
  b->config.sms = 2 * b->config.feature.buddy.size;
  b->config.feature.buddy.formation = BUDDY_FORM_ADAPTIVE; /* so that residues form clusters */
  for (size_t i = 0; i < b->n; i++) {
    struct tandem_config c = b->config;
    struct tandem_error err;
    if (!bugs_configure(b->programs[i], b->spu, &c, &err)) {
      fprintf(stderr, "tandem: %s\n", err.text);
      return false;
    }
    if (b->spu && c.feature.spu.columns == 0) {
      fprintf(stderr, "tandem: %s: its gpu has no SPU (spu.columns)\n", b->programs[i]);
      return false;
    }
    c.engine = TANDEM_ENGINE_REF;
    if (!bugs_run(b->programs[i], &c, &b->sound[i]))
      return false;
  }
  return true;
}

static void look(const struct bugs *b, unsigned fault, bool compare, struct found *f) {
  memset(f, 0, sizeof *f);
  for (size_t i = 0; i < b->n && f->program == NULL; i++) {
    struct tandem_config c = configure(b, i, fault, 1);
    struct bugs_outcome o;
    c.compare = compare;
    if (bugs_run(b->programs[i], &c, &o) && bugs_noticed(&o, &b->sound[i]))
      *f = (struct found){b->programs[i], i, o};
  }
}

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static json_t *found_json(const struct found *f) {
  if (f->program == NULL)
    return json_null();
  return json_pack("{s:s, s:s, s:s, s:I}", "program", file_of(f->program), "kind", f->outcome.kind,
                   "where", f->outcome.where, "cycle", (json_int_t)f->outcome.cycle);
}

/* When the outputs alone tell, in the program in which lockstep has found the fault. */
static void look_at_outputs(const struct bugs *b, unsigned fault, const struct found *state,
                            struct found *port) {
  memset(port, 0, sizeof *port);
  if (state->program == NULL)
    return;
  const struct tandem_config c = configure(b, state->number, fault, 1 << 20);
  if (bugs_run(state->program, &c, &port->outcome) &&
      bugs_noticed(&port->outcome, &b->sound[state->number]))
    port->program = state->program;
}

/* What is noticed without comparison, of an SPU in the program of state: its names, and in JSON. */
static json_t *look_alone(const struct bugs *b, unsigned fault, const struct found *state,
                          char *names, size_t size, unsigned *by_check) {
  struct found alone;
  if (b->spu) {
    *names = '\0';
    if (state->program != NULL)
      bugs_detectors(state->program, configure(b, state->number, fault, 1),
                     &b->sound[state->number], names, size);
    *by_check += *names != '\0';
    return json_string(names);
  }
  look(b, fault, false, &alone);
  snprintf(names, size, "%s", alone.program != NULL ? alone.outcome.kind : "");
  *by_check += strcmp(names, "iss") == 0;
  return found_json(&alone);
}

/* One row of the table. */
static void examine(const struct bugs *b, const struct fault *fault, FILE *text, json_t *rows,
                    unsigned found[2]) {
  struct found state, port;
  char later[32] = "-", names[64];
  look(b, fault->number, true, &state);
  look_at_outputs(b, fault->number, &state, &port);
  json_t *alone = look_alone(b, fault->number, &state, names, sizeof names, &found[1]);
  if (port.program != NULL)
    snprintf(later, sizeof later, "%" PRIu64, port.outcome.cycle - state.outcome.cycle);
  found[0] += state.program != NULL;
  fprintf(text, "%3u %-14s %-46.46s %-20.20s %9" PRIu64 " %-36.36s %9s %s\n", fault->number,
          fault->unit, fault->text, state.program != NULL ? file_of(state.program) : "not found",
          state.outcome.cycle, state.outcome.where, later, *names != '\0' ? names : "nothing");
  fflush(text);
  json_array_append_new(rows,
                        json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "fault", (int)fault->number,
                                  "unit", fault->unit, "text", fault->text, "lockstep",
                                  found_json(&state), "outputs_only", found_json(&port),
                                  b->spu ? "without_comparison" : "architectural_check", alone));
}

/* Whether there is a fault of that number, 0: any. */
static bool is_there(const struct bugs *b) {
  for (const struct fault *f = faults; f->unit != NULL; f++)
    if (concerns(b, f) && (b->only == 0 || b->only == f->number))
      return true;
  fprintf(stderr, "tandem: there is no fault %u of this GPU; --list shows all\n", b->only);
  return false;
}

static int examine_all(const struct bugs *b, struct output *out) {
  FILE *text = b->json != NULL && strcmp(b->json, "-") == 0 ? stderr : stdout;
  json_t *rows = json_array();
  unsigned found[2] = {0, 0}, n = 0;
  fprintf(text, "%3s %-14s %-46s %-20s %9s %-36s %9s %s\n", "", "unit", "fault", "program", "cycle",
          "first difference", "outputs +", "without comparison");
  for (const struct fault *f = faults; f->unit != NULL; f++)
    if (concerns(b, f) && (b->only == 0 || b->only == f->number)) {
      examine(b, f, text, rows, found);
      n++;
    }
  fprintf(text, "lockstep found %u of %u, %s alone %u\n", found[0], n,
          b->spu ? "the other checks" : "the architectural check", found[1]);
  bool good = true;
  if (b->json != NULL) {
    json_t *o =
        json_pack("{s:o, s:i, s:i, s:i}", "rows", rows, "faults", (int)n, "lockstep", (int)found[0],
                  b->spu ? "without_comparison" : "architectural_check", (int)found[1]);
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
  static char paths[PROGRAMS][1024];
  struct bugs b = {0};
  struct output out = {0};
  gpu_config_default(&b.config);
  argc = cli_join_json(argc, argv);
  argp_parse(&argp, argc, argv, 0, NULL, &b);
  if (b.list) {
    for (const struct fault *f = faults; f->unit != NULL; f++)
      if (concerns(&b, f))
        printf("%3u %-14s %s\n", f->number, f->unit, f->text);
    return 0;
  }
  const char *const *names = b.spu ? standard_spu : standard;
  for (size_t i = 0; b.n == i && names[i] != NULL; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/tests/kernels/%s/%s.yaml", cli_root(),
             b.spu ? "spu/faults" : names[i], names[i]);
    b.programs[b.n++] = paths[i];
  }
  if (!is_there(&b) || (b.json != NULL && !outfile_open(&out, b.json)))
    return TANDEM_USAGE;
  const int status = prepare(&b) ? examine_all(&b, &out) : TANDEM_USAGE;
  output_abandon(&out);
  return status;
}
