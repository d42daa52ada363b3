/* Pipelines as a file of Kanata 0004.  Lines are ordered by time: events are collected, sorted and
 * printed. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/core/program.h"
#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "harness/gpu/inside/pipeline.h"

enum { THREAD_WARPS = 48, EACH = 8 };

/* Stages of lane 0.  The viewer draws an arrow from the end of a stage to the start of one, if the
 * names of both have an X: each instruction has one such. */
enum stage { FETCH, DECODE, BUFFER, ISSUE, OPERANDS, OPERANDS_LAST, EXECUTE, MEMORY, WRITE_BACK };
static const char *const stages[] = {"F", "D", "B", "I", "O", "XO", "X", "XM", "W"};

/* In the order of their lines within a cycle. */
enum kind { BEGIN, STAGE, STALL_ENDS, STALL_BEGINS, WAITS, RETIRE };

struct event {
  uint64_t cycle;
  uint32_t inst;
  uint8_t kind, what; /* STAGE: enum stage; STALL_BEGINS: the cause */
};

struct kanata {
  const struct pipeline_inst *inst;
  const struct pipeline_stall *stall;
  size_t n;
  struct event *event;
  size_t nevents, room;
  int64_t *id; /* in the file, -1: not begun */
  uint64_t retired;
  bool failed;
};

static void add(struct kanata *k, uint64_t cycle, size_t inst, enum kind kind, unsigned what) {
  if (k->nevents == k->room) {
    const size_t room = k->room != 0 ? 2 * k->room : EACH * (k->n + 1);
    struct event *more = realloc(k->event, room * sizeof *more);
    k->failed = k->failed || more == NULL;
    if (more == NULL)
      return;
    k->event = more;
    k->room = room;
  }
  k->event[k->nevents++] = (struct event){cycle, (uint32_t)inst, (uint8_t)kind, (uint8_t)what};
}

static int in_time(const void *a, const void *b) {
  const struct event *x = a, *y = b;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind - y->kind;
  return x->inst < y->inst ? -1 : x->inst > y->inst;
}

/* Adds the stalls of its scheduler while an instruction is the head of the buffer. */
static void add_stalls(struct kanata *k, size_t i, uint64_t since) {
  uint64_t until = k->inst[i].issue;
  for (int32_t s = k->inst[i].stall; s != PIPELINE_NONE && until > since; s = k->stall[s].before) {
    const uint64_t begin = k->stall[s].cycle > since ? k->stall[s].cycle : since;
    if (k->stall[s].cause != STALL_NONE && begin < until) {
      add(k, begin, i, STALL_BEGINS, k->stall[s].cause);
      add(k, until, i, STALL_ENDS, k->stall[s].cause);
    }
    until = k->stall[s].cycle < until ? k->stall[s].cycle : until;
  }
}

/* Stages follow each other without a gap; one that would have no cycle is left out. */
static void add_stages(struct kanata *k, size_t i) {
  const struct pipeline_inst *p = &k->inst[i];
  uint64_t begin = p->issue;
  if (p->buffer != PIPELINE_NEVER && p->buffer < p->issue) {
    begin = p->buffer;
    if (p->fetch != PIPELINE_NEVER && p->fetch < p->buffer) {
      begin = p->fetch;
      if (p->fetch < p->buffer - 1)
        add(k, p->fetch, i, STAGE, FETCH);
      add(k, p->buffer - 1, i, STAGE, DECODE);
    }
    add(k, p->buffer, i, STAGE, BUFFER);
    add_stalls(k, i, p->buffer);
  }
  add(k, begin, i, BEGIN, 0);
  add(k, p->issue, i, STAGE, ISSUE);
  const uint64_t end = p->end;
  if (p->execute != PIPELINE_NEVER || end > p->issue + 1)
    if (p->execute == PIPELINE_NEVER || p->execute > p->issue + 1)
      add(k, p->issue + 1, i, STAGE,
          end != PIPELINE_NEVER && p->execute >= end ? OPERANDS_LAST : OPERANDS);
  if (p->execute != PIPELINE_NEVER && p->execute < end)
    add(k, p->execute, i, STAGE, p->memory ? MEMORY : EXECUTE);
  if (end != PIPELINE_NEVER && end > p->issue)
    add(k, end, i, STAGE, WRITE_BACK);
  if (p->producer != PIPELINE_NONE)
    add(k, p->issue, i, WAITS, 0);
}

