/* Reference of rtl/flex/flex_context.sv. */
#include "csim/ref/flex/flex_context.h"

/* The accesses of a requester in a cycle. */
struct far_access {
  bool write, write_two;
  unsigned write_row;
  uint64_t word[2], dec[2];
  struct {
    bool valid, second;
    unsigned row;
  } read[2];
  unsigned pushes, push_row, push_depth;
  struct flex_entry push[2];
  bool pop;
  unsigned pop_row, pop_at;
};

static struct flex_entry far_entry(uint64_t mask, uint64_t pcs) {
  return (struct flex_entry){mask, (uint16_t)(pcs >> 16), (uint16_t)pcs};
}

/* The ports of requester x. */
#define FAR_ACCESS(x)                                                                              \
  {                                                                                                \
    .write = in->x##_wr_valid, .write_two = in->x##_wr_two, .write_row = (unsigned)in->x##_wr_row, \
    .word = {in->x##_wr_inst0, in->x##_wr_inst1}, .dec = {in->x##_wr_dec0, in->x##_wr_dec1},       \
    .read = {{in->x##_rd0_valid, in->x##_rd0_b, (unsigned)in->x##_rd0_row},                        \
             {in->x##_rd1_valid, in->x##_rd1_b, (unsigned)in->x##_rd1_row}},                       \
    .pushes = (unsigned)in->x##_push, .push_row = (unsigned)in->x##_push_row,                      \
    .push_depth = (unsigned)in->x##_push_depth,                                                    \
    .push = {far_entry(in->x##_push0_mask, in->x##_push0_pcs),                                     \
             far_entry(in->x##_push1_mask, in->x##_push1_pcs)},                                    \
    .pop = in->x##_pop_valid, .pop_row = (unsigned)in->x##_pop_row,                                \
    .pop_at = (unsigned)in->x##_pop_at                                                             \
  }
#define FAR_ACCESSES                                                                               \
  { [FLEX_OWN] = FAR_ACCESS(own), [FLEX_LEFT] = FAR_ACCESS(left), [FLEX_RIGHT] = FAR_ACCESS(right) }

unsigned flex_context_row(unsigned owner0, enum flex_owner requester, unsigned number) {
  return requester == FLEX_RIGHT && owner0 != FLEX_RIGHT ? number + FLEX_BANK_ROWS : number;
}

static unsigned far_owner0(const struct flex_context_in *in) { return in->owner & 3; }

void flex_context_ref_reset(struct flex_context_ref *c) { *c = (struct flex_context_ref){0}; }

/* The answer to a requester: two words with their control bundles, an entry. */
struct far_answer {
  uint64_t word[2], dec[2];
  struct flex_entry entry;
};

static struct far_answer far_read(const struct flex_context_ref *c, const struct far_access *a,
                                  unsigned owner0, enum flex_owner x) {
  struct far_answer answer = {0};
  for (unsigned port = 0; port < 2; port++)
    if (a->read[port].valid) {
      const struct flex_row *row = &c->row[flex_context_row(owner0, x, a->read[port].row)];
      answer.word[port] = row->word[a->read[port].second];
      answer.dec[port] = row->dec[a->read[port].second];
    }
  if (a->pop)
    answer.entry = c->row[flex_context_row(owner0, x, a->pop_row)].entry[a->pop_at];
  return answer;
}

#define FAR_ANSWER(x, r)                                                                           \
  out->x##_rd0_inst = r.word[0];                                                                   \
  out->x##_rd0_dec = r.dec[0];                                                                     \
  out->x##_rd1_inst = r.word[1];                                                                   \
  out->x##_rd1_dec = r.dec[1];                                                                     \
  out->x##_pop_mask = r.entry.mask;                                                                \
  out->x##_pop_pcs = (uint64_t)r.entry.rpc << 16 | r.entry.pc

void flex_context_ref_eval(const struct flex_context_ref *c, const struct flex_context_in *in,
                           struct flex_context_out *out) {
  const struct far_access access[FLEX_OWNERS] = FAR_ACCESSES;
  struct far_answer answer[FLEX_OWNERS];
  for (unsigned x = 0; x < FLEX_OWNERS; x++)
    answer[x] = far_read(c, &access[x], far_owner0(in), (enum flex_owner)x);
  FAR_ANSWER(own, answer[FLEX_OWN]);
  FAR_ANSWER(left, answer[FLEX_LEFT]);
  FAR_ANSWER(right, answer[FLEX_RIGHT]);
}

static void far_write(struct flex_context_ref *c, const struct far_access *a, unsigned owner0,
                      enum flex_owner x) {
  if (a->write) {
    struct flex_row *row = &c->row[flex_context_row(owner0, x, a->write_row)];
    for (unsigned i = 0; i < (a->write_two ? 2U : 1U); i++) {
      row->word[i] = a->word[i];
      row->dec[i] = (uint16_t)a->dec[i];
    }
  }
  struct flex_row *stack = &c->row[flex_context_row(owner0, x, a->pushes != 0 ? a->push_row : 0)];
  for (unsigned i = 0; i < 2; i++)
    if ((a->pushes >> i & 1) != 0)
      stack->entry[a->push_depth + 1 + i] = a->push[i];
}

void flex_context_ref_step(struct flex_context_ref *c, const struct flex_context_in *in) {
  const struct far_access access[FLEX_OWNERS] = FAR_ACCESSES;
  for (unsigned x = 0; x < FLEX_OWNERS; x++)
    far_write(c, &access[x], far_owner0(in), (enum flex_owner)x);
}

void flex_context_ref_view(const struct flex_context_ref *c, struct flex_context_view *view) {
  (void)c;
  *view = (struct flex_context_view){0};
}
