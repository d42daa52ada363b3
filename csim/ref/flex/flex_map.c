/* Reference of rtl/flex/flex_map.sv. */
#include "csim/ref/flex/flex_map.h"

#include "csim/ref/flex/flex_control.h"

enum {
  MAP_WARPS = 24,     /* of a side */
  MAP_BANKS = 16,     /* of registers, of shared memory */
  MAP_ROUNDS = 4,     /* rows that a warp's registers have at most in a bank */
  MAP_SHARED = 16384, /* bytes of a side */
  MAP_WAYS = 4,
  MAP_SETS = 32
};

/* Banks of a side that the SM has, and the first one. */
struct map_share {
  unsigned banks, first;
};

static struct map_share map_share(unsigned mode, bool upper, unsigned side) {
  if (side == 1 && mode == FLEX_BAL)
    return (struct map_share){MAP_BANKS / 2, upper ? MAP_BANKS / 2 : 0};
  return (struct map_share){MAP_BANKS, 0};
}

struct flex_place flex_map_register(unsigned mode, bool upper, unsigned warp, unsigned reg) {
  const bool by_sides = mode == FLEX_OCC || mode == FLEX_BAL;
  const unsigned side = by_sides && warp >= MAP_WARPS ? 1 : 0;
  const struct map_share s = map_share(mode, upper, side);
  const unsigned number = side == 1 ? warp - MAP_WARPS : warp;
  return (struct flex_place){.side = side,
                             .bank = s.first + (reg + number) % s.banks,
                             .row = number * MAP_ROUNDS + reg / s.banks};
}

struct flex_place flex_map_shared(unsigned mode, bool upper, unsigned address) {
  const unsigned side = address / MAP_SHARED, word = address % MAP_SHARED / 4;
  const struct map_share s = map_share(mode, upper, side);
  return (struct flex_place){.side = side, .bank = s.first + word % s.banks, .row = word / s.banks};
}

struct flex_place flex_map_line(unsigned mode, bool upper, unsigned set, unsigned way) {
  const unsigned rows = MAP_SETS / 2, half = set / rows;
  struct flex_place p = {
      .side = way / MAP_WAYS, .bank = half, .row = set % rows, .way = way % MAP_WAYS};
  if (p.side == 1 && mode == FLEX_BAL) {
    p.bank = upper;
    p.way = 2 * half + way % 2;
  }
  return p;
}

void flex_map_ref_reset(struct flex_map_ref *m) { m->unused_ = 0; }

void flex_map_ref_eval(const struct flex_map_ref *m, const struct flex_map_in *in,
                       struct flex_map_out *out) {
  const unsigned mode = (unsigned)in->mode;
  const bool upper = in->upper != 0;
  const struct flex_place r = flex_map_register(mode, upper, (unsigned)in->warp, (unsigned)in->reg);
  const struct flex_place s = flex_map_shared(mode, upper, (unsigned)in->shared);
  const struct flex_place l = flex_map_line(mode, upper, (unsigned)in->set, (unsigned)in->way);
  (void)m;
  *out = (struct flex_map_out){.rf_side = r.side,
                               .rf_bank = r.bank,
                               .rf_row = r.row,
                               .sh_side = s.side,
                               .sh_bank = s.bank,
                               .sh_row = s.row,
                               .l1_side = l.side,
                               .l1_bank = l.bank,
                               .l1_row = l.row,
                               .l1_way = l.way};
}

void flex_map_ref_step(struct flex_map_ref *m, const struct flex_map_in *in) {
  (void)m;
  (void)in;
}

void flex_map_ref_view(const struct flex_map_ref *m, struct flex_map_view *view) {
  (void)m;
  *view = (struct flex_map_view){0};
}
