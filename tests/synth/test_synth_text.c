/* The report as text and as JSON: what is reckoned from its figures stands beside them. */
#include <math.h>
#include <stdbool.h>

#include <jansson.h>

#include "synth/report/estimates.h"
#include "synth/report/report.h"
#include "tests/synth/sample.h"
#include "tests/test.h"

/* Returns the contents of a report's file, from its start; to be freed. */
static char *contents(FILE *f) {
  const long size = ftell(f);
  char *text = calloc(1, (size_t)size + 1);
  rewind(f);
  assert_int_equal(fread(text, 1, (size_t)size, f), size);
  fclose(f);
  return text;
}

static char *text_of(const struct synth_report *r) {
  FILE *out = tmpfile();
  synth_text(out, r);
  return contents(out);
}

/* The first line that starts so, below a heading. */
static const char *line_of(const char *text, const char *heading, const char *start) {
  const char *at = strstr(text, heading);
  char wanted[128];
  snprintf(wanted, sizeof wanted, "\n%.100s", start);
  at = at != NULL ? strstr(at, wanted) : NULL;
  if (at == NULL)
    fail_msg("no line %s below %s in:\n%s", start, heading, text);
  return at + strlen(wanted);
}

static void numbers(const char *line, const double *expected, int n) {
  for (int i = 0; i < n; i++) {
    char *end;
    const double v = strtod(line, &end);
    if (end == line || fabs(v - expected[i]) > 0.01 * fabs(expected[i]) + 1e-9)
      fail_msg("figure %d is %g instead of %g", i, v, expected[i]);
    line = end;
  }
}

static json_t *json_of(const struct synth_report *r) {
  FILE *out = tmpfile();
  assert_true(synth_json(out, r));
  char *text = contents(out);
  json_t *o = json_loads(text, 0, NULL);
  assert_non_null(o);
  free(text);
  return o;
}

static json_t *unit_of(json_t *report, enum sample_unit i) {
  return json_array_get(json_object_get(report, "units"), (size_t)i);
}

static double at(json_t *o, const char *key) {
  json_t *v = json_object_get(o, key);
  if (!json_is_number(v))
    fail_msg("%s is no number", key);
  return json_number_value(v);
}

static void near(double is, double expected) {
  if (fabs(is - expected) > 1e-9 * fabs(expected))
    fail_msg("%g instead of %g", is, expected);
}

TEST(memories_are_apart) {
  struct synth_report *r = sample_create();
  char *text = text_of(r);
  numbers(line_of(text, "memories (not among", "frontend "),
          (const double[]){34816, 8000, 0, 3, 0, 0.4, 0}, 7);
  numbers(line_of(text, "memories (not among", "icache "),
          (const double[]){34816, 8000, 8000, 3, 3, 0.4, 0.4}, 7);
  numbers(line_of(text, "memories of a unit", "icache "), (const double[]){8, 32}, 2);
  assert_null(strstr(text, "ideal"));
  free(text);
  json_t *o = json_of(r), *frontend = unit_of(o, SAMPLE_FRONTEND);
  near(at(json_object_get(frontend, "whole"), "memory_area"), 8000);
  near(at(json_object_get(frontend, "own"), "memory_area"), 0);
  near(at(json_object_get(frontend, "whole"), "memory_access_w"), 0.003);
  near(at(json_object_get(frontend, "whole"), "memory_leakage_w"), 0.0004);
  json_t *memory = json_array_get(json_object_get(unit_of(o, SAMPLE_ICACHE), "memories"), 0);
  assert_string_equal(json_string_value(json_object_get(memory, "source")), "estimated");
  near(at(memory, "area"), 1000);
  near(at(memory, "access_ns"), 2);
  near(at(json_array_get(json_object_get(o, "added"), 0), "memory_area"), 0);
  json_decref(o);
  sample_destroy(r);
}

/* Only of a library whose process is known, and never in the place of the native figures. */
TEST(scaled_figures_are_marked) {
  struct synth_report *r = sample_create();
  char *text = text_of(r);
  assert_non_null(strstr(text, "not scaled to other processes: that of sample_180 is not known"));
  free(text);
  json_t *o = json_of(r);
  assert_true(json_is_null(json_object_get(o, "process_nm")));
  assert_int_equal(json_array_size(json_object_get(unit_of(o, SAMPLE_BASELINE), "scaled")), 0);
  json_decref(o);
  r->process = (struct technology_corner){180, 1.8};
  struct technology_factors f;
  assert_int_equal(
      technology_scale(&r->technology, r->process, (struct technology_corner){45, 0}, &f, NULL), 0);
  const double area = synth_area(&r->units[SAMPLE_BASELINE].whole);
  text = text_of(r);
  numbers(line_of(text, "scaled by published", "sm_frontend "),
          (const double[]){180, area, 8000, 100, 14.4, 3}, 6);
  numbers(line_of(text, "scaled by published", "  scaled "),
          (const double[]){45, f.area * area, f.area * 8000, 100 / f.delay, f.energy * 14.4,
                           f.energy * 3},
          6);
  /* Tops alone: others are on the page and in the JSON. */
  assert_null(strstr(strstr(text, "scaled by published"), "\nbarrier"));
  free(text);
  o = json_of(r);
  near(at(o, "process_nm"), 180);
  json_t *scaled = json_object_get(unit_of(o, SAMPLE_BASELINE), "scaled");
  assert_int_equal(json_array_size(scaled), r->technology.targets);
  near(at(json_array_get(scaled, 0), "nm"), 45);
  near(at(json_array_get(scaled, 0), "area"), f.area * area);
  near(at(json_array_get(scaled, 0), "fmax_mhz"), 100 / f.delay);
  json_decref(o);
  sample_destroy(r);
}

