/* cta_dispatch: sets of CTAs, the order of SMs, residues, splits. */
#include "csim/ref/gpu/cta_dispatch.h"

#define UNIT cta_dispatch
#define UNIT_LENGTH 4 /* groups of each size, at each place */
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(set_not_full)                                                                                  \
  F(two_sets)                                                                                      \
  F(ready_but_too_few)                                                                             \
  F(split_in_first_cycle)                                                                          \
  F(split_waits_for_idle)                                                                          \
  F(idle_after_split)                                                                              \
  F(grid_smaller_than_a_group)                                                                     \
  F(one_sm)                                                                                        \
  F(sm_between_not_enabled)                                                                        \
  F(residue_of_small_grid)
COVER_DEFINE(COVERAGE)

#define ALL UINT64_C(0xffff)
#define INPUTS(ready_, lead_, idle_)                                                               \
  .enabled = ALL, .ready = (ready_), .lead = (lead_), .idle = (idle_)

/* Leads of 16 SMs, the lowest SM in the lowest bit. */
#define SINGLES UINT64_C(0xffff)
#define PAIRS UINT64_C(0x5555)
#define FOURS UINT64_C(0x1111)
#define EIGHTS UINT64_C(0x0101)

static void one_each_in_order(struct lockstep *l) {
  TICK(INPUTS(ALL, SINGLES, ALL));
  EXPECT(done, 1); /* of reset */
  EXPECT(give, 0);
  TICK(.kernel_start = 1, .ctas = 40, INPUTS(ALL, SINGLES, ALL));
  EXPECT(give, 0);
  TICK(INPUTS(0xf00f, SINGLES, 0));
  EXPECT(give, 0xf00f);
  EXPECT(first, 0);
  EXPECT(done, 0);
  TICK(INPUTS(0, SINGLES, 0));
  EXPECT(give, 0);
  EXPECT(first, 8);
  TICK(INPUTS(ALL, SINGLES, 0));
  EXPECT(give, ALL);
  TICK(INPUTS(0xfffe, SINGLES, 0));
  EXPECT(first, 24);
  EXPECT(give, 0xfffe);
  /* One is left: the lowest that is ready takes it. */
  TICK(INPUTS(0x00f0, SINGLES, 0));
  EXPECT(first, 39);
  EXPECT(give, 0x0010);
  EXPECT(split, 0);
  TICK(INPUTS(ALL, SINGLES, ALL));
  EXPECT(done, 1);
  EXPECT(give, 0);
  EXPECT(first, 40);
}

static void sets_or_nothing(struct lockstep *l) {
  TICK(.kernel_start = 1, .ctas = 100, INPUTS(0, FOURS, ALL));
  TICK(INPUTS(0x7ffe, FOURS, 0));
  EXPECT(give, 0x0ff0);
  TICK(INPUTS(0xefff, PAIRS, 0));
  EXPECT(first, 8);
  EXPECT(give, 0xcfff);
  TICK(INPUTS(0xff7f, EIGHTS, 0));
  EXPECT(first, 22);
  EXPECT(give, 0xff00);
  /* 4, 2, 1, 1, 8 */
  TICK(INPUTS(0xffaf, 0x01d1, 0));
  EXPECT(first, 30);
  EXPECT(give, 0xff8f);
  EXPECT_STATE(left, 0, 57);
}

/* The article's example: 99 CTAs on 16 SMs, the last cluster 2, 1, 1. */
static void sad_adaptive(struct lockstep *l) {
  const uint64_t lead = 0xd111;
  TICK(.kernel_start = 1, .ctas = 99, INPUTS(ALL, lead, ALL));
  for (uint64_t wave = 0; wave < 6; wave++) {
    TICK(INPUTS(ALL, lead, 0));
    EXPECT(give, ALL);
    EXPECT(first, 16 * wave);
  }
  TICK(INPUTS(ALL, lead, 0));
  EXPECT(first, 96);
  EXPECT(give, 0x7000); /* SMs 13, 14, 15 counted from one */
  TICK(INPUTS(ALL, lead, ALL));
  EXPECT(done, 1);
  EXPECT(split, 0);
}

