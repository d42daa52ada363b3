/* Bits of a packed pin: an integer or a bit vector. */
#ifndef TANDEM_TB_PINS_H
#define TANDEM_TB_PINS_H

#include <systemc>

#include <cstdint>

/* The value of a port. */
template <class P> struct pin_value;
template <class T> struct pin_value<sc_core::sc_in<T> &> { using type = T; };
template <class T> struct pin_value<sc_core::sc_out<T> &> { using type = T; };

inline uint64_t pin_ones(unsigned width) {
  return width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* Bits at..at + width - 1. */
template <class T> uint64_t pin_take(const T &pin, unsigned at, unsigned width) {
  return static_cast<uint64_t>(pin) >> at & pin_ones(width);
}
template <int N> uint64_t pin_take(const sc_dt::sc_bv<N> &pin, unsigned at, unsigned width) {
  return pin.range(static_cast<int>(at + width - 1), static_cast<int>(at)).to_uint64();
}

template <class T> void pin_put(T &pin, unsigned at, unsigned width, uint64_t v) {
  const uint64_t mask = pin_ones(width) << at;
  pin = static_cast<T>((static_cast<uint64_t>(pin) & ~mask) | (v << at & mask));
}
template <int N> void pin_put(sc_dt::sc_bv<N> &pin, unsigned at, unsigned width, uint64_t v) {
  pin.range(static_cast<int>(at + width - 1), static_cast<int>(at)) = sc_dt::uint64{v};
}

#endif