/* Turns the sample's decoders into the links of its cluster. */
static void with_links(struct synth_report *r) {
  strcpy(r->units[SAMPLE_DECODE].spec.module, "downlink");
  strcpy(r->units[SAMPLE_BARRIER].spec.module, "uplink");
  strcpy(r->units[SAMPLE_SCOREBOARD4].spec.module, "link");
  struct synth_unit *down = &r->units[SAMPLE_DECODE], *up = &r->units[SAMPLE_BARRIER];
  down->nchildren = up->nchildren = 1;
  down->children[0] = (struct synth_child){SAMPLE_SCOREBOARD4, 1};
  strcpy(r->units[SAMPLE_SCOREBOARD].spec.module, "link");
  r->units[SAMPLE_SCOREBOARD].spec.n = 1;
  r->units[SAMPLE_SCOREBOARD].spec.parameters[0] = (struct synth_parameter){"Width", 16};
  up->children[0] = (struct synth_child){SAMPLE_SCOREBOARD, 1};
}

/* Eight pairs of links of one hop of 5 mm, of 65 + 8 and 17 + 3 wires: 3720 mm, 0.56 um apart; a
 * tenth of them changes 200 million times a second, 50 fJ for each mm. */
TEST(wires_are_apart) {
  struct synth_report *r = sample_create();
  char *text = text_of(r);
  assert_null(strstr(text, "links' wires"));
  free(text);
  with_links(r);
  r->added[0].shares[0] = (struct synth_share){SAMPLE_DECODE, 1, false};
  text = text_of(r);
  const char *line = strstr(line_of(text, "links' wires", "buddy  2, as built"), "73 + 20");
  assert_non_null(line);
  numbers(line + strlen("73 + 20"),
          (const double[]){3720, 3720 * 0.56e-3,
                           2 * 93 * 5 * 8 * 100.0 / (2 * 16 * 6 * 256 * 2 * 8.48),
                           1e3 * 0.1 * 3720 * 50e-15 * 2e8},
          4);
  free(text);
  json_t *o = json_of(r);
  json_t *wires = json_object_get(json_array_get(json_object_get(o, "added"), 0), "wires_16_sms");
  near(at(wires, "down"), 73);
  near(at(wires, "up"), 20);
  near(at(wires, "length_mm"), 3720);
  json_decref(o);
  sample_destroy(r);
}

/* A unit that is too large to be timed has no figures of timing. */
TEST(untimed_is_no_zero) {
  struct synth_report *r = sample_create();
  struct synth_unit *u = &r->units[SAMPLE_LEADER];
  u->timing.slack_ns = u->timing.fmax_mhz = NAN;
  char *text = text_of(r), wanted[64], *end;
  const char *line = line_of(text, "unit, with all below it", u->name);
  for (unsigned i = 0; i < 5; i++, line = end)
    (void)strtod(line, &end);
  assert_int_equal(strspn(line, " -"), strcspn(line, "0123456789"));
  snprintf(wanted, sizeof wanted, "%.60s ", u->name);
  assert_null(strstr(strstr(text, "critical paths"), wanted));
  assert_null(strstr(text, "nan"));
  free(text);
  json_t *o = json_of(r);
  json_t *timing =
      json_object_get(json_array_get(json_object_get(o, "units"), SAMPLE_LEADER), "timing");
  assert_true(json_is_null(json_object_get(timing, "fmax_mhz")));
  assert_true(json_is_null(json_object_get(timing, "slack_ns")));
  json_decref(o);
  sample_destroy(r);
}

/* A scoreboard of 300 bits and one with a monitor of 200 more: 66.7 % by bits.  Power is as
 * assumed, or as measured. */
