/* The tracks of clusters that share resources in a timeline: the scheme of each launch, with why it
 * was chosen, and the role of each member. */
#include "harness/gpu/flex/tracks.h"

#include <stdlib.h>

#include "harness/gpu/inside/timeline.h"

struct tracks {
  unsigned schemes; /* the track */
  uint64_t launch;  /* number of the launch that is open, plus one; 0: none */
  struct timeline_role member[GPU_SMS];
};

void *flex_tracks_open(struct tandem *t, struct timeline *l) {
  struct tracks *own = calloc(1, sizeof *own);
  if (own == NULL)
    return NULL;
  own->schemes = timeline_track(l, timeline_gpu(l), "scheme");
  for (unsigned i = 0; i < t->config.sms; i++)
    own->member[i] = timeline_role(l, i, "role");
  return own;
}

/* Bits: active, its front end comes up, two of whom it borrows from, two of what it lends, domains
 * without power. */
static int role_of(const struct flex_cluster *c, unsigned m) {
  const struct flex_cluster_out *o = &c->out->own;
  const unsigned power = (unsigned)(o->power >> FLEX_DOMAINS * m) & ((1U << FLEX_DOMAINS) - 1);
  return (int)((o->active >> m & 1) | (o->hold >> m & 1) << 1 | (o->from >> 2 * m & 3) << 2 |
               (o->lend >> 2 * m & 3) << 4) |
         (FLEX_DOMAINS - __builtin_popcount(power)) << 6;
}

static void begin_role(struct timeline *l, const struct flex_cluster *c, unsigned m, unsigned track,
                       uint64_t cycle) {
  const unsigned role = (unsigned)role_of(c, m), from = role >> 2 & 3, lend = role >> 4 & 3;
  const unsigned sm = c->first + m, off = role >> 6;
  char text[96];
  if ((role & 2) != 0)
    snprintf(text, sizeof text, "comes up");
  else if ((role & 1) != 0 && from != FLEX_OWN)
    snprintf(text, sizeof text, "borrows from SM %u", from == FLEX_LEFT ? sm - 1 : sm + 1);
  else if ((role & 1) != 0)
    snprintf(text, sizeof text, "by itself");
  else
    snprintf(text, sizeof text, lend != 0 ? "lends" : "off");
  if (off != 0)
    timeline_begin(l, track, cycle, "%s, %u of %u domains off", text, off, FLEX_DOMAINS);
  else
    timeline_begin(l, track, cycle, "%s", text);
}

static void look_at(struct tandem *t, struct timeline *l, struct tracks *own, unsigned cell) {
  const struct flex_cluster *c = t->cells[cell].own;
  for (unsigned m = 0; m < c->members; m++) {
    struct timeline_role *member = &own->member[c->first + m];
    if (timeline_turn(l, member, role_of(c, m), t->cycle))
      begin_role(l, c, m, member->track, t->cycle);
  }
}

void flex_tracks_look(struct tandem *t, struct timeline *l, void *user) {
  struct tracks *own = user;
  const struct flex *f = t->own;
  if (own->launch != t->launch.count + 1 && f->running) {
    timeline_end(l, own->schemes, t->cycle);
    timeline_begin(l, own->schemes, t->cycle, "%s: %s", flex_name(f->now.scheme), f->now.why);
    own->launch = t->launch.count + 1;
    if (f->changes)
      timeline_mark(l, own->schemes, t->cycle, "the scheme changes");
  }
  for (unsigned i = 0; i < t->ncells; i++)
    look_at(t, l, own, i);
}
