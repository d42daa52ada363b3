/* The shadow of the communication buffers. */
#include "csim/mem/cb.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 24, READS = 4 /* a power of two: data come two cycles after their pass */ };

#define NEVER UINT32_MAX

struct shadow_word {
  uint32_t data, tile, pass; /* tile NEVER: not written in this kernel */
};

/* A read whose data have not come, with the data that it must get. */
struct shadow_read {
  struct cb_user user;
  uint32_t tile;
  struct cb_pass pass;                  /* .banks: words whose data are known */
  uint32_t other[CB_BANKS], with_other; /* the same words in the other buffer, if written */
};

struct shadow_link {
  char name[NAME];
  uint32_t posts[2], dones[2]; /* by end: producer, consumer */
  struct shadow_read read[READS];
  uint32_t read_head, read_tail;
  struct shadow_word *word; /* [buffer * words + word] */
};

struct cb_shadow {
  unsigned links;
  uint32_t words;
  enum cb_pairing pairing;
  uint32_t swaps;
  struct shadow_link *link;
  struct shadow_word *word; /* words of all links */
};

enum { P, C }; /* index of an end */

struct cb_shadow *cb_shadow_create(unsigned links, uint32_t words, struct tandem_error *err) {
  struct cb_shadow *s = calloc(1, sizeof *s);
  if (s != NULL) {
    s->links = links;
    s->words = words;
    s->link = calloc(links, sizeof s->link[0]);
    s->word = calloc((size_t)links * 2 * words, sizeof s->word[0]);
  }
  if (s == NULL || s->link == NULL || s->word == NULL) {
    cb_shadow_destroy(s);
    (void)tandem_fail(err, -ENOMEM, "no memory for the shadow of %u links", links);
    return NULL;
  }
  for (unsigned i = 0; i < links; i++) {
    s->link[i].word = &s->word[(size_t)i * 2 * words];
    (void)snprintf(s->link[i].name, NAME, "%u", i);
  }
  cb_shadow_begin(s, CB_RENDEZVOUS);
  return s;
}

void cb_shadow_destroy(struct cb_shadow *s) {
  if (s == NULL)
    return;
  free(s->link);
  free(s->word);
  free(s);
}

void cb_shadow_name(struct cb_shadow *s, unsigned link, const char *name) {
  (void)snprintf(s->link[link].name, NAME, "%s", name);
}

void cb_shadow_begin(struct cb_shadow *s, enum cb_pairing pairing) {
  s->pairing = pairing;
  s->swaps = 0;
  for (size_t i = 0; i < (size_t)s->links * 2 * s->words; i++)
    s->word[i].tile = NEVER;
  for (unsigned i = 0; i < s->links; i++) {
    struct shadow_link *l = &s->link[i];
    memset(l->posts, 0, sizeof l->posts);
    memset(l->dones, 0, sizeof l->dones);
    l->read_head = l->read_tail = 0;
  }
}

__attribute__((cold, format(printf, 4, 5))) static enum cb_verdict fail(enum cb_verdict verdict,
                                                                        const struct shadow_link *l,
                                                                        struct tandem_error *err,
                                                                        const char *format, ...) {
  char text[200];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  (void)tandem_fail(err, -EILSEQ, "communication buffers of link %s: %s", l->name, text);
  return verdict;
}

static const char *const end_names[] = {"the producer", "the consumer"};

enum cb_verdict cb_shadow_post(struct cb_shadow *s, unsigned link, unsigned ends,
                               struct tandem_error *err) {
  struct shadow_link *l = &s->link[link];
  for (unsigned e = P; e <= C; e++) {
    if ((ends >> e & 1) == 0)
      continue;
    if (s->pairing == CB_GLOBAL)
      return fail(CB_ORDER, l, err, "%s posts in global mode", end_names[e]);
    if (l->posts[e] != l->dones[e])
      return fail(CB_ORDER, l, err, "%s posts tile %u while its post of tile %u is open",
                  end_names[e], l->posts[e], l->dones[e]);
    l->posts[e]++;
  }
  return CB_GOOD;
}

