/* Reference of rtl/spu/pass_seq.sv (docs/hardware/spu_units.md, pass_seq). */
#ifndef TANDEM_REF_PASS_SEQ_H
#define TANDEM_REF_PASS_SEQ_H

#include <stdbool.h>

#include "csim/ports/units.h"
#include "csim/ref/spu/roles.h"

enum pass_seq_state {
  PASS_SEQ_SEEK,
  PASS_SEQ_START,
  PASS_SEQ_OFFER,
  PASS_SEQ_RUN,
  PASS_SEQ_END,
  PASS_SEQ_DONE
};
enum pass_seq_kind { KIND_SLOT, KIND_NORTH, KIND_SOUTH, KIND_WEST, KIND_EAST };

/* The duty of a unit in a pass. */
struct pass_role {
  enum spu_role role;
  bool viu;
  unsigned side;
};

struct pass_seq_ref {
  enum pass_seq_state state;
  uint16_t cx, cy;          /* the pass */
  bool next_cx, next_cy;    /* it has just become this one */
  struct pass_seq_in fixed; /* the constants, registered */
};

void pass_seq_ref_reset(struct pass_seq_ref *s);
void pass_seq_ref_eval(const struct pass_seq_ref *s, const struct pass_seq_in *in,
                       struct pass_seq_out *out);
void pass_seq_ref_step(struct pass_seq_ref *s, const struct pass_seq_in *in);
void pass_seq_ref_view(const struct pass_seq_ref *s, struct pass_seq_view *view);

#endif
