/* The writer of each byte of a memory since an epoch began, and the value that the byte must have.
 *
 * An epoch is a launch (global memory) or the time from barrier to barrier (shared memory).  The
 * set of writers only grows: nobody, one thread, several.  So the state at the end of an epoch does
 * not depend on the order in which host threads report the accesses of several SMs.
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

struct iss_shadow {
  uint32_t size;    /* bytes, from address 0 */
  unsigned shift;   /* a block has 1 << shift bytes */
  bool alone;       /* one host thread uses it */
  uint8_t *first;   /* bytes as the epoch began */
  uint8_t *last;    /* by their last writer, where it is one thread */
  uint32_t *writer; /* by word */
  uint32_t *split;  /* writers of the bytes of split words, by byte */
  uint16_t *pc;     /* PC of the last store, by word */
  uint8_t *touched; /* by block: written in this epoch */
  uint8_t *splits;  /* by block: has split words */
  size_t mapped;
};

/* Makes room for `bytes` bytes; new room is 0 and has no writer.  False if there is no memory. */
bool iss_shadow_room(struct iss_shadow *s, uint64_t bytes);
void iss_shadow_free(struct iss_shadow *s);

static inline uint32_t iss_shadow_thread(uint32_t writer) { return writer & ~SHADOW_AGAIN; }
static inline uint32_t iss_shadow_load32(const uint8_t *p) {
  return __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_RELAXED);
}

/* Returns the writer of a byte. */
uint32_t iss_shadow_writer(const struct iss_shadow *s, uint32_t address);

/* Notes that a thread writes an aligned word at a PC.  For ATOMIC, DEVICE and SEVERAL no value is
 * kept.  Returns the writer before if that was another single thread, else 0. */
uint32_t iss_shadow_write_word(struct iss_shadow *s, uint32_t address, uint32_t value,
                               uint32_t thread, uint16_t pc);

/* Notes the same for 1 to 4 bytes of a word. */
uint32_t iss_shadow_write_bytes(struct iss_shadow *s, uint32_t address, uint32_t value,
                                unsigned bytes, uint32_t thread, uint16_t pc);

/* Returns whether a thread may read this value in a byte.  LATER: it may if another thread writes
 * the value in this epoch. */
enum iss_shadow_fit { SHADOW_FITS, SHADOW_RACE, SHADOW_LATER };
enum iss_shadow_fit iss_shadow_read_byte(const struct iss_shadow *s, uint32_t address,
                                         uint8_t value, uint32_t thread);
/* Returns whether the epoch, now over, explains that the thread read the value. */
bool iss_shadow_explains(const struct iss_shadow *s, uint32_t address, uint8_t value,
                         uint32_t thread);

/* Makes all bytes below size unknown, without a writer. */
void iss_shadow_forget(struct iss_shadow *s, uint32_t size);
/* Begins the next epoch for the bytes below size.  A byte with one writer keeps its last value; one
 * with several becomes unknown.  Returns the number of words that several threads wrote. */
uint32_t iss_shadow_next(struct iss_shadow *s, uint32_t size);

#endif
