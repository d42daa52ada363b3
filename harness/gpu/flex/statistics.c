/* The counters of clusters that share resources, and the schemes of launches. */
#include <inttypes.h>
#include <string.h>

#include "harness/gpu/flex/flex.h"
#include "harness/gpu/results/statistics.h"

/* Counter i of those that begin with `first`. */
#define COUNTER(s, first, i) (counter((s), offsetof(struct flex_statistics, first), (i)))
static uint64_t *counter(struct flex_statistics *s, size_t first, unsigned i) {
  return (uint64_t *)(void *)((char *)s + first) + i;
}
_Static_assert(offsetof(struct flex_statistics, off_other) ==
                       offsetof(struct flex_statistics, off_front_end) +
                           (FLEX_DOMAINS - 1) * sizeof(uint64_t) &&
                   offsetof(struct flex_statistics, wakes_other) ==
                       offsetof(struct flex_statistics, wakes_front_end) +
                           (FLEX_DOMAINS - 1) * sizeof(uint64_t) &&
                   offsetof(struct flex_statistics, launches_bigsm_occ) ==
                       offsetof(struct flex_statistics, launches_base) +
                           FLEX_BIGSM_OCC * sizeof(uint64_t) &&
                   offsetof(struct flex_statistics, lending_bigsm_occ) ==
                       offsetof(struct flex_statistics, lending_occ) +
                           (FLEX_BIGSM_OCC - FLEX_OCC) * sizeof(uint64_t),
               "counters of domains and of schemes follow each other");

void flex_count(struct flex_cluster *c, uint64_t cycles) {
  struct flex_statistics *n = &c->counts;
  n->active_cycles += cycles * c->active;
  n->waking_cycles += cycles * c->waking;
  if (c->out->own.mode != FLEX_BASE)
    *COUNTER(n, lending_occ, (unsigned)c->out->own.mode - FLEX_OCC) +=
        cycles * (c->members - c->active);
  for (unsigned d = 0; d < FLEX_DOMAINS; d++)
    *COUNTER(n, off_front_end, d) += cycles * c->off[d];
}

/* The members that have power in a domain. */
static unsigned powered(const struct flex_cluster_out *o, unsigned domain, unsigned members) {
  unsigned set = 0;
  for (unsigned m = 0; m < members; m++)
    set |= (unsigned)(o->power >> (FLEX_DOMAINS * m + domain) & 1) << m;
  return set;
}

/* Roles and power have changed. */
static void count_roles(struct flex_cluster *c) {
  const struct flex_cluster_out *now = &c->out->own;
  for (unsigned d = 0; d < FLEX_DOMAINS; d++) {
    const unsigned on = powered(now, d, c->members), was = powered(&c->before, d, c->members);
    c->off[d] = (uint8_t)(c->members - (unsigned)__builtin_popcount(on));
    *COUNTER(&c->counts, wakes_front_end, d) += (unsigned)__builtin_popcount(on & ~was);
  }
  c->active = (uint8_t)__builtin_popcountll(now->active);
  c->waking = (uint8_t)__builtin_popcountll(now->hold & now->active);
}

/* An instruction of a wide warp. */
static void count_wide(struct flex_statistics *n, uint64_t mask) {
  n->wide_instructions++;
  n->half_instructions += (uint32_t)mask == 0 || mask >> 32 == 0;
}

static void count_member(struct flex_cluster *c, unsigned m) {
  const struct flex_member_out *o = &c->out->member[m];
  struct flex_statistics *n = &c->counts;
  n->far_reads += (uint64_t)__builtin_popcountll(o->far_rd);
  n->far_writes += o->far_wr;
  n->far_pushes += (uint64_t)__builtin_popcountll(o->far_push);
  n->far_pops += o->far_pop;
  n->staged += o->iss0_valid + o->iss1_valid;
  if (!flex_wide((enum flex_scheme)c->out->own.mode)) {
    n->far_narrow += (uint64_t)__builtin_popcountll(o->far_rd);
    return;
  }
  if (o->iss0_valid != 0)
    count_wide(n, o->iss0_mask);
  if (o->iss1_valid != 0)
    count_wide(n, o->iss1_mask);
}

void flex_events(struct flex_cluster *c) {
  if (memcmp(&c->before, &c->out->own, sizeof c->before) != 0)
    count_roles(c);
  c->before = c->out->own;
  if (c->out->own.mode != FLEX_BASE)
    for (unsigned m = 0; m < c->members; m++)
      count_member(c, m);
}

static void add(struct flex_statistics *to, const struct flex_statistics *from) {
#define STAT_COUNT STAT_ADD
#define STAT_SHARE STAT_NOTHING
#include "harness/gpu/flex/statistics.def"
}

/* Returns the use of SMs up to now, that of the running launch included. */
static struct flex_usage usage(const struct tandem *t) {
  const struct flex *f = t->own;
  struct flex_usage u = f->used;
  for (unsigned i = 0; i < t->nsms && f->running; i++) {
    struct sm_stats s;
    sm_stats(t->sms[i].sm, &s);
    const uint64_t cycles = s.active_cycles - f->active_from[i];
    if (flex_role(f->now.scheme, i % t->config.feature.flex.size).active)
      u.warp_room += cycles * flex_contexts(f->now.scheme);
    else
      u.lent += cycles;
  }
  return u;
}

