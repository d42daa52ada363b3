/* The base of the translator's stages: memory and errors of a translation, types, and the module as
 * it is parsed.
 *
 * All memory of a translation lives in one arena and is freed with it; an error leaves through
 * ptx_fail, which unwinds to ptx_translate.
 */
#ifndef TANDEM_PTX_BASE_H
#define TANDEM_PTX_BASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/isa/core/program.h"

struct ptx_chunk;
struct ptx_name;

/* A translation in progress. */
struct ptx {
  const char *file;      /* name for messages */
  const uint8_t *spread; /* of struct ptx_options */
  struct tandem_error *err;
  jmp_buf unwind;
  int status;               /* negative errno of the error that unwound */
  struct ptx_chunk *chunks; /* the arena */
  struct ptx_name **names;  /* hash table of interned identifiers */
  const char *pos;          /* lexer: next character */
  unsigned line;            /* lexer: its line */
};

_Noreturn void ptx_fail(struct ptx *x, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
_Noreturn void ptx_fail_code(struct ptx *x, int status, const char *text);

/* Zeroed memory that lives until the end of the translation. */
void *ptx_alloc(struct ptx *x, size_t bytes);
void ptx_release(struct ptx *x);

/* A growing array in the arena: PTX_PUSH(x, array, count, capacity) is an lvalue of a new element.
 */
void *ptx_grow(struct ptx *x, void *old, size_t count, size_t *cap, size_t size);
#define PTX_PUSH(x, a, n, cap)                                                                     \
  (*((a) = (n) < (cap) ? (a) : ptx_grow((x), (a), (n), &(cap), sizeof *(a)), &(a)[(n)++]))

/* ---- types ---- */

enum ptx_type {
  PTX_NONE,
  PTX_PRED,
  PTX_B8,
  PTX_B16,
  PTX_B32,
  PTX_B64,
  PTX_U8,
  PTX_U16,
  PTX_U32,
  PTX_U64,
  PTX_S8,
  PTX_S16,
  PTX_S32,
  PTX_S64,
  PTX_F16,
  PTX_F16X2,
  PTX_F32,
  PTX_F64,
  PTX_TYPES
};
enum ptx_type ptx_type_of(const char *name); /* "u32" to PTX_U32, PTX_NONE if it is none */
unsigned ptx_bits(enum ptx_type t);
static inline bool ptx_signed(enum ptx_type t) { return t >= PTX_S8 && t <= PTX_S64; }
static inline bool ptx_float(enum ptx_type t) { return t >= PTX_F16 && t <= PTX_F64; }

/* ---- tokens ---- */

enum ptx_tok {
  PTX_T_END,
  PTX_T_ID,  /* identifier, % and $ included */
  PTX_T_DOT, /* .word: text without the dot */
  PTX_T_INT,
  PTX_T_F32, /* 0f...: bits in value */
  PTX_T_F64, /* 0d... and decimal fractions */
  PTX_T_STR,
  PTX_T_PUNCT /* one character in value */
};

struct ptx_token {
  enum ptx_tok kind;
  unsigned line;
  const char *text; /* interned */
  uint64_t value;
};

/* ---- the parsed module ---- */

/* A constant expression as it is written; PTX's 64-bit arithmetic, signed unless is_unsigned. */
struct ptx_expr {
  enum {
    PTX_E_NUMBER, /* token */
    PTX_E_NAME,   /* token: WARP_SZ */
    PTX_E_SIGN,   /* op, then right */
    PTX_E_PAIR,   /* left op right; left is NULL behind a register or a name */
    PTX_E_GROUP   /* right in parentheses */
  } kind;
  char op; /* + - * / % & | ^ ~ and << >> as < > */
  bool is_unsigned;
  struct ptx_token token;
  const struct ptx_expr *left, *right;
  uint64_t value;
};

/* The words between a space and a name, as written. */
struct ptx_shape {
  enum ptx_type type;
  unsigned vector;      /* elements of .v2, .v4; 1 */
  uint32_t align;       /* 0: not given */
  bool ptr, in_space;   /* .ptr, and .ptr with a space */
  uint32_t ptr_align;   /* alignment of what is pointed to; 0: not given */
  enum isa_space space; /* of what is pointed to */
};

/* A variable: .global .const .shared .local, a kernel's parameter, or a .param of a call. */
struct ptx_var {
  const char *name;
  unsigned line;
  enum isa_space space;
  enum ptx_type type;
  uint64_t size;  /* bytes */
  uint32_t align; /* bytes */
  bool external;  /* .extern: for .shared, the dynamic part */
  struct ptx_shape shape;
  const struct ptx_expr **dims; /* of an array, NULL for [] */
  unsigned ndims;
  struct ptx_init *init; /* list of initial values, in the order of the text */
  uint32_t offset;       /* in its space, once placed */
  bool placed;
  int slot; /* call parameters: index of the variable in its function */
  int reg;  /* a parameter that is a register: its number, else -1 */
};

/* An initial value, or a brace around some. */
struct ptx_init {
  enum { PTX_INIT_VALUE, PTX_INIT_OPEN, PTX_INIT_CLOSE } kind;
  struct ptx_init *next;
  uint64_t at; /* byte offset in the variable */
  unsigned bytes;
  uint64_t value;
  const char *symbol; /* or NULL: address of a variable plus value */
  bool generic;       /* generic(symbol) */
  const struct ptx_expr *expr;
  unsigned line;
};

/* A declared register. */
struct ptx_reg {
  const char *name; /* for messages */
  enum ptx_type type;
};

enum ptx_opkind {
  PTX_O_REG,
  PTX_O_IMM, /* integer */
  PTX_O_F32,
  PTX_O_F64,
  PTX_O_VAR,  /* a variable of the function + value */
  PTX_O_NAME, /* label, function, module variable + value, special register */
  PTX_O_SINK, /* _ */
  PTX_O_VEC
};

struct ptx_operand {
  enum ptx_opkind kind;
  bool mem;                    /* in brackets */
  bool neg;                    /* !p */
  int reg;                     /* PTX_O_REG; of "p|q" the first */
  int reg2;                    /* the second of "p|q", -1 for none and for _ */
  int64_t value;               /* immediate, bits, or offset */
  const struct ptx_expr *expr; /* that value as it is written; NULL: none */
  const char *name;            /* as written, NULL for a number */
  const char *second;          /* q of "p|q" */
  const char *suffix;          /* of a special register: x, y, z; of a register: b0 to b3, h0, h1 */
  struct ptx_var *var;
  struct ptx_operand *elems; /* PTX_O_VEC */
  unsigned nelems;
};

enum { PTX_MAX_MODS = 12, PTX_MAX_OPS = 6 };

enum ptx_stmt_kind { PTX_S_INST, PTX_S_LABEL, PTX_S_CALL, PTX_S_TARGETS };

struct ptx_stmt {
  enum ptx_stmt_kind kind;
  unsigned line;
  const char *op; /* opcode, label or name of the target list */
  const char *mods[PTX_MAX_MODS];
  unsigned nmods;
  int guard; /* register or -1 */
  const char *guard_name;
  bool guard_neg;
  struct ptx_operand ops[PTX_MAX_OPS];
  unsigned nops;
  /* calls: callee, actual parameters, prototype; target lists: the labels in args */
  struct ptx_operand callee, prototype;
  struct ptx_operand *rets, *args;
  unsigned nrets, nargs;
  bool has_rets, has_args, has_prototype;
};

/* A declaration: of registers, or of variables of one space. */
struct ptx_declaration {
  bool regs;
  enum isa_space space;
  struct ptx_shape shape;
  struct {
    const char *name;
    const struct ptx_token *count; /* registers: n of name<n>, or NULL */
    const struct ptx_var *var;
  } * list;
  size_t n, cap;
};

/* The text in its order: each token is part of one item. */
struct ptx_item {
  enum {
    PTX_I_TOKEN, /* braces, linkage, directives without effect on the code */
    PTX_I_DECL,
    PTX_I_FUNC, /* .entry or .func, name and parameters */
    PTX_I_STMT  /* statement `index` of func */
  } kind;
  struct ptx_token token;
  const struct ptx_declaration *decl;
  const struct ptx_func *func;
  size_t index;
};

struct ptx_func {
  const char *name;
  unsigned line;
  bool entry, body;
  bool has_rets, has_params;       /* lists given, empty ones too */
  struct ptx_var **params, **rets; /* formal parameters and results */
  size_t nparams, nrets, cparams, crets;
  struct ptx_reg *regs;
  size_t nregs, cregs;
  struct ptx_var **vars; /* all variables declared in the body */
  size_t nvars, cvars;
  struct ptx_stmt *stmts;
  size_t nstmts, cstmts;
  uint32_t reqntid[3];
  bool active;            /* being inlined: meeting it again is recursion */
  uint64_t inlined;       /* instructions with those of its calls, plus 1; 0: not counted yet */
  struct ptx_func *alias; /* the function that it is another name of, or NULL */
};

struct ptx_module {
  unsigned address_bits;   /* 32 or 64 */
  bool doubles_are_floats; /* .target ..., map_f64_to_f32 */
  struct ptx_item *items;
  size_t nitems, citems;
  struct ptx_func **funcs;
  size_t nfuncs, cfuncs;
  struct ptx_var **vars; /* module scope */
  size_t nvars, cvars;
  struct ptx_alias *aliases; /* in the order of the text */
  size_t naliases, caliases;
  /* Variables that no text declares, for the kernel in translation; NULL: it needs none. */
  struct ptx_var *counted; /* the shared word in which bar.red counts */
  struct ptx_var *copied;  /* the copy of the parameters in local memory, for cvta.param */
};

/* .alias name, of */
struct ptx_alias {
  const char *name, *of;
  unsigned line;
};

struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name);
struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name);

enum {
  PTX_WIDEST = 16,           /* bytes of the widest access */
  PTX_MOST_LOCAL = 16 << 20, /* bytes that variables take of a thread's local memory */
};
/* Where a variable is put must be a multiple of this: what it declares, or the widest access that
 * fits it if that is more, for code that reads arrays of bytes as vectors. */
uint32_t ptx_alignment(const struct ptx_var *v);

#endif
