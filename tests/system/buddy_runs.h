/* Runs of GPUs of buddy clusters, and what they leave. */
#ifndef TANDEM_TESTS_SYSTEM_BUDDY_RUNS_H
#define TANDEM_TESTS_SYSTEM_BUDDY_RUNS_H

#include "harness/gpu/buddy/buddy.h"
#include "tests/system/helpers.h"

struct outcome {
  struct gpu_stats stats;
  uint64_t digest, gated[16];
  struct gpu_ungroup causes[32];
  size_t ncauses;
};

static inline struct tandem_config shared(enum tandem_engine engine, uint32_t buddy,
                                          enum buddy_regroup regroup) {
  struct tandem_config c;
  gpu_config_default(&c);
  c.sms = 8;
  c.threads = 1;
  c.engine = engine;
  c.feature.buddy.size = buddy;
  c.feature.buddy.regroup = regroup;
  c.report_dir = NULL;
  return c;
}

static inline void look(struct tandem *t, struct outcome *o) {
  memset(o, 0, sizeof *o);
  gpu_statistics(t, &o->stats);
  o->digest = tandem_digest(t);
  o->ncauses = gpu_ungroups(t, o->causes, 32);
  for (unsigned i = 0; i < 16; i++)
    o->gated[i] = buddy_gated_cycles(t, i);
}

static inline void run(const struct tandem_config *c, const char *kernel, struct outcome *o) {
  struct tandem *t;
  struct tandem_error err = {{0}};
  if (run_kernel(c, kernel, &t, &err) != TANDEM_OK)
    fail_msg("%s: %s\n%s", kernel, err.text, tandem_report(t));
  look(t, o);
  tandem_close(t);
}

static inline void same(const struct outcome *a, const struct outcome *b) {
  assert_int_equal(a->stats.cycles, b->stats.cycles);
  assert_int_equal(a->digest, b->digest);
  assert_memory_equal(&a->stats.sm, &b->stats.sm, sizeof a->stats.sm);
  assert_memory_equal(&a->stats.mem, &b->stats.mem, sizeof a->stats.mem);
  assert_memory_equal(&a->stats.feature.buddy, &b->stats.feature.buddy,
                      sizeof a->stats.feature.buddy);
  assert_memory_equal(a->gated, b->gated, sizeof a->gated);
  assert_int_equal(a->ncauses, b->ncauses);
  for (size_t i = 0; i < sizeof a->causes / sizeof a->causes[0]; i++) {
    const struct gpu_ungroup *x = &a->causes[i], *y = &b->causes[i];
    assert_true(x->cycle == y->cycle && x->lead == y->lead && x->split == y->split &&
                x->sm == y->sm && x->warp == y->warp && x->pc == y->pc &&
                x->directions == y->directions && x->master_directions == y->master_directions);
  }
}

#endif
