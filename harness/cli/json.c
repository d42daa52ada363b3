/* Results as JSON.  Everything but wall time is the same for the same inputs. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/gpu/config.h"

static json_t *count(uint64_t v) { return json_integer((json_int_t)v); }

static double share(uint64_t part, uint64_t whole) {
  return whole != 0 ? (double)part / (double)whole : 0;
}

static void add_cache(json_t *to, const char *name, uint64_t hits, uint64_t misses) {
  json_object_set_new(to, name,
                      json_pack("{s:o, s:o, s:f}", "hits", count(hits), "misses", count(misses),
                                "hit_rate", share(hits, hits + misses)));
}

static json_t *memory(const struct mem_stats *m) {
  json_t *o = json_object(), *caches = json_object();
  add_cache(caches, "l1d", m->l1d_hits, m->l1d_misses);
  add_cache(caches, "constant", m->const_hits, m->const_misses);
  add_cache(caches, "l2", m->l2_hits, m->l2_misses);
  json_object_set_new(caches, "l1d_reserved_fails", count(m->l1d_reserved_fails));
  json_object_set_new(caches, "icache_fills", count(m->icache_fills));
  json_object_set_new(o, "caches", caches);
#define COUNT(name) json_object_set_new(o, #name, count(m->name))
  COUNT(global_loads);
  COUNT(global_stores);
  COUNT(atomics);
  COUNT(local_accesses);
  COUNT(shared_accesses);
  COUNT(const_accesses);
  COUNT(transactions);
  COUNT(shared_conflict_cycles);
  COUNT(xbar_flits);
#undef COUNT
  json_object_set_new(o, "load_latency",
                      json_pack("{s:f, s:o, s:o}", "mean",
                                share(m->load_latency_sum, m->load_latency_count), "max",
                                count(m->load_latency_max), "loads", count(m->load_latency_count)));
  const uint64_t accesses = m->dram_reads + m->dram_writes;
  json_object_set_new(o, "dram",
                      json_pack("{s:o, s:o, s:o, s:f, s:f}", "reads", count(m->dram_reads),
                                "writes", count(m->dram_writes), "row_hits",
                                count(m->dram_row_hits), "row_hit_rate",
                                share(m->dram_row_hits, accesses), "efficiency",
                                share(m->dram_busy, m->dram_cycles)));
  return o;
}

static json_t *stalls(const struct cli_result *r, const struct sm_stats *s) {
  json_t *o = json_object();
  for (unsigned i = 0; i < CLI_STALLS; i++)
    if (cli_stall_names[i] != NULL && (i < 7 || r->config->buddy > 1))
      json_object_set_new(o, cli_stall_names[i], count(s->stalls[i]));
  return o;
}

static json_t *units(const struct sm_stats *s) {
  static const char *const names[16] = {
#define ISA_UNIT(id, n, name) [n] = #id,
#include "csim/isa/core/isa.def"
  };
  json_t *o = json_object();
  for (unsigned i = 0; i < 16; i++)
    if (names[i] != NULL)
      json_object_set_new(o, names[i], count(s->by_unit[i]));
  return o;
}

static json_t *sm(const struct sm_stats *s) {
  json_t *o = json_object();
#define COUNT(name) json_object_set_new(o, #name, count(s->name))
  COUNT(active_cycles);
  COUNT(warp_cycles);
  COUNT(ctas);
  COUNT(branches);
  COUNT(divergent_branches);
  COUNT(barriers);
  COUNT(bank_conflicts);
#undef COUNT
  json_object_set_new(o, "collector_full",
                      json_pack("{s:o, s:o, s:o}", "sp", count(s->collector_full[0]), "sfu",
                                count(s->collector_full[1]), "mem", count(s->collector_full[2])));
  return o;
}

/* The configuration keys of a section. */
static void add_keys(json_t *o, const struct tandem_config *c, const char *section) {
  for (const struct config_key *k = gpu_keys; k < gpu_keys + gpu_nkeys; k++) {
    const uint64_t value = config_get(k, c);
    if (strcmp(k->section, section) == 0)
      json_object_set_new(o, k->name,
                          k->names != NULL ? json_string(k->names[value]) : count(value));
  }
}

