/* Speed of the bare front end: the inputs of a run against a trivial environment are recorded, and
 * played back into a fresh model while the clock runs. */
#include "csim/ports/rows.h"
#include "harness/shim/rtl.h"

#include <chrono>
#include <deque>
#include <vector>

namespace {

enum { CYCLES = 6000, WARM_UP = 1000, WARPS = 48, LOOP = 64, LINE = 16, BEATS = 8 };
enum { COLLECT = 1, WRITE_BACK = 6, RESOLVE = 3, FILL = 20 }; /* cycles after what causes it */

uint64_t word(unsigned unit, unsigned op, unsigned imm, unsigned mods, unsigned low) {
  return (uint64_t)unit << 54 | (uint64_t)op << 48 | (uint64_t)imm << 32 | (uint64_t)mods << 25 |
         UINT64_C(15) << 20 | low;
}

unsigned warp_of(uint64_t inst) { return unsigned(inst >> 58); }

/* Busy: a loop of independent adds.  Stalled: a load and what needs it. */
uint64_t instruction(bool busy, unsigned pc) {
  unsigned n = pc % LOOP, d = 1 + n % 24;
  if (busy && n == LOOP - 1)
    return word(0, 1, pc - n, 0, 0xffff); /* bra to the loop's head */
  if (busy)
    return word(1, 3, 0, 0, d | ((d + 3) % 28) << 5 | ((d + 5) % 28) << 10);
  if (n == 0)
    return word(13, 0, 0, 2, 1 | 2 << 5); /* ld.global.32 r1, [r2] */
  return word(1, 3, 0, 0, 3 | 1 << 5 | 1 << 10);
}

struct event {
  unsigned when;
  uint64_t inst;
};

struct environment {
  bool busy;
  std::deque<event> collect, write_back, resolve;
  std::deque<event> fill; /* inst: the line */
  unsigned beat = 0;

  static bool due(const std::deque<event> &q, unsigned now) {
    return !q.empty() && q.front().when <= now;
  }

  void issued(unsigned now, uint64_t inst) {
    unsigned unit = inst >> 54 & 15;
    collect.push_back({now + COLLECT, inst});
    if (unit == 1)
      write_back.push_back({now + WRITE_BACK, inst});
    if (unit == 0)
      resolve.push_back({now + RESOLVE, inst});
  }

  struct sm_frontend_in inputs(unsigned now, const struct sm_frontend_out &o) {
    struct sm_frontend_in in = {};
    if (o.iss0_valid)
      issued(now, o.iss0_inst);
    if (o.iss1_valid)
      issued(now, o.iss1_inst);
    if (o.imiss_valid)
      fill.push_back({now + FILL, o.imiss_line});
    in.kernel_start = now == 0;
    if (now >= 1 && now <= WARPS) {
      in.launch_valid = 1;
      in.launch_warp = now - 1;
      in.launch_cta = (now - 1) / 6;
      in.launch_last = now % 6 == 0;
      in.launch_mask = 0xffffffff;
    }
    for (int i = 0; i < 2 && due(collect, now); i++) {
      uint64_t inst = collect.front().inst;
      collect.pop_front();
      if ((inst >> 54 & 15) == 13) {
        rows_put_collected(&in, ROW_MEM, warp_of(inst));
        in.mem_credit = 1;
        break;
      }
      rows_put_collected(&in, i ? ROW_SP1 : ROW_SP0, warp_of(inst));
      in.sp_credit++;
    }
    for (int i = 0; i < 2 && due(write_back, now); i++) {
      uint64_t inst = write_back.front().inst;
      write_back.pop_front();
      rows_put_write(&in, i ? ROW_SP1 : ROW_SP0, {warp_of(inst), unsigned(inst & 31), 1, false});
    }
    if (due(resolve, now)) {
      in.resolve_valid = 1;
      in.resolve_warp = warp_of(resolve.front().inst);
      in.resolve_taken = 0xffffffff;
      resolve.pop_front();
    }
    if (due(fill, now)) {
      in.fill_valid = 1;
      in.fill_line = fill.front().inst;
      in.fill_beat = beat;
      in.fill_data0 = instruction(busy, unsigned(in.fill_line) * LINE + 2 * beat);
      in.fill_data1 = instruction(busy, unsigned(in.fill_line) * LINE + 2 * beat + 1);
      if (++beat == BEATS) {
        beat = 0;
        fill.pop_front();
      }
    }
    return in;
  }
};

} // namespace

double rtl_bench(bool full, bool busy, double *ipc) {
  const struct rtl_build *build = rtl_find("sm_frontend", "WarpSize=32");
  std::vector<struct sm_frontend_in> script(CYCLES);
  environment env{busy, {}, {}, {}, {}};
  struct rtl_model *f = rtl_create(build, full, 1);
  unsigned issued = 0;
  for (unsigned t = 0; t < CYCLES; t++) {
    struct sm_frontend_out o;
    rtl_out(f, &o);
    if (t >= WARM_UP)
      issued += unsigned(o.iss0_valid + o.iss1_valid);
    script[t] = env.inputs(t, o);
    rtl_step(f, &script[t]);
  }
  rtl_destroy(f);
  if (ipc)
    *ipc = double(issued) / (CYCLES - WARM_UP);

  double best = 0;
  for (int repeat = 0; repeat < 10; repeat++) {
    f = rtl_create(build, full, 1);
    for (unsigned t = 0; t < WARM_UP; t++)
      rtl_step(f, &script[t]);
    auto start = std::chrono::steady_clock::now();
    for (unsigned t = WARM_UP; t < CYCLES; t++)
      rtl_step(f, &script[t]);
    std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    rtl_destroy(f);
    double ns = spent.count() / (CYCLES - WARM_UP);
    if (repeat == 0 || ns < best)
      best = ns;
  }
  return best;
}
