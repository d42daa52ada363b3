/* tandem shrink: makes a failing program small. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/shell.h"
#include "harness/cli/input.h"
#include "harness/cli/suite.h"
#include "harness/shrink/open.h"
#include "harness/shrink/shrink.h"

enum { KEY_TIME = 0x200, KEY_LIMIT, PATH = 4096 };

struct shrinking {
  struct cli_config c;
  struct cli_input input;
  const char *out, *json, *as, *as_alone;
  bool assembly;
  double time_s, run_s;
  size_t jobs;
  char program[PATH], folder[PATH], rtl[PATH], netlist[PATH];
  const char *words[4];
  struct output json_file;
  char *command;
};

static const struct argp_option options[] = {
    CLI_INPUT_PARAM,
    {NULL, 0, NULL, 0, "Output:", 60},
    {"out", CLI_STORE(CLI_TEXT, shrinking, out), "DIR", 0,
     "folder of the small program (build/shrink/NAME)", 60},
    {"json", CLI_STORE(CLI_OPTIONAL, shrinking, json), "FILE", OPTION_ARG_OPTIONAL,
     "sizes, tries and the place as JSON to FILE (standard output)", 60},
    {NULL, 0, NULL, 0, "Search:", 65},
    {"jobs", 'j', "N", 0, "runs at once (as many as processors)", 65},
    {"time", KEY_TIME, "TIME", 0, "end after so long: 90s, 30m, 8h", 65},
    {"run-time", KEY_LIMIT, "TIME", 0, "a run that takes longer fails as a timeout (60s)", 65},
    {"as", CLI_STORE(CLI_TEXT, shrinking, as), "PLACE", 0,
     "make nothing small: the exit status is 0 if LAUNCH fails at this place, as \"state "
     "scoreboard.hazard\", and 1 if not; for other reducers",
     65},
    {"as-alone", CLI_STORE(CLI_TEXT, shrinking, as_alone), "KIND", 0,
     "with --as: the kind of failure of the reference alone (none)", 65},
    {"assembly", CLI_STORE(CLI_FLAG, shrinking, assembly), NULL, 0,
     "make instructions fewer, not lines, of OpenCL C too", 65},
    CLI_INPUT_PROGRAM(shrinking),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct shrinking *s = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &s->c;
    return 0;
  case 'j':
    s->jobs = cli_number(arg, "--jobs", 1, 64, state);
    return 0;
  case KEY_TIME:
    s->time_s = cli_time(arg, "time", state);
    return 0;
  case KEY_LIMIT:
    s->run_s = cli_time(arg, "run-time", state);
    return 0;
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "which launch description or program fails?");
    return 0;
  default:
    return cli_input_take(&s->input, key, arg, state) == 0 ? 0 : cli_store(key, arg, s);
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The folder of the small program, and the words that runs need beside what it says. */
static bool name_all(struct shrinking *s) {
  const char *slash = strrchr(s->input.path, '/'),
             *name = slash != NULL ? slash + 1 : s->input.path;
  const char *dot = strrchr(name, '.');
  const int length = (int)(dot != NULL ? (size_t)(dot - name) : strlen(name));
  const ssize_t n = readlink("/proc/self/exe", s->program, sizeof s->program - 1);
  size_t words = 0;
  s->program[n > 0 ? n : 0] = '\0';
  bool fits = (s->out != NULL
                   ? snprintf(s->folder, PATH, "%s", s->out)
                   : snprintf(s->folder, PATH, "%s/shrink/%.*s", cli_build(), length, name)) < PATH;
  for (size_t end = strlen(s->folder); end > 1 && s->folder[end - 1] == '/'; end--)
    s->folder[end - 1] = '\0';
  if (s->c.config.rtl != NULL) {
    fits = fits && snprintf(s->rtl, PATH, "--rtl=%s", s->c.config.rtl) < PATH;
    s->words[words++] = s->rtl;
  }
  if (s->c.config.instead != NULL) {
    fits = fits && snprintf(s->netlist, PATH, "--netlist=%s", s->c.instead.unit) < PATH;
    s->words[words++] = s->netlist;
  }
  if (!fits)
    fprintf(stderr, "tandem: the path of %s is too long\n", s->input.path);
  return fits;
}

static void tell_size(FILE *out, const struct shrink_case *c) {
  char text[SHRINK_SIZE];
  const struct shrink_size size = case_size(c);
  case_size_text(&size, c->code == NULL, text);
  fputs(text, out);
}

/* A line of progress on a terminal. */
static void progress(void *user) {
  const struct judge *j = user;
  if (!isatty(STDERR_FILENO) || j->best.tree == NULL)
    return;
  fputs("\r\033[K", stderr);
  tell_size(stderr, &j->best);
  fprintf(stderr, "; %zu tries", j->tries);
  fflush(stderr);
}

static json_t *size_json(const struct shrink_size *size) {
  return json_pack("{s:I, s:I, s:I, s:I}", "instructions", (json_int_t)size->instructions, "nops",
                   (json_int_t)size->nops, "ctas", (json_int_t)size->ctas, "threads",
                   (json_int_t)size->threads);
}