void flex_usage_begin(struct tandem *t) {
  struct flex *f = t->own;
  for (unsigned i = 0; i < t->nsms; i++) {
    struct sm_stats s;
    sm_stats(t->sms[i].sm, &s);
    f->active_from[i] = s.active_cycles;
  }
  f->running = true;
}

void flex_usage_end(struct tandem *t) {
  struct flex *f = t->own;
  f->used = usage(t);
  f->running = false;
}

static void add_links(struct flex_statistics *to, const struct gpu_sm *s) {
  const struct sm_links *l = sm_links(s->sm);
  to->operand_planes += l->operand_planes;
  to->result_planes += l->result_planes;
  to->address_planes += l->address_planes;
  to->data_planes += l->data_planes;
  to->branches += l->branches;
  to->link_waits += l->waits;
  to->memory_lines += sm_mem_far_lines(s->mem);
}

void flex_statistics(const struct tandem *t, struct gpu_stats *stats) {
  struct flex_statistics *sum = &stats->feature.flex;
  const struct flex *f = t->own;
  for (unsigned i = 0; i < t->ncells; i++)
    add(sum, &f->cluster[i].counts);
  for (unsigned i = 0; i < t->nsms; i++)
    add_links(sum, &t->sms[i]);
  const struct flex_usage used = usage(t);
  sum->lending_idle =
      sum->lending_occ + sum->lending_bal + sum->lending_bigsm + sum->lending_bigsm_occ - used.lent;
  stats->warp_room = used.warp_room;
  for (size_t i = 0; i < f->nchosen; i++)
    *COUNTER(sum, launches_base, f->chosen[i].choice.scheme) += f->chosen[i].launches;
}

/* The schemes of launches; NULL: the GPU has no such clusters. */
static const struct flex *own_of(const struct tandem *t) {
  return t->machine == &machine_flex ? t->own : NULL;
}

static const char *memory_word(const struct flex_choice *c) {
  return c->own_memory && !flex_wide(c->scheme) && c->scheme != FLEX_BASE ? ", own memory" : "";
}

static void line(FILE *out, const struct flex_chosen *c) {
  char kernel[sizeof c->kernel];
  snprintf(kernel, sizeof kernel, "%s", c->kernel);
  tandem_printable(kernel);
  fprintf(out, "    %s: %s%s, %" PRIu64 " launch%s: %s\n", kernel, flex_name(c->choice.scheme),
          memory_word(&c->choice), c->launches, c->launches == 1 ? "" : "es", c->choice.why);
}

/* Returns whether all launches had one scheme for one reason. */
static bool all_alike(const struct flex *f) {
  const struct flex_choice *first = &f->chosen[0].choice;
  for (size_t i = 1; i < f->nchosen; i++) {
    const struct flex_choice *c = &f->chosen[i].choice;
    if (c->scheme != first->scheme || c->own_memory != first->own_memory ||
        strcmp(c->why, first->why) != 0)
      return false;
  }
  return true;
}

void flex_summary(const struct tandem *t, FILE *out) {
  enum { FIRST = 8 };
  const struct flex *f = own_of(t);
  if (f == NULL || f->nchosen == 0)
    return;
  if (all_alike(f)) {
    const struct flex_choice *c = &f->chosen[0].choice;
    fprintf(out, "  scheme %s%s: %s\n", flex_name(c->scheme), memory_word(c), c->why);
    return;
  }
  fprintf(out, "  schemes of kernels\n");
  for (size_t i = 0; i < f->nchosen && i < FIRST; i++)
    line(out, &f->chosen[i]);
  if (f->nchosen > FIRST)
    fprintf(out, "    %zu more: see --stats\n", f->nchosen - FIRST);
}

void flex_lines(const struct tandem *t, FILE *out) {
  const struct flex *f = own_of(t);
  if (f == NULL || f->nchosen == 0)
    return;
  fprintf(out, "  schemes of kernels\n");
  for (size_t i = 0; i < f->nchosen; i++)
    line(out, &f->chosen[i]);
}

void flex_lists(const struct tandem *t, const struct result_writer *w) {
  const struct flex *f = own_of(t);
  w->open(w->user, "schemes", true);
  for (size_t i = 0; f != NULL && i < f->nchosen; i++) {
    const struct flex_chosen *c = &f->chosen[i];
    w->open(w->user, NULL, false);
    w->text(w->user, "kernel", c->kernel);
    w->text(w->user, "scheme", flex_name(c->choice.scheme));
    w->text(w->user, "memory", *memory_word(&c->choice) != '\0' ? "own" : "lent");
    w->text(w->user, "why", c->choice.why);
    w->number(w->user, "launches", c->launches);
    w->close(w->user);
  }
  w->close(w->user);
}
