/* CTAs that an SM holds in a scheme. */
#include "harness/gpu/flex/occupancy.h"

#include <stdio.h>

enum { LANES = 32, REGISTER_UNIT = 64, SHARED_UNIT = 128 };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t round_up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }
static uint64_t lowest(unsigned n) { return (UINT64_C(1) << n) - 1; }

/* The warps of 32 lanes that so many registers serve. */
static uint32_t served(uint32_t have, uint32_t registers, uint32_t most) {
  const uint32_t each = round_up(LANES * registers, REGISTER_UNIT);
  return each == 0 ? most : least(most, have / each);
}

/* Resources of an active SM in halves of those of an SM alone: warps of both sides, registers of
 * side 1, threads, memory. */
static const struct {
  uint8_t warps0, warps1, registers1, threads, memory;
} halves[FLEX_SCHEMES] = {[FLEX_BASE] = {2, 0, 0, 2, 2},
                          [FLEX_OCC] = {2, 2, 2, 4, 4},
                          [FLEX_BAL] = {2, 1, 1, 3, 3},
                          [FLEX_BIGSM] = {2, 0, 0, 4, 4},
                          [FLEX_BIGSM_OCC] = {4, 0, 0, 8, 4}};

struct flex_shape flex_shape(const struct flex_gpu *gpu, enum flex_scheme scheme,
                             uint32_t registers) {
  const unsigned memory = gpu->own_memory && !flex_wide(scheme) ? 2 : halves[scheme].memory;
  const uint32_t own = served(gpu->registers, registers, FLEX_WARPS * halves[scheme].warps0 / 2),
                 lent = served(gpu->registers * halves[scheme].registers1 / 2, registers,
                               FLEX_WARPS * halves[scheme].warps1 / 2);
  return (struct flex_shape){.warp = flex_wide(scheme) ? 2 * LANES : LANES,
                             .warps = {lowest(own), lowest(lent) << FLEX_WARPS},
                             .threads = gpu->threads * halves[scheme].threads / 2,
                             .shared_bytes = gpu->shared_bytes * memory / 2};
}

unsigned flex_contexts(enum flex_scheme scheme) {
  return (unsigned)FLEX_WARPS * (unsigned)(halves[scheme].warps0 + halves[scheme].warps1) / 2;
}

unsigned flex_occupancy(const struct flex_gpu *gpu, enum flex_scheme scheme,
                        const struct flex_cta *cta, enum flex_limit *limit) {
  const struct flex_shape s = flex_shape(gpu, scheme, cta->registers);
  const unsigned warps = (cta->threads + s.warp - 1) / s.warp,
                 usable[2] = {(unsigned)__builtin_popcountll(s.warps[0]),
                              (unsigned)__builtin_popcountll(s.warps[1])};
  const uint32_t shared = round_up(cta->shared_bytes, SHARED_UNIT);
  const uint32_t most[] = {[FLEX_LIMIT_CTAS] = gpu->ctas,
                           [FLEX_LIMIT_WARPS] = gpu->sides ? usable[0] / warps + usable[1] / warps
                                                           : (usable[0] + usable[1]) / warps,
                           [FLEX_LIMIT_SHARED] = shared == 0 ? gpu->ctas : s.shared_bytes / shared,
                           [FLEX_LIMIT_THREADS] = s.threads / cta->threads};
  *limit = FLEX_LIMIT_CTAS;
  for (unsigned i = 1; i < sizeof most / sizeof most[0]; i++)
    if (most[i] < most[*limit])
      *limit = (enum flex_limit)i;
  return most[*limit];
}

unsigned flex_resident(const struct flex_gpu *gpu, enum flex_scheme scheme,
                       const struct flex_cta *cta) {
  enum flex_limit limit;
  const unsigned active = (unsigned)__builtin_popcount(flex_active(scheme, FLEX_MEMBERS));
  return flex_occupancy(gpu, scheme, cta, &limit) * gpu->sms * active / FLEX_MEMBERS;
}

/* The resource of which a CTA needs more than an SM has. */
static int shortage(const struct flex_gpu *gpu, enum flex_scheme scheme, const struct flex_cta *cta,
                    enum flex_limit limit, char *text, size_t size) {
  const struct flex_shape s = flex_shape(gpu, scheme, cta->registers);
  const unsigned usable =
      (unsigned)(__builtin_popcountll(s.warps[0]) + __builtin_popcountll(s.warps[1]));
  if (cta->threads > s.threads)
    return snprintf(text, size, "a CTA needs %u threads, an SM has %u", cta->threads, s.threads);
  if (limit == FLEX_LIMIT_SHARED)
    return snprintf(text, size, "a CTA needs %u bytes of shared memory, an SM has %u",
                    round_up(cta->shared_bytes, SHARED_UNIT), s.shared_bytes);
  return snprintf(text, size,
                  "a CTA needs %u warps with %u registers a thread%s, an SM has registers for %u",
                  (cta->threads + s.warp - 1) / s.warp, cta->registers,
                  gpu->sides ? " on one side" : "", usable);
}

void flex_refusal(const struct flex_gpu *gpu, enum flex_scheme scheme, const struct flex_cta *cta,
                  unsigned members, char *text, size_t size) {
  enum flex_limit limit, ignored;
  (void)flex_occupancy(gpu, scheme, cta, &limit);
  size_t n = (size_t)shortage(gpu, scheme, cta, limit, text, size);
  n += (size_t)snprintf(text + n, size - n, " in scheme %s; ", flex_name(scheme));
  unsigned fits = 0;
  for (unsigned i = 0; i < FLEX_SCHEMES; i++) {
    const enum flex_scheme other = (enum flex_scheme)i;
    if ((other == FLEX_BAL && members < 3) || flex_occupancy(gpu, other, cta, &ignored) == 0)
      continue;
    n += (size_t)snprintf(text + n, size - n, "%s%s", fits++ == 0 ? "it fits in " : ", ",
                          flex_name(other));
  }
  if (fits == 0)
    snprintf(text + n, size - n, "it fits in no scheme");
}
