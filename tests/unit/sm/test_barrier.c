/* barrier: CTAs of warps, arrivals, releases. */
#include "csim/ref/sm/barrier.h"

#define UNIT barrier
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(release_with_dead_members)                                                                     \
  F(release_by_death)                                                                              \
  F(release_by_completion)                                                                         \
  F(release_of_one_warp)                                                                           \
  F(warp_changes_cta)                                                                              \
  F(warp_leaves_running_cta)                                                                       \
  F(cta_ends_before_complete)                                                                      \
  F(slot_used_again)                                                                               \
  F(held)                                                                                          \
  F(held_of_two_ctas)                                                                              \
  F(held_before_complete)
COVER_DEFINE(COVERAGE)

#define ALL UINT64_C(0xffffffffffff)

static void launch(struct lockstep *l, uint64_t live, unsigned warp, unsigned cta, bool last) {
  TICK(.live = live, .launch_valid = 1, .launch_warp = warp, .launch_cta = cta,
       .launch_last = last);
}

static void waits_for_all(struct lockstep *l) {
  EXPECT_STATE(complete, 0, 0xff);
  /* Warps 0, 1, 5 are CTA 3. */
  launch(l, 0, 0, 3, false);
  EXPECT_STATE(complete, 0, 0xf7);
  EXPECT_STATE(members, 3, 1);
  launch(l, 1, 1, 3, false);
  /* Warps 0 and 1 arrive before the CTA is complete: no release. */
  TICK(.live = 3, .arrive0_valid = 1, .arrive0_warp = 0, .arrive1_valid = 1, .arrive1_warp = 1);
  EXPECT(waiting, 0);
  TICK(.live = 3);
  EXPECT(waiting, 3);
  EXPECT(release, 0);
  launch(l, 3, 5, 3, true);
  EXPECT_STATE(complete, 0, 0xff);
  EXPECT_STATE(members, 3, 0x23);
  /* Warp 5 arrives; the release is in the cycle after. */
  TICK(.live = 0x23, .arrive1_valid = 1, .arrive1_warp = 5);
  EXPECT(release, 0);
  TICK(.live = 0x23);
  EXPECT(waiting, 0x23);
  EXPECT(release, 8);
  EXPECT_STATE(waiting, 0, 0);
  TICK(.live = 0x23);
  EXPECT(release, 0);
}

static void dead_warps_do_not_count(struct lockstep *l) {
  launch(l, 0, 10, 0, false);
  launch(l, 1 << 10, 11, 0, true);
  launch(l, 3 << 10, 12, 1, true);
  TICK(.live = 7 << 10, .arrive0_valid = 1, .arrive0_warp = 10);
  EXPECT(held, 0);
  /* Warp 11 ends: CTA 0 is released.  Warp 12 arrives meanwhile, and goes on alone. */
  TICK(.live = 5 << 10, .arrive0_valid = 1, .arrive0_warp = 12);
  EXPECT(release, 1);
  EXPECT(held, 1 << 10);
  EXPECT_STATE(waiting, 0, 1 << 12);
  TICK(.live = 5 << 10);
  EXPECT(release, 2);
  EXPECT_STATE(waiting, 0, 0);
  /* Both arrive: two CTAs in one cycle. */
  TICK(.live = 5 << 10, .arrive0_valid = 1, .arrive0_warp = 10);
  EXPECT_STATE(waiting, 0, 1 << 10);
  /* A CTA of dead warps is never released. */
  TICK(.live = 1 << 12);
  EXPECT(release, 0);
  EXPECT(held, 0);
}

static void two_released_together(struct lockstep *l) {
  launch(l, 0, 2, 4, true);
  launch(l, 4, 7, 5, true);
  TICK(.live = 0x84, .arrive0_valid = 1, .arrive0_warp = 2, .arrive1_valid = 1, .arrive1_warp = 7);
  TICK(.live = 0x84);
  EXPECT(release, 0x30);
  EXPECT_STATE(waiting, 0, 0);
}

static void slots_are_used_again(struct lockstep *l) {
  launch(l, 0, 2, 4, false);
  launch(l, 4, 3, 4, true);
  /* Warp 3 ends and is launched into slot 6, while warp 2 runs on: it leaves slot 4. */
  launch(l, 4, 3, 6, true);
  EXPECT_STATE(members, 4, 4);
  EXPECT_STATE(members, 6, 8);
  TICK(.live = 12, .arrive0_valid = 1, .arrive0_warp = 2);
  TICK(.live = 12);
  EXPECT(release, 0x10);
  /* Slot 4 is given to a new CTA: warp 2 is a member no more. */
  launch(l, 8, 9, 4, true);
  EXPECT_STATE(members, 4, 1 << 9);
  /* A new kernel. */
  TICK(.kernel_start = 1);
  EXPECT_STATE(members, 4, 0);
  EXPECT_STATE(members, 6, 0);
  EXPECT_STATE(complete, 0, 0xff);
}

/* The SM around it: which warps live, which CTA slots are being filled. */
struct sm {
  warpset live, launched;
  unsigned pending; /* slots whose CTA is not complete, bit c */
  unsigned launch, arrive, die;
  bool ending;
};

