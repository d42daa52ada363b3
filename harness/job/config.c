/* The GPU description: one table of keys, docs/configuration.md says what they mean. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "csim/mem/mem_config.h"
#include "csim/util/yaml_tree.h"
#include "harness/job/config.h"

void tandem_config_default(struct tandem_config *c) {
  memset(c, 0, sizeof *c);
  c->sms = 16;
  c->scheduler = TANDEM_GTO;
  c->warp_size = 32;
  sm_config_default(&c->sm);
  mem_config_default(&c->mem);
  c->buddy = 1;
  c->mon_entries = 1;
  c->power_up = 24;
  c->hop_latency = 1;
  c->engine = TANDEM_ENGINE_LOCKSTEP;
  c->seed = 1;
  c->max_cycles = 100000000;
  c->hang_cycles = 50000;
  c->state_interval = 64;
  c->compare = true;
  c->iss = true;
  c->skip_quiet = true;
  c->barrier_check = true;
  c->trace_to = UINT64_MAX;
  c->trace_sms = 1;
  c->pin = true;
}

#define TOP(key, member, min, max)                                                                 \
  {                                                                                                \
    "", key, offsetof(struct tandem_config, member), sizeof(((struct tandem_config *)0)->member),  \
        min, max, NULL                                                                             \
  }
#define SM(key, min, max)                                                                          \
  { "sm", #key, offsetof(struct tandem_config, sm.key), sizeof(uint32_t), min, max, NULL }
#define MEM(key, min, max)                                                                         \
  { "memory", #key, offsetof(struct tandem_config, mem.key), sizeof(uint32_t), min, max, NULL }
#define BUDDY(key, member, min, max)                                                               \
  { "buddy", key, offsetof(struct tandem_config, member), sizeof(uint32_t), min, max, NULL }
#define RUN(key, member, min, max)                                                                 \
  {                                                                                                \
    "run", key, offsetof(struct tandem_config, member),                                            \
        sizeof(((struct tandem_config *)0)->member), min, max, NULL                                \
  }
#define CHOICE(section, key, member, names)                                                        \
  {                                                                                                \
    section, key, offsetof(struct tandem_config, member),                                          \
        sizeof(((struct tandem_config *)0)->member), 0, 0, names                                   \
  }

static const char *const schedulers[] = {"gto", "lrr", NULL};
static const char *const engines[] = {"rtl", "ref", "lockstep", NULL};
static const char *const formations[] = {"default", "adaptive", "apart", NULL};
static const char *const regroups[] = {"new-kernel", "halfway", NULL};
static const char *const switches[] = {"false", "true", NULL};

const struct config_key config_keys[] = {
    TOP("sms", sms, 1, 64),
    CHOICE("", "scheduler", scheduler, schedulers),
    TOP("warp_size", warp_size, 32, 128),
    BUDDY("size", buddy, 1, 8),
    CHOICE("buddy", "formation", formation, formations),
    CHOICE("buddy", "regroup", regroup, regroups),
    BUDDY("mon_entries", mon_entries, 1, 4),
    BUDDY("power_up", power_up, 0, 255),
    BUDDY("hop_latency", hop_latency, 1, 30),
    SM(threads, 32, 1536),
    SM(warps, 1, 48),
    SM(ctas, 1, 8),
    SM(registers, 1024, 1 << 20),
    SM(shared_bytes, 0, 1 << 20),
    SM(collectors_sp, 1, 16),
    SM(collectors_sfu, 1, 16),
    SM(collectors_mem, 1, 16),
    SM(banks, 1, 32),
    SM(sp_pipes, 1, 2),
    MEM(core_mhz, 1, 10000),
    MEM(xbar_mhz, 1, 10000),
    MEM(dram_mhz, 1, 10000),
    MEM(partitions, 1, 16),
    MEM(shared_bytes, 1024, 1 << 20),
    MEM(shared_banks, 1, 32),
    MEM(shared_latency, 1, 1000),
    MEM(l1d_bytes, 1024, 1 << 24),
    MEM(l1d_ways, 1, 16),
    MEM(l1d_latency, 1, 1000),
    MEM(l1d_mshrs, 1, 256),
    MEM(l1d_mshr_merge, 1, 64),
    MEM(const_bytes, 256, 1 << 20),
    MEM(const_ways, 1, 16),
    MEM(const_line, 32, 128),
    MEM(const_latency, 1, 1000),
    MEM(line_bytes, 128, 128),
    MEM(l2_bytes, 2048, 1 << 26),
    MEM(l2_ways, 1, 64),
    MEM(l2_mshrs, 1, 256),
    MEM(rop_latency, 1, 10000),
    MEM(dram_latency, 1, 10000),
    MEM(xbar_flit_bytes, 1, 128),
    MEM(xbar_latency, 1, 1000),
    MEM(dram_chips, 1, 16),
    MEM(dram_bus_bytes, 1, 16),
    MEM(dram_burst, 4, 16),
    MEM(dram_banks, 1, 32),
    MEM(dram_groups, 1, 16),
    MEM(dram_queue, 1, 1024),
    MEM(t_ccd, 1, 1000),
    MEM(t_rrd, 1, 1000),
    MEM(t_rcd, 1, 1000),
    MEM(t_ras, 1, 1000),
    MEM(t_rp, 1, 1000),
    MEM(t_rc, 1, 1000),
    MEM(t_cl, 1, 1000),
    MEM(t_wl, 1, 1000),
    MEM(t_cdlr, 1, 1000),
    MEM(t_wr, 1, 1000),
    MEM(t_ccdl, 1, 1000),
    MEM(t_rtpl, 1, 1000),
    CHOICE("run", "engine", engine, engines),
    RUN("threads", threads, 0, 256),
    RUN("seed", seed, 0, INT64_MAX),
    RUN("max_cycles", max_cycles, 1, UINT64_MAX),
    RUN("hang_cycles", hang_cycles, 100, UINT32_MAX),
    RUN("state_interval", state_interval, 1, 1 << 20),
    CHOICE("run", "compare", compare, switches),
    CHOICE("run", "iss", iss, switches),
    CHOICE("run", "skip_quiet", skip_quiet, switches),
    CHOICE("run", "assertions", assertions, switches),
    CHOICE("run", "barrier_check", barrier_check, switches),
    {NULL, NULL, 0, 0, 0, 0, NULL},
};

static void store(struct tandem_config *c, const struct config_key *k, uint64_t value) {
  char *at = (char *)c + k->offset;
  switch (k->size) {
  case 1:
    *(uint8_t *)at = (uint8_t)value;
    break;
  case 4:
    *(uint32_t *)(void *)at = (uint32_t)value;
    break;
  default:
    *(uint64_t *)(void *)at = value;
  }
}

/* Reads the keys of one section from its mapping. */
static int read_section(struct tandem_config *c, struct yaml_file *f, yaml_node_t *map,
                        const char *section, struct tandem_error *err) {
  for (const struct config_key *k = config_keys; k->key != NULL; k++) {
    yaml_node_t *node = strcmp(k->section, section) == 0 ? yaml_get(f, map, k->key) : NULL;
    if (node == NULL)
      continue;
    char what[64];
    snprintf(what, sizeof what, "%s%s%s", section, *section != '\0' ? "." : "", k->key);
    uint64_t value;
    unsigned choice;
    int status = k->names != NULL ? yaml_choice(f, node, what, k->names, &choice, err)
                                  : yaml_uint(f, node, what, k->min, k->max, &value, err);
    if (status != 0)
      return status;
    store(c, k, k->names != NULL ? choice : value);
  }
  return 0;
}

