/* Communication buffers (CBs) and block synchronisation as an SM's load-store unit sees them.
 *
 * The buffers are outside: the load-store unit leaves its passes and arrivals in a record, and data
 * and acknowledgements come back through functions.  Shared addresses from CB_WINDOW on are those
 * of the buffers: CB_WINDOW + side x CB_WINDOW_BYTES + byte.
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

/* The role of a CTA in a pass, as regrole has it. */
enum block_role { ROLE_NONE, ROLE_BLOCK, ROLE_LOAD, ROLE_STORE };

/* One word of each bank, as far as wanted, of one buffer.  Byte 4 (32 r + b) is row r of bank b. */
struct cb_pass {
  uint32_t banks; /* 0: there is no pass */
  uint8_t side, cta_slot;
  bool write;
  uint8_t row[CB_BANKS];
  uint32_t data[CB_BANKS]; /* of a write */
};

/* A warp's bsync was performed. */
struct block_arrival {
  uint8_t dirs; /* 0: there is none */
  uint8_t cta_slot;
};

struct cb_record {
  uint64_t cycle; /* of the sm_mem_step that left it */
  struct cb_pass pass;
  struct block_arrival arrival;
};

/* Gives the SM buffers of so many bytes (a power of two) that are read in so many cycles, as shared
 * memory in shared_latency.  Once, before the first cycle.  0, -EINVAL or -ENOMEM. */
int sm_mem_cb(struct sm_mem *s, uint32_t bytes, uint32_t latency, struct tandem_error *err);

/* The SM has no shared memory besides: an access to it is out of bounds. */
void sm_mem_no_shared(struct sm_mem *s);

/* Memory acknowledges the SM's writes, and a bsync with direction SPILL is performed when it has
 * acknowledged all of them.  Once, before the first cycle. */
void sm_mem_acknowledged(struct sm_mem *s);

/* Words of global memory that the CTAs of a slot have loaded and stored since the start. */
void sm_mem_words(const struct sm_mem *s, unsigned cta_slot, uint64_t *loaded, uint64_t *stored);

/* Where the role (enum block_role) of the CTA in a slot stands, which each access reads: a block
 * reads N and W and writes S and E, a CTA that loads writes OWN, one that stores reads OWN. */
void sm_mem_role(struct sm_mem *s, unsigned cta_slot, const uint32_t *role);

/* The pass and the arrival of the cycle of the last sm_mem_step.  NULL: the SM has no buffers.
 */
const struct cb_record *sm_mem_record(const struct sm_mem *s);

/* The data of the oldest read whose data have not come, in the cycle two after that of its pass;
 * later ones delay the instruction.  Between two steps. */
void sm_mem_cb_answer(struct sm_mem *s, uint64_t cycle, const uint32_t data[CB_BANKS]);

/* The block in the slot may go on: the bsyncs of all its warps, which are performed, complete from
 * the next cycle on, one a cycle, with the result 0.  Between two steps. */
void sm_mem_block_ack(struct sm_mem *s, uint64_t cycle, unsigned cta_slot);

#endif
