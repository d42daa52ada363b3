/* Schemes of launches on a Flex cluster, from the harness. */
#include "tb/flex_host.h"

#include <stdio.h>

#include "harness/gpu/flex/flex.h"

bool tb_flex_fits(const struct tandem *t, unsigned members, unsigned dummy) {
  const struct flex_config *c = &t->config.feature.flex;
  if (t->config.sms != members || c->size != members || c->dummy != dummy) {
    fprintf(stderr,
            "the GPU must be a cluster as this program's RTL: sms %u, flex.size %u, flex.dummy %u; "
            "it has %u, %u, %u\n",
            members, members, dummy, t->config.sms, c->size, c->dummy);
    return false;
  }
  if (c->scheme == FLEX_AUTO && c->choice == FLEX_RULE_FIRST) {
    fprintf(stderr, "flex.choice must be static where flex.scheme is auto: nothing measures first "
                    "launches here\n");
    return false;
  }
  return true;
}

static const struct flex *state(const struct tandem *t) { return t->own; }

unsigned tb_flex_power_up(const struct tandem *t) { return t->config.feature.flex.power_up; }

struct tb_flex_launch tb_flex_launch_of(const struct tandem *t) {
  return (struct tb_flex_launch){.mode = state(t)->now.scheme,
                                 .own_memory = state(t)->now.own_memory,
                                 .changes = state(t)->changes};
}

unsigned tb_flex_active(const struct tandem *t) {
  return flex_active(state(t)->now.scheme, t->config.feature.flex.size);
}

int tb_flex_upper(unsigned member) { return flex_lender(FLEX_BIGSM, member); }

const struct sm_shape *tb_flex_shape(const struct tandem *t, unsigned member) {
  const enum flex_scheme scheme = state(t)->now.scheme;
  const bool shaped = flex_wide(scheme) || flex_lender(scheme, member) >= 0;
  return shaped ? &state(t)->shape : NULL;
}
