/* The choice between one thread and several: struct pace in a host whose speed the test chooses. */
#include "harness/gpu/host/pace.h"
#include "tests/test.h"

enum { WORK = 1000 /* units in a piece */ };

/* A host: seconds of a piece on one thread, and together; how long threads wait in the latter. */
struct host {
  double one, several;
  double waits; /* share of the time */
  bool room;
};

/* The time of so many pieces, of which `together` counts that of several threads. */
static double pass(struct pace *p, const struct host *h, unsigned pieces, double *together) {
  double all = 0, delay = 0;
  *together = 0;
  for (unsigned i = 0; i < pieces; i++) {
    const double spent = p->alone ? h->one : h->several;
    all += spent;
    if (!p->alone) {
      *together += spent;
      delay += h->waits * spent;
    }
    if (pace_add(p, spent, WORK))
      pace_decide(
          p, &(struct pace_host){.meets = true, .delay = (uint64_t)(1e9 * delay), .room = h->room});
  }
  p->delay = 0; /* each call counts from 0 */
  return all;
}

TEST(short_programs_stay_alone) {
  const struct host fast = {.one = 0.002, .several = 0.001, .room = true};
  struct pace p;
  double together;
  pace_begin(&p, true);
  (void)pass(&p, &fast, 10, &together);
  assert_true(together == 0);
  pace_begin(&p, false);
  (void)pass(&p, &fast, 10, &together);
  assert_true(together > 0);
}

/* Also if they wait for processors. */
TEST(threads_that_are_faster_work_together) {
  for (double waits = 0; waits < 0.3; waits += 0.2) {
    const struct host fast = {.one = 0.002, .several = 0.0013, .waits = waits, .room = true};
    struct pace p;
    double together;
    pace_begin(&p, true);
    (void)pass(&p, &fast, 50, &together);
    const double all = pass(&p, &fast, 5000, &together);
    assert_true(together > 0.97 * all);
  }
}

/* Slower ones, for whatever reason, cost a twentieth of the time at most. */
TEST(threads_that_lose_stop) {
  static const struct host hosts[] = {
      {.one = 0.002, .several = 0.0021, .room = true},
      {.one = 0.002, .several = 0.008, .room = true},
      {.one = 0.0004, .several = 0.0013, .room = true},
      {.one = 0.002, .several = 0.00192, .waits = 0.5, .room = true}, /* hardly faster */
      {.one = 0.002, .several = 0.02, .room = false}};
  for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
    struct pace p;
    double together;
    pace_begin(&p, true);
    const double all = pass(&p, &hosts[i], 2000, &together);
    assert_true(all < 1.05 * 2000 * hosts[i].one);
    assert_true(together < 0.05 * all);
    assert_true(hosts[i].room == (together > 0));
  }
}

TEST(a_program_that_comes_is_noticed) {
  const struct host fast = {.one = 0.002, .several = 0.0013, .room = true},
                    busy = {.one = 0.002, .several = 0.006, .waits = 0.4};
  struct pace p;
  double together;
  pace_begin(&p, true);
  (void)pass(&p, &fast, 3000, &together);
  assert_false(p.alone);
  (void)pass(&p, &busy, 500, &together);
  assert_true(together < 0.02);
  (void)pass(&p, &fast, 500, &together); /* it is gone */
  assert_true(together > 0);
  assert_false(p.alone);
}

TEST(threads_come_back_soon_after_each_of_many_disturbances) {
  const struct host fast = {.one = 0.002, .several = 0.0013, .room = true},
                    busy = {.one = 0.002, .several = 0.006, .waits = 0.4};
  struct pace p;
  double together;
  pace_begin(&p, true);
  for (unsigned i = 0; i < 8; i++) {
    (void)pass(&p, &fast, 3000, &together);
    (void)pass(&p, &busy, 30, &together);
  }
  (void)pass(&p, &fast, 150, &together);
  assert_false(p.alone);
}

int main(void) { return test_run(NULL, NULL); }
