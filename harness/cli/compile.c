/* tandem compile, tandem disasm */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/opencl/opencl.h"
#include "harness/cli/cli.h"
#include "harness/gpu/core/program.h"

enum { KEY_MAX_REGS = 0x200 };

struct compile {
  const char *input, *output;
  bool ptx;
  struct tandem_config config;
  const char *defines[64];
  size_t ndefines;
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0, "where the image goes (the input's name with .img); - with --ptx",
     0},
    {"ptx", CLI_STORE(CLI_FLAG, compile, ptx), NULL, 0,
     "write the PTX that clang made instead of an image", 0},
    {"max-regs", KEY_MAX_REGS, "N", 0, "registers a thread, 8 to 32 (32)", 0},
    {NULL, 'D', "NAME[=VALUE]", CLI_REPEATED, "define a macro", 0},
    {NULL, 'I', "FOLDER", CLI_REPEATED, "look for headers there", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct compile *c = state->input;
  switch (key) {
  case 'o':
    c->output = arg;
    return 0;
  case KEY_MAX_REGS:
    c->config.max_regs = (unsigned)cli_number(arg, "--max-regs", 8, 32, state);
    return 0;
  case 'D':
  case 'I': {
    char *define = NULL;
    if (c->ndefines + 1 == sizeof c->defines / sizeof c->defines[0] ||
        asprintf(&define, "-%c%s", key, arg) < 0)
      argp_failure(state, TANDEM_USAGE, 0, "too many options");
    c->defines[c->ndefines++] = define;
    return 0;
  }
  case ARGP_KEY_ARG:
    if (c->input != NULL)
      argp_error(state, "one program, not also \"%s\"", arg);
    c->input = arg;
    return 0;
  case ARGP_KEY_END:
    if (c->input == NULL)
      argp_error(state, "a program is missing");
    return 0;
  default:
    return cli_store(key, arg, c);
  }
}

static int refuse(const struct tandem_error *err) {
  fprintf(stderr, "tandem: %s\n", err->text);
  return TANDEM_USAGE;
}

static int write_ptx(const struct compile *c) {
  struct tandem_error err;
  struct output out;
  char *text;
  if (!cli_ends(c->input, ".cl") && !cli_ends(c->input, ".cu")) {
    tandem_fail(&err, 0, "%s: --ptx is for what clang compiles: .cl, .cu", c->input);
    return refuse(&err);
  }
  if (!outfile_open(&out, c->output != NULL ? c->output : "-"))
    return TANDEM_USAGE;
  if (opencl_to_ptx(c->input, c->defines, &text, &err) != 0) {
    output_abandon(&out);
    return refuse(&err);
  }
  fputs(text, out.file);
  free(text);
  return outfile_commit(&out) ? 0 : TANDEM_USAGE;
}

/* The output is opened first: an input of its name is then an error. */
static int write_image(const struct compile *c) {
  struct tandem_error err;
  struct output out;
  struct isa_program *p;
  char *name = NULL;
  const char *dot = strrchr(c->input, '.');
  const size_t stem =
      dot != NULL && strchr(dot, '/') == NULL ? (size_t)(dot - c->input) : strlen(c->input);
  if (c->output == NULL && asprintf(&name, "%.*s.img", (int)stem, c->input) < 0)
    return TANDEM_USAGE;
  const bool opened = outfile_open(&out, c->output != NULL ? c->output : name);
  free(name);
  if (!opened)
    return TANDEM_USAGE;
  const struct ptx_options ptx = gpu_ptx_options(&c->config);
  int status = isa_program_load(c->input, c->defines, &ptx, &p, &err);
  if (status == 0) {
    status = isa_image_write(p, out.file, &err);
    isa_program_free(p);
  }
  if (status == 0)
    return outfile_commit(&out) ? TANDEM_OK : TANDEM_USAGE;
  output_abandon(&out);
  return refuse(&err);
}

int cli_compile(int argc, char **argv) {
  static const struct argp argp = {
      options, parse, "PROGRAM", "Translates a program (.cl, .cu, .ptx, .s) to an image.",
      NULL,    NULL,  NULL};
  struct compile c = {0};
  gpu_config_default(&c.config);
  cli_argp(&argp, argc, argv, &c);
  int status = c.ptx ? write_ptx(&c) : write_image(&c);
  for (size_t i = 0; i < c.ndefines; i++)
    free((void *)(uintptr_t)c.defines[i]);
  return status;
}

int cli_disasm(int argc, char **argv) {
  static const struct argp argp = {
      options, parse, "PROGRAM", "Shows a program (.img, .cl, .cu, .ptx, .s) as assembler.",
      NULL,    NULL,  NULL};
  struct compile c = {0};
  struct tandem_error err;
  struct isa_program *p;
  struct output out;
  gpu_config_default(&c.config);
  cli_argp(&argp, argc, argv, &c);
  const struct ptx_options ptx = gpu_ptx_options(&c.config);
  if (!outfile_open(&out, c.output != NULL ? c.output : "-"))
    return TANDEM_USAGE;
  if (isa_program_load(c.input, c.defines, &ptx, &p, &err) != 0) {
    output_abandon(&out);
    return refuse(&err);
  }
  isa_disassemble(p, out.file);
  isa_program_free(p);
  return outfile_commit(&out) ? 0 : TANDEM_USAGE;
}
