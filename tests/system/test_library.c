/* The library as its users see it, through tandem.h alone: configurations, programs, statistics,
 * and what is refused. */
#include "harness/tandem.h"
#include "tests/test.h"

static void contains(const char *text, const char *part) {
  if (strstr(text, part) == NULL)
    fail_msg("\"%s\" is not in: %s", part, text);
}

static void set(struct tandem_config *c, const char *key, const char *value) {
  struct tandem_error err;
  if (tandem_config_set(c, key, value, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
}

static void has(const struct tandem_config *c, const char *key, const char *value) {
  char text[32];
  struct tandem_error err;
  if (tandem_config_get(c, key, text, sizeof text, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_string_equal(text, value);
}

/* Two SMs, the reference alone. */
static struct tandem_config *small(void) {
  struct tandem_config *c = tandem_config_create();
  assert_non_null(c);
  set(c, "sms", "2");
  set(c, "run.engine", "ref");
  set(c, "run.threads", "1");
  return c;
}

/* The configuration ends before its GPU begins to work. */
static struct tandem *open_gpu(struct tandem_config *c) {
  struct tandem *t;
  struct tandem_error err;
  if (tandem_open(c, &t, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  tandem_config_destroy(c);
  return t;
}

static const struct tandem_program *load(struct tandem *t) {
  const struct tandem_program *p;
  struct tandem_error err;
  if (tandem_load(t, PROGRAMS "/faults.cl", NULL, &p, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  return p;
}

struct block {
  uint32_t a, n;
};

/* The kernel that works, of a block of 64 threads. */
static struct tandem_launch fine(struct tandem *t, struct block *args) {
  struct tandem_error err;
  *args = (struct block){.n = 64};
  assert_int_equal(tandem_alloc(t, 4096, &args->a, &err), TANDEM_OK);
  return (struct tandem_launch){.program = load(t),
                                .kernel = "fine",
                                .grid = {1, 1, 1},
                                .block = {64, 1, 1},
                                .args = args,
                                .args_bytes = sizeof *args};
}

TEST(version) {
  char text[32];
  snprintf(text, sizeof text, "%d.%d.%d", TANDEM_VERSION_MAJOR, TANDEM_VERSION_MINOR,
           TANDEM_VERSION_PATCH);
  assert_string_equal(tandem_version(), text);
}

/* Numbers and words, as text and as numbers; a copy is another one. */
TEST(keys) {
  struct tandem_config *c = tandem_config_create(), *copy;
  struct tandem_error err;
  uint64_t value;
  assert_non_null(c);
  has(c, "sms", "16");
  has(c, "run.engine", "lockstep");
  has(c, "run.iss", "true");
  set(c, "memory.t_rcd", "0x0d");
  set(c, "run.engine", "rtl");
  set(c, "run.max_cycles", "18446744073709551615");
  has(c, "memory.t_rcd", "13");
  has(c, "run.engine", "rtl");
  has(c, "run.max_cycles", "18446744073709551615");
  assert_int_equal(tandem_config_number(c, "memory.t_rcd", &value, &err), TANDEM_OK);
  assert_int_equal(value, 13);
  copy = tandem_config_copy(c);
  assert_non_null(copy);
  set(copy, "memory.t_rcd", "14");
  has(copy, "run.engine", "rtl");
  has(c, "memory.t_rcd", "13");
  tandem_config_destroy(copy);
  tandem_config_destroy(c);
  tandem_config_destroy(NULL);
}

TEST(bad_keys) {
  static const struct {
    const char *key, *value, *said;
  } cases[] = {
      {"smss", "1", "no configuration key \"smss\""},
      {"engine", "ref", "no configuration key \"engine\""},
      {"", "1", "no configuration key \"\""},
      {NULL, "1", "no configuration key \"\""},
      {"sms", "65", "sms must be 1 to 64, not 65"},
      {"sms", "-1", "sms must be 1 to 64, not -1"},
      {"sms", "2 ", "sms must be 1 to 64, not 2 "},
      {"sms", "", "sms must be 1 to 64"},
      {"sms", NULL, "sms must be 1 to 64"},
      {"buddy.size", "3", "buddy.size must be 1, 2, 4 or 8, not 3"},
      {"run.engine", "fast", "run.engine must be rtl, ref or lockstep, not fast"},
      {"run.iss", "1", "run.iss must be false or true, not 1"},
  };
  struct tandem_config *c = small();
  struct tandem_error err;
  char text[32];
  uint64_t value = 7;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_int_equal(tandem_config_set(c, cases[i].key, cases[i].value, &err), TANDEM_USAGE);
    contains(err.text, cases[i].said);
    assert_int_equal(tandem_config_set(c, cases[i].key, cases[i].value, NULL), TANDEM_USAGE);
  }
  has(c, "sms", "2");
  assert_int_equal(tandem_config_get(c, "smss", text, sizeof text, &err), TANDEM_USAGE);
  contains(err.text, "no configuration key \"smss\"");
  assert_int_equal(tandem_config_get(c, NULL, text, sizeof text, NULL), TANDEM_USAGE);
  assert_int_equal(tandem_config_get(c, "run.engine", text, 3, &err), TANDEM_USAGE);
  contains(err.text, "the value of run.engine takes 4 bytes");
  assert_int_equal(tandem_config_get(c, "run.engine", text, 4, &err), TANDEM_OK);
  assert_int_equal(tandem_config_get(c, "run.engine", NULL, 0, &err), TANDEM_USAGE);
  assert_int_equal(tandem_config_number(c, "run.engine", &value, &err), TANDEM_USAGE);
  contains(err.text, "is a word");
  assert_int_equal(tandem_config_number(c, "smss", &value, &err), TANDEM_USAGE);
  assert_int_equal(value, 7);
  tandem_config_destroy(c);
}

/* Files, waveforms and values that do not go together. */
TEST(bad_configurations) {
  struct tandem_config *c = small();
  struct tandem_error err;
  struct tandem *t;
  assert_int_equal(tandem_config_load(c, NULL, &err), TANDEM_USAGE);
  contains(err.text, "path");
  assert_int_equal(tandem_config_load(c, PROGRAMS "/none/gpu.yaml", &err), TANDEM_USAGE);
  contains(err.text, PROGRAMS "/none/gpu.yaml");
  assert_int_equal(tandem_config_load(c, PROGRAMS "/scale.cl", NULL), TANDEM_USAGE);
  has(c, "sms", "2");
  struct tandem_trace trace = {.path = NULL, .to = UINT64_MAX, .sms = 1};
  assert_int_equal(tandem_config_trace(c, &trace, &err), TANDEM_USAGE);
  contains(err.text, "path");
  trace.path = "x.fst";
  assert_int_equal(tandem_config_trace(c, &trace, &err), TANDEM_OK);
  assert_int_equal(tandem_open(c, &t, &err), TANDEM_USAGE);
  contains(err.text, "RTL");
  assert_null(t);
  assert_int_equal(tandem_config_trace(c, NULL, &err), TANDEM_OK);
  set(c, "buddy.size", "4");
  assert_int_equal(tandem_open(c, &t, &err), TANDEM_USAGE);
  assert_int_equal(tandem_open(c, &t, NULL), TANDEM_USAGE);
  assert_null(t);
  tandem_config_destroy(c);
}

TEST(bad_programs) {
  struct tandem *t = open_gpu(small()), *other = open_gpu(small());
  const struct tandem_program *p = load(other);
  struct tandem_error err;
  assert_int_equal(tandem_load(t, NULL, NULL, &p, &err), TANDEM_USAGE);
  contains(err.text, "path");
  assert_null(p);
  assert_int_equal(tandem_load(t, PROGRAMS "/none/k.cl", NULL, &p, &err), TANDEM_USAGE);
  contains(err.text, PROGRAMS "/none/k.cl");
  assert_int_equal(tandem_load(t, "kernel.exe", NULL, &p, &err), TANDEM_USAGE);
  contains(err.text, "kernel.exe");
  assert_int_equal(tandem_load(t, "kernel.exe", NULL, &p, NULL), TANDEM_USAGE);
  assert_null(p);

  struct block args;
  const struct tandem_launch good = fine(t, &args);
  struct tandem_launch bad = good;
  bad.program = NULL;
  assert_int_equal(tandem_launch(t, &bad, &err), TANDEM_USAGE);
  contains(err.text, "tandem_load");
  bad.program = load(other);
  assert_int_equal(tandem_launch(t, &bad, &err), TANDEM_USAGE);
  contains(err.text, "tandem_load");
  bad = good;
  bad.kernel = NULL;
  assert_int_equal(tandem_launch(t, &bad, &err), TANDEM_USAGE);
  contains(err.text, "names no kernel");
  bad = good;
  bad.args = NULL;
  assert_int_equal(tandem_launch(t, &bad, &err), TANDEM_USAGE);
  contains(err.text, "NULL");
  assert_int_equal(tandem_launch(t, NULL, &err), TANDEM_USAGE);
  assert_int_equal(tandem_launch(t, &good, &err), TANDEM_OK);
  tandem_close(t);
  tandem_close(other);
  tandem_close(NULL);
}

TEST(bad_memory) {
  struct tandem *t = open_gpu(small());
  struct tandem_error err;
  uint32_t a, word = 0;
  assert_int_equal(tandem_alloc(t, 64, &a, &err), TANDEM_OK);
  assert_int_equal(a % 256, 0);
  assert_int_equal(tandem_alloc(t, 0, &a, NULL), TANDEM_USAGE);
  assert_int_equal(tandem_write(t, a, NULL, 4, &err), TANDEM_USAGE);
  contains(err.text, "NULL");
  assert_int_equal(tandem_read(t, a, NULL, 4, &err), TANDEM_USAGE);
  contains(err.text, "NULL");
  assert_int_equal(tandem_write(t, a + 62, &word, 4, NULL), TANDEM_USAGE);
  assert_int_equal(tandem_write(t, a, NULL, 0, &err), TANDEM_OK);
  tandem_close(t);
}

TEST(bad_jobs) {
  struct tandem *t = open_gpu(small());
  struct tandem_job *job;
  struct tandem_error err;
  assert_int_equal(tandem_job_open(t, NULL, &job, &err), TANDEM_USAGE);
  contains(err.text, "path");
  assert_null(job);
  assert_int_equal(tandem_job_open(t, PROGRAMS "/none/x.yaml", &job, NULL), TANDEM_USAGE);
  assert_int_equal(tandem_job_open_text(t, NULL, "text", &job, &err), TANDEM_USAGE);
  contains(err.text, "empty");
  assert_int_equal(tandem_job_open_text(t, "program: 3\n", "text", &job, &err), TANDEM_USAGE);
  contains(err.text, "text:1: ");
  assert_null(job);
  tandem_job_close(NULL);
  tandem_close(t);
}

enum { MOST = 200 };

static const struct tandem_statistic *find(const struct tandem_statistic *rows, size_t n,
                                           const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(rows[i].name, name) == 0)
      return &rows[i];
  fail_msg("there is no statistic %s", name);
  return NULL;
}

/* The list, single names and single SMs agree. */
TEST(statistics) {
  struct tandem *t = open_gpu(small());
  struct tandem_error err;
  struct block args;
  const struct tandem_launch launch = fine(t, &args);
  if (tandem_launch(t, &launch, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  struct tandem_statistic rows[MOST], sm[MOST], one;
  const size_t n = tandem_statistics(t, rows, MOST);
  assert_in_range(n, 50, MOST);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(tandem_statistic(t, rows[i].name, &one, &err), TANDEM_OK);
    assert_string_equal(one.text, rows[i].text);
    assert_true(one.count == rows[i].count && one.value == rows[i].value);
  }
  assert_int_equal(find(rows, n, "launches")->count, 1);
  assert_true(find(rows, n, "launches")->value == 1);
  assert_true(find(rows, n, "cycles")->count > 10);
  const struct tandem_statistic *rate = find(rows, n, "memory.caches.l1d.hit_rate");
  assert_true(rate->count == 0 && rate->value >= 0 && rate->value <= 1);

  uint64_t sum = 0;
  for (unsigned i = 0; i < 2; i++) {
    const size_t of_sm = tandem_sm_statistics(t, i, sm, MOST);
    assert_in_range(of_sm, 20, n - 1);
    sum += find(sm, of_sm, "warp_instructions")->count;
  }
  assert_true(sum > 0 && sum == find(rows, n, "warp_instructions")->count);

  assert_int_equal(tandem_statistics(t, NULL, 0), n);
  rows[1].name = "untouched";
  assert_int_equal(tandem_statistics(t, rows, 1), n);
  assert_string_equal(rows[1].name, "untouched");
  assert_int_equal(tandem_sm_statistics(t, 2, sm, MOST), 0);
  tandem_close(t);
}

TEST(bad_statistics) {
  struct tandem_config *c = small();
  struct tandem *t;
  struct tandem_error err;
  struct tandem_statistic one = {.count = 7};
  assert_int_equal(tandem_open(c, &t, &err), TANDEM_OK);
  assert_int_equal(tandem_statistic(t, "cycle", &one, &err), TANDEM_USAGE);
  contains(err.text, "no statistic \"cycle\"");
  assert_int_equal(tandem_statistic(t, "", &one, &err), TANDEM_USAGE);
  assert_int_equal(tandem_statistic(t, NULL, &one, NULL), TANDEM_USAGE);
  assert_int_equal(tandem_statistic(t, "buddy.ungroups", &one, &err), TANDEM_USAGE);
  assert_int_equal(one.count, 7);
  tandem_close(t);
  set(c, "buddy.size", "2");
  t = open_gpu(c);
  assert_int_equal(tandem_statistic(t, "buddy.ungroups", &one, &err), TANDEM_OK);
  assert_int_equal(one.count, 0);
  tandem_close(t);
}

/* A GPU keeps the texts of a configuration that is gone; a report quotes the command. */
TEST(texts) {
  char command[] = "the command line";
  struct tandem_config *c = small();
  struct tandem_error err;
  struct block args;
  assert_int_equal(tandem_config_report(c, NULL, command, &err), TANDEM_OK);
  set(c, "run.max_cycles", "10");
  memset(command, 'x', sizeof command - 1);
  struct tandem *t = open_gpu(c);
  const struct tandem_launch launch = fine(t, &args);
  assert_string_equal(tandem_report(t), "");
  assert_string_equal(tandem_failure(t)->kind, "");
  assert_int_equal(tandem_launch(t, &launch, &err), TANDEM_FAULT);
  assert_string_equal(tandem_failure(t)->kind, "endless");
  contains(tandem_report(t), "the command line");
  assert_int_equal(tandem_launch(t, &launch, &err), TANDEM_FAULT);
  contains(err.text, "failed before");
  tandem_close(t);
}

/* Cut off, which is no failure. */
TEST(stopped) {
  struct tandem_config *c = small();
  struct tandem_error err;
  struct tandem_statistic cycles;
  struct block args;
  tandem_config_stop(c, 10);
  struct tandem *t = open_gpu(c);
  const struct tandem_launch launch = fine(t, &args);
  assert_false(tandem_stopped(t));
  assert_int_equal(tandem_launch(t, &launch, &err), TANDEM_FAULT);
  assert_true(tandem_stopped(t));
  assert_string_equal(tandem_failure(t)->kind, "");
  assert_int_equal(tandem_statistic(t, "cycles", &cycles, &err), TANDEM_OK);
  assert_int_equal(cycles.count, 10);
  tandem_close(t);
}

/* A description is read before there is a GPU, which it describes, and bound to one GPU. */
TEST(read_and_bound) {
  static const char text[] = "parameters: {n: 3}\n"
                             "gpu: {sms: =n}\n"
                             "program: faults.cl\n"
                             "buffers: [{name: a, type: u32, count: 64}]\n"
                             "steps:\n"
                             "  - launch: {kernel: fine, grid: [1], block: [32],\n"
                             "             args: [{buffer: a}, {u32: 64}]}\n";
  struct tandem_config *c = small();
  struct tandem_job *job;
  struct tandem_error err;
  uint32_t address;
  uint64_t bytes;
  if (tandem_job_read_text(text, PROGRAMS "/text.yaml", &job, &err) != TANDEM_OK ||
      tandem_job_config(job, c, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  has(c, "sms", "3");
  assert_int_equal(tandem_job_parameters(job, NULL, 0), 1);
  assert_false(tandem_job_buffer(job, "a", &address, &bytes));
  struct tandem *t = open_gpu(c);
  if (tandem_job_bind(job, t, &err) != TANDEM_OK || tandem_job_run(job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_true(tandem_job_buffer(job, "a", &address, &bytes));
  assert_int_equal(tandem_job_bind(job, t, &err), TANDEM_USAGE);
  contains(err.text, "bound to a GPU already");
  tandem_job_close(job);
  tandem_close(t);
}

/* A gpu: that is refused leaves the configuration as it was. */
TEST(read_wrong_gpu) {
  struct tandem_config *c = small();
  struct tandem_job *job;
  struct tandem_error err;
  assert_int_equal(tandem_job_read_text("gpu: {sms: 0}\n", "text", &job, &err), TANDEM_OK);
  assert_int_equal(tandem_job_config(job, c, &err), TANDEM_USAGE);
  contains(err.text, "text:1: ");
  has(c, "sms", "2");
  tandem_job_close(job);
  tandem_config_destroy(c);
}

/* Without a configuration the GPU is the default one. */
TEST(defaults) {
  struct tandem *t;
  struct tandem_error err;
  struct tandem_statistic none[1];
  if (tandem_open(NULL, &t, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_true(tandem_sm_statistics(t, 15, none, 0) > 0);
  assert_int_equal(tandem_sm_statistics(t, 16, none, 0), 0);
  tandem_close(t);
}

int main(void) { return test_run(NULL, NULL); }
