/* The table of figures scaled to other processes, and that of wires. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "synth/report/estimates.h"
#include "synth/report/html/html.h"

static void row(const struct html_page *p, size_t unit, double nm) {
  const struct synth_unit *u = &p->r->units[unit];
  struct synth_scaled s;
  if (!synth_scale(p->r, unit, nm, &s))
    return;
  html_write(p->out, "<tr><td>%s <span class=\"mark scaled\">scaled</span></td>", u->name);
  html_cells(p, "00~013~30~013~3", nm, s.area, s.memory_area, s.fmax_mhz, 1e3 * s.dynamic_w,
             1e3 * s.memory_access_w, synth_area(&u->whole), u->whole.memory_area,
             u->timing.fmax_mhz, 1e3 * (u->power.internal_w + u->power.switching_w),
             1e3 * u->whole.memory_access_w);
  fputs("</tr>\n", p->out);
}

void html_scaled(const struct html_page *p, const size_t *order) {
  static const char *const columns[] = {"module",
                                        "nm",
                                        "cells µm²",
                                        "~memories µm²",
                                        "fmax MHz",
                                        "dynamic mW",
                                        "~accesses mW",
                                        "native cells µm²",
                                        "~native memories µm²",
                                        "native fmax MHz",
                                        "native dynamic mW",
                                        "~native accesses mW",
                                        NULL};
  const struct synth_report *r = p->r;
  if (!(r->process.nm > 0))
    return;
  fputs("<h2>In other processes <span class=\"mark scaled\">scaled</span></h2>\n", p->out);
  fprintf(p->out,
          "<p class=\"note\">From %g nm by published equations; power at the same clock. Nothing "
          "published scales leakage.</p>\n",
          r->process.nm);
  html_table(p, columns);
  for (size_t i = 0; i < r->nunits; i++)
    for (unsigned t = 0; t < r->technology.targets; t++)
      row(p, order[i], r->technology.target_nm[t]);
  html_table_end(p);
}

void html_wires(const struct html_page *p) {
  static const char *const columns[] = {"16 SMs in",  " variant",    "wires down",
                                        "wires up",   "mm of wires", "mm²",
                                        "% of SM-L2", "mW",          NULL};
  const struct synth_report *r = p->r;
  struct synth_wires w;
  bool any = false;
  for (size_t i = 0; i < r->nadded; i++) {
    if (!synth_wires(r, &r->added[i], &w))
      continue;
    if (!any) {
      fprintf(p->out,
              "<h2 id=\"wires\">Wires of the links</h2>\n<p class=\"note\">Not among the gates. "
              "Of 45 nm, low swing, by the figures of the Buddy SM article; power at %g MHz with "
              "each wire changing in %g of the links' cycles <span class=\"mark "
              "assumed\">assumed</span>. SM-L2: the wires of the network between SMs and L2.</p>\n",
              r->mhz, SYNTH_ACTIVITY);
      html_table(p, columns);
    }
    any = true;
    html_write(p->out, "<tr><td>clusters of %u</td><td class=\"text\">%s</td>", r->added[i].members,
               r->added[i].variant);
    html_cells(p, "000221", w.down, w.up, w.wiring.wire_mm, w.wiring.area_mm2,
               100 * w.wiring.share_crossbar, 1e3 * w.watts);
    fputs("</tr>\n", p->out);
  }
  if (any)
    html_table_end(p);
}
