/* Fewer and smaller launches, on a smaller GPU. */
#include <stdlib.h>
#include <string.h>

#include "harness/shrink/passes.h"
#include "harness/shrink/tree.h"

/* The best case when a pass began, and what a candidate changes of it. */
struct pass {
  struct shrink_case base;
  size_t step, place;
  const char *key;
};

/* ---- settings of the run ---- */

/* A hang is reported after 300 cycles, 2,000, or as many as before. */
enum { SETTINGS = 3 };
static bool with_setting(void *user, size_t i, void *to) {
  static const uint32_t hang_cycles[SETTINGS] = {300, 2000, UINT32_MAX};
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  c->config.state_interval = 1;
  if (hang_cycles[p->step + i] < c->config.hang_cycles)
    c->config.hang_cycles = hang_cycles[p->step + i];
  return true;
}

void pass_settings(struct judge *j) {
  const struct tries t = judge_tries(j);
  const size_t first = strcmp(j->wanted.kind, "hang") == 0 ? 0 : SETTINGS - 1;
  struct pass p = {.step = first};
  if (!case_copy(&p.base, &j->best))
    return;
  (void)t.first(t.self, SETTINGS - first, with_setting, &p);
  case_free(&p.base);
}

/* ---- steps ---- */

static bool without_steps(void *user, const bool *gone, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  json_t *steps = json_object_get(c->tree, "steps");
  for (size_t i = json_array_size(steps); i-- > 0;)
    if (gone[i])
      json_array_remove(steps, i);
  return json_array_size(steps) != 0;
}

/* The first loop of steps; n: there is none. */
static size_t find_loop(const json_t *steps) {
  size_t i;
  json_t *step;
  json_array_foreach(steps, i, step) if (json_object_get(step, "repeat") != NULL ||
                                         json_object_get(step, "until_zero") != NULL) return i;
  return json_array_size(steps);
}

/* A loop's steps in its place: once, or with i = 1 twice. */
static bool without_loop(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  json_t *steps = json_object_get(c->tree, "steps"), *loop = json_array_get(steps, p->step);
  json_t *map = json_object_get(loop, "repeat");
  map = map != NULL ? map : json_object_get(loop, "until_zero");
  json_t *inner = json_deep_copy(json_object_get(map, "steps"));
  json_array_remove(steps, p->step);
  for (size_t k = 0; k < (i + 1) * json_array_size(inner); k++)
    json_array_insert_new(steps, p->step + k,
                          json_deep_copy(json_array_get(inner, k % json_array_size(inner))));
  json_decref(inner);
  return true;
}

void pass_steps(struct judge *j) {
  const struct tries t = judge_tries(j);
  for (;;) {
    struct pass p;
    if (!case_copy(&p.base, &j->best))
      return;
    const json_t *steps = json_object_get(p.base.tree, "steps");
    bool *gone = calloc(json_array_size(steps) + 1, sizeof *gone);
    if (gone != NULL)
      (void)reduce_list(&t, json_array_size(steps), 1, gone, without_steps, &p);
    free(gone);
    case_free(&p.base);
    steps = json_object_get(j->best.tree, "steps");
    p.step = find_loop(steps);
    if (p.step == json_array_size(steps) || !case_copy(&p.base, &j->best))
      return;
    const size_t found = t.first(t.self, 2, without_loop, &p);
    case_free(&p.base);
    if (found == 2)
      return;
  }
}

/* ---- shapes ---- */

static json_t *launch_of(const struct shrink_case *c, size_t step) {
  return json_object_get(json_array_get(json_object_get(c->tree, "steps"), step), "launch");
}

static bool with_length(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  return json_array_set_new(json_object_get(launch_of(c, p->step), p->key), p->place,
                            tree_text(i)) == 0;
}

static bool with_warps(void *user, size_t i, void *to) { return with_length(user, 32 * i, to); }

/* A grid of i CTAs in x that have the threads of all, in whole warps. */
static bool with_merged(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  const json_t *base = launch_of(&p->base, p->step);
  const uint64_t ctas = tree_number(json_array_get(json_object_get(base, "grid"), 0)),
                 threads = tree_number(json_array_get(json_object_get(base, "block"), 0));
  const uint64_t warps = (threads + 31) / 32 * ctas;
  if (i >= ctas || !case_copy(c, &p->base))
    return false;
  json_array_set_new(json_object_get(launch_of(c, p->step), "grid"), 0, tree_text(i));
  json_array_set_new(json_object_get(launch_of(c, p->step), "block"), 0,
                     tree_text((warps + i - 1) / i * 32));
  return true;
}

static void merge(struct judge *j, size_t step) {
  const struct tries t = judge_tries(j);
  struct pass p = {.step = step};
  const size_t now =
      tree_number(json_array_get(json_object_get(launch_of(&j->best, step), "grid"), 0));
  if (now <= 1 || !case_copy(&p.base, &j->best))
    return;
  (void)reduce_number(&t, 1, now, with_merged, &p);
  case_free(&p.base);
}

