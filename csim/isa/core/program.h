/* A program image: code of one or more kernels, their data, and the facts that a launch needs. */
#ifndef TANDEM_PROGRAM_H
#define TANDEM_PROGRAM_H

#include <stdio.h>

#include "csim/isa/core/isa.h"

#include "csim/util/error.h"

enum isa_space {
  ISA_SPACE_GLOBAL,
  ISA_SPACE_SHARED,
  ISA_SPACE_LOCAL,
  ISA_SPACE_CONST,
  ISA_SPACE_GENERIC,
  ISA_SPACE_PARAM
};

/* Windows of the 32-bit generic address space (docs/reference/isa.md).  Shared and local addresses
 * are offsets in their own instructions and window + offset in generic ones. */
#define ISA_GLOBAL_FIRST 0x00001000U
/* A store to this absolute address of global memory, where nothing can be, is a trap. */
#define ISA_TRAP_ADDRESS 0x0ffdU
#define ISA_GLOBAL_END 0xf0000000U
#define ISA_SHARED_WINDOW 0xf0000000U
#define ISA_LOCAL_WINDOW 0xf8000000U

struct isa_param {
  char *name;
  uint32_t offset, size, align; /* bytes within the parameter block */
  bool pointer;                 /* an address (global, constant or shared by space) */
  enum isa_space space;         /* space of a pointer; ISA_SPACE_GLOBAL if not known */
};

struct isa_kernel {
  char *name;
  uint16_t entry, end;   /* PCs [entry, end) */
  uint32_t regs;         /* registers a thread uses, 1 to 32 (for occupancy) */
  uint32_t shared_bytes; /* static shared memory of a CTA */
  uint32_t local_bytes;  /* local memory of a thread, spills included, multiple of 4 */
  uint32_t param_bytes;  /* size of the parameter block, multiple of 4 */
  uint32_t reqntid[3];   /* required CTA shape, 0: any */
  struct isa_param *params;
  size_t nparams;
};

/* A MOVI at code[pc] (target 0) or a 32-bit word at byte pc of the data segment (target 1) to which
 * the loader adds the address where it put the data segment. */
struct isa_reloc {
  uint32_t pc;
  uint32_t in_data;
};

struct isa_program {
  uint64_t *code;
  size_t ncode;
  uint32_t *lines;     /* source line of each instruction (isa_line), 0 unknown */
  char *source;        /* names of the source files, one a line of text */
  char *ptx;           /* the PTX that it was translated from; NULL: none, or from an image */
  uint32_t *ptx_lines; /* line of `ptx` of each instruction, 0 unknown; NULL as `ptx` */
  struct isa_kernel *kernels;
  size_t nkernels;
  uint8_t *data; /* .global and .const variables, to be placed 256-byte aligned */
  size_t data_bytes;
  struct isa_reloc *relocs;
  size_t nrelocs;
};

void isa_program_free(struct isa_program *p); /* frees the members and p; NULL allowed */

/* Lines in a program: the number of the file in `source`, and the line in it. */
enum { ISA_LINE_BITS = 24, ISA_LINE_FILES = 256 };
static inline uint32_t isa_line(uint32_t file, uint32_t line) {
  return line < UINT32_C(1) << ISA_LINE_BITS ? file << ISA_LINE_BITS | line : 0;
}

/* Writes the source line of an instruction, "k.cl:12".  False if it is not known. */
bool isa_program_line(const struct isa_program *p, uint32_t pc, char *text, size_t size);

/* A line of a PTX, from 1 on, and where it begins; zeroed: none yet. */
struct isa_ptx_line {
  uint32_t number;
  const char *at;
};
/* Finds the line of the PTX that an instruction comes from, and writes its text, printable and with
 * one blank where there are several.  The search begins at *l, the line of an earlier call.  False
 * if it is not known. */
bool isa_program_ptx(const struct isa_program *p, uint32_t pc, struct isa_ptx_line *l, char *text,
                     size_t size);

const struct isa_kernel *isa_program_kernel(const struct isa_program *p, const char *name);

/* Image files: a documented little-endian binary with magic, version and CRC.  0 or a negative
 * errno, err set. */
int isa_image_write(const struct isa_program *p, FILE *to, struct tandem_error *err);
/* Decodes an image of n bytes in memory; `path` is for messages. */
int isa_image_decode(const void *bytes, size_t n, const char *path, struct isa_program **p,
                     struct tandem_error *err);
int isa_image_read(const char *path, struct isa_program **p, struct tandem_error *err);

#endif
