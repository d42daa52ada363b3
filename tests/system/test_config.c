/* GPU descriptions: what is read, what is refused and where, and that the page tells every key. */
#include <unistd.h>

#include "harness/job/config.h"
#include "tests/system/helpers.h"

/* Reads a text as a GPU description. */
static enum tandem_status read_text(const char *text, struct tandem_config *c,
                                    struct tandem_error *err) {
  char path[] = "/tmp/tandem-config-XXXXXX";
  const int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  err->text[0] = '\0';
  tandem_config_default(c);
  enum tandem_status status = tandem_config_load(c, path, err);
  unlink(path);
  return status;
}

static void reads(void **state) {
  (void)state;
  struct tandem_config c;
  struct tandem_error err;
  const char *text = "sms: 5\n"
                     "scheduler: lrr\n"
                     "sm:\n"
                     "  registers: 0x4000\n"
                     "  latency:\n"
                     "    int_add: {latency: 9, interval: 2}\n"
                     "    sfu: {interval: 3}\n"
                     "memory: {l1d_bytes: 16_384, t_rcd: 13}\n"
                     "run: {engine: ref, seed: 9223372036854775807, iss: false}\n";
  if (read_text(text, &c, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  assert_int_equal(c.sms, 5);
  assert_int_equal(c.scheduler, TANDEM_LRR);
  assert_int_equal(c.sm.registers, 0x4000);
  assert_int_equal(c.sm.lat[ISA_L_INT_ADD].latency, 9);
  assert_int_equal(c.sm.lat[ISA_L_INT_ADD].interval, 2);
  assert_int_equal(c.sm.lat[ISA_L_SFU].latency, isa_lat_classes[ISA_L_SFU].latency);
  assert_int_equal(c.sm.lat[ISA_L_SFU].interval, 3);
  assert_int_equal(c.mem.l1d_bytes, 16384);
  assert_int_equal(c.mem.t_rcd, 13);
  assert_int_equal(c.engine, TANDEM_ENGINE_REF);
  assert_true(c.seed == INT64_MAX);
  assert_false(c.iss);
  assert_true(c.compare);
  assert_int_equal(read_text("", &c, &err), TANDEM_OK);
  assert_int_equal(c.sms, 16);
}

static void refuses(void **state) {
  (void)state;
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"sms: 4\nsmss: 5\n", ":2: unknown key \"smss\""},
      {"sms: 0\n", ":1: sms must be 1 to 64, not 0"},
      {"sm:\n  warps: 4\n  banks: 33\n", ":3: sm.banks must be 1 to 32"},
      {"sm: {latency: {int_add: {latency: 0}}}\n", ":1: latency must be 1 to 1000"},
      {"sm:\n  latency:\n    adder: {latency: 1}\n", ":3: unknown key \"adder\""},
      {"memory: 5\n", ":1: memory must be a mapping"},
      {"memory:\n  partitions: six\n", ":2: memory.partitions must be a whole number"},
      {"scheduler: best\n", ":1: scheduler must be one of gto, lrr"},
      {"run:\n  iss: 3\n", ":2: run.iss must be one of"},
      {"sms: 4\nsms: 5\n", ":2: key \"sms\" is there twice"},
      {"sms: [1, 2\n", "not YAML"},
      {"memory:\n  l1d_ways: 2\n  l1d_bytes: 5000\n",
       ":3: memory: l1d_bytes is 5000, must be a power of two"},
      {"sms: 4\nmemory:\n  l1d_bytes: 1024\n  l1d_ways: 16\n", ":3: memory: L1D of 1024 bytes"},
      {"sm:\n  latency: {mem: {latency: 3}}\n", ":2: unknown key \"mem\""},
      {"run: {seed: 9223372036854775808}\n", ":1: run.seed must be 0 to 9223372036854775807"},
      {"sms: 3\n---\nsms: 4\n", "a second YAML document"},
      {"sms: -3\n", ":1: sms must be 1 to 64, not -3"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_config c;
    struct tandem_error err;
    assert_int_equal(read_text(cases[i].text, &c, &err), TANDEM_USAGE);
    contains(err.text, cases[i].said);
    assert_int_equal(c.sms, 16); /* nothing of a bad description is taken */
  }
  struct tandem_config c;
  struct tandem_error err;
  assert_int_equal(tandem_config_load(&c, "/nowhere/gpu.yaml", &err), TANDEM_USAGE);
  contains(err.text, "/nowhere/gpu.yaml");
  assert_int_equal(tandem_config_load(&c, "/tmp", &err), TANDEM_USAGE);
  contains(err.text, "/tmp: Is a directory");
}

/* The ends of every key's range are within what the models take; that they go together is another
 * matter (powers of two, sets of caches). */
static void ranges(void **state) {
  (void)state;
  for (const struct config_key *k = config_keys; k->key != NULL; k++)
    for (unsigned end = 0; end < 2 && k->names == NULL; end++) {
      struct tandem_config c = small(TANDEM_ENGINE_REF);
      struct tandem *t;
      struct tandem_error err;
      const uint64_t value = end == 0 ? k->min : k->max;
      memcpy((char *)&c + k->offset, &value, k->size);
      if (strcmp(k->section, "sm") == 0 && strcmp(k->key, "shared_bytes") == 0)
        c.mem.shared_bytes = 1 << 20;
      if (strcmp(k->section, "memory") == 0 && strcmp(k->key, "shared_bytes") == 0)
        c.sm.shared_bytes = 0;
      if (tandem_open(&c, &t, &err) != TANDEM_OK && strstr(err.text, " must be ") != NULL &&
          strstr(err.text, "power of two") == NULL)
        fail_msg("%s.%s: %s", k->section, k->key, err.text);
      tandem_close(t);
    }
}

/* docs/configuration.md has a row for each key, with default and range. */
static void page(void **state) {
  (void)state;
  static char text[1 << 16];
  FILE *f = fopen(DOCS "/configuration.md", "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  struct tandem_config c;
  tandem_config_default(&c);
  for (const struct config_key *k = config_keys; k->key != NULL; k++) {
    char row[128];
    uint64_t value = 0;
    memcpy(&value, (const char *)&c + k->offset, k->size);
    if (k->names != NULL)
      snprintf(row, sizeof row, "| `%s` | %s |", k->key, k->names[value]);
    else
      snprintf(row, sizeof row,
               k->max <= INT32_MAX ? "| `%s` | %llu | %llu to %llu |" : "| `%s` | %llu |", k->key,
               (unsigned long long)value, (unsigned long long)k->min, (unsigned long long)k->max);
    contains(text, row);
  }
  for (unsigned i = 0; i < ISA_L_MEM; i++)
    contains(text, isa_lat_classes[i].key);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads),
      cmocka_unit_test(refuses),
      cmocka_unit_test(ranges),
      cmocka_unit_test(page),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
