/* Makes a failing program small: pass by pass, until none finds anything smaller.
 *
 *   1. The program fails once, as it is written by this command; its place is kept from then on.
 *   2. The reference alone ends in some way, which is kept too: a program that is sound stays so.
 *   3. Few launches and CTAs first: they make all further runs short.
 *   4. Then everything, again and again. */
#include "harness/shrink/shrink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/shrink/cvise.h"
#include "harness/shrink/passes.h"

struct work {
  struct judge *j;
  const struct shrink_request *q;
  size_t better;              /* how often something smaller was found */
  void (*on_try)(void *user); /* of the caller */
  void (*on_better)(void *user);
  void *user;
  struct tandem_error *err;
  int status; /* of writing */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The lines at the head of the small program. */
static char *head_of(const struct work *w) {
  const struct shrink_size size = case_size(&w->j->best);
  char place[160], sizes[SHRINK_SIZE], *text = NULL;
  regress_place_text(&w->j->wanted, place, sizeof place);
  case_size_text(&size, w->j->best.code == NULL, sizes);
  if (asprintf(&text,
               "%s\nFails in cycle %" PRIu64
               ": %s\n%s\n%s.  It fails by:\n  tandem run " SHRINK_LAUNCH "%s\n",
               w->q->command, w->j->last.cycle, place, w->j->last.error, sizes,
               *w->j->words != NULL ? ", with the options above" : "") < 0)
    return NULL;
  return text;
}

static void put(struct work *w) {
  char *head = head_of(w);
  const int status = out_write(w->q->folder, &w->j->best, head != NULL ? head : "", w->err);
  w->status = w->status != 0 ? w->status : status;
  free(head);
}

static void on_better(void *user) {
  struct work *w = user;
  w->better++;
  put(w);
  if (w->on_better != NULL)
    w->on_better(w->user);
}

static void on_try(void *user) {
  const struct work *w = user;
  if (w->on_try != NULL)
    w->on_try(w->user);
}

/* A run that passes is looked at by its memory: the reference alone may compute something else. */
static int by_memory(struct judge *j, const char *launch, const struct shrink_outcome *first,
                     const struct shrink_outcome *alone, struct tandem_error *err) {
  if (*alone->place.kind != '\0' || strcmp(first->digest, alone->digest) == 0)
    return tandem_fail(err, -ENOENT,
                       "%s does not fail: nothing to shrink (expectations of a launch description "
                       "are not looked at: the reference alone computes the same)",
                       launch);
  j->by_digest = true;
  snprintf(j->wanted.kind, sizeof j->wanted.kind, "engines");
  return 0;
}

/* Finds out what every smaller program must do. */
static int learn(struct judge *j, const struct shrink_case *from, const struct shrink_request *q,
                 struct tandem_error *err) {
  struct shrink_outcome first, alone = {0};
  j->run_s = q->run_s;
  TRY(judge_run(j, from, NULL, false, &first, err));
  if (strcmp(first.place.kind, "refused") == 0)
    return tandem_fail(err, -EINVAL, "%s cannot be run: %s", q->launch, first.error);
  if (from->config.engine != TANDEM_ENGINE_REF)
    TRY(judge_run(j, from, NULL, true, &alone, err));
  j->wanted = first.place;
  j->last = first;
  snprintf(j->alone, sizeof j->alone, "%s", alone.place.kind);
  if (*first.place.kind == '\0')
    TRY(by_memory(j, q->launch, &first, &alone, err));
  if (strcmp(first.place.kind, "timeout") != 0)
    j->run_s = 5 + 4 * (first.wall_s > alone.wall_s ? first.wall_s : alone.wall_s);
  if (first.cycle != 0 && strcmp(first.place.kind, "endless") != 0)
    j->max_cycles = 4 * first.cycle + 20000;
  return 0;
}

static void reduce_all(struct judge *j, struct work *w) {
  size_t before;
  pass_settings(j);
  pass_steps(j);
  pass_shapes(j);
  pass_instructions(j);
  do {
    before = w->better;
    pass_shapes(j);
    pass_steps(j);
    pass_operands(j);
    pass_buffers(j);
    pass_arguments(j);
    pass_instructions(j);
    pass_gpu(j);
    pass_source(j);
  } while (w->better != before && !judge_late(j) && w->status == 0);
}

bool shrink_fails(struct judge *j, const char *launch, const char *place, const char *alone) {
  struct shrink_outcome first, other;
  struct tandem_error err;
  char text[200];
  if (judge_run(j, NULL, launch, false, &first, &err) != 0)
    return false;
  regress_place_text(&first.place, text, sizeof text);
  const bool by_digest = strcmp(place, "engines") == 0;
  if (strcmp(text, by_digest ? "" : place) != 0 ||
      judge_run(j, NULL, launch, true, &other, &err) != 0)
    return false;
  return strcmp(other.place.kind, alone) == 0 &&
         (!by_digest || strcmp(first.digest, other.digest) != 0);
}

int shrink(struct judge *j, const struct shrink_case *from, const struct shrink_request *q,
           struct shrink_result *r, struct tandem_error *err) {
  struct work w = {j, q, 0, j->on_try, j->on_better, j->user, err, 0};
  const double start = now();
  if (from->source != NULL && !cvise_there())
    return tandem_fail(err, -ENOENT,
                       "cvise makes OpenCL C small, and is not installed (packages.txt); "
                       "--assembly needs no cvise");
  TRY(learn(j, from, q, err));
  r->place = j->wanted;
  r->before = case_size(from);
  if (!case_copy(&j->best, from))
    return tandem_fail(err, -ENOMEM, "out of memory");
  j->on_try = on_try;
  j->on_better = on_better;
  j->user = &w;
  put(&w);
  if (w.status == 0)
    reduce_all(j, &w);
  r->after = case_size(&j->best);
  r->tries = j->tries;
  r->cycle = j->last.cycle;
  r->seconds = now() - start;
  r->whole = !judge_late(j);
  return w.status;
}
