/* Clock gates as text. */
#include "synth/report/clock_gating.h"

#include <inttypes.h>

void synth_clock_gating_words(const struct synth_report *r, char *text, size_t size) {
  if (r->gated)
    snprintf(text, size, "gates of %s", r->gate.cells);
  else if (r->gate.cells[0] != '\0')
    snprintf(text, size, "clocks are not gated (--no-clock-gating)");
  else
    snprintf(text, size,
             "warning: clocks are not gated, as the library %s has no latch with an AND of two "
             "inputs and no integrated clock gate",
             r->library.name);
}

void synth_clock_gating_text(FILE *out, const struct synth_report *r) {
  char words[400];
  synth_clock_gating_words(r, words, sizeof words);
  fprintf(out, "\n%-36s %8s %10s %8s  %s\n", "clock gates", "gates", "flip-flops", "of all", words);
  for (size_t i = 0; r->gated && i < r->nunits; i++) {
    const struct synth_size *s = &r->units[i].whole;
    if (r->units[i].top && s->sequential_cells > 0)
      fprintf(out, "%-36.36s %8" PRIu64 " %10" PRIu64 " %7.1f%%\n", r->units[i].name,
              s->clock_gates, s->gated_registers,
              100 * (double)s->gated_registers / (double)s->sequential_cells);
  }
}
