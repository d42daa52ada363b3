/* Parsers of the files that yosys and OpenSTA write. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"
#include "synth/flow/parse.h"

static json_t *load(const char *path, struct tandem_error *err) {
  json_error_t e;
  json_t *o = json_load_file(path, 0, &e);
  if (o == NULL)
    (void)tandem_fail(err, -EINVAL, "%s:%d: not what yosys writes: %s", path, e.line, e.text);
  return o;
}

/* Value of a string of bits. */
static uint64_t bits_value(const char *bits) {
  uint64_t v = 0;
  for (; *bits != '\0'; bits++)
    v = v << 1 | (*bits == '1');
  return v;
}

static int parameter_add(struct synth_spec *s, const char *name, uint64_t value, const char *module,
                         struct tandem_error *err) {
  if (s->n == SYNTH_PARAMETERS)
    return tandem_fail(err, -E2BIG, "an instance of %s has more than %d parameters", module,
                       SYNTH_PARAMETERS);
  snprintf(s->parameters[s->n].name, sizeof s->parameters[0].name, "%.31s", name);
  s->parameters[s->n++].value = value;
  return 0;
}

/* An instance: one more of those with the same parameters, or a new one. */
static int instance_add(struct synth_elaborated *e, const char *module, json_t *parameters,
                        json_t *defaults, struct tandem_error *err) {
  struct synth_instance in = {.count = 1};
  const char *name;
  json_t *value;
  snprintf(in.spec.module, sizeof in.spec.module, "%.63s", module);
  memcpy(in.given.module, in.spec.module, sizeof in.given.module);
  json_object_foreach(parameters, name, value) {
    const char *bits = json_string_value(value);
    const char *other = json_string_value(json_object_get(defaults, name));
    if (bits == NULL || strlen(bits) >= sizeof in.bits[0])
      return tandem_fail(err, -EINVAL, "parameter %s of an instance of %s is no number", name,
                         module);
    int status = parameter_add(&in.given, name, bits_value(bits), module, err);
    if (status == 0)
      strcpy(in.bits[in.given.n - 1], bits);
    if (status == 0 && (other == NULL || bits_value(bits) != bits_value(other)))
      status = parameter_add(&in.spec, name, bits_value(bits), module, err);
    if (status != 0)
      return status;
  }
  synth_spec_sort(&in.spec);
  for (size_t i = 0; i < e->n; i++)
    if (synth_spec_same(&e->instances[i].given, &in.given)) {
      e->instances[i].count++;
      return 0;
    }
  struct synth_instance *more = realloc(e->instances, (e->n + 1) * sizeof *more);
  if (more == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  e->instances = more;
  e->instances[e->n++] = in;
  return 0;
}

static int memory_add(struct synth_elaborated *e, json_t *parameters, struct tandem_error *err) {
  static const char *const names[] = {"Words", "Width", "Abits", "Reads", "Writes"};
  unsigned v[5];
  for (unsigned i = 0; i < 5; i++) {
    const char *bits = json_string_value(json_object_get(parameters, names[i]));
    if (bits == NULL || strlen(bits) >= 80 || e->nmemories == SYNTH_SHAPES)
      return tandem_fail(err, -EINVAL, "memories of too many shapes");
    strcpy(e->memory_bits[e->nmemories][i], bits);
    v[i] = (unsigned)bits_value(bits);
  }
  const struct synth_memory m = {
      .words = v[0], .width = v[1], .abits = v[2], .reads = v[3], .writes = v[4], .count = 1};
  for (size_t i = 0; i < e->nmemories; i++)
    if (synth_memory_same(&e->memories[i], &m)) {
      e->memories[i].count++;
      return 0;
    }
  e->memories[e->nmemories++] = m;
  return 0;
}

int synth_parse_elaborated(const char *path, const char *top, struct synth_elaborated *e,
                           struct tandem_error *err) {
  memset(e, 0, sizeof *e);
  json_t *o = load(path, err);
  if (o == NULL)
    return -EINVAL;
  json_t *modules = json_object_get(o, "modules"), *cell;
  json_t *cells = json_object_get(json_object_get(modules, top), "cells");
  const char *name;
  int status = 0;
  if (cells == NULL)
    status = tandem_fail(err, -EINVAL, "%s: no module %s", path, top);
  json_object_foreach(cells, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    json_t *parameters = json_object_get(cell, "parameters");
    if (type == NULL || type[0] == '$' || status != 0)
      continue;
    if (strcmp(type, "tandem_memory") == 0)
      status = memory_add(e, parameters, err);
    else
      status = instance_add(
          e, type, parameters,
          json_object_get(json_object_get(modules, type), "parameter_default_values"), err);
  }
  json_decref(o);
  if (status != 0)
    synth_elaborated_free(e);
  return status;
}

void synth_elaborated_free(struct synth_elaborated *e) {
  free(e->instances);
  memset(e, 0, sizeof *e);
}

static void cells_add(struct synth_size *size, const struct liberty_cell *c, uint64_t n) {
  size->cells += n;
  if (c->sequential) {
    size->sequential_cells += n;
    size->sequential += (double)n * c->area;
  } else {
    size->combinational += (double)n * c->area;
  }
}

int synth_parse_stat(const char *path, const char *top, const struct liberty *l,
                     struct synth_size *size, struct tandem_error *err) {
  char *text, *rest, title[SYNTH_NAME + 16], type[SYNTH_NAME];
  uint64_t n;
  memset(size, 0, sizeof *size);
  int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  snprintf(title, sizeof title, "=== %s ===", top);
  /* The module's cells follow its number of cells, up to a line of another kind. */
  char *at = strstr(text, title);
  at = at != NULL ? strstr(at, "Number of cells:") : NULL;
  if (at == NULL)
    status = tandem_fail(err, -EINVAL, "%s: no cells of a module %s", path, top);
  char *line = at != NULL ? strtok_r(at, "\n", &rest) : NULL;
  while (status == 0 && line != NULL && (line = strtok_r(NULL, "\n", &rest)) != NULL &&
         sscanf(line, " %127s %" SCNu64, type, &n) == 2) {
    const struct liberty_cell *c = liberty_find(l, type[0] == '\\' ? type + 1 : type);
    if (c != NULL && c->area <= 0)
      status = liberty_wrong(c->tree, c->node->line, err,
                             "the cell %s has no area, and %s is mapped to it", c->name, top);
    else if (c != NULL)
      cells_add(size, c, n);
  }
  free(text);
  return status;
}

/* Rest of the line after the prefix, up to the first blank; false: another line.  A register is
 * called by the net that it drives, a backslash and its type: the net will do. */
static bool after(const char *line, const char *prefix, char *to, size_t size) {
  const size_t n = strlen(prefix);
  if (strncmp(line, prefix, n) != 0)
    return false;
  size_t i = 0;
  for (; i + 1 < size && line[n + i] != '\0' && line[n + i] != '\\' &&
         !isspace((unsigned char)line[n + i]);
       i++)
    to[i] = line[n + i];
  to[i] = '\0';
  return true;
}

/* A line of the path's table: delay, time, edge, pin and, in parentheses, cell; of a port or clock
 * no pin. */
static bool path_pin(const char *line, char *pin, size_t size) {
  double delay, time;
  char edge[8], name[SYNTH_NAME], cell[64];
  if (sscanf(line, " %lf %lf %7s %127s (%63[^)])", &delay, &time, edge, name, cell) != 5 ||
      (strcmp(edge, "v") != 0 && strcmp(edge, "^") != 0) || strcmp(cell, "in") == 0 ||
      strcmp(cell, "out") == 0)
    return false;
  snprintf(pin, size, "%s", name);
  return true;
}

/* Returns the path with the least slack; the text has one path for each group.  Cuts the text
 * behind it. */
static char *worst_path(char *text) {
  static const char start[] = "Startpoint: ";
  char *found = text, *end = NULL;
  double least = 0, slack;
  for (char *at = strstr(text, start), *next; at != NULL; at = next) {
    next = strstr(at + 1, start);
    /* The slack stands before its name, at the end of the path. */
    char *name = strstr(at, " slack (");
    if (name == NULL || (next != NULL && name > next))
      continue;
    while (name > at && *name != '\n')
      name--;
    if (sscanf(name, "%lf", &slack) == 1 && (end == NULL || slack < least)) {
      least = slack;
      found = at;
      end = strchr(name + 1, '\n');
    }
  }
  if (end != NULL)
    end[1] = '\0';
  return found;
}

int synth_parse_path(const char *path, struct synth_timing *t, struct tandem_error *err) {
  char *text, *rest, pin[SYNTH_NAME], last[SYNTH_NAME] = "";
  int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  char *worst = worst_path(text);
  t->path = strdup(worst);
  t->depth = 0;
  t->start[0] = t->end[0] = '\0';
  bool arrived = false;
  for (char *line = strtok_r(worst, "\n", &rest); line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    (void)after(line, "Startpoint: ", t->start, sizeof t->start);
    (void)after(line, "Endpoint: ", t->end, sizeof t->end);
    if (strstr(line, "data arrival time") != NULL)
      arrived = true;
    if (arrived || !path_pin(line, pin, sizeof pin))
      continue;
    /* The register's clock pin and its output are one cell. */
    const char *slash = strrchr(pin, '/');
    const size_t n = slash != NULL ? (size_t)(slash - pin) : strlen(pin);
    if (strncmp(pin, last, n + 1) != 0)
      t->depth++;
    snprintf(last, sizeof last, "%s", pin);
    last[n < sizeof last ? n + 1 : n] = '\0';
  }
  /* The last one is where the path ends. */
  if (t->depth > 0 && strncmp(last, t->end, strlen(t->end)) == 0)
    t->depth--;
  free(text);
  return t->path != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

/* OpenSTA counts a rise's and a fall's internal energy for each change: docs/use/synth.md. */
static const double INTERNAL_PART = 0.5;
/* A net with the assumed activity is 1 in half of the cycles: an enable too. */
static const double ENABLED_PART = 0.5;

int synth_parse_power(const char *path, struct synth_power *p, struct tandem_error *err) {
  char *text;
  int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  const char *line = strstr(text, "\nTotal ");
  if (line == NULL ||
      sscanf(line, " Total %lf %lf %lf", &p->internal_w, &p->switching_w, &p->leakage_w) != 3)
    status = tandem_fail(err, -EINVAL, "%s: no total power in what OpenSTA reports", path);
  const char *clocks = strstr(text, "\nClocks ");
  double load = 0, gated = 0;
  if (status == 0 && (clocks == NULL || sscanf(clocks, " Clocks %lf %lf", &load, &gated) != 2))
    status = tandem_fail(err, -EINVAL, "%s: no power of clocks' nets", path);
  p->switching_w -= load;
  const char *given = strstr(text, "\nMemories ");
  double internal = 0;
  if (status == 0 &&
      (given == NULL || sscanf(given, " Memories %lf %lf", &internal, &p->macro_leakage_w) != 2))
    status = tandem_fail(err, -EINVAL, "%s: no power of memories", path);
  p->macro_internal_w = INTERNAL_PART * internal;
  p->internal_w =
      INTERNAL_PART * (p->internal_w - (1 - ENABLED_PART) * gated) - p->macro_internal_w;
  p->leakage_w -= p->macro_leakage_w;
  free(text);
  return status;
}

int synth_parse_fmax(const char *path, struct synth_timing *t, struct tandem_error *err) {
  char *text;
  double period;
  int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  if (sscanf(text, "slack %lf period %lf", &t->slack_ns, &period) != 2 || period <= 0)
    status = tandem_fail(err, -EINVAL, "%s: no slack and period", path);
  else if (t->slack_ns > 1e29) /* there is no path */
    t->slack_ns = t->fmax_mhz = 0;
  else
    t->fmax_mhz = 1000 / period;
  free(text);
  return status;
}
