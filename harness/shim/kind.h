/* How the ports and the state of a model are reached: `kind` of unit_model.cpp, or what the `kind`
 * of the unit's own header (KIND of csim/ports/units.def) begins with.  After the generated pins.h
 * of all tables. */
#ifndef TANDEM_SHIM_KIND_H
#define TANDEM_SHIM_KIND_H

#include <cstdint>

#include "harness/shim/runtime.h"

/* A unit that has one row of ports. */
template <class In, class Out, class State> struct unit_kind {
  using in = In;
  using out = Out;
  using state = State;
  template <class M> static void apply(M &m, const in &p, bool all) { apply_pins(m, p, all); }
  template <class M> static void read(const M &m, out &p) { read_pins(m, p); }
  template <class Root> static void view(const Root &root, unsigned, bool, state &s) {
    read_view(root, s);
  }
  /* Clears memories that models start with as zeros. */
  template <class Root> static void clear(Root &) {}
};

#ifdef MEMBERS
/* A cluster of MEMBERS front ends, with ports ROWS of each besides its own.  Its kind adds
 * switched(member): the instances within a member that lose their registers with its power. */
template <class In, class Out, class State> struct cluster_kind : unit_kind<In, Out, State> {
  template <class M> static void apply(M &m, const In &p, bool all) {
    apply_pins(m, p.own, true);
    CAT(ROWS, _apply_rows)<MEMBERS>(m, p.sm, all);
  }
  template <class M> static void read(const M &m, Out &p) {
    read_pins(m, p.own);
    CAT(ROWS, _read_rows)<MEMBERS>(m, p.member);
  }
  template <class Root> static uint64_t on(const Root &root) {
    return CAT(UNIT, _on)<MEMBERS>(root);
  }
  template <class Root>
  static void view(const Root &root, unsigned member, bool powered, State &s) {
    CAT(UNIT, _read_member)<MEMBERS>(root, member, powered, s);
  }
};
#endif

#endif
