/* A GPU with waveforms and reports: what tandem.h opens, launches on and closes. */
#include <errno.h>

#include "harness/gpu/core/grid.h"
#include "harness/gpu/core/launch.h"
#include "harness/gpu/core/open.h"
#include "harness/gpu/report/report.h"

enum tandem_status tandem_open(const struct tandem_config *c, struct tandem **t,
                               struct tandem_error *err) {
  struct tandem_config defaults;
  *t = NULL;
  if (c == NULL) {
    gpu_config_default(&defaults);
    c = &defaults;
  }
  if (gpu_check(c, err) != 0 || trace_check(c, err) != 0 || gpu_open(c, t, err) != 0)
    return TANDEM_USAGE;
  if (trace_claim(*t, err) == 0)
    return TANDEM_OK;
  tandem_close(*t);
  *t = NULL;
  return TANDEM_USAGE;
}

void tandem_close(struct tandem *t) {
  if (t != NULL)
    (void)trace_end(t, NULL);
  gpu_close(t);
}

enum tandem_status tandem_launch(struct tandem *t, const struct tandem_launch *launch,
                                 struct tandem_error *err) {
  if (t->end.failure.kind != FAIL_NONE) {
    tandem_fail(err, -EINVAL, "this GPU has failed before: %s", t->end.reason.text);
    return TANDEM_FAULT;
  }
  const enum tandem_status status = gpu_launch(t, launch, err);
  if (t->end.failure.kind != FAIL_NONE) {
    report_reason(t);
    if (t->config.on_failure != NULL)
      t->config.on_failure(t->config.user, t->end.reason.text);
    repeat_failure(t);
    pin_failure(t);
    if (err != NULL)
      *err = t->end.reason;
  }
  if (status == TANDEM_FAULT)
    gpu_grid_drop(t);
  return status;
}
