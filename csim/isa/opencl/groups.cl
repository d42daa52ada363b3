/* Additions of OpenCL C 2.0 and 3.0: functions of a work-group, linear indices, and atomics of C11.
 * The text follows the prelude, and begins there with the versions that have them. The
 * work-items of a group write their values to shared memory, which a module has once, for kernels
 * that use it; each function begins with a barrier, after which that memory is free. */
#if __OPENCL_C_VERSION__ >= 200
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define TG_FN static inline __attribute__((overloadable, always_inline, nodebug))

__asm__(".shared .align 8 .b8 tandem_group[12288];"); /* 8 bytes for each of 1,536 work-items */

TG_FN __local void *tg_memory(void) {
  uint at;
  __asm__("mov.u32 %0, tandem_group;" : "=r"(at));
  return (__local void *)at;
}

/* ---- work-items ---- */

TG_FN uint tg_size(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
TG_FN uint tg_linear(uint x, uint y, uint z) {
  return x + get_local_size(0) * (y + get_local_size(1) * z);
}
TG_FN uint tg_id(void) { return tg_linear(get_local_id(0), get_local_id(1), get_local_id(2)); }
#define get_local_linear_id() ((size_t)tg_id())
#define get_global_linear_id()                                                                     \
  (get_global_id(0) +                                                                              \
   get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2)))
#define get_enqueued_local_size(d) get_local_size(d)

#define work_group_barrier(flags, ...) ((void)(flags), tandem_barrier())
#define atomic_work_item_fence(flags, ...) ((void)(flags), tandem_mem_fence())

/* ---- functions of a group ---- */

TG_FN int tg_any(int p) {
  volatile __local int *s = tg_memory();
  tandem_barrier();
  if (tg_id() == 0)
    *s = 0;
  tandem_barrier();
  if (p)
    *s = 1;
  tandem_barrier();
  return *s;
}
#define work_group_any(p) tg_any((p) != 0)
#define work_group_all(p) (!tg_any((p) == 0))

#define TG_BROADCAST(t)                                                                            \
  TG_FN t tg_broadcast(t x, uint a, uint b, uint c) {                                              \
    volatile __local t *s = tg_memory();                                                           \
    tandem_barrier();                                                                              \
    if (tg_id() == tg_linear(a, b, c))                                                             \
      *s = x;                                                                                      \
    tandem_barrier();                                                                              \
    return *s;                                                                                     \
  }                                                                                                \
  TG_FN t tg_broadcast(t x, uint a, uint b) { return tg_broadcast(x, a, b, 0); }                   \
  TG_FN t tg_broadcast(t x, uint a) { return tg_broadcast(x, a, 0, 0); }
#define work_group_broadcast(...) tg_broadcast(__VA_ARGS__)

/* Each step adds the value that is twice as far away as that of the step before. */
#define TG_SCAN(t, op, sum, none)                                                                  \
  TG_FN t tg_inclusive_##op(t x) {                                                                 \
    volatile __local t *s = tg_memory();                                                           \
    const uint id = tg_id(), n = tg_size();                                                        \
    tandem_barrier();                                                                              \
    s[id] = x;                                                                                     \
    tandem_barrier();                                                                              \
    for (uint d = 1; d < n; d *= 2) {                                                              \
      const t y = id >= d ? s[id - d] : (t)(none);                                                 \
      tandem_barrier();                                                                            \
      s[id] = x = sum;                                                                             \
      tandem_barrier();                                                                            \
    }                                                                                              \
    return x;                                                                                      \
  }                                                                                                \
  TG_FN t tg_exclusive_##op(t x) {                                                                 \
    const volatile __local t *s = tg_memory();                                                     \
    tg_inclusive_##op(x);                                                                          \
    return tg_id() > 0 ? s[tg_id() - 1] : (t)(none);                                               \
  }                                                                                                \
  TG_FN t tg_reduce_##op(t x) {                                                                    \
    const volatile __local t *s = tg_memory();                                                     \
    tg_inclusive_##op(x);                                                                          \
    return s[tg_size() - 1];                                                                       \
  }
#define TG_TYPE(t, least, most)                                                                    \
  TG_BROADCAST(t)                                                                                  \
  TG_SCAN(t, add, y + x, 0)                                                                        \
  TG_SCAN(t, min, y < x ? y : x, most)                                                             \
  TG_SCAN(t, max, y > x ? y : x, least)
TG_TYPE(int, INT_MIN, INT_MAX)
TG_TYPE(uint, 0, UINT_MAX)
TG_TYPE(long, LONG_MIN, LONG_MAX)
TG_TYPE(ulong, 0, ULONG_MAX)
TG_TYPE(float, -INFINITY, INFINITY)
TG_TYPE(double, -INFINITY, INFINITY)
TG_TYPE(half, -INFINITY, INFINITY)
#define work_group_reduce_add(x) tg_reduce_add(x)
#define work_group_reduce_min(x) tg_reduce_min(x)
#define work_group_reduce_max(x) tg_reduce_max(x)
#define work_group_scan_inclusive_add(x) tg_inclusive_add(x)
#define work_group_scan_inclusive_min(x) tg_inclusive_min(x)
#define work_group_scan_inclusive_max(x) tg_inclusive_max(x)
#define work_group_scan_exclusive_add(x) tg_exclusive_add(x)
#define work_group_scan_exclusive_min(x) tg_exclusive_min(x)
#define work_group_scan_exclusive_max(x) tg_exclusive_max(x)

