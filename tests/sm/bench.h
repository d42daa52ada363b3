/* A back end with a fake memory and a test in the place of the front end: the test issues what it
 * likes, and every cycle's inputs of the front end are kept. */
#ifndef TANDEM_TEST_BENCH_H
#define TANDEM_TEST_BENCH_H

#include "csim/ports/pipeline_rows.h"
#include "csim/sm/lanes/lanes.h"
#include "csim/sm/sm_local.h"
#include "tests/sm/fake_mem.h"

enum { BENCH_CODE = 256, BENCH_CYCLES = 8192 };

struct bench {
  struct sm_config config;
  struct sm_mem mem;
  struct sm *sm, *high;   /* with wide warps the lower SM and the upper one, else NULL */
  struct sm_mem unused;   /* memory side of the upper SM */
  struct sm_lanes *lanes; /* of wider warps */
  struct pages *pages;
  struct isa_kernel kernel;
  uint64_t code[BENCH_CODE];
  struct isa_uop *uops;
  unsigned ncode;
  uint32_t params[8];
  struct grid grid;
  struct sm_frontend_wide_out fe; /* of the next step */
  struct sm_frontend_wide_in *log;
  const struct sm_shape *shape; /* NULL: that of the configuration */
  struct sm_credits *far;       /* of side 1, by cycle */
  unsigned cycle;               /* of the next step */
};

/* Words, with register or predicate fields as they stand. */
uint64_t word(enum isa_id id, unsigned dst, unsigned s1, unsigned s2, unsigned s3);
uint64_t with_imm(uint64_t w, unsigned imm); /* and the modifier IMM */
uint64_t with_target(uint64_t w, unsigned target, unsigned rpc);
uint64_t with_mods(uint64_t w, unsigned mods);
uint64_t with_guard(uint64_t w, unsigned guard);
uint64_t movi(unsigned dst, uint32_t value);

void bench_defaults(struct bench *b, unsigned threads);
unsigned bench_add(struct bench *b, uint64_t w); /* its PC */
/* Creates the SM, or both of wide warps, begins the grid; nothing is launched yet. */
void bench_begin(struct bench *b);
/* Launches CTA x and steps until its warps are live. */
void bench_cta(struct bench *b, uint32_t x);
void bench_start(struct bench *b); /* both, of CTA 0 */
void bench_issue(struct bench *b, unsigned warp, unsigned pc, uint64_t mask);
/* The same with lanes 64 to 127, too. */
void bench_issue_wide(struct bench *b, unsigned warp, unsigned pc, uint64_t low, uint64_t high);
void bench_done(struct bench *b, unsigned warp);
/* Runs one cycle and returns its number. */
unsigned bench_step(struct bench *b);
/* Runs `cycles` cycles. */
void bench_run(struct bench *b, unsigned cycles);
/* Issues pc for the warp, all lanes, in a step of its own; the cycle. */
unsigned bench_one(struct bench *b, unsigned warp, unsigned pc);
/* Returns the first cycle from `from` on in which the warp's register is written back; -1: none. */
int bench_wb(const struct bench *b, unsigned warp, unsigned reg, unsigned from);
/* The same with the port: cycle * ROW_PORTS + port; negative: none. */
int bench_wb_port(const struct bench *b, unsigned warp, unsigned reg, unsigned from);
/* Clears the write-back of port k in the inputs. */
void bench_drop_write(struct sm_frontend_wide_in *in, unsigned k);
/* Clears the collection of port k in the inputs. */
void bench_drop_collected(struct sm_frontend_wide_in *in, unsigned k);
/* Returns the first cycle from `from` on in which the warp's operands are collected; -1: none. */
int bench_col(const struct bench *b, unsigned warp, unsigned from);
/* Returns the first cycle from `from` on in which the warp's branch or exit resolves; -1: none. */
int bench_resolved(const struct bench *b, unsigned warp, unsigned from);
/* Sum of the credits of a class (enum isa_pipe) over cycles [from, to). */
unsigned bench_credits(const struct bench *b, enum isa_pipe pipe, unsigned from, unsigned to);
void bench_close(struct bench *b);

#endif
