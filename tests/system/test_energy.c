/* The energy model: hand-computed cases, its figures against those of synth, and whole runs.
 *
 * The expected values are computed here from the numbers that the sources print, by other steps
 * than in harness/gpu/energy: watts of a component times the period of its report, by its counts.
 */
#include "tests/system/helpers.h"

#include <math.h>

#include "csim/isa/core/isa.h"
#include "csim/util/yaml_tree.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/results/figures.h"
#include "harness/gpu/results/kernels.h"

static void near(double value, double expected, const char *of) {
  if (!(fabs(value - expected) <= 1e-4 * fabs(expected)))
    fail_msg("%s: %.9g, not %.9g", of, value, expected);
}
#define NEAR(value, expected) near(value, expected, #value)

/* A component of a feature, by its path behind "energy.". */
static double term(const struct energy *e, const char *path) {
  const double *value = e->feature;
  for (size_t i = 0; i < features_count; i++)
    for (size_t k = 0; k < features[i]->energy.ncomponents; k++, value++)
      if (strcmp(features[i]->energy.components[k].path + strlen("energy."), path) == 0)
        return *value;
  fail_msg("there is no component %s", path);
  return 0;
}

/* The tables of every GPU and of the features; NULL: no more. */
static const struct energy_tables *tables(size_t i) {
  if (i == 0)
    return &energy_common;
  return i <= features_count ? &features[i - 1]->energy : NULL;
}

/* 7000 cycles at 700 MHz are 10 us. */
static struct gpu_stats counted(void) {
  struct gpu_stats s = {.cycles = 7000};
  s.sm.cycles = 14000;
  s.sm.active_cycles = 10000;
  s.sm.warp_instructions = 1000;
  s.sm.thread_instructions = 16000;
  s.sm.by_unit[ISA_U_IALU] = 600;
  s.sm.by_unit[ISA_U_FMUL] = 100;
  s.sm.by_unit[ISA_U_MEM] = 300;
  s.sm.operands_read = 1500;
  s.sm.operands_written = 500;
  return s;
}

TEST(sm_by_hand) {
  struct tandem_config c;
  struct energy e;
  struct gpu_stats s = counted();
  gpu_config_default(&c);
  c.sms = 2;
  s.mem.icache_fills = 10;
  s.mem.shared_accesses = 90;
  s.mem.shared_conflict_cycles = 10;
  features_energy(&c, &s, &e);
  /* 1000 instructions are 503.13 fetches of 115.07 pJ, and 10 misses of 830.4 pJ. */
  NEAR(e.dynamic_icache, (503.130 * 115.071 + 10 * 830.434) * 1e-9);
  NEAR(e.dynamic_decode, 1000 * 3.61408e-9);
  NEAR(e.dynamic_scheduler, 1000 * 44.8257e-9);
  NEAR(e.dynamic_pipeline, 1000 * 1077.80e-9);
  NEAR(e.dynamic_registers, 2000 * 735.176e-9);
  /* 600 instructions of 16 lanes, 67.37 pJ each. */
  NEAR(e.dynamic_integer, 9600 * 67.3693e-9);
  NEAR(e.dynamic_floating, 1600 * 53.2440e-9);
  NEAR(e.dynamic_shared, 100 * 2216.96e-9);
  NEAR(e.dynamic_idle, 4000 / 700e3 * 1.59);
  NEAR(e.dynamic_base, 0.0982366);
  const double sum = e.dynamic_icache + e.dynamic_decode + e.dynamic_scheduler +
                     e.dynamic_pipeline + e.dynamic_registers + e.dynamic_integer +
                     e.dynamic_floating + e.dynamic_shared + e.dynamic_idle + e.dynamic_base;
  NEAR(e.dynamic_all, sum);
  NEAR(e.front_end, e.dynamic_icache + e.dynamic_decode + e.dynamic_scheduler);
  NEAR(e.front_end_share, 18.0 / 82 * (sum - e.front_end));
  NEAR(e.time, 0.01);
  /* Two SMs of table III with L1D and shared memory of 80 KB, and 6 Mbit of L2. */
  NEAR(e.leak_ours, 2 * (4.536416 + 0.86 * 0.25) + 6 * 131072 * 8 * 0.436e-6);
  NEAR(e.static_ours, e.leak_ours * 0.01);
  NEAR(e.leak_published, 46.4);
  NEAR(e.static_published, 0.464);
}

