/* The chain of causes of a wait, from the record of a run.  The cause of a warp's wait is, the
 * first that applies:
 *
 *   1. its front end is off, and another SM issues for it
 *   2. the machine holds it: the groups of its cluster change, a verdict about its branch
 *   3. its front end is off: it comes up
 *   4. a barrier that warps of its CTA have not reached: that of the last one to come goes on
 *   5. its branch or exit is not resolved
 *   6. its next instruction is not in the buffer
 *   7. registers or predicates of its next instruction are not free
 *   8. the machine holds its next instruction: the members of its group have no room
 *   9. its pipeline takes no instruction
 *  10. the scheduler issues another warp; or what the scheduler reports */
#include "harness/gpu/inside/why.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/program.h"
#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "harness/gpu/inside/why_tell.h"

enum {
  BEATS = 8,      /* of an instruction line */
  LINE_WORDS = 16 /* of it */
};

/* ---- instructions ---- */

const struct pipeline_inst *why_before(const struct why_telling *a, unsigned sm, unsigned warp,
                                       uint64_t cycle) {
  for (size_t i = a->n; i > 0; i--)
    if (a->inst[i - 1].issue < cycle && a->inst[i - 1].sm == sm && a->inst[i - 1].warp == warp)
      return &a->inst[i - 1];
  return NULL;
}

/* Finds the first instruction of a warp that issues from a cycle on. */
static const struct pipeline_inst *from(const struct why_telling *a, unsigned sm, unsigned warp,
                                        uint64_t cycle) {
  for (size_t i = 0; i < a->n; i++)
    if (a->inst[i].issue >= cycle && a->inst[i].sm == sm && a->inst[i].warp == warp)
      return &a->inst[i];
  return NULL;
}

/* The cycle in which the wait ends. */
static uint64_t end_of(const struct why_wait *w) {
  return w->next != NULL ? w->next->issue : PIPELINE_NEVER;
}

/* ---- a warp ---- */

static void tell_barrier(struct why_telling *a, const struct pipeline_inst *bar, uint64_t missing) {
  unsigned last = 0;
  uint64_t arrival = 0;
  for (uint64_t left = missing; left != 0; left &= left - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(left);
    uint64_t at = PIPELINE_NEVER;
    for (size_t i = 0; i < a->n && at == PIPELINE_NEVER; i++)
      if (a->inst[i].issue >= a->cycle && a->inst[i].sm == bar->sm && a->inst[i].warp == warp &&
          a->inst[i].uop->id == ISA_BAR)
        at = a->inst[i].issue;
    if (at >= arrival) {
      last = warp;
      arrival = at;
    }
  }
  const unsigned n = (unsigned)__builtin_popcountll(missing);
  why_add(a, "barrier", bar, bar->issue, arrival,
          "it waits at the barrier for %u warp%s of its CTA; the last one is warp %u", n,
          n == 1 ? "" : "s", last);
  why_tell_warp(a, bar->sm, last);
}

static void tell_fetch(struct why_telling *a, unsigned sm, const struct pipeline_inst *next) {
  why_add(a, "fetch", next, next->fetch, next->buffer, "its instruction buffer is empty");
  for (size_t i = 0; i < a->w->misses; i++) {
    const struct why_miss *m = &a->w->miss[i];
    if (m->first.kind == MEM_OF_CODE && m->sm == sm && m->first.tag == next->pc / LINE_WORDS &&
        m->end < next->buffer && m->end + BEATS >= a->cycle) {
      why_tell_miss(a, m, next);
      return;
    }
  }
  if (next->fetch > a->cycle)
    why_add(a, "fetch_turn", next, a->cycle, next->fetch,
            "fetch asks for a line for one warp a cycle");
  else
    why_add(a, "icache", next, next->fetch, next->buffer,
            "instruction cache and decode take their time");
}

/* Finds an instruction that the front end issues in place of the warp's, in the cycle that is asked
 * for: of the warp's scheduler, or of the other one to the same pipeline. */
