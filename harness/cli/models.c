/* tandem models; progress and warnings of models that are made. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/shim/models/models.h"

/* ---- of other commands ---- */

static void progress(const char *line) { fprintf(stderr, "\r\033[K%s", line != NULL ? line : ""); }

static void warning(const char *text) { fprintf(stderr, "tandem: warning: %s", text); }

/* The folder of an installed Tandem that has models is used before the cache. */
void cli_models(void) {
  char shipped[4200];
  snprintf(shipped, sizeof shipped, "%s/lib/tandem/models", cli_build());
  models_places(cli_root(), access(shipped, R_OK) == 0 ? shipped : NULL);
  const bool terminal = isatty(STDERR_FILENO) != 0;
  models_listen(&(struct models_listener){terminal ? progress : NULL, warning});
}

void cli_unread(const char *rtl) {
  char *names = NULL;
  const size_t n = rtl != NULL ? models_unread(rtl, &names) : 0;
  if (n != 0)
    fprintf(stderr, "tandem: warning: no model of this run reads %s\n", names);
  free(names);
}

/* ---- the command ---- */

enum { KEY_DAYS = 0x200 };
enum { DAY = 24 * 3600, PRUNE_DAYS = 30 };

struct command {
  bool prune, aged; /* --days is there */
  uint64_t days;
};

static const struct argp_option options[] = {
    {"prune", CLI_STORE(CLI_FLAG, command, prune), NULL, 0,
     "remove models that were not used for a while", 0},
    {"days", KEY_DAYS, "N", 0, "with --prune: days without use (30); 0 removes all", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct command *c = state->input;
  if (key == ARGP_KEY_END && c->aged && !c->prune)
    argp_error(state, "--days is for --prune");
  if (key != KEY_DAYS)
    return cli_store(key, arg, c);
  c->aged = true;
  c->days = cli_number(arg, "--days", 0, 36500, state);
  return 0;
}

static void print(const struct model_file *f, void *user) {
  struct model_file *total = user;
  char day[32] = "";
  struct tm t;
  if (localtime_r(&f->used, &t) != NULL)
    (void)strftime(day, sizeof day, "%Y-%m-%d %H:%M", &t);
  printf("%8" PRIu64 "  %s ", (f->bytes + 1023) / 1024, day);
  for (unsigned i = 0; i < MODEL_STAGES; i++) {
    printf(" %9.2f", f->seconds[i]);
    total->seconds[i] += f->seconds[i];
  }
  printf("  %s\n", f->name);
  total->bytes += f->bytes;
}

static int list(struct tandem_error *err) {
  struct model_file total = {0};
  char *folder = NULL;
  printf("                              seconds to make it\n"
         "     KiB  last used             yosys verilator  compiler    linker  model\n");
  const int status = models_list(print, &total, &folder, err);
  if (status == 0) {
    printf("%8" PRIu64 "%18s ", (total.bytes + 1023) / 1024, "");
    for (unsigned i = 0; i < MODEL_STAGES; i++)
      printf(" %9.2f", total.seconds[i]);
    printf("  in %s\n", folder);
  }
  free(folder);
  return status;
}

int cli_models_command(int argc, char **argv) {
  static const struct argp argp = {
      options,
      parse,
      NULL,
      "Lists the verilated models that were made, with their sizes, when they were used last, and "
      "the processor seconds that each tool took to make them, or removes old ones.  A model is "
      "made when a run first needs it (docs/use/own_rtl.md).",
      NULL,
      NULL,
      NULL};
  struct command c = {.days = PRUNE_DAYS};
  struct tandem_error err = {{0}};
  unsigned files;
  uint64_t bytes;
  cli_argp(&argp, argc, argv, &c);
  int status;
  if (c.prune) {
    status = models_prune(c.days * DAY, &files, &bytes, &err);
    if (status == 0)
      printf("removed %u files, %" PRIu64 " KiB\n", files, (bytes + 1023) / 1024);
  } else
    status = list(&err);
  if (status == 0)
    return 0;
  fprintf(stderr, "tandem: %s\n", err.text);
  return TANDEM_USAGE;
}
