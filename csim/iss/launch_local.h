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
};

/* The CTA runs on the SM.  False: it has run before. */
bool iss_launch_ran(struct iss_launch *l, uint64_t number, unsigned sm);

#endif
