/* What goes from a master to its slaves: 64 bits (docs/buddy.md, packets). */
#ifndef TANDEM_REF_PACKET_H
#define TANDEM_REF_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum { PACKET_UNIT_CONTROL = 15, PACKET_MASK = 0 };

static inline unsigned packet_warp(uint64_t packet) { return (unsigned)(packet >> 58); }
static inline unsigned packet_unit(uint64_t packet) { return packet >> 54 & 15; }
/* Of a packet that is no instruction. */
static inline unsigned packet_kind(uint64_t packet) { return packet >> 51 & 7; }
static inline unsigned packet_dirs(uint64_t packet) { return packet >> 49 & 3; }
static inline bool packet_hint(uint64_t packet) { return (packet >> 48 & 1) != 0; }
static inline uint16_t packet_pc(uint64_t packet) { return (uint16_t)(packet >> 32); }

static inline bool packet_is_instruction(uint64_t packet) {
  return packet_unit(packet) != PACKET_UNIT_CONTROL;
}
static inline bool packet_is_mask(uint64_t packet) {
  return !packet_is_instruction(packet) && packet_kind(packet) == PACKET_MASK;
}

static inline uint64_t packet_of_mask(uint64_t warp, uint64_t dirs, uint64_t hint, uint64_t pc,
                                      uint64_t taken) {
  return warp << 58 | (uint64_t)PACKET_UNIT_CONTROL << 54 | (uint64_t)PACKET_MASK << 51 |
         dirs << 49 | hint << 48 | pc << 32 | taken;
}

#endif
