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
  const char *file; /* name for messages */
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

/* ---- the parsed module ---- */

/* A variable: .global .const .shared .local, a kernel's parameter, or a .param of a call. */
struct ptx_var {
  const char *name;
  unsigned line;
  enum isa_space space;
  enum ptx_type type;
  uint64_t size;  /* bytes */
  uint32_t align; /* bytes */
  bool external;  /* .extern: for .shared, the dynamic part */
  bool ptr;       /* parameter declared .ptr */
  enum isa_space ptr_space;
  struct ptx_init *init; /* list of initialised bytes */
  uint32_t offset;       /* in its space, once placed */
  bool placed;
  int slot; /* call parameters: index of the variable in its function */
};

/* One initialised element. */
struct ptx_init {
  struct ptx_init *next;
  uint64_t at; /* byte offset in the variable */
  unsigned bytes;
  uint64_t value;
  const char *symbol; /* or NULL: address of a variable plus value */
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
  bool mem;      /* in brackets */
  bool neg;      /* !p, or - before a register */
  int reg;       /* PTX_O_REG; of "p|q" the first */
  int reg2;      /* the second of "p|q", else -1 */
  int64_t value; /* immediate, bits, or offset */
  const char *name;
  const char *suffix; /* suffix of a special register: x, y, z */
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
  bool guard_neg;
  struct ptx_operand ops[PTX_MAX_OPS];
  unsigned nops;
  /* calls: callee and actual parameters; target lists: the labels in args */
  struct ptx_operand callee;
  struct ptx_operand *rets, *args;
  unsigned nrets, nargs;
};

struct ptx_func {
  const char *name;
  unsigned line;
  bool entry, body;
  struct ptx_var **params, **rets; /* formal parameters and results */
  size_t nparams, nrets, cparams, crets;
  struct ptx_reg *regs;
  size_t nregs, cregs;
  struct ptx_var **vars; /* all variables declared in the body */
  size_t nvars, cvars;
  struct ptx_stmt *stmts;
  size_t nstmts, cstmts;
  uint32_t reqntid[3];
  bool active; /* being inlined: meeting it again is recursion */
};

struct ptx_module {
  unsigned address_bits; /* 32 or 64 */
  struct ptx_func **funcs;
  size_t nfuncs, cfuncs;
  struct ptx_var **vars; /* module scope */
  size_t nvars, cvars;
};

struct ptx_func *ptx_find_func(const struct ptx_module *m, const char *name);
struct ptx_var *ptx_find_var(const struct ptx_module *m, const char *name);

enum { PTX_WIDEST = 16 }; /* bytes of the widest access */
/* Where a variable is put must be a multiple of this: what it declares, or the widest access that
 * fits it if that is more, for code that reads arrays of bytes as vectors. */
uint32_t ptx_alignment(const struct ptx_var *v);

#endif
