/* Rows of contexts in a verilated Flex cluster, as csim/ports/flex/far_rows.def has them for a
 * member. After the generated pins.h of all tables, model.h and pin_rows.h. */
#ifndef TANDEM_FAR_ROWS_MODEL_H
#define TANDEM_FAR_ROWS_MODEL_H

#include <array>
#include <cstddef>
#include <cstdint>

enum {
  FAR_WARPS = 48,
  FAR_OWN = 24,  /* rows of a context; warps from here on borrow theirs */
  FAR_BANK = 12, /* rows of a bank */
  FAR_DEPTH = 16 /* entries of a row's stack */
};
using far_word = VlWide<3>; /* {dec, inst} of a bank's row, {mask, rpc, pc} of an entry */

/* The rows of an array; in a netlist each may be a register of its own. */
template <std::size_t Rows>
std::array<const far_word *, Rows> far_list(const VlUnpacked<far_word, Rows> &array) {
  std::array<const far_word *, Rows> rows;
  for (std::size_t i = 0; i < Rows; i++)
    rows[i] = &array[i];
  return rows;
}
template <class... More>
std::array<const far_word *, 1 + sizeof...(More)> far_list(const far_word &first,
                                                           const More &...more) {
  return {&first, &more...};
}

struct far_bank {
  std::array<const far_word *, FAR_BANK> word[2];
  std::array<const far_word *, FAR_BANK * FAR_DEPTH / 2> entry[2]; /* even and odd numbers */
};

#define FAR_AT(m, path) flex_cluster__DOT__g_member__BRA__##m##__KET____DOT__u_member__DOT__##path
#define FAR_ROWS_OF(m, b, array) far_list(root.FAR_AT(m, u_context__DOT__u_bank##b##__DOT__##array))
#define FAR_BANK_OF(m, b)                                                                          \
  far_bank {                                                                                       \
    {FAR_ROWS_OF(m, b, word0_q), FAR_ROWS_OF(m, b, word1_q)}, {                                    \
      FAR_ROWS_OF(m, b, u_entries__DOT__bank0_q), FAR_ROWS_OF(m, b, u_entries__DOT__bank1_q)       \
    }                                                                                              \
  }
#define FAR_CONTEXT_OF(m)                                                                          \
  if constexpr (m < Members)                                                                       \
    if (member == m)                                                                               \
      return {FAR_BANK_OF(m, 0), FAR_BANK_OF(m, 1)};

/* Both banks of a member's context. */
template <unsigned Members, class Root>
std::array<far_bank, 2> far_context(const Root &root, unsigned member) {
  FAR_CONTEXT_OF(1)
  FAR_CONTEXT_OF(2)
  FAR_CONTEXT_OF(3)
  FAR_CONTEXT_OF(4)
  FAR_CONTEXT_OF(5)
  return {FAR_BANK_OF(0, 0), FAR_BANK_OF(0, 1)};
}

/* Copies the row of a warp. */
inline void far_take(far_rows_view &v, unsigned warp, const far_bank &bank, unsigned row) {
  v.word0[warp] = row_get(*bank.word[0][row], 0, 64);
  v.dec0[warp] = row_get(*bank.word[0][row], 64, 15);
  v.word1[warp] = row_get(*bank.word[1][row], 0, 64);
  v.dec1[warp] = row_get(*bank.word[1][row], 64, 15);
  for (unsigned n = 1; n <= FAR_DEPTH; n++) {
    const far_word &e = *bank.entry[n % 2][row * FAR_DEPTH / 2 + n / 2 % (FAR_DEPTH / 2)];
    v.entry_mask[warp * FAR_DEPTH + n - 1] = row_get(e, 32, 64);
    v.entry_pcs[warp * FAR_DEPTH + n - 1] = row_get(e, 0, 32);
  }
}

/* Adds what is in the stages of a path to rows of the warps from `first` on, the oldest first: data
 * as in rtl/flex/flex_path.sv. */
template <std::size_t N>
void far_add_writes(far_rows_view &v, unsigned first, uint64_t valid, const VlWide<N> &data) {
  constexpr unsigned width = 164, stages = 32 * N / width;
  for (unsigned stage = stages; stage-- > 0;) {
    const unsigned at = stage * width;
    const uint64_t warp = first + row_get(data, at + 159, 5);
    if ((valid >> stage & 1) == 0 || warp >= FAR_WARPS)
      continue;
    v.word0[warp] = row_get(data, at, 64);
    v.dec0[warp] = row_get(data, at + 64, 15);
    if (row_get(data, at + 158, 1) != 0) {
      v.word1[warp] = row_get(data, at + 79, 64);
      v.dec1[warp] = row_get(data, at + 143, 15);
    }
  }
}
template <std::size_t N>
void far_add_pushes(far_rows_view &v, unsigned first, uint64_t valid, const VlWide<N> &data) {
  constexpr unsigned width = 203, stages = 32 * N / width;
  for (unsigned stage = stages; stage-- > 0;) {
    const unsigned at = stage * width;
    const uint64_t warp = first + row_get(data, at + 197, 5), depth = row_get(data, at + 192, 5);
    const unsigned pushes = 1 + static_cast<unsigned>(row_get(data, at + 202, 1));
    if ((valid >> stage & 1) == 0 || warp >= FAR_WARPS || depth + pushes > FAR_DEPTH)
      continue;
    for (unsigned i = 0; i < pushes; i++) {
      v.entry_mask[warp * FAR_DEPTH + depth + i] = row_get(data, at + 96 * i + 32, 64);
      v.entry_pcs[warp * FAR_DEPTH + depth + i] = row_get(data, at + 96 * i, 32);
    }
  }
}

