/* Reference of rtl/buddy/park.sv. */
#include "csim/ref/buddy/park.h"

#include "csim/isa/core/isa.h"

void park_ref_reset(struct park_ref *k) { *k = (struct park_ref){.pc = ISA_NO_RPC}; }

bool park_ref_stops(const struct park_ref *k, unsigned warp, uint16_t pc) {
  return pc == k->pc && !warpset_has(k->deeper, warp);
}

/* The picks that park. */
static warpset stopped(const struct park_ref *k, const struct park_in *in) {
  warpset set = 0;
  if (!in->park)
    return set;
  if (in->pick0_valid && park_ref_stops(k, (unsigned)in->pick0_warp, (uint16_t)in->pick0_pc))
    set |= warpset_of((unsigned)in->pick0_warp);
  if (in->pick1_valid && park_ref_stops(k, (unsigned)in->pick1_warp, (uint16_t)in->pick1_pc))
    set |= warpset_of((unsigned)in->pick1_warp);
  return set;
}

/* The next warp of a parity to be called. */
static unsigned next_of(const struct park_ref *k, unsigned parity) {
  return warpset_first(k->parked & ~k->done & warpset_of_parity(parity));
}

/* A warp of the leader's roll that does not stand as the leader's does. */
static bool stands_elsewhere(const struct park_ref *k, uint64_t warp, uint64_t its, uint64_t own) {
  return !warpset_has(k->parked, (unsigned)warp) || its != own;
}

static bool answers_no(const struct park_ref *k, const struct park_in *in) {
  if (in->called0_valid && stands_elsewhere(k, in->called0_warp, in->called0_depth, in->depth0))
    return true;
  if (in->called1_valid && stands_elsewhere(k, in->called1_warp, in->called1_depth, in->depth1))
    return true;
  return in->end_valid && in->end_count != (unsigned)__builtin_popcountll(k->parked);
}

void park_ref_eval(const struct park_ref *k, const struct park_in *in, struct park_out *out) {
  const warpset stop = stopped(k, in);
  *out = (struct park_out){.stop0 = (stop & warpset_of_parity(0)) != 0,
                           .stop1 = (stop & warpset_of_parity(1)) != 0,
                           .parked = k->parked,
                           .all = (in->live & ~k->parked) == 0,
                           .cancel = (k->parked & in->held) != 0,
                           .differs = answers_no(k, in)};
  if (!in->call)
    return;
  const unsigned even = next_of(k, 0), odd = next_of(k, 1);
  out->call0_valid = even != NO_WARP;
  out->call0_warp = even;
  out->call1_valid = odd != NO_WARP;
  out->call1_warp = odd;
  out->last_valid = even == NO_WARP && odd == NO_WARP && !k->ended;
  out->last_count = k->called;
}

/* A cycle of the roll call. */
static void step_roll(struct park_ref *k, const struct park_in *in) {
  if (!in->call) {
    k->done = 0;
    k->called = 0;
    k->ended = false;
    return;
  }
  bool some = false;
  for (unsigned parity = 0; parity < 2; parity++) {
    const unsigned warp = next_of(k, parity);
    if (warp == NO_WARP)
      continue;
    k->done |= warpset_of(warp);
    k->called++;
    some = true;
  }
  k->ended = k->ended || !some;
}

static void set_above(struct park_ref *k, unsigned warp, unsigned entries) {
  k->above[warp] = (uint8_t)entries;
  warpset_put(&k->deeper, warp, entries != 0);
}

void park_ref_grow(struct park_ref *k, unsigned warp, unsigned entries) {
  set_above(k, warp, k->above[warp] + entries);
}

void park_ref_shrink(struct park_ref *k, unsigned warp) {
  if (k->above[warp] > 0)
    set_above(k, warp, k->above[warp] - 1U);
}

void park_ref_launch(struct park_ref *k, unsigned warp) { set_above(k, warp, 0); }

void park_ref_together(struct park_ref *k) {
  for (; k->deeper != 0; k->deeper &= k->deeper - 1)
    k->above[warpset_first(k->deeper)] = 0;
}

static void step_above(struct park_ref *k, const struct park_in *in) {
  if (in->together) {
    park_ref_together(k);
    return;
  }
  if (in->res_valid)
    park_ref_grow(k, (unsigned)in->res_warp, (unsigned)in->res_push);
  if (in->pop_valid)
    park_ref_shrink(k, (unsigned)in->pop_warp);
  if (in->launch_valid)
    park_ref_launch(k, (unsigned)in->launch_warp);
}

void park_ref_step(struct park_ref *k, const struct park_in *in) {
  if (in->kernel_start) {
    park_ref_reset(k);
    return;
  }
  const warpset stop = stopped(k, in);
  step_roll(k, in);
  step_above(k, in);
  k->parked = in->park ? k->parked | stop : 0;
  if (in->set_valid)
    k->pc = (uint16_t)in->set_pc;
}

void park_ref_view(const struct park_ref *k, struct park_view *view) {
  *view = (struct park_view){
      .park_pc = {k->pc}, .done = {k->done}, .count = {k->called}, .ended = {k->ended}};
}
