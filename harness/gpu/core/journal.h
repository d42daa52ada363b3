/* The host's actions on a GPU, in order, so that a second one can be brought to the same cycle.
 * Everything simulated is deterministic; nothing else needs to be recorded. */
#ifndef TANDEM_JOURNAL_H
#define TANDEM_JOURNAL_H

#include "harness/tandem.h"

struct isa_program;
struct journal;

struct journal *journal_create(void); /* NULL: out of memory */
void journal_destroy(struct journal *j);

/* Copies what it needs, except programs.  False: out of memory. */
bool journal_alloc(struct journal *j, uint64_t bytes);
bool journal_write(struct journal *j, uint32_t address, const void *from, uint64_t bytes);
bool journal_load(struct journal *j, struct isa_program *program);
bool journal_launch(struct journal *j, const struct tandem_launch *launch);

/* Does it all again on t, until something fails. */
enum tandem_status journal_replay(const struct journal *j, struct tandem *t,
                                  struct tandem_error *err);
#endif
