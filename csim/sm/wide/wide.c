/* Large warps: their slices through the back end, one a cycle. */
#include "csim/sm/wide/wide.h"

#include "csim/ports/pipeline_rows.h"
#include "csim/sm/sm_local.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  WARPS = SM_WARPS / 2, /* most large warps */
  PIPES = 3,            /* SP, SFU, MEM: enum isa_pipe */
  ENTRIES = 8,          /* most entries of an issue queue */
  TARGETS = 48          /* registers, then predicates */
};

/* An instruction in an issue queue. */
struct entry {
  uint8_t next;                     /* next slice; the number of slices: the entry can be freed */
  bool due;                         /* no slice of the entry is in the back end's queue */
  struct sm_inst *slice[SM_SLICES]; /* NULL: no active lane; the slice takes its cycle */
};

struct queue {
  uint8_t n;
  uint8_t queued;          /* slices in the back end's queue */
  uint8_t order[ENTRIES];  /* entries, the oldest first */
  uint8_t inside[ENTRIES]; /* entries with a slice in the back end's queue, the oldest first */
  struct entry entry[ENTRIES];
};

struct warp {
  uint8_t present;           /* slices that exist; 0: not live */
  uint8_t uncollected;       /* instructions that the front end counts as uncollected */
  uint8_t behind[SM_SLICES]; /* uncollected instructions of each slice */
  uint8_t writes[TARGETS];   /* slices that have not written the target of an instruction */
  uint8_t unresolved;        /* slices of the open branch or exit */
  bool resolving, branch;    /* a branch or exit is open; it is a branch */
  uint32_t active[SM_SLICES], taken[SM_SLICES];
};

struct sm_wide {
  struct sm *sm;
  unsigned slices, warps;
  struct sm_frontend_out fe;  /* outputs of the front end that the back end sees */
  struct sm_frontend_in in;   /* inputs that the back end returns */
  uint32_t launch[SM_SLICES]; /* lanes of the slices that started */
  uint8_t launched;
  uint32_t
      collected; /* warps whose count of uncollected instructions in the front end is too high */
  uint64_t branches, divergent, barriers;
  struct warp warp[WARPS];
  struct queue queue[PIPES];
};

static const uint8_t entries[PIPES] = {8, 4, 4};
static const uint8_t credits[PIPES] = {2, 1, 1}; /* most that are returned in a cycle */

static uint32_t lanes_of(uint64_t low, uint64_t high, unsigned slice) {
  return (uint32_t)((slice < 2 ? low : high) >> 32 * (slice & 1));
}

static uint64_t word_of(const uint32_t *lanes) { return (uint64_t)lanes[1] << 32 | lanes[0]; }

struct sm_wide *sm_wide_create(struct sm *sm, struct tandem_error *err) {
  struct sm_wide *w = calloc(1, sizeof *w);
  if (w == NULL) {
    (void)tandem_fail(err, -ENOMEM, "no memory for the large warps of SM %u", sm->index);
    return NULL;
  }
  w->sm = sm;
  w->slices = sm->config.slices;
  w->warps = SM_WARPS / w->slices;
  return w;
}

void sm_wide_destroy(struct sm_wide *w) { free(w); }

/* ---- inputs of the front end ---- */

/* Slices start one a cycle; the warp starts with its last slice. */
static void gather_launch(struct sm_wide *w, struct sm_frontend_wide_in *in) {
  const struct sm_frontend_in *from = &w->in;
  const unsigned slice = (unsigned)from->launch_warp % w->slices;
  if (slice == 0)
    memset(w->launch, 0, sizeof w->launch);
  w->launched = (uint8_t)(slice + 1);
  w->launch[slice] = (uint32_t)from->launch_mask;
  if (w->launched < w->slices && !from->launch_last)
    return;
  in->launch_valid = 1;
  in->launch_warp = from->launch_warp / w->slices;
  in->launch_cta = from->launch_cta;
  in->launch_last = from->launch_last;
  in->launch_pc = from->launch_pc;
  in->launch_mask = word_of(w->launch);
  in->launch_mask_hi = word_of(w->launch + 2);
  w->warp[in->launch_warp].present = (uint8_t)((1U << w->launched) - 1);
}

