/* The folder of runs: whatever stands in it costs one run at most, a front end that stands still
 * loses none, and what is nowhere is given out again. */
#include "harness/experiment/queue/queue.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/scratch.h"
#include "tests/test.h"

static char folder[4096], work[4096], secret[4096], error[4200], results[4200];
static struct launcher l;
static char session[QUEUE_ID];

static void run_shell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run_shell(const char *format, ...) {
  char command[20000];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  assert_int_equal(system(command), 0);
}

static int start(void **state) {
  (void)state;
  char top[] = "/tmp/tandem-queue-XXXXXX";
  if (mkdtemp(top) == NULL || chdir(top) != 0)
    return -1;
  snprintf(folder, sizeof folder, "%s/q", top);
  snprintf(work, sizeof work, "%s/work", top);
  snprintf(secret, sizeof secret, "%s/secret", top);
  snprintf(error, sizeof error, "%s/err", work);
  snprintf(results, sizeof results, "%s/json", work);
  return 0;
}

static int stop(void **state) {
  char top[4096];
  (void)state;
  scratch_remove(getcwd(top, sizeof top));
  return 0;
}

/* A front end of an empty folder. */
static void open_with(struct launcher_workers w) {
  struct tandem_error err = {{0}};
  run_shell("rm -rf q work; mkdir work; echo of-the-user >secret");
  w.folder = folder;
  w.program = "/bin/true";
  if (launcher_queue(&w, &l, &err) != 0)
    fail_msg("%s", err.text);
}

/* Gives out a run in a slot; the first one shows the session. */
static void give(size_t slot, const char *script) {
  struct tandem_error err = {{0}};
  struct queue_front f;
  char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, strdup(script), results, NULL};
  const struct launcher_job job = {.argv = argv, .error = error, .results = results};
  if (l.start(l.self, slot, &job, &err) != 0)
    fail_msg("%s", err.text);
  free(argv[2]);
  assert_int_equal(queue_front_read(folder, &f, &err), 0);
  snprintf(session, sizeof session, "%s", f.session);
  queue_front_free(&f);
}

static struct launcher_end await(void) {
  struct launcher_end end;
  struct tandem_error err = {{0}};
  int got;
  for (unsigned waits = 0; (got = l.wait(l.self, &end, &err)) == 0; waits++)
    assert_true(waits < 200);
  if (got < 0)
    fail_msg("%s", err.text);
  return end;
}

static bool there(const char *part, const char *name) {
  char path[QUEUE_PATH];
  struct stat st;
  return queue_path(folder, part, name, path, NULL) == 0 && lstat(path, &st) == 0;
}

/* Things that may stand under a name, made by a command of the shell with that name as $f. */
static const char *const bad[] = {"mkdir \"$f\"",
                                  "mkdir \"$f\"; touch \"$f/x\"",
                                  "mkfifo \"$f\"",
                                  "ln -s \"$PWD/secret\" \"$f\"",
                                  "ln \"$PWD/secret\" \"$f\"",
                                  "echo '{\"exit\":0}' >end; ln -s \"$PWD/end\" \"$f\"",
                                  "ln -s nowhere \"$f\"",
                                  "ln -s /dev/zero \"$f\"",
                                  "ln -s /dev/stdin \"$f\"",
                                  "truncate -s 20M \"$f\""};
static const char *const cut[] = {": >\"$f\"", "printf '{\"exit\":0' >\"$f\"", "echo [] >\"$f\"",
                                  "echo '{\"exit\":\"0\"}' >\"$f\"",
                                  "head -c 1000 /dev/urandom >\"$f\""};
enum { BAD = sizeof bad / sizeof bad[0], CUT = sizeof cut / sizeof cut[0] };

static const char *bad_at(size_t i) { return i < BAD ? bad[i] : cut[i - BAD]; }

