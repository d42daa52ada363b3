/* The mean of three neighbours (mean3d.cl) over any grid on any stencil processing unit: its launch
 * description, the host's own computation, against which results are compared bit by bit, and the
 * off-chip words that the schedule must have. */
#ifndef TANDEM_TESTS_SPU_SCENARIO_H
#define TANDEM_TESTS_SPU_SCENARIO_H

#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"

struct scenario {
  unsigned columns, rows, bx, by; /* the SPU */
  unsigned nbx, nby, tiles, b;    /* the problem */
  enum spu_sync sync;
  enum spu_pairing pairing;
  enum spu_order passes;
  enum spu_interface interface;
  unsigned cb_bytes, dram_latency, outstanding;
  uint64_t seed;
};

struct outcome {
  struct gpu_stats stats;
  uint64_t digest;
};

/* Tiles of 8 x 8 x 8 in buffers of 1 KB, point to point, overlapped, with DMA engines. */
struct scenario scenario_standard(unsigned columns, unsigned rows, unsigned nbx, unsigned nby,
                                  unsigned tiles);
void scenario_say(const struct scenario *s);
void scenario_configure(const struct scenario *s, enum tandem_engine engine,
                        struct tandem_config *c);

/* Runs the scenario on a GPU of this configuration and compares the result with the host's. */
void scenario_run(const struct scenario *s, const struct tandem_config *c, struct outcome *o);
/* The same on an open GPU. */
void scenario_run_on(const struct scenario *s, struct tandem *gpu);

/* Returns the words off chip that the scenario must move. */
uint64_t scenario_words(const struct scenario *s);
/* Returns the words off chip that a run has moved. */
uint64_t scenario_offchip(const struct spu_statistics *s);

/* Runs the scenario on the reference and in lockstep: cycles, counts and image must be the same.
 * Then runs it with interface units of the other kind in lockstep: image and words are the same. */
void scenario_check(const struct scenario *s);
/* The same, but the interface units of the other kind run on the reference alone. */
void scenario_check_quickly(const struct scenario *s);

#endif
