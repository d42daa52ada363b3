/* Reference of rtl/flex/flex_context.sv (docs/hardware/flex.md, flex_context). */
#ifndef TANDEM_REF_FLEX_CONTEXT_H
#define TANDEM_REF_FLEX_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/ports/units.h"

enum { FLEX_ROWS = 24, FLEX_BANK_ROWS = FLEX_ROWS / 2, FLEX_DEPTH = 16 };

/* Owners of a bank; requesters. */
enum flex_owner { FLEX_OWN, FLEX_LEFT, FLEX_RIGHT, FLEX_OWNERS };

/* An entry of a stack below its top. */
struct flex_entry {
  uint64_t mask;
  uint16_t rpc, pc;
};

/* The row of one warp. */
struct flex_row {
  uint64_t word[2];
  uint16_t dec[2];
  struct flex_entry entry[FLEX_DEPTH + 1]; /* from 1, the lowest, on */
};

/* Warps from FLEX_ROWS on have borrowed rows: the row of a warp among its SM's own or the borrowed.
 */
static inline bool flex_is_far(unsigned warp) { return warp >= FLEX_ROWS; }
static inline unsigned flex_row_number(unsigned warp) {
  return flex_is_far(warp) ? warp - FLEX_ROWS : warp;
}

struct flex_context_ref {
  struct flex_row row[FLEX_ROWS];
};

/* The row of the SM that is row `number` of a requester, if bank 0 belongs to `owner0`. */
unsigned flex_context_row(unsigned owner0, enum flex_owner requester, unsigned number);

void flex_context_ref_reset(struct flex_context_ref *c);
void flex_context_ref_eval(const struct flex_context_ref *c, const struct flex_context_in *in,
                           struct flex_context_out *out);
void flex_context_ref_step(struct flex_context_ref *c, const struct flex_context_in *in);
void flex_context_ref_view(const struct flex_context_ref *c, struct flex_context_view *view);

#endif
