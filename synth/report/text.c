/* The report for people. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "synth/report/clock_gating.h"
#include "synth/report/estimates.h"
#include "synth/report/report.h"

static double milliwatts(double w) { return 1000 * w; }

/* A blank and the figure; a dash for what is not known. */
static void column(FILE *out, double value, int width, int decimals) {
  if (isfinite(value))
    fprintf(out, " %*.*f", width, decimals, value);
  else
    fprintf(out, " %*s", width, "-");
}

static void unit(FILE *out, const struct synth_report *r, const struct synth_unit *u) {
  const struct synth_power *p = &u->power;
  fprintf(out, "%-36.36s %8" PRIu64 " %10.0f %10.0f %9.0f %9" PRIu64, u->name, u->whole.cells,
          u->whole.sequential, u->whole.combinational, synth_gates(r, synth_area(&u->whole)),
          u->whole.memory_bits);
  column(out, isnan(u->timing.fmax_mhz) ? (double)NAN : (double)u->timing.depth, 5, 0);
  column(out, u->timing.slack_ns, 9, 2);
  column(out, u->timing.fmax_mhz, 8, 1);
  fprintf(out, " %9.4f %9.3f\n", 1e6 * p->leakage_w, milliwatts(p->internal_w + p->switching_w));
}

static void units(FILE *out, const struct synth_report *r) {
  fprintf(out, "%-36s %8s %10s %10s %9s %9s %5s %9s %8s %9s %9s\n", "unit, with all below it",
          "cells", "seq. um2", "comb. um2", "gates", "mem. bits", "depth", "slack ns", "Fmax MHz",
          "leak. uW", "dyn. mW");
  for (size_t i = 0; i < r->nunits; i++)
    unit(out, r, &r->units[i]);
}

static void source(FILE *out, const struct synth_memory *m) {
  static const char *const names[] = {[SYNTH_IDEAL] = "ideal", [SYNTH_GIVEN] = "given"};
  if (m->source == SYNTH_MAPPED)
    fprintf(out, "%u %s\n", m->macros, m->cell);
  else
    fprintf(out, "%s\n", m->source == SYNTH_ESTIMATED ? "" : names[m->source]);
}

static void shapes(FILE *out, const struct synth_report *r) {
  fprintf(out, "\n%-36s %5s %11s %5s %6s %10s %9s %9s\n", "memories of a unit alone", "count",
          "words x bits", "reads", "writes", "um2", "ns", "pJ/access");
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    for (size_t k = 0; k < u->nmemories && !u->flat; k++) {
      const struct synth_memory *m = &u->memories[k];
      fprintf(out, "%-36.36s %5" PRIu64 " %6u x %3u %5u %6u %10.0f %9.2f %9.2f ", u->name, m->count,
              m->words, m->width, m->reads, m->writes, m->macro.area_um2, m->macro.access_ns,
              m->macro.access_pj);
      source(out, m);
    }
  }
}

/* Areas and power of memories, of whole units and of these alone. */
static void memories(FILE *out, const struct synth_report *r) {
  uint64_t all = 0, ideal = 0;
  for (size_t i = 0; i < r->nunits; i++) {
    all += r->units[i].own.memories;
    ideal += r->units[i].own.ideal_memories;
  }
  if (all == 0)
    return;
  fprintf(out, "\n%-36s %9s %11s %11s %10s %10s %10s %10s\n", "memories (not among the above)",
          "mem. bits", "um2", "own um2", "access mW", "own mW", "leak. mW", "own mW");
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    const struct synth_size *w = &u->whole, *o = &u->own;
    if (w->memories != 0)
      fprintf(out, "%-36.36s %9" PRIu64 " %11.0f %11.0f %10.3f %10.3f %10.3f %10.3f%s\n", u->name,
              w->memory_bits, w->memory_area, o->memory_area, milliwatts(w->memory_access_w),
              milliwatts(o->memory_access_w), milliwatts(w->memory_leakage_w),
              milliwatts(o->memory_leakage_w),
              w->ideal_memories != 0 ? "  without those that are ideal" : "");
  }
  fprintf(out, "accesses: each port in a tenth of the cycles (assumed); leakage: that of 45 nm\n");
  if (r->macros[0] != '\0')
    fprintf(out, "given: the memory is in %s\n", r->macros);
  if (ideal != 0)
    fprintf(out,
            "ideal: nothing is known of it, as the process of %s is not known "
            "(libraries of synth/data/technology.yaml)\n",
            r->library.name);
  shapes(out, r);
}

