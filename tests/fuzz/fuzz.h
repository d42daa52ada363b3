/* Targets of libFuzzer: each reads bytes as one of the program's inputs.  A crash, a leak, an
 * undefined operation, or an input that takes seconds is a defect. */
#ifndef TANDEM_TESTS_FUZZ_H
#define TANDEM_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Reads one input: a text of n bytes and a 0 behind them. */
void fuzz_one(const char *text, size_t n);

/* The path of a file with these bytes, the same file each time. */
const char *fuzz_file(const char *text, size_t n);

/* Aborts: two ways to the same result differ. */
_Noreturn void fuzz_differ(const char *what);

#endif
