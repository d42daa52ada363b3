/* The state of the check, and the functions that its files share. */
#ifndef TANDEM_ISS_LOCAL_H
#define TANDEM_ISS_LOCAL_H

#include "csim/isa/lanes/lanes.h"
#include "csim/iss/iss.h"
#include "csim/iss/memory.h"
#include "csim/iss/stack.h"

enum { ISS_WARPS = 48, ISS_PREDS = 16, ISS_PLANES = 4, ISS_CTAS = 8 };

/* A CTA that has been given to the SM: its warps are to start. */
struct iss_due {
  uint64_t number;
  uint32_t warp; /* the next one to start */
  bool of_grid;
};

/* A CTA in its slot; sets of warps of the SM. */
struct iss_cta {
  uint64_t number;
  uint64_t live, waiting; /* started and not ended; at a barrier */
  uint32_t missing;       /* warps that have not started */
  bool of_grid;
};

struct iss_warp {
  _Alignas(64) bool started;
  uint64_t path; /* digest, so far */
  struct iss_stack stack;
  _Alignas(64) uint32_t preds[ISS_PREDS];
  struct warp_place place;
  _Alignas(64) uint32_t regs[ISA_REGS][ISA_WARP_SIZE];
};

struct iss_launch; /* csim/iss/launch.h */

struct iss {
  const struct grid *grid;
  struct iss_launch *launch; /* NULL: what concerns the whole launch is not checked */
  unsigned sm;
  bool full; /* arithmetic of its own */
  uint64_t checked;
  uint64_t launches, paths; /* begun; the digests of warps that have ended */
  struct iss_mismatch bad;
  uint64_t released; /* warps that have passed a barrier since the caller asked */
  unsigned due_at, dues;
  struct iss_due due[ISS_CTAS]; /* a ring */
  struct iss_cta cta[ISS_CTAS]; /* by slot */
  struct iss_memory memory;
  struct iss_warp warp[ISS_WARPS];
};

/* A path goes on by a value. */
static inline uint64_t iss_path(uint64_t path, uint64_t value) {
  path = (path ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return path ^ path >> 29;
}

/* The result that an instruction must have, in its executing lanes. */
struct iss_result {
  _Alignas(64) uint32_t d[ISS_PLANES][ISA_WARP_SIZE];
  uint32_t exec;
  uint32_t pred;
};

/* place.c: records a mismatch, if it is the first; false.  The pc is that of the instruction
 * concerned. */
bool iss_fails(struct iss *iss, const char *what, unsigned warp, uint16_t pc, uint64_t expected,
               uint64_t got) __attribute__((cold));
void iss_place_begin(struct iss *iss);
/* The place of a warp that starts, from the launch; false if the machine claims another one. */
bool iss_place(struct iss *iss, unsigned warp, const struct warp_place *claimed,
               struct warp_place *place);
/* False, with a mismatch of shared memory, if all of the CTA are there, or have ended. */
bool iss_barrier(struct iss *iss, unsigned warp);
bool iss_warp_ends(struct iss *iss, unsigned warp);
/* At the end of a launch. */
bool iss_placed_all(struct iss *iss);

/* values.c: the lanes that execute; result of an ALU instruction, of which inst tells what the
 * machine computed.  False: the value is the machine's own (a clock, the role of an interface
 * unit).
 */
uint32_t iss_pred(const struct iss_warp *w, unsigned field);
bool iss_compute(const struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                 const struct sm_inst *inst, struct iss_result *r);
/* full.c: the same by the arithmetic of csim/iss/arith; of results that may be one of two that of
 * the machine, if it is. */
void iss_compute_full(const struct iss_warp *w, const struct isa_uop *u, const struct sm_inst *inst,
                      struct iss_result *r);

/* vector.c: n planes.  Lanes of mask in which x and y differ are counted as any set bit. */
uint32_t iss_differ(const uint32_t *x, const uint32_t *y, uint32_t mask, unsigned n);
/* The same for y = base + offset. */
uint32_t iss_differ_offset(const uint32_t *x, const uint32_t *base, uint32_t offset, uint32_t mask);
/* The same, and x becomes the register's value in the lanes of mask. */
uint32_t iss_differ_write(uint32_t *restrict reg, const uint32_t *restrict x,
                          const uint32_t *restrict y, uint32_t mask, unsigned n);

#endif
