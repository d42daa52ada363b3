/* Output: the data segment, shared memory, and the words of a kernel. */
#ifndef TANDEM_PTX_EMIT_H
#define TANDEM_PTX_EMIT_H

#include "csim/isa/ptx/ir/ir.h"

/* Places .global and .const variables in the data segment of p and fills it. */
void ptx_place_data(struct ptx *x, struct ptx_module *m, struct isa_program *p);
/* Places the .shared variables and the .local ones of the module that f and the functions it calls
 * use, and what their instructions need there; k gets the bytes.  Its parameters are placed. */
void ptx_place_memory(struct ptx *x, struct ptx_module *m, struct ptx_func *f,
                      struct isa_kernel *k);
/* Appends the words to the program and fills the kernel. */
void ir_emit(struct ir *ir, struct isa_program *p, struct isa_kernel *k);

#endif
