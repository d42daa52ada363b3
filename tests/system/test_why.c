/* Causes of waits that are known by construction, for warps of programs/why.s.  A first run tells
 * when an instruction issues; the question is asked some cycles before. */
#include "harness/gpu/inside/why_record.h"

#include "csim/isa/lanes/lanes.h"
#include "csim/mem/l2/l2.h"
#include "tests/flex/machine.h"

enum { CAUSES = 512, BYTES = 1 << 20 };
enum { BUDDY_WINDOW_2 = 6, BUDDY_WINDOW_4 = 8 /* V, of clusters of 2 and 4 */ };
#define NONE UINT32_MAX /* no argument but the buffer */
#define FAR 131072

static const char *yaml(const char *kernel, unsigned ctas, unsigned threads, uint32_t offset) {
  static char text[512];
  char more[32] = "";
  if (offset != NONE)
    snprintf(more, sizeof more, ", {u32: %u}", offset);
  snprintf(text, sizeof text,
           "program: why.s\nbuffers: [{name: a, type: u32, count: %d}]\nsteps:\n"
           "  - launch: {kernel: %s, grid: [%u], block: [%u], args: [{buffer: a}%s]}\n",
           BYTES / 4, kernel, ctas, threads, more);
  return text;
}

/* Opens a GPU and a job on it. */
static struct tandem *open_job(const struct tandem_config *c, const char *text,
                               struct tandem_job **job) {
  struct tandem *t = open_gpu(c);
  struct tandem_error err;
  if (tandem_job_open_text(t, text, PROGRAMS "/text.yaml", job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  return t;
}

static size_t issued; /* instructions of the last run */

/* The cycle in which a warp of an SM issues its n-th instruction with this operation. */
static uint64_t issue_of(const struct tandem_config *c, const char *text, unsigned sm,
                         unsigned warp, enum isa_id id, unsigned n) {
  const struct pipeline_request r = {
      .to = UINT64_MAX - 1, .sms = GPU_TRACE_ALL, .warps = UINT64_MAX};
  struct tandem_job *job;
  struct tandem_error err;
  struct tandem *t = open_job(c, text, &job);
  struct pipeline *p;
  size_t insts;
  bool full;
  uint64_t issue = PIPELINE_NEVER;
  assert_int_equal(pipeline_open(t, &r, &p, &err), 0);
  (void)run_job(TANDEM_OK, job, &err);
  const struct pipeline_inst *list = pipeline_insts(p, &insts, &full);
  issued = insts;
  for (size_t i = 0; i < insts && issue == PIPELINE_NEVER; i++)
    if (list[i].sm == sm && list[i].warp == warp && list[i].uop->id == id && n-- == 0)
      issue = list[i].issue;
  pipeline_close(p);
  tandem_close(t);
  assert_true(issue != PIPELINE_NEVER);
  return issue;
}

static struct why_chain chain;
static unsigned pcs[WHY_LINKS]; /* of its instructions, which are gone with the record */

/* Asks, and returns the causes, "scoreboard l1_miss", or the error. */
static const char *ask(const struct tandem_config *c, const char *text, unsigned sm, unsigned warp,
                       uint64_t cycle) {
  static char causes[sizeof chain.link / sizeof chain.link[0] * 16 + CAUSES];
  const struct why_request r = {cycle, sm, warp};
  struct tandem_job *job;
  struct tandem_error err;
  struct tandem *t = open_job(c, text, &job);
  struct why *w;
  causes[0] = '\0';
  int status = why_open(t, &r, &w, &err);
  const bool opened = status == 0;
  if (opened) {
    (void)tandem_job_run(job, &err);
    status = why_explain(w, t, &chain, &err);
  }
  for (unsigned i = 0; status == 0 && i < chain.n; i++) {
    sprintf(causes + strlen(causes), "%s%s", i != 0 ? " " : "", chain.link[i].cause);
    pcs[i] = chain.link[i].inst != NULL ? chain.link[i].inst->pc : UINT32_MAX;
  }
  if (status != 0)
    snprintf(causes, sizeof causes, "%s", err.text);
  why_close(w);
  tandem_job_close(job);
  tandem_close(t);
  return causes;
}

/* The wait of a warp for its n-th instruction with an operation: the causes in the cycle `ahead`
 * before it issues, and the PC of the instruction that the second one is about. */
static void waits(const struct tandem_config *c, const char *text, unsigned sm, unsigned warp,
                  enum isa_id id, unsigned n, unsigned ahead, const char *causes, unsigned pc) {
  const uint64_t issue = issue_of(c, text, sm, warp, id, n);
  assert_true(issue > ahead);
  assert_string_equal(ask(c, text, sm, warp, issue - ahead), causes);
  assert_true(chain.n > 1);
  assert_int_equal(pcs[1], pc);
}

/* Returns the address of the buffer. */
static uint32_t address_of_buffer(const struct tandem_config *c, const char *text) {
  struct tandem_job *job;
  struct tandem *t = open_job(c, text, &job);
  uint32_t address = 0;
  uint64_t bytes = 0;
  assert_true(tandem_job_buffer(job, "a", &address, &bytes) && bytes == BYTES);
  tandem_job_close(job);
  tandem_close(t);
  return address;
}

/* Returns whether two addresses have one bank of one partition, and one row, or another one. */
static bool same_bank(const struct tandem_config *c, const struct dram *d, uint32_t a, uint32_t b,
                      bool other) {
  const uint32_t n = c->mem.partitions;
  unsigned bank[2];
  int32_t row[2];
  dram_map(d, l2_local(a, n), &bank[0], &row[0]);
  dram_map(d, l2_local(b, n), &bank[1], &row[1]);
  return l2_partition(a, n) == l2_partition(b, n) && bank[0] == bank[1] &&
         (row[0] != row[1]) == other;
}

/* Waits for a load, from its line's way through memory. */
TEST(memory) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  const char *text = yaml("loads", 1, 32, FAR);
  waits(&c, text, 0, 0, ISA_IADD, 1, 100, "scoreboard l1_miss l2_miss row_closed", 3);
  contains(chain.link[0].text, "it waits for r1, written by PC 3, issued in cycle");
  waits(&c, text, 0, 0, ISA_IADD, 2, 4, "scoreboard l1_hit", 5);
  contains(chain.link[0].text, "r3, written by PC 5");
  c.mem.l2 = false;
  waits(&c, text, 0, 0, ISA_IADD, 1, 100, "scoreboard l1_miss l2_off row_closed", 3);
  c.mem.l2 = true;
  c.mem.l1d = false;
  waits(&c, text, 0, 0, ISA_IADD, 2, 50, "scoreboard l1_off l2_hit", 5);
}

/* A load to the bank of an earlier one: of its row, or of another one. */
TEST(rows) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct dram d;
  uint32_t first = 0, offset[2] = {0, 0};
  assert_true(dram_init(&d, &c.mem));
  c.mem.l1d = c.mem.l2 = false;
  first = address_of_buffer(&c, yaml("loads", 1, 32, 0));
  for (uint32_t at = 128; at < BYTES; at += 128)
    for (unsigned other = 0; other < 2; other++)
      if (offset[other] == 0 && same_bank(&c, &d, first, first + at, other != 0))
        offset[other] = at;
  dram_free(&d);
  assert_true(offset[0] != 0 && offset[1] != 0);
  waits(&c, yaml("loads", 1, 32, offset[0]), 0, 0, ISA_IADD, 3, 50,
        "scoreboard l1_off l2_off row_open", 7);
  waits(&c, yaml("loads", 1, 32, offset[1]), 0, 0, ISA_IADD, 3, 50,
        "scoreboard l1_off l2_off row_other", 7);
}

