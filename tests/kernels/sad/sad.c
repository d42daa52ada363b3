/* Check of the sums of absolute differences of all candidates. */
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { WIDTH = 88, HEIGHT = 72, SIDE = 8, CANDIDATES = 61 };

static int within(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

static uint32_t difference(const uint8_t *frame, const uint8_t *reference, int left, int top,
                           int dx, int dy) {
  uint32_t sum = 0;
  for (int y = top; y < top + SIDE; y++)
    for (int x = left; x < left + SIDE; x++)
      sum += (uint32_t)abs(frame[y * WIDTH + x] -
                           reference[within(y + dy, HEIGHT) * WIDTH + within(x + dx, WIDTH)]);
  return sum;
}

bool check_sad(const struct host *h) {
  size_t n, pixels;
  const uint8_t *frame = host_before(h, "frame", 1, &pixels);
  const uint8_t *reference = host_before(h, "reference", 1, &n);
  const int8_t *offsets = host_before(h, "offsets", 1, &n);
  const uint16_t *sums = host_after(h, "sums", sizeof *sums, &n);
  const uint32_t *choice = host_after(h, "choice", sizeof *choice, &n);
  for (size_t block = 0; block < n; block++) {
    int left = (int)(block % (WIDTH / SIDE)) * SIDE, top = (int)(block / (WIDTH / SIDE)) * SIDE;
    uint32_t least = UINT32_MAX, found = 0;
    for (uint32_t c = 0; c < CANDIDATES; c++) {
      uint32_t sum = difference(frame, reference, left, top, offsets[2 * c], offsets[2 * c + 1]);
      if (!host_equal("sums", block * CANDIDATES + c, sums[block * CANDIDATES + c], sum))
        return false;
      if (sum < least) {
        least = sum;
        found = c;
      }
    }
    if (!host_equal("choice", block, choice[block], found << 16 | least))
      return false;
  }
  return pixels == (size_t)WIDTH * HEIGHT;
}
