/* The GPU of table II of the paper: 12 SMs of 768 threads, 8 CTAs, 16 K registers, 16 KB of shared
 * memory each. */
#ifndef TANDEM_TESTS_FLEX_TABLE2_H
#define TANDEM_TESTS_FLEX_TABLE2_H

#include "harness/gpu/flex/occupancy.h"

static const struct flex_gpu table2 = {
    .sms = 12, .threads = 768, .ctas = 8, .registers = 16384, .shared_bytes = 16384, .trios = true};

#endif
