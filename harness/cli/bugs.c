/* tandem bugs: each seeded fault of the RTL (rtl/faults.def), one by one, over some programs.
 *
 * For each fault: the first program in which lockstep reports it, in which cycle and where, when
 * state views are compared every cycle; how many cycles later the outputs alone show it; and which
 * checks notice it in that program without any comparison.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/nearest.h"
#include "harness/cli/bugs.h"
#include "harness/cli/cli.h"
#include "harness/gpu/faults.h"
#include "harness/gpu/feature.h"

enum { KEY_JSON = 0x200, KEY_LIST, KEY_ONLY, KEY_FEATURE, KEY_SET, KEY_QUICK, PROGRAMS = 64 };

static const char *const standard[] = {"vecadd/vecadd",
                                       "reduction/reduction",
                                       "transpose/transpose",
                                       "histogram/histogram",
                                       "mergesort/mergesort",
                                       "spill/spill",
                                       "bfs/bfs",
                                       NULL};

struct bugs {
  const char *json;
  bool list, quick;
  const struct feature *feature; /* whose faults are looked for; NULL: those of every GPU */
  struct tandem_config config;   /* of all runs */
  unsigned only;                 /* 0: all faults */
  const char *programs[PROGRAMS];
  size_t n;
  uint64_t sound[PROGRAMS]; /* digest of the program's memory without a fault */
  bool ready[PROGRAMS];     /* the program was run without a fault */
  bool broken;              /* one of them cannot be run, or fails */
};

static const struct argp_option options[] = {
    {"feature", KEY_FEATURE, "NAME", 0, "the faults of this feature's units instead", 0},
    {"set", KEY_SET, "KEY=VALUE", CLI_REPEATED, "a configuration key of all runs; after --feature",
     0},
    {"list", KEY_LIST, NULL, 0, "only list the faults", 0},
    {"only", KEY_ONLY, "FAULT", 0, "this fault only: its name, as 'missed WAR', or its number", 0},
    {"quick", KEY_QUICK, NULL, 0,
     "only whether lockstep reports each fault: no further runs with it, and none of programs "
     "behind "
     "the one that finds it",
     0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "results as JSON to FILE (standard output)", 0},
    {0}};

/* Sets "KEY=VALUE"; false: err has the reason. */
static bool set(struct tandem_config *c, const char *setting, struct tandem_error *err) {
  char key[64];
  const char *value = strchr(setting, '=');
  snprintf(key, sizeof key, "%.*s", (int)strcspn(setting, "="), setting);
  return tandem_config_set(c, key, value != NULL ? value + 1 : "", err) == TANDEM_OK;
}

static void choose(struct bugs *b, const char *name, struct argp_state *state) {
  struct tandem_error err;
  const char *near = NULL;
  for (size_t i = 0; i < features_count; i++)
    if (strcmp(features[i]->name, name) == 0)
      b->feature = features[i];
  for (size_t i = 0; b->feature == NULL && i < features_count; i++)
    near = nearest(name, near, features[i]->name);
  if (b->feature == NULL)
    argp_error(state, "--feature: there is no feature \"%s\"; the nearest name is %s", name,
               near != NULL ? near : "none");
  const char *const *s = b->feature->faults.settings;
  for (; s != NULL && *s != NULL; s++)
    (void)set(&b->config, *s, &err);
}

