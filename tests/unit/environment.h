/* A random environment of the SM front end that keeps its contract (docs/hardware/frontend.md,
 * sm_frontend): a program in memory, fills, pipelines that collect operands and write back after
 * random times, random outcomes of branches and exits, CTAs launched and relaunched, kernel after
 * kernel. */
#ifndef TANDEM_TEST_ENVIRONMENT_H
#define TANDEM_TEST_ENVIRONMENT_H

#include "csim/ports/units.h"
#include "tests/unit/testing.h"

enum {
  ENV_WARPS = 48,
  ENV_CTAS = 8,
  ENV_CODE = 65536,
  ENV_FLIGHTS = 256,
  ENV_ENTRIES = 4,
  ENV_MISSES = 8,
  ENV_LAST_EXIT = 1 /* immediate of an exit that ends all lanes */
};

/* How quickly things happen, per cent a cycle. */
struct env_rates {
  unsigned collect, write, resolve, credit, fill, beat, launch;
  unsigned nest;    /* how deep the program nests */
  unsigned overrun; /* branches that most lanes take, into more of the kind than stacks can hold */
  bool calm;        /* one function, without barriers */
  bool brief;       /* warps of a few instructions, in one kernel without an end */
};

/* An issued instruction that a pipeline holds. */
struct env_flight {
  bool to_collect, to_write, to_resolve, pred, last_exit;
  uint8_t age; /* cycles since it was seen, up to resolve_after */
  uint8_t warp, pipe, reg, size;
};

struct env_warp {
  bool live;
  uint8_t cta;
  uint16_t flights;
};

struct environment {
  unsigned warps;         /* of the front end */
  unsigned own;           /* of these, in queues of side 0; the others are on side 1 */
  unsigned resolve_after; /* cycles from an issue to its resolve at least */
  struct rng rng;
  struct env_rates rates;
  bool lrr;
  uint64_t code[ENV_CODE];
  uint16_t entry[ENV_ENTRIES];
  unsigned entries;
  struct env_flight flight[ENV_FLIGHTS];
  unsigned flights;
  struct env_warp warp[ENV_WARPS];
  unsigned owed[2][3]; /* by side: slots taken and not returned: SP, SFU, MEM */
  unsigned credit1[3]; /* of side 1, given with the last inputs */
  uint16_t miss[ENV_MISSES];
  unsigned misses;
  bool filling;
  uint16_t fill_line;
  unsigned fill_beat;
  unsigned cta_alive[ENV_CTAS]; /* live warps */
  unsigned launching, left;     /* CTA being launched, warps to come */
  unsigned ctas;                /* still to launch in this kernel */
  unsigned cta_least, cta_most; /* their warps */
  bool trapped;
  unsigned last_done; /* warp that was done last */
  unsigned kernels, dones, launches, issued;
};

/* A new environment with a program, at the start of a kernel of so many CTAs. */
void environment_init(struct environment *e, uint64_t seed, struct env_rates rates, bool lrr);
/* The same with fewer warps, a multiple of 4, than ENV_WARPS. */
void environment_init_with(struct environment *e, unsigned warps, uint64_t seed,
                           struct env_rates rates, bool lrr);
/* Takes the outputs after an edge and gives the inputs of the next one. */
void environment_step(struct environment *e, const struct sm_frontend_out *out,
                      struct sm_frontend_in *in);

/* The parts of a step, for front ends that start kernels together: the outputs; whether the kernel
 * is over and all its traffic too; the inputs within a kernel, with launches or without; a new
 * kernel, on so many warps, of which the lowest `own` are on side 0. */
void environment_observe(struct environment *e, const struct sm_frontend_out *out);
bool environment_is_over(const struct environment *e);
void environment_drive(struct environment *e, bool launches, struct sm_frontend_in *in);
void environment_start(struct environment *e, unsigned warps, unsigned own);

#endif