/* A bad end, or a bad file beside a good end, is a failure of its run, and of no other. */
TEST(bad_ends) {
  static const char *const endings[] = {"", ".json", ".err"};
  for (size_t k = 0; k < 3; k++)
    for (size_t i = 0; i < (k == 0 ? BAD + CUT : BAD - 1); i++) {
      open_with((struct launcher_workers){.workers = 1});
      give(0, "true");
      give(1, "true");
      run_shell("f=q/done/%s-0000000001.w%s; %s", session, endings[k], bad_at(i));
      if (k != 0)
        run_shell("echo '{\"exit\":0}' >q/done/%s-0000000001.w", session);
      const struct launcher_end first = await();
      run_shell("echo '{\"exit\":0}' >q/done/%s-0000000002.w", session);
      const struct launcher_end second = await();
      if (first.slot != 0 || first.exit != -1 ||
          strstr(first.cause, "no end that can be read") == NULL || second.slot != 1 ||
          second.exit != 0)
        fail_msg("`%s` as %s: exits %d and %d, %s", bad_at(i), endings[k], first.exit, second.exit,
                 first.cause);
      run_shell("! grep -rs of-the-user work && grep -q of-the-user secret && [ ! -e work/err ]");
      l.destroy(l.self);
      run_shell("[ -z \"$(ls q/done q/queue q/taken | grep -v :)\" ]");
    }
}

/* Names that no front end and no worker gives stay. */
TEST(other_names) {
  open_with((struct launcher_workers){.workers = 1});
  run_shell("for p in queue taken done refused; do mkdir q/$p/a.b; echo x >q/$p/notes.txt; done");
  give(0, "true");
  run_shell("echo '{\"exit\":0}' >q/done/%s-0000000001.w", session);
  assert_int_equal(await().exit, 0);
  l.destroy(l.self);
  run_shell("[ $(ls -d q/*/a.b q/*/notes.txt | wc -l) = 8 ]");
}

/* Parts that are links or files are refused, and what they point to stays. */
TEST(parts_are_folders) {
  static const char *const commands[] = {"mkdir x; touch x/0123456789abcdef-0000000001", "touch x",
                                         "mkfifo x"};
  for (size_t i = 0; i < 3; i++) {
    struct tandem_error err;
    const struct launcher_workers w = {.folder = folder, .program = "/bin/true", .workers = 1};
    run_shell("rm -rf q x; mkdir q; %s; ln -s ../x q/done", commands[i]);
    assert_true(launcher_queue(&w, &l, &err) < 0);
    assert_non_null(strstr(err.text, "q/done"));
    run_shell("[ -e x ] && { [ ! -d x ] || [ -e x/* ]; }");
  }
}

/* A run of which no file is left waits again, soon. */
TEST(nowhere) {
  char name[QUEUE_NAME];
  struct launcher_end end;
  struct tandem_error err;
  open_with((struct launcher_workers){.workers = 1, .nowhere_s = 0.1});
  give(0, "true");
  snprintf(name, sizeof name, "%s-0000000001", session);
  run_shell("mkdir q/taken/%s.w; rm q/queue/*", name); /* a folder is no run's file */
  for (unsigned waits = 0; !there("queue", name); waits++) {
    assert_int_equal(l.wait(l.self, &end, &err), 0);
    assert_true(waits < 50);
  }
  l.destroy(l.self);
}

/* Without the folder the front end says so; its own file and parts it makes again. */
TEST(folder_is_gone) {
  struct launcher_end end;
  struct tandem_error err = {{0}};
  int got = 0;
  open_with((struct launcher_workers){.workers = 1, .nowhere_s = 0.1, .stood_s = 0.1});
  give(0, "true");
  run_shell("rm -rf q/front.json q/done q/taken");
  for (unsigned waits = 0; !there(".", "front.json"); waits++) {
    assert_int_equal(l.wait(l.self, &end, &err), 0);
    assert_true(waits < 50);
  }
  assert_true(there(".", "done") && there(".", "taken"));
  run_shell("rm -rf q");
  for (unsigned waits = 0; got == 0; waits++) {
    got = l.wait(l.self, &end, &err);
    assert_true(waits < 50);
  }
  assert_int_equal(got, -ENOENT);
  assert_non_null(strstr(err.text, "the folder of the runs is gone"));
  l.destroy(l.self);
}

/* A front end that stood still starts its workers again. */
TEST(workers_start_again) {
  struct launcher_end end;
  struct tandem_error err;
  open_with((struct launcher_workers){
      .workers = 1, .submit = "echo %c >>%d/started", .nowhere_s = 0.1, .stood_s = 0.1});
  give(0, "true");
  for (unsigned waits = 0; waits < 3; waits++)
    assert_int_equal(l.wait(l.self, &end, &err), 0);
  run_shell("[ $(wc -l <q/started) -ge 2 ]");
  l.destroy(l.self);
}

