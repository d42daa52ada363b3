/* 32-bit integers, moves, predicates. */
#include "csim/isa/lanes/local.h"

/* One line an operation: x, y, z are the lane's sources. */
#define UNARY(name, expr)                                                                          \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint32_t x = a[l];                                                                           \
      d[l] = (expr);                                                                               \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define BINARY(name, expr)                                                                         \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint32_t x = a[l], y = b[l];                                                                 \
      d[l] = (expr);                                                                               \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define TERNARY(name, expr)                                                                        \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint32_t x = a[l], y = b[l], z = c[l];                                                       \
      d[l] = (expr);                                                                               \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define WIDE(name, expr)                                                                           \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint32_t x = a[l], y = b[l];                                                                 \
      lane_put64(d, l, (uint64_t)(expr));                                                          \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define WIDE_ADD(name, expr)                                                                       \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint32_t x = a[l], y = b[l];                                                                 \
      lane_put64(d, l, (uint64_t)(expr) + lane_get64(c, l));                                       \
    }                                                                                              \
    return 0;                                                                                      \
  }

LANE_INLINE int32_t s32(uint32_t x) { return (int32_t)x; }
LANE_INLINE uint32_t mulhi_u(uint32_t x, uint32_t y) { return (uint32_t)((uint64_t)x * y >> 32); }
LANE_INLINE int64_t mulw_s(uint32_t x, uint32_t y) { return (int64_t)s32(x) * s32(y); }
LANE_INLINE uint32_t mulhi_s(uint32_t x, uint32_t y) {
  return (uint32_t)((uint64_t)mulw_s(x, y) >> 32);
}
LANE_INLINE uint64_t mul24_u(uint32_t x, uint32_t y) {
  return (uint64_t)(x & 0xffffffU) * (y & 0xffffffU);
}
LANE_INLINE uint64_t mul24_s(uint32_t x, uint32_t y) {
  return (uint64_t)((int64_t)(s32(x << 8) >> 8) * (s32(y << 8) >> 8));
}

UNARY(mov, x)
UNARY(not_, ~x)
BINARY(and_, x &y)
BINARY(or_, x | y)
BINARY(xor_, x ^ y)
BINARY(shl, y > 31 ? 0 : x << (y & 31))
BINARY(shr, y > 31 ? 0 : x >> (y & 31))
BINARY(sar, (uint32_t)(s32(x) >> (y > 31 ? 31 : y)))
UNARY(iabs, s32(x) < 0 ? 0U - x : x)
BINARY(imin_u, x < y ? x : y)
BINARY(imax_u, x > y ? x : y)
BINARY(imin_s, s32(x) < s32(y) ? x : y)
BINARY(imax_s, s32(x) > s32(y) ? x : y)
BINARY(mul, x *y)
BINARY(mulhi_lanes_u, mulhi_u(x, y))
BINARY(mulhi_lanes_s, mulhi_s(x, y))
WIDE(mulw_lanes_u, (uint64_t)x *y)
WIDE(mulw_lanes_s, mulw_s(x, y))
BINARY(mul24_lanes_u, (uint32_t)mul24_u(x, y))
BINARY(mul24_lanes_s, (uint32_t)mul24_s(x, y))
BINARY(mul24hi_lanes_u, (uint32_t)(mul24_u(x, y) >> 16))
BINARY(mul24hi_lanes_s, (uint32_t)(mul24_s(x, y) >> 16))
TERNARY(mad, x *y + z)
TERNARY(madhi_u, mulhi_u(x, y) + z)
TERNARY(madhi_s, mulhi_s(x, y) + z)
WIDE_ADD(madw_u, (uint64_t)x *y)
WIDE_ADD(madw_s, mulw_s(x, y))
TERNARY(mad24_u, (uint32_t)mul24_u(x, y) + z)
TERNARY(mad24_s, (uint32_t)mul24_s(x, y) + z)
TERNARY(mad24hi_u, (uint32_t)(mul24_u(x, y) >> 16) + z)
TERNARY(mad24hi_s, (uint32_t)(mul24_s(x, y) >> 16) + z)
TERNARY(sad_u, (x < y ? y - x : x - y) + z)
TERNARY(sad_s, (s32(x) < s32(y) ? y - x : x - y) + z)