/* The same with fours only: the first cluster to have done with its own is split. */
static void sad_default(struct lockstep *l) {
  TICK(.kernel_start = 1, .ctas = 99, INPUTS(ALL, FOURS, ALL));
  for (uint64_t wave = 0; wave < 6; wave++) {
    TICK(INPUTS(ALL, FOURS, 0));
    EXPECT(give, ALL);
  }
  TICK(INPUTS(ALL, FOURS, 0x0e0e));
  EXPECT(give, 0);
  EXPECT(split, 0);
  TICK(INPUTS(ALL, FOURS, 0xff00));
  EXPECT(split, 0x0100);
  EXPECT_STATE(asked, 0, 1);
  /* A lower one is idle while the other powers up: one split is enough. */
  TICK(INPUTS(0xf0ff, FOURS, ALL));
  EXPECT(split, 0);
  EXPECT(give, 0);
  TICK(INPUTS(0xffff, 0x1f11, ALL));
  EXPECT(first, 96);
  EXPECT(give, 0x0700);
  TICK(INPUTS(ALL, 0x1f11, ALL));
  EXPECT(done, 1);
}

/* The SMs that take the residue, for each size and residue: table I, and its continuation to
 * eight. */
static void responsible_sms(struct lockstep *l) {
  static const struct {
    unsigned members, form;
    uint64_t lead, last;
  } cases[] = {
      {2, 1, 0xd555, 0x4000}, {4, 1, 0xd111, 0x4000}, {4, 2, 0x5111, 0x3000},
      {4, 3, 0xd111, 0x7000}, {8, 1, 0xd101, 0x4000}, {8, 2, 0x5101, 0x3000},
      {8, 3, 0xd101, 0x7000}, {8, 4, 0x1101, 0x0f00}, {8, 5, 0xd101, 0x4f00},
      {8, 6, 0x5101, 0x3f00}, {8, 7, 0xd101, 0x7f00},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    const unsigned cluster = cases[i].members - 1;
    TICK(.kernel_start = 1, .ctas = 16 + cases[i].form, .adaptive = 1, .cluster = cluster,
         INPUTS(0, cases[i].lead, ALL));
    TICK(INPUTS(ALL, cases[i].lead, ALL));
    EXPECT(form, cases[i].form);
    EXPECT(give, ALL);
    TICK(INPUTS(ALL, cases[i].lead, 0));
    EXPECT(give, cases[i].last);
    EXPECT_STATE(left, 0, 0);
  }
}

/* The responsible SMs take the rest of a grid with fewer CTAs than SMs in the first cycle, and
 * nothing is split: the grids of reduction, merge sort and Haar wavelets. */
static void small_adaptive_grids(struct lockstep *l) {
  TICK(.kernel_start = 1, .ctas = 1, .adaptive = 1, .cluster = 3, INPUTS(0, FOURS, ALL));
  TICK(INPUTS(ALL, 0xd111, ALL));
  EXPECT(form, 1);
  EXPECT(give, 0x4000);
  EXPECT(split, 0);
  TICK(.kernel_start = 1, .ctas = 7, .adaptive = 1, .cluster = 3, INPUTS(0, FOURS, ALL));
  TICK(INPUTS(ALL, 0xd111, ALL));
  EXPECT(form, 3);
  EXPECT(give, 0x700f);
  TICK(INPUTS(ALL, 0xd111, 0));
  EXPECT(done, 1);
  /* Only where clusters adapt; a new grid has its own residue. */
  TICK(.kernel_start = 1, .ctas = 7, .cluster = 3, INPUTS(0, FOURS, ALL));
  EXPECT(form, 3);
  TICK(INPUTS(0, FOURS, 0));
  EXPECT(form, 0);
}

/* The members of a group end their CTAs in different cycles: the set waits for the last one. */
static void ready_one_by_one(struct lockstep *l) {
  TICK(.kernel_start = 1, .ctas = 8, INPUTS(0, FOURS, ALL));
  TICK(INPUTS(0x0001, FOURS, 0));
  EXPECT(give, 0);
  TICK(INPUTS(0x0005, FOURS, 0));
  EXPECT(give, 0);
  TICK(INPUTS(0x000e, FOURS, 0));
  EXPECT(give, 0);
  TICK(INPUTS(0x000f, FOURS, 0));
  EXPECT(give, 0x000f);
  EXPECT(first, 0);
}