/* A barrier leads to the warp that comes last, and to its load. */
TEST(barrier) {
  const struct tandem_config c = small(TANDEM_ENGINE_REF);
  waits(&c, yaml("late", 1, 64, NONE), 0, 0, ISA_EXIT, 0, 100,
        "barrier scoreboard l1_miss l2_miss row_closed", 21);
  contains(chain.link[0].text, "for 1 warp of its CTA; the last one is warp 1");
  assert_int_equal(chain.link[1].warp, 1);
  contains(chain.link[1].text, "r2, written by PC 20");
}

TEST(pipelines) {
  const struct tandem_config c = small(TANDEM_ENGINE_REF);
  const char *text = yaml("alu", 1, 32, NONE);
  waits(&c, text, 0, 0, ISA_FADD, 1, 4, "scoreboard pipeline", 33);
  waits(&c, text, 0, 0, ISA_FADD, 0, 6, "scoreboard operands", 32);
  waits(&c, text, 0, 0, ISA_NOP, 0, 7, "control operands", 36);
  assert_string_equal(ask(&c, text, 0, 0, issue_of(&c, text, 0, 0, ISA_NOP, 0)), "issued");
  assert_string_equal(ask(&c, text, 0, 0, 100), "fetch l1_miss l2_miss row_closed");
}

