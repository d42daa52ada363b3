/* The C interface of the verilated clusters. */
#include "harness/shim/cluster_model.h"

/* CLUSTER(members, hop, entries), a line a build; made by rtl/CMakeLists.txt. */
#define NAME(members, hop, entries, kind) cluster_make_##members##_##hop##_##entries##_##kind
#define CLUSTER(members, hop, entries)                                                             \
  buddy_cluster_rtl *NAME(members, hop, entries, fast)(uint64_t seed);                             \
  buddy_cluster_rtl *NAME(members, hop, entries, full)(uint64_t seed);
#include "clusters.def"
#undef CLUSTER

const struct buddy_cluster_build buddy_cluster_builds[] = {
#define CLUSTER(members, hop, entries) {members, hop, entries},
#include "clusters.def"
#undef CLUSTER
    {0, 0, 0}};

static const struct {
  buddy_cluster_rtl *(*fast)(uint64_t seed), *(*full)(uint64_t seed);
} makers[] = {
#define CLUSTER(members, hop, entries)                                                             \
  {NAME(members, hop, entries, fast), NAME(members, hop, entries, full)},
#include "clusters.def"
#undef CLUSTER
};

struct buddy_cluster_rtl *buddy_cluster_rtl_create(const struct buddy_cluster_build *build,
                                                   bool full, uint64_t seed) {
  for (unsigned i = 0; buddy_cluster_builds[i].members != 0; i++) {
    const struct buddy_cluster_build *b = &buddy_cluster_builds[i];
    if (b->members == build->members && b->hop == build->hop && b->entries == build->entries)
      return full ? makers[i].full(seed) : makers[i].fast(seed);
  }
  return nullptr;
}

void buddy_cluster_rtl_destroy(struct buddy_cluster_rtl *c) { delete c; }

int buddy_cluster_rtl_bug(struct buddy_cluster_rtl *c, unsigned n) { return c->bug(n); }

void buddy_cluster_rtl_out(struct buddy_cluster_rtl *c, struct buddy_cluster_out *out,
                           struct buddy_member_out *members) {
  c->out(out, members);
}

void buddy_cluster_rtl_step(struct buddy_cluster_rtl *c, const struct buddy_cluster_in *in,
                            const struct member_told *told) {
  c->step(in, told);
}

void buddy_cluster_rtl_state(struct buddy_cluster_rtl *c, unsigned member,
                             struct sm_frontend_state *state) {
  c->state(member, state);
}

int buddy_cluster_rtl_trace_open(struct buddy_cluster_rtl *c, const char *path) {
  return c->trace_open(path);
}

void buddy_cluster_rtl_trace_sample(struct buddy_cluster_rtl *c, uint64_t time_ps) {
  c->trace_sample(time_ps);
}

void buddy_cluster_rtl_trace_close(struct buddy_cluster_rtl *c) { c->trace_close(); }

unsigned buddy_cluster_rtl_assertions(const struct buddy_cluster_rtl *c, const char **first) {
  if (first)
    *first = c->log.count ? c->log.first.c_str() : nullptr;
  return c->log.count;
}
