/* The papers' figures on the cost of the added logic, beside Tandem's. */
#include "synth/report/papers.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "synth/report/estimates.h"

enum { INSTRUCTION_BITS = 64, UPLINK_BITS = 16, WARPS = 48, MONITOR_BITS = 4, SMS = 16 };

/* The wires of the article's links against those of the network between SMs and L2. */
static double wire_share(const struct technology *t, unsigned cluster, unsigned down, unsigned up,
                         bool all_leaders) {
  struct technology_wiring wiring;
  technology_wiring(
      t,
      &(struct technology_links){
          .cluster = cluster, .sms = SMS, .down = down, .up = up, .all_leaders = all_leaders},
      &wiring);
  return 100 * wiring.share_crossbar;
}

void papers_compare(const struct technology *t, const struct papers_measured *m,
                    struct papers_row rows[PAPERS_ROWS]) {
  const double by_bits = 100 * m->added_bits / m->scoreboard_bits;
  const double by_power = 100 * (m->leader_scoreboard_power / m->scoreboard_power - 1);
  const double monitors[2] = {WARPS * MONITOR_BITS * SMS / 2.0, WARPS * MONITOR_BITS * SMS / 4.0};
  const bool links = m->down != 0, moved = isfinite(m->flit_changes);
  const struct papers_row table[PAPERS_ROWS] = {
      {"buddy", "monitor bits added, clusters of 2", "bits", "Buddy SM article, 5.1.2", 1536,
       monitors[0], m->monitor_bits[0], "48 warps x 4 bits x 8 leaders", "elaborated RTL"},
      {"buddy", "monitor bits added, clusters of 4", "bits", "Buddy SM article, 5.1.2", 768,
       monitors[1], m->monitor_bits[1], "48 warps x 4 bits x 4 leaders",
       "elaborated RTL, first member leads"},
      {"buddy", "monitor bits, clusters of 4 that can split", "bits", "Buddy SM article, 5.1.2",
       NAN, monitors[0], m->monitor_bits_built, "48 warps x 4 bits x 8 leaders",
       "elaborated RTL as built"},
      {"buddy", "power added to a leader's scoreboard", "%", "Buddy SM article, 5.1.2", NAN,
       by_bits, by_power, "added bits over original bits",
       m->power_measured ? "scoreboard and monitor, measured activity"
                         : "scoreboard and monitor, assumed activity"},
      {"buddy", "cluster NoC over SM-L2 network, 4", "% of area", "Buddy SM article, 4.7", 2.3,
       wire_share(t, 4, INSTRUCTION_BITS, UPLINK_BITS, false),
       links ? wire_share(t, 4, m->down + SYNTH_SIDE_DOWN, m->up + SYNTH_SIDE_UP, true) : NAN,
       "number, width and length of links",
       "wires of the RTL's links and side-band, of all leaders"},
      {"buddy", "cluster NoC over SM-L2 network, 2", "% of area", "Buddy SM article, 4.7", NAN,
       wire_share(t, 2, INSTRUCTION_BITS, UPLINK_BITS, false),
       links ? wire_share(t, 2, m->down + SYNTH_SIDE_DOWN, m->up + SYNTH_SIDE_UP, true) : NAN,
       "number, width and length of links", "wires of the RTL's links and side-band"},
      {"buddy", "moving an instruction one hop", "pJ", "Buddy SM article, 4.7", 16,
       technology_move_pj(t, INSTRUCTION_BITS, 1, false),
       moved   ? technology_move_pj(t, m->flit_changes, 1, false)
       : links ? technology_move_pj(t, m->down, 1, false)
               : NAN,
       "all bits, low swing",
       moved ? "measured: wires of the RTL's link that change, low swing"
             : "all wires of the RTL's link, low swing"},
      {"buddy", "reading it from the instruction cache", "pJ", "Buddy SM article, 4.7", 32,
       INSTRUCTION_BITS * t->memory.read_bit_pj, m->icache_pj, "a macro of 4 KB",
       "the RTL's data array"}};
  for (unsigned i = 0; i < PAPERS_ROWS; i++)
    rows[i] = table[i];
}
