/* Takes each unit through its steps, several at a time:
 *
 *   1. elaborate: yosys, the module alone; tells what it instantiates, which become units
 *   2. map: yosys, to the library's cells; a flat unit when all below it are elaborated
 *   3. time: OpenSTA, when all below it are mapped
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "synth/local.h"

enum stage { ELABORATE, MAP, TIME, DONE };
static const char *const stage_names[] = {"elaborate", "map", "time"};
static const char *const outputs[] = {"elaborated.json", "stat.txt", "fmax.txt"};

struct synth_node {
  enum stage stage;
  struct synth_step step;
  struct synth_elaborated elaborated;
  char keys[3][40];
  size_t base; /* of a flat unit: the one that is not */
};

/* What OpenSTA assumes where nothing is measured: a net changes in a tenth of the cycles.  A load
 * on outputs of a few gates' inputs, in fF. */
#define ACTIVITY "0.1"
enum { LOAD_FF = 50 };

size_t synth_flow_unit(struct synth_flow *f, const struct synth_spec *s, bool flat) {
  struct synth_report *r = f->report;
  const size_t found = synth_find(r, s, flat);
  if (found != SIZE_MAX)
    return found;
  size_t base = SIZE_MAX;
  if (flat && (base = synth_flow_unit(f, s, false)) == SIZE_MAX)
    return SIZE_MAX;
  struct synth_unit *units = realloc(r->units, (r->nunits + 1) * sizeof *units);
  if (units != NULL)
    r->units = units;
  struct synth_node *nodes = realloc(f->nodes, (r->nunits + 1) * sizeof *nodes);
  if (nodes != NULL)
    f->nodes = nodes;
  if (units == NULL || nodes == NULL)
    return SIZE_MAX;
  struct synth_unit *u = &units[r->nunits];
  memset(u, 0, sizeof *u);
  memset(&nodes[r->nunits], 0, sizeof *nodes);
  u->spec = *s;
  u->flat = flat;
  synth_spec_name(s, u->name, sizeof u->name - 8);
  if (flat)
    strcat(u->name, "_flat");
  nodes[r->nunits].base = base;
  nodes[r->nunits].stage = flat ? MAP : ELABORATE;
  snprintf(u->folder, sizeof u->folder, "%s/%.40s-%.8s/%s", f->build, r->library.name,
           r->library.key, u->name);
  return r->nunits++;
}

/* Units below one, itself first, each after all that contain it.  Their number, at most all. */
static void below(const struct synth_report *r, size_t at, bool *seen, size_t *list, size_t *n) {
  if (seen[at])
    return;
  seen[at] = true;
  for (size_t i = 0; i < r->units[at].nchildren; i++)
    below(r, r->units[at].children[i].unit, seen, list, n);
  list[(*n)++] = at;
}

static size_t descendants(const struct synth_flow *f, size_t at, size_t *list) {
  bool *seen = calloc(f->report->nunits, sizeof *seen);
  size_t n = 0;
  if (seen == NULL)
    return 0;
  below(f->report, at, seen, list, &n);
  free(seen);
  for (size_t i = 0; i < n / 2; i++) {
    const size_t other = list[i];
    list[i] = list[n - 1 - i];
    list[n - 1 - i] = other;
  }
  return n;
}

/* Whether all below a unit have come past a stage. */
static bool ready(const struct synth_flow *f, size_t at, enum stage past, size_t *list) {
  const size_t n = descendants(f, at, list);
  for (size_t i = 0; i < n; i++)
    if (list[i] != at && f->nodes[list[i]].stage <= past)
      return false;
  return n > 0;
}

static int script_key(struct synth_flow *f, struct synth_hash *h, const char *name,
                      struct tandem_error *err) {
  char path[1024];
  snprintf(path, sizeof path, "%s/synth/%s", f->config->root, name);
  return synth_hash_file(h, path, err);
}

