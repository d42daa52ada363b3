/* 64-bit integers on register pairs. */
#include "csim/isa/lanes/local.h"

/* x, y, z are the lane's sources: 64 bits, or 32 where the name says _R. */
#define UNARY(name, expr)                                                                          \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint64_t x = lane_get64(a, l);                                                               \
      lane_put64(d, l, (expr));                                                                    \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define BINARY(name, expr)                                                                         \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint64_t x = lane_get64(a, l), y = lane_get64(b, l);                                         \
      lane_put64(d, l, (expr));                                                                    \
    }                                                                                              \
    return 0;                                                                                      \
  }
#define BINARY_R(name, expr)                                                                       \
  LANE_FN(name) {                                                                                  \
    LANES(l) {                                                                                     \
      uint64_t x = lane_get64(a, l);                                                               \
      uint32_t y = b[l];                                                                           \
      lane_put64(d, l, (expr));                                                                    \
    }                                                                                              \
    return 0;                                                                                      \
  }

LANE_INLINE int64_t s64(uint64_t x) { return (int64_t)x; }

UNARY(lmov, x)
UNARY(lnot, ~x)
UNARY(labs_, s64(x) < 0 ? 0U - x : x)
BINARY(land, x &y)
BINARY(lor, x | y)
BINARY(lxor, x ^ y)
BINARY_R(lshl, y > 63 ? 0 : x << (y & 63))
BINARY_R(lshr, y > 63 ? 0 : x >> (y & 63))
BINARY_R(lsar, (uint64_t)(s64(x) >> (y > 63 ? 63 : y)))
BINARY(lmul, x *y)
BINARY(lmin_u, x < y ? x : y)
BINARY(lmax_u, x > y ? x : y)
BINARY(lmin_s, s64(x) < s64(y) ? x : y)
BINARY(lmax_s, s64(x) > s64(y) ? x : y)

LANE_FN(ladd) {
  const uint64_t n1 = (u->f.mods & LANE_NEG1) != 0 ? ~0ULL : 0;
  const uint64_t n2 = (u->f.mods & LANE_NEG2) != 0 ? ~0ULL : 0;
  const uint64_t carry = (n1 & 1) + (n2 & 1);
  LANES(l) lane_put64(d, l, (lane_get64(a, l) ^ n1) + (lane_get64(b, l) ^ n2) + carry);
  return 0;
}

LANE_FN(lmad) {
  LANES(l) lane_put64(d, l, lane_get64(a, l) * lane_get64(b, l) + lane_get64(c, l));
  return 0;
}

LANE_FN_SCALAR(lmulhi_u) {
  LANES(l) {
    unsigned __int128 product = (unsigned __int128)lane_get64(a, l) * lane_get64(b, l);
    lane_put64(d, l, (uint64_t)(product >> 64));
  }
  return 0;
}
LANE_FN_SCALAR(lmulhi_s) {
  LANES(l) {
    __int128 product = (__int128)s64(lane_get64(a, l)) * s64(lane_get64(b, l));
    lane_put64(d, l, (uint64_t)((unsigned __int128)product >> 64));
  }
  return 0;
}

LANE_INLINE uint64_t div_s(uint64_t x, uint64_t y) {
  if (y == 0)
    return ~0ULL;
  return y == ~0ULL ? 0U - x : (uint64_t)(s64(x) / s64(y));
}
LANE_INLINE uint64_t rem_s(uint64_t x, uint64_t y) {
  if (y == 0)
    return x;
  return y == ~0ULL ? 0 : (uint64_t)(s64(x) % s64(y));
}
LANE_INLINE uint64_t div_u(uint64_t x, uint64_t y) { return y == 0 ? ~0ULL : x / y; }
LANE_INLINE uint64_t rem_u(uint64_t x, uint64_t y) { return y == 0 ? x : x % y; }

#define DIVIDE(name, fn)                                                                           \
  LANE_FN_SCALAR(name) {                                                                           \
    LANES(l) lane_put64(d, l, fn(lane_get64(a, l), lane_get64(b, l)));                             \
    return 0;                                                                                      \
  }
DIVIDE(ldiv_u, div_u)
DIVIDE(ldiv_s, div_s)
DIVIDE(lrem_u, rem_u)
DIVIDE(lrem_s, rem_s)

LANE_FN(lsetp) {
  const unsigned relations = lane_relations[u->f.mods & 7];
  const uint64_t flip = (u->f.mods & 8) != 0 ? 1ULL << 63 : 0;
  uint32_t lt = 0, eq = 0;
  LANES(l) {
    uint64_t x = lane_get64(a, l) ^ flip, y = lane_get64(b, l) ^ flip;
    lt |= x < y ? 1U << l : 0;
    eq |= x == y ? 1U << l : 0;
  }
  return lane_accept(relations, lt, eq, ~(lt | eq));
}

