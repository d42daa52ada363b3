/* The texts of prelude.cl and groups.cl, one after the other, as data of the program;
 * OPENCL_PRELUDE and OPENCL_GROUPS are the files. */
#include "csim/isa/opencl/prelude.h"

__asm__(".section .rodata, \"a\"\n"
        ".global opencl_prelude\n"
        "opencl_prelude:\n"
        ".incbin \"" OPENCL_PRELUDE "\"\n"
        ".incbin \"" OPENCL_GROUPS "\"\n"
        ".byte 0\n"
        ".previous\n");
