/* One verilated model behind rtl.h.  Compiled once a model, with MODEL its class and
 *
 *   UNIT       its ports table, of which it has one row
 *   MEMBERS    a cluster of so many: besides its own row it has one of each member, of table ROWS
 *   COMPOSED   it is made of other units
 *   KIND       the unit's own C++ (kind.h)
 *   TRACED     it has traces; of a cluster also registers that can be scrambled
 *   NETLIST    it is a netlist, which has no names of state
 *   COVERED    it counts what is covered
 *   NETS_FILE  what to count in a netlist (netlist_probe.h)
 */
#include "harness/shim/coverage.h"
#include "harness/shim/model.h"
#include "harness/shim/mutant.h"
#include "harness/shim/pin_rows.h"
#include "harness/shim/rtl.h"
#include "harness/shim/runtime.h"
#include "harness/shim/scramble.h"
#include "harness/shim/tracer.h"

#include "csim/ports/pins.h"
#ifdef KIND
#include KIND
#else
#include "harness/shim/kind.h"
using kind = unit_kind<struct CAT(UNIT, _in), struct CAT(UNIT, _out), struct CAT(UNIT, _view)>;
#endif

#define ROOT CAT(MODEL, ___024root)
#ifdef NETS_FILE
#include "harness/shim/netlist_probe.h"
#endif

namespace {

/* Payloads without their valid: registered inputs are not looked at then, and plain models are
 * spared them; units by themselves and full models get them, as tests make them noise. */
#if defined COMPOSED && !defined TRACED && !defined NETLIST
constexpr bool all_payloads = false;
#else
constexpr bool all_payloads = true;
#endif

#ifdef MEMBERS
#ifdef TRACED
/* Nothing may rely on what a front end holds whose power has fallen. */
void scramble_member(unsigned n, std::mt19937_64 &noise) {
  const std::string top = "TOP." QUOTE(UNIT) ".", number = std::to_string(n);
  const std::string member = top + "g_member[" + number + "].u_member.";
  /* Verilator 5.006 spells the index of a nested scope either way. */
  const std::string spelled = top + "g_member__BRA__" + number + "__KET__.u_member.";
  for (const std::string &instance : kind::switched(n))
    if (!scramble(member + instance, noise) && !scramble(spelled + instance, noise))
      std::abort(); /* rtl/scramble.vlt names no register of it */
}
#endif
#endif

/* ---- the model ---- */

struct model final : rtl_model {
  static const struct rtl_functions own;
  assertion_log log{stops};
  bool asserts = true;
  seeded_model<MODEL> top;
  coverage counts{top.context};
  tracer trace;
  uint64_t time_ps = 0, period_ps = 1;
  unsigned fault = mutant_of(*top.m, 0); /* which a reset leaves on */
#ifdef MEMBERS
  uint64_t on = 0; /* front ends that were, after the last edge */
  std::mt19937_64 noise;
#endif
#ifdef NETS_FILE
  probe nets;
  model(uint64_t seed, uint64_t from, uint64_t to)
      : rtl_model{&own, 0}, top(seed), nets((reset(), top.m->rootp), from, to) {}
#elif defined MEMBERS
  explicit model(uint64_t seed) : rtl_model{&own, 0}, top(seed), noise(seed) {
    reset();
    counts.start([this] { reset(); });
  }
#else
  explicit model(uint64_t seed) : rtl_model{&own, 0}, top(seed) {
    reset();
    counts.start([this] { reset(); });
  }
#endif
  ~model() {
    trace_close();
    assertion_log_use(&log); /* of `final` blocks */
  }
  model(const model &) = delete;
  model &operator=(const model &) = delete;

  void reset() {
    const kind::in zero = {};
    assertion_log_use(&log);
    top.context.assertOn(false);
    set_bug(*top.m, fault, 0);
    kind::apply(*top.m, zero, true);
    rtl_guard([this] {
      hold_reset(*top.m);
      log.deaf = true;
      pulse_reset(*top.m);
    });
    log.deaf = false;
    kind::clear(*top.m->rootp);
    power();
    top.context.assertOn(asserts);
  }

  void assert_on(bool on) {
    asserts = on;
    top.context.assertOn(on);
  }

