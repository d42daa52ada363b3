/* Charts of the HTML page.  Positions are percentages of the chart, so that it takes any width
 * while text keeps its size. */
#include "synth/report/html/html.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/plot.h"

/* A treemap is laid out for this shape; another one stretches all rectangles alike. */
static const double chart_width = 1000, chart_height = 520;

struct rectangle {
  double x, y, w, h;
};

/* Item of a rectangle: a unit with all below it, or (alone) only its own logic. */
struct item {
  size_t unit;
  unsigned count;
  double area;
  bool alone;
  enum html_origin origin;
  struct rectangle at;
};

struct treemap {
  const struct html_page *p;
  double total;
  char path[512]; /* of the units around */
};

static int larger_first(const void *a, const void *b) {
  const struct item *x = a, *y = b;
  return x->area != y->area ? (x->area < y->area) - (x->area > y->area)
                            : (x->unit > y->unit) - (x->unit < y->unit);
}

/* The worst proportion of sides among items in a row of this total along a side. */
static double worst(const struct item *items, size_t n, double sum, double side, double scale) {
  const double thick = sum * scale / side;
  double worst_yet = 1;
  for (size_t i = 0; i < n; i++) {
    const double along = items[i].area * scale / thick;
    worst_yet = fmax(worst_yet, fmax(along / thick, thick / along));
  }
  return worst_yet;
}

/* Lays a row of items along the shorter side of what is left, and takes it off. */
static void lay_row(struct item *items, size_t n, double sum, double scale,
                    struct rectangle *left) {
  const bool upright = left->w >= left->h;
  const double side = upright ? left->h : left->w, thick = sum * scale / side;
  double at = 0;
  for (size_t i = 0; i < n; i++) {
    const double along = items[i].area * scale / thick;
    items[i].at = upright ? (struct rectangle){left->x, left->y + at, thick, along}
                          : (struct rectangle){left->x + at, left->y, along, thick};
    at += along;
  }
  if (upright) {
    left->x += thick;
    left->w -= thick;
  } else {
    left->y += thick;
    left->h -= thick;
  }
}

/* Rectangles as near to squares as may be: each row grows as long as that improves its worst (M.
 * Bruls, K. Huizing, J. van Wijk, "Squarified treemaps", 2000). */
static void lay_out(struct item *items, size_t n, struct rectangle in) {
  double total = 0;
  for (size_t i = 0; i < n; i++)
    total += items[i].area;
  const double scale = in.w * in.h / total;
  for (size_t first = 0, in_row; first < n; first += in_row) {
    const double side = fmin(in.w, in.h);
    double sum = items[first].area;
    in_row = 1;
    while (first + in_row < n) {
      const double more = sum + items[first + in_row].area;
      if (worst(&items[first], in_row + 1, more, side, scale) >
          worst(&items[first], in_row, sum, side, scale))
        break;
      sum = more;
      in_row++;
    }
    lay_row(&items[first], in_row, sum, scale, &in);
  }
}

/* Fills in the parts of the unit that have an area; returns their number. */
static size_t items_of(const struct html_page *p, size_t unit, unsigned count, struct item *items) {
  const struct synth_unit *u = &p->r->units[unit];
  const enum html_origin origin = p->origin[unit];
  const double own = synth_area(&u->own);
  double added = 0;
  if (origin == HTML_GROWN)
    added = fmax(0, own - synth_area(&p->r->units[p->like[unit]].own));
  size_t n = 0;
  items[n++] = (struct item){.unit = unit,
                             .count = count,
                             .area = count * (own - added),
                             .alone = true,
                             .origin = origin == HTML_ADDED ? HTML_ADDED : HTML_BASELINE};
  items[n++] = (struct item){
      .unit = unit, .count = count, .area = count * added, .alone = true, .origin = HTML_GROWN};
  for (size_t i = 0; i < u->nchildren; i++) {
    const struct synth_child *c = &u->children[i];
    items[n++] = (struct item){.unit = c->unit,
                               .count = count * c->count,
                               .area = count * c->count * synth_area(&p->r->units[c->unit].whole),
                               .origin = p->origin[c->unit]};
  }
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (items[i].area > 0)
      items[kept++] = items[i];
  return kept;
}

static void place(FILE *out, const struct rectangle *at) {
  fprintf(out, "x=\"%.6g%%\" y=\"%.6g%%\" width=\"%.6g%%\" height=\"%.6g%%\"",
          100 * at->x / chart_width, 100 * at->y / chart_height, 100 * at->w / chart_width,
          100 * at->h / chart_height);
}

/* Returns where text of this length fits: "any" screen, only a "wide" one; NULL: none. */
static const char *room(const struct rectangle *at, size_t characters) {
  const double need = 8 + 7.0 * (double)characters;
  if (at->h < 18 || at->w < need)
    return NULL;
  return at->w * 0.34 < need ? "wide" : "any";
}

static const char *part_text(const struct synth_unit *u, enum html_origin o) {
  if (o == HTML_GROWN)
    return " (more than the baseline's)";
  return u->nchildren > 0 ? " (its own)" : "";
}

