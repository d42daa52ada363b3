/* The C side of random programs, in front of each: operations of ops.def on one lane, conversions,
 * and the items of a group, which run one after the other from barrier to barrier.  It is written
 * from the text of OpenCL C 1.2 and knows nothing of the compiler that is tested. */
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

typedef uint32_t uint;
typedef uint64_t ulong;
typedef __int128 wide;
typedef unsigned __int128 uwide;
#define L(n) for (unsigned i = 0; i < (n); i++)

/* ---- operations: T the result's type, W its width ---- */

#define BITS(T) (8 * sizeof(T))
#define SIGNED(T) ((T)-1 < (T)1)
#define LARGEST(T) ((wide)(UINT64_MAX >> (64 - BITS(T) + SIGNED(T))))
#define SMALLEST(T) (SIGNED(T) ? -LARGEST(T) - 1 : (wide)0)
#define OWN(T, a) ((uint64_t)(a)&UINT64_MAX >> (64 - BITS(T))) /* the bits of a, without a sign */
#define SAT(T, x)                                                                                  \
  ({                                                                                               \
    const wide x_ = (x);                                                                           \
    (T)(x_ < SMALLEST(T) ? SMALLEST(T) : x_ > LARGEST(T) ? LARGEST(T) : x_);                       \
  })
#define MSB(a) ((uint64_t)(a) >> (8 * sizeof(a) - 1) & 1)
#define TRUTH(W, x) ((W) > 1 ? -(int)(x) : (int)(x))
#define PRODUCT(T, a, b) (SIGNED(T) ? (uwide)((wide)(a) * (b)) : (uwide)(a) * (b))
#define HIGH(T, a, b) (PRODUCT(T, a, b) >> BITS(T))
#define DIVISOR(T, b) (((uint64_t)(b) & (((uint64_t)1 << (BITS(T) - 1)) - 1)) | 1)

#define op_add(T, W, a, b) (T)((uint64_t)(a) + (uint64_t)(b))
#define op_sub(T, W, a, b) (T)((uint64_t)(a) - (uint64_t)(b))
#define op_mul(T, W, a, b) (T)((uint64_t)(a) * (uint64_t)(b))
#define op_neg(T, W, a) (T)(0 - (uint64_t)(a))
#define op_inv(T, W, a) (T) ~(a)
#define op_and(T, W, a, b) (T)((a) & (b))
#define op_or(T, W, a, b) (T)((a) | (b))
#define op_xor(T, W, a, b) (T)((a) ^ (b))
#define op_shl(T, W, a, b) (T)((uint64_t)(a) << ((b) & (BITS(T) - 1)))
#define op_shr(T, W, a, b) (T)((a) >> ((b) & (BITS(T) - 1)))
#define op_div(T, W, a, b) (T)((a) / (T)DIVISOR(T, b))
#define op_rem(T, W, a, b) (T)((a) % (T)DIVISOR(T, b))
#define op_rotate(T, W, a, b)                                                                      \
  (T)(OWN(T, a) << ((b) & (BITS(T) - 1)) | OWN(T, a) >> ((BITS(T) - (b)) & (BITS(T) - 1)))
#define op_rot op_rotate
#define op_min(T, W, a, b) ((b) < (a) ? (b) : (a))
#define op_max(T, W, a, b) ((a) < (b) ? (b) : (a))
#define op_clamp(T, W, a) ((a) < 3 ? 3 : (a) > 100 ? 100 : (a))
#define op_abs_diff(T, W, a, b) ((a) > (b) ? (wide)(a) - (b) : (wide)(b) - (a))
#define op_abs(T, W, a) ((a) < 0 ? 0 - (uint64_t)(a) : (uint64_t)(a))
#define op_add_sat(T, W, a, b) SAT(T, (wide)(a) + (b))
#define op_sub_sat(T, W, a, b) SAT(T, (wide)(a) - (b))
#define op_hadd(T, W, a, b) (T)(((wide)(a) + (b)) >> 1)
#define op_rhadd(T, W, a, b) (T)(((wide)(a) + (b) + 1) >> 1)
#define op_mul_hi(T, W, a, b) (T) HIGH(T, a, b)
#define op_mad_hi(T, W, a, b, c) (T)(HIGH(T, a, b) + (uint64_t)(c))
#define op_mad_sat(T, W, a, b, c)                                                                  \
  (SIGNED(T) ? SAT(T, (wide)(a) * (b) + (c))                                                       \
             : (T)((uwide)(a) * (b) + (c) > (uwide)LARGEST(T) ? LARGEST(T) : (a) * (b) + (c)))
