/* Options of a run that look inside it. */
#include "harness/cli/inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/gzip.h"
#include "harness/cli/cli.h"
#include "harness/cli/profile.h"

enum {
  KEY_PROFILE = 0x300,
  KEY_CYCLES,
  KEY_SMS,
  KEY_WARPS,
  KEY_PIPELINE,
  KEY_TIMELINE,
  KEY_EVERY,
  GROUP = 65,
  EVERY = 256
};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "A look inside (docs/use/inside.md):", GROUP},
    {"profile", KEY_PROFILE, "FILE", OPTION_ARG_OPTIONAL | CLI_REPEATED,
     "counters and stall slots by instruction and source line: text, or by the ending of FILE "
     ".json or .html (standard output)",
     GROUP},
    {"pipeline", KEY_PIPELINE, "FILE", 0,
     "the way of each instruction through the pipelines, for the viewer Konata: .kanata, or "
     ".kanata.gz",
     GROUP},
    {"cycles", KEY_CYCLES, "A:B", 0, "first and last cycle of it (the first 10,000)", GROUP},
    {"pipeline-sms", KEY_SMS, "LIST", 0, "SMs, as 0,3-5 or all (0)", GROUP},
    {"pipeline-warps", KEY_WARPS, "LIST", 0, "warps, likewise (all)", GROUP},
    {"timeline", KEY_TIMELINE, "FILE", 0,
     "what happens when, for Perfetto: launches, CTAs, barriers, features, counters; .json, or "
     ".json.gz",
     GROUP},
    {"timeline-every", KEY_EVERY, "CYCLES", 0, "cycles between values of its counters (256)",
     GROUP},
    {0}};

