/* Assembler text to programs; instruction words and programs to text. */
#ifndef TANDEM_ASM_H
#define TANDEM_ASM_H

#include <stdio.h>

#include "csim/isa/core/program.h"

/* Assembler text to a program, and a program to text that assembles to the same image. */
int isa_assemble(const char *text, const char *name, struct isa_program **p,
                 struct tandem_error *err);
int isa_disassemble(const struct isa_program *p, FILE *out);

/* One instruction as assembler text, NUL-terminated, always fits in ISA_TEXT bytes.  An undefined
 * word is written ".word 0x...", so that assembling the text gives the word again. */
enum { ISA_TEXT = 128 };
void isa_disasm(uint64_t word, char text[ISA_TEXT]);

#endif