#define FAR_ADD(m, first, path)                                                                    \
  {                                                                                                \
    far_add_writes(v, first, root.FAR_AT(m, path##__DOT__u_wr__DOT__valid_q),                      \
                   root.FAR_AT(m, path##__DOT__u_wr__DOT__data_q));                                \
    far_add_pushes(v, first, root.FAR_AT(m, path##__DOT__u_push__DOT__valid_q),                    \
                   root.FAR_AT(m, path##__DOT__u_push__DOT__data_q));                              \
  }
#define FAR_ADD_OWN(m)                                                                             \
  if constexpr (m < Members)                                                                       \
    if (member == m)                                                                               \
  FAR_ADD(m, 0, u_own)
/* Members that can borrow. */
#define FAR_ADD_FAR(m)                                                                             \
  if constexpr (m < Members)                                                                       \
    if (member == m)                                                                               \
  FAR_ADD(m, FAR_OWN, g_far__DOT__u_far)

template <unsigned Members, class Root>
void far_add(far_rows_view &v, const Root &root, unsigned member) {
  FAR_ADD_OWN(0)
  FAR_ADD_OWN(1)
  FAR_ADD_OWN(2)
  FAR_ADD_OWN(3)
  FAR_ADD_OWN(4)
  FAR_ADD_OWN(5)
  FAR_ADD_FAR(0)
  FAR_ADD_FAR(2)
  FAR_ADD_FAR(3)
  FAR_ADD_FAR(5)
}

/* Sets to 0 what means nothing. */
inline void far_clear(const flex_member_state &s, far_rows_view &v) {
  const uint64_t from_b = s.ibuffer.from_b[0];
  const uint64_t first = s.ibuffer.valid[0] & ~from_b, second = from_b | s.ibuffer.second[0];
  for (unsigned w = 0; w < FAR_WARPS; w++) {
    if ((first >> w & 1) == 0)
      v.word0[w] = v.dec0[w] = 0;
    if ((second >> w & 1) == 0)
      v.word1[w] = v.dec1[w] = 0;
    const uint64_t depth = (s.simt_stack.live[0] >> w & 1) != 0 ? s.simt_stack.depth[w] : 0;
    for (uint64_t i = depth; i < FAR_DEPTH; i++)
      v.entry_mask[w * FAR_DEPTH + i] = v.entry_pcs[w * FAR_DEPTH + i] = 0;
  }
}

/* The rows of a member whose near half is in s. */
template <unsigned Members, class Root>
void far_rows_read(const Root &root, unsigned member, flex_member_state &s) {
  far_rows_view &v = s.far;
  const uint64_t from = pin_get(root.from_o);
  const auto side = [from](unsigned m) { return m < Members ? from >> 2 * m & 3 : 0; };
  const uint64_t used = s.ibuffer.valid[0] | s.simt_stack.live[0];
  const auto own = far_context<Members>(root, member);
  for (unsigned w = 0; w < FAR_OWN; w++)
    if ((used >> w & 1) != 0)
      far_take(v, w, own[w / FAR_BANK], w % FAR_BANK);
  if (side(member) != 0) {
    const unsigned lender = side(member) == 1 ? member - 1 : member + 1;
    const auto lent = far_context<Members>(root, lender);
    /* The right one of two borrowers has bank 1. */
    const bool upper = lender < member && lender > 0 && side(lender - 1) == 2;
    for (unsigned w = FAR_OWN; w < (upper ? FAR_OWN + FAR_BANK : FAR_WARPS); w++) {
      const unsigned row = w - FAR_OWN + (upper ? FAR_BANK : 0);
      if ((used >> w & 1) != 0)
        far_take(v, w, lent[row / FAR_BANK], row % FAR_BANK);
    }
  }
  far_add<Members>(v, root, member);
  far_clear(s, v);
}

#undef FAR_ADD_FAR
#undef FAR_ADD_OWN
#undef FAR_ADD
#undef FAR_CONTEXT_OF
#undef FAR_BANK_OF
#undef FAR_ROWS_OF
#undef FAR_AT

#endif
