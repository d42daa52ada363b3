/* tandem synth */
#include "synth/flow/synth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/activity/activity.h"
#include "harness/cli/cli.h"
#include "synth/report/baseline.h"
#include "synth/report/html/html.h"
#include "synth/report/report.h"
#include "synth/report/schematic.h"

enum { KEY_PARAM = 0x200, KEY_LIBERTY, KEY_CLOCK, KEY_FROM, KEY_TO, KEY_BUDGET, KEY_TURN };

/* Exit status of --check if the baseline says nothing about the report. */
enum { STALE = 3 };

struct synth {
  struct synth_config config;
  const char *units[64], *values[16], *liberty[LIBERTY_FILES], *json, *html, *schematic, *baseline;
  bool check, changed, update;
  struct synth_turn turn; /* of changed */
  const char *kernel;     /* whose activity is measured; NULL: none */
  uint64_t from, to;
};

/* Files to be written. */
struct outputs {
  struct output json, html, baseline;
};

static const struct argp_option options[] = {
    {"feature", CLI_STORE(CLI_TEXT, synth, config.feature), "NAME", 0,
     "only the baseline and this feature of synth/data/designs.yaml", 0},
    {"param", KEY_PARAM, "NAME=VALUE", CLI_REPEATED,
     "a parameter of the feature, as columns=8; may be repeated", 0},
    {"liberty", KEY_LIBERTY, "FILE", CLI_REPEATED,
     "library of cells (OSU 180 nm of Debian's qflow-tech-osu018); may be compressed, and repeated "
     "for a library of several files",
     0},
    {"macros", CLI_STORE(CLI_TEXT, synth, config.macros), "FILE", 0,
     "Liberty of memories, called as in the netlists; others' figures are estimated", 0},
    {"sram", CLI_STORE(CLI_TEXT, synth, config.sram), "MAP.yaml", 0,
     "which cells of --macros serve which memories, for macros of an SRAM compiler", 0},
    {"clock", KEY_CLOCK, "MHZ", 0, "core clock that slack and power are told for (100)", 0},
    {"flat", CLI_STORE(CLI_FLAG, synth, config.flat), NULL, 0,
     "designs also flattened before they are mapped", 0},
    {"no-clock-gating", CLI_STORE(CLI_FLAG, synth, config.ungated), NULL, 0,
     "every register keeps its clock: what clock gates bring", 0},
    {"json", CLI_STORE(CLI_OPTIONAL, synth, json), "FILE", OPTION_ARG_OPTIONAL,
     "the report as JSON (standard output)", 0},
    {"html", CLI_STORE(CLI_TEXT, synth, html), "FILE", 0, "the report as a page with charts", 0},
    {"schematic", CLI_STORE(CLI_TEXT, synth, schematic), "FOLDER", 0,
     "a picture of each unit's RTL, UNIT.svg", 0},
    {"check", CLI_STORE(CLI_FLAG, synth, check), NULL, 0,
     "compare with the baseline: exit status 1 if a figure is more than 2 % off, 3 if the version "
     "of a "
     "tool or of the library is another",
     0},
    {"check-changed", CLI_STORE(CLI_FLAG, synth, changed), NULL, 0,
     "the same, only of units whose text, parameters or scripts are not those of their row", 0},
    {"budget", KEY_BUDGET, "SECONDS", 0,
     "processor seconds of --check-changed, by the rows (any): small units come first, large ones "
     "by turns",
     0},
    {"turn", KEY_TURN, "NUMBER", 0, "the turn, as the number of commits (0)", 0},
    {"update", CLI_STORE(CLI_FLAG, synth, update), NULL, 0, "make this report the baseline", 0},
    {"baseline", CLI_STORE(CLI_TEXT, synth, baseline), "FILE", 0,
     "where the baseline is (synth/data/baseline.json)", 0},
    {"activity", CLI_STORE(CLI_TEXT, synth, kernel), "KERNEL", 0,
     "power with activity of the netlists, which run this kernel in lockstep: a launch "
     "description, "
     "or a name of tests/kernels",
     0},
    {"from", KEY_FROM, "CYCLE", 0, "first cycle that activity is counted in (1000)", 0},
    {"to", KEY_TO, "CYCLE", 0, "first cycle after those (2000)", 0},
    {"build", CLI_STORE(CLI_TEXT, synth, config.build), "FOLDER", 0,
     "where netlists are kept (the build folder)", 0},
    {0}};

