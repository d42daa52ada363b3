/* Nanoseconds an SM cycle of the reference front end, by kind of cycle.  Inputs are recorded from a
 * run in the random environment and replayed, so that only the front end is measured. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "csim/isa/core/isa.h"
#include "csim/ports/pipeline_rows.h"
#include "csim/ref/sm/ref.h"
#include "tests/unit/environment.h"

enum { CYCLES = 2000, ROUNDS = 200, STRAIGHT = 200 };

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A program without branches or barriers: what issues most. */
static void straight_program(struct environment *e) {
  for (unsigned pc = 0; pc < STRAIGHT; pc++)
    e->code[pc] = isa_pack((struct isa_inst){.unit = ISA_U_FMA,
                                             .guard = ISA_PT,
                                             .dst = pc % 16,
                                             .src1 = 16,
                                             .src2 = (uint8_t)(16 + pc % 16),
                                             .src3 = 17});
  e->code[STRAIGHT] = isa_pack(
      (struct isa_inst){.op = 2, .unit = ISA_U_CTRL, .guard = ISA_PT, .imm = ENV_LAST_EXIT});
  e->entries = 1;
  e->entry[0] = 0;
  e->ctas = UINT32_MAX;
  e->cta_least = e->cta_most = ENV_WARPS / ENV_CTAS;
}

struct recording {
  struct sm_frontend_in in[CYCLES];
  unsigned issued;
};

static void record(struct recording *r, struct environment *e) {
  struct frontend_ref *f = frontend_ref_create();
  if (f == NULL)
    return;
  for (unsigned c = 0; c < CYCLES; c++) {
    environment_step(e, frontend_ref_peek(f), &r->in[c]);
    frontend_ref_step(f, &r->in[c]);
  }
  r->issued = e->issued;
  frontend_ref_destroy(f);
}

static double replay(const struct recording *r) {
  double best = 1e18;
  for (unsigned round = 0; round < ROUNDS; round++) {
    struct frontend_ref *f = frontend_ref_create();
    if (f == NULL)
      return 0;
    double start = now_ns();
    for (unsigned c = 0; c < CYCLES; c++)
      frontend_ref_step(f, &r->in[c]);
    double ns = (now_ns() - start) / CYCLES;
    best = ns < best ? ns : best;
    frontend_ref_destroy(f);
  }
  return best;
}

/* Cycles in which nothing happens while warps are live: memory does not answer. */
static double stalled(struct environment *e, bool *quiet) {
  struct frontend_ref *f = frontend_ref_create();
  if (f == NULL)
    return 0;
  struct sm_frontend_in in;
  for (unsigned c = 0; c < 500; c++) {
    environment_step(e, frontend_ref_peek(f), &in);
    frontend_ref_step(f, &in);
  }
  in = (struct sm_frontend_in){0};
  for (unsigned c = 0; c < 1000; c++)
    frontend_ref_step(f, &in);
  *quiet = frontend_ref_peek(f)->quiet;
  double start = now_ns();
  for (unsigned c = 0; c < 1000000; c++)
    frontend_ref_step(f, &in);
  double ns = (now_ns() - start) / 1e6;
  frontend_ref_destroy(f);
  return ns;
}

/* Cycles in which the front end is not quiet but nothing issues: warps wait for registers, and
 * write-backs of other registers come in. */
static double waiting(struct environment *e) {
  struct frontend_ref *f = frontend_ref_create();
  if (f == NULL)
    return 0;
  struct sm_frontend_in in;
  for (unsigned c = 0; c < 500; c++) {
    environment_step(e, frontend_ref_peek(f), &in);
    frontend_ref_step(f, &in);
  }
  in = (struct sm_frontend_in){0};
  rows_put_write(&in, ROW_MEM, (struct row_write){.warp = 5});
  for (unsigned c = 0; c < 1000; c++)
    frontend_ref_step(f, &in);
  double start = now_ns();
  for (unsigned c = 0; c < 1000000; c++)
    frontend_ref_step(f, &in);
  double ns = (now_ns() - start) / 1e6;
  frontend_ref_destroy(f);
  return ns;
}

int main(void) {
  static struct environment e;
  static struct recording r;
  const struct env_rates at_once = {100, 100, 100, 100, 100, 100, 100, 4, 0, false, false};
  const struct env_rates silent = {0, 0, 0, 0, 100, 100, 100, 4, 0, false, false};
  bool quiet = false;
  environment_init(&e, 1, at_once, false);
  straight_program(&e);
  record(&r, &e);
  double busy = replay(&r);
  printf("straight code   %6.1f ns a cycle, %.2f instructions a cycle\n", busy,
         (double)r.issued / CYCLES);
  environment_init(&e, 1, at_once, false);
  record(&r, &e);
  double mixed = replay(&r);
  printf("branching code  %6.1f ns a cycle, %.2f instructions a cycle\n", mixed,
         (double)r.issued / CYCLES);
  environment_init(&e, 1, silent, false);
  double wait = waiting(&e);
  printf("waiting         %6.1f ns a cycle, a write-back a cycle\n", wait);
  environment_init(&e, 1, silent, false);
  double stall = stalled(&e, &quiet);
  printf("stalled         %6.1f ns a cycle, %s\n", stall, quiet ? "quiet" : "not quiet");
  return quiet ? 0 : 1;
}
