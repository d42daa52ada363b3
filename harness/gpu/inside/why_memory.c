/* Causes in the back end and in memory: where an instruction in flight is. */
#include <inttypes.h>
#include <stdarg.h>

#include "csim/isa/lanes/lanes.h"
#include "harness/gpu/inside/why_tell.h"

enum { WORTH = 8 /* cycles in a queue that are worth a cause */ };

void why_add(struct why_telling *a, const char *cause, const struct pipeline_inst *inst,
             uint64_t from, uint64_t until, const char *format, ...) {
  va_list args;
  if (a->chain->n == WHY_LINKS)
    return;
  struct why_link *l = &a->chain->link[a->chain->n++];
  *l = (struct why_link){.cause = cause, .from = from, .until = until, .inst = inst};
  if (inst != NULL) {
    l->sm = inst->sm;
    l->warp = inst->warp;
  }
  va_start(args, format);
  vsnprintf(l->text, sizeof l->text, format, args);
  va_end(args);
}

/* "PC 40 of warp 3" */
static void name_inst(const struct pipeline_inst *i, char name[48]) {
  snprintf(name, 48, "PC %u of warp %u", i->pc, i->warp);
}

/* ---- memory ---- */

/* Tells how a request left the SM. */
static void tell_l1(struct why_telling *a, const struct why_miss *m,
                    const struct pipeline_inst *of) {
  static const char *const caches[] = {"L1D", "the constant cache", "the instruction cache", NULL};
  const struct mem_look *r = &m->first;
  const uint64_t begun = why_begun(m);
  if (r->kind == MEM_OF_ATOMIC)
    why_add(a, "atomic", of, begun, m->end, "its atomic at 0x%08" PRIx32 " is done in L2",
            r->address);
  else if (r->kind == MEM_OF_DATA && !a->t->config.mem.l1d)
    why_add(a, "l1_off", of, begun, m->end, "L1D is off; the line is 0x%08" PRIx32, r->address);
  else
    why_add(a, "l1_miss", of, begun, m->end, "the line 0x%08" PRIx32 " misses in %s", r->address,
            caches[r->kind]);
  if (m->at[MEM_TO_L2] != PIPELINE_NEVER && m->at[MEM_TO_L2] > begun + WORTH)
    why_add(a, "port", of, begun, m->at[MEM_TO_L2],
            "the request waits at the SM's port of the crossbar");
}

static void tell_bank(struct why_telling *a, const struct why_miss *m,
                      const struct pipeline_inst *of) {
  static const char *const causes[] = {"row_open", "row_closed", "row_other"};
  static const char *const rows[] = {"has the row open", "is closed", "has another row open"};
  const struct mem_look *r = &m->first;
  if (m->at[MEM_IN_DRAM] != PIPELINE_NEVER)
    why_add(a, causes[r->open], of, m->at[MEM_IN_DRAM], m->at[MEM_ON_BUS],
            "its DRAM bank %u %s (row %" PRId32 "); older requests of the bank: %u", r->bank,
            rows[r->open], r->row, r->older);
}

void why_tell_miss(struct why_telling *a, const struct why_miss *m,
                   const struct pipeline_inst *of) {
  const unsigned partition = m->first.partition;
  const uint64_t arrived = m->at[MEM_IN_L2];
  const uint64_t dram =
      m->at[MEM_TO_DRAM] != PIPELINE_NEVER ? m->at[MEM_TO_DRAM] : m->at[MEM_IN_DRAM];
  tell_l1(a, m, of);
  if (arrived != PIPELINE_NEVER && dram != PIPELINE_NEVER && dram > arrived + WORTH)
    why_add(a, "l2_queue", of, arrived, dram, "the request waits before L2 of partition %u",
            partition);
  if (dram == PIPELINE_NEVER && m->at[MEM_ON_BUS] == PIPELINE_NEVER) {
    if (m->at[MEM_ANSWERED] != PIPELINE_NEVER || m->at[MEM_FROM_L2] != PIPELINE_NEVER)
      why_add(a, "l2_hit", of, m->at[MEM_TO_L2], m->end,
              "partition %u answers it from L2; crossbar and L2 take the time", partition);
    return;
  }
  if (a->t->config.mem.l2)
    why_add(a, "l2_miss", of, dram, m->end, "the line misses in L2 of partition %u", partition);
  else
    why_add(a, "l2_off", of, dram, m->end, "L2 is off; partition %u reads DRAM", partition);
  tell_bank(a, m, of);
}

/* Returns whether a request gives the transaction at the head room when it ends. */
static bool gives_room(const struct why_telling *a, const struct why_miss *m,
                       const struct why_head *h) {
  const struct mem_config *c = &a->t->config.mem;
  const uint32_t line = m->first.address / c->line_bytes, wanted = h->address / c->line_bytes;
  switch ((enum mem_block)h->block) {
  case MEM_NO_MERGE:
    return m->first.kind != MEM_OF_CODE && m->first.kind != MEM_OF_ATOMIC && line == wanted;
  case MEM_NO_WAY:
    return m->first.kind == MEM_OF_DATA &&
           (line ^ wanted) % (c->l1d_bytes / c->line_bytes / c->l1d_ways) == 0;
  case MEM_NO_REGISTER:
    return m->first.kind == MEM_OF_DATA || m->first.kind == MEM_OF_CONSTANT;
  default:
    return true;
  }
}

