/* Results for people. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "harness/cli/cli.h"
#include "harness/gpu/config.h"

const char *const cli_stall_names[CLI_STALLS] = {
    "issued",  "idle",     "structural",    "scoreboard", "control", "barrier", "fetch",
    "verdict", "noc_slot", "member_credit", "monitor",    "hold",    "park",    "gated"};
const char *const cli_wall_names[TANDEM_WALLS] = {"rtl", "ref",     "backend", "memory",
                                                  "iss", "compare", "other"};

static double share(double part, double whole) { return whole != 0 ? 100 * part / whole : 0; }

void cli_summary(FILE *out, const struct cli_result *r) {
  struct tandem_stats s;
  tandem_statistics(r->t, &s);
  const double cycles = (double)s.cycles, instructions = (double)s.sm.warp_instructions;
  fprintf(out, "%s: %u SMs, engine %s, %" PRIu64 " launch%s\n", r->status, r->config->sms,
          gpu_word(r->config, "run", "engine"), s.launches, s.launches == 1 ? "" : "es");
  fprintf(out,
          "  %" PRIu64 " cycles, %" PRIu64 " warp instructions, %.2f a cycle, occupancy %.0f %%\n",
          s.cycles, s.sm.warp_instructions, cycles > 0 ? instructions / cycles : 0,
          share((double)s.sm.warp_cycles, r->config->sm.warps * (double)s.sm.active_cycles));
  if (r->config->engine == TANDEM_ENGINE_LOCKSTEP)
    fprintf(out, "  %" PRIu64 " values compared, %" PRIu64 " mismatch%s\n", s.compared,
            s.mismatches, s.mismatches == 1 ? "" : "es");
  if (r->config->iss)
    fprintf(out, "  %" PRIu64 " instructions checked by the ISS\n", s.iss_checked);
  fprintf(out, "  %.2f s: %.1f simulated kHz, %.0f thousand warp instructions/s\n", s.wall_s, s.khz,
          s.wall_s > 0 ? instructions / s.wall_s / 1000 : 0);
}

static void rate(FILE *out, const char *name, uint64_t hits, uint64_t misses) {
  fprintf(out, "  %-22s %12" PRIu64 " of %" PRIu64 " (%.1f %%)\n", name, hits, hits + misses,
          share((double)hits, (double)(hits + misses)));
}

uint64_t cli_downlink_bits(const struct tandem_buddy *b) {
  return 64 * (b->inst_packets + b->mask_packets + b->park_packets);
}
uint64_t cli_uplink_bits(const struct tandem_buddy *b) {
  return 16 * (b->ack_packets + b->credit_packets + b->ctrl_packets);
}

static void line(FILE *out, const char *name, uint64_t v) {
  fprintf(out, "  %-22s %12" PRIu64 "\n", name, v);
}

static void memory(FILE *out, const struct mem_stats *m) {
  fprintf(out, "memory\n");
  line(out, "global loads", m->global_loads);
  line(out, "global stores", m->global_stores);
  line(out, "atomics", m->atomics);
  line(out, "local accesses", m->local_accesses);
  line(out, "shared accesses", m->shared_accesses);
  line(out, "constant accesses", m->const_accesses);
  line(out, "transactions", m->transactions);
  line(out, "shared conflict cycles", m->shared_conflict_cycles);
  rate(out, "L1D hits", m->l1d_hits, m->l1d_misses);
  rate(out, "constant cache hits", m->const_hits, m->const_misses);
  rate(out, "L2 hits", m->l2_hits, m->l2_misses);
  line(out, "L1D reservation fails", m->l1d_reserved_fails);
  line(out, "icache fills", m->icache_fills);
  fprintf(out, "  %-22s %12.1f cycles on average, %" PRIu64 " at most\n", "load latency",
          m->load_latency_count != 0 ? (double)m->load_latency_sum / (double)m->load_latency_count
                                     : 0,
          m->load_latency_max);
  line(out, "DRAM reads", m->dram_reads);
  line(out, "DRAM writes", m->dram_writes);
  const uint64_t accesses = m->dram_reads + m->dram_writes;
  rate(out, "DRAM row hits", m->dram_row_hits,
       accesses > m->dram_row_hits ? accesses - m->dram_row_hits : 0);
  fprintf(out, "  %-22s %12.1f %% of its cycles\n", "DRAM data bus busy",
          share((double)m->dram_busy, (double)m->dram_cycles));
  line(out, "crossbar flits", m->xbar_flits);
}

static const char *direction_text(unsigned set) {
  static const char *const names[] = {"none", "taken", "not taken", "both"};
  return names[set & 3];
}

static void ungroup(FILE *out, const struct tandem_ungroup *u) {
  fprintf(out, "    cycle %" PRIu64 ", master SM %u: ", u->cycle, u->lead);
  if (u->split)
    fprintf(out, "too few CTAs were left\n");
  else if (u->directions != u->master_directions)
    fprintf(out, "SM %u warp %u at PC %u goes %s, the master %s\n", u->sm, u->warp, u->pc,
            direction_text(u->directions), direction_text(u->master_directions));
  else
    fprintf(out, "SM %u warp %u at PC %u goes elsewhere than the master\n", u->sm, u->warp, u->pc);
}

static void buddy(FILE *out, const struct cli_result *r, const struct tandem_buddy *b) {
  struct tandem_ungroup rows[CLI_UNGROUPS];
  const size_t n = tandem_ungroups(r->t, rows, CLI_UNGROUPS);
  fprintf(out, "shared front ends\n");
  fprintf(out, "  %-22s %12.1f %%\n", "buddy time",
          share((double)b->grouped_cycles, (double)b->resident_cycles));
  line(out, "gated SM-cycles", b->gated_cycles);
  line(out, "ungrouped by a slave", b->ungroups);
  line(out, "split by CTA dispatch", b->splits);
  for (size_t i = 0; i < n && i < CLI_UNGROUPS; i++)
    ungroup(out, &rows[i]);
  line(out, "regrouped, new kernel", b->regroups_kernel);
  line(out, "regrouped halfway", b->regroups_halfway);
  line(out, "InstPackets", b->inst_packets);
  line(out, "Mask packets", b->mask_packets);
  line(out, "Park and roll packets", b->park_packets);
  line(out, "ACKs", b->ack_packets);
  line(out, "credits", b->credit_packets);
  line(out, "CtrlPackets", b->ctrl_packets);
  line(out, "downlink bits", cli_downlink_bits(b));
  line(out, "uplink bits", cli_uplink_bits(b));
  line(out, "downlink hops", b->downlink_hops);
  line(out, "uplink hops", b->uplink_hops);
  fprintf(out, "  %-22s %12.1f %% of the bits\n", "MemPackets",
          share((double)(16 * (b->ack_packets + b->credit_packets)),
                (double)(cli_downlink_bits(b) + cli_uplink_bits(b))));
}

void cli_stats(FILE *out, const struct cli_result *r) {
  struct tandem_stats s;
  tandem_statistics(r->t, &s);
  double slots = 0;
  for (unsigned i = 0; i < CLI_STALLS; i++)
    slots += (double)s.sm.stalls[i];
  fprintf(out, "scheduler slots by what they did\n");
  for (unsigned i = 0; i < CLI_STALLS; i++)
    if (cli_stall_names[i] != NULL && (i < 7 || r->config->buddy > 1))
      fprintf(out, "  %-22s %12" PRIu64 " (%.1f %%)\n", cli_stall_names[i], s.sm.stalls[i],
              share((double)s.sm.stalls[i], slots));
  fprintf(out, "warp instructions by unit\n");
#define ISA_UNIT(id, n, name)                                                                      \
  if (s.sm.by_unit[n] != 0)                                                                        \
    fprintf(out, "  %-22s %12" PRIu64 "\n", #id, s.sm.by_unit[n]);
#include "csim/isa/core/isa.def"
  fprintf(out, "SMs\n");
  line(out, "thread instructions", s.sm.thread_instructions);
  line(out, "CTAs", s.sm.ctas);
  line(out, "branches", s.sm.branches);
  line(out, "divergent branches", s.sm.divergent_branches);
  line(out, "barriers", s.sm.barriers);
  line(out, "bank conflict cycles", s.sm.bank_conflicts);
  line(out, "collector full, SP", s.sm.collector_full[0]);
  line(out, "collector full, SFU", s.sm.collector_full[1]);
  line(out, "collector full, MEM", s.sm.collector_full[2]);
  memory(out, &s.mem);
  if (r->config->buddy > 1)
    buddy(out, r, &s.buddy);
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

void cli_progress_end(void) {
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
}
