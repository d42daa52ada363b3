/* Runs of candidates.
 *
 *   1. Each free slot gets the next candidate: its files, and a run of them.
 *   2. A run that ends otherwise than wanted rejects the candidate.
 *   3. Else it runs again with the reference alone, which must end as it did at first: so the
 *      program stays as sound as it was.
 *   4. The first candidate for which both hold, and none before it, is the answer.  Runs
 *      of those behind it are ended. */
#include "harness/shrink/judge.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"

enum { WORDS = 32 };

struct judge_slot {
  char *folder;
  bool busy, alone; /* alone: it runs the reference */
  size_t number;    /* of the candidate */
  struct shrink_case c;
  struct shrink_outcome first; /* of the candidate's first run */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool judge_late(const struct judge *j) {
  return (j->until > 0 && now() > j->until) || (j->stop != NULL && *j->stop != 0);
}

int judge_open(struct judge *j, struct tandem_error *err) {
  j->slot = calloc(j->slots, sizeof *j->slot);
  if (j->slot == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < j->slots; i++) {
    const int status = scratch_folder(NULL, &j->slot[i].folder);
    if (status != 0)
      return tandem_fail(err, status, "cannot make a folder in TMPDIR: %s", strerror(-status));
  }
  return launcher_local(j->slots, &j->launcher, err);
}

void judge_close(struct judge *j) {
  if (j->launcher.destroy != NULL) {
    j->launcher.stop(j->launcher.self);
    j->launcher.destroy(j->launcher.self);
  }
  for (size_t i = 0; j->slot != NULL && i < j->slots; i++) {
    scratch_drop(j->slot[i].folder);
    case_free(&j->slot[i].c);
  }
  free(j->slot);
  case_free(&j->best);
}

/* Starts a run of the slot's files; launch not NULL: of another launch description. */
static int start(struct judge *j, size_t slot, const char *launch, bool alone,
                 struct tandem_error *err) {
  struct judge_slot *s = &j->slot[slot];
  char own[4200], json[4200], errors[4200], cycles[40];
  const char *words[WORDS] = {
      j->program,      "run",        launch != NULL ? launch : own, json, "--no-pin",
      "--report-dir=", "--threads=1"};
  size_t n = 7;
  snprintf(own, sizeof own, "%.4000s/" SHRINK_LAUNCH, s->folder);
  snprintf(json, sizeof json, "--json=%.4000s/out.json", s->folder);
  snprintf(errors, sizeof errors, "%.4000s/errors", s->folder);
  snprintf(cycles, sizeof cycles, "--max-cycles=%" PRIu64, j->max_cycles);
  (void)unlink(json + strlen("--json="));
  if (j->max_cycles != 0)
    words[n++] = cycles;
  for (size_t i = 0; j->words[i] != NULL && n < WORDS - 4; i++)
    words[n++] = j->words[i];
  if (alone) {
    words[n++] = "--engine=ref";
    words[n++] = "--bug=0";
  }
  const struct launcher_job job = {
      .argv = (char *const *)(uintptr_t)words, .error = errors, .timeout_s = j->run_s};
  s->busy = true;
  s->alone = alone;
  const int status = j->launcher.start(j->launcher.self, slot, &job, err);
  s->busy = status == 0;
  return status;
}

/* The first line of what a run wrote to standard error. */
static void read_error(const char *folder, struct shrink_outcome *o) {
  char path[4200], *text = NULL;
  size_t size;
  struct tandem_error err;
  snprintf(path, sizeof path, "%.4000s/errors", folder);
  if (files_read(path, &text, &size, &err) == 0) {
    const char *from = strncmp(text, "tandem: ", 8) == 0 ? text + 8 : text;
    snprintf(o->error, sizeof o->error, "%.*s", (int)strcspn(from, "\n"), from);
  }
  free(text);
}

/* The place of a failure, as regressions group failures. */
static void read_outcome(const char *folder, const struct launcher_end *end,
                         struct shrink_outcome *o) {
  char path[4200];
  *o = (struct shrink_outcome){.wall_s = end->wall_s};
  read_error(folder, o);
  if (end->exit == 2) {
    snprintf(o->place.kind, sizeof o->place.kind, "refused");
    return;
  }
  snprintf(path, sizeof path, "%.4000s/out.json", folder);
  json_t *json = json_load_file(path, 0, NULL);
  const json_t *cycle = json_object_get(json_object_get(json, "failure"), "cycle");
  const char *digest = json_string_value(json_object_get(json, "digest"));
  o->cycle = (uint64_t)json_integer_value(cycle);
  snprintf(o->digest, sizeof o->digest, "%s", digest != NULL ? digest : "");
  char *status = end->reason == LAUNCHER_TIMEOUT  ? (char[]){"timeout"}
                 : end->reason == LAUNCHER_MEMORY ? (char[]){"memory"}
                                                  : (char[]){"failed"};
  const struct experiment_run run = {.settings.kind = EXPERIMENT_LAUNCH};
  const struct experiment_result result = {.status = status, .signal = end->signal, .json = json};
  struct regress_case c = {.run = &run, .result = &result};
  if (end->exit != 0)
    regress_place(&c);
  o->place = c.failure;
  json_decref(json);
}

int judge_run(struct judge *j, const struct shrink_case *c, const char *launch, bool alone,
              struct shrink_outcome *o, struct tandem_error *err) {
  struct launcher_end end;
  struct judge_slot *s = &j->slot[0];
  if (c != NULL)
    TRY(case_write(c, s->folder, "", err));
  TRY(start(j, 0, launch, alone, err));
  j->tries++;
  int ended = 0;
  while (ended == 0 && (j->stop == NULL || *j->stop == 0))
    ended = j->launcher.wait(j->launcher.self, &end, err);
  s->busy = false;
  if (ended == 0) {
    j->launcher.stop(j->launcher.self);
    return tandem_fail(err, -EINTR, "ended by a signal");
  }
  TRY(ended < 0 ? ended : 0);
  read_outcome(s->folder, &end, o);
  return 0;
}

static bool wanted(const struct judge *j, const struct shrink_outcome *o) {
  if (j->by_digest)
    return *o->place.kind == '\0';
  return strcmp(o->place.kind, j->wanted.kind) == 0 && strcmp(o->place.unit, j->wanted.unit) == 0 &&
         strcmp(o->place.field, j->wanted.field) == 0;
}

static bool sound(const struct judge *j, const struct judge_slot *s,
                  const struct shrink_outcome *o) {
  return strcmp(o->place.kind, j->alone) == 0 &&
         (!j->by_digest || strcmp(o->digest, s->first.digest) != 0);
}

/* Takes the end of a run; true: its candidate fails as it must. */
static bool take(struct judge *j, const struct launcher_end *end) {
  struct judge_slot *s = &j->slot[end->slot];
  struct shrink_outcome o;
  struct tandem_error err;
  s->busy = false;
  read_outcome(s->folder, end, &o);
  if (s->alone)
    return sound(j, s, &o);
  j->tries++;
  if (!wanted(j, &o))
    return false;
  s->first = o;
  if (s->c.config.engine == TANDEM_ENGINE_REF)
    return true;
  (void)start(j, end->slot, NULL, true, &err);
  return false;
}

/* Gives free slots the candidates from *next on, which are n. */
static void fill(struct judge *j, size_t *next, size_t n, tries_make *make, void *user) {
  struct tandem_error err;
  for (size_t i = 0; i < j->slots; i++) {
    struct judge_slot *s = &j->slot[i];
    while (!s->busy && *next < n && !judge_late(j)) {
      case_free(&s->c);
      s->number = (*next)++;
      if (make(user, s->number, &s->c) && case_write(&s->c, s->folder, "", &err) == 0)
        (void)start(j, i, NULL, false, &err);
    }
  }
}

/* True while a candidate before number n is under way. */
static bool under_way(const struct judge *j, size_t n) {
  for (size_t i = 0; i < j->slots; i++)
    if (j->slot[i].busy && j->slot[i].number < n)
      return true;
  return false;
}

/* The case of a slot becomes the best one. */
static void adopt(struct judge *j, struct judge_slot *s) {
  case_free(&j->best);
  j->best = s->c;
  j->last = s->first;
  memset(&s->c, 0, sizeof s->c);
  j->on_better(j->user);
}

static size_t first(void *self, size_t n, tries_make *make, void *user) {
  struct judge *j = self;
  struct judge_slot *winner = NULL;
  struct launcher_end end;
  struct tandem_error err;
  size_t next = 0, found = n;
  for (;;) {
    if (winner == NULL)
      fill(j, &next, found, make, user);
    if (!under_way(j, found) || (j->stop != NULL && *j->stop != 0))
      break;
    const int ended = j->launcher.wait(j->launcher.self, &end, &err);
    if (ended < 0)
      break;
    if (ended == 0)
      continue;
    if (take(j, &end) && j->slot[end.slot].number < found) {
      winner = &j->slot[end.slot];
      found = winner->number;
    }
    j->on_try(j->user);
  }
  j->launcher.stop(j->launcher.self);
  for (size_t i = 0; i < j->slots; i++)
    j->slot[i].busy = false;
  if (winner != NULL)
    adopt(j, winner);
  return found;
}

struct tries judge_tries(struct judge *j) {
  return (struct tries){j, first};
}
