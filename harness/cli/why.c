/* tandem why */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/program.h"
#include "csim/isa/lanes/lanes.h"
#include "harness/cli/input.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/inside/why.h"

enum {
  KEY_CYCLE = 0x200,
  KEY_SM,
  KEY_WARP,
  GIVEN_CYCLE = 1,
  GIVEN_SM = 2,
  GIVEN_WARP = 4,
  ALL = 7
};

struct asked {
  struct cli_config c;
  struct cli_input input;
  struct why_request request;
  unsigned given; /* set of GIVEN_* */
  const char *json;
  struct output json_file;
  struct why *why;
  char *command;
};

static const struct argp_option options[] = {
    {"cycle", KEY_CYCLE, "CYCLE", 0, "a cycle of the whole run", 0},
    {"sm", KEY_SM, "SM", 0, "an SM", 0},
    {"warp", KEY_WARP, "WARP", 0, "a warp of its front end", 0},
    CLI_INPUT_PARAM,
    {NULL, 0, NULL, 0, "Output:", 60},
    {"json", CLI_STORE(CLI_OPTIONAL, asked, json), "FILE", OPTION_ARG_OPTIONAL,
     "the causes as JSON to FILE (standard output)", 60},
    CLI_INPUT_PROGRAM(asked),
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct asked *a = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    state->child_inputs[0] = &a->c;
    return 0;
  case KEY_CYCLE:
    a->request.cycle = cli_number(arg, "--cycle", 0, UINT64_MAX / 2, state);
    a->given |= GIVEN_CYCLE;
    return 0;
  case KEY_SM:
    a->request.sm = (unsigned)cli_number(arg, "--sm", 0, GPU_ALL - 1, state);
    a->given |= GIVEN_SM;
    return 0;
  case KEY_WARP:
    a->request.warp = (unsigned)cli_number(arg, "--warp", 0, 63, state);
    a->given |= GIVEN_WARP;
    return 0;
  case ARGP_KEY_END:
    if (a->given != ALL)
      argp_error(state, "--cycle, --sm and --warp choose a warp in a cycle: all three are needed");
    return 0;
  default:
    return cli_input_take(&a->input, key, arg, state) == 0 ? 0 : cli_store(key, arg, a);
  }
}

/* ---- output ---- */

/* "40: ld.global r7, [r3]  ; k.cl:11" */
static void instruction(const struct pipeline_inst *i, char *text, size_t size) {
  char code[ISA_TEXT], where[256];
  isa_disasm(i->uop->word, code);
  const bool known =
      i->pc < i->program->ncode && isa_program_line(i->program, i->pc, where, sizeof where);
  snprintf(text, size, "%u: %s%s%s", i->pc, code, known ? "  ; " : "", known ? where : "");
  tandem_printable(text);
}

/* " in cycles 812 to 1203" */
static void cycles(const struct why_link *l, char text[64]) {
  if (l->from != PIPELINE_NEVER && l->until != PIPELINE_NEVER)
    snprintf(text, 64, " (cycles %" PRIu64 " to %" PRIu64 ")", l->from, l->until);
  else if (l->from != PIPELINE_NEVER)
    snprintf(text, 64, " (since cycle %" PRIu64 ")", l->from);
  else if (l->until != PIPELINE_NEVER)
    snprintf(text, 64, " (until cycle %" PRIu64 ")", l->until);
  else
    *text = '\0';
}

static void print(FILE *out, const struct asked *a, const struct why_chain *chain) {
  const struct pipeline_inst *last = NULL;
  fprintf(out, "SM %u, warp %u, cycle %" PRIu64 ":\n", a->request.sm, a->request.warp,
          a->request.cycle);
  for (unsigned i = 0; i < chain->n; i++) {
    const struct why_link *l = &chain->link[i];
    char text[512], when[64];
    cycles(l, when);
    if (l->inst != NULL && l->inst != last) {
      instruction(l->inst, text, sizeof text);
      fprintf(out, "    SM %u, warp %u, %s\n", l->sm, l->warp, text);
    }
    last = l->inst != NULL ? l->inst : last;
    fprintf(out, "%3u  %s%s\n", i + 1, l->text, when);
  }
}

