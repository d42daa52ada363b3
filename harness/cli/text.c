/* Results for people. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "csim/iss/iss.h"
#include "harness/cli/cli.h"
#include "harness/gpu/config.h"
#include "harness/gpu/core/check.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/results/figures.h"
#include "harness/gpu/results/kernels.h"

const char *const cli_wall_names[TANDEM_WALLS] = {"rtl", "ref",     "backend", "memory",
                                                  "iss", "compare", "other"};

static double share(double part, double whole) { return whole != 0 ? 100 * part / whole : 0; }

/* Prints the lines that features add to the summary. */
static void summaries(FILE *out, const struct cli_result *r) {
  const unsigned of = figures_features(r->config);
  for (size_t i = 0; i < features_count; i++)
    if ((of >> i & 1) != 0 && features[i]->summary != NULL)
      features[i]->summary(r->t, out);
}

void cli_summary(FILE *out, const struct cli_result *r) {
  struct gpu_stats s;
  gpu_statistics(r->t, &s);
  const double cycles = (double)s.cycles, instructions = (double)s.sm.warp_instructions;
  fprintf(out, "%s: %u SMs, engine %s, %" PRIu64 " launch%s, GPU %s\n", r->status, r->config->sms,
          gpu_word(r->config, "run", "engine"), s.launches, s.launches == 1 ? "" : "es",
          r->config->gpu);
  fprintf(out,
          "  %" PRIu64 " cycles, %" PRIu64 " warp instructions, %.2f a cycle, occupancy %.0f %%\n",
          s.cycles, s.sm.warp_instructions, cycles > 0 ? instructions / cycles : 0,
          share((double)s.sm.warp_cycles, (double)s.warp_room));
  summaries(out, r);
  if (r->config->engine == TANDEM_ENGINE_LOCKSTEP)
    fprintf(out, "  %" PRIu64 " values compared, %" PRIu64 " mismatch%s\n", s.compared,
            s.mismatches, s.mismatches == 1 ? "" : "es");
  if (r->config->iss)
    fprintf(out, "  %" PRIu64 " instructions checked by the ISS\n", s.iss_checked);
  fprintf(out, "  %.2f s: %.1f simulated kHz, %.0f thousand warp instructions/s\n", s.wall_s, s.khz,
          s.wall_s > 0 ? instructions / s.wall_s / 1000 : 0);
}

/* "thread 5", one of those of a race. */
static const char *racer(const struct iss_race *race, unsigned i, char text[32]) {
  snprintf(text, 32, race->thread[i] == ISS_RACE_SEVERAL ? "several threads" : "thread %u",
           race->thread[i] - 1);
  return text;
}

void cli_races(FILE *out, const struct tandem *t) {
  struct iss_race race[CLI_RACES];
  char first[32], second[32];
  const size_t n = gpu_races(t, race, CLI_RACES);
  if (n == 0)
    fprintf(out, "  no races\n");
  for (size_t i = 0; i < n && i < CLI_RACES; i++)
    fprintf(out,
            "  race on %s memory: PC %u writes, PC %u accesses, %" PRIu64
            " times; first at address 0x%08x by %s and %s of the %s\n",
            race[i].shared ? "shared" : "global", race[i].pc[0], race[i].pc[1], race[i].count,
            race[i].address, racer(&race[i], 0, first), racer(&race[i], 1, second),
            race[i].shared ? "CTA" : "grid");
  if (n > CLI_RACES)
    fprintf(out, "  %zu more pairs of PCs\n", n - CLI_RACES);
}

static void figure(FILE *out, const struct figure *f) {
  const double percent = 100 * figure_quotient(f);
  fprintf(out, "  %-22s ", f->title);
  switch (f->kind) {
  case FIGURE_COUNT:
  case FIGURE_MOST:
    fprintf(out, "%12" PRIu64 "\n", f->value);
    break;
  case FIGURE_PART:
    fprintf(out, "%12" PRIu64 " (%.1f %%)\n", f->value, percent);
    break;
  case FIGURE_SHARE:
    fprintf(out, "%12" PRIu64 " of %" PRIu64 " (%.1f %%)\n", f->value, f->whole, percent);
    break;
  case FIGURE_MEAN:
    fprintf(out, "%12.1f\n", figure_quotient(f));
    break;
  case FIGURE_REAL:
    fprintf(out, "%12.6g %s\n", f->real, f->unit);
  }
}

