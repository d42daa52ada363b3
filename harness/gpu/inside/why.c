/* The chain of causes of a wait, from the record of a run.  The cause of a warp's wait is, the
 * first that applies:
 *
 *   1. its front end is off: another SM issues for it, or it comes up
 *   2. the groups of its cluster change
 *   3. a barrier that warps of its CTA have not reached: that of the last one to come goes on
 *   4. its branch or exit is not resolved
 *   5. a verdict about its branch; its group is to form again
 *   6. its next instruction is not in the buffer
 *   7. registers or predicates of its next instruction are not free
 *   8. the scheduler issues another warp; or what the scheduler reports */
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
  RELEASE = 3,    /* cycles from a write-back to the first issue that it allows */
  REPORT = 24,    /* the same from a slave, over its uplink, at most */
  BEATS = 8,      /* of an instruction line */
  LINE_WORDS = 16 /* of it */
};

/* ---- instructions ---- */

/* Finds the last instruction of a warp that issued before a cycle, and the first one from it on. */
static const struct pipeline_inst *before(const struct why_telling *a, unsigned sm, unsigned warp,
                                          uint64_t cycle) {
  for (size_t i = a->n; i > 0; i--)
    if (a->inst[i - 1].issue < cycle && a->inst[i - 1].sm == sm && a->inst[i - 1].warp == warp)
      return &a->inst[i - 1];
  return NULL;
}

static const struct pipeline_inst *from(const struct why_telling *a, unsigned sm, unsigned warp,
                                        uint64_t cycle) {
  for (size_t i = 0; i < a->n; i++)
    if (a->inst[i].issue >= cycle && a->inst[i].sm == sm && a->inst[i].warp == warp)
      return &a->inst[i];
  return NULL;
}

/* ---- registers ---- */

enum { PREDICATES = ISA_REGS /* bits of sets: registers, then predicates */ };

static uint64_t registers(unsigned first, unsigned n) {
  uint64_t set = 0;
  for (unsigned i = 0; i < n; i++)
    set |= UINT64_C(1) << (first + i) % ISA_REGS;
  return set;
}

static uint64_t predicate(bool there, unsigned number) {
  return there && (number & 15) != ISA_PT ? UINT64_C(1) << (PREDICATES + (number & 15)) : 0;
}

static uint64_t reads(const struct isa_uop *u) {
  return registers(u->f.src1, isa_n_regs(u->o.s1)) | registers(u->f.src2, isa_n_regs(u->o.s2)) |
         registers(u->f.src3, isa_n_regs(u->o.s3)) | predicate(true, u->f.guard) |
         predicate(u->o.p2, u->f.src2) | predicate(u->o.p3, u->f.src3);
}

static uint64_t writes(const struct isa_uop *u) {
  return registers(u->f.dst, isa_n_regs(u->o.d)) | predicate(u->o.dp, u->f.dst);
}

/* The master of a group frees a register of a load once all members have reported it. */
static bool unwritten(const struct why_telling *a, const struct pipeline_inst *i) {
  const bool reported = a->w->sm[i->sm].issuer != i->sm;
  return i->end == PIPELINE_NEVER || i->end + (reported ? REPORT : RELEASE) > a->cycle;
}

static bool uncollected(const struct why_telling *a, const struct pipeline_inst *i) {
  return (i->execute == PIPELINE_NEVER ? i->end : i->execute) + RELEASE > a->cycle;
}

/* Returns the set of the earlier instruction's registers that the next one waits for. */
static uint64_t conflict(const struct why_telling *a, const struct pipeline_inst *next,
                         const struct pipeline_inst *i) {
  if (next->uop->id == ISA_EXIT && unwritten(a, i))
    return writes(i->uop) | reads(i->uop);
  uint64_t set = 0;
  if (unwritten(a, i))
    set |= writes(i->uop) & (reads(next->uop) | writes(next->uop));
  if (uncollected(a, i))
    set |= reads(i->uop) & writes(next->uop);
  return set;
}

/* Finds the instruction in flight that the next one waits for longest. */
static const struct pipeline_inst *producer(const struct why_telling *a,
                                            const struct pipeline_inst *next) {
  const struct pipeline_inst *found = NULL;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n && i->issue < a->cycle; i++)
    if ((i->sm == next->sm || (i->memory && a->w->sm[i->sm].issuer == next->sm)) &&
        i->warp == next->warp && conflict(a, next, i) != 0 &&
        (found == NULL || i->end >= found->end))
      found = i;
  return found;
}

/* ---- a warp ---- */

