/* The HTML page, as Chromium shows it: it needs nothing from elsewhere, its charts have the sizes
 * that the figures say, and added logic stands out. */
#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#include "synth/report/html/html.h"
#include "tests/synth/browser.h"
#include "tests/synth/sample.h"
#include "tests/test.h"

static char page_path[] = "/tmp/tandem-page-XXXXXX.html";

static int start(void **state) {
  close(mkstemps(page_path, 5));
  *state = browser_open();
  return *state == NULL;
}

static int stop(void **state) {
  browser_close(*state);
  unlink(page_path);
  return 0;
}

static void show(struct browser *b, const struct synth_report *r) {
  FILE *out = fopen(page_path, "w");
  assert_true(synth_html(out, r));
  assert_int_equal(fclose(out), 0);
  assert_int_equal(browser_load(b, page_path), 0);
}

/* Nothing on the console, and no request but the page's own. */
static void alone(const struct browser *b) {
  char *messages = json_dumps(browser_messages(b), 0),
       *requests = json_dumps(browser_requests(b), 0);
  assert_string_equal(messages, "[]");
  char expected[64];
  snprintf(expected, sizeof expected, "[\"file://%s\"]", page_path);
  assert_string_equal(requests, expected);
  free(messages);
  free(requests);
}

static double number(struct browser *b, const char *expression) {
  json_t *value = browser_eval(b, expression);
  assert_true(json_is_number(value));
  const double n = json_number_value(value);
  json_decref(value);
  return n;
}

static void near(double is, double expected) {
  if (fabs(is - expected) > 1e-4 * fabs(expected) + 1e-9)
    fail_msg("%g instead of %g", is, expected);
}

TEST(alone) {
  struct synth_report *r = sample_create();
  show(*state, r);
  alone(*state);
  sample_destroy(r);
}

/* Rectangles of a chart: [unit, class, figure, area in pixels]. */
static json_t *rectangles(struct browser *b, const char *chart) {
  char text[512];
  snprintf(text, sizeof text,
           "[...document.querySelectorAll('%s rect[data-value]')].map(e => {"
           "const box = e.getBoundingClientRect();"
           "return [e.dataset.unit, e.classList[1], +e.dataset.value, box.width * box.height]})",
           chart);
  json_t *all = browser_eval(b, text);
  assert_true(json_array_size(all) > 0);
  return all;
}

static double item(const json_t *array, size_t i) {
  return json_number_value(json_array_get(array, i));
}

/* Figures of the rectangles of a unit and class, summed. */
static double sum_of(const json_t *all, const char *unit, const char *class) {
  double sum = 0;
  size_t i;
  json_t *one;
  json_array_foreach(all, i, one) {
    if ((unit == NULL || strcmp(json_string_value(json_array_get(one, 0)), unit) == 0) &&
        (class == NULL || strcmp(json_string_value(json_array_get(one, 1)), class) == 0))
      sum += item(one, 2);
  }
  return sum;
}

/* Pixels that belong to more than one rectangle. */
static const char overlap[] =
    "(() => {const all = [...document.querySelectorAll('%s rect[data-value]')].map(e => "
    "e.getBoundingClientRect()); let sum = 0; for (const a of all) for (const b of all)"
    "if (a != b) sum += Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * "
    "Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)); return sum})()";

/* All rectangles together fill the chart, each in proportion to its figure. */
TEST(treemap) {
  static const struct {
    const char *chart;
    enum sample_unit unit;
  } maps[] = {{".treemap[data-unit=sm_frontend]", SAMPLE_BASELINE},
              {".treemap[data-unit=buddy_cluster_Members2]", SAMPLE_CLUSTER}};
  struct synth_report *r = sample_create();
  show(*state, r);
  for (size_t m = 0; m < 2; m++) {
    char text[sizeof overlap + 64];
    snprintf(text, sizeof text,
             "(() => {const b = document.querySelector('%s').getBoundingClientRect();"
             "return b.width * b.height})()",
             maps[m].chart);
    const double pixels = number(*state, text);
    const double area = synth_area(&r->units[maps[m].unit].whole);
    json_t *all = rectangles(*state, maps[m].chart), *one;
    size_t i;
    json_array_foreach(all, i, one) near(item(one, 3) / pixels, item(one, 2) / area);
    near(sum_of(all, NULL, NULL), area);
    snprintf(text, sizeof text, overlap, maps[m].chart);
    assert_true(number(*state, text) < 1);
    json_decref(all);
  }
  sample_destroy(r);
}

