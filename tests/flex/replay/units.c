/* The units of a replay: RTL and reference do the same, and what they do is compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/ref/flex/flex_context.h"
#include "csim/ref/flex/flex_control.h"
#include "csim/ref/flex/flex_dispatch.h"
#include "csim/ref/flex/flex_map.h"
#include "csim/ref/flex/flex_tags.h"
#include "harness/shim/models/models.h"
#include "tests/flex/replay/replay.h"

enum { WAYS = 4, SETS = 32, AHEAD = 32, SEED = 1 };

/* The tags of a way. */
struct way {
  struct rtl_model *rtl;
  struct flex_tags_ref ref;
};

/* A pipeline's dispatch: what comes in the next cycles, and what must then be at the output. */
struct pipe {
  struct rtl_model *rtl;
  struct flex_dispatch_ref ref;
  uint64_t now;
  struct flex_dispatch_in in[AHEAD];
  struct flex_dispatch_out out[AHEAD];
};

static struct {
  struct replay_run is;
  struct rtl_model *map;
  struct flex_map_ref map_ref;
  struct way way[REPLAY_SMS][WAYS];
  struct pipe pipe[REPLAY_SMS][REPLAY_PIPES];
} run;

static struct rtl_model *create(const char *unit, const char *parameters) {
  const struct rtl_spec spec = {.unit = unit, .parameters = parameters, .kind = RTL_CHECKED};
  struct tandem_error err = {{0}};
  const struct rtl_type *type = models_get(&spec, &err);
  if (type == NULL)
    fail_msg("%s", err.text);
  return rtl_create(type, SEED);
}

static void step(struct rtl_model *rtl, const void *in) {
  const char *first = NULL;
  rtl_step(rtl, in);
  if (rtl_assertions(rtl, &first) != 0)
    fail_msg("%s", first);
}

void units_begin(const struct replay_run *r) {
  char parameters[40];
  memset(&run, 0, sizeof run);
  run.is = *r;
  run.map = create("flex_map", NULL);
  flex_map_ref_reset(&run.map_ref);
  for (unsigned sm = 0; sm < REPLAY_SMS; sm++) {
    for (unsigned w = 0; w < WAYS; w++) {
      (void)snprintf(parameters, sizeof parameters, "Way=2'd%u", w);
      run.way[sm][w].rtl = create("flex_tags", parameters);
      flex_tags_ref_reset(&run.way[sm][w].ref, w);
    }
    (void)snprintf(parameters, sizeof parameters, "Stages=%u Link=%u", r->stages, r->link);
    for (unsigned p = 0; p < REPLAY_PIPES; p++) {
      run.pipe[sm][p].rtl = create("flex_dispatch", parameters);
      flex_dispatch_ref_reset(&run.pipe[sm][p].ref, r->stages, r->link);
    }
  }
}

/* ---- flex_map ---- */

static struct flex_map_out map(const struct flex_map_in *in) {
  struct flex_map_out rtl, ref;
  rtl_eval(run.map, in, &rtl);
  flex_map_ref_eval(&run.map_ref, in, &ref);
  assert_memory_equal(&rtl, &ref, sizeof rtl);
  return rtl;
}

struct replay_place units_register(unsigned sm, unsigned warp, unsigned reg) {
  const struct flex_map_out m = map(&(struct flex_map_in){
      .mode = run.is.scheme, .upper = run.is.role[sm].upper, .warp = warp, .reg = reg});
  return (struct replay_place){(unsigned)m.rf_side, (unsigned)m.rf_bank, (unsigned)m.rf_row, 0};
}

struct replay_place units_word(unsigned sm, uint32_t address) {
  const struct flex_map_out m = map(&(struct flex_map_in){
      .mode = run.is.scheme, .upper = run.is.role[sm].upper, .shared = address});
  return (struct replay_place){(unsigned)m.sh_side, (unsigned)m.sh_bank, (unsigned)m.sh_row, 0};
}

