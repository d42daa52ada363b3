/* Every 64-bit atomic under contention, with its result used, in both spaces and with both signs.
 * Each adds hash(value left) - hash(value found) to a sum.  If the atomics on a word took effect
 * one after the other, the sum is hash(last value) - hash(first value), whatever the order was. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

/* Words that one operation changes; XCHG and CMPXCHG leave what depends on the order. */
enum { ADD, SUB, INC, DEC, MIN, MAX, AND, OR, XOR, XCHG, CMPXCHG, OPERATIONS };
/* Words whose halves are equal: tickets from 0 on, and values of the threads. */
enum { TICKET, VALUE, PAIRS };

ulong hash(ulong x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ul;
  x = (x ^ x >> 27) * 0x94d049bb133111ebul;
  return x ^ x >> 31;
}

#define AND_OPERAND(v) ((v) | 0x00ff00ff0000fffful)
#define OR_OPERAND(v) ((v)&0x1100220033004400ul)

#define DO(k, call, left)                                                                          \
  {                                                                                                \
    const type old = call;                                                                         \
    atom_add(&sum[k], hash(left) - hash(old));                                                     \
  }
#define EACH(name, space, T)                                                                       \
  void name(volatile space T *w, volatile space ulong *sum, ulong v) {                             \
    typedef T type;                                                                                \
    const T x = v, seen = w[CMPXCHG];                                                              \
    DO(ADD, atom_add(&w[ADD], x), (ulong)old + v)                                                  \
    DO(SUB, atom_sub(&w[SUB], x), (ulong)old - v)                                                  \
    DO(INC, atom_inc(&w[INC]), (ulong)old + 1)                                                     \
    DO(DEC, atom_dec(&w[DEC]), (ulong)old - 1)                                                     \
    DO(MIN, atom_min(&w[MIN], x), old < x ? old : x)                                               \
    DO(MAX, atom_max(&w[MAX], x), old > x ? old : x)                                               \
    DO(AND, atom_and(&w[AND], AND_OPERAND(x)), old &AND_OPERAND(v))                                \
    DO(OR, atom_or(&w[OR], OR_OPERAND(x)), old | OR_OPERAND(v))                                    \
    DO(XOR, atom_xor(&w[XOR], x), old ^ v)                                                         \
    DO(XCHG, atom_xchg(&w[XCHG], x), v)                                                            \
    DO(CMPXCHG, atom_cmpxchg(&w[CMPXCHG], seen, x), old == seen ? x : old)                         \
  }
EACH(global_long, __global, long)
EACH(global_ulong, __global, ulong)
EACH(local_long, __local, long)
EACH(local_ulong, __local, ulong)

bool torn_word(ulong x) { return (uint)(x >> 32) != (uint)x; }

/* Takes a ticket, which nobody else must get, and leaves its own value; *wrong counts halves of
 * updates that it sees. */
#define PAIRED(name, space)                                                                        \
  void name(volatile space ulong *pair, volatile __global uint *taken, uint me,                    \
            volatile __global uint *wrong) {                                                       \
    uint torn = torn_word(pair[VALUE]);                                                            \
    const ulong ticket = atom_add(&pair[TICKET], 0x100000001ul);                                   \
    torn += torn_word(ticket) + torn_word(pair[TICKET]);                                           \
    torn += torn_word(atom_xchg(&pair[VALUE], (ulong)me << 32 | me));                              \
    torn += torn_word(pair[VALUE]);                                                                \
    atomic_inc(&taken[(uint)ticket]);                                                              \
    if (torn != 0)                                                                                 \
      atomic_add(wrong, torn);                                                                     \
  }
PAIRED(global_pair, __global)
PAIRED(local_pair, __local)

/* A sum of doubles; the result of the atomic says whether nobody came between. */
void add_double(volatile __global ulong *sum, double x) {
  for (ulong seen = *sum, old;; seen = old) {
    old = atom_cmpxchg(sum, seen, as_ulong(as_double(seen) + x));
    if (old == seen)
      return;
  }
}

__kernel void contend(__global long *s, __global ulong *u, __global ulong *sums,
                      __global const ulong *first, __global const ulong *in, __global ulong *pair,
                      __global uint *taken, __global uint *wrong) {
  __local long ls[OPERATIONS];
  __local ulong lu[OPERATIONS], lsums[2 * OPERATIONS], lpair[PAIRS];
  const uint t = get_local_id(0), i = get_global_id(0), n = get_global_size(0);
  if (t < OPERATIONS) {
    ls[t] = lu[t] = first[t];
    lsums[t] = lsums[OPERATIONS + t] = 0;
  }
  if (t < PAIRS)
    lpair[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  const ulong v = in[i];
  global_long(s, sums, v);
  local_long(ls, lsums, v);
  global_ulong(u, sums + OPERATIONS, v);
  local_ulong(lu, lsums + OPERATIONS, v);
  global_pair(pair, taken, i, wrong);
  local_pair(lpair, taken + n + i - t, i, wrong);
  atom_add(&pair[PAIRS], v); /* nobody uses the result */
  if (t % 8 == 0)
    add_double(&pair[PAIRS + 1], i + 0.25);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t < OPERATIONS && (hash(ls[t]) - hash(first[t]) != lsums[t] ||
                         hash(lu[t]) - hash(first[t]) != lsums[OPERATIONS + t]))
    atomic_inc(wrong);
}

/* Judges the words of which the last value is not known, and clears them. */
__kernel void judge(__global ulong *s, __global ulong *u, __global ulong *sums,
                    __global const ulong *first, __global ulong *pair, __global uint *wrong) {
  const uint k = XCHG + get_local_id(0);
  if (hash(s[k]) - hash(first[k]) != sums[k] || hash(u[k]) - hash(first[k]) != sums[OPERATIONS + k])
    atomic_inc(wrong);
  s[k] = u[k] = sums[k] = sums[OPERATIONS + k] = 0;
  if (k == XCHG) {
    if (torn_word(pair[VALUE]))
      atomic_inc(wrong);
    pair[VALUE] = 0;
  }
}