static void tell_warp(struct why_telling *a, unsigned sm, unsigned warp);

static unsigned scheduler_cause(const struct why_telling *a, unsigned sm, unsigned warp) {
  size_t n;
  const struct pipeline_stall *list = pipeline_stalls(a->w->pipeline, &n);
  for (; n > 0; n--)
    if (list[n - 1].cycle <= a->cycle && list[n - 1].sm == sm &&
        list[n - 1].scheduler == (warp & 1))
      return list[n - 1].cause;
  return STALL_IDLE;
}

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
  tell_warp(a, bar->sm, last);
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

static void tell_registers(struct why_telling *a, const struct pipeline_inst *next,
                           const struct pipeline_inst *i) {
  const uint64_t set = conflict(a, next, i);
  const unsigned first = (unsigned)__builtin_ctzll(set);
  char name[16];
  snprintf(name, sizeof name, first < PREDICATES ? "r%u" : "p%u", first % PREDICATES);
  if (next->uop->id == ISA_EXIT)
    why_add(a, "scoreboard", next, i->issue, i->end,
            "an exit waits for all of the warp; the last is PC %u, issued in cycle %" PRIu64, i->pc,
            i->issue);
  else if (i->sm != next->sm)
    why_add(
        a, "scoreboard", next, i->issue, i->end,
        "it waits for %s, which SM %u of the group has not loaded: PC %u, issued in cycle %" PRIu64,
        name, i->sm, i->pc, i->issue);
  else if ((set & writes(i->uop)) != 0 && unwritten(a, i))
    why_add(a, "scoreboard", next, i->issue, i->end,
            "it waits for %s, written by PC %u, issued in cycle %" PRIu64, name, i->pc, i->issue);
  else
    why_add(a, "scoreboard", next, i->issue, i->execute,
            "it writes %s, which PC %u, issued in cycle %" PRIu64 ", has not read", name, i->pc,
            i->issue);
  why_tell_inst(a, i);
}

/* The pipeline of the next instruction has no free place, or takes that of the other scheduler. */
static void tell_structural(struct why_telling *a, const struct pipeline_inst *next) {
  static const char *const pipes[] = {
      [ISA_PIPE_SP] = "SP", [ISA_PIPE_SFU] = "SFU", [ISA_PIPE_MEM] = "MEM", [ISA_PIPE_NONE] = ""};
  const struct pipeline_inst *oldest = NULL;
  unsigned n = 0;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n && i->issue < a->cycle; i++)
    if (i->sm == next->sm && i->uop->pipe == next->uop->pipe &&
        (i->execute == PIPELINE_NEVER ? i->end : i->execute) > a->cycle) {
      oldest = oldest != NULL ? oldest : i;
      n++;
    }
  why_add(a, "structural", next, PIPELINE_NEVER, next->issue,
          "its pipeline, %s, takes no instruction of it; in queue and collectors: %u",
          pipes[next->uop->pipe], n);
  if (oldest != NULL)
    why_tell_inst(a, oldest);
}

/* Another warp of the scheduler issues; false: none does. */
static bool tell_other(struct why_telling *a, unsigned sm, unsigned warp,
                       const struct pipeline_inst *next) {
  for (size_t i = 0; i < a->n; i++) {
    const struct pipeline_inst *o = &a->inst[i];
    if (o->issue != a->cycle || o->sm != sm || (o->warp & 1) != (warp & 1) || o->warp == warp)
      continue;
    why_add(a, "scheduler", next, PIPELINE_NEVER, next != NULL ? next->issue : PIPELINE_NEVER,
            "it is ready; its scheduler issues PC %u of warp %u in this cycle", o->pc, o->warp);
    return true;
  }
  return false;
}

/* Cause 1.  False: the front end works. */
static bool tell_off(struct why_telling *a, unsigned sm, unsigned warp) {
  const struct why_sm *s = &a->w->sm[sm];
  const struct pipeline_inst *next = from(a, sm, warp, a->cycle);
  if (!s->off)
    return false;
  if (s->issuer == (int)sm || !a->w->sm[s->issuer].on) {
    why_add(a, "gated", next, PIPELINE_NEVER, next != NULL ? next->issue : PIPELINE_NEVER,
            "the front end of SM %u is off: it comes up", sm);
    return true;
  }
  why_add(a, "group", next, PIPELINE_NEVER, next != NULL ? next->issue : PIPELINE_NEVER,
          "SM %u is a slave: SM %d issues for its group", sm, s->issuer);
  tell_warp(a, (unsigned)s->issuer, warp);
  return true;
}

