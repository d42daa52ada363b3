__kernel void k(__global int *x) {
#ifdef BROKEN
  x[0] = nothing;
#endif
#ifdef PRINTS
  x[0] = 3;
  printf("%d\n", x[0]);
#endif
#ifdef UNDEFINED
  int missing(int);
  x[0] = missing(x[1]);
#endif
}
#ifdef IMAGE
__kernel void sees(__global float4 *out, __read_only image2d_t picture) {}
#endif
#ifdef SAMPLER
__kernel void samples(sampler_t how) {}
#endif
#ifdef BROKEN
__kernel void m(void) { barrier(1, 2, 3); }
#endif
#ifdef LEAST
struct record {
  int a[9];
};
__attribute__((minsize)) __kernel void copies(__global struct record *x, int i) {
  struct record r[2];
  r[0] = x[0];
  r[i] = r[1 - i];
  x[1] = r[i];
}
#endif
