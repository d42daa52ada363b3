/* group_control: formation, ramp, waking, parking, roll call. */
#include "csim/ref/buddy/group_control.h"

static unsigned members, hop, all; /* a bit each member */
#define UNIT group_control
#define UNIT_LENGTH 8 /* each length of the power-up */
#define UNIT_REF_RESET(ref) group_control_ref_reset(ref, members, hop)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(form, 7 & ~(members - 1), "a residue")                                                         \
  F(ungroup, 1 | (0xff & ~all), "the first member leads")                                          \
  F(split, 0xff & ~(members == 8 ? 0x51U : all & 5), "members that lead groups")                   \
  F(drained, 0xff & ~all, "members that there are")                                                \
  F(parked, 0xff & ~all, "members that there are")                                                 \
  F(cancel, 0xff & ~all, "members that there are")                                                 \
  F(called, 0xff & ~all, "members that there are")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

/* From the specification: D of 2, 4, 8 members one hop apart, and of 4 two hops apart. */
static unsigned delay(void) { return members == 2 ? 1 : members == 8 ? 4 : hop == 2 ? 4 : 2; }
static unsigned verdict(void) { return 2 * delay() + 4; }

#include "tests/unit/buddy/group_control_cover.h"

static void parameters(void) {
  members = device_parameter("Members", 8);
  hop = device_parameter("Hop", 1);
  all = (1U << members) - 1;
  cover_pairs_are_all(members == 2);
}

/* Table I and its continuation, member by member: whom each follows. */
static const char *const formations[9][8] = {
    [2] = {"00", "01"},
    [4] = {"0000", "0023", "0022", "0023"},
    [8] = {"00000000", "00004467", "00004466", "00004467", "00004444", "00004467", "00004466",
           "00004467"},
};

static uint64_t lead_of(const char *leads) {
  uint64_t packed = 0;
  for (unsigned m = 0; m < members; m++)
    packed |= (uint64_t)(leads[m] - '0') << (3 * m);
  return packed;
}

/* Everything that follows from a formation in which every group works as one. */
static void expect_formed(struct lockstep *l, const char *leads) {
  uint64_t master = 0, slave = 0, state = 0;
  for (unsigned m = 0; m < members; m++) {
    const unsigned lead = (unsigned)(leads[m] - '0');
    if (lead == m)
      continue;
    slave |= 1U << m;
    master |= 1U << lead;
    state |= UINT64_C(1) << (3 * (lead / 2)); /* the value 1, several times */
  }
  EXPECT(lead, lead_of(leads));
  EXPECT(master, master);
  EXPECT(slave, slave);
  EXPECT(cta_lead, all & ~slave);
  EXPECT(park, 0);
  EXPECT(call, 0);
  EXPECT(state, state);
}

static void start(struct lockstep *l, unsigned residue, unsigned power_up, bool halfway) {
  TICK(.kernel_start = 1, .form = residue, .power_up = power_up, .halfway = halfway);
}

/* Every front end up, every member by itself. */
static void all_up(struct lockstep *l, unsigned power_up, bool halfway) {
  TICK(.kernel_start = 1, .solo = 1, .power_up = power_up, .halfway = halfway);
  for (unsigned c = 0; c < power_up + 2; c++)
    TICK(.power_up = power_up, .halfway = halfway);
}

static void formation_by_residue(struct lockstep *l) {
  TICK(0);
  expect_formed(l, "01234567");
  EXPECT(power, all);
  EXPECT(hold, 0);
  for (unsigned r = 0; r < members; r++) {
    all_up(l, 0, false);
    start(l, r, 0, false);
    TICK(0);
    expect_formed(l, formations[members][r]);
    EXPECT(hold, 0);
    EXPECT(power, l->ref_out.cta_lead);
    TICK(.kernel_start = 1, .solo = 1, .form = r);
    TICK(0);
    expect_formed(l, "01234567");
    EXPECT(power, all);
    EXPECT(hold, all & ~1U & ~(unsigned)l->past[(l->cycle - 2) % LOCKSTEP_HISTORY].ref_out.power);
  }
}

