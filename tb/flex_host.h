/* Schemes of launches on a Flex cluster, chosen by the harness's files (harness/gpu/flex); an
 * interface that C++ can call. */
#ifndef TANDEM_TB_FLEX_HOST_H
#define TANDEM_TB_FLEX_HOST_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sm_shape;
struct tandem;

/* Returns true if the GPU is one cluster of this RTL, and no scheme is to be chosen by what a
 * launch has measured, which nothing measures here; else prints a message. */
bool tb_flex_fits(const struct tandem *t, unsigned members, unsigned dummy);

/* Returns the core cycles in which domains power up. */
unsigned tb_flex_power_up(const struct tandem *t);

/* The launch that is about to run. */
struct tb_flex_launch {
  unsigned mode;   /* the scheme, as at the port */
  bool own_memory; /* shared memory and L1D are not lent */
  bool changes;    /* it is another scheme than that of the launch before */
};
struct tb_flex_launch tb_flex_launch_of(const struct tandem *t);

/* Returns the set of members that take CTAs of that launch. */
unsigned tb_flex_active(const struct tandem *t);

/* Returns the member that has the upper halves of this one's wide warps; -1: none. */
int tb_flex_upper(unsigned member);

/* Returns the shape of a member's back end in that launch; NULL: that of an SM alone.  The shape of
 * its memory side is set. */
const struct sm_shape *tb_flex_shape(const struct tandem *t, unsigned member);

#ifdef __cplusplus
}
#endif
#endif
