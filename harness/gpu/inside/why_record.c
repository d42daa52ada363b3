/* Recording for the causes of a wait.  Before each cycle it looks at the load-store units of the
 * cell's SMs and at their requests to memory; the way of instructions is that of pipeline.h. */
#include "harness/gpu/inside/why_record.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/core/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"

enum {
  BACK = 20000,   /* cycles that are recorded before the one that is asked for */
  BEYOND = 200000 /* cycles behind it in which the warp's next issue is waited for, at most */
};

/* Makes room for one more element.  False: out of memory. */
static bool room_for(void *list, size_t n, size_t *room, size_t size) {
  void **at = list;
  if (n < *room)
    return true;
  const size_t more = *room != 0 ? 2 * *room : 256;
  void *grown = realloc(*at, more * size);
  if (grown == NULL)
    return false;
  *at = grown;
  *room = more;
  return true;
}

int32_t why_number(const struct why *w, unsigned sm, const struct sm_inst *inst) {
  size_t n;
  bool full;
  const struct pipeline_inst *list = pipeline_insts(w->pipeline, &n, &full);
  size_t low = 0, high = n;
  if (inst == NULL)
    return WHY_NONE;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (list[middle].issue < inst->issued)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < n && list[low].issue == inst->issued; low++)
    if (list[low].sm == sm && list[low].pc == inst->pc && list[low].warp == inst->warp / w->slices)
      return (int32_t)low;
  return WHY_NONE;
}

/* ---- the load-store unit ---- */

static void look_at_head(struct why *w, struct why_sm *s, const struct tandem *t, unsigned sm) {
  const struct mem_head h = sm_mem_head(t->sms[sm].mem);
  const struct why_head now = {.cycle = t->cycle,
                               .inst = why_number(w, sm, h.inst),
                               .address = h.address,
                               .block = (uint8_t)h.block,
                               .passes = (uint8_t)(h.passes != 0),
                               .full = !sm_mem_ready(t->sms[sm].mem)};
  if (now.inst != WHY_NONE) {
    struct why_access *a = &w->access[now.inst];
    a->from = a->from != 0 ? a->from : t->cycle;
    a->until = t->cycle;
  }
  const struct why_head *last = &s->head;
  if (t->cycle <= w->request.cycle && (last->inst != now.inst || last->block != now.block ||
                                       last->passes != now.passes || last->full != now.full))
    s->head = now;
}

/* ---- requests ---- */

struct looking {
  struct why *w;
  struct why_sm *s;
  unsigned sm;
  uint64_t cycle;
};

static bool is_of(const struct why_miss *m, const struct mem_look *r, int32_t inst) {
  return m->last.kind == r->kind && m->last.tag == r->tag && m->last.address == r->address &&
         m->inst == inst;
}

/* Finds the request among those under way, or adds it. */
static int32_t find_miss(const struct looking *l, const struct mem_look *r, int32_t inst) {
  struct why *w = l->w;
  for (size_t i = 0; i < l->s->nopen; i++)
    if (is_of(&w->miss[l->s->open[i]], r, inst))
      return l->s->open[i];
  if (!room_for(&w->miss, w->misses, &w->miss_room, sizeof *w->miss) ||
      !room_for(&l->s->open, l->s->nopen, &l->s->open_room, sizeof *l->s->open)) {
    w->failed = true;
    return WHY_NONE;
  }
  struct why_miss *m = &w->miss[w->misses];
  memset(m, 0xff, sizeof *m); /* no stage, no end */
  m->first = *r;
  m->inst = inst;
  m->sm = l->sm;
  l->s->open[l->s->nopen++] = (int32_t)w->misses;
  return (int32_t)w->misses++;
}

