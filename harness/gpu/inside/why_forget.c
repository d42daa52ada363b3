/* Keeping a record small: all that an answer needs is what was in flight around the cycle that is
 * asked for, and of each warp its last issue before it and its first ones behind it. */
#include <stdlib.h>

#include "csim/isa/lanes/lanes.h"
#include "harness/gpu/inside/why_record.h"

enum { AROUND = 256 /* cycles before the one that is asked for */ };

/* Sets of warps, by SM. */
struct warps {
  uint64_t of[GPU_ALL];
};

/* Adds the instruction's warp to a set; false: it was there. */
static bool add(struct warps *s, const struct pipeline_inst *i) {
  const uint64_t bit = UINT64_C(1) << i->warp;
  const bool new = (s->of[i->sm] & bit) == 0;
  s->of[i->sm] |= bit;
  return new;
}

/* Marks the instructions that are kept: 0, the others WHY_NONE. */
static void choose(struct why *w, uint64_t horizon) {
  const uint64_t asked = w->request.cycle;
  struct warps first = {{0}}, bar = {{0}}, last = {{0}}, before = {{0}};
  size_t n;
  bool full;
  const struct pipeline_inst *list = pipeline_insts(w->pipeline, &n, &full);
  for (size_t k = 0; k < n; k++) {
    const struct pipeline_inst *i = &list[k];
    bool kept = i->end == PIPELINE_NEVER;
    if (i->issue < asked)
      kept = kept || i->end + AROUND >= horizon;
    else
      kept = add(&first, i) || (i->uop->id == ISA_BAR && add(&bar, i)) ||
             i->issue <= asked + AROUND || kept;
    w->number[k] = kept ? 0 : WHY_NONE;
  }
  for (size_t k = n; k > 0; k--)
    if (list[k - 1].issue < asked ? add(&before, &list[k - 1]) : add(&last, &list[k - 1]))
      w->number[k - 1] = 0;
}

/* Forgets requests that have ended and that no kept instruction has waited for last. */
static bool forget_requests(struct why *w, size_t insts, uint64_t horizon) {
  int32_t *now = calloc(w->misses + 1, sizeof *now);
  int32_t kept = 0;
  if (now == NULL)
    return false;
  for (size_t i = 0; i < insts; i++)
    if (w->access[i].miss != 0)
      now[w->access[i].miss - 1] = 1;
  for (unsigned sm = 0; sm < GPU_ALL; sm++)
    for (size_t i = 0; i < w->sm[sm].nopen; i++)
      now[w->sm[sm].open[i]] = 1;
  for (size_t i = 0; i < w->misses; i++) {
    if (now[i] == 0 && w->miss[i].end + AROUND < horizon)
      continue;
    now[i] = kept;
    w->miss[kept++] = w->miss[i];
  }
  w->misses = (size_t)kept;
  for (size_t i = 0; i < insts; i++)
    if (w->access[i].miss != 0)
      w->access[i].miss = now[w->access[i].miss - 1] + 1;
  for (unsigned sm = 0; sm < GPU_ALL; sm++)
    for (size_t i = 0; i < w->sm[sm].nopen; i++)
      w->sm[sm].open[i] = now[w->sm[sm].open[i]];
  free(now);
  return true;
}

static int32_t renumbered(const struct why *w, int32_t inst) {
  return inst == WHY_NONE ? WHY_NONE : w->number[inst];
}

bool why_forget(struct why *w, uint64_t now) {
  const uint64_t horizon = now < w->request.cycle ? now : w->request.cycle;
  size_t n, kept;
  bool full;
  (void)pipeline_insts(w->pipeline, &n, &full);
  choose(w, horizon);
  pipeline_forget(w->pipeline, w->number);
  (void)pipeline_insts(w->pipeline, &kept, &full);
  for (size_t i = 0; i < n; i++)
    if (w->number[i] != WHY_NONE)
      w->access[w->number[i]] = w->access[i];
  for (size_t i = kept; i < n; i++)
    w->access[i] = (struct why_access){0};
  for (size_t i = 0; i < w->misses; i++)
    w->miss[i].inst = renumbered(w, w->miss[i].inst);
  for (unsigned sm = 0; sm < GPU_ALL; sm++)
    if (w->sm[sm].on)
      w->sm[sm].head.inst = renumbered(w, w->sm[sm].head.inst);
  return forget_requests(w, kept, horizon);
}
