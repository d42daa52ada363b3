/* Passes that make a failing program smaller, one for each kind of thing.  A pass tries
 * candidates made of judge.best, and leaves the best there. */
#ifndef TANDEM_SHRINK_PASSES_H
#define TANDEM_SHRINK_PASSES_H

#include "harness/shrink/judge.h"

/* Settings of the run that show the failure sooner: states compared in each cycle, hangs seen
 * after fewer cycles. */
void pass_settings(struct judge *j);

/* launches.c: steps; grids, blocks, numbers of rounds; arguments and other parts of launches; SMs;
 * keys of the GPU that can have their defaults. */
void pass_steps(struct judge *j);
void pass_shapes(struct judge *j);
void pass_arguments(struct judge *j);
void pass_gpu(struct judge *j);

/* buffers.c: buffers, what they hold at first, their sizes. */
void pass_buffers(struct judge *j);

/* instructions.c: instructions; their guards, modifiers, immediates; memory of kernels. */
void pass_instructions(struct judge *j);
void pass_operands(struct judge *j);

/* source.c: the text of an OpenCL C program, by cvise. */
void pass_source(struct judge *j);

#endif