static void small_grids(struct lockstep *l) {
  /* Three CTAs for fours: the first idle one is split in the first cycle. */
  TICK(.kernel_start = 1, .ctas = 3, INPUTS(ALL, FOURS, ALL));
  EXPECT(split, 0);
  TICK(INPUTS(ALL, FOURS, ALL));
  EXPECT(give, 0);
  EXPECT(split, 1);
  TICK(INPUTS(ALL, FOURS, ALL));
  EXPECT(split, 0);
  TICK(INPUTS(0xfff2, 0x111f, ALL));
  EXPECT(give, 0x0002);
  TICK(INPUTS(0xfffd, 0x111f, ALL));
  EXPECT(give, 0x0005);
  EXPECT_STATE(left, 0, 0);
  /* Five: one set, and one left for a split; a pair is the smallest group then. */
  TICK(.kernel_start = 1, .ctas = 5, INPUTS(ALL, 0x5111, ALL));
  TICK(INPUTS(ALL, 0x5111, ALL));
  EXPECT(give, 0x000f);
  TICK(INPUTS(ALL, 0x5111, 0xfff0));
  EXPECT(split, 0x0010);
  /* Two CTAs, the size of the smallest group: it will take them. */
  TICK(.kernel_start = 1, .ctas = 2, INPUTS(0, 0x5111, ALL));
  TICK(INPUTS(0x0fff, 0x5111, ALL));
  EXPECT(split, 0);
  EXPECT(give, 0);
  TICK(INPUTS(ALL, 0x5111, ALL));
  EXPECT(give, 0x3000);
  /* None. */
  TICK(.kernel_start = 1, .ctas = 0, INPUTS(ALL, FOURS, ALL));
  TICK(INPUTS(ALL, FOURS, ALL));
  EXPECT(done, 1);
  EXPECT(give, 0);
  EXPECT(split, 0);
}

/* Groups of `size` SMs from `first` on, up and down; SMs that are left at the ends are not enabled.
 */
static unit_in in_groups(unsigned first, unsigned size) {
  unit_in in = {0};
  for (unsigned lead = first % size; lead + size <= 64; lead += size) {
    in.lead |= UINT64_C(1) << lead;
    in.enabled |= ((UINT64_C(1) << size) - 1) << lead;
  }
  return in;
}

/* The group that is split, of each size and at each place; and none where a smaller one above it
 * takes what is left. */
static void each_group(struct lockstep *l) {
  for (unsigned size = 2; size <= 8; size++)
    for (unsigned first = 0; first + size <= 64; first++) {
      const uint64_t group = ((UINT64_C(1) << size) - 1) << first, above = ~(group | (group - 1));
      const unit_in same = in_groups(first, size);
      for (unsigned small = 1; small <= size; small++) {
        const unit_in smaller = in_groups(first + size, small);
        unit_in in = {.enabled = (same.enabled & ~above) | (smaller.enabled & above),
                      .lead = (same.lead & ~above) | (smaller.lead & above),
                      .idle = group};
        const bool some = (in.enabled & above) != 0;
        for (unsigned left = 1; left < size; left++) {
          TICK(.kernel_start = 1, .ctas = left, .enabled = in.enabled, .lead = in.lead);
          (void)lockstep_tick(l, in);
          EXPECT(split, some && left >= small ? 0 : UINT64_C(1) << first);
        }
      }
    }
}

/* Enables SMs `from` to `to` - 1, in pairs and a last three; not one alone. */
static void put_pairs(unit_in *in, unsigned from, unsigned to) {
  for (unsigned sm = from; sm + 1 < to; sm += 2) {
    in->lead |= UINT64_C(1) << sm;
    in->enabled |= (sm + 3 == to ? UINT64_C(7) : UINT64_C(3)) << sm;
  }
}

/* A pair to be split, at each place, and each other SM not enabled, whose other inputs mean
 * nothing. */
static void each_gap(struct lockstep *l) {
  for (unsigned first = 0; first < 63; first++)
    for (unsigned gap = 0; gap < 64; gap++) {
      const unsigned low = gap < first ? gap : first, high = gap < first ? first : gap;
      if (gap == first || gap == first + 1)
        continue;
      unit_in in = {0};
      put_pairs(&in, 0, low);
      put_pairs(&in, low == first ? low + 2 : low + 1, high);
      put_pairs(&in, high == first ? high + 2 : high + 1, 64);
      put_pairs(&in, first, first + 2);
      const uint64_t none = ~in.enabled;
      in.lead |= (first + gap) % 2 != 0 ? none : 0;
      TICK(.kernel_start = 1, .ctas = 1, .enabled = in.enabled, .lead = in.lead);
      in.ready = none;
      in.idle = none | UINT64_C(3) << first;
      lockstep_tick(l, in);
      EXPECT(split, UINT64_C(1) << first);
      EXPECT(give, 0);
    }
}

