/* Statistics of a cluster's groups: time in them, packets, why they came apart.  Also the check
 * that the back ends of a group that forms halfway are alike. */
#include "harness/gpu/results/statistics.h"
#include "harness/gpu/buddy/buddy.h"

enum { FIRST = 8 }; /* ungroups that are listed one by one */

/* The members that work in a group. */
static unsigned find_grouped(const struct cluster *c) {
  const unsigned some = (unsigned)(c->out->own.master | c->out->own.slave);
  unsigned set = 0;
  for (unsigned left = some; left != 0; left &= left - 1) {
    const unsigned m = (unsigned)__builtin_ctz(left);
    set |= (unsigned)(buddy_state(&c->out->own, buddy_lead(&c->out->own, m)) == BUDDY_GROUPED) << m;
  }
  return set;
}

/* Returns true if a member that can lead this one has a group that has come apart: it is not
 * Grouped, and its members are those of before. */
static bool is_apart(const struct cluster *c, unsigned m) {
  for (unsigned lead = 0; lead <= m; lead += 2) {
    const unsigned state = buddy_state(&c->out->own, lead);
    if (state != 0 && state != BUDDY_GROUPED)
      return true;
  }
  return false;
}

/* The members that the kernel's formation put in a group: those in one, and those that were in one
 * that has come apart since.  Another kernel's groups are all Grouped in their first cycle. */
static unsigned find_formed(const struct cluster *c) {
  unsigned set = c->grouped;
  for (unsigned m = 0; m < c->members; m++)
    if ((c->formed >> m & 1) != 0 && is_apart(c, m))
      set |= 1U << m;
  return set;
}

