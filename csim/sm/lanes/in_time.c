/* Slices through one back end, one a cycle. */
#include "csim/sm/lanes/lanes_local.h"

static const uint8_t entries[LANES_PIPES] = {8, 4, 4};
static const uint8_t credits[LANES_PIPES] = {2, 1, 1}; /* most that are returned in a cycle */

/* Counts a result of a slice.  Returns whether it is the last slice's. */
static bool written(struct sm_lanes *l, const struct row_write *slice) {
  uint8_t *writes = l->warp[slice->warp / l->slices].writes;
  return --writes[slice->pred ? 32 + (slice->reg & 15) : slice->reg] == 0;
}

static void gather_writes(struct sm_lanes *l, struct sm_frontend_in *in) {
  const struct sm_frontend_in *from = &l->in[0];
  for (unsigned k = 0; from->wb_valid >> k != 0; k++) {
    if (!row_bit(from->wb_valid, k))
      continue;
    struct row_write write = ROWS_WRITE(from, k);
    if (!written(l, &write))
      continue;
    write.warp /= l->slices;
    rows_put_write(in, k, write);
  }
}

/* Notes whether the front end counts more uncollected instructions of a warp than any of its slices
 * has, so that one can be reported as collected. */
static void compare_collected(struct sm_lanes *l, unsigned number) {
  const struct lanes_warp *warp = &l->warp[number];
  unsigned most = 0;
  for (unsigned s = 0; s < l->slices; s++)
    most = warp->behind[s] > most ? warp->behind[s] : most;
  const uint32_t bit = 1U << number;
  l->collected = warp->uncollected > most ? l->collected | bit : l->collected & ~bit;
}

/* Reports collected instructions, at any port. */
static void report_collected_warps(struct sm_lanes *l, struct sm_frontend_in *in) {
  for (unsigned k = 0; k < ROW_PORTS && l->collected != 0; k++) {
    const unsigned number = (unsigned)__builtin_ctz(l->collected);
    rows_put_collected(in, k, number);
    l->warp[number].uncollected--;
    compare_collected(l, number);
  }
}

void lanes_queue(struct sm_lanes *l, unsigned number, const struct isa_uop *u, uint16_t pc,
                 struct sm_inst *const slice[SM_SLICES]) {
  struct lanes_queue *q = &l->queue[u->pipe];
  struct lanes_warp *warp = &l->warp[number];
  if (q->n == entries[u->pipe]) {
    (void)lanes_fail(l, SM_FAULT_PROTOCOL, number, pc,
                     "%s warp %u issues to a queue that is full: no credit was left", l->name,
                     number);
    return;
  }
  unsigned n = 0, used = 0, free = 0;
  for (unsigned s = 0; s < l->slices; s++) {
    n += slice[s] != NULL;
    warp->behind[s] = (uint8_t)(warp->behind[s] + (slice[s] != NULL));
  }
  const bool pred = u->o.dp && u->f.dst != ISA_PT;
  if (u->o.d != ISA_N_NONE || pred) {
    uint8_t *left = &warp->writes[pred ? 32 + (u->f.dst & 15) : u->f.dst];
    *left = (uint8_t)(*left + n);
  }
  warp->uncollected++;
  compare_collected(l, number);
  for (unsigned i = 0; i < q->n; i++)
    used |= 1U << q->order[i];
  while ((used >> free & 1) != 0)
    free++;
  q->entry[free] = (struct lanes_entry){.due = true};
  memcpy(q->entry[free].slice, slice, sizeof q->entry[free].slice);
  q->order[q->n++] = (uint8_t)free;
}

/* Frees the n oldest slices of a queue, as the back end has returned their credits. */
static void leave_queue(struct lanes_queue *q, uint64_t n) {
  for (; n != 0; n--) {
    q->entry[q->inside[0]].due = true;
    memmove(q->inside, q->inside + 1, --q->queued);
  }
}

void lanes_gather(struct sm_lanes *l, struct sm_frontend_in *in) {
  const struct sm_frontend_in *from = &l->in[0];
  in->fill_valid = from->fill_valid;
  in->fill_line = from->fill_line;
  in->fill_beat = from->fill_beat;
  in->fill_data0 = from->fill_data0;
  in->fill_data1 = from->fill_data1;
  gather_writes(l, in);
  for (unsigned k = 0; from->col_valid >> k != 0; k++) {
    if (!row_bit(from->col_valid, k))
      continue;
    const unsigned slice = ROWS_COLLECTED(from, k);
    l->warp[slice / l->slices].behind[slice % l->slices]--;
    compare_collected(l, slice / l->slices);
  }
  leave_queue(&l->queue[ISA_PIPE_SP], from->sp_credit);
  leave_queue(&l->queue[ISA_PIPE_SFU], from->sfu_credit);
  leave_queue(&l->queue[ISA_PIPE_MEM], from->mem_credit);
}

/* Returns whether a slice waits for older instructions: MEM instructions reach memory in order. */
static bool waits(unsigned pipe, bool older_left) { return pipe == ISA_PIPE_MEM && older_left; }

/* Steps a queue: queues one slice of each instruction that has one due.  Returns the credits for
 * the front end. */
static unsigned advance(struct sm_lanes *l, unsigned pipe) {
  struct lanes_queue *q = &l->queue[pipe];
  unsigned credit = 0, kept = 0;
  bool older_left = false;
  for (unsigned i = 0; i < q->n; i++) {
    struct lanes_entry *e = &q->entry[q->order[i]];
    if (e->due && e->next == l->slices && credit < credits[pipe]) {
      credit++;
      continue;
    }
    if (e->due && e->next < l->slices && !waits(pipe, older_left)) {
      struct sm_inst *inst = e->slice[e->next++];
      if (inst != NULL) {
        e->due = false;
        q->inside[q->queued++] = q->order[i];
        sm_issue_queue(l->sm[0], inst);
      }
    }
    older_left = older_left || e->next < l->slices;
    q->order[kept++] = q->order[i];
  }
  q->n = (uint8_t)kept;
  return credit;
}

void lanes_advance(struct sm_lanes *l, struct sm_frontend_in *in) {
  in->sp_credit = advance(l, ISA_PIPE_SP);
  in->sfu_credit = advance(l, ISA_PIPE_SFU);
  in->mem_credit = advance(l, ISA_PIPE_MEM);
  report_collected_warps(l, in);
}

/* Returns whether a queue can queue a slice or free an entry. */
static bool moves(const struct sm_lanes *l, unsigned pipe) {
  const struct lanes_queue *q = &l->queue[pipe];
  bool older_left = false;
  for (unsigned i = 0; i < q->n; i++) {
    const struct lanes_entry *e = &q->entry[q->order[i]];
    if (e->due && (e->next == l->slices || !waits(pipe, older_left)))
      return true;
    older_left = older_left || e->next < l->slices;
  }
  return false;
}

bool lanes_empty(const struct sm_lanes *l) {
  return l->collected == 0 && (l->queue[0].n | l->queue[1].n | l->queue[2].n) == 0;
}

bool lanes_still(const struct sm_lanes *l) {
  return l->collected == 0 && !moves(l, ISA_PIPE_SP) && !moves(l, ISA_PIPE_SFU) &&
         !moves(l, ISA_PIPE_MEM);
}