static void gather_resolve(struct sm_wide *w, struct sm_frontend_wide_in *in) {
  const unsigned number = (unsigned)w->in.resolve_warp / w->slices;
  struct warp *warp = &w->warp[number];
  warp->taken[w->in.resolve_warp % w->slices] = (uint32_t)w->in.resolve_taken;
  if (--warp->unresolved != 0)
    return;
  warp->resolving = false;
  in->resolve_valid = 1;
  in->resolve_warp = number;
  in->resolve_taken = word_of(warp->taken);
  in->resolve_taken_hi = word_of(warp->taken + 2);
  if (!warp->branch)
    return;
  w->branches++;
  w->divergent += (in->resolve_taken | in->resolve_taken_hi) != 0 &&
                  memcmp(warp->taken, warp->active, sizeof warp->taken) != 0;
}

/* Counts a result of a slice.  Returns whether it is the last slice's. */
static bool written(struct sm_wide *w, const struct row_write *slice) {
  uint8_t *writes = w->warp[slice->warp / w->slices].writes;
  return --writes[slice->pred ? 32 + (slice->reg & 15) : slice->reg] == 0;
}

static void gather_writes(struct sm_wide *w, struct sm_frontend_wide_in *in) {
  for (unsigned k = 0; w->in.wb_valid >> k != 0; k++) {
    if (!row_bit(w->in.wb_valid, k))
      continue;
    struct row_write write = ROWS_WRITE(&w->in, k);
    if (!written(w, &write))
      continue;
    write.warp /= w->slices;
    rows_put_write((struct sm_frontend_in *)in, k, write);
  }
}

/* Notes whether the front end counts more uncollected instructions of a warp than any of its slices
 * has, so that one can be reported as collected. */
static void compare_collected(struct sm_wide *w, unsigned number) {
  const struct warp *warp = &w->warp[number];
  unsigned most = 0;
  for (unsigned s = 0; s < w->slices; s++)
    most = warp->behind[s] > most ? warp->behind[s] : most;
  const uint32_t bit = 1U << number;
  w->collected = warp->uncollected > most ? w->collected | bit : w->collected & ~bit;
}

static void collected(struct sm_wide *w, unsigned slice) {
  w->warp[slice / w->slices].behind[slice % w->slices]--;
  compare_collected(w, slice / w->slices);
}

/* Reports collected instructions, at any port. */
static void report_collected(struct sm_wide *w, struct sm_frontend_wide_in *in) {
  for (unsigned k = 0; k < ROW_PORTS && w->collected != 0; k++) {
    const unsigned number = (unsigned)__builtin_ctz(w->collected);
    rows_put_collected((struct sm_frontend_in *)in, k, number);
    w->warp[number].uncollected--;
    compare_collected(w, number);
  }
}

static void gather(struct sm_wide *w, struct sm_frontend_wide_in *in) {
  in->fill_valid = w->in.fill_valid;
  in->fill_line = w->in.fill_line;
  in->fill_beat = w->in.fill_beat;
  in->fill_data0 = w->in.fill_data0;
  in->fill_data1 = w->in.fill_data1;
  if (w->in.launch_valid)
    gather_launch(w, in);
  if (w->in.resolve_valid)
    gather_resolve(w, in);
  gather_writes(w, in);
  for (unsigned k = 0; w->in.col_valid >> k != 0; k++)
    if (row_bit(w->in.col_valid, k))
      collected(w, ROWS_COLLECTED(&w->in, k));
}

/* ---- outputs of the front end ---- */

__attribute__((format(printf, 6, 7))) static bool holds(struct sm_wide *w, bool condition,
                                                        enum sm_fault_kind kind, unsigned warp,
                                                        uint16_t pc, const char *format, ...) {
  if (condition)
    return true;
  char text[160];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  sm_raise(w->sm, kind, warp * w->slices, pc, 0, "%s", text);
  return false;
}

static void warp_done(struct sm_wide *w, unsigned number) {
  if (!holds(w, number < w->warps && w->warp[number].present != 0, SM_FAULT_PROTOCOL, number, 0,
             "large warp %u is reported as ended, but is not live", number))
    return;
  for (unsigned s = 0; s < w->slices; s++)
    if ((w->warp[number].present >> s & 1) != 0)
      sm_warp_done(w->sm, number * w->slices + s);
  w->warp[number].present = 0;
}

