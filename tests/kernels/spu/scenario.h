/* The mean of three neighbours (mean3d.cl) over any grid on any stencil processing unit: its launch
 * description, the host's own computation, against which results are compared bit by bit, and the
 * off-chip words that the schedule must have. */
#ifndef TANDEM_TESTS_SPU_SCENARIO_H
#define TANDEM_TESTS_SPU_SCENARIO_H

#include "harness/internal.h"

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

/* Runs it on a GPU of this configuration, or on one that is open, and compares what it leaves. */
void scenario_run(const struct scenario *s, const struct tandem_config *c, struct outcome *o);
void scenario_run_on(const struct scenario *s, struct tandem *gpu);

/* The words off chip that it must have, and those that a run had. */
uint64_t scenario_words(const struct scenario *s);
uint64_t scenario_offchip(const struct spu_statistics *s);

/* Runs it on the reference and in lockstep: the same cycles, counts and image; and with interface
 * units of the other kind, in lockstep or (quickly) on the reference: the same image and words. */
void scenario_check(const struct scenario *s);
void scenario_check_quickly(const struct scenario *s);

#endif
