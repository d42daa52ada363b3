/* A Flex cluster of the reference in its environments, with or without the verilated one. */
#include "tests/unit/flex/flex_lockstep.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/isa/core/isa.h"
#include "csim/ports/parts.h"
#include "tests/unit/device.h"
#include "tests/unit/differ.h"
#include "tests/unit/rows_noise.h"

enum { FORMED = 2 /* edges from kernel_start to the outputs of the new scheme */ };

static void wrong(struct flex_lockstep *c, const char *what) {
  if (c->wrong[0] == '\0')
    snprintf(c->wrong, sizeof c->wrong, "cycle %" PRIu64 ": %s", c->cycle, what);
}

/* ---- comparison ---- */

static void print_differences(const struct flex_lockstep *c, const struct flex_ports_out *out) {
  differ_out(&flex_cluster_ports, c->cycle, &c->out.own, &out->own);
  for (unsigned m = 0; m < c->members; m++)
    if (differ_out(&flex_member_ports, c->cycle, &c->out.member[m], &out->member[m]) > 0)
      print_error("  (member %u, scheme %u)\n", m, c->mode);
}

static bool same(const struct flex_lockstep *c, const struct flex_ports_out *out) {
  uint64_t counts[PORTS_MAX] = {0};
  uint64_t diff = flex_cluster_ports.diff(&c->out.own, &out->own, counts);
  for (unsigned m = 0; m < c->members; m++)
    diff |= flex_member_ports.diff(&c->out.member[m], &out->member[m], counts);
  return diff == 0;
}

static bool same_states(const struct flex_lockstep *c) {
  static struct flex_member_state rtl, ref;
  static uint64_t counts[FLEX_PARTS * PORTS_MAX];
  for (unsigned m = 0; m < c->members && (c->closely || c->cycle % FL_STATES == 0); m++) {
    const struct ports_part *part = NULL;
    struct port_diff first = {.state = NULL};
    rtl_view(c->rtl, m, &rtl);
    const bool on = flex_cluster_ref_state(c->ref, m, &ref);
    if (ports_parts_same(flex_parts, FLEX_PARTS, on, &ref, &rtl, counts, &part, &first) == 0)
      continue;
    char what[80];
    snprintf(what, sizeof what, "state %s", first.state->name);
    if (!c->quiet) {
      testing_difference(part->instance, c->cycle, what, first.index, first.a, first.b);
      print_error("  (member %u, scheme %u)\n", m, c->mode);
    }
    return false;
  }
  return true;
}

static void compare(struct flex_lockstep *c) {
  static struct flex_ports_out out;
  const char *first;
  rtl_out(c->rtl, &out);
  if (!c->unasserted && rtl_assertions(c->rtl, &first) != 0)
    wrong(c, first);
  if (c->alone) {
    c->out = out;
    return;
  }
  const bool outputs = same(c, &out);
  if (outputs && (!device_has_states() || same_states(c)))
    return;
  if (!outputs && !c->quiet)
    print_differences(c, &out);
  wrong(c, "the cluster differs from its reference");
}

/* ---- inputs ---- */

static bool is_wide(unsigned mode) { return mode == FLEX_BIGSM || mode == FLEX_BIGSM_OCC; }

/* Warps of an active member. */
static unsigned warps_of(unsigned mode) {
  static const unsigned warps[FLEX_MODES] = {24, 48, 36, 24, 48};
  return warps[mode];
}

/* A mask of 32 lanes becomes one of 64, of the same kind: none or all lanes, all but one or one, or
 * any; sometimes one half is empty. */
static uint64_t widen(struct rng *r, uint64_t mask) {
  const unsigned set = (unsigned)__builtin_popcountll(mask);
  const uint64_t one = UINT64_C(1) << rng_below(r, 64), any = rng_next(r);
  if (set == 0 || set == 32)
    return set == 0 ? 0 : UINT64_MAX;
  if (set == 1 || set == 31)
    return set == 1 ? one : ~one;
  return rng_chance(r, 70) ? any : rng_chance(r, 50) ? any & UINT32_MAX : any << 32;
}

