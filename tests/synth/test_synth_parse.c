/* Parsers of the tools' files, libraries, and the arithmetic of the report. */
#include <unistd.h>

#include "synth/flow/parse.h"
#include "tests/synth/library.h"
#include "tests/test.h"

#define FROM_A LIBRARY_TIMES("A", "")
#define FROM_AB LIBRARY_TIMES("A B", "")
#define SETUP LIBRARY_SETUP("CK")
#define AFTER_CLOCK LIBRARY_AFTER_CLOCK("CK")

static const char library_text[] =
    "/* small */ library(small) { default_input_pin_cap : 0; " LIBRARY_HEAD "\n"
    "  cell (ND2A) { area : 6; pin(A) { direction : input; } pin(B) { direction : input; }\n"
    "    pin(Y) { direction : output; function : \"(!A) | (!B)\"; " FROM_AB " } }\n"
    "  cell (ND2B) { area : 4.5; pin(A) { direction : input; } pin(B) { direction : input; }\n"
    "    pin(Y) { direction : output; function : \"(A B)'\"; " FROM_AB " } }\n"
    "  cell (NR2) { area : 3; pin(A) { direction : input; } pin(B) { direction : input; }\n"
    "    pin(Y) { direction : output; function : \"!(A+B)\"; " FROM_AB " } }\n"
    "  cell (BF) { area : 2; pin(A) { direction : input; }\n"
    "    pin(Z) { direction : output; function : \"A\"; " FROM_A " } }\n"
    "  cell (FF) { area : 10; ff(IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }\n"
    "    pin(D) { direction : input; " SETUP " } pin(CK) { direction : input; clock : true; }\n"
    "    pin(Q) { direction : output; function : \"IQ\"; " AFTER_CLOCK " } }\n"
    "}\n";

/* A file of this text; its path is the result's. */
static char *file_of(const char *text) {
  static char path[64];
  strcpy(path, "/tmp/test_synth_XXXXXX");
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  return path;
}

TEST(functions_become_truth_tables) {
  struct liberty l;
  struct tandem_error err;
  assert_int_equal(liberty_parse(library_text, "small.lib", &l, &err), 0);
  assert_int_equal(l.ncells, 5);
  assert_string_equal(l.name, "small");
  assert_int_equal(liberty_find(&l, "ND2A")->table, 0x7);
  assert_int_equal(liberty_find(&l, "ND2B")->table, 0x7);
  assert_int_equal(liberty_find(&l, "NR2")->table, 0x1);
  assert_int_equal(liberty_find(&l, "BF")->table, 0x2);
  assert_true(liberty_find(&l, "FF")->sequential);
  assert_false(liberty_find(&l, "BF")->sequential);
  liberty_free(&l);
}

TEST(smallest_nand_is_the_gate) {
  struct liberty l;
  struct synth_library info;
  struct tandem_error err;
  char *path = file_of(library_text);
  assert_int_equal(synth_library_load(&(const char *){path}, 1, "/tmp", &l, &info, &err), 0);
  assert_string_equal(info.nand2_name, "ND2B");
  assert_float_equal(info.nand2, 4.5, 1e-9);
  assert_string_equal(info.driver, "BF");
  assert_string_equal(info.driver_pin, "Z");
  liberty_free(&l);
  unlink(path);
}

TEST(libraries_that_cannot_be_used) {
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"", ":1: not a Liberty file"},
      {"module x; endmodule", ":1: not a Liberty file"},
      {"library(x) {\n  cell(A) {\n    area : 1;\n", ":4: not a Liberty file"},
      {"library(x) {\n}\n", "it has no cells"},
      {"library(x) {\n cell(A) { area : 1; }\n}\n", "none of its 1 cells is a NAND"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct liberty l;
    struct synth_library info;
    struct tandem_error err;
    char *path = file_of(cases[i].text);
    assert_true(synth_library_load(&(const char *){path}, 1, "/tmp", &l, &info, &err) < 0);
    if (strstr(err.text, cases[i].says) == NULL || strstr(err.text, path) == NULL)
      fail_msg("case %zu: %s", i, err.text);
    assert_non_null(strstr(err.text, "--liberty"));
    unlink(path);
  }
}

