/* Runs the random program of a seed on a GPU. */
#include "tests/random/run.h"
#include "csim/isa/asm/asm.h"
#include "harness/gpu/core/check.h"
#include "harness/gpu/core/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct gen_options program_options(uint64_t seed) {
  struct rng rng = {seed ^ 0x5eed};
  struct gen_options o;
  /* One in five exceeds the instruction cache. */
  o.statements = gen_chance(&rng, 20) ? 200 + rng_below(&rng, 150) : 10 + rng_below(&rng, 110);
  o.barriers = gen_chance(&rng, 70);
  o.memory = gen_chance(&rng, 90);
  o.warps_end = gen_chance(&rng, 30);
  o.race_free = false;
  return o;
}

static void configure_memory(struct rng *rng, struct mem_config *m) {
  m->shared_latency = 4 + rng_below(rng, 40);
  m->l1d_latency = 4 + rng_below(rng, 60);
  m->l1d_mshrs = 1U << rng_below(rng, 7);
  m->l1d_mshr_merge = 1 + rng_below(rng, 8);
  m->const_latency = 4 + rng_below(rng, 40);
  m->rop_latency = 10 + rng_below(rng, 200);
  m->dram_latency = 10 + rng_below(rng, 200);
}

void run_configure(uint64_t seed, struct tandem_config *config) {
  struct rng rng = {seed ^ 0xc0f1};
  gpu_config_default(config);
  config->sms = 1 + rng_below(&rng, 2);
  config->threads = 1;
  config->scheduler = gen_chance(&rng, 50) ? TANDEM_GTO : TANDEM_LRR;
  config->seed = seed;
  /* With one MSHR a scattered load takes 10,000 cycles: a program may well need millions. */
  config->max_cycles = 40000000;
  config->state_interval = 1;
  config->barrier_check = !program_options(seed).warps_end;
  config->check = TANDEM_CHECK_FULL;
  if (gen_chance(&rng, 30))
    return; /* the default machine */
  for (unsigned i = 0; i < ISA_LATS; i++) {
    uint32_t latency = config->sm.lat[i].latency, interval = config->sm.lat[i].interval;
    if (i == ISA_L_MEM)
      continue;
    config->sm.lat[i].latency = 2 + rng_below(&rng, latency + 10);
    config->sm.lat[i].interval = 1 + rng_below(&rng, interval + 2);
  }
  config->sm.collectors_sp = 1 + rng_below(&rng, 8);
  config->sm.collectors_sfu = 1 + rng_below(&rng, 8);
  config->sm.collectors_mem = 1 + rng_below(&rng, 8);
  configure_memory(&rng, &config->mem);
}

static void try_memory(struct rng *rng, struct mem_config *m) {
  m->partitions = 1 + rng_below(rng, 8);
  m->shared_banks = 1U << rng_below(rng, 6);
  m->l1d = gen_chance(rng, 85);
  m->l1d_ways = 1U << rng_below(rng, 3);
  m->l1d_bytes = 1024U << rng_below(rng, 6);
  m->const_ways = 1U << rng_below(rng, 2);
  m->const_line = 32U << rng_below(rng, 3);
  m->const_bytes = 256U << rng_below(rng, 6);
  m->const_mshrs = 1 + rng_below(rng, 8);
  m->lsu_queue = 1 + rng_below(rng, 4);
  m->xbar_flit_bytes = 8U << rng_below(rng, 4);
  m->xbar_latency = rng_below(rng, 20);
  m->xbar_queue = 2 + rng_below(rng, 12);
  m->l2 = gen_chance(rng, 85);
  m->l2_ways = 1U << rng_below(rng, 5);
  m->l2_bytes = 2048U << rng_below(rng, 6);
  m->l2_mshrs = 1 + rng_below(rng, 32);
  m->l2_mshr_merge = 1 + rng_below(rng, 8);
  m->l2_queue = 1 + rng_below(rng, 64);
  m->l2_dram_queue = 2 + rng_below(rng, 30);
  m->dram_chips = 1U << rng_below(rng, 3);
  m->dram_banks = 1U << rng_below(rng, 5);
  m->dram_groups = 1U << rng_below(rng, 3);
  m->dram_queue = 1 + rng_below(rng, 64);
  m->dram_hit_limit = rng_below(rng, 16);
}