LANE_FN(movi) {
  LANES(l) d[l] = u->imm32;
  return 0;
}

/* -x is ~x + 1: one masked turn and one added constant cover the four signs. */
LANE_FN(iadd) {
  const uint32_t n1 = lane_mask(u, LANE_NEG1), n2 = lane_mask(u, LANE_NEG2);
  const uint32_t carry = (n1 & 1) + (n2 & 1);
  LANES(l) d[l] = (a[l] ^ n1) + (b[l] ^ n2) + carry;
  return 0;
}

LANE_FN(iadd_sat) {
  const int64_t n1 = (u->f.mods & LANE_NEG1) != 0 ? -1 : 1;
  const int64_t n2 = (u->f.mods & LANE_NEG2) != 0 ? -1 : 1;
  LANES(l) {
    int64_t sum = n1 * s32(a[l]) + n2 * s32(b[l]);
    sum = sum > INT32_MAX ? INT32_MAX : sum;
    sum = sum < INT32_MIN ? INT32_MIN : sum;
    d[l] = (uint32_t)sum;
  }
  return 0;
}

LANE_FN_SCALAR(iadd_any) {
  return ((u->f.mods & 4) != 0 ? iadd_sat : iadd)(u, d, a, b, c, p2, p3, active);
}

LANE_FN(selp) {
  LANES(l) d[l] = (p3 & 1U << l) != 0 ? a[l] : b[l];
  return 0;
}

LANE_FN(ext) {
  const unsigned shift = (u->f.mods & 2) != 0 ? 16 : 24;
  const bool is_signed = (u->f.mods & 1) != 0;
  LANES(l) {
    uint32_t top = a[l] << shift;
    d[l] = is_signed ? (uint32_t)(s32(top) >> shift) : top >> shift;
  }
  return 0;
}

/* Bits from..31 of the register, extended by the sign bit of the field where is_signed. */
LANE_INLINE uint32_t bfe(uint32_t x, uint32_t pos, uint32_t len, bool is_signed) {
  pos &= 0xff;
  len &= 0xff;
  uint32_t field = pos > 31 ? 0 : x >> (pos & 31);
  uint32_t keep = len > 31 ? ~0U : (1U << (len & 31)) - 1;
  uint32_t top = pos + len - 1 > 31 ? 31 : pos + len - 1;
  /* Above the register's end the field is the sign too. */
  uint32_t sign = is_signed && len != 0 && (x >> (top & 31) & 1) != 0 ? ~0U : 0;
  uint32_t in_register = pos > 31 ? 0 : ~0U >> (pos & 31);
  keep &= in_register;
  return (field & keep) | (sign & ~keep);
}
TERNARY(bfe_u, bfe(x, y, z, false))
TERNARY(bfe_s, bfe(x, y, z, true))

LANE_INLINE uint32_t bfi(uint32_t x, uint32_t y, uint32_t z) {
  uint32_t pos = z & 0xff, len = z >> 8 & 0xff;
  uint32_t mask = len > 31 ? ~0U : (1U << (len & 31)) - 1;
  mask = pos > 31 ? 0 : mask << (pos & 31);
  return (y & ~mask) | (x << (pos & 31) & mask);
}
TERNARY(bfi_lanes, bfi(x, y, z))

/* The special modes are byte selections of the general one, chosen by two bits. */
static const uint16_t prmt_select[8][4] = {
    [1] = {0x3210, 0x4321, 0x5432, 0x6543}, /* f4e */
    [2] = {0x5670, 0x6701, 0x7012, 0x0123}, /* b4e */
    [3] = {0x0000, 0x1111, 0x2222, 0x3333}, /* rc8 */
    [4] = {0x3210, 0x3211, 0x3222, 0x3333}, /* ecl */
    [5] = {0x0000, 0x1110, 0x2210, 0x3210}, /* ecr */
    [6] = {0x1010, 0x3232, 0x1010, 0x3232}, /* rc16 */
};