static void smaller_shape(struct judge *j, size_t step, const char *key) {
  const struct tries t = judge_tries(j);
  for (size_t place = 3; place-- > 0;) {
    struct pass p = {.step = step, .place = place, .key = key};
    const json_t *shape = json_object_get(launch_of(&j->best, step), key);
    const size_t now = tree_number(json_array_get(shape, place));
    if (now <= 1 || !case_copy(&p.base, &j->best))
      continue;
    if (place == 0 && strcmp(key, "block") == 0)
      (void)(now > 32 ? reduce_number(&t, 1, (now + 31) / 32, with_warps, &p) : 0);
    else
      (void)reduce_number(&t, 1, now, with_length, &p);
    case_free(&p.base);
  }
}

static bool with_sms(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &p->base))
    return false;
  c->config.sms = (uint32_t)i;
  return true;
}

/* The CTAs of the largest launch in x: each may have an SM of its own. */
static size_t most_ctas(const struct shrink_case *c) {
  size_t most = 1;
  for (size_t i = 0; launch_of(c, i) != NULL; i++) {
    const size_t n = tree_number(json_array_get(json_object_get(launch_of(c, i), "grid"), 0));
    most = n > most ? n : most;
  }
  return most;
}

void pass_shapes(struct judge *j) {
  const struct tries t = judge_tries(j);
  for (size_t i = 0; i < json_array_size(json_object_get(j->best.tree, "steps")); i++) {
    smaller_shape(j, i, "grid");
    merge(j, i);
    smaller_shape(j, i, "block");
  }
  struct pass p;
  if (!case_copy(&p.base, &j->best))
    return;
  (void)reduce_number(&t, most_ctas(&p.base), p.base.config.sms, with_sms, &p);
  case_free(&p.base);
}

/* ---- arguments, and what else a launch may have ---- */

/* Launch p->step without its key number i of those that it can do without. */
static bool without_key(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  const char *key;
  json_t *value;
  if (!case_copy(c, &p->base))
    return false;
  json_t *launch = launch_of(c, p->step);
  json_object_foreach(launch, key, value) {
    if (strcmp(key, "kernel") == 0 || strcmp(key, "grid") == 0 || strcmp(key, "block") == 0 ||
        strcmp(key, "args") == 0)
      continue;
    if (i-- == 0)
      return json_object_del(launch, key) == 0;
  }
  return false;
}

/* Argument p->place as number i, a buffer without its offset. */
static bool with_argument(void *user, size_t i, void *to) {
  const struct pass *p = user;
  struct shrink_case *c = to;
  const char *type;
  json_t *value;
  if (!case_copy(c, &p->base))
    return false;
  json_t *arg = json_array_get(json_object_get(launch_of(c, p->step), "args"), p->place);
  if (json_object_del(arg, "offset") == 0)
    return i == 0;
  json_object_foreach(arg, type, value) {
    if (strchr("suf", *type) == NULL || !json_is_string(value) || tree_number(value) == i ||
        strcmp(json_string_value(value), "0") == 0)
      return false;
    return json_object_set_new(arg, type, tree_text(i)) == 0;
  }
  return false;
}

void pass_arguments(struct judge *j) {
  const struct tries t = judge_tries(j);
  for (size_t step = 0; step < json_array_size(json_object_get(j->best.tree, "steps")); step++) {
    struct pass p = {.step = step};
    size_t found = 0;
    while (found == 0 && launch_of(&j->best, step) != NULL && case_copy(&p.base, &j->best)) {
      enum { KEYS = 4 };
      found = t.first(t.self, KEYS, without_key, &p) < KEYS ? 0 : 1;
      case_free(&p.base);
    }
    const size_t n = json_array_size(json_object_get(launch_of(&j->best, step), "args"));
    for (p.place = 0; p.place < n; p.place++)
      if (case_copy(&p.base, &j->best)) {
        (void)t.first(t.self, 2, with_argument, &p);
        case_free(&p.base);
      }
  }
}

/* ---- keys of the GPU ---- */

/* Keys that say what runs, and how; the others may get their defaults. */
static bool stays(const struct config_key *k) {
  static const char *const keys[] = {"sms",     "engine",         "bug",        "bug_sm",
                                     "threads", "state_interval", "hang_cycles"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (strcmp(k->name, keys[i]) == 0)
      return true;
  return false;
}

enum { KEYS_MOST = 512 };
struct keys {
  struct shrink_case base;
  struct tandem_config standard;
  const struct config_key *key[KEYS_MOST];
  size_t n;
};

static bool without_keys(void *user, const bool *gone, void *to) {
  const struct keys *k = user;
  struct shrink_case *c = to;
  if (!case_copy(c, &k->base))
    return false;
  for (size_t i = 0; i < k->n; i++)
    if (gone[i])
      config_put(k->key[i], &c->config, config_get(k->key[i], &k->standard));
  return true;
}

void pass_gpu(struct judge *j) {
  const struct tries t = judge_tries(j);
  const struct config_key *key;
  bool gone[KEYS_MOST] = {false};
  struct keys k = {.n = 0};
  if (!case_copy(&k.base, &j->best))
    return;
  gpu_config_default(&k.standard);
  for (size_t i = 0; (key = gpu_key_at(i)) != NULL && k.n < KEYS_MOST; i++)
    if (!stays(key) && config_get(key, &k.base.config) != config_get(key, &k.standard))
      k.key[k.n++] = key;
  (void)reduce_list(&t, k.n, 1, gone, without_keys, &k);
  case_free(&k.base);
}
