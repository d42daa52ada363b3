/* A netlist in the place of the RTL, made into a shared object while the program runs
 * (synth/model.c): what its shim exports, and how often each net changed. */
#ifndef TANDEM_SHIM_NETLIST_H
#define TANDEM_SHIM_NETLIST_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A memory's accesses, of all its ports. */
struct netlist_memory {
  uint32_t reads, writes;
};

/* The wires of one direction of a link, of all its stages (those between two members have several
 * if the way is long): changes, flits that entered it. */
struct netlist_link {
  uint64_t changes, flits;
};

/* Sums over the cycles of the window.  Nets are looked at after each evaluation of the model, of
 * which a cycle has the same number every time: `samples` in all cycles. */
struct netlist_counts {
  size_t nets;
  uint64_t cycles, samples;       /* so far: fewer than the window's if the run was shorter */
  const uint32_t *changes, *high; /* of each net: changes; samples in which it was 1 */
  size_t nmemories, nlinks;
  const struct netlist_memory *memories;
  const struct netlist_link *links;
  const uint64_t *off; /* of each member of a cluster: cycles in which it had no power */
};

struct frontend_rtl;
struct buddy_cluster_rtl;

/* Each shared object has one of the two pairs.  A model counts from its cycle `from` on, up to but
 * not with `to`; its first cycle is 0.  NULL: out of memory. */
typedef struct frontend_rtl *netlist_frontend_open(uint64_t seed, uint64_t from, uint64_t to);
typedef void netlist_frontend_counts(const struct frontend_rtl *f, struct netlist_counts *counts);
typedef struct buddy_cluster_rtl *netlist_cluster_open(uint64_t seed, uint64_t from, uint64_t to);
typedef void netlist_cluster_counts(const struct buddy_cluster_rtl *c,
                                    struct netlist_counts *counts);

netlist_frontend_open netlist_open_frontend;
netlist_frontend_counts netlist_count_frontend;
netlist_cluster_open netlist_open_cluster;
netlist_cluster_counts netlist_count_cluster;

#ifdef __cplusplus
}
#endif
#endif
