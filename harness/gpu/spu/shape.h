/* The shape of an SPU: which slots, border lanes and links there are, and what is at their ends
 * (docs/hardware/spu.md).
 *
 * An SPU has columns x rows SMs with bx x by CTA slots each, which make a grid of px x qy slots.
 * Slot (gx, gy) has the number gy * px + gx.  Border lanes are numbered N, S (px each), W, E (qy
 * each).  A link joins two neighbours of the grid, or a border lane and the slot beside it: link
 * H(gx, gy), 0 <= gx <= px, lies west of slot (gx, gy), V(gx, gy), 0 <= gy <= qy, north of it.
 */
#ifndef TANDEM_SPU_SHAPE_H
#define TANDEM_SPU_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

enum { SPU_N, SPU_S, SPU_W, SPU_E, SPU_SIDES };
enum { SPU_NONE, SPU_BLOCK, SPU_LOAD, SPU_STORE };

enum { SPU_SLOTS = 256, SPU_LANES = 128 }; /* at most: as spu_global has bits */

struct spu_shape {
  unsigned columns, rows; /* SMs */
  unsigned bx, by;        /* slots of an SM */
  unsigned px, qy;        /* slots */
  unsigned slots, lanes, links;
};

struct spu_shape spu_shape_of(unsigned columns, unsigned rows, unsigned bx, unsigned by);

/* The passes of a launch over a grid of blocks: in a row, rows of them; columns of the last one of
 * a row, rows of the last row. */
struct spu_passes {
  unsigned npx, npy, lastc, lastr;
};
struct spu_passes spu_passes_of(const struct spu_shape *s, const uint32_t grid[2]);

/* One end of a link: a slot or a lane. */
struct spu_end {
  bool lane;
  unsigned index;
};
struct spu_link {
  struct spu_end from, to; /* producer, consumer */
  bool vertical;
};
struct spu_link spu_link_at(const struct spu_shape *s, unsigned link);

/* The link on a side of a slot. */
unsigned spu_slot_link(const struct spu_shape *s, unsigned slot, unsigned side);

/* The side of the border that a lane is on, its number there, and the lane of a side. */
unsigned spu_lane_side(const struct spu_shape *s, unsigned lane);
unsigned spu_lane_number(const struct spu_shape *s, unsigned lane);
unsigned spu_lane(const struct spu_shape *s, unsigned side, unsigned number);

/* Places: slots, then lanes.  The SM of a place, and the CTA slot there; the place of a CTA slot.
 * Lanes have SMs if interface units are SMs: those of the northern border, of the southern, western
 * and eastern one have the numbers behind the grid's, and serve bx or by adjacent lanes each. */
unsigned spu_place_sm(const struct spu_shape *s, unsigned place);
unsigned spu_place_cta(const struct spu_shape *s, unsigned place);
unsigned spu_place_of(const struct spu_shape *s, unsigned sm, unsigned cta);
static inline unsigned spu_lane_place(const struct spu_shape *s, unsigned lane) {
  return s->slots + lane;
}
static inline unsigned spu_end_place(const struct spu_shape *s, struct spu_end e) {
  return e.lane ? s->slots + e.index : e.index;
}
/* The places of an SM. */
unsigned spu_sm_places(const struct spu_shape *s, unsigned sm);

/* The link that an interface unit in the place serves: a lane's own, or that of a slot's side. */
unsigned spu_own_link(const struct spu_shape *s, unsigned place, unsigned side);

/* "N lane 2", "slot (1, 0)", "link H(0, 3)"; of a place one of the first two. */
void spu_lane_name(const struct spu_shape *s, unsigned lane, char name[32]);
void spu_slot_name(const struct spu_shape *s, unsigned slot, char name[32]);
void spu_place_name(const struct spu_shape *s, unsigned place, char name[32]);
void spu_link_name(const struct spu_shape *s, unsigned link, char name[32]);

#endif
