/* Cases of single PTX instructions: texts, edges of their sources, and what they give. */
#ifndef TANDEM_TEST_VALUES_H
#define TANDEM_TEST_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t u64;
typedef int64_t s64;

struct value_case {
  char text[200]; /* sources %la %lb %lc: 64 bits, %ra ... 32, %ha ... 16, %da, %fa; results %l0 ...
                   */
  char result;    /* l r h d f p: its register */
  const u64 *edges;
  unsigned nedges, sources; /* all tuples of edges for one, two or three sources */
  u64 (*want)(const struct value_case *c, u64 a, u64 b, u64 d);
  unsigned to, from, mode; /* for want: types, rounding */
  bool flag[4];
};
typedef u64 want_fn(const struct value_case *c, u64 a, u64 b, u64 d);

/* Adds a case and returns it for its text and whatever `want` reads. */
struct value_case *values_add(char result, const u64 *edges, size_t bytes, unsigned sources,
                              want_fn *want);

/* Translates all cases as kernels of one module, runs them, compares, and forgets them. */
void values_run(void);

/* ---- types ---- */

enum { U8, S8, U16, S16, U32, S32, U64, S64, INTEGERS, F16 = INTEGERS, F32, F64, TYPES };
extern const char *const value_types[TYPES];
unsigned value_width(unsigned t); /* bits */
bool value_signed(unsigned t);
char value_letter(unsigned t); /* of the registers of a source or a result */

/* The value of the bits of a float type; the bits, rounded to nearest, of a value. */
double value_of(unsigned t, u64 bits);
u64 value_bits(unsigned t, double v);
u64 value_half(long double v);

#endif
