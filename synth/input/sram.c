/* Maps of memories to macros, and the macros' figures from their Liberty. */
#include "synth/input/sram.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/reader.h"

/* Times are looked up for this load of an output, in pF, and the shortest slope. */
static const double LOAD_PF = 0.05;

/* A cell's file with its units. */
struct file {
  const struct liberty_tree *t;
  const struct liberty_units *u;
};

/* ---- tables ---- */

enum { MOST = 256 };

/* Numbers of a node's words. */
static size_t numbers(const struct liberty_tree *t, const struct liberty_node *n, double *to,
                      size_t most) {
  size_t count = 0;
  for (size_t i = 0; n != NULL && i < n->nwords; i++) {
    const struct liberty_word *w = liberty_word(t, n, i);
    for (const char *p = w->at; p < w->at + w->n && count < most;) {
      char *after;
      const double v = strtod(p, &after);
      if (after > p)
        to[count++] = v;
      p = after > p ? after : p + 1;
    }
  }
  return count;
}

/* An axis of a table, its own or that of the template. */
static size_t axis(const struct liberty_tree *t, const struct liberty_node *table,
                   const struct liberty_node *template, const char *name, double *to) {
  const struct liberty_node *own = liberty_words(t, table, name);
  return numbers(t, own == NULL && template != NULL ? liberty_words(t, template, name) : own, to,
                 MOST);
}

/* The number of a table at the shortest slope and the first load from LOAD_PF; 0: there is none. */
static double look_up(const struct file *f, const struct liberty_node *table) {
  double v[MOST], first[MOST], second[MOST];
  const struct liberty_node *template = liberty_template(f->t, table);
  const size_t n = numbers(f->t, liberty_words(f->t, table, "values"), v, MOST);
  const size_t n1 = axis(f->t, table, template, "index_1", first);
  const size_t n2 = axis(f->t, table, template, "index_2", second);
  const struct liberty_word *name =
      template != NULL ? liberty_value(f->t, template, "variable_1") : NULL;
  static const char load[] = "total_output_net_capacitance";
  const bool load_first = name != NULL && liberty_is(name, load);
  const double *loads = load_first ? first : second;
  const size_t nloads = load_first ? n1 : n2;
  size_t at = 0;
  while (at + 1 < nloads && loads[at] * f->u->capacitance / 1e-12 < LOAD_PF)
    at++;
  at *= load_first && n2 > 0 ? n2 : 1;
  return n == 0 ? 0 : v[at < n ? at : n - 1];
}

/* ---- figures of a macro ---- */

/* The largest figure of groups below a node: those of times by their timing_type, those of energy
 * of a whole clock cycle. */
static double largest(const struct file *f, const struct liberty_node *in, const char *group,
                      double (*of)(const struct file *, const struct liberty_node *)) {
  double most = 0;
  LIBERTY_EACH(f->t, n, in)
  if (n->kind == LIBERTY_GROUP)
    most = fmax(most, liberty_is(&n->name, group) ? of(f, n) : largest(f, n, group, of));
  return most;
}

static double table_of(const struct file *f, const struct liberty_node *in, const char *name) {
  LIBERTY_EACH(f->t, n, in)
  if (liberty_group(n, name))
    return look_up(f, n);
  return 0;
}

static bool type_is(const struct file *f, const struct liberty_node *timing, const char *start) {
  const struct liberty_word *type = liberty_value(f->t, timing, "timing_type");
  return type != NULL && type->n >= strlen(start) && strncmp(type->at, start, strlen(start)) == 0;
}

/* From a clock's edge to an output. */
static double access_ns(const struct file *f, const struct liberty_node *timing) {
  if (!type_is(f, timing, "rising_edge") && !type_is(f, timing, "falling_edge"))
    return 0;
  return f->u->time / 1e-9 *
         fmax(table_of(f, timing, "cell_rise"), table_of(f, timing, "cell_fall"));
}

static double setup_ns(const struct file *f, const struct liberty_node *timing) {
  return !type_is(f, timing, "setup_") ? 0
                                       : f->u->time / 1e-9 *
                                             fmax(table_of(f, timing, "rise_constraint"),
                                                  table_of(f, timing, "fall_constraint"));
}

static double cycle_pj(const struct file *f, const struct liberty_node *power) {
  const double both = table_of(f, power, "power");
  return f->u->capacitance / 1e-12 * f->u->voltage * f->u->voltage *
         (2 * both + table_of(f, power, "rise_power") + table_of(f, power, "fall_power"));
}

/* Energy of an access: that of a cycle of a clock pin, under the condition in which it is largest.
 */
