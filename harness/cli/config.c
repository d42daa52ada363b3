/* tandem config: the configuration that a run would have, as a GPU description with all keys. */
#include <errno.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/gpu/config.h"

/* Opens the mappings of a section that are not open: those behind what it has in common with the
 * one before.  Returns how deep its keys are. */
static unsigned open_section(FILE *out, const char *section, const char *before) {
  unsigned depth = 0;
  for (const char *p = section; *p != '\0'; depth++) {
    const size_t n = strcspn(p, "."), end = (size_t)(p - section) + n;
    const bool open =
        strncmp(section, before, end) == 0 && (before[end] == '\0' || before[end] == '.');
    if (!open)
      fprintf(out, "%*s%.*s:\n", (int)(2 * depth), "", (int)n, p);
    p += n + (p[n] == '.');
  }
  return depth;
}

static void print_key(FILE *out, const struct config_key *k, const struct tandem_config *c,
                      unsigned depth) {
  char range[64], value[32];
  config_range(k, range, sizeof range);
  config_value(k, config_get(k, c), value, sizeof value);
  const int at = fprintf(out, "%*s%s: %s", (int)(2 * depth), "", k->name, value);
  fprintf(out, "%*s # %s%s%s: %s\n", at < 24 ? 24 - at : 0, "", range, *k->unit != '\0' ? " " : "",
          k->unit, k->text);
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct cli_config *c = state->input;
  if (key == ARGP_KEY_INIT)
    state->child_inputs[0] = c;
  else if (key == ARGP_KEY_ARG)
    argp_error(state, "no arguments, so not \"%s\"", arg);
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

int cli_config(int argc, char **argv) {
  static const struct argp_child children[] = {{&cli_config_argp, 0, NULL, 0}, {0}};
  static const struct argp argp = {
      NULL,
      parse,
      NULL,
      "Prints all configuration keys with their values, ranges and meanings, as a GPU description "
      "that --config reads; with options, the configuration that a run with them has.",
      children,
      NULL,
      NULL};
  struct cli_config c = {0};
  struct tandem_error err;
  cli_parse(&argp, argc, argv, &c, &c);
  if (gpu_config_check(&c.config, NULL, &err) != 0) {
    fprintf(stderr, "tandem: %s\n", err.text);
    return TANDEM_USAGE;
  }
  const char *section = "";
  unsigned depth = 0;
  for (const struct config_key *k = gpu_keys; k < gpu_keys + gpu_nkeys; k++) {
    depth = strcmp(k->section, section) != 0 ? open_section(stdout, k->section, section) : depth;
    section = k->section;
    print_key(stdout, k, &c.config, depth);
  }
  return TANDEM_OK;
}