void run_configure_memory(uint64_t seed, struct tandem_config *config) {
  struct rng rng = {seed ^ 0x3e30};
  struct mem_config tried;
  struct tandem_error err;
  do {
    tried = config->mem;
    try_memory(&rng, &tried);
  } while (mem_config_check(&tried, NULL, &err) != 0);
  config->mem = tried;
}

void run_configure_buddy(uint64_t seed, uint32_t members, enum buddy_regroup regroup,
                         struct tandem_config *config) {
  struct rng rng = {seed ^ 0xb0dd};
  run_configure(seed, config);
  config->sms *= members;
  config->feature.buddy.size = members;
  config->feature.buddy.regroup = regroup;
  config->feature.buddy.formation = gen_chance(&rng, 50) ? BUDDY_FORM_DEFAULT : BUDDY_FORM_ADAPTIVE;
  config->feature.buddy.power_up = rng_below(&rng, 40);
  config->assertions = gen_chance(&rng, 25);
  /* The back ends of a cluster require these values. */
  config->sm.collectors_mem = 8;
  for (unsigned i = 0; i < ISA_LATS; i++)
    if (config->sm.lat[i].interval > config->sm.lat[i].latency)
      config->sm.lat[i].interval = config->sm.lat[i].latency;
}

/* The schemes that clusters of so many members have. */
static enum flex_scheme pick_scheme(struct rng *rng, uint32_t members) {
  static const enum flex_scheme of_two[] = {FLEX_BASE, FLEX_OCC, FLEX_BIGSM, FLEX_BIGSM_OCC};
  return members == 2 ? of_two[rng_below(rng, 4)] : (enum flex_scheme)rng_below(rng, FLEX_SCHEMES);
}

void run_configure_flex(uint64_t seed, uint32_t members, uint32_t dummy,
                        struct tandem_config *config) {
  static const uint32_t power_up[] = {0, 1, 24, 255};
  struct rng rng = {seed ^ 0xf1e8};
  run_configure(seed, config);
  struct flex_config *f = &config->feature.flex;
  config->sms = members == 2 ? 2 * config->sms : members;
  config->sm.warps = 24;
  if (gen_chance(&rng, 50)) {
    /* The paper's table II, with registers for the largest CTA: soon warps are borrowed ones. */
    config->sm.threads = 768;
    config->sm.registers = GEN_MAX_BLOCK * 32;
    config->sm.shared_bytes = config->mem.shared_bytes = config->mem.l1d_bytes = 16384;
    config->mem.shared_banks = 16;
  }
  /* Half of them can be lent. */
  config->sm.collectors_sp += config->sm.collectors_sp % 2;
  config->sm.collectors_sfu += config->sm.collectors_sfu % 2;
  config->sm.collectors_mem += config->sm.collectors_mem % 2;
  f->size = members;
  f->dummy = dummy;
  f->scheme = gen_chance(&rng, 10) ? FLEX_AUTO : pick_scheme(&rng, members);
  f->choice = gen_chance(&rng, 50) ? FLEX_RULE_STATIC : FLEX_RULE_FIRST;
  f->power_up = power_up[rng_below(&rng, 4)];
  f->memory = gen_chance(&rng, 25) ? FLEX_MEMORY_OWN : FLEX_MEMORY_LENT;
  f->placement = gen_chance(&rng, 25) ? FLEX_PLACE_SIDES : FLEX_PLACE_WARPS;
  f->coalesce = gen_chance(&rng, 25) ? FLEX_COALESCE_HALF : FLEX_COALESCE_WARP;
  f->operand_planes = 1 + rng_below(&rng, 4);
  f->memory_planes = 1 + rng_below(&rng, 4);
  config->assertions = true;
}

struct launch_shape {
  uint32_t grid[3], block[3];
  uint32_t threads; /* of the grid */
};

/* Blocks of every size up to ten warps, often of no whole number of warps, on small grids; or small
 * blocks on larger ones, where warps are used again. */