/* From grouped to independent, cycle by cycle; `ask` is what sets it off. */
static void ramp(struct lockstep *l, unit_in ask) {
  const unsigned power_up = 3;
  start(l, 0, power_up, false);
  TICK(.power_up = power_up, .drained = all);
  EXPECT(power, 1);
  ask.power_up = power_up;
  lockstep_tick(l, ask);
  EXPECT(hold, 0);
  EXPECT(power, 1);
  /* Counts 3, 2, 1, 0, and waits for all to be drained. */
  for (unsigned c = 0; c < 3; c++) {
    TICK(.power_up = power_up, .drained = all);
    EXPECT(power, all);
    EXPECT(hold, all);
    EXPECT(slave, all & ~1U);
    EXPECT(master, 1);
    EXPECT(reset_fe, 0);
    EXPECT_STATE(count, 0, 2 - c);
  }
  TICK(.power_up = power_up, .drained = all & ~2U);
  TICK(.power_up = power_up, .drained = all & ~1U);
  TICK(.power_up = power_up, .drained = all);
  EXPECT(state, GROUP_RAMP);
  EXPECT(reset_fe, 0);
  TICK(.power_up = power_up);
  EXPECT(state, GROUP_RESET);
  EXPECT(reset_fe, all & ~1U);
  EXPECT(slave, all & ~1U);
  EXPECT(hold, all);
  EXPECT(cta_lead, 1);
  TICK(.power_up = power_up, .drained = all, .parked = all);
  EXPECT(state, GROUP_SOLO);
  EXPECT(reset_fe, 0);
  EXPECT(hold, 0);
  EXPECT(slave, 0);
  EXPECT(master, 0);
  EXPECT(power, all);
  EXPECT(cta_lead, all);
  TICK(.power_up = power_up, .drained = all, .parked = all);
  EXPECT(state, GROUP_SOLO);
  EXPECT(park, 0);
}

static void ramp_after_ungroup(struct lockstep *l) {
  ramp(l, (unit_in){.ungroup = 2, .drained = all});
}
static void ramp_after_split(struct lockstep *l) { ramp(l, (unit_in){.split = 1, .drained = all}); }
static void ramp_after_both(struct lockstep *l) {
  ramp(l, (unit_in){.ungroup = all & ~1U, .split = 1, .drained = all});
  EXPECT_STATE(apart, 0, 1);
}

/* The next kernel: slaves go off at once; those that were off and lead now come up first. */
static void leaders_wake(struct lockstep *l) {
  const unsigned power_up = 2, off = all & ~1U;
  start(l, 0, power_up, false);
  TICK(.power_up = power_up);
  EXPECT(power, 1);
  EXPECT(hold, 0);
  TICK(.kernel_start = 1, .solo = 1, .power_up = power_up);
  for (unsigned c = 0; c < 3; c++) {
    TICK(.power_up = power_up);
    EXPECT(power, all);
    EXPECT(hold, off);
    EXPECT(reset_fe, 0);
    EXPECT(slave, 0);
  }
  TICK(.power_up = power_up);
  EXPECT(reset_fe, off);
  EXPECT(hold, off);
  TICK(.power_up = power_up);
  EXPECT(reset_fe, 0);
  EXPECT(hold, 0);
  /* Up: the next kernel need not wait. */
  TICK(.kernel_start = 1, .solo = 1, .power_up = power_up);
  TICK(.power_up = power_up);
  EXPECT(hold, 0);
  /* A kernel that starts before they are up starts their counter again. */
  start(l, 0, power_up, false);
  TICK(.kernel_start = 1, .solo = 1, .power_up = power_up);
  TICK(.power_up = power_up);
  TICK(.kernel_start = 1, .solo = 1, .power_up = power_up);
  for (unsigned c = 0; c < 4; c++) {
    TICK(.power_up = power_up);
    EXPECT(hold, off);
  }
  TICK(.power_up = power_up);
  EXPECT(hold, 0);
}

