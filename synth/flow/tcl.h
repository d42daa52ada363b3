/* Texts in the Tcl that yosys and OpenSTA run: whatever they hold, they stay texts. */
#ifndef TANDEM_SYNTH_FLOW_TCL_H
#define TANDEM_SYNTH_FLOW_TCL_H

#include <stdio.h>

/* Writes a word, in quotation marks; a format as printf's. */
void tcl_word(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Writes a line that makes a link of this name to a path: names of files within the current folder
 * alone are taken by every command of both tools. */
void tcl_link(FILE *out, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes `set NAME WORD` and the line's end. */
void tcl_set(FILE *out, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
