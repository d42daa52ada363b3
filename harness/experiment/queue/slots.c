/* Runs whose workers are gone, and runs that are nowhere any more. */
#include "harness/experiment/queue/slots.h"

#include <string.h>

/* SILENT_S: a worker that gives no sign for so long is gone.  LOSSES: a run that was lost with so
 * many workers is not given to another one; what a worker has put back itself was not lost. */
enum { SILENT_S = 30, LOSSES = 5 };

static void put_back(struct queue *q, struct slot *s) {
  char from[QUEUE_PATH], to[QUEUE_PATH], run[QUEUE_NAME];
  slot_name(q, s, run);
  s->lost = ++s->losses >= LOSSES;
  if (s->lost)
    queue_drop(q->folder, "taken", s->taken);
  else if (queue_path(q->folder, "taken", s->taken, from, NULL) == 0 &&
           queue_path(q->folder, "queue", run, to, NULL) == 0) {
    (void)queue_beat(from); /* its next worker is not gone */
    (void)rename(from, to);
  }
}

/* The slot of a run by a file of it in a part; NULL: it is no file. */
static struct slot *see(struct queue *q, const char *part, const char *name, struct stat *st) {
  struct slot *s = slot_of(q, name);
  if (s == NULL || !queue_has(q->folder, part, name, st))
    return NULL;
  s->there = true;
  return s;
}

static void see_queued(void *user, const char *name) {
  struct stat st;
  (void)see(user, "queue", name, &st);
}

static void see_done(void *user, const char *name) {
  struct stat st;
  (void)see(user, "done", name, &st);
}

/* The file that is known of a run comes before others. */
static void see_held(void *user, const char *name) {
  struct stat st;
  struct slot *s = see(user, "taken", name, &st);
  if (s != NULL && strcmp(name, s->taken) == 0)
    s->held = true;
}

static void look_at(void *user, const char *name) {
  struct queue *q = user;
  struct stat st;
  struct slot *s = see(q, "taken", name, &st);
  const char *dot = strchr(name, '.');
  if (s == NULL || dot == NULL)
    return;
  const bool another = strcmp(name, s->taken) != 0;
  if (another && s->held)
    return;
  if (another || memcmp(&st.st_mtim, &s->time, sizeof s->time) != 0)
    s->heard = queue_now();
  s->held = true;
  s->time = st.st_mtim;
  snprintf(s->taken, sizeof s->taken, "%s", name);
  if (queue_now() - s->heard > SILENT_S || st.st_mtim.tv_sec == QUEUE_GONE ||
      batch_is_gone(&q->batch, dot + 1))
    put_back(q, s);
}

int slots_look(struct queue *q, struct tandem_error *err) {
  const double now = queue_now();
  for (struct slot *s = q->slot; s < q->slot + q->slots; s++)
    s->there = s->held = false;
  queue_each(q->folder, "queue", see_queued, q);
  queue_each(q->folder, "taken", see_held, q);
  queue_each(q->folder, "taken", look_at, q);
  queue_each(q->folder, "done", see_done, q);
  for (struct slot *s = q->slot; s < q->slot + q->slots; s++) {
    if (s->there)
      s->seen = now;
    if (s->number == 0 || s->lost || now - s->seen <= q->nowhere_s)
      continue;
    s->lost = ++s->losses >= LOSSES;
    if (!s->lost)
      TRY(slot_give_out(q, s, err));
  }
  return 0;
}

bool slots_lost(struct queue *q, struct launcher_end *end) {
  for (struct slot *s = q->slot; s < q->slot + q->slots; s++)
    if (s->lost) {
      const char *dot = strchr(s->taken, '.');
      *end = (struct launcher_end){.slot = (size_t)(s - q->slot), .exit = -1};
      snprintf(end->cause, sizeof end->cause, "was lost with its worker %u times%s%.80s", s->losses,
               dot != NULL ? ", last with " : "", dot != NULL ? dot + 1 : "");
      slot_free(s);
      return true;
    }
  return false;
}