/* Slots that the next warp may be launched into: of a CTA not complete, or without live warps. */
static unsigned slots(const struct lockstep *l, const struct sm *sm) {
  unsigned set = sm->pending;
  for (unsigned c = 0; c < BARRIER_CTAS; c++)
    if ((l->ref.cta[c].members & sm->live) == 0 && l->ref.cta[c].complete)
      set |= 1U << c;
  return set;
}

static unit_in drive(const struct lockstep *l, struct rng *r, struct sm *sm) {
  unit_in in = {.live = sm->live};
  warpset dead = ALL & ~sm->live, running = sm->live & ~l->ref.waiting;
  unsigned free = sm->ending ? sm->pending : slots(l, sm);
  if (dead != 0 && free != 0 && rng_chance(r, sm->launch)) {
    in.launch_valid = 1;
    in.launch_warp = rng_member(r, dead);
    in.launch_cta = rng_member(r, free);
    in.launch_last = sm->ending || rng_chance(r, 40);
    sm->pending &= ~(1U << in.launch_cta);
    sm->pending |= in.launch_last ? 0U : 1U << in.launch_cta;
  }
  /* Any warp at either port, not as the schedulers have them alone. */
  if (running != 0 && rng_chance(r, sm->arrive)) {
    in.arrive0_valid = 1;
    in.arrive0_warp = rng_member(r, running);
    running &= ~warpset_of((unsigned)in.arrive0_warp);
  }
  if (running != 0 && rng_chance(r, sm->arrive)) {
    in.arrive1_valid = 1;
    in.arrive1_warp = rng_member(r, running);
  }
  return in;
}

static void cover_launch(const unit_in *in, const struct barrier_ref *before, const struct sm *sm) {
  if (!in->launch_valid)
    return;
  unsigned warp = (unsigned)in->launch_warp;
  for (unsigned c = 0; c < BARRIER_CTAS; c++) {
    bool leaves = c != in->launch_cta && warpset_has(before->cta[c].members, warp);
    cover(COVER_warp_changes_cta, leaves);
    cover(COVER_warp_leaves_running_cta, leaves && (before->cta[c].members & in->live) != 0);
  }
  const struct barrier_cta *slot = &before->cta[in->launch_cta];
  cover(COVER_slot_used_again, slot->complete && slot->members != 0);
  cover(COVER_cta_ends_before_complete,
        !slot->complete && (slot->members & in->live) == 0 && sm->launched != 0);
}

static void cover_cycle(const struct lockstep *l, const unit_in *in,
                        const struct barrier_ref *before, const unit_in *previous) {
  unsigned released = (unsigned)l->ref_out.release;
  bool arrived = previous->arrive0_valid || previous->arrive1_valid;
  for (unsigned c = 0; c < BARRIER_CTAS; c++) {
    warpset members = before->cta[c].members;
    bool now = (released >> c & 1) != 0;
    cover(COVER_release_with_dead_members, now && (members & ~in->live) != 0);
    cover(COVER_release_of_one_warp, now && __builtin_popcountll(members) == 1);
    cover(COVER_release_by_death, now && !arrived && (previous->live & ~in->live & members) != 0);
    cover(COVER_release_by_completion,
          now && !arrived && previous->launch_valid && previous->launch_cta == c);
  }
  cover(COVER_held, l->ref_out.held != 0);
  unsigned held = 0;
  for (unsigned c = 0; c < BARRIER_CTAS; c++) {
    const warpset members = before->cta[c].members, waits = members & before->waiting;
    held += (waits & in->live) != 0 && (members & in->live & ~before->waiting) != 0;
    cover(COVER_held_before_complete, (waits & in->live) != 0 && !before->cta[c].complete);
  }
  cover(COVER_held_of_two_ctas, held > 1);
}

static void random_barrier(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct sm sm = {.launch = 50, .arrive = 50, .die = 5};
  unit_in previous = {0};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 200) == 0) {
      sm.launch = 10 + rng_below(r, 91);
      sm.arrive = 10 + rng_below(r, 91);
      sm.die = rng_below(r, 40);
      sm.ending = rng_chance(r, 25);
      if (sm.ending)
        sm.die = 60;
    }
    warpset may_die = sm.live & ~l->ref.waiting;
    if (may_die != 0 && rng_chance(r, sm.die))
      sm.live &= ~warpset_of(rng_member(r, may_die));
    unit_in in = drive(l, r, &sm);
    if (sm.ending && sm.live == 0 && sm.pending == 0) {
      in = (unit_in){.kernel_start = 1};
      sm.ending = false;
      sm.launched = 0;
    } else if (rng_below(r, 1000) == 0) {
      in.kernel_start = 1; /* wins over everything */
    }
    struct barrier_ref before = l->ref;
    lockstep_tick(l, in);
    cover_launch(&in, &before, &sm);
    cover_cycle(l, &in, &before, &previous);
    sm.live |= warpset_if(in.launch_valid, in.launch_warp);
    if (in.kernel_start)
      sm.live = sm.pending = 0;
    sm.launched = in.kernel_start ? 0 : sm.launched | sm.live;
    previous = in;
  }
}

UNIT_MAIN(DIRECTED(waits_for_all), DIRECTED(dead_warps_do_not_count),
          DIRECTED(two_released_together), DIRECTED(slots_are_used_again), RANDOM(random_barrier))
