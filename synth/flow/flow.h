/* The steps of a unit: flow.c says when each runs, jobs.c what it is given, results.c what it
 * found out. */
#ifndef TANDEM_SYNTH_FLOW_FLOW_H
#define TANDEM_SYNTH_FLOW_FLOW_H

#include "csim/util/files.h"
#include "synth/flow/parse.h"
#include "synth/flow/steps.h"
#include "synth/flow/synth.h"
#include "synth/input/sram.h"

enum synth_stage { ELABORATE, MAP, TIME, DONE };

struct synth_node {
  enum synth_stage stage;
  struct synth_step step;
  struct synth_elaborated elaborated;
  char keys[3][HASH_KEY];
  size_t base; /* of a flat unit: the one that is not */
};

struct synth_flow {
  const struct synth_config *config;
  struct synth_designs designs;
  struct liberty liberty, macros; /* macros: those that were given */
  struct sram_map sram;
  struct synth_report *report;
  struct synth_node *nodes; /* of the report's units */
  char macros_path[512];    /* of the given memories, as the tools read them */
  char build[512], yosys[256], sta[256];
};
int synth_flow_run(struct synth_flow *f, struct tandem_error *err);
/* The unit of this name, adding it; SIZE_MAX: out of memory. */
size_t synth_flow_unit(struct synth_flow *f, const struct synth_spec *s, bool flat);
void synth_flow_free(struct synth_flow *f);

/* Finds the keys of the report's units; no step has to run for them. */
int synth_unit_keys(struct synth_flow *f, struct tandem_error *err);
/* Writes the text of the unit's next step, to be freed, and its key. */
int synth_flow_job(struct synth_flow *f, size_t at, char **text, struct tandem_error *err);
/* Writes the job of the unit's next step, and adds what it depends on to the key. */
int synth_job(struct synth_flow *f, size_t at, FILE *job, struct hash *h, struct tandem_error *err);
/* Reads what the step wrote; the unit is then at the next one. */
int synth_take(struct synth_flow *f, size_t at, struct tandem_error *err);

#endif
