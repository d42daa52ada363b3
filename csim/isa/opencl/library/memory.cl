/* Stores of halves with all roundings, and asynchronous copies. */
#define STORE_HALF(space, n, from, suffix, mode)                                                   \
  FN void vstore_half##n##suffix(from##n x, size_t i, space half *p) {                             \
    STORE_##n(as_ushort##n(to_half##mode(x)), i, (space ushort *)p);                               \
  }
#define STORE_ALIGNED(space, n, from, suffix, mode)                                                \
  FN void vstorea_half##n##suffix(from##n x, size_t i, space half *p) {                            \
    ALIGNED_##n(as_ushort##n(to_half##mode(x)), i, space, p);                                      \
  }
#define STORE_(x, i, p) (p)[i] = (x)
#define STORE_2 vstore2
#define STORE_3 vstore3
#define STORE_4 vstore4
#define STORE_8 vstore8
#define STORE_16 vstore16
#define ALIGNED_2(x, i, space, p) ((space ushort2 *)(p))[i] = (x)
#define ALIGNED_3(x, i, space, p) vstore3(x, 0, (space ushort *)(p) + 4 * (i))
#define ALIGNED_4(x, i, space, p) ((space ushort4 *)(p))[i] = (x)
#define ALIGNED_8(x, i, space, p) ((space ushort8 *)(p))[i] = (x)
#define ALIGNED_16(x, i, space, p) ((space ushort16 *)(p))[i] = (x)

#define STORE_MODES(n, M, from)                                                                    \
  SPACES(M, n, from, , _rte)                                                                       \
  SPACES(M, n, from, _rte, _rte)                                                                   \
  SPACES(M, n, from, _rtz, _rtz) SPACES(M, n, from, _rtp, _rtp) SPACES(M, n, from, _rtn, _rtn)
WIDTHS(STORE_MODES, STORE_HALF, float)
WIDTHS(STORE_MODES, STORE_HALF, double)
VECTORS(STORE_MODES, STORE_ALIGNED, float)
VECTORS(STORE_MODES, STORE_ALIGNED, double)

/* Copies of what libclc does not copy, as elements of a type of the same size. */
#define COPY_SPACES(n, type, as, to, from)                                                         \
  FN event_t async_work_group_copy(to type##n *d, const from type##n *s, size_t count,             \
                                   event_t e) {                                                    \
    return async_work_group_copy((to as *)d, (const from as *)s, count, e);                        \
  }
#define COPY_STRIDED(n, type, as)                                                                  \
  FN event_t async_work_group_strided_copy(__local type##n *d, const __global type##n *s,          \
                                           size_t count, size_t stride, event_t e) {               \
    return async_work_group_strided_copy((__local as *)d, (const __global as *)s, count, stride,   \
                                         e);                                                       \
  }                                                                                                \
  FN event_t async_work_group_strided_copy(__global type##n *d, const __local type##n *s,          \
                                           size_t count, size_t stride, event_t e) {               \
    return async_work_group_strided_copy((__global as *)d, (const __local as *)s, count, stride,   \
                                         e);                                                       \
  }
#define COPY(n, type, as)                                                                          \
  COPY_SPACES(n, type, as, __local, __global)                                                      \
  COPY_SPACES(n, type, as, __global, __local) COPY_STRIDED(n, type, as)
COPY(3, char, uchar4)
COPY(3, uchar, uchar4)
COPY(3, short, ushort4)
COPY(3, ushort, ushort4)
COPY(3, int, uint4)
COPY(3, uint, uint4)
COPY(3, float, uint4)
COPY(3, long, ulong4)
COPY(3, ulong, ulong4)
COPY(3, double, ulong4)
COPY(, half, ushort)
COPY(2, half, ushort2)
COPY(3, half, ushort4)
COPY(4, half, ushort4)
COPY(8, half, ushort8)
COPY(16, half, ushort16)

/* Prefetches have no effect. */
#define PREFETCH(n, type)                                                                          \
  FN void prefetch(const __global type##n *p, size_t count) { (void)p, (void)count; }
PREFETCH(3, char)
PREFETCH(3, uchar)
PREFETCH(3, short)
PREFETCH(3, ushort)
PREFETCH(3, int)
PREFETCH(3, uint)
PREFETCH(3, long)
PREFETCH(3, ulong)
PREFETCH(3, float)
PREFETCH(3, double)
WIDTHS(PREFETCH, half)
