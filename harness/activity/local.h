/* Inside of the measurement of activity. */
#ifndef TANDEM_ACTIVITY_LOCAL_H
#define TANDEM_ACTIVITY_LOCAL_H

#include "csim/ports/netlist.h"
#include "csim/util/files.h"
#include "harness/activity/activity.h"
#include "harness/activity/gates.h"
#include "harness/netlist.h"
#include "synth/flow/steps.h"
#include "synth/input/technology.h"

/* The model that is made of the netlists, in a folder whose name has the parameters' key. */
struct activity_model {
  char folder[1024];
  struct gates ways[ACTIVITY_WAYS]; /* those of the request */
  unsigned members;                 /* 1: a front end alone */
  unsigned stages;                  /* of each link */
};

/* Which way a part of the model is built: a member by the logarithm of how many it leads; behind
 * the members of a cluster (part == members), the cluster. */
unsigned activity_way(unsigned part, unsigned members);

/* The links of a cluster, one after another, in the order in which they are counted.  Starts with
 * zeroes; false: there is no further one. */
bool activity_next_link(struct activity_link *l, unsigned members);

/* model.c: flattens the netlists and makes model.so of them, unless they are there. */
int activity_model_make(const struct activity_request *q, struct activity_model *m,
                        struct tandem_error *err);
void activity_model_free(struct activity_model *m);

/* run.c: the number of a key of the request's configuration. */
unsigned activity_number(const struct activity_request *q, const char *key);

/* run.c: whether the request makes sense and the kernel is there and lasts as long as the
 * window, found out with the reference, in a moment. */
int activity_rehearse(const struct activity_request *q, struct tandem_error *err);

/* Runs the kernel; counts point into *library, to be closed with dlclose after
 * activity_run_end. */
struct activity_run {
  void *library;
  struct tandem *t;
  struct netlist_counts counts;
  uint64_t from, to;
  struct rtl_model *model; /* the first one opened: not that of a run to pin a failure */
};
int activity_run(const struct activity_request *q, const char *model, struct activity_run *run,
                 char **report, struct tandem_error *err);
void activity_run_end(struct activity_run *run);

/* activity.c: fills all of r but what comes from the run. */
int activity_power(const struct activity_request *q, const struct activity_model *model,
                   const struct netlist_counts *counts, struct activity_result *r,
                   struct tandem_error *err);

/* price.c: what memories, links and gated leakage come to, at mhz in a process (nm 0: not
 * known) of the technology. */
int activity_price(const struct technology *t, struct technology_corner process, double mhz,
                   struct activity_result *r, struct tandem_error *err);

/* Runs a program in a folder, what it prints goes to the file `log` there.  what: for the message
 * if it fails, with the log's line that says why. */
int activity_tool(const char *const *argv, const char *folder, const char *what,
                  struct tandem_error *err);

#endif
