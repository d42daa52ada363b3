/* Reference of rtl/sm/scoreboard.sv (docs/hardware/frontend.md, scoreboard). */
#ifndef TANDEM_REF_SCOREBOARD_H
#define TANDEM_REF_SCOREBOARD_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

/* Sets of registers (bits 31:0) and predicates (bits 47:32). */
typedef uint64_t regset;

/* The registers and the pipeline that the head of a warp's buffer uses. */
struct scoreboard_head {
  regset reads, writes;
  bool collects; /* it reads its operands in a pipeline */
  bool exits;
};

struct scoreboard_warp {
  _Alignas(64) regset written,
      read;             /* by issued instructions that have not written back, not collected */
  unsigned uncollected; /* issued instructions that have not collected */
  struct scoreboard_head head;
};

struct scoreboard_ref {
  struct scoreboard_warp warp[WARPS];
  warpset has_head;
  warpset hazard;
  warpset touched; /* warps whose hazard has to be found anew */
};

void scoreboard_ref_reset(struct scoreboard_ref *s);

/* The parts of a cycle, to be called in this order and closed by scoreboard_ref_close(). */
void scoreboard_ref_release(struct scoreboard_ref *s, unsigned warp, unsigned reg, unsigned size,
                            bool pred);
void scoreboard_ref_collect(struct scoreboard_ref *s, unsigned warp);
void scoreboard_ref_issue(struct scoreboard_ref *s, unsigned warp);
void scoreboard_ref_flush(struct scoreboard_ref *s, unsigned warp);
void scoreboard_ref_head(struct scoreboard_ref *s, unsigned warp, uint64_t opnd);
void scoreboard_ref_close(struct scoreboard_ref *s);

/* Nothing of any warp is to be written, read or collected. */
bool scoreboard_ref_idle(const struct scoreboard_ref *s);

void scoreboard_ref_eval(const struct scoreboard_ref *s, const struct scoreboard_in *in,
                         struct scoreboard_out *out);
void scoreboard_ref_step(struct scoreboard_ref *s, const struct scoreboard_in *in);
void scoreboard_ref_view(const struct scoreboard_ref *s, struct scoreboard_view *view);

#endif
