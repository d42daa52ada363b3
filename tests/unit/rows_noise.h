/* Noise for rows of ports (csim/ports/pipeline_rows.h): nothing may depend on a field whose valid
 * bit is not set, also while others are. */
#ifndef TANDEM_TEST_ROWS_NOISE_H
#define TANDEM_TEST_ROWS_NOISE_H

#include "csim/ports/pipeline_rows.h"
#include "tests/unit/testing.h"

/* A row of n fields with a random value in each field that means nothing. */
static inline uint64_t row_noise(uint64_t row, unsigned width, unsigned n, uint64_t valid,
                                 struct rng *noise) {
  for (unsigned k = 0; k < n; k++)
    if (!row_bit(valid, k))
      row_put(&row, width, k, rng_next(noise) & port_mask(width));
  return row;
}

/* The rows of all write-backs and collections: of a front end, or of the scoreboard, which may have
 * more ports of memory. */
#define ROWS_NOISE(in, writes, noise)                                                              \
  do {                                                                                             \
    (in)->wb_warp = row_noise((in)->wb_warp, ROW_WARP, writes, (in)->wb_valid, noise);             \
    (in)->wb_reg = row_noise((in)->wb_reg, ROW_REG, writes, (in)->wb_valid, noise);                \
    (in)->wb_size = row_noise((in)->wb_size, ROW_SIZE, writes, (in)->wb_valid, noise);             \
    (in)->wb_pred = row_noise((in)->wb_pred, 1, writes, (in)->wb_valid, noise);                    \
    (in)->col_warp = row_noise((in)->col_warp, ROW_WARP, ROW_PORTS, (in)->col_valid, noise);       \
  } while (0)

#endif
