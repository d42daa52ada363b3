/* Reference of rtl/flex/flex_cluster.sv (docs/hardware/flex.md): members and control of a cluster,
 * from the units' references. */
#ifndef TANDEM_REF_FLEX_CLUSTER_H
#define TANDEM_REF_FLEX_CLUSTER_H

#include <stdbool.h>

#include "csim/ports/units.h"

struct flex_cluster_ref;

/* A cluster in reset state: 2 or 6 members, `dummy` stages (1, 2; the RTL has no 0) between near
 * and far halves.  NULL if there is no memory. */
struct flex_cluster_ref *flex_cluster_ref_create(unsigned members, unsigned dummy);
void flex_cluster_ref_destroy(struct flex_cluster_ref *c);

/* Steps one clock edge; sm[m] has member m's inputs, of which cfg_lrr and kernel_start are not
 * looked at: the cluster's count. */
void flex_cluster_ref_step(struct flex_cluster_ref *c, const struct flex_cluster_in *cluster,
                           const struct flex_sm_in sm[]);

/* Copies the outputs: the cluster's, and those of its members. */
void flex_cluster_ref_out(const struct flex_cluster_ref *c, struct flex_cluster_out *own,
                          struct flex_member_out member[]);

/* Copies the state of a member's near half with its rows, and of the control; false, with that of
 * the control alone, while near is off or about to be reset (reset_fe). */
bool flex_cluster_ref_state(struct flex_cluster_ref *c, unsigned m,
                            struct flex_member_state *state);

#endif
