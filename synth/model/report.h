/* The report: what synthesis found out about units, and sums of it. */
#ifndef TANDEM_SYNTH_MODEL_REPORT_H
#define TANDEM_SYNTH_MODEL_REPORT_H

#include <stdint.h>

#include "csim/util/hash.h"
#include "synth/input/clock_gate.h"
#include "synth/input/designs.h"
#include "synth/input/library.h"
#include "synth/input/macros.h"
#include "synth/input/spec.h"
#include "synth/input/technology.h"
#include "synth/model/measured.h"

/* Activity assumed where nothing is measured: a net changes in a tenth of the cycles.  Each port of
 * a memory is used, and each wire of a link changes, in a tenth of them too. */
#define SYNTH_ACTIVITY 0.1

/* Cells, memories and their areas.  Areas are in the library's unit (um2).  Memories are apart, in
 * area and in power.  Their power is that of accesses, at the requested clock with the assumed
 * activity, and leakage. */
struct synth_size {
  uint64_t cells, sequential_cells;      /* those without latches of clock gates */
  uint64_t clock_gates, gated_registers; /* registers: flip-flops behind a clock gate */
  double sequential, combinational;
  uint64_t memory_bits, memories;
  uint64_t ideal_memories; /* of which nothing is known: not in the following */
  double memory_area, memory_access_w, memory_leakage_w;
};

/* A unit that is too large to be timed (docs/use/synth.md) has NAN, and no path. */
struct synth_timing {
  double slack_ns; /* worst, at the clock asked for */
  double fmax_mhz; /* of the core clock, the others in proportion */
  unsigned depth;  /* cells on the critical path, the launching register's among them */
  char start[SYNTH_NAME], end[SYNTH_NAME]; /* ports, and registers by their nets */
  char *path;                              /* the report of the critical path, lines of text */
};

/* Power of the cells, at the requested clock. */
struct synth_power {
  double internal_w, switching_w, leakage_w;
  bool measured;                            /* with activity from a run, else assumed */
  double macro_internal_w, macro_leakage_w; /* of memories of the Liberty that was given */
};

struct synth_child {
  size_t unit; /* index into the report's units */
  unsigned count;
};

struct synth_unit {
  char name[SYNTH_NAME]; /* scoreboard, scoreboard_Releases4, sm_frontend_flat */
  struct synth_spec spec;
  bool flat; /* all below it dissolved into it */
  bool top;  /* asked for, or part of a design, not only an instance in another unit */
  struct synth_child *children;
  size_t nchildren;
  struct synth_size own, whole;
  struct synth_memory memories[SYNTH_SHAPES]; /* own */
  size_t nmemories;
  struct synth_timing timing; /* of the whole */
  struct synth_power power;   /* of the whole */
  char folder[800];           /* with map/netlist.v, time/path.txt: docs/use/synth.md */
  char key[HASH_KEY];         /* of its own text, parameters, scripts, library and tools */
  double seconds;             /* of a processor that its own steps took */
};

/* `count` instances of a unit; own: without what it instantiates. */
struct synth_share {
  size_t unit;
  unsigned count;
  bool own;
};

/* Logic that a variant of a cluster adds to as many baseline front ends as it has members. */
struct synth_added {
  char feature[32], variant[32];
  unsigned members; /* of a cluster; sms / members clusters are a GPU */
  unsigned sms;
  struct synth_share shares[SYNTH_PARTS]; /* what a cluster consists of */
  size_t nshares;
  size_t baseline_unit;
  struct synth_size cluster, baseline; /* of one cluster; of as many baseline front ends */
  double cluster_w, baseline_w;        /* power: the sum of the parts' */
  /* Added by a cluster: cells' area (gate equivalents: by synth_gates), memory bits. */
  double area;
  int64_t memory_bits;
  double percent;        /* area, of the baseline's cells */
  double memory_percent; /* bits, of the baseline's */
  double memory_area;    /* added by a cluster */
  double power_percent;
};

/* A line of the table of a feature's parts. */
struct synth_of_part {
  char feature[32], part[48];
  size_t unit;
  unsigned times, count; /* units in the part; parts in the GPU */
  bool own;              /* the unit without what it instantiates */
  struct synth_size size;
  double leakage_w; /* synth_leakage_w */
  double fmax_mhz;  /* NAN: not timed */
};

/* A figure that designs.yaml reckons; NAN: there is none. */
struct synth_figure {
  char feature[32];
  struct synth_figure_rule rule;
  double published, recomputed, ours;
};

struct synth_report {
  struct synth_library library;
  struct technology technology;
  struct technology_corner process; /* of the library; nm 0: not known */
  struct clock_gate gate;           /* of the library */
  bool gated;                       /* clocks are gated where registers have an enable in common */
  char macros[512];                 /* the Liberty of memories that was given; "" none */
  double mhz;
  char yosys[64], sta[64]; /* versions */
  size_t baseline;         /* unit, that of a single feature its own; SIZE_MAX: there is none */
  struct synth_unit *units;
  size_t nunits;
  struct synth_added *added;
  size_t nadded;
  struct synth_of_part *parts; /* of features */
  size_t nparts;
  struct synth_figure *figures;
  size_t nfigures;
  struct synth_measured measured[SYNTH_MEASURED]; /* activity.h; none unless asked for */
  size_t nmeasured;
};

/* Power in W, memories and leakage included, of the scoreboard with measured activity: of the
 * baseline, and of a leader, with its monitor.  The scoreboard's of the leader is that of the run
 * apart, in which it does what the baseline's does, at the same pace; the monitor's is that of the
 * group, where it has something to do.  False: not measured. */
bool synth_measured_scoreboards(const struct synth_report *r, double *baseline_w, double *leader_w);
/* Wires that change for each flit from leader to follower; NAN: not measured. */
double synth_measured_flit(const struct synth_report *r);

/* Area in NAND2 of the library. */
double synth_gates(const struct synth_report *r, double area);
double synth_area(const struct synth_size *s);

/* Leakage at 45 nm, by published figures for an SM's front end: its memories' bits and its cells'
 * area take their share of it.  The published one has as many warps as the baseline unit.  NAN:
 * that is no unit of the report. */
double synth_leakage_w(const struct synth_report *r, size_t baseline, const struct synth_size *s);

void synth_rollup(struct synth_report *r);
/* Adds memories of one shape to a size, at a clock in MHz. */
void synth_memory_add(struct synth_size *to, const struct synth_memory *m, double mhz);
void synth_size_add(struct synth_size *to, const struct synth_size *s, double times);
int synth_added_all(struct synth_report *r, const struct synth_designs *d, const char *feature,
                    struct tandem_error *err);
size_t synth_find(const struct synth_report *r, const struct synth_spec *s, bool flat);
/* Units below one, itself first, each after all that contain it.  Their number, at most all; 0:
 * out of memory. */
size_t synth_descendants(const struct synth_report *r, size_t at, size_t *list);

#endif
