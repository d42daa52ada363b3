/* Reference of rtl/sm/icache.sv (docs/hardware/frontend.md, icache). */
#ifndef TANDEM_REF_ICACHE_H
#define TANDEM_REF_ICACHE_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum {
  ICACHE_SETS = 8,
  ICACHE_WAYS = 4,
  ICACHE_LINE = 16, /* instructions */
  ICACHE_MSHRS = 4,
  ICACHE_LAST_BEAT = 7
};

struct icache_set {
  struct {
    bool valid;
    uint16_t tag;
  } way[ICACHE_WAYS];
  uint8_t order[ICACHE_WAYS]; /* ways, the most recently used first */
  uint64_t word[ICACHE_WAYS][ICACHE_LINE];
  uint16_t dec[ICACHE_WAYS][ICACHE_LINE]; /* each word's control bundle, found when it comes in */
};

/* A line that memory was asked for. */
struct icache_mshr {
  bool busy;
  uint16_t line;
  warpset waiters;
};

/* The answer to a request. */
struct icache_response {
  bool valid, two;
  uint8_t warp;
  uint64_t inst[2];
  uint16_t dec[2]; /* their control bundles */
};

struct icache_ref {
  struct icache_set set[ICACHE_SETS];
  struct icache_mshr mshr[ICACHE_MSHRS];
  uint8_t fill_way; /* where beats 1 to 7 go, chosen at beat 0 */
  /* outputs */
  struct icache_response rsp;
  warpset wake;
  bool imiss_valid;
  uint16_t imiss_line;
};

/* The inputs of a cycle besides kernel_start. */
struct icache_request {
  bool valid;
  uint8_t warp;
  uint16_t pc;
};
struct icache_fill {
  bool valid;
  uint8_t beat;
  uint16_t line;
  uint64_t data[2];
};

void icache_ref_reset(struct icache_ref *c);

/* Returns whether a clock without a request or fill would change nothing. */
static inline bool icache_ref_still(const struct icache_ref *c) {
  return !c->rsp.valid && !c->imiss_valid && c->wake == 0;
}

/* Returns whether a line is on its way: some MSHR is in use. */
static inline bool icache_ref_awaits(const struct icache_ref *c) {
  bool some = false;
  for (unsigned i = 0; i < ICACHE_MSHRS; i++)
    some = some || c->mshr[i].busy;
  return some;
}

void icache_ref_clock(struct icache_ref *c, struct icache_request req,
                      const struct icache_fill *fill);

void icache_ref_eval(const struct icache_ref *c, const struct icache_in *in,
                     struct icache_out *out);
void icache_ref_step(struct icache_ref *c, const struct icache_in *in);
void icache_ref_view(const struct icache_ref *c, struct icache_view *view);

#endif