/* New units, and what a unit has more than the baseline's, are marked as added, and nothing else.
 */
TEST(added) {
  struct synth_report *r = sample_create();
  show(*state, r);
  json_t *all = rectangles(*state, ".treemap[data-unit=buddy_cluster_Members2]");
  near(sum_of(all, "monitor", "added"), 2 * 15000);
  near(sum_of(all, "scoreboard_Releases4", "grown"), 2 * 10000);
  near(sum_of(all, "scoreboard_Releases4", "baseline"), 2 * 50000);
  near(sum_of(all, "frontend_Buddy1", "grown"), 2 * 300);
  near(sum_of(all, "buddy_cluster_Members2", "added"), 500);
  near(sum_of(all, "icache", NULL), 2 * 24000);
  near(sum_of(all, "icache", "baseline"), 2 * 24000);
  near(sum_of(all, NULL, "added") + sum_of(all, NULL, "grown"), r->added[0].area);
  json_decref(all);
  all = rectangles(*state, ".treemap[data-unit=sm_frontend]");
  near(sum_of(all, NULL, "baseline"), synth_area(&r->units[SAMPLE_BASELINE].whole));
  json_decref(all);
  const char *const colours =
      "(() => {const of = c => getComputedStyle(document.querySelector('.tile.' + c)).fill;"
      "return +(of('added') == of('grown') && of('added') != of('baseline'))})()";
  assert_int_equal(number(*state, colours), 1);
  sample_destroy(r);
}

/* Charts of added logic, area, memories and power: each has its series, those of added logic in
 * orange, and a name a unit. */
TEST(bars) {
  static const struct {
    int series, orange; /* of the series those in orange */
  } charts[] = {{1, 1}, {5, 2}, {1, 0}, {6, 3}};
  struct synth_report *r = sample_create();
  show(*state, r);
  for (int f = 0; f < 4; f++) {
    char text[400];
    snprintf(text, sizeof text, "document.querySelectorAll('.plot svg [id^=plot%d_plot_]').length",
             f);
    assert_int_equal(number(*state, text), charts[f].series);
    snprintf(text, sizeof text,
             "[...document.querySelectorAll('.plot svg [id^=plot%d_plot_]')].filter(s => "
             "[...s.querySelectorAll('polygon')].some(e => {"
             "const c = getComputedStyle(e).fill.match(/[0-9]+/g);"
             "return c && +c[0] > +c[2]})).length",
             f);
    assert_int_equal(number(*state, text), charts[f].orange);
  }
  assert_int_equal(number(*state, "document.querySelectorAll('.plot svg').length"), 4);
  assert_int_equal(number(*state, "+[...document.querySelectorAll('.plot svg')][1].textContent"
                                  ".includes('scoreboard_Releases4')"),
                   1);
  sample_destroy(r);
}

static bool says(struct browser *b, const char *text) {
  char expression[256];
  snprintf(expression, sizeof expression, "+document.body.textContent.includes('%s')", text);
  return number(b, expression) == 1;
}

