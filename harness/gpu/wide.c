/* Large warps (docs/frontend.md): what the configuration asks for, the engines of an SM. */
#include <errno.h>
#include <stdlib.h>

#include "harness/gpu/gpu.h"

int wide_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->warp_size > 32 && c->buddy > 1)
    return tandem_fail(err, -EINVAL,
                       "SMs with warps of %u threads do not share front ends: warp_size %u needs "
                       "buddy 1, buddy %u needs warp_size 32",
                       c->warp_size, c->warp_size, c->buddy);
  if (c->sm.warps % (c->warp_size / 32) != 0)
    return tandem_fail(
        err, -EINVAL, "sm.warps, %u warps of 32 threads, must be a multiple of %u with warps of %u",
        c->sm.warps, c->warp_size / 32, c->warp_size);
  return 0;
}

static bool has_fault(const struct tandem_config *c, unsigned sm) {
  return c->bug != 0 && c->bug_sm == sm && !cta_dispatch_has_fault(c->bug, 1);
}

static bool is_traced(const struct tandem_config *c, unsigned sm) {
  return c->trace != NULL && sm < 64 && (c->trace_sms >> sm & 1) != 0;
}

int wide_open(struct tandem *t, unsigned sm, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  struct gpu_sm *s = &t->sms[sm];
  s->wide = calloc(1, sizeof *s->wide);
  if (s->wide == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for SM %u", sm);
  if (c->engine != TANDEM_ENGINE_REF) {
    const bool full = has_fault(c, sm) || is_traced(c, sm) || c->assertions;
    s->rtl = frontend_rtl_create_wide(c->warp_size, full, c->seed + sm);
    if (s->rtl == NULL)
      return tandem_fail(err, -ENOMEM, "cannot create the verilated front end of SM %u", sm);
    frontend_rtl_bug(s->rtl, has_fault(c, sm) ? c->bug : 0);
  }
  if (c->engine != TANDEM_ENGINE_RTL &&
      (s->wide->ref = frontend_wide_create_with(1536 / c->warp_size)) == NULL)
    return tandem_fail(err, -ENOMEM, "cannot create the reference front end of SM %u", sm);
  s->wide->slices = sm_wide_create(s->sm, err);
  return s->wide->slices != NULL ? 0 : -ENOMEM;
}

void wide_close(struct gpu_sm *s) {
  if (s->wide == NULL)
    return;
  if (s->wide->ref != NULL)
    frontend_wide_destroy(s->wide->ref);
  sm_wide_destroy(s->wide->slices);
  free(s->wide);
}
