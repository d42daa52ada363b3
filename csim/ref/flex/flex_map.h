/* Reference of rtl/flex/flex_map.sv (docs/hardware/flex.md, flex_map). */
#ifndef TANDEM_REF_FLEX_MAP_H
#define TANDEM_REF_FLEX_MAP_H

#include <stdbool.h>

#include "csim/ports/units.h"

/* Where something is: on side 0, the SM's own, or 1, its lender's. */
struct flex_place {
  unsigned side, bank, row, way;
};

/* Places of register `reg` of a warp, of the word at an address in shared memory, of a set and way
 * of L1D, in a mode (enum flex_mode).  upper: in Bal the SM has the upper half of its lender. */
struct flex_place flex_map_register(unsigned mode, bool upper, unsigned warp, unsigned reg);
struct flex_place flex_map_shared(unsigned mode, bool upper, unsigned address);
struct flex_place flex_map_line(unsigned mode, bool upper, unsigned set, unsigned way);

/* A map has no state; the functions that every unit has. */
struct flex_map_ref {
  uint8_t unused_;
};
void flex_map_ref_reset(struct flex_map_ref *m);
void flex_map_ref_eval(const struct flex_map_ref *m, const struct flex_map_in *in,
                       struct flex_map_out *out);
void flex_map_ref_step(struct flex_map_ref *m, const struct flex_map_in *in);
void flex_map_ref_view(const struct flex_map_ref *m, struct flex_map_view *view);

#endif
