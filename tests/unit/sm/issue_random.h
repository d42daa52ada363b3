/* Random lockstep of issue: heads, vetoes and slots of changing densities, and kernels that begin
 * with slots of their own. */
struct driver {
  unsigned live, held, waiting, head, hazard; /* densities */
  unsigned sfu, mem, none;
  unsigned credits[ISSUE_SIDES];          /* per cent */
  unsigned veto_all, veto_two, veto_pick; /* per cent */
  unsigned veto_slot[2], veto_ready[2];   /* densities */
  struct issue_slots given[ISSUE_SIDES];  /* with which the kernel began */
  warpset far;
};

/* True if a slot that is out comes back. */
static bool returns(struct rng *r, unsigned free, unsigned of, unsigned percent) {
  return free < of && rng_chance(r, percent);
}

static unsigned sp_returns(struct rng *r, unsigned free, unsigned of, unsigned percent) {
  if (!returns(r, free, of, percent))
    return 0;
  return of - free > 1 && rng_chance(r, 50) ? 2 : 1;
}

static void drive_vetoes(struct rng *r, const struct driver *d, unit_in *in) {
  in->veto_all = rng_chance(r, d->veto_all);
  in->veto_two = rng_chance(r, d->veto_two);
  in->veto_slot_a = rng_subset(r, all, d->veto_slot[0]);
  in->veto_slot_b = rng_subset(r, all, d->veto_slot[1]);
  in->veto_ready_a = rng_subset(r, in->live, d->veto_ready[0]);
  in->veto_ready_b = rng_subset(r, in->live, d->veto_ready[1]);
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct driver *d) {
  unit_in in = {.live = rng_subset(r, all, d->live), .far = d->far};
  in.ctrl = rng_subset(r, in.live, d->held);
  in.settle = rng_subset(r, in.live & ~in.ctrl, d->held);
  in.waiting = rng_subset(r, in.live & ~in.ctrl & ~in.settle, d->waiting);
  in.ib_valid = rng_subset(r, all, d->head);
  in.ib_sfu = rng_subset(r, in.ib_valid, d->sfu);
  in.ib_mem = rng_subset(r, in.ib_valid & ~in.ib_sfu, d->mem);
  in.ib_none = rng_subset(r, in.ib_valid & ~in.ib_sfu & ~in.ib_mem, d->none);
  in.hazard = rng_subset(r, in.ib_valid, d->hazard);
  drive_vetoes(r, d, &in);
  const struct issue_slots *free = l->ref.side, *of = d->given;
  in.sp_credit = sp_returns(r, free[0].sp, of[0].sp, d->credits[0]);
  in.sfu_credit = returns(r, free[0].sfu, of[0].sfu, d->credits[0]);
  in.mem_credit = returns(r, free[0].mem, of[0].mem, d->credits[0]);
  in.sp_credit1 = sp_returns(r, free[1].sp, of[1].sp, d->credits[1]);
  in.sfu_credit1 = returns(r, free[1].sfu, of[1].sfu, d->credits[1]);
  in.mem_credit1 = returns(r, free[1].mem, of[1].mem, d->credits[1]);
  const warpset elig = lockstep_peek(l, &in).elig;
  in.pick0_valid = (elig & even) != 0;
  in.pick0_warp = in.pick0_valid ? rng_member(r, elig & even) : 0;
  in.pick1_valid = (elig & odd) != 0;
  in.pick1_warp = in.pick1_valid ? rng_member(r, elig & odd) : 0;
  in.veto_pick0 = in.pick0_valid && rng_chance(r, d->veto_pick);
  in.veto_pick1 = in.pick1_valid && rng_chance(r, d->veto_pick);
  return in;
}

static void cover_conflicts(const struct lockstep *l, const unit_in *in,
                            const struct issue_slots before[ISSUE_SIDES], unsigned prio) {
  if (!in->pick0_valid || !in->pick1_valid)
    return;
  cover(COVER_veto_both_picks, in->veto_pick0 && in->veto_pick1);
  cover(COVER_vetoed_pick_in_conflict,
        in->veto_two && ((in->veto_pick0 && prio == 0) || (in->veto_pick1 && prio == 1)));
  if (in->veto_pick0 || in->veto_pick1)
    return;
#define BOTH(set) (((in->set >> in->pick0_warp) & (in->set >> in->pick1_warp) & 1) != 0)
  const bool sfu = BOTH(ib_sfu), mem = BOTH(ib_mem), none = BOTH(ib_none);
#undef BOTH
  const uint64_t other = in->ib_sfu | in->ib_mem | in->ib_none;
  const bool sp = ((other >> in->pick0_warp | other >> in->pick1_warp) & 1) == 0;
  const unsigned side = in->far >> in->pick0_warp & 1, side1 = in->far >> in->pick1_warp & 1;
  const struct issue_slots *s = &before[side];
  const bool one = side == side1;
  cover(COVER_both_sfu, sfu && one && s->sfu > 1);
  cover(COVER_both_sfu_one_credit, sfu && one && s->sfu == 1);
  cover(COVER_both_sfu_two_sides, sfu && !one);
  cover(COVER_both_mem, mem && one && s->mem > 1);
  cover(COVER_both_mem_one_credit, mem && one && s->mem == 1);
  cover(COVER_both_mem_two_sides, mem && !one);
  cover(COVER_both_sp_one_credit, sp && side + side1 == 0 && s->sp == 1);
  cover(COVER_both_sp_last_of_side_1, sp && side + side1 == 2 && s->sp == 1);
  cover(COVER_both_sp_last_of_each, sp && !one && before[0].sp == 1 && before[1].sp == 1);
  cover(COVER_both_sp_two_credits, sp && one && s->sp == 2);
  cover(COVER_both_none, none);
  cover(COVER_different_pipes, !sfu && !mem && !none && !sp);
  cover(COVER_conflict_for_0, l->ref_out.grant0 && !l->ref_out.grant1);
  cover(COVER_conflict_for_1, !l->ref_out.grant0 && l->ref_out.grant1);
}

