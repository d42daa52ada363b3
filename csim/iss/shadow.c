/* Writers of bytes, and the values that they leave. */
#include "csim/iss/shadow.h"

#include <string.h>
#include <sys/mman.h>

enum { WORD = 4 };

bool iss_shadow_room(struct iss_shadow *s, uint64_t bytes) {
  const uint64_t block = (uint64_t)1 << s->shift, size = (bytes + block - 1) & ~(block - 1);
  if (size <= s->size)
    return true;
  const unsigned shift = s->shift;
  const bool alone = s->alone;
  iss_shadow_free(s);
  *s = (struct iss_shadow){.shift = shift, .alone = alone};
  const size_t blocks = size >> shift, mapped = size * 7 + size / 2 + 2 * blocks;
  uint8_t *p = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return false;
  s->mapped = mapped;
  s->size = (uint32_t)(size <= UINT32_MAX ? size : UINT32_MAX & ~(block - 1));
  s->first = p;
  s->last = p + size;
  s->writer = (uint32_t *)(void *)(p + 2 * size);
  s->split = (uint32_t *)(void *)(p + 3 * size);
  s->pc = (uint16_t *)(void *)(p + 7 * size);
  s->touched = p + 7 * size + size / 2;
  s->splits = s->touched + blocks;
  return true;
}

void iss_shadow_free(struct iss_shadow *s) {
  if (s->mapped != 0)
    munmap(s->first, s->mapped);
  s->mapped = 0;
  s->size = 0;
}

static uint32_t load(const uint32_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }

static inline uint32_t again(uint32_t writer) {
  return writer <= SHADOW_THREADS ? writer | SHADOW_AGAIN : writer;
}

/* Returns the union of two sets of writers, in any order. */
static inline uint32_t join(uint32_t a, uint32_t b) {
  if (a == SHADOW_NOBODY || b == SHADOW_NOBODY)
    return a | b;
  if (a == SHADOW_UNKNOWN || b == SHADOW_UNKNOWN)
    return again(a == SHADOW_UNKNOWN ? b : a);
  if (iss_shadow_thread(a) != iss_shadow_thread(b))
    return SHADOW_SEVERAL;
  return again(a);
}

