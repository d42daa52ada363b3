/* What rtl/verilate.sh makes of assignments in clusters' models. */
#ifndef TANDEM_SHIM_MOVES_H
#define TANDEM_SHIM_MOVES_H

#include <cstdint>
#include <type_traits>

#define ALWAYS_INLINE __attribute__((always_inline)) inline

/* signal = value, which is not stored if it is known to be there. */
template <class T, class V> ALWAYS_INLINE void store(T &signal, V value) {
  const T now = static_cast<T>(value);
  if (!__builtin_constant_p(signal == now) || signal != now)
    signal = now;
}

/* c != 0 ? yes : no of the type of a signal, without a branch, which the compiler would make of it;
 * of what it knows, it makes less than that. */
template <class C, class T, class A, class B> ALWAYS_INLINE T either(C c, const T &, A yes, B no) {
  const T a = static_cast<T>(yes), b = static_cast<T>(no);
#ifdef __x86_64__
  if (!__builtin_constant_p(c)) {
    if (__builtin_constant_p(a == 1 && b == 0) && a == 1 && b == 0) {
      uint8_t is;
      asm("test %1, %1\n\tsetne %0" : "=q"(is) : "q"(c) : "cc");
      return is;
    }
    if (!__builtin_constant_p(a == b) || a != b) {
      typename std::conditional<(sizeof(T) > 4), uint64_t, uint32_t>::type from = a, to = b;
      asm("test %2, %2\n\tcmovne %1, %0" : "+r"(to) : "rm"(from), "q"(c) : "cc");
      return static_cast<T>(to);
    }
  }
#endif
  return static_cast<T>(b ^ ((a ^ b) & static_cast<T>(-static_cast<T>(c != 0))));
}

#endif