static unsigned size_of(unsigned set) {
  static const uint8_t size[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return size[set & 15] + size[set >> 4 & 15];
}

void buddy_count(struct cluster *c, uint64_t cycles) {
  struct buddy_statistics *n = &c->counts.sum;
  n->resident_cycles += cycles * size_of(c->resident);
  n->grouped_cycles += cycles * size_of(c->resident & c->grouped);
  n->formed_cycles += cycles * size_of(c->formed);
  n->together_cycles += cycles * size_of(c->grouped);
  n->power_up_cycles += cycles * size_of(c->waking);
  for (unsigned left = c->off; left != 0; left &= left - 1)
    c->counts.gated[__builtin_ctz(left)] += cycles;
}

struct gpu_ungroup buddy_ungroup(const struct cluster *c, unsigned lead, uint64_t cycle) {
  struct gpu_ungroup u = {.cycle = cycle, .lead = c->first + lead, .split = true};
  for (unsigned m = lead + 1; m < c->members && u.split; m++) {
    const struct buddy_member_out *o = &c->out->member[m];
    if (!o->cause_valid || buddy_lead(&c->out->own, m) != lead)
      continue;
    u.split = false;
    u.sm = c->first + m;
    u.warp = (unsigned)o->cause_warp;
    u.pc = (uint16_t)o->cause_pc;
    u.directions = (uint8_t)o->cause_own;
    u.master_directions = (uint8_t)o->cause_master;
  }
  return u;
}

static void ungrouped(struct cluster *c, unsigned lead, uint64_t cycle) {
  struct buddy_statistics *n = &c->counts.sum;
  const struct gpu_ungroup u = buddy_ungroup(c, lead, cycle);
  if (n->ungroups + n->splits < FIRST)
    c->counts.first[n->ungroups + n->splits] = u;
  n->ungroups += !u.split;
  n->splits += u.split;
}

/* Counts the packets that go up from a member that listens to another one. */
static void count_up(struct cluster *c, unsigned m, unsigned hops) {
  struct buddy_statistics *n = &c->counts.sum;
  const struct buddy_member_out *own = &c->out->member[m];
  n->ack_packets += own->ack_valid;
  n->credit_packets += own->credit_valid;
  n->ctrl_packets += own->ctrl_valid;
  n->uplink_hops += hops * (own->ack_valid + own->credit_valid + own->ctrl_valid);
}

/* Counts the packets of all members, up and down.  Members that listen come after their leader. */
static void count_packets(struct cluster *c, const struct buddy_cluster_out *before) {
  uint64_t inst = 0, mask = 0, park = 0, hops_down = 0, down = 0, parks = 0;
  unsigned lead = 0;
  for (unsigned m = 0; m < c->members; m++) {
    const struct buddy_member_out *own = &c->out->member[m];
    if ((c->listeners >> m & 1) == 0) {
      lead = m;
      down = own->p0_valid + own->p1_valid;
      /* A leader that was held has not issued: its packet says where to park. */
      parks = before->hold >> m & own->p0_valid;
      continue;
    }
    hops_down += (m - lead) * down;
    if ((c->out->own.slave >> m & 1) != 0) {
      const uint64_t arrived = own->iss0_valid + own->iss1_valid;
      inst += arrived;
      mask += down - parks - arrived; /* instructions are taken off when they arrive */
      park += parks;
    } else { /* the roll is called */
      park += down;
    }
    if ((own->ack_valid | own->credit_valid | own->ctrl_valid) != 0)
      count_up(c, m, m - lead);
  }
  struct buddy_statistics *n = &c->counts.sum;
  n->inst_packets += inst;
  n->mask_packets += mask;
  n->park_packets += park;
  n->downlink_hops += hops_down;
}

/* A group works as one again, with a kernel or halfway. */
static void regrouped(struct cell *cell, unsigned lead, bool halfway) {
  struct cluster *c = cell->own;
  struct buddy_statistics *n = &c->counts.sum;
  n->regroups_halfway += halfway;
  n->regroups_kernel += !halfway;
  for (unsigned m = lead; halfway && m < c->members; m++)
    if (buddy_lead(&c->out->own, m) == lead)
      sm_join(cell->sm[m].sm, cell->sm[lead].sm);
}

static unsigned find_listeners(const struct cluster *c) {
  unsigned set = 0;
  for (unsigned m = 1; m < c->members; m++)
    set |= (unsigned)(buddy_lead(&c->out->own, m) != m) << m;
  return set;
}

/* Wires from a leader to its followers that change: of roles, which change as one of them does. */
static void count_side_band(struct cluster *c, const struct buddy_cluster_out *before,
                            const struct buddy_cluster_out *now) {
  const uint64_t changed[] = {before->slave ^ now->slave, before->power ^ now->power,
                              before->reset_fe ^ now->reset_fe, before->hold ^ now->hold,
                              before->cta_lead ^ now->cta_lead};
  const uint64_t leads = before->lead ^ now->lead;
  for (unsigned m = 1; m < c->members; m++) {
    const unsigned lead = buddy_lead(now, m) != m ? buddy_lead(now, m) : buddy_lead(before, m);
    unsigned wires = (unsigned)__builtin_popcountll(leads >> 3 * m & 7);
    for (unsigned i = 0; i < sizeof changed / sizeof changed[0]; i++)
      wires += (unsigned)(changed[i] >> m & 1);
    /* One that follows nobody hears its first leader. */
    c->counts.sum.side_band_hops += wires * (lead != m ? m - lead : m);
  }
}

void buddy_events(struct tandem *t, struct cell *cell) {
  struct cluster *c = cell->own;
  const struct buddy_cluster_out *now = &c->out->own, *before = &c->before;
  const bool same = now->state == before->state && now->lead == before->lead &&
                    now->master == before->master && now->slave == before->slave;
  c->counts.sum.wakes += size_of((unsigned)(now->power & ~before->power));
  if (!same || now->hold != before->hold || now->reset_fe != before->reset_fe)
    count_side_band(c, before, now);
  if (!same)
    c->listeners = find_listeners(c);
  if (c->listeners != 0)
    count_packets(c, before);
  if (same)
    return;
  c->grouped = find_grouped(c);
  c->formed = find_formed(c);
  for (unsigned lead = 0; lead < c->members; lead += 2) {
    const unsigned was = buddy_state(before, lead), is = buddy_state(now, lead);
    if (was == BUDDY_GROUPED && is == BUDDY_RAMP)
      ungrouped(c, lead, t->cycle);
    if (is == BUDDY_GROUPED && was > BUDDY_GROUPED)
      regrouped(cell, lead, was == BUDDY_WINDOW);
  }
}

static void add(struct buddy_statistics *to, const struct buddy_statistics *from) {
#define STAT_COUNT STAT_ADD
#define STAT_VALUE STAT_NOTHING
#define STAT_SHARE STAT_NOTHING
#include "harness/gpu/buddy/statistics.def"
}

/* The i-th cluster's counts; NULL: there are none. */
static const struct cluster_counts *counts_of(const struct tandem *t, unsigned i) {
  const bool some = t->machine == &machine_buddy && i < t->ncells;
  return some ? &((const struct cluster *)t->cells[i].own)->counts : NULL;
}

void buddy_statistics(const struct tandem *t, struct gpu_stats *stats) {
  struct buddy_statistics *sum = &stats->feature.buddy;
  const struct cluster_counts *c;
  for (unsigned i = 0; (c = counts_of(t, i)) != NULL; i++) {
    add(sum, &c->sum);
    for (unsigned m = 0; m < t->config.feature.buddy.size; m++)
      sum->gated_cycles += c->gated[m];
  }
}

uint64_t buddy_gated_cycles(const struct tandem *t, unsigned sm) {
  const struct cluster_counts *c = counts_of(t, sm / t->config.feature.buddy.size);
  return c != NULL ? c->gated[sm % t->config.feature.buddy.size] : 0;
}

size_t gpu_ungroups(const struct tandem *t, struct gpu_ungroup *rows, size_t max) {
  const struct cluster_counts *c;
  size_t n = 0;
  for (unsigned i = 0; (c = counts_of(t, i)) != NULL; i++) {
    const uint64_t all = c->sum.ungroups + c->sum.splits;
    for (unsigned k = 0; k < all && k < FIRST; k++, n++)
      if (n < max)
        rows[n] = c->first[k];
  }
  return n;
}
