/* A report made up for tests. */
#include "tests/synth/sample.h"
#include "tests/test.h"

#include <math.h>

#define SIZE(n, registers, seq, comb, bits, macros)                                                \
  {                                                                                                \
    .cells = n, .sequential_cells = registers, .sequential = seq, .combinational = comb,           \
    .memory_bits = bits, .memories = macros                                                        \
  }

/* Sizes of a unit alone; those of what it contains are added up. */
static const struct {
  const char *name, *module;
  struct synth_size own;
  unsigned depth;
  double fmax, watts;
} samples[SAMPLE_UNITS] = {
    {"scoreboard", "scoreboard", SIZE(900, 300, 30000, 20000, 0, 0), 21, 120, 0.010},
    {"icache", "icache", SIZE(400, 100, 8000, 16000, 34816, 8), 18, 150, 0.005},
    {"decode", "decode", SIZE(150, 0, 0, 6000, 0, 0), 9, 400, 0.0002},
    {"barrier", "barrier", SIZE(90, 40, 3000, 2500, 0, 0), 8, 410, 0.0003},
    {"frontend", "frontend", SIZE(50, 10, 600, 1400, 0, 0), 30, 100, 0.016},
    {"sm_frontend", "sm_frontend", SIZE(0, 0, 0, 0, 0, 0), 30, 100, 0.016},
    {"scoreboard_Releases4", "scoreboard", SIZE(1000, 300, 30000, 30000, 0, 0), 24, 110, 0.012},
    {"monitor", "monitor", SIZE(300, 200, 9000, 6000, 0, 0), 12, 200, 0.002},
    {"frontend_Buddy1", "frontend", SIZE(60, 12, 700, 1600, 0, 0), 32, 95, 0.020},
    {"buddy_cluster_Members2", "buddy_cluster", SIZE(20, 0, 0, 500, 0, 0), 33, 90, 0.040},
};

static const struct {
  enum sample_unit parent, child;
  unsigned count;
} instances[] = {
    {SAMPLE_FRONTEND, SAMPLE_SCOREBOARD, 1}, {SAMPLE_FRONTEND, SAMPLE_ICACHE, 1},
    {SAMPLE_FRONTEND, SAMPLE_DECODE, 2},     {SAMPLE_FRONTEND, SAMPLE_BARRIER, 1},
    {SAMPLE_LEADER, SAMPLE_DECODE, 2},       {SAMPLE_LEADER, SAMPLE_BARRIER, 1},
    {SAMPLE_BASELINE, SAMPLE_FRONTEND, 1},   {SAMPLE_LEADER, SAMPLE_SCOREBOARD4, 1},
    {SAMPLE_LEADER, SAMPLE_ICACHE, 1},       {SAMPLE_LEADER, SAMPLE_MONITOR, 1},
    {SAMPLE_CLUSTER, SAMPLE_LEADER, 2},
};

static void add(struct synth_size *to, const struct synth_size *s, unsigned count) {
  to->cells += count * s->cells;
  to->sequential_cells += count * s->sequential_cells;
  to->sequential += count * s->sequential;
  to->combinational += count * s->combinational;
  to->memory_bits += count * s->memory_bits;
  to->memories += count * s->memories;
  to->ideal_memories += count * s->ideal_memories;
  to->memory_area += count * s->memory_area;
  to->memory_access_w += count * s->memory_access_w;
  to->memory_leakage_w += count * s->memory_leakage_w;
}

/* The memories of the cache. */
static const struct synth_memory memories = {
    .words = 32,
    .width = 128,
    .abits = 5,
    .reads = 1,
    .writes = 1,
    .count = 8,
    .source = SYNTH_ESTIMATED,
    .macro = {.area_um2 = 1000, .access_pj = 20, .leakage_uw = 50, .access_ns = 2}};

static void fill(struct synth_report *r, enum sample_unit i) {
  struct synth_unit *u = &r->units[i];
  snprintf(u->name, sizeof u->name, "%s", samples[i].name);
  snprintf(u->spec.module, sizeof u->spec.module, "%s", samples[i].module);
  u->own = samples[i].own;
  if (i == SAMPLE_ICACHE) {
    u->own.memory_area = (double)memories.count * memories.macro.area_um2;
    u->own.memory_access_w = 0.003;
    u->own.memory_leakage_w = 0.0004;
    u->memories[u->nmemories++] = memories;
  }
  u->whole = u->own;
  u->top = i == SAMPLE_BASELINE || i == SAMPLE_CLUSTER;
  u->children = calloc(SAMPLE_UNITS, sizeof *u->children);
  for (size_t j = 0; j < sizeof instances / sizeof instances[0]; j++) {
    if (instances[j].parent != i)
      continue;
    u->children[u->nchildren++] = (struct synth_child){instances[j].child, instances[j].count};
    add(&u->whole, &r->units[instances[j].child].whole, instances[j].count);
  }
  u->timing = (struct synth_timing){.slack_ns = 10 - 1000 / samples[i].fmax,
                                    .fmax_mhz = samples[i].fmax,
                                    .depth = samples[i].depth,
                                    .start = "valid_q_reg/CLK",
                                    .end = "ready_o",
                                    .path = strdup("Startpoint: valid_q_reg\nEndpoint: ready_o\n")};
  u->power = (struct synth_power){.internal_w = samples[i].watts * 0.6,
                                  .switching_w = samples[i].watts * 0.3,
                                  .leakage_w = samples[i].watts * 0.1,
                                  .measured = i == SAMPLE_MONITOR};
}

