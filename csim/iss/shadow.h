/* Who wrote each byte of a memory since an epoch began, and what the bytes must hold.
 *
 * An epoch is a launch (global memory) or the time from barrier to barrier (shared memory). Writers
 * only ever join: nobody, one thread, several.  So what an epoch ends with does not depend on the
 * order in which threads of several SMs, on several host threads, are seen.
 */
#ifndef TANDEM_ISS_SHADOW_H
#define TANDEM_ISS_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The writer of a byte, or of all bytes of a word: a thread from 1 to SHADOW_THREADS, or one of
 * these. */
enum {
  SHADOW_NOBODY = 0,
  SHADOW_THREADS = 0x7ffffff0,
  SHADOW_DEVICE = 0x7ffffffb,  /* something that is no thread, nothing else */
  SHADOW_SPLIT = 0x7ffffffc,   /* a word: its bytes have writers of their own */
  SHADOW_UNKNOWN = 0x7ffffffd, /* nobody, and the value is not known either */
  SHADOW_ATOMIC = 0x7ffffffe,  /* atomics of any threads, nothing else */
  SHADOW_SEVERAL = 0x7fffffff
};
#define SHADOW_AGAIN                                                                               \
  0x80000000U /* bit of a thread: there was a value before its last that is not kept */

struct shadow {
  uint32_t size;    /* bytes, from address 0 */
  unsigned shift;   /* a block has 1 << shift bytes */
  bool alone;       /* one host thread uses it */
  uint8_t *first;   /* bytes as the epoch began */
  uint8_t *last;    /* by their last writer, where it is one thread */
  uint32_t *writer; /* of each word */
  uint32_t *split;  /* of each byte of a split word */
  uint16_t *pc;     /* of the last store to each word */
  uint8_t *touched; /* of each block: written in this epoch */
  uint8_t *splits;  /* of each block: has split words */
  size_t mapped;
};

/* Room for so many bytes, all 0 and nobody's if it was too small.  False: no memory. */
bool shadow_room(struct shadow *s, uint64_t bytes);
void shadow_free(struct shadow *s);

static inline uint32_t shadow_thread(uint32_t writer) { return writer & ~SHADOW_AGAIN; }
static inline uint32_t shadow_load32(const uint8_t *p) {
  return __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_RELAXED);
}

/* The writer of a byte. */
uint32_t shadow_writer(const struct shadow *s, uint32_t address);

/* A thread (or ATOMIC, DEVICE, SEVERAL, whose values are not kept) writes an aligned word, or less
 * of it, at the PC.  Returns who was its writer before, if that was another single thread; else 0.
 */
uint32_t shadow_write_word(struct shadow *s, uint32_t address, uint32_t value, uint32_t thread,
                           uint16_t pc);
uint32_t shadow_write_bytes(struct shadow *s, uint32_t address, uint32_t value, unsigned bytes,
                            uint32_t thread, uint16_t pc);

/* Whether a thread may read the value in a byte, as far as is known.  LATER: only if another thread
 * writes it in this epoch. */
enum shadow_fit { SHADOW_FITS, SHADOW_RACE, SHADOW_LATER };
enum shadow_fit shadow_read_byte(const struct shadow *s, uint32_t address, uint8_t value,
                                 uint32_t thread);
/* The same once the epoch is over; expected is what the byte held for the thread then. */
bool shadow_explains(const struct shadow *s, uint32_t address, uint8_t value, uint32_t thread);

/* All bytes below size are unknown; nobody has written them. */
void shadow_forget(struct shadow *s, uint32_t size);
/* The next epoch begins, below size: bytes with one writer have their last value, those of several
 * none that is known.  Returns how many words several threads wrote. */
uint32_t shadow_next(struct shadow *s, uint32_t size);

#endif
