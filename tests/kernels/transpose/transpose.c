/* Check of the eight ways through a matrix. */
#include "tests/kernels/host.h"

enum { TILE = 16 };

/* The kernels; true if the tiles, or the elements within a tile, are transposed. */
static const struct way {
  const char *name;
  bool tiles, elements;
} ways[] = {{"copy", false, false},    {"copy_local", false, false}, {"naive", true, true},
            {"conflicts", true, true}, {"padded", true, true},       {"coarse", true, false},
            {"fine", false, true},     {"diagonal", true, true}};

bool check_transpose(const struct host *h) {
  size_t n;
  const uint32_t *in = host_before(h, "in", sizeof *in, &n);
  const size_t size = (size_t)host_parameter(h, "size");
  for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
    const uint32_t *out = host_after(h, ways[w].name, sizeof *out, &n);
    for (size_t y = 0; y < size; y++)
      for (size_t x = 0; x < size; x++) {
        const size_t tx = x / TILE, ty = y / TILE, ex = x % TILE, ey = y % TILE;
        const size_t to_x = (ways[w].tiles ? ty : tx) * TILE + (ways[w].elements ? ey : ex);
        const size_t to_y = (ways[w].tiles ? tx : ty) * TILE + (ways[w].elements ? ex : ey);
        if (!host_equal(ways[w].name, to_y * size + to_x, out[to_y * size + to_x],
                        in[y * size + x]))
          return false;
      }
  }
  return n == size * size;
}