static void look_at_request(void *user, const struct mem_look *r) {
  const struct looking *l = user;
  const bool atomic = r->kind == MEM_OF_ATOMIC;
  if (atomic && r->waiters == 0) /* an acknowledgement */
    return;
  const int32_t number = find_miss(l, r, atomic ? why_number(l->w, l->sm, r->waiter[0]) : WHY_NONE);
  if (number == WHY_NONE)
    return;
  struct why_miss *m = &l->w->miss[number];
  if (m->at[r->stage] == PIPELINE_NEVER)
    m->at[r->stage] = l->cycle;
  if (r->stage == MEM_IN_DRAM && m->at[r->stage] == l->cycle)
    m->first = *r;
  m->first.partition = r->partition;
  m->last = *r;
  m->end = l->cycle;
  for (unsigned i = 0; i < r->waiters; i++) {
    const int32_t inst = why_number(l->w, l->sm, r->waiter[i]);
    if (inst != WHY_NONE)
      l->w->access[inst].miss = number + 1;
  }
}

/* Requests that were not seen in this cycle have their answer. */
static void end_requests(const struct why *w, struct why_sm *s, uint64_t cycle) {
  size_t kept = 0;
  for (size_t i = 0; i < s->nopen; i++)
    if (w->miss[s->open[i]].end == cycle)
      s->open[kept++] = s->open[i];
  s->nopen = kept;
}

/* ---- the cycle that is asked for ---- */

static void take_picture(struct why *w, const struct tandem *t, unsigned sm) {
  struct why_sm *s = &w->sm[sm];
  s->off = t->sms[sm].off;
  s->cause[0] = s->off ? STALL_GATED : (uint8_t)(t->sms[sm].out->stall0 % STALL_CODES);
  s->cause[1] = s->off ? STALL_GATED : (uint8_t)(t->sms[sm].out->stall1 % STALL_CODES);
  s->delay = w->causes != NULL ? w->causes->delay(t, w->own, sm) : 0;
  s->issuer =
      t->machine->cycle.issuer != NULL ? (int)t->machine->cycle.issuer(&t->sms[sm]) : (int)sm;
  for (unsigned i = 0; i < WHY_WARPS / w->slices; i++)
    sm_warp_look(t->sms[sm].sm, i * w->slices, &s->warp[i]);
  for (unsigned slot = 0; slot < 8; slot++) {
    struct sm_cta_look cta;
    if (!sm_cta_look(t->sms[sm].sm, slot, &cta))
      continue;
    for (uint64_t left = cta.missing; left != 0; left &= left - 1)
      s->missing[slot] |= UINT64_C(1) << (unsigned)__builtin_ctzll(left) / w->slices;
  }
}

/* The places of pipelines that front ends count: of them the next cycle's causes follow. */
static void take_places(struct why *w, const struct tandem *t, unsigned sm) {
  static const char *const counts[ISA_PIPE_NONE] = {
      [ISA_PIPE_SP] = "sp_count", [ISA_PIPE_SFU] = "sfu_count", [ISA_PIPE_MEM] = "mem_count"};
  struct unit *u = t->sms[sm].cell->unit;
  struct why_sm *s = &w->sm[sm];
  if (!unit_view(u, sm - u->first, w->view))
    return;
  for (unsigned i = 0; i < ISA_PIPE_NONE; i++) {
    const uint64_t *count = pipeline_state(u->type, w->view, "u_issue", counts[i]);
    if (count == NULL)
      return;
    s->places[i] = (uint8_t)*count;
  }
  s->places_known = true;
}

/* Returns whether nothing more is to come: the warp has issued again, or it has ended. */
static bool is_complete(struct why *w, const struct tandem *t) {
  const struct why_request *r = &w->request;
  struct sm_warp_look warp;
  size_t n;
  bool full;
  const struct pipeline_inst *list = pipeline_insts(w->pipeline, &n, &full);
  w->full = full;
  if (full || t->cycle > r->cycle + BEYOND)
    return true;
  sm_warp_look(t->sms[r->sm].sm, r->warp * w->slices, &warp);
  if (warp.state != SM_WARP_LIVE && warp.state != SM_WARP_LAUNCHED)
    return true;
  for (; n > 0 && list[n - 1].issue >= r->cycle; n--)
    if (list[n - 1].sm == r->sm && list[n - 1].warp == r->warp)
      return true;
  return false;
}

