/* A whole buddy cluster in an environment of fake back ends, which checks what each member is given
 * (cluster_environment.h), against its reference; and what docs/hardware/buddy.md promises of the
 * links and of the members' roles.  Without a device the reference alone, of every size. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ref/buddy/group_control.h"
#include "csim/ref/sm/issue.h"
#include "tests/unit/buddy/cluster_cover.h"
#include "tests/unit/buddy/cluster_lockstep.h"
#include "tests/unit/device.h"
#include "tests/unit/testing.h"

enum { LIMIT = 60000, HISTORY = 32, GROUPS = CE_MEMBERS / 2 };

static struct {
  uint64_t seed, fresh, cycles;
  unsigned least, most; /* members */
  unsigned hop, entries;
} run;

struct cluster_run {
  struct cluster_lockstep l;
  bool packets[CE_MEMBERS][HISTORY]; /* instructions of a leader, by cycle */
  bool apart_in_kernel, started;     /* kernel_start was at the inputs in the cycle before */
  struct buddy_cluster_out before;
  unsigned asking, asked; /* members that asked for an ungroup: the cycle before, ever */
  unsigned ramps[GROUPS], solos[GROUPS], wakes;
  unsigned refused[2], torn[2];              /* while the roll was called, after it */
  unsigned length[GROUPS], power_up[GROUPS]; /* of the ramp */
  unsigned members[GROUPS];                  /* a bit each, when they were last together */
  unsigned regroups[GROUPS];                 /* in this kernel */
  uint64_t split[2];                         /* one and two cycles before */
  unsigned regrouped, carried, deep, uneven, fresh;
};

static unsigned state_of(const struct buddy_cluster_out *o, unsigned group) {
  return o->state >> 3 * group & 7;
}

/* The back ends of a group receive the instructions in its leader's slots D cycles later.  The slot
 * after a cycle of `hold` carries a park PC instead. */
static void check_latency(struct cluster_run *c) {
  const struct cluster_lockstep *l = &c->l;
  const uint64_t cycle = l->cycle - 1;
  for (unsigned m = 0; m < l->members; m++) {
    const struct buddy_member_out *b = &l->member[m];
    const bool leads = (l->out.master >> m & 1) != 0, held = (c->before.hold >> m & 1) != 0;
    c->packets[m][cycle % HISTORY] = leads && b->p0_valid && !held;
    if (!leads || cycle < l->delay)
      continue;
    const bool left = c->packets[m][(cycle - l->delay) % HISTORY];
    if ((b->iss0_valid || b->iss1_valid) != left)
      fail_msg("member %u gets an instruction at another time, cycle %" PRIu64, m, cycle);
  }
}

static void cover_stall(uint64_t stall, bool leads) {
  cover(COVER_hold, stall == STALL_HOLD);
  cover(COVER_no_slot, stall == STALL_SLOT);
  cover(COVER_member_without_place, stall == STALL_MEMBERS);
  cover(COVER_monitor_full, stall == STALL_MONITOR);
  cover(COVER_verdict, stall == STALL_VERDICT);
  cover(COVER_barrier_in_group, leads && stall == STALL_BARRIER);
}

static void cover_members(const struct cluster_run *c) {
  const struct buddy_cluster_out *o = &c->l.out;
  for (unsigned m = 0; m < c->l.members; m++) {
    const struct buddy_member_out *b = &c->l.member[m];
    const bool leads = (o->master >> m & 1) != 0, follows = (o->slave >> m & 1) != 0;
    cover(COVER_two_packets, leads && b->p0_valid && b->p1_valid);
    cover_stall(b->stall0, leads);
    cover_stall(b->stall1, leads);
    cover(COVER_diverged, b->ctrl_valid);
    cover(COVER_asks_again_while_it_ramps, b->ctrl_valid && follows && (o->power >> m & 1) != 0);
    cover(COVER_ramp_waits_for_memory, leads && (o->hold >> m & 1) != 0 && !b->drained);
    cover(COVER_wakes, (o->hold >> m & 1) != 0 && !leads && !follows);
    cover(COVER_warp_done_in_slave, follows && b->done_valid);
    cover(COVER_ack_and_credit, b->ack_valid && b->credit_valid);
    cover(COVER_ack_to_second_leader, follows && b->ack_valid && (o->lead >> 3 * m & 7) != 0);
    cover(COVER_monitor_of_second_leader_full,
          leads && m != 0 && (b->stall0 == STALL_MONITOR || b->stall1 == STALL_MONITOR));
    cover(COVER_alone_after_ungroup,
          m % 2 == 0 && state_of(o, m / 2) == GROUP_SOLO && b->iss0_valid && b->iss1_valid);
  }
}