_Static_assert(ISA_L_MEM + 1 == ISA_LATS, "the class of memory instructions is the last");

/* sm.latency: {int_add: {latency: 4, interval: 1}, ...} */
static int read_latencies(struct tandem_config *c, struct yaml_file *f, yaml_node_t *map,
                          struct tandem_error *err) {
  static const char *const parts[] = {"latency", "interval", NULL};
  const char *keys[ISA_LATS + 1];
  for (unsigned i = 0; i < ISA_L_MEM; i++) /* the last; the memory system has its own figures */
    keys[i] = isa_lat_classes[i].key;
  keys[ISA_L_MEM] = NULL;
  int status = yaml_map(f, map, "sm.latency", keys, err);
  for (unsigned i = 0; status == 0 && i < ISA_L_MEM; i++) {
    yaml_node_t *node = yaml_get(f, map, keys[i]);
    if (node == NULL)
      continue;
    uint64_t value;
    status = yaml_map(f, node, keys[i], parts, err);
    yaml_node_t *part;
    if (status == 0 && (part = yaml_get(f, node, "latency")) != NULL &&
        (status = yaml_uint(f, part, "latency", 1, 1000, &value, err)) == 0)
      c->sm.lat[i].latency = (uint32_t)value;
    if (status == 0 && (part = yaml_get(f, node, "interval")) != NULL &&
        (status = yaml_uint(f, part, "interval", 1, 1000, &value, err)) == 0)
      c->sm.lat[i].interval = (uint32_t)value;
  }
  return status;
}