/* ---- workers ---- */

static volatile sig_atomic_t ended;
static void on_end(int number) { ended = number; }

/* A worker, which begins once `go` is closed. */
static pid_t fork_worker(int go[2]) {
  assert_int_equal(pipe(go), 0);
  const pid_t pid = fork();
  if (pid != 0) {
    close(go[0]);
    return pid;
  }
  char x;
  const struct worker_request q = {.folder = folder, .slots = 2, .silent_s = 1, .stop = &ended};
  struct tandem_error err = {{0}};
  (void)signal(SIGTERM, on_end);
  close(go[1]);
  (void)!read(go[0], &x, 1);
  const int status = worker_run(&q, &err);
  if (status != 0)
    fprintf(stderr, "worker: %s\n", err.text);
  _exit(status == 0 ? 0 : 1);
}

static void end_worker(pid_t pid, int expected) {
  int status;
  (void)kill(pid, SIGTERM);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), expected);
}

/* The runs of a front end that stands still wait again, and end once it goes on. */
TEST(front_stands_still) {
  int go[2];
  char name[QUEUE_NAME];
  open_with((struct launcher_workers){.workers = 1});
  give(0, "[ -e begun ] && exit 3; touch begun; sleep 60");
  snprintf(name, sizeof name, "%s-0000000001", session);
  const pid_t pid = fork_worker(go);
  close(go[1]);
  for (unsigned waits = 0; access("begun", F_OK) != 0 || !there("queue", name); waits++) {
    assert_true(waits < 1000);
    usleep(10000);
  }
  assert_int_equal(await().exit, 3);
  end_worker(pid, 0);
  l.destroy(l.self);
}

/* A bad file in the place of a run is that run's failure; nothing is written through what stands in
 * the place of its outputs. */
TEST(bad_runs) {
  int go[2];
  char host[72] = "";
  bool seen[BAD + CUT + 1] = {false};
  assert_int_equal(gethostname(host, sizeof host - 1), 0);
  for (char *c = host; (c = strchr(c, '.')) != NULL;)
    *c = '_';
  open_with((struct launcher_workers){.workers = 1});
  for (size_t i = 0; i < BAD + CUT; i++) {
    give(i, "true");
    run_shell("f=q/queue/%s-%010zu; rm $f; %s", session, i + 1, bad_at(i));
  }
  give(BAD + CUT, "echo said >&2");
  const pid_t pid = fork_worker(go);
  run_shell("f=q/done/%s-%010u.%s-%d; ln -s $PWD/secret $f.err; mkfifo $f.json", session,
            BAD + CUT + 1, host, (int)pid);
  close(go[1]);
  for (size_t i = 0; i < BAD + CUT + 1; i++) {
    const struct launcher_end end = await();
    const bool last = end.slot == BAD + CUT;
    seen[end.slot] = true;
    if (end.exit != (last ? 0 : 127) || (!last && strstr(end.cause, "did not begin") == NULL))
      fail_msg("`%s`: exit %d, %s", last ? "good" : bad_at(end.slot), end.exit, end.cause);
  }
  for (size_t i = 0; i < BAD + CUT + 1; i++)
    assert_true(seen[i]);
  run_shell("grep -qx said work/err && grep -qx of-the-user secret");
  end_worker(pid, 0);
  l.destroy(l.self);
}

/* A worker whose folder is gone says so. */
TEST(workers_folder_is_gone) {
  int go[2], status;
  open_with((struct launcher_workers){.workers = 1});
  const pid_t pid = fork_worker(go);
  close(go[1]);
  usleep(300000);
  run_shell("rm -rf q");
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  l.destroy(l.self);
}

/* Nor does it wait for the file of a front end that it may not read. */
TEST(front_is_foreign) {
  int go[2], status;
  open_with((struct launcher_workers){.workers = 1});
  const pid_t pid = fork_worker(go);
  run_shell("mkfifo q/front.json");
  close(go[1]);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  l.destroy(l.self);
}

int main(void) { return test_run(start, stop); }
