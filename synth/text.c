/* The report for people. */
#include <inttypes.h>
#include <math.h>

#include "synth/local.h"

static double milliwatts(double w) { return 1000 * w; }

static void unit(FILE *out, const struct synth_report *r, const struct synth_unit *u) {
  const struct synth_power *p = &u->power;
  fprintf(out,
          "%-36.36s %8" PRIu64 " %10.0f %10.0f %9.0f %9" PRIu64 " %5u %9.2f %8.1f %9.4f %9.3f\n",
          u->name, u->whole.cells, u->whole.sequential, u->whole.combinational,
          synth_gates(r, synth_area(&u->whole)), u->whole.memory_bits, u->timing.depth,
          u->timing.slack_ns, u->timing.fmax_mhz, milliwatts(p->leakage_w),
          milliwatts(p->internal_w + p->switching_w));
}

static void units(FILE *out, const struct synth_report *r) {
  fprintf(out, "%-36s %8s %10s %10s %9s %9s %5s %9s %8s %9s %9s\n", "unit, with all below it",
          "cells", "seq. um2", "comb. um2", "gates", "mem. bits", "depth", "slack ns", "Fmax MHz",
          "leak. mW", "dyn. mW");
  for (size_t i = 0; i < r->nunits; i++)
    unit(out, r, &r->units[i]);
}

static void memories(FILE *out, const struct synth_report *r) {
  bool any = false;
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    for (size_t k = 0; k < u->nmemories && !u->flat; k++) {
      const struct synth_memory *m = &u->memories[k];
      if (!any)
        fprintf(out, "\nmemories (not among the areas)\n");
      any = true;
      fprintf(out, "  %-34.34s %2" PRIu64 " of %4u x %3u bits, %u read and %u write ports\n",
              u->name, m->count, m->words, m->width, m->reads, m->writes);
    }
  }
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
  fprintf(out, "\nadded to the baseline's front ends\n%-26s %12s %8s %8s %10s %10s %12s %8s\n", "",
          "um2/cluster", "gates/SM", "area %", "mem. bits", "bits %", "um2/16 SMs", "power %");
  for (size_t i = 0; i < r->nadded; i++) {
    const struct synth_added *a = &r->added[i];
    fprintf(out, "%-6.6s %u, %-16.16s %12.0f %8.0f %8.2f %10" PRId64 " %10.2f %12.0f %8.2f\n",
            a->feature, a->members, a->variant, a->area, synth_gates(r, a->area) / a->members,
            a->percent, a->memory_bits, a->memory_percent, a->area * 16 / a->members,
            a->power_percent);
  }
}

void synth_text(FILE *out, const struct synth_report *r) {
  fprintf(out, "%s, NAND2 %s of %.4g um2, clock %.6g MHz; %s, OpenSTA %s\n", r->library.name,
          r->library.nand2_name, r->library.nand2, r->mhz, r->yosys, r->sta);
  fprintf(out,
          "dynamic power with assumed activity: every net changes in a tenth of the cycles\n\n");
  units(out, r);
  memories(out, r);
  paths(out, r);
  added(out, r);
  synth_measured_text(out, r);
}
