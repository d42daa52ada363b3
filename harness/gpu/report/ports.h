/* The part of a report that shows a unit's last cycles. */
#ifndef TANDEM_REPORT_PORTS_H
#define TANDEM_REPORT_PORTS_H

#include <stdio.h>

#include "harness/gpu/core/gpu.h"

/* The last record of a unit's history; NULL: there is none. */
const struct unit_record *report_last(const struct unit *u);

/* The outputs of a front end's issue ports, of the row-th SM behind a unit. */
const struct sm_frontend_out *report_sm_out(const struct unit *u, const void *out, unsigned row);

/* The recorded cycles: inputs and outputs of both sides, of the SM that failed and of the unit
 * itself, and the instructions that the SM issued. */
void report_ports(FILE *out, const struct tandem *t, const struct unit *u);

#endif
