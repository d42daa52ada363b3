/* The translator from PTX to programs.
 *
 * Its stages, in order, each in its own folder; translate.c runs them:
 *   parse    text -> struct ptx_module (the statements, registers resolved)
 *   select   instructions -> machine IR (ir/ir.h), calls inlined on the way
 *   ir       blocks of the machine IR, dominators, post-dominators, loops
 *   opt      copy and constant propagation, dead code, constants out of loops
 *   alloc    liveness, registers, spilling
 *   emit     variables -> offsets and the data segment; layout, reconvergence PCs, words
 * The folder base has what all of them use.
 */
#ifndef TANDEM_PTX_H
#define TANDEM_PTX_H

#include "csim/isa/core/program.h"

/* PTX text to a program.  Options may be NULL. */
struct ptx_options {
  unsigned max_regs; /* registers to allocate, 8 to 32; 0: 32 */
  const char *keep;  /* folder for the PTX of an OpenCL C file, NULL: it is not kept */
  /* By the number of registers that a kernel needs: over how many its values are spread, so that
   * fewer of them wait for an earlier use of their register.  0: as few as possible. */
  uint8_t spread[ISA_REGS + 1];
};
int ptx_translate(const char *text, const char *name, const struct ptx_options *opt,
                  struct isa_program **p, struct tandem_error *err);

#endif
