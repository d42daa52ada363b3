/* Fake back ends of the members of a buddy cluster. */
#include "tests/unit/buddy/cluster_environment.h"

#include <string.h>

#include "csim/ports/pipeline_rows.h"
#include "csim/ref/sm/decode.h"
#include "tests/unit/buddy/cluster_watch.h"

enum { QUIET_BEFORE_KERNEL = 60, QUIET_LEAST = 10, FORMING = 3 /* edges besides D */ };

/* Random numbers that are the same for all members in a cycle. */
static struct rng shared(const struct cluster_environment *e, unsigned salt) {
  struct rng r = {e->seed ^ e->cycle * 64 ^ salt};
  rng_next(&r);
  return r;
}

static void new_kernel(struct cluster_environment *e) {
  const struct env_rates rates = {
      .nest = e->rates.nest, .calm = e->script.calm > 0 && rng_chance(&e->rng, e->script.calm)};
  environment_init(&e->program, rng_next(&e->rng), rates, rng_chance(&e->rng, 30));
  e->ctas = e->script.ctas >= 0 ? (unsigned)e->script.ctas
                                : 1 + rng_below(&e->rng, e->rates.ctas * e->members);
  e->cta_most = e->cta_warps > 0 ? e->cta_warps : rates.calm ? 1 + rng_below(&e->rng, 6) : 9;
  e->idle = 0;
  e->rest = QUIET_BEFORE_KERNEL;
  if (e->script.restless) { /* mostly without a CTA; then about when front ends have come up */
    e->ctas = rng_chance(&e->rng, 85) ? 0 : e->ctas;
    e->rest = rng_below(&e->rng, 8) + (rng_chance(&e->rng, 60) ? e->power_up : 0);
    e->rest += e->ctas == 0 ? 0 : QUIET_LEAST;
  }
}

void cluster_environment_init(struct cluster_environment *e, unsigned members, unsigned hop,
                              uint64_t seed, struct ce_rates rates) {
  memset(e, 0, sizeof *e);
  e->members = members;
  e->delay = (hop * (members - 1) + 2) / 2;
  e->seed = seed;
  e->rng.state = seed;
  e->rates = rates;
  e->script = (struct ce_script){UINT32_MAX, -1, -1, -1, -1, false, 0, 0};
  e->idle = QUIET_BEFORE_KERNEL; /* a kernel starts first */
}

/* The interpreter. */

/* Frames that have arrived or have no lane go away. */
static void settle(struct ce_warp *w) {
  while (w->frames > 0) {
    struct ce_frame *top = &w->frame[w->frames - 1];
    top->mask &= w->lanes;
    if (top->mask != 0 && top->pc != top->rpc)
      return;
    w->frames--;
  }
}

static void branch(struct ce_warp *w, uint64_t word, uint32_t taken) {
  struct ce_frame *top = &w->frame[w->frames - 1];
  const uint16_t target = (uint16_t)(word >> 32), rpc = (uint16_t)word, fall = top->pc;
  const uint32_t others = top->mask & ~taken;
  if (taken == 0 || target == fall)
    return;
  if (others == 0) {
    top->pc = target;
    return;
  }
  const bool joins = rpc != top->rpc; /* else the frame below is reached at the same place */
  top->pc = rpc;
  w->frames -= !joins;
  w->frame[w->frames++] = (struct ce_frame){fall, rpc, others};
  w->frame[w->frames++] = (struct ce_frame){target, rpc, taken};
}

/* The warp executes the instruction, `taken` of its lanes taking the branch or ending. */
static void execute(struct ce_warp *w, uint64_t word, unsigned ctl, uint32_t taken) {
  w->frame[w->frames - 1].pc++;
  if (ctl == DECODE_CTL_BRA)
    branch(w, word, taken);
  else if (ctl == DECODE_CTL_EXIT)
    w->lanes &= ~taken;
  settle(w);
}

/* Registers and predicates that an instruction uses. */

