/* Waveforms: one FST file a unit, written in a folder beside it and renamed when complete. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/scratch.h"
#include "harness/gpu/core/cell.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/core/open.h"
#include "harness/gpu/report/report.h"

/* Returns true if a unit has a waveform: one of the SMs behind it is traced or, if it has no SMs
 * behind it, the units of the GPU are. */
static bool is_traced(const struct tandem_config *c, unsigned first, unsigned sms) {
  const unsigned here = (1U << sms) - 1; /* UNIT_SMS at most */
  return sms == 0 ? c->trace_gpu : (c->trace_sms >> first & here) != 0;
}

/* Waveforms that there are to be, by SMs alone, before there are units. */
static unsigned traced(const struct tandem_config *c) {
  const unsigned sms = machine_cell_sms(c);
  if (c->trace_unit != 0)
    return 1;
  unsigned n = c->trace_gpu ? gpu_units_count() : 0;
  for (unsigned i = 0; i < machine_all_sms(c); i += sms)
    n += is_traced(c, i, sms);
  return n;
}

/* The name of a unit's file: W.fst if it is alone, else W.cta_dispatch.fst or W.sm3.fst. */
static char *name_of(const struct tandem_config *c, const struct unit *u) {
  const char *dot = strrchr(c->trace, '.');
  if (dot == NULL || strchr(dot, '/') != NULL)
    dot = c->trace + strlen(c->trace);
  char *name = NULL, which[64] = "";
  if (traced(c) >= 2 && u->sms == 0)
    snprintf(which, sizeof which, ".%s", u->type->name);
  else if (traced(c) >= 2)
    snprintf(which, sizeof which, ".sm%u", u->first);
  int n = asprintf(&name, "%.*s%s%s", (int)(dot - c->trace), c->trace, which, dot);
  return n < 0 ? NULL : name;
}

static bool is_wanted(const struct tandem *t, const struct unit *u) {
  const struct tandem_config *c = &t->config;
  return c->trace != NULL && is_traced(c, u->first, u->sms) &&
         (c->trace_unit == 0 || c->trace_unit == u->index + 1);
}

static int claim_one(const struct tandem_config *c, struct unit *u, struct tandem_error *err) {
  char *path = name_of(c, u);
  if (path == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = output_claim(&u->trace, path, err);
  if (status == 0 && u->trace.in_place) {
    output_release(&u->trace);
    status =
        tandem_fail(err, -EINVAL, "cannot write the waveform %s: it is not a regular file", path);
  }
  free(path);
  return status;
}

int trace_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->trace == NULL)
    return 0;
  if (c->engine == TANDEM_ENGINE_REF)
    return tandem_fail(err, -EINVAL, "a waveform needs the RTL: engine rtl or lockstep");
  const unsigned all = machine_all_sms(c);
  const bool missing = all < GPU_ALL && c->trace_sms != GPU_TRACE_ALL && c->trace_sms >> all != 0;
  if (traced(c) == 0 || missing)
    return tandem_fail(err, -EINVAL, "cannot trace all the SMs asked for: there are SMs 0 to %u",
                       all - 1);
  if (c->trace_from > c->trace_to)
    return tandem_fail(err, -EINVAL, "the waveform would begin after its end");
  return 0;
}

/* The writer of FST files makes others beside its own. */
static int open_one(struct tandem *t, struct unit *u, struct tandem_error *err) {
  char path[4096];
  int status = scratch_folder(u->trace.path, &u->trace_folder);
  if (status == 0) {
    snprintf(path, sizeof path, "%s/w.fst", u->trace_folder);
    status = rtl_trace_open(u->rtl, path);
  }
  if (status != 0)
    return tandem_fail(err, status, "cannot write the waveform %s: %s", u->trace.path,
                       strerror(-status));
  u->trace_open = true;
  t->watch.traced = true;
  return 0;
}

/* The writer of FST files does not report when a disk is full.  A file that is whole consists of
 * blocks to its end: a byte of kind and eight of length, big-endian, without that byte. */
static bool whole(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    return false;
  uint64_t at = 0, size = fseek(f, 0, SEEK_END) == 0 ? (uint64_t)ftell(f) : 0;
  while (at < size) {
    unsigned char head[9];
    uint64_t length = 0;
    if (fseek(f, (long)at, SEEK_SET) != 0 || fread(head, 1, sizeof head, f) != sizeof head)
      break;
    for (unsigned i = 1; i < sizeof head; i++)
      length = length << 8 | head[i];
    if (length < 8 || length > size - at - 1)
      break;
    at += 1 + length;
  }
  fclose(f);
  return size != 0 && at == size;
}

/* Ends one waveform: it gets its name, or is gone. */
static int close_one(struct unit *u, struct tandem_error *err) {
  int status = 0;
  if (u->trace_open) {
    char path[4096];
    snprintf(path, sizeof path, "%s/w.fst", u->trace_folder);
    const bool good = rtl_trace_close(u->rtl);
    u->trace_open = false;
    if (!good || !whole(path))
      status = tandem_fail(err, -ENOSPC,
                           "cannot write the waveform %s: it was cut off; is the disk full?",
                           u->trace.path);
    else if (rename(path, u->trace.path) != 0)
      status = tandem_fail(err, -errno, "cannot write the waveform %s: %s", u->trace.path,
                           strerror(errno));
  }
  scratch_drop(u->trace_folder);
  u->trace_folder = NULL;
  output_release(&u->trace);
  return status;
}

int trace_end(struct tandem *t, struct tandem_error *err) {
  int status = 0;
  for (unsigned i = 0; i < t->nunits; i++) {
    int one = close_one(t->units[i], status == 0 ? err : NULL);
    status = status == 0 ? one : status;
  }
  return status;
}

/* Before a cycle: opens the waveforms in their first one, ends them after their last. */
static int step(struct tandem *t, void *own, struct tandem_error *err) {
  (void)own;
  const struct tandem_config *c = &t->config;
  for (unsigned i = 0; t->cycle == c->trace_from && i < t->ncells; i++)
    cell_wake(t, &t->cells[i], t->cycle); /* every cycle is in a waveform */
  for (unsigned i = 0; t->cycle == c->trace_from && i < t->nunits; i++) {
    struct unit *u = t->units[i];
    if (is_wanted(t, u))
      TRY(open_one(t, u, err));
  }
  if (t->cycle > c->trace_to && t->cycle - c->trace_to == 1)
    return trace_end(t, err);
  return 0;
}

int trace_claim(struct tandem *t, struct tandem_error *err) {
  if (t->config.trace != NULL && !gpu_observe(t, step, NULL))
    return tandem_fail(err, -ENOMEM, "too many observers of a run");
  for (unsigned i = 0; i < t->nunits; i++)
    if (is_wanted(t, t->units[i]))
      TRY(claim_one(&t->config, t->units[i], err));
  return 0;
}

enum tandem_status tandem_trace_end(struct tandem *t, struct tandem_error *err) {
  int status = trace_end(t, err);
  if (status == 0 && t->config.trace != NULL && !t->watch.traced)
    status = tandem_fail(err, -EINVAL,
                         "no waveform %s: the run ended in cycle %" PRIu64
                         ", the waveform was to begin in %" PRIu64,
                         t->config.trace, t->cycle, t->config.trace_from);
  return status == 0 ? TANDEM_OK : TANDEM_USAGE;
}
