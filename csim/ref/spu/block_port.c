/* Reference of rtl/spu/block_port.sv. */
#include "csim/ref/spu/block_port.h"

#include "csim/ref/spu/roles.h"

void block_port_ref_reset(struct block_port_ref *b) { *b = (struct block_port_ref){.need = 0}; }

/* The posts of a synchronisation; 0: the role does not allow it. */
static unsigned block_port_map(unsigned dirs, const struct block_port_in *in) {
  const bool block = in->role == SPU_ROLE_BLOCK;
  const bool unit = in->role == SPU_ROLE_LOAD || in->role == SPU_ROLE_STORE;
  if (dirs == DIRS_GLOBAL)
    return block || unit ? POST_GLOBAL : 0;
  if (block)
    return dirs <= (DIRS_NORTH | DIRS_SOUTH | DIRS_WEST | DIRS_EAST) ? dirs : 0;
  if (!unit || (dirs & ~(unsigned)(DIRS_OWN | DIRS_SPILL)) != 0)
    return 0;
  if ((dirs & DIRS_SPILL) != 0 && !in->viu)
    return 0;
  static const unsigned own[2][2] = {{DIRS_EAST, DIRS_SOUTH}, {DIRS_WEST, DIRS_NORTH}};
  return ((dirs & DIRS_OWN) != 0 ? own[in->role == SPU_ROLE_STORE][in->side] : 0) |
         ((dirs & DIRS_SPILL) != 0 ? POST_SPILL : 0);
}

static void block_port_gather(struct block_port_ref *b, const struct block_port_in *in) {
  if (b->here == b->need) {
    if (b->need == 0) {
      b->state = BLOCK_PORT_FREE;
      return;
    }
    b->post = b->left = block_port_map(b->dirs, in);
    b->bad = b->bad || b->post == 0;
    b->state = BLOCK_PORT_WAIT;
    return;
  }
  if (in->arrive) {
    if (b->here == 0)
      b->dirs = (unsigned)in->arrive_dirs;
    else if (b->dirs != in->arrive_dirs)
      b->bad = true;
    b->here++;
  }
  if (in->exit)
    b->need--;
}

static void block_port_wait(struct block_port_ref *b, unsigned post,
                            const struct block_port_in *in) {
  b->left &= ~(unsigned)in->done;
  if (in->role == SPU_ROLE_STORE)
    b->left &= ~(post & POST_SPILL);
  if (b->left == 0)
    b->state = BLOCK_PORT_ACK;
}

static void block_port_ack(struct block_port_ref *b, const struct block_port_in *in) {
  const bool unit = in->role == SPU_ROLE_LOAD || in->role == SPU_ROLE_STORE;
  if ((b->dirs & DIRS_OWN) != 0 || ((b->dirs & DIRS_GLOBAL) != 0 && unit)) {
    b->cspill++;
    b->vcount = (uint16_t)(b->vcount + in->viu);
  }
  b->here = 0;
  b->state = BLOCK_PORT_GATHER;
}

void block_port_ref_eval(const struct block_port_ref *b, const struct block_port_in *in,
                         struct block_port_out *out) {
  (void)in;
  *out = (struct block_port_out){.post = b->post,
                                 .ack = b->state == BLOCK_PORT_ACK,
                                 .cspill = b->cspill,
                                 .vcount = b->vcount,
                                 .bad = b->bad,
                                 .quiet =
                                     b->state == BLOCK_PORT_FREE ||
                                     (b->state == BLOCK_PORT_GATHER && b->here != b->need) ||
                                     (b->state == BLOCK_PORT_WAIT && b->post == 0 && b->left != 0)};
}

void block_port_ref_step(struct block_port_ref *b, const struct block_port_in *in) {
  if (in->kernel_start) {
    block_port_ref_reset(b);
    return;
  }
  const unsigned post = b->post;
  b->post = 0;
  switch (b->state) {
  case BLOCK_PORT_FREE:
    if (in->launch) {
      b->need = (unsigned)in->launch_warps;
      b->here = 0;
      b->state = BLOCK_PORT_GATHER;
    }
    break;
  case BLOCK_PORT_GATHER:
    block_port_gather(b, in);
    break;
  case BLOCK_PORT_WAIT:
    block_port_wait(b, post, in);
    break;
  case BLOCK_PORT_ACK:
    block_port_ack(b, in);
    break;
  }
  if (in->start)
    b->cspill = 0;
}

void block_port_ref_view(const struct block_port_ref *b, struct block_port_view *view) {
  *view = (struct block_port_view){.state = {b->state},
                                   .need = {b->need},
                                   .here = {b->here},
                                   .dirs = {b->dirs},
                                   .left = {b->left}};
}
