/* Recording the way of instructions.  Before each cycle it looks at the cycle that has just ended:
 *
 *   1. which instructions in flight have moved or ended (the back ends' records)
 *   2. which stall causes have changed, and what has issued (the front ends' ports)
 *   3. what has been requested or delivered (the front ends' state, which is that of the new cycle)
 */
#include "harness/gpu/inside/pipeline.h"
#include "harness/gpu/core/open.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"

enum {
  STALLS = 1 << 20, /* changes of causes at most */
  OPEN = 512,       /* instructions in flight of an SM that are followed */
  WARPS = 64,
  TARGETS = 48 /* registers, then predicates */
};

/* The record of an SM. */
struct of_sm {
  void *view;
  const uint64_t *outstanding, *valid; /* in the view; NULL: its front end has no such state */
  uint64_t was_outstanding, was_valid;
  uint64_t fetch[WARPS], buffer[WARPS]; /* of the instructions in a warp's buffer */
  uint64_t last_issue[WARPS];
  int32_t writer[WARPS][TARGETS]; /* last instruction that writes it */
  int32_t stall[2];               /* last change of a scheduler's cause */
  unsigned nopen;
  int32_t open[OPEN];
};

struct pipeline {
  struct pipeline_request request;
  struct pipeline_inst *inst;
  struct pipeline_stall *stalls;
  size_t n, room, nstalls;
  bool full;
  struct of_sm *sm[GPU_ALL];
};

/* ---- stages ---- */

/* Finds the record of an instruction, of any slice of a large warp; NULL: not in flight. */
static const struct sm_inst *in_flight(struct sm *sm, const struct pipeline_inst *p) {
  const unsigned slices = sm_slices(sm);
  for (unsigned s = 0; s < slices; s++)
    for (const struct sm_inst *i = sm_oldest(sm, p->warp * slices + s); i != NULL; i = i->next)
      if (i->issued == p->issue && i->pc == p->pc && !i->retired)
        return i;
  return NULL;
}

/* Notes what instructions in flight have done in `cycle`. */
static void follow(struct pipeline *p, struct of_sm *o, struct sm *sm, uint64_t cycle) {
  unsigned kept = 0;
  for (unsigned i = 0; i < o->nopen; i++) {
    struct pipeline_inst *inst = &p->inst[o->open[i]];
    const struct sm_inst *record = in_flight(sm, inst);
    if (record == NULL) {
      inst->end = cycle;
      continue;
    }
    const enum sm_inst_stage stage = sm_inst_stage(record);
    if (inst->execute == PIPELINE_NEVER && stage != SM_INST_OPERANDS) {
      inst->execute = cycle;
      inst->memory = stage == SM_INST_MEMORY;
    }
    o->open[kept++] = o->open[i];
  }
  o->nopen = kept;
}

/* ---- hazards ---- */

struct hazard {
  uint64_t since; /* writes after this cycle are waited for */
  int32_t producer;
};

static void look_at(const struct pipeline *p, struct hazard *h, int32_t writer) {
  if (writer == PIPELINE_NONE)
    return;
  const struct pipeline_inst *w = &p->inst[writer];
  if (w->end == PIPELINE_NEVER || w->end < h->since)
    return;
  h->since = w->end;
  h->producer = writer;
}

static void registers(const struct pipeline *p, struct hazard *h, const int32_t *writer,
                      unsigned first, unsigned n) {
  for (unsigned i = 0; i < isa_n_regs(n); i++)
    look_at(p, h, writer[(first + i) % ISA_REGS]);
}

