/* Large warps as a feature: their key. */
#include "harness/gpu/feature.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/wide/wide.h"

#define FEATURE wide

static const struct config_key keys[] = {
#include "harness/gpu/wide/keys.def"
};

static void settle(struct tandem_config *c) {
  c->sm.slices = c->feature.wide.warp_size / ISA_WARP_SIZE;
}

const struct feature feature_wide = {.name = "wide",
                                     .title = "large warps",
                                     .page = "docs/hardware/frontend.md",
                                     .machine = &machine_wide,
                                     .keys = keys,
                                     .nkeys = sizeof keys / sizeof keys[0],
                                     .settle = settle,
                                     .check = wide_check};