/* A:B, whole numbers. */
static void window(struct cli_inside *c, const char *arg, struct argp_state *state) {
  char text[64];
  const char *colon = strchr(arg, ':');
  if (colon == NULL || (size_t)(colon - arg) >= sizeof text) {
    argp_error(state, "--cycles takes FIRST:LAST, as 800:1200, not \"%s\"", arg);
    return;
  }
  snprintf(text, sizeof text, "%.*s", (int)(colon - arg), arg);
  c->request.from = cli_number(text, "--cycles, its first cycle,", 0, UINT64_MAX - 1, state);
  c->request.to =
      cli_number(colon + 1, "--cycles, its last cycle,", c->request.from, UINT64_MAX - 1, state);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct cli_inside *c = state->input;
  c->chosen = c->chosen || (key >= KEY_CYCLES && key <= KEY_WARPS);
  switch (key) {
  case ARGP_KEY_INIT:
    c->request = (struct pipeline_request){.to = 9999, .sms = 1, .warps = UINT64_MAX};
    return 0;
  case KEY_PROFILE:
    if (c->nprofiles == CLI_PROFILES)
      argp_error(state, "--profile at most %d times", CLI_PROFILES);
    c->profiles[c->nprofiles++].path = arg != NULL ? arg : "-";
    return 0;
  case KEY_PIPELINE:
    if (!cli_ends(arg, ".kanata") && !cli_ends(arg, ".kanata.gz"))
      argp_error(state, "--pipeline writes a file FILE.kanata or FILE.kanata.gz, not \"%s\"", arg);
    c->pipeline = arg;
    return 0;
  case KEY_TIMELINE:
    if (!cli_ends(arg, ".json") && !cli_ends(arg, ".json.gz"))
      argp_error(state, "--timeline writes a file FILE.json or FILE.json.gz, not \"%s\"", arg);
    c->timeline = arg;
    return 0;
  case KEY_EVERY:
    c->every = (uint32_t)cli_number(arg, "--timeline-every", 1, UINT32_MAX, state);
    return 0;
  case KEY_CYCLES:
    window(c, arg, state);
    return 0;
  case KEY_SMS:
    c->request.sms = cli_list(arg, "--pipeline-sms", 127, state);
    return 0;
  case KEY_WARPS:
    c->request.warps = (uint64_t)cli_list(arg, "--pipeline-warps", 63, state);
    return 0;
  case ARGP_KEY_END:
    if (c->chosen && c->pipeline == NULL)
      argp_error(state, "--cycles, --pipeline-sms and --pipeline-warps are for --pipeline");
    if (c->every != 0 && c->timeline == NULL)
      argp_error(state, "--timeline-every is for --timeline");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

const struct argp cli_inside_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

bool cli_inside_open(struct cli_inside *c) {
  for (size_t i = 0; i < c->nprofiles; i++)
    if (!outfile_open(&c->profiles[i].file, c->profiles[i].path))
      return false;
  return c->pipeline == NULL || outfile_open(&c->pipeline_file, c->pipeline);
}

int cli_inside_begin(struct cli_inside *c, struct tandem *t, struct tandem_error *err) {
  const uint32_t every = c->every != 0 ? c->every : EVERY;
  if (c->pipeline != NULL)
    TRY(pipeline_open(t, &c->request, &c->recorded, err));
  return c->timeline == NULL ? 0 : timeline_open(t, c->timeline, every, &c->events, err);
}

static bool write_profiles(struct cli_inside *c, const struct tandem *t) {
  for (size_t i = 0; i < c->nprofiles; i++) {
    FILE *out = c->profiles[i].file.file;
    const char *path = c->profiles[i].path;
    if (cli_ends(path, ".html"))
      profile_html(out, t);
    else if (!cli_ends(path, ".json"))
      profile_text(out, t);
    else if (!profile_json(out, t))
      return false;
  }
  return true;
}

/* The file's text, compressed if its name says so. */
static int write_kanata(struct cli_inside *c, struct tandem_error *err) {
  char *text = NULL;
  size_t size = 0;
  if (!cli_ends(c->pipeline, ".gz"))
    return pipeline_kanata(c->recorded, c->pipeline_file.file, err);
  FILE *memory = open_memstream(&text, &size);
  int status = memory != NULL ? pipeline_kanata(c->recorded, memory, err) : -ENOMEM;
  if (memory != NULL && fclose(memory) != 0 && status == 0)
    status = -ENOMEM;
  if (status == 0)
    status = gzip_write(c->pipeline_file.file, text, size);
  free(text);
  return status == 0 ? 0
                     : tandem_fail(err, status, "cannot write the pipelines to %s", c->pipeline);
}

static bool write_pipeline(struct cli_inside *c, const struct tandem *t) {
  struct tandem_error err;
  size_t n;
  bool full;
  if (c->pipeline == NULL)
    return true;
  (void)pipeline_insts(c->recorded, &n, &full);
  if (full)
    fprintf(stderr,
            "tandem: %s ends early: it has room for %zu instructions; choose fewer --cycles, "
            "--pipeline-sms or --pipeline-warps\n",
            c->pipeline, n);
  if (n == 0)
    fprintf(stderr,
            "tandem: %s is empty: nothing issued in cycles %" PRIu64 " to %" PRIu64
            " of the SMs and warps chosen; the run has %" PRIu64 " cycles\n",
            c->pipeline, c->request.from, c->request.to, t->cycle);
  if (write_kanata(c, &err) == 0)
    return true;
  fprintf(stderr, "tandem: %s\n", err.text);
  return false;
}

static bool write_timeline(struct cli_inside *c, struct tandem *t) {
  struct tandem_error err;
  if (c->timeline == NULL || timeline_finish(t, c->events, &err) == 0)
    return true;
  fprintf(stderr, "tandem: %s\n", err.text);
  return false;
}

bool cli_inside_write(struct cli_inside *c, struct tandem *t) {
  return write_profiles(c, t) && write_pipeline(c, t) && write_timeline(c, t);
}

bool cli_inside_commit(struct cli_inside *c) {
  for (size_t i = 0; i < c->nprofiles; i++)
    if (!outfile_commit(&c->profiles[i].file))
      return false;
  return c->pipeline == NULL || outfile_commit(&c->pipeline_file);
}

void cli_inside_close(struct cli_inside *c) {
  for (size_t i = 0; i < c->nprofiles; i++)
    output_abandon(&c->profiles[i].file);
  output_abandon(&c->pipeline_file);
  pipeline_close(c->recorded);
  timeline_close(c->events);
}
