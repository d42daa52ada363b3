/* The shape of an SPU: numbers of slots, lanes and links. */
#include "harness/gpu/spu/shape.h"

#include <stdio.h>

struct spu_shape spu_shape_of(unsigned columns, unsigned rows, unsigned bx, unsigned by) {
  const unsigned px = columns * bx, qy = rows * by;
  return (struct spu_shape){.columns = columns,
                            .rows = rows,
                            .bx = bx,
                            .by = by,
                            .px = px,
                            .qy = qy,
                            .slots = px * qy,
                            .lanes = 2 * (px + qy),
                            .links = (px + 1) * qy + px * (qy + 1)};
}

struct spu_passes spu_passes_of(const struct spu_shape *s, const uint32_t grid[2]) {
  const unsigned npx = (grid[0] + s->px - 1) / s->px, npy = (grid[1] + s->qy - 1) / s->qy;
  return (struct spu_passes){.npx = npx,
                             .npy = npy,
                             .lastc = grid[0] - (npx - 1) * s->px,
                             .lastr = grid[1] - (npy - 1) * s->qy};
}

/* Links: all H row by row, then all V. */
static unsigned horizontal(const struct spu_shape *s, unsigned gx, unsigned gy) {
  return gy * (s->px + 1) + gx;
}
static unsigned vertical(const struct spu_shape *s, unsigned gx, unsigned gy) {
  return (s->px + 1) * s->qy + gy * s->px + gx;
}

/* Column and row of a link, and whether it is vertical. */
static bool place_of(const struct spu_shape *s, unsigned link, unsigned *gx, unsigned *gy) {
  const unsigned n = (s->px + 1) * s->qy;
  const bool down = link >= n;
  const unsigned width = down ? s->px : s->px + 1, at = down ? link - n : link;
  *gx = at % width;
  *gy = at / width;
  return down;
}

static struct spu_end slot_end(const struct spu_shape *s, unsigned gx, unsigned gy) {
  return (struct spu_end){false, gy * s->px + gx};
}
static struct spu_end lane_end(const struct spu_shape *s, unsigned side, unsigned number) {
  return (struct spu_end){true, spu_lane(s, side, number)};
}

struct spu_link spu_link_at(const struct spu_shape *s, unsigned link) {
  unsigned gx, gy;
  if (place_of(s, link, &gx, &gy))
    return (struct spu_link){gy == 0 ? lane_end(s, SPU_N, gx) : slot_end(s, gx, gy - 1),
                             gy == s->qy ? lane_end(s, SPU_S, gx) : slot_end(s, gx, gy), true};
  return (struct spu_link){gx == 0 ? lane_end(s, SPU_W, gy) : slot_end(s, gx - 1, gy),
                           gx == s->px ? lane_end(s, SPU_E, gy) : slot_end(s, gx, gy), false};
}

unsigned spu_slot_link(const struct spu_shape *s, unsigned slot, unsigned side) {
  const unsigned gx = slot % s->px, gy = slot / s->px;
  switch (side) {
  case SPU_N:
    return vertical(s, gx, gy);
  case SPU_S:
    return vertical(s, gx, gy + 1);
  case SPU_W:
    return horizontal(s, gx, gy);
  default:
    return horizontal(s, gx + 1, gy);
  }
}

static unsigned lane_link(const struct spu_shape *s, unsigned lane) {
  const unsigned n = spu_lane_number(s, lane);
  switch (spu_lane_side(s, lane)) {
  case SPU_N:
    return vertical(s, n, 0);
  case SPU_S:
    return vertical(s, n, s->qy);
  case SPU_W:
    return horizontal(s, 0, n);
  default:
    return horizontal(s, s->px, n);
  }
}

unsigned spu_lane(const struct spu_shape *s, unsigned side, unsigned number) {
  const unsigned first[SPU_SIDES] = {0, s->px, 2 * s->px, 2 * s->px + s->qy};
  return first[side] + number;
}

unsigned spu_lane_side(const struct spu_shape *s, unsigned lane) {
  if (lane < 2 * s->px)
    return lane < s->px ? SPU_N : SPU_S;
  return lane < 2 * s->px + s->qy ? SPU_W : SPU_E;
}

unsigned spu_lane_number(const struct spu_shape *s, unsigned lane) {
  return lane - spu_lane(s, spu_lane_side(s, lane), 0);
}

/* Lanes that an SM of a side serves. */
static unsigned side_lanes(const struct spu_shape *s, unsigned side) {
  return side == SPU_N || side == SPU_S ? s->bx : s->by;
}

/* The first SM of a side, and the side of an SM of the border. */
static unsigned side_sm(const struct spu_shape *s, unsigned side) {
  const unsigned first[SPU_SIDES] = {0, s->columns, 2 * s->columns, 2 * s->columns + s->rows};
  return s->columns * s->rows + first[side];
}
static unsigned sm_side(const struct spu_shape *s, unsigned sm) {
  unsigned side = SPU_E;
  while (side > SPU_N && sm < side_sm(s, side))
    side--;
  return side;
}

unsigned spu_place_sm(const struct spu_shape *s, unsigned place) {
  if (place < s->slots)
    return place / s->px / s->by * s->columns + place % s->px / s->bx;
  const unsigned lane = place - s->slots, side = spu_lane_side(s, lane);
  return side_sm(s, side) + spu_lane_number(s, lane) / side_lanes(s, side);
}

unsigned spu_place_cta(const struct spu_shape *s, unsigned place) {
  if (place < s->slots)
    return place / s->px % s->by * s->bx + place % s->px % s->bx;
  const unsigned lane = place - s->slots;
  return spu_lane_number(s, lane) % side_lanes(s, spu_lane_side(s, lane));
}

unsigned spu_place_of(const struct spu_shape *s, unsigned sm, unsigned cta) {
  if (sm < s->columns * s->rows) {
    const unsigned gx = sm % s->columns * s->bx + cta % s->bx;
    const unsigned gy = sm / s->columns * s->by + cta / s->bx;
    return gy * s->px + gx;
  }
  const unsigned side = sm_side(s, sm), number = (sm - side_sm(s, side)) * side_lanes(s, side);
  return spu_lane_place(s, spu_lane(s, side, number + cta));
}

unsigned spu_sm_places(const struct spu_shape *s, unsigned sm) {
  return sm < s->columns * s->rows ? s->bx * s->by : side_lanes(s, sm_side(s, sm));
}

unsigned spu_own_link(const struct spu_shape *s, unsigned place, unsigned side) {
  return place < s->slots ? spu_slot_link(s, place, side) : lane_link(s, place - s->slots);
}

void spu_lane_name(const struct spu_shape *s, unsigned lane, char name[32]) {
  snprintf(name, 32, "%c lane %u", "NSWE"[spu_lane_side(s, lane)], spu_lane_number(s, lane));
}

void spu_slot_name(const struct spu_shape *s, unsigned slot, char name[32]) {
  snprintf(name, 32, "slot (%u, %u)", slot % s->px, slot / s->px);
}

void spu_place_name(const struct spu_shape *s, unsigned place, char name[32]) {
  if (place < s->slots)
    spu_slot_name(s, place, name);
  else
    spu_lane_name(s, place - s->slots, name);
}

void spu_link_name(const struct spu_shape *s, unsigned link, char name[32]) {
  unsigned gx, gy;
  const bool down = place_of(s, link, &gx, &gy);
  snprintf(name, 32, "link %c(%u, %u)", down ? 'V' : 'H', gx, gy);
}
