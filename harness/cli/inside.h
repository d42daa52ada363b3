/* Options of a run that look inside it (docs/use/inside.md), and the files that they write. */
#ifndef TANDEM_CLI_INSIDE_H
#define TANDEM_CLI_INSIDE_H

#include <argp.h>

#include "csim/util/output.h"
#include "harness/gpu/inside/pipeline.h"
#include "harness/gpu/inside/timeline.h"

enum { CLI_PROFILES = 8 };
struct cli_inside {
  struct {
    const char *path; /* by its ending .json, .html, or text */
    struct output file;
  } profiles[CLI_PROFILES];
  size_t nprofiles;
  const char *pipeline; /* NULL: none */
  struct output pipeline_file;
  struct pipeline_request request;
  bool chosen; /* there are options of a pipeline */
  struct pipeline *recorded;
  const char *timeline; /* NULL: none */
  uint32_t every;       /* 0: not chosen */
  struct timeline *events;
};

/* The options, as an argp child whose input is a struct cli_inside. */
extern const struct argp cli_inside_argp;

/* Opens the files.  False, with a message on stderr: it could not. */
bool cli_inside_open(struct cli_inside *c);
/* Begins to record the launches of a GPU.  0 or a negative errno. */
int cli_inside_begin(struct cli_inside *c, struct tandem *t, struct tandem_error *err);
/* Writes what was recorded; no file has its name yet.  False, with a message: it could not. */
bool cli_inside_write(struct cli_inside *c, struct tandem *t);
bool cli_inside_commit(struct cli_inside *c);
void cli_inside_close(struct cli_inside *c);

#endif
