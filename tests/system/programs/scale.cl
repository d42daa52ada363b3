__kernel void scale(__global float *x, float by, int n) {
  int i = get_global_id(0);
  if (i < n)
    x[i] *= by;
}
