/* The report of Flex SM: the parts of designs.yaml are those of the elaborated cluster, and
 * recomputed figures are those that follow from the paper's. */
#include <math.h>
#include <stdbool.h>

#include "tests/synth/feature.h"
#include "tests/test.h"

static int start(void **state) {
  *state = feature_report("flex", 100000); /* what is larger would take minutes */
  return 0;
}

static int stop(void **state) {
  synth_free(*state);
  return 0;
}

static void near(double is, double expected, double tolerance) {
  if (!(fabs(is - expected) <= tolerance))
    fail_msg("%g instead of %g", is, expected);
}

/* 12 SMs are two clusters of six.  Parts beside the front end are in no cluster. */
TEST(rows_count_what_clusters_have) {
  const struct synth_report *r = *state;
  const size_t cluster = feature_unit(r, "flex_cluster");
  unsigned compared = 0;
  for (size_t i = 0; i < r->nparts; i++) {
    const struct synth_of_part *p = &r->parts[i];
    const unsigned n =
        2 * feature_count(r, cluster, p->unit, p->own); /* own: of all kinds of members */
    if (n != 0 && n != p->times * p->count)
      fail_msg("%s: %u x %u, and clusters have %u", p->part, p->times, p->count, n);
    compared += n != 0;
  }
  assert_int_equal(compared, 15);
}

static const struct synth_added *added(const struct synth_report *r, const char *variant) {
  for (size_t i = 0; i < r->nadded; i++)
    if (strcmp(r->added[i].variant, variant) == 0)
      return &r->added[i];
  fail_msg("there is no variant \"%s\"", variant);
  return NULL;
}

/* Against front ends of 24 warps.  Members that need not be active have fewer near rows; each far
 * half has 24 rows of 2 x 79 bits and 16 entries of 96 bits. */
TEST(variants_are_sums) {
  const struct synth_report *r = *state;
  const struct synth_added *built = added(r, "as built"), *all = added(r, "all SMs");
  const struct synth_added *pair = added(r, "pairs"), *pairs = added(r, "pairs, 16 SMs");
  const size_t baseline = feature_unit(r, "sm_frontend_Warps24");
  assert_int_equal(r->baseline, baseline);
  for (size_t i = 0; i < r->nadded; i++)
    assert_int_equal(r->added[i].baseline_unit, baseline);
  const struct synth_size *active = &r->units[feature_unit(r, "flex_member_Left0_Right0")].whole,
                          *lending = &r->units[feature_unit(r, "flex_member_Active0")].whole,
                          *far = &r->units[feature_unit(r, "flex_context")].whole;
  assert_int_equal(far->memory_bits, 24 * (2 * 79 + 16 * 96));
  assert_int_equal(built->cluster.memory_bits, 4 * active->memory_bits + 2 * lending->memory_bits);
  assert_int_equal(all->cluster.memory_bits, 6 * active->memory_bits);
  assert_int_equal(pair->cluster.memory_bits, active->memory_bits + lending->memory_bits);
  assert_true(all->area > built->area && all->area / 6 > pair->area / 2);
  assert_int_equal(built->sms, 12);
  assert_int_equal(pairs->sms, 16);
  assert_true(pairs->area == pair->area);
}

/* The table of leakage that follows from the paper's table III, and its wires: 2,340 of 3.6 mm. */
TEST(recomputed_figures_follow_from_the_paper) {
  static const struct {
    const char *figure;
    double value, tolerance;
  } cases[] = {{"leakage of 12 SMs, Base", 54.44, 0.005},
               {"leakage of 12 SMs, Occ", 34.42, 0.005},
               {"leakage of 12 SMs, Bal", 41.24, 0.005},
               {"leakage of 12 SMs, BigSM", 34.44, 0.005},
               {"leakage of 12 SMs, BigSM_Occ", 34.64, 0.005},
               {"leakage of 12 SMs, half", 27.68, 0.005},
               {"leakage of 12 SMs, Occ, a part left", 35.44, 0.005},
               {"leakage of 12 SMs, Bal, a part left", 41.93, 0.005},
               {"leakage of 12 SMs, BigSM, a part left", 35.46, 0.005},
               {"leakage of 12 SMs, BigSM_Occ, a part left", 35.66, 0.005},
               {"leakage of 12 SMs, half, a part left", 29.04, 0.005},
               {"leakage of 12 SMs, Occ, Undiff on", 80.5, 0.05},
               {"leakage of 12 SMs, Bal, Undiff on", 87.3, 0.05},
               {"leakage of 12 SMs, BigSM, Undiff on", 80.6, 0.05},
               {"leakage of 12 SMs, BigSM_Occ, Undiff on", 81.0, 0.05},
               {"leakage of 12 SMs, half, Undiff on", 68.2, 0.05},
               {"wires of a pair", 2340, 5},
               {"area of the wires of a pair", 4.71, 0.01},
               {"wires of 8 pairs, of 520 mm2", 7.24, 0.01},
               {"wires of 6 pairs, of 520 mm2", 5.43, 0.01}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    near(feature_figure(*state, cases[i].figure)->recomputed, cases[i].value, cases[i].tolerance);
}

/* Figures of the RTL that the text of docs/results/flex_cost.md relies on. */
TEST(figures_are_those_of_the_text) {
  const struct synth_report *r = *state;
  near(feature_figure(r, "issue unit")->published, 0.0753, 0.0001);
  const double stages = feature_figure(r, "added to the issue unit by stages")->ours,
               warps = feature_figure(r, "added to the issue unit by 48 warps")->ours,
               both = feature_figure(r, "added to the issue unit, of its area")->ours;
  assert_true(stages > 0 && stages < 10 && warps > 85 && both > warps && both < 1.2 * warps);
  assert_true(feature_figure(r, "wires of a pair")->ours == 10090);
  assert_true(feature_figure(r, "wires of a pair, front end alone")->ours == 874);
  assert_true(feature_figure(r, "rows of 64 lanes: memory bits")->ours == 12288);
  const double edges = feature_figure(r, "boundary buffers and muxes of the front end")->ours,
               boundary = feature_figure(r, "boundary buffers and muxes")->ours;
  assert_true(edges > 0 && edges < 0.0887 && boundary > 0.0887);
  const double hop = feature_figure(r, "a wire and an edge")->ours,
               far = feature_figure(r, "request and answer of a borrowed row")->ours,
               near_by = feature_figure(r, "the same over 1.8 mm")->ours;
  assert_true(hop > 0.73 && hop < 1.43 && far > 1.43 && near_by < 1.43);
  const double bit = feature_figure(r, "a bit through a stage of an edge")->ours;
  assert_true(bit > 1 && bit < 10);
}

int main(void) { return test_run(start, stop); }
