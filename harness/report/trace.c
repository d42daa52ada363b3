/* Waveforms: one FST file an SM, written beside its final name and renamed when complete. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/gpu/gpu.h"

/* The SMs with a waveform: a cluster has one, that of its first SM, if any of its SMs is traced. */
static uint64_t with_waveform(const struct tandem_config *c) {
  uint64_t set = 0;
  for (unsigned i = 0; i < c->sms; i++)
    set |= (c->trace_sms >> i & 1) << i / c->buddy * c->buddy;
  return set;
}

static unsigned traced(const struct tandem_config *c) {
  return (unsigned)__builtin_popcountll(with_waveform(c));
}

/* The file's name for an SM: W.fst, or W.sm3.fst if several are traced. */
static char *name_of(const struct tandem_config *c, unsigned sm, const char *ending) {
  const char *dot = strrchr(c->trace, '.');
  if (dot == NULL || strchr(dot, '/') != NULL)
    dot = c->trace + strlen(c->trace);
  char *name = NULL;
  int n = traced(c) > 1
              ? asprintf(&name, "%.*s.sm%u%s%s", (int)(dot - c->trace), c->trace, sm, dot, ending)
              : asprintf(&name, "%s%s", c->trace, ending);
  return n < 0 ? NULL : name;
}

/* Whether an SM's waveform can be written: beside its name, and then renamed to it. */
static int check_one(const struct tandem_config *c, unsigned sm, struct tandem_error *err) {
  char *path = name_of(c, sm, ""), *part = name_of(c, sm, ".part");
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
  for (uint64_t left = with_waveform(c); left != 0; left &= left - 1) {
    int status = check_one(c, (unsigned)__builtin_ctzll(left), err);
    if (status != 0)
      return status;
  }
  return 0;
}

static int open_one(struct tandem *t, unsigned sm, struct tandem_error *err) {
  struct gpu_sm *s = &t->sms[sm];
  s->trace_path = name_of(&t->config, sm, "");
  s->trace_part = name_of(&t->config, sm, ".part");
  if (s->trace_path == NULL || s->trace_part == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status =
      t->clusters != NULL
          ? buddy_cluster_rtl_trace_open(t->clusters[sm / t->config.buddy].rtl, s->trace_part)
          : frontend_rtl_trace_open(s->rtl, s->trace_part);
  if (status != 0)
    return tandem_fail(err, status, "cannot write the waveform %s: %s", s->trace_part,
                       strerror(-status));
  s->trace_open = true;
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
static int close_one(struct tandem *t, unsigned sm, struct tandem_error *err) {
  struct gpu_sm *s = &t->sms[sm];
  int status = 0;
  if (s->trace_open) {
    if (t->clusters != NULL)
      buddy_cluster_rtl_trace_close(t->clusters[sm / t->config.buddy].rtl);
    else
      frontend_rtl_trace_close(s->rtl);
    s->trace_open = false;
    if (!whole(s->trace_part))
      status = tandem_fail(err, -ENOSPC,
                           "cannot write the waveform %s: it was cut off; is the disk full?",
                           s->trace_path);
    else if (rename(s->trace_part, s->trace_path) != 0)
      status = tandem_fail(err, -errno, "cannot write the waveform %s: %s", s->trace_path,
                           strerror(errno));
    if (status != 0)
      unlink(s->trace_part);
  }
  free(s->trace_path);
  free(s->trace_part);
  s->trace_path = s->trace_part = NULL;
  return status;
}

int trace_end(struct tandem *t, struct tandem_error *err) {
  int status = 0;
  for (unsigned i = 0; i < t->config.sms; i++) {
    int one = close_one(t, i, status == 0 ? err : NULL);
    status = status == 0 ? one : status;
  }
  return status;
}

int trace_step(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  if (t->cycle == c->trace_from)
    for (uint64_t left = with_waveform(c); left != 0; left &= left - 1) {
      int status = open_one(t, (unsigned)__builtin_ctzll(left), err);
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