static uint64_t registers(unsigned field, unsigned n) {
  static const unsigned counts[] = {0, 1, 2, 4};
  uint64_t set = 0;
  for (unsigned i = 0; i < counts[n]; i++)
    set |= UINT64_C(1) << ((field & ~(counts[n] - 1)) + i);
  return set;
}

static uint64_t predicate(bool used, unsigned field) {
  return used ? UINT64_C(1) << (32 + (field & 15)) : 0;
}

static uint64_t written(uint64_t word, unsigned dec) {
  return registers(word & 31, decode_d_n(dec)) | predicate(decode_d_p(dec), word & 31);
}

static uint64_t read(uint64_t word, unsigned dec) {
  const unsigned s1 = word >> 5 & 31, s2 = word >> 10 & 31, s3 = word >> 15 & 31;
  return registers(s1, decode_s1_n(dec)) | registers(s2, decode_s2_n(dec)) |
         registers(s3, decode_s3_n(dec)) |
         ((predicate(decode_p2(dec), s2) | predicate(decode_p3(dec), s3) |
           predicate(true, word >> 20 & 31)) &
          ~predicate(true, 15)); /* it always holds */
}

/* ---- instructions that members receive ---- */

struct delivery {
  bool valid;
  uint64_t inst;
  uint16_t pc;
  uint32_t mask;
};

static struct delivery delivery(const struct buddy_member_out *o, unsigned port) {
  if (port == 0)
    return (struct delivery){o->iss0_valid != 0, o->iss0_inst, (uint16_t)o->iss0_pc,
                             (uint32_t)o->iss0_mask};
  return (struct delivery){o->iss1_valid != 0, o->iss1_inst, (uint16_t)o->iss1_pc,
                           (uint32_t)o->iss1_mask};
}

enum way { NONE, ALL, BOTH };

static uint32_t lanes_of(struct rng *r, enum way way, uint32_t active) {
  uint32_t taken = (uint32_t)rng_next(r);
  if (way == NONE)
    return taken & ~active;
  if (way == ALL || (active & (active - 1)) == 0)
    return taken | active;
  const uint32_t one = 1U << rng_member(r, active);
  taken |= one;
  return (taken & active) == active ? taken & ~(active & ~one) : taken;
}

static void check_hazards(struct cluster_environment *e, unsigned m, unsigned warp, uint64_t reads,
                          uint64_t writes, bool exits) {
  unsigned places = 0;
  for (unsigned i = 0; i < e->member[m].flights; i++) {
    const struct ce_flight *f = &e->member[m].flight[i];
    places += f->to_take;
    if (f->warp != warp)
      continue;
    if (f->to_write && ((reads | writes) & f->writes) != 0)
      cluster_watch_fault(e, m, warp, "uses a register that is still to be written");
    if (f->to_collect && (writes & f->reads) != 0)
      cluster_watch_fault(e, m, warp, "writes a register that is still to be read");
    if (exits && (f->to_write || f->to_collect))
      cluster_watch_fault(e, m, warp, "ends before its instructions");
  }
  if (places > CE_PLACES)
    cluster_watch_fault(e, m, warp, "has no place for a memory instruction");
}

/* A warp goes on behind a barrier when all of its CTA that have not ended have come to it. */
static void check_barrier(struct cluster_environment *e, unsigned m, unsigned warp) {
  const struct ce_member *b = &e->member[m];
  const struct ce_warp *w = &b->warp[warp];
  bool all = w->bars == 0 || b->left == 0 || b->launching != w->cta;
  for (unsigned v = 0; v < ENV_WARPS; v++) {
    const struct ce_warp *other = &b->warp[v];
    if (other->live && other->frames > 0 && other->cta == w->cta)
      all = all && other->bars >= w->bars;
  }
  if (!all)
    cluster_watch_fault(e, m, warp, "passes a barrier that others have not come to");
}