LANE_INLINE uint32_t prmt_bytes(uint32_t x, uint32_t y, uint32_t select) {
  uint64_t bytes = (uint64_t)y << 32 | x;
  uint32_t result = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t pick = select >> (4 * i);
    uint32_t byte = (uint32_t)(bytes >> (8 * (pick & 7))) & 0xff;
    uint32_t sign = (byte & 0x80) != 0 ? 0xff : 0;
    result |= ((pick & 8) != 0 ? sign : byte) << (8 * i);
  }
  return result;
}
TERNARY(prmt, prmt_bytes(x, y, z))

LANE_FN_SCALAR(prmt_mode) {
  const uint16_t *select = prmt_select[u->f.mods & 7];
  LANES(l) d[l] = prmt_bytes(a[l], b[l], select[c[l] & 3]);
  return 0;
}

/* The lane that up, down, bfly or idx (0 to 3) reads; 32 and more, or beyond the edge of the
 * segment: none. */
LANE_INLINE uint32_t shuffle_source(unsigned mode, uint32_t l, uint32_t by, uint32_t c) {
  const uint32_t segment = c >> 8 & 31, low = l & segment, edge = low | (c & 31 & ~segment);
  const uint32_t source[4] = {l - by, l + by, l ^ by, low | (by & ~segment)};
  const uint32_t j = source[mode];
  return (mode == 0 ? s32(j) >= s32(edge) : s32(j) <= s32(edge)) ? j : 32;
}

/* A lane that has no source, or one that does not execute, keeps its own value. */
LANE_FN_SCALAR(prmt_lanes) {
  const unsigned mode = (u->f.mods & ISA_PRMT_MODE) - ISA_PRMT_UP;
  LANES(l) {
    const uint32_t j = shuffle_source(mode & 3, l, b[l] & 31, c[l]);
    d[l] = a[j < 32 && (active >> j & 1) != 0 ? j : l];
  }
  return 0;
}

LANE_FN_SCALAR(prmt_any) {
  const unsigned mode = u->f.mods & ISA_PRMT_MODE;
  return (mode == 0            ? prmt
          : mode < ISA_PRMT_UP ? prmt_mode
                               : prmt_lanes)(u, d, a, b, c, p2, p3, active);
}

LANE_INLINE uint32_t reverse(uint32_t x) {
  x = (x >> 1 & 0x55555555U) | (x & 0x55555555U) << 1;
  x = (x >> 2 & 0x33333333U) | (x & 0x33333333U) << 2;
  x = (x >> 4 & 0x0f0f0f0fU) | (x & 0x0f0f0f0fU) << 4;
  return __builtin_bswap32(x);
}
LANE_INLINE uint32_t leading_zeros(uint32_t x) { return x == 0 ? 32 : (uint32_t)__builtin_clz(x); }
UNARY(brev, reverse(x))
UNARY(popc, (uint32_t)__builtin_popcount(x))
UNARY(clz, leading_zeros(x))

LANE_FN(bfind) {
  const uint32_t is_signed = lane_mask(u, 1), amount = lane_mask(u, 2);
  LANES(l) {
    uint32_t x = a[l] ^ ((uint32_t)(s32(a[l]) >> 31) & is_signed);
    uint32_t zeros = leading_zeros(x);
    d[l] = x == 0 ? ~0U : (zeros & amount) | ((31 - zeros) & ~amount);
  }
  return 0;
}

LANE_FN_SCALAR(plop) {
  switch (u->f.mods & 3) {
  case 0:
    return p2 & p3;
  case 1:
    return p2 | p3;
  case 2:
    return p2 ^ p3;
  default:
    return p2;
  }
}

LANE_FN_SCALAR(vote) {
  bool all = (p2 & active) == active, none = (p2 & active) == 0;
  const bool holds[4] = {all, !none, all || none, false};
  return holds[u->f.mods & 3] ? ~0U : 0;
}

LANE_FN(ballot) {
  LANES(l) d[l] = p2 & active;
  return 0;
}

