/* Printing a program twice: as OpenCL C, and as C in which a value is an array of its lanes.
 * Declarations and statements are those of both languages (print.c); expressions are not
 * (print_cl.c, print_c.c). */
#ifndef TANDEM_RANDOM_CL_PRINT_H
#define TANDEM_RANDOM_CL_PRINT_H

#include "harness/random_cl/tree.h"

struct printer {
  FILE *out;
  const struct program *p;
  const bool *kept;   /* the parts that are there; NULL: all */
  const char *broken; /* an operation that the C computes wrong on purpose; NULL: none */
  bool c;             /* C, not OpenCL C */
  bool leave;         /* within a loop that is there */
  unsigned values, level;
};

/* Prints the program; in C also a function `run_INDEX`, which runs its kernel. */
void print_program(struct printer *w);

/* Prints a text with: %s, %u, %x, %d as printf; %e a scalar expression (in C as `({ ...; })`), %p
 * the place in memory of a reference, %v a variable, %t a shape in OpenCL C, %T a type, %D its
 * dimensions after a name, %i the program's index, %l a new line. */
void say(struct printer *w, const char *format, ...);
/* A number of a type: its lowest bytes. */
void print_number(struct printer *w, enum base base, uint64_t bits);
/* The expression that is printed in the place of e, which may have been left out. */
const struct expr *shown(const struct printer *w, const struct expr *e);

/* print_cl.c: an expression, in parentheses or a call; lanes as ".s01". */
void print_cl(struct printer *w, const struct expr *e);
void print_lanes(struct printer *w, const struct expr *e);
/* print_c.c: statements that compute an expression in a new variable, whose number is returned. */
unsigned compute(struct printer *w, const struct expr *e);

#endif