/* A group that forms again, or does not. */
static void cover_halfway(struct cluster_run *c, unsigned g, unsigned was, unsigned state) {
  const bool split = (c->split[1] >> 2 * g & 1) != 0, gives_up = state == GROUP_SOLO;
  bool launch = false, parked = false, idle = true, busy = false;
  for (unsigned m = 0; m < c->l.members; m++) {
    const struct buddy_member_out *b = &c->l.member[m];
    if ((c->members[g] >> m & 1) == 0)
      continue;
    launch = launch || c->l.member_in[m].launch_valid;
    parked = parked || b->stall0 == STALL_PARK || b->stall1 == STALL_PARK;
    idle = idle && (b->stall0 == STALL_PARK || b->stall0 == STALL_IDLE) &&
           (b->stall1 == STALL_PARK || b->stall1 == STALL_IDLE);
    busy = busy || !b->drained;
  }
  c->regroups[g] += was == GROUP_WINDOW && state == GROUP_GROUPED;
  cover(COVER_parks, state == GROUP_PARKING);
  cover(COVER_stall_of_parked, parked);
  cover(COVER_all_parked_waits_for_memory, state == GROUP_PARKING && parked && idle && busy);
  cover(COVER_regroups_twice_in_kernel, c->regroups[g] > 1);
  cover(COVER_launch_in_parking, launch && state == GROUP_PARKING);
  cover(COVER_launch_in_call, launch && state == GROUP_CALL);
  cover(COVER_launch_in_window, launch && state == GROUP_WINDOW);
  cover(COVER_cancelled, was == GROUP_PARKING && gives_up && !split);
  cover(COVER_split_in_parking, was == GROUP_PARKING && gives_up && split);
  for (unsigned after = 0; after < 2; after++) {
    const bool there = was == (after ? GROUP_WINDOW : GROUP_CALL) && gives_up;
    cover(COVER_refused_in_call + after, there && !split);
    cover(COVER_split_in_call + after, there && split);
    c->refused[after] += there && !split;
    c->torn[after] += there && split;
  }
}

/* The group's state, and how long it ramped. */
static void follow_group(struct cluster_run *c, unsigned g) {
  const unsigned state = state_of(&c->l.out, g), was = state_of(&c->before, g);
  if (state == GROUP_GROUPED) {
    c->members[g] = 1U << 2 * g;
    for (unsigned m = 0; m < c->l.members; m++)
      if ((c->l.out.slave >> m & 1) != 0 && (c->l.out.lead >> 3 * m & 7) == 2 * g)
        c->members[g] |= 1U << m;
  }
  cover_halfway(c, g, was, state);
  if (state == GROUP_RAMP && was == GROUP_GROUPED) {
    c->ramps[g]++;
    c->length[g] = 0;
    c->power_up[g] = (unsigned)c->l.in.power_up;
    if (c->power_up[g] < 2 * c->l.delay)
      c->power_up[g] = 2 * c->l.delay;
    c->apart_in_kernel = true;
  }
  if (state == GROUP_RAMP || state == GROUP_RESET)
    c->length[g]++;
  if ((state != GROUP_SOLO && state != GROUP_PARKING) || was != GROUP_RESET)
    return;
  c->solos[g]++;
  cover(COVER_ramp_as_short_as_may_be, c->length[g] == c->power_up[g] + 2);
  if (c->length[g] < c->power_up[g] + 2)
    fail_msg("group %u has ramped for %u cycles, power_up %u", g, c->length[g], c->power_up[g]);
}

/* Covers the states of groups and members in which a kernel starts. */
static void cover_restart(const struct buddy_cluster_out *o, unsigned groups) {
  for (unsigned g = 0; g < groups; g++) {
    const unsigned state = state_of(o, g);
    cover(COVER_restart_grouped, state == GROUP_GROUPED);
    cover(COVER_restart_ramp, state == GROUP_RAMP);
    cover(COVER_restart_reset, state == GROUP_RESET);
    cover(COVER_restart_solo, state == GROUP_SOLO);
    cover(COVER_restart_call, state == GROUP_CALL);
    cover(COVER_restart_window, state == GROUP_WINDOW);
  }
  const uint64_t waking = o->hold & ~o->slave & ~o->master;
  cover(COVER_restart_waking, waking != 0);
  cover(COVER_restart_woken, (waking & o->reset_fe) != 0);
}

