/* tandem synth */
#include "synth/synth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/cli.h"

enum { KEY_FEATURE = 0x200, KEY_LIBERTY, KEY_CLOCK, KEY_FLAT, KEY_JSON, KEY_BUILD };

struct synth {
  struct synth_config config;
  const char *units[64], *json;
};

static const struct argp_option options[] = {
    {"feature", KEY_FEATURE, "NAME", 0, "only the baseline and this feature (buddy)", 0},
    {"liberty", KEY_LIBERTY, "FILE", 0,
     "library of cells (OSU 180 nm of Debian's qflow-tech-osu018); may be compressed", 0},
    {"clock", KEY_CLOCK, "MHZ", 0, "core clock that slack and power are told for (100)", 0},
    {"flat", KEY_FLAT, NULL, 0, "designs also flattened before they are mapped", 0},
    {"json", KEY_JSON, "FILE", OPTION_ARG_OPTIONAL, "the report as JSON (standard output)", 0},
    {"build", KEY_BUILD, "FOLDER", 0, "where netlists are kept (the build folder)", 0},
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
  case KEY_FEATURE:
    c->feature = arg;
    return 0;
  case KEY_LIBERTY:
    c->liberty = arg;
    return 0;
  case KEY_CLOCK:
    c->mhz = clock_mhz(arg, state);
    return 0;
  case KEY_FLAT:
    c->flat = true;
    return 0;
  case KEY_JSON:
    s->json = arg != NULL ? arg : "-";
    return 0;
  case KEY_BUILD:
    c->build = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (c->nunits == sizeof s->units / sizeof s->units[0])
      argp_error(state, "too many units");
    s->units[c->nunits++] = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void progress(void *user, const struct synth_progress *p) {
  (void)user;
  fprintf(stderr, "\r\033[Ksynth: %zu of %zu steps, %s %s", p->done, p->known, p->step, p->unit);
  fflush(stderr);
}

static bool report(const struct synth *s, const struct synth_report *r, struct outfile *out) {
  synth_text(s->json != NULL && strcmp(s->json, "-") == 0 ? stderr : stdout, r);
  return s->json == NULL || (synth_json(out->file, r) && outfile_commit(out));
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
      "last time.\vdocs/synth.md tells the method.",
      NULL,
      NULL,
      NULL};
  struct synth s = {.config = {.root = cli_root(), .build = TANDEM_BUILD_DIR}};
  struct outfile out = {0};
  struct synth_report *r;
  struct tandem_error err;
  argc = cli_join_json(argc, argv);
  argp_parse(&argp, argc, argv, 0, NULL, &s);
  s.config.units = s.units;
  if (isatty(STDERR_FILENO))
    s.config.progress = progress;
  if (s.json != NULL && !outfile_open(&out, s.json))
    return TANDEM_USAGE;
  const int status = synth_run(&s.config, &r, &err);
  cli_progress_end();
  if (status != 0)
    fprintf(stderr, "tandem: %s\n", err.text);
  const bool good = status == 0 && report(&s, r, &out);
  if (status == 0)
    synth_free(r);
  outfile_abandon(&out);
  return good ? TANDEM_OK : TANDEM_USAGE;
}
