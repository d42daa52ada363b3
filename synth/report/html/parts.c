/* Parts of features, on the HTML page. */
#include <stdio.h>
#include <string.h>

#include "synth/report/html/html.h"

void html_parts(const struct html_page *p) {
  static const char *const columns[] = {"part",       " unit",       "in the GPU",   "gates",
                                        "flip-flops", "memory bits", "memories µm²", "leakage mW",
                                        "fmax MHz",   NULL};
  if (p->r->nparts == 0)
    return;
  fputs("<h2 id=\"parts\">Parts of features</h2>\n<p class=\"note\">Each part once, and how often "
        "the GPU has it. Leakage: at 45 nm, from that of a published front end.</p>\n",
        p->out);
  html_table(p, columns);
  for (size_t i = 0; i < p->r->nparts; i++) {
    const struct synth_of_part *x = &p->r->parts[i];
    html_write(p->out, "<tr><td>%s: %s</td>", x->feature, x->part + strspn(x->part, " "));
    html_words(p, p->r->units[x->unit].name);
    html_cells(p, "0000031", x->count, synth_gates(p->r, synth_area(&x->size)),
               (double)x->size.sequential_cells, (double)x->size.memory_bits, x->size.memory_area,
               1e3 * x->leakage_w, x->fmax_mhz);
    fputs("</tr>\n", p->out);
  }
  html_table_end(p);
}
