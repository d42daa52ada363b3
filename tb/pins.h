/* Rows of a packed pin: an integer or a bit vector. */
#ifndef TANDEM_TB_PINS_H
#define TANDEM_TB_PINS_H

#include <systemc>

#include <cstdint>
#include <type_traits>

/* The value of a port. */
template <class P> struct pin_value;
template <class T> struct pin_value<sc_core::sc_in<T> &> { using type = T; };
template <class T> struct pin_value<sc_core::sc_out<T> &> { using type = T; };

/* The value of a row: an integer, if it has no more than 64 bits. */
template <int WIDTH> struct wide_row { using type = sc_dt::sc_bv<WIDTH>; };
template <int WIDTH>
using row_value = typename std::conditional_t<(WIDTH <= 64), std::enable_if<true, uint64_t>,
                                              wide_row<WIDTH>>::type;

inline uint64_t pin_ones(unsigned width) {
  return width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* Row r, bits r * WIDTH and above, of a pin.  Rows that are bit vectors are whole words. */
template <int WIDTH, class T> row_value<WIDTH> pin_take(const T &pin, unsigned r) {
  const int at = static_cast<int>(r) * WIDTH;
  if constexpr (std::is_integral_v<T>) {
    return static_cast<uint64_t>(pin) >> at & pin_ones(WIDTH);
  } else if constexpr (WIDTH <= 64) {
    return pin.range(at + WIDTH - 1, at).to_uint64();
  } else {
    static_assert(WIDTH % 32 == 0);
    row_value<WIDTH> row;
    for (int i = 0; i < WIDTH / 32; i++)
      row.set_word(i, pin.get_word(at / 32 + i));
    return row;
  }
}

template <int WIDTH, class T> void pin_put(T &pin, unsigned r, const row_value<WIDTH> &v) {
  const int at = static_cast<int>(r) * WIDTH;
  if constexpr (std::is_integral_v<T>) {
    const uint64_t mask = pin_ones(WIDTH) << at;
    pin = static_cast<T>((static_cast<uint64_t>(pin) & ~mask) | (v << at & mask));
  } else if constexpr (WIDTH <= 64) {
    pin.range(at + WIDTH - 1, at) = sc_dt::uint64{v};
  } else {
    for (int i = 0; i < WIDTH / 32; i++)
      pin.set_word(at / 32 + i, v.get_word(i));
  }
}

#endif
