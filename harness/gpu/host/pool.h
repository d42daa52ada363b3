/* Host threads: some run the same function in turns and meet at the end of each; the others work
 * beside them, when there is something to do.
 *
 * Meeting spins for a few microseconds, then gives the processor away, then sleeps: machines are
 * shared, and a thread that spins for one that is not running only delays it.
 */
#ifndef TANDEM_POOL_H
#define TANDEM_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/util/error.h"

struct pool;

/* The work of the threads.  Thread 0 is the caller of pool_run. */
struct pool_work {
  unsigned threads;
  void (*cycle)(void *context, unsigned thread);
  /* A piece of work of those that do not meet.  Returns false if there is none: the thread then
   * waits for the next pool_ring. */
  bool (*beside)(void *context, unsigned thread);
  void *context;
};

/* 0 or a negative errno. */
int pool_create(const struct pool_work *work, struct pool **p, struct tandem_error *err);
void pool_destroy(struct pool *p); /* NULL allowed */

/* Runs the function on the first `meet` threads, and returns when all have returned; 1: on thread 0
 * only. */
void pool_run(struct pool *p, unsigned meet);

/* Tells those that do not meet that there is something to do. */
void pool_ring(struct pool *p);
/* Gives the processor away for a moment, for a thread that waits for another one. */
void pool_pause(unsigned waited);

/* The nanoseconds for which the threads were ready to run and did not, since they began; 0 on a
 * host that does not say it. */
uint64_t pool_delay(const struct pool *p);
/* Returns false if other programs leave less than a processor for each thread at the moment. */
bool pool_has_room(const struct pool *p);

#endif