/* Groups have their meaning in their places alone; names are texts that folders can have. */
TEST(groups_elsewhere_are_passed_over) {
  static const char text[] =
      "library(\"../x\\n y\") { type(t) { bit_width : 8; }\n"
      " cell(a) { area : 1; bus(b) { bus_type : t; library(y) { cell(c) { area : 2; } } } }\n"
      " cell(d) { cell(e) { area : 3; pin(p) { } type(u) { bit_width : 3; } } pin(q) { pin(r) { } "
      "} }\n"
      " pin(z) { direction : output; } bus(y) { } type(v) { type(w) { bit_width : 4; } }\n}\n";
  struct liberty l;
  struct tandem_error err;
  assert_int_equal(liberty_parse(text, "x.lib", &l, &err), 0);
  assert_int_equal(l.ncells, 2);
  assert_float_equal(l.cells[0].area, 1, 0);
  assert_int_equal(l.cells[0].nports, 1);
  assert_int_equal(l.cells[0].ports[0].width, 8);
  assert_float_equal(l.cells[1].area, 0, 0);
  assert_int_equal(l.cells[1].nports, 1);
  assert_string_equal(l.name, ".._x\\n_y");
  liberty_free(&l);
}

TEST(cells_are_summed_by_kind) {
  struct liberty l;
  struct synth_size s;
  struct tandem_error err;
  assert_int_equal(liberty_parse(library_text, "small.lib", &l, &err), 0);
  char *path =
      file_of("\n=== other ===\n\n   Number of cells:   9\n     FF   9\n"
              "\n=== top ===\n\n   Number of wires:   7\n   Number of cells:   6\n"
              "     FF                              2\n     ND2A                            3\n"
              "     child_Depth4                    1\n\n   Chip area: 1\n");
  assert_int_equal(synth_parse_stat(path, "top", &l, &s, &err), 0);
  assert_int_equal(s.cells, 5);
  assert_int_equal(s.sequential_cells, 2);
  assert_float_equal(s.sequential, 20, 1e-9);
  assert_float_equal(s.combinational, 18, 1e-9);
  assert_true(synth_parse_stat(path, "missing", &l, &s, &err) < 0);
  liberty_free(&l);
  unlink(path);
}

/* The path of another group, and the worst one. */
static const char other_path[] =
    "Startpoint: c_q\\FF (rising edge-triggered flip-flop clocked by clk_i)\n"
    "Endpoint: d_q\\FF (rising edge-triggered flip-flop clocked by clk_i)\n"
    "   0.2000    0.2000 v c_q\\FF/Q (FF)\n"
    "             0.2000   data arrival time\n"
    "            %s   slack (MET)\n\n";
static const char path_text[] =
    "Startpoint: a_q[3]\\FF (rising edge-triggered flip-flop clocked by clk_i)\n"
    "Endpoint: b_q\\FF (rising edge-triggered flip-flop clocked by clk_i)\n"
    "    Delay      Time   Description\n"
    "   0.0000    0.0000   clock clk_i (rise edge)\n"
    "   0.0000    0.0000   clock network delay (ideal)\n"
    "   0.0000    0.0000 ^ a_q[3]\\FF/CK (FF)\n"
    "   0.2000    0.2000 v a_q[3]\\FF/Q (FF)\n"
    "   0.1000    0.3000 ^ u/_12_/Y (ND2A)\n"
    "   0.1000    0.4000 v _13_/Y (ND2A)\n"
    "   0.0000    0.4000 v b_q\\FF/D (FF)\n"
    "             0.4000   data arrival time\n"
    "            10.0000 ^ b_q\\FF/CK (FF)\n"
    "             9.5000   slack (MET)\n";

TEST(path_has_its_ends_and_depth) {
  static const char *const slacks[] = {"9.7000", "19.7000"};
  for (unsigned i = 0; i < 4; i++) {
    struct synth_timing t = {0};
    struct tandem_error err;
    char text[2048], other[512];
    snprintf(other, sizeof other, other_path, slacks[i / 2]);
    snprintf(text, sizeof text, "%s%s", i % 2 ? other : path_text, i % 2 ? path_text : other);
    char *path = file_of(text);
    assert_int_equal(synth_parse_path(path, &t, &err), 0);
    assert_string_equal(t.start, "a_q[3]");
    assert_string_equal(t.end, "b_q");
    assert_int_equal(t.depth, 3); /* the register, two gates */
    assert_string_equal(t.path, path_text);
    free(t.path);
    unlink(path);
  }
}