/* SMs that the GPU lacks belong to no group. */
static void fewer_sms(struct lockstep *l) {
  const uint64_t every = UINT64_MAX;
  TICK(.kernel_start = 1, .ctas = UINT32_MAX, .enabled = every, .ready = 0, .lead = 1,
       .idle = every);
  EXPECT_STATE(left, 0, UINT32_MAX);
  TICK(.enabled = every, .ready = every, .lead = 1, .idle = 0);
  EXPECT(give, every);
  EXPECT_STATE(left, 0, UINT32_MAX - 64);
  TICK(.enabled = 0x3f, .ready = every, .lead = every, .idle = every);
  EXPECT(first, 64);
  EXPECT(give, 0x3f);
  TICK(.enabled = 0x37, .ready = every, .lead = 0x11, .idle = every);
  EXPECT(give, 0x37);
  TICK(.kernel_start = 1, .ctas = 1, .enabled = 0x3f, .lead = 0x15);
  TICK(.enabled = 0x3f, .ready = 0, .lead = 0x15, .idle = 0xfffc);
  EXPECT(split, 0x04);
}

static void illegal_inputs(struct lockstep *l) {
  TICK(.kernel_start = 1, .ctas = 100, INPUTS(0, FOURS, ALL));
  LEGAL(INPUTS(ALL, FOURS, ALL));
  ILLEGAL(INPUTS(ALL, FOURS & ~1U, ALL));
  ILLEGAL(.enabled = 0xffef, .ready = ALL, .lead = 0x1111);
  LEGAL(.enabled = 0xffef, .ready = ALL, .lead = 0x1121);
}

/* ---- at random ---- */

/* SMs around it: what they hold, and which of them work together. */
struct gpu {
  unsigned sms, places, launch, end;
  uint64_t enabled, lead, busy; /* busy: a launch takes a few cycles */
  unsigned resident[64];
  uint64_t splitting; /* its leads are single in `split_in` cycles */
  unsigned split_in;
  uint64_t given, ctas;
  bool any;          /* any SMs are ready and idle, and groups are of any size */
  uint64_t patience; /* cycles until the next kernel, of a grid that does not end */
};

/* Aligned groups of 8, 4, 2, 1 SMs. */
static void form(struct gpu *g, struct rng *r) {
  const unsigned most = 1U << rng_below(r, 4);
  g->sms = rng_chance(r, 40) ? 1 + rng_below(r, 64) : 16;
  if (rng_chance(r, 40)) /* the fewest and the most */
    g->sms = rng_chance(r, 10) ? 1 : 64;
  g->enabled = g->sms == 64 ? UINT64_MAX : (UINT64_C(1) << g->sms) - 1;
  g->lead = 0;
  for (unsigned sm = 0; sm < 64;) {
    unsigned size = rng_chance(r, 70) ? most : 1U << rng_below(r, 4);
    while (size > most || sm % size != 0 || (sm < g->sms && sm + size > g->sms))
      size /= 2;
    g->lead |= UINT64_C(1) << sm;
    /* A group of which an SM is missing, now and then. */
    if (size == 1 && g->sms > 1 && rng_below(r, 50) == 0)
      g->enabled &= ~(UINT64_C(1) << sm);
    sm += size;
  }
  g->places = 1 + rng_below(r, 8);
  g->launch = 20 + rng_below(r, 81);
  g->end = 1 + rng_below(r, 40);
  g->splitting = 0;
  g->busy = 0;
  memset(g->resident, 0, sizeof g->resident);
}

/* Groups of any two sizes anywhere, some SMs between them not enabled. */
static void form_any(struct gpu *g, struct rng *r) {
  const unsigned one = 1 + rng_below(r, 64), other = rng_chance(r, 50) ? one : 1 + rng_below(r, 64);
  g->enabled = g->lead = 0;
  for (unsigned sm = rng_chance(r, 50) ? 0 : rng_below(r, 64); sm < 64;) {
    const unsigned size = rng_chance(r, 50) ? one : other;
    if (sm + size > 64)
      break;
    g->lead |= UINT64_C(1) << sm;
    g->enabled |= (size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1) << sm;
    sm += size + (rng_chance(r, 20) ? 1 + rng_below(r, 3) : 0);
  }
  g->sms = 64;
  g->splitting = 0;
}

