/* Scaling, memory macros and wires: values computed by hand from the figures of
 * synth/data/technology.yaml and those that the papers print. */
#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "synth/report/papers.h"
#include "tests/test.h"

static struct technology table;

static int load(void **state) {
  (void)state;
  struct tandem_error err = {""};
  if (technology_load(&table, TECHNOLOGY_YAML, &err) != 0)
    fail_msg("%s", err.text);
  return 0;
}

static void near(double value, double wanted, double share) {
  if (!(fabs(value - wanted) <= share * fabs(wanted)))
    fail_msg("%.6g instead of %.6g", value, wanted);
}

static struct technology_factors scaled(double from, double from_vdd, double to, double to_vdd) {
  struct technology_factors f;
  struct tandem_error err = {""};
  if (technology_scale(&table, (struct technology_corner){from, from_vdd},
                       (struct technology_corner){to, to_vdd}, &f, &err) != 0)
    fail_msg("%s", err.text);
  return f;
}

/* 180 nm at 1.8 V has a delay of 79.02 and an energy of 47.47 in the table's units, 45 nm at 1 V
 * 12.5 and 0.8612. */
TEST(scaling) {
  const struct technology_factors f = scaled(180, 1.8, 45, 1.0);
  near(f.area, 0.053, 1e-9);
  near(f.delay, 12.5 / 79.0116, 1e-4);
  near(f.energy, 0.8612 / 47.4696, 1e-4);
  const struct technology_factors same = scaled(130, 1.2, 130, 1.2);
  near(same.area, 1, 1e-12), near(same.delay, 1, 1e-12), near(same.energy, 1, 1e-12);
  /* There and back, by a size that is not in the table, is 1. */
  const struct technology_factors there = scaled(180, 0, 40, 0), back = scaled(40, 0, 180, 0);
  near(there.area * back.area, 1, 1e-12);
  near(there.delay * back.delay, 1, 1e-12);
  near(there.energy * back.energy, 1, 1e-12);
}

/* The example of the source's corrigendum: 1 pJ at 65 nm and 1.3 V is 0.1755 pJ at 32 nm, 0.9 V. */
TEST(published_example) { near(scaled(65, 1.3, 32, 0.9).energy, 0.1755, 1e-3); }

TEST(between_processes) {
  const struct technology_factors at45 = scaled(180, 0, 45, 1), at40 = scaled(180, 0, 40, 1),
                                  at32 = scaled(180, 0, 32, 1);
  near(at40.area, at45.area * (40.0 / 45) * (40.0 / 45), 1e-12);
  near(at40.delay, at45.delay + 5.0 / 13 * (at32.delay - at45.delay), 1e-12);
  near(at40.energy, at45.energy + 5.0 / 13 * (at32.energy - at45.energy), 1e-12);
}

TEST(libraries) {
  struct technology_corner corner = {0, 0};
  assert_true(technology_process(&table, "osu018_stdcells", &corner));
  near(corner.nm, 180, 0), near(corner.vdd, 1.8, 0);
  assert_true(technology_process(&table, "sky130_fd_sc_hd__tt_025C_1v80", &corner));
  near(corner.nm, 130, 0);
  assert_false(technology_process(&table, "osu", &corner));
  assert_false(technology_process(&table, "my_osu018", &corner));
  near(technology_latch_um2(&table, "osu018_stdcells"), 56, 0);
  near(technology_latch_um2(&table, "sky130_fd_sc_hd__tt_025C_1v80"), 0, 0);
}

TEST(beyond_the_table) {
  struct technology_factors f;
  struct tandem_error err = {""};
  assert_int_equal(technology_scale(&table, (struct technology_corner){250, 0},
                                    (struct technology_corner){45, 0}, &f, &err),
                   -EINVAL);
  assert_non_null(strstr(err.text, "250 nm"));
  assert_non_null(strstr(err.text, "32 to 180 nm"));
  assert_int_equal(technology_scale(&table, (struct technology_corner){180, 0},
                                    (struct technology_corner){45, 5}, &f, &err),
                   -EINVAL);
  assert_non_null(strstr(err.text, "5 V"));
}

static struct technology_macro macro_of(unsigned long words, unsigned width, unsigned ports,
                                        double nm) {
  struct technology_macro m;
  struct tandem_error err = {""};
  const struct technology_memory memory = {words, width, ports};
  if (technology_macro(&table, &memory, (struct technology_corner){nm, 0}, &m, &err) != 0)
    fail_msg("%s", err.text);
  return m;
}

