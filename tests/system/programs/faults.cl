/* Kernels that do something wrong, for the tests of what is then said. */

__kernel void fine(__global uint *a, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    a[i] = a[i] * 3 + i;
}

__kernel void out_of_bounds(__global uint *a, uint n) {
  uint i = get_global_id(0);
  a[i == 37 ? n : i] = i;
}

__kernel void misaligned(__global uchar *a, uint n) {
  *(__global uint *)(a + get_global_id(0) * 4 + n) = n;
}

__kernel void endless(__global volatile uint *a, uint n) {
  while (a[0] < 2)
    a[0] = 1 - a[0];
  a[1] = n;
}

__kernel void trapped(__global uint *a, uint n) {
  uint i = get_global_id(0);
  if (i == n)
    __builtin_trap();
  a[i] = i;
}

__kernel void swap(__global uint *a, __local uint *tile, uint n) {
  uint i = get_local_id(0);
  tile[i] = a[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i] = tile[n - 1 - i];
}

/* The address of a buffer in a structure; the dimensions of the launch. */
typedef struct {
  uint n, to;
} target;
__kernel void pointed(target t) {
  uint i = get_global_id(0);
  if (i < t.n)
    ((__global uint *)t.to)[i] = get_work_dim() * 10 + i;
}
