/* Running again after a failure: a second GPU repeats what the host did, compares every cycle from
 * the last agreement on, records the ports, and traces a window around the failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu.h"

enum { BEFORE = 64, AFTER = 16 };

/* The hardware's own failures; those of the simulated program are told without. */
static bool worth_it(const struct tandem *t) {
  const struct failure *f = &t->failure;
  if (!t->config.pin || f->kind > FAIL_ISS)
    return false;
  if (f->kind != FAIL_BACKEND)
    return true;
  const enum sm_fault_kind kind = t->sms[f->sm].sm_fault->kind;
  return kind == SM_FAULT_PC || kind == SM_FAULT_PROTOCOL || kind == SM_FAULT_TIMING;
}

/* The waveform's name tells the cycle that was found. */
static void name_waveform(const struct tandem *t, char *wave, size_t size) {
  char name[4096];
  snprintf(name, sizeof name, "%s/mismatch-sm%u-cycle%llu.fst", t->config.report_dir, t->failure.sm,
           (unsigned long long)t->failure.cycle);
  if (strcmp(name, wave) != 0 && rename(wave, name) == 0)
    snprintf(wave, size, "%s", name);
}

void pin_failure(struct tandem *t) {
  struct tandem *again = NULL;
  char wave[4096] = "";
  if (worth_it(t)) {
    const struct failure *f = &t->failure;
    struct tandem_config c = t->config;
    /* A failing state may have begun to differ at any cycle since the states last agreed. */
    const uint64_t agreed = f->kind == FAIL_PORT || f->kind == FAIL_STATE ? f->agreed : f->cycle;
    c.trace = NULL;
    c.on_progress = NULL;
    c.threads = (uint32_t)t->threads;
    if (c.report_dir != NULL && c.engine != TANDEM_ENGINE_REF) {
      snprintf(wave, sizeof wave, "%s/mismatch-sm%u-cycle%llu.fst", c.report_dir, f->sm,
               (unsigned long long)f->cycle);
      c.trace = wave;
      c.trace_sms = UINT64_C(1) << f->sm;
      c.trace_from = agreed > BEFORE ? agreed - BEFORE : 0;
      c.trace_to = f->cycle + AFTER;
    }
    struct tandem_error ignored;
    enum tandem_status opened = tandem_open(&c, &again, &ignored);
    if (opened != TANDEM_OK && c.trace != NULL) { /* the folder is not writable */
      c.trace = NULL;
      wave[0] = '\0';
      opened = tandem_open(&c, &again, &ignored);
    }
    if (opened == TANDEM_OK) {
      journal_destroy(again->journal);
      again->journal = NULL;
      again->watch.on = true;
      again->watch.sm = f->sm;
      again->watch.views_from = agreed;
      again->watch.stop = f->cycle + AFTER;
      again->watch.tail = AFTER;
      journal_replay(t->journal, again, &ignored);
      trace_close(again);
      if (again->failure.kind != FAIL_NONE && again->failure.cycle <= f->cycle) {
        t->failure = again->failure;
        report_reason(t);
      }
      if (wave[0] != '\0')
        name_waveform(t, wave, sizeof wave);
    }
  }
  report_write(t, again, wave);
  tandem_close(again);
}
