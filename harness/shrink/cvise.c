/* Runs of cvise. */
#include "harness/shrink/cvise.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "csim/util/process.h"

enum { PATH = 4200 };

bool cvise_there(void) {
  int status;
  char *text = NULL;
  const struct process p = {.argv = (const char *const[]){"cvise", "--version", NULL}};
  const bool there = process_output(&p, &status, &text) == 0 && status == 0;
  free(text);
  return there;
}

int cvise_run(const struct cvise *c) {
  char slots[24], timeout[24], log[PATH], test[PATH];
  int status;
  pid_t pid;
  snprintf(slots, sizeof slots, "%zu", c->slots);
  snprintf(timeout, sizeof timeout, "%.0f", c->run_s);
  snprintf(log, sizeof log, "%.4000s/cvise.log", c->folder);
  snprintf(test, sizeof test, "%.4000s/test.sh", c->folder);
  const char *const argv[] = {
      "cvise", "--n",    slots,       "--timeout",
      timeout, "--tidy", "--shaddap", c->lines ? "--pass-group=delta" : "--not-c",
      test,    c->name,  NULL};
  const struct process p = {.argv = argv, .folder = c->folder, .log = log};
  const int error = process_start(&p, &pid);
  if (error != 0)
    return -error;
  while (process_end(pid, false, &status) == 0) {
    if (c->late(c->user)) {
      kill(-pid, SIGTERM);
      (void)process_end_within(pid, 5, &status);
      return 0;
    }
    usleep(20000);
  }
  return 0;
}
