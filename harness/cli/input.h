/* The launch description or program that a command simulates, and its options. */
#ifndef TANDEM_CLI_INPUT_H
#define TANDEM_CLI_INPUT_H

#include "harness/cli/cli.h"

struct cli_input {
  const char *path; /* NULL: Black-Scholes */
  struct cli_launch launch;
  struct tandem_parameter parameters[CLI_PARAMETERS];
  size_t nparameters;
};

/* Lines of a command's table of options, whose struct `type` has a struct cli_input `input`: that
 * of the parameters, and those for a program. */
enum { CLI_KEY_ARG = 0x280, CLI_KEY_PARAM };
#define CLI_INPUT_PARAM                                                                            \
  {                                                                                                \
    "param", CLI_KEY_PARAM, "NAME=VALUE", CLI_REPEATED,                                            \
        "value of a parameter of the launch description", 0                                        \
  }
#define CLI_INPUT_PROGRAM(type)                                                                      \
  {NULL, 0, NULL, 0, "For a program instead of a launch description:", 70},                          \
      {"kernel", CLI_STORE(CLI_TEXT, type, input.launch.kernel), "NAME", 0, "kernel (the only one)", \
       70},                                                                                          \
      {"grid", CLI_STORE(CLI_TEXT, type, input.launch.grid), "X[,Y[,Z]]", 0, "CTAs (1)", 70},        \
      {"block",                                                                                      \
       CLI_STORE(CLI_TEXT, type, input.launch.block),                                                \
       "X[,Y[,Z]]",                                                                                  \
       0,                                                                                            \
       "threads of a CTA (32)",                                                                      \
       70},                                                                                          \
      {"dynamic-shared",                                                                             \
       CLI_STORE(CLI_TEXT, type, input.launch.dynamic_shared),                                       \
       "BYTES",                                                                                      \
       0,                                                                                            \
       "shared memory of a CTA for .extern .shared arrays (0)",                                      \
       70},                                                                                          \
  {                                                                                                  \
    "arg", CLI_KEY_ARG, "SPEC", CLI_REPEATED,                                                        \
        "next argument: TYPE:VALUE, local:BYTES, buffer:TYPE:COUNT[:zero|range|random|FILE]; "       \
        "buffers are named arg0, arg1, ... by position",                                             \
        7                                                                                            \
  }

/* Takes an option or argument of it.  ARGP_ERR_UNKNOWN: it is none. */
error_t cli_input_take(struct cli_input *c, int key, char *arg, struct argp_state *state);

/* Reads what is to be run, and the GPU of the description, unless the command line has another one,
 * with what options set over it. */
enum tandem_status cli_input_read(const struct cli_input *c, struct cli_config *config,
                                  struct tandem_job **job, struct tandem_error *err);
void cli_input_free(struct cli_input *c);

#endif
