/* The host's actions on a GPU, in order, so that a second one can be brought to the same cycle.
 * Everything simulated is deterministic; nothing else needs to be recorded. */
#ifndef TANDEM_JOURNAL_H
#define TANDEM_JOURNAL_H

#include "harness/tandem.h"

struct isa_program;

enum journal_kind { JOURNAL_ALLOC, JOURNAL_WRITE, JOURNAL_LOAD, JOURNAL_LAUNCH };

struct journal_entry {
  enum journal_kind kind;
  uint32_t address;
  uint64_t bytes;
  void *data; /* written bytes, or arguments */
  struct isa_program *program;
  struct tandem_launch launch;
};

struct journal {
  struct journal_entry *entries;
  size_t n, capacity;
};

struct journal *journal_create(void); /* NULL: out of memory */
void journal_destroy(struct journal *j);

/* Copies what it needs, except programs.  False: out of memory. */
bool journal_alloc(struct journal *j, uint64_t bytes);
bool journal_write(struct journal *j, uint32_t address, const void *from, uint64_t bytes);
bool journal_load(struct journal *j, struct isa_program *program);
bool journal_launch(struct journal *j, const struct tandem_launch *launch);

#endif
