// Functions of every random program, in front of it: the bits of a real, those of all NaNs alike,
// and the sum of a variable's values.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF
#define FN static __attribute__((overloadable))
#define L(n) for (uint i = 0; i < (n); i++)
#define GLOBAL_NUMBER(d)                                                                           \
  ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +               \
   get_global_id(0))
#define LOCAL_NUMBER(d)                                                                            \
  ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))

FN uint canon(float x) {
  uint b = as_uint(x);
  return (b & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : b;
}
FN ulong canon(double x) {
  ulong b = as_ulong(x);
  return (b & 0x7fffffffffffffffUL) > 0x7ff0000000000000UL ? 0x7ff8000000000000UL : b;
}
#define CANON(n)                                                                                   \
  FN uint##n canon(float##n x) {                                                                   \
    int##n b = as_int##n(x), nan = (b & 0x7fffffff) > 0x7f800000;                                  \
    return as_uint##n((b & ~nan) | (nan & 0x7fc00000));                                            \
  }                                                                                                \
  FN ulong##n canon(double##n x) {                                                                 \
    long##n b = as_long##n(x), nan = (b & 0x7fffffffffffffffL) > 0x7ff0000000000000L;              \
    return as_ulong##n((b & ~nan) | (nan & 0x7ff8000000000000L));                                  \
  }
FN ulong sum(ulong s, ulong x) { return (s << 9 | s >> 55) ^ x; }
FN ulong sum(ulong s, ulong2 x) { return sum(sum(s, x.x), x.y); }
FN ulong sum(ulong s, ulong3 x) { return sum(sum(s, x.xy), x.z); }
FN ulong sum(ulong s, ulong4 x) { return sum(sum(s, x.lo), x.hi); }
FN ulong sum(ulong s, ulong8 x) { return sum(sum(s, x.lo), x.hi); }
FN ulong sum(ulong s, ulong16 x) { return sum(sum(s, x.lo), x.hi); }
CANON(2) CANON(3) CANON(4) CANON(8) CANON(16)
