/* Host threads that run the same function once a cycle and meet at its end.
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

/* work(context, thread) with thread 0 to threads - 1; thread 0 is the caller of pool_run.  0 or a
 * negative errno. */
int pool_create(unsigned threads, void (*work)(void *context, unsigned thread), void *context,
                struct pool **p, struct tandem_error *err);
void pool_destroy(struct pool *p); /* NULL allowed */

/* Runs work on every thread and returns when all have returned; alone: on thread 0 only. */
void pool_run(struct pool *p, bool alone);

/* The nanoseconds for which the threads were ready to run and did not, since they began; 0 on a
 * host that does not say it. */
uint64_t pool_delay(const struct pool *p);
/* Returns false if other programs leave less than a processor for each thread at the moment. */
bool pool_has_room(const struct pool *p);

#endif
