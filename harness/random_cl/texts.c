/* Texts in front of random programs, as data of the program: lanes.h and prologue.cl. */
#include "harness/random_cl/texts.h"

#define TEXT(name, file)                                                                           \
  __asm__(".section .rodata, \"a\"\n.global " name "\n" name ":\n.incbin \"" file                  \
          "\"\n.byte 0\n.previous\n");
TEXT("random_cl_lanes", RANDOM_CL "/lanes.h")
TEXT("random_cl_prologue", RANDOM_CL "/prologue.cl")
