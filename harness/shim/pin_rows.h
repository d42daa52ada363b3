/* Pins that have a row of each member of a cluster: member i's part in bits i * width and above. */
#ifndef TANDEM_SHIM_PIN_ROWS_H
#define TANDEM_SHIM_PIN_ROWS_H

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

/* Gives row i of a pin to put(i, row). */
template <unsigned Rows, class T, class Put>
inline void rows_get(const T &pin, unsigned width, const Put &put) {
#pragma GCC unroll 8
  for (unsigned i = 0; i < Rows; i++)
    put(i, row_get(pin, i * width, width));
}

/* True if any row is not 0; always true for a wide pin. */
template <class T> bool row_is_some(const T &pin) { return pin != 0; }
template <std::size_t N> bool row_is_some(const VlWide<N> &) { return true; }

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

/* The same of pins that have words of 64 bits in each row: of(i) are those of row i. */
template <unsigned Rows, std::size_t N, class Of>
inline void rows_put_words(VlWide<N> &pin, unsigned words, const Of &of) {
  for (unsigned i = 0; i < Rows * words; i++) {
    const uint64_t word = of(i / words)[i % words];
    pin[2 * i] = static_cast<EData>(word);
    pin[2 * i + 1] = static_cast<EData>(word >> 32);
  }
}
template <unsigned Rows, std::size_t N, class Of>
inline void rows_get_words(const VlWide<N> &pin, unsigned words, const Of &of) {
  for (unsigned i = 0; i < Rows * words; i++)
    of(i / words)[i % words] = static_cast<uint64_t>(pin[2 * i + 1]) << 32 | pin[2 * i];
}

#endif