static void cover_cycle(struct cluster_run *c) {
  const struct buddy_cluster_out *o = &c->l.out;
  const unsigned members = c->l.members;
  unsigned asking = 0, ramping = 0, grouped = 0;
  cover_members(c);
  for (unsigned m = 0; m < members; m++)
    asking |= c->l.member[m].ctrl_valid ? 1U << m : 0;
  for (unsigned g = 0; g < members / 2; g++) {
    follow_group(c, g);
    ramping += state_of(o, g) == GROUP_RAMP;
    grouped += state_of(o, g) == GROUP_GROUPED;
  }
  cover(COVER_all_together, o->slave == ((1U << members) - 2U));
  cover(COVER_two_groups, (o->master & (o->master - 1)) != 0);
  cover(COVER_two_diverge_in_a_cycle, (asking & (asking - 1)) != 0);
  cover(COVER_diverged_in_cycles_running, (asking & c->asking) != 0);
  cover(COVER_another_diverges_next, (asking & ~c->asking) != 0 && c->asking != 0);
  cover(COVER_group_ramps_beside_group, ramping > 0 && grouped > 0);
  cover(COVER_split, (c->l.in.split & o->master & ~o->hold) != 0);
  c->asking = asking;
  c->asked |= asking;
  c->wakes += (o->hold & ~o->slave & ~o->master & o->reset_fe) != 0;
  if (c->started)
    cover_restart(o, members / 2);
  if (c->l.in.kernel_start) {
    cover(COVER_kernel_without_ungroup,
          c->l.e.kernels > 1 && !c->apart_in_kernel && o->master != 0);
    c->apart_in_kernel = false;
    memset(c->regroups, 0, sizeof c->regroups);
  }
  c->split[1] = c->split[0];
  c->split[0] = c->l.in.split;
  c->started = c->l.in.kernel_start != 0;
  c->before = *o;
}

/* With which warps groups have formed again. */
static void cover_carried(struct cluster_run *c) {
  const struct cluster_environment *e = &c->l.e;
  cover(COVER_regroups, e->regrouped != c->regrouped && e->carried != c->carried);
  cover(COVER_regroups_without_warp, e->regrouped != c->regrouped && e->carried == c->carried);
  cover(COVER_regroups_within_branches, e->deep != c->deep);
  cover(COVER_regroups_after_exits, e->uneven != c->uneven);
  cover(COVER_new_warp_is_carried, e->fresh != c->fresh);
  c->regrouped = e->regrouped;
  c->carried = e->carried;
  c->deep = e->deep;
  c->uneven = e->uneven;
  c->fresh = e->fresh;
}

static void cycle(struct cluster_run *c) {
  const unsigned ends = c->l.e.ends_beside_waiting, alone = c->l.e.ends_alone;
  if (!cluster_lockstep_step(&c->l))
    fail_msg("%s", c->l.wrong);
  cover_carried(c);
  check_latency(c);
  cover_cycle(c);
  cover(COVER_end_beside_waiting, c->l.e.ends_beside_waiting != ends);
  cover(COVER_end_of_leader_alone, c->l.e.ends_alone != alone);
}

static struct cluster_run *open_run(unsigned members, uint64_t seed, struct ce_rates rates) {
  static struct cluster_run c;
  memset(&c, 0, sizeof c);
  cluster_lockstep_open(&c.l, members, run.hop, run.entries, seed, rates);
  return &c;
}

static void close_run(struct cluster_run *c, const char *what) {
  print_message("%u members, %s: %" PRIu64 " cycles, %u kernels, %u instructions, %u barriers, "
                "%u groups formed again with %u warps\n",
                c->l.members, what, c->l.cycle, c->l.e.kernels, c->l.e.delivered, c->l.e.barriers,
                c->l.e.regrouped, c->l.e.carried);
  cluster_lockstep_close(&c->l);
}