TEST(memory_by_hand) {
  struct tandem_config c;
  struct energy e;
  struct gpu_stats s = {.cycles = 7000};
  gpu_config_default(&c);
  s.mem.transactions = 50;
  s.mem.const_hits = 7;
  s.mem.const_misses = 3;
  s.mem.l2_hits = 30;
  s.mem.l2_misses = 10;
  s.mem.xbar_flits = 200;
  /* 15 reads and 5 writes of two bursts each, which last two ticks; 6 rows are opened. */
  s.mem.dram_reads = 15;
  s.mem.dram_writes = 5;
  s.mem.dram_row_hits = 14;
  s.mem.dram_busy = 80;
  features_energy(&c, &s, &e);
  NEAR(e.dynamic_l1d, 50 * 2420.56e-9);
  NEAR(e.dynamic_constant, 10 * 1290.94e-9);
  NEAR(e.dynamic_l2, 40 * 3083.10e-9);
  NEAR(e.dynamic_crossbar, 200 * 1938.58e-9);
  NEAR(e.dynamic_controllers, (30 * 4613.27 + 10 * 5591.85 + 6 * 1537.76) * 1e-9);
  NEAR(e.dynamic_dram, (30 * 24943.9 + 10 * 30235.0 + 6 * 8314.63) * 1e-9);
  c.mem.l1d = c.mem.l2 = false;
  features_energy(&c, &s, &e);
  NEAR(e.leak_ours, 16 * (4.536416 - 0.86 * 0.25));
  if (e.dynamic_l1d != 0)
    fail_msg("L1D is off and takes %g mJ", e.dynamic_l1d);
}

TEST(cluster_by_hand) {
  struct tandem_config c;
  struct energy e;
  struct gpu_stats s = counted();
  gpu_config_default(&c);
  c.sms = 2;
  c.feature.buddy.size = 2;
  s.feature.buddy.inst_packets = 400;
  s.feature.buddy.downlink_hops = 450;
  s.feature.buddy.uplink_hops = 100;
  s.feature.buddy.gated_cycles = 3100;
  s.feature.buddy.power_up_cycles = 300;
  s.feature.buddy.grouped_cycles = 6000;
  s.feature.buddy.wakes = 50;
  c.feature.buddy.mon_entries = 2;
  features_energy(&c, &s, &e);
  /* A slave's front end neither fetches nor schedules the 400 instructions; its pipelines execute.
   */
  NEAR(e.dynamic_scheduler, 600 * 44.8257e-9);
  NEAR(e.dynamic_pipeline, 1000 * 1077.80e-9);
  /* A packet takes 16 pJ a hop on a downlink, 4 pJ on an uplink. */
  NEAR(e.dynamic_links, (450 * 16 + 100 * 4) * 1e-9);
  NEAR(e.cycles_gated, 2800);
  NEAR(e.cycles_powering_up, 300);
  NEAR(term(&e, "sm_cycles.grouped"), 6000);
  NEAR(term(&e, "sm_cycles.solo"), 4000);
  NEAR(e.cycles_idle, 4000);
  NEAR(e.static_front_end, 2 * 0.06783 * (1 - 0.95 * 0.2) * 0.01);
  NEAR(e.saved, 2 * 0.06783 * 0.95 * 0.2 * 0.01);
  NEAR(e.static_published, 0.464 - e.saved);
  /* Two monitor entries add 8 bits to the 96 of a warp. */
  NEAR(term(&e, "dynamic.monitor"), 600 * 44.8257e-9 / 12);
  /* Waking takes what gating saves in 14 cycles, of 1 / 700 us. */
  NEAR(term(&e, "dynamic.wake"), 50 * 14 / 700e3 * 0.95 * 0.06783);
  NEAR(e.sharing, e.dynamic_links + term(&e, "dynamic.monitor") + term(&e, "dynamic.wake"));
  /* 2800 of 14000 SM cycles are gated. */
  NEAR(e.front_end_synth, (11200 * 1.743 + 2800 * 0.226) * 0.018142e-6);
}

