/* The header <spu.h> of OpenCL C files for a stencil processing unit.
 *
 * Sources include it; the driver puts it into a folder that clang searches.  It needs no compiler
 * of its own: block synchronisation and special registers are inline assembly of the PTX that the
 * translator knows, and communication buffers are addresses in local memory.  Synchronisation
 * clobbers memory, so that clang leaves every access on its side of it.  Registers that change are
 * volatile, so that clang reads them where they are written, as often as they are written. */
#include "csim/isa/opencl/prelude.h"

#define REGISTER(name, reg, kind)                                                                  \
  "inline __attribute__((internal_linkage, always_inline, nodebug)) uint spu_" name "(void)\n"     \
  "{ uint r; __asm__ " kind "(\"mov.u32 %0, %%" reg ";\" : \"=r\"(r)); return r; }\n"
#define FIXED(name, reg) REGISTER(name, reg, "")
#define CHANGES(name, reg) REGISTER(name, reg, "volatile")

const char opencl_spu_header[] =
    "#ifndef TANDEM_SPU_H\n"
    "#define TANDEM_SPU_H\n"
    "enum { SPU_NORTH = 1, SPU_SOUTH = 2, SPU_WEST = 4, SPU_EAST = 8, SPU_OWN = 16,\n"
    "  SPU_SPILL = 32 };\n"
    "enum { SPU_SIDE_NORTH, SPU_SIDE_SOUTH, SPU_SIDE_WEST, SPU_SIDE_EAST, SPU_SIDE_OWN };\n"
    "enum { SPU_ROLE_NONE, SPU_ROLE_BLOCK, SPU_ROLE_LOAD, SPU_ROLE_STORE };\n"
    "#define spu_sync(mask) __asm__ volatile(\"bar.blocksync %0;\" ::\"n\"(mask) : \"memory\")\n"
    "#define spu_sync_all() __asm__ volatile(\"bar.blocksync;\" ::: \"memory\")\n"
    "#define spu_buffer(side) ((__local float *)(0x01000000u + (uint)(side) * 0x100000u))\n"
    /* The registers, in the order of their numbers. */
    /* clang-format off */
    FIXED("viu", "regviu")
    FIXED("iudir", "regiudir")
    CHANGES("last", "reglast")
    FIXED("iuid", "iuid")
    FIXED("passx", "regpassx")
    FIXED("passy", "regpassy")
    CHANGES("cpassx", "regcpassx")
    CHANGES("cpassy", "regcpassy")
    FIXED("spillnb", "regspillnb")
    CHANGES("cspillnb", "regcspillnb")
    FIXED("role", "regrole")
    CHANGES("spill", "regspill")
    FIXED("face", "regface")
    "";
/* clang-format on */
