/* Faults that a test plants into copies of modules: for what no seeded fault breaks. */
#ifndef TANDEM_TEST_PLANTED_H
#define TANDEM_TEST_PLANTED_H

/* `text`, which the module rtl/flex/<module>.sv has exactly once, becomes `planted`: that text with
 * a `FAULT (rtl/tandem_pkg.sv) of a number that rtl/faults.def does not have. */
struct planted {
  const char *module, *text, *planted;
};

/* Writes copies of modules of rtl/flex, with all of a list planted, to a folder. Ends
 * the program with a message if a text is not there once. */
void planted_write(const char *folder, const struct planted *list, unsigned n);

#endif