/* A run of a cluster's netlists: a bar and a row each instance, and the members' sums. */
TEST(measured) {
  struct activity_row rows[] = {
      {0, "u_<monitor>", 300, 400, 0.05, 0.001, 0.002, 0.003, 1e-7, 0.009, 0.6e-7},
      {1, "", 20, 30, 0.01, 0.0001, 0.0002, 0.0003, 1e-8, 0.0009, 1e-8},
  };
  struct activity_memory memory = {.member = 1,
                                   .path = "u_<memory>",
                                   .words = 48,
                                   .width = 40,
                                   .reads = 500,
                                   .writes = 250,
                                   .access_w = 0.004};
  struct activity_link link = {
      .follower = 1, .up = true, .stages = 1, .flits = 100, .changes = 700, .low_w = 0.007};
  struct synth_report *r = sample_create();
  r->nmeasured = 1;
  r->measured[0] = (struct synth_measured){.way = "grouped",
                                           .kernel = "/somewhere/bfs.yaml",
                                           .from = 1000,
                                           .to = 2000,
                                           .result = {.rows = rows,
                                                      .nrows = 2,
                                                      .members = 2,
                                                      .cycles = 1000,
                                                      .memories = &memory,
                                                      .nmemories = 1,
                                                      .links = &link,
                                                      .nlinks = 1}};
  show(*state, r);
  alone(*state);
  assert_true(says(*state, "grouped: bfs.yaml, cycles 1000 to 2000"));
  assert_true(says(*state, "member 1: (its own)"));
  assert_true(says(*state, "all of member 0"));
  const char *const leakage =
      "+[...document.querySelectorAll('td')].find(e => e.textContent == 'member 0: u_<monitor>')"
      ".parentElement.cells[7].textContent";
  near(number(*state, leakage), 0.1);
#define CELL(name, column)                                                                         \
  "+[...document.querySelectorAll('td')].find(e => e.textContent == '" name                        \
  "').parentElement.cells[" #column "].textContent"
  near(number(*state, CELL("member 0: u_<monitor>", 8)), 0.06);
  near(number(*state, CELL("member 1: u_<memory>", 3)), 0.5);
  near(number(*state, CELL("member 1: u_<memory>", 4)), 0.25);
  near(number(*state, CELL("member 1: u_<memory>", 5)), 4);
  near(number(*state, CELL("from member 1 to 0", 1)), 0.1);
  near(number(*state, CELL("from member 1 to 0", 2)), 0.7);
  near(number(*state, CELL("from member 1 to 0", 3)), 7);
  r->nmeasured = 0;
  show(*state, r);
  assert_false(says(*state, "Power in runs"));
  sample_destroy(r);
}

/* A row of the table under a heading, by its first cell, and a column: a number. */
static double cell(struct browser *b, const char *heading, const char *first, int column) {
  char text[384];
  snprintf(text, sizeof text,
           "+[...[...document.querySelectorAll('#%s ~ .scroll tbody')][0].rows].find(e => "
           "e.cells[0].textContent == '%s').cells[%d].textContent.replaceAll(',', '')",
           heading, first, column);
  return number(b, text);
}

/* Memories have a table of their own: whole units', and what is theirs alone. */
TEST(memories) {
  struct synth_report *r = sample_create();
  show(*state, r);
  const double icache[] = {34816, 8000, 8000, 3, 3, 0.4, 0.4};
  const double frontend[] = {34816, 8000, 0, 3, 0, 0.4, 0};
  for (int i = 0; i < 7; i++) {
    near(cell(*state, "memories", "icache", i + 1), icache[i]);
    near(cell(*state, "memories", "frontend", i + 1), frontend[i]);
  }
  assert_int_equal(
      number(*state, "document.querySelectorAll('#memories ~ .scroll tbody')[0].rows.length"), 5);
  assert_false(says(*state, "without memories that are ideal"));
  r->units[SAMPLE_CLUSTER].whole.ideal_memories = 1;
  show(*state, r);
  assert_true(says(*state, "without memories that are ideal"));
  sample_destroy(r);
}

/* The papers' table counts bits in the cluster; what is not in the report has a dash. */
TEST(papers) {
  struct synth_report *r = sample_create();
  /* Two members, each with a monitor. */
  r->units[SAMPLE_MONITOR].own.sequential_cells = 96;
  show(*state, r);
  for (int column = 3; column < 7; column += column == 3 ? 1 : 2) /* published, recomputed, ours */
    near(cell(*state, "papers", "buddy: monitor bits added, clusters of 2", column), 1536);
  near(cell(*state, "papers", "buddy: monitor bits added, clusters of 4", 4), 768);
  const char *const dash = "+([...document.querySelectorAll('td')].find(e => e.textContent == "
                           "'buddy: monitor bits added, clusters of 4').parentElement.cells[6]"
                           ".textContent == '\xe2\x80\x93')";
  assert_int_equal(number(*state, dash), 1);
  sample_destroy(r);
}

