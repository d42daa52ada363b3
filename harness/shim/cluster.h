/* A verilated buddy cluster, of as many members as the library that is linked was built for
 * (rtl_cluster_2, rtl_cluster_4, rtl_cluster_8). */
#ifndef TANDEM_SHIM_CLUSTER_H
#define TANDEM_SHIM_CLUSTER_H

#include "harness/ports/units.h"

#ifdef __cplusplus
extern "C" {
#endif

struct buddy_cluster_rtl;
/* In reset state, what reset leaves alone random by the seed. */
struct buddy_cluster_rtl *buddy_cluster_rtl_create(uint64_t seed);
void buddy_cluster_rtl_destroy(struct buddy_cluster_rtl *c);
unsigned buddy_cluster_rtl_members(void);

/* Switches fault n of rtl/bugs.def or rtl/buddy/bugs.def on (0: none); -1 if the build has none. */
int buddy_cluster_rtl_bug(struct buddy_cluster_rtl *c, unsigned n);

/* Outputs after the last edge (they depend on state alone); members: an element a member. */
void buddy_cluster_rtl_out(struct buddy_cluster_rtl *c, struct buddy_cluster_out *out,
                           struct buddy_member_out *members);

/* Applies the inputs and the edges of a core cycle. */
void buddy_cluster_rtl_step(struct buddy_cluster_rtl *c, const struct buddy_cluster_in *in,
                            const struct buddy_member_in *members);

/* Number of failed assertions so far, with the text of the first; 0 if none. */
unsigned buddy_cluster_rtl_assertions(const struct buddy_cluster_rtl *c, const char **first);

#ifdef __cplusplus
}
#endif
#endif
