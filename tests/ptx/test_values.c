/* Values of PTX instructions against the text of the PTX ISA: all types, roundings and modifiers of
 * each, on the edges of their types. */
#include <float.h>
#include <math.h>

#include "tests/ptx/values.h"
#include "tests/test.h"

/* ---- conversions ---- */

static const char *const modes[4] = {"n", "z", "m", "p"};
static double (*const round_to[4])(double) = {rint, trunc, floor, ceil};

static const u64 half_edges[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3800,
                                 0x3c00, 0x3c01, 0x3e00, 0xbe00, 0x4100, 0xc100, 0x57f0,
                                 0x57f8, 0x5808, 0x77ff, 0x7800, 0xf801, 0x7bff, 0xfbff,
                                 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe00, 0x7fff, 0xffff};
static const u64 single_edges[] = {
    0,          0x80000000, 1,          0x80000001, 0x7fffff,   0x807fffff, 0x800000,   0x3f000000,
    0xbf000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40200000, 0xc0200000, 0x42ff0000,
    0x43000000, 0xc3008000, 0x437f8000, 0x437fc000, 0x46fffe00, 0x47000000, 0xc7000080, 0x477fff00,
    0x47800000, 0x4effffff, 0x4f000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000,
    0xdf000001, 0x5f7fffff, 0x5f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001,
    0x7fc00000, 0xffc00000, 0xffffffff};
static const u64 double_edges[] = {0,
                                   0x8000000000000000,
                                   1,
                                   0x8000000000000001,
                                   0x000fffffffffffff,
                                   0x800fffffffffffff,
                                   0x0010000000000000,
                                   0x8010000000000000,
                                   0x3fe0000000000000,
                                   0xbfe0000000000000,
                                   0x3fefffffffffffff,
                                   0x3ff0000000000000,
                                   0x3ff0000000000001,
                                   0x4004000000000000,
                                   0xc004000000000000,
                                   0x405fe00000000000,
                                   0xc060100000000000,
                                   0x406ff00000000000,
                                   0x40dfffe000000000,
                                   0xc0e0001000000000,
                                   0x40efffe000000000,
                                   0x41dfffffffe00000,
                                   0x41e0000000000000,
                                   0xc1e0000000200000,
                                   0x41efffffffefffff,
                                   0x43dfffffffffffff,
                                   0x43e0000000000000,
                                   0xc3e0000000000001,
                                   0x43efffffffffffff,
                                   0x43f0000000000000,
                                   0x7fd0000000000000,
                                   0x7fd0000000000001,
                                   0xffe0000000000001,
                                   0x7fefffffffffffff,
                                   0x7ff0000000000000,
                                   0xfff0000000000000,
                                   0x7ff0000000000001,
                                   0x7ff8000000000000,
                                   0xfff8000000000000,
                                   UINT64_MAX};
static const u64 integer_edges[] = {0,          1,          2,          0x7f,
                                    0x80,       0xff,       0x100,      0x7fff,
                                    0x8000,     0xffff,     0x7fffffff, 0x80000000,
                                    0xffffffff, INT64_MAX,  1ULL << 63, UINT64_MAX,
                                    0xfffffffe, 0x3fffffff, 0x80000001, 0x123456789abcdef0};

static struct value_case *add_of_type(char result, unsigned from, unsigned sources, want_fn *want) {
  struct value_case *c =
      from == F16   ? values_add(result, half_edges, sizeof half_edges, sources, want)
      : from == F32 ? values_add(result, single_edges, sizeof single_edges, sources, want)
      : from == F64 ? values_add(result, double_edges, sizeof double_edges, sources, want)
                    : values_add(result, integer_edges, sizeof integer_edges, sources, want);
  c->from = from;
  return c;
}

/* The integer, of its width in registers: narrower ones are extended to 32 bits or are 16 bits. */
static u64 in_register(const struct value_case *c, u64 v) {
  return c->result == 'l' ? v : c->result == 'h' ? v & 0xffff : v & 0xffffffff;
}