/* Whether a word of the text is this name. */
static bool mentions(const char *text, const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
  const size_t n = strlen(name);
  for (const char *p = strstr(text, name); p != NULL; p = strstr(p + 1, name))
    if ((p == text || strchr(letters, p[-1]) == NULL) &&
        (p[n] == '\0' || strchr(letters, p[n]) == NULL))
      return true;
  return false;
}

/* The files of the modules that a source names, into the job and the key. */
static int children_of(struct synth_flow *f, const struct synth_unit *u, const char *source,
                       FILE *job, struct synth_hash *h, struct tandem_error *err) {
  char *text, *rest, path[1024], *modules = synth_modules(&f->designs, f->config->root);
  if (modules == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = synth_read(source, &text, NULL, err);
  fprintf(job, "set children {");
  for (char *m = strtok_r(modules, " ", &rest); status == 0 && m != NULL;
       m = strtok_r(NULL, " ", &rest))
    if (strcmp(m, u->spec.module) != 0 && mentions(text, m) &&
        synth_source(&f->designs, f->config->root, m, path, sizeof path)) {
      fprintf(job, " {%s}", path);
      status = synth_hash_file(h, path, err);
    }
  fprintf(job, "}\n");
  free(text);
  free(modules);
  return status;
}

static int elaborate_job(struct synth_flow *f, size_t at, FILE *job, struct synth_hash *h,
                         struct tandem_error *err) {
  const struct synth_unit *u = &f->report->units[at];
  char source[1024], package[1024];
  if (!synth_source(&f->designs, f->config->root, u->spec.module, source, sizeof source))
    return tandem_fail(err, -ENOENT, "there is no source file of the module %s", u->spec.module);
  snprintf(package, sizeof package, "%s/%s", f->config->root, f->designs.package);
  fprintf(job, "set module %s\nset package {%s}\nset source {%s}\nset min_bits %u\n",
          u->spec.module, package, source, f->designs.memory_bits);
  fprintf(job, "set parameters {");
  for (unsigned i = 0; i < u->spec.n; i++)
    fprintf(job, " %s %llu", u->spec.parameters[i].name,
            (unsigned long long)u->spec.parameters[i].value);
  fprintf(job, "}\n");
  synth_hash_text(h, f->report->yosys);
  int status = synth_hash_file(h, package, err);
  if (status == 0)
    status = synth_hash_file(h, source, err);
  if (status == 0)
    status = children_of(f, u, source, job, h, err);
  static const char *const scripts[] = {"elaborate.tcl", "memory.v", "tandem_memory.v"};
  for (unsigned i = 0; status == 0 && i < 3; i++)
    status = script_key(f, h, scripts[i], err);
  return status;
}

/* Most parameters first: a selection by few of them would also find those. */
static int most_first(const void *a, const void *b) {
  const struct synth_instance *const *x = a, *const *y = b;
  return ((*x)->given.n < (*y)->given.n) - ((*x)->given.n > (*y)->given.n);
}

/* What each instance in these units is of, as map.tcl has it. */
static int children_write(FILE *job, const struct synth_flow *f, const size_t *list, size_t n,
                          struct tandem_error *err) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += f->nodes[list[i]].elaborated.n;
  const struct synth_instance **all = calloc(count + 1, sizeof *all);
  if (all == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  count = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < f->nodes[list[i]].elaborated.n; k++)
      all[count++] = &f->nodes[list[i]].elaborated.instances[k];
  qsort(all, count, sizeof *all, most_first);
  fprintf(job, "set children {\n");
  for (size_t i = 0; i < count; i++) {
    const struct synth_instance *in = all[i];
    fprintf(job, "  {t:%s", in->given.module);
    for (unsigned p = 0; p < in->given.n; p++)
      fprintf(job, " r:%s=%zu'b%s %%i", in->given.parameters[p].name, strlen(in->bits[p]),
              in->bits[p]);
    fprintf(job, "} %s {", f->report->units[synth_find(f->report, &in->spec, false)].name);
    for (unsigned p = 0; p < in->given.n; p++)
      fprintf(job, " %s", in->given.parameters[p].name);
    fprintf(job, "}\n");
  }
  fprintf(job, "}\n");
  free(all);
  return 0;
}

