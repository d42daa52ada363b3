/* The text of groups.cl as data of the program; OPENCL_GROUPS is the file. */
#include "csim/isa/opencl/prelude.h"

extern const char opencl_groups_text[];

__asm__(".section .rodata, \"a\"\n"
        ".global opencl_groups_text\n"
        "opencl_groups_text:\n"
        ".incbin \"" OPENCL_GROUPS "\"\n"
        ".byte 0\n"
        ".previous\n");

const char *opencl_groups(void) { return opencl_groups_text; }
