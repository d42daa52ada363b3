/* A buddy cluster of the reference in its environment, with or without the verilated one. */
#include "tests/unit/buddy/cluster_lockstep.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ports/parts.h"
#include "tests/unit/device.h"
#include "tests/unit/differ.h"
#include "tests/unit/rows_noise.h"

static void wrong(struct cluster_lockstep *c, const char *what) {
  if (c->wrong[0] == '\0')
    snprintf(c->wrong, sizeof c->wrong, "cycle %" PRIu64 ", seed %" PRIu64 ": %s", c->cycle,
             c->e.seed, what);
}

static unsigned differences(const struct cluster_lockstep *c, const struct buddy_cluster_out *out,
                            const struct buddy_member_out member[]) {
  unsigned n = differ_out(&buddy_cluster_ports, c->cycle, &c->out, out);
  for (unsigned m = 0; m < c->members; m++) {
    const unsigned of_member = differ_out(&buddy_member_ports, c->cycle, &c->member[m], &member[m]);
    if (of_member > 0)
      print_error("  (member %u)\n", m);
    n += of_member;
  }
  return n;
}

static bool same(const struct cluster_lockstep *c, const struct buddy_cluster_out *out,
                 const struct buddy_member_out member[]) {
  uint64_t counts[PORTS_MAX] = {0}, diff = buddy_cluster_ports.diff(&c->out, out, counts);
  for (unsigned m = 0; m < c->members; m++)
    diff |= buddy_member_ports.diff(&c->member[m], &member[m], counts);
  return diff == 0;
}

/* States of the members' front ends, from time to time: they are large. */
static bool same_states(const struct cluster_lockstep *c) {
  static struct sm_frontend_state rtl, ref;
  static uint64_t counts[FRONTEND_PARTS * PORTS_MAX];
  for (unsigned m = 0; m < c->members && c->cycle % CL_STATES == 0; m++) {
    const struct ports_part *part = NULL;
    struct port_diff first = {.state = NULL};
    rtl_view(c->rtl, m, &rtl);
    const bool on = buddy_cluster_ref_state(c->ref, m, &ref);
    if (ports_parts_same(frontend_parts, FRONTEND_PARTS, on, &rtl, &ref, counts, &part, &first) ==
        0)
      continue;
    char what[80];
    snprintf(what, sizeof what, "state %s", first.state->name);
    if (!c->quiet) {
      testing_difference(part->instance, c->cycle, what, first.index, first.b, first.a);
      print_error("  (member %u)\n", m);
    }
    return false;
  }
  return true;
}

static void compare(struct cluster_lockstep *c) {
  const struct buddy_cluster_out *out = &c->device.own;
  const struct buddy_member_out *member = c->device.member;
  const char *first;
  rtl_out(c->rtl, &c->device);
  if (rtl_assertions(c->rtl, &first) != 0)
    wrong(c, first);
  if (c->alone) {
    c->out = *out;
    memcpy(c->member, member, sizeof c->member);
    return;
  }
  const bool outputs = same(c, out, member);
  if (outputs && (!device_has_states() || same_states(c)))
    return;
  if (!outputs && !c->quiet)
    differences(c, out, member);
  wrong(c, "the cluster differs from its reference");
}

static void step(struct cluster_lockstep *c, const struct input_set inputs[]) {
  struct cluster_in in = {.own = c->in};
  for (unsigned m = 0; m < c->members; m++)
    in.sm[m] = *inputs[m].in;
  rtl_step(c->rtl, &in);
}

bool cluster_lockstep_fault(struct cluster_lockstep *c, unsigned n) {
  return rtl_bug(c->rtl, n) == 0;
}

/* Gives every input that means nothing in this cycle a random value: nothing may depend on it. */
static void scramble(struct cluster_lockstep *c) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier)                                                            \
  if (!(qualifier))                                                                                \
    p->name = rng_next(&c->noise) & port_mask(width);
  struct buddy_cluster_in *cluster = &c->in;
  {
    struct buddy_cluster_in *p = cluster;
#include "csim/ports/buddy/buddy_cluster.def"
  }
  for (unsigned m = 0; m < c->members; m++) {
    struct sm_frontend_in *p = &c->member_in[m];
#include "csim/ports/buddy/buddy_member.def"
    ROWS_NOISE(p, ROW_PORTS, &c->noise);
  }
#undef PORT_IN
#undef PORT_OUT
}

void cluster_lockstep_open(struct cluster_lockstep *c, unsigned members, unsigned hop,
                           unsigned entries, uint64_t seed, struct ce_rates rates) {
  memset(c, 0, sizeof *c);
  c->members = members;
  c->delay = (hop * (members - 1) + 2) / 2;
  c->noise.state = ~seed;
  c->ref = buddy_cluster_ref_create(members, hop, entries);
  assert_non_null(c->ref);
  buddy_cluster_ref_ibuffer(c->ref, device_parameter("IbEntries", 2));
  cluster_environment_init(&c->e, members, hop, seed, rates);
  c->rtl = device_create(seed);
}

void cluster_lockstep_close(struct cluster_lockstep *c) {
  buddy_cluster_ref_destroy(c->ref);
  rtl_destroy(c->rtl);
}

bool cluster_lockstep_step(struct cluster_lockstep *c) {
  const struct buddy_member_out *out[CE_MEMBERS];
  struct input_set inputs[CE_MEMBERS];
  const unsigned delivered = c->e.delivered;
  char text[160];
  buddy_cluster_ref_out(c->ref, &c->out, c->member);
  for (unsigned m = 0; m < c->members; m++)
    out[m] = &c->member[m];
  if (c->rtl != NULL)
    compare(c);
  cluster_environment_step(&c->e, &c->out, out, &c->in, c->member_in);
  scramble(c);
  if (c->e.fault != NULL && !c->alone) {
    snprintf(text, sizeof text, "member %u, warp %u %s", c->e.fault_member, c->e.fault_warp,
             c->e.fault);
    wrong(c, text);
  }
  for (unsigned m = 0; m < c->members; m++)
    inputs[m] = (struct input_set){&c->member_in[m], inputs_raised(&c->member_in[m])};
  if (!c->alone)
    buddy_cluster_ref_step(c->ref, &c->in, inputs);
  if (c->rtl != NULL)
    step(c, inputs);
  c->cycle++;
  testing_cycles++;
  if (c->e.delivered != delivered || c->in.kernel_start)
    c->progress = c->cycle;
  if (c->cycle - c->progress > CL_PATIENCE)
    wrong(c, "nothing has issued for a long time");
  return c->wrong[0] == '\0';
}
