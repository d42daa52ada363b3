/* Pins that have a row of each member of a cluster: member i's part in bits i * width and above. */
#ifndef TANDEM_SHIM_ROWS_H
#define TANDEM_SHIM_ROWS_H

#include <verilated.h>

#include <cstddef>
#include <cstdint>

constexpr uint64_t ones(unsigned width) {
  return width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* Bits at..at + width - 1 of a pin: an integer, or words of 32 bits. */
template <class T> inline uint64_t row_get(const T &pin, unsigned at, unsigned width) {
  return static_cast<uint64_t>(pin) >> at & ones(width);
}
template <std::size_t N>
inline uint64_t row_get(const VlWide<N> &pin, unsigned at, unsigned width) {
  uint64_t v = 0;
  for (unsigned got = 0; got < width;) {
    const unsigned bit = (at + got) % 32;
    v |= static_cast<uint64_t>(pin[(at + got) / 32] >> bit) << got;
    got += 32 - bit;
  }
  return v & ones(width);
}

/* All rows of a pin, row i being of(i); returns whether any is not 0. */
template <unsigned Rows, class T, class Of>
inline bool rows_put(T &pin, unsigned width, const Of &of) {
  uint64_t v = 0;
#pragma GCC unroll 8
  for (unsigned i = 0; i < Rows; i++)
    v |= static_cast<uint64_t>(of(i)) << i * width;
  pin = static_cast<T>(v);
  return v != 0;
}
template <unsigned Rows, std::size_t N, class Of>
inline bool rows_put(VlWide<N> &pin, unsigned width, const Of &of) {
  uint64_t v = 0;
  unsigned have = 0, word = 0; /* bits of v, words of the pin that are done */
#pragma GCC unroll 8
  for (unsigned i = 0; i < Rows; i++) {
    const uint64_t part = of(i);
    for (unsigned done = 0; done < width; done += 32) {
      const unsigned n = width - done < 32 ? width - done : 32;
      v |= (part >> done & ones(n)) << have;
      have += n;
      if (have >= 32) {
        pin[word++] = static_cast<EData>(v);
        v >>= 32;
        have -= 32;
      }
    }
  }
  if (have != 0)
    pin[word] = static_cast<EData>(v);
  return true;
}

#endif