/* Returns the instruction whose result came last of those that the scoreboard waited for. */
static int32_t producer_of(const struct pipeline *p, const struct of_sm *o,
                           const struct pipeline_inst *i) {
  const struct isa_uop *u = i->uop;
  const int32_t *writer = o->writer[i->warp];
  const bool buffered = i->buffer != PIPELINE_NEVER && i->buffer > o->last_issue[i->warp];
  struct hazard h = {buffered ? i->buffer : o->last_issue[i->warp], PIPELINE_NONE};
  registers(p, &h, writer, u->f.src1, u->o.s1);
  registers(p, &h, writer, u->f.src2, u->o.s2);
  registers(p, &h, writer, u->f.src3, u->o.s3);
  registers(p, &h, writer, u->f.dst, u->o.d);
  look_at(p, &h, writer[ISA_REGS + (u->f.guard & 15)]);
  if (u->o.p2)
    look_at(p, &h, writer[ISA_REGS + (u->f.src2 & 15)]);
  if (u->o.p3)
    look_at(p, &h, writer[ISA_REGS + (u->f.src3 & 15)]);
  if (u->o.dp)
    look_at(p, &h, writer[ISA_REGS + (u->f.dst & 15)]);
  return h.producer;
}

static void note_writer(struct of_sm *o, const struct pipeline_inst *i, int32_t index) {
  const struct isa_uop *u = i->uop;
  for (unsigned k = 0; k < isa_n_regs(u->o.d); k++)
    o->writer[i->warp][(u->f.dst + k) % ISA_REGS] = index;
  if (u->o.dp && u->f.dst != ISA_PT)
    o->writer[i->warp][ISA_REGS + (u->f.dst & 15)] = index;
}

/* ---- ports ---- */

static void note_stall(struct pipeline *p, struct of_sm *o, unsigned sm, unsigned scheduler,
                       uint64_t cycle, unsigned cause) {
  const int32_t last = o->stall[scheduler];
  if (last != PIPELINE_NONE && p->stalls[last].cause == cause)
    return;
  if (p->nstalls == STALLS) {
    p->full = true;
    return;
  }
  p->stalls[p->nstalls] = (struct pipeline_stall){.cycle = cycle,
                                                  .before = last,
                                                  .sm = (uint8_t)sm,
                                                  .scheduler = (uint8_t)scheduler,
                                                  .cause = (uint8_t)cause};
  o->stall[scheduler] = (int32_t)p->nstalls++;
}

static void note_issue(struct pipeline *p, const struct tandem *t, struct of_sm *o, unsigned sm,
                       uint64_t cycle, uint64_t word, uint16_t pc, uint32_t mask) {
  const uint8_t warp = (uint8_t)(word >> 58);
  if ((p->request.warps >> warp & 1) == 0 || !grid_has_pc(&t->launch.grid, pc))
    return;
  if (p->n == p->room) {
    p->full = true;
    return;
  }
  struct pipeline_inst *i = &p->inst[p->n];
  *i = (struct pipeline_inst){.uop = &t->launch.grid.uops[pc],
                              .program = t->launch.grid.program,
                              .fetch = o->fetch[warp],
                              .buffer = o->buffer[warp],
                              .issue = cycle,
                              .execute = PIPELINE_NEVER,
                              .end = PIPELINE_NEVER,
                              .mask = mask,
                              .stall = o->stall[warp & 1],
                              .pc = pc,
                              .sm = (uint8_t)sm,
                              .warp = warp};
  i->producer = producer_of(p, o, i);
  o->last_issue[warp] = cycle;
  note_writer(o, i, (int32_t)p->n);
  if (in_flight(t->sms[sm].sm, i) == NULL)
    i->end = cycle; /* no pipeline executes it */
  else if (o->nopen < OPEN)
    o->open[o->nopen++] = (int32_t)p->n;
  p->n++;
}

static void look_at_ports(struct pipeline *p, const struct tandem *t, struct of_sm *o, unsigned sm,
                          uint64_t cycle) {
  const struct sm_frontend_out *out = t->sms[sm].out;
  const bool off = t->sms[sm].off;
  note_stall(p, o, sm, 0, cycle, off ? STALL_GATED : (unsigned)out->stall0 % STALL_CODES);
  note_stall(p, o, sm, 1, cycle, off ? STALL_GATED : (unsigned)out->stall1 % STALL_CODES);
  if (out->iss0_valid)
    note_issue(p, t, o, sm, cycle, out->iss0_inst, (uint16_t)out->iss0_pc,
               (uint32_t)out->iss0_mask);
  if (out->iss1_valid)
    note_issue(p, t, o, sm, cycle, out->iss1_inst, (uint16_t)out->iss1_pc,
               (uint32_t)out->iss1_mask);
}