static double clock_mhz(const char *text, struct argp_state *state) {
  char *end;
  errno = 0;
  const double v = strtod(text, &end);
  if (errno != 0 || end == text || *end != '\0' || !(v >= 0.001 && v <= 100000))
    argp_error(state, "--clock is \"%s\", not MHz from 0.001 to 100000", text);
  return v;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct synth *s = state->input;
  struct synth_config *c = &s->config;
  switch (key) {
  case KEY_PARAM:
    if (c->nvalues == sizeof s->values / sizeof s->values[0])
      argp_error(state, "too many --param");
    s->values[c->nvalues++] = arg;
    return 0;
  case KEY_LIBERTY:
    if (c->nliberty == LIBERTY_FILES)
      argp_error(state, "too many --liberty");
    s->liberty[c->nliberty++] = arg;
    return 0;
  case KEY_CLOCK:
    c->mhz = clock_mhz(arg, state);
    return 0;
  case KEY_FROM:
    s->from = cli_number(arg, "--from", 0, UINT32_MAX, state);
    return 0;
  case KEY_TO:
    s->to = cli_number(arg, "--to", 1, UINT32_MAX, state);
    return 0;
  case KEY_BUDGET:
    s->turn.seconds = (double)cli_number(arg, "--budget", 1, UINT32_MAX, state);
    return 0;
  case KEY_TURN:
    s->turn.number = cli_number(arg, "--turn", 0, UINT32_MAX, state);
    return 0;
  case ARGP_KEY_ARG:
    if (c->nunits == sizeof s->units / sizeof s->units[0])
      argp_error(state, "too many units");
    s->units[c->nunits++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (s->check + s->changed + s->update > 1)
      argp_error(state, "--check, --check-changed and --update exclude each other");
    if (s->changed && (c->nunits > 0 || c->feature != NULL || c->flat || s->json != NULL ||
                       s->html != NULL || s->schematic != NULL || s->kernel != NULL))
      argp_error(state, "--check-changed chooses the units and writes no report: it takes no UNIT, "
                        "--feature, --flat, --json, --html, --schematic and --activity");
    if (!s->changed && (s->turn.seconds > 0 || s->turn.number > 0))
      argp_error(state, "--budget and --turn are options of --check-changed");
    if (c->ungated && (s->check || s->changed || s->update))
      argp_error(state, "a check and --update take no --no-clock-gating: the baseline has clock "
                        "gates");
    return 0;
  default:
    return cli_store(key, arg, s);
  }
}

static void progress(void *user, const struct synth_progress *p) {
  (void)user;
  fprintf(stderr, "\r\033[Ksynth: %zu of %zu steps, %s %s", p->done, p->known, p->step, p->unit);
  fflush(stderr);
}

/* The baseline is read when the other files are written. */
static bool baseline_is_input(const struct synth *s) {
  struct stat st;
  if (!s->check || stat(s->baseline, &st) != 0 || !output_is(&st))
    return true;
  fprintf(stderr, "tandem: cannot read %s: it is also the name of an output\n", s->baseline);
  return false;
}

static bool open_outputs(const struct synth *s, struct outputs *o) {
  return (s->json == NULL || outfile_open(&o->json, s->json)) &&
         (s->html == NULL || outfile_open(&o->html, s->html)) &&
         (!s->update || outfile_open(&o->baseline, s->baseline)) && baseline_is_input(s);
}

static void print_undrawn(void *user, const char *unit, const char *why) {
  (void)user;
  if (why != NULL)
    fprintf(stderr, "tandem: no picture of %s: %s\n", unit, why);
}

/* Prints what a check found: an exit status. */
static int verdict_end(FILE *text, enum synth_verdict verdict) {
  static const struct {
    int status;
    const char *text;
  } ends[] = {
      [SYNTH_SAME] = {TANDEM_OK, "check: as the baseline"},
      [SYNTH_CHANGED] = {TANDEM_FAULT, "check: not as the baseline (--update accepts it)"},
      [SYNTH_STALE] = {STALE, "check: the baseline is stale (--update makes a new one)"},
  };
  fprintf(text, "%s\n", ends[verdict].text);
  return ends[verdict].status;
}

/* Holds the report against the baseline, or makes it the baseline: an exit status. */
static int baseline(const struct synth *s, const struct synth_report *r, struct output *out,
                    FILE *text) {
  const bool whole = s->config.nunits == 0 && s->config.feature == NULL;
  struct tandem_error err;
  if (s->update && synth_baseline_update(out->file, s->baseline, r, whole, &err) == 0)
    return outfile_commit(out) ? TANDEM_OK : TANDEM_USAGE;
  enum synth_verdict verdict = SYNTH_SAME;
  if (s->update || synth_baseline_check(text, s->baseline, r, whole, &verdict, &err) != 0) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return TANDEM_USAGE;
  }
  return verdict_end(text, verdict);
}

