/* The log of a unit: a ring of clock edges, and one of the states that were due behind them. */
#include "harness/unit/log.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "harness/unit/compare.h"
#include "harness/unit/unit.h"

/* A clock edge, and the look at the reference behind it.  Inputs and outputs follow the struct. */
struct edge {
  uint64_t cycle, looked;
  unsigned views; /* states that were due */
  bool timed;     /* of a cycle whose time is taken */
};

/* A state of the reference. */
struct view {
  void *state;
  unsigned sm;
  bool on; /* with the parts that can be switched off */
};

struct unit_log {
  bool dropped; /* something differs */
  unsigned block, room, views;
  size_t stride, out_at; /* of the edges; of an edge's outputs */
  char *edges, *end;
  struct view *view;
  void *out; /* of the RTL */
  /* Numbers of edges and views so far: written, and followed; and the edge that comes next.  Each
   * side writes its own. */
  _Alignas(64) _Atomic uint64_t written;
  uint64_t views_written;
  struct edge *to_write;
  bool open; /* it has inputs, and shows no outputs yet */
  _Alignas(64) _Atomic uint64_t followed;
  _Atomic uint64_t views_followed;
  struct edge *to_follow;
  atomic_bool taken; /* a thread follows */
};

static size_t rounded(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

static struct edge *edge_after(const struct unit_log *l, struct edge *e) {
  char *next = (char *)e + l->stride;
  return (struct edge *)(next != l->end ? next : l->edges);
}
static void *inputs_of(struct edge *e) { return e + 1; }
static void *outputs_of(const struct unit_log *l, struct edge *e) { return (char *)e + l->out_at; }

static bool allocate(struct unit_log *l, const struct unit *u) {
  l->edges = aligned_alloc(64, l->room * l->stride);
  l->end = l->edges + l->room * l->stride;
  l->to_write = l->to_follow = (struct edge *)l->edges;
  l->view = calloc(l->views, sizeof *l->view);
  l->out = calloc(1, u->type->out_bytes);
  bool good = l->edges != NULL && l->view != NULL && l->out != NULL;
  for (unsigned i = 0; good && i < l->views; i++)
    good = (l->view[i].state = calloc(1, u->type->view_bytes)) != NULL;
  return good;
}

int unit_log_open(struct unit *u, unsigned block, struct tandem_error *err) {
  struct unit_log *l = aligned_alloc(64, rounded(sizeof *l));
  if (l != NULL) {
    memset(l, 0, sizeof *l);
    l->block = block;
    l->room = 2 * block;
    l->views = 2 * unit_states(u);
    l->out_at = sizeof(struct edge) + u->type->in_bytes;
    l->stride = rounded(l->out_at + u->type->out_bytes);
    u->log = l;
  }
  return l != NULL && allocate(l, u) ? 0 : tandem_fail(err, -ENOMEM, "out of memory for a log");
}

void unit_log_close(struct unit_log *l) {
  if (l == NULL)
    return;
  for (unsigned i = 0; l->view != NULL && i < l->views; i++)
    free(l->view[i].state);
  free(l->view);
  free(l->edges);
  free(l->out);
  free(l);
}

/* Edges that show their outputs are written, and may be followed. */
static uint64_t pending(const struct unit_log *l) {
  return atomic_load_explicit(&l->written, memory_order_acquire) -
         atomic_load_explicit(&l->followed, memory_order_acquire);
}

/* ---- the side of the reference ---- */

static uint64_t views_left(const struct unit_log *l) {
  return l->views -
         (l->views_written - atomic_load_explicit(&l->views_followed, memory_order_acquire));
}

bool unit_log_due(const struct unit *u, unsigned edges) { return pending(u->log) >= edges; }

enum unit_log_level unit_log_level(const struct unit *u) {
  const uint64_t edges = pending(u->log);
  if (edges + 1 >= u->log->room || views_left(u->log) < unit_states(u))
    return UNIT_LOG_FULL;
  return edges == u->log->block ? UNIT_LOG_BLOCK : UNIT_LOG_ROOM;
}

static void add_view(struct unit *u, unsigned sm, struct edge *e) {
  struct unit_log *l = u->log;
  struct view *v = &l->view[l->views_written++ % l->views];
  v->sm = sm;
  v->on = u->type->ref.view(u->ref, sm, v->state);
  u->state[sm].due = false;
  e->views++;
}

bool unit_log_look(struct unit *u, uint64_t cycle, uint64_t *ticks) {
  struct unit_log *l = u->log;
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  bool same = true;
  if (!l->open) { /* none has an edge before the other */
    rtl_out(u->rtl, l->out);
    same = unit_compare_now(u, l->out, u->out, cycle);
  } else {
    struct edge *e = l->to_write;
    memcpy(outputs_of(l, e), u->out, u->type->out_bytes);
    e->looked = cycle;
    e->views = 0;
    for (unsigned i = 0; i < unit_states(u); i++)
      if (unit_state_due(u, i, cycle))
        add_view(u, i, e);
    l->open = false;
    l->to_write = edge_after(l, e);
    const uint64_t number = atomic_load_explicit(&l->written, memory_order_relaxed);
    atomic_store_explicit(&l->written, number + 1, memory_order_release);
  }
  unit_lap(ticks, TANDEM_WALL_COMPARE, &last);
  return same;
}

void unit_log_edge(struct unit *u, uint64_t cycle, uint64_t *ticks) {
  struct unit_log *l = u->log;
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  struct edge *e = l->to_write;
  memcpy(inputs_of(e), u->in, u->type->in_bytes);
  e->cycle = cycle;
  e->timed = ticks != NULL;
  l->open = true;
  unit_lap(ticks, TANDEM_WALL_COMPARE, &last);
}

/* ---- the side of the RTL ---- */

static bool compare_edge(struct unit *u, struct edge *e) {
  struct unit_log *l = u->log;
  bool same = unit_compare_outputs(u, l->out, outputs_of(l, e), e->looked);
  if (e->views == 0)
    return same;
  const uint64_t first = atomic_load_explicit(&l->views_followed, memory_order_relaxed);
  for (unsigned i = 0; i < e->views; i++) {
    struct view *v = &l->view[(first + i) % l->views];
    void *was = u->state[v->sm].ref;
    u->state[v->sm].ref = v->state;
    v->state = was;
    same = unit_compare_view(u, v->sm, v->on, e->looked) && same;
  }
  return same;
}

static bool clock_and_compare(struct unit *u, struct edge *e, uint64_t *ticks) {
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  bool good = unit_clock_rtl(u, inputs_of(e), e->cycle);
  rtl_out(u->rtl, u->log->out);
  unit_lap(ticks, TANDEM_WALL_RTL, &last);
  good = good && compare_edge(u, e);
  unit_lap(ticks, TANDEM_WALL_COMPARE, &last);
  return good;
}

/* Frees the places of an edge and its views. */
static void leave(struct unit_log *l, struct edge *e) {
  const uint64_t number = atomic_load_explicit(&l->followed, memory_order_relaxed);
  const uint64_t views = atomic_load_explicit(&l->views_followed, memory_order_relaxed);
  l->to_follow = edge_after(l, e);
  atomic_store_explicit(&l->views_followed, views + e->views, memory_order_release);
  atomic_store_explicit(&l->followed, number + 1, memory_order_release);
}

static bool follow_log(struct unit *u, uint64_t *ticks) {
  struct unit_log *l = u->log;
  bool good = true;
  while (pending(l) != 0) {
    struct edge *e = l->to_follow;
    if (!l->dropped)
      good = clock_and_compare(u, e, e->timed ? ticks : NULL);
    l->dropped |= !good;
    leave(l, e);
  }
  return good;
}

bool unit_follow(struct unit *u, bool *taken, uint64_t *ticks) {
  struct unit_log *l = u->log;
  *taken = !atomic_exchange_explicit(&l->taken, true, memory_order_acquire);
  if (!*taken)
    return true;
  const bool good = follow_log(u, ticks);
  atomic_store_explicit(&l->taken, false, memory_order_release);
  return good;
}

bool unit_follow_all(struct unit *u, uint64_t *ticks) {
  struct unit_log *l = u->log;
  bool good = follow_log(u, ticks);
  if (l->open && !l->dropped) {
    struct edge *e = l->to_write;
    good = unit_clock_rtl(u, inputs_of(e), e->cycle);
  }
  l->open = false;
  return good;
}
