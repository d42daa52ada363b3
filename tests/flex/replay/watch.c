/* Watches the C models of a run: functions of csim that other files of it call come here first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/l1/sm_mem.h"
#include "csim/sm/sm_local.h"
#include "harness/gpu/flex/scheme.h"
#include "tests/flex/replay/replay.h"

enum { HALF_BANKS = 8 };

struct replay_counts replay_counts;

static struct {
  struct replay_run run;
  const struct sm *sm[REPLAY_SMS];
  struct sm_mem *mem[REPLAY_SMS];
} watched;

void watch_begin(const struct replay_run *run) {
  memset(&watched, 0, sizeof watched);
  watched.run = *run;
}

/* The SM with a part of it at this address. */
static unsigned sm_of(const void *part) {
  for (unsigned i = 0; i < REPLAY_SMS; i++)
    if (watched.sm[i] != NULL && (const char *)part >= (const char *)watched.sm[i] &&
        (const char *)part < (const char *)(watched.sm[i] + 1))
      return i;
  fail_msg("a part of no SM");
  return 0;
}

void __real_sm_begin(struct sm *sm, const struct grid *grid);
void __wrap_sm_begin(struct sm *sm, const struct grid *grid);
void __wrap_sm_begin(struct sm *sm, const struct grid *grid) {
  assert_in_range(sm->index, 0, REPLAY_SMS - 1);
  watched.sm[sm->index] = sm;
  __real_sm_begin(sm, grid);
}

/* ---- registers ---- */

/* The model numbers the banks of a share from 0, the unit those of an SM. */
static unsigned bank_in_share(unsigned sm, const struct replay_place *p) {
  const struct replay_run *run = &watched.run;
  if (p->side == 0 || run->scheme != FLEX_BAL)
    return p->bank;
  assert_int_equal(p->bank / HALF_BANKS, run->role[sm].upper);
  return p->bank % HALF_BANKS;
}

/* The bank of a register in the model, as a set. */
static uint32_t bank_of(unsigned sm, unsigned side, unsigned warp, unsigned reg) {
  const struct replay_place p = units_register(sm, warp, reg);
  assert_int_equal(p.side, side);
  return UINT32_C(1) << bank_in_share(sm, &p);
}

static unsigned granted(const struct sm_collected *out, unsigned id) {
  for (unsigned i = 0; i < out->n; i++)
    if (out->grant[i].id == id)
      return out->grant[i].planes;
  return 0;
}

/* Reads the operands of the oldest instructions first, as banks are free, and compares. */
static void check_reads(unsigned sm, const struct sm_collect *c, unsigned sides,
                        const uint32_t busy[], const struct sm_collected *out) {
  uint32_t taken[SM_SIDES] = {busy[0], sides > 1 ? busy[1] : 0};
  unsigned at[SM_SIDES] = {0, 0};
  for (;;) {
    int side = -1;
    for (unsigned s = 0; s < sides; s++)
      if (at[s] < c[s].collecting.n &&
          (side < 0 || (int32_t)(c[s].age[c[s].collecting.at[at[s]]] -
                                 c[side].age[c[side].collecting.at[at[side]]]) < 0))
        side = (int)s;
    if (side < 0)
      return;
    const struct sm_op *op = &c[side].op[c[side].collecting.at[at[side]++]];
    const unsigned warp = op->warp + (side == 1 ? (unsigned)SM_SIDE1 : 0);
    unsigned got = 0;
    for (unsigned plane = 0; plane < SM_PLANES; plane++) {
      if ((op->pending >> plane & 1) == 0)
        continue;
      const uint32_t bank = bank_of(sm, (unsigned)side, warp, op->reg[plane]);
      got |= (taken[side] & bank) == 0 ? 1U << plane : 0;
      taken[side] |= bank;
    }
    if (got != granted(&out[side], op->id))
      fail_msg("SM %u, warp %u: the model reads planes %x, by flex_map %x", sm, warp,
               granted(&out[side], op->id), got);
    replay_counts.operands[side] += (unsigned)__builtin_popcount(got);
  }
}

void __real_sm_collect_step(struct sm_collect *c, uint64_t cycle, uint32_t *busy,
                            struct sm_collected *out);
void __wrap_sm_collect_step(struct sm_collect *c, uint64_t cycle, uint32_t *busy,
                            struct sm_collected *out);
