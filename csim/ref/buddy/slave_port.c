/* Reference of rtl/buddy/slave_port.sv. */
#include "csim/ref/buddy/slave_port.h"

#include <string.h>

#include "csim/ref/buddy/packet.h"

void slave_port_ref_reset(struct slave_port_ref *s) { *s = (struct slave_port_ref){0}; }

/* The master's outcome of a branch arrives. */
static bool mask_arrives(const struct slave_port_in *in) {
  return in->slave && in->d1_valid && packet_is(in->d1, PACKET_MASK);
}

static struct slave_resolve coming_of(const struct slave_port_in *in) {
  return (struct slave_resolve){(uint8_t)in->resolve_warp, (uint32_t)in->resolve_taken};
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

/* Takes the other packets of the leader. */
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
                                 .empty = slave_port_ref_empty(s) && !in->d0_valid && !in->d1_valid,
                                 .cause_valid = s->diverged != 0,
                                 .cause_warp = s->cause.warp,
                                 .cause_pc = s->cause.pc,
                                 .cause_own = s->cause.own,
                                 .cause_master = s->cause.master};
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
  const struct slave_resolve coming = coming_of(in);
  const struct slave_resolve *own = slave_port_ref_oldest(s, in->resolve_valid ? &coming : NULL);
  if (mask_arrives(in) && own != NULL) {
    out->st_resolve_valid = 1;
    out->st_resolve_warp = own->warp;
    out->st_resolve_taken = own->taken;
  }
  out->ack_valid = in->wb3_valid;
  out->ack_warp = in->wb3_warp;
  out->ack_reg = in->wb3_reg;
  out->ack_size = in->wb3_size;
  out->credit_valid = in->mem_credit;
}

void slave_port_ref_join(struct slave_port_ref *s, struct slave_resolve own) {
  if (s->resolves < SLAVE_RESOLVES)
    s->resolve[s->resolves++] = own;
}

void slave_port_ref_judge(struct slave_port_ref *s, uint64_t packet, unsigned dirs, uint16_t pc) {
  if (packet_dirs(packet) != dirs) {
    s->ungroup = true;
    s->diverged |= warpset_of(packet_warp(packet));
    s->cause = (struct slave_cause){.warp = (uint8_t)packet_warp(packet),
                                    .own = (uint8_t)dirs,
                                    .master = (uint8_t)packet_dirs(packet),
                                    .pc = pc};
  }
  s->resolves--;
  memmove(&s->resolve[0], &s->resolve[1], s->resolves * sizeof s->resolve[0]);
}

void slave_port_ref_leave(struct slave_port_ref *s) {
  s->resolves = 0;
  s->diverged = 0;
}

void slave_port_ref_step(struct slave_port_ref *s, const struct slave_port_in *in) {
  s->ungroup = in->listens && !in->slave && in->park_differs;
  if (!in->slave) {
    slave_port_ref_leave(s);
    return;
  }
  if (in->resolve_valid)
    slave_port_ref_join(s, coming_of(in));
  if (mask_arrives(in) && s->resolves > 0)
    slave_port_ref_judge(s, in->d1, (unsigned)in->res_dirs, (uint16_t)in->res_at);
}

void slave_port_ref_view(const struct slave_port_ref *s, struct slave_port_view *view) {
  *view = (struct slave_port_view){
      .count = {s->resolves}, .diverged = {s->diverged}, .ctrl = {s->ungroup}};
}