/*                                  memory places diverge exits split nest ctas */
static const struct ce_rates regular = {60, 60, 0, 0, 0, 3, 6};
static const struct ce_rates slow_memory = {5, 8, 1, 1, 20, 3, 4};
static const struct ce_rates diverging = {50, 50, 80, 80, 0, 3, 2};
static const struct ce_rates exiting = {90, 90, 0, 500, 0, 1, 3};
static const struct ce_rates mixed = {20, 30, 2, 2, 100, 4, 4};
static const struct ce_rates contrary = {60, 60, 1000, 1000, 0, 3, 3};
static const struct ce_rates parting = {60, 60, 10, 0, 0, 3, 30};
static const struct ce_rates meeting_late = {6, 8, 10, 2, 0, 2, 20};
static const struct ce_rates at_odds = {60, 60, 60, 0, 0, 2, 20};
static const struct ce_rates crowded = {80, 80, 150, 0, 0, 2, 20};
static const struct ce_rates torn = {60, 60, 10, 2, 3000, 2, 20};
static const struct ce_rates restless_meeting = {80, 80, 100, 50, 0, 1, 1};
static const struct ce_rates restless = {80, 80, 20, 20, 60000, 1, 1};

static void follows_programs(unsigned members, uint64_t seed) {
  static const struct {
    const char *name;
    const struct ce_rates *rates;
  } kinds[] = {{"regular", &regular},
               {"slow memory", &slow_memory},
               {"diverging", &diverging},
               {"exiting", &exiting},
               {"mixed", &mixed}};
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    struct cluster_run *c = open_run(members, seed + 10 * members + i, *kinds[i].rates);
    while (c->l.cycle < run.cycles)
      cycle(c);
    close_run(c, kinds[i].name);
  }
}

/* Groups that come apart form again. */
static void forms_again(unsigned members, uint64_t seed) {
  static const struct {
    const char *name;
    const struct ce_rates *rates;
  } kinds[] = {{"parting", &parting},
               {"meeting late", &meeting_late},
               {"at odds", &at_odds},
               {"torn", &torn}};
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    struct cluster_run *c = open_run(members, seed + 3000 + 10 * members + i, *kinds[i].rates);
    c->l.e.script.halfway = 1;
    c->l.e.script.calm = 80;
    while (c->l.cycle < run.cycles)
      cycle(c);
    close_run(c, kinds[i].name);
  }
  struct cluster_run *c = open_run(members, seed + 4000 + members, restless_meeting);
  c->l.e.script.restless = true;
  c->l.e.script.halfway = 1;
  c->l.e.script.calm = 80;
  while (c->l.cycle < run.cycles)
    cycle(c);
  close_run(c, "restless, forming again");
}

/* Kernels of many warps are refused, or split, while their roll is called and after it.  Runs that
 * do not come to it are followed by others. */
static void refused_and_split(unsigned members, uint64_t seed) {
  for (unsigned after = 0; after < 2; after++) {
    struct cluster_run *c = open_run(members, seed + 5000 + 2 * members + after, crowded);
    const struct ce_script script = {UINT32_MAX, 0, 0, 4, 12 * (int)members, false, 1, 100};
    c->l.e.script = script;
    c->l.e.cta_warps = 6;
    while (c->refused[after] == 0 && c->l.cycle < 3 * run.cycles)
      cycle(c);
    close_run(c, "refused");
    c = open_run(members, seed + 6000 + 2 * members + after, parting);
    c->l.e.script = script;
    c->l.e.cta_warps = 6;
    c->l.e.split_in = after ? GROUP_WINDOW : GROUP_CALL;
    while (c->torn[after] == 0 && c->l.cycle < 3 * run.cycles)
      cycle(c);
    close_run(c, "split as it forms again");
  }
  struct cluster_run *c = open_run(members, seed + 7000 + members, parting);
  c->l.e.script = (struct ce_script){UINT32_MAX, 0, 0, 4, 12 * (int)members, false, 1, 100};
  c->l.e.split_in = GROUP_PARKING;
  while (covered[COVER_split_in_parking] == 0 && c->l.cycle < 3 * run.cycles)
    cycle(c);
  close_run(c, "split as it parks");
}