/* Flat units beside what they are made of. */
static void flat(FILE *out, const struct synth_report *r) {
  bool any = false;
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *f = &r->units[i];
    const size_t base = f->flat ? synth_find(r, &f->spec, false) : SIZE_MAX;
    if (base == SIZE_MAX)
      continue;
    const struct synth_unit *h = &r->units[base];
    if (!any)
      fprintf(out,
              "\n%-36s %21s %23s %7s %17s %19s\n%-36s %10s %10s %11s %11s %7s %8s %8s %9s %9s\n",
              "hierarchical and flat", "cells", "um2", "", "Fmax MHz", "dyn. mW", "", "hier.",
              "flat", "hier.", "flat", "flat %", "hier.", "flat", "hier.", "flat");
    any = true;
    fprintf(out, "%-36.36s %10" PRIu64 " %10" PRIu64 " %11.0f %11.0f %+7.1f", h->name,
            h->whole.cells, f->whole.cells, synth_area(&h->whole), synth_area(&f->whole),
            100 * (synth_area(&f->whole) / synth_area(&h->whole) - 1));
    column(out, h->timing.fmax_mhz, 8, 1);
    column(out, f->timing.fmax_mhz, 8, 1);
    fprintf(out, " %9.3f %9.3f\n", milliwatts(h->power.internal_w + h->power.switching_w),
            milliwatts(f->power.internal_w + f->power.switching_w));
  }
}

static void scaled_row(FILE *out, const char *name, double nm, double area, double memory_area,
                       double mhz, double dynamic_w, double access_w) {
  fprintf(out, "%-36.36s %6g %11.0f %11.0f", name, nm, area, memory_area);
  column(out, mhz, 9, 1);
  fprintf(out, " %10.3f %10.3f\n", milliwatts(dynamic_w), milliwatts(access_w));
}

static void scaled(FILE *out, const struct synth_report *r) {
  struct synth_scaled s;
  bool any = false;
  for (size_t i = 0; i < r->nunits; i++)
    for (unsigned t = 0; r->units[i].top && t < r->technology.targets; t++) {
      const struct synth_unit *u = &r->units[i];
      if (!synth_scale(r, i, r->technology.target_nm[t], &s))
        continue;
      if (!any)
        fprintf(out, "\n%-36s %6s %11s %11s %9s %10s %10s\n", "scaled by published equations", "nm",
                "um2", "mem. um2", "Fmax MHz", "dyn. mW", "access mW");
      any = true;
      if (t == 0)
        scaled_row(out, u->name, r->process.nm, synth_area(&u->whole), u->whole.memory_area,
                   u->timing.fmax_mhz, u->power.internal_w + u->power.switching_w,
                   u->whole.memory_access_w);
      scaled_row(out, "  scaled", s.nm, s.area, s.memory_area, s.fmax_mhz, s.dynamic_w,
                 s.memory_access_w);
    }
  if (!any)
    fprintf(out,
            "\nnot scaled to other processes: that of %s is not known (libraries of "
            "synth/data/technology.yaml)\n",
            r->library.name);
}

static void wires(FILE *out, const struct synth_report *r) {
  struct synth_wires w;
  bool any = false;
  for (size_t i = 0; i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    if (!synth_wires(r, a, &w))
      continue;
    if (!any)
      fprintf(out, "\n%-26s %12s %10s %10s %10s %10s\n", "links' wires, 16 SMs, 45 nm", "down + up",
              "mm", "mm2", "% of SM-L2", "mW");
    any = true;
    fprintf(out, "%-6.6s %u, %-16.16s %7u + %2u %10.0f %10.3f %10.2f %10.3f\n", a->feature,
            a->members, a->variant, w.down, w.up, w.wiring.wire_mm, w.wiring.area_mm2,
            100 * w.wiring.share_crossbar, milliwatts(w.watts));
  }
}

