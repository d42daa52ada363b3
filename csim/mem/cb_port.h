/* The port of an SM's load-store unit to communication buffers (CBs) and block synchronisation.
 *
 * The buffers are outside of the SM: the load-store unit leaves its passes and arrivals in a
 * record, and functions return data and acknowledgements.  Shared addresses from CB_WINDOW on
 * address the buffers: CB_WINDOW + side x CB_WINDOW_BYTES + byte.
 */
#ifndef TANDEM_MEM_CB_PORT_H
#define TANDEM_MEM_CB_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/util/error.h"

struct sm_mem;

enum cb_side { CB_NORTH, CB_SOUTH, CB_WEST, CB_EAST, CB_OWN, CB_SIDES };
enum { CB_WINDOW = 0x01000000, CB_WINDOW_BYTES = 0x00100000, CB_BANKS = 32 };
enum { CB_BYTES_LEAST = 1024, CB_BYTES_MOST = 32768, CB_LATENCY_LEAST = 4, CB_LATENCY_MOST = 1000 };

/* The role of a CTA in a pass; the values of regrole. */
enum block_role { ROLE_NONE, ROLE_BLOCK, ROLE_LOAD, ROLE_STORE };

/* An access to at most one word of each bank of a buffer.  Byte 4 (32 r + b) is row r of bank b. */
struct cb_pass {
  uint32_t banks; /* 0: there is no pass */
  uint8_t side, cta_slot;
  bool write;
  uint8_t row[CB_BANKS];
  uint32_t data[CB_BANKS]; /* for a write */
};

/* A bsync that a warp has performed. */
struct block_arrival {
  uint8_t dirs; /* 0: there is none */
  uint8_t cta_slot;
};

struct cb_record {
  uint64_t cycle; /* cycle of the sm_mem_step that left it */
  struct cb_pass pass;
  struct block_arrival arrival;
};

/* Gives the SM buffers of `bytes` bytes (a power of two) with a latency in cycles, once, before the
 * first cycle.  Returns 0, -EINVAL or -ENOMEM. */
int sm_mem_cb(struct sm_mem *s, uint32_t bytes, uint32_t latency, struct tandem_error *err);

/* Takes shared memory from the SM: an access to it is out of bounds. */
void sm_mem_no_shared(struct sm_mem *s);

/* Lets memory acknowledge all writes of the SM, once, before the first cycle.  A bsync with
 * direction SPILL is performed when memory has acknowledged all of them. */
void sm_mem_acknowledged(struct sm_mem *s);

/* Returns the words of global memory that the CTAs of a slot have loaded and stored so far. */
void sm_mem_words(const struct sm_mem *s, unsigned cta_slot, uint64_t *loaded, uint64_t *stored);

/* Sets the address of the role (enum block_role) of the CTA in a slot.  Each access reads the role:
 * a block reads N and W and writes S and E, a CTA that loads writes OWN, one that stores reads OWN.
 */
void sm_mem_role(struct sm_mem *s, unsigned cta_slot, const uint32_t *role);

/* Returns the pass and the arrival of the last sm_mem_step, or NULL if the SM has no buffers. */
const struct cb_record *sm_mem_record(const struct sm_mem *s);

/* Returns data to the oldest read without data, between two steps.  Data later than two cycles
 * after the pass delay the instruction. */
void sm_mem_cb_answer(struct sm_mem *s, uint64_t cycle, const uint32_t data[CB_BANKS]);

/* Acknowledges the synchronisation of the block in a slot, between two steps.  The bsyncs of all
 * its warps complete from the next cycle on, one a cycle, with the result 0. */
void sm_mem_block_ack(struct sm_mem *s, uint64_t cycle, unsigned cta_slot);

#endif
