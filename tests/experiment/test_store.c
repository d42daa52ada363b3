/* The database: attempts, calls that were killed, files that are none of its. */
#include "harness/experiment/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "csim/util/scratch.h"
#include "tests/test.h"

static char *folder;
static char path[4096];

static struct experiment_store *open_store(enum experiment_access access) {
  struct experiment_store *s;
  struct tandem_error err = {{0}};
  if (experiment_store_open(path, access, &s, &err) != 0)
    fail_msg("%s", err.text);
  return s;
}

static void refused(const char *text) {
  static const enum experiment_access accesses[] = {EXPERIMENT_WRITE, EXPERIMENT_READ};
  for (size_t i = 0; i < 2; i++) {
    struct experiment_store *s;
    struct tandem_error err = {{0}};
    assert_true(experiment_store_open(path, accesses[i], &s, &err) < 0);
    assert_null(s);
    if (strstr(err.text, text) == NULL || strstr(err.text, "--results") == NULL)
      fail_msg("\"%s\" does not say \"%s\" and the way out", err.text, text);
  }
}

static const struct experiment_revision revision = {"0123abc", true, "host"};

static void begin(struct experiment_store *s) {
  struct experiment_suite suite = {.name = (char[]){"suite"}};
  assert_int_equal(experiment_store_begin(s, &suite, &revision, "command", NULL), 0);
}

static int64_t start(struct experiment_store *s, const char *key, int64_t rerun) {
  const struct experiment_attempt a = {.key = key,
                                       .name = "name",
                                       .kind = "launch",
                                       .command = "command",
                                       .host = "host",
                                       .rerun = rerun};
  int64_t number = 0;
  assert_int_equal(experiment_store_start(s, &a, &number, NULL), 0);
  return number;
}

static void end(struct experiment_store *s, int64_t number, const char *status) {
  const struct experiment_ending e = {
      .status = status, .json = "{\"a\": 1}", .error = "", .wall_s = 1};
  assert_int_equal(experiment_store_end(s, number, &e, NULL), 0);
}

static void expect_status(struct experiment_store *s, const char *key, const char *status) {
  struct experiment_result r;
  assert_int_equal(experiment_store_get(s, key, true, &r, NULL), 0);
  if (status == NULL)
    assert_null(r.status);
  else
    assert_string_equal(r.status, status);
  experiment_result_free(&r);
}

/* The text of a query's only value. */
static void expect_query(const char *sql, const char *value) {
  sqlite3 *db;
  sqlite3_stmt *st;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(st), SQLITE_ROW);
  assert_string_equal((const char *)sqlite3_column_text(st, 0), value);
  sqlite3_finalize(st);
  sqlite3_close(db);
}

TEST(attempts) {
  struct experiment_store *s = open_store(EXPERIMENT_WRITE);
  begin(s);
  end(s, start(s, "a", 0), "failed");
  expect_status(s, "a", "failed");
  const int64_t second = start(s, "a", 0);
  expect_status(s, "a", "failed"); /* one that runs has no result yet */
  end(s, second, "ok");
  expect_status(s, "a", "ok");
  end(s, start(s, "a", second), "failed"); /* nor has one that looks at a failure */
  expect_status(s, "a", "ok");
  expect_status(s, "b", NULL);
  size_t n;
  assert_int_equal(experiment_store_count(s, &n, NULL), 0);
  assert_int_equal(n, 1);
  experiment_store_close(s);
  expect_query(
      "SELECT COUNT(*) FROM attempts WHERE revision = '0123abc' AND clean AND host = 'host'"
      " AND ended IS NOT NULL",
      "3");
  expect_query("SELECT COUNT(*) FROM suites WHERE ended IS NOT NULL", "1");
  expect_query("SELECT status FROM runs WHERE key = 'a'", "ok");
  expect_query("PRAGMA user_version", "1");
}

/* A process is killed in the middle of a call: what had ended is there, what ran was interrupted.
 */
TEST(killed) {
  const pid_t pid = fork();
  if (pid == 0) {
    struct experiment_store *s = open_store(EXPERIMENT_WRITE);
    begin(s);
    end(s, start(s, "done", 0), "ok");
    (void)start(s, "under way", 0);
    (void)kill(getpid(), SIGKILL);
  }
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_true(WIFSIGNALED(status));
  struct experiment_store *s = open_store(EXPERIMENT_WRITE);
  expect_status(s, "done", "ok");
  expect_status(s, "under way", NULL);
  begin(s);
  experiment_store_close(s);
  expect_query("SELECT status FROM attempts WHERE key = 'under way'", "interrupted");
  expect_query("PRAGMA integrity_check", "ok");
}

static void write_file(const void *bytes, size_t n, off_t at, int flags) {
  const int fd = open(path, O_WRONLY | O_CREAT | flags, 0666);
  assert_true(fd >= 0 && pwrite(fd, bytes, n, at) == (ssize_t)n);
  close(fd);
}