LANE_FN(lselp) {
  LANES(l) {
    bool p = (p3 & 1U << l) != 0;
    d[l] = p ? a[l] : b[l];
    d[ISA_WARP_SIZE + l] = p ? a[ISA_WARP_SIZE + l] : b[ISA_WARP_SIZE + l];
  }
  return 0;
}

LANE_FN_SCALAR(lclz) {
  LANES(l) {
    uint64_t x = lane_get64(a, l);
    d[l] = x == 0 ? 64 : (uint32_t)__builtin_clzll(x);
  }
  return 0;
}

LANE_FN(lpopc) {
  LANES(l) {
    d[l] = (uint32_t)__builtin_popcount(a[l]) + (uint32_t)__builtin_popcount(a[ISA_WARP_SIZE + l]);
  }
  return 0;
}

LANE_INLINE uint64_t reverse(uint64_t x) {
  x = (x >> 1 & 0x5555555555555555U) | (x & 0x5555555555555555U) << 1;
  x = (x >> 2 & 0x3333333333333333U) | (x & 0x3333333333333333U) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fU) | (x & 0x0f0f0f0f0f0f0f0fU) << 4;
  return __builtin_bswap64(x);
}
UNARY(lbrev, reverse(x))

LANE_FN(lext_u) {
  LANES(l) lane_put64(d, l, a[l]);
  return 0;
}
LANE_FN(lext_s) {
  LANES(l) lane_put64(d, l, (uint64_t)(int64_t)(int32_t)a[l]);
  return 0;
}
LANE_FN(lpack) {
  LANES(l) {
    d[l] = a[l];
    d[ISA_WARP_SIZE + l] = b[l];
  }
  return 0;
}

LANE_INLINE uint64_t bfe(uint64_t x, uint32_t pos, uint32_t len, bool is_signed) {
  pos &= 0xff;
  len &= 0xff;
  uint64_t field = pos > 63 ? 0 : x >> (pos & 63);
  uint64_t keep = len > 63 ? ~0ULL : (1ULL << (len & 63)) - 1;
  uint32_t top = pos + len - 1 > 63 ? 63 : pos + len - 1;
  uint64_t sign = is_signed && len != 0 && (x >> (top & 63) & 1) != 0 ? ~0ULL : 0;
  keep &= pos > 63 ? 0 : ~0ULL >> (pos & 63);
  return (field & keep) | (sign & ~keep);
}
LANE_FN_SCALAR(lbfe_u) {
  LANES(l) lane_put64(d, l, bfe(lane_get64(a, l), b[l], c[l], false));
  return 0;
}
LANE_FN_SCALAR(lbfe_s) {
  LANES(l) lane_put64(d, l, bfe(lane_get64(a, l), b[l], c[l], true));
  return 0;
}

#define ONLY(f)                                                                                    \
  { {f}, LANE_ONLY }
#define BOTH(f, g)                                                                                 \
  { {f, g}, LANE_SIGNED }
const struct lane_entry isa_lanes_long[ISA_OPS] = {
    [ISA_LADD] = ONLY(ladd),
    [ISA_LAND] = ONLY(land),
    [ISA_LOR] = ONLY(lor),
    [ISA_LXOR] = ONLY(lxor),
    [ISA_LNOT] = ONLY(lnot),
    [ISA_LSHL] = ONLY(lshl),
    [ISA_LSHR] = ONLY(lshr),
    [ISA_LSAR] = ONLY(lsar),
    [ISA_LMUL] = ONLY(lmul),
    [ISA_LMULHI] = BOTH(lmulhi_u, lmulhi_s),
    [ISA_LMAD] = ONLY(lmad),
    [ISA_LDIV] = BOTH(ldiv_u, ldiv_s),
    [ISA_LREM] = BOTH(lrem_u, lrem_s),
    [ISA_LMIN] = BOTH(lmin_u, lmin_s),
    [ISA_LMAX] = BOTH(lmax_u, lmax_s),
    [ISA_LSETP] = ONLY(lsetp),
    [ISA_LMOV] = ONLY(lmov),
    [ISA_LSELP] = ONLY(lselp),
    [ISA_LABS] = ONLY(labs_),
    [ISA_LCLZ] = ONLY(lclz),
    [ISA_LPOPC] = ONLY(lpopc),
    [ISA_LBREV] = ONLY(lbrev),
    [ISA_LEXT] = BOTH(lext_u, lext_s),
    [ISA_LPACK] = ONLY(lpack),
    [ISA_LBFE] = BOTH(lbfe_u, lbfe_s),
};
