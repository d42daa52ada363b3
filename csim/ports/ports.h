/* Ports tables: one X-macro list a unit, <unit>.def, from which everything about its ports comes.
 *
 *   PORT_IN(name, width, qualifier)    input  pin name_i
 *   PORT_OUT(name, width, qualifier)   output pin name_o
 *   STATE(name, width, count, signal, qualifier)
 *       state view: `count` elements of `width` bits, RTL signal `signal` within the unit, or
 *       u_x__DOT__signal within its instance u_x (a vector if count is 1, else an unpacked array,
 *       or `array | bits(at, width)`, a field of each of its rows); width is 1 to 64 bits.
 *
 * The qualifier says when the value means something, as a C expression over `p` (a pointer to the
 * unit's struct of that direction; for states, to the unit's state view) and, for states, the
 * element index `i`; 1 means always.  Clocks clk_i and noc_clk_i
 * and reset rst_ni are implied.
 */
#ifndef TANDEM_PORTS_H
#define TANDEM_PORTS_H

#include <stddef.h>
#include <stdint.h>

enum { PORT_LANES = 32 /* width of a mask of lanes; of large warps: sm_frontend_wide.def */ };

/* One line of a table, for code that walks ports (reports, traces, width checks). */
struct port_desc {
  const char *name;
  uint8_t width;   /* bits */
  uint16_t offset; /* of the field in the unit's struct */
  uint16_t count;  /* elements; 1 for ports */
};

/* Whether a qualifier is the constant 1: those that name ports have 64 bits. */
#define PORT_ALWAYS(qualifier) (sizeof(qualifier) == sizeof(int))

static inline uint64_t port_mask(unsigned width) {
  return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

#endif
