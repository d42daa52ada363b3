/* CTAs that an SM holds in a scheme.
 *
 * The rule for registers is that of the paper (section V.B.2): an SM's own warps use its own
 * registers, warps beyond the baseline's those of the lender.  So each side has usable warps, the
 * lowest ones, and a CTA may have warps of both. */
#ifndef TANDEM_GPU_FLEX_OCCUPANCY_H
#define TANDEM_GPU_FLEX_OCCUPANCY_H

#include <stddef.h>

#include "harness/gpu/flex/scheme.h"

/* The GPU: an SM as it is alone, and what the configuration says of all. */
struct flex_gpu {
  uint32_t sms;                                    /* of the GPU */
  uint32_t threads, ctas, registers, shared_bytes; /* of an SM alone, of 24 warps */
  bool own_memory;                                 /* Occ and Bal do not borrow memory */
  bool sides;                                      /* a CTA stays on one side */
  bool trios;                                      /* clusters of six, which have Bal */
};
enum { FLEX_WARPS = 24 };

/* A CTA: its threads, registers of a thread, bytes of shared memory. */
struct flex_cta {
  uint32_t threads, registers, shared_bytes;
};

/* The resources of an active SM in a scheme, for threads with so many registers. */
struct flex_shape {
  uint32_t warp;     /* threads of a warp */
  uint64_t warps[2]; /* usable ones of each side: bit w for warp w */
  uint32_t threads, shared_bytes;
};
struct flex_shape flex_shape(const struct flex_gpu *gpu, enum flex_scheme scheme,
                             uint32_t registers);

/* Returns how many warps an active SM has contexts for. */
unsigned flex_contexts(enum flex_scheme scheme);

enum flex_limit { FLEX_LIMIT_CTAS, FLEX_LIMIT_WARPS, FLEX_LIMIT_SHARED, FLEX_LIMIT_THREADS };

/* Returns how many CTAs an active SM holds.  *limit gets the resource that allows no more, the
 * first one in the order of the enumeration. */
unsigned flex_occupancy(const struct flex_gpu *gpu, enum flex_scheme scheme,
                        const struct flex_cta *cta, enum flex_limit *limit);

/* Returns how many CTAs the GPU holds. */
unsigned flex_resident(const struct flex_gpu *gpu, enum flex_scheme scheme,
                       const struct flex_cta *cta);

/* Writes why no CTA fits in a scheme, and in which schemes of a cluster of `members` one does. */
void flex_refusal(const struct flex_gpu *gpu, enum flex_scheme scheme, const struct flex_cta *cta,
                  unsigned members, char *text, size_t size);

#endif
