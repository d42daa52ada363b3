/* The lengths of stretches. */
#include "harness/gpu/host/lookahead.h"

enum {
  SHORTEST = 2, /* cycles of a stretch on average, for which meeting less often pays */
  REST = 15     /* pieces without stretches after one in which they were shorter */
};

bool lookahead_wanted(const struct tandem_config *c, bool apart) {
  /* Without quiet cycles that are left out, a cell would go on after the end of a launch. */
  return c->lookahead > 1 && c->skip_quiet && !c->races && !gpu_config_looked_at(c) && apart;
}

void lookahead_begin(struct gpu_lookahead *l, unsigned most, uint64_t cycle) {
  *l = (struct gpu_lookahead){.most = most, .end = cycle};
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

bool lookahead_apart(const struct gpu_lookahead *l) { return l->most > 1 && l->rest == 0; }

/* Something looks at all cells in the same cycle at the end of a stretch. */
void lookahead_stretch(struct gpu_lookahead *l, const struct tandem_config *c, uint64_t cycle,
                       uint64_t start) {
  uint64_t end = cycle + (lookahead_apart(l) ? l->most : 1);
  end = earlier(end, start + ((cycle - start) / GPU_PIECE + 1) * GPU_PIECE);
  end = earlier(end, start + c->max_cycles + 1);
  if (c->stop != 0)
    end = earlier(end, c->stop);
  l->meetings++;
  l->end = end > cycle + 1 ? end : cycle + 1;
}

void lookahead_piece(struct gpu_lookahead *l) {
  if (l->rest > 0)
    l->rest--;
  else if (l->meetings * SHORTEST > GPU_PIECE)
    l->rest = REST;
  l->meetings = 0;
}