static void add_flight(struct cluster_environment *e, unsigned m, unsigned port, uint64_t word,
                       uint32_t taken) {
  struct ce_member *b = &e->member[m];
  const unsigned warp = (unsigned)(word >> 58), dec = decode_ref_word(word);
  const unsigned pipe = decode_pipe(dec), ctl = decode_ctl(dec);
  struct rng r = shared(e, port);
  struct ce_flight f = {.warp = (uint8_t)warp, .pipe = (uint8_t)pipe};
  f.reads = read(word, dec);
  f.writes = written(word, dec);
  if (pipe == ISA_PIPE_NONE)
    return;
  if (b->flights == CE_FLIGHTS) {
    cluster_watch_fault(e, m, warp, "is one instruction too many");
    return;
  }
  f.collect = e->cycle + 1 + rng_below(&r, 3);
  f.to_collect = true;
  f.to_take = pipe == ISA_PIPE_MEM;
  f.to_write = f.writes != 0;
  f.to_resolve = ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT;
  f.write = f.collect + !f.to_resolve + rng_below(&r, rng_chance(&r, 20) ? 24 : 4);
  f.pred = decode_d_p(dec);
  f.reg = (uint8_t)(word & 31);
  f.size = (uint8_t)decode_d_n(dec);
  f.taken = taken;
  b->flight[b->flights++] = f;
  b->warp[warp].flights++;
  cluster_watch_queue(e, m, warp);
}

static void take(struct cluster_environment *e, unsigned m, unsigned port, struct delivery d,
                 enum way way) {
  const unsigned warp = (unsigned)(d.inst >> 58) % ENV_WARPS, dec = decode_ref_word(d.inst);
  const unsigned ctl = decode_ctl(dec);
  struct ce_warp *w = &e->member[m].warp[warp];
  e->delivered++;
  if (warp % 2 != port)
    cluster_watch_fault(e, m, warp, "is on the other port");
  if (w->frames == 0 || !w->live) {
    cluster_watch_fault(e, m, warp, "has ended");
    return;
  }
  const struct ce_frame *next = &w->frame[w->frames - 1];
  const uint64_t word = d.inst & ~(UINT64_MAX << 58);
  if (d.pc != next->pc)
    cluster_watch_fault(e, m, warp, "is at another PC");
  if (d.mask != next->mask)
    cluster_watch_fault(e, m, warp, "has other lanes");
  if (word != (e->program.code[d.pc] & ~(UINT64_MAX << 58)))
    cluster_watch_fault(e, m, warp, "gets an instruction that is not at its PC");
  if (e->cycle < w->not_before + ((e->grouped >> m & 1) != 0 ? e->delay : 0))
    cluster_watch_fault(e, m, warp, "issues in its verdict window");
  check_hazards(e, m, warp, read(word, dec), written(word, dec), ctl == DECODE_CTL_EXIT);
  check_barrier(e, m, warp);
  uint32_t taken = 0;
  if (ctl == DECODE_CTL_EXIT && (word >> 32 & 0xffff) == ENV_LAST_EXIT)
    taken = UINT32_MAX;
  else if (ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT)
    taken = lanes_of(&e->rng, way, next->mask);
  w->fresh = false;
  if (ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT)
    w->visits[d.pc % CE_VISITS]++;
  w->at_bar = ctl == DECODE_CTL_BAR;
  w->bars += w->at_bar;
  e->barriers += ctl == DECODE_CTL_BAR;
  execute(w, word, ctl, taken & next->mask);
  add_flight(e, m, port, d.inst, taken);
}

/* The way that a warp's lanes take at a branch or exit; `both` they can.  Where groups are to form
 * again it is the same in all members each time that the warp comes to the same PC. */
static enum way usual_way(struct cluster_environment *e, const struct ce_member *b,
                          struct delivery d, bool both) {
  const unsigned warp = (unsigned)(d.inst >> 58) % ENV_WARPS, visits = d.pc % CE_VISITS;
  struct rng r = {e->seed ^ (uint64_t)e->kernels << 40 ^
                  (uint64_t)b->warp[warp].visits[visits] << 32 ^ warp << 16 ^ d.pc};
  if (!e->halfway)
    return (enum way)rng_below(&e->rng, both ? 3 : 2);
  rng_next(&r);
  return (enum way)rng_below(&r, both ? 3 : 2);
}