static const struct pipeline_inst *instead(const struct why_telling *a, const struct why_wait *w,
                                           bool same_scheduler) {
  const uint64_t issue = a->cycle + a->w->sm[w->sm].delay;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++)
    if (i->issue == issue && i->sm == w->sm && i->warp != w->warp &&
        ((i->warp ^ w->warp) & 1) == (same_scheduler ? 0 : 1) &&
        (same_scheduler || i->uop->pipe == w->next->uop->pipe))
      return i;
  return NULL;
}

static const char *const pipes[] = {
    [ISA_PIPE_SP] = "SP", [ISA_PIPE_SFU] = "SFU", [ISA_PIPE_MEM] = "MEM", [ISA_PIPE_NONE] = ""};

/* The pipeline of the next instruction has no free place. */
static void tell_full(struct why_telling *a, const struct why_wait *w) {
  const struct pipeline_inst *next = w->next, *oldest = NULL;
  unsigned n = 0;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++)
    if (i->sm == next->sm && i->issue < a->cycle && i->uop->pipe == next->uop->pipe &&
        (i->execute == PIPELINE_NEVER ? i->end : i->execute) > a->cycle) {
      oldest = oldest != NULL ? oldest : i;
      n++;
    }
  why_add(a, "structural", next, PIPELINE_NEVER, next->issue,
          "its pipeline, %s, takes no instruction; in queue and collectors: %u",
          pipes[next->uop->pipe], n);
  if (oldest != NULL)
    why_tell_inst(a, oldest);
}

/* Causes 9 and 10. */
static void tell_scheduler(struct why_telling *a, const struct why_wait *w) {
  const struct why_sm *s = &a->w->sm[w->sm];
  const struct pipeline_inst *o = instead(a, w, true);
  const bool full =
      s->places_known && w->next->uop->pipe != ISA_PIPE_NONE && s->places[w->next->uop->pipe] == 0;
  if (o != NULL && !full) {
    why_add(a, "scheduler", w->next, PIPELINE_NEVER, end_of(w),
            "it is ready; its scheduler issues PC %u of warp %u in this cycle", o->pc, o->warp);
    return;
  }
  o = instead(a, w, false);
  if (w->cause == STALL_STRUCTURAL && o != NULL) {
    why_add(a, "conflict", w->next, PIPELINE_NEVER, end_of(w),
            "its pipeline, %s, takes PC %u of warp %u of the other scheduler in this cycle",
            pipes[o->uop->pipe], o->pc, o->warp);
    return;
  }
  if (full || w->cause == STALL_STRUCTURAL)
    tell_full(a, w);
  else
    why_add(a, stalls[w->cause].name, w->next, PIPELINE_NEVER, end_of(w),
            "its scheduler reports: %s", stalls[w->cause].text);
}

/* Cause 1.  False: it issues for itself. */
static bool tell_slave(struct why_telling *a, const struct why_wait *w) {
  const struct why_sm *s = &a->w->sm[w->sm];
  if (!s->off || s->issuer == (int)w->sm || !a->w->sm[s->issuer].on)
    return false;
  why_add(a, "group", w->next, PIPELINE_NEVER, end_of(w),
          "SM %u is a slave: SM %d issues for its group", w->sm, s->issuer);
  why_tell_warp(a, (unsigned)s->issuer, w->warp);
  return true;
}

/* Causes 3 to 5.  False: none of them. */
static bool tell_control(struct why_telling *a, const struct why_wait *w) {
  const struct why_sm *s = &a->w->sm[w->sm];
  const struct sm_warp_look *l = &s->warp[w->warp];
  const struct pipeline_inst *last = w->last;
  if (s->off) {
    why_add(a, "gated", w->next, PIPELINE_NEVER, end_of(w),
            "the front end of SM %u is off: it comes up", w->sm);
  } else if (last != NULL && last->uop->id == ISA_BAR && s->missing[l->cta_slot] != 0) {
    tell_barrier(a, last, s->missing[l->cta_slot]);
  } else if (last != NULL && l->unresolved) {
    why_add(a, "control", last, last->issue, last->end, "its %s at PC %u is not resolved",
            last->uop->id == ISA_EXIT ? "exit" : "branch", last->pc);
    why_tell_inst(a, last);
  } else {
    return false;
  }
  return true;
}

