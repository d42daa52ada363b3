/* Activity of a tiny netlist, from its model to OpenSTA's power, against what is worked out by
 * hand. */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>

#include "csim/util/scratch.h"
#include "harness/activity/local.h"
#include "tests/test.h"

static struct tandem_config *config;
static struct clock_gate gate; /* of tiny.lib */
static char folder[] = "/tmp/tandem-activity-XXXXXX";
static const struct activity_clock clocks[] = {{"clk_i", 1}, {"noc_clk_i", 2}, {NULL, 0}};
static const char *const files[] = {HERE "/tiny.v"};

static int make_folder(void **state) {
  (void)state;
  config = tandem_config_create();
  struct liberty l = {0};
  char *text;
  assert_int_equal(files_read(HERE "/tiny.lib", &text, NULL, NULL), 0);
  assert_int_equal(liberty_parse(text, "tiny.lib", &l, NULL), 0);
  clock_gate_find(&l, &gate);
  liberty_free(&l);
  free(text);
  assert_string_equal(gate.cells, "CG");
  return config != NULL && mkdtemp(folder) != NULL ? 0 : -1;
}

static int drop_folder(void **state) {
  (void)state;
  tandem_config_destroy(config);
  scratch_remove(folder);
  return 0;
}

static struct activity_request request(void) {
  struct activity_request q = {.root = ROOT,
                               .folder = folder,
                               .liberty = HERE "/tiny.lib",
                               .gate = &gate,
                               .mhz = 100,
                               .assumed = 0.1,
                               .clocks = clocks,
                               .reset = "rst_ni",
                               .ways = {{"tiny", files, 1}},
                               .shim = HERE "/tiny_shim.cpp",
                               .config = config};
  return q;
}

static const struct activity_row *row(const struct activity_result *r, const char *path) {
  for (size_t i = 0; i < r->nrows; i++)
    if (strcmp(r->rows[i].path, path) == 0)
      return &r->rows[i];
  fail_msg("no row \"%s\"", path);
  return NULL;
}

static void near(double got, double expected) {
  if (!(fabs(got - expected) <= 1e-4 * fabs(expected) + 1e-15))
    fail_msg("%.6e, expected %.6e", got, expected);
}

/* In 12 of the 16 cycles: 8 with en_i, which rises and falls. */
TEST(tiny) {
  const struct activity_request q = request();
  struct activity_model model;
  struct activity_result r = {0};
  struct netlist_counts counts;
  struct tandem_error err;
  char path[1200];
  if (activity_model_make(&q, &model, &err) != 0)
    fail_msg("%s", err.text);
  snprintf(path, sizeof path, "%s/model.so", model.folder);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    fail_msg("%s", dlerror());
  void (*run)(uint64_t, uint64_t, struct netlist_counts *);
  *(void **)&run = dlsym(library, "tiny_run");
  assert_non_null(run);
  run(2, 14, &counts);
  assert_int_equal(counts.cycles, 12);
  assert_int_equal(counts.samples, 48);
  assert_int_equal(counts.nets, 15);
  assert_int_equal(counts.nmemories, 1);
  if (activity_power(&q, &model, &counts, &r, &err) != 0)
    fail_msg("%s", err.text);

  /* The part that the gated clock drives: 8 of 12 pulses, at each of which q and d change. */
  const double hz = 100e6, part = 8.0 / 12;
  const struct activity_row *inner = row(&r, "u_inner");
  assert_int_equal(inner->cells, 2);
  assert_int_equal(inner->nets, 2);
  near(inner->changes, part);
  near(inner->switching_w, 2 * 0.5 * 0.01e-12 * 2 * 2 * part * hz);
  near(inner->internal_w, 0.04e-12 * part * hz);
  near(inner->clock_w, 0.08e-12 * part * hz);
  near(inner->leakage_w, 10e-9);
  /* Its clock is assumed to pulse in half of the cycles. */
  near(inner->assumed_w, (2 * 0.5 * 0.01e-12 * 4 * 0.1 + 0.04e-12 * 0.1 + 0.04e-12) * hz);

  /* The part behind the integrated gate: as many pulses, although its enable changes while the
   * clock is high. */
  const struct activity_row *kept = row(&r, "u_kept");
  near(kept->changes, part);
  near(kept->clock_w, 0.08e-12 * part * hz);
  near(kept->assumed_w, inner->assumed_w);

  /* The part on the clock that is twice as fast, and never gated. */
  const struct activity_row *twice = row(&r, "u_twice");
  assert_int_equal(twice->cells, 2);
  near(twice->changes, 2);
  near(twice->switching_w, 2 * 0.5 * 0.01e-12 * 2 * 2 * 2 * hz);
  near(twice->internal_w, 0.04e-12 * 2 * hz);
  near(twice->clock_w, 0.08e-12 * 2 * hz);
  near(twice->assumed_w, (2 * 0.5 * 0.01e-12 * 4 * 0.1 + 0.04e-12 * 0.1 + 0.08e-12) * 2 * hz);

  /* The gates, whose outputs are clocks, and the register on the clock itself.  The clock pin of
   * the integrated gate has all pulses; the register changes its enable twice. */
  const struct activity_row *top = row(&r, "");
  assert_int_equal(top->cells, 3);
  near(top->changes, (16 + 16 + 2) / 12.0 / 3);
  near(top->switching_w, 0.5 * 0.01e-12 * 2 * 2 * 2 / 12 * hz);
  near(top->internal_w, 0);
  near(top->clock_w, (2 + part) * 0.08e-12 * hz);
  near(top->leakage_w, 23e-9);
  /* Half of the changes of the AND's enable reach its output. */
  near(top->assumed_w, (0.5 * 0.01e-12 * 4 * 0.1 + 2.5 * 0.08e-12 + 0.5 * 0.04e-12 * 0.1) * hz);

  /* The memory: row 0 is another one cycle after en_i; the register is in 8 cycles. */
  assert_int_equal(r.nmemories, 1);
  assert_string_equal(r.memories[0].path, "");
  assert_int_equal(r.memories[0].words, 4);
  assert_int_equal(r.memories[0].width, 1);
  assert_int_equal(r.memories[0].ports, 3);
  assert_int_equal(r.memories[0].reads, 2 + 8);
  assert_int_equal(r.memories[0].writes, 12);
  activity_free(&r);
  activity_model_free(&model);
  dlclose(library);
}

