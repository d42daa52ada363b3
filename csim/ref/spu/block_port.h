/* Reference of rtl/spu/block_port.sv (docs/hardware/spu_units.md, block_port). */
#ifndef TANDEM_REF_BLOCK_PORT_H
#define TANDEM_REF_BLOCK_PORT_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum block_port_state { BLOCK_PORT_FREE, BLOCK_PORT_GATHER, BLOCK_PORT_WAIT, BLOCK_PORT_ACK };

/* Bits of a synchronisation's directions; the lower four are also those of posts. */
enum {
  DIRS_NORTH = 1,
  DIRS_SOUTH = 2,
  DIRS_WEST = 4,
  DIRS_EAST = 8,
  DIRS_OWN = 16,
  DIRS_SPILL = 32,
  DIRS_GLOBAL = 64
};
/* Bits of posts and of what is done, besides the four directions. */
enum { POST_SPILL = 16, POST_GLOBAL = 32 };

struct block_port_ref {
  enum block_port_state state;
  unsigned need, here; /* warps of the CTA; those that wait */
  unsigned dirs;       /* directions of the synchronisation */
  unsigned left;       /* posts that are not done */
  unsigned post;
  uint16_t cspill, vcount;
  bool bad;
};

void block_port_ref_reset(struct block_port_ref *b);
void block_port_ref_eval(const struct block_port_ref *b, const struct block_port_in *in,
                         struct block_port_out *out);
void block_port_ref_step(struct block_port_ref *b, const struct block_port_in *in);
void block_port_ref_view(const struct block_port_ref *b, struct block_port_view *view);

#endif
