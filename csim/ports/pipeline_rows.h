/* Ports that come in rows: one port or pipeline has bit k of a row of valids, and field k of the
 * rows of its payloads.  A field means something only while its own valid bit is set.
 *
 * The write-backs and collections of a front end are such rows, port k being an enum row_port. */
#ifndef TANDEM_PIPELINE_ROWS_H
#define TANDEM_PIPELINE_ROWS_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum row_port { ROW_SP0, ROW_SP1, ROW_SFU, ROW_MEM, ROW_PORTS };

/* Bits of a field: warp, register, number of registers. */
enum { ROW_WARP = 6, ROW_REG = 5, ROW_SIZE = 2 };

#define ROW_BIT(k) (UINT64_C(1) << (k))

/* Bit k, field k of a row. */
static inline bool row_bit(uint64_t row, unsigned k) { return (row & ROW_BIT(k)) != 0; }

static inline unsigned row_field(uint64_t row, unsigned width, unsigned k) {
  return (unsigned)(row >> width * k & port_mask(width));
}

static inline void row_put(uint64_t *row, unsigned width, unsigned k, uint64_t value) {
  *row = (*row & ~(port_mask(width) << width * k)) | value << width * k;
}

/* The payload of a write-back: a predicate if pred, else the registers that `size` selects. */
struct row_write {
  unsigned warp, reg, size;
  bool pred;
};

static inline struct row_write rows_write(uint64_t warp, uint64_t reg, uint64_t size, uint64_t pred,
                                          unsigned k) {
  const struct row_write w = {row_field(warp, ROW_WARP, k), row_field(reg, ROW_REG, k),
                              row_field(size, ROW_SIZE, k), row_bit(pred, k)};
  return w;
}

/* The write-back of port k, and the warp whose operands it reports as collected, of any inputs that
 * have such rows. */
#define ROWS_WRITE(in, k) rows_write((in)->wb_warp, (in)->wb_reg, (in)->wb_size, (in)->wb_pred, k)
#define ROWS_COLLECTED(in, k) row_field((in)->col_warp, ROW_WARP, k)

/* Port k writes back. */
static inline void rows_put_write(struct sm_frontend_in *in, unsigned k, struct row_write w) {
  in->wb_valid |= ROW_BIT(k);
  row_put(&in->wb_warp, ROW_WARP, k, w.warp);
  row_put(&in->wb_reg, ROW_REG, k, w.reg);
  row_put(&in->wb_size, ROW_SIZE, k, w.size);
  row_put(&in->wb_pred, 1, k, w.pred);
}

/* Port k reports a collection of a warp. */
static inline void rows_put_collected(struct sm_frontend_in *in, unsigned k, unsigned warp) {
  in->col_valid |= ROW_BIT(k);
  row_put(&in->col_warp, ROW_WARP, k, warp);
}

#endif