static unit_in drive(struct gpu *g, struct rng *r) {
  unit_in in = {.enabled = g->enabled, .lead = g->lead};
  if (g->any) {
    in.ready = rng_subset(r, UINT64_MAX, rng_below(r, 5));
    in.idle = rng_subset(r, UINT64_MAX, rng_below(r, 5));
    return in;
  }
  for (unsigned sm = 0; sm < 64; sm++) {
    if (g->resident[sm] != 0 && rng_chance(r, g->end))
      g->resident[sm]--;
    if (rng_chance(r, g->launch))
      g->busy &= ~(UINT64_C(1) << sm);
    in.ready |= (uint64_t)(g->resident[sm] < g->places && (g->busy >> sm & 1) == 0) << sm;
    in.idle |= (uint64_t)(g->resident[sm] == 0) << sm;
  }
  return in;
}

static void take(struct gpu *g, struct rng *r, const unit_out *out) {
  for (uint64_t give = out->give; give != 0; give &= give - 1) {
    const unsigned sm = (unsigned)__builtin_ctzll(give);
    g->resident[sm]++;
    g->busy |= UINT64_C(1) << sm;
  }
  g->given += (unsigned)__builtin_popcountll(out->give);
  if (g->splitting != 0 && --g->split_in == 0) {
    uint64_t m = g->splitting;
    for (m <<= 1; m != 0 && (g->lead & m) == 0 && (g->enabled & m) != 0; m <<= 1)
      g->lead |= m;
    g->splitting = 0;
  }
  if (out->split != 0) {
    assert_true(g->splitting == 0);
    g->splitting = out->split;
    g->split_in = 1 + rng_below(r, 30);
  }
}

static uint64_t members(const struct gpu *g, unsigned lead) {
  uint64_t set = UINT64_C(1) << lead;
  for (unsigned sm = lead + 1; sm < 64 && (g->enabled & ~g->lead) >> sm & 1; sm++)
    set |= UINT64_C(1) << sm;
  return set;
}

static void cover_cycle(const struct gpu *g, const unit_in *in, const unit_out *out,
                        const struct cta_dispatch_ref *before) {
  const uint32_t left = before->ctas - before->next;
  unsigned sets = 0, smallest = 64;
  bool too_few = false, partial = false, idle = false;
  for (uint64_t leads = g->lead & g->enabled; leads != 0; leads &= leads - 1) {
    const uint64_t set = members(g, (unsigned)__builtin_ctzll(leads));
    const unsigned size = (unsigned)__builtin_popcountll(set);
    const bool given = (out->give & set) != 0, ready = (in->ready & set) == set;
    sets += given && size > 1;
    smallest = size < smallest ? size : smallest;
    partial = partial || ((in->ready & set) != 0 && !ready);
    idle = idle || (in->idle & set) == set;
  }
  too_few = left != 0 && left < smallest && in->ready != 0;
  cover(COVER_two_sets, sets >= 2);
  cover(COVER_set_not_full, partial && left != 0);
  cover(COVER_ready_but_too_few, too_few);
  cover(COVER_split_in_first_cycle, out->split != 0 && before->next == 0);
  cover(COVER_split_waits_for_idle, too_few && !before->asked && !idle);
  cover(COVER_idle_after_split, too_few && before->asked && idle);
  cover(COVER_one_sm, out->give != 0 && g->enabled == 1);
  cover(COVER_sm_between_not_enabled, (g->enabled & (g->enabled + 1)) != 0 && out->give != 0);
}

/* A kernel of two cycles, among groups of any sizes.  It is at its end, with fewer CTAs than a
 * group has members as a rule, and mostly one group is idle: which one is split.  Or all SMs are
 * ready, and the last group, of any size, makes them 64. */
