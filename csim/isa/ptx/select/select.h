/* Instruction selection: its state, and the functions that its files share. */
#ifndef TANDEM_PTX_SELECT_H
#define TANDEM_PTX_SELECT_H

#include "csim/isa/ptx/ir/ir.h"

/* The modifiers of a PTX instruction, sorted out. */
enum ptx_round { PTX_RN, PTX_RZ, PTX_RM, PTX_RP };
enum ptx_part { PTX_PART_NONE, PTX_LO, PTX_HI, PTX_WIDE };
struct ptx_mods {
  enum ptx_type type, type2, type3; /* in the order of the text: destination first */
  enum ptx_round round;
  bool rounded, integral; /* a rounding was given; rni and its like */
  bool ftz, sat, cc, to, shiftamt, sync, uni;
  enum ptx_part part;
  enum isa_space space;
  bool has_space;
  unsigned vector;        /* 1, 2, 4 */
  const char *word[3];    /* other modifiers, in order: comparisons, operations, modes */
  unsigned nwords, asked; /* bit i of asked: the handler knows word i */
};

/* Where a variable of a function lives in this instance of it. */
struct sel_place {
  enum { SEL_UNSET, SEL_KERNEL_PARAM, SEL_LOCAL, SEL_SHARED, SEL_REGS } kind;
  uint32_t offset;          /* in its space */
  struct sel_place *alias;  /* a formal parameter: the caller's variable */
  struct sel_piece *pieces; /* SEL_REGS: the registers that hold it */
};
struct sel_piece {
  struct sel_piece *next;
  uint32_t offset;
  unsigned bits;
  int v;
};

/* One instance of a function, inlined or the kernel itself. */
struct sel_frame {
  struct sel_frame *caller;
  struct ptx_func *f;
  int *regs;                /* virtual register of each PTX register, -1: none yet */
  struct sel_place *places; /* by variable */
  const char **label_names;
  int *label_ids;
  size_t nlabels, clabels;
  int return_label;
};

/* Operations of a kernel before any is optimised away: as many as a program has places. */
enum { SEL_MOST_INSTS = 65536 };

struct sel {
  struct ptx *x;
  struct ptx_module *m;
  struct ptx_func *kernel;
  struct ir *ir;
  struct sel_frame *fr;
  const struct ptx_stmt *st;
  struct ptx_mods md;
  struct ir_ref guard;
  int cc;              /* register of the carry, -1: none yet */
  uint32_t local_used; /* stack of depots */
};

typedef void sel_handler(struct sel *s);

/* Translates the kernel f into ir (its parameters are placed). */
void ptx_select(struct ptx *x, struct ptx_module *m, struct ptx_func *f, struct ir *ir);

/* The modifiers that an instruction may have besides its type and its own words. */
enum {
  SEL_ROUND = 1,
  SEL_INTEGRAL = 2,
  SEL_FTZ = 4,
  SEL_SAT = 8,   /* of floats */
  SEL_ISAT = 16, /* of integers */
  SEL_CC = 32,
  SEL_PART = 64, /* .lo .hi .wide */
  SEL_SPACE = 128,
  SEL_VECTOR = 256,
  SEL_ORDER = 512,  /* .volatile, .relaxed and scopes: memory is in order for all */
  SEL_CACHE = 1024, /* hints to caches */
  SEL_APPROX = 2048,
  SEL_UNI = 4096,
  SEL_TO = 8192,
  SEL_SHIFTAMT = 16384,
  SEL_SYNC = 32768,
  SEL_TYPE2 = 65536,
  SEL_NO_TYPE = 131072,
  SEL_TYPE3 = 262144,
  SEL_FTZ_F64 = 524288 /* .approx.ftz of doubles */
};

/* Fails at the current PTX line. */
#define SEL_FAIL(s, ...) ptx_fail((s)->x, (s)->st->line, __VA_ARGS__)

/* ---- build.c ---- */

struct ir_ref sel_temp(struct sel *s, unsigned width);
/* A double as a float whose last bit is set if anything was cut off: rounding that to a half gives
 * what rounding the double gives, in each direction. */
struct ir_ref sel_odd_float(struct sel *s, struct ir_ref a);
struct ir_ref sel_ptemp(struct sel *s);
/* A half as a float, and a float rounded to a half in d with F2H's modifiers; both flush with .ftz.
 */
struct ir_ref sel_from_half(struct sel *s, struct ir_ref h);
void sel_to_half(struct sel *s, struct ir_ref d, struct ir_ref f, unsigned mods);
/* d = h, with .ftz a subnormal as a zero of its sign. */
void sel_flush_half(struct sel *s, struct ir_ref d, struct ir_ref h);
static inline struct ir_ref sel_sub(struct ir_ref r, unsigned unit) {
  return (struct ir_ref){.v = r.v, .sub = (uint8_t)(r.sub + unit), .n = 1};
}
static inline struct ir_ref sel_not(struct ir_ref p) {
  p.neg = !p.neg;
  return p;
}
/* Appends an operation under the guard of the PTX instruction, unless d is a temporary. */
struct ir_inst *sel_emit(struct sel *s, unsigned id, unsigned mods, struct ir_ref d,
                         struct ir_ref a, struct ir_ref b, struct ir_ref c);
struct ir_ref sel_const(struct sel *s, uint32_t value);
struct ir_ref sel_const64(struct sel *s, uint64_t value);
void sel_copy(struct sel *s, struct ir_ref d, struct ir_ref a);
void sel_label(struct sel *s, int label);
void sel_branch(struct sel *s, int label, struct ir_ref guard);
int sel_label_id(struct sel *s, const char *name);