/* ---- the front end's state ---- */

/* Notes requests and deliveries.  An instruction is decoded in the cycle before it is in the
 * buffer; a request that misses is repeated, and began with the first one. */
static void look_at_state(const struct tandem *t, struct of_sm *o, unsigned sm, uint64_t cycle) {
  struct unit *u = t->sms[sm].cell->unit;
  if (o->valid == NULL)
    return;
  if (!unit_view(u, sm - u->first, o->view)) {
    o->was_outstanding = o->was_valid = 0;
    return;
  }
  const uint64_t began = *o->outstanding & ~o->was_outstanding;
  const uint64_t delivered = *o->valid & ~o->was_valid;
  for (uint64_t left = delivered; left != 0; left &= left - 1)
    o->buffer[__builtin_ctzll(left)] = cycle;
  for (uint64_t left = began; left != 0; left &= left - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(left);
    if (o->fetch[w] == PIPELINE_NEVER || o->fetch[w] <= o->buffer[w])
      o->fetch[w] = cycle;
  }
  o->was_outstanding = *o->outstanding;
  o->was_valid = *o->valid;
}

/* ---- */

static int look(struct tandem *t, void *own, struct tandem_error *err) {
  struct pipeline *p = own;
  (void)err;
  if (t->cycle == 0 || t->cycle <= p->request.from || t->cycle - 1 > p->request.to)
    return 0;
  for (unsigned sm = 0; sm < t->nsms; sm++) {
    struct of_sm *o = p->sm[sm];
    if (o == NULL)
      continue;
    follow(p, o, t->sms[sm].sm, t->cycle - 1);
    if (t->cycle > t->launch.start)
      look_at_ports(p, t, o, sm, t->cycle - 1);
    look_at_state(t, o, sm, t->cycle);
  }
  return 0;
}

const uint64_t *pipeline_state(const struct unit_type *type, const void *view, const char *instance,
                               const char *state) {
  for (unsigned i = 0; i < type->nparts; i++) {
    const struct ports_part *part = &type->parts[i];
    if (strcmp(part->instance, instance) != 0)
      continue;
    for (const struct port_desc *d = part->ports->states; d->name != NULL; d++)
      if (strcmp(d->name, state) == 0)
        return (const uint64_t *)(const void *)((const char *)view + part->offset + d->offset);
  }
  return NULL;
}

static bool open_sm(const struct tandem *t, struct pipeline *p, unsigned sm) {
  struct of_sm *o = p->sm[sm] = calloc(1, sizeof *o);
  const struct unit_type *type = t->sms[sm].cell->unit->type;
  if (o == NULL || (o->view = calloc(1, type->view_bytes)) == NULL)
    return false;
  memset(o->fetch, 0xff, sizeof o->fetch);
  memset(o->buffer, 0xff, sizeof o->buffer);
  memset(o->writer, 0xff, sizeof o->writer);
  o->stall[0] = o->stall[1] = PIPELINE_NONE;
  if (t->config.sm.ibuffer_entries == 2) { /* else a buffer has instructions of several requests */
    o->outstanding = pipeline_state(type, o->view, "u_fetch", "outstanding");
    o->valid = pipeline_state(type, o->view, "u_ibuffer", "valid");
  }
  if (o->outstanding == NULL)
    o->valid = NULL;
  return true;
}