/* Causes 2 to 5.  False: none of them. */
static bool tell_control(struct why_telling *a, unsigned sm, unsigned warp, unsigned cause) {
  const struct why_sm *s = &a->w->sm[sm];
  const struct sm_warp_look *l = &s->warp[warp];
  const struct pipeline_inst *last = before(a, sm, warp, a->cycle);
  const struct pipeline_inst *next = from(a, sm, warp, a->cycle);
  const uint64_t end = next != NULL ? next->issue : PIPELINE_NEVER;
  const enum isa_id id = last != NULL ? last->uop->id : ISA_ILLEGAL;
  if (cause == STALL_HOLD) {
    why_add(a, "hold", next, PIPELINE_NEVER, end, "%s", stalls[cause].text);
  } else if (id == ISA_BAR && s->missing[l->cta_slot] != 0) {
    tell_barrier(a, last, s->missing[l->cta_slot]);
  } else if (l->unresolved && last != NULL) {
    why_add(a, "control", last, last->issue, last->execute, "its %s at PC %u is not resolved",
            id == ISA_EXIT ? "exit" : "branch", last->pc);
    why_tell_inst(a, last);
  } else if (cause == STALL_PARK || (cause == STALL_VERDICT && (id == ISA_BRA || id == ISA_EXIT))) {
    why_add(a, stalls[cause].name, last, PIPELINE_NEVER, end, "%s", stalls[cause].text);
  } else {
    return false;
  }
  return true;
}

static void tell_warp(struct why_telling *a, unsigned sm, unsigned warp) {
  const struct sm_warp_look *l = &a->w->sm[sm].warp[warp];
  const struct pipeline_inst *next = from(a, sm, warp, a->cycle);
  const unsigned cause = scheduler_cause(a, sm, warp);
  if ((a->told[sm] >> warp & 1) != 0) {
    why_add(a, "circle", next, PIPELINE_NEVER, PIPELINE_NEVER, "that is warp %u of SM %u again",
            warp, sm);
    return;
  }
  a->told[sm] |= UINT64_C(1) << warp;
  if (l->state == SM_WARP_LAUNCHED)
    why_add(a, "launch", next, PIPELINE_NEVER, next != NULL ? next->issue : PIPELINE_NEVER,
            "warp %u of SM %u has not started: one starts a cycle", warp, sm);
  else if (next != NULL && next->issue == a->cycle)
    why_add(a, "issued", next, a->cycle, a->cycle, "it issues in this cycle");
  else if (tell_off(a, sm, warp) || tell_control(a, sm, warp, cause))
    return;
  else if (next == NULL)
    why_add(a, stalls[cause].name, NULL, PIPELINE_NEVER, PIPELINE_NEVER,
            "warp %u of SM %u issues nothing more in the cycles that were recorded; its scheduler "
            "reports: %s",
            warp, sm, stalls[cause].text);
  else if (next->buffer != PIPELINE_NEVER && next->buffer > a->cycle)
    tell_fetch(a, sm, next);
  else if (producer(a, next) != NULL)
    tell_registers(a, next, producer(a, next));
  else if (tell_other(a, sm, warp, next))
    return;
  else if (cause == STALL_STRUCTURAL)
    tell_structural(a, next);
  else
    why_add(a, stalls[cause].name, next, PIPELINE_NEVER, next->issue, "its scheduler reports: %s",
            stalls[cause].text);
}

/* ---- */

int why_explain(const struct why *w, const struct tandem *t, struct why_chain *chain,
                struct tandem_error *err) {
  const struct why_request *r = &w->request;
  struct why_telling a = {.w = w, .t = t, .chain = chain, .cycle = r->cycle};
  bool full;
  static const char *const states[] = {
      [SM_WARP_NONE] = "no CTA has it", [SM_WARP_ENDED] = "it has ended, its CTA has not"};
  const struct sm_warp_look *l = &w->sm[r->sm].warp[r->warp];
  a.inst = pipeline_insts(w->pipeline, &a.n, &full);
  chain->n = 0;
  if (!w->seen)
    return tandem_fail(err, -EINVAL, "the run ends in cycle %" PRIu64 ", before cycle %" PRIu64,
                       t->cycle, r->cycle);
  if (l->state == SM_WARP_NONE || l->state == SM_WARP_ENDED)
    return tandem_fail(err, -EINVAL, "warp %u of SM %u has no instruction in cycle %" PRIu64 ": %s",
                       r->warp, r->sm, r->cycle, states[l->state]);
  tell_warp(&a, r->sm, r->warp);
  return 0;
}