static u64 want_integer(const struct value_case *c, u64 a, u64 b, u64 d) {
  (void)b, (void)d;
  const unsigned bits = value_width(c->to);
  const double v = value_of(c->from, a), r = round_to[c->mode](v);
  const long double low = value_signed(c->to) ? -ldexpl(1, (int)bits - 1) : 0;
  const long double high = ldexpl(1, (int)bits - value_signed(c->to)) - 1;
  const u64 top = value_signed(c->to) ? ~0ULL << (bits - 1) : 1ULL << (bits - 1);
  if (isnan(v))
    return in_register(c, c->from == F64 || bits == 64 ? top : 0);
  if ((long double)r < low)
    return in_register(c, value_signed(c->to) ? top : 0);
  if ((long double)r > high)
    return in_register(c, value_signed(c->to) ? ~top : ~0ULL >> (64 - bits));
  return in_register(c, value_signed(c->to) ? (u64)(s64)r : (u64)r);
}

TEST(floats_to_integers) {
  for (unsigned from = F16; from <= F64; from++)
    for (unsigned to = U8; to < INTEGERS; to++)
      for (unsigned mode = 0; mode < 4; mode++)
        for (unsigned sat = 0; sat < 2; sat++) {
          const char reg = value_letter(to);
          struct value_case *c = add_of_type(reg, from, 1, want_integer);
          c->to = to;
          c->mode = mode;
          snprintf(c->text, sizeof c->text, "cvt.r%si%s.%s.%s %%%c0, %%%ca;", modes[mode],
                   sat ? ".sat" : "", value_types[to], value_types[from], reg, value_letter(from));
        }
  values_run();
}

/* A value within [+0, 1], NaN and -0 are +0. */
static double saturated(double v) { return !(v > 0) ? 0 : v > 1 ? 1 : v; }

static u64 want_saturated(const struct value_case *c, u64 a, u64 b, u64 d) {
  (void)b, (void)d;
  const unsigned unused = c->from < INTEGERS ? 64 - value_width(c->from) : 0;
  const u64 v = a << unused >> unused;
  const bool negative = value_signed(c->from) && (s64)(a << unused) < 0;
  const double x = c->from >= INTEGERS ? value_of(c->from, a) : negative || v == 0 ? 0 : 1;
  return value_bits(c->to, saturated(c->flag[0] ? round_to[c->mode](x) : x));
}

/* To each float type from all types, where no rounding but that of the instruction happens. */
TEST(saturated_floats) {
  enum { NONE = 4 }; /* no rounding */
  for (unsigned to = F16; to <= F64; to++)
    for (unsigned from = U8; from < TYPES; from++)
      for (unsigned mode = 0; mode <= NONE; mode++) {
        const bool integral = from == to && mode != NONE;
        if ((from >= F16 && from > to) || (from != to && (from < INTEGERS) == (mode == NONE)))
          continue;
        struct value_case *c = add_of_type(value_letter(to), from, 1, want_saturated);
        c->to = to;
        c->mode = mode;
        c->flag[0] = integral;
        snprintf(c->text, sizeof c->text, "cvt%s%s%s.sat.%s.%s %%%c0, %%%ca;",
                 mode == NONE ? "" : ".r", mode == NONE ? "" : modes[mode], integral ? "i" : "",
                 value_types[to], value_types[from], value_letter(to), value_letter(from));
      }
  values_run();
}

/* ---- subnormals of doubles ---- */

static double flushed(double v, double least) { return fabs(v) < least ? copysign(0, v) : v; }

static u64 want_reciprocal(const struct value_case *c, u64 a, u64 b, u64 d) {
  (void)b, (void)d;
  const double least = c->flag[1] ? DBL_MIN : 0, v = flushed(value_of(F64, a), least);
  return value_bits(F64, flushed(c->flag[0] ? 1 / sqrt(v) : 1 / v, least));
}

TEST(reciprocals) {
  for (unsigned i = 0; i < 4; i++) {
    struct value_case *c = add_of_type('d', F64, 1, want_reciprocal);
    c->flag[0] = i % 2 != 0;
    c->flag[1] = i / 2 != 0;
    snprintf(c->text, sizeof c->text, "r%s.%s%s.f64 %%d0, %%da;", i % 2 ? "sqrt" : "cp",
             i == 0 ? "rn" : "approx", i / 2 ? ".ftz" : "");
  }
  values_run();
}

/* ---- halves that are flushed ---- */

static const u64 few_halves[] = {0,      0x8000, 1,      0x83ff, 0x3ff,  0x400,  0x8401, 0x3c00,
                                 0xbc00, 0x1400, 0x9400, 0x7bff, 0xfc00, 0x7c00, 0x7e01, 0x0801};

