/* Making the tree of a random program: what its expressions and its statements share. */
#ifndef TANDEM_RANDOM_CL_MAKE_H
#define TANDEM_RANDOM_CL_MAKE_H

#include "harness/random_cl/tree.h"

enum { SCOPE = 256 };

struct maker {
  struct program *p;
  uint64_t state; /* of the random numbers */
  const struct variable *scope[SCOPE];
  size_t nscope; /* variables that may be read, the last ones innermost */
  unsigned numbers;
  unsigned calls, indices; /* calls that this function may still have; indices within indices */
  unsigned size;           /* of the function so far */
  struct function *function;
};

/* `bytes` of zeros that end with the program. */
void *maker_take(struct maker *m, size_t bytes);
/* True once a program is so large that only what is short is added. */
bool maker_full(const struct maker *m);
/* A random number below n; true in `percent` of cases. */
unsigned pick(struct maker *m, unsigned n);
bool chance(struct maker *m, unsigned percent);
uint64_t any_bits(struct maker *m);

struct shape any_shape(struct maker *m);
/* An expression of a shape, at most `depth` operations deep. */
const struct expr *expression(struct maker *m, struct shape shape, unsigned depth);
/* A random constant, and that of a whole number in all lanes. */
const struct expr *constant(struct maker *m, struct shape shape);
const struct expr *constant_of(struct maker *m, struct shape shape, int64_t value);
/* A reference to a random one of a variable's values, and whether that lies in a union. */
struct expr *reference(struct maker *m, const struct variable *v);
bool is_punned(const struct expr *ref);
/* Another shape of an expression: lanes, conversions. */
const struct expr *adapt(struct maker *m, const struct expr *e, struct shape shape);
/* The bits of an expression as another shape of the same size. */
const struct expr *bits_of(struct maker *m, const struct expr *e, struct shape shape);
/* A new node. */
struct expr *node(struct maker *m, int kind, struct shape shape, unsigned n);

#endif
