/* The names of the signals in a waveform.  No package of the distribution has a reader of FST files
 * that a program could link beside Verilator's writer, which defines the same functions. */
#ifndef TANDEM_GPU_REPORT_FST_H
#define TANDEM_GPU_REPORT_FST_H

#include <stddef.h>

struct fst_names {
  char **name; /* "TOP.unit.u_part.signal_q[5:0]", in the order of the file */
  size_t n;
};

/* Reads them.  0 or a negative errno: -EINVAL of a file that Verilator does not write. */
int fst_names_read(const char *path, struct fst_names *names);
void fst_names_free(struct fst_names *names);

#endif