/* Deliveries of a group in one cycle on one port: the same to all, and the way that branches take
 * one that all can take. */
static void take_group(struct cluster_environment *e, unsigned first, unsigned members,
                       const struct buddy_member_out *const out[], unsigned port) {
  const struct delivery leads = delivery(out[first], port);
  bool both = true;
  for (unsigned m = first; m < e->members; m++) {
    const struct delivery d = delivery(out[m], port);
    if ((members >> m & 1) == 0)
      continue;
    both = both && (d.mask & (d.mask - 1)) != 0;
    if (d.valid != leads.valid || (d.valid && (d.inst != leads.inst || d.pc != leads.pc)))
      cluster_watch_fault(e, m, (unsigned)(leads.inst >> 58), "does not get what its leader gets");
  }
  if (!leads.valid)
    return;
  const bool exits = decode_ctl(decode_ref_word(leads.inst)) == DECODE_CTL_EXIT;
  const unsigned rate = exits ? e->rates.exits : e->rates.diverge;
  const enum way way = usual_way(e, &e->member[first], leads, both);
  for (unsigned m = first; m < e->members; m++) {
    const bool differs = rng_below(&e->rng, 1000) < rate && (e->script.dissent >> m & 1) != 0;
    if ((members >> m & 1) != 0)
      take(e, m, port, delivery(out[m], port), differs ? (enum way)rng_below(&e->rng, 3) : way);
  }
}

static void observe(struct cluster_environment *e, const struct buddy_cluster_out *out,
                    const struct buddy_member_out *const member[]) {
  e->grouped = (unsigned)(out->master | out->slave);
  cluster_watch_groups(e, out);
  for (unsigned m = 0; m < e->members; m++) {
    const unsigned lead = out->lead >> 3 * m & 7;
    unsigned group = 1U << m;
    if ((out->slave >> m & 1) != 0 && (out->master >> lead & 1) == 0)
      cluster_watch_fault(e, m, 0, "follows one that does not lead");
    if ((out->slave >> m & 1) != 0)
      continue;
    for (unsigned k = m + 1; k < e->members; k++)
      if ((out->slave >> k & 1) != 0 && (out->lead >> 3 * k & 7) == m)
        group |= 1U << k;
    for (unsigned port = 0; port < 2; port++)
      take_group(e, m, group, member, port);
  }
  for (unsigned m = 0; m < e->members; m++) {
    struct ce_member *b = &e->member[m];
    if (member[m]->imiss_valid && (out->power >> m & 1) == 0)
      cluster_watch_fault(e, m, 0, "is off and asks for instructions");
    if (b->misses > 0 && (out->power >> m & 1) == 0)
      cluster_watch_fault(e, m, 0, "is off while instructions are on their way");
    if (member[m]->imiss_valid && b->misses < ENV_MISSES)
      b->miss[b->misses++] = (uint16_t)member[m]->imiss_line;
    if (member[m]->trap_valid)
      cluster_watch_fault(e, m, (unsigned)member[m]->trap_warp, "overflows its stack");
    if (!member[m]->done_valid)
      continue;
    struct ce_warp *w = &b->warp[member[m]->done_warp];
    if (!w->live || w->frames != 0)
      cluster_watch_fault(e, m, (unsigned)member[m]->done_warp, "is done too early");
    cluster_watch_end(e, out, m, (unsigned)member[m]->done_warp);
    w->live = false;
    b->alive[w->cta]--;
  }
}

/* ---- inputs of the cluster ---- */

static struct ce_flight *find(struct ce_member *b, unsigned pipe, uint64_t now, bool collect) {
  for (unsigned i = 0; i < b->flights; i++) {
    struct ce_flight *f = &b->flight[i];
    if (f->pipe == pipe && (collect ? f->to_collect && f->collect <= now
                                    : f->to_write && !f->to_collect && f->write <= now))
      return f;
  }
  return NULL;
}