/* The warp issues nothing more that was recorded. */
static void tell_nothing_more(struct why_telling *a, const struct why_wait *w) {
  const uint64_t begin = a->w->from;
  const enum failure_kind fault = a->t->end.failure.kind;
  const bool failed = fault != FAIL_NONE && fault < FAIL_HANG; /* after that the warps only wait */
  if (w->last == NULL && a->w->sm[w->sm].warp[w->warp].state == SM_WARP_LIVE && begin != 0)
    why_add(a, "unrecorded", NULL, PIPELINE_NEVER, PIPELINE_NEVER,
            "the last instruction of warp %u of SM %u issued before cycle %" PRIu64
            ", in which the record begins",
            w->warp, w->sm, begin);
  why_add(a, stalls[w->cause].name, NULL, PIPELINE_NEVER, PIPELINE_NEVER,
          "warp %u of SM %u issues nothing more up to cycle %" PRIu64 ", in which the %s%s%s",
          w->warp, w->sm, a->w->ended,
          failed       ? "run fails"
          : a->w->full ? "record ends, since it is full"
                       : "record ends",
          w->cause != STALL_NONE ? "; its scheduler reports: " : "",
          w->cause != STALL_NONE ? stalls[w->cause].text : "");
}

void why_tell_warp(struct why_telling *a, unsigned sm, unsigned warp) {
  const struct feature_causes *machine = a->w->causes;
  const struct sm_warp_look *l = &a->w->sm[sm].warp[warp];
  const struct why_wait w = {sm, warp, a->w->sm[sm].cause[warp & 1],
                             why_before(a, sm, warp, a->cycle), from(a, sm, warp, a->cycle)};
  if ((a->told[sm] >> warp & 1) != 0) {
    why_add(a, "circle", w.next, PIPELINE_NEVER, PIPELINE_NEVER, "that is warp %u of SM %u again",
            warp, sm);
    return;
  }
  a->told[sm] |= UINT64_C(1) << warp;
  if (l->state == SM_WARP_LAUNCHED)
    why_add(a, "launch", w.next, PIPELINE_NEVER, end_of(&w),
            "warp %u of SM %u has not started: one starts a cycle", warp, sm);
  else if (w.next != NULL && w.next->issue == a->cycle)
    why_add(a, "issued", w.next, a->cycle, a->cycle, "it issues in this cycle");
  else if (tell_slave(a, &w) || (machine != NULL && machine->held(a, a->w->own, &w)) ||
           tell_control(a, &w))
    return;
  else if (w.next != NULL && w.next->buffer != PIPELINE_NEVER && w.next->buffer >= a->cycle)
    tell_fetch(a, sm, w.next);
  else if (w.next != NULL && why_producer(a, w.next) != NULL)
    why_tell_registers(a, w.next, why_producer(a, w.next));
  else if (machine != NULL && machine->ready(a, a->w->own, &w))
    return;
  else if (w.next == NULL)
    tell_nothing_more(a, &w);
  else
    tell_scheduler(a, &w);
}

/* ---- */

int why_explain(const struct why *w, const struct tandem *t, struct why_chain *chain,
                struct tandem_error *err) {
  const struct why_request *r = &w->request;
  struct why_telling a = {.w = w, .t = t, .chain = chain, .cycle = r->cycle};
  static const char *const states[] = {
      [SM_WARP_NONE] = "no CTA has it", [SM_WARP_ENDED] = "it has ended, its CTA has not"};
  const struct sm_warp_look *l = &w->sm[r->sm].warp[r->warp];
  bool full;
  a.inst = pipeline_insts(w->pipeline, &a.n, &full);
  chain->n = 0;
  if (!w->seen)
    return tandem_fail(err, -EINVAL, "the run ends in cycle %" PRIu64 ", before cycle %" PRIu64,
                       t->cycle, r->cycle);
  if (l->state == SM_WARP_NONE || l->state == SM_WARP_ENDED)
    return tandem_fail(err, -EINVAL, "warp %u of SM %u has no instruction in cycle %" PRIu64 ": %s",
                       r->warp, r->sm, r->cycle, states[l->state]);
  why_tell_warp(&a, r->sm, r->warp);
  return 0;
}