void __wrap_sm_collect_step(struct sm_collect *c, uint64_t cycle, uint32_t *busy,
                            struct sm_collected *out) {
  const unsigned sides = c->sides;
  struct sm_collect before[SM_SIDES];
  uint32_t was[SM_SIDES];
  memcpy(before, c, sides * sizeof *c);
  memcpy(was, busy, sides * sizeof *busy);
  __real_sm_collect_step(c, cycle, busy, out);
  check_reads(sm_of(c), before, sides, was, out);
}

/* ---- dispatch ---- */

/* A result that is due: cycles from now, pipe, banks that it takes, its side. */
struct due {
  uint32_t cycles, banks;
  unsigned pipe, side;
};

/* An instruction that is dispatched, to start in `out`. */
static void dispatched(unsigned sm, const struct sm_op *op, unsigned planes, const struct due *due,
                       uint64_t cycle, uint64_t out) {
  const struct sm_inst *inst = sm_inst_at(watched.sm[sm], op->id);
  const unsigned writes = watched.sm[sm]->decoded[inst->pc].writes;
  uint32_t banks = 0;
  for (unsigned k = 0; k < writes; k++)
    banks |= bank_of(sm, due->side, inst->warp, inst->uop->f.dst + k);
  assert_int_equal(banks, due->banks);
  replay_counts.results[due->side] += writes;
  replay_counts.dispatched[due->side]++;
  const struct replay_dispatch d = {due->side, planes, op->id, cycle, out};
  units_dispatch(sm, due->pipe, &d);
}

/* Collected instructions before a step. */
static const struct sm_op *find(const struct sm_collect *c, unsigned id) {
  for (unsigned cls = 0; cls < SM_CLASSES; cls++)
    for (unsigned i = 0; i < c->full[cls].n; i++)
      if (c->op[c->full[cls].at[i]].id == id)
        return &c->op[c->full[cls].at[i]];
  return NULL;
}

void __real_sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                        struct sm_alu_events *ev);
void __wrap_sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                        struct sm_alu_events *ev);
void __wrap_sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                        struct sm_alu_events *ev) {
  const struct sm_collect before[SM_SIDES] = {t->oc[0], t->oc[1]};
  const unsigned sm = sm_of(t);
  __real_sm_alu_step(t, cycle, busy, ev);
  if (t != &watched.sm[sm]->alu) /* a copy */
    return;
  for (unsigned i = 0; i < ev->ndispatched; i++) {
    unsigned side = 0;
    const struct sm_op *op = find(&before[0], ev->dispatched[i]);
    if (op == NULL)
      op = find(&before[++side], ev->dispatched[i]);
    assert_non_null(op);
    const uint32_t later =
        t->latency[op->lat] + t->oc[0].delay; /* from the pipeline to the registers */
    struct due due = {.pipe = SM_ALU_PIPES};
    for (uint32_t n = 1; n <= t->ring_mask; n++)
      for (unsigned p = 0; p < SM_ALU_PIPES; p++) {
        const struct sm_alu_slot *r = &t->ring[(cycle + n) & t->ring_mask][p];
        if (r->id == op->id)
          due = (struct due){n, r->banks, p, r->side};
      }
    assert_in_range(due.pipe, 0, SM_ALU_PIPES - 1);
    assert_int_equal(due.side, side);
    dispatched(sm, op, side == 1 ? op->reads : REPLAY_OWN_PLANES, &due, cycle,
               cycle + due.cycles - later);
  }
}

/* ---- shared memory ---- */

/* Returns the passes in which all words are served, one of each bank; equal words are shared. */
static uint32_t passes_of(unsigned sm, const uint32_t *word, unsigned n, bool share,
                          uint32_t *far) {
  bool served[32 * 4] = {false};
  uint32_t passes = 0;
  for (unsigned left = n; left != 0; passes++) {
    uint32_t used[SM_SIDES] = {0, 0}, holds[SM_SIDES][16];
    for (unsigned i = 0; i < n; i++) {
      if (served[i])
        continue;
      const struct replay_place p = units_word(sm, 4 * word[i]);
      const unsigned bank = bank_in_share(sm, &p);
      const struct sm_mem *mem = watched.mem[sm];
      assert_true(!mem->shaped || shape_word(mem, word[i]).bank == bank);
      if ((used[p.side] >> p.bank & 1) != 0 && (!share || holds[p.side][p.bank] != word[i]))
        continue;
      used[p.side] |= UINT32_C(1) << p.bank;
      holds[p.side][p.bank] = word[i];
      served[i] = true;
      replay_counts.words[p.side]++;
      left--;
    }
    *far += used[1] != 0;
  }
  return passes;
}

