/* Features of designs.yaml: variables, expressions, variants, and what is reckoned from a report.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "synth/model/figures.h"
#include "tests/synth/sample.h"
#include "tests/test.h"

static char root[] = "/tmp/tandem-features-XXXXXX";

static int start(void **state) {
  char folder[256];
  struct tandem_error err;
  (void)state;
  if (mkdtemp(root) == NULL)
    return -1;
  snprintf(folder, sizeof folder, "%s/synth/data", root);
  return files_folder(folder, &err);
}

static int stop(void **state) {
  (void)state;
  scratch_remove(root);
  return 0;
}

/* The project's features. */

static struct synth_designs load(const char *feature, const char *const *values, size_t n) {
  const struct synth_setting s = {feature, values, n, synth_figure_check};
  struct synth_designs d;
  struct tandem_error err;
  if (synth_designs_load(TANDEM_SOURCE_DIR, &s, &d, &err) != 0)
    fail_msg("%s", err.text);
  return d;
}

static const struct synth_cluster *variant_of(const struct synth_designs *d, const char *name) {
  for (size_t i = 0; i < d->nclusters; i++)
    if (strcmp(d->clusters[i].feature, "spu") == 0 && strcmp(d->clusters[i].variant, name) == 0)
      return &d->clusters[i];
  return NULL;
}

/* How many of a module a variant has as parts. */
static unsigned parts_of(const struct synth_designs *d, const char *variant, const char *module) {
  const struct synth_cluster *c = variant_of(d, variant);
  assert_non_null(c);
  unsigned n = 0;
  for (size_t i = 0; i < c->nparts; i++)
    if (strcmp(c->parts[i].spec.module, module) == 0)
      n += c->parts[i].count;
  return n;
}

static uint64_t parameter_of(const struct synth_designs *d, const char *variant, const char *name) {
  const struct synth_cluster *c = variant_of(d, variant);
  assert_non_null(c);
  for (size_t i = 0; i < c->nparts; i++)
    for (unsigned k = 0; k < c->parts[i].spec.n; k++)
      if (strcmp(c->parts[i].spec.parameters[k].name, name) == 0)
        return c->parts[i].spec.parameters[k].value;
  fail_msg("%s has no parameter %s", variant, name);
  return 0;
}

/* Links, lanes and channels of the thesis' 4 x 4 grid, and of others. */
TEST(grids_are_counted) {
  static const struct {
    const char *values[4];
    unsigned sms, links, slots, lanes, ius, channels;
  } grids[] = {{{NULL}, 16, 40, 16, 16, 16, 8},
               {{"columns=2", "rows=2"}, 4, 12, 4, 8, 8, 4},
               {{"columns=8", "rows=2"}, 16, 42, 16, 20, 20, 10},
               {{"bx=2", "by=2"}, 16, 144, 64, 32, 16, 16},
               {{"columns=3", "rows=1", "bx=2"}, 3, 19, 6, 14, 8, 7}};
  for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
    size_t n = 0;
    while (n < 4 && grids[i].values[n] != NULL)
      n++;
    struct synth_designs d = load("spu", grids[i].values, n);
    assert_int_equal(parts_of(&d, "SM, 4 KB", "comm_pair"), grids[i].links);
    assert_int_equal(parts_of(&d, "SM, 4 KB", "spu_slot"), grids[i].slots);
    assert_int_equal(parts_of(&d, "SM, 4 KB", "pass_seq"), grids[i].lanes);
    assert_int_equal(parts_of(&d, "SM, 4 KB", "sm_frontend"), grids[i].sms + grids[i].ius);
    assert_int_equal(parts_of(&d, "SM, 16 KB", "spill_chan"), grids[i].channels);
    assert_int_equal(parts_of(&d, "DMA, 4 KB", "spu_grid"), 1);
    assert_int_equal(variant_of(&d, "DMA, 4 KB")->members, grids[i].sms);
    assert_int_equal(variant_of(&d, "DMA, 4 KB")->sms, grids[i].sms);
    assert_int_equal(parameter_of(&d, "SM, 4 KB", "Slots"), grids[i].slots);
    assert_int_equal(parameter_of(&d, "SM, 4 KB", "Lanes"), grids[i].lanes);
    assert_int_equal(d.features[1].chosen, n > 0);
    synth_designs_free(&d);
  }
}

