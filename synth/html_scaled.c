/* Memories' estimated area, and the table of figures scaled to other processes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/html.h"

/* Processes of the libraries that are known, by how their names start; supply in volts. */
static const struct {
  const char *start;
  struct technology_corner corner;
} libraries[] = {{"osu018", {180, 1.8}}, {"sky130", {130, 1.8}}};

static bool process_of(const char *library, struct technology_corner *corner) {
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
    if (strncmp(library, libraries[i].start, strlen(libraries[i].start)) == 0) {
      *corner = libraries[i].corner;
      return true;
    }
  return false;
}

/* Area of the memories of a unit and all below it in a process. */
static double macros(const struct html_page *p, size_t unit, struct technology_corner corner) {
  const struct synth_unit *u = &p->r->units[unit];
  double area = 0;
  for (size_t i = 0; i < u->nmemories; i++) {
    const struct synth_memory *m = &u->memories[i];
    const struct technology_memory shape = {m->words, m->width, m->reads + m->writes};
    struct technology_macro macro;
    if (technology_macro(p->technology, &shape, corner, &macro, NULL) == 0)
      area += (double)m->count * macro.area_um2;
  }
  for (size_t i = 0; i < u->nchildren; i++)
    area += u->children[i].count * macros(p, u->children[i].unit, corner);
  return area;
}

double html_macros(const struct html_page *p, size_t unit) {
  struct technology_corner corner;
  return p->technology != NULL && process_of(p->r->library.name, &corner) ? macros(p, unit, corner)
                                                                          : 0;
}

static void row(const struct html_page *p, size_t unit, struct technology_corner from, double nm) {
  const struct synth_unit *u = &p->r->units[unit];
  const struct technology_corner to = {nm, 0};
  struct technology_factors f;
  if (technology_scale(p->technology, from, to, &f, NULL) != 0)
    return;
  fputs("<tr><td>", p->out);
  html_text(p->out, u->name);
  fprintf(p->out, " <span class=\"mark scaled\">scaled</span></td>");
  html_cell(p, nm, 0);
  html_cell(p, f.area * synth_area(&u->whole), 0);
  html_cell(p, macros(p, unit, to), 0);
  html_cell(p, u->timing.fmax_mhz / f.delay, 1);
  html_cell(p, 1e3 * f.energy * (u->power.internal_w + u->power.switching_w), 3);
  html_cell(p, synth_area(&u->whole), 0);
  html_cell(p, u->timing.fmax_mhz, 1);
  html_cell(p, 1e3 * (u->power.internal_w + u->power.switching_w), 3);
  fputs("</tr>\n", p->out);
}

void html_scaled(const struct html_page *p, const size_t *order) {
  static const char *const columns[] = {"module",
                                        "nm",
                                        "cells µm²",
                                        "memories µm²",
                                        "fmax MHz",
                                        "dynamic mW",
                                        "native cells µm²",
                                        "native fmax MHz",
                                        "native dynamic mW",
                                        NULL};
  struct technology_corner from;
  if (p->technology == NULL)
    return;
  fputs("<h2>In other processes <span class=\"mark scaled\">scaled</span></h2>\n", p->out);
  if (!process_of(p->r->library.name, &from)) {
    fputs("<p>The process of this library is not known.</p>\n", p->out);
    return;
  }
  fprintf(p->out,
          "<p class=\"note\">From %g nm by published equations, memories by published figures of "
          "a bit; power at the same clock. Nothing published scales leakage.</p>\n",
          from.nm);
  html_table(p, columns);
  for (size_t i = 0; i < p->r->nunits; i++)
    for (unsigned t = 0; t < p->technology->targets; t++)
      row(p, order[i], from, p->technology->target_nm[t]);
  html_table_end(p);
}
