/* The geometry of shared memory and L1D in a launch, of which a part may be borrowed. */
#include <errno.h>

#include "csim/mem/l1/sm_mem.h"

static int check(const struct mem_config *c, const struct sm_mem_shape *shape,
                 struct tandem_error *err) {
  const uint32_t banks = shape->shared_far_banks, ways = shape->l1d_far_ways;
  if (shape->shared_own > shape->shared_bytes || shape->shared_bytes > MEM_SLOTS * c->shared_bytes)
    return tandem_fail(err, -EINVAL,
                       "shape of an SM: %u bytes of shared memory, %u of its own, where each SM has"
                       " %u",
                       shape->shared_bytes, shape->shared_own, c->shared_bytes);
  if (banks > 32 || (banks & (banks - 1)) != 0 ||
      (banks == 0 && shape->shared_own != shape->shared_bytes))
    return tandem_fail(err, -EINVAL,
                       "shape of an SM: borrowed shared memory of %u bytes with %u banks",
                       shape->shared_bytes - shape->shared_own, banks);
  if (ways != 0 && ways != c->l1d_ways && 2 * ways != c->l1d_ways)
    return tandem_fail(err, -EINVAL,
                       "shape of an SM: %u borrowed ways of L1D, must be 0, or all or half of %u",
                       ways, c->l1d_ways);
  return 0;
}

int sm_mem_set_shape(struct sm_mem *s, const struct sm_mem_shape *shape, struct tandem_error *err) {
  static const struct sm_mem_shape none;
  const struct mem_config *c = s->config;
  if (shape != NULL)
    TRY(check(c, shape, err));
  s->shaped = shape != NULL;
  s->shape = shape != NULL ? *shape : none;
  s->l1d_latency = c->l1d_latency + 2 * s->shape.delay;
  s->shared_latency = c->shared_latency + 2 * s->shape.delay;
  const uint32_t ways = c->l1d_ways + s->shape.l1d_far_ways;
  const uint32_t sets = c->l1d_bytes / (c->l1d_ways * c->line_bytes);
  struct tags tags = {0};
  const uint32_t latency = s->l1d_latency > s->shared_latency ? s->l1d_latency : s->shared_latency;
  if (!tags_init(&tags, sets * ways * c->line_bytes, ways, c->line_bytes) ||
      !completions_reach(s, latency)) {
    tags_free(&tags);
    return tandem_fail(err, -ENOMEM, "memory: out of host memory");
  }
  tags_free(&s->l1d.tags);
  s->l1d.tags = tags;
  return 0;
}

uint64_t sm_mem_far_lines(const struct sm_mem *s) { return s->far_lines; }

/* A half of the neighbour's cache has half of its sets: the upper bit of the set selects among its
 * ways. */
struct l1d_place shape_line(const struct sm_mem *s, int index) {
  const uint32_t sets = s->l1d.tags.sets, ways = s->l1d.tags.ways, own = s->config->l1d_ways;
  const uint32_t set = (uint32_t)index / ways, way = (uint32_t)index % ways;
  if (way < own)
    return (struct l1d_place){.set = set, .way = (uint8_t)way};
  const uint32_t far = s->shape.l1d_far_ways, far_sets = sets * far / own;
  return (struct l1d_place){
      .side = 1, .set = set % far_sets, .way = (uint8_t)(set / far_sets * far + way - own)};
}

struct shared_place shape_word(const struct sm_mem *s, uint32_t word) {
  if (word * 4 < s->shape.shared_own)
    return (struct shared_place){.bank = (uint8_t)(word & (s->config->shared_banks - 1))};
  return (struct shared_place){.side = 1,
                               .bank = (uint8_t)(word & (s->shape.shared_far_banks - 1))};
}

uint32_t shape_passes(struct sm_mem *s, const uint32_t *word, uint32_t n, bool share) {
  uint32_t left = n == 32 ? UINT32_MAX : (1U << n) - 1, passes = 0;
  while (left != 0) {
    uint32_t used[2] = {0, 0}, in_bank[2][32], again = 0;
    for (uint32_t todo = left; todo != 0; todo &= todo - 1) {
      const unsigned i = (unsigned)__builtin_ctz(todo);
      const struct shared_place p = shape_word(s, word[i]);
      if ((used[p.side] >> p.bank & 1) == 0) {
        used[p.side] |= 1U << p.bank;
        in_bank[p.side][p.bank] = word[i];
      } else if (!share || in_bank[p.side][p.bank] != word[i]) {
        again |= 1U << i;
      }
    }
    left = again;
    s->far_lines += used[1] != 0;
    passes++;
  }
  return passes;
}