  int bug(unsigned n) {
    const int status = set_bug(*top.m, n, 0);
    if (status == 0)
      fault = n;
    return status;
  }

  void out(void *to) { kind::read(*top.m, *static_cast<kind::out *>(to)); }

  void eval(const void *in, void *to) {
    assertion_log_use(&log);
    kind::apply(*top.m, *static_cast<const kind::in *>(in), true);
    rtl_guard([this] { top.m->eval(); });
    mutant_look(*top.m, 0);
    out(to);
  }

  void step(const void *in) {
    assertion_log_use(&log);
    kind::apply(*top.m, *static_cast<const kind::in *>(in), all_payloads);
    mutant_begin_step(*top.m, 0);
    rtl_guard([this] {
      step_clocks(
          *top.m, [this]([[maybe_unused]] int quarters) { sample(quarters); }, 0);
    });
    power();
#ifdef NETS_FILE
#ifdef MEMBERS
    nets.sample_power(top.m->power_o);
#endif
    nets.end_cycle();
#endif
  }

  /* After each evaluation of a step, so many quarters of a cycle behind the core clock's edge. */
  void sample([[maybe_unused]] int quarters) {
    if (trace)
      trace.dump(time_ps + static_cast<uint64_t>(quarters * static_cast<int64_t>(period_ps) / 4));
#ifdef NETS_FILE
    nets.sample();
#endif
  }

  /* A front end that has lost its power. */
  void power() {
#if defined MEMBERS && !defined NETLIST
    const uint64_t now = kind::on(*top.m->rootp);
    [[maybe_unused]] const uint64_t fallen = on & ~now;
    on = now;
#ifdef TRACED
    if (fallen != 0) {
      Verilated::threadContextp(&top.context);
      for (unsigned i = 0; i < MEMBERS; i++)
        if (fallen >> i & 1)
          scramble_member(i, noise);
    }
#endif
#endif
  }

  void view([[maybe_unused]] unsigned sm, void *to) {
    [[maybe_unused]] const ROOT &root = *top.m->rootp;
    auto &s = *static_cast<kind::state *>(to);
#ifdef NETLIST
    s = {};
#elif defined MEMBERS
    kind::view(root, sm, (on >> sm & 1) != 0, s);
#else
    kind::view(root, sm, true, s);
#endif
  }

  int trace_open(const char *path) { return trace.open(top.context, *top.m, path); }
  void trace_time(uint64_t at, uint64_t period) {
    time_ps = at;
    period_ps = period;
  }
  bool trace_close() { return trace.close(); }
};

model &of(struct rtl_model *m) { return *static_cast<model *>(m); }

const struct rtl_functions model::own = {
    [](struct rtl_model *m) { delete &of(m); },
    [](struct rtl_model *m) { of(m).reset(); },
    [](struct rtl_model *m, void *out) { of(m).out(out); },
    [](struct rtl_model *m, const void *in, void *out) { of(m).eval(in, out); },
    [](struct rtl_model *m, const void *in) { of(m).step(in); },
    [](struct rtl_model *m, unsigned sm, void *view) { of(m).view(sm, view); },
    [](struct rtl_model *m, unsigned n) { return of(m).bug(n); },
    [](struct rtl_model *m, const char *path) { return of(m).trace_open(path); },
    [](struct rtl_model *m, uint64_t time, uint64_t period) { of(m).trace_time(time, period); },
    [](struct rtl_model *m) { return of(m).trace_close(); },
    [](const struct rtl_model *m, const char **first) {
      return static_cast<const model *>(m)->log.failed(first);
    },
    [](struct rtl_model *m, bool on) { of(m).assert_on(on); }};

} // namespace

#ifdef NETS_FILE
struct rtl_model *netlist_open(uint64_t seed, uint64_t from, uint64_t to) {
  return new model(seed, from, to);
}

void netlist_count(const struct rtl_model *m, struct netlist_counts *counts) {
  static_cast<const model *>(m)->nets.counts(counts);
}
#else
extern "C" {
extern const struct rtl_type RTL_TYPE;
const struct rtl_type RTL_TYPE = {QUOTE(UNIT),
                                  [](uint64_t seed) -> struct rtl_model *{return new model(seed);
}
, mutant_choose, mutant_age, nullptr
}
;
}
#endif
