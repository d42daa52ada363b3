/* One step of a five-point stencil on a grid of width x height, the border kept; a block stages its
 * tile and the halo in local memory. */
#define TX 16
#define TY 12

__kernel void stencil(__global const float *in, __global float *out, float centre, float side,
                      int width, int height) {
  __local float tile[TY + 2][TX + 2];
  int x = get_global_id(0), y = get_global_id(1);
  int tx = get_local_id(0) + 1, ty = get_local_id(1) + 1;
  bool inside = x < width && y < height;
  if (inside) {
    tile[ty][tx] = in[y * width + x];
    if (tx == 1 && x > 0)
      tile[ty][0] = in[y * width + x - 1];
    if (tx == TX && x + 1 < width)
      tile[ty][TX + 1] = in[y * width + x + 1];
    if (ty == 1 && y > 0)
      tile[0][tx] = in[(y - 1) * width + x];
    if (ty == TY && y + 1 < height)
      tile[TY + 1][tx] = in[(y + 1) * width + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!inside)
    return;
  float value = tile[ty][tx];
  if (x > 0 && y > 0 && x + 1 < width && y + 1 < height)
    value = centre * value +
            side * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
  out[y * width + x] = value;
}
