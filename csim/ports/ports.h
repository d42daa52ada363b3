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
 *       a state that is computed from the unit's registers, by `reader`, f<n> of a template
 *       <unsigned n, class To, class Root> void f(To &state, const Root &root) in the unit's own
 *       C++ (KIND of units.def)
 *
 * The qualifier says when the value means something, as a C expression over `p` (a pointer to the
 * unit's struct of that direction; for states, to the unit's state view) and, for states, the
 * element index `i`; 1 means always.  Clocks clk_i and noc_clk_i and reset rst_ni are implied.
 *
 * csim/ports/generate writes the structs, tables and comparisons of a unit <X> into the build's
 * folder generated/csim/ports, as <X>.h and <X>.c.  Code that does the same for each port may
 * include <X>.def itself: it defines PORT_IN, PORT_OUT and STATE, and the other lines become these,
 * a pin of words one of 64 bits whose field has PORT_WORDS words.
 */
#ifndef TANDEM_PORTS_H
#define TANDEM_PORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PORT_IN_WORDS(name, words, qualifier) PORT_IN(name, 64, qualifier)
#define PORT_OUT_WORDS(name, words, qualifier) PORT_OUT(name, 64, qualifier)
#define STATE_WORDS(name, words, signal, qualifier) STATE(name, 64, words, signal, qualifier)
#define STATE_BY(name, width, count, reader, qualifier) STATE(name, width, count, reader, qualifier)

/* Words of a port in the unit's struct of its direction. */
#define PORT_WORDS(type, name) (sizeof(((type *)0)->name) / sizeof(uint64_t))

/* Structs that begin alike are read as either: SMs see the beginning of a member's outputs. */
#define PORTS_ALIASED __attribute__((may_alias))

enum {
  PORT_LANES = 32,     /* width of a mask of lanes; of large warps: sm_frontend_wide.def */
  PORT_WORDS_MAX = 16, /* words of a port at most */
  PORTS_MAX = 80       /* lines of a table at most */
};

/* One line of a table, for code that walks ports (reports, traces, width checks). */
struct port_desc {
  const char *name;
  uint8_t width;    /* bits */
  uint16_t offset;  /* of the field in the unit's struct */
  uint16_t count;   /* elements; of ports words, 1 but for those of PORT_IN_WORDS and _OUT_WORDS */
  const char *when; /* its qualifier */
};

/* The first difference between two views. */
struct port_diff {
  const struct port_desc *state; /* NULL: none */
  unsigned index;
  uint64_t a, b;
};

/* A ports table.  Functions take ports and views as plain memory, so that what goes through all
 * units names none. */
struct ports_table {
  const char *name;
  const struct port_desc *in, *out, *states; /* a line without a name ends each */
  size_t in_bytes, out_bytes, view_bytes;
  unsigned outs, lines; /* lines of out and of states */

  /* Set valid[line] to whether the line's qualifier holds. */
  void (*qualify_in)(const void *in, bool valid[PORTS_MAX]);
  void (*qualify_out)(const void *out, bool valid[PORTS_MAX]);

  /* Not 0 if outputs differ whose qualifier holds in a.  counts[line] grows by the comparisons; of
   * those that always are made, counts[0] alone, once for all. */
  uint64_t (*diff)(const void *a, const void *b, uint64_t *counts);

  /* True if the qualifier of element i of a line of states holds. */
  bool (*state_means)(const void *view, unsigned line, unsigned i);

  /* How many state elements differ whose qualifier holds in a; counts[line] grows by the elements
   * compared; first (NULL allowed) gets the first difference, if it has none. */
  unsigned (*view_same)(const void *a, const void *b, uint64_t *counts, struct port_diff *first);
};

/* Does the work of view_same element by element, and counts nothing. */
unsigned ports_view_find(const struct ports_table *t, const void *a, const void *b,
                         struct port_diff *first);

static inline uint64_t port_mask(unsigned width) {
  return width >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << width) - 1;
}

/* Not 0 if one of n words differs. */
static inline uint64_t words_xor(const uint64_t *a, const uint64_t *b, unsigned n) {
  uint64_t diff = 0;
  for (unsigned i = 0; i < n; i++)
    diff |= a[i] ^ b[i];
  return diff;
}

#endif
