/* The state of an assembly, and the functions that the files of the assembler share. */
#ifndef TANDEM_ASM_LOCAL_H
#define TANDEM_ASM_LOCAL_H

#include "csim/isa/core/program.h"

enum {
  ASM_NAME = 4096,    /* bytes of a name with its NUL */
  ASM_BUCKETS = 16384 /* some four labels in each of the largest program */
};

struct asm_symbol {
  char *name;
  uint32_t value; /* a PC or an offset in the data */
  bool data;
  uint32_t next; /* next of its bucket: index + 1, 0 ends */
};

/* A place that names a symbol: resolved at the end of the text. */
struct asm_fixup {
  enum { FIX_TARGET, FIX_RPC, FIX_MOVI, FIX_DATA } kind;
  uint32_t at; /* PC, or byte of the data */
  uint32_t addend;
  char *name; /* NULL: the start of the data */
  unsigned line, column;
};

struct assembler {
  /* The text. */
  const char *file;
  const char *line_start, *at; /* current line, next character */
  unsigned line;
  int status; /* 0, or a negative errno once something has failed */
  struct tandem_error *err;
  /* The program so far, and the room of its arrays. */
  struct isa_program *p;
  size_t code_room, lines_room, data_room, kernels_room, relocs_room;
  struct asm_symbol *symbols;
  size_t nsymbols, symbols_room;
  uint32_t buckets[ASM_BUCKETS]; /* symbols by hash of the name: index + 1 of the first; 0: none */
  struct asm_fixup *fixups;
  size_t nfixups, fixups_room;
  /* The current section and kernel. */
  bool in_data;
  struct isa_kernel *kernel; /* NULL outside */
  size_t params_room;
  bool params_given; /* .params said the size of the block */
  uint32_t loc;
  bool loc_given;
};

/* ---- lex.c ---- */

/* Errors are sticky: the first one stays in err and status.  From then on no function consumes text
 * or changes the program, numbers are 0, and those that return bool return false. */

/* Fails at a place: "file:line:column: text". */
void asm_fail_at(struct assembler *a, unsigned line, unsigned column, const char *text);

/* Fails at the current position. */
void asm_fail(struct assembler *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fails at another position of the line. */
void asm_fail_here(struct assembler *a, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the column of the current position, from 1. */
unsigned asm_column(const struct assembler *a);

/* Lexing within a line.  Those that return bool consume what they find and nothing otherwise. */
void asm_space(struct assembler *a);
bool asm_line_ends(struct assembler *a);
bool asm_char(struct assembler *a, char c);
bool asm_word(struct assembler *a, const char *word);          /* a whole identifier */
bool asm_identifier(struct assembler *a, char name[ASM_NAME]); /* letters, digits, _ . $ */
bool asm_name(struct assembler *a, char name[ASM_NAME]);       /* identifier or "quoted" */
bool asm_number(struct assembler *a, int64_t *value);          /* decimal or 0x, with sign */

/* Consumes the character; fails if it is not there. */
void asm_expect(struct assembler *a, char c);

/* Returns a number; fails, naming `what`, if there is none or it is out of range. */
int64_t asm_range(struct assembler *a, const char *what, int64_t low, int64_t high);

/* Returns n of `+ n` or `- n` after a symbol; 0 if there is none. */
uint32_t asm_addend(struct assembler *a);

/* ---- output.c ---- */

/* Fails for want of memory. */
void asm_out_of_memory(struct assembler *a);

/* Makes room for one more element in an array of n.  False if the assembly has failed. */
bool asm_grow(struct assembler *a, void *array, size_t *room, size_t n, size_t element);

/* Returns a copy of the text; NULL after an error. */
char *asm_copy(struct assembler *a, const char *text);

void asm_emit(struct assembler *a, uint64_t word);
void asm_byte(struct assembler *a, uint8_t byte);

/* Defines a label at the end of the code, or of the data. */
void asm_define(struct assembler *a, const char *name);

/* Notes that the current instruction or data word refers to a symbol; NULL: the start of the data.
 */
void asm_fixup(struct assembler *a, int kind, const char *name, uint32_t at, uint32_t addend);

/* Fills the place with the symbol's value, once all labels are known. */
void asm_resolve(struct assembler *a, const struct asm_fixup *f);

/* ---- directive.c, inst.c ---- */

/* Assemble one statement, after its labels. */
void asm_instruction(struct assembler *a);
void asm_directive(struct assembler *a);

#endif