static void widen_masks(struct flex_lockstep *c, struct flex_sm_in *in) {
  if (in->launch_valid)
    in->launch_mask = widen(&c->rng, in->launch_mask);
  if (in->launch_valid && in->launch_mask == 0)
    in->launch_mask = UINT64_C(1) << 40;
  if (in->resolve_valid)
    in->resolve_taken = widen(&c->rng, in->resolve_taken);
}

/* A member in a cycle of a kernel. */
static void drive(struct flex_lockstep *c, unsigned m, bool up) {
  struct flex_sm_in *in = &c->in.sm[m];
  struct environment *e = &c->e[m];
  environment_drive(e, up && c->cycle >= c->formed, (struct sm_frontend_in *)in);
  in->sp_credit1 = e->credit1[ISA_PIPE_SP];
  in->sfu_credit1 = e->credit1[ISA_PIPE_SFU];
  in->mem_credit1 = e->credit1[ISA_PIPE_MEM];
  if (is_wide(c->mode))
    widen_masks(c, in);
}

static void start_kernel(struct flex_lockstep *c) {
  const struct fl_script *s = &c->script;
  struct rng *r = &c->rng;
  do
    c->mode = s->mode >= 0 ? (unsigned)s->mode : rng_below(r, FLEX_MODES);
  while (c->mode == FLEX_BAL && c->members == 2);
  if (s->restless && c->out.own.hold != 0 && rng_chance(r, 50))
    c->mode = FLEX_BASE; /* all that came up comes up again */
  const unsigned far_up = rng_chance(r, 20) ? 255 : rng_below(r, 40);
  c->power_up = (uint8_t)(s->power_up >= 0    ? (unsigned)s->power_up
                          : rng_chance(r, 40) ? rng_below(r, 3)
                                              : far_up);
  c->in.own.kernel_start = 1;
  c->in.own.mode = c->mode;
  c->in.own.own_memory = rng_chance(r, 30);
  c->in.own.power_up = c->power_up;
  c->up = c->cycle + FORMED + c->power_up;
  c->formed = s->restless && rng_chance(r, 50) ? c->up + FORMED : c->cycle + FORMED;
  c->kernels++;
  c->rest = 0;
  struct flex_role role[FLEX_MEMBERS];
  flex_control_roles(role, c->members, (enum flex_mode)c->mode, false);
  const bool sides = c->mode == FLEX_OCC || c->mode == FLEX_BAL;
  for (unsigned m = 0; m < c->members; m++) {
    struct environment *e = &c->e[m];
    const bool borrows = role[m].lender >= 0;
    const unsigned warps = borrows ? warps_of(c->mode) : ENV_WARPS / 2;
    environment_start(e, warps, borrows && sides ? ENV_WARPS / 2 : warps);
    if (role[m].lends != 0)
      e->ctas = 0;
    else if (s->ctas != 0 && e->ctas > s->ctas)
      e->ctas = s->ctas;
  }
}

static bool all_over(const struct flex_lockstep *c) {
  for (unsigned m = 0; m < c->members; m++)
    if (!environment_is_over(&c->e[m]))
      return false;
  return true;
}

/* Nothing runs yet, and CTAs of the kernel may be dropped.  Most such kernels start with the reset
 * of the front ends that come up. */
static bool starts_early(struct flex_lockstep *c) {
  const bool with_reset = c->cycle == c->up;
  for (unsigned m = 0; m < c->members && c->early; m++)
    if (c->e[m].launches != c->e[m].dones)
      return rng_chance(&c->rng, 1);
  for (unsigned m = 0; m < c->members; m++)
    if (c->e[m].launches != c->e[m].dones || c->e[m].left != 0 || c->e[m].flights != 0)
      return false;
  return c->script.restless && c->out.own.hold != 0 && rng_chance(&c->rng, with_reset ? 80 : 10);
}

