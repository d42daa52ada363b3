/* The instruction set: fields, tables, encode and decode of 64-bit instruction words.
 *
 * The layout of a word is the cluster NoC's InstPacket (docs/reference/isa.md):
 *   63:58 warp  57:54 unit  53:48 op  47:32 imm  31:25 mods  24:20 guard  19:15 src3  14:10 src2
 *   9:5 src1  4:0 dst
 * The warp field is 0 in memory; issue fills it in.
 */
#ifndef TANDEM_ISA_H
#define TANDEM_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  ISA_WARP_SIZE = 32,     /* lanes of a warp */
  ISA_REGS = 32,          /* 32-bit registers of a thread, r0 to r31 */
  ISA_PREDS = 15,         /* writable predicates p0 to p14 */
  ISA_PT = 15,            /* the predicate that always holds; writes to it are discarded */
  ISA_NO_RPC = 0xffff,    /* reconvergence PC of a branch that never reconverges */
  ISA_MAX_KERNELS = 4096, /* most kernels of a program */
  ISA_MAX_CODE = 0xffff,  /* instructions of a program: PCs are 16 bits, 0xffff is not a PC */
  ISA_MOD_IMM = 1 << 6,   /* ALU units: src 2 is the immediate */
  ISA_PRMT_MODE = 0xf,    /* prmt: the mode */
  ISA_PRMT_UP = 7,        /* first of the modes up, down, bfly, idx, which read other lanes */
  ISA_MOD_64 = 1 << 2,    /* ATOM: on 64 bits */
  ISA_MOD_A64 = 1 << 5,   /* MEM, ATOM: the address is a pair whose upper half must be 0 */
  ISA_MOD_ABS = 1 << 6,   /* MEM: the address is the immediate alone */
  ISA_MOD_NORET = 1 << 6, /* ATOM: the old value is not returned */
  ISA_SREG_PARAM = 0x100, /* movs: first number of the parameter words */
};

enum isa_unit {
#define ISA_UNIT(id, n, name) ISA_U_##id = (n),
#include "csim/isa/core/isa.def"
  ISA_U_RESERVED = 15
};

enum isa_lat {
#define ISA_LAT(id, key, lat, ii) ISA_L_##id,
#include "csim/isa/core/isa.def"
  ISA_LATS
};

enum isa_modset {
  ISA_M_NONE,
  ISA_M_IADD,
  ISA_M_IMM,
  ISA_M_EXT,
  ISA_M_SGN,
  ISA_M_BFIND,
  ISA_M_PRMT,
  ISA_M_PLOP,
  ISA_M_VOTE,
  ISA_M_ISETP,
  ISA_M_FADD,
  ISA_M_FMUL,
  ISA_M_FMA,
  ISA_M_FUN,
  ISA_M_FCMP,
  ISA_M_FSETP,
  ISA_M_F2I,
  ISA_M_I2F,
  ISA_M_MEM,
  ISA_M_ATOM,
  ISA_MODSETS
};

enum isa_pipe { ISA_PIPE_SP, ISA_PIPE_SFU, ISA_PIPE_MEM, ISA_PIPE_NONE };

/* Indices into isa_ops[]; operation numbers within a unit are isa_ops[i].op. */
enum isa_id {
#define ISA_OP(unit, n, id, mnemonic, shape, pipe, lat, mods, text) ISA_##id,
#include "csim/isa/core/isa.def"
  ISA_OPS,
  ISA_ILLEGAL = ISA_OPS
};

enum isa_sreg {
#define ISA_SREG(id, n, name, changes) ISA_SR_##id = (n),
#include "csim/isa/core/isa.def"
  ISA_SREGS = ISA_SR_REGFACE + 1,           /* some numbers below name none */
  ISA_SPU_SREGS = ISA_SREGS - ISA_SR_REGVIU /* the last ones, of a stencil processing unit */
};