LANE_FN(isetp) {
  const unsigned relations = lane_relations[u->f.mods & 7];
  const uint32_t flip = (u->f.mods & 8) != 0 ? 0x80000000U : 0;
  uint32_t lt = 0, eq = 0;
  LANES(l) {
    uint32_t x = a[l] ^ flip, y = b[l] ^ flip;
    lt |= x < y ? 1U << l : 0;
    eq |= x == y ? 1U << l : 0;
  }
  return lane_accept(relations, lt, eq, ~(lt | eq));
}

LANE_INLINE uint32_t div_s(uint32_t x, uint32_t y) {
  if (y == 0)
    return ~0U;
  return y == ~0U ? 0U - x : (uint32_t)(s32(x) / s32(y));
}
LANE_INLINE uint32_t rem_s(uint32_t x, uint32_t y) {
  if (y == 0)
    return x;
  return y == ~0U ? 0 : (uint32_t)(s32(x) % s32(y));
}
LANE_FN_SCALAR(idiv_u) {
  LANES(l) d[l] = b[l] == 0 ? ~0U : a[l] / b[l];
  return 0;
}
LANE_FN_SCALAR(idiv_s) {
  LANES(l) d[l] = div_s(a[l], b[l]);
  return 0;
}
LANE_FN_SCALAR(irem_u) {
  LANES(l) d[l] = b[l] == 0 ? a[l] : a[l] % b[l];
  return 0;
}
LANE_FN_SCALAR(irem_s) {
  LANES(l) d[l] = rem_s(a[l], b[l]);
  return 0;
}

#define ONLY(f)                                                                                    \
  { {f}, LANE_ONLY }
#define BOTH(f, g)                                                                                 \
  { {f, g}, LANE_SIGNED }
const struct lane_entry isa_lanes_int[ISA_OPS] = {
    [ISA_MOV] = ONLY(mov),
    [ISA_MOVI] = ONLY(movi),
    [ISA_IADD] = ONLY(iadd_any),
    [ISA_AND] = ONLY(and_),
    [ISA_OR] = ONLY(or_),
    [ISA_XOR] = ONLY(xor_),
    [ISA_NOT] = ONLY(not_),
    [ISA_SHL] = ONLY(shl),
    [ISA_SHR] = ONLY(shr),
    [ISA_SAR] = ONLY(sar),
    [ISA_SELP] = ONLY(selp),
    [ISA_EXT] = ONLY(ext),
    [ISA_BFE] = BOTH(bfe_u, bfe_s),
    [ISA_BFI] = ONLY(bfi_lanes),
    [ISA_PRMT] = ONLY(prmt_any),
    [ISA_BREV] = ONLY(brev),
    [ISA_POPC] = ONLY(popc),
    [ISA_CLZ] = ONLY(clz),
    [ISA_BFIND] = ONLY(bfind),
    [ISA_PLOP] = ONLY(plop),
    [ISA_VOTE] = ONLY(vote),
    [ISA_BALLOT] = ONLY(ballot),
    [ISA_IABS] = ONLY(iabs),
    [ISA_IMIN] = BOTH(imin_u, imin_s),
    [ISA_IMAX] = BOTH(imax_u, imax_s),
    [ISA_ISETP] = ONLY(isetp),
    [ISA_MUL] = ONLY(mul),
    [ISA_MULHI] = BOTH(mulhi_lanes_u, mulhi_lanes_s),
    [ISA_MULW] = BOTH(mulw_lanes_u, mulw_lanes_s),
    [ISA_MUL24] = BOTH(mul24_lanes_u, mul24_lanes_s),
    [ISA_MUL24HI] = BOTH(mul24hi_lanes_u, mul24hi_lanes_s),
    [ISA_MAD] = ONLY(mad),
    [ISA_MADHI] = BOTH(madhi_u, madhi_s),
    [ISA_MADW] = BOTH(madw_u, madw_s),
    [ISA_MAD24] = BOTH(mad24_u, mad24_s),
    [ISA_MAD24HI] = BOTH(mad24hi_u, mad24hi_s),
    [ISA_SAD] = BOTH(sad_u, sad_s),
    [ISA_IDIV] = BOTH(idiv_u, idiv_s),
    [ISA_IREM] = BOTH(irem_u, irem_s),
};