struct replay_place units_line(unsigned sm, unsigned set, unsigned way) {
  const struct flex_map_out m = map(&(struct flex_map_in){
      .mode = run.is.scheme, .upper = run.is.role[sm].upper, .set = set, .way = way});
  return (struct replay_place){(unsigned)m.l1_side, (unsigned)m.l1_bank, (unsigned)m.l1_row,
                               (unsigned)m.l1_way};
}

/* ---- flex_tags ---- */

/* The ports of a requester. */
struct access {
  uint64_t *valid, *set, *tag, *wr, *keep, *wr_set, *wr_tag;
};
#define ACCESS(x)                                                                                  \
  {                                                                                                \
    &in->x##_valid, &in->x##_set, &in->x##_tag, &in->x##_wr, &in->x##_wr_keep, &in->x##_wr_set,    \
        &in->x##_wr_tag                                                                            \
  }
static struct access access_of(struct flex_tags_in *in, unsigned requester) {
  const struct access of[FLEX_OWNERS] = {ACCESS(own), ACCESS(left), ACCESS(right)};
  return of[requester];
}

static bool hit(unsigned sm, unsigned way, unsigned requester, uint32_t line) {
  struct flex_tags_in in = {.owner = run.is.role[sm].owner};
  struct flex_tags_out rtl, ref;
  const struct access a = access_of(&in, requester);
  *a.valid = 1;
  *a.set = line % SETS;
  *a.tag = line / SETS;
  rtl_eval(run.way[sm][way].rtl, &in, &rtl);
  flex_tags_ref_eval(&run.way[sm][way].ref, &in, &ref);
  assert_memory_equal(&rtl, &ref, sizeof rtl);
  return requester == FLEX_OWN    ? rtl.own_hit
         : requester == FLEX_LEFT ? rtl.left_hit
                                  : rtl.right_hit;
}

void units_look_up(unsigned sm, uint32_t line, int way) {
  const struct replay_role *role = &run.is.role[sm];
  const struct replay_place place =
      way >= 0 ? units_line(sm, line % SETS, (unsigned)way) : (struct replay_place){.side = 2};
  for (unsigned w = 0; w < WAYS; w++) {
    const bool own = hit(sm, w, FLEX_OWN, line);
    const bool far = role->lender >= 0 && hit((unsigned)role->lender, w, role->requester, line);
    if (own != (place.side == 0 && place.way == w) || far != (place.side == 1 && place.way == w))
      fail_msg("SM %u, line %x: in way %d of the model; way %u: %s%s", sm, line, way, w,
               own ? "own hit " : "", far ? "lender's hit" : "");
  }
}

static void write_way(unsigned sm, unsigned way, const struct flex_tags_in *in) {
  flex_tags_ref_step(&run.way[sm][way].ref, in);
  step(run.way[sm][way].rtl, in);
}

void units_write(unsigned sm, uint32_t line, unsigned way, bool keep) {
  const struct replay_role *role = &run.is.role[sm];
  const struct replay_place place = units_line(sm, line % SETS, way);
  assert_true(place.side == 0 || role->lender >= 0);
  const unsigned at = place.side == 0 ? sm : (unsigned)role->lender;
  struct flex_tags_in in = {.owner = run.is.role[at].owner};
  const struct access a = access_of(&in, place.side == 0 ? FLEX_OWN : role->requester);
  *a.wr = 1;
  *a.keep = keep;
  *a.wr_set = line % SETS;
  *a.wr_tag = line / SETS;
  write_way(at, place.way, &in);
}

void units_flush(unsigned sm) {
  const struct flex_tags_in in = {.kernel_start = 1, .owner = run.is.role[sm].owner};
  for (unsigned w = 0; w < WAYS; w++)
    write_way(sm, w, &in);
}

/* ---- flex_dispatch ---- */

/* Base and BigSM feed their own lanes, without a stage. */
static bool bypassed(void) { return run.is.scheme != FLEX_OCC && run.is.scheme != FLEX_BAL; }

