/* Configuration of an SM's back end.  csim/sm/config.def has its keys with defaults, ranges, units
 * and descriptions. */
#ifndef TANDEM_SM_CONFIG_H
#define TANDEM_SM_CONFIG_H

#include "csim/isa/core/isa.h"
#include "csim/util/config.h"

enum { SM_LATENCY_MOST = 1000 };

struct sm_config {
#define CONFIG_NUMBER(section, key, field, ...) uint32_t field;
#define CONFIG_POWER CONFIG_NUMBER
#include "csim/sm/config.def"
  struct {
    uint32_t latency, interval; /* core cycles */
  } lat[ISA_LATS];
  /* Set by the machine that the SM is part of, without a key. */
  uint32_t barrier_check; /* 1: barriers that not all warps reach are faults */
  uint32_t slices; /* warps that make one of the front end: 1, 2 or 4 (csim/sm/lanes/lanes.h) */
  uint32_t deep_queues; /* 1: those of SMs that share a front end (docs/models/sm_cluster.md) */
  uint32_t cb_bytes, cb_latency; /* communication buffers (csim/mem/cb_port.h); 0 bytes: no SPU */
  uint32_t integer_only;         /* 1: no float, double and atomic units, no shared memory */
  uint32_t most_warps; /* warps that its registers serve in some launch; 0: always `warps` */
};

void sm_config_default(struct sm_config *c);

/* Checks that the value of every key is within its range.  Returns 0, or -EINVAL with key, value
 * and range in *err and the key in *about (NULL allowed). */
int sm_config_check(const struct sm_config *c, struct config_about *about,
                    struct tandem_error *err);

#endif