/* Into Parking: ungrouped, drained; no cycle in between in which warps could pass their place. */
static void park(struct lockstep *l) {
  all_up(l, 1, true);
  start(l, 0, 1, true);
  TICK(.power_up = 1, .halfway = 1, .ungroup = 1U << (members - 1), .drained = all);
  for (unsigned c = 0; c < 3; c++)
    TICK(.power_up = 1, .halfway = 1, .drained = all);
  EXPECT(state, GROUP_RESET);
  EXPECT(cta_lead, 1);
  EXPECT_STATE(state, 0, GROUP_PARKING);
}

/* In Call until the roll may be called: the members are held, and answer in the last cycle. */
static void settle(struct lockstep *l, uint64_t drained, uint64_t parked) {
  for (unsigned c = 0; c < 2 * delay(); c++) {
    TICK(.power_up = 1, .halfway = 1, .called = 1, .cancel = all);
    EXPECT(state, GROUP_CALL);
    EXPECT(call, 0);
    EXPECT(hold, all);
    EXPECT_STATE(count, 0, 2 * delay() - c);
  }
  TICK(.power_up = 1, .halfway = 1, .called = 1, .drained = drained, .parked = parked);
  EXPECT(state, GROUP_CALL);
  EXPECT(call, 0);
  EXPECT_STATE(count, 0, 0);
}

/* A member has gone on before it was held: the group parks on. */
static void parks_on(struct lockstep *l) {
  park(l);
  for (unsigned c = 0; c < 2; c++) {
    TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all);
    settle(l, c == 0 ? all & ~1U : all, c == 0 ? all : all & ~2U);
    TICK(.power_up = 1, .halfway = 1);
    EXPECT(state, GROUP_PARKING);
    EXPECT(park, all);
    EXPECT(hold, 0);
    EXPECT(lead, lead_of("01234567"));
    EXPECT(cta_lead, 1);
  }
  TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all);
  settle(l, all, all);
  TICK(.power_up = 1, .halfway = 1);
  EXPECT(call, 1);
}

static void regroup(struct lockstep *l) {
  park(l);
  TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all & ~1U);
  EXPECT(park, all);
  EXPECT(hold, 0);
  EXPECT(lead, lead_of("01234567"));
  EXPECT(cta_lead, 1); /* sets all the same */
  TICK(.power_up = 1, .halfway = 1, .drained = all & ~2U, .parked = all);
  TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all);
  settle(l, all, all);
  TICK(.power_up = 1, .halfway = 1);
  EXPECT(state, GROUP_CALL);
  EXPECT(call, 1);
  EXPECT(hold, all);
  EXPECT(park, all);
  EXPECT(power, all);
  EXPECT(slave, 0);
  EXPECT(lead, 0);
  TICK(.power_up = 1, .halfway = 1, .called = 1);
  EXPECT(call, 1);
  for (unsigned c = 0; c < verdict(); c++) {
    TICK(.power_up = 1, .halfway = 1);
    EXPECT(state, GROUP_WINDOW);
    EXPECT(call, 0);
    EXPECT(hold, all);
  }
  TICK(.power_up = 1, .halfway = 1);
  expect_formed(l, "00000000");
  EXPECT(power, 1);
  EXPECT(hold, 0);
  /* And again. */
  TICK(.power_up = 1, .halfway = 1, .ungroup = 2);
  TICK(.power_up = 1, .halfway = 1);
  EXPECT(state, GROUP_RAMP);
}

static void for_good(struct lockstep *l) {
  for (unsigned c = 0; c < 3; c++) {
    TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all);
    EXPECT(state, GROUP_SOLO);
    EXPECT(cta_lead, all);
    EXPECT(lead, lead_of("01234567"));
    EXPECT(park, 0);
    EXPECT(hold, 0);
    EXPECT(power, all);
  }
}