/* Changes *p from *old to `to`.  False, with the new *old, if another host thread changed it. */
static inline bool change(const struct iss_shadow *s, uint32_t *p, uint32_t *old, uint32_t to) {
  if (!s->alone)
    return __atomic_compare_exchange_n(p, old, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  *p = to;
  return true;
}

static inline void mark(uint8_t *flag) {
  if (__atomic_load_n(flag, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(flag, 1, __ATOMIC_RELAXED);
}

static inline uint32_t other(uint32_t old, uint32_t thread) {
  old = iss_shadow_thread(old);
  return old != thread && old != SHADOW_NOBODY && old <= SHADOW_THREADS ? old : 0;
}

static uint32_t join_byte(struct iss_shadow *s, uint32_t address, uint32_t thread) {
  uint32_t *p = &s->split[address], old = load(p);
  while (!change(s, p, &old, join(old, thread)))
    ;
  return other(old, thread);
}

/* Gives each byte of the word its own writer, at first that of the word. */
static void split(struct iss_shadow *s, uint32_t word) {
  uint32_t *p = &s->writer[word / WORD], old = load(p);
  while (old != SHADOW_SPLIT)
    if (change(s, p, &old, SHADOW_SPLIT)) {
      mark(&s->splits[word >> s->shift]);
      for (uint32_t i = 0; i < WORD && old != SHADOW_NOBODY; i++)
        (void)join_byte(s, word + i, old);
      return;
    }
}

static inline void note(struct iss_shadow *s, uint32_t address, uint16_t pc) {
  mark(&s->touched[address >> s->shift]);
  __atomic_store_n(&s->pc[address / WORD], pc, __ATOMIC_RELAXED);
}

uint32_t iss_shadow_write_bytes(struct iss_shadow *s, uint32_t address, uint32_t value,
                                unsigned bytes, uint32_t thread, uint16_t pc) {
  uint32_t before = 0;
  split(s, address & ~(uint32_t)(WORD - 1));
  for (uint32_t i = 0; i < bytes; i++) {
    const uint32_t was = join_byte(s, address + i, thread);
    before = was != 0 ? was : before;
    if (thread <= SHADOW_THREADS)
      __atomic_store_n(&s->last[address + i], (uint8_t)(value >> 8 * i), __ATOMIC_RELAXED);
  }
  note(s, address, pc);
  return before;
}

uint32_t iss_shadow_write_word(struct iss_shadow *s, uint32_t address, uint32_t value,
                               uint32_t thread, uint16_t pc) {
  uint32_t *p = &s->writer[address / WORD], old = load(p), to;
  do {
    if (old == SHADOW_SPLIT)
      return iss_shadow_write_bytes(s, address, value, WORD, thread, pc);
    to = join(old, thread);
  } while (to != old && !change(s, p, &old, to));
  if (thread <= SHADOW_THREADS)
    __atomic_store_n((uint32_t *)(void *)&s->last[address], value, __ATOMIC_RELAXED);
  note(s, address, pc);
  return other(old, thread);
}

uint32_t iss_shadow_writer(const struct iss_shadow *s, uint32_t address) {
  const uint32_t w = load(&s->writer[address / WORD]);
  return w == SHADOW_SPLIT ? load(&s->split[address]) : w;
}

static uint8_t load8(const uint8_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }

enum iss_shadow_fit iss_shadow_read_byte(const struct iss_shadow *s, uint32_t address,
                                         uint8_t value, uint32_t thread) {
  const uint32_t writer = iss_shadow_thread(iss_shadow_writer(s, address));
  if (writer == SHADOW_UNKNOWN || writer == SHADOW_ATOMIC || writer == SHADOW_DEVICE)
    return SHADOW_FITS;
  if (writer == SHADOW_SEVERAL)
    return SHADOW_RACE;
  if (writer == SHADOW_NOBODY || writer == thread)
    return value == load8(&s->last[address]) ? SHADOW_FITS : SHADOW_LATER;
  return value == load8(&s->last[address]) || value == s->first[address] ? SHADOW_RACE
                                                                         : SHADOW_LATER;
}

/* Another thread that wrote the byte once leaves two values to be read.  If it wrote more than
 * once, the values between are not kept, and any value passes. */
bool iss_shadow_explains(const struct iss_shadow *s, uint32_t address, uint8_t value,
                         uint32_t thread) {
  const uint32_t writer = iss_shadow_writer(s, address);
  if (iss_shadow_thread(writer) == SHADOW_NOBODY || iss_shadow_thread(writer) == thread)
    return false;
  return writer > SHADOW_THREADS || value == s->first[address] || value == s->last[address];
}

void iss_shadow_forget(struct iss_shadow *s, uint32_t size) {
  const uint32_t blocks = (size + (1U << s->shift) - 1) >> s->shift;
  for (uint32_t i = 0; i < (blocks << s->shift) / WORD; i++)
    s->writer[i] = SHADOW_UNKNOWN;
  memset(s->touched, 0, blocks);
}

/* Returns the writer of a byte or word in the next epoch. */
static inline uint32_t after(uint32_t writer) {
  return iss_shadow_thread(writer) > SHADOW_THREADS ? SHADOW_UNKNOWN : SHADOW_NOBODY;
}

static bool next_split(struct iss_shadow *s, uint32_t word) {
  bool several = false, unknown = false;
  for (uint32_t i = word; i < word + WORD; i++) {
    several |= s->split[i] == SHADOW_SEVERAL;
    s->split[i] = after(s->split[i]);
    unknown |= s->split[i] == SHADOW_UNKNOWN;
  }
  if (!unknown)
    s->writer[word / WORD] = SHADOW_NOBODY;
  return several;
}

static uint32_t next_block(struct iss_shadow *s, uint32_t at, uint32_t end) {
  uint32_t several = 0;
  memcpy(s->first + at, s->last + at, end - at);
  for (uint32_t word = at; word < end; word += WORD) {
    uint32_t *w = &s->writer[word / WORD];
    if (*w == SHADOW_SPLIT) {
      several += next_split(s, word);
    } else {
      several += *w == SHADOW_SEVERAL;
      *w = after(*w);
    }
  }
  return several;
}

uint32_t iss_shadow_next(struct iss_shadow *s, uint32_t size) {
  const uint32_t blocks = (size + (1U << s->shift) - 1) >> s->shift;
  uint32_t several = 0;
  for (uint32_t b = 0; b < blocks; b++)
    if (s->touched[b] != 0) {
      s->touched[b] = 0;
      several += next_block(s, b << s->shift, (b + 1) << s->shift);
    }
  return several;
}