static struct ce_flight *find_resolve(struct ce_member *b, uint64_t now) {
  for (unsigned i = 0; i < b->flights; i++)
    if (b->flight[i].to_resolve && !b->flight[i].to_collect && b->flight[i].write <= now)
      return &b->flight[i];
  return NULL;
}

static void write_back(struct sm_frontend_in *in, unsigned k, struct ce_flight *f) {
  rows_put_write(in, k, (struct row_write){f->warp, f->reg, f->size, f->pred});
  f->to_write = false;
}

static void alu(struct cluster_environment *e, struct ce_member *b, struct sm_frontend_in *in) {
  static const unsigned pipe_of[ROW_PORTS] = {ISA_PIPE_SP, ISA_PIPE_SP, ISA_PIPE_SFU, ISA_PIPE_MEM};
  struct ce_flight *f;
  for (unsigned k = e->sp_waits ? ROW_SFU : ROW_SP0; k < ROW_PORTS; k++)
    if ((f = find(b, pipe_of[k], e->cycle, true)) != NULL) {
      rows_put_collected(in, k, f->warp);
      f->to_collect = false;
      in->sp_credit += pipe_of[k] == ISA_PIPE_SP;
      in->sfu_credit += pipe_of[k] == ISA_PIPE_SFU;
    }
  for (unsigned k = ROW_SP0; k < ROW_MEM; k++)
    if ((f = find(b, pipe_of[k], e->cycle, false)) != NULL)
      write_back(in, k, f);
  /* Memory: at random, one of those that the load-store unit has taken. */
  unsigned first = b->flights > 0 ? rng_below(&e->rng, b->flights) : 0;
  bool answer = rng_chance(&e->rng, e->rates.memory), place = rng_chance(&e->rng, e->rates.places);
  for (unsigned i = 0; i < b->flights; i++) {
    struct ce_flight *mem = &b->flight[(first + i) % b->flights];
    if (mem->pipe != ISA_PIPE_MEM || mem->to_collect)
      continue;
    if (mem->to_take && place) {
      mem->to_take = place = false;
      in->mem_credit = 1;
    } else if (!mem->to_take && mem->to_write && answer) {
      write_back(in, ROW_MEM, mem);
      answer = false;
    }
  }
}

static void resolve(struct cluster_environment *e, unsigned m, struct sm_frontend_in *in) {
  struct ce_flight *f = find_resolve(&e->member[m], e->cycle);
  if (f == NULL)
    return;
  in->resolve_valid = 1;
  in->resolve_warp = f->warp;
  in->resolve_taken = f->taken;
  f->to_resolve = false;
  /* Resolved in cycle r, the next; granted in r + V, in the issue registers a cycle later. */
  if ((e->grouped >> m & 1) != 0)
    e->member[m].warp[f->warp].not_before = e->cycle + 1 + (2 * e->delay + 4) + 1;
}

static void drop_finished(struct ce_member *b) {
  unsigned n = 0;
  for (unsigned i = 0; i < b->flights; i++) {
    struct ce_flight f = b->flight[i];
    if (f.to_collect || f.to_take || f.to_write || f.to_resolve)
      b->flight[n++] = f;
    else
      b->warp[f.warp].flights--;
  }
  b->flights = n;
}

static void fill(struct cluster_environment *e, struct ce_member *b, struct sm_frontend_in *in) {
  if (!b->filling && b->misses > 0 && rng_chance(&e->rng, 30)) {
    b->fill_line = b->miss[0];
    memmove(&b->miss[0], &b->miss[1], --b->misses * sizeof b->miss[0]);
    b->filling = true;
    b->fill_beat = 0;
  }
  if (!b->filling || rng_chance(&e->rng, 20))
    return;
  const uint64_t *word = &e->program.code[b->fill_line * 16U + 2 * b->fill_beat];
  in->fill_valid = 1;
  in->fill_line = b->fill_line;
  in->fill_beat = b->fill_beat;
  in->fill_data0 = word[0];
  in->fill_data1 = word[1];
  b->filling = b->fill_beat++ < 7;
}

