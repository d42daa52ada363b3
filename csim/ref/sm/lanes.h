/* Masks of lanes, and how the ports have them.
 *
 * The front end of large warps is simt_stack.c and sm_frontend.c compiled a second time, with
 * REF_LANES 128: the library tandem_ref_wide, csim/ref/sm/ref_wide.h.  Their functions have other
 * names then, so that both front ends may be in one program.
 */
#ifndef TANDEM_REF_LANES_H
#define TANDEM_REF_LANES_H

#include <stdint.h>

#ifndef REF_LANES
#define REF_LANES 64
#endif

#if REF_LANES == 64
typedef uint64_t lanes_mask;
#define LANES_GET(ports, name) ((ports)->name)
#define LANES_PUT(ports, name, mask) ((ports)->name = (mask))
#else
__extension__ typedef unsigned __int128 lanes_mask;
#define LANES_GET(ports, name) ((lanes_mask)(ports)->name##_hi << 64 | (ports)->name)
#define LANES_PUT(ports, name, mask)                                                               \
  ((ports)->name##_hi = (uint64_t)((mask) >> 64), (ports)->name = (uint64_t)(mask))
#include "csim/ref/sm/wide_names.h"
#endif

/* Lanes 64 and above. */
static inline uint64_t lanes_high(lanes_mask mask) {
  return REF_LANES == 64 ? 0 : (uint64_t)(mask >> (REF_LANES - 64));
}

#endif
