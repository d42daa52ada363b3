/* The surroundings of a near_stack in its test: far rows of stack entries, and the stages on the
 * way to them.  After lockstep.h. */
#ifndef TANDEM_TEST_FAR_STACK_H
#define TANDEM_TEST_FAR_STACK_H

/* Something that arrives `left` cycles from now. */
struct far_branch {
  unsigned warp, left;
  uint16_t target, rpc;
};
struct far_push {
  unsigned warp, left, depth, n;
  struct near_entry entry[2];
};

enum { FAR_UNDER_WAY = 16 };

static struct far {
  unsigned dummy; /* stages */
  bool bypass;
  struct near_entry entry[WARPS][NEAR_BELOW + 1]; /* by number, from 1 for the lowest on */
  unsigned asked[WARPS];                          /* the number of the entry that is read */
  struct far_branch branch[FAR_UNDER_WAY];
  unsigned branches;
  struct far_push push[FAR_UNDER_WAY];
  unsigned pushes;
  warpset due; /* warps whose branch's target is under way */
} far;

static unsigned far_delay(void) { return far.bypass ? 0 : far.dummy; }

/* Nothing is under way any more, as after a reset. */
static void far_clear(void) {
  far.branches = far.pushes = 0;
  far.due = 0;
}

/* A branch issues, whose target comes later. */
static void far_issue(unsigned warp, uint16_t target, uint16_t rpc) {
  far.branch[far.branches++] = (struct far_branch){warp, far_delay(), target, rpc};
  far.due |= warpset_of(warp);
}

/* The branches whose words are read now. */
static void far_bring(unit_in *in) {
  unsigned kept = 0;
  for (unsigned i = 0; i < far.branches; i++) {
    struct far_branch b = far.branch[i];
    if (b.left-- > 0) {
      far.branch[kept++] = b;
    } else if (b.warp % 2 == 0) {
      in->br0_valid = 1;
      in->br0_warp = b.warp;
      in->br0_target = b.target;
      in->br0_rpc = b.rpc;
    } else {
      in->br1_valid = 1;
      in->br1_warp = b.warp;
      in->br1_target = b.target;
      in->br1_rpc = b.rpc;
    }
  }
  far.branches = kept;
}

/* Entries that arrive are written. */
static void far_write(void) {
  unsigned kept = 0;
  for (unsigned i = 0; i < far.pushes; i++) {
    struct far_push p = far.push[i];
    if (p.left-- > 0) {
      far.push[kept++] = p;
      continue;
    }
    for (unsigned k = 0; k < p.n; k++)
      far.entry[p.warp][p.depth + 1 + k] = p.entry[k];
  }
  far.pushes = kept;
}

/* The pushes that leave near in this cycle. */
static void far_note(const unit_in *in, const unit_out *out) {
  const uint64_t push = out->own_push | out->far_push;
  if (push == 0)
    return;
  far.push[far.pushes++] = (struct far_push){
      .warp = (unsigned)in->resolve_warp,
      .left = far_delay(),
      .depth = (unsigned)out->push_depth,
      .n = push == 3 ? 2 : 1,
      .entry = {{out->push0_mask, (uint16_t)(out->push0_pcs >> 16), (uint16_t)out->push0_pcs},
                {out->push1_mask, (uint16_t)(out->push1_pcs >> 16), (uint16_t)out->push1_pcs}}};
}

/* One cycle of near and far.  Noise is at the pins of the entry while none is read. */
static void far_tick(struct lockstep *l, unit_in in) {
  const unsigned begins = near_stack_ref_begins(&l->ref);
  const unsigned ends = near_stack_ref_ends(&l->ref, far.bypass);
  in.bypass = far.bypass;
  if (begins != NO_WARP)
    far.asked[begins] = l->ref.warp[begins].depth;
  in.pop_mask = rng_next(&l->noise);
  in.pop_pcs = rng_next(&l->noise) & port_mask(32);
  if (ends != NO_WARP) {
    const struct near_entry *e = &far.entry[ends][far.asked[ends]];
    in.pop_mask = e->mask;
    in.pop_pcs = (uint64_t)e->rpc << 16 | e->pc;
  }
  far_bring(&in);
  lockstep_tick(l, in);
  far_note(&in, &l->ref_out);
  far_write();
  far.due &= ~(warpset_if(in.br0_valid, in.br0_warp) | warpset_if(in.br1_valid, in.br1_warp));
  if (in.kernel_start)
    far_clear();
}

#endif
