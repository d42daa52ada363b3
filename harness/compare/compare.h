/* Two revisions of the sources, side by side (docs/use/compare.md). */
#ifndef TANDEM_COMPARE_H
#define TANDEM_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "csim/util/hash.h"
#include "harness/experiment/store.h"

enum { COMPARE_PATH = 4096, COMPARE_HASH = 65 };

/* Where the compared sources come from, and where what is made of them is kept. */
struct compare_places {
  const char *root;    /* a folder of a git repository: the sources */
  const char *program; /* the executable that was built of them, */
  const char *build;   /* and its folder; compare/ in it is ours */
};

/* A revision.  Its sources are a copy, so that an edit meanwhile changes nothing. */
struct compare_side {
  char name[COMPARE_PATH];    /* as reports call it: "HEAD~1 (7c153af0)", "the tree (51ab07de)" */
  char tree[COMPARE_HASH];    /* git's name of the sources' contents */
  char texts[HASH_KEY];       /* hashes of what is built: of the program, */
  char tests[HASH_KEY];       /* and with programs of tests */
  char root[COMPARE_PATH];    /* the copy */
  char program[COMPARE_PATH]; /* executable and build folder; */
  char build[COMPARE_PATH];   /* "": it is not built yet, or does not build */
  char *failure;              /* why it does not build; NULL: it does */
  struct experiment_revision revision;
  struct experiment_places places; /* of the above */
};
enum { BEFORE, AFTER, SIDES };

/* revisions.c: finds a revision that git knows, name NULL: the files as they are, and copies it.
 * -ENOENT: there is no git repository, or no such revision. */
int compare_find(const struct compare_places *at, const char *name, struct compare_side *s,
                 struct tandem_error *err);
/* builds.c: finds the program of a side, and builds it unless it was built before.  The program of
 * `at` serves each side with the same texts as the files as they are, which it was built of.
 * tests: also the programs of unit tests and random programs.  A side that does not build has a
 * failure, which is no error. */
int compare_build(const struct compare_places *at, const struct compare_side *files, bool tests,
                  size_t jobs, struct compare_side *s, struct tandem_error *err);
void compare_side_free(struct compare_side *s);

/* runs.c: the suite of both sides. */
struct compare_runs {
  struct compare_side *sides; /* SIDES of them */
  struct experiment_suite suites[SIDES];
  bool read[SIDES];              /* a suite that is read; that of a side without program is not */
  bool *chosen[SIDES];           /* of each run */
  struct experiment_suite joint; /* all chosen runs, taken in turn between the sides */
  bool *all;                     /* of each run of the joint suite: true */
};
/* Reads the suite of a side: a name of its folder experiments, or a path; a path below the root of
 * the sources is one below the side's.  -ENOENT: the side has none. */
int compare_suite_open(struct compare_runs *r, const struct compare_places *at, int side,
                       const char *suite, struct tandem_error *err);
/* True if a suite that was read has runs other than launches. */
bool compare_needs_tests(const struct compare_runs *r);
/* Chooses the runs that match one of the patterns (none: all), gives all runs an engine (NULL: the
 * suite's), computes the keys of the sides that were built, and joins their runs.  -ENOENT: no run
 * matches. */
int compare_join(struct compare_runs *r, const char *const *only, size_t nonly, const char *engine,
                 struct tandem_error *err);
void compare_runs_close(struct compare_runs *r);

#endif