/* A netlist that does something else fails with lockstep's report: of the front end, of a pair. */
TEST(mismatch) {
  static const char job[] = "set root {" ROOT "}\nsource {" HERE "/idle.tcl}\n";
  static const char *const tops[] = {"sm_frontend", "member1", "member2", "cluster"};
  char yosys[512], path[1200], names[4][1200];
  const char *file[4];
  struct tandem_error err;
  struct activity_request q = request();
  struct activity_result r;
  char *report;
  snprintf(path, sizeof path, "%s/job.tcl", folder);
  assert_int_equal(synth_tool("yosys", "yosys", yosys, sizeof yosys, &err), 0);
  assert_int_equal(files_write(path, job, sizeof job - 1, &err), 0);
  const char *const argv[] = {yosys, "-q", "-c", "job.tcl", NULL};
  if (activity_tool(argv, folder, "yosys", &err) != 0)
    fail_msg("%s", err.text);
  q.shim = NULL;
  q.kernel = ROOT "/tests/kernels/vecadd/vecadd.yaml";
  q.to = 1000;
  struct tandem_config *c = tandem_config_copy(config);
  assert_non_null(c);
  assert_int_equal(tandem_config_set(c, "sms", "2", &err), TANDEM_OK);
  q.config = c;
  for (unsigned i = 0; i < 4; i++) {
    snprintf(names[i], sizeof names[i], "%s/%s.v", folder, tops[i]);
    file[i] = names[i];
  }
  for (unsigned buddy = 1; buddy <= 2; buddy++) {
    const char *const size = buddy == 1 ? "1" : "2";
    assert_int_equal(tandem_config_set(c, "buddy.size", size, &err), TANDEM_OK);
    for (unsigned w = 0; w < buddy; w++)
      q.ways[w] = (struct activity_netlist){tops[buddy - 1 + w], &file[buddy - 1 + w], 1};
    if (buddy == 2)
      q.ways[ACTIVITY_CLUSTER] = (struct activity_netlist){tops[3], &file[3], 1};
    const int status = activity_measure(&q, &r, &report, &err);
    if (status != -EBADMSG)
      fail_msg("status %d: %s", status, err.text);
    assert_non_null(strstr(err.text, "the netlist does not do what the reference does"));
    assert_non_null(strstr(report, buddy == 1 ? "port sm_frontend." : "port buddy_"));
    free(report);
  }
  tandem_config_destroy(c);
}