static void cover_vetoes(const struct lockstep *l, const unit_in *in) {
  const uint64_t runs = in->live & in->ib_valid & ~in->ctrl & ~in->settle & ~in->waiting;
  const uint64_t vetoed = in->veto_ready_a | in->veto_ready_b, elig = l->ref_out.elig;
  const uint64_t ready = runs & ~in->hazard & ~vetoed;
  const bool both = in->pick0_valid && in->pick1_valid;
  cover(COVER_veto_all_of_ready, in->veto_all && ready != 0);
  if (in->veto_all)
    return;
  cover(COVER_veto_ready_beside_others, (runs & ~in->hazard & vetoed) != 0 && elig != 0);
  cover(COVER_veto_ready_with_hazard, (runs & in->hazard & vetoed) != 0);
  cover(COVER_veto_slot_a_beside_others, (ready & in->veto_slot_a) != 0 && elig != 0);
  cover(COVER_veto_slot_b_beside_others, (ready & in->veto_slot_b) != 0 && elig != 0);
  cover(COVER_veto_slot_a_and_b, (ready & in->veto_slot_a & in->veto_slot_b) != 0);
  cover(COVER_veto_two_of_two, in->veto_two && both && !in->veto_pick0 && !in->veto_pick1);
  cover(COVER_veto_two_of_one, in->veto_two && in->pick0_valid != in->pick1_valid);
  cover(COVER_veto_two_with_conflict,
        in->veto_two && both && (in->ib_mem >> in->pick0_warp & in->ib_mem >> in->pick1_warp & 1));
  cover(COVER_takes_mem_of_0, l->ref_out.take_mem && !l->ref_out.grant1);
  cover(COVER_takes_mem_of_1, l->ref_out.take_mem && !l->ref_out.grant0);
}

/* Covers warps of one side that have no slot while those of the other one go on. */
static void cover_sides(const struct lockstep *l, const unit_in *in,
                        const struct issue_slots before[ISSUE_SIDES]) {
  const uint64_t other = in->ib_sfu | in->ib_mem | in->ib_none, elig = l->ref_out.elig;
  const warpset left = in->live & in->ib_valid & ~in->hazard & ~in->ctrl & ~in->settle &
                       ~in->waiting & ~elig & ~(in->veto_ready_a | in->veto_ready_b) &
                       ~(in->veto_slot_a | in->veto_slot_b);
  if (in->veto_all)
    return;
  cover(COVER_side_0_full_side_1_goes_on, (left & ~in->far & ~other) && (elig & in->far & ~other));
  cover(COVER_side_1_full_side_0_goes_on, (left & in->far & ~other) && (elig & ~in->far & ~other));
  cover(COVER_no_sfu_on_side_0, (left & ~in->far & in->ib_sfu) && (elig & in->far & in->ib_sfu));
  cover(COVER_no_sfu_on_side_1, (left & in->far & in->ib_sfu) && (elig & ~in->far & in->ib_sfu));
  cover(COVER_no_mem_on_side_0, (left & ~in->far & in->ib_mem) && (elig & in->far & in->ib_mem));
  cover(COVER_no_mem_on_side_1, (left & in->far & in->ib_mem) && (elig & ~in->far & in->ib_mem));
  cover(COVER_credits_of_both_sides, in->sp_credit && in->sp_credit1);
  cover(COVER_two_sp_credits_of_side_1_at_zero, before[1].sp == 0 && in->sp_credit1 == 2);
  cover(COVER_credit_of_side_1_returned_as_taken,
        in->mem_credit1 && l->ref.side[1].mem == before[1].mem && before[1].mem > 0);
}

