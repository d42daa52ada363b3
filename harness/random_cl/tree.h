/* A random program as a tree, which is made once (make.c, expressions.c) and printed twice: as
 * OpenCL C (print_cl.c) and as C (print_c.c).
 *
 * Statements, expressions, variables, types and functions are numbered parts.  Any of them may be
 * left out: a statement is not printed then, an expression becomes an operand of the same shape, or
 * 1.  The rest is sound again, so a reducer works on a list of the parts that are kept. */
#ifndef TANDEM_RANDOM_CL_TREE_H
#define TANDEM_RANDOM_CL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum base { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, BASES };

/* A scalar (width 1) or a vector. */
struct shape {
  enum base base;
  unsigned width;
};

enum { TYPES = 64, LANES = 16, MEMBERS = 4, STEPS = 6, PARAMETERS = 4 };

/* A type of a variable: a value, or elements, or members. */
struct type {
  enum { PLAIN, ARRAY, STRUCT, UNION } kind;
  struct shape shape; /* of PLAIN */
  unsigned n;         /* elements, or members */
  unsigned part, number;
  const struct type *of[MEMBERS]; /* of ARRAY the first */
};

/* An initialiser: of elements or members, the first n of which are given, or a value. */
struct init {
  const struct expr *value; /* NULL: a list */
  unsigned n;
  const struct init *of[LANES];
};

struct variable {
  enum { PRIVATE, CONSTANT, LOCAL, PARAMETER, COUNT } space; /* COUNT: of a loop */
  const struct type *type;
  const struct init *init; /* NULL: none */
  unsigned part, number;
  struct variable *next;
};

enum { DEFAULT = 15, FOLLOWS = 16, INPUT_WORDS = 4096 };

enum class { INTS, UNSIGNED, FLOATS, ALL, TRUTH, SHORTER, ANY_ALL };
/* An operation of ops.def. */
struct op {
  const char *name, *text;
  enum class class;
  const char *operands;
};
extern const struct op ops[];
extern const size_t ops_count;

enum convert { TO_PLAIN, TO_RTE, TO_RTZ, TO_RTP, TO_RTN };
enum load { LOAD_CAST, LOAD_VLOAD };
enum { ITEM_FUNCTIONS = 9 };
extern const char *const item_functions[ITEM_FUNCTIONS];

struct expr {
  enum {
    CONST,   /* bits */
    REF,     /* a variable, and steps to one of its values: an index in a[k], a member in lane[k] */
    LOAD,    /* input words at index a[0]; lane[0]: enum load */
    ITEM,    /* the work-item function lane[0] of dimension lane[1] */
    OP,      /* op */
    SWIZZLE, /* lanes of a[0] */
    BUILD,   /* of a[0] to a[n-1]; of one scalar: in all lanes */
    CONVERT, /* a[0]; lane[0]: enum convert, lane[1]: saturated, lane[2]: a cast of a scalar */
    AS,      /* the bits of a[0]; those of a NaN are the same on all machines */
    SHUFFLE, /* shuffle(a[0], a[1]), or shuffle2(a[0], a[1], a[2]) */
    CALL
  } kind;
  struct shape shape;
  unsigned part, n; /* n: operands, or steps */
  const struct expr *a[LANES];
  uint64_t bits[LANES];
  uint8_t lane[LANES];
  const struct op *op;
  const struct variable *var;
  const struct function *function;
};

struct statement {
  enum {
    ASSIGN, /* to = value; `to` is a REF, or a SWIZZLE of one */
    IF,     /* value: then body, else other */
    LOOP,   /* form: body, var counts to value % limit (DO, GOTO: once at least) */
    SWITCH, /* value: `limit` cases; flow: the label, DEFAULT, and whether the next one FOLLOWS */
    SKIP,   /* value: goto the end of body */
    LEAVE,  /* value: break, or continue if limit is 1 */
    RETURN, /* value: return the value `to` */
    SHARE,  /* var[local id] = value; barrier; body; barrier */
    COPY,   /* var by an asynchronous copy from element `limit`, every stride-th; body; barrier */
    TALLY,  /* counters var = limit; barrier; body with ATOMIC; barrier; other; barrier */
    ATOMIC, /* the operation atomics[number] with value; var NULL: on one in global memory */
    SUM     /* of all values of var, as result `number` */
  } kind;
  enum { FOR, WHILE, DO, GOTO } form;
  unsigned part, number, limit, stride;
  const struct expr *to, *value;
  const struct variable *var;
  struct statement *body, *other, *cases[8], *next;
  uint8_t flow[8];
};

struct function {
  unsigned part, number, nparameters;
  unsigned size; /* operations on scalars, those of its calls too */
  struct shape result;
  bool noinline_;
  struct variable *parameters[PARAMETERS], *vars;
  struct statement *body;
  const struct expr *value; /* that it returns; NULL: a kernel */
  struct function *next;
};

/* Atomic operations whose results do not depend on their order, with a counter for each kind. */
enum { COUNTERS = 16 };
struct atomic {
  const char *name, *c;
  enum base base;
  uint8_t counter;
  bool wide, alone; /* of 64 bits; without an operand */
};
extern const struct atomic atomics[];
extern const size_t atomics_count;

struct program {
  uint64_t seed, index;
  unsigned nparts, results; /* results: 64-bit words that an item leaves */
  unsigned grid[3], block[3], dims, items;
  const struct type *types[TYPES];
  size_t ntypes;
  unsigned shared; /* bytes of local memory */
  struct variable *constants, *locals;
  struct function *functions; /* the kernel last */
  const struct expr *ones[BASES][LANES + 1];
  char *room; /* of all that the program is made of */
  size_t used;
};

extern const char *const base_names[BASES], *const c_names[BASES];
static inline unsigned size_of(enum base b) {
  return (const uint8_t[]){1, 1, 2, 2, 4, 4, 8, 8, 4, 8}[b];
}
static inline bool is_float(enum base b) { return b >= FLOAT; }
static inline bool is_signed(enum base b) { return b < FLOAT && b % 2 == 0; }
/* The integer type of a size, signed or not. */
static inline enum base integer(unsigned size, bool is_unsigned) {
  return (enum base)((size == 1   ? CHAR
                      : size == 2 ? SHORT
                      : size == 4 ? INT
                                  : LONG) +
                     (int)is_unsigned);
}
static inline bool same(struct shape a, struct shape b) {
  return a.base == b.base && a.width == b.width;
}
/* The type after `steps` steps of a reference. */
const struct type *type_at(const struct expr *ref, unsigned steps);

/* 64-bit words of its results: counters, and those of its items. */
static inline size_t program_words(const struct program *p) {
  size_t items = p->items;
  for (unsigned d = 0; d < 3; d++)
    items *= p->grid[d];
  return COUNTERS + items * p->results;
}

#endif