/* The load-store unit is at work for another warp. */
TEST(load_store_unit) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.mem.l1d_mshrs = 4;
  waits(&c, yaml("spread", 1, 64, NONE), 0, 1, ISA_IADD, 1, 5000,
        "scoreboard lsu_full lsu_head miss_registers l1_miss l2_miss row_open", 53);
  assert_int_equal(chain.link[2].warp, 0);
  waits(&c, yaml("banks", 1, 32, NONE), 0, 0, ISA_IADD, 0, 40, "scoreboard passes", 66);
  c = small(TANDEM_ENGINE_REF);
  c.mem.lsu_queue = 8;
  waits(&c, yaml("spread", 1, 64, NONE), 0, 1, ISA_IADD, 1, 600,
        "scoreboard lsu_queue miss_registers l1_miss l2_miss row_open", 53);
}

/* Behind a barrier all warps are ready: the oldest of a scheduler issues first. */
TEST(scheduler) {
  const struct tandem_config c = small(TANDEM_ENGINE_REF);
  const char *text = yaml("late", 1, 1024, NONE);
  const uint64_t issue = issue_of(&c, text, 0, 30, ISA_EXIT, 0);
  assert_string_equal(ask(&c, text, 0, 30, issue - 1), "scheduler");
  contains(chain.link[0].text, "issues PC 23 of warp 28");
}

/* Transactions that find no room: what gives room is a request to the same line, or to the same
 * set, and not the one that ends first. */
TEST(room) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  char line[32];
  const char *text = yaml("one_set", 1, 32, NONE);
  const uint32_t buffer = address_of_buffer(&c, text);
  const uint64_t load = issue_of(&c, text, 0, 0, ISA_LDG, 1);
  assert_string_equal(ask(&c, text, 0, 0, load + 100), "scoreboard ways l1_miss l2_miss row_open");
  assert_int_equal(pcs[1], 149);
  snprintf(line, sizeof line, "0x%08x", (unsigned)buffer + 128);
  contains(chain.link[2].text, line);
  c.mem.l1d_mshr_merge = 2;
  text = yaml("one_line", 1, 32, NONE);
  const uint64_t third = issue_of(&c, text, 0, 0, ISA_LDG, 3);
  assert_string_equal(ask(&c, text, 0, 0, third + 100),
                      "scoreboard miss_merge l1_miss l2_miss row_open");
  assert_int_equal(pcs[1], 165);
  snprintf(line, sizeof line, "0x%08x", (unsigned)address_of_buffer(&c, text) + 128);
  contains(chain.link[2].text, line);
  waits(&c, text, 0, 0, ISA_IADD, 1, 100, "scoreboard atomic l2_hit", 167);
  contains(chain.link[1].text, "its atomic at 0x");
  c = small(TANDEM_ENGINE_REF);
  c.mem.xbar_mhz = 20;
  c.mem.xbar_queue = 2;
  text = yaml("spread", 1, 32, NONE);
  waits(&c, text, 0, 0, ISA_IADD, 1, 9000, "scoreboard port l1_miss port l2_miss row_closed", 53);
}

/* The pipeline's collectors and queue are full, or the other scheduler's instruction goes there. */
TEST(structural) {
  const struct tandem_config c = small(TANDEM_ENGINE_REF);
  const char *text = yaml("reciprocals", 1, 64, NONE);
  waits(&c, text, 0, 0, ISA_RCP, 9, 6, "structural operands", 132);
  contains(chain.link[0].text,
           "its pipeline, SFU, takes no instruction; in queue and collectors: 11");
  uint64_t conflicts = 0;
  for (unsigned n = 0; n < 12; n++) {
    const uint64_t issue = issue_of(&c, text, 0, 1, ISA_RCP, n);
    if (strcmp(ask(&c, text, 0, 0, issue), "conflict") != 0)
      continue;
    conflicts++;
    char other[64];
    snprintf(other, sizeof other, "takes PC %u of warp 1 of the other scheduler", 129 + n);
    contains(chain.link[0].text, other);
  }
  assert_true(conflicts > 0);
}