/* A wrong request is refused before anything is made of it. */
TEST(bad_requests) {
  struct activity_result r;
  struct tandem_error err;
  char *report;
  struct activity_request q = request();
  q.kernel = HERE "/nothing.yaml";
  q.to = 100;
  assert_int_equal(activity_measure(&q, &r, &report, &err), -ENOENT);
  assert_non_null(strstr(err.text, "nothing.yaml"));
  q.kernel = HERE "/tiny.v";
  q.from = 100;
  assert_int_equal(activity_measure(&q, &r, &report, &err), -EINVAL);
  assert_non_null(strstr(err.text, "window"));
  q.from = 0;
  assert_int_equal(activity_measure(&q, &r, &report, &err), -EINVAL);
  assert_non_null(strstr(err.text, "tiny.v"));
  q.kernel = ROOT "/tests/kernels/vecadd/vecadd.yaml";
  q.to = 1000000;
  assert_int_equal(activity_measure(&q, &r, &report, &err), -EINVAL);
  assert_non_null(strstr(err.text,
                         "vecadd.yaml is too short for the window of cycles 0 to 1000000: "
                         "it ends after "));
  q.to = 100;
  q.ways[0].top = "nothing";
  assert_int_equal(activity_measure(&q, &r, &report, &err), -EINVAL);
  assert_non_null(strstr(err.text, "nothing"));
  assert_null(report);
}

/* The links of clusters, as the RTL has them. */
TEST(links) {
  static const unsigned many[9] = {[2] = 2, [4] = 8, [8] = 24};
  for (unsigned members = 2; members <= 8; members *= 2) {
    struct activity_link l = {0};
    unsigned n = 0;
    for (; activity_next_link(&l, members); n++) {
      assert_int_equal(l.up, n % 2);
      assert_true(l.follower > l.leader && l.follower < members);
      assert_true(l.leader == 0 || l.follower - l.leader < (l.leader & (~l.leader + 1)));
    }
    assert_int_equal(n, many[members]);
  }
}

/* Power of memories, wires and leakage, against values computed from the figures. */
TEST(prices) {
  struct technology t;
  struct tandem_error err;
  struct activity_row rows[] = {{.member = 0, .path = "u_frontend.u_fetch", .leakage_w = 1},
                                {.member = 1, .path = "", .leakage_w = 1},
                                {.member = 1, .path = "u_frontend.u_fetch", .leakage_w = 1},
                                {.member = 1, .path = "u_frontend.u_simt_stack", .leakage_w = 1},
                                {.member = 1, .path = "u_frontend.u_barrier", .leakage_w = 1},
                                {.member = 1, .path = "u_frontend.u_inputs", .leakage_w = 1},
                                {.member = 1, .path = "u_frontend.u_select0", .leakage_w = 1},
                                {.member = 1, .path = "u_frontend.u_outputs", .leakage_w = 1}};
  struct activity_memory memories[] = {
      {.member = 0,
       .path = "u_frontend.u_icache",
       .words = 512,
       .width = 64,
       .ports = 2,
       .reads = 300,
       .writes = 100},
      {.member = 1, .path = "u_frontend.u_icache", .words = 512, .width = 64, .ports = 2}};
  struct activity_link link[] = {{.follower = 1, .stages = 1, .flits = 200, .changes = 5000},
                                 {.follower = 3, .stages = 3, .flits = 200, .changes = 5000}};
  struct activity_result r = {.rows = rows,
                              .nrows = 8,
                              .members = 2,
                              .cycles = 1000,
                              .off_cycles = {0, 500},
                              .memories = memories,
                              .nmemories = 2,
                              .links = link,
                              .nlinks = 2};
  if (technology_load(&t, ROOT "/synth/data/technology.yaml", &err) != 0)
    fail_msg("%s", err.text);
  const struct technology_corner process = {45, 0};
  if (activity_price(&t, process, 700, &r, &err) != 0)
    fail_msg("%s", err.text);
  const double half = 0.5 + 0.5 * t.gating.leakage_left;
  near(rows[0].gated_w, 1);
  near(rows[1].gated_w, 1);
  near(rows[2].gated_w, half);
  near(rows[3].gated_w, 1);
  near(rows[4].gated_w, 1);
  near(rows[5].gated_w, 1);
  near(rows[6].gated_w, 1);
  near(rows[7].gated_w, 1);
  /* 32,768 bits, as the cache whose figure it is: 32 pJ an access, 0.4 accesses a cycle. */
  near(memories[0].access_w, 32e-12 * 0.4 * 700e6);
  near(memories[0].leakage_w, 32768 * 0.436e-6);
  near(memories[0].gated_w, memories[0].leakage_w);
  near(memories[1].access_w, 0);
  near(memories[1].gated_w, half * memories[1].leakage_w);
  /* 5 changes a cycle over 5 mm at 50 fJ, six times that with full swing; three stages share the
   * way. */
  near(link[0].low_w, 5 * 5 * 50e-15 * 700e6);
  near(link[0].full_w, 6 * link[0].low_w);
  near(link[1].low_w, link[0].low_w);
}

int main(void) { return test_run(make_folder, drop_folder); }
