/* Ports tables: one X-macro list a unit, <unit>.def, from which everything about its ports comes.
 *
 *   PORT_IN(name, width, qualifier)    input  pin name_i
 *   PORT_OUT(name, width, qualifier)   output pin name_o
 *   STATE(name, width, count, signal, qualifier)
 *       state view: `count` elements of `width` bits, RTL signal `signal` within the unit, or
 *       u_x__DOT__signal within its instance u_x (a vector if count is 1, else an unpacked array,
 *       or `array | bits(at, width)`, a field of each of its rows); width is 1 to 64 bits.
 *
 *   PORT_IN_WORDS(name, words, qualifier), PORT_OUT_WORDS(name, words, qualifier)
 *       a pin of words * 64 bits, in C uint64_t name[words], the lowest bits in name[0]; compared
 *       whole, under one qualifier
 *   STATE_WORDS(name, words, signal, qualifier)
 *       a register of words * 64 bits, in the view likewise
 *   STATE_BY(name, width, count, reader, qualifier)
 *       a state that is computed from the unit's registers, by a function `reader` of
 *       harness/shim/readers.h
 *
 * Who includes a table defines PORT_IN, PORT_OUT and STATE; words.inc makes the other lines of
 * these.  So an includer treats a pin of words as one of 64 bits, unless it looks at the field's
 * size: PORT_WORDS.
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

#include "csim/ports/words.inc"

enum {
  PORT_LANES = 32,    /* width of a mask of lanes; of large warps: sm_frontend_wide.def */
  PORT_WORDS_MAX = 16 /* words of a port at most */
};

/* One line of a table, for code that walks ports (reports, traces, width checks). */
struct port_desc {
  const char *name;
  uint8_t width;   /* bits */
  uint16_t offset; /* of the field in the unit's struct */
  uint16_t count;  /* elements; of ports words, 1 but for those of PORT_IN_WORDS and _OUT_WORDS */
};

/* Words of a port in the unit's struct of its direction. */
#define PORT_WORDS(type, name) (sizeof(((type *)0)->name) / sizeof(uint64_t))

/* Whether a qualifier is the constant 1: those that name ports have 64 bits. */
#define PORT_ALWAYS(qualifier) (sizeof(qualifier) == sizeof(int))

static inline uint64_t port_mask(unsigned width) {
  return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

#endif
