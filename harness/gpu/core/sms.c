/* The machine of SMs that work by themselves: each has a front end of its own. */
#include "harness/gpu/core/sms.h"

#include <errno.h>
#include <stdio.h>

#include "csim/ref/sm/ref.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"

/* ---- the unit ---- */

static void *create(const unsigned *numbers) {
  struct frontend_ref *f = frontend_ref_create();
  if (f == NULL || numbers == NULL)
    return f;
  if (numbers[0] != 0)
    frontend_ref_as_member(f);
  frontend_ref_ibuffer(f, numbers[1]);
  return f;
}
static void destroy(void *ref) { frontend_ref_destroy(ref); }
static const void *out(void *ref, const void *in, void *room) {
  (void)in, (void)room;
  return frontend_ref_peek(ref);
}
static void step(void *ref, const void *in) { frontend_ref_step(ref, in); }
static bool view(void *ref, unsigned sm, void *state) {
  (void)sm;
  frontend_ref_state(ref, state);
  return true;
}

static const struct unit_type sm_frontend = {
    .name = "sm_frontend",
    .rows = {{.ports = &sm_frontend_ports, .of_sms = true}},
    .nrows = 1,
    .in_bytes = sizeof(struct sm_frontend_in),
    .out_bytes = sizeof(struct sm_frontend_out),
    .parts = frontend_parts,
    .nparts = FRONTEND_PARTS,
    .view_bytes = sizeof(struct sm_frontend_state),
    .ref = {create, destroy, out, step, view}};

/* ---- the machine ---- */

static bool wanted(const struct tandem_config *c) {
  (void)c;
  return true;
}

unsigned sms_cell_sms(const struct tandem_config *c) {
  (void)c;
  return 1;
}

void sms_parameters(const struct tandem_config *c, const char *others, char text[SMS_PARAMETERS]) {
  int n = snprintf(text, SMS_PARAMETERS, "%s", others);
  if (c->sm.ibuffer_entries != 2)
    snprintf(text + n, (size_t)(SMS_PARAMETERS - n), " IbEntries=%u", c->sm.ibuffer_entries);
}

int sms_open(struct tandem *t, struct tandem_error *err) {
  struct sm_config sm = t->config.sm;
  features_sm_config(&t->config, 0, &sm);
  const unsigned numbers[] = {sm.deep_queues, sm.ibuffer_entries};
  char parameters[SMS_PARAMETERS];
  sms_parameters(&t->config, "WarpSize=32", parameters);
  TRY(machine_cells(t, err));
  for (unsigned i = 0; i < t->ncells; i++) {
    struct cell *c = &t->cells[i];
    TRY(machine_unit(t, c, &sm_frontend, parameters, numbers, "SM", err));
    c->sm->in = c->unit->in;
    c->sm->out = c->unit->out;
    c->sm->in->cfg_lrr = t->config.scheduler == TANDEM_LRR;
  }
  return 0;
}

void sms_begin(struct tandem *t) {
  for (unsigned i = 0; i < t->config.sms; i++)
    t->launch.room[i] = sm_cta_ready(t->sms[i].sm);
}

uint64_t sms_back_end(struct tandem *t, struct gpu_sm *s) {
  (void)t;
  return sm_step(s->sm, s->cell->cycle, s->out, s->in);
}

bool sms_quiet(struct tandem *t, struct cell *c, bool raised, bool asked) {
  (void)t, (void)asked;
  return c->sm->out->quiet != 0 && !raised;
}

bool sms_idle(struct tandem *t, struct cell *c, bool quiet_now) {
  (void)t;
  c->sm->idle = quiet_now && sm_idle(c->sm->sm);
  return c->sm->idle;
}

bool sms_waiting(const struct gpu_sm *s) { return sm_waiting(s->sm); }

/* t->launch.room is written when it changes, so that looking does not move what others own. */
void sms_ready(struct tandem *t, struct cell *c) {
  const bool room = sm_cta_ready(c->sm->sm);
  if (t->launch.room[c->first] != room)
    t->launch.room[c->first] = room;
}

uint64_t sms_leads(const struct tandem *t) {
  (void)t;
  return UINT64_MAX;
}

const struct machine machine_sms = {
    .shape = {.name = "SMs",
              .apart = true,
              .wanted = wanted,
              .cell_sms = sms_cell_sms,
              .open = sms_open},
    .launch = {.begin = sms_begin, .ready = sms_ready, .leads = sms_leads},
    .cycle = {
        .back_end = sms_back_end, .quiet = sms_quiet, .idle = sms_idle, .waiting = sms_waiting}};
