/* Text put in front of every OpenCL C file, for what libclc's nvptx library leaves out: the native_
 * functions, which are the special-function unit's here, and two work-item functions; for
 * the word asm, which other compilers of OpenCL C know; and for the barrier and the fences.  Those
 * of libclc end in intrinsics of which clang 14 believes that they leave variables in local memory
 * alone whose address is not taken, so it would carry such variables in registers past them. */
#include "csim/isa/opencl/prelude.h"

#define FN "static inline __attribute__((overloadable, always_inline, nodebug, const)) "
#define SFU(name, op)                                                                              \
  FN "float tandem_" name "(float x)\n"                                                            \
     "{ float r; __asm__(\"" op ".approx.f32 %0, %1;\" : \"=f\"(r) : \"f\"(x)); return r; }\n"
#define BY_HALVES(type, f)                                                                         \
  FN type " " f "(" type " x) { return (" type ")(" f "(x.lo), " f "(x.hi)); }\n"
#define VECTORS(f)                                                                                 \
  BY_HALVES("float2", f)                                                                           \
  FN "float3 " f "(float3 x) { return (float3)(" f "(x.s0), " f "(x.s1), " f                       \
     "(x.s2)); }\n" BY_HALVES("float4", f) BY_HALVES("float8", f)                                  \
         BY_HALVES("float16", f) "#define "
/* A unary function by an expression of x. */
#define SCALAR(name, expr) FN "float tandem_" name "(float x) { return " expr "; }\n"
#define UNARY(name) VECTORS("tandem_" name) name " tandem_" name "\n"

#define ASM "#define asm __asm__\n"
#define ORDER(name, inst)                                                                          \
  "static inline __attribute__((always_inline, nodebug)) void tandem_" name "(void)\n"             \
  "{ __asm__ volatile(\"" inst ";\" ::: \"memory\"); }\n"                                          \
  "#define " name "(flags) ((void)(flags), tandem_" name "())\n"
#define FENCE(name) ORDER(name, "membar.cta")
#define FENCES FENCE("mem_fence") FENCE("read_mem_fence") FENCE("write_mem_fence")

const char opencl_prelude[] = ASM ORDER("barrier", "bar.sync 0") FENCES
    /* Offsets of a launch are 0; its dimensions are counted up to the last that is not 1. */
    "#define get_global_offset(d) ((size_t)0)\n"
    "#define get_work_dim() (get_global_size(2) > 1 ? 3u : get_global_size(1) > 1 ? 2u : 1u)\n" SFU(
        "native_sin", "sin") SFU("native_cos", "cos") SFU("native_exp2", "ex2")
        SFU("native_log2", "lg2") SCALAR("native_exp", "tandem_native_exp2(x * 1.44269504f)")
            SCALAR("native_exp10", "tandem_native_exp2(x * 3.32192809f)") SCALAR(
                "native_log", "tandem_native_log2(x) * 0.693147181f")
                SCALAR("native_log10", "tandem_native_log2(x) * 0.301029996f") SCALAR(
                    "native_tan", "tandem_native_sin(x) / tandem_native_cos(x)") UNARY("native_sin")
                    UNARY("native_cos") UNARY("native_exp2") UNARY("native_log2")
                        UNARY("native_exp") UNARY("native_exp10") UNARY("native_log")
                            UNARY("native_log10") UNARY(
                                "native_tan") "#define native_powr(x, y) tandem_native_exp2((y) * "
                                              "tandem_native_log2(x))\n"
                                              "";
