/* Waveforms: one FST file an SM, written beside its final name and renamed when complete. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/gpu.h"

static unsigned traced(const struct tandem_config *c) {
  const uint64_t all = c->sms >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << c->sms) - 1;
  return (unsigned)__builtin_popcountll(c->trace_sms & all);
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

int trace_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->trace == NULL)
    return 0;
  if (c->engine == TANDEM_ENGINE_REF)
    return tandem_fail(err, -EINVAL, "a waveform needs the RTL: engine rtl or lockstep");
  if (traced(c) == 0)
    return tandem_fail(err, -EINVAL, "no SM to trace: there are SMs 0 to %u", c->sms - 1);
  if (c->trace_from > c->trace_to)
    return tandem_fail(err, -EINVAL, "the waveform would begin after its end");
  char *name = name_of(c, (unsigned)__builtin_ctzll(c->trace_sms), ".part");
  FILE *f = name != NULL ? fopen(name, "wb") : NULL;
  int status = 0;
  if (f == NULL)
    status =
        tandem_fail(err, -errno, "cannot write the waveform %s: %s", c->trace, strerror(errno));
  else {
    fclose(f);
    unlink(name);
  }
  free(name);
  return status;
}

static int open_one(struct tandem *t, unsigned sm, struct tandem_error *err) {
  struct gpu_sm *s = &t->sms[sm];
  s->trace_path = name_of(&t->config, sm, "");
  s->trace_part = name_of(&t->config, sm, ".part");
  if (s->trace_path == NULL || s->trace_part == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = frontend_rtl_trace_open(s->rtl, s->trace_part);
  if (status != 0)
    return tandem_fail(err, status, "cannot write the waveform %s: %s", s->trace_part,
                       strerror(-status));
  s->trace_open = true;
  return 0;
}

int trace_step(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  if (t->cycle == c->trace_from)
    for (unsigned i = 0; i < c->sms; i++)
      if ((c->trace_sms >> i & 1) != 0) {
        int status = open_one(t, i, err);
        if (status != 0)
          return status;
      }
  if (t->cycle == c->trace_to + 1)
    trace_close(t);
  return 0;
}

void trace_close(struct tandem *t) {
  for (unsigned i = 0; i < t->config.sms; i++) {
    struct gpu_sm *s = &t->sms[i];
    if (s->trace_open) {
      frontend_rtl_trace_close(s->rtl);
      rename(s->trace_part, s->trace_path);
      s->trace_open = false;
    }
    free(s->trace_path);
    free(s->trace_part);
    s->trace_path = s->trace_part = NULL;
  }
}
