/* The part of a report that shows the last cycles of the ports. */
#ifndef TANDEM_REPORT_PORTS_H
#define TANDEM_REPORT_PORTS_H

#include <stdio.h>

#include "harness/gpu/gpu.h"

/* Tables of the recorded inputs and outputs, and the instructions issued meanwhile. */
void report_ports(FILE *out, const struct tandem *t, const struct gpu_watch *w);
/* The same of CTA dispatch, in the last cycles in which it was clocked. */
void report_dispatch(FILE *out, const struct tandem *t);
const struct port_record *report_last(const struct gpu_watch *w);

#endif
