/* Processes of this machine: how each ended, and what it used. */
#include "harness/experiment/launcher.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"

enum { SLOTS = 2 };
static const uint64_t MB = 1000000;

static struct launcher make(void) {
  struct launcher l;
  struct tandem_error err = {{0}};
  assert_int_equal(launcher_local(SLOTS, &l, &err), 0);
  return l;
}

static void start(struct launcher *l, size_t slot, const char *script, double timeout_s,
                  uint64_t memory) {
  char *argv[] = {(char[]){"/bin/bash"}, (char[]){"-c"}, strdup(script), NULL};
  struct tandem_error err = {{0}};
  const struct launcher_job job = {
      .argv = argv, .error = "/dev/null", .timeout_s = timeout_s, .memory_most = memory};
  assert_int_equal(l->start(l->self, slot, &job, &err), 0);
  free(argv[2]);
}

static struct launcher_end await(struct launcher *l) {
  struct launcher_end end;
  unsigned waits = 0;
  while (l->wait(l->self, &end, NULL) == 0)
    assert_true(waits++ < 3000);
  return end;
}

/* The end of a script by itself. */
static struct launcher_end end_of(const char *script, double timeout_s, uint64_t memory) {
  struct launcher l = make();
  start(&l, 1, script, timeout_s, memory);
  const struct launcher_end end = await(&l);
  assert_int_equal(end.slot, 1);
  l.destroy(l.self);
  return end;
}

TEST(exit_status) {
  const struct launcher_end fine = end_of("exit 0", 0, 0), seven = end_of("exit 7", 0, 0);
  assert_int_equal(fine.exit, 0);
  assert_int_equal(seven.exit, 7);
  assert_int_equal(seven.signal, 0);
  assert_int_equal(seven.reason, LAUNCHER_EXIT);
}

TEST(signals) {
  static const int numbers[] = {SIGSEGV, SIGKILL, SIGTERM};
  for (size_t i = 0; i < 3; i++) {
    char script[32];
    (void)snprintf(script, sizeof script, "kill -%d $$", numbers[i]);
    const struct launcher_end end = end_of(script, 0, 0);
    assert_int_equal(end.exit, -1);
    assert_int_equal(end.signal, numbers[i]);
    assert_int_equal(end.reason, LAUNCHER_EXIT);
  }
}

/* A process that ignores SIGTERM ends, too. */
TEST(time_limit) {
  const struct launcher_end end = end_of("sleep 60", 0.05, 0),
                            deaf = end_of("trap '' TERM; while :; do :; done", 0.05, 0);
  assert_int_equal(end.reason, LAUNCHER_TIMEOUT);
  assert_int_equal(end.signal, SIGTERM);
  assert_int_equal(deaf.reason, LAUNCHER_TIMEOUT);
  assert_int_equal(deaf.signal, SIGKILL);
  assert_true(deaf.cpu_s > 0.01 && deaf.wall_s > deaf.cpu_s / 2);
}

/* Texts of some MB in the shell's memory. */
#define GROW "x=$(head -c 40000000 /dev/zero | tr '\\0' a);"
TEST(memory_limit) {
  const struct launcher_end lasting = end_of(GROW " sleep 60", 0, 30 * MB),
                            brief = end_of(GROW, 0, 30 * MB), free_ = end_of(GROW, 0, 0),
                            small = end_of("exit 0", 0, 200 * MB);
  assert_int_equal(lasting.reason, LAUNCHER_MEMORY);
  assert_int_equal(brief.reason, LAUNCHER_MEMORY);
  assert_int_equal(free_.reason, LAUNCHER_EXIT);
  assert_true(free_.memory > 40 * MB);
  assert_int_equal(small.reason, LAUNCHER_EXIT);
}

/* A limit holds while other processes end one after the other. */
TEST(limits_beside_others) {
  struct launcher l = make();
  bool ended = false;
  start(&l, 1, "sleep 60", 0.1, 0);
  for (unsigned i = 0; i < 3000 && !ended; i++) {
    start(&l, 0, "exit 0", 0, 0);
    struct launcher_end end = await(&l);
    ended = end.slot == 1;
    if (ended)
      end = await(&l);
    assert_int_equal(end.slot, 0);
  }
  assert_true(ended);
  l.destroy(l.self);
}

TEST(stopped) {
  struct launcher l = make();
  struct launcher_end end;
  start(&l, 0, "sleep 60", 0, 0);
  start(&l, 1, "sleep 60", 0, 0);
  l.stop(l.self);
  assert_int_equal(l.wait(l.self, &end, NULL), 0);
  l.destroy(l.self);
}

TEST(not_there) {
  struct launcher l = make();
  struct tandem_error err = {{0}};
  char *argv[] = {(char[]){"/nowhere/program"}, NULL};
  const struct launcher_job job = {.argv = argv, .error = "/dev/null"};
  assert_true(l.start(l.self, 0, &job, &err) < 0);
  assert_non_null(strstr(err.text, "cannot start a process: No such file"));
  l.destroy(l.self);
}

int main(void) { return test_run(NULL, NULL); }
