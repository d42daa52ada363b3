/* Reference of rtl/flex/flex_tags.sv (docs/hardware/flex.md, flex_tags). */
#ifndef TANDEM_REF_FLEX_TAGS_H
#define TANDEM_REF_FLEX_TAGS_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum { FLEX_SETS = 32, FLEX_TAG_ROWS = FLEX_SETS / 2 };

/* One way of an SM's L1D. */
struct flex_tags_ref {
  unsigned way; /* its number on its side */
  struct {
    bool valid;
    uint32_t tag;
  } bank[2][FLEX_TAG_ROWS];
};

/* The bank in which a requester (enum flex_owner) finds a set in this way; -1: it is in none. */
int flex_tags_bank(unsigned way, unsigned owner, unsigned requester, unsigned set);

/* Resets way 0 to 3. */
void flex_tags_ref_reset(struct flex_tags_ref *t, unsigned way);
void flex_tags_ref_eval(const struct flex_tags_ref *t, const struct flex_tags_in *in,
                        struct flex_tags_out *out);
void flex_tags_ref_step(struct flex_tags_ref *t, const struct flex_tags_in *in);
void flex_tags_ref_view(const struct flex_tags_ref *t, struct flex_tags_view *view);

#endif
