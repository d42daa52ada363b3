/* Reading what fails. */
#ifndef TANDEM_SHRINK_OPEN_H
#define TANDEM_SHRINK_OPEN_H

#include "harness/shrink/program.h"

/* Makes a case of a launch description that was read, for a GPU and run of this configuration;
 * expectations are left out.  The program becomes assembler text, unless it is OpenCL C without
 * include files of its own, and not `assembly`.  0 or a negative errno; case_close ends the case
 * and the data of all its copies, also after an error. */
int case_open(struct shrink_case *c, struct tandem_job *job, const struct tandem_config *config,
              bool assembly, struct tandem_error *err);
void case_close(struct shrink_case *c);

#endif