TEST(power_and_period_are_read) {
  struct synth_power p = {0};
  struct synth_timing t = {0};
  struct tandem_error err;
  char *path = file_of("Sequential 1 2 3 6 50%\n----\n"
                       "Total  3.5e-02 4.0e-03 6e-07 3.9e-02 100.0%\nClocks 0.001 0.01\n"
                       "Memories 5e-3 2e-7\n");
  assert_int_equal(synth_parse_power(path, &p, &err), 0);
  assert_float_equal(p.internal_w, 1.25e-2, 1e-9);
  assert_float_equal(p.macro_internal_w, 2.5e-3, 1e-9);
  assert_float_equal(p.switching_w, 3e-3, 1e-9);
  assert_float_equal(p.leakage_w, 4e-7, 1e-12);
  assert_float_equal(p.macro_leakage_w, 2e-7, 1e-12);
  unlink(path);
  path = file_of("slack -4.5\nperiod 8\n");
  assert_int_equal(synth_parse_fmax(path, &t, &err), 0);
  assert_float_equal(t.slack_ns, -4.5, 1e-9);
  assert_float_equal(t.fmax_mhz, 125, 1e-9);
  unlink(path);
  path = file_of("nothing\n");
  assert_true(synth_parse_fmax(path, &t, &err) < 0);
  assert_true(synth_parse_power(path, &p, &err) < 0);
  unlink(path);
}

/* front (10 + two leaves of 5) is the baseline; a cluster of 2: two fronts, three leaves. */
TEST(added_is_parts_less_baseline) {
  struct synth_child in_front = {1, 2}, in_pair[] = {{0, 2}, {1, 3}};
  struct synth_unit units[3] = {
      {.spec = {.module = "front"},
       .children = &in_front,
       .nchildren = 1,
       .own = {.cells = 4, .combinational = 10, .memory_bits = 512, .memories = 1},
       .power = {.internal_w = 8}},
      {.spec = {.module = "leaf"}, .own = {.cells = 1, .sequential = 5}, .power = {.leakage_w = 1}},
      {.spec = {.module = "pair"},
       .children = in_pair,
       .nchildren = 2,
       .own = {.cells = 2, .combinational = 3},
       .power = {.switching_w = 20}},
  };
  struct synth_report r = {.units = units, .nunits = 3, .baseline = 0}, *const report = &r;
  report->library.nand2 = 2;
  struct synth_cluster clusters[2] = {
      {.feature = "f",
       .members = 2,
       .baseline = {.module = "front"},
       .nparts = 1,
       .parts = {{.spec = {.module = "pair"}, .count = 1}}},
      {.feature = "f",
       .members = 2,
       .baseline = {.module = "front"},
       .nparts = 2,
       .parts = {{.spec = {.module = "pair"}, .count = 1, .own = true},
                 {.spec = {.module = "front"}, .count = 3}}}};
  const struct synth_designs d = {.clusters = clusters, .nclusters = 2};
  struct tandem_error err;
  synth_rollup(&r);
  assert_float_equal(synth_area(&units[0].whole), 20, 1e-9);
  assert_int_equal(units[0].whole.cells, 6);
  assert_float_equal(synth_area(&units[2].whole), 58, 1e-9);
  assert_int_equal(synth_added_all(&r, &d, NULL, &err), 0);
  assert_int_equal(r.nadded, 2);
  assert_float_equal(r.added[0].area, 18, 1e-9); /* 58 - 40 */
  assert_float_equal(r.added[0].percent, 45, 1e-9);
  assert_int_equal(r.added[0].memory_bits, 0);
  assert_float_equal(r.added[0].power_percent, 25, 1e-9); /* 20 instead of 16 */
  assert_float_equal(synth_gates(&r, r.added[0].area), 9, 1e-9);
  assert_float_equal(r.added[1].area, 23, 1e-9); /* 3 + 60 - 40 */
  assert_int_equal(r.added[1].memory_bits, 512);
  assert_float_equal(r.added[1].memory_percent, 50, 1e-9);
  /* Own power of pair: 20 - 2 * 8 - 3 * 1; three fronts: 24; less 16. */
  assert_float_equal(r.added[1].power_percent, 100 * (1 + 24 - 16) / 16.0, 1e-9);
  free(r.added);
}

int main(void) { return test_run(NULL, NULL); }
