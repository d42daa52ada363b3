/* Reference of rtl/spu/spu_global.sv. */
#include "csim/ref/spu/spu_global.h"

void spu_global_ref_reset(struct spu_global_ref *g) { *g = (struct spu_global_ref){.done = false}; }

static struct spu_set spu_set_of(const uint64_t slots[SPU_SLOT_WORDS],
                                 const uint64_t lanes[SPU_LANE_WORDS]) {
  struct spu_set set;
  memcpy(set.word, slots, sizeof *slots * SPU_SLOT_WORDS);
  memcpy(set.word + SPU_SLOT_WORDS, lanes, sizeof *lanes * SPU_LANE_WORDS);
  return set;
}

/* Returns whether a set is not empty and is part of `of`. */
static bool spu_set_within(const struct spu_set *set, const struct spu_set *of) {
  uint64_t some = 0, missing = 0;
  for (unsigned w = 0; w < SPU_SET_WORDS; w++) {
    some |= set->word[w];
    missing |= set->word[w] & ~of->word[w];
  }
  return some != 0 && missing == 0;
}

static bool spu_global_fires(const struct spu_global_ref *g) {
  return spu_set_within(&g->member, &g->here);
}

static struct spu_set spu_global_enabled(const struct spu_global_in *in) {
  return spu_set_of(in->enabled, in->lane_enabled);
}

void spu_global_ref_eval(const struct spu_global_ref *g, const struct spu_global_in *in,
                         struct spu_global_out *out) {
  (void)in;
  *out = (struct spu_global_out){.done = g->done,
                                 .go = g->go,
                                 .quiet = !g->done && !g->go && g->dones.n == 0 && g->gos.n == 0 &&
                                          !spu_global_fires(g) &&
                                          g->ended == spu_set_within(&g->enabled, &g->at_end)};
}

void spu_global_ref_step(struct spu_global_ref *g, const struct spu_global_in *in) {
  if (in->kernel_start) {
    spu_global_ref_reset(g);
    g->enabled = spu_global_enabled(in);
    return;
  }
  const struct spu_set posts = spu_set_of(in->post, in->lane_post);
  const bool fires = spu_global_fires(g), all_end = spu_set_within(&g->enabled, &g->at_end);
  const unsigned way = 2 * (unsigned)in->hops;
  g->done = way_step(&g->dones, fires, way);
  g->go = way_step(&g->gos, all_end && !g->ended, way);
  g->ended = all_end;
  for (unsigned w = 0; w < SPU_SET_WORDS; w++)
    g->here.word[w] = (fires ? 0 : g->here.word[w]) | posts.word[w];
  g->member = spu_set_of(in->member, in->lane_member);
  g->at_end = spu_set_of(in->at_end, in->lane_at_end);
  g->enabled = spu_global_enabled(in);
}

void spu_global_ref_view(const struct spu_global_ref *g, struct spu_global_view *view) {
  *view = (struct spu_global_view){
      .ended = {g->ended}, .done_line = {way_bits(&g->dones)}, .go_line = {way_bits(&g->gos)}};
  memcpy(view->here, g->here.word, sizeof view->here);
  memcpy(view->lane_here, g->here.word + SPU_SLOT_WORDS, sizeof view->lane_here);
}
