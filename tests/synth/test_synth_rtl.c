/* Units of this tree: the links' wires are those of the papers, and another library than the
 * default one will do. */
#include <stdbool.h>

#include <jansson.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "synth/flow/synth.h"
#include "synth/report/estimates.h"
#include "tests/test.h"

static char build[] = "/tmp/tandem-synth-XXXXXX";

static int start(void **state) {
  (void)state;
  return mkdtemp(build) != NULL ? 0 : -1;
}

static int stop(void **state) {
  (void)state;
  scratch_remove(build);
  return 0;
}

static struct synth_report *report(const char *const *units, size_t n, const char *liberty,
                                   bool flat) {
  const struct synth_config c = {.root = TANDEM_SOURCE_DIR,
                                 .build = build,
                                 .units = units,
                                 .nunits = n,
                                 .liberty = &liberty,
                                 .nliberty = liberty != NULL,
                                 .flat = flat};
  struct synth_report *r;
  struct tandem_error err;
  if (synth_run(&c, &r, &err) != 0)
    fail_msg("%s", err.text);
  return r;
}

/* Bits of a signal in what yosys found in a unit. */
static size_t bits(const char *unit, const char *signal) {
  char path[256];
  snprintf(path, sizeof path, "%s/synth/rtl/%s/elaborated.json", build, unit);
  json_t *o = json_load_file(path, 0, NULL);
  json_t *module = json_object_get(json_object_get(o, "modules"), unit);
  json_t *net = json_object_get(json_object_get(module, "netnames"), signal);
  const size_t n = json_array_size(json_object_get(net, "bits"));
  json_decref(o);
  return n;
}

/* The article's links have 64 wires down and 16 up, for the packets; here each way has a valid wire
 * more. */
TEST(wires_are_those_of_the_papers) {
  static const char *const units[] = {"downlink", "uplink"};
  struct synth_report *r = report(units, 2, NULL, false);
  assert_int_equal(bits("link", "wire_flit"), 64);
  assert_int_equal(bits("link_Width16", "wire_flit"), 16);
  assert_int_equal(synth_link_wires(r, "downlink"),
                   bits("link", "wire_flit") + bits("link", "wire_valid"));
  assert_int_equal(synth_link_wires(r, "uplink"),
                   bits("link_Width16", "wire_flit") + bits("link_Width16", "wire_valid"));
  synth_free(r);
}

/* With the Liberty file that TANDEM_TEST_LIBERTY names.  Skipped if it is not set: Debian has no
 * other library of cells that could be relied on, so there is nothing to test with. */
TEST(another_library_will_do) {
  static const char *const units[] = {"decode", "barrier", "uplink"};
  const char *liberty = getenv("TANDEM_TEST_LIBERTY");
  if (liberty == NULL || *liberty == '\0')
    skip();
  struct synth_report *r = report(units, 3, liberty, true);
  assert_string_not_equal(r->library.name, "osu018_stdcells");
  assert_true(r->library.nand2 > 0);
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    assert_true(synth_area(&u->whole) > 0);
    assert_true(u->timing.depth > 0);
    assert_true(u->timing.fmax_mhz > 10 && u->timing.fmax_mhz < 1e5);
    assert_true(u->power.internal_w + u->power.switching_w > 0 && u->power.leakage_w >= 0);
    /* Bits are the design's, whatever they are made of. */
    if (strcmp(u->spec.module, "barrier") == 0)
      assert_true(u->whole.sequential_cells > 400);
    if (strcmp(u->spec.module, "uplink") == 0)
      assert_int_equal(u->whole.memory_bits, 832);
  }
  synth_free(r);
}

int main(void) { return test_run(start, stop); }