struct synth_report *sample_create(void) {
  struct synth_report *r = calloc(1, sizeof *r);
  r->library = (struct synth_library){.name = "sample_180",
                                      .path = "sample.lib",
                                      .key = "0123",
                                      .nand2 = 24,
                                      .nand2_name = "NAND2X1"};
  r->mhz = 100;
  assert_int_equal(
      technology_load(&r->technology, TANDEM_SOURCE_DIR "/synth/data/technology.yaml", NULL), 0);
  strcpy(r->yosys, "Yosys 0.23");
  strcpy(r->sta, "2.0.17");
  r->nunits = SAMPLE_UNITS;
  r->units = calloc(SAMPLE_UNITS, sizeof *r->units);
  for (int i = 0; i < SAMPLE_UNITS; i++)
    fill(r, (enum sample_unit)i);
  r->units[SAMPLE_SCOREBOARD4].spec.n = 1;
  r->units[SAMPLE_SCOREBOARD4].spec.parameters[0] = (struct synth_parameter){"Releases", 4};
  r->units[SAMPLE_LEADER].spec.n = 1;
  r->units[SAMPLE_LEADER].spec.parameters[0] = (struct synth_parameter){"Buddy", 1};
  r->units[SAMPLE_CLUSTER].spec.n = 1;
  r->units[SAMPLE_CLUSTER].spec.parameters[0] = (struct synth_parameter){"Members", 2};
  r->baseline = SAMPLE_BASELINE;
  r->nadded = 1;
  r->added = calloc(1, sizeof *r->added);
  struct synth_added *a = &r->added[0];
  strcpy(a->feature, "buddy");
  strcpy(a->variant, "as built");
  a->shares[a->nshares++] = (struct synth_share){SAMPLE_CLUSTER, 1, false};
  a->members = 2;
  a->sms = 16;
  a->baseline_unit = SAMPLE_BASELINE;
  a->cluster = r->units[SAMPLE_CLUSTER].whole;
  add(&a->baseline, &r->units[SAMPLE_BASELINE].whole, 2);
  a->cluster_w = 0.040;
  a->baseline_w = 0.032;
  a->memory_area = a->cluster.memory_area - a->baseline.memory_area;
  a->area = synth_area(&a->cluster) - synth_area(&a->baseline);
  a->percent = 100 * a->area / synth_area(&a->baseline);
  a->power_percent = 100 * (a->cluster_w / a->baseline_w - 1);
  return r;
}

void sample_feature(struct synth_report *r) {
  r->parts = calloc(2, sizeof *r->parts);
  r->nparts = 2;
  r->parts[0] = (struct synth_of_part){.feature = "spu",
                                       .part = "board",
                                       .unit = SAMPLE_SCOREBOARD,
                                       .times = 1,
                                       .count = 40,
                                       .size = r->units[SAMPLE_SCOREBOARD].whole,
                                       .leakage_w = 0.0125,
                                       .fmax_mhz = 120};
  r->parts[1] = r->parts[0];
  strcpy(r->parts[1].part, "  of it a half");
  r->parts[1].own = true;
  r->parts[1].leakage_w = r->parts[1].fmax_mhz = NAN;
  r->figures = calloc(1, sizeof *r->figures);
  r->nfigures = 1;
  r->figures[0] =
      (struct synth_figure){.feature = "spu", .published = 0.769, .recomputed = NAN, .ours = 0.75};
  strcpy(r->figures[0].rule.figure, "saved an interface unit");
  strcpy(r->figures[0].rule.unit, "W");
  strcpy(r->figures[0].rule.source, "SPU thesis, 7.2");
  strcpy(r->figures[0].rule.ours_how, "cells and bits");
}

void sample_destroy(struct synth_report *r) {
  for (size_t i = 0; i < r->nunits; i++) {
    free(r->units[i].children);
    free(r->units[i].timing.path);
  }
  free(r->units);
  free(r->added);
  free(r->parts);
  free(r->figures);
  free(r);
}
