/* Cases of built-in functions: one function at one type and width, its kernel and its judge. */
#ifndef BUILTINS_CASE_H
#define BUILTINS_CASE_H

#include "tests/builtins/types.h"

/* Work-items of a CTA.  A solid launch has 32 x 6 x 8 work-items. */
enum { BLOCK = 32, SOLID_X = 32, SOLID_Y = 6, SOLID_Z = 8 };
enum { CONSTANTS = 8 };
enum { INPUTS = 4, OUTPUTS = 2, BODY = 2800, MOST_WIDTH = 16, SCRATCH_BITS = 4400 };

/* Values that an operand takes beside random ones. */
enum domain {
  ANY,
  BITS24,  /* integers of 24 bits */
  REDUCED, /* reals of a magnitude up to 65536 */
  POSITIVE /* reals of 2^-20 to 2^20 */
};

struct operand {
  enum type type;
  unsigned n; /* elements of a work-item */
};

struct item;
struct builtin_case {
  const char *group; /* "math", ...; a section of the page */
  char name[48];     /* "sin", "convert_char_sat_rte" */
  char type[24];     /* column of the page: "float" */
  char variant[40];  /* "float4, local" */
  unsigned width;
  unsigned nin, nout;
  struct operand in[INPUTS], out[OUTPUTS];
  enum domain domain;
  double allowed;  /* ulp; 0: the correctly rounded value */
  char body[BODY]; /* of the kernel: `i` is the work-item, a0... inputs, r0... outputs */
  /* Compares what one work-item wrote. */
  void (*judge)(struct item *item);
  const void *oracle; /* the judge's own */
  enum type from;     /* conversions: source type, whether saturated, rounding */
  bool saturated;
  enum mode mode;
  /* Operands that the compiler knows, their number and types, and the scalar's judge (constants.c).
   */
  uint64_t constants[3][CONSTANTS];
  unsigned nconstants;
  enum type constant_types[3];
  void (*judge_scalar)(struct item *item);
  bool constant; /* inputs are in constant memory */
  bool solid;    /* launched as SOLID_GRID of SOLID_BLOCK instead of one dimension */
};

/* A work-item that is judged. */
struct item {
  const struct builtin_case *c;
  size_t index;
  const uint64_t *in[INPUTS], *got[OUTPUTS];
  const void *buffer[INPUTS]; /* inputs of all work-items */
  double worst;               /* ulp */
  bool failed;
  char text[400]; /* the first failure */
};

/* The judges' verdicts on element e of an output.  A NaN is any NaN. */
void expect_bits(struct item *it, unsigned out, unsigned e, uint64_t want);
/* Two values are right. */
void expect_either(struct item *it, unsigned out, unsigned e, uint64_t want, uint64_t other);
/* Within `allowed` ulp of the exact value; 0: its rounded value. */
void expect_real(struct item *it, unsigned out, unsigned e, const mpfr_t want, double allowed);
/* Within `bound` of the exact value, which is finite. */
void expect_within(struct item *it, unsigned out, unsigned e, const mpfr_t want,
                   const mpfr_t bound);

/* The value of input k that belongs to element e; scalars belong to all. */
static inline uint64_t item_in(const struct item *it, unsigned k, unsigned e) {
  return it->in[k][it->c->in[k].n == 1 ? 0 : e];
}

/* All cases.  Each family appends its own; free() takes the array. */
struct cases {
  struct builtin_case *list;
  size_t n, room;
  uint64_t seed; /* of constants */
};
struct builtin_case *case_add(struct cases *all); /* zeroed */
void cases_of_table(struct cases *all);           /* builtins.def */
void cases_of_conversions(struct cases *all);
void cases_of_memory(struct cases *all);
void cases_of_groups(struct cases *all);
void cases_of_shuffles(struct cases *all);
void cases_of_work_items(struct cases *all);

/* Adds the scalar case at a place of the list once more, with operands that the compiler knows: all
 * of them, and all but the first. */
void case_add_constants(struct cases *all, size_t number);

/* Appends to the body, as printf. */
void body_add(struct builtin_case *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "float4", "float" for width 1. */
const char *type_text(char *text, enum type t, unsigned width);
/* Adds an operand, and to the body its declaration: inputs are x0..., results go from `y` on. */
void case_input(struct builtin_case *c, enum type t, unsigned n);
/* Adds an operand without a text. */
void case_plain_input(struct builtin_case *c, enum type t, unsigned n);
void case_plain_output(struct builtin_case *c, enum type t, unsigned n);
/* A type's name in buffers: halves are ushorts there. */
const char *type_in_memory(enum type t);
/* Adds an output that takes the value of an expression. */
void case_output(struct builtin_case *c, enum type t, unsigned n, const char *value);

extern const unsigned widths[6]; /* 1 2 3 4 8 16 */

#endif