/* Columns of the table of kernels: figures that features have of each launch, as shares. */
static void launch_columns(FILE *out, unsigned of, const struct gpu_kernel *k) {
  const double *sums = k != NULL ? k->launch_sums : NULL;
  unsigned at = 0;
  for (size_t i = 0; i < features_count; i++)
    for (size_t f = 0; f < features[i]->nlaunch_figures; f++, at++) {
      const char *column = features[i]->launch_figures[f].column;
      if ((of >> i & 1) == 0 || column == NULL)
        continue;
      if (k == NULL)
        fprintf(out, "  %s", column);
      else
        fprintf(out, " %9.1f %%", share(sums[at], (double)k->stats.launches));
    }
}

/* Rows of kernels, if there are several. */
static void kernels(FILE *out, const struct cli_result *r) {
  const size_t n = gpu_kernels(r->t);
  const unsigned of = figures_features(r->config);
  if (n < 2)
    return;
  fprintf(out, "kernels\n  %-22s %10s %12s %6s", "", "launches", "cycles", "IPC");
  launch_columns(out, of, NULL);
  fputc('\n', out);
  for (size_t i = 0; i < n; i++) {
    const struct gpu_kernel *k = gpu_kernel(r->t, i);
    const struct gpu_stats *s = &k->stats;
    char name[256];
    snprintf(name, sizeof name, "%s", k->name);
    tandem_printable(name);
    fprintf(out, "  %-22s %10" PRIu64 " %12" PRIu64 " %6.2f", name, s->launches, s->cycles,
            s->cycles != 0 ? (double)s->sm.warp_instructions / (double)s->cycles : 0);
    launch_columns(out, of, k);
    fputc('\n', out);
  }
}

void cli_stats(FILE *out, const struct cli_result *r) {
  struct gpu_stats s;
  struct figure list[FIGURES];
  const unsigned of = figures_features(r->config);
  gpu_statistics(r->t, &s);
  const size_t n = figures_list(r->config, &s, of, list);
  const char *heading = list->heading; /* the summary has the figures of the run */
  for (const struct figure *f = list; f < list + n; f++) {
    if (*f->title == '\0' || (f->group == FIGURES_UNITS && f->value == 0))
      continue;
    if (f->heading != heading)
      fprintf(out, "%s\n", f->heading);
    heading = f->heading;
    figure(out, f);
  }
  for (size_t i = 0; i < features_count; i++)
    if ((of >> i & 1) != 0 && features[i]->lines != NULL)
      features[i]->lines(r->t, out);
  kernels(out, r);
  double all = 0;
  for (unsigned i = 0; i < TANDEM_WALLS; i++)
    all += s.wall[i];
  fprintf(out, "time of the host's threads\n");
  for (unsigned i = 0; i < TANDEM_WALLS; i++)
    fprintf(out, "  %-22s %12.3f s (%.1f %%)\n", cli_wall_names[i], s.wall[i],
            share(s.wall[i], all));
}

void cli_comparisons(FILE *out, const struct tandem *t) {
  struct tandem_compared rows[128];
  const size_t n = tandem_comparisons(t, rows, 128);
  fprintf(out, "comparisons with the qualifier true\n");
  for (size_t i = 0; i < n && i < 128; i++)
    fprintf(out, "  %-14s %-14s %14" PRIu64 "\n", rows[i].unit, rows[i].name, rows[i].count);
}

void cli_progress(void *user, const struct tandem_progress *p) {
  (void)user;
  fprintf(stderr,
          "\r\033[K%s: cycle %" PRIu64 ", %" PRIu64 " warp instructions, %" PRIu64 " of %" PRIu64
          " CTAs started",
          p->kernel, p->cycles, p->warp_instructions, p->ctas_done, p->ctas);
  fflush(stderr);
}

void cli_failure(void *user, const char *reason) {
  (void)user;
  cli_progress_end();
  fprintf(stderr, "tandem: %s; running again for the report\n", reason);
}

void cli_progress_end(void) {
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}