static void set_cycle(json_t *o, const char *key, uint64_t cycle) {
  if (cycle != PIPELINE_NEVER)
    json_object_set_new(o, key, json_integer((json_int_t)cycle));
}

static bool write_json(FILE *out, const struct asked *a, const struct why_chain *chain) {
  json_t *list = json_array();
  for (unsigned i = 0; i < chain->n; i++) {
    const struct why_link *l = &chain->link[i];
    json_t *o = json_pack("{s:s, s:s}", "cause", l->cause, "text", l->text);
    set_cycle(o, "from", l->from);
    set_cycle(o, "until", l->until);
    if (l->inst != NULL) {
      char text[512];
      instruction(l->inst, text, sizeof text);
      json_object_set_new(o, "sm", json_integer(l->sm));
      json_object_set_new(o, "warp", json_integer(l->warp));
      json_object_set_new(o, "pc", json_integer(l->inst->pc));
      json_object_set_new(o, "issued", json_integer((json_int_t)l->inst->issue));
      json_object_set_new(o, "instruction", json_string(text));
    }
    json_array_append_new(list, o);
  }
  json_t *all = json_pack("{s:I, s:i, s:i, s:o}", "cycle", (json_int_t)a->request.cycle, "sm",
                          (int)a->request.sm, "warp", (int)a->request.warp, "chain", list);
  const bool good = json_dumpf(all, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
  json_decref(all);
  return good;
}

/* ---- the run ---- */

static int tell(struct asked *a, const struct tandem *t) {
  struct why_chain *chain = calloc(1, sizeof *chain);
  struct tandem_error err;
  int status = TANDEM_USAGE;
  if (chain == NULL || why_explain(a->why, t, chain, &err) != 0) {
    fprintf(stderr, "tandem: %s\n", chain != NULL ? err.text : "out of memory");
  } else if (a->json == NULL) {
    print(stdout, a, chain);
    status = TANDEM_OK;
  } else if (write_json(a->json_file.file, a, chain) && outfile_commit(&a->json_file)) {
    status = TANDEM_OK;
  }
  free(chain);
  return status;
}

/* Runs until the record has what it needs; a run that fails before is explained, too. */
static int run(struct asked *a, struct tandem *t, struct tandem_job *job) {
  struct tandem_error err;
  enum tandem_status status = tandem_job_bind(job, t, &err);
  if (status == TANDEM_OK && why_open(t, &a->request, &a->why, &err) != 0)
    status = TANDEM_USAGE;
  if (status == TANDEM_OK) {
    status = tandem_job_run(job, &err);
    if (status == TANDEM_FAULT)
      fprintf(stderr, "tandem: %s\n", err.text);
    if (status != TANDEM_USAGE || why_complete(a->why))
      return tell(a, t);
  }
  fprintf(stderr, "tandem: %s\n", err.text);
  return status;
}

int cli_why(int argc, char **argv) {
  static const struct argp_child children[] = {{&cli_config_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      options,
      parse,
      "--cycle CYCLE --sm SM --warp WARP [LAUNCH.yaml | PROGRAM]",
      "Tells why a warp does not issue in a cycle: the chain of causes "
      "back to the first (docs/use/inside.md).",
      children,
      NULL,
      NULL};
  struct asked a = {.json = NULL};
  struct tandem *t = NULL;
  struct tandem_job *job = NULL;
  struct tandem_error err;
  int status = TANDEM_USAGE;
  argc = cli_join_json(argc, argv);
  cli_parse(&argp, argc, argv, &a.c, &a);
  a.command = cli_command("why", argc, argv);
  a.c.config.command = a.command;
  if (cli_input_read(&a.input, &a.c, &job, &err) != TANDEM_OK ||
      tandem_open(&a.c.config, &t, &err) != TANDEM_OK)
    fprintf(stderr, "tandem: %s\n", err.text);
  else if (a.json == NULL || outfile_open(&a.json_file, a.json))
    status = run(&a, t, job);
  why_close(a.why);
  tandem_job_close(job);
  tandem_close(t);
  output_abandon(&a.json_file);
  cli_input_free(&a.input);
  free(a.command);
  return status;
}
