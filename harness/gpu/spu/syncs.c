/* Checks that blocks synchronise as their launch says: on sides where there is something to wait
 * for, and as often as there are tiles.  A kernel that does not would wait for ever, or leave the
 * interface units behind. */
#include <errno.h>
#include <stdarg.h>

#include "harness/gpu/spu/syncs.h"

static const char *const sides[SPU_SYNCS] = {"at its north",       "at its south",
                                             "at its west",        "at its east",
                                             "for a spilled tile", "with all blocks"};
static const char *const faces[SPU_SIDES] = {"north", "south", "west", "east"};

/* The first fault stands: "slot (1, 0), pass (0, 0): ...". */
__attribute__((format(printf, 3, 4))) static void complain(struct spu_fabric *f, unsigned place,
                                                           const char *format, ...) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  char name[32], what[200];
  va_list args;
  if (*f->fault.text != '\0')
    return;
  va_start(args, format);
  (void)vsnprintf(what, sizeof what, format, args);
  va_end(args);
  spu_place_name(&f->shape, place, name);
  (void)tandem_fail(&f->fault, -EPROTO, "%s, pass (%u, %u): %s", name, (unsigned)seq->cx,
                    (unsigned)seq->cy, what);
}

int spu_bad_sync(const struct spu_shape *s, unsigned place, const char *who, uint64_t cx,
                 uint64_t cy, struct tandem_error *err) {
  char name[32];
  spu_place_name(s, place, name);
  return tandem_fail(
      err, -EPROTO,
      "%s, pass (%u, %u): the warps of its %s synchronise in different directions, or "
      "in one that the %s does not have",
      name, (unsigned)cx, (unsigned)cy, who, who);
}

/* Returns true if an interface unit is at the other end of a side, which is then at the border of
 * all blocks or of the pass. */
static bool at_border(const struct tandem *t, struct spu_fabric *f, unsigned slot, unsigned side) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, slot);
  const struct spu_shape *s = &f->shape;
  const unsigned gx = slot % s->px, gy = slot / s->px;
  switch (side) {
  case SPU_N:
    return gy == 0;
  case SPU_S:
    return gy + 1 == s->qy || seq->cy * s->qy + gy + 1 == t->launch.grid.dim[1];
  case SPU_W:
    return gx == 0;
  default:
    return gx + 1 == s->px || seq->cx * s->px + gx + 1 == t->launch.grid.dim[0];
  }
}

void spu_check_syncs(const struct tandem *t, struct spu_fabric *f, unsigned slot, uint64_t post) {
  struct spu_place *p = &f->place[slot];
  if (p->role != SPU_BLOCK) {
    if (++p->syncs[0] > f->grid.spills && !p->viu)
      complain(f, slot, "its interface unit synchronises more often than the launch's %u times",
               f->grid.spills);
    return;
  }
  for (unsigned side = 0; side < SPU_SYNCS; side++) {
    if ((post >> side & 1) == 0)
      continue;
    if (side < SPU_SIDES && f->launch.face[side].rows == 0 && at_border(t, f, slot, side))
      complain(f, slot, "its block synchronises %s, where the launch has no face (spu.%s)",
               sides[side], faces[side]);
    else if (++p->syncs[side] > f->grid.spills)
      complain(f, slot, "its block synchronises %s more often than the launch's %u times",
               sides[side], f->grid.spills);
  }
}

void spu_check_end(struct spu_fabric *f, unsigned slot) {
  for (unsigned side = 0; side < SPU_SYNCS; side++) {
    const uint32_t n = f->place[slot].syncs[side];
    if (n != 0 && n != f->grid.spills)
      complain(f, slot, "its block ended after %u of %u synchronisations %s", n, f->grid.spills,
               sides[side]);
  }
}

void spu_check_unit_end(struct spu_fabric *f, unsigned place, unsigned side) {
  const struct spu_place *p = &f->place[place];
  if (!p->viu && f->launch.face[side].rows != 0 && p->syncs[0] != f->grid.spills)
    complain(f, place,
             "its interface unit, which %s a border's faces, ended after %u of %u synchronisations",
             p->role == SPU_LOAD ? "loads" : "stores", p->syncs[0], f->grid.spills);
}
