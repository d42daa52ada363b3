/* A memory side for tests of the back end: takes instructions unless it is busy, completes them
 * after a fixed time in order, and keeps a log. */
#ifndef TANDEM_TEST_FAKE_MEM_H
#define TANDEM_TEST_FAKE_MEM_H

#include "csim/mem/mem.h"

enum { FAKE_QUEUE = 1024 };

struct sm_mem {
  uint64_t cycle;
  bool busy;        /* takes nothing */
  uint32_t latency; /* from accept to completion */
  uint32_t value;   /* loads return value + lane, 0 to 63 of wide warps, in every register */
  unsigned first, count, accepted;
  struct {
    struct sm_inst *inst;
    uint64_t due;
  } queue[FAKE_QUEUE];
  struct {
    uint64_t cycle;
    uint32_t addr0;
    uint16_t pc;
    uint8_t warp;
    bool wide; /* with the upper half of a wide warp */
  } log[FAKE_QUEUE];
  int asked; /* line of the last instruction miss, -1: none */
  bool fill;
  struct mem_fill beat;
  uint32_t ctas, warps; /* reported CTA slots, a bit each; number of reported warps */
  uint32_t cb_bytes, cb_latency;
  bool no_shared;
  const uint32_t *role[8];
  uint32_t stores[64]; /* of each warp, not acknowledged */
  bool behind;         /* the SM cannot go ahead of it */
  uint64_t writing;    /* warps of which it is not known if they changed memory */
  uint64_t changed;    /* warps that did, as was found out later, and when */
  uint64_t changed_in;
};

#endif