/* A kernel in any state, woken front ends that are wanted again. */
static void restarts(unsigned members, uint64_t seed) {
  struct cluster_run *c = open_run(members, seed + 1000 + members, restless);
  c->l.e.script.restless = true;
  while (c->l.cycle < run.cycles)
    cycle(c);
  close_run(c, "restless");
  /* At rest, a group comes apart by CTA dispatch, and forms again when its warps have ended. */
  static const struct {
    unsigned state, point;
    const struct ce_rates *rates;
    int ctas;
  } starts[] = {{GROUP_RESET, COVER_restart_reset, &restless, 0},
                {GROUP_CALL, COVER_restart_call, &restless_meeting, -1},
                {GROUP_WINDOW, COVER_restart_window, &restless_meeting, -1}};
  for (unsigned i = 0; i < sizeof starts / sizeof starts[0]; i++) {
    c = open_run(members, seed + 8000 + 8 * i + members, *starts[i].rates);
    c->l.e.script.ctas = starts[i].ctas;
    c->l.e.script.halfway = 1;
    c->l.e.script.calm = 80;
    c->l.e.start_in = starts[i].state;
    while (covered[starts[i].point] == 0 && c->l.cycle < 3 * run.cycles)
      cycle(c);
    close_run(c, "kernels follow in a state");
  }
}

/* Launches of large CTAs that last while groups form again. */
static void launches_last(unsigned members, uint64_t seed) {
  struct cluster_run *c = open_run(members, seed + 9000 + members, parting);
  c->l.e.script = (struct ce_script){UINT32_MAX, 0, 0, 4, 12 * (int)members, false, 1, 100};
  c->l.e.cta_warps = 6;
  c->l.e.launch_rate = 4;
  while (covered[COVER_launch_in_window] == 0 && c->l.cycle < 3 * run.cycles)
    cycle(c);
  close_run(c, "launches last");
}

static void random_programs(void **state) {
  (void)state;
  for (unsigned members = run.least; members <= run.most; members *= 2) {
    follows_programs(members, run.seed);
    forms_again(members, run.seed);
    refused_and_split(members, run.seed);
    restarts(members, run.seed);
    launches_last(members, run.seed);
  }
}

/* Runs until so many of a count have come. */
static void run_until(struct cluster_run *c, const unsigned *count, unsigned enough) {
  const uint64_t last = c->l.cycle + LIMIT;
  while (*count < enough) {
    cycle(c);
    if (c->l.cycle > last)
      fail_msg("it has not come to it in %d cycles, seed %" PRIu64, LIMIT, c->l.e.seed);
  }
}

static struct cluster_run *directed(unsigned members, struct ce_rates rates,
                                    struct ce_script script) {
  struct cluster_run *c = open_run(members, run.seed + 2000 + members, rates);
  c->l.e.script = script;
  return c;
}

static void each_slave_ungroups(void **state) {
  (void)state;
  for (unsigned members = run.least; members <= run.most; members *= 2)
    for (unsigned m = 1; m < members; m++) {
      struct cluster_run *c =
          directed(members, diverging, (struct ce_script){1U << m, 0, 0, 10, 8, false, 0, 0});
      run_until(c, &c->solos[0], 3);
      assert_int_equal(c->asked, 1U << m);
      close_run(c, "one slave ungroups");
    }
}

/* Two pairs of a cluster of four: one goes apart, the other does not; and both. */
static void pairs(void **state) {
  (void)state;
  if (run.most < 4)
    return;
  const unsigned members = run.least < 4 ? 4 : run.least;
  const unsigned pair = members / 2; /* first of the last group */
  for (unsigned which = 1; which <= 3; which++) {
    const unsigned dissent = ((which & 1) << 1) | (which >> 1) << (pair + 1);
    struct cluster_run *c = directed(
        members, diverging, (struct ce_script){dissent, (int)(members / 2), 0, 5, 8, false, 0, 0});
    if (which & 1)
      run_until(c, &c->solos[0], 3);
    if (which & 2)
      run_until(c, &c->solos[pair / 2], 3);
    assert_int_equal(c->asked & ~dissent, 0);
    assert_int_equal(c->ramps[0] == 0, (which & 1) == 0);
    assert_int_equal(c->ramps[pair / 2] == 0, (which & 2) == 0);
    close_run(c, "two groups");
  }
}

static void cta_dispatch_splits(void **state) {
  (void)state;
  for (unsigned members = run.least; members <= run.most; members *= 2) {
    struct cluster_run *c =
        directed(members, regular, (struct ce_script){0, 0, 0, 24, (int)members + 1, false, 0, 0});
    run_until(c, &c->solos[0], 3);
    assert_int_equal(c->asked, 0);
    close_run(c, "split by CTA dispatch");
  }
}

