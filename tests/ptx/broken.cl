__kernel void k(__global int *x) {
#ifdef BROKEN
  x[0] = nothing;
#endif
}