/* A slave's wait is that of its group. */
TEST(group) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.feature.buddy.size = 2;
  const char *text = yaml("loads", 2, 32, FAR);
  waits(&c, text, 1, 0, ISA_IADD, 1, 100, "group scoreboard l1_miss l2_miss row_closed", 4);
  assert_int_equal(chain.link[1].sm, 0);
}

static struct tandem_config cluster(unsigned size) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.sms = c.feature.buddy.size = size;
  return c;
}

/* A group comes apart for a branch of CTA 1, and then waits for the master's load, or for power. */
TEST(hold) {
  struct tandem_config c = cluster(2);
  c.feature.buddy.mon_entries = 2;
  const char *text = yaml("apart", 2, 32, NONE);
  const uint64_t branch = issue_of(&c, text, 1, 0, ISA_BRA, 0);
  waits(&c, text, 0, 0, ISA_NOP, 0, 100, "hold ungroup undrained l1_miss l2_miss row_closed", 85);
  contains(chain.link[0].text, "the group of SM 0 comes apart");
  contains(chain.link[1].text, "SM 1 has asked for it: at PC 85 of warp 0 all lanes take it there, "
                               "in SM 0 no lane takes it");
  assert_int_equal(chain.link[1].sm, 1);
  assert_int_equal(chain.link[1].from, branch);
  assert_int_equal(chain.link[1].until, branch + 4 + BUDDY_WINDOW_2);
  assert_int_equal(pcs[2], 84);
  assert_in_range(chain.link[0].until - chain.link[2].until, 1, 12);
  text = yaml("join", 2, 64, NONE);
  waits(&c, text, 0, 0, ISA_IADD, 0, 10, "hold ungroup power_up", 101);
  assert_int_equal(chain.link[1].warp, 1);
  assert_int_equal(chain.link[2].until - chain.link[2].from, c.feature.buddy.power_up);
}

/* A parked warp waits for the last one, which loads; then the group forms again. */
TEST(park) {
  struct tandem_config c = cluster(2);
  c.feature.buddy.regroup = BUDDY_REGROUP_HALFWAY;
  const char *text = yaml("join", 2, 64, NONE);
  waits(&c, text, 0, 0, ISA_IADD, 0, 100, "park scoreboard l1_miss l2_miss row_closed", 104);
  contains(chain.link[0].text, "the last one to come is warp 1 of SM 1");
  assert_int_equal(chain.link[1].sm, 1);
  assert_int_equal(chain.link[1].warp, 1);
  const uint64_t issue = issue_of(&c, text, 0, 0, ISA_IADD, 0);
  assert_string_equal(ask(&c, text, 0, 0, issue - 15), "hold roll_call");
  assert_string_equal(ask(&c, text, 0, 0, issue - 12), "hold roll_call");
  assert_string_equal(ask(&c, text, 0, 0, issue - 6), "hold objections");
  assert_int_equal(chain.link[1].until - chain.link[1].from, BUDDY_WINDOW_2);
  assert_string_equal(ask(&c, text, 0, 0, issue - 2), "park");
  contains(chain.link[0].text, "has formed again");
}

/* A branch waits for its verdict; its mask packet takes a slot from another warp. */
TEST(verdict) {
  for (unsigned size = 2; size <= 4; size *= 2) {
    struct tandem_config c = cluster(size);
    const unsigned window = size == 2 ? BUDDY_WINDOW_2 : BUDDY_WINDOW_4;
    char resolved[80];
    const char *text = yaml("alu", size, 512, NONE);
    const uint64_t branch = issue_of(&c, text, 0, 0, ISA_BRA, 0);
    for (unsigned at = 3; at < 4 + window; at += window)
      assert_string_equal(ask(&c, text, 0, 0, branch + at), "verdict");
    assert_int_equal(pcs[0], 36);
    assert_int_equal(chain.link[0].until, branch + 3 + window);
    snprintf(resolved, sizeof resolved, "its branch at PC 36, resolved in cycle %lu",
             (unsigned long)branch + 3);
    contains(chain.link[0].text, resolved);
    waits(&c, text, 1, 0, ISA_BRA, 0, 1, "group communicate", 36);
  }
  const struct tandem_config c = cluster(2);
  const char *text = yaml("alu", 2, 512, NONE);
  const uint64_t slot = issue_of(&c, text, 0, 5, ISA_BRA, 0) + 4;
  assert_string_equal(ask(&c, text, 0, 0, slot), "noc_slot mask");
  assert_int_equal(pcs[1], 36);
  assert_int_equal(chain.link[1].warp, 5);
  contains(chain.link[0].text, "one goes to PC 35 of warp 11");
}

