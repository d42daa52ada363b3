/* monitor: loads of a group, the members' completions, releases. */
#include "csim/ref/buddy/monitor.h"

static unsigned members, entries, all; /* a bit each member */
/* Ports are as wide as they are many. */
#undef MONITOR_MEMBERS
#define MONITOR_MEMBERS members
#define UNIT monitor
#define UNIT_REF_RESET(ref) monitor_ref_reset(ref, members, entries)
#include "tests/unit/lockstep.h"

#define COVERAGE(F)                                                                                \
  F(ack_is_last)                                                                                   \
  F(own_and_ack_end_it)                                                                            \
  F(two_acks_end_it)                                                                               \
  F(all_complete_in_a_cycle)                                                                       \
  F(own_without_entry_and_release)                                                                 \
  F(issue_beside_last)                                                                             \
  F(second_entry)                                                                                  \
  F(later_entry_first)                                                                             \
  F(two_entries_of_a_warp)
COVER_DEFINE(COVERAGE)

static void parameters(void) {
  members = device_parameter("Members", 4);
  entries = device_parameter("Entries", 1);
  all = (1U << members) - 1;
}

/* An ACK of member k, to be joined with others. */
static void add_ack(unit_in *in, unsigned k, uint64_t warp, uint64_t reg, uint64_t size) {
  unsigned place = k - 1;
  in->ack_valid |= UINT64_C(1) << place;
  in->ack_warp |= warp << 6 * place;
  in->ack_reg |= reg << 5 * place;
  in->ack_size |= size << 2 * place;
}

static void ack(struct lockstep *l, unsigned k, unsigned warp, unsigned reg, unsigned size) {
  unit_in in = {0};
  add_ack(&in, k, warp, reg, size);
  lockstep_tick(l, in);
}

static void last_member_releases(struct lockstep *l) {
  EXPECT_STATE(mon, 0, 0);
  TICK(.iss_valid = 1, .iss_warp = 47, .iss_reg = 12, .iss_members = all);
  EXPECT(full, 0);
  EXPECT(empty, 1);
  EXPECT_STATE(mon, 0, UINT64_C(1) << 47);
  EXPECT_STATE(mon, members - 1, UINT64_C(1) << 47);
  TICK(.own_valid = 1, .own_warp = 47, .own_reg = 12, .own_size = 3);
  EXPECT(full, entries == 1 ? UINT64_C(1) << 47 : 0);
  EXPECT(empty, 0);
  EXPECT(rel_valid, 0);
  EXPECT(rel_warp, 0);
  EXPECT_STATE(mon, 0, 0);
  for (unsigned k = 1; k < members - 1; k++) {
    ack(l, k, 47, 12, 3);
    EXPECT(rel_valid, 0);
  }
  ack(l, members - 1, 47, 12, 3);
  EXPECT(rel_valid, 1 << (members - 1));
  EXPECT(rel_warp, UINT64_C(47) << 6 * (members - 1));
  EXPECT(rel_reg, UINT64_C(12) << 5 * (members - 1));
  EXPECT(rel_size, UINT64_C(3) << 2 * (members - 1));
  EXPECT(empty, 0);
  TICK(0);
  EXPECT(empty, 1);
  EXPECT(full, 0);
}

static void all_in_one_cycle(struct lockstep *l) {
  TICK(.iss_valid = 1, .iss_warp = 0, .iss_reg = 31, .iss_members = all);
  unit_in in = {.own_valid = 1, .own_warp = 0, .own_reg = 31, .own_size = 1};
  for (unsigned k = 1; k < members; k++)
    add_ack(&in, k, 0, 31, 1);
  lockstep_tick(l, in);
  EXPECT(rel_valid, 1 << (members - 1));
  TICK(0);
  EXPECT(empty, 1);
}

static void own_alone_releases_at_once(struct lockstep *l) {
  TICK(.own_valid = 1, .own_warp = 5, .own_reg = 7, .own_size = 2);
  EXPECT(rel_valid, 1);
  EXPECT(rel_warp, 5);
  EXPECT(rel_reg, 7);
  EXPECT(rel_size, 2);
  /* A pair of members 0 and 1 within a larger cluster. */
  TICK(.iss_valid = 1, .iss_warp = 5, .iss_reg = 7, .iss_members = 3);
  ack(l, 1, 5, 7, 1);
  EXPECT(rel_valid, 0);
  TICK(.own_valid = 1, .own_warp = 5, .own_reg = 7, .own_size = 1);
  EXPECT(rel_valid, 1);
}

