/* The state of the check, and the functions that its files share. */
#ifndef TANDEM_ISS_LOCAL_H
#define TANDEM_ISS_LOCAL_H

#include "csim/isa/lanes/lanes.h"
#include "csim/iss/iss.h"
#include "csim/iss/memory.h"
#include "csim/iss/stack.h"

enum {
  ISS_WARPS = 96,
  ISS_SETS = ISS_WARPS / 64 + 1,
  ISS_PREDS = 16,
  ISS_PLANES = 4,
  ISS_CTAS = 8
};

/* A CTA that was dispatched to the SM and whose warps have not all started. */
struct iss_due {
  uint64_t number;
  uint32_t warp; /* the next one to start */
  bool of_grid;
};

/* A set of warps of the SM: warp w is bit w % 64 of word w / 64. */
struct iss_set {
  uint64_t word[ISS_SETS];
};
static inline void iss_set_add(struct iss_set *s, unsigned warp) {
  s->word[warp / 64] |= UINT64_C(1) << warp % 64;
}
static inline void iss_set_remove(struct iss_set *s, unsigned warp) {
  s->word[warp / 64] &= ~(UINT64_C(1) << warp % 64);
}
static inline bool iss_set_has(const struct iss_set *s, unsigned warp) {
  return (s->word[warp / 64] >> warp % 64 & 1) != 0;
}
static inline bool iss_set_same(const struct iss_set *a, const struct iss_set *b) {
  return ((a->word[0] ^ b->word[0]) | (a->word[1] ^ b->word[1])) == 0;
}

/* A CTA in its slot. */
struct iss_cta {
  uint64_t number;
  struct iss_set live, waiting; /* started and not ended; at a barrier */
  uint32_t missing;             /* number of warps that have not started */
  bool of_grid;
};

struct iss_warp {
  _Alignas(64) bool started;
  uint64_t path; /* digest of the path so far */
  struct iss_stack stack;
  _Alignas(64) uint32_t preds[ISS_PREDS];
  struct warp_place place;
  _Alignas(64) uint32_t regs[ISA_REGS][ISA_WARP_SIZE];
};

struct iss_launch; /* csim/iss/launch.h */

struct iss {
  const struct grid *grid;
  struct iss_launch *launch; /* NULL: nothing that concerns the whole launch is checked */
  unsigned sm;
  bool full; /* arithmetic of csim/iss/arith */
  uint64_t checked;
  uint64_t launches, paths; /* launches begun; digest of the warps that have ended */
  struct iss_mismatch bad;
  struct iss_set released; /* warps that have passed a barrier since iss_released */
  unsigned due_at, dues;
  struct iss_due due[ISS_CTAS]; /* a ring */
  struct iss_cta cta[ISS_CTAS]; /* by slot */
  struct iss_memory memory;
  struct iss_warp warp[ISS_WARPS];
};

/* Returns the digest of a path after one more value. */
static inline uint64_t iss_path(uint64_t path, uint64_t value) {
  path = (path ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return path ^ path >> 29;
}

/* Returns the lanes in which a predicate operand holds; bit 4 of the field negates it. */
static inline uint32_t iss_pred(const struct iss_warp *w, unsigned field) {
  const uint32_t value = w->preds[field & 15U];
  return (field & 16U) != 0 ? ~value : value;
}

/* The result that an instruction must have, in its executing lanes. */
struct iss_result {
  _Alignas(64) uint32_t d[ISS_PLANES][ISA_WARP_SIZE];
  uint32_t exec;
  uint32_t pred;
};

/* placement.c: derives the place of a warp that starts from the launch, and takes its slot.  False,
 * with a mismatch, if the machine claims another place. */
bool iss_place(struct iss *iss, unsigned warp, const struct warp_place *claimed,
               struct warp_place *place);

/* barrier_epoch.c: ends the epoch of a slot's shared memory, as all warps of the CTA are at a
 * barrier or have ended.  False, with a mismatch of shared memory. */
bool iss_epoch_end(struct iss *iss, unsigned slot);

/* values.c: computes the result of an ALU instruction.  False if the check takes the machine's
 * value: a clock, or the state of an interface unit. */
bool iss_compute(const struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                 const struct sm_inst *inst, struct iss_result *r);

/* full.c: computes the same with csim/iss/arith.  Where two results are right, it returns the
 * machine's if that is one of them. */
void iss_compute_full(const struct iss_warp *w, const struct isa_uop *u, const struct sm_inst *inst,
                      struct iss_result *r);

/* vector.c: returns a non-zero value if x and y differ in a lane of the mask; n planes. */
uint32_t iss_differ(const uint32_t *x, const uint32_t *y, uint32_t mask, unsigned n);

/* Returns a non-zero value if x and base + offset differ in a lane of the mask; one plane. */
uint32_t iss_differ_offset(const uint32_t *x, const uint32_t *base, uint32_t offset, uint32_t mask);

/* Returns a non-zero value if x is another value in a lane of the mask; one plane. */
uint32_t iss_differ_one(const uint32_t *x, uint32_t value, uint32_t mask);

/* Compares as iss_differ does, and writes x to the register in the lanes of the mask. */
uint32_t iss_differ_write(uint32_t *restrict reg, const uint32_t *restrict x,
                          const uint32_t *restrict y, uint32_t mask, unsigned n);

#endif