static struct launch_shape shape(struct rng *rng) {
  struct launch_shape s = {.grid = {1, 1, 1}, .block = {1, 1, 1}};
  if (gen_chance(rng, 30)) {
    s.block[0] = 1 + rng_below(rng, 128);
    s.grid[0] = 10 + rng_below(rng, 25);
  } else {
    s.block[0] = gen_chance(rng, 50) ? 32 * (1 + rng_below(rng, 6)) : 1 + rng_below(rng, 320);
    s.grid[0] = 1 + rng_below(rng, 9);
  }
  return s;
}

/* A word of data: any, or one at which an operation may change its ways. */
static uint32_t data_word(struct rng *rng) {
  static const uint32_t edges[] = {
      0,          1,          2,          15,         16,         31,
      32,         33,         63,         64,         65,         0x7f,
      0x80,       0xff,       0x100,      0x7fff,     0x8000,     0xffff,
      0x10000,    0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, /* floats: */
      0x3f800000, 0xbf800000, 0x00800000, 0x007fffff, 0x7f7fffff, 0x7f800000,
      0xff800000, 0x7fc00000, 0x7f800001, 0x38800000, 0x33800000, 0x477ff000,
      0x4f000000, 0x5f000000, 0x3ff00000, 0x7ff00000};
  return gen_chance(rng, 25) ? edges[rng_below(rng, sizeof edges / sizeof edges[0])]
                             : (uint32_t)rng_next(rng);
}

static enum tandem_status fill(struct tandem *gpu, struct rng *rng, uint32_t address, size_t bytes,
                               struct tandem_error *err) {
  uint64_t data[GEN_DATA_BYTES / 8];
  enum tandem_status status = TANDEM_OK;
  for (size_t at = 0; at < bytes && status == TANDEM_OK; at += sizeof data) {
    size_t part = bytes - at < sizeof data ? bytes - at : sizeof data;
    for (size_t i = 0; i < (part + 7) / 8; i++)
      data[i] = (uint64_t)data_word(rng) << 32 | data_word(rng);
    status = tandem_write(gpu, address + (uint32_t)at, data, part, err);
  }
  return status;
}

static enum tandem_status fill_records(struct tandem *gpu, struct rng *rng, uint32_t address,
                                       struct tandem_error *err) {
  struct gen_record records[GEN_DATA_BYTES / sizeof(struct gen_record)];
  for (size_t i = 0; i < sizeof records / sizeof records[0]; i++)
    records[i] = gen_record(rng);
  return tandem_write(gpu, address, records, sizeof records, err);
}

/* Which programs. */
enum kind { ANY, RACE_FREE, OPERANDS };

struct buffers {
  unsigned count;
  struct {
    uint32_t address;
    size_t bytes;
  } list[RUN_BUFFERS];
};

static enum tandem_status add_buffer(struct tandem *gpu, struct buffers *b, size_t bytes,
                                     uint32_t *address, struct tandem_error *err) {
  enum tandem_status status = tandem_alloc(gpu, bytes, address, err);
  if (status == TANDEM_OK) {
    b->list[b->count].address = *address;
    b->list[b->count++].bytes = bytes;
  }
  return status;
}

/* Slices and counters of a launch's threads; the next launch reads the front of them. */
static enum tandem_status add_slices(struct tandem *gpu, struct rng *rng, struct buffers *b,
                                     uint32_t threads, uint32_t *address,
                                     struct tandem_error *err) {
  size_t bytes = GEN_COUNTER_BYTES + (size_t)GEN_SLICE_BYTES * threads;
  if (bytes < GEN_DATA_BYTES)
    bytes = GEN_DATA_BYTES;
  enum tandem_status status = add_buffer(gpu, b, bytes, address, err);
  return status == TANDEM_OK ? fill(gpu, rng, *address, bytes, err) : status;
}

/* The scheme of a launch: half of them have the one that is configured. */
static enum tandem_flex_scheme launch_scheme(uint64_t seed, unsigned launch,
                                             const struct tandem_config *config) {
  struct rng rng = {seed ^ (0x5c4e + launch)};
  const struct flex_config *f = &config->feature.flex;
  return (enum tandem_flex_scheme)(gen_chance(&rng, 50) ? f->scheme : pick_scheme(&rng, f->size));
}