static double access_pj(const struct file *f, const struct liberty_node *cell) {
  double most = 0;
  LIBERTY_EACH(f->t, pin, cell) {
    const struct liberty_word *clock =
        pin->kind == LIBERTY_GROUP ? liberty_value(f->t, pin, "clock") : NULL;
    if (clock != NULL && liberty_is(clock, "true"))
      most = fmax(most, largest(f, pin, "internal_power", cycle_pj));
  }
  return most;
}

static double leakage_uw(const struct file *f, const struct liberty_node *cell) {
  double most = 0, v;
  if (liberty_number(liberty_value(f->t, cell, "cell_leakage_power"), &v))
    most = v;
  LIBERTY_EACH(f->t, n, cell)
  if (liberty_group(n, "leakage_power") && liberty_number(liberty_value(f->t, n, "value"), &v))
    most = fmax(most, v);
  return most * f->u->leakage / 1e-6;
}

static struct technology_macro figures_of(const struct liberty *l, const struct liberty_cell *c) {
  const struct file f = {c->tree, &l->units[c->tree - l->trees]};
  const double setup = largest(&f, c->node, "timing", setup_ns);
  return (struct technology_macro){.area_um2 = c->area,
                                   .access_pj = access_pj(&f, c->node),
                                   .leakage_uw = leakage_uw(&f, c->node),
                                   .access_ns = setup + largest(&f, c->node, "timing", access_ns)};
}

/* ---- the map ---- */

static void ports_read(struct reader *r, yaml_node_t *list, struct sram_macro *m) {
  static const char *const kinds[] = {"r", "w", "rw"};
  unsigned *const counts[] = {&m->reads, &m->writes, &m->both};
  const size_t n = reader_list(r, list, "ports", SIZE_MAX);
  if (n == 0)
    reader_fail(r, list, "ports: a list of r, w and rw is expected");
  for (size_t i = 0; i < n && r->status == 0; i++) {
    yaml_node_t *node = reader_item(r, list, i);
    const char *text = reader_text(r, node, "a port");
    unsigned kind = 0;
    while (kind < 3 && strcmp(text, kinds[kind]) != 0)
      kind++;
    if (kind == 3)
      reader_fail(r, node, "a port is \"%s\", not r, w or rw", text);
    else
      ++*counts[kind];
  }
}

/* Bits of a port; of one whose bits are pins of their own, NAME[0] and so on, their number. */
static unsigned width_of(const struct liberty_cell *c, const char *name) {
  const size_t n = strcspn(name, "[");
  unsigned width = 0;
  for (size_t i = 0; i < c->nports; i++)
    if (strcspn(c->ports[i].name, "[") == n && strncmp(c->ports[i].name, name, n) == 0)
      width += c->ports[i].width;
  return width;
}

/* The macro's cell must have a port of as many bits as a word, and one that addresses its words. */
static void cell_check(struct reader *r, yaml_node_t *at, const struct sram_macro *m) {
  bool data = false, address = false;
  for (size_t i = 0; r->status == 0 && i < m->cell->nports; i++) {
    const unsigned width = width_of(m->cell, m->cell->ports[i].name);
    data |= width == m->bits;
    address |= width < 32 && 1u << width >= m->words && 1u << width < 2 * m->words + 2;
  }
  if (!data)
    reader_fail(r, at, "%s has no port of %u bits in the Liberty of --macros", m->cell->name,
                m->bits);
  if (!address)
    reader_fail(r, at, "%s has no port that addresses %u words in the Liberty of --macros",
                m->cell->name, m->words);
  if (!(m->cell->area > 0 && m->figures.access_ns > 0))
    reader_fail(r, at, "%s has no %s in the Liberty of --macros, so its memories' is not known",
                m->cell->name, m->cell->area > 0 ? "time from its clock to an output" : "area");
}

/* Macros side by side that hold a memory: as many as its words and bits need, and copies for its
 * reads, each of which takes all writes.  0: no number of copies has its ports. */
static unsigned copies_of(const struct sram_macro *m, const struct synth_memory *s) {
  const unsigned shared = s->writes > m->writes ? s->writes - m->writes : 0;
  if (shared > m->both)
    return 0;
  const unsigned reads = m->reads + m->both - shared;
  return reads == 0 ? s->reads == 0 : (s->reads + reads - 1) / reads;
}

/* WORDSxBITS_READSrWRITESw, as netlists call the memory. */
static bool shape_read(const char *text, struct synth_memory *s) {
  int end = 0;
  const char *at = strncmp(text, SYNTH_MEMORY, sizeof SYNTH_MEMORY - 1) == 0
                       ? text + sizeof SYNTH_MEMORY - 1
                       : text;
  return sscanf(at, "%9ux%9u_%9ur%9uw%n", &s->words, &s->width, &s->reads, &s->writes, &end) == 4 &&
         at[end] == '\0' && s->words > 0 && s->width > 0;
}

