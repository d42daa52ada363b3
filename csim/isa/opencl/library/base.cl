/* Macros of the library. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* A function of the language; one that is always inlined; one of ours. */
#define BUILTIN __attribute__((overloadable))
#define FN __attribute__((overloadable, always_inline))
#define IN static inline __attribute__((overloadable, always_inline))

/* A macro for each width of a vector, and for the scalar too; for each space that can be written.
 */
#define VECTORS(M, ...)                                                                            \
  M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
#define WIDTHS(M, ...) M(, __VA_ARGS__) VECTORS(M, __VA_ARGS__)
#define SPACES(M, ...) M(__private, __VA_ARGS__) M(__local, __VA_ARGS__) M(__global, __VA_ARGS__)

/* Vectors by their halves, those of three by two and one: functions of one, two, three operands. */
#define SPLIT(M, ...)                                                                              \
  M(2, lo, hi, __VA_ARGS__)                                                                        \
  M(3, xy, z, __VA_ARGS__)                                                                         \
  M(4, lo, hi, __VA_ARGS__) M(8, lo, hi, __VA_ARGS__) M(16, lo, hi, __VA_ARGS__)
#define SPLIT_1(n, a, b, link, r, f, t)                                                            \
  link r##n f(t##n x) { return (r##n)(f(x.a), f(x.b)); }
#define SPLIT_2(n, a, b, link, r, f, t, u)                                                         \
  link r##n f(t##n x, u##n y) { return (r##n)(f(x.a, y.a), f(x.b, y.b)); }
#define SPLIT_3(n, a, b, link, r, f, t)                                                            \
  link r##n f(t##n x, t##n y, t##n z) { return (r##n)(f(x.a, y.a, z.a), f(x.b, y.b, z.b)); }

/* Functions with a result q through a pointer into any space, by functions part_f. */
#define SPLIT_OUT_1(n, a, b, f, t, u)                                                              \
  IN t##n f(t##n x, __private u##n *q) {                                                           \
    u##n both;                                                                                     \
    __typeof__(both.a) first;                                                                      \
    __typeof__(both.b) second;                                                                     \
    const t##n r = (t##n)(f(x.a, &first), f(x.b, &second));                                        \
    *q = (u##n)(first, second);                                                                    \
    return r;                                                                                      \
  }
#define SPLIT_OUT_2(n, a, b, f, t, u)                                                              \
  IN t##n f(t##n x, t##n y, __private u##n *q) {                                                   \
    u##n both;                                                                                     \
    __typeof__(both.a) first;                                                                      \
    __typeof__(both.b) second;                                                                     \
    const t##n r = (t##n)(f(x.a, y.a, &first), f(x.b, y.b, &second));                              \
    *q = (u##n)(first, second);                                                                    \
    return r;                                                                                      \
  }
#define SPACE_OUT_1(space, n, f, t, u)                                                             \
  FN t##n f(t##n x, space u##n *p) {                                                               \
    u##n q;                                                                                        \
    const t##n r = part_##f(x, &q);                                                                \
    *p = q;                                                                                        \
    return r;                                                                                      \
  }
#define SPACE_OUT_2(space, n, f, t, u)                                                             \
  FN t##n f(t##n x, t##n y, space u##n *p) {                                                       \
    u##n q;                                                                                        \
    const t##n r = part_##f(x, y, &q);                                                             \
    *p = q;                                                                                        \
    return r;                                                                                      \
  }
#define WIDTH_OUT_1(n, ...) SPACES(SPACE_OUT_1, n, __VA_ARGS__)
#define WIDTH_OUT_2(n, ...) SPACES(SPACE_OUT_2, n, __VA_ARGS__)
#define OUT_1(f, t, u) SPLIT(SPLIT_OUT_1, part_##f, t, u) WIDTHS(WIDTH_OUT_1, f, t, u)
#define OUT_2(f, t, u) SPLIT(SPLIT_OUT_2, part_##f, t, u) WIDTHS(WIDTH_OUT_2, f, t, u)
