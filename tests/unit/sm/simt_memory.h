/* The surroundings of a simt_stack in its test: the memory of its entries, and the stages on the
 * way to it, from which branches get their targets too.  After lockstep.h. */
#ifndef TANDEM_TEST_SIMT_MEMORY_H
#define TANDEM_TEST_SIMT_MEMORY_H

/* Something that arrives `left` cycles from now. */
struct coming_branch {
  unsigned warp, left;
  uint16_t target, rpc;
};
struct coming_push {
  unsigned warp, left, depth, n;
  struct simt_entry entry[2];
};

enum { UNDER_WAY = 16 };

static struct {
  unsigned stages;
  bool bypass;
  struct simt_entry entry[WARPS][SIMT_BELOW + 1]; /* by number, from 1 for the lowest on */
  unsigned asked[WARPS];                          /* the number of the entry that is read */
  struct coming_branch branch[UNDER_WAY];
  unsigned branches;
  struct coming_push push[UNDER_WAY];
  unsigned pushes;
  warpset due; /* warps whose branch's target is under way */
} memory;

static unsigned memory_delay(void) { return memory.bypass ? 0 : memory.stages; }

/* Nothing is under way any more, as after a reset. */
static void memory_clear(void) {
  memory.branches = memory.pushes = 0;
  memory.due = 0;
}

/* A branch issues, whose target comes later. */
static void memory_issue(unsigned warp, uint16_t target, uint16_t rpc) {
  memory.branch[memory.branches++] = (struct coming_branch){warp, memory_delay(), target, rpc};
  memory.due |= warpset_of(warp);
}

/* The branches whose targets come now. */
static void memory_bring(unit_in *in) {
  unsigned kept = 0;
  for (unsigned i = 0; i < memory.branches; i++) {
    struct coming_branch b = memory.branch[i];
    if (b.left-- > 0) {
      memory.branch[kept++] = b;
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
  memory.branches = kept;
}

/* Entries that arrive are written. */
static void memory_write(void) {
  unsigned kept = 0;
  for (unsigned i = 0; i < memory.pushes; i++) {
    struct coming_push p = memory.push[i];
    if (p.left-- > 0) {
      memory.push[kept++] = p;
      continue;
    }
    for (unsigned k = 0; k < p.n; k++)
      memory.entry[p.warp][p.depth + 1 + k] = p.entry[k];
  }
  memory.pushes = kept;
}

static struct simt_entry memory_entry(uint64_t mask, uint64_t pcs) {
  return (struct simt_entry){mask, (uint16_t)(pcs >> 16), (uint16_t)pcs};
}

/* The pushes that leave the stack in this cycle. */
static void memory_note(const unit_in *in, const unit_out *out) {
  if (out->push == 0)
    return;
  memory.push[memory.pushes++] =
      (struct coming_push){.warp = (unsigned)in->resolve_warp,
                           .left = memory_delay(),
                           .depth = (unsigned)out->push_depth,
                           .n = out->push == 3 ? 2 : 1,
                           .entry = {memory_entry(out->push0_mask, out->push0_pcs),
                                     memory_entry(out->push1_mask, out->push1_pcs)}};
}

/* One cycle of stack and memory.  Noise is at the pins of the entry while none is read. */
static void memory_tick(struct lockstep *l, unit_in in) {
  const unsigned begins = simt_stack_ref_popped(&l->ref, in.defer);
  const unsigned ends =
      memory.stages == 0 ? NO_WARP : simt_stack_ref_ends(&l->ref, begins, memory.bypass);
  in.bypass = memory.bypass;
  if (begins != NO_WARP)
    memory.asked[begins] = l->ref.warp[begins].depth;
  in.pop_mask = rng_next(&l->noise) & all_lanes;
  in.pop_pcs = rng_next(&l->noise) & port_mask(32);
  if (ends != NO_WARP) {
    const struct simt_entry *e = &memory.entry[ends][memory.asked[ends]];
    in.pop_mask = e->mask;
    in.pop_pcs = (uint64_t)e->rpc << 16 | e->pc;
  }
  memory_bring(&in);
  lockstep_tick(l, in);
  memory_note(&in, &l->ref_out);
  memory_write();
  memory.due &= ~(warpset_if(in.br0_valid, in.br0_warp) | warpset_if(in.br1_valid, in.br1_warp));
  if (in.kernel_start)
    memory_clear();
}

#endif
