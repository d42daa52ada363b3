/* A verilated comm_pair: its buffers, from which states are computed. */
#ifndef TANDEM_COMM_PAIR_MODEL_H
#define TANDEM_COMM_PAIR_MODEL_H

#include <verilated.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "harness/shim/kind.h"

/* The banks of comm_pair's two buffers: u_store.g_buffer[buffer].g_bank[bank].u_bank.ram_q in the
 * model's root, or in an object of its own. */
#ifndef READERS_PAIR
#define READERS_PAIR comm_pair__DOT__
#endif
#define BANK(buffer, bank)                                                                         \
  CAT(CAT(CAT(READERS_PAIR, u_store__DOT__g_buffer__BRA__##buffer),                                \
          __KET____DOT__g_bank__BRA__##bank),                                                      \
      __KET____DOT__u_bank__DOT__ram_q)
#define FOUR(buffer, a, b, c, d)                                                                   \
  &root.BANK(buffer, a), &root.BANK(buffer, b), &root.BANK(buffer, c), &root.BANK(buffer, d)
#define BANKS(buffer)                                                                              \
  FOUR(buffer, 0, 1, 2, 3), FOUR(buffer, 4, 5, 6, 7), FOUR(buffer, 8, 9, 10, 11),                  \
      FOUR(buffer, 12, 13, 14, 15), FOUR(buffer, 16, 17, 18, 19), FOUR(buffer, 20, 21, 22, 23),    \
      FOUR(buffer, 24, 25, 26, 27), FOUR(buffer, 28, 29, 30, 31)

/* Pointers to the banks of both buffers, of the models that have them by name. */
template <class Root>
auto banks_of(Root &root) -> std::array<std::array<decltype(&root.BANK(0, 0)), 32>, 2> {
  return {{{{BANKS(0)}}, {{BANKS(1)}}}};
}

#undef BANKS
#undef FOUR
#undef BANK

/* The sums of a buffer's rows (docs/hardware/spu_units.md, comm_pair); `sums` is 0 before. */
template <unsigned Buffer, class State, class Root> void read_sums(State &sums, const Root &root) {
  const auto banks = banks_of(root);
  uint64_t factor = 0;
  for (const auto *bank : banks[Buffer]) {
    constexpr std::size_t rows = sizeof *bank / sizeof(IData);
    static_assert(rows <= sizeof sums / sizeof *sums, "a sum a row");
    factor++;
    for (std::size_t row = 0; row < rows; row++)
      sums[row] += (*bank)[row] * factor;
  }
}

/* Buffers start with zeros in models that have them by name. */
template <class Root> auto clear_buffers(Root &root, int) -> decltype(banks_of(root), void()) {
  for (const auto &buffer : banks_of(root))
    for (auto *bank : buffer)
      *bank = {};
}
template <class Root> void clear_buffers(Root &, long) {}

struct kind : unit_kind<comm_pair_in, comm_pair_out, comm_pair_view> {
  template <class Root> static void clear(Root &root) { clear_buffers(root, 0); }
};

#endif