/* Warps and CTA slots that are free in a member. */
static uint64_t free_warps(const struct ce_member *b) {
  uint64_t set = 0;
  for (unsigned w = 0; w < ENV_WARPS; w++)
    set |= (uint64_t)(!b->warp[w].live && b->warp[w].flights == 0) << w;
  return set;
}

/* A CTA each to the members of a set, in the same slot. */
static void give(struct cluster_environment *e, unsigned set, uint64_t held) {
  unsigned slots = 0xff, size = 1 + rng_below(&e->rng, e->cta_most),
           n = (unsigned)__builtin_popcount(set);
  uint64_t warps = UINT64_MAX;
  bool ready = (held & set) == 0 && e->ctas >= n && e->cycle >= e->formed;
  for (unsigned m = 0; m < e->members; m++) {
    const struct ce_member *b = &e->member[m];
    if ((set >> m & 1) == 0)
      continue;
    ready = ready && b->left == 0;
    warps &= free_warps(b);
    for (unsigned c = 0; c < ENV_CTAS; c++)
      slots &= ~(b->alive[c] > 0 ? 1U << c : 0);
  }
  if (!ready || slots == 0 || (unsigned)__builtin_popcountll(warps) < size)
    return;
  const unsigned slot = rng_member(&e->rng, slots);
  e->ctas -= n;
  for (unsigned m = 0; m < e->members; m++)
    if ((set >> m & 1) != 0) {
      e->member[m].launching = slot;
      e->member[m].left = size;
    }
}

/* One warp of a CTA that was given, the lowest free one: the same in members that go together. */
static void launch(struct cluster_environment *e, unsigned m, uint64_t warps,
                   struct sm_frontend_in *in) {
  struct ce_member *b = &e->member[m];
  struct rng r = shared(e, 7);
  const bool now = rng_chance(&r, e->launch_rate > 0 ? e->launch_rate : e->halfway ? 20 : 60);
  const uint16_t pc = e->program.entry[rng_below(&r, e->program.entries)];
  if (b->left == 0 || !now || warps == 0)
    return;
  const unsigned warp = (unsigned)__builtin_ctzll(warps);
  uint32_t mask = UINT32_MAX;
  if (rng_chance(&r, 20))
    mask = (uint32_t)rng_next(&e->rng) | 3;
  b->warp[warp] = (struct ce_warp){.live = true,
                                   .cta = b->launching,
                                   .frames = 1,
                                   .lanes = mask,
                                   .launched = mask,
                                   .fresh = true};
  b->warp[warp].frame[0] = (struct ce_frame){pc, ISA_NO_RPC, mask};
  b->alive[b->launching]++;
  b->left--;
  in->launch_valid = 1;
  in->launch_warp = warp;
  in->launch_cta = b->launching;
  in->launch_last = b->left == 0;
  in->launch_pc = pc;
  in->launch_mask = mask;
}

/* Nothing runs. */
static bool at_rest(const struct cluster_environment *e) {
  for (unsigned m = 0; m < e->members; m++) {
    const struct ce_member *b = &e->member[m];
    if (b->flights > 0 || b->misses > 0 || b->filling || b->left > 0)
      return false;
    for (unsigned c = 0; c < ENV_CTAS; c++)
      if (b->alive[c] > 0)
        return false;
  }
  return true;
}

/* First members of those that take CTAs together. */
static uint64_t leaders(const struct cluster_environment *e, const struct buddy_cluster_out *out) {
  return out->cta_lead & ~(out->cta_lead >> 1) & ((UINT64_C(1) << (e->members - 1)) - 1);
}

