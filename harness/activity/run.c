/* The kernel's run with the netlist in the place of the RTL. */
#include "harness/activity/local.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct rtl_model *open_netlist(void *user, uint64_t seed) {
  struct activity_run *run = user;
  netlist_opener *open;
  *(void **)&open = dlsym(run->library, "netlist_open");
  struct rtl_model *m = open != NULL ? open(seed, run->from, run->to) : NULL;
  if (run->model == NULL)
    run->model = m;
  return m;
}

static void read_counts(struct activity_run *run) {
  netlist_counter *count;
  *(void **)&count = dlsym(run->library, "netlist_count");
  count(run->model, &run->counts);
}

unsigned activity_number(const struct activity_request *q, const char *key) {
  uint64_t value = 0;
  (void)tandem_config_number(q->config, key, &value, NULL);
  return (unsigned)value;
}

/* Opens a GPU with the netlist, or with the reference alone (NULL).  Its front end is clocked in
 * every cycle, so that its cycles are the run's, and what a mismatch is reported with does not need
 * views or waveforms that netlists do not have. */
static enum tandem_status open_gpu(const struct activity_request *q,
                                   const struct tandem_netlist *netlist, struct tandem **t,
                                   struct tandem_error *err) {
  const char *const settings[][2] = {{"run.engine", netlist != NULL ? "lockstep" : "ref"},
                                     {"run.compare", netlist != NULL ? "true" : "false"},
                                     {"run.skip_quiet", "false"},
                                     {"run.assertions", "false"},
                                     {"run.bug", "0"}};
  struct tandem_config *c = tandem_config_copy(q->config);
  if (c == NULL) {
    tandem_fail(err, -ENOMEM, "out of memory");
    return TANDEM_USAGE;
  }
  tandem_config_netlist(c, netlist);
  tandem_config_stop(c, q->to);
  enum tandem_status status = tandem_config_trace(c, NULL, err);
  if (status == TANDEM_OK)
    status = tandem_config_report(c, NULL, NULL, err);
  for (size_t i = 0; status == TANDEM_OK && i < sizeof settings / sizeof settings[0]; i++)
    status = tandem_config_set(c, settings[i][0], settings[i][1], err);
  if (status == TANDEM_OK)
    status = tandem_open(c, t, err);
  tandem_config_destroy(c);
  return status;
}

static int too_short(const struct activity_request *q, const struct tandem *t,
                     struct tandem_error *err) {
  struct tandem_statistic cycles;
  (void)tandem_statistic(t, "cycles", &cycles, NULL);
  return tandem_fail(err, -EINVAL,
                     "%s is too short for the window of cycles %" PRIu64 " to %" PRIu64
                     ": it ends after %" PRIu64
                     " cycles; choose an earlier or shorter one (--from, --to)",
                     q->kernel, q->from, q->to, cycles.count);
}

/* The result of a run that has ended, as of activity_measure; reads the counts. */
static int verdict(const struct activity_request *q, struct activity_run *run,
                   enum tandem_status status, char **report, struct tandem_error *err) {
  const char *kind = tandem_failure(run->t)->kind;
  if (kind[0] != '\0') {
    *report = strdup(tandem_report(run->t));
    const struct tandem_error why = *err;
    return tandem_fail(err, -EBADMSG, "%s%.900s",
                       strcmp(kind, "port") == 0
                           ? "the netlist does not do what the reference does: "
                           : "the run with the netlist failed: ",
                       why.text);
  }
  if (status != TANDEM_OK && !tandem_stopped(run->t))
    return -EINVAL;
  read_counts(run);
  return run->counts.cycles == q->to - q->from ? 0 : too_short(q, run->t, err);
}

static int check(const struct activity_request *q, struct tandem_error *err) {
  if (q->to <= q->from)
    return tandem_fail(err, -EINVAL, "the window of cycles %" PRIu64 " to %" PRIu64 " is empty",
                       q->from, q->to);
  const unsigned warp_size = activity_number(q, "warp_size");
  if (warp_size != 32)
    return tandem_fail(err, -EINVAL, "activity is measured with warps of 32 threads, not %u",
                       warp_size);
  const unsigned entries = activity_number(q, "sm.ibuffer_entries");
  if (entries != 2)
    return tandem_fail(err, -EINVAL,
                       "activity is measured with instruction buffers of 2 entries, not %u",
                       entries);
  return access(q->kernel, R_OK) == 0
             ? 0
             : tandem_fail(err, -ENOENT, "cannot read the kernel's launch description %s: %s",
                           q->kernel, strerror(errno));
}

int activity_rehearse(const struct activity_request *q, struct tandem_error *err) {
  struct tandem *t = NULL;
  struct tandem_job *job = NULL;
  int result = check(q, err);
  if (result != 0)
    return result;
  enum tandem_status status = open_gpu(q, NULL, &t, err);
  if (status == TANDEM_OK)
    status = tandem_job_open(t, q->kernel, &job, err);
  if (status == TANDEM_OK)
    status = tandem_job_run(job, err);
  if (t != NULL && tandem_stopped(t))
    result = 0;
  else if (status == TANDEM_OK)
    result = too_short(q, t, err);
  else
    result = -EINVAL;
  tandem_job_close(job);
  tandem_close(t);
  return result;
}

int activity_run(const struct activity_request *q, const char *model, struct activity_run *run,
                 char **report, struct tandem_error *err) {
  const struct tandem_netlist netlist = {run, open_netlist};
  struct tandem_job *job = NULL;
  *run = (struct activity_run){.from = q->from, .to = q->to};
  run->library = dlopen(model, RTLD_NOW | RTLD_LOCAL);
  if (run->library == NULL)
    return tandem_fail(err, -ENOEXEC, "cannot load the netlist's model: %s", dlerror());
  enum tandem_status status = open_gpu(q, &netlist, &run->t, err);
  if (status == TANDEM_OK)
    status = tandem_job_open(run->t, q->kernel, &job, err);
  int result = status == TANDEM_OK ? 0 : -EINVAL;
  if (status == TANDEM_OK) {
    status = tandem_job_run(job, err);
    result = verdict(q, run, status, report, err);
  }
  tandem_job_close(job);
  return result;
}

void activity_run_end(struct activity_run *run) {
  tandem_close(run->t);
  if (run->library != NULL)
    dlclose(run->library);
  *run = (struct activity_run){0};
}