/* Lanes of SM 1 load a line each, those of its master one line: its loads keep the group. */
TEST(members) {
  struct tandem_config c = cluster(2);
  const char *text = yaml("uneven", 2, 32, NONE);
  waits(&c, text, 0, 0, ISA_LDG, 1, 100, "monitor l1_miss l2_miss row_open", 118);
  contains(chain.link[0].text, "the monitor has 1 entry for each warp: that of PC 118");
  assert_int_equal(chain.link[1].sm, 1);
  c.feature.buddy.mon_entries = 2;
  text = yaml("uneven", 2, 512, NONE);
  const uint64_t issue = issue_of(&c, text, 0, 11, ISA_LDG, 0);
  assert_string_equal(ask(&c, text, 0, 11, issue - 60),
                      "member_credit lsu_full lsu_head miss_registers l1_miss l2_miss row_open");
  contains(chain.link[0].text,
           "SM 1 of the group has no place for a memory instruction: of 8 there");
  assert_int_equal(chain.link[1].sm, 1);
  assert_int_equal(pcs[1], 118);
}

/* A cluster of eight issues more than the record has room for, before the cycle and behind it: the
 * first warp's barrier, from the beginning, and the last arrival are there. */
TEST(long_record) {
  const struct tandem_config c = cluster(8);
  const char *text = yaml("busy", 8, 512, NONE);
  const uint64_t first = issue_of(&c, text, 0, 0, ISA_BAR, 0),
                 end = issue_of(&c, text, 0, 0, ISA_EXIT, 0);
  assert_true(issued > 2 * WHY_ROOM);
  for (unsigned at = 0; at < 2; at++) {
    const char *causes = ask(&c, text, 0, 0, at == 0 ? first + 50 : end - 50);
    assert_int_equal(strncmp(causes, "barrier ", 8), 0);
    assert_int_equal(pcs[0], 184);
    assert_int_equal(chain.link[0].from, first);
    assert_in_range(chain.link[0].until, end - 40, end - 1);
  }
}

/* Other machines, any cycle: there is an answer, and it ends in no circle. */
TEST(all_machines) {
  for (unsigned k = 0; k < 3 + FLEX_SCHEMES; k++) {
    struct tandem_config c = small(TANDEM_ENGINE_REF);
    if (k < 2)
      c.feature.wide.warp_size = 64U << k;
    else if (k == 2)
      c.feature.buddy.size = 2;
    else
      c = table2_gpu(FLEX_MEMBERS, (enum flex_scheme)(k - 3));
    for (uint64_t cycle = 3; cycle < 900; cycle += 61) {
      const char *causes = ask(&c, yaml("late", 2, 128, NONE), 0, 0, cycle);
      if (strstr(causes, "has no instruction") == NULL && strstr(causes, "before cycle") == NULL &&
          (chain.n == 0 || chain.n > 12))
        fail_msg("machine %u, cycle %lu: %s", k, (unsigned long)cycle, causes);
    }
  }
}

/* Questions without an answer. */
TEST(refused) {
  const struct tandem_config c = small(TANDEM_ENGINE_REF);
  const char *text = yaml("late", 1, 64, NONE);
  contains(ask(&c, text, 2, 0, 100), "there is no SM 2: there are SMs 0 to 1");
  contains(ask(&c, text, 0, 48, 100), "there is no warp 48: an SM has warps 0 to 47");
  contains(ask(&c, text, 0, 2, 100), "warp 2 of SM 0 has no instruction in cycle 100: no CTA");
  contains(ask(&c, text, 1, 0, 400), "warp 0 of SM 1 has no instruction in cycle 400: no CTA");
  contains(ask(&c, text, 0, 0, 100000), "before cycle 100000");
}

int main(void) { return test_run(NULL, NULL); }
