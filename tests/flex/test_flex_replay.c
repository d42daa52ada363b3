/* flex_map, flex_tags and flex_dispatch do what the C models of registers, shared memory, L1D and
 * dispatch do in runs of kernels, in every scheme (replay/replay.h). */
#include "tests/flex/machine.h"
#include "tests/flex/replay/replay.h"

/* Small runs, whose CTAs together have more shared memory than an SM, and local memory. */
static const struct {
  const char *path;
  struct tandem_parameter parameters[3];
  size_t n;
} kernels[] = {{"flex/histo4", {{"ranges", 13}}, 1},
               {"flex/cutcp", {{"width", 5}, {"depth", 2}, {"height", 2}}, 3},
               {"bfs/bfs", {{NULL, 0}}, 0},
               {"spill/spill", {{NULL, 0}}, 0}};
enum { KERNELS_RUN = sizeof kernels / sizeof kernels[0] };

static struct replay_run run_of(enum flex_scheme scheme, unsigned stages, unsigned link) {
  struct replay_run run = {.scheme = scheme, .stages = stages, .link = link};
  for (unsigned m = 0; m < FLEX_MEMBERS; m++) {
    const struct flex_role role = flex_role(scheme, m);
    const int lender = flex_lender(scheme, m);
    run.role[m] = (struct replay_role){.lender = lender,
                                       .owner = role.owner[0] | (unsigned)role.owner[1] << 2};
    if (lender < 0)
      continue;
    /* The borrower is on the other side of its lender. */
    run.role[m].requester = role.from == FLEX_LEFT ? FLEX_RIGHT : FLEX_LEFT;
    run.role[m].upper = flex_role(scheme, (unsigned)lender).owner[0] != run.role[m].requester;
  }
  return run;
}

static void run_kernel_of(const struct tandem_config *c, unsigned kernel) {
  char path[512];
  struct tandem *t = open_gpu(c);
  struct tandem_job *job;
  struct tandem_error err;
  (void)snprintf(path, sizeof path, "%s/%s.yaml", KERNELS, kernels[kernel].path);
  const enum tandem_status status =
      tandem_job_open_with(t, path, kernels[kernel].parameters, kernels[kernel].n, &job, &err);
  if (run_job(status, job, &err) != TANDEM_OK)
    fail_msg("%s: %s %s", kernels[kernel].path, err.text, tandem_report(t));
  tandem_close(t);
}

/* Else the runs are no test. */
static void check_counts(enum flex_scheme scheme, unsigned link) {
  const struct replay_counts *n = &replay_counts;
  const bool sides = scheme == FLEX_OCC || scheme == FLEX_BAL, lent = scheme != FLEX_BASE;
  print_message("%s: operands %llu + %llu, results %llu + %llu, words %llu + %llu, hits %llu + "
                "%llu, misses %llu, drops %llu, fills %llu + %llu, dispatched %llu + %llu\n",
                flex_name(scheme), (unsigned long long)n->operands[0],
                (unsigned long long)n->operands[1], (unsigned long long)n->results[0],
                (unsigned long long)n->results[1], (unsigned long long)n->words[0],
                (unsigned long long)n->words[1], (unsigned long long)n->hits[0],
                (unsigned long long)n->hits[1], (unsigned long long)n->misses,
                (unsigned long long)n->drops, (unsigned long long)n->fills[0],
                (unsigned long long)n->fills[1], (unsigned long long)n->dispatched[0],
                (unsigned long long)n->dispatched[1]);
  assert_true(n->operands[0] > 10000 && n->results[0] > 10000 && n->words[0] > 1000 &&
              n->hits[0] > 100 && n->misses > 1000 && n->drops > 0 && n->dispatched[0] > 10000);
  assert_int_equal(n->operands[1] > 1000 && n->results[1] > 1000 && n->dispatched[1] > 1000, sides);
  assert_int_equal(n->words[1] > 100 && n->hits[1] > 20 && n->fills[1] > 20, lent);
  assert_int_equal(n->crossings > 100, sides && link < 3);
}

static void replay(enum flex_scheme scheme, unsigned stages, unsigned link) {
  struct tandem_config c = table2_gpu(FLEX_MEMBERS, scheme);
  const struct replay_run run = run_of(scheme, stages, link);
  c.feature.flex.dummy = stages;
  c.feature.flex.operand_planes = link;
  c.spread_registers = false;
  memset(&replay_counts, 0, sizeof replay_counts);
  for (unsigned i = 0; i < KERNELS_RUN; i++) {
    units_begin(&run);
    watch_begin(&run);
    run_kernel_of(&c, i);
    units_end();
  }
  check_counts(scheme, link);
}

TEST(base) { replay(FLEX_BASE, 1, 3); }
TEST(occ) { replay(FLEX_OCC, 1, 3); }
TEST(bal) { replay(FLEX_BAL, 1, 2); }
TEST(bigsm) { replay(FLEX_BIGSM, 1, 3); }
TEST(bigsm_occ) { replay(FLEX_BIGSM_OCC, 1, 3); }

/* With more stages, and links of each width. */
TEST(stages_and_links) {
  for (unsigned link = 1; link <= 3; link++) {
    replay(FLEX_OCC, 2, link);
    replay(FLEX_BAL, 2, link);
  }
}

int main(void) { return test_run(NULL, NULL); }
