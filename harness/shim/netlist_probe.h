/* Counts what happens in a netlist.  Expects ROOT and NETS_FILE: a file with NETS(member, n) for
 * each word of the model's root that has n nets as its lowest bits, and MEMORY(instance) for each
 * counted_memory, as its members' names start there. */
#ifndef TANDEM_SHIM_NETLIST_PROBE_H
#define TANDEM_SHIM_NETLIST_PROBE_H

#include "csim/ports/netlist.h"

#include <cstddef>
#include <cstring>
#include <vector>

#define MEMBER_(instance, name) instance##name
#define MEMBER(instance, name) MEMBER_(instance, name)

class probe {
  struct group { /* of nets */
    std::size_t word;
    unsigned n;
  };
  struct memory {
    std::size_t reads, writes;
  };

#define NETS(member, n) {offsetof(ROOT, member), n},
#define MEMORY(instance)
  static constexpr group at[] = {
#include NETS_FILE
  };
#undef NETS
#undef MEMORY
#define NETS(member, n)
#define MEMORY(instance)                                                                           \
  {offsetof(ROOT, MEMBER(instance, reads)), offsetof(ROOT, MEMBER(instance, writes))},
  static constexpr memory memory_at[] = {
#include NETS_FILE
      {0, 0}};
#undef NETS
#undef MEMORY
  static constexpr std::size_t groups = sizeof at / sizeof at[0];
  static constexpr std::size_t nmemories = sizeof memory_at / sizeof memory_at[0] - 1;

  const unsigned char *const root;
  const uint64_t from, to;
  uint64_t cycle = 0, samples = 0;
  std::vector<uint64_t> last;          /* of each group */
  std::vector<uint32_t> changes, high; /* of each net */
  std::vector<netlist_memory> memories_were, memories;
  std::vector<uint64_t> off;

  template <class T> T word(std::size_t place) const {
    T v;
    std::memcpy(&v, root + place, sizeof v);
    return v;
  }

  /* Counts the bits of a word of nets. */
  static void count(uint32_t *counts, uint64_t bits) {
    for (; bits != 0; bits &= bits - 1)
      counts[__builtin_ctzll(bits)]++;
  }

  void read_memories(std::vector<netlist_memory> &now) const {
    for (std::size_t i = 0; i < nmemories; i++)
      now[i] = {word<uint32_t>(memory_at[i].reads), word<uint32_t>(memory_at[i].writes)};
  }

public:
  probe(const ROOT *r, uint64_t first, uint64_t end)
      : root(reinterpret_cast<const unsigned char *>(r)), from(first), to(end), last(groups),
        memories_were(nmemories), memories(nmemories), off(8) {
    std::size_t nets = 0;
    for (const group &g : at)
      nets += g.n;
    changes.resize(nets);
    high.resize(nets);
    keep();
  }

  /* All as it is before the window. */
  void keep() {
    for (std::size_t i = 0; i < groups; i++)
      last[i] = word<uint64_t>(at[i].word);
    read_memories(memories_were);
  }

  /* After an evaluation. */
  void sample() {
    if (cycle < from || cycle >= to)
      return;
    samples++;
    for (std::size_t i = 0, net = 0; i < groups; net += at[i++].n) {
      const uint64_t now = word<uint64_t>(at[i].word);
      count(&changes[net], now ^ last[i]);
      count(&high[net], now);
      last[i] = now;
    }
  }

  /* Once a cycle; power: a bit for each member. */
  void sample_power(unsigned power) {
    for (std::size_t i = 0; cycle >= from && cycle < to && i < off.size(); i++)
      off[i] += (power >> i & 1U) ^ 1U;
  }

  void end_cycle() {
    if (++cycle == from)
      keep();
    if (cycle == to) {
      read_memories(memories);
      for (std::size_t i = 0; i < nmemories; i++) {
        memories[i].reads -= memories_were[i].reads;
        memories[i].writes -= memories_were[i].writes;
      }
    }
  }

  /* Complete once the window's cycles have passed. */
  void counts(struct netlist_counts *c) const {
    const uint64_t end = cycle < to ? cycle : to;
    *c = {changes.size(),  end > from ? end - from : 0,
          samples,         changes.data(),
          high.data(),     nmemories,
          memories.data(), off.data()};
  }
};

#endif