static void random_groups(struct lockstep *l, struct rng *r) {
  unit_in in = {0};
  uint64_t groups[64] = {0};
  unsigned n = 0;
  const bool full = rng_chance(r, 30);
  const unsigned most = 1 + rng_below(r, 8), last = full ? rng_below(r, 64) : 64;
  const unsigned least = full ? 1 : 1 + rng_below(r, most);
  for (unsigned sm = full ? 0 : rng_below(r, 2); sm < 64;) {
    const unsigned end = sm < last ? last : 64, any = least + rng_below(r, most - least + 1),
                   wanted = sm < last ? any : 64, size = wanted > end - sm ? end - sm : wanted;
    if (size < least)
      break;
    groups[n++] = (size == 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1) << sm;
    in.lead |= UINT64_C(1) << sm;
    in.enabled |= groups[n - 1];
    sm += size + (!full && rng_chance(r, 10) ? 1 : 0);
  }
  in.idle = groups[rng_below(r, n)];
  if (rng_chance(r, 30))
    in.idle |= rng_subset(r, UINT64_MAX, rng_below(r, 5));
  in.ready = full ? UINT64_MAX : 0;
  in.kernel_start = 1;
  in.ctas = full ? 60 + rng_below(r, 100) : 1 + rng_below(r, rng_chance(r, 70) ? least : most);
  lockstep_tick(l, in);
  in.kernel_start = 0;
  lockstep_tick(l, in);
  if (full)
    lockstep_tick(l, in); /* the numbers that it gave are gone */
}

static void start(struct lockstep *l, struct gpu *g, struct rng *r) {
  for (unsigned i = 0; i < 4; i++)
    random_groups(l, r);
  form(g, r);
  static const unsigned most[] = {1, 8, 20, 100, 300};
  g->ctas = rng_below(r, most[rng_below(r, 5)]);
  g->patience = 100 + rng_below(r, 2000);
  if (rng_chance(r, 30)) { /* of any magnitude */
    g->ctas = rng_next(r) >> (32 + rng_below(r, 32));
    g->patience = 20 + rng_below(r, 200);
  }
  g->any = rng_chance(r, 50);
  if (g->any) {
    form_any(g, r);
    g->ctas = rng_below(r, rng_chance(r, 80) ? 70 : 1000);
    g->patience = 1 + rng_below(r, 10);
  }
  g->given = 0;
  cover(COVER_grid_smaller_than_a_group,
        g->ctas != 0 && g->ctas < (unsigned)__builtin_popcountll(members(g, 0)));
  unit_in in = drive(g, r);
  in.kernel_start = 1;
  in.ctas = g->ctas;
  in.adaptive = rng_chance(r, 80);
  in.cluster = (1U << rng_below(r, 4)) - 1;
  lockstep_tick(l, in);
  cover(COVER_residue_of_small_grid, l->ref.form != 0 && g->ctas < g->sms);
}

/* A grid of which 2^26 CTAs are given. */
static void large_grid(struct lockstep *l) {
  const uint64_t every = UINT64_MAX;
  lockstep_tick(l,
                (unit_in){.kernel_start = 1, .ctas = UINT32_MAX, .enabled = every, .lead = every});
  while (l->ref.next <= UINT32_C(1) << 26)
    lockstep_tick(l, (unit_in){.enabled = every, .lead = every, .ready = every});
}

/* Kernels one after the other: each CTA is given once, and all of them in the end. */
static void random_grids(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct gpu g = {0};
  uint64_t age = 0;
  start(l, &g, r);
  for (uint64_t c = 0; c < cycles; c++, age++) {
    if (g.given == g.ctas || age >= g.patience) {
      start(l, &g, r);
      age = 0;
    }
    const struct cta_dispatch_ref before = l->ref;
    unit_in in = drive(&g, r);
    lockstep_tick(l, in);
    if (l->ref_out.first != g.given || (l->ref_out.give & ~in.ready) != 0)
      fail_msg("cycle %" PRIu64 ": CTA %" PRIu64 " is next, not %" PRIu64, l->cycle, g.given,
               l->ref_out.first);
    cover_cycle(&g, &in, &l->ref_out, &before);
    take(&g, r, &l->ref_out);
    assert_int_equal(l->ref_view.left[0] == 0, g.given == g.ctas);
  }
  if (cycles >= cases_cycles(LOCKSTEP_CYCLES))
    large_grid(l);
}

UNIT_MAIN(DIRECTED(one_each_in_order), DIRECTED(sets_or_nothing), DIRECTED(sad_adaptive),
          DIRECTED(sad_default), DIRECTED(responsible_sms), DIRECTED(small_adaptive_grids),
          DIRECTED(ready_one_by_one), DIRECTED(small_grids), DIRECTED(each_group),
          DIRECTED(each_gap), DIRECTED(fewer_sms), DIRECTED(illegal_inputs), RANDOM(random_grids))
