/* Runs the random program of a seed on a GPU. */
#ifndef TANDEM_TESTS_RUN_H
#define TANDEM_TESTS_RUN_H

#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"
#include "tests/random/gen.h"

struct run_outcome {
  struct gpu_stats stats;
  uint64_t digest, paths; /* of memory; of the warps' instructions (gpu_paths) */
  struct tandem_failure failure;
  char report[4096]; /* of a fault, truncated */
};

/* The configuration of a seed: one or two SMs, either scheduler, latencies and sizes of the back
 * end and the memory at random, every state view compared in every cycle. */
void run_configure(uint64_t seed, struct tandem_config *config);

/* Caches, queues, banks and DRAM of a memory of any size. */
void run_configure_memory(uint64_t seed, struct tandem_config *config);

/* The same as run_configure for clusters of so many members, one or two of them, and what a cluster
 * may be configured as, at random. */
void run_configure_buddy(uint64_t seed, uint32_t members, enum buddy_regroup regroup,
                         struct tandem_config *config);

/* The same for clusters of so many members that share resources, one or two of them: scheme, sizes
 * of links and table at random. */
void run_configure_flex(uint64_t seed, uint32_t members, uint32_t dummy,
                        struct tandem_config *config);

/* Two launches of the seed's program on grids and blocks of the seed's choice. */
enum tandem_status run_random(uint64_t seed, const struct tandem_config *config,
                              struct run_outcome *outcome, struct tandem_error *err);

/* The same with a program of operations on edge values (gen_options.operands). */
enum tandem_status run_operands(uint64_t seed, const struct tandem_config *config,
                                struct run_outcome *outcome, struct tandem_error *err);

/* The buffers of a race-free program: its data; then, of each of the two launches, the slices and
 * counters, and the result of each thread. */
enum { RUN_BUFFERS = 5 };
struct run_image {
  uint8_t *bytes;                /* one after the other; freed by the caller; NULL: none */
  size_t begin[RUN_BUFFERS + 1]; /* where each begins; the end of all */
};

/* The same with the seed's race-free program.  *image is its memory image, the same in every
 * configuration.  The second launch reads the results of the first. */
enum tandem_status run_race_free(uint64_t seed, const struct tandem_config *config,
                                 struct run_outcome *outcome, struct run_image *image,
                                 struct tandem_error *err);

/* A program whose divergence nests deeper than the SIMT stack: a fault of the program on any
 * engine. */
enum tandem_status run_overflow(const struct tandem_config *config, struct run_outcome *outcome,
                                struct tandem_error *err);

/* A random program, and what would be launched. */
struct run_record {
  struct isa_program *program;
  struct run_image image; /* of the buffers before the first launch */
  uint32_t address[RUN_BUFFERS];
  unsigned buffers, nlaunches;
  struct run_launch {
    uint32_t params[GEN_PARAM_WORDS], grid[3], block[3], dynamic_shared;
    bool flex; /* it has a scheme of its own */
    unsigned scheme;
  } launches[2];
};
/* Notes the launches of run_random in the place of running them; deep: gen_options.  The caller
 * frees the record, also after an error. */
enum tandem_status run_record(uint64_t seed, bool deep, const struct tandem_config *config,
                              struct run_record *record, struct tandem_error *err);
void run_record_free(struct run_record *record);

/* Writes a record as a launch description, FOLDER/random-SEED.yaml, with the program and the data
 * beside it.  `tandem run` of it does what run_random does with this configuration, but that the
 * buffers of the second launch have other addresses.  0 or a negative errno. */
int run_describe(uint64_t seed, const struct run_record *record, const struct tandem_config *config,
                 const char *folder, struct tandem_error *err);

/* Writes the program as assembler text. */
bool run_write_program(uint64_t seed, bool race_free, const char *path);

#endif
