/* tandem COMMAND: finds the command. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/input.h"
#include "csim/util/scratch.h"
#include "harness/cli/cli.h"

static const struct {
  const char *name;
  int (*run)(int argc, char **argv);
  const char *text;
} commands[] = {
    {"run", cli_run, "simulate a launch description or a kernel"},
    {"why", cli_why, "tell why a warp does not issue in a cycle"},
    {"config", cli_config, "show all configuration keys with their values"},
    {"compile", cli_compile, "OpenCL C, PTX or assembler to a program image"},
    {"disasm", cli_disasm, "show a program as assembler"},
    {"bench", cli_bench, "measure speed and its parts"},
    {"bugs", cli_bugs, "switch on deliberate RTL faults and see which are found"},
    {"synth", cli_synth, "area, timing and power of the hardware, and what features add"},
    {"experiment", cli_experiment, "a suite of runs, and tables of their results"},
    {"regress", cli_regress, "a suite of runs with verdicts: what is broken, and where"},
    {"worker", cli_worker, "run what suites of other machines give out"},
    {"shrink", cli_shrink, "make a failing program small"},
    {"random-cl", cli_random_cl, "random OpenCL programs beside C that computes the same"},
    {"compare", cli_compare, "two revisions side by side: what a change does"},
    {"models", cli_models_command, "the verilated models that were made"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void help(FILE *out) {
  fprintf(out, "Usage: tandem COMMAND [OPTION...]\n"
               "A GPU whose SM front ends are RTL, run in lockstep with their reference.\n\n");
  for (int i = 0; i < COMMANDS; i++)
    fprintf(out, "  %-11s%s\n", commands[i].name, commands[i].text);
  fprintf(out,
          "\n`tandem COMMAND --help` tells the options.  Exit status: 0 fine, 1 the simulated\n"
          "program or hardware is at fault, 2 wrong use.\n");
}

/* argp leaves by itself after --help. */
static void finish_output(void) {
  if (!outfile_commit(&(struct output){.file = stdout}))
    _exit(TANDEM_USAGE);
}

/* A file that is opened must not get the number of a standard one that the caller has closed:
 * messages would be written into it.  Writing to these numbers fails, as before. */
static void hold_standard_files(void) {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO)
    fd = open("/dev/null", O_RDONLY);
  if (fd > STDERR_FILENO)
    close(fd);
}

int main(int argc, char **argv) {
  hold_standard_files();
  atexit(finish_output);
  static char version[32];
  snprintf(version, sizeof version, "tandem %s", tandem_version());
  argp_program_version = version;
  argp_err_exit_status = 2;
  scratch_on_signals();
  input_keep();
  cli_messages();
  cli_models();
  if (argc < 2) {
    help(stderr);
    return TANDEM_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-?") == 0 ||
      strcmp(argv[1], "help") == 0) {
    help(stdout);
    return 0;
  }
  if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
    puts(argp_program_version);
    return 0;
  }
  for (int i = 0; i < COMMANDS; i++) {
    if (strcmp(argv[1], commands[i].name) != 0)
      continue;
    static char name[32];
    snprintf(name, sizeof name, "tandem %s", commands[i].name);
    argv[1] = name;
    return commands[i].run(argc - 1, argv + 1);
  }
  struct tandem_error err;
  tandem_fail(&err, 0, "unknown command \"%s\"", argv[1]);
  fprintf(stderr, "tandem: %s\n\n", err.text);
  help(stderr);
  return TANDEM_USAGE;
}
