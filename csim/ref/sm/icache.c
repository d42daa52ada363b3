/* Reference of rtl/sm/icache.sv. */
#include "csim/ref/sm/icache.h"

#include <string.h>

#include "csim/ref/sm/decode.h"

static struct icache_set *set_of(struct icache_ref *c, unsigned line) {
  return &c->set[line % ICACHE_SETS];
}

static uint16_t tag_of(unsigned line) { return (uint16_t)(line / ICACHE_SETS); }

void icache_ref_reset(struct icache_ref *c) {
  memset(c, 0, sizeof *c);
  for (unsigned s = 0; s < ICACHE_SETS; s++)
    for (unsigned w = 0; w < ICACHE_WAYS; w++)
      c->set[s].order[w] = (uint8_t)w;
}

/* Moves a way to the front of its set's order. */
static void touch(struct icache_set *set, unsigned way) {
  unsigned i = 0;
  while (set->order[i] != way)
    i++;
  for (; i > 0; i--)
    set->order[i] = set->order[i - 1];
  set->order[0] = (uint8_t)way;
}

static unsigned victim_of(const struct icache_set *set) {
  for (unsigned w = 0; w < ICACHE_WAYS; w++)
    if (!set->way[w].valid)
      return w;
  return set->order[ICACHE_WAYS - 1];
}

/* The way that holds a line, ICACHE_WAYS if none does. */
static unsigned find_way(const struct icache_set *set, uint16_t tag) {
  unsigned w = 0;
  while (w < ICACHE_WAYS && !(set->way[w].valid && set->way[w].tag == tag))
    w++;
  return w;
}

static struct icache_mshr *find_mshr(struct icache_ref *c, unsigned line) {
  for (unsigned i = 0; i < ICACHE_MSHRS; i++)
    if (c->mshr[i].busy && c->mshr[i].line == line)
      return &c->mshr[i];
  return NULL;
}

static struct icache_mshr *free_mshr(struct icache_ref *c) {
  for (unsigned i = 0; i < ICACHE_MSHRS; i++)
    if (!c->mshr[i].busy)
      return &c->mshr[i];
  return NULL;
}

/* A request that found no line: wait for one that is asked for (if its last beat comes in this
 * cycle, it wakes this warp with the others), ask memory, or be woken to ask again. */
static void miss(struct icache_ref *c, struct icache_request req) {
  uint16_t line = req.pc / ICACHE_LINE;
  struct icache_mshr *mshr = find_mshr(c, line);
  if (mshr != NULL) {
    mshr->waiters |= warpset_of(req.warp);
    return;
  }
  mshr = free_mshr(c);
  if (mshr == NULL) {
    c->wake |= warpset_of(req.warp);
    return;
  }
  *mshr = (struct icache_mshr){.busy = true, .line = line, .waiters = warpset_of(req.warp)};
  c->imiss_valid = true;
  c->imiss_line = line;
}

static void look_up(struct icache_ref *c, struct icache_request req) {
  unsigned line = req.pc / ICACHE_LINE, offset = req.pc % ICACHE_LINE;
  struct icache_set *set = set_of(c, line);
  unsigned way = find_way(set, tag_of(line));
  if (way == ICACHE_WAYS) {
    miss(c, req);
    return;
  }
  bool two = offset != ICACHE_LINE - 1;
  c->rsp = (struct icache_response){
      .valid = true,
      .two = two,
      .warp = req.warp,
      .inst = {set->word[way][offset], two ? set->word[way][offset + 1] : 0},
      .dec = {set->dec[way][offset], two ? set->dec[way][offset + 1] : 0}};
  touch(set, way);
}

static void finish_line(struct icache_ref *c, struct icache_set *set, unsigned line) {
  set->way[c->fill_way].valid = true;
  touch(set, c->fill_way);
  struct icache_mshr *mshr = find_mshr(c, line);
  if (mshr != NULL) {
    c->wake |= mshr->waiters;
    mshr->busy = false;
  }
}

/* In order: (1) the victim is chosen as things are before the cycle; (2) the lookup sees the old
 * contents and the old MSHRs; (3) the beat is written. */
void icache_ref_clock(struct icache_ref *c, struct icache_request req,
                      const struct icache_fill *fill) {
  c->rsp.valid = false;
  c->imiss_valid = false;
  c->wake = 0;
  struct icache_set *set = set_of(c, fill->line);
  if (fill->valid && fill->beat == 0)
    c->fill_way = (uint8_t)victim_of(set);
  if (req.valid)
    look_up(c, req);
  if (!fill->valid)
    return;
  if (fill->beat == 0) {
    set->way[c->fill_way].valid = false;
    set->way[c->fill_way].tag = tag_of(fill->line);
  }
  for (unsigned i = 0; i < 2; i++) {
    set->word[c->fill_way][2 * fill->beat + i] = fill->data[i];
    set->dec[c->fill_way][2 * fill->beat + i] = decode_ref_word(fill->data[i]);
  }
  if (fill->beat == ICACHE_LAST_BEAT)
    finish_line(c, set, fill->line);
}

void icache_ref_eval(const struct icache_ref *c, const struct icache_in *in,
                     struct icache_out *out) {
  (void)in;
  *out = (struct icache_out){.rsp_valid = c->rsp.valid,
                             .rsp_warp = c->rsp.warp,
                             .rsp_two = c->rsp.two,
                             .rsp_inst0 = c->rsp.inst[0],
                             .rsp_inst1 = c->rsp.inst[1],
                             .wake = c->wake,
                             .imiss_valid = c->imiss_valid,
                             .imiss_line = c->imiss_line};
  for (unsigned i = 0; i < ICACHE_MSHRS; i++)
    out->mshr_valid |= (uint64_t)c->mshr[i].busy << i;
}

void icache_ref_step(struct icache_ref *c, const struct icache_in *in) {
  if (in->kernel_start) {
    icache_ref_reset(c);
    return;
  }
  struct icache_fill fill = {.valid = in->fill_valid != 0,
                             .beat = (uint8_t)in->fill_beat,
                             .line = (uint16_t)in->fill_line,
                             .data = {in->fill_data0, in->fill_data1}};
  icache_ref_clock(c,
                   (struct icache_request){.valid = in->req_valid != 0,
                                           .warp = (uint8_t)in->req_warp,
                                           .pc = (uint16_t)in->req_pc},
                   &fill);
}

void icache_ref_view(const struct icache_ref *c, struct icache_view *view) {
  *view = (struct icache_view){0};
  for (unsigned s = 0; s < ICACHE_SETS; s++)
    for (unsigned i = 0; i < ICACHE_WAYS; i++) {
      view->valid[0] |= (uint64_t)c->set[s].way[i].valid << (s * ICACHE_WAYS + i);
      view->rank[0] |= (uint64_t)i << 2 * (s * ICACHE_WAYS + c->set[s].order[i]);
    }
  for (unsigned i = 0; i < ICACHE_MSHRS; i++) {
    view->mshr_valid[0] |= (uint64_t)c->mshr[i].busy << i;
    view->mshr_line[i] = c->mshr[i].line;
    view->mshr_waiters[i] = c->mshr[i].waiters;
  }
}