/* A variant has variables of its own, unless that is beyond the limits. */
TEST(variants_differ_or_are_left_out) {
  static const char *const long_grid[] = {"columns=16", "rows=4"};
  struct synth_designs d = load(NULL, NULL, 0);
  assert_int_equal(parameter_of(&d, "DMA, 4 KB", "Columns"), 4);
  assert_int_equal(parts_of(&d, "DMA, 4 KB, 2 x 2 blocks", "comm_pair"), 144);
  assert_int_equal(parts_of(&d, "DMA, 4 KB, 2 x 2 blocks", "spu_slot"), 64);
  assert_int_equal(parts_of(&d, "DMA, 4 KB, 2 x 2 blocks", "sm_frontend"), 16);
  assert_int_equal(parameter_of(&d, "DMA, 4 KB, 2 x 2 blocks", "Slots"), 64);
  synth_designs_free(&d);
  d = load("spu", long_grid, 2); /* 64 SMs, 40 lanes; with blocks 80 lanes: 144 ports */
  assert_null(variant_of(&d, "DMA, 4 KB, 2 x 2 blocks"));
  assert_non_null(variant_of(&d, "DMA, 16 KB"));
  synth_designs_free(&d);
}

TEST(wrong_settings_are_refused) {
  static const struct {
    const char *feature, *values[2], *message;
  } cases[] = {
      {"spu", {"sizes=4"}, "spu has no parameter \"sizes\"; it has columns, rows, bx, by"},
      {"spu", {"px=4"}, "spu has no parameter \"px\""},
      {"spu", {"column=4"}, "spu has no parameter \"column\""},
      {"buddy", {"columns=4"}, "buddy has no parameter \"columns\"; it has none"},
      {"spu", {"columns"}, "NAME=VALUE is expected"},
      {"spu", {"columns="}, "--param columns: in \"\": a number"},
      {"spu", {"columns=0"}, "not from 1 to 16"},
      {"spu", {"columns=17"}, "not from 1 to 16"},
      {"spu", {"columns=-1"}, "not from 1 to 16"},
      {"spu", {"rows=2.5"}, "\"2.5\" is not a whole number"},
      {"spu", {"bx=4x"}, "\"4x\" is not a whole number"},
      {"spu",
       {"columns=16", "rows=16"},
       "spu: sms is 256 = columns * rows, and may be 128 at most"},
      {"spu", {"bx=4", "by=4"}, "spu: blocks is 16 = bx * by, and may be 8 at most"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct synth_setting s = {cases[i].feature, cases[i].values,
                                    cases[i].values[1] != NULL ? 2 : 1, synth_figure_check};
    struct synth_designs d;
    struct tandem_error err = {""};
    assert_int_equal(synth_designs_load(TANDEM_SOURCE_DIR, &s, &d, &err), -EINVAL);
    if (strstr(err.text, cases[i].message) == NULL)
      fail_msg("case %zu: %s", i, err.text);
  }
}

/* Features made up. */

static int load_text(const char *feature, const struct synth_setting *s, struct synth_designs *d,
                     struct tandem_error *err) {
  static const char head[] = "package: p\nsources: s\nclock: 100\nclocks: {clk_i: 1}\n"
                             "reset: r\nmemory_bits: 256\nsms: 16\n"
                             "baseline: {module: sm_frontend}\nfeatures:\n";
  char path[256], text[4096];
  struct tandem_error why;
  snprintf(path, sizeof path, "%s/synth/data/designs.yaml", root);
  snprintf(text, sizeof text, "%s%s", head, feature);
  assert_int_equal(files_write(path, text, strlen(text), &why), 0);
  return synth_designs_load(root, s, d, err);
}

/* The first line of a feature is line 10 of the file. */
TEST(wrong_features_are_refused) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"  - {name: f}\n", ":10: a feature has no clusters"},
      {"  - {clusters: []}\n", ":10: it has no name"},
      {"  - {name: f, units: {u: {}}, clusters: []}\n", ":10: it has no module"},
      {"  - {name: f, units: {u: {module: m}}, rows: [{part: p}], clusters: []}\n",
       ":10: it has no unit"},
      {"  - {name: f, figures: [{figure: p}], clusters: []}\n", ":10: it has no unit"},
      {"  - {name: f, clusters: [], size: 3}\n", ":10: unknown key \"size\" in a feature"},
      {"  - name: f\n    parameters: {a: {value: 2}, b: {is: a +}}\n    clusters: []\n",
       ":11: f: in \"a +\": a number, a name or \"(\" is missing"},
      {"  - name: f\n    parameters: {b: {is: a}, a: {value: 2}}\n    clusters: []\n",
       "there is no parameter \"a\""},
      {"  - name: f\n    parameters: {a: {value: 2, is: 3}}\n    clusters: []\n",
       ":11: a must have either a value or what it is"},
      {"  - name: f\n    parameters: {a: {value: 5, most: 4}}\n    clusters: []\n",
       ":11: a is 5, not from 1 to 4"},
      {"  - name: f\n    units: {u: {module: m, parameters: {P: 2 - 3}}}\n    clusters: []\n",
       ":11: P is -1, not from 0"},
      {"  - name: f\n    units: {u: {module: m, parameters: {P: q}}}\n    clusters: []\n",
       ":11: P: in \"q\": there is no parameter \"q\""},
      {"  - name: f\n    units: {u: {module: m}}\n    clusters:\n"
       "      - {members: 4, variant: v, parts: [{unit: w}]}\n",
       ":13: there is no unit \"w\""},
      {"  - name: f\n    clusters:\n      - {variant: v, parts: []}\n",
       ":12: a cluster has no members"},
      {"  - name: f\n    clusters:\n      - {members: 3, variant: v, parts: []}\n",
       "16 SMs are no clusters of 3"},
      {"  - name: f\n    clusters:\n      - {members: 4, variant: v, with: {a: 2}, parts: []}\n",
       ":12: with: the name of a parameter with a value is expected"},
      {"  - name: f\n    units: {u: {module: m}}\n    rows:\n      - {part: p, unit: v}\n"
       "    clusters: []\n",
       ":13: f has no unit \"v\""},
      {"  - name: f\n    units: {u: {module: m}}\n    clusters: []\n    figures:\n"
       "      - {figure: x, unit: W, ours: weight.u}\n",
       ":14: ours: in \"weight.u\": \"weight.u\" is no parameter of f"},
      {"  - name: f\n    units: {u: {module: m}}\n    clusters: []\n    figures:\n"
       "      - {figure: x, unit: W, ours: count.u}\n",
       ":14: ours: in \"count.u\": \"count.u\" is no parameter of f"},
      {"  - name: f\n    units: {u: {module: m}}\n    clusters: []\n    figures:\n"
       "      - {figure: x, unit: W, recomputed: gates.v}\n",
       ":14: recomputed: in \"gates.v\": \"gates.v\" is no parameter"},
      {"  - name: f\n    clusters: []\n    figures:\n"
       "      - {figure: x, unit: W, published: wires.hops}\n",
       ":13: published: in \"wires.hops\": \"wires.hops\" is no"},
      {"  - name: f\n    clusters: []\n    figures:\n"
       "      - {figure: x, unit: W, name: x, ours: ours.x}\n",
       ":13: ours: in \"ours.x\": \"ours.x\" is no parameter"},
  };
  static const struct synth_setting none = {NULL, NULL, 0, synth_figure_check};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct synth_designs d;
    struct tandem_error err = {""};
    assert_int_equal(load_text(cases[i].text, &none, &d, &err), -EINVAL);
    if (strstr(err.text, cases[i].message) == NULL)
      fail_msg("case %zu: %s", i, err.text);
  }
}

