/* Reference of rtl/flex/near_buffer.sv (docs/hardware/flex_frontend.md, near_buffer). */
#ifndef TANDEM_REF_NEAR_BUFFER_H
#define TANDEM_REF_NEAR_BUFFER_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum { NEAR_OWN_ROWS = 24 /* warps from here on have borrowed rows */ };

/* The instructions in a row of a warp, as far as near knows them. */
struct near_buffer_row {
  uint64_t opnd[2];    /* operand words, {dec, inst[24:0]} */
  uint8_t count, next; /* instructions that are left; those that were popped since the write */
};

struct near_buffer_ref {
  struct near_buffer_row row[WARPS];
  /* kept in step with the rows */
  warpset valid, second, sfu, mem, none;
};

void near_buffer_ref_reset(struct near_buffer_ref *b);

/* One or two instructions come for an empty row; `second`: NULL or its operand word. */
void near_buffer_ref_write(struct near_buffer_ref *b, unsigned warp, uint64_t first,
                           const uint64_t *second);
void near_buffer_ref_pop(struct near_buffer_ref *b, unsigned warp);
void near_buffer_ref_flush(struct near_buffer_ref *b, unsigned warp);

/* The operand word of the head. */
static inline uint64_t near_buffer_ref_head(const struct near_buffer_ref *b, unsigned warp) {
  return b->row[warp].opnd[b->row[warp].next & 1];
}
/* True if the head is the second entry of its row. */
static inline bool near_buffer_ref_b(const struct near_buffer_ref *b, unsigned warp) {
  return b->row[warp].next != 0;
}

static inline unsigned near_ctl(uint64_t opnd) { return opnd >> 27 & 3; }
static inline bool near_is_far(unsigned warp) { return warp >= NEAR_OWN_ROWS; }
/* The row of a warp, of the SM's own or of the borrowed ones. */
static inline unsigned near_row_of(unsigned warp) {
  return near_is_far(warp) ? warp - NEAR_OWN_ROWS : warp;
}

void near_buffer_ref_eval(const struct near_buffer_ref *b, const struct near_buffer_in *in,
                          struct near_buffer_out *out);
void near_buffer_ref_step(struct near_buffer_ref *b, const struct near_buffer_in *in);
void near_buffer_ref_view(const struct near_buffer_ref *b, struct near_buffer_view *view);

#endif
