/* Costs of processes, memories and wires: the figures of synth/data/technology.yaml, which names
 * their sources, and the arithmetic on them (docs/use/synth.md). */
#ifndef TANDEM_SYNTH_TECHNOLOGY_H
#define TANDEM_SYNTH_TECHNOLOGY_H

#include <stdbool.h>

#include "csim/util/error.h"

enum { TECHNOLOGY_PROCESSES = 16, TECHNOLOGY_TARGETS = 4, TECHNOLOGY_LIBRARIES = 8 };

/* A corner of a process: its size, and the supply in volts, 0 for the one of the table. */
struct technology_corner {
  double nm, vdd;
};

struct technology_process {
  double nm;
  double area;      /* of the same circuit, relative to the table's first */
  double vdd;       /* volts */
  double delay[4];  /* of a polynomial of the voltage, third power first */
  double energy[3]; /* likewise, second power first */
};

struct technology {
  unsigned processes; /* largest first */
  struct technology_process process[TECHNOLOGY_PROCESSES];
  unsigned libraries; /* those whose process is known */
  struct {
    char start[32]; /* of its name */
    struct technology_corner corner;
    double latch_um2; /* area of its latch, if the library states none; 0: not known */
  } library[TECHNOLOGY_LIBRARIES];
  unsigned targets;
  double target_nm[TECHNOLOGY_TARGETS];
  struct {
    double bit_um2, port_side, read_bit_pj, read_bits, leakage_bit_uw, access_ns, least_ns;
  } memory; /* at MEMORY_NM */
  struct {
    double leakage_left; /* part of its leakage that a block without power has */
  } gating;
  struct {
    double front_end_w, register_file_w, simd_w, l1_shared_w, texture_constant_w; /* of an SM */
    double register_file_bits, texture_kb, constant_kb;
  } leakage;
  struct {
    double hop_mm, low_swing_fj_bit_mm, full_swing_fj_bit_mm, pitch_um;
    double full_swing_ns, low_swing_ns;
    double sms, partitions, bits, ways, die_mm; /* the network between SMs and L2 */
  } wire;
};

/* Reads the file.  0, or a negative errno with what is wrong and where. */
int technology_load(struct technology *t, const char *path, struct tandem_error *err);

/* A number of the file by the names of its section and key: "wires.hop_mm".  False: there is none.
 */
bool technology_number(const struct technology *t, const char *name, double *value);

/* The process of a library of cells, by how the library's name starts.  False: not known. */
bool technology_process(const struct technology *t, const char *library,
                        struct technology_corner *corner);
/* Area of the library's latch by the file; 0: not known. */
double technology_latch_um2(const struct technology *t, const char *library);

/* Factors by which area, delay and energy per operation of a circuit change from one corner to
 * another.  Between two processes of the table area follows the square of the size from the larger
 * one, delay and energy are interpolated.  0, or -EINVAL for a size beyond the table or a voltage
 * beyond the polynomials (where they no longer rise or fall as they should). */
struct technology_factors {
  double area, delay, energy;
};
int technology_scale(const struct technology *t, struct technology_corner from,
                     struct technology_corner to, struct technology_factors *factors,
                     struct tandem_error *err);

/* A memory macro in a corner. */
struct technology_memory {
  unsigned long words;
  unsigned width, ports; /* bits of a word; reading and writing ports together */
};
struct technology_macro {
  double area_um2;
  double access_pj;  /* of a word, read or written */
  double leakage_uw; /* not scaled: nothing published scales it */
  double access_ns;
};
int technology_macro(const struct technology *t, const struct technology_memory *memory,
                     struct technology_corner corner, struct technology_macro *macro,
                     struct tandem_error *err);

/* The cluster NoC: a pair of links, of down and up wires, from each leader to each of its
 * followers, k members away from it k hops long.  cluster: 2, 4 or 8 members of sms. */
struct technology_links {
  unsigned cluster, sms, down, up;
  bool all_leaders; /* those too that lead a part of the cluster; else the first member alone */
};
struct technology_wiring {
  double wire_mm;        /* length of all wires */
  double area_mm2;       /* at the pitch of the file */
  double share_crossbar; /* of the wires of the network between SMs and L2 */
};
void technology_wiring(const struct technology *t, const struct technology_links *links,
                       struct technology_wiring *wiring);

/* Energy in pJ to move bits over a distance of hops, low swing or full; the article counts all bits
 * of a packet, a measurement those that change. */
double technology_move_pj(const struct technology *t, double bits, double hops, bool full_swing);

#endif