static void execute(const char *sql) {
  sqlite3 *db;
  assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

TEST(others) {
  execute("CREATE TABLE runs(key TEXT PRIMARY KEY, name TEXT)");
  refused("another version of Tandem (schema 0, not 1)");
  unlink(path);
  execute("CREATE TABLE songs(title TEXT)");
  refused("a database of another program");
  expect_query("SELECT COUNT(*) FROM sqlite_master", "1"); /* and stays as it is */
  unlink(path);
  experiment_store_close(open_store(EXPERIMENT_WRITE));
  execute("PRAGMA user_version = 7");
  refused("another version of Tandem (schema 7, not 1)");
  unlink(path);
  write_file("no database at all, but a text of more than a hundred bytes, so that it has a header "
             "which is wrong from its first byte on",
             100, 0, O_TRUNC);
  refused("file is not a database");
}

TEST(damaged) {
  struct experiment_store *s = open_store(EXPERIMENT_WRITE);
  struct tandem_error err = {{0}};
  static char noise[3 * 4096];
  begin(s);
  for (unsigned i = 0; i < 200; i++) {
    char key[16];
    (void)snprintf(key, sizeof key, "key %u", i);
    end(s, start(s, key, 0), "ok");
  }
  experiment_store_close(s);
  memset(noise, 0xa5, sizeof noise);
  write_file(noise, sizeof noise, 2 * 4096, 0);
  assert_true(experiment_store_open(path, EXPERIMENT_WRITE, &s, &err) < 0);
  assert_non_null(strstr(err.text, "--results"));
}

/* A second writer refuses, or waits for the end of the first: then it finds what that one wrote. */
TEST(two_writers) {
  struct experiment_store *s;
  struct tandem_error err = {{0}};
  int ready[2], status;
  char byte;
  assert_int_equal(pipe(ready), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    size_t n = 0;
    bool good = read(ready[0], &byte, 1) == 1;
    good = good && experiment_store_open(path, EXPERIMENT_WRITE, &s, &err) == -EBUSY &&
           strstr(err.text, "--wait") != NULL;
    s = open_store(EXPERIMENT_WAIT);
    good = good && experiment_store_count(s, &n, NULL) == 0 && n == 1;
    experiment_store_close(s);
    _exit(good ? 0 : 1);
  }
  struct experiment_store *first = open_store(EXPERIMENT_WRITE);
  assert_int_equal(write(ready[1], "g", 1), 1);
  usleep(50000); /* it has been refused by now, and waits */
  begin(first);
  end(first, start(first, "a", 0), "ok");
  experiment_store_close(first);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  close(ready[0]);
  close(ready[1]);
}

/* Files are removed from the folder of all of them, through no link, whatever the rows say. */
TEST(artefacts) {
  enum { MOST = 100 };
  char own[4200], sql[20000];
  struct experiment_store *s = open_store(EXPERIMENT_WRITE);
  begin(s);
  const int64_t number = start(s, "a", 0);
  end(s, number, "failed");
  snprintf(own, sizeof own, "%s/s.failures", folder);
  snprintf(sql, sizeof sql,
           "cd %s && mkdir -p s.failures/a-1/small victim s.failures/other &&"
           " touch victim/file victim/file2 s.failures/a-1/x s.failures/a-1/small/y s.failures/z &&"
           " ln -s ../victim s.failures/link && ln -s ../../victim/file2 s.failures/other/file2",
           folder);
  assert_int_equal(system(sql), 0);
  experiment_store_close(s);
  snprintf(sql, sizeof sql,
           "INSERT INTO artefacts VALUES"
           "(1, '%s/victim/file', 9000), (1, 'victim/file', 1), (1, '%s/s.failures/a-1/x', 1),"
           "(1, 'elsewhere/s.failures/a-1/small/y', 1), (1, '%s/s.failures/../victim/file', 1),"
           "(1, '%s/s.failures/link/file', 1), (1, 's.failures/other/file2', 1),"
           "(1, '/etc/passwd', 1), (1, '..', 1), (1, 's.failures/..', 1), (1, 's.failures/', 1),"
           "(1, '', 1), (1, 's.failures/./../victim/file', 1), (1, 's.failures//z', 1)",
           folder, folder, folder, folder);
  execute(sql);
  s = open_store(EXPERIMENT_WRITE);
  assert_int_equal(experiment_store_limit_files(s, own, MOST, NULL), 0);
  experiment_store_close(s);
  expect_query("SELECT COUNT(*) FROM artefacts", "0");
  snprintf(sql, sizeof sql,
           "cd %s && [ -e victim/file ] && [ -e victim/file2 ] && [ -L s.failures/link ] &&"
           " [ ! -e s.failures/a-1 ] && [ ! -e s.failures/other ] && [ -e s.failures/z ]",
           folder);
  assert_int_equal(system(sql), 0);
}

static int setup(void **state) {
  (void)state;
  if (scratch_folder(NULL, &folder) != 0)
    return -1;
  (void)snprintf(path, sizeof path, "%s/r.sqlite", folder);
  return 0;
}

static int teardown(void **state) {
  (void)state;
  scratch_drop(folder);
  return 0;
}

int main(void) { return test_run_each(setup, teardown); }
