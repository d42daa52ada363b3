/* One verilated unit behind rtl_units.h: compiled once a unit with UNIT (its name) and KIND (rtl or
 * netlist). */
#include "harness/shim/model.h"
#include "harness/shim/rtl_units.h"
#include "harness/shim/runtime.h"

#define FN(name) CAT(CAT(CAT(UNIT, _), CAT(KIND, _)), name)
#define MODEL_STRUCT CAT(UNIT, CAT(_, KIND))
#define IN_STRUCT CAT(UNIT, _in)
#define OUT_STRUCT CAT(UNIT, _out)
#define VIEW_STRUCT CAT(UNIT, _view)
/* clang-format off */
#define UNIT_PORTS PORTS_QUOTE(csim/ports/UNIT.def)
/* clang-format on */

struct MODEL_STRUCT : seeded_model<MODEL> {
  using seeded_model::seeded_model;
};

static void apply([[maybe_unused]] MODEL &m, [[maybe_unused]] const struct IN_STRUCT *in) {
#define PORT_IN(name, width, qualifier)                                                            \
  m.name##_i = static_cast<std::remove_reference<decltype(m.name##_i)>::type>(in->name);
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
}

struct MODEL_STRUCT *FN(create)(uint64_t seed) {
  auto *u = new MODEL_STRUCT(seed);
  FN(bug)(u, 0);
  FN(reset)(u);
  return u;
}

void FN(destroy)(struct MODEL_STRUCT *u) { delete u; }

int FN(bug)(struct MODEL_STRUCT *u, unsigned n) { return set_bug(*u->m, n, 0); }

void FN(reset)(struct MODEL_STRUCT *u) {
  const struct IN_STRUCT zero = {};
  u->context.assertOn(false);
  apply(*u->m, &zero);
  pulse_reset(*u->m);
  u->context.assertOn(true);
}

void FN(eval)(struct MODEL_STRUCT *u, const struct IN_STRUCT *in, struct OUT_STRUCT *out) {
  MODEL &m = *u->m;
  apply(m, in);
  m.eval();
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) out->name = m.name##_o;
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
}

void FN(step)(struct MODEL_STRUCT *u, const struct IN_STRUCT *in) {
  MODEL &m = *u->m;
  apply(m, in);
  step_clocks(m, 0);
}

#undef STATE
#ifdef NETLIST
/* A netlist keeps no names of state. */
#define STATE(name, width, count, signal, qualifier)
#else
#define STATE(name, width, count, signal, qualifier)                                               \
  read_state(view->name, root.CAT(UNIT, __DOT__##signal));
#endif

void FN(view)([[maybe_unused]] struct MODEL_STRUCT *u, struct VIEW_STRUCT *view) {
  *view = {};
  [[maybe_unused]] auto &root = *u->m->rootp;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
}
