/* Integer operations in plain scalar code. */
#include "csim/iss/arith/arith.h"

static bool is_signed(const struct arith_in *in) { return (in->mods & 1) != 0; }
static int64_t sx(uint64_t v, unsigned bits) {
  uint64_t sign = 1ULL << (bits - 1);
  v &= bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  return (int64_t)((v ^ sign) - sign);
}
static uint64_t low32(uint64_t v) { return v & 0xffffffffU; }
/* The number that the n low bits stand for. */
static __int128 number(uint64_t v, unsigned bits, bool with_sign) {
  return with_sign ? (__int128)sx(v, bits)
                   : (__int128)(bits == 64 ? v : (v & ((1ULL << bits) - 1)));
}

static uint64_t o_mov(const struct arith_in *in) { return in->a; }
static uint64_t o_and(const struct arith_in *in) { return in->a & in->b; }
static uint64_t o_or(const struct arith_in *in) { return in->a | in->b; }
static uint64_t o_xor(const struct arith_in *in) { return in->a ^ in->b; }
static uint64_t o_not(const struct arith_in *in) { return low32(~in->a); }
static uint64_t o_lnot(const struct arith_in *in) { return ~in->a; }

static __int128 signed_sum(const struct arith_in *in, unsigned bits) {
  __int128 x = number(in->a, bits, true), y = number(in->b, bits, true);
  return ((in->mods & 1) != 0 ? -x : x) + ((in->mods & 2) != 0 ? -y : y);
}
static uint64_t o_iadd(const struct arith_in *in) {
  __int128 sum = signed_sum(in, 32);
  if ((in->mods & 4) != 0 && sum > INT32_MAX)
    sum = INT32_MAX;
  if ((in->mods & 4) != 0 && sum < INT32_MIN)
    sum = INT32_MIN;
  return low32((uint64_t)sum);
}
static uint64_t o_ladd(const struct arith_in *in) { return (uint64_t)signed_sum(in, 64); }

/* One step at a time, so that no shift count is ever too large. */
static uint64_t shifted(uint64_t v, unsigned bits, uint64_t count, bool left, bool sign_in) {
  for (uint64_t i = 0; i < (count > 100 ? 100 : count); i++) {
    uint64_t top = v >> (bits - 1) & 1;
    v = left ? v * 2 : v / 2;
    if (!left && sign_in)
      v |= top << (bits - 1);
    if (bits == 32)
      v = low32(v);
  }
  return v;
}
static uint64_t o_shl(const struct arith_in *in) { return shifted(in->a, 32, in->b, true, false); }
static uint64_t o_shr(const struct arith_in *in) { return shifted(in->a, 32, in->b, false, false); }
static uint64_t o_sar(const struct arith_in *in) { return shifted(in->a, 32, in->b, false, true); }
static uint64_t o_lshl(const struct arith_in *in) { return shifted(in->a, 64, in->b, true, false); }
static uint64_t o_lshr(const struct arith_in *in) {
  return shifted(in->a, 64, in->b, false, false);
}
static uint64_t o_lsar(const struct arith_in *in) { return shifted(in->a, 64, in->b, false, true); }

static uint64_t o_selp(const struct arith_in *in) { return in->p3 ? in->a : in->b; }
static uint64_t o_ext(const struct arith_in *in) {
  unsigned bits = (in->mods & 2) != 0 ? 16 : 8;
  return low32((uint64_t)number(in->a, bits, is_signed(in)));
}

/* PTX bfe, bit by bit. */
static uint64_t bfe(const struct arith_in *in, unsigned msb) {
  unsigned pos = in->b & 0xff, len = in->c & 0xff;
  unsigned sign_at = pos + len - 1 < msb ? pos + len - 1 : msb;
  uint64_t sbit = !is_signed(in) || len == 0 ? 0 : in->a >> sign_at & 1, d = 0;
  for (unsigned i = 0; i <= msb; i++)
    d |= (i < len && pos + i <= msb ? in->a >> (pos + i) & 1 : sbit) << i;
  return d;
}
static uint64_t o_bfe(const struct arith_in *in) { return bfe(in, 31); }
static uint64_t o_lbfe(const struct arith_in *in) { return bfe(in, 63); }
static uint64_t o_bfi(const struct arith_in *in) {
  unsigned pos = in->c & 0xff, len = in->c >> 8 & 0xff;
  uint64_t f = in->b;
  for (unsigned i = 0; i < len && pos + i <= 31; i++)
    f = (f & ~(1ULL << (pos + i))) | (in->a >> i & 1) << (pos + i);
  return f;
}