static void make_inputs(struct flex_lockstep *c) {
  memset(&c->in, 0, sizeof c->in);
  c->in.own = (struct flex_cluster_in){.cfg_lrr = c->e[0].lrr, .power_up = c->power_up};
  for (unsigned m = 0; m < c->members; m++)
    environment_observe(&c->e[m], (const struct sm_frontend_out *)&c->out.member[m]);
  c->rest = all_over(c) ? c->rest + 1 : 0;
  if (c->rest > FL_REST || starts_early(c)) {
    start_kernel(c);
    return;
  }
  for (unsigned m = 0; m < c->members; m++)
    drive(c, m, (c->out.own.active & ~c->out.own.hold) >> m & 1);
}

/* Gives every input that means nothing in this cycle a random value: nothing may depend on it.  The
 * inputs of a member without front end mean nothing but are no valids. */
static void scramble(struct flex_lockstep *c) {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier)                                                            \
  if (!(qualifier))                                                                                \
    p->name = rng_next(&c->noise) & port_mask(width);
  {
    struct flex_cluster_in *p = &c->in.own;
#include "csim/ports/flex/flex_cluster.def"
  }
  for (unsigned m = 0; m < c->members; m++) {
    struct flex_sm_in *p = &c->in.sm[m];
#include "csim/ports/flex/flex_member.def"
    ROWS_NOISE(p, ROW_PORTS, &c->noise);
  }
#undef PORT_IN
#undef PORT_OUT
}

void flex_lockstep_open(struct flex_lockstep *c, unsigned members, unsigned dummy, uint64_t seed,
                        struct env_rates rates, struct fl_script script) {
  memset(c, 0, sizeof *c);
  c->members = members;
  c->dummy = dummy;
  c->script = script;
  c->rng.state = seed;
  c->noise.state = ~seed;
  const bool any = rng_chance(&c->rng, 50);
  const bool lrr = script.policy == FL_ANY ? any : script.policy == FL_IN_TURN;
  for (unsigned m = 0; m < members; m++) {
    environment_init(&c->e[m], seed + 100 * (m + 1), rates, lrr);
    c->e[m].ctas = 0; /* kernel_start comes first */
    c->e[m].resolve_after = 2;
  }
  c->rest = FL_REST;
  c->ref = flex_cluster_ref_create(members, dummy);
  assert_non_null(c->ref);
  c->rtl = device_create(seed);
}

void flex_lockstep_close(struct flex_lockstep *c) {
  flex_cluster_ref_destroy(c->ref);
  rtl_destroy(c->rtl);
}

bool flex_lockstep_fault(struct flex_lockstep *c, unsigned n) { return rtl_bug(c->rtl, n) == 0; }

static void take_outputs(struct flex_lockstep *c) {
  flex_cluster_ref_out(c->ref, &c->out.own, c->out.member);
  if (c->rtl != NULL)
    compare(c);
  for (unsigned m = 0; m < c->members; m++) {
    c->issued += (unsigned)(c->out.member[m].iss0_valid + c->out.member[m].iss1_valid);
    c->trapped |= c->out.member[m].trap_valid != 0;
  }
}

bool flex_lockstep_step(struct flex_lockstep *c) {
  const unsigned issued = c->issued;
  take_outputs(c);
  if (c->inputs != NULL)
    c->inputs(c);
  else
    make_inputs(c);
  scramble(c);
  if (!c->alone)
    flex_cluster_ref_step(c->ref, &c->in.own, c->in.sm);
  if (c->rtl != NULL)
    rtl_step(c->rtl, &c->in);
  c->cycle++;
  testing_cycles++;
  if (c->issued != issued || c->in.own.kernel_start)
    c->progress = c->cycle;
  if (c->cycle - c->progress > FL_PATIENCE)
    wrong(c, "nothing has issued for a long time");
  return c->wrong[0] == '\0';
}
