/* Reference of rtl/flex/flex_tags.sv. */
#include "csim/ref/flex/flex_tags.h"

#include "csim/ref/flex/flex_context.h"

void flex_tags_ref_reset(struct flex_tags_ref *t, unsigned way) {
  *t = (struct flex_tags_ref){.way = way};
}

int flex_tags_bank(unsigned way, unsigned owner, unsigned requester, unsigned set) {
  const bool has0 = (owner & 3) == requester, has1 = owner >> 2 == requester;
  const unsigned high = set / FLEX_TAG_ROWS;
  if (has0 && has1)
    return (int)high;
  if ((has0 || has1) && high == way / 2)
    return has1;
  return -1;
}

static bool tags_hit(const struct flex_tags_ref *t, unsigned owner, unsigned x, bool valid,
                     uint64_t set, uint64_t tag) {
  const int bank = valid ? flex_tags_bank(t->way, owner, x, (unsigned)set) : -1;
  const unsigned row = set % FLEX_TAG_ROWS;
  return bank >= 0 && t->bank[bank][row].valid && t->bank[bank][row].tag == tag;
}

void flex_tags_ref_eval(const struct flex_tags_ref *t, const struct flex_tags_in *in,
                        struct flex_tags_out *out) {
  const unsigned o = (unsigned)in->owner;
  out->own_hit = tags_hit(t, o, FLEX_OWN, in->own_valid, in->own_set, in->own_tag);
  out->left_hit = tags_hit(t, o, FLEX_LEFT, in->left_valid, in->left_set, in->left_tag);
  out->right_hit = tags_hit(t, o, FLEX_RIGHT, in->right_valid, in->right_set, in->right_tag);
}

static void tags_write(struct flex_tags_ref *t, unsigned owner, unsigned x, bool keep, uint64_t set,
                       uint64_t tag) {
  const int bank = flex_tags_bank(t->way, owner, x, (unsigned)set);
  const unsigned row = set % FLEX_TAG_ROWS;
  if (bank < 0)
    return;
  t->bank[bank][row].valid = keep;
  if (keep)
    t->bank[bank][row].tag = (uint32_t)tag;
}

void flex_tags_ref_step(struct flex_tags_ref *t, const struct flex_tags_in *in) {
  const unsigned o = (unsigned)in->owner;
  if (in->kernel_start) {
    flex_tags_ref_reset(t, t->way);
    return;
  }
  if (in->own_wr)
    tags_write(t, o, FLEX_OWN, in->own_wr_keep, in->own_wr_set, in->own_wr_tag);
  if (in->left_wr)
    tags_write(t, o, FLEX_LEFT, in->left_wr_keep, in->left_wr_set, in->left_wr_tag);
  if (in->right_wr)
    tags_write(t, o, FLEX_RIGHT, in->right_wr_keep, in->right_wr_set, in->right_wr_tag);
}

void flex_tags_ref_view(const struct flex_tags_ref *t, struct flex_tags_view *view) {
  *view = (struct flex_tags_view){0};
  for (unsigned row = 0; row < FLEX_TAG_ROWS; row++) {
    view->valid0[0] |= (uint64_t)t->bank[0][row].valid << row;
    view->valid1[0] |= (uint64_t)t->bank[1][row].valid << row;
    view->tag0[row] = t->bank[0][row].tag;
    view->tag1[row] = t->bank[1][row].tag;
  }
}