/* Launches the program, or only notes the launch in a record that is not NULL. */
static enum tandem_status launch_or_note(struct tandem *gpu, const struct tandem_launch *launch,
                                         struct run_record *record, struct tandem_error *err) {
  if (record == NULL)
    return tandem_launch(gpu, launch, err);
  struct run_launch *l = &record->launches[record->nlaunches++];
  memcpy(l->params, launch->args, sizeof l->params);
  memcpy(l->grid, launch->grid, sizeof l->grid);
  memcpy(l->block, launch->block, sizeof l->block);
  l->dynamic_shared = launch->dynamic_shared;
  l->flex = launch->flex != NULL;
  l->scheme = l->flex ? (unsigned)launch->flex->scheme : 0;
  return TANDEM_OK;
}

static enum tandem_status launches(struct tandem *gpu, struct isa_program *program, uint64_t seed,
                                   enum kind kind, const struct tandem_config *config,
                                   struct buffers *b, struct run_record *record,
                                   struct tandem_error *err) {
  const bool race_free = kind == RACE_FREE;
  struct rng rng = {seed ^ 0x1a40c4};
  uint32_t params[GEN_PARAM_WORDS], slices = 0;
  const struct tandem_program *loaded;
  enum tandem_status status = gpu_load(gpu, program, true, &loaded, err);
  if (status == TANDEM_OK)
    status = add_buffer(gpu, b, GEN_DATA_BYTES, &params[0], err);
  if (status == TANDEM_OK)
    status = kind == OPERANDS ? fill_records(gpu, &rng, params[0], err)
                              : fill(gpu, &rng, params[0], GEN_DATA_BYTES, err);
  for (unsigned i = 0; i < 2 && status == TANDEM_OK; i++) {
    struct launch_shape s = shape(&rng);
    if (!race_free && config->feature.flex.size != 0) /* more than an SM's own warps */
      s.grid[0] *= 2;
    s.threads = s.grid[0] * s.block[0];
    if (race_free && i == 1)
      params[0] = slices;
    if (race_free)
      status = add_slices(gpu, &rng, b, s.threads, &slices, err);
    if (status == TANDEM_OK)
      status = add_buffer(gpu, b, 4 * (size_t)s.threads, &params[1], err);
    if (status != TANDEM_OK)
      break;
    for (unsigned w = 2; w < GEN_PARAM_WORDS; w++)
      params[w] = (uint32_t)rng_next(&rng);
    if (race_free)
      params[GEN_PARAM_SLICES] = slices;
    struct tandem_launch launch = {.program = loaded,
                                   .kernel = program->kernels[0].name,
                                   .args = params,
                                   .args_bytes = sizeof params};
    const uint32_t most = config->sm.shared_bytes / 8 * 5; /* one CTA at a time on an SM */
    if (gen_chance(&rng, 20) && program->kernels[0].shared_bytes + most <= config->sm.shared_bytes)
      launch.dynamic_shared = most;
    const struct tandem_flex flex = {launch_scheme(seed, i, config)};
    if (config->feature.flex.size != 0)
      launch.flex = &flex;
    memcpy(launch.grid, s.grid, sizeof launch.grid);
    memcpy(launch.block, s.block, sizeof launch.block);
    status = launch_or_note(gpu, &launch, record, err);
  }
  return status;
}

static enum tandem_status take_image(struct tandem *gpu, const struct buffers *b,
                                     struct run_image *image, struct tandem_error *err) {
  for (unsigned i = 0; i < b->count; i++)
    image->begin[i + 1] = image->begin[i] + b->list[i].bytes;
  image->bytes = malloc(image->begin[b->count]);
  if (image->bytes == NULL)
    return TANDEM_USAGE;
  enum tandem_status status = TANDEM_OK;
  for (unsigned i = 0; i < b->count && status == TANDEM_OK; i++)
    status =
        tandem_read(gpu, b->list[i].address, image->bytes + image->begin[i], b->list[i].bytes, err);
  return status;
}

