/* Reference of rtl/buddy/uplink.sv. */
#include "csim/ref/buddy/uplink.h"

#include <string.h>

enum { UPLINK_CTRL_WARP = 63 };

void uplink_ref_reset(struct uplink_ref *u, unsigned hops, unsigned slave, unsigned depth) {
  *u = (struct uplink_ref){.slave = slave, .depth = depth};
  flight_reset(&u->flight, hops);
}

/* Fields of a packet: access type, slave, warp, register or what a control packet has there. */
static uint16_t uplink_packet(uint64_t type, unsigned slave, uint64_t warp, uint64_t low) {
  return (uint16_t)(type << 14 | (uint64_t)slave << 11 | warp << 5 | low);
}

void uplink_ref_eval(const struct uplink_ref *u, const struct uplink_in *in,
                     struct uplink_out *out) {
  (void)in;
  uplink_ref_answers(u, out);
}

void uplink_ref_answers(const struct uplink_ref *u, struct uplink_out *out) {
  const struct flits *f = flight_arriving(&u->flight);
  *out = (struct uplink_out){.backlog = u->backlog};
  for (unsigned slot = 0; slot < 2; slot++) {
    if (!f->valid[slot])
      continue;
    uint64_t packet = f->packet[slot], type = packet >> 14, warp = packet >> 5 & 63;
    out->slave = packet >> 11 & 7;
    if (type != 0) {
      out->ack_valid = 1;
      out->ack_size = type;
      out->ack_warp = warp;
      out->ack_reg = packet & 31;
    } else if (warp == UPLINK_CTRL_WARP) {
      out->ctrl_valid = 1;
      out->ctrl_type = packet & 1;
    } else {
      out->credit_valid = 1;
    }
  }
}

void uplink_ref_leave(struct uplink_ref *u) {
  struct flits leaving = {.valid = {u->ctrl || u->backlog > 0, u->credit}};
  if (u->ctrl) {
    leaving.packet[0] = u->ctrl_packet;
  } else if (u->backlog > 0) {
    leaving.packet[0] = u->acks[0];
    u->backlog--;
    memmove(u->acks, u->acks + 1, u->backlog * sizeof u->acks[0]);
  }
  leaving.packet[1] = uplink_packet(0, u->slave, 0, 0);
  flight_step(&u->flight, &leaving);
  u->ctrl = u->credit = false;
}

void uplink_ref_ctrl(struct uplink_ref *u, unsigned type) {
  u->ctrl = true;
  u->ctrl_packet = uplink_packet(0, u->slave, UPLINK_CTRL_WARP, type);
}

void uplink_ref_ack(struct uplink_ref *u, unsigned warp, unsigned reg, unsigned size) {
  if (u->backlog < u->depth)
    u->acks[u->backlog++] = uplink_packet(size, u->slave, warp, reg);
}

void uplink_ref_drop(struct uplink_ref *u) {
  u->backlog = 0;
  u->ctrl = u->credit = false;
}

void uplink_ref_step(struct uplink_ref *u, const struct uplink_in *in) {
  uplink_ref_leave(u);
  if (in->ctrl_valid)
    uplink_ref_ctrl(u, (unsigned)in->ctrl_type);
  if (in->ack_valid)
    uplink_ref_ack(u, (unsigned)in->ack_warp, (unsigned)in->ack_reg, (unsigned)in->ack_size);
  u->credit = in->credit_valid != 0;
  if (in->kernel_start)
    uplink_ref_drop(u);
}

void uplink_ref_view(const struct uplink_ref *u, struct uplink_view *view) {
  const struct flits *f = flight_arriving(&u->flight);
  *view = (struct uplink_view){.backlog = {u->backlog},
                               .credit = {u->credit},
                               .ctrl = {u->ctrl},
                               .u0_valid = {f->valid[0]},
                               .u0 = {f->packet[0]},
                               .u1_valid = {f->valid[1]},
                               .u1 = {f->packet[1]}};
}
