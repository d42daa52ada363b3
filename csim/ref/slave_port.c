#include "csim/ref/slave_port.h"

#include <string.h>

#include "csim/ref/packet.h"

enum { CTRL_UNGROUP = 1 };

void slave_port_ref_reset(struct slave_port_ref *s, unsigned delay) {
  *s = (struct slave_port_ref){.delay = delay};
}

/* The master's outcome of a branch arrives. */
static bool mask_arrives(const struct slave_port_in *in) {
  return in->slave && in->d1_valid && packet_is(in->d1, PACKET_MASK);
}

/* The own outcome that belongs to it: the oldest, which may come in this very cycle. */
static bool matching(const struct slave_port_ref *s, const struct slave_port_in *in,
                     struct slave_resolve *own) {
  if (!mask_arrives(in) || (s->resolves == 0 && !in->resolve_valid))
    return false;
  *own = s->resolves > 0
             ? s->resolve[0]
             : (struct slave_resolve){(uint8_t)in->resolve_warp, (uint32_t)in->resolve_taken};
  return true;
}

/* An instruction to the port of its warp's parity. */
static void deliver_packet(uint64_t valid, uint64_t packet, struct slave_port_out *out) {
  if (!valid || !packet_is_instruction(packet))
    return;
  if (packet_warp(packet) % 2 == 0) {
    out->x0_valid = 1;
    out->x0_inst = packet;
  } else {
    out->x1_valid = 1;
    out->x1_inst = packet;
  }
}

/* What a member hears of its leader besides. */
static void hear(const struct slave_port_in *in, struct slave_port_out *out) {
  if (in->d0_valid && packet_is(in->d0, PACKET_CALL)) {
    out->called0_valid = 1;
    out->called0_warp = packet_warp(in->d0);
    out->called0_depth = packet_depth(in->d0);
  }
  if (in->d1_valid && packet_is(in->d1, PACKET_CALL)) {
    out->called1_valid = 1;
    out->called1_warp = packet_warp(in->d1);
    out->called1_depth = packet_depth(in->d1);
  }
  if (in->d0_valid && packet_is(in->d0, PACKET_END)) {
    out->end_valid = 1;
    out->end_count = packet_count(in->d0);
  }
  if (in->d0_valid && packet_is(in->d0, PACKET_PARK)) {
    out->set_valid = 1;
    out->set_pc = packet_park_pc(in->d0);
  }
}

void slave_port_ref_eval(const struct slave_port_ref *s, const struct slave_port_in *in,
                         struct slave_port_out *out) {
  *out = (struct slave_port_out){.diverged = s->diverged,
                                 .ctrl_valid = s->ungroup,
                                 .ctrl_type = CTRL_UNGROUP,
                                 .empty = s->resolves == 0 && !s->ungroup && !in->d0_valid &&
                                          !in->d1_valid};
  if (in->listens)
    hear(in, out);
  if (!in->slave) {
    out->st_resolve_valid = in->resolve_valid;
    out->st_resolve_warp = in->resolve_warp;
    out->st_resolve_taken = in->resolve_taken;
    return;
  }
  deliver_packet(in->d0_valid, in->d0, out);
  deliver_packet(in->d1_valid, in->d1, out);
  struct slave_resolve own;
  if (matching(s, in, &own)) {
    out->st_resolve_valid = 1;
    out->st_resolve_warp = own.warp;
    out->st_resolve_taken = own.taken;
  }
  out->ack_valid = in->wb3_valid;
  out->ack_warp = in->wb3_warp;
  out->ack_reg = in->wb3_reg;
  out->ack_size = in->wb3_size;
  out->credit_valid = in->mem_credit;
}

void slave_port_ref_step(struct slave_port_ref *s, const struct slave_port_in *in) {
  if (!in->slave)
    slave_port_ref_reset(s, s->delay);
  s->ungroup = in->listens && !in->slave && in->park_differs;
  if (!in->slave)
    return;
  if (in->resolve_valid)
    s->resolve[s->resolves++] =
        (struct slave_resolve){(uint8_t)in->resolve_warp, (uint32_t)in->resolve_taken};
  if (!mask_arrives(in) || s->resolves == 0)
    return;
  const bool elsewhere = packet_hint(in->d1) && packet_pc(in->d1) != in->res_pc;
  if (packet_dirs(in->d1) != in->res_dirs || elsewhere) {
    s->ungroup = true;
    s->diverged |= warpset_of(packet_warp(in->d1));
  }
  s->resolves--;
  memmove(&s->resolve[0], &s->resolve[1], s->resolves * sizeof s->resolve[0]);
}

void slave_port_ref_view(const struct slave_port_ref *s, struct slave_port_view *view) {
  *view = (struct slave_port_view){
      .count = {s->resolves}, .diverged = {s->diverged}, .ctrl = {s->ungroup}};
}
