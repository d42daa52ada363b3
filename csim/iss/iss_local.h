/* The state of the check, and the functions that its files share. */
#ifndef TANDEM_ISS_LOCAL_H
#define TANDEM_ISS_LOCAL_H

#include "csim/isa/lanes/lanes.h"
#include "csim/iss/iss.h"
#include "csim/iss/stack.h"

enum { ISS_WARPS = 48, ISS_PREDS = 16, ISS_PLANES = 4 };

struct iss_warp {
  _Alignas(64) bool started;
  struct iss_stack stack;
  _Alignas(64) uint32_t preds[ISS_PREDS];
  struct warp_place place;
  _Alignas(64) uint32_t regs[ISA_REGS][ISA_WARP_SIZE];
};

struct iss {
  const struct grid *grid;
  unsigned sm;
  uint64_t checked;
  struct iss_mismatch bad;
  struct iss_warp warp[ISS_WARPS];
};

/* The result that an instruction must have, in its executing lanes. */
struct iss_result {
  _Alignas(64) uint32_t d[ISS_PLANES][ISA_WARP_SIZE];
  uint32_t exec;
  uint32_t pred;
};

/* values.c: the lanes that execute; result of an ALU instruction.  False: the value is the
 * machine's own (a clock, the role of an interface unit). */
uint32_t iss_pred(const struct iss_warp *w, unsigned field);
bool iss_compute(const struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                 struct iss_result *r);

/* vector.c: n planes.  Lanes of mask in which x and y differ are counted as any set bit. */
uint32_t iss_differ(const uint32_t *x, const uint32_t *y, uint32_t mask, unsigned n);
/* The same for y = base + offset. */
uint32_t iss_differ_offset(const uint32_t *x, const uint32_t *base, uint32_t offset, uint32_t mask);
/* The same, and x becomes the register's value in the lanes of mask. */
uint32_t iss_differ_write(uint32_t *restrict reg, const uint32_t *restrict x,
                          const uint32_t *restrict y, uint32_t mask, unsigned n);

#endif
