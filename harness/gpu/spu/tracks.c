/* The tracks of an SPU in a timeline: for each slot and border lane the passes of its blocks or
 * interface unit, within them the block synchronisations, and an arrow for each face from who fills
 * it to who gets it.  The fabric's observer notes them: in its cycle all outputs are there. */
#include "harness/gpu/spu/tracks.h"

#include <stdlib.h>
#include <string.h>

#include "harness/gpu/inside/timeline.h"
#include "harness/gpu/spu/fabric.h"

enum { TILES = 4 /* faces of a link under way, at most, a power of two */ };

struct of_place {
  unsigned track; /* 0: none yet */
  bool pass, sync;
  uint64_t from; /* of the CTA */
};

/* Cycles in which the faces that are under way were complete. */
struct of_link {
  uint64_t full[TILES];
  unsigned head, tail;
};

struct tracks {
  struct timeline *timeline;
  unsigned group; /* 0: none yet */
  struct of_place place[SPU_SLOTS + SPU_LANES];
  struct of_link link[SPU_UNITS];
};

static unsigned track_of(struct tracks *own, const struct spu_fabric *f, unsigned place) {
  char name[32];
  if (own->place[place].track != 0)
    return own->place[place].track;
  if (own->group == 0)
    own->group = timeline_group(own->timeline, "SPU");
  spu_place_name(&f->shape, place, name);
  return own->place[place].track = timeline_track(own->timeline, own->group, name);
}

static void end_sync(struct tracks *own, struct of_place *p, uint64_t cycle) {
  if (p->sync)
    timeline_end(own->timeline, p->track, cycle);
  p->sync = false;
}

static void end_pass(struct tracks *own, struct of_place *p, uint64_t cycle) {
  end_sync(own, p, cycle);
  if (p->pass)
    timeline_end(own->timeline, p->track, cycle);
  p->pass = false;
}

static void begin_pass(struct tracks *own, struct spu_fabric *f, unsigned place, uint64_t cycle) {
  static const char *const roles[] = {"nothing", "block", "loads", "stores"};
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  end_pass(own, &own->place[place], cycle);
  timeline_begin(own->timeline, track_of(own, f, place), cycle, "%s, pass (%u, %u)%s",
                 roles[seq->role & 3], (unsigned)seq->cx, (unsigned)seq->cy,
                 seq->viu != 0 ? ", virtual" : "");
  own->place[place].pass = true;
}

/* CTAs that came to a place or left it. */
static void look_at_place(struct tracks *own, struct spu_fabric *f, unsigned i, uint64_t cycle) {
  const struct spu_place *now = &f->place[i];
  struct of_place *p = &own->place[i];
  if (!spu_has_port(f, i) || (now->taken ? p->pass && p->from == now->from : p->from == 0))
    return;
  end_pass(own, p, cycle);
  if (now->taken)
    begin_pass(own, f, i, cycle);
  p->from = now->taken ? now->from : 0;
}

/* The producer's side of a link has filled a face. */
static void note_full(struct tracks *own, struct spu_fabric *f, unsigned place, unsigned side,
                      uint64_t cycle) {
  struct of_link *link = &own->link[spu_own_link(&f->shape, place, side)];
  link->full[link->tail++ % TILES] = cycle;
}

static void look_at_port(struct tracks *own, struct spu_fabric *f, unsigned place, uint64_t cycle) {
  static const char *const names[] = {" north", " south", " west", " east", " spill", " all"};
  const struct block_port_out *out = spu_out(f, SPU_PORT, place);
  struct of_place *p = &own->place[place];
  char text[64] = "";
  for (unsigned i = 0; i < SPU_SYNCS; i++)
    if ((out->post >> i & 1) != 0)
      strcat(text, names[i]);
  if (out->post != 0 && p->pass) {
    end_sync(own, p, cycle);
    timeline_begin(own->timeline, p->track, cycle, "synchronises:%s", text);
    p->sync = true;
  }
  if ((out->post >> SPU_S & 1) != 0)
    note_full(own, f, place, SPU_S, cycle);
  if ((out->post >> SPU_E & 1) != 0)
    note_full(own, f, place, SPU_E, cycle);
  if (out->ack != 0)
    end_sync(own, p, cycle);
}

/* The engine of a lane that loads fills the faces of its link. */
static void look_at_engine(struct tracks *own, struct spu_fabric *f, unsigned place,
                           uint64_t cycle) {
  const struct iu_dma_out *out = spu_out(f, SPU_DMA, place);
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  if (out->post != 0 && seq->role == SPU_LOAD) {
    struct of_link *link =
        &own->link[spu_own_link(&f->shape, place, seq->side != 0 ? SPU_N : SPU_W)];
    link->full[link->tail++ % TILES] = cycle;
  }
  if (out->fin != 0)
    end_pass(own, &own->place[place], cycle);
}

static void look_at_sequencer(struct tracks *own, struct spu_fabric *f, unsigned place,
                              uint64_t cycle) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  const bool engine = spu_has_dma(f, place) && (place >= f->shape.slots || seq->role == SPU_STORE);
  if (engine && seq->start != 0 && (seq->role == SPU_LOAD || seq->role == SPU_STORE))
    begin_pass(own, f, place, cycle);
}

/* A consumer has got a face. */
static void look_at_link(struct tracks *own, struct spu_fabric *f, unsigned i, uint64_t cycle) {
  const struct comm_pair_out *out = spu_out(f, SPU_PAIR, i);
  const struct spu_link ends = spu_link_at(&f->shape, i);
  struct of_link *link = &own->link[i];
  if (out->c_done == 0 || link->head == link->tail)
    return;
  const uint64_t full = link->full[link->head++ % TILES];
  timeline_arrow(own->timeline, "face", own->place[spu_end_place(&f->shape, ends.from)].track, full,
                 own->place[spu_end_place(&f->shape, ends.to)].track, cycle);
}

static void look(void *user, uint64_t cycle, struct spu_fabric *f) {
  struct tracks *own = user;
  if (f->phase == SPU_START)
    memset(own->link, 0, sizeof own->link);
  for (unsigned i = 0; i < spu_places(f); i++)
    look_at_place(own, f, i, cycle);
  BITSET_EACH (i, f->fresh, f->words) {
    const enum spu_kind kind = f->units[i].kind;
    const unsigned n = i - f->first[kind];
    if (kind == SPU_PAIR)
      look_at_link(own, f, n, cycle);
    else if (kind == SPU_SEQ)
      look_at_sequencer(own, f, n, cycle);
  }
  BITSET_EACH (i, f->fresh, f->words) {
    const enum spu_kind kind = f->units[i].kind;
    const unsigned n = i - f->first[kind];
    if (kind == SPU_PORT)
      look_at_port(own, f, n, cycle);
    else if (kind == SPU_DMA)
      look_at_engine(own, f, n, cycle);
  }
}

void *spu_tracks_open(struct tandem *t, struct timeline *l) {
  struct spu_fabric *f = t->own;
  struct tracks *own = calloc(1, sizeof *own);
  if (own == NULL)
    return NULL;
  own->timeline = l;
  f->observer = (struct spu_observer){look, own};
  return own;
}

/* Passes that the fabric has ended in its last cycle. */
void spu_tracks_look(struct tandem *t, struct timeline *l, void *user) {
  const struct spu_fabric *f = t->own;
  struct tracks *own = user;
  (void)l;
  for (unsigned i = 0; f->phase == SPU_OFF && i < spu_places(f); i++)
    if (own->place[i].pass)
      end_pass(own, &own->place[i], t->cycle);
}
