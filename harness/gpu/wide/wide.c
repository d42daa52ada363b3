/* The machine of SMs with large warps (docs/hardware/frontend.md): each has a front end whose warps
 * have 64 or 128 threads, and slices between it and its back end (csim/sm/lanes/lanes.h). */
#include <errno.h>
#include <stdio.h>

#include "harness/gpu/wide/wide.h"

#include "csim/ref/sm/ref_wide.h"
#include "csim/sm/lanes/lanes.h"
#include "harness/gpu/core/sms.h"

/* ---- the unit ---- */

static void *create(const unsigned *numbers) {
  struct frontend_wide *f = frontend_wide_create_with(numbers[0]);
  if (f != NULL)
    frontend_wide_ibuffer(f, numbers[1]);
  return f;
}
static void destroy(void *ref) { frontend_wide_destroy(ref); }
static const void *out(void *ref, const void *in, void *room) {
  (void)in;
  frontend_wide_out(ref, room);
  return room;
}
static void step(void *ref, const void *in) { frontend_wide_step(ref, in); }
static bool view(void *ref, unsigned sm, void *state) {
  struct sm_frontend_state *s = state;
  (void)sm;
  frontend_wide_state(ref, s);
  frontend_wide_view_wide(ref, &s->wide);
  return true;
}

static const struct unit_type sm_frontend_wide = {
    .name = "sm_frontend",
    .rows = {{.ports = &sm_frontend_wide_ports, .of_sms = true}},
    .nrows = 1,
    .in_bytes = sizeof(struct sm_frontend_wide_in),
    .out_bytes = sizeof(struct sm_frontend_wide_out),
    .parts = frontend_parts,
    .nparts = FRONTEND_PARTS_WIDE,
    .view_bytes = sizeof(struct sm_frontend_state),
    .ref = {create, destroy, out, step, view}};

/* ---- the machine ---- */

static bool wanted(const struct tandem_config *c) { return c->feature.wide.warp_size > 32; }

int wide_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->sm.warps % (c->feature.wide.warp_size / 32) != 0)
    return tandem_fail(
        err, -EINVAL, "sm.warps, %u warps of 32 threads, must be a multiple of %u with warps of %u",
        c->sm.warps, c->feature.wide.warp_size / 32, c->feature.wide.warp_size);
  return 0;
}

static int open_cells(struct tandem *t, struct tandem_error *err) {
  const unsigned warps = 1536 / t->config.feature.wide.warp_size;
  const unsigned numbers[] = {warps, t->config.sm.ibuffer_entries};
  char own[40], parameters[SMS_PARAMETERS];
  TRY(machine_cells(t, err));
  snprintf(own, sizeof own, "WarpSize=%u Warps=%u", t->config.feature.wide.warp_size, warps);
  sms_parameters(&t->config, own, parameters);
  for (unsigned i = 0; i < t->ncells; i++) {
    struct cell *c = &t->cells[i];
    TRY(machine_unit(t, c, &sm_frontend_wide, parameters, numbers, "SM", err));
    /* The beginning of its ports is that of sm_frontend. */
    c->sm->in = c->unit->in;
    c->sm->out = c->unit->out;
    c->sm->in->cfg_lrr = t->config.scheduler == TANDEM_LRR;
    c->own = sm_lanes_create(c->sm->sm, NULL, err);
    if (c->own == NULL)
      return -ENOMEM;
  }
  return 0;
}

static void close_cells(struct tandem *t) {
  for (unsigned i = 0; i < t->ncells; i++)
    sm_lanes_destroy(t->cells[i].own);
}

static uint64_t back_end(struct tandem *t, struct gpu_sm *s) {
  return sm_lanes_step(s->cell->own, t->cycle, s->out, s->in);
}

static bool idle(struct tandem *t, struct cell *c, bool quiet) {
  (void)t;
  c->sm->idle = quiet && sm_lanes_idle(c->own);
  return c->sm->idle;
}

static bool waiting(const struct gpu_sm *s) { return sm_lanes_waiting(s->cell->own); }

const struct machine machine_wide = {
    .shape = {.name = "SMs with large warps",
              .wanted = wanted,
              .cell_sms = sms_cell_sms,
              .open = open_cells,
              .close = close_cells},
    .launch = {.begin = sms_begin, .ready = sms_ready, .leads = sms_leads},
    .cycle = {.back_end = back_end, .quiet = sms_quiet, .idle = idle, .waiting = waiting}};