TEST(spu_by_hand) {
  struct tandem_config c;
  struct energy e;
  struct gpu_stats s = {.cycles = 7000};
  gpu_config_default(&c);
  c.feature.spu.columns = c.feature.spu.rows = 4;
  s.mem.cb_passes = 60;
  s.feature.spu.words_in = 640;
  s.feature.spu.words_spilled = 640;
  s.feature.spu.cb_reads = 1000;
  s.feature.spu.cb_writes = 600;
  features_energy(&c, &s, &e);
  /* 60 passes and 1280 words; a buffer of 4 KB is a twelfth of shared memory. */
  NEAR(term(&e, "dynamic.buffers"), 100 * 2216.96e-9 / sqrt(12));
  NEAR(e.dynamic_links, 800 * 32 * 5 * 0.05e-9);
  /* 40 links have 80 buffers, 320 KB. */
  NEAR(term(&e, "static.buffers"), 320 * 1024 * 8 * 0.436e-6 * 0.01);
  NEAR(term(&e, "static.interface"), 16 * 0.9205 * 0.01);
  NEAR(e.leak_published, 66.8);
  c.feature.spu.cb_bytes = 16384;
  features_energy(&c, &s, &e);
  NEAR(term(&e, "dynamic.buffers"), 100 * 2216.96e-9 / sqrt(3));
  NEAR(e.leak_published, 70.1);
  /* Truncated SMs: their words are passes already. */
  c.feature.spu.interface = SPU_INTERFACE_SM;
  c.feature.spu.blocks_x = 2;
  features_energy(&c, &s, &e);
  NEAR(term(&e, "dynamic.buffers"), 60 * 2216.96e-9 / sqrt(3));
  NEAR(term(&e, "static.interface"), 16 * 1.465928 * 0.01);
  NEAR(e.leak_published, 82.4);
}

/* Six SMs of table II, a tenth of whose instructions are of wide warps. */
TEST(flex_by_hand) {
  struct tandem_config c;
  struct energy e;
  struct gpu_stats s = counted();
  struct flex_statistics *f = &s.feature.flex;
  gpu_config_default(&c);
  c.sms = c.feature.flex.size = 6;
  c.feature.flex.dummy = 2;
  c.mem.shared_bytes = c.mem.l1d_bytes = 16384;
  s.sm.cycles = 42000;
  s.sm.active_cycles = 30000;
  f->lending_idle = 2000;
  f->far_writes = 10;
  f->far_reads = 20;
  f->far_narrow = 12;
  f->far_pushes = 4;
  f->far_pops = 3;
  f->operand_planes = 5;
  f->result_planes = 4;
  f->address_planes = 3;
  f->data_planes = 2;
  f->memory_lines = 6;
  f->branches = 7;
  f->staged = 600;
  f->wide_instructions = 100;
  f->off_front_end = 1000;
  f->off_contexts = 500;
  f->off_lanes = f->off_lsu = 4200;
  f->off_memory = 8400;
  f->off_other = 21000;
  f->wakes_front_end = 3;
  f->wakes_contexts = 1;
  f->wakes_lanes = f->wakes_other = 2;
  f->wakes_memory = f->wakes_lsu = 1;
  features_energy(&c, &s, &e);
  /* Bits: 7 of an access and two instructions of 79; the same and one; entries of 96 bits; planes
   * of 32 x 32; lines and their addresses; words and masks of upper halves; masks, reports and
   * credits of borrowed warps; warp and lanes of a branch. */
  const double bits =
      10 * 165 + 20 * 86 + 4 * 108 + 3 * 107 + 14 * 1024 + 6 * 1056 + 100 * 97 + 12 * 41 + 7 * 39;
  NEAR(term(&e, "dynamic.lending"), bits * 3.6 * 0.05e-9);
  /* 580 own instructions are written and read; 1500 operands of 1100 instructions of 32 lanes, for
   * the 500 of such warps, without the 5 that cross; two stages. */
  NEAR(term(&e, "dynamic.stages"),
       (bits + 580 * 172 + (500 * 1500 / 1100. - 5) * 1024) * 2 * 2.8e-12);
  NEAR(term(&e, "dynamic.waking"),
       (2 * 0.06783 + 2 * 0.038 + 0.86 + 0.911 + 2 * 2.431) * 14 / 700e3 * 0.95);
  NEAR(term(&e, "static.wiring"), 6 * 0.0385416 * 0.01);
  NEAR(e.dynamic_idle, 10000 / 700e3 * 1.59);
  NEAR(e.dynamic_pipeline, 1100 * 1077.80e-9);
  NEAR(e.static_front_end, 6 * 0.06783 * (1 - 0.95 * 750 / 42000) * 0.01);
  NEAR(e.static_registers, 6 * 0.228586 * 0.01);
  NEAR(e.static_lanes, 6 * 0.038 * (1 - 0.095) * 0.01);
  NEAR(e.static_lsu, 6 * 0.911 * (1 - 0.095) * 0.01);
  NEAR(e.static_l1, 6 * 0.86 * (1 - 0.19) * 0.01);
  NEAR(e.static_other, 6 * 1.571 * (1 - 0.475) * 0.01);
  NEAR(e.static_read_only, 6 * 0.86 * (1 - 0.475) * 0.01);
  /* Twice the memory leaks twice as much. */
  c.mem.shared_bytes = 49152;
  features_energy(&c, &s, &e);
  NEAR(e.static_l1, 12 * 0.86 * (1 - 0.19) * 0.01);
  NEAR(term(&e, "dynamic.waking"),
       (2 * 0.06783 + 2 * 0.038 + 2 * 0.86 + 0.911 + 2 * 2.431) * 14 / 700e3 * 0.95);
}