/* Tells and writes what was asked for: an exit status. */
static int report(const struct synth *s, const struct synth_report *r, struct outputs *o) {
  FILE *text = s->json != NULL && strcmp(s->json, "-") == 0 ? stderr : stdout;
  synth_text(text, r);
  if (s->json != NULL && !(synth_json(o->json.file, r) && outfile_commit(&o->json)))
    return TANDEM_USAGE;
  if (s->html != NULL && !(synth_html(o->html.file, r) && outfile_commit(&o->html)))
    return TANDEM_USAGE;
  const struct synth_schematic pictures = {
      .build = s->config.build, .folder = s->schematic, .drawn = print_undrawn};
  struct tandem_error err;
  if (s->schematic != NULL && synth_schematic(&pictures, r, &err) != 0) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return TANDEM_USAGE;
  }
  return s->check || s->update ? baseline(s, r, &o->baseline, text) : TANDEM_OK;
}

/* The report, with activity if that is asked for.  Prints lockstep's report of a netlist that
 * does something else. */
static int make(const struct synth *s, struct synth_report **r, struct tandem_error *err) {
  char *mismatch = NULL;
  int status = 0;
  if (s->kernel != NULL)
    status = activity_check(&s->config, s->kernel, s->from, s->to, err);
  if (status == 0)
    status = synth_run(&s->config, r, err);
  if (status != 0 || s->kernel == NULL)
    return status;
  status = activity_report(&s->config, s->kernel, s->from, s->to, *r, &mismatch, err);
  if (mismatch != NULL)
    fprintf(stderr, "%s\n", mismatch);
  free(mismatch);
  if (status != 0)
    synth_free(*r);
  return status;
}

/* The check of the units that have changed: an exit status. */
static int check_changed(const struct synth *s) {
  enum synth_verdict verdict = SYNTH_SAME;
  struct tandem_error err;
  const int status = synth_changed_check(stdout, s->baseline, &s->config, &s->turn, &verdict, &err);
  cli_progress_end();
  if (status == 0)
    return verdict_end(stdout, verdict);
  fprintf(stderr, "tandem: %s\n", err.text);
  return TANDEM_USAGE;
}

/* An installed program has no RTL to synthesise. */
static bool has_sources(void) {
  char designs[1024];
  snprintf(designs, sizeof designs, "%s/synth/data/designs.yaml", cli_root());
  if (access(designs, R_OK) == 0)
    return true;
  fprintf(stderr,
          "tandem: synth needs the sources of the hardware, and %s has none: set TANDEM_ROOT to "
          "the folder of Tandem's sources\n",
          cli_root());
  return false;
}

int cli_synth(int argc, char **argv) {
  static const struct argp argp = {
      options,
      parse,
      "[UNIT...]",
      "Tells what hardware costs: cells, area, memory, timing and power of the SM front end, of "
      "the "
      "features, and of what they add, or of the units named (MODULE, or MODULE_NameVALUE with "
      "parameters), and of all below them.  Yosys and OpenSTA run for what has changed since the "
      "last time.\vdocs/use/synth.md describes the report.",
      NULL,
      NULL,
      NULL};
  struct synth s = {.config = {.root = cli_root(), .build = cli_build()}, .from = 1000, .to = 2000};
  struct outputs out = {0};
  char baseline[1024];
  struct synth_report *r;
  struct tandem_error err;
  argc = cli_join_json(argc, argv);
  cli_argp(&argp, argc, argv, &s);
  s.config.units = s.units;
  s.config.values = s.values;
  s.config.liberty = s.liberty;
  if (!has_sources())
    return TANDEM_USAGE;
  if (isatty(STDERR_FILENO))
    s.config.progress = progress;
  snprintf(baseline, sizeof baseline, "%s/synth/data/baseline.json", cli_root());
  if (s.baseline == NULL)
    s.baseline = baseline;
  if (s.changed)
    return check_changed(&s);
  const bool opened = open_outputs(&s, &out);
  const int status = !opened ? -EIO : make(&s, &r, &err);
  cli_progress_end();
  if (opened && status != 0)
    fprintf(stderr, "tandem: %s\n", err.text);
  int end = status == -EBADMSG ? TANDEM_FAULT : TANDEM_USAGE;
  if (status == 0) {
    end = report(&s, r, &out);
    synth_free(r);
  }
  output_abandon(&out.json);
  output_abandon(&out.html);
  output_abandon(&out.baseline);
  return end;
}