static void kernel_start_clears(struct lockstep *l) {
  TICK(.iss_valid = 1, .iss_warp = 3, .iss_reg = 1, .iss_members = 2);
  TICK(.kernel_start = 1);
  EXPECT(empty, 0);
  TICK(0);
  EXPECT(empty, 1);
  EXPECT_STATE(mon, 1, 0);
}

/* With one entry the register is not looked at; with more it finds the entry. */
static void entries_have_keys(struct lockstep *l) {
  if (entries == 1)
    return;
  TICK(.iss_valid = 1, .iss_warp = 9, .iss_reg = 4, .iss_members = 3);
  TICK(.iss_valid = 1, .iss_warp = 9, .iss_reg = 8, .iss_members = 3);
  EXPECT_STATE(mon, members, 1 << 9);
  TICK(.own_valid = 1, .own_warp = 9, .own_reg = 8, .own_size = 1);
  EXPECT(full, entries == 2 ? 1 << 9 : 0);
  EXPECT_STATE(mon, 0, 1 << 9);
  EXPECT_STATE(mon, members, 0);
  /* The last bit of entry 1 goes while another load issues: it takes what was free before. */
  unit_in in = {0};
  add_ack(&in, 1, 9, 8, 1);
  if (entries > 2)
    in.iss_valid = 1, in.iss_warp = 9, in.iss_reg = 16, in.iss_members = 3;
  lockstep_tick(l, in);
  EXPECT(rel_valid, 2);
  EXPECT_STATE(mon, members + 1, 0);
  if (entries > 2)
    EXPECT_STATE(mon, 2 * members, 1 << 9);
}

struct traffic {
  unsigned issue, own, ack, alone;
  bool filling; /* loads go to warps that have room for them, and none completes */
};

/* A register of the warp that has no entry yet. */
static unsigned free_register(const struct monitor_ref *m, struct rng *r, unsigned warp) {
  for (;;) {
    unsigned reg = rng_below(r, 32);
    bool used = false;
    for (unsigned e = 0; e < entries; e++)
      used = used || (m->load[warp][e].waits_for != 0 && m->load[warp][e].reg == reg);
    if (!used)
      return reg;
  }
}

/* Some load that waits for the member; false if there is none in a few tries. */
static bool waiting(const struct monitor_ref *m, struct rng *r, unsigned member, unsigned warps,
                    unsigned *warp, unsigned *reg) {
  for (unsigned try = 0; try < 8; try++) {
    unsigned w = rng_below(r, warps), e = rng_below(r, entries);
    if ((m->load[w][e].waits_for >> member & 1) != 0) {
      *warp = w;
      *reg = m->load[w][e].reg;
      return true;
    }
  }
  return false;
}

static unsigned warp_with_room(const struct monitor_ref *m, struct rng *r) {
  uint64_t room = 0;
  for (unsigned w = 0; w < 48; w++)
    room |= (uint64_t)!monitor_ref_full(m, w) << w;
  return room != 0 ? rng_member(r, room) : 0;
}