static double figure(const char *name) {
  const struct energy_tables *t;
  for (size_t k = 0; (t = tables(k)) != NULL; k++)
    for (size_t i = 0; i < t->nfigures; i++)
      if (strcmp(t->figures[i].name, name) == 0)
        return t->figures[i].value;
  fail_msg("no figure %s", name);
  return NAN;
}

/* A number of synth/data/technology.yaml. */
static double technology(struct yaml_file *f, const char *section, const char *key) {
  struct tandem_error err;
  double value;
  yaml_node_t *node = yaml_get(f, yaml_get(f, yaml_root(f), section), key);
  if (node == NULL || yaml_real(f, node, key, &value, &err) != 0)
    fail_msg("technology.yaml has no %s.%s", section, key);
  return value;
}

TEST(figures_of_synth) {
  struct yaml_file f;
  struct tandem_error err;
  if (yaml_open(&f, TECHNOLOGY, &err) != 0)
    fail_msg("%s", err.text);
  NEAR(figure("wire") * 1000, technology(&f, "wires", "low_swing_fj_bit_mm"));
  NEAR(figure("hop_mm"), technology(&f, "wires", "hop_mm"));
  NEAR(figure("leak_bit") * 1e6, technology(&f, "memories", "leakage_bit_uw"));
  NEAR(figure("leak_gated"), technology(&f, "gating", "leakage_left"));
  NEAR(figure("shared_pass"), 40 * 128 * technology(&f, "memories", "read_bit_pj") * sqrt(0.75));
  yaml_close(&f);
}

/* Half of the time without power: each part leaks by what gating saves less, and no other does. */
static void half_off(const struct tandem_config *c, const struct gpu_stats *s,
                     struct energy_activity *a) {
  (void)c;
  for (unsigned i = 0; i < ENERGY_OFF; i++)
    a->off[i] = i == s->launches ? (double)s->sm.cycles / 2 : 0;
}

