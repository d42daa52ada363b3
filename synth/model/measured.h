/* Measured power: the results of runs in which a netlist took the place of the RTL. */
#ifndef TANDEM_SYNTH_MODEL_MEASURED_H
#define TANDEM_SYNTH_MODEL_MEASURED_H

#include <stdint.h>

enum { ACTIVITY_MEMBERS = 8 };
/* Power of the cells of one instance of a module, without those of its own instances. */
struct activity_row {
  unsigned member; /* of the cluster; as many as it has: links, group control, side-band */
  char path[160];  /* from the netlist's top; "" the top itself */
  uint64_t cells, nets;
  double changes; /* of a net driven by these cells in a cycle, on average */
  double switching_w, internal_w, clock_w, leakage_w;
  double assumed_w; /* switching, internal and clock, if every net had the assumed activity */
  double gated_w;   /* leakage with power gating: of what is off, a part is left */
};

/* A memory: accesses in the window; power by the figures of technology.yaml, 0 for a library of a
 * process that is not known. */
struct activity_memory {
  unsigned member;
  char path[160]; /* of the instance that it is in */
  unsigned words, width, ports;
  uint64_t reads, writes; /* of all ports */
  double access_w, leakage_w, gated_w;
};

/* One direction of a link in the window. */
struct activity_link {
  unsigned leader, follower;
  bool up;                 /* to the leader */
  unsigned stages;         /* registers of the NoC clock, of as many parts of the way */
  uint64_t flits, changes; /* changes: of a wire, in all stages, its valid's among them */
  double low_w, full_w;    /* of the wires, with low and with full swing */
};

struct activity_result {
  struct activity_row *rows; /* by member, then as in the netlist */
  size_t nrows;
  unsigned members;
  uint64_t cycles;   /* of the window */
  uint64_t compared; /* outputs of that SM or cluster, and others', compared */
  /* Cycles of the window in which each member's front end was off.  The last entry, the cluster's
   * logic, is 0. */
  uint64_t off_cycles[ACTIVITY_MEMBERS + 1];
  struct activity_memory *memories; /* by member */
  size_t nmemories;
  struct activity_link *links;
  size_t nlinks;
};

/* The parts that the rows belong to: the members, and with more than one the cluster's logic. */
unsigned activity_parts(const struct activity_result *r);
/* Sum over a part's cells. */
struct activity_row activity_sum(const struct activity_result *r, unsigned member);
/* Sum over a part's memories. */
struct activity_memory activity_memory_sum(const struct activity_result *r, unsigned member);
void activity_free(struct activity_result *r);

/* A run with netlists. */
struct synth_measured {
  const char *way; /* "baseline"; "grouped", "apart": members of a cluster of two */
  char kernel[256];
  uint64_t from, to; /* cycles of the window; to is the first that is not in it */
  struct activity_result result;
};
enum { SYNTH_MEASURED = 3 };

#endif