static int look(struct tandem *t, void *own, struct tandem_error *err) {
  struct why *w = own;
  w->ended = t->cycle;
  if (t->cycle + BACK < w->request.cycle)
    return 0;
  for (unsigned i = 0; i < t->nsms; i++) {
    struct why_sm *s = &w->sm[i];
    if (!s->on)
      continue;
    struct looking l = {w, s, i, t->cycle};
    look_at_head(w, s, t, i);
    gpu_mem_each(t->mem, i, look_at_request, &l);
    end_requests(w, s, t->cycle);
    if (t->cycle + 1 == w->request.cycle)
      take_places(w, t, i);
    if (t->cycle == w->request.cycle + 1)
      take_picture(w, t, i);
  }
  if (w->causes != NULL)
    w->causes->look(t, w->own);
  if (pipeline_nearly_full(w->pipeline) && !why_forget(w, t->cycle))
    w->failed = true;
  if (w->failed)
    return tandem_fail(err, -ENOMEM, "out of memory to record causes");
  w->seen = w->seen || t->cycle == w->request.cycle + 1;
  w->complete = w->seen && is_complete(w, t);
  return w->complete ? tandem_fail(err, -ECANCELED, "the run has gone as far as it is needed") : 0;
}

/* ---- */

static bool open_record(struct why *w, const struct tandem *t) {
  const struct cell *c = t->sms[w->request.sm].cell;
  w->access = calloc(WHY_ROOM, sizeof *w->access);
  w->number = calloc(WHY_ROOM, sizeof *w->number);
  w->view = calloc(1, c->unit->type->view_bytes);
  if (w->access == NULL || w->number == NULL || w->view == NULL)
    return false;
  for (unsigned i = c->first; i < c->first + c->sms; i++) {
    w->sm[i].on = true;
    w->sm[i].head.inst = WHY_NONE;
  }
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->machine == t->machine && features[i]->causes != NULL)
      w->causes = features[i]->causes;
  if (w->causes != NULL)
    w->own = w->causes->open(t, &w->request);
  return w->causes == NULL || w->own != NULL;
}

int why_open(struct tandem *t, const struct why_request *r, struct why **out,
             struct tandem_error *err) {
  *out = NULL;
  if (r->sm >= t->nsms)
    return tandem_fail(err, -EINVAL, "there is no SM %u: there are SMs 0 to %u", r->sm,
                       t->nsms - 1);
  const struct cell *c = t->sms[r->sm].cell;
  const unsigned warps = WHY_WARPS / sm_slices(t->sms[r->sm].sm);
  if (r->warp >= warps)
    return tandem_fail(err, -EINVAL, "there is no warp %u: an SM has warps 0 to %u", r->warp,
                       warps - 1);
  const struct pipeline_request record = {.from = r->cycle > BACK ? r->cycle - BACK : 0,
                                          .to = UINT64_MAX - 1,
                                          .sms = (((unsigned __int128)1 << c->sms) - 1) << c->first,
                                          .warps = UINT64_MAX,
                                          .room = WHY_ROOM};
  struct why *w = calloc(1, sizeof *w);
  if (w != NULL) {
    w->request = *r;
    w->slices = sm_slices(t->sms[r->sm].sm);
    w->from = record.from;
  }
  if (w == NULL || !open_record(w, t)) {
    why_close(w);
    return tandem_fail(err, -ENOMEM, "out of memory to record causes");
  }
  int status = pipeline_open(t, &record, &w->pipeline, err);
  if (status == 0 && !gpu_observe(t, look, w))
    status = tandem_fail(err, -ENOMEM, "there are too many observers");
  if (status != 0) {
    why_close(w);
    return status;
  }
  *out = w;
  return 0;
}

bool why_complete(const struct why *w) { return w->complete; }

void why_close(struct why *w) {
  if (w == NULL)
    return;
  for (unsigned i = 0; i < GPU_ALL; i++) {
    free(w->sm[i].open);
  }
  if (w->own != NULL)
    w->causes->close(w->own);
  pipeline_close(w->pipeline);
  free(w->access);
  free(w->number);
  free(w->view);
  free(w->miss);
  free(w);
}