TEST(parts_without_power) {
  static const struct energy_tables gated = {.activity = half_off};
  const struct energy_tables *const features_of[] = {&gated};
  struct tandem_config c;
  struct energy all, e;
  gpu_config_default(&c);
  struct gpu_stats s = {.cycles = 1000, .sm.cycles = 16000, .launches = ENERGY_OFF};
  energy_compute(&c, &s, features_of, 1, &all);
  for (unsigned i = 0; i < ENERGY_OFF; i++) {
    s.launches = i; /* the part that is off */
    energy_compute(&c, &s, features_of, 1, &e);
    const double all_of[] = {all.static_registers, all.static_lanes, all.static_lsu,
                             all.static_other,     all.static_l1,    all.static_read_only},
                 of[] = {e.static_registers, e.static_lanes, e.static_lsu,
                         e.static_other,     e.static_l1,    e.static_read_only};
    for (unsigned k = 0; k < ENERGY_OFF; k++)
      NEAR(of[k], all_of[k] * (k == i ? 1 - 0.95 / 2 : 1));
    NEAR(all.static_ours - e.static_ours, all_of[i] * 0.95 / 2);
  }
}

/* Every figure names a source that there is. */
static unsigned sources_named(const char *name) {
  const struct energy_tables *t;
  unsigned found = 0;
  for (size_t k = 0; (t = tables(k)) != NULL; k++)
    for (size_t i = 0; i < t->nsources; i++)
      found += strcmp(t->sources[i].name, name) == 0;
  return found;
}

TEST(sources) {
  const struct energy_tables *t;
  for (size_t k = 0; (t = tables(k)) != NULL; k++)
    for (size_t i = 0; i < t->nfigures; i++)
      if (sources_named(t->figures[i].source) != 1 || !(t->figures[i].value > 0))
        fail_msg("figure %s: source %s, value %g", t->figures[i].name, t->figures[i].source,
                 t->figures[i].value);
}

/* Lists of fixed sizes have room for what all features bring. */
TEST(room) {
  static struct figure list[2 * FIGURES];
  const struct gpu_stats none = {0};
  struct tandem_config c;
  size_t components = 0, launch_figures = 0;
  gpu_config_default(&c);
  for (size_t i = 0; i < features_count; i++) {
    components += features[i]->energy.ncomponents;
    launch_figures += features[i]->nlaunch_figures;
  }
  assert_in_range(components, 1, ENERGY_TERMS);
  assert_in_range(launch_figures, 1, GPU_LAUNCH_FIGURES);
  assert_in_range(figures_list(&c, &none, FIGURES_OF_ALL, list), 1, FIGURES);
}

/* The same run with half of the SMs' front ends shared saves what front ends take. */
TEST(of_runs) {
  struct energy e[2];
  struct gpu_stats s[2];
  for (unsigned i = 0; i < 2; i++) {
    struct tandem_config c = small(TANDEM_ENGINE_REF);
    struct tandem_error err;
    struct tandem *t;
    c.feature.buddy.size = i + 1;
    c.sm.collectors_mem = 8;
    if (run_kernel(&c, "vecadd", &t, &err) != TANDEM_OK)
      fail_msg("%s", err.text);
    gpu_statistics(t, &s[i]);
    features_energy(&c, &s[i], &e[i]);
    tandem_close(t);
  }
  assert_true(e[0].dynamic_all > 0 && e[0].dynamic_dram > 0 && e[0].dynamic_floating > 0);
  assert_true(s[0].sm.operands_read > 0 && s[0].sm.operands_written > 0);
  assert_int_equal(s[0].sm.operands_read, s[1].sm.operands_read);
  assert_true(s[1].feature.buddy.inst_packets > 0 && s[1].feature.buddy.gated_cycles > 0);
  assert_true(e[1].dynamic_scheduler < 0.75 * e[0].dynamic_scheduler);
  NEAR(e[1].dynamic_registers, e[0].dynamic_registers);
  assert_true(e[1].dynamic_links > 0 && e[0].dynamic_links == 0);
  assert_true(term(&e[1], "dynamic.monitor") > 0 && term(&e[0], "dynamic.monitor") == 0);
  NEAR(e[0].cycles_idle + e[0].cycles_active, 2.0 * (double)s[0].cycles);
}

int main(void) { return test_run(NULL, NULL); }
