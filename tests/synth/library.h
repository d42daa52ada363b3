/* Liberty text of a small library in any units. */
#ifndef TANDEM_TESTS_SYNTH_LIBRARY_H
#define TANDEM_TESTS_SYNTH_LIBRARY_H

#include <stdio.h>

/* Units as the file states them, and how many of them make 1 ns, 1 pF, 1 V and 1 nW. */
struct library_units {
  const char *time, *capacitance, *voltage, *leakage;
  double ns, pf, v, nw;
};
extern const struct library_units library_common; /* 1 ns, 1 pF, 1 V, 1 nW */

/* Parts of the library. */
enum {
  LIBRARY_GATES = 1,
  LIBRARY_INVERTER = 2,
  LIBRARY_REGISTERS = 4,
  LIBRARY_ALL = 7,
  LIBRARY_LISTS = 8, /* times of all related pins are one group */
  LIBRARY_CLOCK_GATE = 16
};

/* Writes the parts.  Tables of an odd `axes` have slope and load the other way round, under the
 * same name of their template. */
void library_write(FILE *out, const struct library_units *u, unsigned parts, unsigned axes);

/* The same into a file of the test's folder, its text as it is here but for one place (from NULL:
 * none). */
void library_put(const char *name, const struct library_units *u, unsigned parts, unsigned axes,
                 const char *from, const char *to);

/* The text that a library of cells needs before its cells. */
#define LIBRARY_EDGES(name, value) name "_rise : " value "; " name "_fall : " value "; "
#define LIBRARY_HEAD                                                                               \
  "delay_model : table_lookup; nom_voltage : 1; capacitive_load_unit (1, pf); " LIBRARY_EDGES(     \
      "input_threshold_pct", "50") LIBRARY_EDGES("output_threshold_pct", "50")                     \
      LIBRARY_EDGES("slew_lower_threshold_pct", "20")                                              \
          LIBRARY_EDGES("slew_upper_threshold_pct", "80")

/* Texts of timing groups with one figure in each table. */
#define LIBRARY_EDGE(name) name "(scalar) { values(\"1\"); } "
#define LIBRARY_TIMES(pins, type)                                                                  \
  "timing() { related_pin : \"" pins "\"; " type LIBRARY_EDGE("cell_rise")                         \
      LIBRARY_EDGE("cell_fall") LIBRARY_EDGE("rise_transition")                                    \
          LIBRARY_EDGE("fall_transition") "} "
#define LIBRARY_SETUP(clock)                                                                       \
  "timing() { related_pin : \"" clock                                                              \
  "\"; timing_type : setup_rising; " LIBRARY_EDGE("rise_constraint")                               \
      LIBRARY_EDGE("fall_constraint") "} "
#define LIBRARY_AFTER_CLOCK(clock) LIBRARY_TIMES(clock, "timing_type : rising_edge; ")

#endif
