/* Registers and predicates that an instruction waits for. */
#include <inttypes.h>

#include "csim/isa/lanes/lanes.h"
#include "harness/gpu/inside/why_tell.h"

enum {
  RELEASE = 3, /* cycles from a write-back to the first issue that it allows */
  REPORT = 24  /* the same from a slave, over its uplink, at most */
};

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
  const uint64_t read = i->execute == PIPELINE_NEVER ? i->end : i->execute;
  return read == PIPELINE_NEVER || read + RELEASE > a->cycle;
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

const struct pipeline_inst *why_producer(const struct why_telling *a,
                                         const struct pipeline_inst *next) {
  const struct pipeline_inst *found = NULL;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n && i->issue < a->cycle; i++)
    if ((i->sm == next->sm || (i->memory && a->w->sm[i->sm].issuer == next->sm)) &&
        i->warp == next->warp && conflict(a, next, i) != 0 &&
        (found == NULL || i->end >= found->end))
      found = i;
  return found;
}

void why_tell_registers(struct why_telling *a, const struct pipeline_inst *next,
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
