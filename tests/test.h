/* Tests of a program that list themselves, with cmocka and the headers of C that most tests use. */
#ifndef TANDEM_TESTS_TEST_H
#define TANDEM_TESTS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TEST_MOST = 64 };

struct test_entry {
  struct CMUnitTest test;
  int line;
};
static struct test_entry test_entries[TEST_MOST] __attribute__((unused));
static size_t test_count __attribute__((unused));

static inline void test_add(const char *name, CMUnitTestFunction function, int line) {
  if (test_count == TEST_MOST)
    abort(); /* before main: no test could report it */
  test_entries[test_count++] = (struct test_entry){{.name = name, .test_func = function}, line};
}

static inline int test_by_line(const void *a, const void *b) {
  return ((const struct test_entry *)a)->line - ((const struct test_entry *)b)->line;
}

/* Runs the file's tests in the order of their lines.  setup and teardown, NULL for none, run once
 * around all of them.  Returns main's exit status: the number of tests that failed. */
static inline int test_run(CMFixtureFunction setup, CMFixtureFunction teardown) {
  struct CMUnitTest tests[TEST_MOST];
  qsort(test_entries, test_count, sizeof test_entries[0], test_by_line);
  for (size_t i = 0; i < test_count; i++)
    tests[i] = test_entries[i].test;
  return _cmocka_run_group_tests("tests", tests, test_count, setup, teardown);
}

/* The same with setup and teardown around each test. */
static inline int test_run_each(CMFixtureFunction setup, CMFixtureFunction teardown) {
  for (size_t i = 0; i < test_count; i++) {
    test_entries[i].test.setup_func = setup;
    test_entries[i].test.teardown_func = teardown;
  }
  return test_run(NULL, NULL);
}

/* Opens the function of a test: TEST(sums_are_right) { ... } */
#define TEST(name)                                                                                 \
  static void test_##name(void **);                                                                \
  __attribute__((constructor)) static void add_test_##name(void) {                                 \
    test_add(#name, test_##name, __LINE__);                                                        \
  }                                                                                                \
  static void test_##name(void **state __attribute__((unused)))

#endif
