/* The machine IR: virtual registers. */
#include "csim/isa/ptx/ir/ir.h"

int ir_new(struct ir *ir, unsigned width, bool pred) {
  struct ir_vreg *v = &PTX_PUSH(ir->x, ir->vregs, ir->nvregs, ir->cvregs);
  *v = (struct ir_vreg){.width = (uint8_t)width, .pred = pred, .unit = ir->nunits, .reg = -1};
  ir->nunits += (int)width;
  return (int)ir->nvregs - 1;
}