static const char made_up[] =
    "  - name: f\n"
    "    parameters: {n: {value: 3}, twice: {is: 2 * n}}\n"
    "    units:\n"
    "      score: {module: scoreboard}\n"
    "      cache: {module: icache}\n"
    "      decoder: {module: decode}\n"
    "      cluster: {module: buddy_cluster, parameters: {Members: 2}}\n"
    "      missing: {module: monitor, parameters: {Size: n}}\n"
    "    clusters: []\n"
    "    rows:\n"
    "      - {part: board, unit: score, count: twice}\n"
    "      - {part: boards, unit: cluster, own: true, times: 4}\n"
    "      - {part: gone, unit: missing}\n"
    "    figures:\n"
    "      - {figure: one, name: one, unit: gates, published: 2 * n, ours: gates.score + n}\n"
    "      - {figure: two, unit: W, recomputed: ours.one * 2, ours: leakage.cache}\n"
    "      - {figure: three, unit: \"\", ours: count.cluster.decoder, source: nowhere}\n"
    "      - {figure: four, unit: bits, recomputed: flip_flops.score, ours: memory_bits.cache}\n"
    "      - {figure: five, unit: mm, recomputed: wires.hop_mm, ours: gates.missing}\n"
    "      - {figure: six, unit: MHz, ours: fmax45.score}\n";

