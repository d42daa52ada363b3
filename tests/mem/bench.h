/* A small machine around the memory system for its tests: a made-up kernel, SMs that are stepped by
 * hand, instructions that are accepted one by one. */
#ifndef TANDEM_TESTS_MEM_BENCH_H
#define TANDEM_TESTS_MEM_BENCH_H

#include "csim/mem/l1/sm_mem.h"
#include "csim/mem/mem.h"
#include "tests/isa/random.h"
#include "tests/test.h"

enum { BENCH_SMS = 16, BENCH_CODE = 64, BENCH_PARAMS = 256 };

/* Modifier bits of MEM and ATOM. */
enum {
  M8 = 0,
  M16 = 1,
  M32 = 2,
  M64 = 3,
  MSIGNED = 1 << 2,
  MV2 = 1 << 3,
  MV4 = 2 << 3,
  MA64 = ISA_MOD_A64,
  MABS = ISA_MOD_ABS,
  ASHARED = 1 << 0,
  ASIGNED = 1 << 1,
  A64 = ISA_MOD_64,
  ANORET = ISA_MOD_NORET
};

struct bench {
  struct mem_config config;
  struct gpu_mem *m;
  unsigned sms;
  uint64_t cycle;
  struct grid grid;
  struct isa_kernel kernel;
  struct isa_program program;
  uint64_t code[BENCH_CODE];
  uint32_t params[BENCH_PARAMS / 4];
};

/* The figures for which test_timing.c computes its latencies, so that tests stay when the defaults
 * of the keys change: a crossbar of 4 cycles at 1400 MHz, L2 slices of 64 KB and 16 ways with 32
 * MSHRs, constants after 26 cycles, no acknowledged stores. */
void bench_figures(struct mem_config *config);

/* config NULL: bench_figures.  Two CTA slots' worth of shared memory (1 KB a CTA), 64 bytes of
 * local memory a thread, 256 bytes of parameters; even warps in slot 0, odd warps in slot 1. */
void bench_open(struct bench *b, const struct mem_config *config, unsigned sms);
void bench_close(struct bench *b);

uint32_t bench_alloc(struct bench *b, uint64_t bytes);
uint32_t bench_read32(struct bench *b, uint32_t address);
void bench_write32(struct bench *b, uint32_t address, uint32_t value);

/* A decoded instruction; imm is the offset. */
void bench_uop(struct isa_uop *uop, enum isa_id id, unsigned mods, unsigned imm);
/* An instruction of all lanes with recognisable garbage in its result. */
void bench_inst(struct sm_inst *inst, const struct isa_uop *uop, unsigned warp);
/* Address of lane l: first + l * stride. */
void bench_address(struct sm_inst *inst, uint32_t first, uint32_t stride);
/* All three: an access of warp 0. */
void bench_access(struct sm_inst *inst, struct isa_uop *uop, enum isa_id id, unsigned mods,
                  unsigned imm, uint32_t first, uint32_t stride);

/* One cycle in which the SM accepts the instruction (NULL: none); what it completes in that cycle.
 */
struct sm_inst *bench_step(struct bench *b, unsigned sm, struct sm_inst *accept);
/* Lets the SM alone execute the instruction: core cycles from acceptance to completion. */
unsigned bench_run(struct bench *b, unsigned sm, struct sm_inst *inst);
/* Steps until nothing is in flight. */
void bench_drain(struct bench *b);

struct mem_stats bench_stats(const struct bench *b);

#endif
