/* Reference of rtl/buddy/buddy_cluster.sv (docs/hardware/buddy_member.md, buddy_cluster): front
 * ends, links and group control of a cluster, from the units' references. */
#ifndef TANDEM_REF_BUDDY_CLUSTER_H
#define TANDEM_REF_BUDDY_CLUSTER_H

#include <stdbool.h>

#include "csim/ports/inputs.h"

struct buddy_cluster_ref;

/* A cluster in reset state: 2, 4 or 8 members, `hop` NoC cycles from one to the next (hop *
 * (members - 1) at most 30), `entries` loads that a master follows for each warp (1, 2, 4).
 * NULL if there is no memory. */
struct buddy_cluster_ref *buddy_cluster_ref_create(unsigned members, unsigned hop,
                                                   unsigned entries);
/* In reset state: with instruction buffers of 2 (as without a call), 3 or 4 entries. */
void buddy_cluster_ref_ibuffer(struct buddy_cluster_ref *c, unsigned entries);
void buddy_cluster_ref_destroy(struct buddy_cluster_ref *c);

/* Steps one clock edge; raised[m] has member m's inputs. */
void buddy_cluster_ref_step(struct buddy_cluster_ref *c, const struct buddy_cluster_in *cluster,
                            const struct input_set inputs[]);

/* Copies the outputs: the cluster's, and those of its members. */
void buddy_cluster_ref_out(const struct buddy_cluster_ref *c, struct buddy_cluster_out *own,
                           struct buddy_member_out member[]);

/* Copies the state of a member's front end.  False, with the state of stack and barrier alone,
 * while all else is off or about to be reset (reset_fe). */
bool buddy_cluster_ref_state(const struct buddy_cluster_ref *c, unsigned m,
                             struct sm_frontend_state *state);

#endif