static json_t *ungroups(const struct tandem *t) {
  struct tandem_ungroup rows[CLI_UNGROUPS];
  const size_t n = tandem_ungroups(t, rows, CLI_UNGROUPS);
  json_t *list = json_array();
  for (size_t i = 0; i < n && i < CLI_UNGROUPS; i++) {
    const struct tandem_ungroup *u = &rows[i];
    json_t *o = json_pack("{s:s, s:o, s:i}", "cause", u->split ? "split" : "slave", "cycle",
                          count(u->cycle), "master", (int)u->lead);
    if (!u->split)
      json_object_update_new(o, json_pack("{s:i, s:i, s:i, s:i, s:i}", "sm", (int)u->sm, "warp",
                                          (int)u->warp, "pc", (int)u->pc, "directions",
                                          (int)u->directions, "master_directions",
                                          (int)u->master_directions));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *buddy(const struct cli_result *r, const struct tandem_buddy *b) {
  const struct tandem_config *c = r->config;
  json_t *o = json_object(), *gated = json_array();
  add_keys(o, c, "buddy");
#define COUNT(name) json_object_set_new(o, #name, count(b->name))
  COUNT(resident_cycles);
  COUNT(grouped_cycles);
  COUNT(gated_cycles);
  COUNT(ungroups);
  COUNT(splits);
  COUNT(regroups_kernel);
  COUNT(regroups_halfway);
  COUNT(inst_packets);
  COUNT(mask_packets);
  COUNT(park_packets);
  COUNT(ack_packets);
  COUNT(credit_packets);
  COUNT(ctrl_packets);
  COUNT(downlink_hops);
  COUNT(uplink_hops);
#undef COUNT
  const uint64_t down = cli_downlink_bits(b), up = cli_uplink_bits(b);
  json_object_set_new(o, "downlink_bits", count(down));
  json_object_set_new(o, "uplink_bits", count(up));
  json_object_set_new(o, "mem_packet_share",
                      json_real(share(16 * (b->ack_packets + b->credit_packets), down + up)));
  for (unsigned i = 0; i < c->sms; i++)
    json_array_append_new(gated, count(tandem_gated_cycles(r->t, i)));
  json_object_set_new(o, "gated_by_sm", gated);
  json_object_set_new(o, "causes", ungroups(r->t));
  return o;
}

static void add_failure(json_t *o, const struct cli_result *r) {
  const struct tandem_failure *f = tandem_failure(r->t);
  if (*r->error != '\0')
    json_object_set_new(o, "error", json_string(r->error));
  if (*f->kind != '\0')
    json_object_set_new(o, "failure",
                        json_pack("{s:s, s:s, s:i, s:o, s:o}", "kind", f->kind, "where", f->where,
                                  "sm", (int)f->sm, "cycle", count(f->cycle), "launch_cycle",
                                  count(f->launch_cycle)));
}

bool cli_json_write(FILE *out, const struct cli_result *r) {
  struct tandem_stats s;
  char digest[20];
  tandem_statistics(r->t, &s);
  json_t *o = json_object(), *wall = json_object();
  json_object_set_new(o, "status", json_string(r->status));
  add_failure(o, r);
  json_object_set_new(o, "engine", json_string(gpu_word(r->config, "run", "engine")));
  add_keys(o, r->config, "");
  json_object_set_new(o, "seed", count(r->config->seed));
  json_object_set_new(o, "launches", count(s.launches));
  json_object_set_new(o, "cycles", count(s.cycles));
  json_object_set_new(o, "warp_instructions", count(s.sm.warp_instructions));
  json_object_set_new(o, "thread_instructions", count(s.sm.thread_instructions));
  json_object_set_new(o, "ipc", json_real(share(s.sm.warp_instructions, s.cycles)));
  json_object_set_new(o, "occupancy",
                      json_real(share(s.sm.warp_cycles, r->config->sm.warps * s.sm.active_cycles)));
  json_object_set_new(o, "compared", count(s.compared));
  json_object_set_new(o, "mismatches", count(s.mismatches));
  json_object_set_new(o, "iss_checked", count(s.iss_checked));
  json_object_set_new(o, "stalls", stalls(r, &s.sm));
  json_object_set_new(o, "units", units(&s.sm));
  json_object_set_new(o, "sm", sm(&s.sm));
  json_object_set_new(o, "memory", memory(&s.mem));
  if (r->config->buddy > 1) {
    json_object_set_new(o, "buddy_time",
                        json_real(share(s.buddy.grouped_cycles, s.buddy.resident_cycles)));
    json_object_set_new(o, "buddy", buddy(r, &s.buddy));
  }
  snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
  json_object_set_new(o, "digest", json_string(digest));
  json_object_set_new(o, "wall_s", json_real(s.wall_s));
  json_object_set_new(o, "khz", json_real(s.khz));
  json_object_set_new(o, "warp_instructions_per_s",
                      json_real(s.wall_s > 0 ? (double)s.sm.warp_instructions / s.wall_s : 0));
  for (unsigned i = 0; i < TANDEM_WALLS; i++)
    json_object_set_new(wall, cli_wall_names[i], json_real(s.wall[i]));
  json_object_set_new(o, "wall", wall);
  const bool good =
      json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  if (!good)
    fprintf(stderr, "tandem: cannot write the JSON\n");
  return good;
}
