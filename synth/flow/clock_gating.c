/* The part of the steps that is about clock gates. */
#include "synth/flow/clock_gating.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "csim/util/files.h"
#include "synth/flow/tcl.h"

void clock_gating_job(FILE *job, const struct synth_report *r) {
  tcl_set(job, "gate_rule", "%s", r->gate.rule);
  tcl_set(job, "gate_model", "%s", r->gate.model);
  tcl_set(job, "gate_latch", "%s", r->gate.latch);
  fprintf(job, "set gate_levels %u\n", r->gate.levels);
  fprintf(job, "set gated %d\n", r->gated);
}

int clock_gating_parse(const char *path, struct synth_size *size, struct tandem_error *err) {
  char *text;
  int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  if (sscanf(text, "%" SCNu64 " %" SCNu64, &size->clock_gates, &size->gated_registers) != 2 ||
      size->clock_gates > size->sequential_cells)
    status = tandem_fail(err, -EINVAL, "%s: no numbers of clock gates", path);
  else
    size->sequential_cells -= size->clock_gates;
  free(text);
  return status;
}