static unit_in drive(const struct lockstep *l, struct rng *r, const struct traffic *t,
                     unsigned warps) {
  /* Fields of ACKs that are not valid mean nothing. */
  unit_in in = {0};
  unsigned warp = t->filling ? warp_with_room(&l->ref, r) : rng_below(r, warps), reg = 0;
  if (rng_chance(r, t->issue) && !monitor_ref_full(&l->ref, warp)) {
    in.iss_valid = 1;
    in.iss_warp = warp;
    in.iss_reg = free_register(&l->ref, r, warp);
    in.iss_members = rng_chance(r, 70) ? (unsigned)all : 1 + rng_below(r, all);
  }
  if (rng_chance(r, t->own) && waiting(&l->ref, r, 0, warps, &warp, &reg)) {
    in.own_valid = 1;
    in.own_warp = warp;
    in.own_reg = reg;
  } else if (rng_chance(r, t->alone)) {
    in.own_warp = rng_below(r, 48);
    in.own_reg = free_register(&l->ref, r, (unsigned)in.own_warp);
    in.own_valid = monitor_ref_find(&l->ref, (unsigned)in.own_warp, (unsigned)in.own_reg) == NULL;
  }
  in.own_size = 1 + rng_below(r, 3);
  for (unsigned k = 1; k < members; k++) {
    if (rng_chance(r, t->ack) && waiting(&l->ref, r, k, warps, &warp, &reg)) {
      add_ack(&in, k, warp, reg, 1 + rng_below(r, 3));
    } else {
      in.ack_warp |= (rng_next(r) & 63) << 6 * (k - 1);
      in.ack_reg |= (rng_next(r) & 31) << 5 * (k - 1);
      in.ack_size |= (rng_next(r) & 3) << 2 * (k - 1);
    }
  }
  return in;
}

static void cover_releases(const unit_in *in, const unit_out *out,
                           const struct monitor_ref *before) {
  uint64_t rel = out->rel_valid;
  unsigned events = (unsigned)in->ack_valid << 1 | (unsigned)in->own_valid;
  bool entry = in->own_valid &&
               monitor_ref_find(before, (unsigned)in->own_warp, (unsigned)in->own_reg) != NULL;
  cover(COVER_own_without_entry_and_release, in->own_valid && !entry && (rel & ~UINT64_C(1)) != 0);
  for (unsigned k = 1; k < members; k++) {
    if ((rel >> k & 1) == 0)
      continue;
    unsigned warp = out->rel_warp >> 6 * k & 63, reg = out->rel_reg >> 5 * k & 31;
    const struct monitor_load *load = monitor_ref_find(before, warp, reg);
    unsigned waits = load->waits_for;
    cover(COVER_ack_is_last, waits == 1U << k);
    cover(COVER_own_and_ack_end_it, waits == (1U << k | 1U));
    cover(COVER_two_acks_end_it, (waits & 1) == 0 && (waits & (waits - 1)) != 0);
    cover(COVER_all_complete_in_a_cycle, waits == all && (events & waits) == waits);
    cover(COVER_issue_beside_last, entries == 1 || (in->iss_valid && in->iss_warp == warp));
    bool later = entries == 1;
    for (unsigned e = 0; e < entries; e++)
      later = later || (&before->load[warp][e] < load && before->load[warp][e].waits_for != 0);
    cover(COVER_later_entry_first, later);
  }
}

static void random_monitor(struct lockstep *l, struct rng *r, uint64_t cycles) {
  struct traffic t = {.issue = 50, .own = 50, .ack = 50, .alone = 10};
  unsigned warps = 48;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 200) == 0) {
      t.issue = 10 + rng_below(r, 91);
      t.own = rng_below(r, 101);
      t.ack = rng_below(r, 101);
      t.alone = rng_below(r, 30);
      t.filling = rng_chance(r, 10);
      if (t.filling)
        t = (struct traffic){.issue = 100, .filling = true};
    }
    if (rng_below(r, 1000) == 0)
      warps = (unsigned[]){1, 2, 5, 48}[rng_below(r, 4)];
    unit_in in = drive(l, r, &t, warps);
    if (rng_below(r, 500) == 0) {
      in.kernel_start = 1; /* wins over what comes beside it */
    }
    struct monitor_ref before = l->ref;
    lockstep_tick(l, in);
    cover_releases(&in, &l->ref_out, &before);
    const struct monitor_load *loads = l->ref.load[in.iss_valid ? in.iss_warp : 0];
    cover(COVER_second_entry, entries == 1 || (loads[0].waits_for && loads[1].waits_for));
    cover(COVER_two_entries_of_a_warp,
          entries == 1 ||
              ((in.ack_valid & 3) == 3 && (in.ack_warp & 63) == (in.ack_warp >> 6 & 63) &&
               (in.ack_reg & 31) != (in.ack_reg >> 5 & 31)));
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(last_member_releases), DIRECTED(all_in_one_cycle),
               DIRECTED(own_alone_releases_at_once), DIRECTED(kernel_start_clears),
               DIRECTED(entries_have_keys), RANDOM(random_monitor))