static void leaf(const struct treemap *t, const struct item *i) {
  FILE *out = t->p->out;
  const struct synth_unit *u = &t->p->r->units[i->unit];
  char label[SYNTH_NAME + 16];
  if (i->count > 1)
    snprintf(label, sizeof label, "%u \xc3\x97 %s", i->count, u->name);
  else
    snprintf(label, sizeof label, "%s", u->name);
  html_write(out, "<a href=\"#unit-%s\"><svg ", u->name);
  place(out, &i->at);
  html_write(out,
             "><title>%s%s%s: %0 µm², %1 %%</title><rect class=\"tile %r\" width=\"100%%\" "
             "height=\"100%%\" data-unit=\"%s\" data-value=\"%g\"/>",
             t->path, label, part_text(u, i->origin), i->area, 100 * i->area / t->total,
             html_origin_class(i->origin), u->name, i->area);
  const char *where = room(&i->at, strlen(label));
  if (where != NULL)
    html_write(out, "<text class=\"%r\" x=\"4\" y=\"15\">%s</text>", where, label);
  if (where != NULL && i->at.h >= 34)
    html_write(out, "<text class=\"%r dim\" x=\"4\" y=\"31\">%1 %%</text>", where,
               100 * i->area / t->total);
  fputs("</svg></a>\n", out);
}

static void unit_tiles(struct treemap *t, const struct item *of, unsigned depth) {
  const struct synth_unit *u = &t->p->r->units[of->unit];
  struct item *items = calloc(u->nchildren + 2, sizeof *items);
  if (items == NULL)
    return;
  const size_t n = items_of(t->p, of->unit, of->count, items);
  qsort(items, n, sizeof *items, larger_first);
  lay_out(items, n, of->at);
  const size_t length = strlen(t->path);
  for (size_t i = 0; i < n; i++) {
    if (items[i].alone) {
      leaf(t, &items[i]);
      continue;
    }
    snprintf(t->path + length, sizeof t->path - length, "%s / ", u->name);
    unit_tiles(t, &items[i], depth + 1);
    t->path[length] = '\0';
  }
  if (u->nchildren > 0) {
    fprintf(t->p->out, "<rect class=\"box depth%u\" ", depth < 3 ? depth : 3);
    place(t->p->out, &of->at);
    fputs("/>\n", t->p->out);
  }
  free(items);
}

void html_treemap(const struct html_page *p, size_t unit) {
  const struct synth_unit *u = &p->r->units[unit];
  struct treemap t = {.p = p, .total = synth_area(&u->whole)};
  html_write(p->out, "<figure><figcaption>%s: %0 µm², %0 gates</figcaption>\n", u->name, t.total,
             synth_gates(p->r, t.total));
  if (t.total > 0) {
    html_write(p->out,
               "<svg class=\"treemap\" role=\"img\" aria-label=\"Area of %s by module\" "
               "data-unit=\"%s\" data-value=\"%g\">\n",
               u->name, u->name, t.total);
    const struct item whole = {.unit = unit, .count = 1, .at = {0, 0, chart_width, chart_height}};
    unit_tiles(&t, &whole, 0);
    fputs("</svg>", p->out);
  } else {
    fputs("<p>It has no cells.</p>", p->out);
  }
  fputs("</figure>\n", p->out);
}

/* The baseline's parts in blue, then added logic in orange. */
enum { SERIES = 2 * HTML_PARTS };
static const char *const colours[SERIES] = {"#2f6fb0", "#6fa3d6", "#a9c8e8",
                                            "#c56f1a", "#f6a94a", "#fbd5a3"};

static double value_of(const struct html_bar *bar, size_t series) {
  const size_t k = series % HTML_PARTS;
  return series < HTML_PARTS ? bar->parts[k] - bar->added[k] : bar->added[k];
}

/* The series that some bar has: their places among all, and names. */
static size_t series_of(const struct html_bars *b, size_t at[SERIES], struct plot_series *to,
                        const char **rgb, char (*titles)[48]) {
  size_t n = 0;
  for (size_t k = 0; k < SERIES; k++) {
    const char *name = b->names[k % HTML_PARTS];
    bool any = false;
    for (size_t i = 0; name != NULL && i < b->n; i++)
      any |= value_of(&b->bars[i], k) > 0;
    if (!any)
      continue;
    snprintf(titles[n], sizeof titles[n], "%s%s", name, k < HTML_PARTS ? "" : ", added");
    to[n] = (struct plot_series){.title = titles[n]};
    rgb[n] = colours[k];
    at[n++] = k;
  }
  return n;
}

void html_bars(struct html_page *p, const struct html_bars *b) {
  const char **rows = calloc(b->n + 1, sizeof *rows);
  double *values = calloc(b->n + 1, SERIES * sizeof *values);
  struct plot_series series[SERIES];
  char titles[SERIES][48];
  size_t at[SERIES];
  const char *rgb[SERIES];
  struct plot plot = {.kind = PLOT_STACKS,
                      .title = b->title,
                      .x = b->unit,
                      .y = "",
                      .rows = rows,
                      .series = series,
                      .nseries = series_of(b, at, series, rgb, titles),
                      .colours = rgb,
                      .values = values};
  for (size_t i = 0; rows != NULL && values != NULL && i < b->n; i++) {
    double sum = 0;
    for (size_t k = 0; k < plot.nseries; k++)
      sum += values[plot.nrows * plot.nseries + k] = value_of(&b->bars[i], at[k]);
    rows[plot.nrows] = b->bars[i].label;
    plot.nrows += sum > 0;
  }
  char *svg = NULL;
  struct tandem_error err = {{0}};
  if (plot.nrows > 0) {
    fprintf(p->out, "<figure class=\"plot\"><figcaption>%s, %s</figcaption>\n", b->title, b->unit);
    const int status = plot_svg(&plot, p->plots++, &svg, &err);
    html_write(p->out, "%s%r</figure>\n", status != 0 ? err.text : "", svg != NULL ? svg : "");
  }
  free(svg);
  free(rows);
  free(values);
}