/* Checks an issue of the large warp as a whole; the back end checks its slices. */
static bool acceptable(struct sm_wide *w, unsigned port, unsigned number, uint16_t pc,
                       const uint32_t *lanes) {
  struct sm *sm = w->sm;
  if (!holds(w, number < w->warps && w->warp[number].present != 0, SM_FAULT_PROTOCOL, number, pc,
             "large warp %u issues, but it is not live", number) ||
      !holds(w, (number & 1) == port, SM_FAULT_PROTOCOL, number, pc,
             "issue port %u issues large warp %u", port, number) ||
      !holds(w, !w->warp[number].resolving, SM_FAULT_PROTOCOL, number, pc,
             "large warp %u issues behind its unresolved branch or exit", number) ||
      !holds(w, (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0, SM_FAULT_PROTOCOL, number, pc,
             "large warp %u issues without an active lane", number))
    return false;
  if (pc - sm->entry >= sm->code || sm->grid->uops[pc].id != ISA_BAR)
    return true;
  w->barriers++;
  for (unsigned s = 0; s < w->slices && sm->config.barrier_check; s++) {
    const uint32_t live =
        (w->warp[number].present >> s & 1) != 0 ? sm->warp[number * w->slices + s].lanes : 0;
    if (!holds(w, lanes[s] == live, SM_FAULT_BARRIER, number, pc,
               "large warp %u reaches the barrier at pc %u with %08x of its live lanes %08x from "
               "%u on",
               number, pc, lanes[s], live, s * ISA_WARP_SIZE))
      return false;
  }
  return true;
}

/* Records all slices at once, so that each warp of the back end has its instructions in program
 * order.  Returns the number of slices with an active lane, or 0 after a fault. */
static unsigned record(struct sm_wide *w, uint64_t word, uint16_t pc, const uint32_t *lanes,
                       struct sm_inst **slice) {
  const uint64_t plain = word & ~(UINT64_C(63) << 58);
  const unsigned first = (unsigned)(word >> 58) * w->slices;
  unsigned n = 0;
  for (unsigned s = 0; s < w->slices; s++) {
    slice[s] = NULL;
    if (lanes[s] == 0)
      continue;
    slice[s] = sm_issue_slice(w->sm, plain | (uint64_t)(first + s) << 58, pc, lanes[s]);
    if (slice[s] == NULL)
      return 0;
    n++;
  }
  return n;
}

/* Adds the events that the slices of an instruction in a pipeline will have. */
static void expect(struct sm_wide *w, struct warp *warp, const struct isa_uop *u, unsigned n,
                   const uint32_t *lanes) {
  const bool pred = u->o.dp && u->f.dst != ISA_PT;
  if (u->o.d != ISA_N_NONE || pred) {
    uint8_t *left = &warp->writes[pred ? 32 + (u->f.dst & 15) : u->f.dst];
    *left = (uint8_t)(*left + n);
  }
  warp->uncollected++;
  for (unsigned s = 0; s < w->slices; s++)
    warp->behind[s] = (uint8_t)(warp->behind[s] + (lanes[s] != 0));
  if (u->id != ISA_BRA && u->id != ISA_EXIT)
    return;
  warp->unresolved = (uint8_t)n;
  warp->resolving = true;
  warp->branch = u->id == ISA_BRA;
  memcpy(warp->active, lanes, sizeof warp->active);
  memset(warp->taken, 0, sizeof warp->taken);
}

static void issue(struct sm_wide *w, unsigned port, uint64_t word, uint16_t pc, uint64_t low,
                  uint64_t high) {
  const unsigned number = (unsigned)(word >> 58);
  const uint32_t lanes[SM_SLICES] = {lanes_of(low, high, 0), lanes_of(low, high, 1),
                                     lanes_of(low, high, 2), lanes_of(low, high, 3)};
  struct entry e = {.due = true};
  if (!acceptable(w, port, number, pc, lanes))
    return;
  const unsigned n = record(w, word, pc, lanes, e.slice);
  if (n == 0)
    return;
  const struct isa_uop *u = &w->sm->grid->uops[pc];
  sm_count_issue(w->sm, number, pc);
  if (u->pipe == ISA_PIPE_NONE)
    return;
  struct queue *q = &w->queue[u->pipe];
  if (!holds(w, q->n < entries[u->pipe], SM_FAULT_PROTOCOL, number, pc,
             "large warp %u issues to a queue that is full: no credit was left", number))
    return;
  expect(w, &w->warp[number], u, n, lanes);
  compare_collected(w, number);
  unsigned used = 0, free = 0;
  for (unsigned i = 0; i < q->n; i++)
    used |= 1U << q->order[i];
  while ((used >> free & 1) != 0)
    free++;
  q->entry[free] = e;
  q->order[q->n++] = (uint8_t)free;
}

/* ---- issue queues ---- */

/* Frees the n oldest slices of a queue, as the back end has returned their credits. */
static void leave(struct queue *q, uint64_t n) {
  for (; n != 0; n--) {
    q->entry[q->inside[0]].due = true;
    memmove(q->inside, q->inside + 1, --q->queued);
  }
}

/* Returns whether a slice waits for older instructions: MEM instructions reach memory in order. */
static bool waits(unsigned pipe, bool older_left) { return pipe == ISA_PIPE_MEM && older_left; }

/* Steps a queue: queues one slice of each instruction that has one due.  Returns the credits for
 * the front end. */
static unsigned advance(struct sm_wide *w, unsigned pipe) {
  struct queue *q = &w->queue[pipe];
  unsigned credit = 0, kept = 0;
  bool older_left = false;
  for (unsigned i = 0; i < q->n; i++) {
    struct entry *e = &q->entry[q->order[i]];
    if (e->due && e->next == w->slices && credit < credits[pipe]) {
      credit++;
      continue;
    }
    if (e->due && e->next < w->slices && !waits(pipe, older_left)) {
      struct sm_inst *inst = e->slice[e->next++];
      if (inst != NULL) {
        e->due = false;
        q->inside[q->queued++] = q->order[i];
        sm_issue_queue(w->sm, inst);
      }
    }
    older_left = older_left || e->next < w->slices;
    q->order[kept++] = q->order[i];
  }
  q->n = (uint8_t)kept;
  return credit;
}

/* Returns whether a queue can queue a slice or free an entry. */
static bool moves(const struct sm_wide *w, unsigned pipe) {
  const struct queue *q = &w->queue[pipe];
  bool older_left = false;
  for (unsigned i = 0; i < q->n; i++) {
    const struct entry *e = &q->entry[q->order[i]];
    if (e->due && (e->next == w->slices || !waits(pipe, older_left)))
      return true;
    older_left = older_left || e->next < w->slices;
  }
  return false;
}

/* The order within a cycle:
 * 1. the back end steps, without issues and ends of warps;
 * 2. the inputs that it returns, slice by slice, become those of large warps;
 * 3. ends of warps and traps, then the front end's issues, are taken;
 * 4. slices enter the back end's queues, also those issued in this cycle. */
void sm_wide_step(struct sm_wide *w, uint64_t cycle, const struct sm_frontend_wide_out *fe,
                  struct sm_frontend_wide_in *in) {
  struct sm *sm = w->sm;
  const uint64_t lrr = in->cfg_lrr;
  memset(in, 0, sizeof *in);
  in->cfg_lrr = lrr;
  w->fe = (struct sm_frontend_out){.imiss_valid = fe->imiss_valid,
                                   .imiss_line = fe->imiss_line,
                                   .stall0 = fe->stall0,
                                   .stall1 = fe->stall1};
  sm_step(sm, cycle, &w->fe, &w->in);
  in->kernel_start = w->in.kernel_start;
  if (sm->fault.kind != SM_FAULT_NONE || in->kernel_start)
    return;
  gather(w, in);
  leave(&w->queue[ISA_PIPE_SP], w->in.sp_credit);
  leave(&w->queue[ISA_PIPE_SFU], w->in.sfu_credit);
  leave(&w->queue[ISA_PIPE_MEM], w->in.mem_credit);
  if (fe->done_valid)
    warp_done(w, (unsigned)fe->done_warp);
  (void)holds(w, !fe->trap_valid, SM_FAULT_STACK, (unsigned)fe->trap_warp,
              sm->warp[fe->trap_warp * w->slices % SM_WARPS].last_pc,
              "SIMT stack overflow of large warp %u: branches nest too deeply",
              (unsigned)fe->trap_warp);
  if (fe->iss0_valid)
    issue(w, 0, fe->iss0_inst, (uint16_t)fe->iss0_pc, fe->iss0_mask, fe->iss0_mask_hi);
  if (fe->iss1_valid)
    issue(w, 1, fe->iss1_inst, (uint16_t)fe->iss1_pc, fe->iss1_mask, fe->iss1_mask_hi);
  in->sp_credit = advance(w, ISA_PIPE_SP);
  in->sfu_credit = advance(w, ISA_PIPE_SFU);
  in->mem_credit = advance(w, ISA_PIPE_MEM);
  report_collected(w, in);
  sm->stats.branches = w->branches;
  sm->stats.divergent_branches = w->divergent;
  sm->stats.barriers = w->barriers;
}

bool sm_wide_idle(const struct sm_wide *w) {
  return sm_idle(w->sm) && w->collected == 0 &&
         (w->queue[0].n | w->queue[1].n | w->queue[2].n) == 0;
}

bool sm_wide_waiting(const struct sm_wide *w) {
  return sm_waiting(w->sm) && w->collected == 0 && !moves(w, ISA_PIPE_SP) &&
         !moves(w, ISA_PIPE_SFU) && !moves(w, ISA_PIPE_MEM);
}
