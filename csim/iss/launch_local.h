/* The state of a launch's check. */
#ifndef TANDEM_ISS_LAUNCH_LOCAL_H
#define TANDEM_ISS_LAUNCH_LOCAL_H

#include "csim/iss/iss_local.h"

struct iss_launch {
  const struct grid *grid;
  unsigned sms;
  struct iss **iss; /* of each SM */
  uint8_t *run;     /* of each CTA: the SM that it ran on, plus one; 0: it has not run */
  uint64_t ran;     /* CTAs */

  bool memory;          /* is checked in this launch */
  bool races;           /* are listed */
  struct shadow shadow; /* of global memory */
  const uint8_t *bytes; /* of it, from address 0 */
  struct iss_range *range;
  size_t ranges;
  uint64_t global_races;  /* words that several threads wrote, of all launches */
  struct atomics atomics; /* of all SMs, at the end */
};

/* The CTA runs on the SM.  False: it has run before. */
bool iss_launch_ran(struct iss_launch *l, uint64_t number, unsigned sm);

/* image.c: the shadow of global memory becomes what memory holds; false: no memory.  At the end:
 * late reads, atomics, and every byte. */
bool image_begin(struct iss_launch *l);
bool image_finish(struct iss_launch *l, unsigned *sm);

#endif
