/* Comparison and printing of the unit named by UNIT, made from its ports table:
 *   X_differ_out(cycle, ref, dut), X_differ_view(cycle, ref, dut)   print what differs where its
 *       qualifier holds (by the reference), return how many
 *   X_print_in(in), X_print_out(ref, dut)                 fields that are not 0
 * No include guard: included once a unit. */
#include <inttypes.h>

#include "csim/ports/units.h"
#include "tests/unit/testing.h"

#ifndef UNIT_NAME
#define DIFFER_GLUE_(a, b) a##b
#define DIFFER_GLUE(a, b) DIFFER_GLUE_(a, b)
#define UNIT_NAME(suffix) DIFFER_GLUE(UNIT, suffix)
#define UNIT_STRING PORTS_QUOTE(UNIT)
/* Spaces would become part of the path. */
/* clang-format off */
#define UNIT_PORTS PORTS_QUOTE(csim/ports/UNIT.def)
/* clang-format on */
#endif

static inline void UNIT_NAME(_print_in)(const struct UNIT_NAME(_in) * p) {
#define PORT_IN(name, width, qualifier)                                                            \
  if (qualifier)                                                                                   \
    testing_print_words(#name, &p->name, &p->name, PORT_WORDS(struct UNIT_NAME(_in), name));
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
}

static inline void UNIT_NAME(_print_out)(const struct UNIT_NAME(_out) * ref,
                                         const struct UNIT_NAME(_out) * dut) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)                                                           \
  testing_print_words(#name, &ref->name, &dut->name, PORT_WORDS(struct UNIT_NAME(_out), name));
#define STATE(name, width, count, signal, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
}

static inline unsigned UNIT_NAME(_differ_out)(uint64_t cycle, const struct UNIT_NAME(_out) * p,
                                              const struct UNIT_NAME(_out) * dut) {
  unsigned differences = 0;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)                                                           \
  if (qualifier)                                                                                   \
    differences += testing_difference_words(UNIT_STRING, cycle, "output " #name, &p->name,         \
                                            &dut->name, PORT_WORDS(struct UNIT_NAME(_out), name));
#define STATE(name, width, count, signal, qualifier)
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
  return differences;
}

/* Qualifiers of states name other states as numbers: their first elements. */
struct UNIT_NAME(_scalars) {
  uint64_t unused_;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier) uint64_t name;
#include UNIT_PORTS
#undef STATE
};

static inline unsigned UNIT_NAME(_differ_view)(uint64_t cycle, const struct UNIT_NAME(_view) * ref,
                                               const struct UNIT_NAME(_view) * dut) {
  struct UNIT_NAME(_scalars) scalars = {0}, *p = &scalars;
  unsigned differences = 0;
#define STATE(name, width, count, signal, qualifier) scalars.name = ref->name[0];
#include UNIT_PORTS
#undef STATE
#define STATE(name, width, count, signal, qualifier)                                               \
  for (unsigned i = 0; i < (count); i++)                                                           \
    if ((qualifier) && ref->name[i] != dut->name[i])                                               \
      differences +=                                                                               \
          testing_difference(UNIT_STRING, cycle, "state " #name, i, ref->name[i], dut->name[i]);
#include UNIT_PORTS
#undef PORT_IN
#undef PORT_OUT
#undef STATE
  (void)p;
  (void)ref;
  (void)dut;
  (void)cycle;
  return differences;
}
