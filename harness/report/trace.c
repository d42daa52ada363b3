/* Waveforms: one FST file a unit, written beside its final name and renamed when complete. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/gpu/gpu.h"

/* Whether a unit has a waveform: if any of the SMs behind it is traced, or with none those of the
 * GPU are. */
static bool is_traced(const struct tandem_config *c, unsigned first, unsigned sms) {
  const uint64_t here = sms >= 64 ? UINT64_MAX : (UINT64_C(1) << sms) - 1;
  return sms == 0 ? c->trace_gpu : (c->trace_sms >> first & here) != 0;
}

/* Waveforms that there are to be, by SMs alone, before there are units. */
static unsigned traced(const struct tandem_config *c) {
  const unsigned sms = machine_cell_sms(c);
  unsigned n = c->trace_gpu ? gpu_units_count() : 0;
  for (unsigned i = 0; i < c->sms; i += sms)
    n += is_traced(c, i, sms);
  return n;
}

/* The file's name for a unit of the GPU, or if NULL for the unit that SM `first` is the first of:
 * W.fst if it is alone, else W.cta_dispatch.fst or W.sm3.fst. */
static char *name_of(const struct tandem_config *c, bool alone, const struct unit_type *of_gpu,
                     unsigned first, const char *ending) {
  const char *dot = strrchr(c->trace, '.');
  if (dot == NULL || strchr(dot, '/') != NULL)
    dot = c->trace + strlen(c->trace);
  char *name = NULL, which[64] = "";
  if (!alone && of_gpu != NULL)
    snprintf(which, sizeof which, ".%s", of_gpu->name);
  else if (!alone)
    snprintf(which, sizeof which, ".sm%u", first);
  int n = asprintf(&name, "%.*s%s%s%s", (int)(dot - c->trace), c->trace, which, dot, ending);
  return n < 0 ? NULL : name;
}

/* Whether a unit's waveform can be written: beside its name, and then renamed to it. */
static int check_one(const struct tandem_config *c, const struct unit_type *of_gpu, unsigned first,
                     struct tandem_error *err) {
  const bool alone = traced(c) < 2;
  char *path = name_of(c, alone, of_gpu, first, "");
  char *part = name_of(c, alone, of_gpu, first, ".part");
  struct stat st;
  int why = 0;
  FILE *f = path != NULL && part != NULL ? fopen(part, "wb") : NULL;
  if (f == NULL)
    why = errno;
  else if (fclose(f), unlink(part), stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    why = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
  const int status =
      why != 0
          ? tandem_fail(err, -why, "cannot write the waveform %s: %s", path != NULL ? path : "",
                        why == EINVAL ? "it is not a regular file" : strerror(why))
          : 0;
  free(path);
  free(part);
  return status;
}

int trace_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->trace == NULL)
    return 0;
  if (c->engine == TANDEM_ENGINE_REF)
    return tandem_fail(err, -EINVAL, "a waveform needs the RTL: engine rtl or lockstep");
  const uint64_t missing = c->sms < 64 && c->trace_sms != UINT64_MAX ? c->trace_sms >> c->sms : 0;
  if (traced(c) == 0 || missing != 0)
    return tandem_fail(err, -EINVAL, "cannot trace all the SMs asked for: there are SMs 0 to %u",
                       c->sms - 1);
  if (c->trace_from > c->trace_to)
    return tandem_fail(err, -EINVAL, "the waveform would begin after its end");
  int status = 0;
  const unsigned sms = machine_cell_sms(c);
  for (unsigned i = 0; status == 0 && c->trace_gpu && i < gpu_units_count(); i++)
    status = check_one(c, gpu_unit_type(i), 0, err);
  for (unsigned i = 0; status == 0 && i < c->sms; i += sms)
    if (is_traced(c, i, sms))
      status = check_one(c, NULL, i, err);
  return status;
}

static int open_one(struct tandem *t, struct unit *u, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct unit_type *of_gpu = u->sms == 0 ? u->type : NULL;
  const bool alone = t->watch.on || traced(c) < 2;
  u->trace_path = name_of(c, alone, of_gpu, u->first, "");
  u->trace_part = name_of(c, alone, of_gpu, u->first, ".part");
  if (u->trace_path == NULL || u->trace_part == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = rtl_trace_open(u->rtl, u->trace_part);
  if (status != 0)
    return tandem_fail(err, status, "cannot write the waveform %s: %s", u->trace_part,
                       strerror(-status));
  u->trace_open = true;
  t->traced = true;
  return 0;
}

/* The writer of FST files does not tell when a disk is full.  A file that is whole consists of
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
    rtl_trace_close(u->rtl);
    u->trace_open = false;
    if (!whole(u->trace_part))
      status = tandem_fail(err, -ENOSPC,
                           "cannot write the waveform %s: it was cut off; is the disk full?",
                           u->trace_path);
    else if (rename(u->trace_part, u->trace_path) != 0)
      status = tandem_fail(err, -errno, "cannot write the waveform %s: %s", u->trace_path,
                           strerror(errno));
    if (status != 0)
      unlink(u->trace_part);
  }
  free(u->trace_path);
  free(u->trace_part);
  u->trace_path = u->trace_part = NULL;
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

int trace_step(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  for (unsigned i = 0; t->cycle == c->trace_from && i < t->ncells; i++)
    cell_wake(t, &t->cells[i], t->cycle); /* every cycle is in a waveform */
  for (unsigned i = 0; t->cycle == c->trace_from && i < t->nunits; i++) {
    struct unit *u = t->units[i];
    const bool wanted = is_traced(c, u->first, u->sms) && (!t->watch.on || u == t->watch.unit);
    int status = wanted ? open_one(t, u, err) : 0;
    if (status != 0)
      return status;
  }
  if (t->cycle > c->trace_to && t->cycle - c->trace_to == 1)
    return trace_end(t, err);
  return 0;
}

enum tandem_status tandem_trace_end(struct tandem *t, struct tandem_error *err) {
  int status = trace_end(t, err);
  if (status == 0 && t->config.trace != NULL && !t->traced)
    status = tandem_fail(err, -EINVAL,
                         "no waveform %s: the run ended in cycle %" PRIu64
                         ", the waveform was to begin in %" PRIu64,
                         t->config.trace, t->cycle, t->config.trace_from);
  return status == 0 ? TANDEM_OK : TANDEM_USAGE;
}
