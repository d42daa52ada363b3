/* Causes of waits that are known by construction, for warps of programs/why.s.  A first run tells
 * when an instruction issues; the question is asked some cycles before. */
#include "harness/gpu/inside/why.h"

#include "csim/isa/lanes/lanes.h"
#include "csim/mem/l2/l2.h"
#include "tests/flex/machine.h"

enum { CAUSES = 512, BYTES = 1 << 20 };
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

/* The cycle in which a warp of an SM issues its n-th instruction with this operation. */
static uint64_t issue_of(const struct tandem_config *c, const char *text, unsigned sm,
                         unsigned warp, enum isa_id id, unsigned n) {
  const struct pipeline_request r = {0, UINT64_MAX - 1, GPU_TRACE_ALL, UINT64_MAX};
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
  waits(&c, text, 0, 0, ISA_FADD, 1, 8, "scoreboard operands", 33);
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
        "scoreboard lsu_queue miss_registers l1_miss l2_miss row_closed", 53);
}

/* Behind a barrier all warps are ready: the oldest of a scheduler issues first. */
TEST(scheduler) {
  const struct tandem_config c = small(TANDEM_ENGINE_REF);
  const char *text = yaml("late", 1, 1024, NONE);
  const uint64_t issue = issue_of(&c, text, 0, 30, ISA_EXIT, 0);
  assert_string_equal(ask(&c, text, 0, 30, issue - 1), "scheduler");
  contains(chain.link[0].text, "issues PC 23 of warp 28");
}

/* A slave's wait is that of its group. */
TEST(group) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.feature.buddy.size = 2;
  const char *text = yaml("loads", 2, 32, FAR);
  waits(&c, text, 1, 0, ISA_IADD, 1, 100, "group scoreboard l1_miss l2_miss row_closed", 4);
  assert_int_equal(chain.link[1].sm, 0);
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
