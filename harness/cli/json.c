/* Results as JSON.  Everything but wall time is the same for the same inputs. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/gpu/config.h"
#include "harness/gpu/figures.h"

static json_t *count(uint64_t v) { return json_integer((json_int_t)v); }

static double share(uint64_t part, uint64_t whole) {
  return whole != 0 ? (double)part / (double)whole : 0;
}

/* Puts a value at a path like memory.dram.reads. */
static void put(json_t *o, const char *path, json_t *value) {
  size_t n;
  while (path[n = strcspn(path, ".")] == '.') {
    json_t *inner = json_object_getn(o, path, n);
    if (inner == NULL)
      json_object_setn_new(o, path, n, inner = json_object());
    o = inner;
    path += n + 1;
  }
  json_object_set_new(o, path, value);
}

/* Figures of a run, or of one of its kernels. */
static void add_figures(json_t *o, const struct gpu_stats *s, unsigned features, bool run) {
  struct figure list[FIGURES];
  const size_t n = figures_list(s, features, list);
  for (const struct figure *f = list; f < list + n; f++)
    if (*f->path != '\0' && (run || f->kind != FIGURE_MOST))
      put(o, f->path, figure_counts(f) ? count(f->value) : json_real(figure_quotient(f)));
  json_object_set_new(o, "ipc", json_real(share(s->sm.warp_instructions, s->cycles)));
}

/* Means over launches of a cluster's buddy time. */
static void put_buddy_times(json_t *o, double times, double group_times, uint64_t launches) {
  const double all = launches != 0 ? (double)launches : 1;
  put(o, "buddy.launch_time", json_real(times / all));
  put(o, "buddy.launch_time_of_groups", json_real(group_times / all));
}

/* Those of each kernel; and of a cluster's buddy time the mean over all launches. */
static void add_kernels(json_t *o, const struct cli_result *r) {
  const unsigned features = figures_features(r->config);
  json_t *all = json_object();
  double times = 0, group_times = 0;
  uint64_t launches = 0;
  for (size_t i = 0; i < gpu_kernels(r->t); i++) {
    const struct gpu_kernel *k = gpu_kernel(r->t, i);
    json_t *row = json_object();
    add_figures(row, &k->stats, features, false);
    if (r->config->buddy > 1)
      put_buddy_times(row, k->buddy_times, k->group_times, k->stats.launches);
    json_object_set_new(all, k->name, row);
    times += k->buddy_times;
    group_times += k->group_times;
    launches += k->stats.launches;
  }
  json_object_set_new(o, "kernels", all);
  if (r->config->buddy > 1)
    put_buddy_times(o, times, group_times, launches);
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
  struct gpu_ungroup rows[CLI_UNGROUPS];
  const size_t n = gpu_ungroups(t, rows, CLI_UNGROUPS);
  json_t *list = json_array();
  for (size_t i = 0; i < n && i < CLI_UNGROUPS; i++) {
    const struct gpu_ungroup *u = &rows[i];
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

/* A cluster's keys, and its lists. */
static void add_buddy(json_t *o, const struct cli_result *r) {
  const struct tandem_config *c = r->config;
  json_t *gated = json_array();
  add_keys(o, c, "buddy");
  for (unsigned i = 0; i < c->sms; i++)
    json_array_append_new(gated, count(gpu_gated_cycles(r->t, i)));
  json_object_set_new(o, "gated_by_sm", gated);
  json_object_set_new(o, "causes", ungroups(r->t));
}

/* Those of the launch description, if it has some. */
static void add_parameters(json_t *o, const struct tandem_job *job) {
  struct tandem_parameter rows[CLI_PARAMETERS];
  const size_t n = tandem_job_parameters(job, rows, CLI_PARAMETERS);
  json_t *all = n != 0 ? json_object() : NULL;
  for (size_t i = 0; i < n && i < CLI_PARAMETERS; i++)
    json_object_set_new(all, rows[i].name, json_integer(rows[i].value));
  if (all != NULL)
    json_object_set_new(o, "parameters", all);
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
  struct gpu_stats s;
  char digest[20];
  gpu_statistics(r->t, &s);
  json_t *o = json_object(), *wall = json_object();
  json_object_set_new(o, "status", json_string(r->status));
  add_failure(o, r);
  add_parameters(o, r->job);
  json_object_set_new(o, "engine", json_string(gpu_word(r->config, "run", "engine")));
  add_keys(o, r->config, "");
  json_object_set_new(o, "seed", count(r->config->seed));
  add_figures(o, &s, figures_features(r->config), true);
  add_kernels(o, r);
  json_object_set_new(o, "occupancy",
                      json_real(share(s.sm.warp_cycles, r->config->sm.warps * s.sm.active_cycles)));
  if (r->config->buddy > 1)
    add_buddy(json_object_get(o, "buddy"), r);
  if (r->config->spu_columns != 0)
    add_keys(json_object_get(o, "spu"), r->config, "spu");
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
