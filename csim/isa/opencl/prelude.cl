/* Text put in front of every OpenCL C file, for what libclc's nvptx library leaves out or has
 * wrong: the native_ functions, which are the special-function unit's here; get_work_dim; the
 * version of the device; the word asm, which other compilers of OpenCL C know; and the barrier, the
 * fences and the wait for asynchronous copies.  Those of libclc end in intrinsics of which clang 14
 * believes that they leave variables in local memory alone whose address is not taken, so it would
 * carry such variables in registers past them. */
#define asm __asm__
#ifndef __OPENCL_VERSION__
#if __OPENCL_C_VERSION__ > 120
#define __OPENCL_VERSION__ __OPENCL_C_VERSION__
#else
#define __OPENCL_VERSION__ 120
#endif
#endif

/* OpenCL C 1.0 and 1.1 have no static. */
#define TANDEM_IN inline __attribute__((internal_linkage, overloadable, always_inline, nodebug))

/* ---- order ---- */

TANDEM_IN void tandem_barrier(void) { __asm__ volatile("bar.sync 0;" ::: "memory"); }
TANDEM_IN void tandem_mem_fence(void) { __asm__ volatile("membar.cta;" ::: "memory"); }
#define barrier(flags) ((void)(flags), tandem_barrier())
#define mem_fence(flags) ((void)(flags), tandem_mem_fence())
#define read_mem_fence(flags) mem_fence(flags)
#define write_mem_fence(flags) mem_fence(flags)
#define __syncthreads() tandem_barrier() /* clang's own names */
#define __nvvm_membar_cta() tandem_mem_fence()
#define __nvvm_membar_gl() tandem_mem_fence()
#define __nvvm_membar_sys() tandem_mem_fence()

TANDEM_IN void tandem_wait_group_events(int n, event_t *events) { tandem_barrier(); }
#define wait_group_events tandem_wait_group_events

/* ---- work-items ---- */

#define TANDEM_FN __attribute__((const)) TANDEM_IN
TANDEM_FN uint tandem_get_work_dim(void) {
  uint n;
  __asm__("mov.u32 %0, %%workdim;" : "=r"(n));
  return n;
}
#define get_work_dim tandem_get_work_dim
#define get_global_offset(d) ((size_t)0) /* of every launch */

/* ---- the special-function unit ---- */

#define TANDEM_BY_HALVES(type, f)                                                                  \
  TANDEM_FN type f(type x) { return (type)(f(x.lo), f(x.hi)); }
#define TANDEM_VECTORS(f)                                                                          \
  TANDEM_BY_HALVES(float2, f)                                                                      \
  TANDEM_FN float3 f(float3 x) { return (float3)(f(x.s0), f(x.s1), f(x.s2)); }                     \
  TANDEM_BY_HALVES(float4, f) TANDEM_BY_HALVES(float8, f) TANDEM_BY_HALVES(float16, f)
#define TANDEM_SFU(f, op)                                                                          \
  TANDEM_FN float f(float x) {                                                                     \
    float r;                                                                                       \
    __asm__(op ".approx.f32 %0, %1;" : "=f"(r) : "f"(x));                                          \
    return r;                                                                                      \
  }                                                                                                \
  TANDEM_VECTORS(f)
#define TANDEM_UNARY(f, expr)                                                                      \
  TANDEM_FN float f(float x) { return expr; }                                                      \
  TANDEM_VECTORS(f)
TANDEM_SFU(tandem_native_sin, "sin")
TANDEM_SFU(tandem_native_cos, "cos")
TANDEM_SFU(tandem_native_exp2, "ex2")
TANDEM_SFU(tandem_native_log2, "lg2")
TANDEM_UNARY(tandem_native_exp, tandem_native_exp2(x * 1.44269504f))
TANDEM_UNARY(tandem_native_exp10, tandem_native_exp2(x * 3.32192809f))
TANDEM_UNARY(tandem_native_log, tandem_native_log2(x) * 0.693147181f)
TANDEM_UNARY(tandem_native_log10, tandem_native_log2(x) * 0.301029996f)
TANDEM_UNARY(tandem_native_tan, tandem_native_sin(x) / tandem_native_cos(x))
#define native_sin tandem_native_sin
#define native_cos tandem_native_cos
#define native_exp2 tandem_native_exp2
#define native_log2 tandem_native_log2
#define native_exp tandem_native_exp
#define native_exp10 tandem_native_exp10
#define native_log tandem_native_log
#define native_log10 tandem_native_log10
#define native_tan tandem_native_tan
#define native_powr(x, y) tandem_native_exp2((y)*tandem_native_log2(x))
#undef TANDEM_IN
#undef TANDEM_FN
#undef TANDEM_BY_HALVES
#undef TANDEM_VECTORS
#undef TANDEM_UNARY
#undef TANDEM_SFU
