/* State of a Flex cluster's member for comparisons. */
#include <string.h>

#include "csim/ref/flex/flex_member.h"

/* The row of a warp once the actions under way have reached it: those that were decided in earlier
 * cycles, the oldest first. */
static struct flex_row flex_arrived(const struct flex_member_ref *m, unsigned warp) {
  enum { LENGTH = SIMT_STAGES_MOST + 1 };
  struct flex_row row =
      flex_is_far(warp) ? m->part.far[flex_row_number(warp)] : m->context.row[warp];
  for (unsigned ago = flex_stages(m); ago > 0; ago--) {
    const struct flex_actions *a = &m->way[(m->now + LENGTH - ago) % LENGTH];
    if (a->write.valid && a->write.warp == warp)
      for (unsigned i = 0; i < 1U + a->write.two; i++) {
        row.word[i] = a->write.word[i];
        row.dec[i] = a->write.dec[i];
      }
    for (unsigned i = 0; i < a->push.count && a->push.warp == warp; i++) {
      const struct simt_entry *e = &a->push.entry[i];
      row.entry[a->push.depth + 1 + i] = (struct flex_entry){e->mask, e->rpc, e->pc};
    }
  }
  return row;
}

static void flex_view_row(const struct flex_member_ref *m, unsigned warp,
                          struct far_rows_view *view) {
  const struct flex_row row = flex_arrived(m, warp);
  const unsigned depth = warpset_has(m->stack.live, warp) ? m->stack.warp[warp].depth : 0;
  if (warpset_has(m->buffer.valid & ~m->buffer.from_b, warp)) {
    view->word0[warp] = row.word[0];
    view->dec0[warp] = row.dec[0];
  }
  if (warpset_has(m->buffer.second | m->buffer.from_b, warp)) {
    view->word1[warp] = row.word[1];
    view->dec1[warp] = row.dec[1];
  }
  for (unsigned i = 0; i < depth; i++) {
    const struct flex_entry *e = &row.entry[i + 1];
    view->entry_mask[warp * FLEX_DEPTH + i] = e->mask;
    view->entry_pcs[warp * FLEX_DEPTH + i] = (uint64_t)e->rpc << 16 | e->pc;
  }
}

static void flex_view_rows(const struct flex_member_ref *m, struct far_rows_view *view) {
  memset(view, 0, sizeof *view);
  for (unsigned warp = 0; warp < WARPS; warp++)
    if (warpset_has(m->stack.live | m->buffer.valid, warp))
      flex_view_row(m, warp, view);
}

void flex_member_view(struct flex_member_ref *m, struct flex_member_state *state) {
  fetch_ref_view(&m->fetch, &state->fetch);
  icache_ref_view(&m->icache, &state->icache);
  ibuffer_ref_view(&m->buffer, &state->ibuffer);
  simt_stack_ref_view(&m->stack, &state->simt_stack);
  scoreboard_ref_view(&m->scoreboard, &state->scoreboard);
  warp_scheduler_ref_view(&m->sched[0], &state->sched0);
  warp_scheduler_ref_view(&m->sched[1], &state->sched1);
  issue_ref_view(&m->issue, &state->issue);
  barrier_ref_view(&m->barrier, &state->barrier);
  flex_view_rows(m, &state->far);
}
