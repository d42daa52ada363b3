/* The packets from a master to its slaves: 64 bits (docs/hardware/buddy.md, packets). */
#ifndef TANDEM_REF_PACKET_H
#define TANDEM_REF_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum { PACKET_UNIT_CONTROL = 15 };

/* Packets that are no instruction. */
enum packet_kind { PACKET_MASK, PACKET_CALL, PACKET_END, PACKET_PARK };

static inline unsigned packet_warp(uint64_t packet) { return (unsigned)(packet >> 58); }
static inline unsigned packet_unit(uint64_t packet) { return packet >> 54 & 15; }
/* Fields of a packet that is no instruction: its kind, and others that depend on the kind. */
static inline unsigned packet_kind(uint64_t packet) { return packet >> 51 & 7; }
static inline unsigned packet_dirs(uint64_t packet) { return packet >> 49 & 3; }
static inline unsigned packet_depth(uint64_t packet) { return packet & 63; }
static inline unsigned packet_count(uint64_t packet) { return packet & 63; }
static inline uint16_t packet_park_pc(uint64_t packet) { return (uint16_t)packet; }

static inline bool packet_is_instruction(uint64_t packet) {
  return packet_unit(packet) != PACKET_UNIT_CONTROL;
}
static inline bool packet_is(uint64_t packet, enum packet_kind kind) {
  return !packet_is_instruction(packet) && packet_kind(packet) == kind;
}

static inline uint64_t packet_of(enum packet_kind kind, uint64_t warp) {
  return warp << 58 | (uint64_t)PACKET_UNIT_CONTROL << 54 | (uint64_t)kind << 51;
}
static inline uint64_t packet_of_mask(uint64_t warp, uint64_t dirs) {
  return packet_of(PACKET_MASK, warp) | dirs << 49;
}
static inline uint64_t packet_of_call(uint64_t warp, uint64_t depth) {
  return packet_of(PACKET_CALL, warp) | depth;
}
static inline uint64_t packet_of_end(uint64_t count) { return packet_of(PACKET_END, 0) | count; }
static inline uint64_t packet_of_park(uint64_t pc) { return packet_of(PACKET_PARK, 0) | pc; }

#endif