static void put_begin(struct kanata *k, FILE *out, uint32_t i, int64_t id) {
  const struct pipeline_inst *p = &k->inst[i];
  char text[ISA_TEXT], where[256];
  k->id[i] = id;
  isa_disasm(p->uop->word, text);
  fprintf(out, "I\t%" PRId64 "\t%" PRIu32 "\t%u\n", id, i,
          (unsigned)p->sm * THREAD_WARPS + p->warp);
  fprintf(out, "L\t%" PRId64 "\t0\tSM%u w%u %u: %s\n", id, p->sm, p->warp, p->pc, text);
  if (p->pc >= p->program->ncode || !isa_program_line(p->program, p->pc, where, sizeof where))
    snprintf(where, sizeof where, "no source line");
  tandem_printable(where);
  fprintf(out, "L\t%" PRId64 "\t1\tissued in %" PRIu64 ", lanes %08" PRIx32 ", %s%s\n", id,
          p->issue, p->mask, where,
          p->end == PIPELINE_NEVER ? ", in flight at the end of the window" : "");
}

/* Prints the line of an event. */
static void put(struct kanata *k, FILE *out, const struct event *e, int64_t *next) {
  const int64_t id = k->id[e->inst];
  const struct pipeline_inst *p = &k->inst[e->inst];
  switch ((enum kind)e->kind) {
  case BEGIN:
    put_begin(k, out, e->inst, (*next)++);
    break;
  case STAGE:
    fprintf(out, "S\t%" PRId64 "\t0\t%s\n", id, stages[e->what]);
    break;
  case STALL_BEGINS:
    fprintf(out, "S\t%" PRId64 "\t1\t%s\n", id, stalls[e->what].name);
    break;
  case STALL_ENDS:
    fprintf(out, "E\t%" PRId64 "\t1\t%s\n", id, stalls[e->what].name);
    break;
  case WAITS:
    if (k->id[p->producer] >= 0)
      fprintf(out, "W\t%" PRId64 "\t%" PRId64 "\t0\n", id, k->id[p->producer]);
    break;
  case RETIRE:
    fprintf(out, "R\t%" PRId64 "\t%" PRIu64 "\t%d\n", id, k->retired++, e->what);
    break;
  }
}

static void put_all(struct kanata *k, FILE *out) {
  int64_t next = 0;
  uint64_t cycle = k->nevents != 0 ? k->event[0].cycle : 0;
  fprintf(out, "Kanata\t0004\nC=\t%" PRIu64 "\n", cycle);
  for (size_t i = 0; i < k->nevents; i++) {
    const struct event *e = &k->event[i];
    if (e->cycle != cycle)
      fprintf(out, "C\t%" PRIu64 "\n", e->cycle - cycle);
    cycle = e->cycle;
    put(k, out, e, &next);
  }
}

/* Instructions that are in flight at the end leave as if they were flushed. */
static void add_ends(struct kanata *k) {
  uint64_t last = 0;
  for (size_t i = 0; i < k->nevents; i++)
    last = k->event[i].cycle > last ? k->event[i].cycle : last;
  for (size_t i = 0; i < k->n; i++)
    if (k->inst[i].end != PIPELINE_NEVER)
      add(k, k->inst[i].end + 1, i, RETIRE, 0);
    else
      add(k, last + 1, i, RETIRE, 1);
}

int pipeline_kanata(const struct pipeline *p, FILE *out, struct tandem_error *err) {
  bool full;
  size_t nstalls;
  struct kanata k = {.stall = pipeline_stalls(p, &nstalls)};
  k.inst = pipeline_insts(p, &k.n, &full);
  k.id = malloc((k.n + 1) * sizeof *k.id);
  k.failed = k.id == NULL;
  for (size_t i = 0; i < k.n && !k.failed; i++) {
    k.id[i] = -1;
    add_stages(&k, i);
  }
  if (!k.failed)
    add_ends(&k);
  if (!k.failed && k.nevents != 0)
    qsort(k.event, k.nevents, sizeof *k.event, in_time);
  if (!k.failed)
    put_all(&k, out);
  free(k.event);
  free(k.id);
  if (k.failed)
    return tandem_fail(err, -ENOMEM, "out of memory for a file of pipelines");
  return ferror(out) ? tandem_fail(err, -EIO, "cannot write the pipelines") : 0;
}