TEST(feature) {
  static const double board[] = {40, 2083, 300, 0, 0, 12.5, 120};
  struct synth_report *r = sample_create();
  show(*state, r);
  assert_int_equal(number(*state, "document.querySelectorAll('#parts').length"), 0);
  sample_feature(r);
  show(*state, r);
  for (int i = 0; i < 7; i++)
    near(cell(*state, "parts", "spu: board", i + 2), board[i]);
  near(cell(*state, "parts", "spu: of it a half", 2), 40);
  near(cell(*state, "papers", "spu: saved an interface unit", 3), 0.769);
  near(cell(*state, "papers", "spu: saved an interface unit", 6), 0.75);
  /* A cluster that is the whole GPU has no row of its own. */
  near(cell(*state, "added", "buddy, clusters of 2", 3), r->added[0].area / 2);
  r->added[0].sms = 2;
  show(*state, r);
  const char *const rows = "document.querySelectorAll('#added ~ div tbody')[0].rows.length";
  assert_int_equal(number(*state, rows), 2);
  near(cell(*state, "added", "buddy, 2 SMs", 3), r->added[0].area / 2);
  alone(*state);
  sample_destroy(r);
}

/* A library whose process is known gives each unit a row for each process scaled to. */
TEST(scaled) {
  struct synth_report *r = sample_create();
  const struct technology *t = &r->technology;
  show(*state, r);
  assert_false(says(*state, "In other processes"));
  r->process = (struct technology_corner){180, 1.8};
  show(*state, r);
  alone(*state);
  struct technology_factors f;
  assert_int_equal(technology_scale(t, r->process, (struct technology_corner){45, 0}, &f, NULL), 0);
  assert_int_equal(number(*state, "document.querySelectorAll('td .mark.scaled').length"),
                   SAMPLE_UNITS * t->targets);
  const char *const one =
      "+[...document.querySelectorAll('tr')].find(e => e.cells[0].textContent == 'icache scaled' &&"
      "e.cells[1].textContent == '45').cells[%d].textContent.replaceAll(',', '')";
  const double expected[] = {[2] = f.area * 24000,
                             f.area * 8000,
                             150 / f.delay,
                             f.energy * 4.5,
                             [6] = f.energy * 3,
                             24000,
                             8000,
                             150,
                             [10] = 4.5,
                             3};
  for (int i = 2; i < 12; i++) {
    char text[256];
    snprintf(text, sizeof text, one, i);
    if (fabs(number(*state, text) / expected[i] - 1) > 0.01)
      fail_msg("column %d: %g instead of %g", i, number(*state, text), expected[i]);
  }
  sample_destroy(r);
}

TEST(marks) {
  struct synth_report *r = sample_create();
  show(*state, r);
  assert_int_equal(number(*state, "document.querySelectorAll('tbody .mark.assumed').length"),
                   SAMPLE_UNITS - 1);
  assert_int_equal(
      number(*state, "document.querySelectorAll('#unit-monitor .mark.measured').length"), 1);
  assert_int_equal(number(*state, "document.querySelectorAll('#unit-monitor .mark.added').length"),
                   1);
  assert_int_equal(number(*state, "document.querySelectorAll('#unit-icache .mark.added').length"),
                   0);
  assert_true(says(*state, "sample_180"));
  assert_true(says(*state, "Yosys 0.23"));
  assert_true(says(*state, "100 MHz"));
  /* Paths are folded. */
  assert_int_equal(number(*state, "document.querySelectorAll('details').length"), SAMPLE_UNITS);
  assert_int_equal(number(*state, "document.querySelectorAll('details[open]').length"), 0);
  /* Every link has its target. */
  assert_int_equal(number(*state,
                          "[...document.querySelectorAll('a[href]')].filter(e => "
                          "!document.getElementById((e.getAttribute('href')).slice(1))).length"),
                   0);
  sample_destroy(r);
}

/* Whatever a name contains stays text. */
TEST(escaped) {
  struct synth_report *r = sample_create();
  const char *const evil = "<img src=x onerror=alert(1)>\"'&amp;";
  strcpy(r->units[SAMPLE_MONITOR].name, evil);
  strcpy(r->units[SAMPLE_MONITOR].timing.start, evil);
  strcpy(r->library.name, evil);
  strcpy(r->added[0].variant, "</td>");
  show(*state, r);
  alone(*state);
  assert_int_equal(number(*state, "document.images.length"), 0);
  assert_true(says(*state, "<img src=x onerror=alert(1)>\"\\'&amp;"));
  assert_int_equal(
      number(*state, "[...document.querySelectorAll('tbody tr')].filter(e => "
                     "e.cells.length != e.closest('table').tHead.rows[0].cells.length).length"),
      0);
  sample_destroy(r);
}