static void pipe_cycle(struct pipe *p) {
  struct flex_dispatch_in *in = &p->in[p->now % AHEAD];
  struct flex_dispatch_out *out = &p->out[p->now % AHEAD], rtl, ref;
  in->bypass = bypassed();
  rtl_eval(p->rtl, in, &rtl);
  flex_dispatch_ref_eval(&p->ref, in, &ref);
  if (rtl.valid != ref.valid || rtl.valid != out->valid)
    fail_msg("cycle %llu: an instruction of RTL %u, reference %u, model %u",
             (unsigned long long)p->now, (unsigned)rtl.valid, (unsigned)ref.valid,
             (unsigned)out->valid);
  const uint64_t *a = &rtl.data0, *b = &ref.data0, *c = &out->data0;
  for (unsigned i = 0; out->valid && i < out->planes; i++)
    assert_true(a[i] == b[i] && a[i] == c[i]);
  if (out->valid)
    assert_true(rtl.side == out->side && ref.side == out->side && rtl.planes == out->planes &&
                ref.planes == out->planes);
  flex_dispatch_ref_step(&p->ref, in);
  step(p->rtl, in);
  *in = (struct flex_dispatch_in){0};
  *out = (struct flex_dispatch_out){0};
  p->now++;
}

/* Goes to a cycle; in a long pause nothing happens after a while. */
static void go_to(struct pipe *p, uint64_t cycle) {
  for (unsigned n = 0; p->now < cycle && n < AHEAD; n++)
    pipe_cycle(p);
  p->now = cycle;
}

static uint64_t data_of(const struct replay_dispatch *d, unsigned plane) {
  return plane < d->planes ? (uint64_t)d->id << 4 | plane : 0;
}

void units_dispatch(unsigned sm, unsigned pipe, const struct replay_dispatch *d) {
  struct pipe *p = &run.pipe[sm][pipe];
  go_to(p, d->cycle);
  assert_in_range(d->planes, 0, FLEX_PLANES); /* 64-bit operands have more, here are none */
  if (d->out < d->cycle || d->out >= d->cycle + AHEAD)
    fail_msg("SM %u: an instruction is dispatched in cycle %llu, to start in %llu", sm,
             (unsigned long long)d->cycle, (unsigned long long)d->out);
  p->out[d->out % AHEAD] = (struct flex_dispatch_out){.valid = 1,
                                                      .side = d->side,
                                                      .planes = d->planes,
                                                      .data0 = data_of(d, 0),
                                                      .data1 = data_of(d, 1),
                                                      .data2 = data_of(d, 2)};
  struct flex_dispatch_in *in = &p->in[d->cycle % AHEAD];
  if (d->side == 0) {
    in->own_valid = 1;
    in->own_planes = d->planes;
    in->own_data0 = data_of(d, 0);
    in->own_data1 = data_of(d, 1);
    in->own_data2 = data_of(d, 2);
    return;
  }
  const unsigned link = run.is.link;
  for (unsigned at = 0, beat = 0; beat == 0 || at < d->planes; at += link, beat++) {
    in = &p->in[(d->cycle + beat) % AHEAD];
    in->far_valid = 1;
    in->far_planes = d->planes;
    in->far_data0 = data_of(d, at);
    in->far_data1 = link > 1 ? data_of(d, at + 1) : 0;
    in->far_data2 = link > 2 ? data_of(d, at + 2) : 0;
    replay_counts.crossings += beat != 0;
  }
}

void units_end(void) {
  rtl_destroy(run.map);
  for (unsigned sm = 0; sm < REPLAY_SMS; sm++) {
    for (unsigned p = 0; p < REPLAY_PIPES; p++) {
      go_to(&run.pipe[sm][p], run.pipe[sm][p].now + AHEAD);
      rtl_destroy(run.pipe[sm][p].rtl);
    }
    for (unsigned w = 0; w < WAYS; w++)
      rtl_destroy(run.way[sm][w].rtl);
  }
}
