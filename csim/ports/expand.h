/* Expands the ports table of PORTS_UNIT into its structs; included once a unit by units.h.
 * No include guard on purpose. */
#define PORTS_CAT_(a, b) a##b
#define PORTS_CAT(a, b) PORTS_CAT_(a, b)
/* Spaces would become part of the path. */
/* clang-format off */
#define PORTS_FILE PORTS_QUOTE(csim/ports/PORTS_UNIT.def)
/* clang-format on */

struct PORTS_CAT(PORTS_UNIT, _in) {
#define PORT_IN(name, width, qualifier) uint64_t name;
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#include PORTS_FILE
#undef PORT_IN
#undef PORT_OUT
};

struct PORTS_CAT(PORTS_UNIT, _out) {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) uint64_t name;
#include PORTS_FILE
#undef PORT_OUT
#undef STATE
};

struct PORTS_CAT(PORTS_UNIT, _view) {
#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier) uint64_t name[count];
  uint64_t unused_; /* a unit may have no state */
#include PORTS_FILE
#undef PORT_IN
#undef PORT_OUT
#undef STATE
};

#undef PORTS_FILE
#undef PORTS_UNIT