static void given_up(struct lockstep *l) {
  /* Cancelled, though all are parked in the same cycle. */
  park(l);
  TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all, .cancel = 2);
  for_good(l);
  /* Split while parking. */
  park(l);
  TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all, .split = 1);
  for_good(l);
  /* Refused while the roll is called, in the cycle of its end, and in the last cycle. */
  for (unsigned c = 0; c < 4; c++) {
    park(l);
    TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all);
    settle(l, all, all);
    TICK(.power_up = 1, .halfway = 1, .ungroup = c == 0 ? 2 : 0, .called = c != 1, .split = c == 3);
    EXPECT(state, GROUP_CALL);
    if (c == 1)
      TICK(.power_up = 1, .halfway = 1, .ungroup = all & ~1U, .called = 1);
    if (c == 2) {
      for (unsigned w = 0; w + 1 < verdict(); w++)
        TICK(.power_up = 1, .halfway = 1);
      TICK(.power_up = 1, .halfway = 1, .ungroup = 2);
      EXPECT(state, GROUP_WINDOW);
    }
    for_good(l);
    /* A late answer of another slave. */
    TICK(.power_up = 1, .halfway = 1, .ungroup = 1U << (members - 1));
    for_good(l);
  }
  /* And while the members' answers are waited for. */
  park(l);
  TICK(.power_up = 1, .halfway = 1, .drained = all, .parked = all);
  TICK(.power_up = 1, .halfway = 1, .split = 1);
  for_good(l);
  /* Split in the ramp, and in its last cycle. */
  start(l, 0, 0, true);
  TICK(.halfway = 1, .ungroup = 2);
  TICK(.halfway = 1, .split = 1, .drained = all);
  TICK(.halfway = 1);
  EXPECT(state, GROUP_RESET);
  TICK(.halfway = 1);
  EXPECT(cta_lead, all);
  EXPECT_STATE(state, 0, GROUP_SOLO);
  start(l, 0, 0, true);
  TICK(.halfway = 1, .ungroup = 2);
  TICK(.halfway = 1, .drained = all);
  TICK(.halfway = 1, .split = 1);
  EXPECT(state, GROUP_RESET);
  EXPECT_STATE(state, 0, GROUP_SOLO);
}

/* The last four members as 2, 1, 1 or 2, 2: each by itself. */
static void nested(struct lockstep *l) {
  ONLY_IF(members > 2);
  const unsigned a = members - 4; /* leads the last four's first pair */
  const unsigned pair = 3U << a, below = (1U << a) - 1;
  all_up(l, 2, false);
  start(l, 1, 2, false);
  TICK(.power_up = 2, .drained = all);
  EXPECT(power, (below & 1) | (all & ~below & ~(2U << a)));
  /* The pair splits; single members and the group below stay as they are. */
  TICK(.power_up = 2, .ungroup = 2U << a, .drained = pair);
  for (unsigned c = 0; c < 3; c++) {
    TICK(.power_up = 2, .drained = pair);
    EXPECT(hold, pair);
    EXPECT(slave, (below & ~1U) | 2U << a);
  }
  TICK(.power_up = 2);
  EXPECT(reset_fe, 2U << a);
  TICK(.power_up = 2);
  EXPECT(slave, below & ~1U);
  EXPECT(power, (below & 1) | (all & ~below));
  EXPECT(cta_lead, (below & 1) | (all & ~below));
  /* 2, 2: the second master was never off, its slave goes off; then both ramp, at different times.
   */
  start(l, 2, 2, false);
  TICK(.power_up = 2, .ungroup = 8U << a);
  EXPECT(hold, 0);
  EXPECT(master, (below & 1) | 5U << a);
  TICK(.power_up = 2, .ungroup = 2U << a);
  EXPECT(hold, 12U << a);
  EXPECT(master, (below & 1) | 5U << a);
  TICK(.power_up = 2, .drained = all);
  EXPECT(hold, 15U << a);
  TICK(.power_up = 2, .drained = all);
  TICK(.power_up = 2, .drained = all);
  EXPECT(reset_fe, 8U << a);
  TICK(.power_up = 2, .drained = all);
  EXPECT(slave, (below & ~1U) | 2U << a);
  EXPECT(reset_fe, 2U << a);
  /* From one group to two: the second master comes up, and holds; its slave stays off. */
  all_up(l, 2, false);
  start(l, 0, 2, false);
  start(l, members / 2, 2, false);
  for (unsigned c = 0; c < 4; c++) {
    /* CTA dispatch splits it before it is up. */
    TICK(.power_up = 2, .drained = all, .split = c == 0 ? 1U << members / 2 : 0);
    EXPECT(power, c == 0 ? 1U | 1U << members / 2 : 1U | (all & ~0U << members / 2));
    EXPECT(hold, c == 0 ? 1U << members / 2 : all & ~0U << members / 2);
    EXPECT(reset_fe, c == 3 ? 1U << members / 2 : 0);
  }
  /* The slaves' ramp, a cycle later, does not believe what the master said before it was reset. */
  TICK(.power_up = 2, .drained = all);
  EXPECT(reset_fe, 0);
  TICK(.power_up = 2, .drained = all);
  EXPECT(reset_fe, all & ~1U << members / 2 & ~0U << members / 2);
  TICK(.power_up = 2, .drained = all);
  EXPECT(hold, 0);
  EXPECT(slave, ((1U << members / 2) - 1) & ~1U);
}