static struct synth_report *reckoned_for(struct technology_corner process,
                                         const struct synth_setting *s) {
  struct synth_report *r = sample_create();
  r->process = process;
  struct synth_designs d;
  struct tandem_error err = {""};
  if (load_text(made_up, s, &d, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(synth_figures_all(r, &d, "f", &err), 0);
  synth_designs_free(&d);
  return r;
}

/* A report with a library whose process is not known. */
static struct synth_report *reckoned(const struct synth_setting *s) {
  return reckoned_for((struct technology_corner){0, 0}, s);
}

static void near(double is, double expected) {
  if (!(fabs(is - expected) <= 1e-9 * fabs(expected)))
    fail_msg("%g instead of %g", is, expected);
}

TEST(figures_are_reckoned) {
  static const struct synth_setting none = {NULL, NULL, 0, synth_figure_check};
  struct synth_report *r = reckoned(&none);
  const struct synth_figure *x = r->figures;
  assert_int_equal(r->nfigures, 6);
  near(x[0].published, 6);
  near(x[0].ours, 50000 / 24.0 + 3);
  assert_true(isnan(x[0].recomputed));
  near(x[1].recomputed, 2 * x[0].ours);
  /* Bits at 0.436 uW; of the published 0.06783 W the bits of the baseline leave the rest to cells:
   * 24,000 of its 93,500 um2 (two decoders). */
  const double bits_w = 34816 * 0.436e-6;
  near(x[1].ours, bits_w + 24000 / 93500.0 * (0.06783 - bits_w));
  near(x[2].ours, 4);
  assert_string_equal(x[2].rule.source, "nowhere");
  near(x[3].recomputed, 300);
  near(x[3].ours, 34816);
  near(x[4].recomputed, 5);
  assert_true(isnan(x[4].ours)); /* the report has no such unit */
  assert_true(isnan(x[5].ours)); /* nothing scales from this library */
  sample_destroy(r);
}

/* From 180 to 45 nm delays are those of the published polynomials at 1.8 and 1 V. */
TEST(clocks_are_scaled) {
  static const struct synth_setting none = {NULL, NULL, 0, synth_figure_check};
  struct synth_report *r = reckoned_for((struct technology_corner){180, 1.8}, &none);
  const double slow = 97.09 * 1.8 * 1.8 - 356.7 * 1.8 + 406.5, fast = -501.6 + 1567 - 1619 + 566.1;
  near(r->figures[5].ours, 120 * slow / fast);
  sample_destroy(r);
}

TEST(rows_have_their_parts) {
  static const struct synth_setting none = {NULL, NULL, 0, synth_figure_check};
  struct synth_report *r = reckoned(&none);
  assert_int_equal(r->nparts, 2);
  assert_int_equal(r->parts[0].unit, SAMPLE_SCOREBOARD);
  assert_int_equal(r->parts[0].count, 6);
  near(synth_area(&r->parts[0].size), 50000);
  near(r->parts[0].fmax_mhz, 120);
  near(synth_area(&r->parts[1].size), 4 * 500);
  assert_true(isnan(r->parts[1].fmax_mhz)); /* its own are not timed */
  sample_destroy(r);
}

/* A feature whose SMs are not those of the designs: leakage is that of its own baseline, in a
 * report of all features too.  A variant has SMs of its own. */
TEST(features_may_have_a_baseline) {
  static const char own[] = "  - name: g\n"
                            "    baseline: {module: scoreboard}\n"
                            "    sms: 6\n"
                            "    units: {score: {module: scoreboard}, cache: {module: icache}}\n"
                            "    clusters:\n"
                            "      - {members: 2, variant: v, parts: [{count: 3, unit: score}]}\n"
                            "      - {members: 2, sms: 4, variant: w, parts: [{unit: score}]}\n"
                            "    figures:\n"
                            "      - {figure: one, unit: W, ours: leakage.score}\n"
                            "      - {figure: two, unit: mm2, ours: mm2.score - own_mm2.cache}\n"
                            "      - {figure: three, unit: mm2, ours: memory_mm2.cache}\n"
                            "      - {figure: four, unit: pJ, ours: cycle_pj.score}\n";
  static const struct synth_setting none = {NULL, NULL, 0, synth_figure_check};
  const struct technology_corner at180 = {180, 1.8}, at45 = {45, 0};
  struct synth_report *r = sample_create();
  struct synth_designs d;
  struct tandem_error err = {""};
  struct technology_factors f;
  r->process = at180;
  if (load_text(own, &none, &d, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(synth_figures_all(r, &d, NULL, &err), 0);
  assert_int_equal(technology_scale(&r->technology, at180, at45, &f, &err), 0);
  near(r->figures[0].ours, 0.06783);
  near(r->figures[1].ours, 1e-6 * (50000 - 24000) * f.area);
  near(r->figures[2].ours, 1e-6 * 8000 * f.area);
  near(r->figures[3].ours, 1e6 * 0.010 * 0.9 / 100 * f.energy);
  free(r->added);
  r->nadded = 0;
  assert_int_equal(synth_added_all(r, &d, NULL, &err), 0);
  assert_int_equal(r->nadded, 2);
  assert_int_equal(r->added[0].baseline_unit, SAMPLE_SCOREBOARD);
  near(r->added[0].area, 50000);
  near(r->added[0].percent, 50);
  assert_int_equal(r->added[0].sms, 6);
  assert_int_equal(r->added[1].sms, 4);
  synth_designs_free(&d);
  sample_destroy(r);
}

/* Published figures are those of the variables in the file. */
TEST(chosen_variables_have_no_publication) {
  static const char *const values[] = {"n=5"}, *const same[] = {"n=3"};
  const struct synth_setting five = {"f", values, 1, synth_figure_check},
                             three = {"f", same, 1, synth_figure_check};
  struct synth_report *r = reckoned(&five);
  assert_true(isnan(r->figures[0].published));
  near(r->figures[0].ours, 50000 / 24.0 + 5);
  assert_int_equal(r->parts[0].count, 10);
  sample_destroy(r);
  r = reckoned(&three);
  near(r->figures[0].published, 6);
  sample_destroy(r);
}

int main(void) { return test_run(start, stop); }
