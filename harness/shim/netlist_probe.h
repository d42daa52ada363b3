/* Counts what happens in a netlist.  Expects ROOT and NETS: a file with NET(member) for each net, a
 * signal of one bit in the model's root, MEMORY(instance) for each counted_memory, and for each
 * link LINK(instance) with its first stage and STAGE(instance) with each further one, as their
 * members' names start there; all NETs first. */
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
  struct stage { /* of a link */
    bool first;
    std::size_t flit, flit_size, valid;
  };

#define NET(member) offsetof(ROOT, member),
#define MEMORY(instance)
#define LINK(instance)
#define STAGE(instance)
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
#undef STAGE
#define MEMORY(instance)
#define STAGE_(instance, first)                                                                    \
  {first, offsetof(ROOT, MEMBER(instance, flit_q)), sizeof(ROOT::MEMBER(instance, flit_q)),        \
   offsetof(ROOT, MEMBER(instance, valid_q))},
#define LINK(instance) STAGE_(instance, true)
#define STAGE(instance) STAGE_(instance, false)
  static constexpr stage stage_at[] = {
#include NETS
      {true, 0, 0, 0}};
#undef NET
#undef MEMORY
#undef LINK
#undef STAGE
#undef STAGE_
  static constexpr std::size_t nets = sizeof at / sizeof at[0];
  static constexpr std::size_t nmemories = sizeof memory_at / sizeof memory_at[0] - 1;
  static constexpr std::size_t nstages = sizeof stage_at / sizeof stage_at[0] - 1;

  const unsigned char *const root;
  const uint64_t from, to;
  uint64_t cycle = 0, samples = 0;
  std::vector<unsigned char> last;
  std::vector<uint32_t> changes, high;
  std::vector<netlist_memory> memories_were, memories;
  std::vector<std::vector<unsigned char>> wires; /* to each stage, as they were */
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

  /* How many of the wires to a stage are not as they were; keeps what they are. */
  uint64_t change(std::size_t i) {
    uint64_t n = 0;
    unsigned char *was = wires[i].data();
    const auto compare = [&](std::size_t place) {
      n += static_cast<unsigned>(__builtin_popcount(*was ^ root[place]));
      *was++ = root[place];
    };
    for (std::size_t k = 0; k < stage_at[i].flit_size; k++)
      compare(stage_at[i].flit + k);
    compare(stage_at[i].valid);
    return n;
  }

public:
  probe(const ROOT *r, uint64_t first, uint64_t end)
      : root(reinterpret_cast<const unsigned char *>(r)), from(first), to(end), last(nets),
        changes(nets), high(nets), memories_were(nmemories), memories(nmemories), wires(nstages),
        off(8) {
    for (std::size_t i = 0; i < nstages; i++) {
      wires[i].resize(stage_at[i].flit_size + 1);
      if (stage_at[i].first)
        links.push_back({0, 0});
    }
    keep();
  }

  /* All as it is before the window. */
  void keep() {
    for (std::size_t i = 0; i < nets; i++)
      last[i] = root[at[i]];
    read_memories(memories_were);
    for (std::size_t i = 0; i < nstages; i++)
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
    for (std::size_t i = 0, link = 0; i < nstages; i++) {
      if (stage_at[i].first) {
        link += i != 0 ? 1 : 0;
        links[link].flits += root[stage_at[i].valid];
      }
      links[link].changes += change(i);
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
          links.size(), memories.data(),
          links.data(), off.data()};
  }
};

#endif
