/* The mutant of netlists that have some (docs/models/mutation.md): input bug_i, output acts_o. */
#ifndef TANDEM_SHIM_MUTANT_H
#define TANDEM_SHIM_MUTANT_H

#include <cstdint>

/* One for all models of the program, whose models run on one thread. */
struct mutant {
  unsigned number;   /* that models are made with */
  const void *actor; /* the model in which it has changed a bit first; NULL: none yet */
  uint64_t age;      /* steps of that model since, this one counted */
};
extern mutant the_mutant; /* runtime.cpp */

/* After an evaluation of a model, and before the clock edges of a step. */
template <class M> auto mutant_look(M &m, int) -> decltype(m.acts_o, void()) {
  if (the_mutant.actor == nullptr && m.acts_o) {
    the_mutant.actor = &m;
    the_mutant.age = 1;
  }
}
template <class M> void mutant_look(M &, long) {}

template <class M> auto mutant_begin_step(M &m, int) -> decltype(m.acts_o, void()) {
  if (the_mutant.actor == &m)
    the_mutant.age++;
  else if (the_mutant.actor == nullptr) {
    m.eval(); /* the new inputs */
    mutant_look(m, 0);
  }
}
template <class M> void mutant_begin_step(M &, long) {}

template <class M> auto mutant_of(M &m, int) -> decltype(m.acts_o, 0U) { return the_mutant.number; }
template <class M> unsigned mutant_of(M &, long) { return 0; }

/* Functions of rtl_type (rtl.h). */
inline void mutant_choose(unsigned n) { the_mutant = {n, nullptr, 0}; }
inline uint64_t mutant_age() { return the_mutant.age; }

#endif