static bool write_json(struct shrinking *s, const struct shrink_result *r, bool source) {
  json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:I, s:f, s:b}", "launch",
                        s->input.path, "kind", r->place.kind, "unit", r->place.unit, "field",
                        r->place.field, "cycle", (json_int_t)r->cycle, "before",
                        size_json(&r->before), "after", size_json(&r->after), "tries",
                        (json_int_t)r->tries, "seconds", r->seconds, "whole", (int)r->whole);
  char path[PATH + 16], size[SHRINK_SIZE];
  snprintf(path, sizeof path, "%s/" SHRINK_LAUNCH, s->folder);
  json_object_set_new(o, "small", json_string(path));
  case_size_text(&r->after, source, size);
  json_object_set_new(o, "size", json_string(size));
  const bool good =
      json_dumpf(o, s->json_file.file, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 &&
      fputc('\n', s->json_file.file) != EOF;
  json_decref(o);
  return good && outfile_commit(&s->json_file);
}

static void summary(const struct shrinking *s, const struct judge *j,
                    const struct shrink_result *r) {
  char place[160], before[SHRINK_SIZE];
  regress_place_text(&r->place, place, sizeof place);
  case_size_text(&r->before, j->best.code == NULL, before);
  printf("%s, cycle %llu\n  %s became\n  ", place, (unsigned long long)r->cycle, before);
  tell_size(stdout, &j->best);
  char launch[4200];
  snprintf(launch, sizeof launch, "%.4000s/" SHRINK_LAUNCH, s->folder);
  printf("\n  %zu tries, %.1f s%s\n  ./tandem run ", r->tries, r->seconds,
         r->whole ? "" : "; the time was over before the end");
  shell_word(stdout, launch);
  if (s->words[0] != NULL) {
    putchar(' ');
    shell_word(stdout, s->words[0]);
  }
  putchar('\n');
}

static int run(struct shrinking *s, const struct shrink_case *from, struct tandem_error *err) {
  struct judge j = {.program = s->program,
                    .words = s->words,
                    .slots = s->jobs,
                    .until = s->time_s > 0 ? now() + s->time_s : 0,
                    .on_try = progress,
                    .on_better = progress};
  const struct shrink_request q = {s->input.path, s->command, s->folder, s->run_s};
  struct shrink_result r;
  j.user = &j;
  int status = judge_open(&j, err);
  if (status == 0)
    status = shrink(&j, from, &q, &r, err);
  cli_progress_end();
  if (status == 0 && (s->json == NULL || strcmp(s->json, "-") != 0))
    summary(s, &j, &r);
  if (status == 0 && s->json != NULL && !write_json(s, &r, from->code == NULL))
    status = tandem_fail(err, -EIO, "cannot write the JSON");
  judge_close(&j);
  return status;
}

/* --as: whether the launch description fails so. */
static int judge_only(struct shrinking *s) {
  struct tandem_error err;
  struct judge j = {.program = s->program, .words = s->words, .slots = 1, .run_s = s->run_s};
  bool fails = false;
  cli_settle(&s->c);
  j.max_cycles = s->c.config.max_cycles;
  const int status = judge_open(&j, &err);
  if (status == 0)
    fails = shrink_fails(&j, s->input.path, s->as, s->as_alone != NULL ? s->as_alone : "");
  else
    fprintf(stderr, "tandem: %s\n", err.text);
  judge_close(&j);
  return status != 0 ? TANDEM_USAGE : fails ? TANDEM_OK : TANDEM_FAULT;
}

static int read_and_run(struct shrinking *s) {
  struct tandem_job *job = NULL;
  struct tandem_error err = {{0}};
  struct shrink_case from = {0};
  int status = out_check(s->folder, &err);
  if (status == 0 && cli_input_read(&s->input, &s->c, &job, &err) != TANDEM_OK)
    status = -EINVAL;
  if (status == 0) {
    s->c.config.threads = 1;
    status = case_open(&from, job, &s->c.config, s->assembly, &err);
  }
  if (status == 0 && (s->json == NULL || outfile_open(&s->json_file, s->json)))
    status = run(s, &from, &err);
  if (status != 0)
    fprintf(stderr, "tandem: %s\n", err.text);
  case_close(&from);
  tandem_job_close(job);
  output_abandon(&s->json_file);
  return status == 0 ? TANDEM_OK : TANDEM_USAGE;
}

int cli_shrink(int argc, char **argv) {
  static const struct argp_child children[] = {{&cli_config_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      options,
      parse,
      "LAUNCH.yaml | PROGRAM",
      "Makes a launch that fails small (docs/use/shrink.md): fewer launches, CTAs, "
      "instructions, data, which fail likewise: the same kind, unit and field.",
      children,
      NULL,
      NULL};
  struct shrinking s = {.run_s = 60, .jobs = (size_t)sysconf(_SC_NPROCESSORS_ONLN)};
  argc = cli_join_json(argc, argv);
  cli_parse(&argp, argc, argv, &s.c, &s);
  s.command = cli_command("shrink", argc, argv);
  int status = TANDEM_USAGE;
  if (name_all(&s))
    status = s.as != NULL ? judge_only(&s) : read_and_run(&s);
  cli_input_free(&s.input);
  free(s.command);
  return status;
}