static void all_disagree(void **state) {
  (void)state;
  for (unsigned members = run.least; members <= run.most; members *= 2) {
    struct cluster_run *c = directed(
        members, contrary, (struct ce_script){UINT32_MAX, 0, 0, 3, 2 * (int)members, false, 0, 0});
    run_until(c, &c->solos[0], 6);
    close_run(c, "all disagree");
  }
}

static void power_up(void **state) {
  (void)state;
  static const int cycles[] = {0, 1, 24, 255};
  for (unsigned members = run.least; members <= run.most; members *= 2)
    for (unsigned i = 0; i < sizeof cycles / sizeof cycles[0]; i++) {
      struct cluster_run *c = directed(
          members, restless, (struct ce_script){UINT32_MAX, -1, -1, cycles[i], -1, true, 0, 0});
      run_until(c, &c->solos[0], 2);
      run_until(c, &c->wakes, 2);
      close_run(c, "power_up");
    }
}

/* While no SP instruction leaves its queue, members issue as many as it holds and no more, grouped
 * and each by itself. */
static void sp_queues_fill(void **state) {
  (void)state;
  enum { PERIOD = 256 };
  for (unsigned members = run.least; members <= run.most; members *= 2)
    for (int solo = 0; solo < 2; solo++) {
      struct cluster_run *c = directed(
          members, regular, (struct ce_script){0, 0, solo, 0, 6 * (int)members, false, 0, 0});
      c->l.e.cta_warps = 6;
      for (unsigned m = 0; m < members; m++)
        while (c->l.e.sp_queued[m] < CE_SP_PLACES || c->l.cycle % PERIOD != 0) {
          c->l.e.sp_waits = c->l.cycle % PERIOD >= PERIOD / 2;
          cycle(c);
          if (c->l.cycle > LIMIT)
            fail_msg("member %u has queued %u instructions at most", m, c->l.e.sp_queued[m]);
        }
      close_run(c, solo ? "SP queues fill, alone" : "SP queues fill");
    }
}

/* Runs that have missed a point go on. */
static void everything_is_reached(void **state) {
  (void)state;
  const unsigned count = run.most > 2 ? COVER_COUNT : FIRST_OF_MANY;
  for (unsigned round = 1; testing_goes_on(cover_names, covered, count, round); round++)
    for (unsigned members = run.least; members <= run.most; members *= 2) {
      follows_programs(members, run.seed + 10000 * round);
      forms_again(members, run.seed + 10000 * round);
      refused_and_split(members, run.seed + 10000 * round);
      restarts(members, run.seed + 10000 * round);
      launches_last(members, run.seed + 10000 * round);
    }
  testing_check_coverage(cover_names, covered, count);
}

/* A fresh seed, with which nothing has to be reached. */
static void fresh_programs(void **state) {
  (void)state;
  if (run.fresh == 0)
    return;
  run.cycles /= 4;
  for (unsigned members = run.least; members <= run.most; members *= 2) {
    follows_programs(members, run.fresh);
    forms_again(members, run.fresh);
  }
}

/* A cluster of two members runs most cycles: mutants are made of it (docs/models/mutation.md). */
static void choose_run(void) {
  const unsigned members = device_parameter("Members", 2);
  run.seed = device.seed;
  run.fresh = device.fresh;
  run.least = device.type == NULL ? 2 : members;
  run.most = device.type == NULL ? CE_MEMBERS : members;
  run.hop = device_parameter("Hop", 1);
  run.entries = device_parameter("Entries", 1);
  run.cycles = device.type == NULL ? 6000 : members == 2 ? 100000 : 20000;
  if (device.cycles != 0)
    run.cycles = device.cycles;
}

int main(int argc, char **argv) {
  const int status = device_choose("buddy_cluster", "Members=2 Hop=1 Entries=1", argc, argv);
  if (status != 0)
    return status;
  choose_run();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs), cmocka_unit_test(each_slave_ungroups),
      cmocka_unit_test(pairs),           cmocka_unit_test(cta_dispatch_splits),
      cmocka_unit_test(all_disagree),    cmocka_unit_test(power_up),
      cmocka_unit_test(sp_queues_fill),  cmocka_unit_test(everything_is_reached),
      cmocka_unit_test(fresh_programs)};
  return cmocka_run_group_tests_name("buddy_cluster", tests, NULL, NULL);
}
