/* The verilated front end of an SM that works by itself (docs/hardware/frontend.md, sm_frontend).
 */
#ifndef TANDEM_TB_FRONTEND_RTL_H
#define TANDEM_TB_FRONTEND_RTL_H

#include "Vsc_frontend.h"

#include "csim/ports/ports.h"
#include "tb/pins.h"

#define ROWS 1
#define RTL_CLASS frontend_rtl
#define RTL_MODEL Vsc_frontend
#define RTL_PORTS "csim/ports/sm/sm_frontend.def"
#include "tb/packed_rtl.inc"
#undef ROWS

#endif