enum { ADD, SUB, MUL, FMA, NEG, ABS, LESS, OPERATIONS };
static const struct {
  const char *text;
  char result;
  unsigned sources;
} half_operations[OPERATIONS] = {
    [ADD] = {"add%s.f16 %%h0, %%ha, %%hb;", 'h', 2},
    [SUB] = {"sub%s.f16 %%h0, %%ha, %%hb;", 'h', 2},
    [MUL] = {"mul%s.f16 %%h0, %%ha, %%hb;", 'h', 2},
    [FMA] = {"fma.rn%s.f16 %%h0, %%ha, %%hb, %%hc;", 'h', 3},
    [NEG] = {"neg%s.f16 %%h0, %%ha;", 'h', 1},
    [ABS] = {"abs%s.f16 %%h0, %%ha;", 'h', 1},
    [LESS] = {"setp.lt%s.f16 %%p0, %%ha, %%hb;", 'p', 2},
};

static u64 want_half(const struct value_case *c, u64 a, u64 b, u64 d) {
  const double least = c->flag[0] ? 0x1p-14 : 0;
  const double x = flushed(value_of(F16, a), least), y = flushed(value_of(F16, b), least);
  const double z = flushed(value_of(F16, d), least);
  if (c->mode == LESS)
    return x < y;
  if (c->mode == NEG || c->mode == ABS) /* the payload of a NaN stays */
    return isnan(x) ? (c->mode == NEG ? a ^ 0x8000 : a & 0x7fff)
                    : value_half((long double)(c->mode == NEG ? -x : fabs(x)));
  const long double r = c->mode == ADD   ? (long double)x + (long double)y
                        : c->mode == SUB ? (long double)x - (long double)y
                        : c->mode == MUL ? (long double)x * (long double)y
                                         : (long double)x * (long double)y + (long double)z;
  const u64 v = value_half(r);
  return c->flag[0] && (v & 0x7c00) == 0 ? v & 0x8000 : v;
}

TEST(halves) {
  for (unsigned op = 0; op < OPERATIONS; op++)
    for (unsigned ftz = 0; ftz < 2; ftz++) {
      struct value_case *c = values_add(half_operations[op].result, few_halves, sizeof few_halves,
                                        half_operations[op].sources, want_half);
      c->mode = op;
      c->flag[0] = ftz != 0;
      snprintf(c->text, sizeof c->text, half_operations[op].text, ftz ? ".ftz" : "");
    }
  values_run();
}

/* ---- minimum and maximum ---- */

static u64 want_extreme(const struct value_case *c, u64 a, u64 b, u64 d) {
  (void)d;
  const bool max = c->flag[0], nan = c->flag[1], sign = c->flag[2], ftz = c->flag[3];
  const double least = ftz ? (c->from == F16 ? 0x1p-14 : 0x1p-126) : 0;
  double x = flushed(value_of(c->from, a), least), y = flushed(value_of(c->from, b), least);
  const bool negative = (signbit(x) != 0) != (signbit(y) != 0), either = isnan(x) || isnan(y);
  if (sign)
    x = fabs(x), y = fabs(y);
  const bool less = x < y || (x == y && signbit(x));
  double r = isnan(x) ? y : isnan(y) || less != max ? x : y;
  if (nan && either)
    r = (double)NAN;
  return value_bits(c->from, sign && !isnan(r) ? copysign(r, negative ? -1 : 1) : r);
}

TEST(extremes) {
  for (unsigned i = 0; i < 32; i++) {
    const unsigned type = i & 16 ? F16 : F32;
    struct value_case *c = type == F16
                               ? values_add('h', few_halves, sizeof few_halves, 2, want_extreme)
                               : add_of_type('f', F32, 2, want_extreme);
    c->from = type;
    for (unsigned k = 0; k < 4; k++)
      c->flag[k] = (i >> k & 1) != 0;
    const char r = value_letter(type);
    snprintf(c->text, sizeof c->text, "%s%s%s%s.%s %%%c0, %%%ca, %%%cb;", i & 1 ? "max" : "min",
             i & 8 ? ".ftz" : "", i & 2 ? ".NaN" : "", i & 4 ? ".xorsign.abs" : "",
             value_types[type], r, r, r);
  }
  values_run();
}

/* ---- products with a saturated sum ---- */

