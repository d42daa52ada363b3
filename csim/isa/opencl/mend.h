/* Faults of the compiler in what it writes, mended. */
#ifndef TANDEM_OPENCL_MEND_H
#define TANDEM_OPENCL_MEND_H

#include <stdbool.h>

/* Mends three faults of clang 14's PTX, but in assembly of the source: rotations, whose amounts it
 * takes modulo the width but writes as shifts that clamp; a widened value shifted by 31 or 15, for
 * which it multiplies by the negative power of two; and a field of a signed value that reaches
 * beyond its sign, which it takes from zeros.  Lines keep their numbers.  A new text for the caller
 * to free; NULL if memory ends. */
char *opencl_mend_ptx(const char *ptx);

/* Returns whether clang's PTX may convert one bit with a sign to a float: clang 14 makes it +1. The
 * same text is right for a number that is 0 or 1, so that only the IR tells. */
bool opencl_may_convert_bits(const char *ptx);

/* Returns whether clang's PTX may read a variable element of a vector with a generic load instead
 * of one from the vector's space.  Others may have generic loads, too. */
bool opencl_may_forget_space(const char *ptx);

/* Returns whether clang's PTX may load one of several fields of a byte, and whether its optimised
 * IR does.  clang 14 takes fields of four bits, two, or one, for bytes. */
bool opencl_may_split_bytes(const char *ptx);
bool opencl_splits_bytes(const char *ir);

/* The LLVM IR with other forms of these conversions and elements.  A new text for the caller to
 * free; NULL if memory ends. */
char *opencl_mend_ir(const char *ir);

#endif