static void figure(FILE *out, double v) {
  if (isfinite(v))
    fprintf(out, " %11.6g", v);
  else
    fprintf(out, " %11s", "-");
}

static void papers(FILE *out, const struct synth_report *r) {
  struct papers_row *rows;
  if (r->nadded == 0)
    return;
  const size_t n = synth_papers(r, &rows);
  fprintf(out, "\n%-58s %-9s %11s %11s %11s\n", "against the papers", "", "published", "recomputed",
          "ours");
  for (size_t i = 0; i < n; i++) {
    const struct papers_row *p = &rows[i];
    fprintf(out, "%-5s: %-51.51s %-9s", p->feature, p->figure, p->unit);
    figure(out, p->paper);
    figure(out, p->recomputed);
    figure(out, p->ours);
    fprintf(out, "  %s\n", isfinite(p->ours) ? p->ours_how : "");
  }
  free(rows);
}

static void paths(FILE *out, const struct synth_report *r) {
  fprintf(out, "\ncritical paths\n");
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    if (u->timing.fmax_mhz > 0)
      fprintf(out, "  %-34.34s %7.2f ns  from %s to %s\n", u->name, 1000 / u->timing.fmax_mhz,
              u->timing.start, u->timing.end);
  }
}

static void added(FILE *out, const struct synth_report *r) {
  if (r->nadded == 0)
    return;
  fprintf(out,
          "\nadded to the baseline's front ends\n%-35s %12s %8s %8s %10s %10s %10s %12s %8s %9s\n",
          "", "um2/cluster", "gates/SM", "area %", "mem. bits", "bits %", "mem. um2", "um2/GPU",
          "power %", "mm2, 45nm");
  for (size_t i = 0; i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    fprintf(out, "%-6.6s %2u, %-24.24s %12.0f %8.0f %8.2f %10" PRId64 " %10.2f %10.0f %12.0f %8.2f",
            a->feature, a->members, a->variant, a->area, synth_gates(r, a->area) / a->members,
            a->percent, a->memory_bits, a->memory_percent, a->memory_area,
            a->area * a->sms / a->members, a->power_percent);
    column(out, synth_mm2_45nm(r, a->area * a->sms / a->members), 9, 3);
    fputc('\n', out);
  }
}

/* Prints the parts of a feature, and how often the GPU has each. */
static void parts(FILE *out, const struct synth_report *r) {
  if (r->nparts == 0)
    return;
  fprintf(out, "\n%-44s %6s %10s %10s %10s %11s %10s %8s\n", "parts", "in GPU", "gates",
          "flip-flops", "mem. bits", "mem. um2", "leak. mW", "Fmax MHz");
  for (size_t i = 0; i < r->nparts; i++) {
    const struct synth_of_part *p = &r->parts[i];
    fprintf(out, "%-6.6s%-38.38s %6u %10.0f %10" PRIu64 " %10" PRIu64 " %11.0f", p->feature,
            p->part, p->count, synth_gates(r, synth_area(&p->size)), p->size.sequential_cells,
            p->size.memory_bits, p->size.memory_area);
    column(out, milliwatts(p->leakage_w), 10, 3);
    column(out, p->fmax_mhz, 8, 1);
    fputc('\n', out);
  }
  fprintf(out, "leakage: at 45 nm, from that of a published front end (docs/use/synth.md)\n");
}

void synth_text(FILE *out, const struct synth_report *r) {
  fprintf(out, "%s, NAND2 %s of %.4g um2, clock %.6g MHz; %s, OpenSTA %s\n", r->library.name,
          r->library.nand2_name, r->library.nand2, r->mhz, r->yosys, r->sta);
  fprintf(out,
          "dynamic power with assumed activity: every net changes in a tenth of the cycles\n\n");
  units(out, r);
  synth_clock_gating_text(out, r);
  flat(out, r);
  memories(out, r);
  paths(out, r);
  added(out, r);
  parts(out, r);
  wires(out, r);
  papers(out, r);
  scaled(out, r);
  synth_measured_text(out, r);
}
