/* The file of pipelines, read back by the grammar of Kanata 0004: each issue at the ports that
 * lockstep compared is in it, in order. */
#include "harness/gpu/core/open.h"
#include "harness/gpu/inside/pipeline.h"

#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "tests/flex/machine.h"

static const char text[] =
    "program: profile.cl\n"
    "buffers:\n"
    "  - {name: out, type: s32, count: 640}\n"
    "  - {name: in, type: s32, count: 4096, fill: {range: {start: 1, step: 3}}}\n"
    "steps:\n"
    "  - launch: {kernel: mixed, grid: [5], block: [128], args: [{buffer: out}, {buffer: in}, "
    "{s32: 4096}]}\n"
    "  - launch: {kernel: other, grid: [5], block: [128], args: [{buffer: out}]}\n";

enum { MOST = 1 << 14, STAGES = 8 };

struct issue {
  uint64_t cycle;
  unsigned sm, warp, pc;
};

/* Issues: those at the ports, or those of the file. */
struct issues {
  struct issue list[MOST];
  size_t n;
  struct pipeline_request request;
};

static void note(struct issues *s, uint64_t cycle, unsigned sm, uint64_t word, unsigned pc) {
  const unsigned warp = (unsigned)(word >> 58);
  if (cycle < s->request.from || cycle > s->request.to || (s->request.sms >> sm & 1) == 0 ||
      (s->request.warps >> warp & 1) == 0)
    return;
  assert_true(s->n < MOST);
  s->list[s->n++] = (struct issue){cycle, sm, warp, pc};
}

static int look(struct tandem *t, void *own, struct tandem_error *err) {
  (void)err;
  for (unsigned sm = 0; sm < t->nsms && t->cycle > t->launch.start; sm++) {
    const struct sm_frontend_out *out = t->sms[sm].out;
    if (out->iss0_valid)
      note(own, t->cycle - 1, sm, out->iss0_inst, (unsigned)out->iss0_pc);
    if (out->iss1_valid)
      note(own, t->cycle - 1, sm, out->iss1_inst, (unsigned)out->iss1_pc);
  }
  return 0;
}

/* An instruction of the file. */
struct inst {
  struct issue issue;
  uint64_t begun;
  unsigned long number, retire_number;
  unsigned stages; /* of lane 0 */
  uint64_t at[STAGES];
  char stage[STAGES], stalled[32]; /* the last letters; in lane 1 now, "": not */
  unsigned stalls, waits;
  bool retired, arrows; /* a stage that the viewer draws arrows of */
};

struct file {
  struct inst inst[MOST];
  unsigned long from[MOST]; /* the producer that an instruction waits for */
  size_t n, retired;
  uint64_t cycle;
};

/* Each arrow has its two ends in stages that the viewer knows. */
static void check_arrows(const struct file *f) {
  for (size_t i = 0; i < f->n; i++)
    if (f->inst[i].waits != 0 && !(f->inst[i].arrows && f->inst[f->from[i]].arrows))
      fail_msg("no arrow is drawn to instruction %zu, stages %.8s, from %lu", i, f->inst[i].stage,
               f->from[i]);
}

static struct inst *alive(struct file *f, unsigned long id) {
  assert_true(id < f->n && !f->inst[id].retired);
  return &f->inst[id];
}

static void read_stage(struct file *f, struct inst *i, unsigned lane, const char *stage) {
  if (lane == 1) {
    bool known = false;
    for (unsigned c = 0; c < STALL_CODES; c++)
      known = known || (stalls[c].name != NULL && strcmp(stalls[c].name, stage) == 0);
    assert_true(known && i->stalled[0] == '\0' && i->stages != 0);
    assert_int_equal(i->stage[i->stages - 1], 'B');
    snprintf(i->stalled, sizeof i->stalled, "%s", stage);
    i->stalls++;
    return;
  }
  assert_int_equal(lane, 0);
  static const char *const names[] = {"F", "D", "B", "I", "O", "XO", "X", "XM", "W", NULL};
  unsigned known = 0;
  while (names[known] != NULL && strcmp(names[known], stage) != 0)
    known++;
  assert_true(names[known] != NULL && i->stages < STAGES);
  i->arrows = i->arrows || strchr(stage, 'X') != NULL;
  assert_true(i->stages != 0 || f->cycle == i->begun);
  if (*stage == 'I')
    i->issue.cycle = f->cycle;
  i->at[i->stages] = f->cycle;
  i->stage[i->stages++] = stage[strlen(stage) - 1];
}