enum cb_verdict cb_shadow_done(struct cb_shadow *s, unsigned link, unsigned ends,
                               struct tandem_error *err) {
  struct shadow_link *l = &s->link[link];
  for (unsigned e = P; e <= C; e++) {
    if ((ends >> e & 1) == 0)
      continue;
    if (l->posts[e] == l->dones[e])
      return fail(CB_ORDER, l, err, "%s is answered after %u tiles and has not posted",
                  end_names[e], l->dones[e]);
    l->dones[e]++;
  }
  if ((ends & CB_CONSUMER) != 0 && l->dones[C] > l->posts[P])
    return fail(CB_ORDER, l, err, "the consumer gets tile %u, which the producer has not posted",
                l->dones[C] - 1);
  if (s->pairing == CB_RENDEZVOUS && l->dones[P] != l->dones[C])
    return fail(CB_ORDER, l, err, "%s alone is answered for tile %u",
                end_names[l->dones[P] > l->dones[C] ? P : C],
                l->dones[l->dones[P] > l->dones[C] ? C : P]);
  return CB_GOOD;
}

void cb_shadow_swap(struct cb_shadow *s) { s->swaps++; }

/* Returns the tile of an end; NEVER if a consumer has got none. */
static uint32_t tile_of(const struct cb_shadow *s, const struct shadow_link *l, unsigned end) {
  const uint32_t count = s->pairing == CB_GLOBAL ? s->swaps : l->dones[end];
  return end == P ? count : count - 1;
}

static struct shadow_word *word_at(const struct cb_shadow *s, const struct shadow_link *l,
                                   uint32_t tile, uint32_t word) {
  return &l->word[(tile & 1) * s->words + word];
}

static uint32_t word_of(const struct cb_pass *p, unsigned bank) {
  return CB_BANKS * (uint32_t)p->row[bank] + bank;
}

/* Checks that the end has no open post and that the access is within the buffer. */
static enum cb_verdict check_access(const struct cb_shadow *s, const struct shadow_link *l,
                                    unsigned end, const struct cb_user *user,
                                    const struct cb_pass *p, struct tandem_error *err) {
  if (l->posts[end] != l->dones[end])
    return fail(CB_ORDER, l, err, "%s accesses tile %u in pass %u while its post is open",
                user->unit, tile_of(s, l, end), user->pass);
  for (uint32_t todo = p->banks; todo != 0; todo &= todo - 1) {
    const uint32_t word = word_of(p, (unsigned)__builtin_ctz(todo));
    if (word >= s->words)
      return fail(CB_ORDER, l, err, "%s accesses word %u of %u", user->unit, word, s->words);
  }
  return CB_GOOD;
}

/* Checks that the reader has done with the tile which lies where the producer writes. */
static enum cb_verdict check_owner(const struct cb_shadow *s, const struct shadow_link *l,
                                   const struct cb_user *user, uint32_t word,
                                   struct tandem_error *err) {
  const uint32_t tile = tile_of(s, l, P), old = tile - 2;
  if (s->pairing == CB_GLOBAL || tile < 2 || l->dones[C] > old + 1)
    return CB_GOOD;
  if (l->dones[C] <= old)
    return fail(CB_LOST, l, err,
                "%s writes word %u of tile %u in pass %u over tile %u, which its reader never got",
                user->unit, word, tile, user->pass, old);
  if (l->posts[C] == l->dones[C])
    return fail(CB_OVERWRITTEN, l, err,
                "%s writes word %u of tile %u in pass %u over tile %u, which its reader still has",
                user->unit, word, tile, user->pass, old);
  return CB_GOOD;
}

enum cb_verdict cb_shadow_write(struct cb_shadow *s, unsigned link, const struct cb_user *user,
                                const struct cb_pass *p, struct tandem_error *err) {
  struct shadow_link *l = &s->link[link];
  enum cb_verdict v = check_access(s, l, P, user, p, err);
  if (v == CB_GOOD && p->banks != 0)
    v = check_owner(s, l, user, word_of(p, (unsigned)__builtin_ctz(p->banks)), err);
  if (v != CB_GOOD)
    return v;
  const uint32_t tile = tile_of(s, l, P);
  for (uint32_t todo = p->banks; todo != 0; todo &= todo - 1) {
    const unsigned bank = (unsigned)__builtin_ctz(todo);
    *word_at(s, l, tile, word_of(p, bank)) =
        (struct shadow_word){.data = p->data[bank], .tile = tile, .pass = user->pass};
  }
  return CB_GOOD;
}