/* A special register by its number; name NULL: there is none of this number. */
struct isa_sreg_info {
  const char *name;
  bool changes; /* a warp that reads it twice may find two values */
};
extern const struct isa_sreg_info isa_sregs[ISA_SREGS];

/* Directions of bsync, in its immediate. */
enum isa_dirs {
  ISA_DIR_NORTH = 1,
  ISA_DIR_SOUTH = 2,
  ISA_DIR_WEST = 4,
  ISA_DIR_EAST = 8,
  ISA_DIR_OWN = 16,
  ISA_DIR_SPILL = 32,
  ISA_DIR_GLOBAL = 64 /* alone */
};

/* One line of the table. */
struct isa_op {
  uint8_t unit, op;  /* enum isa_unit; number within the unit */
  uint8_t pipe, lat; /* enum isa_pipe, enum isa_lat */
  uint8_t mods;      /* enum isa_modset */
  char shape[5];     /* letters of dst, src 1, src 2, src 3 */
  const char *mnemonic;
  const char *text;
};
extern const struct isa_op isa_ops[ISA_OPS];

/* Default latency and initiation interval of a class, core cycles, with its configuration key. */
struct isa_lat_class {
  const char *key;
  uint16_t latency, interval;
};
extern const struct isa_lat_class isa_lat_classes[ISA_LATS];

/* The fields of a word. */
struct isa_inst {
  uint8_t warp, unit, op, mods, guard, src3, src2, src1, dst;
  uint16_t imm;
};

/* Number of 32-bit registers an operand takes, as the 2-bit code of the control bundle. */
enum isa_n { ISA_N_NONE, ISA_N_ONE, ISA_N_PAIR, ISA_N_QUAD };
static inline unsigned isa_n_regs(unsigned n) { return n == 0 ? 0U : 1U << (n - 1); }

/* The operands that an instruction reads and writes, derived from the table and its modifiers.
 * Register numbers are the fields of the word; ISA_N_NONE: the field names no register. */
struct isa_operands {
  uint8_t d, s1, s2, s3; /* enum isa_n of each field */
  bool dp, p2, p3;       /* dst, src 2, src 3 is a predicate */
};

static inline struct isa_inst isa_unpack(uint64_t w) {
  return (struct isa_inst){.warp = (uint8_t)(w >> 58),
                           .unit = (uint8_t)(w >> 54 & 15),
                           .op = (uint8_t)(w >> 48 & 63),
                           .mods = (uint8_t)(w >> 25 & 127),
                           .guard = (uint8_t)(w >> 20 & 31),
                           .src3 = (uint8_t)(w >> 15 & 31),
                           .src2 = (uint8_t)(w >> 10 & 31),
                           .src1 = (uint8_t)(w >> 5 & 31),
                           .dst = (uint8_t)(w & 31),
                           .imm = (uint16_t)(w >> 32)};
}

static inline uint64_t isa_pack(struct isa_inst i) {
  return (uint64_t)(i.warp & 63U) << 58 | (uint64_t)(i.unit & 15U) << 54 |
         (uint64_t)(i.op & 63U) << 48 | (uint64_t)i.imm << 32 | (uint64_t)(i.mods & 127U) << 25 |
         (uint64_t)(i.guard & 31U) << 20 | (uint64_t)(i.src3 & 31U) << 15 |
         (uint64_t)(i.src2 & 31U) << 10 | (uint64_t)(i.src1 & 31U) << 5 | (uint64_t)(i.dst & 31U);
}

/* Table index of a word's unit and operation, ISA_ILLEGAL if there is none. */
enum isa_id isa_id_of(uint64_t word);

/* The operands of the word.  An illegal operation reads and writes nothing. */
struct isa_operands isa_operands_of(uint64_t word);

/* NULL if the word is well formed (defined operation, defined modifier bits, pairs and quads
 * aligned and within the register file, guard pT where required), else a static text that says what
 * is not. */
const char *isa_check(uint64_t word);

#endif