/* Values that are within their ranges and yet do not go together: told at the key that the error
 * names, else at the section. */
static int check_memory(const struct tandem_config *c, struct yaml_file *f,
                        struct tandem_error *err) {
  struct tandem_error why;
  yaml_node_t *map = yaml_root(f) != NULL ? yaml_get(f, yaml_root(f), "memory") : NULL;
  if (map == NULL || mem_config_check(&c->mem, &why) == 0)
    return 0;
  yaml_node_t *at = map;
  for (const struct config_key *k = config_keys; k->key != NULL; k++) {
    char start[64];
    const int n = snprintf(start, sizeof start, "memory: %s is ", k->key);
    if (strncmp(why.text, start, (size_t)n) == 0 && yaml_get(f, map, k->key) != NULL)
      at = yaml_get(f, map, k->key);
  }
  return yaml_fail(f, at, err, "%s", why.text);
}

static int read_all(struct tandem_config *c, struct yaml_file *f, struct tandem_error *err) {
  static const char *const sections[] = {"", "sm", "memory", "buddy", "run", NULL};
  yaml_node_t *root = yaml_root(f);
  if (root == NULL)
    return 0; /* an empty description changes nothing */
  for (unsigned s = 0; sections[s] != NULL; s++) {
    const char *keys[64];
    size_t n = 0;
    for (const struct config_key *k = config_keys; k->key != NULL; k++)
      if (strcmp(k->section, sections[s]) == 0)
        keys[n++] = k->key;
    for (unsigned i = 1; s == 0 && sections[i] != NULL; i++)
      keys[n++] = sections[i];
    if (strcmp(sections[s], "sm") == 0)
      keys[n++] = "latency";
    keys[n] = NULL;
    yaml_node_t *map = s == 0 ? root : yaml_get(f, root, sections[s]);
    if (map == NULL)
      continue;
    int status = yaml_map(f, map, s == 0 ? "the GPU description" : sections[s], keys, err);
    if (status == 0)
      status = read_section(c, f, map, sections[s], err);
    yaml_node_t *latency = s == 1 ? yaml_get(f, map, "latency") : NULL;
    if (status == 0 && latency != NULL)
      status = read_latencies(c, f, latency, err);
    if (status != 0)
      return status;
  }
  return 0;
}

enum tandem_status tandem_config_load(struct tandem_config *c, const char *path,
                                      struct tandem_error *err) {
  struct yaml_file f;
  if (yaml_open(&f, path, err) != 0)
    return TANDEM_USAGE;
  struct tandem_config read = *c;
  int status = read_all(&read, &f, err);
  if (status == 0)
    status = check_memory(&read, &f, err);
  yaml_close(&f);
  if (status != 0)
    return TANDEM_USAGE;
  *c = read;
  return TANDEM_OK;
}