static void use_read(struct reader *r, yaml_node_t *node, struct sram_map *m, size_t macro) {
  struct sram_use use = {.macro = macro};
  const struct sram_macro *of = &m->macros[macro];
  const char *text = reader_text(r, node, "serves");
  if (!shape_read(text, &use.shape)) {
    reader_fail(r, node, "\"%s\" is no memory: WORDSxBITS_READSrWRITESw is expected, as 48x16_1r2w",
                text);
    return;
  }
  if (copies_of(of, &use.shape) == 0)
    reader_fail(r, node,
                "%s has too few ports for %s, which reads by %u and writes by %u in one cycle: all "
                "copies of a macro take each write and have a port left to read; map it to a macro "
                "with more ports, or leave it to its estimate",
                of->cell->name, text, use.shape.reads, use.shape.writes);
  for (size_t i = 0; i < m->nuses; i++)
    if (synth_memory_same(&m->uses[i].shape, &use.shape))
      reader_fail(r, node, "%s is served twice", text);
  struct sram_use *more = realloc(m->uses, (m->nuses + 1) * sizeof *more);
  if (more == NULL) {
    reader_memory(r);
    return;
  }
  m->uses = more;
  more[m->nuses++] = use;
}

static void macro_read(struct reader *r, yaml_node_t *node, const struct liberty *l,
                       struct sram_map *map) {
  static const char *const keys[] = {"cell", "words", "bits", "ports", "serves", NULL};
  struct sram_macro m = {0};
  reader_keys(r, node, "a macro", keys);
  for (size_t i = 0; keys[i] != NULL; i++)
    (void)reader_need(r, node, keys[i], "a macro");
  const char *name = reader_text(r, reader_get(r, node, "cell"), "cell");
  m.cell = liberty_find(l, name);
  if (m.cell == NULL) {
    reader_fail(r, node, "the Liberty of --macros has no cell \"%s\"", name);
    return;
  }
  m.figures = figures_of(l, m.cell);
  m.words = (unsigned)reader_uint(r, reader_get(r, node, "words"), "words", 1, 1 << 24);
  m.bits = (unsigned)reader_uint(r, reader_get(r, node, "bits"), "bits", 1, 1 << 16);
  ports_read(r, reader_get(r, node, "ports"), &m);
  cell_check(r, node, &m);
  struct sram_macro *more = realloc(map->macros, (map->nmacros + 1) * sizeof *more);
  if (more == NULL) {
    reader_memory(r);
    return;
  }
  map->macros = more;
  more[map->nmacros++] = m;
  yaml_node_t *serves = reader_get(r, node, "serves");
  const size_t n = reader_list(r, serves, "serves", SIZE_MAX);
  for (size_t i = 0; i < n && r->status == 0; i++)
    use_read(r, reader_item(r, serves, i), map, map->nmacros - 1);
}

int sram_load(const char *path, const struct liberty *l, struct sram_map *m,
              struct tandem_error *err) {
  struct reader r;
  memset(m, 0, sizeof *m);
  yaml_node_t *list = reader_open(&r, path, err);
  const size_t n = reader_list(&r, list, "a map of macros", SIZE_MAX);
  for (size_t i = 0; i < n && r.status == 0; i++)
    macro_read(&r, reader_item(&r, list, i), l, m);
  const int status = reader_close(&r);
  if (status != 0)
    sram_free(m);
  return status;
}

void sram_free(struct sram_map *m) {
  free(m->macros);
  free(m->uses);
  memset(m, 0, sizeof *m);
}

bool sram_figures(const struct sram_map *map, struct synth_memory *s) {
  const struct sram_use *use = NULL;
  for (size_t i = 0; i < map->nuses; i++)
    if (synth_memory_same(&map->uses[i].shape, s))
      use = &map->uses[i];
  if (use == NULL)
    return false;
  const struct sram_macro *m = &map->macros[use->macro];
  const unsigned wide = (s->width + m->bits - 1) / m->bits;
  const unsigned deep = (s->words + m->words - 1) / m->words, copies = copies_of(m, s);
  s->source = SYNTH_MAPPED;
  s->macros = wide * deep * copies;
  snprintf(s->cell, sizeof s->cell, "%s", m->cell->name);
  /* A read is one of a copy, a write one of each. */
  const double accesses = (double)(s->reads + s->writes * copies) / (s->reads + s->writes);
  s->macro = (struct technology_macro){.area_um2 = s->macros * m->figures.area_um2,
                                       .access_pj = wide * accesses * m->figures.access_pj,
                                       .leakage_uw = s->macros * m->figures.leakage_uw,
                                       .access_ns = m->figures.access_ns};
  return true;
}
