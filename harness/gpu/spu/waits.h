/* The report of a hang: each SM and unit that waits, and for what. */
#ifndef TANDEM_SPU_WAITS_H
#define TANDEM_SPU_WAITS_H

#include <stdio.h>

struct tandem;

void spu_waits(const struct tandem *t, FILE *out);

#endif
