/* Reference of rtl/buddy/side_band.sv. */
#include "csim/ref/buddy/side_band.h"

void side_band_ref_reset(struct side_band_ref *b, unsigned delay,
                         const struct group_control_out *roles) {
  *b = (struct side_band_ref){.delay = delay, .now = *roles, .seen = *roles};
}

struct member_answers side_band_ref_answers(struct side_band_ref *b,
                                            struct member_answers answers) {
  if ((answers.drained | answers.parked | answers.cancel) != 0)
    b->left = b->delay;
  else if (b->left == 0)
    return answers; /* nothing is under way either */
  else
    b->left--;
  const struct member_answers heard = b->answers[b->at];
  b->answers[b->at] = answers;
  b->at = b->at + 1 == b->delay ? 0 : b->at + 1;
  return heard;
}

bool side_band_ref_step(struct side_band_ref *b, const struct group_control_out *roles) {
  bool arrives = false;
  for (unsigned i = 0; i < b->changes; i++)
    b->change[i].left--;
  if (b->changes != 0 && b->change[0].left == 0) {
    b->seen = b->change[0].roles;
    b->changes--;
    for (unsigned i = 0; i < b->changes; i++)
      b->change[i] = b->change[i + 1];
    arrives = true;
  }
  if (roles == NULL)
    return arrives;
  b->now = *roles;
  b->change[b->changes].roles = *roles;
  b->change[b->changes++].left = b->delay;
  return true; /* a leader may be held */
}

uint64_t side_band_ref_hold(const struct side_band_ref *b) {
  uint64_t hold = b->seen.hold;
  for (unsigned m = 0; m < GROUP_MEMBERS; m += 2)
    if ((b->now.lead >> 3 * m & 7) == m)
      hold |= b->now.hold & UINT64_C(1) << m;
  return hold;
}