/* One line. */
static void read_line(struct file *f, const char *line) {
  unsigned long id, number, thread;
  unsigned lane, sm, warp, pc;
  int taken = 0;
  uint64_t cycles;
  char stage[32];
  const size_t length = strlen(line);
  if (sscanf(line, "C\t%lu%n", &cycles, &taken) == 1 && taken == (int)length) {
    assert_true(cycles > 0);
    f->cycle += cycles;
  } else if (sscanf(line, "I\t%lu\t%lu\t%lu%n", &id, &number, &thread, &taken) == 3) {
    assert_int_equal(id, f->n); /* serial in the file */
    f->inst[f->n++] =
        (struct inst){.number = number, .begun = f->cycle, .issue = {.sm = (unsigned)thread / 48}};
  } else if (sscanf(line, "L\t%lu\t0\tSM%u w%u %u: %n", &id, &sm, &warp, &pc, &taken) == 4) {
    struct inst *i = alive(f, id);
    assert_true(taken > 0 && taken < (int)length && i->stages == 0);
    i->issue = (struct issue){0, sm, warp, pc};
    return;
  } else if (sscanf(line, "L\t%lu\t1\t%n", &id, &taken) == 1 && taken > 0) {
    assert_true(taken < (int)length);
    (void)alive(f, id);
    return;
  } else if (sscanf(line, "S\t%lu\t%u\t%31[A-Za-z_]%n", &id, &lane, stage, &taken) == 3) {
    read_stage(f, alive(f, id), lane, stage);
  } else if (sscanf(line, "E\t%lu\t1\t%31[a-z_]%n", &id, stage, &taken) == 2) {
    assert_string_equal(alive(f, id)->stalled, stage);
    alive(f, id)->stalled[0] = '\0';
  } else if (sscanf(line, "W\t%lu\t%lu\t0%n", &id, &number, &taken) == 2) {
    alive(f, id)->waits++;
    assert_true(number < id);
    f->from[id] = number;
    assert_int_equal(f->inst[number].issue.sm, f->inst[id].issue.sm);
    assert_int_equal(f->inst[number].issue.warp, f->inst[id].issue.warp);
  } else if (sscanf(line, "R\t%lu\t%lu\t%u%n", &id, &number, &lane, &taken) == 3) {
    assert_true(lane <= 1 && alive(f, id)->stalled[0] == '\0');
    assert_int_equal(number, f->retired++);
    f->inst[id].retired = true;
  }
  if (taken != (int)length)
    fail_msg("not of the grammar: %s", line);
}

static struct file *read_file(const struct pipeline *p, bool whole) {
  static struct file file;
  char *all = NULL, *rest;
  size_t size;
  FILE *out = open_memstream(&all, &size);
  memset(&file, 0, sizeof file);
  assert_int_equal(pipeline_kanata(p, out, NULL), 0);
  fclose(out);
  assert_string_equal(strtok_r(all, "\n", &rest), "Kanata\t0004");
  const char *first = strtok_r(NULL, "\n", &rest);
  assert_int_equal(sscanf(first, "C=\t%lu", &file.cycle), 1);
  for (const char *line; (line = strtok_r(NULL, "\n", &rest)) != NULL;)
    read_line(&file, line);
  free(all);
  assert_int_equal(file.retired, file.n);
  if (whole)
    check_arrows(&file);
  return &file;
}

static int by_number(const void *a, const void *b) {
  const struct inst *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

/* Runs, and compares the file's instructions with the issues at the ports. */
static struct file *run(const struct tandem_config *c, struct issues *seen,
                        const struct pipeline_request *r) {
  struct tandem *t = open_gpu(c);
  struct tandem_job *job;
  struct tandem_error err;
  struct pipeline *p;
  seen->n = 0;
  seen->request = *r;
  assert_true(gpu_observe(t, look, seen));
  assert_int_equal(pipeline_open(t, r, &p, &err), 0);
  const enum tandem_status opened =
      tandem_job_open_text(t, text, PROGRAMS "/text.yaml", &job, &err);
  if (run_job(opened, job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  struct file *f = read_file(p, r->to == UINT64_MAX - 1);
  assert_int_equal(f->n, seen->n);
  qsort(f->inst, f->n, sizeof *f->inst, by_number);
  for (size_t i = 0; i < f->n; i++) {
    assert_int_equal(f->inst[i].number, i);
    assert_memory_equal(&f->inst[i].issue, &seen->list[i], sizeof seen->list[i]);
  }
  pipeline_close(p);
  tandem_close(t);
  return f;
}

static struct issues seen;
static const struct pipeline_request whole = {
    .to = UINT64_MAX - 1, .sms = GPU_TRACE_ALL, .warps = UINT64_MAX};

/* Stages are in the order of the hardware; each warp issues what was fetched before. */
TEST(all_of_plain_sms) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  const struct file *f = run(&c, &seen, &whole);
  unsigned waits = 0, stalled = 0, memory = 0;
  assert_true(f->n > 1000);
  for (size_t i = 0; i < f->n; i++) {
    static const char order[] = "FDBIOXMW";
    const struct inst *inst = &f->inst[i];
    assert_true(memchr(inst->stage, 'B', inst->stages) != NULL);
    for (unsigned s = 1; s < inst->stages; s++) {
      assert_true(strchr(order, inst->stage[s]) > strchr(order, inst->stage[s - 1]));
      assert_true(inst->at[s] > inst->at[s - 1]);
    }
    waits += inst->waits;
    stalled += inst->stalls != 0;
    memory += memchr(inst->stage, 'M', inst->stages) != NULL;
  }
  assert_true(waits > f->n / 20 && stalled > f->n / 20 && memory > 50);
}

TEST(window_sms_and_warps) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  const struct pipeline_request r = {.from = 900, .to = 1400, .sms = 2, .warps = 0xf0};
  const struct file *f = run(&c, &seen, &r);
  assert_true(f->n > 20 && f->n < 600);
}

/* The engines give the same file. */
TEST(engines) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  static struct file ref;
  ref = *run(&c, &seen, &whole);
  c.engine = TANDEM_ENGINE_RTL;
  assert_memory_equal(&ref, run(&c, &seen, &whole), sizeof ref);
}

TEST(other_machines) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.feature.buddy.size = 2;
  (void)run(&c, &seen, &whole);
  c = small(TANDEM_ENGINE_REF);
  c.feature.wide.warp_size = 64;
  (void)run(&c, &seen, &whole);
  for (unsigned scheme = FLEX_OCC; scheme <= FLEX_BIGSM; scheme++) {
    c = table2_gpu(FLEX_MEMBERS, (enum flex_scheme)scheme);
    (void)run(&c, &seen, &whole);
  }
}

int main(void) { return test_run(NULL, NULL); }
