/* Checks of a cluster's groups by its environment (cluster_environment.h). */
#ifndef TANDEM_TEST_CLUSTER_WATCH_H
#define TANDEM_TEST_CLUSTER_WATCH_H

#include "tests/unit/buddy/cluster_environment.h"

/* Keeps what went wrong first. */
void cluster_watch_fault(struct cluster_environment *e, unsigned m, unsigned warp,
                         const char *what);
/* The SP queue of a member, into which the warp may have issued, has room for what is in it. */
void cluster_watch_queue(struct cluster_environment *e, unsigned m, unsigned warp);
/* Groups that work together again: their members must agree. */
void cluster_watch_groups(struct cluster_environment *e, const struct buddy_cluster_out *out);
/* A warp of a leader has ended: do others of its CTA wait, and does it go on elsewhere? */
void cluster_watch_end(struct cluster_environment *e, const struct buddy_cluster_out *out,
                       unsigned m, unsigned warp);
/* Some group is in this state. */
bool cluster_watch_in(const struct buddy_cluster_out *out, unsigned state);
/* Some group is about to form again. */
bool cluster_watch_meeting(const struct buddy_cluster_out *out);
/* Leaders of groups, in whatever state, a bit each. */
uint64_t cluster_watch_leaders(const struct cluster_environment *e,
                               const struct buddy_cluster_out *out);

#endif
