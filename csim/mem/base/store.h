/* Global memory: a sparse space of 4 GiB, its allocations, and the test whether bytes are
 * allocated. */
#ifndef TANDEM_MEM_STORE_H
#define TANDEM_MEM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/util/error.h"

enum {
  STORE_GRANULE = 256, /* allocations start at multiples of it */
  STORE_GUARD = 4096   /* fewest bytes between allocations, which belong to none */
};

struct store_block {
  uint32_t address;
  uint64_t bytes;
};

struct store {
  uint8_t *base;            /* byte of address 0 */
  uint16_t *valid;          /* allocated bytes of each granule, from its start */
  struct store_block *list; /* allocations by ascending address */
  size_t count, room;
};

int store_init(struct store *s, struct tandem_error *err);
void store_free(struct store *s);

int store_alloc(struct store *s, uint64_t bytes, uint32_t *address, struct tandem_error *err);
int store_release(struct store *s, uint32_t address, struct tandem_error *err);

/* Returns whether all of [address, address + bytes) belongs to one allocation; any length. */
bool store_holds(const struct store *s, uint32_t address, uint64_t bytes);
uint64_t store_digest(const struct store *s);

/* Returns the same for an access within a granule: naturally aligned, at most 16 bytes. */
static inline bool store_valid(const struct store *s, uint32_t address, uint32_t bytes) {
  return (address & (STORE_GRANULE - 1)) + bytes <= s->valid[address / STORE_GRANULE];
}

/* A range [first, end) of addresses. */
struct store_range {
  uint64_t first, end;
};

/* Returns the allocation that holds the address; an empty range if there is none. */
struct store_range store_range(const struct store *s, uint32_t address);

#endif
