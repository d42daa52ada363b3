/* The check of rows whose key is not the tree's: which units it takes on, and what it finds. */
#include <jansson.h>
#include <stdbool.h>

#include "synth/report/baseline.h"
#include "tests/synth/tree.h"
#include "tests/test.h"

static char *said; /* by the last check */
static unsigned steps;
static void count_step(void *user, const struct synth_progress *p) {
  (void)user;
  (void)p;
  steps++;
}

/* Writes rows of these units (NULL: the designs). */
static void update(const char *unit) {
  struct synth_report *r;
  struct tandem_error err;
  char *text = NULL, path[256];
  size_t size;
  FILE *out = open_memstream(&text, &size);
  snprintf(path, sizeof path, "%s", tree_path("baseline.json"));
  assert_int_equal(tree_report(unit, &(struct synth_config){0}, &r, &err), 0);
  assert_int_equal(synth_baseline_update(out, path, r, unit == NULL, &err), 0);
  fclose(out);
  synth_free(r);
  tree_put("baseline.json", text);
  free(text);
}

static enum synth_verdict check(double seconds, uint64_t turn) {
  const struct synth_config c = {.root = tree_root, .build = tree_build, .progress = count_step};
  const struct synth_turn t = {.seconds = seconds, .number = turn};
  enum synth_verdict verdict = SYNTH_STALE;
  struct tandem_error err = {""};
  size_t size;
  free(said);
  steps = 0;
  FILE *out = open_memstream(&said, &size);
  if (synth_changed_check(out, tree_path("baseline.json"), &c, &t, &verdict, &err) != 0)
    fail_msg("%s", err.text);
  fclose(out);
  return verdict;
}

/* Changes a member of a unit's row; the row goes if the member is NULL. */
static void edit(const char *unit, const char *member, json_t *value) {
  json_t *root = json_load_file(tree_path("baseline.json"), 0, NULL);
  json_t *rows = json_object_get(json_object_get(root, "osu018_stdcells"), "units");
  if (member == NULL)
    json_object_del(rows, unit);
  else
    json_object_set_new(json_object_get(rows, unit), member, value);
  assert_int_equal(json_dump_file(root, tree_path("baseline.json"), 0), 0);
  json_decref(root);
}

static void says(const char *text) {
  if (strstr(said, text) == NULL)
    fail_msg("\"%s\" is not in: %s", text, said);
}

static void put_leaf(const char *from, char to) {
  char *text = strdup(tree_leaf);
  if (from != NULL)
    *strstr(text, from) = to;
  tree_put("rtl/leaf.sv", text);
  free(text);
}

/* A unit above `top`, which does not name the leaves. */
static const char above[] =
    "module above (input logic clk_i, input logic we_i, input logic [3:0] row_i,\n"
    "  input logic [31:0] d_i, output logic [31:0] d_o, output logic [3:0] q_o);\n"
    "  top u_top (.clk_i, .we_i, .row_i, .d_i, .d_o, .q_o);\nendmodule\n";

static int setup(void **state) {
  if (tree_start(state) != 0)
    return -1;
  tree_put("rtl/above.sv", above);
  tree_put("synth/data/designs.yaml",
           "package: tandem_pkg.sv\nsources: rtl/*.sv\nclock: 100\nclocks: {clk_i: 1}\n"
           "reset: rst_ni\nmemory_bits: 256\nsms: 16\nbaseline: {module: above}\nfeatures: []\n");
  update(NULL);
  return 0;
}

static int teardown(void **state) {
  free(said);
  said = NULL;
  return tree_stop(state);
}

/* Neither a comment nor a line changes a key. */
TEST(keys_are_of_texts) {
  char *text;
  assert_int_equal(check(0, 0), SYNTH_SAME);
  assert_string_equal(said, "4 rows, 0 with another key than the tree's\n");
  assert_true(asprintf(&text, "\n// more\n%s\n", tree_leaf) > 0);
  tree_put("rtl/leaf.sv", text);
  free(text);
  tree_put("tandem_pkg.sv", "package tandem_pkg; /* nothing */\nendpackage\n");
  assert_int_equal(check(0, 0), SYNTH_SAME);
  assert_int_equal(steps, 0);
  /* A file that none of them names. */
  tree_put("rtl/other.sv", "module other (input logic a_i);\nendmodule\n");
  assert_int_equal(check(0, 0), SYNTH_SAME);
  says("4 rows, 0 with");
  tree_put("tandem_pkg.sv",
           "package tandem_pkg;\n  parameter int unsigned More = 1;\nendpackage\n");
  assert_int_equal(check(0, 0), SYNTH_SAME);
  says("4 rows, 4 with");
  says("figures are as in the rows");
}

/* A difference in a part fails until the rows of all that contain it are written, too. */
TEST(rows_follow_the_text) {
  put_leaf("~(", ' ');
  assert_int_equal(check(0, 0), SYNTH_CHANGED);
  says("4 rows, 4 with");
  says("\nleaf: area ");
  update("leaf");
  assert_int_equal(check(0, 0), SYNTH_CHANGED);
  says("4 rows, 3 with");
  says("\nleaf_Width2: area ");
  update("top");
  assert_int_equal(check(0, 0), SYNTH_SAME);
  says("4 rows, 1 with");
  says("checked: above (");
  update("above");
  assert_int_equal(check(0, 0), SYNTH_SAME);
  says("4 rows, 0 with");
}

/* Only what fits is checked: small units first, then large ones from that on whose turn it is. */
TEST(budget_is_kept) {
  put_leaf("~(", ' ');
  edit("leaf", "seconds", json_integer(100));
  edit("leaf_Width2", "seconds", json_integer(100));
  edit("top", "seconds", json_integer(50));
  edit("above", "seconds", json_integer(1));
  check(150, 0);
  says("checked: leaf (100 processor seconds");
  says("left for another turn, beyond 150 processor seconds: leaf_Width2 (100 s), top (250 s), ");
  says("leaf: area ");
  check(150, 1);
  says("checked: leaf_Width2 (100 ");
  /* Even the largest has its turn. */
  check(150, 2);
  says("checked: leaf leaf_Width2 top (250 ");
  says("left for another turn, beyond 150 processor seconds: above (251 s)");
  /* The turn chooses only among large units. */
  edit("leaf", "seconds", json_integer(18));
  for (unsigned turn = 0; turn < 6; turn += 3) {
    check(150, turn);
    says("checked: leaf leaf_Width2 (118 ");
    says("left for another turn, beyond 150 processor seconds: top (168 s)");
  }
}

TEST(rows_are_those_of_the_designs) {
  edit("leaf_Width2", NULL, NULL);
  assert_int_equal(check(0, 0), SYNTH_CHANGED);
  says("leaf_Width2: new, the baseline does not have it");
  update("leaf_Width3");
  assert_int_equal(check(0, 0), SYNTH_CHANGED);
  says("leaf_Width3: gone, the baseline has it");
  update(NULL);
  assert_int_equal(check(0, 0), SYNTH_SAME);
  edit("above", NULL, NULL);
  assert_int_equal(check(0, 0), SYNTH_CHANGED);
  says("above: new, the baseline does not have it");
}

int main(void) { return test_run_each(setup, teardown); }