static void cover_slots(const struct lockstep *l, const unit_in *in,
                        const struct issue_slots before[ISSUE_SIDES]) {
  const struct issue_slots *now = &l->ref.side[0], *was = &before[0];
  cover(COVER_no_sp_credit, was->sp == 0);
  cover(COVER_no_sfu_credit, was->sfu == 0);
  cover(COVER_no_mem_credit, was->mem == 0);
  cover(COVER_credit_returned_as_taken, in->mem_credit && now->mem == was->mem && was->mem > 0);
  cover(COVER_two_sp_credits_at_zero, was->sp == 0 && in->sp_credit == 2);
  cover(COVER_mem_home, l->ref_out.mem_home);
  cover(COVER_mem_away, !l->ref_out.mem_home);
  cover(COVER_last_two_of_sp, was->sp == 2 && now->sp == 0);
  cover(COVER_last_of_mem, was->mem == 1 && now->mem == 0);
  cover(COVER_sp_comes_home, was->sp < all_slots.sp && now->sp == all_slots.sp);
  cover(COVER_mem_comes_home, was->mem < all_slots.mem && now->mem == all_slots.mem);
}

static void change(struct rng *r, struct driver *d) {
  d->live = rng_below(r, 5);
  d->held = rng_below(r, 3);
  d->waiting = rng_below(r, 3);
  d->head = 1 + rng_below(r, 4);
  d->hazard = rng_below(r, 4);
  d->sfu = rng_below(r, 5);
  d->mem = rng_below(r, 5);
  d->none = rng_below(r, 4);
  for (unsigned i = 0; i < 2; i++) {
    const bool vetoes = rng_chance(r, 50);
    d->credits[i] = rng_below(r, 101);
    d->veto_slot[i] = vetoes ? rng_below(r, 5) : 0;
    d->veto_ready[i] = vetoes ? rng_below(r, 5) : 0;
  }
  d->veto_all = rng_chance(r, 20) ? rng_below(r, 101) : 0;
  d->veto_two = rng_chance(r, 30) ? rng_below(r, 101) : 0;
  d->veto_pick = rng_chance(r, 30) ? rng_below(r, 50) : 0;
  if (rng_chance(r, 25)) { /* one pipe, of which there are few slots left, and no veto but after */
    const unsigned slot[2] = {d->veto_slot[0], d->veto_slot[1]};
    const bool mem = rng_chance(r, 50);
    *d = (struct driver){.live = 1 + rng_below(r, 4),
                         .head = 4,
                         .mem = mem ? 4 : 0,
                         .credits = {50, 50},
                         .given = {d->given[0], d->given[1]},
                         .far = d->far};
    if (rng_chance(r, 50))
      memcpy(d->veto_slot, slot, sizeof slot);
  }
}

static struct issue_slots random_slots(struct rng *r) {
  return (struct issue_slots){rng_below(r, most.sp + 1), rng_below(r, most.sfu + 1),
                              rng_below(r, most.mem + 1)};
}

/* A kernel, more often than not with all slots; it wins over what comes beside it. */
static void start(struct rng *r, struct driver *d, unit_in *in) {
  d->given[0] = rng_chance(r, 60) ? all_slots : random_slots(r);
  d->given[1] = sides == 1 || rng_chance(r, 20) ? nothing : random_slots(r);
  if (sides == 2)
    d->far = rng_chance(r, 50) ? rng_subset(r, all, rng_below(r, 5)) : all & ~UINT64_C(0xffffff);
  const struct issue_slots *own = &d->given[0], *far = &d->given[1];
  in->kernel_start = 1;
  in->start_sp = own->sp;
  in->start_sfu = own->sfu;
  in->start_mem = own->mem;
  in->start_sp1 = far->sp;
  in->start_sfu1 = far->sfu;
  in->start_mem1 = far->mem;
  cover(COVER_kernel_starts, true);
  cover(COVER_starts_without_side_1, sides == 2 && far->sp + far->sfu + far->mem == 0);
}

static void random_issue(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct driver d = {.live = 4, .head = 4, .given = {all_slots, nothing}};
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 25) == 0)
      change(r, &d);
    unit_in in = drive(l, r, &d);
    if (rng_below(r, 150) == 0)
      start(r, &d, &in);
    const struct issue_slots before[] = {l->ref.side[0], l->ref.side[1]};
    const unsigned prio = l->ref.prio;
    lockstep_tick(l, in);
    if (in.kernel_start)
      continue;
    cover_conflicts(l, &in, before, prio);
    cover_vetoes(l, &in);
    cover_sides(l, &in, before);
    cover_slots(l, &in, before);
    if (l->ref_out.stall0 != STALL_NONE)
      cover(COVER_stall0_idle + (unsigned)l->ref_out.stall0 - STALL_IDLE, true);
    if (l->ref_out.stall1 != STALL_NONE)
      cover(COVER_stall1_idle + (unsigned)l->ref_out.stall1 - STALL_IDLE, true);
  }
}