uint32_t __real_shared_passes(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                              uint32_t mask, uint32_t *conflicts);
uint32_t __wrap_shared_passes(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                              uint32_t mask, uint32_t *conflicts);
uint32_t __wrap_shared_passes(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                              uint32_t mask, uint32_t *conflicts) {
  const uint64_t before = s->far_lines;
  const uint32_t passes = __real_shared_passes(s, inst, off, mask, conflicts);
  const unsigned bytes = (unsigned)inst->uop->mem_size * inst->uop->mem_elems;
  const unsigned words = bytes <= 4 ? 1 : bytes / 4, lanes = 32 / words;
  const uint32_t base = s->slot[inst->warp] * s->shared_stride;
  uint32_t expected = 0, far = 0, requests = 0;
  for (unsigned first = 0; first < 32; first += lanes) {
    uint32_t word[32 * 4], n = 0;
    for (unsigned l = first; l < first + lanes; l++)
      for (unsigned w = 0; (mask >> l & 1) != 0 && w < words; w++)
        word[n++] = (base + off[l]) / 4 + w;
    requests += n != 0;
    expected += passes_of(s->index, word, n, inst->uop->f.unit != ISA_U_ATOM, &far);
  }
  assert_int_equal(passes, expected);
  assert_int_equal(*conflicts, expected - requests);
  assert_int_equal(s->far_lines - before, far);
  return passes;
}

/* ---- L1D ---- */

/* The SM of tags, -1: those of another cache. */
static int l1d_of(const struct tags *t) {
  for (unsigned i = 0; i < REPLAY_SMS; i++)
    if (watched.mem[i] != NULL && t == &watched.mem[i]->l1d.tags)
      return (int)i;
  return -1;
}

int __real_sm_mem_set_shape(struct sm_mem *s, const struct sm_mem_shape *shape,
                            struct tandem_error *err);
int __wrap_sm_mem_set_shape(struct sm_mem *s, const struct sm_mem_shape *shape,
                            struct tandem_error *err);
int __wrap_sm_mem_set_shape(struct sm_mem *s, const struct sm_mem_shape *shape,
                            struct tandem_error *err) {
  watched.mem[s->index] = s;
  return __real_sm_mem_set_shape(s, shape, err);
}

void __real_tags_flush(struct tags *t);
void __wrap_tags_flush(struct tags *t);
void __wrap_tags_flush(struct tags *t) {
  __real_tags_flush(t);
  if (l1d_of(t) >= 0)
    units_flush((unsigned)l1d_of(t));
}

/* The model's place of a line, as it counts it, is that of flex_map. */
static unsigned check_line(unsigned sm, int index) {
  const struct sm_mem *s = watched.mem[sm];
  const struct l1d_place c = shape_line(s, index);
  const uint32_t ways = s->l1d.tags.ways;
  const struct replay_place m = units_line(sm, (unsigned)index / ways, (unsigned)index % ways);
  const bool half = c.side == 1 && s->shape.l1d_far_ways < s->config->l1d_ways;
  assert_true(m.side == c.side && m.way == c.way && m.row + (half ? 0 : 16 * m.bank) == c.set);
  return c.side;
}

void __real_tags_set(struct tags *t, int index, uint32_t number, enum tag_state state);
void __wrap_tags_set(struct tags *t, int index, uint32_t number, enum tag_state state);
void __wrap_tags_set(struct tags *t, int index, uint32_t number, enum tag_state state) {
  const int sm = l1d_of(t);
  __real_tags_set(t, index, number, state);
  if (sm < 0)
    return;
  assert_int_equal((uint32_t)index / t->ways, number % t->sets);
  replay_counts.fills[check_line((unsigned)sm, index)]++;
  units_write((unsigned)sm, number, (uint32_t)index % t->ways, true);
}

bool __real_l1_access(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t);
bool __wrap_l1_access(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t);
bool __wrap_l1_access(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t) {
  if (t->kind == TR_CONST)
    return __real_l1_access(s, inst, t);
  struct tags *tags = &s->l1d.tags;
  const uint32_t line = t->segment >> MEM_SEGMENT_SHIFT;
  const int index = tags_find(tags, line);
  const int way = index < 0 ? -1 : index % (int)tags->ways;
  units_look_up(s->index, line, way);
  if (index >= 0)
    replay_counts.hits[check_line(s->index, index)]++;
  else
    replay_counts.misses++;
  const bool done = __real_l1_access(s, inst, t);
  if (index >= 0 && tags->tag[index] == TAG_NONE) {
    replay_counts.drops++;
    units_write(s->index, line, (unsigned)way, false);
  }
  return done;
}
