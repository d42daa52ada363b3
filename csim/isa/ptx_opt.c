#include "csim/isa/ptx_ir.h"
void ir_optimise(struct ir *ir) { (void)ir; }