/* Without races there is an image. */
static enum tandem_status run_program(struct isa_program *program, uint64_t seed, enum kind kind,
                                      const struct tandem_config *config,
                                      struct run_outcome *outcome, struct run_image *image,
                                      struct tandem_error *err) {
  struct tandem *gpu;
  struct buffers buffers = {0};
  *outcome = (struct run_outcome){0};
  err->text[0] = '\0';
  if (program == NULL)
    return TANDEM_USAGE;
  enum tandem_status status = tandem_open(config, &gpu, err);
  if (status != TANDEM_OK) {
    isa_program_free(program);
    return status;
  }
  status = launches(gpu, program, seed, kind, config, &buffers, NULL, err);
  if (status == TANDEM_OK && image != NULL)
    status = take_image(gpu, &buffers, image, err);
  gpu_statistics(gpu, &outcome->stats);
  outcome->digest = tandem_digest(gpu);
  outcome->paths = gpu_paths(gpu);
  outcome->failure = *tandem_failure(gpu);
  (void)snprintf(outcome->report, sizeof outcome->report, "%s", tandem_report(gpu));
  tandem_close(gpu);
  return status;
}

static struct isa_program *program_of(uint64_t seed, enum kind kind) {
  struct gen_options options = program_options(seed);
  options.race_free = kind == RACE_FREE;
  if (kind == OPERANDS)
    options = (struct gen_options){.statements = 100, .operands = true};
  return gen_program(seed, &options);
}

enum tandem_status run_random(uint64_t seed, const struct tandem_config *config,
                              struct run_outcome *outcome, struct tandem_error *err) {
  return run_program(program_of(seed, ANY), seed, ANY, config, outcome, NULL, err);
}

enum tandem_status run_operands(uint64_t seed, const struct tandem_config *config,
                                struct run_outcome *outcome, struct tandem_error *err) {
  return run_program(program_of(seed, OPERANDS), seed, OPERANDS, config, outcome, NULL, err);
}

enum tandem_status run_race_free(uint64_t seed, const struct tandem_config *config,
                                 struct run_outcome *outcome, struct run_image *image,
                                 struct tandem_error *err) {
  *image = (struct run_image){0};
  return run_program(program_of(seed, RACE_FREE), seed, RACE_FREE, config, outcome, image, err);
}

enum tandem_status run_overflow(const struct tandem_config *config, struct run_outcome *outcome,
                                struct tandem_error *err) {
  return run_program(gen_deep(20), 0, ANY, config, outcome, NULL, err);
}

enum tandem_status run_record(uint64_t seed, bool deep, const struct tandem_config *config,
                              struct run_record *record, struct tandem_error *err) {
  struct gen_options options = program_options(seed);
  struct tandem_config without_rtl = *config;
  struct tandem *gpu;
  struct buffers buffers = {0};
  *record = (struct run_record){0};
  options.deep = deep;
  without_rtl.engine = TANDEM_ENGINE_REF;
  without_rtl.bug = 0;
  record->program = gen_program(seed, &options);
  struct isa_program *loaded = gen_program(seed, &options); /* the GPU's */
  enum tandem_status status = TANDEM_USAGE;
  if (record->program == NULL || loaded == NULL)
    tandem_fail(err, -ENOMEM, "out of memory");
  else
    status = tandem_open(&without_rtl, &gpu, err);
  if (status != TANDEM_OK) {
    isa_program_free(loaded);
    return status;
  }
  status = launches(gpu, loaded, seed, ANY, config, &buffers, record, err);
  record->buffers = buffers.count;
  for (unsigned i = 0; i < buffers.count; i++)
    record->address[i] = buffers.list[i].address;
  if (status == TANDEM_OK)
    status = take_image(gpu, &buffers, &record->image, err);
  tandem_close(gpu);
  return status;
}

void run_record_free(struct run_record *record) {
  isa_program_free(record->program);
  free(record->image.bytes);
}

bool run_write_program(uint64_t seed, bool race_free, const char *path) {
  struct isa_program *program = program_of(seed, race_free ? RACE_FREE : ANY);
  FILE *out = program != NULL ? fopen(path, "w") : NULL;
  bool ok = out != NULL && isa_disassemble(program, out) == 0;
  if (out != NULL)
    ok = fclose(out) == 0 && ok;
  isa_program_free(program);
  return ok;
}