#define op_clz(T, W, a) (OWN(T, a) == 0 ? BITS(T) : __builtin_clzll(OWN(T, a)) - 64 + BITS(T))
#define op_popcount(T, W, a) __builtin_popcountll(OWN(T, a))
#define op_upsample(T, W, a, b) (T)((uint64_t)(a) << BITS(T) / 2 | (b))
#define op_bitselect(T, W, a, b, c) (T)(((a) & ~(c)) | ((b) & (c)))

#define op_fadd(T, W, a, b) ((a) + (b))
#define op_fsub(T, W, a, b) ((a) - (b))
#define op_fmul(T, W, a, b) ((a) * (b))
#define op_fdiv(T, W, a, b) ((a) / (b))
#define op_fneg(T, W, a) (-(a))
#define op_fma(T, W, a, b, c) (sizeof(T) == 4 ? fmaf(a, b, c) : fma(a, b, c))
#define op_sqrt(T, W, a) (sizeof(T) == 4 ? sqrtf(a) : sqrt(a))
#define op_fabs(T, W, a) fabs(a)
#define op_floor(T, W, a) floor(a)
#define op_ceil(T, W, a) ceil(a)
#define op_trunc(T, W, a) trunc(a)
#define op_rint(T, W, a) rint(a)
#define op_round(T, W, a) round(a)
#define op_fmin(T, W, a, b) fmin((a) + (T)0, (b) + (T)0)
#define op_fmax(T, W, a, b) fmax((a) + (T)0, (b) + (T)0)
#define op_select(T, W, a, b, c) (((W) > 1 ? MSB(c) != 0 : (c) != 0) ? (b) : (a))
#define op_choose(T, W, a, b, c) ((a) ? (b) : (c))

#define op_lt(T, W, a, b) TRUTH(W, (a) < (b))
#define op_le(T, W, a, b) TRUTH(W, (a) <= (b))
#define op_gt(T, W, a, b) TRUTH(W, (a) > (b))
#define op_eq(T, W, a, b) TRUTH(W, (a) == (b))
#define op_ne(T, W, a, b) TRUTH(W, (a) != (b))
#define op_not(T, W, a) TRUTH(W, (a) == 0)
#define op_land(T, W, a, b) TRUTH(W, (a) != 0 && (b) != 0)
#define op_lor(T, W, a, b) TRUTH(W, (a) != 0 || (b) != 0)
#define op_isnan(T, W, a) TRUTH(W, (a) != (a))
#define op_isinf(T, W, a) TRUTH(W, fabs(a) == INFINITY)
#define op_isfinite(T, W, a) TRUTH(W, fabs(a) < INFINITY)
#define op_isunordered(T, W, a, b) TRUTH(W, (a) != (a) || (b) != (b))

/* ---- conversions ---- */

enum { TO_PLAIN, TO_RTE, TO_RTZ, TO_RTP, TO_RTN };

static void round_to(int mode) {
  fesetround(mode == TO_RTZ   ? FE_TOWARDZERO
             : mode == TO_RTP ? FE_UPWARD
             : mode == TO_RTN ? FE_DOWNWARD
                              : FE_TONEAREST);
}

#define to_int(T, mode, sat, x) ((sat) ? SAT(T, x) : (T)(x))
#define to_real(T, mode, sat, x)                                                                   \
  ({                                                                                               \
    round_to(mode);                                                                                \
    volatile const T r_ = (T)(x);                                                                  \
    round_to(TO_RTE);                                                                              \
    r_;                                                                                            \
  })
