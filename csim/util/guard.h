/* A process that outlives this one by an instant: it ends the process groups of one that was killed
 * outright, which no handler of signals sees. */
#ifndef TANDEM_UTIL_GUARD_H
#define TANDEM_UTIL_GUARD_H

#include <sys/types.h>

/* Starts it, while this process has one thread.  Without it the groups go on after a kill -9. */
void guard_start(void);
/* A process group that ends with this process: from now on, or no longer.  Any thread. */
void guard_add(pid_t group);
void guard_drop(pid_t group);

#endif
