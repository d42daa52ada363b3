/* Global memory: reservation, allocations, digest. */
#include "csim/mem/base/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "csim/isa/core/program.h"

#define SPACE_BYTES ((uint64_t)1 << 32)
#define VALID_BYTES (SPACE_BYTES / STORE_GRANULE * sizeof(uint16_t))

static void *reserve(uint64_t bytes) {
  void *p =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

int store_init(struct store *s, struct tandem_error *err) {
  *s = (struct store){.base = reserve(SPACE_BYTES), .valid = reserve(VALID_BYTES)};
  if (s->base != NULL && s->valid != NULL)
    return 0;
  store_free(s);
  return tandem_fail(err, -ENOMEM, "memory: cannot reserve 4 GiB of address space");
}

void store_free(struct store *s) {
  if (s->base != NULL)
    munmap(s->base, SPACE_BYTES);
  if (s->valid != NULL)
    munmap(s->valid, VALID_BYTES);
  free(s->list);
  *s = (struct store){0};
}

static uint64_t round_up(uint64_t v) {
  return (v + STORE_GRANULE - 1) & ~(uint64_t)(STORE_GRANULE - 1);
}

/* Returns the index of the first allocation that starts above the address. */
static size_t above(const struct store *s, uint64_t address) {
  size_t low = 0;
  size_t high = s->count;
  while (low < high) {
    size_t mid = (low + high) / 2;
    if (s->list[mid].address > address)
      high = mid;
    else
      low = mid + 1;
  }
  return low;
}

static void mark(struct store *s, const struct store_block *b, bool allocated) {
  size_t g = b->address / STORE_GRANULE;
  for (uint64_t left = b->bytes; left > 0; g++) {
    uint16_t n = left < STORE_GRANULE ? (uint16_t)left : STORE_GRANULE;
    s->valid[g] = allocated ? n : 0;
    left -= n;
  }
}

/* Returns the address of the first gap with a guard on both sides, and the index for the list. */
static uint64_t find_gap(const struct store *s, uint64_t bytes, size_t *index) {
  uint64_t at = ISA_GLOBAL_FIRST;
  for (size_t i = 0; i < s->count; i++) {
    if (at + bytes + STORE_GUARD <= s->list[i].address) {
      *index = i;
      return at;
    }
    at = round_up(s->list[i].address + s->list[i].bytes + STORE_GUARD);
  }
  *index = s->count;
  return at;
}

int store_alloc(struct store *s, uint64_t bytes, uint32_t *address, struct tandem_error *err) {
  if (bytes == 0)
    return tandem_fail(err, -EINVAL, "memory: an allocation must have at least one byte");
  size_t index;
  uint64_t at = bytes > SPACE_BYTES ? ISA_GLOBAL_END : find_gap(s, bytes, &index);
  if (bytes > SPACE_BYTES || at + bytes + STORE_GUARD > ISA_GLOBAL_END)
    return tandem_fail(err, -ENOMEM, "memory: no room for %llu bytes of global memory",
                       (unsigned long long)bytes);
  if (s->count == s->room) {
    size_t room = s->room == 0 ? 64 : 2 * s->room;
    struct store_block *list = realloc(s->list, room * sizeof *list);
    if (list == NULL)
      return tandem_fail(err, -ENOMEM, "memory: out of host memory");
    s->list = list;
    s->room = room;
  }
  memmove(&s->list[index + 1], &s->list[index], (s->count - index) * sizeof s->list[0]);
  s->list[index] = (struct store_block){.address = (uint32_t)at, .bytes = bytes};
  s->count++;
  mark(s, &s->list[index], true);
  *address = (uint32_t)at;
  return 0;
}

/* Zeroes a freed range and gives its whole pages back to the host. */
static void wipe(struct store *s, const struct store_block *b) {
  const uint64_t page = 65536; /* a multiple of every page size in use */
  uint64_t first = b->address;
  uint64_t end = first + b->bytes;
  uint64_t low = (first + page - 1) / page * page;
  uint64_t high = end / page * page;
  if (low >= high || madvise(s->base + low, high - low, MADV_DONTNEED) != 0) {
    memset(s->base + first, 0, end - first);
    return;
  }
  memset(s->base + first, 0, low - first);
  memset(s->base + high, 0, end - high);
}

int store_release(struct store *s, uint32_t address, struct tandem_error *err) {
  size_t i = above(s, address);
  if (i == 0 || s->list[i - 1].address != address)
    return tandem_fail(err, -EINVAL, "memory: 0x%08x is not the start of an allocation", address);
  struct store_block b = s->list[i - 1];
  mark(s, &b, false);
  wipe(s, &b);
  memmove(&s->list[i - 1], &s->list[i], (s->count - i) * sizeof s->list[0]);
  s->count--;
  return 0;
}

struct store_range store_range(const struct store *s, uint32_t address) {
  size_t i = above(s, address);
  if (i == 0 || address - s->list[i - 1].address >= s->list[i - 1].bytes)
    return (struct store_range){0, 0};
  return (struct store_range){s->list[i - 1].address,
                              s->list[i - 1].address + s->list[i - 1].bytes};
}

bool store_holds(const struct store *s, uint32_t address, uint64_t bytes) {
  struct store_range r = store_range(s, address);
  return r.first < r.end && bytes <= r.end - address;
}

/* Multiply-and-fold over 64-bit words in four independent lanes: an even spread of all bits at
 * several bytes a cycle.  Not cryptographic. */
static uint64_t fold(uint64_t a, uint64_t b) {
  unsigned __int128 p = (unsigned __int128)a * b;
  return (uint64_t)p ^ (uint64_t)(p >> 64);
}

static const uint64_t keys[4] = {0x9e3779b97f4a7c15U, 0xd1b54a32d192ed03U, 0xabc98388fb8fac03U,
                                 0x8cb92ba72f3d8dd7U};

static uint64_t hash_bytes(uint64_t seed, const uint8_t *p, uint64_t bytes) {
  uint64_t h[4];
  for (unsigned i = 0; i < 4; i++)
    h[i] = seed ^ keys[i];
  while (bytes > 0) {
    uint64_t w[4] = {0};
    uint64_t n = bytes < sizeof w ? bytes : sizeof w;
    memcpy(w, p, n);
    for (unsigned i = 0; i < 4; i++)
      h[i] = fold(h[i] ^ w[i], keys[i]) + w[i];
    p += n;
    bytes -= n;
  }
  uint64_t all = seed;
  for (unsigned i = 0; i < 4; i++)
    all = fold(all ^ h[i], keys[3 - i]) + h[i];
  return all;
}

uint64_t store_digest(const struct store *s) {
  uint64_t h = s->count;
  for (size_t i = 0; i < s->count; i++) {
    const struct store_block *b = &s->list[i];
    h = fold(h ^ b->address ^ keys[0], keys[1]) ^ b->bytes;
    h = hash_bytes(h, s->base + b->address, b->bytes);
  }
  return h;
}
