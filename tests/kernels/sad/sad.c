/* Check of the sums of absolute differences of all partitions and offsets. */
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { RANGE = 16, ACROSS = 2 * RANGE + 1, PITCH = 1096, PARTITIONS = 41 };

struct frames {
  const uint8_t *frame, *reference;
  int width, height;
};

static int within(int i, int size) { return i < 0 ? 0 : i >= size ? size - 1 : i; }

/* w x h pixels from (x, y) on, against those (dx, dy) further. */
static uint32_t difference(const struct frames *f, int x, int y, int w, int h, int dx, int dy) {
  uint32_t sum = 0;
  for (int j = y; j < y + h; j++)
    for (int i = x; i < x + w; i++)
      sum += (uint32_t)abs(
          f->frame[j * f->width + i] -
          f->reference[within(j + dy, f->height) * f->width + within(i + dx, f->width)]);
  return sum;
}

/* Sizes of partitions in the order of their numbers; those of a quarter follow each other. */
static const struct partitions {
  int w, h;
  bool quarters;
} sizes[] = {{4, 4, false},  {8, 4, true},   {4, 8, true},   {8, 8, true},
             {16, 8, false}, {8, 16, false}, {16, 16, false}};

static bool check_macroblock(const struct frames *f, int left, int top, const uint16_t *sums) {
  int partition = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    const struct partitions *p = &sizes[s];
    const int outer = p->quarters ? 8 : 16;
    for (int y = 0; y < 16; y += outer)
      for (int x = 0; x < 16; x += outer)
        for (int j = y; j < y + outer; j += p->h)
          for (int i = x; i < x + outer; i += p->w, partition++)
            for (int o = 0; o < ACROSS * ACROSS; o++) {
              const int at = partition * PITCH + o;
              if (!host_equal("sums of a macroblock", (size_t)at, sums[at],
                              difference(f, left + i, top + j, p->w, p->h, o % ACROSS - RANGE,
                                         o / ACROSS - RANGE)))
                return false;
            }
  }
  return partition == PARTITIONS;
}

bool check_sad(const struct host *h) {
  size_t n, macroblocks;
  const struct frames f = {host_before(h, "frame", 1, &n), host_before(h, "reference", 1, &n),
                           16 * (int)host_parameter(h, "across"),
                           16 * (int)host_parameter(h, "down")};
  const uint16_t *sums = host_after(h, "sums", sizeof *sums * PARTITIONS * PITCH, &macroblocks);
  for (size_t m = 0; m < macroblocks; m++)
    if (!check_macroblock(&f, (int)m % (f.width / 16) * 16, (int)m / (f.width / 16) * 16,
                          sums + m * PARTITIONS * PITCH))
      return false;
  return true;
}
