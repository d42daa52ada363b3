/* A GPU: open and close, and those who watch it run. */
#ifndef TANDEM_GPU_OPEN_H
#define TANDEM_GPU_OPEN_H

#include "harness/tandem.h"

struct journal;
struct tandem;
struct tandem_config;
struct tandem_error;

/* Checks that a GPU can be made of a configuration.  0 or a negative errno. */
int gpu_check(const struct tandem_config *c, struct tandem_error *err);
/* Makes the GPU of a configuration that gpu_check accepts.  0 or a negative errno, and *t is NULL.
 */
int gpu_open(const struct tandem_config *c, struct tandem **t, struct tandem_error *err);
void gpu_close(struct tandem *t); /* NULL allowed */
/* Does again on t all that the journal has, until something fails. */
enum tandem_status gpu_replay(const struct journal *j, struct tandem *t, struct tandem_error *err);
/* Does again what the host did, up to the failure, with RTL that does not follow: a machine that
 * was ahead of the failure is where it was then.  0 or a negative errno: the machine is still
 * ahead. */
int gpu_repeat(struct tandem *t, struct tandem_error *err);
/* Adds an observer.  False: there are too many. */
bool gpu_observe(struct tandem *t,
                 int (*look)(struct tandem *t, void *own, struct tandem_error *err), void *own);
/* The configuration of an open GPU, with what follows from its keys. */
const struct tandem_config *gpu_config(const struct tandem *t);

#endif
