/* Why a warp does not issue in a cycle: the chain of causes, each the cause of the one before it
 * (docs/use/inside.md).  It is found after a run that records what the warp's cell and memory do
 * around the cycle; a run without it does nothing. */
#ifndef TANDEM_GPU_WHY_H
#define TANDEM_GPU_WHY_H

#include "harness/gpu/inside/pipeline.h"

struct why;

struct why_request {
  uint64_t cycle; /* of the whole run */
  unsigned sm, warp;
};

/* Begins to record at the next launch.  0 or a negative errno. */
int why_open(struct tandem *t, const struct why_request *r, struct why **w,
             struct tandem_error *err);
void why_close(struct why *w); /* NULL allowed */

/* Returns whether the recording has ended the run, with an error of its own: all that is asked for
 * is there. */
bool why_complete(const struct why *w);

/* A cause. */
enum { WHY_TEXT = 240, WHY_LINKS = 48 };
struct why_link {
  const char *cause; /* one word */
  unsigned sm, warp;
  uint64_t from, until;             /* cycles; PIPELINE_NEVER: not known */
  const struct pipeline_inst *inst; /* NULL: it is about no instruction */
  char text[WHY_TEXT];
};
struct why_chain {
  struct why_link link[WHY_LINKS];
  unsigned n;
};

/* Finds the causes.  -EINVAL: the SM has no such warp then, or the run has ended before. */
int why_explain(const struct why *w, const struct tandem *t, struct why_chain *chain,
                struct tandem_error *err);

#endif