/* PTX prmt: for each special mode the bytes of d, most significant first, for c = 0 to 3. */
static uint64_t o_prmt(const struct arith_in *in) {
  static const char *const picks[7][4] = {
      {0},
      {"3210", "4321", "5432", "6543"},
      {"5670", "6701", "7012", "0123"},
      {"0000", "1111", "2222", "3333"},
      {"3210", "3211", "3222", "3333"},
      {"0000", "1110", "2210", "3210"},
      {"1010", "3232", "1010", "3232"},
  };
  uint8_t bytes[8];
  for (unsigned i = 0; i < 4; i++) {
    bytes[i] = (uint8_t)(in->a >> (8 * i));
    bytes[4 + i] = (uint8_t)(in->b >> (8 * i));
  }
  unsigned mode = arith_bits(in->mods, 0, 4);
  uint64_t d = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned pick = mode == 0 ? (unsigned)(in->c >> (4 * i) & 15)
                              : (unsigned)(picks[mode][in->c & 3][3 - i] - '0');
    unsigned byte = bytes[pick & 7];
    if ((pick & 8) != 0)
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    d |= (uint64_t)byte << (8 * i);
  }
  return d;
}

static uint64_t reversed(uint64_t v, unsigned bits) {
  uint64_t d = 0;
  for (unsigned i = 0; i < bits; i++)
    d |= (v >> i & 1) << (bits - 1 - i);
  return d;
}
static uint64_t ones(uint64_t v) {
  uint64_t n = 0;
  for (; v != 0; v >>= 1)
    n += v & 1;
  return n;
}
/* Position of the highest one, -1 for none. */
static int highest(uint64_t v) {
  int pos = -1;
  for (; v != 0; v >>= 1)
    pos++;
  return pos;
}
static uint64_t o_brev(const struct arith_in *in) { return reversed(in->a, 32); }
static uint64_t o_lbrev(const struct arith_in *in) { return reversed(in->a, 64); }
static uint64_t o_popc(const struct arith_in *in) { return ones(in->a); }
static uint64_t o_clz(const struct arith_in *in) { return (uint64_t)(31 - highest(in->a)); }
static uint64_t o_lclz(const struct arith_in *in) { return (uint64_t)(63 - highest(in->a)); }
static uint64_t o_bfind(const struct arith_in *in) {
  uint64_t v = is_signed(in) && sx(in->a, 32) < 0 ? low32(~in->a) : in->a;
  int pos = highest(v);
  if (pos >= 0 && (in->mods & 2) != 0)
    pos = 31 - pos;
  return low32((uint64_t)(int64_t)pos);
}
static uint64_t o_plop(const struct arith_in *in) {
  const bool results[4] = {in->p2 && in->p3, in->p2 || in->p3, in->p2 != in->p3, in->p2};
  return results[in->mods & 3];
}
static uint64_t o_iabs(const struct arith_in *in) {
  return low32(sx(in->a, 32) < 0 ? (uint64_t)-sx(in->a, 32) : in->a);
}
static uint64_t o_labs(const struct arith_in *in) { return sx(in->a, 64) < 0 ? 0 - in->a : in->a; }

static uint64_t smaller(const struct arith_in *in, unsigned bits, bool want) {
  bool less = number(in->a, bits, is_signed(in)) < number(in->b, bits, is_signed(in));
  return less == want ? in->a : in->b;
}
static uint64_t o_imin(const struct arith_in *in) { return smaller(in, 32, true); }
static uint64_t o_imax(const struct arith_in *in) { return smaller(in, 32, false); }
static uint64_t o_lmin(const struct arith_in *in) { return smaller(in, 64, true); }
static uint64_t o_lmax(const struct arith_in *in) { return smaller(in, 64, false); }

static uint64_t compare(const struct arith_in *in, unsigned bits) {
  bool with_sign = arith_bits(in->mods, 3, 1) != 0;
  __int128 x = number(in->a, bits, with_sign), y = number(in->b, bits, with_sign);
  const bool results[6] = {x == y, x != y, x<y, x <= y, x> y, x >= y};
  return results[arith_bits(in->mods, 0, 3)];
}
static uint64_t o_isetp(const struct arith_in *in) { return compare(in, 32); }
static uint64_t o_lsetp(const struct arith_in *in) { return compare(in, 64); }

static __int128 product(const struct arith_in *in, unsigned bits) {
  return number(in->a, bits, is_signed(in)) * number(in->b, bits, is_signed(in));
}
static uint64_t o_mul(const struct arith_in *in) { return low32((uint64_t)product(in, 32)); }
static uint64_t o_mulhi(const struct arith_in *in) {
  return low32((uint64_t)(product(in, 32) >> 32));
}
static uint64_t o_mulw(const struct arith_in *in) { return (uint64_t)product(in, 32); }
static uint64_t o_mul24(const struct arith_in *in) { return low32((uint64_t)product(in, 24)); }
static uint64_t o_mul24hi(const struct arith_in *in) {
  return low32((uint64_t)(product(in, 24) >> 16));
}
static uint64_t o_mad(const struct arith_in *in) { return low32(o_mul(in) + in->c); }
static uint64_t o_madhi(const struct arith_in *in) { return low32(o_mulhi(in) + in->c); }
static uint64_t o_madw(const struct arith_in *in) { return o_mulw(in) + in->c; }
static uint64_t o_mad24(const struct arith_in *in) { return low32(o_mul24(in) + in->c); }
static uint64_t o_mad24hi(const struct arith_in *in) { return low32(o_mul24hi(in) + in->c); }
static uint64_t o_sad(const struct arith_in *in) {
  __int128 x = number(in->a, 32, is_signed(in)), y = number(in->b, 32, is_signed(in));
  return low32((uint64_t)(x < y ? y - x : x - y) + in->c);
}
static uint64_t o_lmul(const struct arith_in *in) { return in->a * in->b; }
static uint64_t o_lmad(const struct arith_in *in) { return in->a * in->b + in->c; }
/* High half from four partial products; a signed one is corrected from the unsigned. */
static uint64_t o_lmulhi(const struct arith_in *in) {
  uint64_t al = low32(in->a), ah = in->a >> 32, bl = low32(in->b), bh = in->b >> 32;
  uint64_t mid = ah * bl + (al * bl >> 32), mid2 = al * bh + low32(mid);
  uint64_t high = ah * bh + (mid >> 32) + (mid2 >> 32);
  if (is_signed(in) && sx(in->a, 64) < 0)
    high -= in->b;
  if (is_signed(in) && sx(in->b, 64) < 0)
    high -= in->a;
  return high;
}

