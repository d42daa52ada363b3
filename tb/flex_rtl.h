/* The verilated Flex cluster of two members (docs/hardware/flex.md, flex_cluster) with the ports of
 * each member apart. */
#ifndef TANDEM_TB_FLEX_RTL_H
#define TANDEM_TB_FLEX_RTL_H

#include "Vsc_flex_pair.h"

#include "csim/ports/ports.h"
#include "tb/pins.h"

/* Parameters of the verilated cluster: its members, the stages of a path between them. */
enum { FLEX_PAIR = 2, FLEX_PAIR_DUMMY = 1 };

#define RTL_CLASS flex_rtl
#define RTL_MODEL Vsc_flex_pair
#define RTL_PORTS "tb/flex_ports.def"
#include "tb/packed_rtl.inc"

#endif