/* ---- operand.c ---- */

/* Operand i as a source of type t: a register, or a constant in a temporary.  8- and 16-bit values
 * have undefined upper bits; sel_ext makes them whole 32-bit numbers. */
struct ir_ref sel_src(struct sel *s, unsigned i, enum ptx_type t);
struct ir_ref sel_src_op(struct sel *s, const struct ptx_operand *o, enum ptx_type t);
struct ir_ref sel_ext(struct sel *s, unsigned i, enum ptx_type t);
struct ir_ref sel_extend(struct sel *s, struct ir_ref a, enum ptx_type t);
struct ir_ref sel_pred(struct sel *s, unsigned i); /* predicate source */
struct ir_ref sel_dst(struct sel *s, unsigned i, enum ptx_type t);
struct ir_ref sel_dst_op(struct sel *s, const struct ptx_operand *o, enum ptx_type t);
/* Destination 0, of type t, and the predicate q of "d|q", IR_NIL if there is none. */
struct ir_ref sel_dst_pair(struct sel *s, enum ptx_type t, struct ir_ref *q);
struct ir_ref sel_reg(struct sel *s, int reg);    /* a register, whole */
unsigned sel_reg_bits(struct sel *s, unsigned i); /* declared width of a register operand, 0 else */
/* r plus the constant that stands behind the operand, if one does. */
struct ir_ref sel_plus(struct sel *s, const struct ptx_operand *o, struct ir_ref r,
                       enum ptx_type t);
/* Fails if the operand has brackets, a sign, a second name: none of which its instruction reads. */
void sel_need_plain(struct sel *s, const struct ptx_operand *o);
void sel_need_ops(struct sel *s, unsigned least, unsigned most);
void sel_need_type(struct sel *s, unsigned kinds); /* SEL_INT16 and its like, or error */
enum {
  SEL_INT16 = 1,
  SEL_INT32 = 2,
  SEL_INT64 = 4,
  SEL_F16 = 8,
  SEL_F32 = 16,
  SEL_F64 = 32,
  SEL_P = 64,
  SEL_INT8 = 128,
  SEL_INTS = SEL_INT16 | SEL_INT32 | SEL_INT64,
  SEL_FLOATS = SEL_F16 | SEL_F32 | SEL_F64
};
/* Place of a variable of the current function; address of a symbol as a number in a register. */
struct sel_place *sel_place_of(struct sel *s, const struct ptx_var *v);
struct ir_ref sel_address_of(struct sel *s, const struct ptx_operand *o, enum ptx_type t);
enum isa_space sel_space_of(struct sel *s, const struct ptx_operand *o); /* o is a symbol */

/* ---- mods.c ---- */

/* The modifiers of the current instruction, which may have those of `allowed`. */
struct ptx_mods sel_mods(struct sel *s, unsigned allowed);
bool sel_word(struct sel *s, const char *word); /* among what is left of the modifiers */
void sel_need_words(struct sel *s);             /* fails if nobody asked for one of them */
uint32_t sel_fmods(const struct sel *s);        /* ftz, sat and rounding as ISA modifiers */

/* ---- cvt.c ---- */

/* a, a whole number of type ts (32 or 64 bits wide), clamped to what td holds. */
struct ir_ref sel_clamp(struct sel *s, struct ir_ref a, enum ptx_type td, enum ptx_type ts);

/* ---- float.c: operations that integers have too ---- */

sel_handler sel_float_mul, sel_float_mad;
void sel_float_add(struct sel *s, bool minus);
void sel_float_extreme(struct sel *s, bool max);

/* ---- inline.c: calls ---- */

/* A new instance of f. */
void sel_new_frame(struct sel *s, struct sel_frame *fr, struct ptx_func *f);
/* The function that a call statement names, with as many parameters. */
struct ptx_func *sel_callee(struct sel *s, const struct ptx_stmt *st);
/* Passes the parameters of the call to the instance of g; takes its results when it has ended. */
void sel_pass(struct sel *s, struct sel_frame *fr, const struct ptx_func *g);
void sel_take(struct sel *s, struct sel_frame *fr, const struct ptx_func *g);

/* ---- special.c: special registers ---- */

bool sel_is_special(const struct sel *s, const struct ptx_operand *o);
/* Writes the special register into d, as wide as d is; the value in a new register of type t. */
void sel_move_special(struct sel *s, const struct ptx_operand *o, struct ir_ref d);
struct ir_ref sel_special(struct sel *s, const struct ptx_operand *o, enum ptx_type t);

/* ---- mem.c ---- */

/* Writes a word into local memory. */
void sel_store_local(struct sel *s, uint32_t at, struct ir_ref word);

/* The registers that stand for bits of a call parameter at an offset. */
struct ir_ref sel_piece_of(struct sel *s, struct sel_place *pl, uint32_t offset, unsigned bits);

/* ---- handlers, by file ---- */

struct sel_row {
  const char *op;
  sel_handler *fn;
  unsigned allowed; /* modifiers */
};
extern const struct sel_row sel_int_rows[], sel_bit_rows[], sel_float_rows[], sel_cmp_rows[],
    sel_cvt_rows[], sel_mov_rows[], sel_mem_rows[], sel_ctrl_rows[], sel_lane_rows[],
    sel_video_rows[];

#endif
