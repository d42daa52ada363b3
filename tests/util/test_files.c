/* Files that are read and written: kinds of files, links, names that are there twice, and signals.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/input.h"
#include "csim/util/output.h"
#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "tests/test.h"

static char folder[] = "/tmp/tandem-files-XXXXXX";

static int start(void **state) {
  (void)state;
  return mkdtemp(folder) != NULL ? chdir(folder) : -1;
}

static int stop(void **state) {
  (void)state;
  scratch_remove(folder);
  return access(folder, F_OK) == 0 ? -1 : 0;
}

static void empty_folder(void) {
  scratch_remove(folder);
  assert_int_equal(mkdir(folder, 0755), 0);
  assert_int_equal(chdir(folder), 0);
}

static void put(const char *name, const char *text, size_t n) {
  FILE *f = fopen(name, "w");
  assert_non_null(f);
  assert_int_equal(fwrite(text, 1, n, f), n);
  assert_int_equal(fclose(f), 0);
}

static void expect(const char *name, const char *text) {
  char *bytes;
  size_t n;
  struct tandem_error err;
  if (input_read(name, 1000, &bytes, &n, &err) != 0)
    fail_msg("%s", err.text);
  assert_string_equal(bytes, text);
  free(bytes);
}

static unsigned files(void) {
  char count[16] = "";
  FILE *p = popen("ls -A | wc -l", "r");
  assert_non_null(fgets(count, sizeof count, p));
  pclose(p);
  return (unsigned)strtoul(count, NULL, 10);
}

static int write_to(const char *name, const char *text, struct tandem_error *err) {
  struct output o;
  int status = output_open(&o, name, err);
  if (status != 0)
    return status;
  fputs(text, o.file);
  return output_commit(&o, err);
}

/* ---- outputs ---- */

TEST(links_and_devices_stay) {
  struct tandem_error err;
  struct stat st;
  empty_folder();
  put("target", "old", 3);
  assert_int_equal(chmod("target", 0600), 0);
  assert_int_equal(symlink("target", "link"), 0);
  assert_int_equal(symlink("nowhere", "dangling"), 0);
  assert_int_equal(symlink("/dev/null", "null"), 0);
  assert_int_equal(mkfifo("pipe", 0644), 0);
  assert_int_equal(write_to("link", "new", &err), 0);
  expect("target", "new");
  assert_int_equal(lstat("link", &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(stat("target", &st), 0);
  assert_int_equal(st.st_mode & 0777, 0600);
  assert_true(write_to("dangling", "new", &err) < 0);
  assert_non_null(strstr(err.text, "a link to a file that is not there"));
  assert_int_equal(write_to("null", "new", &err), 0);
  assert_int_equal(stat("/dev/null", &st), 0);
  assert_true(S_ISCHR(st.st_mode));
  const int end = open("pipe", O_RDWR);
  char got[4] = "";
  assert_int_equal(write_to("pipe", "new", &err), 0);
  assert_int_equal(read(end, got, 3), 3);
  assert_string_equal(got, "new");
  close(end);
  assert_int_equal(stat("pipe", &st), 0);
  assert_true(S_ISFIFO(st.st_mode));
  const int log = open("log", O_RDWR | O_CREAT, 0644); /* an open file is appended to */
  assert_int_equal(write(log, "a", 1), 1);
  char name[32];
  snprintf(name, sizeof name, "/dev/fd/%d", log);
  assert_int_equal(write_to(name, "b", &err), 0);
  close(log);
  expect("log", "ab");
  assert_int_equal(write_to(".", "new", &err), -EISDIR);
  assert_int_equal(write_to("/dev/full", "new", &err), -ENOSPC);
  assert_int_equal(write_to("no/such", "new", &err), -ENOENT);
  assert_int_equal(files(), 6);
}

TEST(names_are_there_once) {
  struct tandem_error err;
  struct output a, b;
  char *text;
  empty_folder();
  put("old", "x", 1);
  assert_int_equal(link("old", "hard"), 0);
  assert_int_equal(symlink("old", "soft"), 0);
  assert_int_equal(mkdir("sub", 0755), 0);
  static const char *const pairs[][2] = {
      {"new", "new"}, {"new", "./new"}, {"new", "sub/../new"}, {"old", "hard"}, {"soft", "old"}};
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    assert_int_equal(output_open(&a, pairs[i][0], &err), 0);
    if (output_open(&b, pairs[i][1], &err) != -EBUSY)
      fail_msg("%s and %s are accepted", pairs[i][0], pairs[i][1]);
    assert_non_null(strstr(err.text, "another output has that name"));
    if (i > 2) {
      assert_int_equal(input_text("old", &text, &err), -EBUSY);
      assert_non_null(strstr(err.text, "it is also the name of an output"));
    }
    output_abandon(&a);
  }
  assert_int_equal(output_open(&a, "old", &err), 0);
  assert_int_equal(output_open(&b, "/dev/null", &err), 0);
  output_abandon(&a);
  assert_int_equal(output_open(&a, "/dev/null", &err), 0);
  output_abandon(&a);
  output_abandon(&b);
  expect("old", "x");
  assert_int_equal(files(), 4);
}

/* A file that was read is not written, under any name; a file that was changed since then is
 * another one. */
TEST(inputs_are_kept) {
  struct tandem_error err;
  static const char *const names[] = {"in", "./in", "hard", "soft"};
  empty_folder();
  input_keep();
  put("in", "x", 1);
  put("other", "x", 1);
  assert_int_equal(link("in", "hard"), 0);
  assert_int_equal(symlink("in", "soft"), 0);
  expect("in", "x");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    assert_int_equal(write_to(names[i], "new", &err), -ENOTUNIQ);
    assert_non_null(strstr(err.text, "it is also the name of an input"));
  }
  assert_int_equal(write_to("other", "new", &err), 0);
  expect("soft", "x");
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* clocks of files are coarse */
  put("in", "y", 1);
  assert_int_equal(write_to("in", "new", &err), 0);
}

