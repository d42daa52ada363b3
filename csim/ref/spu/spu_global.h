/* Reference of rtl/spu/spu_global.sv (docs/hardware/spu_units.md, spu_global). */
#ifndef TANDEM_REF_SPU_GLOBAL_H
#define TANDEM_REF_SPU_GLOBAL_H

#include "csim/ports/units.h"
#include "csim/ref/spu/way.h"

/* A set of slots and border lanes. */
enum { SPU_SLOT_WORDS = 4, SPU_LANE_WORDS = 2, SPU_SET_WORDS = SPU_SLOT_WORDS + SPU_LANE_WORDS };
struct spu_set {
  uint64_t word[SPU_SET_WORDS]; /* slots, then lanes */
};

struct spu_global_ref {
  struct spu_set here;           /* arrived at the barrier */
  struct spu_set member, at_end; /* registered */
  struct spu_set enabled;        /* registered, too */
  bool ended;                    /* all had ended the pass */
  bool done, go;
  struct way dones, gos;
};

void spu_global_ref_reset(struct spu_global_ref *g);
void spu_global_ref_eval(const struct spu_global_ref *g, const struct spu_global_in *in,
                         struct spu_global_out *out);
void spu_global_ref_step(struct spu_global_ref *g, const struct spu_global_in *in);
void spu_global_ref_view(const struct spu_global_ref *g, struct spu_global_view *view);

#endif
