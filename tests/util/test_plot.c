/* Plots: names of rows, series and axes stay texts, whatever gnuplot would read in them. */
#include "csim/util/plot.h"

#include <unistd.h>

#include "csim/util/scratch.h"
#include "tests/test.h"

/* Texts that would leave a string, a block of data or a line, run a command, or be a format. */
static const char *const hostile[] = {
    "x\"\nEND_OF_DATA\nsystem \"touch ran\"\n$data << END_OF_DATA\n\"y",
    "END_OF_DATA",
    "a\nsystem 'touch ran'",
    "`touch ran`",
    "$(touch ran)",
    "\"; system('touch ran'); print \"",
    "'; system('touch ran'); print '",
    "@name \\n \\042 \\",
    "%s%n 100%",
    "< touch ran",
    "| touch ran",
    "# a comment",
    "<b>&amp;</b>",
    "NaN",
    "\n5",
    "\xff\x1b[0m",
    "",
    " "};
enum { TEXTS = sizeof hostile / sizeof hostile[0] };

static char folder[] = "/tmp/tandem-plot-XXXXXX";

static int start(void **state) {
  (void)state;
  return mkdtemp(folder) != NULL ? chdir(folder) : -1;
}

static int stop(void **state) {
  (void)state;
  const int left = access("ran", F_OK) == 0 ? -1 : 0;
  scratch_remove(folder);
  return left;
}

static char *draw(const struct plot *p) {
  struct tandem_error err = {{0}};
  char *svg;
  if (plot_svg(p, 1, &svg, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_not_equal(access("ran", F_OK), 0);
  assert_non_null(strstr(svg, "</svg>"));
  return svg;
}

/* All texts in all places of all kinds of plots. */
TEST(texts_stay_texts) {
  double values[4 * TEXTS];
  struct plot_series series[2] = {{.colour = 1}, {.colour = 2, .pale = true}};
  for (size_t i = 0; i < 4 * TEXTS; i++)
    values[i] = (double)(1 + i * 7 % 5);
  for (size_t i = 0; i < TEXTS; i++) {
    series[0].title = hostile[i];
    series[1].title = hostile[TEXTS - 1 - i];
    const struct plot p = {.kind = (enum plot_kind)(i % 4),
                           .title = hostile[i],
                           .x = hostile[i],
                           .y = hostile[(i + 1) % TEXTS],
                           .log_y = i % 3 == 0,
                           .rows = hostile,
                           .nrows = TEXTS,
                           .series = series,
                           .nseries = 2,
                           .values = values,
                           .front = i % 4 == PLOT_POINTS};
    free(draw(&p));
  }
}

/* They are also shown as they are. */
TEST(texts_are_shown) {
  static const char *const rows[] = {"100% \\n `a` $b @c \"d\" 'e'", "2"};
  static const struct plot_series series[] = {{.title = "s$`%\\", .colour = 1}};
  static const double values[] = {1, 2};
  const struct plot p = {.kind = PLOT_BARS,
                         .title = "",
                         .x = "x@",
                         .y = "y%d",
                         .rows = rows,
                         .nrows = 2,
                         .series = series,
                         .nseries = 1,
                         .values = values};
  char *svg = draw(&p);
  const char *const shown[] = {rows[0], series[0].title, "x@", "y%d"};
  for (size_t i = 0; i < 4; i++)
    if (strstr(svg, shown[i]) == NULL)
      fail_msg("the plot does not show %s:\n%s", shown[i], svg);
  free(svg);
}

/* Rows to scale are numbers, no texts that begin with one. */
TEST(rows_to_scale) {
  static const char *const scaled[] = {"1", "2e3"}, *const named[] = {"1", "inf"};
  static const struct plot_series series[] = {{.title = "s", .colour = 1}};
  static const double values[] = {1, 2};
  struct plot p = {.kind = PLOT_LINES,
                   .title = "",
                   .x = "",
                   .y = "",
                   .rows = scaled,
                   .nrows = 2,
                   .series = series,
                   .nseries = 1,
                   .values = values};
  char *svg = draw(&p);
  assert_non_null(strstr(svg, "1000<")); /* a tick between them */
  free(svg);
  p.rows = named;
  svg = draw(&p);
  assert_non_null(strstr(svg, ">inf<"));
  free(svg);
}

int main(void) { return test_run(start, stop); }