/* A 4 KB instruction cache read 64 bits at a time is the article's: 32 pJ. */
TEST(memories) {
  const struct technology_macro cache = macro_of(512, 64, 1, 45);
  near(cache.access_pj, 32, 1e-9);
  near(cache.area_um2, 32768 * 0.742, 1e-9);
  near(cache.leakage_uw, 32768 * 0.436, 1e-9);
  near(cache.access_ns, 0.7, 1e-9);
  near(macro_of(128, 64, 1, 45).access_ns, 0.35, 1e-9);
  near(macro_of(16, 16, 1, 45).access_ns, 0.16, 1e-9); /* as fast as it gets */
  near(macro_of(128, 64, 1, 45).access_pj, 16, 1e-9);
  near(macro_of(512, 64, 3, 45).area_um2, cache.area_um2 * 1.7 * 1.7, 1e-9);
  const struct technology_macro old = macro_of(512, 64, 1, 180);
  near(old.area_um2, cache.area_um2 / 0.053, 1e-9);
  near(old.access_pj, 32 * 47.4696 / 0.8612, 1e-3);
}

/* By hand: the wires of a cluster of 4 are 1 + 2 + 3 hops of 80 wires of 5 mm, four times over; the
 * other network has 16 x 6 x 256 x 2 wires of 8.48 mm. */
TEST(wires) {
  struct technology_wiring w;
  technology_wiring(&table, &(struct technology_links){4, 16, 64, 16, false}, &w);
  near(w.wire_mm, 9600, 1e-9);
  near(w.area_mm2, 9600 * 0.56e-3, 1e-9);
  near(w.share_crossbar, 0.023, 0.01);
  technology_wiring(&table, &(struct technology_links){2, 16, 64, 16, false}, &w);
  near(w.wire_mm, 8 * 5 * 80, 1e-9);
  /* Member 2 leads member 3, too; of eight, 2, 4 and 6 do: 28 + 1 + 6 + 1 hops. */
  technology_wiring(&table, &(struct technology_links){4, 16, 64, 16, true}, &w);
  near(w.wire_mm, 4 * 7 * 5 * 80, 1e-9);
  technology_wiring(&table, &(struct technology_links){8, 16, 64, 16, true}, &w);
  near(w.wire_mm, 2 * 36 * 5 * 80, 1e-9);
  near(technology_move_pj(&table, 64, 1, false), 16, 1e-9);
  near(technology_move_pj(&table, 64, 1, true), 96, 1e-9);
  near(technology_move_pj(&table, 10, 3, false), 7.5, 1e-9);
}

static const struct papers_row *row_of(const struct papers_row *rows, const char *figure) {
  for (unsigned i = 0; i < PAPERS_ROWS; i++)
    if (strcmp(rows[i].figure, figure) == 0)
      return &rows[i];
  fail_msg("no row %s", figure);
  return NULL;
}

TEST(papers) {
  struct papers_measured m = {.monitor_bits = {1536, 760},
                              .monitor_bits_built = 1540,
                              .scoreboard_bits = 1000,
                              .added_bits = 200,
                              .scoreboard_power = 0.002,
                              .leader_scoreboard_power = 0.0026,
                              .flit_changes = NAN,
                              .icache_pj = 40,
                              .down = 65,
                              .up = 17};
  struct papers_row rows[PAPERS_ROWS];
  papers_compare(&table, &m, rows);
  const struct papers_row *bits = row_of(rows, "monitor bits added, clusters of 4");
  near(bits->paper, 768, 0), near(bits->recomputed, 768, 0), near(bits->ours, 760, 0);
  near(row_of(rows, "monitor bits, clusters of 4 that can split")->ours, 1540, 0);
  const struct papers_row *power = row_of(rows, "power added to a leader's scoreboard");
  near(power->recomputed, 20, 1e-9), near(power->ours, 30, 1e-9);
  const struct papers_row *noc = row_of(rows, "cluster NoC over SM-L2 network, 4");
  near(noc->recomputed, 2.3, 0.01), near(noc->ours, 2.303 * 93 / 80 * 7 / 6, 0.01);
  const struct papers_row *move = row_of(rows, "moving an instruction one hop");
  near(move->paper, 16, 0), near(move->recomputed, 16, 1e-9), near(move->ours, 16.25, 1e-9);
  const struct papers_row *read = row_of(rows, "reading it from the instruction cache");
  near(read->recomputed, 32, 1e-9), near(read->ours, 40, 1e-9);
  assert_non_null(strstr(power->ours_how, "assumed"));
  m.down = 0;
  m.power_measured = true;
  m.flit_changes = 20;
  papers_compare(&table, &m, rows);
  assert_true(isnan(row_of(rows, "cluster NoC over SM-L2 network, 4")->ours));
  assert_non_null(
      strstr(row_of(rows, "power added to a leader's scoreboard")->ours_how, "measured"));
  move = row_of(rows, "moving an instruction one hop");
  near(move->ours, 5, 1e-9);
  assert_non_null(strstr(move->ours_how, "measured"));
}