/* The request of an SM that is under way and is the first to give room. */
static const struct why_miss *first_to_end(const struct why_telling *a, unsigned sm,
                                           const struct why_head *h) {
  const struct why_miss *found = NULL;
  for (size_t i = 0; i < a->w->misses; i++) {
    const struct why_miss *m = &a->w->miss[i];
    const uint64_t end = h->block == MEM_NO_PORT ? m->at[MEM_TO_L2] : m->end;
    if (m->sm != sm || why_begun(m) > a->cycle || end < a->cycle || !gives_room(a, m, h))
      continue;
    if (found == NULL || m->end < found->end)
      found = m;
  }
  return found;
}

/* The first instruction in the load-store unit finds no room, or makes one pass a cycle. */
static void tell_head(struct why_telling *a, const struct pipeline_inst *i,
                      const struct why_head *h) {
  static const char *const blocks[MEM_BLOCKS] = {
      [MEM_NO_REGISTER] = "no miss register is free",
      [MEM_NO_MERGE] = "the miss register of its line takes no more",
      [MEM_NO_WAY] = "all ways of the line's set wait for their lines",
      [MEM_NO_PORT] = "the SM's port of the crossbar is full"};
  static const char *const names[MEM_BLOCKS] = {[MEM_NO_REGISTER] = "miss_registers",
                                                [MEM_NO_MERGE] = "miss_merge",
                                                [MEM_NO_WAY] = "ways",
                                                [MEM_NO_PORT] = "port"};
  const struct why_access *x = &a->w->access[i - a->inst];
  if (h->block == MEM_FREE) {
    why_add(a, h->passes != 0 ? "passes" : "transactions", i, x->from, x->until,
            h->passes != 0 ? "it makes a pass over shared memory a cycle"
                           : "it makes a transaction a cycle");
    return;
  }
  why_add(a, names[h->block], i, h->cycle, PIPELINE_NEVER, "%s", blocks[h->block]);
  const struct why_miss *m = first_to_end(a, i->sm, h);
  if (m != NULL)
    why_tell_miss(a, m, i);
}

static void tell_access(struct why_telling *a, const struct pipeline_inst *i) {
  const struct why_access *x = &a->w->access[i - a->inst];
  const struct why_head *h = &a->w->sm[i->sm].head;
  const int32_t number = (int32_t)(i - a->inst);
  if (h->inst == number) {
    tell_head(a, i, h);
  } else if (h->inst != WHY_NONE && (x->from == 0 || x->from > a->cycle)) {
    char name[48];
    name_inst(&a->inst[h->inst], name);
    why_add(a, "lsu_queue", i, i->execute, x->from != 0 ? x->from : PIPELINE_NEVER,
            "it waits in the load-store unit behind %s", name);
    tell_head(a, &a->inst[h->inst], h);
  } else if (x->from > a->cycle) {
    why_add(a, "lsu_queue", i, i->execute, x->from, "it comes to the head of the load-store unit");
  } else if (x->miss != 0) {
    why_tell_miss(a, &a->w->miss[x->miss - 1], i);
  } else {
    why_add(a, "l1_hit", i, x->from != 0 ? x->from : i->execute, i->end,
            "no answer of memory is missing: caches and shared memory have their latency");
  }
}

/* ---- the back end ---- */

/* Counts the older instructions in the queue and the collectors of an instruction's pipeline. */
static unsigned older(const struct why_telling *a, const struct pipeline_inst *i) {
  unsigned n = 0;
  for (const struct pipeline_inst *o = a->inst; o < i; o++)
    n += o->sm == i->sm && o->uop->pipe == i->uop->pipe &&
         (o->execute == PIPELINE_NEVER ? o->end : o->execute) > a->cycle;
  return n;
}

static void tell_operands(struct why_telling *a, const struct pipeline_inst *i) {
  const struct why_head *h = &a->w->sm[i->sm].head;
  if (i->uop->pipe != ISA_PIPE_MEM || !h->full) {
    why_add(a, "operands", i, i->issue, i->execute,
            "it is in the queue of its pipeline or in a collector; older ones: %u", older(a, i));
    return;
  }
  why_add(a, "lsu_full", i, i->issue, i->execute, "the load-store unit takes no instruction");
  if (h->inst == WHY_NONE)
    return;
  char name[48];
  name_inst(&a->inst[h->inst], name);
  why_add(a, "lsu_head", &a->inst[h->inst], h->cycle, PIPELINE_NEVER, "it is at work for %s", name);
  tell_head(a, &a->inst[h->inst], h);
}

/* Tells where an instruction in flight is. */
void why_tell_inst(struct why_telling *a, const struct pipeline_inst *i) {
  static const char *const pipes[] = {
      [ISA_PIPE_SP] = "SP", [ISA_PIPE_SFU] = "SFU", [ISA_PIPE_MEM] = "MEM", [ISA_PIPE_NONE] = ""};
  if (i->execute != PIPELINE_NEVER && i->execute <= a->cycle && i->memory)
    tell_access(a, i);
  else if (i->memory && i->execute != PIPELINE_NEVER && i->execute > a->cycle)
    tell_operands(a, i);
  else if (i->uop->pipe == ISA_PIPE_NONE)
    why_add(a, "issue", i, i->issue, i->end, "no pipeline executes it");
  else if (i->execute == PIPELINE_NEVER || i->execute > a->cycle)
    tell_operands(a, i);
  else
    why_add(a, "pipeline", i, i->execute, i->end, "the %s pipeline has its latency",
            pipes[i->uop->pipe]);
}
