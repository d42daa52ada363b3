/* Results as JSON.  Everything but wall time is the same for the same inputs. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "harness/cli/cli.h"
#include "harness/gpu/config.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/results/figures.h"
#include "harness/gpu/results/kernels.h"

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
static void add_figures(json_t *o, const struct tandem_config *c, const struct gpu_stats *s,
                        unsigned of, bool run) {
  struct figure list[FIGURES];
  const size_t n = figures_list(c, s, of, list);
  for (const struct figure *f = list; f < list + n; f++)
    if (*f->path != '\0' && (run || f->kind != FIGURE_MOST))
      put(o, f->path, figure_counts(f) ? count(f->value) : json_real(figure_quotient(f)));
  json_object_set_new(o, "ipc", json_real(share(s->sm.warp_instructions, s->cycles)));
}

/* Means over launches of the figures that features have of each launch. */
static void put_launch_figures(json_t *o, unsigned of, const double *sums, uint64_t launches) {
  for (size_t i = 0; i < features_count; sums += features[i]->nlaunch_figures, i++)
    for (size_t k = 0; (of >> i & 1) != 0 && k < features[i]->nlaunch_figures; k++)
      put(o, features[i]->launch_figures[k].path,
          json_real(sums[k] / (launches != 0 ? (double)launches : 1)));
}

/* Figures of each kernel, and the means of launch figures over all launches. */
static void add_kernels(json_t *o, const struct cli_result *r) {
  const unsigned of = figures_features(r->config);
  json_t *all = json_object();
  double sums[GPU_LAUNCH_FIGURES] = {0};
  uint64_t launches = 0;
  for (size_t i = 0; i < gpu_kernels(r->t); i++) {
    const struct gpu_kernel *k = gpu_kernel(r->t, i);
    json_t *row = json_object();
    add_figures(row, r->config, &k->stats, of, false);
    put_launch_figures(row, of, k->launch_sums, k->stats.launches);
    json_object_set_new(all, k->name, row);
    for (unsigned f = 0; f < GPU_LAUNCH_FIGURES; f++)
      sums[f] += k->launch_sums[f];
    launches += k->stats.launches;
  }
  json_object_set_new(o, "kernels", all);
  put_launch_figures(o, of, sums, launches);
}

/* The configuration keys of a section. */
static void add_keys(json_t *o, const struct tandem_config *c, const char *section) {
  const struct config_key *k;
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++) {
    const uint64_t value = config_get(k, c);
    if (strcmp(k->section, section) == 0)
      json_object_set_new(o, k->name,
                          k->names != NULL ? json_string(k->names[value]) : count(value));
  }
}

/* A feature's lists (struct result_writer), into objects and lists that are open. */
struct json_writer {
  json_t *open[8];
  unsigned depth;
};

static void add_value(struct json_writer *w, const char *name, json_t *value) {
  json_t *o = w->open[w->depth];
  if (name == NULL)
    json_array_append_new(o, value);
  else
    json_object_set_new(o, name, value);
}

static void writer_open(void *user, const char *name, bool list) {
  struct json_writer *w = user;
  json_t *o = list ? json_array() : json_object();
  add_value(w, name, o);
  w->open[++w->depth] = o;
}
static void writer_close(void *user) { ((struct json_writer *)user)->depth--; }
static void writer_number(void *user, const char *name, uint64_t value) {
  add_value(user, name, count(value));
}
static void writer_text(void *user, const char *name, const char *value) {
  add_value(user, name, json_string(value));
}

/* The keys and lists of the features that the GPU has, in an object each. */
static void add_features(json_t *o, const struct cli_result *r) {
  const unsigned of = figures_features(r->config);
  for (size_t i = 0; i < features_count; i++) {
    if ((of >> i & 1) == 0)
      continue;
    struct json_writer w = {{json_object_get(o, features[i]->name)}, 0};
    const struct result_writer writer = {&w, writer_open, writer_close, writer_number, writer_text};
    add_keys(w.open[0], r->config, features[i]->name);
    if (features[i]->lists != NULL)
      features[i]->lists(r->t, &writer);
  }
}

/* Adds the parameters of the launch description, if it has some. */
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
  json_object_set_new(o, "gpu", json_string(r->config->gpu));
  json_object_set_new(o, "engine", json_string(gpu_word(r->config, "run", "engine")));
  add_keys(o, r->config, "");
  json_object_set_new(o, "seed", count(r->config->seed));
  add_figures(o, r->config, &s, figures_features(r->config), true);
  add_kernels(o, r);
  json_object_set_new(o, "occupancy", json_real(share(s.sm.warp_cycles, s.warp_room)));
  add_features(o, r);
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