static void memories_write(FILE *job, const struct synth_flow *f, const size_t *list, size_t n) {
  static const char *const names[] = {"Words", "Width", "Abits", "Reads", "Writes"};
  char name[SYNTH_NAME];
  fprintf(job, "set memories {\n");
  for (size_t i = 0; i < n; i++) {
    const struct synth_elaborated *e = &f->nodes[list[i]].elaborated;
    for (size_t k = 0; k < e->nmemories; k++) {
      synth_memory_name(&e->memories[k], name, sizeof name);
      fprintf(job, "  {t:tandem_memory");
      for (unsigned p = 0; p < 5; p++)
        fprintf(job, " r:%s=%zu'b%s %%i", names[p], strlen(e->memory_bits[k][p]),
                e->memory_bits[k][p]);
      fprintf(job, "} %s {Words Width Abits Reads Writes}\n", name);
    }
  }
  fprintf(job, "}\n");
}

static int map_job(struct synth_flow *f, size_t at, FILE *job, struct synth_hash *h,
                   struct tandem_error *err) {
  const struct synth_report *r = f->report;
  const struct synth_unit *u = &r->units[at];
  const size_t base = u->flat ? f->nodes[at].base : at;
  size_t *list = calloc(r->nunits, sizeof *list), n = 1;
  if (list == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  list[0] = base;
  if (u->flat)
    n = descendants(f, base, list);
  fprintf(job, "set inputs {");
  for (size_t i = 0; i < n; i++) {
    fprintf(job, " {%s/rtl/%s/elaborated.il}", f->build, r->units[list[i]].name);
    synth_hash_text(h, f->nodes[list[i]].keys[ELABORATE]);
  }
  fprintf(job, "}\nset flat %d\n", u->flat);
  const int status = children_write(job, f, list, n, err);
  memories_write(job, f, list, n);
  fprintf(job, "set base %s\nset liberty {%s}\nset driver %s\nset load_ff %d\nset period_ps %.0f\n",
          r->units[base].name, r->library.path, r->library.driver, LOAD_FF, 1e6 / r->mhz);
  free(list);
  synth_hash_text(h, r->library.key);
  return status != 0 ? status : script_key(f, h, "map.tcl", err);
}

/* The shapes of memories in a unit and all below it, once each. */
static size_t shapes(const struct synth_flow *f, const size_t *list, size_t n,
                     struct synth_memory *to, size_t max) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    const struct synth_unit *u = &f->report->units[list[i]];
    for (size_t k = 0; k < u->nmemories; k++) {
      char a[SYNTH_NAME], b[SYNTH_NAME];
      size_t j = 0;
      synth_memory_name(&u->memories[k], a, sizeof a);
      for (; j < count; j++) {
        synth_memory_name(&to[j], b, sizeof b);
        if (strcmp(a, b) == 0)
          break;
      }
      if (j == count && count < max)
        to[count++] = u->memories[k];
    }
  }
  return count;
}

/* One file for all units with the same memories, named by its contents. */
static int macros_file(const struct synth_flow *f, const struct synth_memory *m, size_t n,
                       char *path, size_t size, struct synth_hash *h, struct tandem_error *err) {
  char *text = NULL, key[40];
  size_t length;
  struct synth_hash own;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  synth_macros_liberty(out, m, n);
  fclose(out);
  synth_hash_text(h, text);
  synth_hash_start(&own);
  synth_hash_text(&own, text);
  synth_hash_end(&own, key);
  snprintf(path, size, "%s/macros-%.12s.lib", f->build, key);
  int status = 0;
  if (access(path, R_OK) != 0) {
    char part[700];
    snprintf(part, sizeof part, "%s.part", path);
    status = synth_write(part, text, length, err);
    if (status == 0 && rename(part, path) != 0)
      status = tandem_fail(err, -errno, "cannot write %s: %s", path, strerror(errno));
  }
  free(text);
  return status;
}

