/* Pictures of units: one that can be drawn, one that cannot. */
#include <dirent.h>
#include <errno.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "synth/flow/steps.h"
#include "synth/report/schematic.h"
#include "tests/synth/sample.h"
#include "tests/test.h"

struct fixture {
  struct synth_report *r;
  char folder[64], pictures[96];
  char drew[2][SYNTH_NAME], why[2][128]; /* of the units, in this order */
  int n;
};

static void drawn(void *user, const char *unit, const char *why) {
  struct fixture *f = user;
  assert_true(f->n < 2);
  snprintf(f->drew[f->n], sizeof f->drew[0], "%s", unit);
  snprintf(f->why[f->n++], sizeof f->why[0], "%s", why != NULL ? why : "drawn");
}

/* A unit of so many inverters in a row, as the first step leaves it. */
static void elaborated(const struct fixture *f, const char *unit, int cells) {
  char path[256];
  snprintf(path, sizeof path, "%s/synth/rtl/%s", f->folder, unit);
  assert_int_equal(files_folder(path, NULL), 0);
  strcat(path, "/elaborated.il");
  FILE *out = fopen(path, "w");
  fprintf(out, "module \\%s\n  wire input 1 \\w0\n  wire output 2 \\w%d\n", unit, cells);
  for (int i = 1; i < cells; i++)
    fprintf(out, "  wire \\w%d\n", i);
  for (int i = 0; i < cells; i++)
    fprintf(out,
            "  cell $not \\inverter%d\n    parameter \\A_SIGNED 0\n    parameter \\A_WIDTH 1\n"
            "    parameter \\Y_WIDTH 1\n    connect \\A \\w%d\n    connect \\Y \\w%d\n  end\n",
            i, i, i + 1);
  fprintf(out, "end\n");
  assert_int_equal(fclose(out), 0);
}

static int setup(void **state) {
  struct fixture *f = *state = calloc(1, sizeof *f);
  f->r = sample_create();
  strcpy(f->folder, "/tmp/tandem-schematic-XXXXXX");
  assert_non_null(mkdtemp(f->folder));
  snprintf(f->pictures, sizeof f->pictures, "%s/a b/pictures", f->folder);
  f->r->nunits = 2;
  return 0;
}

static int teardown(void **state) {
  struct fixture *f = *state;
  scratch_remove(f->folder);
  f->r->nunits = SAMPLE_UNITS;
  sample_destroy(f->r);
  free(f);
  return 0;
}

static int files(const char *folder) {
  int n = 0;
  DIR *d = opendir(folder);
  for (struct dirent *e = readdir(d); e != NULL; e = readdir(d))
    n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  closedir(d);
  return n;
}

TEST(bounds) {
  struct fixture *f = *state;
  elaborated(f, "scoreboard", SYNTH_SCHEMATIC_CELLS + 1);
  elaborated(f, "icache", 20);
  const struct synth_schematic s = {f->folder, f->pictures, drawn, f};
  struct tandem_error err = {""};
  assert_int_equal(synth_schematic(&s, f->r, &err), 0);
  assert_int_equal(f->n, 2);
  assert_string_equal(f->drew[0], "scoreboard");
  assert_string_equal(f->why[0],
                      "it has 601 cells, too many to be read in a picture (at most 600)");
  assert_string_equal(f->drew[1], "icache");
  assert_string_equal(f->why[1], "drawn");
  assert_int_equal(files(f->pictures), 1); /* nothing else stays */
  char path[256], *text;
  snprintf(path, sizeof path, "%s/icache.svg", f->pictures);
  assert_int_equal(files_read(path, &text, NULL, &err), 0);
  assert_non_null(strstr(text, "<svg"));
  assert_non_null(strstr(text, "inverter19"));
  free(text);
}

/* A unit that yosys cannot read is reported, and leaves no file. */
TEST(damaged) {
  struct fixture *f = *state;
  f->r->nunits = 1;
  elaborated(f, "scoreboard", 3);
  char path[256];
  snprintf(path, sizeof path, "%s/synth/rtl/scoreboard/elaborated.il", f->folder);
  assert_int_equal(files_write(path, "module", 6, NULL), 0);
  const struct synth_schematic s = {f->folder, f->pictures, drawn, f};
  struct tandem_error err = {""};
  assert_int_equal(synth_schematic(&s, f->r, &err), 0);
  assert_string_equal(f->why[0], "yosys could not draw it");
  assert_int_equal(files(f->pictures), 0);
}

TEST(no_graphviz) {
  struct fixture *f = *state;
  char *path = strdup(getenv("PATH")), programs[128], link[160], yosys[256];
  struct tandem_error err = {""};
  assert_int_equal(synth_tool("yosys", "yosys", yosys, sizeof yosys, &err), 0);
  snprintf(programs, sizeof programs, "%s/bin", f->folder);
  snprintf(link, sizeof link, "%s/yosys", programs);
  assert_int_equal(files_folder(programs, &err), 0);
  assert_int_equal(symlink(yosys, link), 0);
  setenv("PATH", programs, 1);
  const struct synth_schematic s = {f->folder, f->pictures, drawn, f};
  assert_int_equal(synth_schematic(&s, f->r, &err), -ENOENT);
  setenv("PATH", path, 1);
  free(path);
  assert_non_null(strstr(err.text, "graphviz"));
}

int main(void) { return test_run_each(setup, teardown); }