TEST(papers_have_their_table) {
  struct synth_report *r = sample_create();
  strcpy(r->units[SAMPLE_LEADER].spec.module, "buddy_member");
  char *text = text_of(r);
  const char *const power = "buddy: power added to a leader's scoreboard";
  const char *line = strstr(line_of(text, "against the papers", power), " - ");
  numbers(line + 3, (const double[]){66.67, 40}, 2);
  assert_non_null(strstr(line, "assumed activity"));
  free(text);
  struct activity_row before[] = {{.path = "u_frontend/u_scoreboard", .internal_w = 0.001},
                                  {.path = "u_frontend", .internal_w = 7}},
                      after[] = {{.path = "u_frontend/u_scoreboard", .switching_w = 0.0005},
                                 {.path = "g_leads.u_monitor", .clock_w = 0.0001},
                                 {.member = 1, .path = "u_frontend/u_scoreboard", .clock_w = 5}},
                      apart[] = {{.path = "u_frontend/u_scoreboard", .internal_w = 0.001},
                                 {.path = "g_leads.u_monitor", .clock_w = 9}};
  r->nmeasured = 3;
  r->measured[0] = (struct synth_measured){.way = "baseline",
                                           .result = {.rows = before, .nrows = 2, .members = 1}};
  r->measured[1] = (struct synth_measured){.way = "grouped",
                                           .result = {.rows = after, .nrows = 3, .members = 2}};
  r->measured[2] =
      (struct synth_measured){.way = "apart", .result = {.rows = apart, .nrows = 2, .members = 2}};
  json_t *o = json_of(r), *row, *rows = json_object_get(o, "papers");
  size_t i;
  bool found = false;
  json_array_foreach(rows, i, row) {
    if (strcmp(json_string_value(json_object_get(row, "figure")), power + strlen("buddy: ")) != 0)
      continue;
    found = true;
    assert_true(json_is_null(json_object_get(row, "published")));
    assert_true(fabs(at(row, "ours") - 10) < 1e-9);
    assert_non_null(strstr(json_string_value(json_object_get(row, "ours_how")), "measured"));
  }
  assert_true(found);
  json_decref(o);
  r->nmeasured = 0;
  sample_destroy(r);
}

TEST(features_have_their_tables) {
  struct synth_report *r = sample_create();
  char *text = text_of(r);
  assert_null(strstr(text, "\nparts "));
  free(text);
  sample_feature(r);
  text = text_of(r);
  const char *line = line_of(text, "\nparts ", "spu   board");
  numbers(line, (const double[]){40, 50000 / 24.0, 300, 0, 0, 12.5, 120}, 7);
  line = line_of(text, "\nparts ", "spu     of it a half");
  numbers(line, (const double[]){40, 50000 / 24.0, 300, 0, 0}, 5);
  assert_int_equal(strncmp(strchr(line, '\n') - 2, " -", 2), 0);
  const struct synth_added *a = &r->added[0];
  numbers(line_of(text, "added to the baseline", "buddy   2, as built"),
          (const double[]){a->area, a->area / 48, a->percent, 0, 0, 0, 8 * a->area}, 7);
  line = strstr(line_of(text, "against the papers", "spu  : saved an interface unit"), " W ");
  assert_non_null(strstr(line, "cells and bits"));
  numbers(line + 3, (const double[]){0.769}, 1);
  free(text);
  json_t *o = json_of(r), *part = json_array_get(json_object_get(o, "parts"), 1);
  assert_string_equal(json_string_value(json_object_get(part, "part")), "of it a half");
  assert_string_equal(json_string_value(json_object_get(part, "unit")), "scoreboard");
  assert_true(json_is_null(json_object_get(part, "leakage_45nm_w")));
  near(at(json_object_get(part, "size"), "gates"), 50000 / 24.0);
  near(at(json_array_get(json_object_get(o, "parts"), 0), "leakage_45nm_w"), 0.0125);
  json_t *papers = json_object_get(o, "papers");
  json_t *figure = json_array_get(papers, json_array_size(papers) - 1);
  assert_string_equal(json_string_value(json_object_get(figure, "feature")), "spu");
  near(at(figure, "published"), 0.769);
  near(at(figure, "ours"), 0.75);
  assert_true(json_is_null(json_object_get(figure, "recomputed")));
  json_t *added = json_array_get(json_object_get(o, "added"), 0);
  near(at(added, "area_gpu"), 8 * r->added[0].area);
  assert_true(json_is_null(json_object_get(added, "area_gpu_mm2_45nm")));
  assert_string_equal(json_string_value(json_object_get(added, "baseline_unit")), "sm_frontend");
  json_decref(o);
  /* Without clusters of Buddy SM the papers' figures on it are left out. */
  strcpy(r->added[0].feature, "spu");
  text = text_of(r);
  assert_null(strstr(text, "\nbuddy:"));
  line_of(text, "against the papers", "spu  :");
  free(text);
  sample_destroy(r);
}

/* Two rows of a table, one line. */
TEST(flat_stands_beside_hierarchical) {
  struct synth_report *r = sample_create();
  char *text = text_of(r);
  assert_null(strstr(text, "hierarchical and flat"));
  free(text);
  struct synth_unit *flat = &r->units[SAMPLE_MONITOR];
  flat->spec = r->units[SAMPLE_DECODE].spec;
  flat->flat = true;
  text = text_of(r);
  numbers(line_of(text, "hierarchical and flat", "decode "),
          (const double[]){150, 300, 6000, 15000, 150, 400, 200, 0.18, 1.8}, 9);
  free(text);
  sample_destroy(r);
}

int main(void) { return test_run(NULL, NULL); }