static int time_job(struct synth_flow *f, size_t at, FILE *job, struct synth_hash *h,
                    struct tandem_error *err) {
  const struct synth_report *r = f->report;
  const struct synth_designs *d = &f->designs;
  struct synth_memory found[4 * SYNTH_SHAPES];
  char macros[600] = "";
  size_t *list = calloc(r->nunits, sizeof *list);
  if (list == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  const size_t n = descendants(f, at, list);
  fprintf(job, "set netlists {");
  for (size_t i = 0; i < n; i++) {
    fprintf(job, " {%s/map/netlist.v}", r->units[list[i]].folder);
    synth_hash_text(h, f->nodes[list[i]].keys[MAP]);
  }
  fprintf(job, "}\nset clocks {");
  for (unsigned i = 0; i < d->nclocks; i++)
    fprintf(job, " %s %u", d->clocks[i].port, d->clocks[i].multiple);
  const size_t nshapes = shapes(f, list, n, found, 4 * SYNTH_SHAPES);
  free(list);
  int status = macros_file(f, found, nshapes, macros, sizeof macros, h, err);
  fprintf(job,
          "}\nset liberty {%s}\nset macros {%s}\nset reset %s\nset period_ns %.6f\nset driver %s\n"
          "set driver_pin %s\nset load %.3f\nset activity %s\n",
          r->library.path, macros, d->reset, 1000 / r->mhz, r->library.driver,
          r->library.driver_pin, LOAD_FF / 1000.0, ACTIVITY);
  synth_hash_text(h, r->library.key);
  synth_hash_text(h, r->sta);
  return status != 0 ? status : script_key(f, h, "timing.tcl", err);
}

typedef int (*job_writer)(struct synth_flow *, size_t, FILE *, struct synth_hash *,
                          struct tandem_error *);
static const job_writer writers[] = {elaborate_job, map_job, time_job};

/* Starts the unit's next step.  1: nothing to do; 0: started. */
static int start(struct synth_flow *f, size_t at, struct tandem_error *err) {
  struct synth_node *node = &f->nodes[at];
  const struct synth_unit *u = &f->report->units[at];
  const char *script = stage_names[node->stage];
  char *text = NULL;
  size_t size;
  struct synth_hash h;
  synth_hash_start(&h);
  FILE *job = open_memstream(&text, &size);
  if (job == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  fprintf(job, "set synth {%s/synth}\nset unit %s\n", f->config->root, u->name);
  int status = writers[node->stage](f, at, job, &h, err);
  const char *const files[] = {"elaborate.tcl", "map.tcl", "timing.tcl"};
  fprintf(job, "source $synth/%s\n", files[node->stage]);
  fclose(job);
  const char *const roots[] = {f->build, f->config->root};
  synth_hash_without(&h, text, roots, 2);
  synth_hash_end(&h, node->keys[node->stage]);
  node->step = (struct synth_step){.tool = node->stage == TIME ? f->sta : f->yosys,
                                   .script = script,
                                   .output = outputs[node->stage]};
  if (node->stage == ELABORATE)
    snprintf(node->step.folder, sizeof node->step.folder, "%s/rtl/%s", f->build, u->name);
  else
    snprintf(node->step.folder, sizeof node->step.folder, "%s/%s", u->folder, script);
  memcpy(node->step.key, node->keys[node->stage], sizeof node->step.key);
  if (status == 0)
    status = synth_step_start(&node->step, text, err);
  free(text);
  return status;
}

static int take_elaborated(struct synth_flow *f, size_t at, struct tandem_error *err) {
  char path[1100];
  snprintf(path, sizeof path, "%s/elaborated.json", f->nodes[at].step.folder);
  struct synth_elaborated e;
  int status = synth_parse_elaborated(path, f->report->units[at].name, &e, err);
  if (status != 0)
    return status;
  struct synth_child *children = calloc(e.n + 1, sizeof *children);
  size_t n = 0;
  for (size_t i = 0; children != NULL && i < e.n; i++) {
    const size_t unit = synth_flow_unit(f, &e.instances[i].spec, false);
    size_t k = 0;
    while (k < n && children[k].unit != unit)
      k++;
    children[k].unit = unit;
    children[k].count += e.instances[i].count;
    n = k == n ? n + 1 : n;
  }
  struct synth_unit *u = &f->report->units[at];
  u->children = children;
  u->nchildren = n;
  u->nmemories = e.nmemories;
  memcpy(u->memories, e.memories, sizeof e.memories);
  f->nodes[at].elaborated = e;
  return children != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

/* A flat unit has the memories of all below it. */
static void memories_below(const struct synth_report *r, size_t at, uint64_t times,
                           struct synth_unit *to) {
  const struct synth_unit *from = &r->units[at];
  for (size_t i = 0; i < from->nmemories; i++) {
    struct synth_memory m = from->memories[i];
    size_t k = 0;
    while (k < to->nmemories &&
           (to->memories[k].words != m.words || to->memories[k].width != m.width ||
            to->memories[k].reads != m.reads || to->memories[k].writes != m.writes))
      k++;
    m.count *= times;
    if (k < to->nmemories)
      to->memories[k].count += m.count;
    else if (k < SYNTH_SHAPES)
      to->memories[to->nmemories++] = m;
  }
  for (size_t i = 0; i < from->nchildren; i++)
    memories_below(r, from->children[i].unit, times * from->children[i].count, to);
}

static int take_mapped(struct synth_flow *f, size_t at, struct tandem_error *err) {
  char path[1100];
  struct synth_unit *u = &f->report->units[at];
  snprintf(path, sizeof path, "%s/stat.txt", f->nodes[at].step.folder);
  if (u->flat)
    memories_below(f->report, f->nodes[at].base, 1, u);
  const int status = synth_parse_stat(path, u->name, &f->liberty, &u->own, err);
  for (size_t i = 0; i < u->nmemories; i++) {
    const struct synth_memory *m = &u->memories[i];
    u->own.memory_bits += m->count * m->words * m->width;
    u->own.memories += m->count;
  }
  return status;
}

static int take_timed(struct synth_flow *f, size_t at, struct tandem_error *err) {
  char path[1100];
  const char *folder = f->nodes[at].step.folder;
  struct synth_unit *u = &f->report->units[at];
  free(u->timing.path);
  snprintf(path, sizeof path, "%s/path.txt", folder);
  int status = synth_parse_path(path, &u->timing, err);
  snprintf(path, sizeof path, "%s/fmax.txt", folder);
  if (status == 0)
    status = synth_parse_fmax(path, &u->timing, err);
  snprintf(path, sizeof path, "%s/power.txt", folder);
  if (status == 0)
    status = synth_parse_power(path, &u->power, err);
  return status;
}

/* Clusters of millions of cells take OpenSTA too long: their power is the sum of their parts', and
 * timing within the parts is all that is told. */
enum { TIMED_CELLS = 400000 };

static uint64_t cells_of(const struct synth_report *r, size_t at) {
  uint64_t n = r->units[at].own.cells;
  for (size_t i = 0; i < r->units[at].nchildren; i++)
    n += r->units[at].children[i].count * cells_of(r, r->units[at].children[i].unit);
  return n;
}

/* Children come first: they are smaller. */
static bool too_large(struct synth_flow *f, size_t at) {
  struct synth_report *r = f->report;
  struct synth_unit *u = &r->units[at];
  if (f->nodes[at].stage != TIME || cells_of(r, at) <= TIMED_CELLS)
    return false;
  memset(&u->power, 0, sizeof u->power);
  for (size_t i = 0; i < u->nchildren; i++) {
    const struct synth_power *p = &r->units[u->children[i].unit].power;
    u->power.internal_w += u->children[i].count * p->internal_w;
    u->power.switching_w += u->children[i].count * p->switching_w;
    u->power.leakage_w += u->children[i].count * p->leakage_w;
  }
  f->nodes[at].stage = DONE;
  return true;
}

static int take(struct synth_flow *f, size_t at, struct tandem_error *err) {
  static int (*const takers[])(struct synth_flow *, size_t,
                               struct tandem_error *) = {take_elaborated, take_mapped, take_timed};
  const int status = takers[f->nodes[at].stage](f, at, err);
  f->nodes[at].stage++;
  return status;
}

static void tell(const struct synth_flow *f, size_t at) {
  struct synth_progress p = {.unit = f->report->units[at].name,
                             .step = stage_names[f->nodes[at].stage]};
  for (size_t i = 0; i < f->report->nunits; i++) {
    p.done += (size_t)f->nodes[i].stage - (f->report->units[i].flat ? 1 : 0);
    p.known += f->report->units[i].flat ? 2 : 3;
  }
  if (f->config->progress != NULL)
    f->config->progress(f->config->user, &p);
}

static bool may_start(const struct synth_flow *f, size_t at, size_t *list) {
  const struct synth_node *n = &f->nodes[at];
  const bool flat = f->report->units[at].flat;
  if (n->stage == DONE || n->step.pid != 0)
    return false;
  if (n->stage == MAP && flat)
    return f->nodes[n->base].stage > ELABORATE && ready(f, n->base, ELABORATE, list);
  if (n->stage == TIME && cells_of(f->report, at) > TIMED_CELLS)
    return ready(f, at, TIME, list);
  return n->stage == TIME ? ready(f, at, MAP, list) : true;
}

/* Starts what can be started, up to the number of processes; takes what is there already.  What is
 * instantiated has to be known before anything is mapped, as many have a use for it. */
static int start_all(struct synth_flow *f, unsigned processes, unsigned *running,
                     struct tandem_error *err) {
  size_t *list = NULL;
  int status = 0;
  for (int stage = ELABORATE; stage < DONE && status >= 0; stage++)
    for (size_t i = 0; i < f->report->nunits && status >= 0; i++) {
      size_t *more = realloc(list, f->report->nunits * sizeof *list);
      list = more != NULL ? more : list;
      if (more == NULL)
        status = tandem_fail(err, -ENOMEM, "out of memory");
      if (status < 0 || *running == processes || (int)f->nodes[i].stage != stage ||
          !may_start(f, i, list) || too_large(f, i))
        continue;
      status = start(f, i, err);
      if (status == 1) {
        status = take(f, i, err);
      } else if (status == 0) {
        ++*running;
        tell(f, i);
      }
    }
  free(list);
  return status < 0 ? status : 0;
}

/* Waits for one of the processes. */
static int finish_one(struct synth_flow *f, unsigned *running, struct tandem_error *err) {
  for (;;) {
    for (size_t i = 0; i < f->report->nunits; i++) {
      struct synth_node *n = &f->nodes[i];
      int ended = 0;
      if (n->step.pid == 0 || waitpid(n->step.pid, &ended, WNOHANG) == 0)
        continue;
      --*running;
      int status = synth_step_end(&n->step, ended, err);
      if (status == 0)
        status = take(f, i, err);
      else if (err != NULL) {
        const struct tandem_error why = *err;
        (void)tandem_fail(err, status, "cannot %s %s: %.900s", stage_names[n->stage],
                          f->report->units[i].name, why.text);
      }
      return status;
    }
    usleep(5000);
  }
}

static size_t left(const struct synth_flow *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->report->nunits; i++)
    n += f->nodes[i].stage != DONE;
  return n;
}

int synth_flow_run(struct synth_flow *f, struct tandem_error *err) {
  const unsigned processes = f->config->processes != 0 ? f->config->processes : 2;
  unsigned running = 0;
  int status = 0;
  while (status == 0 && left(f) > 0) {
    status = start_all(f, processes, &running, err);
    if (status == 0 && running > 0)
      status = finish_one(f, &running, err);
  }
  while (running > 0) {
    struct tandem_error later;
    (void)finish_one(f, &running, &later);
  }
  return status;
}

void synth_flow_free(struct synth_flow *f) {
  for (size_t i = 0; f->report != NULL && i < f->report->nunits; i++)
    synth_elaborated_free(&f->nodes[i].elaborated);
  free(f->nodes);
  liberty_free(&f->liberty);
  synth_designs_free(&f->designs);
}