static uint64_t divided(const struct arith_in *in, unsigned bits, bool rest) {
  __int128 x = number(in->a, bits, is_signed(in)), y = number(in->b, bits, is_signed(in));
  uint64_t d = y == 0 ? (rest ? in->a : ~0ULL) : (uint64_t)(rest ? x % y : x / y);
  return bits == 32 ? low32(d) : d;
}
static uint64_t o_idiv(const struct arith_in *in) { return divided(in, 32, false); }
static uint64_t o_irem(const struct arith_in *in) { return divided(in, 32, true); }
static uint64_t o_ldiv(const struct arith_in *in) { return divided(in, 64, false); }
static uint64_t o_lrem(const struct arith_in *in) { return divided(in, 64, true); }
static uint64_t o_lext(const struct arith_in *in) {
  return (uint64_t)number(in->a, 32, is_signed(in));
}
static uint64_t o_lpack(const struct arith_in *in) { return in->b << 32 | in->a; }

arith_fn *const arith_integer[ISA_OPS] = {
    [ISA_MOV] = o_mov,         [ISA_IADD] = o_iadd,   [ISA_AND] = o_and,
    [ISA_OR] = o_or,           [ISA_XOR] = o_xor,     [ISA_NOT] = o_not,
    [ISA_SHL] = o_shl,         [ISA_SHR] = o_shr,     [ISA_SAR] = o_sar,
    [ISA_SELP] = o_selp,       [ISA_EXT] = o_ext,     [ISA_BFE] = o_bfe,
    [ISA_BFI] = o_bfi,         [ISA_PRMT] = o_prmt,   [ISA_BREV] = o_brev,
    [ISA_POPC] = o_popc,       [ISA_CLZ] = o_clz,     [ISA_BFIND] = o_bfind,
    [ISA_PLOP] = o_plop,       [ISA_IABS] = o_iabs,   [ISA_IMIN] = o_imin,
    [ISA_IMAX] = o_imax,       [ISA_ISETP] = o_isetp, [ISA_MUL] = o_mul,
    [ISA_MULHI] = o_mulhi,     [ISA_MULW] = o_mulw,   [ISA_MUL24] = o_mul24,
    [ISA_MUL24HI] = o_mul24hi, [ISA_MAD] = o_mad,     [ISA_MADHI] = o_madhi,
    [ISA_MADW] = o_madw,       [ISA_MAD24] = o_mad24, [ISA_MAD24HI] = o_mad24hi,
    [ISA_SAD] = o_sad,         [ISA_IDIV] = o_idiv,   [ISA_IREM] = o_irem,
    [ISA_LADD] = o_ladd,       [ISA_LAND] = o_and,    [ISA_LOR] = o_or,
    [ISA_LXOR] = o_xor,        [ISA_LNOT] = o_lnot,   [ISA_LSHL] = o_lshl,
    [ISA_LSHR] = o_lshr,       [ISA_LSAR] = o_lsar,   [ISA_LMUL] = o_lmul,
    [ISA_LMULHI] = o_lmulhi,   [ISA_LMAD] = o_lmad,   [ISA_LDIV] = o_ldiv,
    [ISA_LREM] = o_lrem,       [ISA_LMIN] = o_lmin,   [ISA_LMAX] = o_lmax,
    [ISA_LSETP] = o_lsetp,     [ISA_LMOV] = o_mov,    [ISA_LSELP] = o_selp,
    [ISA_LABS] = o_labs,       [ISA_LCLZ] = o_lclz,   [ISA_LPOPC] = o_popc,
    [ISA_LBREV] = o_lbrev,     [ISA_LEXT] = o_lext,   [ISA_LPACK] = o_lpack,
    [ISA_LBFE] = o_lbfe,
};

uint64_t arith_immediate(enum isa_id id, uint16_t imm) {
  unsigned unit = isa_ops[id].unit;
  if (unit == ISA_U_DP)
    return (uint64_t)imm << 48;
  if ((unit >= ISA_U_FADD && unit <= ISA_U_FMA) || unit == ISA_U_SFU)
    return (uint64_t)imm << 16;
  uint64_t wide = (uint64_t)sx(imm, 16);
  return isa_ops[id].shape[2] == 'D' ? wide : low32(wide);
}
