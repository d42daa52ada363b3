/* A failure of a run: what, where, when. */
#ifndef TANDEM_FAILURE_H
#define TANDEM_FAILURE_H

#include <stdint.h>

#include "csim/ports/ports.h"

enum failure_kind {
  FAIL_NONE,
  FAIL_PORT,   /* an output differs */
  FAIL_STATE,  /* a state field differs */
  FAIL_ASSERT, /* an RTL assertion */
  FAIL_BACKEND,
  FAIL_ISS,
  FAIL_MEMORY,
  FAIL_MACHINE, /* what only the machine checks */
  FAIL_HANG,
  FAIL_SPIN, /* every live warp repeats a loop that changes nothing, or waits for one that does */
  FAIL_ENDLESS,
  FAIL_EMPTY, /* a run in lockstep that compared nothing */
  FAIL_LOST   /* it does not show again while all SMs are in the same cycle */
};

struct failure {
  enum failure_kind kind;
  unsigned unit;         /* index in the GPU's units, of FAIL_PORT, FAIL_STATE and FAIL_ASSERT */
  unsigned sm;           /* the unit's first, or the one whose row or state it is */
  uint64_t cycle;        /* whole run */
  uint64_t launch_cycle; /* first cycle of the launch, whole run */
  /* A difference. */
  const char *table; /* ports table, or instance of a state */
  struct port_desc port;
  unsigned index; /* element of a state field, word of a port */
  uint64_t rtl, ref;
  uint64_t agreed; /* last cycle whose states were compared equal */
};

#endif
