/* The promise of the output quiet: while it is high and no event arrives, a cycle changes nothing,
 * and a simulator may leave it out.  After lockstep.h; UNIT_EVENT(l, in) says whether the inputs
 * are one. */
#ifndef TANDEM_TEST_QUIET_H
#define TANDEM_TEST_QUIET_H

/* lockstep_tick, and the promise. */
static void quiet_tick(struct lockstep *l, unit_in in) {
  const unit_out before = lockstep_peek(l, &in);
  const bool rests = before.quiet && !(UNIT_EVENT(l, in));
  static unit_view view;
  if (rests)
    view = l->ref_view;
  lockstep_tick(l, in);
  if (!rests)
    return;
  const unit_out after = lockstep_peek(l, &in);
  if (differ_out(&UNIT_NAME(_ports), l->cycle, &before, &after) +
          differ_view(&UNIT_NAME(_ports), l->cycle, &view, &l->ref_view) !=
      0)
    fail_msg("%s was quiet in cycle %" PRIu64 " and changed", UNIT_STRING, l->cycle);
}

#endif