/* Numbers are found by the names of section and key. */
TEST(numbers) {
  static const struct {
    const char *name;
    double value;
  } cases[] = {{"leakage.simd_w", 0.038},
               {"leakage.register_file_bits", 524288},
               {"memories.leakage_bit_uw", 0.436},
               {"wires.hop_mm", 5},
               {"gating.leakage_left", 0.05},
               {"wires.die_mm", NAN},
               {"simd_w", NAN},
               {"leakage.", NAN},
               {"wires.simd_w", NAN},
               {"fires.hop_mm", NAN}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    double value = -1;
    const bool found = technology_number(&table, cases[i].name, &value);
    if (found != !isnan(cases[i].value) || (found && value != cases[i].value))
      fail_msg("%s: %d, %g", cases[i].name, found, value);
  }
  /* A bit of the register file leaks what the memories' do. */
  near(0.228586e6 / 524288, table.memory.leakage_bit_uw, 1e-3);
}

/* A file that lacks something, or has something else, is refused with its line. */
TEST(bad_files) {
  static const char process[] =
      "processes:\n  - {nm: 45, area: 1, vdd: 1, delay: [0, 0, 0, 1], energy: [0, 0, 1]}\n";
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "is empty"},
      {"processes: 3\n", "libraries is missing"},
      {"%s  - {nm: 90, area: 1, vdd: 1, delay: [0, 0, 0, 1], energy: [0, 0, 1]}\n"
       "libraries: []\ntargets: []\nmemories: {}\ngating: {}\nleakage: {}\nwires: {}\n",
       "from the largest to the smallest"},
      {"processes: []\nlibraries: []\ntargets: []\nmemories: {}\ngating: {}\nleakage: {}\nwires: "
       "{}\n",
       "1 to 16 processes"},
      {"%slibraries: []\ntargets: [22]\nmemories: {}\ngating: {}\nleakage: {}\nwires: {}\n",
       ":4: a target of 22 nm"},
      {"%slibraries: []\ntargets: [45]\nmemories: {bit_um2: -1}\ngating: {}\nleakage: {}\nwires: "
       "{}\n",
       ":5: bit_um2"},
      {"%slibraries: [{name: a, nm: 45}]\ntargets: []\nmemories: {}\ngating: {}\nleakage: "
       "{}\nwires: {}\n",
       ":3: a library has no vdd"},
      {"%slibraries: [{nm: 45, vdd: 1}]\ntargets: []\nmemories: {}\ngating: {}\nleakage: "
       "{}\nwires: {}\n",
       ":3: a library has no name"},
      {"%slibraries: [{name: a, nm: 90, vdd: 1}]\ntargets: []\nmemories: {}\ngating: {}\nleakage: "
       "{}\nwires: "
       "{}\n",
       "nothing scales to 90 nm at 1 V"},
      {"%slibraries: []\ntargets: [45]\nmemories: {bits: 1}\ngating: {}\nleakage: {}\nwires: {}\n",
       "bits"},
      {"%slibraries: []\ntargets: [45]\nmemories: {bits: 1}\ngating: {}\nwires: {}\n",
       "leakage is missing"},
      {"processes:\n  - {nm: 45, area: 1, vdd: 1, delay: [1], energy: [0, 0, 1]}\n"
       "libraries: []\ntargets: []\nmemories: {}\ngating: {}\nleakage: {}\nwires: {}\n",
       "delay must have 4 factors"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[] = "/tmp/technologyXXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *file = fdopen(fd, "w");
    assert_non_null(file);
    const char *text = cases[i].text;
    if (strncmp(text, "%s", 2) == 0)
      fprintf(file, "%s%s", process, text + 2);
    else
      fputs(text, file);
    fclose(file);
    struct technology t;
    struct tandem_error err = {""};
    const int status = technology_load(&t, path, &err);
    unlink(path);
    assert_int_equal(status, -EINVAL);
    if (strstr(err.text, cases[i].message) == NULL)
      fail_msg("case %u: %s", i, err.text);
  }
  struct technology t;
  struct tandem_error err = {""};
  char folder[] = "/tmp/technologyXXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/none.yaml", folder);
  assert_int_equal(technology_load(&t, path, &err), -ENOENT);
  rmdir(folder);
}

int main(void) { return test_run(load, NULL); }
