/* Coverage points that random groups must reach, for test_group_control.c alone, which defines
 * `members` and `all`. */
#ifndef TANDEM_GROUP_CONTROL_COVER_H
#define TANDEM_GROUP_CONTROL_COVER_H

#define COVERAGE(F)                                                                                \
  F(ungroup)                                                                                       \
  F(two_ungroup)                                                                                   \
  F(split)                                                                                         \
  F(ungroup_with_split)                                                                            \
  F(split_in_ramp)                                                                                 \
  F(split_in_its_last_cycle)                                                                       \
  F(counter_ends_with_drained)                                                                     \
  F(counter_ends_before_drained)                                                                   \
  F(drained_before_counter_ends)                                                                   \
  F(no_power_up)                                                                                   \
  F(leader_wakes)                                                                                  \
  F(all_wake)                                                                                      \
  F(start_while_waking)                                                                            \
  F(start_in_ramp)                                                                                 \
  F(start_in_call)                                                                                 \
  F(start_from_solo)                                                                               \
  F(parking)                                                                                       \
  F(cancel)                                                                                        \
  F(cancel_with_parked)                                                                            \
  F(parked_no_more)                                                                                \
  F(drained_no_more)                                                                               \
  F(called_too_early)                                                                              \
  F(refused_before_called)                                                                         \
  F(split_while_parking)                                                                           \
  F(called)                                                                                        \
  F(called_with_ungroup)                                                                           \
  F(refused)                                                                                       \
  F(refused_in_last_cycle)                                                                         \
  F(split_while_calling)                                                                           \
  F(regrouped)                                                                                     \
  F(ungrouped_again)                                                                               \
  F(one_ramps_one_stays)                                                                           \
  F(both_ramp)                                                                                     \
  F(master_wakes)                                                                                  \
  F(ramp_waits_for_waking_master)
COVER_DEFINE(COVERAGE)

/* A pair that is the whole cluster has no other group beside it. */
static void cover_pairs_are_all(bool alone) {
  cover(COVER_one_ramps_one_stays, alone);
  cover(COVER_both_ramp, alone);
  cover(COVER_master_wakes, alone);
  cover(COVER_ramp_waits_for_waking_master, alone);
}

static void cover_group(const struct member_group *g, const struct lockstep *l, const unit_in *in,
                        bool waking) {
  const unsigned set = ((1U << g->size) - 1) << g->first;
  const bool ungroup = (in->ungroup & set) != 0, split = (in->split >> g->first & 1) != 0;
  const bool drained = (in->drained & set) == set, parked = (in->parked & set) == set;
  const bool cancel = (in->cancel & set) != 0, called = (in->called >> g->first & 1) != 0;
  const enum group_state s = g->state;
  const bool call = s == GROUP_CALL || s == GROUP_WINDOW;
  cover(COVER_ungroup, s == GROUP_GROUPED && ungroup);
  cover(COVER_two_ungroup,
        s == GROUP_GROUPED &&
            (members == 2 ? ungroup : __builtin_popcountll(in->ungroup & set) > 1));
  cover(COVER_split, s == GROUP_GROUPED && split);
  cover(COVER_ungroup_with_split, s == GROUP_GROUPED && ungroup && split);
  cover(COVER_split_in_ramp, s == GROUP_RAMP && split);
  cover(COVER_split_in_its_last_cycle, s == GROUP_RESET && split && in->halfway);
  cover(COVER_no_power_up, s == GROUP_GROUPED && ungroup && in->power_up == 0);
  const struct group_control_view *v = &l->ref_view; /* after the cycle */
  const unsigned next = (unsigned)(v->state[0] >> (3 * (g->first / 2)) & 7);
  cover(COVER_counter_ends_with_drained, s == GROUP_RAMP && next == GROUP_RESET);
  cover(COVER_counter_ends_before_drained, s == GROUP_RAMP && g->count == 0 && !drained);
  cover(COVER_drained_before_counter_ends, s == GROUP_RAMP && g->count > 1 && drained);
  cover(COVER_parking, s == GROUP_PARKING && parked && drained && !cancel && !split);
  cover(COVER_cancel, s == GROUP_PARKING && cancel && !parked);
  cover(COVER_cancel_with_parked, s == GROUP_PARKING && cancel && parked && drained);
  cover(COVER_split_while_parking, s == GROUP_PARKING && split);
  const bool settled = s == GROUP_CALL && g->count == 0, last = s == GROUP_CALL && g->count == 1;
  cover(COVER_parked_no_more, last && !parked && drained && !ungroup && !split);
  cover(COVER_drained_no_more, last && parked && !drained && !ungroup && !split);
  cover(COVER_called_too_early, s == GROUP_CALL && !settled && called);
  cover(COVER_refused_before_called, s == GROUP_CALL && !settled && ungroup);
  cover(COVER_called, settled && called && !ungroup);
  cover(COVER_called_with_ungroup, settled && called && ungroup);
  cover(COVER_refused, s == GROUP_WINDOW && ungroup);
  cover(COVER_refused_in_last_cycle, s == GROUP_WINDOW && ungroup && g->count == 0);
  cover(COVER_split_while_calling, call && split);
  cover(COVER_regrouped, s == GROUP_WINDOW && next == GROUP_GROUPED);
  cover(COVER_ramp_waits_for_waking_master, s == GROUP_RAMP && g->count == 0 && drained && waking);
}

static void cover_cycle(const struct group_control_ref *before, const struct lockstep *l,
                        const unit_in *in, bool *regrouped) {
  unsigned ramps = 0, grouped = 0;
  bool call = false, solo = false;
  for (unsigned i = 0; i < before->groups; i++) {
    const struct member_group *g = &before->group[i];
    ramps += g->state == GROUP_RAMP;
    grouped += g->state == GROUP_GROUPED;
    call = call || g->state == GROUP_CALL;
    solo = solo || g->state == GROUP_SOLO;
    if (g->size > 1 && !in->kernel_start) {
      cover_group(g, l, in, (before->waking >> g->first & 1) != 0);
      cover(COVER_ungrouped_again,
            *regrouped && i == 0 && g->state == GROUP_GROUPED && (in->ungroup & 0xfe) != 0);
    }
  }
  const bool first_regrouped =
      before->group[0].state == GROUP_WINDOW && l->ref.group[0].state == GROUP_GROUPED;
  *regrouped = !in->kernel_start && (*regrouped || first_regrouped);
  cover(COVER_leader_wakes, before->waking != 0);
  cover(COVER_all_wake, before->waking == (all & ~1U));
  cover(COVER_start_while_waking, in->kernel_start && before->waking != 0);
  cover(COVER_start_in_ramp, in->kernel_start && ramps != 0);
  cover(COVER_start_in_call, in->kernel_start && call);
  cover(COVER_start_from_solo, in->kernel_start && solo);
  cover(COVER_one_ramps_one_stays, ramps == 1 && grouped == 1);
  cover(COVER_both_ramp, ramps == 2);
  cover(COVER_master_wakes, (before->waking & l->ref_out.master) != 0);
}

#endif