/* ---- inputs ---- */

TEST(inputs_are_limited) {
  struct tandem_error err;
  char *bytes;
  size_t n;
  empty_folder();
  put("zero", "a\nb\0c", 5);
  assert_int_equal(input_text("zero", &bytes, &err), -EINVAL);
  assert_null(bytes);
  assert_non_null(strstr(err.text, "zero:2: a byte 0"));
  assert_int_equal(input_read("zero", 5, &bytes, &n, &err), 0);
  assert_int_equal(n, 5);
  free(bytes);
  assert_int_equal(input_read("zero", 4, &bytes, &n, &err), -EFBIG);
  assert_non_null(strstr(err.text, "more than 4 bytes"));
  assert_int_equal(input_read("/dev/zero", 1 << 20, &bytes, &n, &err), -EFBIG);
  assert_int_equal(input_read(".", 100, &bytes, &n, &err), -EISDIR);
  assert_int_equal(input_read("none", 100, &bytes, &n, &err), -ENOENT);
  assert_int_equal(input_read("/dev/null", 0, &bytes, &n, &err), 0);
  assert_int_equal(n, 0);
  free(bytes);
}

/* ---- what is there for a while ---- */

TEST(folders_are_removed_whole) {
  empty_folder();
  put("kept", "x", 1);
  assert_int_equal(system("mkdir -p d/e/f d/g && ln -s ../kept d/l && touch d/e/f/x d/y"), 0);
  scratch_remove("d");
  assert_int_equal(access("d", F_OK), -1);
  expect("kept", "x");
  assert_int_equal(files(), 1);
}

/* In the child: a file, a folder with one, and a process group of two that would write more. */
static void wait_for_the_end(int ready) {
  char *file, *dir, path[300];
  pid_t pid;
  scratch_on_signals();
  if (scratch_file("out", &file) < 0 || scratch_folder("out", &dir) != 0)
    _exit(1);
  snprintf(path, sizeof path, "%s/x", dir);
  put(path, "x", 1);
  const char *const argv[] = {
      "sh", "-c", "sh -c 'sleep 1; touch late' & touch begun; sleep 9; touch late", NULL};
  if (process_start(&(struct process){.argv = argv, .folder = folder}, &pid) != 0)
    _exit(1);
  while (access("begun", F_OK) != 0)
    usleep(1000);
  if (write(ready, "x", 1) != 1)
    _exit(1);
  for (;;)
    pause();
}

TEST(signals_leave_nothing) {
  static const int numbers[] = {SIGTERM, SIGINT, SIGUSR1};
  const struct timespec second = {1, 300000000};
  empty_folder();
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    int ends[2], status;
    char x;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0)
      wait_for_the_end(ends[1]);
    assert_int_equal(read(ends[0], &x, 1), 1);
    close(ends[0]);
    close(ends[1]);
    assert_int_equal(files(), 3);
    assert_int_equal(kill(pid, numbers[i]), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
    assert_int_equal(unlink("begun"), 0);
    assert_int_equal(files(), 0);
  }
  nanosleep(&second, NULL);
  assert_int_equal(files(), 0); /* nobody was left to write */
}

/* In the child: more files and process groups than a block of entries has, of which the last begin
 * and end first. */
static void have_many(int ready) {
  enum { MANY = 300 };
  static pid_t pids[MANY];
  static char *paths[MANY];
  const char *const argv[] = {"sleep", "60", NULL}, *const brief[] = {"true", NULL};
  int status;
  pid_t pid;
  scratch_on_signals();
  for (size_t i = 0; i < MANY; i++) {
    const int fd = scratch_file("out", &paths[i]);
    if (fd < 0 || process_start(&(struct process){.argv = argv}, &pids[i]) != 0)
      _exit(1);
    close(fd);
  }
  scratch_drop(paths[MANY - 1]);
  if (process_start(&(struct process){.argv = brief}, &pid) != 0 ||
      process_end(pid, true, &status) != 1 || write(ready, pids, sizeof pids) != sizeof pids)
    _exit(1);
  for (;;)
    pause();
}

/* A process that ends by a signal, or is killed, leaves none of 300 processes, and after a signal
 * no file. */
TEST(many_at_once) {
  static const int numbers[] = {SIGTERM, SIGKILL};
  empty_folder();
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    static pid_t pids[300];
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0)
      have_many(ends[1]);
    close(ends[1]);
    assert_int_equal(read(ends[0], pids, sizeof pids), sizeof pids);
    close(ends[0]);
    assert_int_equal(files(), 299);
    assert_int_equal(kill(pid, numbers[i]), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    for (size_t k = 0; k < 300; k++)
      for (unsigned waits = 0; kill(pids[k], 0) == 0; waits++) {
        assert_true(waits < 5000);
        usleep(1000);
      }
    assert_int_equal(files(), numbers[i] == SIGKILL ? 299 : 0);
  }
}

/* A limit of the size of files is an error like others. */
TEST(large_files_are_errors) {
  int status;
  empty_folder();
  const pid_t pid = fork();
  if (pid == 0) {
    struct tandem_error err;
    const struct rlimit limit = {3, 3};
    scratch_on_signals();
    const bool set = setrlimit(RLIMIT_FSIZE, &limit) == 0;
    _exit(set && write_to("out", "more", &err) == -EFBIG ? 0 : 1);
  }
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  assert_int_equal(files(), 0);
}

int main(void) { return test_run(start, stop); }