/* CTAs and warps; members that take CTAs together are those up to the next lead. */
static void dispatch(struct cluster_environment *e, const struct buddy_cluster_out *out,
                     struct sm_frontend_in in[]) {
  uint64_t warps[CE_MEMBERS], common = 0;
  unsigned set = 0;
  for (unsigned m = 0; m < e->members; m++) {
    set |= 1U << m;
    if (m + 1 < e->members && (out->cta_lead >> (m + 1) & 1) == 0)
      continue;
    give(e, set, out->hold);
    common = UINT64_MAX;
    for (unsigned k = 0; k <= m; k++)
      common &= (set >> k & 1) != 0 ? free_warps(&e->member[k]) : UINT64_MAX;
    for (unsigned k = 0; k <= m; k++)
      if ((set >> k & 1) != 0)
        warps[k] = common;
    set = 0;
  }
  for (unsigned m = 0; m < e->members; m++)
    launch(e, m, warps[m], &in[m]);
}

static void start_kernel(struct cluster_environment *e, struct buddy_cluster_in *in) {
  in->kernel_start = 1;
  const struct ce_script *s = &e->script;
  const unsigned form = rng_chance(&e->rng, 50) ? 0 : rng_below(&e->rng, e->members);
  const unsigned solo = rng_chance(&e->rng, 10);
  const unsigned power_up =
      rng_chance(&e->rng, 30) ? 0
                              : rng_below(&e->rng, s->restless && rng_chance(&e->rng, 60) ? 4 : 40);
  in->form = s->form >= 0 ? (unsigned)s->form : form;
  in->solo = s->solo >= 0 ? (unsigned)s->solo : solo;
  e->power_up = (uint8_t)(s->power_up >= 0 ? (unsigned)s->power_up : power_up);
  e->halfway = s->halfway >= 0 ? s->halfway != 0 : rng_chance(&e->rng, 50);
  e->formed = e->cycle + FORMING + e->delay;
  e->kernels++;
  new_kernel(e);
}

static bool all_drained(const struct cluster_environment *e,
                        const struct buddy_member_out *const member[]) {
  for (unsigned m = 0; m < e->members; m++)
    if (!member[m]->drained)
      return false;
  return true;
}

void cluster_environment_step(struct cluster_environment *e, const struct buddy_cluster_out *out,
                              const struct buddy_member_out *const member[],
                              struct buddy_cluster_in *in, struct sm_frontend_in member_in[]) {
  *in = (struct buddy_cluster_in){
      .cfg_lrr = e->program.lrr, .power_up = e->power_up, .halfway = e->halfway};
  memset(member_in, 0, e->members * sizeof member_in[0]);
  observe(e, out, member);
  e->idle = at_rest(e) ? e->idle + 1 : 0;
  const bool early =
      e->idle > 0 && (e->start_in != 0 ? cluster_watch_in(out, e->start_in)
                                       : e->script.restless && cluster_watch_meeting(out) &&
                                             rng_chance(&e->rng, 30));
  if ((e->idle > e->rest || early) && e->ctas == 0 && all_drained(e, member)) {
    start_kernel(e, in);
    in->power_up = e->power_up;
    in->halfway = e->halfway;
  } else {
    for (unsigned m = 0; m < e->members; m++) {
      resolve(e, m, &member_in[m]);
      alu(e, &e->member[m], &member_in[m]);
      drop_finished(&e->member[m]);
      fill(e, &e->member[m], &member_in[m]);
    }
    /* A CTA is given in the cycle in which the cluster may just have begun to change; launches go
     * on in any case. */
    dispatch(e, out, member_in);
    const uint64_t groups =
        e->halfway ? cluster_watch_leaders(e, out) : leaders(e, out) & ~out->hold;
    const bool too_few = e->idle > QUIET_BEFORE_KERNEL; /* CTAs for a group */
    const bool there = e->split_in != 0 && cluster_watch_in(out, e->split_in);
    const unsigned split = there ? 200000 : e->rates.split;
    if (groups != 0 && e->cycle >= e->formed && (too_few || rng_below(&e->rng, 1000000) < split))
      in->split = UINT64_C(1) << rng_member(&e->rng, groups);
  }
  e->cycle++;
}