/* Returns the number of a fault that is named, or given by its number. */
static unsigned fault_number(const char *text, struct argp_state *state) {
  const struct gpu_fault *f = gpu_fault_named(text);
  if (f == NULL && text[strspn(text, "0123456789")] != '\0')
    argp_error(state,
               "--only: no fault is named \"%s\"; --list shows those of every GPU, "
               "--feature NAME --list those of a feature",
               text);
  return f != NULL ? f->number : (unsigned)cli_number(text, "--only", 1, 255, state);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct bugs *b = state->input;
  struct tandem_error err;
  switch (key) {
  case KEY_FEATURE:
    choose(b, arg, state);
    return 0;
  case KEY_SET:
    if (!set(&b->config, arg, &err))
      argp_error(state, "--set %s: %s", arg, err.text);
    return 0;
  case KEY_LIST:
    b->list = true;
    return 0;
  case KEY_QUICK:
    b->quick = true;
    return 0;
  case KEY_ONLY:
    b->only = fault_number(arg, state);
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

/* Reports if a fault is asked for: one of every GPU's units, or of the feature's. */
static bool concerns(const struct bugs *b, const struct gpu_fault *f) {
  const char *of = b->feature != NULL ? b->feature->name : "gpu";
  return strcmp(f->feature, of) == 0 && (b->only == 0 || b->only == f->number);
}

static bool own_gpu(const struct bugs *b) {
  return b->feature != NULL && b->feature->faults.own_gpu;
}

/* The first fault from f on that is asked for; NULL: there is no further one. */
static const struct gpu_fault *next(const struct bugs *b, const struct gpu_fault *f) {
  while (f->number != 0 && !concerns(b, f))
    f++;
  return f->number != 0 ? f : NULL;
}

/* Runs a program; *c becomes the configuration of the run. */
static bool run(const struct bugs *b, size_t program, unsigned fault, uint32_t interval,
                struct tandem_config *c, struct bugs_outcome *o) {
  struct tandem_error err;
  *c = b->config;
  struct tandem_job *job = bugs_read(b->programs[program], own_gpu(b), c, &err);
  if (job == NULL) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return false;
  }
  c->bug = fault;
  c->state_interval = interval;
  if (fault == 0)
    c->engine = TANDEM_ENGINE_REF;
  const bool good = bugs_run(job, c, o);
  o->present = b->feature == NULL || b->feature->present(c);
  return good;
}

/* Runs a program without a fault, once.  False: it cannot be run or fails, which is printed. */
static bool prepare(struct bugs *b, size_t i) {
  struct tandem_config c;
  struct bugs_outcome o;
  if (b->ready[i])
    return true;
  b->broken = true;
  if (!run(b, i, 0, 1, &c, &o))
    return false;
  if (o.failed)
    fprintf(stderr, "tandem: %s fails without a fault: %s\n", b->programs[i], o.where);
  if (!o.failed && !o.present)
    fprintf(stderr, "tandem: %s: its gpu has no %s\n", b->programs[i], b->feature->title);
  if (o.failed || !o.present)
    return false;
  b->sound[i] = o.digest;
  b->ready[i] = true;
  b->broken = false;
  return true;
}

static bool prepare_all(struct bugs *b) {
  bool good = true;
  for (size_t i = 0; good && i < b->n; i++)
    good = prepare(b, i);
  return good;
}

/* The program in which lockstep reports the fault, b->n if none does. */
static size_t look(struct bugs *b, unsigned fault, struct tandem_config *c,
                   struct bugs_outcome *o) {
  for (size_t i = 0; i < b->n && prepare(b, i); i++)
    if (run(b, i, fault, 1, c, o) && o->failed)
      return i;
  *o = (struct bugs_outcome){0};
  return b->n;
}

static json_t *outcome_json(const char *program, const struct bugs_outcome *o) {
  if (!o->failed)
    return json_null();
  return json_pack("{s:s, s:s, s:s, s:I}", "program", program, "kind", o->kind, "where", o->where,
                   "cycle", (json_int_t)o->cycle);
}

/* One row of the table. */
static void examine(struct bugs *b, const struct gpu_fault *fault, FILE *text, json_t *rows,
                    unsigned found[2]) {
  struct bugs_outcome state, port = {0};
  char later[32] = "-", names[64] = "";
  const char *program = "not found";
  struct tandem_config c;
  const size_t i = look(b, fault->number, &c, &state);
  if (i < b->n) {
    const char *slash = strrchr(b->programs[i], '/');
    program = slash != NULL ? slash + 1 : b->programs[i];
    if (!b->quick && run(b, i, fault->number, 1 << 20, &c, &port) && port.failed)
      snprintf(later, sizeof later, "%" PRIu64, port.cycle - state.cycle);
    if (!b->quick)
      bugs_detectors(b->programs[i], c, b->sound[i], names, sizeof names);
  }
  if (b->broken)
    return;
  found[0] += i < b->n;
  found[1] += *names != '\0';
  fprintf(text, "%3u %-14s %-46.46s %-20.20s %9" PRIu64 " %-36.36s %9s %s\n", fault->number,
          fault->unit, fault->text, program, state.cycle, state.where, later,
          b->quick         ? "-"
          : *names != '\0' ? names
                           : "nothing");
  fflush(text);
  json_array_append_new(
      rows, json_pack("{s:i, s:s, s:s, s:o, s:o, s:s}", "fault", (int)fault->number, "unit",
                      fault->unit, "text", fault->text, "lockstep", outcome_json(program, &state),
                      "outputs_only", outcome_json(program, &port), "without_comparison", names));
}

static int examine_all(struct bugs *b, struct output *out) {
  FILE *text = b->json != NULL && strcmp(b->json, "-") == 0 ? stderr : stdout;
  json_t *rows = json_array();
  unsigned found[2] = {0, 0}, n = 0;
  fprintf(text, "%3s %-14s %-46s %-20s %9s %-36s %9s %s\n", "", "unit", "fault", "program", "cycle",
          "first difference", "outputs +", "without comparison");
  for (const struct gpu_fault *f = gpu_faults; !b->broken && (f = next(b, f)) != NULL; f++, n++)
    examine(b, f, text, rows, found);
  if (b->broken) {
    json_decref(rows);
    return TANDEM_USAGE;
  }
  if (b->quick)
    fprintf(text, "lockstep found %u of %u\n", found[0], n);
  else
    fprintf(text, "lockstep found %u of %u, the other checks alone %u\n", found[0], n, found[1]);
  json_t *o = json_pack("{s:o, s:i, s:i, s:i}", "rows", rows, "faults", (int)n, "lockstep",
                        (int)found[0], "without_comparison", (int)found[1]);
  const bool good = b->json == NULL || (json_dumpf(o, out->file, JSON_INDENT(2)) == 0 &&
                                        fputc('\n', out->file) != EOF && outfile_commit(out));
  json_decref(o);
  return good ? TANDEM_OK : TANDEM_USAGE;
}

int cli_bugs(int argc, char **argv) {
  static const struct argp argp = {
      options,
      parse,
      "[LAUNCH.yaml...]",
      "Shows which seeded faults of the RTL a program finds: switches each on, one by one, in one "
      "of two SMs or clusters, and runs the launch descriptions (by default some of the kernels "
      "that come with Tandem) until lockstep reports it: in which cycle and where, how many cycles "
      "later the outputs alone show it, and which checks notice it without any comparison.",
      NULL,
      NULL,
      NULL};
  static char paths[PROGRAMS][1024];
  struct bugs b = {0};
  struct output out = {0};
  gpu_config_default(&b.config);
  b.config.sms = 2;
  argc = cli_join_json(argc, argv);
  cli_argp(&argp, argc, argv, &b);
  const char *const *of = b.feature != NULL ? b.feature->faults.programs : NULL;
  const char *const *names = of != NULL ? of : standard;
  for (size_t i = 0; b.n == i && names[i] != NULL; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/tests/kernels/%s.yaml", cli_root(), names[i]);
    b.programs[b.n++] = paths[i];
  }
  if (next(&b, gpu_faults) == NULL) {
    fprintf(stderr, "tandem: there is no fault %u of this GPU; --list shows all\n", b.only);
    return TANDEM_USAGE;
  }
  for (const struct gpu_fault *f = gpu_faults; b.list && (f = next(&b, f)) != NULL; f++)
    printf("%3u %-14s %s\n", f->number, f->unit, f->text);
  if (b.list)
    return TANDEM_OK;
  if (b.json != NULL && !outfile_open(&out, b.json))
    return TANDEM_USAGE;
  const int status = b.quick || prepare_all(&b) ? examine_all(&b, &out) : TANDEM_USAGE;
  output_abandon(&out);
  return status;
}
