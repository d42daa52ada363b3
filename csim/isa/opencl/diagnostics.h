/* Messages of clang about a source. */
#ifndef TANDEM_OPENCL_DIAGNOSTICS_H
#define TANDEM_OPENCL_DIAGNOSTICS_H

#include <stdbool.h>

/* Takes out of clang's messages, in place, those about files in the folder `hidden`, which are none
 * of the user's.  If no error is left, the first one taken out stays, without its place and its
 * lines of code. */
void opencl_hide_diagnostics(char *log, const char *hidden);

/* Ends a log of clang where it describes a failure of its own; whether it does. */
bool opencl_cut_failure(char *log);

#endif
