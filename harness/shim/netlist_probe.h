/* Counts the changes of a netlist's nets.  Expects ROOT and NETS: a file with NET(member) for each
 * net, a signal of one bit in the model's root. */
#ifndef TANDEM_SHIM_NETLIST_PROBE_H
#define TANDEM_SHIM_NETLIST_PROBE_H

#include "harness/shim/netlist.h"

#include <cstddef>
#include <vector>

class probe {
  static constexpr uint32_t at[] = {
#define NET(member) offsetof(ROOT, member),
#include NETS
#undef NET
  };
  static constexpr std::size_t nets = sizeof at / sizeof at[0];

  const unsigned char *const root;
  const uint64_t from, to;
  uint64_t cycle = 0, samples = 0;
  std::vector<unsigned char> last;
  std::vector<uint32_t> changes, high;

public:
  probe(const ROOT *r, uint64_t first, uint64_t end)
      : root(reinterpret_cast<const unsigned char *>(r)), from(first), to(end), last(nets),
        changes(nets), high(nets) {
    keep();
  }

  /* The nets as they are before the window. */
  void keep() {
    for (std::size_t i = 0; i < nets; i++)
      last[i] = root[at[i]];
  }

  /* After an evaluation. */
  void sample() {
    if (cycle < from || cycle >= to)
      return;
    samples++;
    for (std::size_t i = 0; i < nets; i++) {
      const unsigned char now = root[at[i]];
      changes[i] += now ^ last[i];
      high[i] += now;
      last[i] = now;
    }
  }

  void end_cycle() {
    if (++cycle == from)
      keep();
  }

  void counts(struct netlist_counts *c) const {
    const uint64_t end = cycle < to ? cycle : to;
    *c = {nets, end > from ? end - from : 0, samples, changes.data(), high.data()};
  }
};

#endif
