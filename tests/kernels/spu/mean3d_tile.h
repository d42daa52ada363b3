/* The mean of three neighbours in a tile of B x B x B points, for the kernels mean3d*.cl.
 *
 * A block of T x T threads has the tile; a thread has S x S points of each plane k and keeps them
 * in registers.  In step s, thread (tx, ty) is at k = s - tx - ty, so that a step needs only what
 * the step before has left.  Each thread replaces the words of the northern and western faces that
 * it has used by those that the next thread needs; in the end they are the southern and eastern
 * faces. */
#ifndef B
#define B 32
#endif
#define S 4
#define T (B / S) /* threads of a block in x and y */

/* A row of a face has a word more than it needs, so that threads at different k find their words in
 * different banks. */
#define PITCH (B + 1)

static void mean3d_points(float plane[S][S], __local float *north, __local float *west) {
  const int tx = get_local_id(0), ty = get_local_id(1);
  for (int step = 0; step < B + 2 * (T - 1); step++) {
    const int k = step - tx - ty;
    if (k >= 0 && k < B) {
      __local float *n = &north[k * PITCH + S * tx], *w = &west[k * PITCH + S * ty];
      float up[S], left[S];
#pragma unroll
      for (int i = 0; i < S; i++) {
        up[i] = n[i];
        left[i] = w[i];
      }
#pragma unroll
      for (int y = 0; y < S; y++)
#pragma unroll
        for (int x = 0; x < S; x++)
          up[x] = left[y] = plane[y][x] = (left[y] + up[x] + plane[y][x]) * 0.333333343f;
#pragma unroll
      for (int i = 0; i < S; i++) {
        n[i] = up[i];
        w[i] = left[i];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

/* The thread's points of a plane in memory with rows of n points; (x0, y0) is their first one. */
static void mean3d_load(float plane[S][S], __global const float *from, int n, int x0, int y0) {
#pragma unroll
  for (int y = 0; y < S; y++)
#pragma unroll
    for (int x = 0; x < S; x++)
      plane[y][x] = from[(y0 + y) * n + x0 + x];
}

static void mean3d_store(float plane[S][S], __global float *to, int n, int x0, int y0) {
#pragma unroll
  for (int y = 0; y < S; y++)
#pragma unroll
    for (int x = 0; x < S; x++)
      to[(y0 + y) * n + x0 + x] = plane[y][x];
}