static void illegal_inputs(struct lockstep *l) {
  start(l, 0, 5, true);
  LEGAL(.power_up = 5, .halfway = 1, .ungroup = all & ~1U, .split = 1);
  ILLEGAL(.power_up = 5, .halfway = 1, .ungroup = 1);
  ILLEGAL(.power_up = 5, .halfway = 1, .split = 2);
  TICK(.power_up = 5, .halfway = 1);
  ILLEGAL(.power_up = 6, .halfway = 1);
  ILLEGAL(.power_up = 5, .halfway = 0);
  if (members < 8)
    ILLEGAL(.kernel_start = 1, .form = members);
  LEGAL(.kernel_start = 1, .form = members - 1);
  TICK(.kernel_start = 1, .solo = 1, .power_up = 5, .halfway = 1);
  ILLEGAL(.power_up = 5, .halfway = 1, .ungroup = 2);
  ILLEGAL(.power_up = 5, .halfway = 1, .split = 1);
  park(l);
  ILLEGAL(.power_up = 1, .halfway = 1, .ungroup = 2);
}

/* ---- at random ---- */

struct cluster {
  unsigned ungroup, split, drain, parked, cancel, called, again; /* percent a cycle */
  bool halfway;
  unsigned power_up, form;
  bool split_at_once; /* CTA dispatch has no CTAs for the new kernel's groups: members still wake */
};

static void change(struct cluster *k, struct rng *r) {
  static const unsigned rates[] = {0, 1, 10, 50};
  k->ungroup = rates[rng_below(r, 4)];
  k->split = rates[rng_below(r, 3)];
  k->cancel = rng_chance(r, 50) ? 0 : rates[rng_below(r, 4)];
  k->drain = 30 + rng_below(r, 71);
  k->parked = 10 + rng_below(r, 91);
  k->called = 5 + rng_below(r, 96);
  k->again = rates[rng_below(r, 3)];
  if (rng_chance(r, 40)) /* groups come as far as the window */
    *k = (struct cluster){.ungroup = rates[1 + rng_below(r, 2)],
                          .drain = 100,
                          .parked = 100,
                          .called = 100,
                          .again = rates[rng_below(r, 3)],
                          .halfway = k->halfway,
                          .power_up = k->power_up,
                          .form = k->form,
                          .split_at_once = k->split_at_once};
}

static uint64_t some(struct rng *r, unsigned percent) {
  uint64_t set = 0;
  for (unsigned m = 0; m < members; m++)
    set |= (uint64_t)rng_chance(r, percent) << m;
  return set;
}