static enum cb_verdict check_age(const struct shadow_link *l, const struct cb_user *user,
                                 uint32_t tile, uint32_t word, const struct shadow_word *w,
                                 struct tandem_error *err) {
  if (tile == NEVER)
    return fail(CB_STALE, l, err, "%s reads word %u in pass %u before it has a tile", user->unit,
                word, user->pass);
  if (w->tile == NEVER)
    return fail(CB_STALE, l, err, "%s reads word %u of tile %u in pass %u, which nobody wrote",
                user->unit, word, tile, user->pass);
  if (w->tile != tile || w->pass != user->pass)
    return fail(CB_STALE, l, err,
                "%s reads word %u of tile %u in pass %u, finds tile %u of pass %u", user->unit,
                word, tile, user->pass, w->tile, w->pass);
  return CB_GOOD;
}

enum cb_verdict cb_shadow_read(struct cb_shadow *s, unsigned link, const struct cb_user *user,
                               const struct cb_pass *p, struct tandem_error *err) {
  struct shadow_link *l = &s->link[link];
  const uint32_t tile = tile_of(s, l, C);
  enum cb_verdict v = check_access(s, l, C, user, p, err);
  if (v == CB_GOOD && l->read_tail - l->read_head == READS)
    v = fail(CB_ORDER, l, err, "%s reads, and data of %u passes have not come", user->unit, READS);
  if (v != CB_GOOD)
    return v;
  struct shadow_read *r = &l->read[l->read_tail++ % READS];
  *r = (struct shadow_read){.user = *user, .tile = tile, .pass = *p};
  for (uint32_t todo = p->banks; todo != 0; todo &= todo - 1) {
    const unsigned bank = (unsigned)__builtin_ctz(todo);
    const struct shadow_word *w = word_at(s, l, tile, word_of(p, bank));
    const struct shadow_word *other = word_at(s, l, tile + 1, word_of(p, bank));
    if (!user->exempt && (v = check_age(l, user, tile, word_of(p, bank), w, err)) != CB_GOOD)
      return v;
    r->pass.data[bank] = w->data;
    r->other[bank] = other->data;
    r->with_other |= (uint32_t)(other->tile != NEVER) << bank;
    if (w->tile == NEVER) /* exempt: anything may be there */
      r->pass.banks &= ~(1U << bank);
  }
  return CB_GOOD;
}

enum cb_verdict cb_shadow_data(struct cb_shadow *s, unsigned link, const uint32_t data[CB_BANKS],
                               struct tandem_error *err) {
  struct shadow_link *l = &s->link[link];
  if (l->read_head == l->read_tail)
    return fail(CB_ORDER, l, err, "data come that nobody asked for");
  const struct shadow_read *r = &l->read[l->read_head++ % READS];
  for (uint32_t todo = r->pass.banks; todo != 0; todo &= todo - 1) {
    const unsigned bank = (unsigned)__builtin_ctz(todo);
    if (data[bank] == r->pass.data[bank])
      continue;
    const bool doubled = (r->with_other >> bank & 1) != 0 && data[bank] == r->other[bank];
    return fail(doubled ? CB_STALE : CB_VALUE, l, err,
                "%s reads word %u of tile %u in pass %u, finds 0x%08x%s, not 0x%08x", r->user.unit,
                word_of(&r->pass, bank), r->tile, r->user.pass, data[bank],
                doubled ? " of the other buffer" : "", r->pass.data[bank]);
  }
  return CB_GOOD;
}

uint32_t cb_shadow_tiles(const struct cb_shadow *s, unsigned link) {
  return s->pairing == CB_GLOBAL ? s->swaps : s->link[link].dones[C];
}

enum cb_verdict cb_shadow_end(const struct cb_shadow *s, struct tandem_error *err) {
  for (unsigned i = 0; i < s->links; i++) {
    const struct shadow_link *l = &s->link[i];
    if (l->posts[P] != l->dones[C])
      return fail(CB_LOST, l, err, "tile %u was posted and its reader never got it", l->dones[C]);
  }
  return CB_GOOD;
}
