/* Verilated buddy clusters (docs/buddy.md).  Which there are, rtl/CMakeLists.txt says. */
#ifndef TANDEM_SHIM_CLUSTER_H
#define TANDEM_SHIM_CLUSTER_H

#include "csim/ports/told.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters of a build of the RTL: members, NoC cycles from one to the next, loads that a
 * master follows for each warp.  buddy_cluster_builds ends with one of 0 members. */
struct buddy_cluster_build {
  unsigned members, hop, entries;
};
extern const struct buddy_cluster_build buddy_cluster_builds[];

struct buddy_cluster_rtl;
/* In reset state, what reset leaves alone random by the seed; NULL if there is no such build.
 * full: with assertions, traces and faults, which cost time. */
struct buddy_cluster_rtl *buddy_cluster_rtl_create(const struct buddy_cluster_build *build,
                                                   bool full, uint64_t seed);
void buddy_cluster_rtl_destroy(struct buddy_cluster_rtl *c);

/* Switches fault n of rtl/bugs.def or rtl/buddy/bugs.def on (0: none); -1 if the build has none. */
int buddy_cluster_rtl_bug(struct buddy_cluster_rtl *c, unsigned n);

/* Outputs after the last edge (they depend on state alone); members: an element a member, the same
 * ones at each call and as it left them, as what they have need not be written again. */
void buddy_cluster_rtl_out(struct buddy_cluster_rtl *c, struct buddy_cluster_out *out,
                           struct buddy_member_out *members);

/* Applies the inputs and the edges of a core cycle; told: an element a member. */
void buddy_cluster_rtl_step(struct buddy_cluster_rtl *c, const struct buddy_cluster_in *in,
                            const struct member_told *told);

/* State of a member's front end; of one that is off, that of its stack and barrier alone. */
void buddy_cluster_rtl_state(struct buddy_cluster_rtl *c, unsigned member,
                             struct sm_frontend_state *state);

/* FST trace: open before the first cycle to be traced; each step is sampled while it is open, the
 * one that ends at time_ps.  0 or a negative errno, -ENOTSUP unless full. */
int buddy_cluster_rtl_trace_open(struct buddy_cluster_rtl *c, const char *path);
void buddy_cluster_rtl_trace_sample(struct buddy_cluster_rtl *c, uint64_t time_ps);
void buddy_cluster_rtl_trace_close(struct buddy_cluster_rtl *c);

/* Number of failed assertions so far, with the text of the first; 0 if none. */
unsigned buddy_cluster_rtl_assertions(const struct buddy_cluster_rtl *c, const char **first);

#ifdef __cplusplus
}
#endif
#endif
