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

/* A text as a word of YAML. */
static int print_quoted(FILE *out, const char *text) {
  int n = fprintf(out, "\"");
  for (; *text != '\0'; text++)
    n += fprintf(out, strchr("\"\\", *text) != NULL ? "\\%c" : "%c", *text);
  return n + fprintf(out, "\"");
}

/* source: of the value; NULL: none. */
static void print_key(FILE *out, const struct config_key *k, const struct tandem_config *c,
                      const char *source, unsigned depth) {
  char range[64], value[32];
  config_range(k, range, sizeof range);
  config_value(k, config_get(k, c), value, sizeof value);
  int at = fprintf(out, "%*s%s: ", (int)(2 * depth), "", k->name);
  if (source == NULL) {
    at += fprintf(out, "%s", value);
  } else {
    at += fprintf(out, "{value: %s, source: ", value);
    at += print_quoted(out, source);
    at += fprintf(out, "}");
  }
  fprintf(out, "%*s # %s%s%s: %s\n", at < 24 ? 24 - at : 0, "", range, *k->unit != '\0' ? " " : "",
          k->unit, k->text);
}

/* Reports if no key before the i-th is in its section: a section may have keys of several tables.
 */
static bool first_of_section(size_t i) {
  for (size_t k = 0; k < i; k++)
    if (strcmp(gpu_key_at(k)->section, gpu_key_at(i)->section) == 0)
      return false;
  return true;
}

static void print_section(const char *section, const char *before, const struct cli_config *c) {
  const struct config_key *k;
  const unsigned depth = open_section(stdout, section, before);
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (strcmp(k->section, section) == 0)
      print_key(stdout, k, &c->config, i < CONFIG_KEYS ? c->sources->of[i] : NULL, depth);
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
  struct config_sources sources = {{NULL}};
  struct cli_config c = {.sources = &sources};
  const struct config_key *k;
  struct tandem_error err;
  cli_parse(&argp, argc, argv, &c, &c);
  cli_settle(&c);
  if (gpu_config_check(&c.config, NULL, &err) != 0) {
    fprintf(stderr, "tandem: %s\n", err.text);
    config_forget_sources(&sources);
    return TANDEM_USAGE;
  }
  const char *before = "";
  if (config_has_gpu(c.config.gpu, &err))
    printf("base: %s\n", c.config.gpu);
  else
    printf("# GPU: %s\n", c.config.gpu);
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++)
    if (first_of_section(i)) {
      print_section(k->section, before, &c);
      before = k->section;
    }
  config_forget_sources(&sources);
  return TANDEM_OK;
}
