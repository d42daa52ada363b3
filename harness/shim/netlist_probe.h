/* Counts what happens in a netlist.  Expects ROOT and NETS: a file with NET(member) for each net, a
 * signal of one bit in the model's root, MEMORY(instance) for each counted_memory and
 * LINK(instance) for each link, as their members' names start there; all NETs first. */
#ifndef TANDEM_SHIM_NETLIST_PROBE_H
#define TANDEM_SHIM_NETLIST_PROBE_H

#include "harness/shim/netlist.h"

#include <cstddef>
#include <cstring>
#include <vector>

#define MEMBER_(instance, name) instance##name
#define MEMBER(instance, name) MEMBER_(instance, name)

class probe {
  struct memory {
    std::size_t reads, writes;
  };
  struct link {
    std::size_t flit, flit_size, valid, valid_size;
  };

#define NET(member) offsetof(ROOT, member),
#define MEMORY(instance)
#define LINK(instance)
  static constexpr uint32_t at[] = {
#include NETS
  };
#undef NET
#undef MEMORY
#define NET(member)
#define MEMORY(instance)                                                                           \
  {offsetof(ROOT, MEMBER(instance, reads)), offsetof(ROOT, MEMBER(instance, writes))},
  static constexpr memory memory_at[] = {
#include NETS
      {0, 0}};
#undef MEMORY
#undef LINK
#define MEMORY(instance)
#define LINK(instance)                                                                             \
  {offsetof(ROOT, MEMBER(instance, flit_q)), sizeof(ROOT::MEMBER(instance, flit_q)),               \
   offsetof(ROOT, MEMBER(instance, valid_q)), sizeof(ROOT::MEMBER(instance, valid_q))},
  static constexpr link link_at[] = {
#include NETS
      {0, 0, 0, 0}};
#undef NET
#undef MEMORY
#undef LINK
  static constexpr std::size_t nets = sizeof at / sizeof at[0];
  static constexpr std::size_t nmemories = sizeof memory_at / sizeof memory_at[0] - 1;
  static constexpr std::size_t nlinks = sizeof link_at / sizeof link_at[0] - 1;

  const unsigned char *const root;
  const uint64_t from, to;
  uint64_t cycle = 0, samples = 0;
  std::vector<unsigned char> last;
  std::vector<uint32_t> changes, high;
  std::vector<netlist_memory> memories_were, memories;
  std::vector<std::vector<unsigned char>> wires; /* of each link, as they were */
  std::vector<netlist_link> links;
  std::vector<uint64_t> off;

  uint32_t word(std::size_t place) const {
    uint32_t v;
    std::memcpy(&v, root + place, sizeof v);
    return v;
  }

  void read_memories(std::vector<netlist_memory> &now) const {
    for (std::size_t i = 0; i < nmemories; i++)
      now[i] = {word(memory_at[i].reads), word(memory_at[i].writes)};
  }

  /* How many of a link's wires are not as they were; keeps what they are. */
  uint64_t change(std::size_t i) {
    uint64_t n = 0;
    unsigned char *was = wires[i].data();
    const auto compare = [&](std::size_t place, std::size_t size) {
      for (std::size_t k = 0; k < size; k++, was++) {
        n += static_cast<unsigned>(__builtin_popcount(*was ^ root[place + k]));
        *was = root[place + k];
      }
    };
    compare(link_at[i].flit, link_at[i].flit_size);
    compare(link_at[i].valid, link_at[i].valid_size);
    return n;
  }

public:
  probe(const ROOT *r, uint64_t first, uint64_t end)
      : root(reinterpret_cast<const unsigned char *>(r)), from(first), to(end), last(nets),
        changes(nets), high(nets), memories_were(nmemories), memories(nmemories), wires(nlinks),
        links(nlinks), off(8) {
    for (std::size_t i = 0; i < nlinks; i++)
      wires[i].resize(link_at[i].flit_size + link_at[i].valid_size);
    keep();
  }

  /* All as it is before the window. */
  void keep() {
    for (std::size_t i = 0; i < nets; i++)
      last[i] = root[at[i]];
    read_memories(memories_were);
    for (std::size_t i = 0; i < nlinks; i++)
      change(i);
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

  /* After a rising edge of the links' clock. */
  void sample_links() {
    if (cycle < from || cycle >= to)
      return;
    for (std::size_t i = 0; i < nlinks; i++) {
      links[i].changes += change(i);
      links[i].flits += root[link_at[i].valid] & 1U;
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
    *c = {nets,         end > from ? end - from : 0,
          samples,      changes.data(),
          high.data(),  nmemories,
          nlinks,       memories.data(),
          links.data(), off.data()};
  }
};

#endif
