/* GPUs that have names: their descriptions, and what chooses one. */
#include "harness/job/config.h"

#include "harness/gpu/config.h"
#include "tests/system/helpers.h"

static uint64_t number(const struct tandem_config *c, const char *key) {
  uint64_t value;
  struct tandem_error err;
  if (tandem_config_number(c, key, &value, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  return value;
}

/* Each key of the machine is in the descriptions, with a source; the defaults are those of the
 * default GPU. */
TEST(descriptions_are_whole) {
  static const char *const names[] = {GPU_DEFAULT, "gpgpusim"};
  unsigned keys = 0, others = 0;
  for (unsigned g = 0; g < 2; g++) {
    struct config_sources sources = {{NULL}};
    struct tandem_config c;
    struct tandem_error err;
    const struct config_key *k;
    gpu_config_default(&c);
    if (config_choose(&c, names[g], &sources, &err) != 0)
      fail_msg("%s", err.text);
    assert_string_equal(c.gpu, names[g]);
    for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++) {
      assert_true(i < CONFIG_KEYS);
      if (gpu_key_describes(k) != (sources.of[i] != NULL))
        fail_msg("%s: %s.%s has %s source", names[g], k->section, k->name,
                 sources.of[i] != NULL ? "a" : "no");
      if (g == 0 && config_get(k, &c) != k->standard)
        fail_msg("%s.%s is not the default", k->section, k->name);
      keys += gpu_key_describes(k);
      others += config_get(k, &c) != k->standard;
    }
    config_forget_sources(&sources);
  }
  assert_true(keys > 2 * 80 && others > 1);
}

/* A description begins with the GPU that it names, else changes single keys. */
TEST(bases) {
  struct tandem_config c;
  struct tandem_error err;
  assert_int_equal(read_config("base: gpgpusim\nsms: 15\n", &c, &err), TANDEM_OK);
  assert_string_equal(c.gpu, "gpgpusim");
  assert_int_equal(c.sms, 15);
  assert_int_equal(c.mem.xbar_mhz, 1000);
  assert_int_equal(read_config("sms: 15\n", &c, &err), TANDEM_OK);
  assert_string_equal(c.gpu, "gtx480");
  assert_int_equal(read_config("memory: {source: me, t_rcd: {value: 13, source: you}}", &c, &err),
                   TANDEM_OK);
  assert_int_equal(c.mem.t_rcd, 13);
}

TEST(refuses) {
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"sms: 4\nbase: gtx470\n", ":2: base: there is no GPU \"gtx470\"; there are gpgpusim and"},
      {"base: [gtx480]\n", ":1: base must be a single value"},
      {"memory:\n  base: gtx480\n", ":2: unknown key \"base\""},
      {"memory:\n  t_rcd: {source: me}\n", ":2: memory.t_rcd needs a value"},
      {"memory:\n  t_rcd: {value: 0, source: me}\n", ":2: memory.t_rcd must be 1 to 1000"},
      {"memory:\n  t_rcd:\n    value: 3\n    unit: ms\n", ":4: unknown key \"unit\""},
      {"memory:\n  t_rcd: 3\n  t_new: {value: 1, source: another version}\n",
       ":3: unknown key \"t_new\""},
      {"source: [1]\n", ":1: source must be a single value"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_config c;
    struct tandem_error err;
    assert_int_equal(read_config(cases[i].text, &c, &err), TANDEM_USAGE);
    contains(err.text, cases[i].said);
    assert_string_equal(c.gpu, "gtx480");
  }
}

/* The GPU of a launch description, by its text. */
static enum tandem_status of_launch(const char *text, struct tandem_config *c,
                                    struct tandem_error *err) {
  struct tandem_job *job;
  if (tandem_job_read_text(text, "launch", &job, err) != TANDEM_OK)
    fail_msg("%s", err->text);
  const enum tandem_status status = tandem_job_config(job, c, err);
  tandem_job_close(job);
  return status;
}

/* A launch description names its GPU in one of three ways; the user's choice wins, but for single
 * keys. */
TEST(choices) {
  struct tandem_config *c = tandem_config_create();
  struct tandem_error err;
  assert_int_equal(of_launch("gpu: gpgpusim\n", c, &err), TANDEM_OK);
  assert_int_equal(number(c, "sm.latency.sfu.latency"), 8);
  assert_int_equal(of_launch("gpu: {base: gtx480, sms: 3}\n", c, &err), TANDEM_OK);
  assert_int_not_equal(number(c, "sm.latency.sfu.latency"), 8);
  assert_int_equal(number(c, "sms"), 3);
  assert_int_equal(of_launch("gpu: gtx470\n", c, &err), TANDEM_USAGE);
  contains(err.text, "launch:1: gpu: there is no GPU \"gtx470\"; there are gpgpusim and gtx480");
  assert_int_equal(tandem_config_gpu(c, "gpgpusim", &err), TANDEM_OK);
  assert_int_equal(number(c, "sms"), 16);
  assert_int_equal(of_launch("gpu: {base: gtx480, sms: 3}\n", c, &err), TANDEM_OK);
  assert_int_equal(of_launch("gpu: gtx480\n", c, &err), TANDEM_OK);
  assert_int_equal(number(c, "sm.latency.sfu.latency"), 8);
  assert_int_equal(number(c, "sms"), 3);
  assert_int_equal(tandem_config_gpu(c, "gtx470", &err), TANDEM_USAGE);
  contains(err.text, "there are gpgpusim and gtx480");
  assert_int_equal(tandem_config_gpu(c, PROGRAMS "/../cli/gpu.yaml", &err), TANDEM_OK);
  assert_int_equal(number(c, "sm.latency.sfu.latency"), 39);
  assert_int_equal(tandem_config_gpu(c, NULL, &err), TANDEM_USAGE);
  tandem_config_destroy(c);
}

int main(void) { return test_run(NULL, NULL); }
