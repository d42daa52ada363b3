/* 64-bit atomics. */
#define ATOMIC(f, op, type, space, name)                                                           \
  FN type f(volatile space type *p, type v) {                                                      \
    type r;                                                                                        \
    __asm__ volatile("atom." name "." op " %0, [%1], %2;" : "=l"(r) : "r"(p), "l"(v) : "memory");  \
    return r;                                                                                      \
  }
#define ATOMICS(type, t, space, name)                                                              \
  ATOMIC(atom_add, "add.u64", type, space, name)                                                   \
  ATOMIC(atom_xchg, "exch.b64", type, space, name)                                                 \
  ATOMIC(atom_min, "min." t, type, space, name)                                                    \
  ATOMIC(atom_max, "max." t, type, space, name)                                                    \
  ATOMIC(atom_and, "and.b64", type, space, name)                                                   \
  ATOMIC(atom_or, "or.b64", type, space, name)                                                     \
  ATOMIC(atom_xor, "xor.b64", type, space, name)                                                   \
  FN type atom_sub(volatile space type *p, type v) { return atom_add(p, (type)(0 - (ulong)v)); }   \
  FN type atom_inc(volatile space type *p) { return atom_add(p, (type)1); }                        \
  FN type atom_dec(volatile space type *p) { return atom_add(p, (type)-1); }                       \
  FN type atom_cmpxchg(volatile space type *p, type c, type v) {                                   \
    type r;                                                                                        \
    __asm__ volatile("atom." name ".cas.b64 %0, [%1], %2, %3;"                                     \
                     : "=l"(r)                                                                     \
                     : "r"(p), "l"(c), "l"(v)                                                      \
                     : "memory");                                                                  \
    return r;                                                                                      \
  }
ATOMICS(long, "s64", __global, "global")
ATOMICS(ulong, "u64", __global, "global")
ATOMICS(long, "s64", __local, "shared")
ATOMICS(ulong, "u64", __local, "shared")
