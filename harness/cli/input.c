/* The launch description or program that a command simulates. */
#include "harness/cli/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/expression.h"
#include "csim/util/files.h"

static bool is_description(const char *path) {
  return cli_ends(path, ".yaml") || cli_ends(path, ".yml");
}

static void take_path(struct cli_input *c, const char *path, struct argp_state *state) {
  if (c->path != NULL)
    argp_error(state, "one launch description or program, not also \"%s\"", path);
  c->path = path;
}

/* NAME=VALUE, a whole number. */
static void add_parameter(struct cli_input *c, char *arg, struct argp_state *state) {
  struct tandem_parameter *p = c->parameters;
  struct tandem_error err;
  char *value = strchr(arg, '=');
  const size_t n = value != NULL ? (size_t)(value - arg) : 0;
  while (p < c->parameters + c->nparameters &&
         (strncmp(p->name, arg, n) != 0 || p->name[n] != '\0'))
    p++; /* the last value of a name counts */
  if (p == c->parameters + CLI_PARAMETERS)
    argp_error(state, "--param at most %d times", CLI_PARAMETERS);
  else if (value == NULL)
    argp_error(state, "--param takes NAME=VALUE, not \"%s\"", arg);
  else if (expression_whole(value + 1, NULL, &p->value, &err) != 0)
    argp_error(state, "--param %s: %s", arg, err.text);
  else if (p->name == NULL && (p->name = strndup(arg, n)) != NULL)
    c->nparameters++;
}

error_t cli_input_take(struct cli_input *c, int key, char *arg, struct argp_state *state) {
  switch (key) {
  case CLI_KEY_PARAM:
    add_parameter(c, arg, state);
    return 0;
  case CLI_KEY_ARG:
    if (c->launch.nargs == sizeof c->launch.args / sizeof c->launch.args[0])
      argp_error(state, "--arg at most %zu times", c->launch.nargs);
    c->launch.args[c->launch.nargs++] = arg;
    return 0;
  case ARGP_KEY_ARG:
    take_path(c, arg, state);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* Returns true if there are options for a program instead of a launch description. */
static bool has_launch(const struct cli_launch *l) {
  return l->kernel != NULL || l->grid != NULL || l->block != NULL || l->dynamic_shared != NULL ||
         l->nargs != 0;
}

static enum tandem_status read_job(const struct cli_input *c, struct tandem_job **job,
                                   struct tandem_error *err) {
  char path[4096];
  *job = NULL;
  if (c->path == NULL) {
    const struct tandem_parameter small[] = {{"blocks", 60}, {"n", 8192}};
    const bool given = c->nparameters != 0;
    snprintf(path, sizeof path, "%s/tests/kernels/blackscholes/blackscholes.yaml", cli_root());
    return tandem_job_read(path, given ? c->parameters : small, given ? c->nparameters : 2, job,
                           err);
  }
  if (is_description(c->path)) {
    if (!has_launch(&c->launch))
      return tandem_job_read(c->path, c->parameters, c->nparameters, job, err);
    tandem_fail(err, 0,
                "--kernel, --grid, --block, --dynamic-shared and --arg are for programs; a launch "
                "description has its own");
    return TANDEM_USAGE;
  }
  if (c->nparameters != 0) {
    tandem_fail(err, 0, "--param is for a launch description; %s is a program", c->path);
    return TANDEM_USAGE;
  }
  char *text = cli_launch_text(c->path, &c->launch);
  if (text == NULL) {
    tandem_fail(err, 0, "%s was not run", c->path);
    return TANDEM_USAGE;
  }
  enum tandem_status status = tandem_job_read_text(text, "command line", job, err);
  free(text);
  return status;
}

/* Makes the folder of reports (NULL: there is none), which must be writable. */
static enum tandem_status make_reports_folder(const char *path, struct tandem_error *err) {
  if (path == NULL)
    return TANDEM_OK;
  if (files_folder(path, err) != 0)
    return TANDEM_USAGE;
  if (access(path, W_OK | X_OK) == 0)
    return TANDEM_OK;
  tandem_fail(err, -errno, "cannot write reports to %s: %s", path, strerror(errno));
  return TANDEM_USAGE;
}

enum tandem_status cli_input_read(const struct cli_input *c, struct cli_config *config,
                                  struct tandem_job **job, struct tandem_error *err) {
  enum tandem_status status = read_job(c, job, err);
  if (status == TANDEM_OK)
    status = make_reports_folder(config->config.report_dir, err);
  if (status == TANDEM_OK && config->ndescriptions == 0)
    status = tandem_job_config(*job, &config->config, err);
  cli_settle(config);
  return status;
}

void cli_input_free(struct cli_input *c) {
  for (size_t i = 0; i < c->nparameters; i++)
    free((char *)(uintptr_t)c->parameters[i].name);
}