static u64 want_product(const struct value_case *c, u64 a, u64 b, u64 d) {
  const bool small = c->flag[0];
  const s64 x = small ? (s64)(a << 40) >> 40 : (int32_t)a,
            y = small ? (s64)(b << 40) >> 40 : (int32_t)b;
  const s64 sum = (small ? (int32_t)(x * y >> 16) : x * y >> 32) + (s64)(int32_t)d;
  return (u64)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum) & 0xffffffff;
}

TEST(products) {
  for (unsigned i = 0; i < 2; i++) {
    struct value_case *c = add_of_type('r', S32, 3, want_product);
    c->flag[0] = i != 0;
    snprintf(c->text, sizeof c->text, "mad%s.hi.sat.s32 %%r0, %%ra, %%rb, %%rc;", i ? "24" : "");
  }
  values_run();
}

/* ---- video shifts ---- */

static const char *const parts[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
static const u64 shift_edges[] = {
    0, 1, 5, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff, 0x12f48081, 0x40000000, 0x80fe7f20};

/* Part k of a word, extended with zeros or its sign. */
static s64 part_value(u64 v, unsigned k, bool sign) {
  const unsigned bits = k == 0  ? 32
                        : k < 5 ? 8
                                : 16,
                 at = k == 0  ? 0
                      : k < 5 ? k * 8 - 8
                              : (k - 5) * 16;
  const u64 top = v << (64 - bits - at);
  return sign ? (s64)top >> (64 - bits) : (s64)(top >> (64 - bits));
}

/* flag: right, signed result, signed source, saturated; to: wrap */
static u64 want_shift(const struct value_case *c, u64 a, u64 b, u64 d) {
  const unsigned pa = c->from % 8, pb = c->from / 8, pd = c->mode % 8, op2 = c->mode / 8;
  const s64 x = part_value(a, pa, c->flag[2]);
  const u64 count = (u64)part_value(b, pb, false);
  const unsigned n = c->to ? count & 31 : count > 32 ? 32 : (unsigned)count;
  __extension__ typedef __int128 wide;
  wide r = c->flag[0] ? (wide)(x >> n) : (wide)x * ((wide)1 << n);
  const unsigned bits = pd == 0 ? 32 : pd < 5 ? 8 : 16;
  const wide high = ((wide)1 << (bits - c->flag[1])) - 1;
  const wide low = c->flag[1] ? -high - 1 : 0;
  if (c->flag[3])
    r = r > high ? high : r < low ? low : r;
  const u64 word = (u64)r & 0xffffffff;
  const s64 t = c->flag[1] ? (int32_t)word : (s64)word,
            z = c->flag[1] ? (int32_t)d : (s64)(d & 0xffffffff);
  if (pd != 0) {
    const unsigned at = pd < 5 ? pd * 8 - 8 : (pd - 5) * 16;
    const u64 mask = ((1ULL << bits) - 1) << at;
    return ((d & ~mask) | (word << at & mask)) & 0xffffffff;
  }
  return (u64)(op2 == 1   ? t + z
               : op2 == 2 ? (t < z ? t : z)
               : op2 == 3 ? (t > z ? t : z)
                          : t) &
         0xffffffff;
}

TEST(shifts) {
  static const char *const second[] = {"", ".add", ".min", ".max"};
  for (unsigned i = 0; i < 32; i++)
    for (unsigned form = 0; form < 13; form++) {
      const unsigned pa = form < 7 ? form : i % 7, pb = form < 7 ? 0 : form % 7;
      const unsigned op2 = form < 4 ? form : 0, pd = form >= 7 ? form - 6 : 0;
      struct value_case *c = values_add('r', shift_edges, sizeof shift_edges, 3, want_shift);
      for (unsigned k = 0; k < 4; k++)
        c->flag[k] = (i >> k & 1) != 0;
      c->to = i >> 4;
      c->from = pa + 8 * pb;
      c->mode = pd + 8 * op2;
      snprintf(c->text, sizeof c->text, "vsh%c.%c32.%c32.u32%s.%s%s %%r0%s, %%ra%s, %%rb%s%s;",
               i & 1 ? 'r' : 'l', i & 2 ? 's' : 'u', i & 4 ? 's' : 'u', i & 8 ? ".sat" : "",
               i & 16 ? "wrap" : "clamp", second[op2], parts[pd], parts[pa], parts[pb],
               op2 || pd ? ", %rc" : "");
    }
  values_run();
}

int main(void) { return test_run(NULL, NULL); }
