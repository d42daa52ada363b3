/* The report of the SPU: the parts of designs.yaml are those of the elaborated grid, and equation
 * 5.1 of the thesis gives its buffers. */
#include <math.h>
#include <stdbool.h>

#include "tests/synth/feature.h"
#include "tests/test.h"

static int start(void **state) {
  *state = feature_report("spu", 500000); /* whole grids of 4 x 4 would take minutes */
  return 0;
}

static int stop(void **state) {
  synth_free(*state);
  return 0;
}

/* Each row whose unit the grid has, with buffers of 4 or of 16 KB, counts it as the RTL does. */
TEST(rows_count_what_the_grid_has) {
  const struct synth_report *r = *state;
  const size_t grids[2] = {feature_unit(r, "spu_grid_Columns4_Rows4"),
                           feature_unit(r, "spu_grid_Columns4_Rows4_Words4096")};
  unsigned compared = 0;
  for (size_t i = 0; i < r->nparts; i++) {
    const struct synth_of_part *p = &r->parts[i];
    const bool lane = strcmp(r->units[p->unit].name, "spu_lane") == 0; /* of four kinds */
    unsigned n = feature_count(r, grids[0], p->unit, lane);
    n = n != 0 ? n : feature_count(r, grids[1], p->unit, lane);
    if (n != 0 && n != p->times * p->count)
      fail_msg("%s: %u x %u, and the grid has %u", p->part, p->times, p->count, n);
    compared += n != 0;
  }
  assert_true(compared >= 18);
}

/* 80 buffers, 320 KB and 1,280 KB: counted, by the equation, and published. */
TEST(buffers_are_those_of_the_thesis) {
  static const struct {
    const char *name;
    double value;
  } cases[] = {{"communication buffers", 80},
               {"communication buffers of 4 KB", 320},
               {"communication buffers of 16 KB", 1280}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct synth_figure *x = feature_figure(*state, cases[i].name);
    assert_true(x->published == cases[i].value);
    assert_true(x->recomputed == cases[i].value);
    assert_true(x->ours == cases[i].value);
  }
}

/* Bits and cells of the grid are the sum of its units'; variants differ by what they should. */
TEST(variants_are_sums) {
  const struct synth_report *r = *state;
  const struct synth_added *dma = NULL, *dma16 = NULL, *sm = NULL, *sm16 = NULL;
  for (size_t i = 0; i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    assert_int_equal(a->members, 16);
    assert_int_equal(a->sms, 16);
    dma = strcmp(a->variant, "DMA, 4 KB") == 0 ? a : dma;
    dma16 = strcmp(a->variant, "DMA, 16 KB") == 0 ? a : dma16;
    sm = strcmp(a->variant, "SM, 4 KB") == 0 ? a : sm;
    sm16 = strcmp(a->variant, "SM, 16 KB") == 0 ? a : sm16;
  }
  assert_true(dma != NULL && dma16 != NULL && sm != NULL && sm16 != NULL);
  const struct synth_size *slot = &r->units[feature_unit(r, "spu_slot")].whole,
                          *lane = &r->units[feature_unit(r, "spu_lane")].whole,
                          *pair = &r->units[feature_unit(r, "comm_pair")].whole;
  assert_int_equal(dma->memory_bits,
                   40 * pair->memory_bits + 15 * slot->memory_bits + 16 * lane->memory_bits);
  assert_int_equal(dma16->memory_bits - dma->memory_bits, 40 * 3 * 65536);
  assert_int_equal(sm16->memory_bits - sm->memory_bits, 40 * 3 * 65536);
  const size_t truncated = feature_unit(r, "sm_frontend_StackDepth4_Warps8");
  assert_int_equal(sm->memory_bits,
                   40 * pair->memory_bits + 16 * r->units[truncated].whole.memory_bits);
  /* 8 of 48 warps. */
  assert_true(synth_area(&r->units[truncated].whole) <
              synth_area(&r->units[r->baseline].whole) / 2);
}

/* Published and recomputed figures that the text of docs/hardware/spu.md relies on. */
TEST(figures_are_near_the_thesis) {
  const struct synth_figure *more =
      feature_figure(*state, "leakage added by buffers of 16 KB, not 4");
  assert_true(fabs(more->published - 3.3) < 1e-9);
  assert_true(fabs(more->recomputed - 3.43) < 0.01);
  assert_true(more->ours >= more->recomputed && more->ours < 1.1 * more->recomputed);
  const struct synth_figure *saved =
      feature_figure(*state, "saved an interface unit by a DMA engine");
  assert_true(fabs(saved->published - 0.769) < 0.001);
  assert_true(saved->recomputed > 0.6 && saved->recomputed < 0.8);
  assert_true(saved->ours > 0.6 && saved->ours < 0.8);
  const struct synth_figure *sm = feature_figure(*state, "leakage of a truncated SM"),
                            *dma = feature_figure(*state,
                                                  "leakage of a border lane with a DMA engine");
  assert_true(dma->ours > 0.001 && fabs(sm->ours - dma->ours - saved->ours) < 1e-9);
}

int main(void) { return test_run(start, stop); }