/* ---- atomics: memory operations of a thread take effect in order, whatever order is asked for
 * ---- */

#define TG_ORDER __asm__ volatile("" ::: "memory"); /* of all accesses around, for clang */
#define TG_ATOM(f, op, space, name, a, t, k)                                                       \
  TG_FN t tg_##f(volatile space a *p, t v) {                                                       \
    t r;                                                                                           \
    __asm__ volatile("atom" name "." op " %0, [%1], %2;" : "=" k(r) : "r"(p), k(v) : "memory");    \
    return r;                                                                                      \
  }
#define TG_ACCESS(space, name, a, t, k, bits, as)                                                  \
  TG_ATOM(exchange, "exch.b" bits, space, name, a, t, k)                                           \
  TG_FN t tg_load(volatile space a *p) {                                                           \
    const t v = *(volatile space t *)p;                                                            \
    TG_ORDER                                                                                       \
    return v;                                                                                      \
  }                                                                                                \
  TG_FN void tg_store(volatile space a *p, t v) {                                                  \
    TG_ORDER                                                                                       \
    *(volatile space t *)p = v;                                                                    \
    TG_ORDER                                                                                       \
  }                                                                                                \
  TG_FN bool tg_compare(volatile space a *p, t *e, t v) {                                          \
    t r;                                                                                           \
    __asm__ volatile("atom" name ".cas.b" bits " %0, [%1], %2, %3;"                                \
                     : "=" k(r)                                                                    \
                     : "r"(p), k(*e), k(v)                                                         \
                     : "memory");                                                                  \
    const bool same = as(r) == as(*e);                                                             \
    *e = r;                                                                                        \
    return same;                                                                                   \
  }
#define TG_INTEGER(space, name, a, t, k, s, bits, as)                                              \
  TG_ACCESS(space, name, a, t, k, bits, as)                                                        \
  TG_ATOM(add, "add.u" bits, space, name, a, t, k)                                                 \
  TG_FN t tg_sub(volatile space a *p, t v) { return tg_add(p, (t)(0 - (ulong)v)); }                \
  TG_ATOM(and, "and.b" bits, space, name, a, t, k)                                                 \
  TG_ATOM(or, "or.b" bits, space, name, a, t, k)                                                   \
  TG_ATOM(xor, "xor.b" bits, space, name, a, t, k)                                                 \
  TG_ATOM(min, "min." s bits, space, name, a, t, k)                                                \
  TG_ATOM(max, "max." s bits, space, name, a, t, k)
#define TG_SPACE(space, name)                                                                      \
  TG_INTEGER(space, name, atomic_int, int, "r", "s", "32", as_uint)                                \
  TG_INTEGER(space, name, atomic_uint, uint, "r", "u", "32", as_uint)                              \
  TG_INTEGER(space, name, atomic_long, long, "l", "s", "64", as_ulong)                             \
  TG_INTEGER(space, name, atomic_ulong, ulong, "l", "u", "64", as_ulong)                           \
  TG_ACCESS(space, name, atomic_float, float, "f", "32", as_uint)                                  \
  TG_ACCESS(space, name, atomic_double, double, "d", "64", as_ulong)
TG_SPACE(__global, ".global")
TG_SPACE(__local, ".shared")
#ifdef __opencl_c_generic_address_space
TG_SPACE(__generic, "")
#endif

#define atomic_init(p, v) tg_store(p, v)
#define atomic_store(p, v) tg_store(p, v)
#define atomic_store_explicit(p, v, ...) tg_store(p, v)
#define atomic_load(p) tg_load(p)
#define atomic_load_explicit(p, ...) tg_load(p)
#define atomic_exchange(p, v) tg_exchange(p, v)
#define atomic_exchange_explicit(p, v, ...) tg_exchange(p, v)
#define atomic_compare_exchange_strong(p, e, v) tg_compare(p, e, v)
#define atomic_compare_exchange_strong_explicit(p, e, v, ...) tg_compare(p, e, v)
#define atomic_compare_exchange_weak(p, e, v) tg_compare(p, e, v)
#define atomic_compare_exchange_weak_explicit(p, e, v, ...) tg_compare(p, e, v)
#define atomic_fetch_add(p, v) tg_add(p, v)
#define atomic_fetch_add_explicit(p, v, ...) tg_add(p, v)
#define atomic_fetch_sub(p, v) tg_sub(p, v)
#define atomic_fetch_sub_explicit(p, v, ...) tg_sub(p, v)
#define atomic_fetch_and(p, v) tg_and(p, v)
#define atomic_fetch_and_explicit(p, v, ...) tg_and(p, v)
#define atomic_fetch_or(p, v) tg_or(p, v)
#define atomic_fetch_or_explicit(p, v, ...) tg_or(p, v)
#define atomic_fetch_xor(p, v) tg_xor(p, v)
#define atomic_fetch_xor_explicit(p, v, ...) tg_xor(p, v)
#define atomic_fetch_min(p, v) tg_min(p, v)
#define atomic_fetch_min_explicit(p, v, ...) tg_min(p, v)
#define atomic_fetch_max(p, v) tg_max(p, v)
#define atomic_fetch_max_explicit(p, v, ...) tg_max(p, v)
#define atomic_flag_test_and_set(p) (tg_exchange(p, 1) != 0)
#define atomic_flag_test_and_set_explicit(p, ...) (tg_exchange(p, 1) != 0)
#define atomic_flag_clear(p) tg_store(p, 0)
#define atomic_flag_clear_explicit(p, ...) tg_store(p, 0)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