static unit_in drive(const struct lockstep *l, struct cluster *k, struct rng *r) {
  unit_in in = {.power_up = k->power_up, .halfway = k->halfway};
  in.drained = some(r, k->drain) | (rng_chance(r, 30) ? all : 0);
  in.parked = some(r, k->parked) | (rng_chance(r, 30) ? all : 0);
  in.cancel = some(r, k->cancel);
  in.called = some(r, k->called);
  for (unsigned i = 0; i < l->ref.groups; i++) {
    const struct member_group *g = &l->ref.group[i];
    const unsigned set = ((1U << g->size) - 1) << g->first;
    /* No verdict window would come to its last cycle where refusals come often. */
    const bool last = g->state == GROUP_WINDOW && g->count == 0;
    if (g->size > 1 && g->state != GROUP_PARKING && rng_chance(r, last ? 50 : k->ungroup))
      in.ungroup |= some(r, 30) & set & (set << 1);
    if (g->size > 1 && (!g->apart || rng_chance(r, 10)) &&
        (k->split_at_once || rng_chance(r, g->state == GROUP_WINDOW ? 2 : k->split)))
      in.split |= UINT64_C(1) << g->first;
  }
  k->split_at_once = false;
  return in;
}

static unit_in new_kernel(const struct lockstep *l, struct cluster *k, struct rng *r) {
  static const unsigned counts[] = {0, 1, 3, 24};
  unit_in in = {.drained = all, .parked = all};
  if (rng_chance(r, 50)) /* whatever the groups do */
    in = drive(l, k, r);
  k->power_up = rng_chance(r, 88) ? counts[rng_below(r, 4)] : rng_below(r, 256);
  if (rng_chance(r, 60)) /* else groups as those before */
    k->form = rng_chance(r, 40) ? 0 : rng_below(r, members);
  k->halfway = rng_chance(r, 60);
  k->split_at_once = rng_chance(r, 25);
  in.kernel_start = 1;
  in.form = k->form;
  in.solo = rng_chance(r, 15);
  in.power_up = k->power_up;
  in.halfway = k->halfway;
  return in;
}

/* Checks invariants of the outputs. */
static void check_sanity(const unit_out *o) {
  for (unsigned m = 0; m < members; m++) {
    const unsigned lead = (unsigned)(o->lead >> (3 * m) & 7);
    if ((o->slave >> m & 1) != 0)
      assert_true(lead != m && (o->master >> lead & 1) != 0 && (o->power >> lead & 1) != 0);
    else
      assert_true((o->power >> m & 1) != 0);
  }
  assert_true((o->master & o->slave) == 0);
}

static bool some_in(const struct group_control_ref *ref, unsigned state) {
  for (unsigned i = 0; i < ref->groups; i++)
    if (ref->group[i].state == state)
      return true;
  return false;
}

static void random_groups(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct cluster k = {0};
  bool regrouped = false;
  lockstep_tick(l, new_kernel(l, &k, r));
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 200) == 0)
      change(&k, r);
    const struct group_control_ref before = l->ref;
    const bool start = rng_below(r, 150 + 3 * k.power_up) == 0 || rng_chance(r, k.again / 10) ||
                       (some_in(&l->ref, GROUP_CALL) && rng_chance(r, 5)) ||
                       (some_in(&l->ref, GROUP_RESET) && rng_chance(r, 10)) ||
                       (some_in(&l->ref, GROUP_WINDOW) && rng_chance(r, 3));
    unit_in in = start ? new_kernel(l, &k, r) : drive(l, &k, r);
    lockstep_tick(l, in);
    check_sanity(&l->ref_out);
    cover_cycle(&before, l, &in, &regrouped);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(formation_by_residue), DIRECTED(ramp_after_ungroup),
               DIRECTED(ramp_after_split), DIRECTED(ramp_after_both), DIRECTED(leaders_wake),
               DIRECTED(parks_on), DIRECTED(regroup), DIRECTED(given_up), DIRECTED(nested),
               DIRECTED(illegal_inputs), RANDOM(random_groups))
