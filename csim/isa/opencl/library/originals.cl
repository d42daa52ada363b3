/* Functions of libclc under names of their own, for functions of the same names that are built on
 * them. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ORIGINAL(type, f)                                                                          \
  type clc_##f##_##type(type x) { return f(x); }
#include "csim/isa/opencl/library/originals.inc"
#undef ORIGINAL

float clc_rootn_float(float x, int n) { return rootn(x, n); }
double clc_rootn_double(double x, int n) { return rootn(x, n); }
float clc_pown_float(float x, int n) { return pown(x, n); }
double clc_sincos_double(double x, __private double *cosine) { return sincos(x, cosine); }
