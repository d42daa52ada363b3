/* Running again after a failure: a second GPU repeats what the host did, compares every cycle from
 * the last agreement on, records the ports, and traces a window around the failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/core/journal.h"
#include "harness/gpu/core/open.h"
#include "harness/gpu/host/follow.h"
#include "harness/gpu/report/report.h"

enum { BEFORE = 64, AFTER = 16 };

/* Returns true if the hardware may be at fault; an error of the simulated program needs no second
 * run. */
static bool worth_it(const struct tandem *t) {
  const struct failure *f = &t->end.failure;
  if (!t->config.pin || (f->kind > FAIL_ISS && f->kind != FAIL_HANG))
    return false;
  if (f->kind != FAIL_BACKEND)
    return true;
  const enum sm_fault_kind kind = t->sms[f->sm].sm_fault->kind;
  return kind == SM_FAULT_PC || kind == SM_FAULT_PROTOCOL || kind == SM_FAULT_TIMING;
}

static void wave_of(const struct tandem *t, char *name, size_t size) {
  const struct failure *f = &t->end.failure;
  const struct unit *u = report_unit(t);
  char which[40];
  if (u->sms == 0)
    snprintf(which, sizeof which, "%s", u->type->name);
  else
    snprintf(which, sizeof which, "sm%u", f->sm);
  snprintf(name, size, "%s/%s-%s-cycle%llu.fst", t->config.report_dir,
           f->kind == FAIL_HANG ? "hang" : "mismatch", which, (unsigned long long)f->cycle);
}

/* Names the waveform by the cycle that was found. */
static void name_waveform(const struct tandem *t, char *wave, size_t size) {
  char name[4096];
  wave_of(t, name, sizeof name);
  if (strcmp(name, wave) != 0 && rename(wave, name) == 0)
    snprintf(wave, size, "%s", name);
}

/* The cycle in which something may first have gone wrong: a state that differs may have begun to at
 * any cycle since the states last agreed; of a hang, the last issue is what there is to see. */
static uint64_t first_suspect(const struct tandem *t) {
  const struct failure *f = &t->end.failure;
  if (f->kind == FAIL_PORT || f->kind == FAIL_STATE)
    return f->agreed;
  return f->kind == FAIL_HANG ? t->sms[f->sm].last_issue : f->cycle;
}

/* The configuration of the second run, which writes a waveform to wave ("": none). */
static struct tandem_config config_of(const struct tandem *t, char *wave, size_t size) {
  const struct failure *f = &t->end.failure;
  const uint64_t from = first_suspect(t);
  struct tandem_config c = t->config;
  c.trace = NULL;
  c.on_progress = NULL;
  c.on_failure = NULL;
  c.profile = false;
  c.rtl_block = 1;
  c.lookahead = 1;
  c.threads = (uint32_t)t->threads.n;
  wave[0] = '\0';
  if (c.report_dir != NULL && c.engine != TANDEM_ENGINE_REF) {
    wave_of(t, wave, size);
    c.trace = wave;
    c.trace_unit = report_unit(t)->index + 1;
    c.trace_gpu = report_unit(t)->sms == 0;
    c.trace_sms = c.trace_gpu ? 0 : (unsigned __int128)1 << f->sm;
    c.trace_from = from > BEFORE ? from - BEFORE : 0;
    c.trace_to = (f->kind == FAIL_HANG ? from : f->cycle) + AFTER;
  }
  return c;
}

static void close_again(struct tandem *t) {
  if (t != NULL)
    (void)trace_end(t, NULL);
  gpu_close(t);
}

/* Runs again around the failure.  False: it could not. */
static bool run_again(struct tandem *t, struct tandem *again) {
  const struct failure *f = &t->end.failure;
  struct tandem_error ignored;
  journal_destroy(again->journal);
  again->journal = NULL;
  again->watch.on = true;
  again->watch.unit = again->units[report_unit(t)->index];
  again->watch.stop = f->cycle + AFTER;
  again->watch.tail = AFTER;
  again->watch.clocked = f->kind == FAIL_HANG; /* the cycles since then are all alike */
  if (unit_watch(again->watch.unit, first_suspect(t), &ignored) != 0)
    return false;
  gpu_replay(t->journal, again, &ignored);
  t->end.reproduced = again->end.failure.kind != FAIL_NONE;
  if (t->end.reproduced && again->end.failure.cycle <= f->cycle) {
    t->end.failure = again->end.failure;
    report_reason(t);
  }
  return true;
}

/* Opens a GPU and claims its waveforms: 0 or a negative errno, and *t is NULL. */
static int open_again(const struct tandem_config *c, struct tandem **t, struct tandem_error *err) {
  int status = gpu_open(c, t, err);
  if (status == 0 && (status = trace_claim(*t, err)) != 0) {
    close_again(*t);
    *t = NULL;
  }
  return status;
}

void repeat_failure(struct tandem *t) {
  const struct failure found = t->end.failure;
  struct tandem_error ignored;
  const bool unit = found.kind <= FAIL_ASSERT && follow_runs(&t->follow);
  const bool cell = found.kind <= FAIL_MEMORY && t->lookahead.most > 1;
  if (!unit && !cell)
    return;
  if (gpu_repeat(t, &ignored) != 0)
    return;
  if (t->end.failure.kind == FAIL_NONE)
    t->end.failure = (struct failure){.kind = FAIL_LOST,
                                      .cycle = found.cycle + MEM_LOOKAHEAD,
                                      .launch_cycle = found.launch_cycle};
  report_reason(t);
}

void pin_failure(struct tandem *t) {
  struct tandem *again = NULL;
  struct tandem_error no_wave = {{0}};
  char wave[4096] = "";
  t->end.reproduced = true;
  if (worth_it(t)) {
    struct tandem_config c = config_of(t, wave, sizeof wave);
    int status = open_again(&c, &again, &no_wave);
    if (status != 0 && c.trace != NULL) { /* the folder is not writable */
      c.trace = NULL;
      wave[0] = '\0';
      status = open_again(&c, &again, NULL);
    }
    if (status == 0 && !run_again(t, again)) {
      close_again(again);
      again = NULL;
      wave[0] = '\0';
    }
    if (wave[0] != '\0' && tandem_trace_end(again, &no_wave) != TANDEM_OK)
      wave[0] = '\0';
    if (wave[0] != '\0')
      name_waveform(t, wave, sizeof wave);
  }
  report_write(t, again, wave, no_wave.text);
  close_again(again);
}
