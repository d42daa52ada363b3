/* What rtl/verilate.sh makes of assignments in clusters' models. */
#ifndef TANDEM_SHIM_MOVES_H
#define TANDEM_SHIM_MOVES_H

#define ALWAYS_INLINE __attribute__((always_inline)) inline

/* signal = value, which is not stored if it is known to be there. */
template <class T, class V> ALWAYS_INLINE void store(T &signal, V value) {
  const T now = static_cast<T>(value);
  if (!__builtin_constant_p(signal == now) || signal != now)
    signal = now;
}

/* c ? yes : no of the type of a signal, without a branch, which the compiler would make of it. */
template <class T, class A, class B> ALWAYS_INLINE T either(bool c, const T &, A yes, B no) {
  const T a = static_cast<T>(yes), b = static_cast<T>(no);
  return static_cast<T>(b ^ ((a ^ b) & static_cast<T>(-static_cast<T>(c))));
}

#endif
