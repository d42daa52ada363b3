/* The part of tandem bench that compares numbers of host threads. */
#include "harness/cli/bench.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/scratch.h"

enum { ROUNDS = 5, NUMBERS = 3 };
static const uint32_t numbers[NUMBERS] = {1, 2, 4};
static const struct {
  const char *name, *text;
  bool busy;
} hosts[] = {{"free", "seconds on 1, 2, 4", false}, {"busy", "beside a busy process", true}};
enum { HOSTS = sizeof hosts / sizeof hosts[0] };

/* Starts a process that does nothing but run; a negative errno if there is none. */
static pid_t start_busy(void) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    for (volatile unsigned spins = 0;;)
      spins++;
  }
  if (child < 0)
    return -errno;
  scratch_child(child);
  return child;
}

static void end_busy(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  scratch_child_gone(child);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* One run on each number of threads.  Rounds begin with different numbers: a shared host may give a
 * program less time after it had much. */
static enum tandem_status run_round(const char *kernel, bool busy, unsigned round,
                                    double seconds[NUMBERS][ROUNDS]) {
  enum tandem_status status = TANDEM_OK;
  const pid_t beside = busy ? start_busy() : 0;
  if (beside < 0) {
    fprintf(stderr, "tandem: cannot start a process: %s\n", strerror(-beside));
    return TANDEM_USAGE;
  }
  for (unsigned run = 0; run < NUMBERS && status == TANDEM_OK; run++) {
    const unsigned i = (round + run) % NUMBERS;
    struct measured m;
    status = bench_measure(kernel, TANDEM_ENGINE_LOCKSTEP, numbers[i], NULL, &m);
    seconds[i][round] = m.stats.wall_s;
  }
  if (busy)
    end_busy(beside);
  return status;
}

enum tandem_status bench_threads(const char *kernel, FILE *text, json_t *o) {
  double seconds[HOSTS][NUMBERS][ROUNDS];
  for (unsigned round = 0; round < ROUNDS; round++)
    for (unsigned turn = 0; turn < HOSTS; turn++) {
      const unsigned host = (round + turn) % HOSTS;
      const enum tandem_status status = run_round(kernel, hosts[host].busy, round, seconds[host]);
      if (status != TANDEM_OK)
        return status;
    }
  json_t *all = json_object();
  for (unsigned host = 0; host < HOSTS; host++) {
    json_t *times = json_object();
    fprintf(text, "  %-21s", hosts[host].text);
    for (unsigned i = 0; i < NUMBERS; i++) {
      double *of = seconds[host][i];
      char name[16];
      qsort(of, ROUNDS, sizeof *of, by_size);
      snprintf(name, sizeof name, "%u", (unsigned)numbers[i]);
      json_object_set_new(times, name, json_real(of[ROUNDS / 2]));
      fprintf(text, " %8.2f", of[ROUNDS / 2]);
    }
    fprintf(text, host == 0 ? " threads\n" : "\n");
    json_object_set_new(all, hosts[host].name, times);
  }
  json_object_set_new(o, "threads", all);
  return TANDEM_OK;
}