/* From a real; plain is towards zero. */
#define from_real(T, mode, sat, x)                                                                 \
  ({                                                                                               \
    round_to((mode) == TO_PLAIN ? TO_RTZ : (mode));                                                \
    volatile const double r_ = rint(x);                                                            \
    round_to(TO_RTE);                                                                              \
    r_ != r_                                          ? (T)0                                       \
    : r_ >= ldexp(1, (int)(BITS(T) - SIGNED(T)))      ? (T)LARGEST(T)                              \
    : r_ <= (SIGNED(T) ? -ldexp(1, BITS(T) - 1) : 0.) ? (T)SMALLEST(T)                             \
                                                      : (T)r_;                                     \
  })

/* The bits of a real; those of all NaNs are alike. */
static uint64_t bits_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7fc00000 : bits;
}
static uint64_t bits_double(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return x != x ? 0x7ff8000000000000 : bits;
}
#define bits(x) _Generic((x), float : bits_float, double : bits_double)(x)

static uint64_t sum(uint64_t s, uint64_t x) { return (s << 9 | s >> 55) ^ x; }

/* ---- items ---- */

enum { ITEMS = 64, STACK = 4 << 20, INPUT_WORDS = 4096 };

static uint32_t in[INPUT_WORDS];
static uint64_t *out;
static struct {
  uint32_t grid[3], block[3], group[3], dims, items, item;
  ucontext_t host, context[ITEMS];
  bool ended[ITEMS];
  void (*kernel)(void);
} now;

#define get_group_id(d) now.group[d]
#define get_num_groups(d) now.grid[d]
#define get_local_size(d) now.block[d]
#define get_global_size(d) (now.grid[d] * now.block[d])
#define get_work_dim() now.dims
#define LOCAL_NUMBER(d) now.item
static uint32_t get_local_id(unsigned d) {
  return d == 0   ? now.item % now.block[0]
         : d == 1 ? now.item / now.block[0] % now.block[1]
                  : now.item / now.block[0] / now.block[1];
}
#define get_global_id(d) (now.group[d] * now.block[d] + get_local_id(d))
#define GLOBAL_NUMBER(d)                                                                           \
  ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) +               \
   get_global_id(0))

#define barrier(flags) wait_for_others()
static void wait_for_others(void) { swapcontext(&now.context[now.item], &now.host); }

static void item(void) {
  now.kernel();
  now.ended[now.item] = true;
}

static void run_group(char *stacks) {
  for (unsigned i = 0; i < now.items; i++) {
    ucontext_t *c = &now.context[i];
    getcontext(c);
    c->uc_stack.ss_sp = stacks + (size_t)i * STACK;
    c->uc_stack.ss_size = STACK;
    c->uc_link = &now.host;
    now.ended[i] = false;
    makecontext(c, item, 0);
  }
  for (bool all = false; !all;) {
    all = true;
    for (now.item = 0; now.item < now.items; now.item++) {
      if (!now.ended[now.item])
        swapcontext(&now.host, &now.context[now.item]);
      all &= now.ended[now.item];
    }
  }
}

/* Random numbers of launch descriptions, 0 to `most`. */
static uint64_t fill(uint64_t *state, uint64_t most) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (uint64_t)((uwide)(z ^ z >> 31) * (most + 1) >> 64);
}

/* Runs a kernel of which now has the size, and leaves its `words` results in a file. */
static void run(void (*kernel)(void), uint64_t seed, size_t words, const char *path) {
  uint64_t state = seed, other = seed;
  char *stacks = malloc((size_t)now.items * STACK);
  out = malloc(words * sizeof *out);
  now.kernel = kernel;
  for (size_t i = 0; i < INPUT_WORDS; i++)
    in[i] = (uint32_t)fill(&state, UINT32_MAX);
  for (size_t i = 0; i < words; i++)
    out[i] = fill(&other, UINT64_MAX - 1);
  for (now.group[2] = 0; now.group[2] < now.grid[2]; now.group[2]++)
    for (now.group[1] = 0; now.group[1] < now.grid[1]; now.group[1]++)
      for (now.group[0] = 0; now.group[0] < now.grid[0]; now.group[0]++)
        run_group(stacks);
  FILE *f = fopen(path, "w");
  if (f == NULL || fwrite(out, sizeof *out, words, f) != words || fclose(f) != 0)
    exit(1);
  free(out);
  free(stacks);
}