/* One unit, no memory, no cluster, no baseline; and nothing in it. */
TEST(small) {
  struct synth_report *r = sample_create();
  r->nunits = 1;
  r->units[0].top = true;
  r->nadded = 0;
  r->baseline = SIZE_MAX;
  show(*state, r);
  alone(*state);
  assert_int_equal(number(*state, "document.querySelectorAll('.treemap').length"), 0);
  assert_int_equal(number(*state, "document.querySelectorAll('.added').length"), 0);
  assert_int_equal(number(*state, "document.querySelectorAll('.plot svg').length"), 2);
  static const char *const nothing[] = {"Added logic", "Against the papers", "Area by module",
                                        "Memories", "memory bits"};
  for (size_t i = 0; i < 5; i++)
    assert_false(says(*state, nothing[i]));
  assert_false(says(*state, "NaN"));
  r->baseline = 0;
  r->units[0].own = r->units[0].whole = (struct synth_size){0};
  r->units[0].power = (struct synth_power){0};
  r->units[0].timing.fmax_mhz = (double)INFINITY;
  show(*state, r);
  alone(*state);
  assert_true(says(*state, "It has no cells"));
  assert_false(says(*state, "nan") || says(*state, "inf"));
  r->nunits = SAMPLE_UNITS;
  sample_destroy(r);
}

/* Contrast of text on what is behind it, the least of all elements (WCAG 2's definition). */
static const char *const contrast =
    "(() => {"
    "const light = c => {const [r, g, b] = c.match(/[\\d.]+/g).map(v => v / 255).map(v => "
    "v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126*r + .7152*g + .0722*b};"
    "const behind = e => {for (; e; e = e.parentElement) {"
    "const c = getComputedStyle(e).backgroundColor; if (!/, 0\\)$/.test(c)) return c}"
    "return 'rgb(255,255,255)'};"
    "const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);"
    "let least = 99;"
    "for (const e of document.querySelectorAll('p,td,th,dd,dt,h1,h2,a,summary,figcaption,.mark'))"
    "least = Math.min(least, ratio(light(getComputedStyle(e).color), light(behind(e))));"
    "for (const e of document.querySelectorAll('.treemap text')) least = Math.min(least, ratio("
    "light(getComputedStyle(e).fill), "
    "light(getComputedStyle(e.parentElement.querySelector('rect')).fill)));"
    "return least})()";

/* Light, dark and on paper, on a telephone and a screen: readable, and no wider than the screen. */
TEST(looks) {
  struct browser *b = *state;
  struct synth_report *r = sample_create();
  show(b, r);
  json_t *backgrounds = json_array();
  static const char *const schemes[][2] = {
      {"screen", "light"}, {"screen", "dark"}, {"print", "dark"}};
  for (int s = 0; s < 3; s++) {
    json_decref(browser_call(b, "Emulation.setEmulatedMedia",
                             json_pack("{s:s, s:[{s:s, s:s}]}", "media", schemes[s][0], "features",
                                       "name", "prefers-color-scheme", "value", schemes[s][1])));
    for (int width = 360; width <= 1400; width += 1040) {
      json_decref(browser_call(b, "Emulation.setDeviceMetricsOverride",
                               json_pack("{s:i, s:i, s:i, s:b}", "width", width, "height", 800,
                                         "deviceScaleFactor", 1, "mobile", 0)));
      const double least = number(b, contrast);
      if (least < 4.5)
        fail_msg("contrast %g, %s %s", least, schemes[s][0], schemes[s][1]);
      if (s < 2)
        assert_true(number(b, "document.documentElement.scrollWidth") <= width);
    }
    json_array_append_new(backgrounds,
                          browser_eval(b, "getComputedStyle(document.body).backgroundColor"));
  }
  char *text = json_dumps(backgrounds, JSON_COMPACT);
  assert_string_equal(text, "[\"rgb(255, 255, 255)\",\"rgb(19, 23, 27)\",\"rgb(255, 255, 255)\"]");
  free(text);
  json_decref(backgrounds);
  json_decref(browser_call(b, "Emulation.setEmulatedMedia", NULL));
  json_decref(browser_call(b, "Emulation.clearDeviceMetricsOverride", NULL));
  sample_destroy(r);
}

int main(void) { return test_run(start, stop); }