int pipeline_open(struct tandem *t, const struct pipeline_request *r, struct pipeline **out,
                  struct tandem_error *err) {
  if (r->from > r->to)
    return tandem_fail(err, -EINVAL, "the pipelines' window would begin after its end");
  if (r->sms == 0 || (r->sms != GPU_TRACE_ALL && t->nsms < GPU_ALL && r->sms >> t->nsms != 0))
    return tandem_fail(err, -EINVAL,
                       "cannot record the pipelines of all the SMs asked for: there "
                       "are SMs 0 to %u",
                       t->nsms - 1);
  struct pipeline *p = *out = calloc(1, sizeof *p);
  if (p != NULL) {
    p->request = *r;
    p->room = r->room != 0 ? r->room : PIPELINE_MOST;
    p->inst = calloc(p->room, sizeof *p->inst);
    p->stalls = calloc(STALLS, sizeof *p->stalls);
  }
  bool good = p != NULL && p->inst != NULL && p->stalls != NULL;
  for (unsigned sm = 0; good && sm < t->nsms; sm++)
    if ((r->sms >> sm & 1) != 0)
      good = open_sm(t, p, sm);
  if (good && gpu_observe(t, look, p))
    return 0;
  pipeline_close(p);
  *out = NULL;
  return tandem_fail(err, -ENOMEM, "out of memory to record pipelines");
}

void pipeline_close(struct pipeline *p) {
  if (p == NULL)
    return;
  for (unsigned i = 0; i < GPU_ALL; i++) {
    if (p->sm[i] != NULL)
      free(p->sm[i]->view);
    free(p->sm[i]);
  }
  free(p->inst);
  free(p->stalls);
  free(p);
}

/* ---- forgetting ---- */

bool pipeline_nearly_full(const struct pipeline *p) {
  return p->n >= p->room - p->room / 4 || p->nstalls >= STALLS - STALLS / 4;
}

static int32_t renumbered(const int32_t *now, int32_t number) {
  return number == PIPELINE_NONE ? PIPELINE_NONE : now[number];
}

static void renumber_sm(struct of_sm *o, const int32_t *now) {
  unsigned kept = 0;
  for (unsigned w = 0; w < WARPS; w++)
    for (unsigned i = 0; i < TARGETS; i++)
      o->writer[w][i] = renumbered(now, o->writer[w][i]);
  for (unsigned i = 0; i < o->nopen; i++)
    if (now[o->open[i]] != PIPELINE_NONE)
      o->open[kept++] = now[o->open[i]];
  o->nopen = kept;
}

/* Each scheduler's last cause becomes its first one. */
static void forget_stalls(struct pipeline *p) {
  struct pipeline_stall last[2 * GPU_ALL];
  uint32_t n = 0;
  for (unsigned sm = 0; sm < GPU_ALL; sm++)
    for (unsigned i = 0; p->sm[sm] != NULL && i < 2; i++)
      if (p->sm[sm]->stall[i] != PIPELINE_NONE) {
        last[n] = p->stalls[p->sm[sm]->stall[i]];
        last[n].before = PIPELINE_NONE;
        p->sm[sm]->stall[i] = (int32_t)n++;
      }
  memcpy(p->stalls, last, n * sizeof *last);
  p->nstalls = n;
}

void pipeline_forget(struct pipeline *p, int32_t *now) {
  size_t kept = 0;
  for (size_t n = 0; n < p->n; n++) {
    struct pipeline_inst *i = &p->inst[n];
    if (now[n] == PIPELINE_NONE)
      continue;
    now[n] = (int32_t)kept;
    i->producer = renumbered(now, i->producer);
    i->stall = PIPELINE_NONE;
    p->inst[kept++] = *i;
  }
  p->n = kept;
  for (unsigned sm = 0; sm < GPU_ALL; sm++)
    if (p->sm[sm] != NULL)
      renumber_sm(p->sm[sm], now);
  forget_stalls(p);
}

const struct pipeline_inst *pipeline_insts(const struct pipeline *p, size_t *n, bool *full) {
  *n = p->n;
  *full = p->full;
  return p->inst;
}

const struct pipeline_stall *pipeline_stalls(const struct pipeline *p, size_t *n) {
  *n = p->nstalls;
  return p->stalls;
}
