/* The compiled library as data of the program; OPENCL_LIBRARY is its file in the build folder. */
#include "csim/isa/opencl/library.h"

extern const char opencl_library_end[];

__asm__(".section .rodata, \"a\"\n"
        ".global opencl_library\n"
        ".global opencl_library_end\n"
        "opencl_library:\n"
        ".incbin \"" OPENCL_LIBRARY "\"\n"
        "opencl_library_end:\n"
        ".previous\n");

size_t opencl_library_bytes(void) { return (size_t)(opencl_library_end - opencl_library); }
