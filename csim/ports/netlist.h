/* A netlist in the place of the RTL, made into a shared object while the program runs
 * (harness/activity/model.c): what its shim exports, and how often each net changed. */
#ifndef TANDEM_PORTS_NETLIST_H
#define TANDEM_PORTS_NETLIST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A memory's accesses, of all its ports. */
struct netlist_memory {
  uint32_t reads, writes;
};

/* Sums over the cycles of the window.  Nets are looked at after each evaluation of the model, of
 * which a cycle has the same number every time: `samples` in all cycles. */
struct netlist_counts {
  size_t nets;
  uint64_t cycles, samples;       /* so far: fewer than the window's if the run was shorter */
  const uint32_t *changes, *high; /* of each net: changes; samples in which it was 1 */
  size_t nmemories;
  const struct netlist_memory *memories;
  const uint64_t *off; /* of each member of a cluster: cycles in which it had no power */
};

struct rtl_model;

/* A model counts from its cycle `from` on, up to but not with `to`; its first cycle is 0.  NULL:
 * out of memory. */
typedef struct rtl_model *netlist_opener(uint64_t seed, uint64_t from, uint64_t to);
typedef void netlist_counter(const struct rtl_model *m, struct netlist_counts *counts);

netlist_opener netlist_open;
netlist_counter netlist_count;

#ifdef __cplusplus
}
#endif
#endif
