/* GPU descriptions: what is read, what is refused and where, and that every key has one range. */
#include <unistd.h>

#include "harness/gpu/config.h"
#include "harness/shim/rtl.h"
#include "tests/system/helpers.h"

TEST(reads) {
  struct tandem_config c;
  struct tandem_error err;
  const char *text = "sms: 5\n"
                     "scheduler: lrr\n"
                     "sm:\n"
                     "  registers: 0x4000\n"
                     "  latency:\n"
                     "    int_add: {latency: 9, interval: 2}\n"
                     "    sfu: {interval: 3}\n"
                     "memory: {l1d_bytes: 16_384, t_rcd: 13, l2_queue: 0x10}\n"
                     "run: {engine: ref, seed: 9223372036854775807, iss: false}\n";
  if (read_config(text, &c, &err) != TANDEM_OK)
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
  assert_int_equal(c.mem.l2_queue, 16);
  assert_int_equal(c.engine, TANDEM_ENGINE_REF);
  assert_true(c.seed == INT64_MAX);
  assert_false(c.iss);
  assert_true(c.compare);
  assert_int_equal(read_config("", &c, &err), TANDEM_OK);
  assert_int_equal(c.sms, 16);
}

TEST(refuses) {
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"sms: 4\nsmss: 5\n", ":2: unknown key \"smss\""},
      {"sms: 0\n", ":1: sms must be 1 to 64, not 0"},
      {"sm:\n  warps: 4\n  banks: 33\n", ":3: sm.banks must be a power of two, 1 to 32, not 33"},
      {"sm: {latency: {int_add: {latency: 0}}}\n",
       ":1: sm.latency.int_add.latency must be 1 to 1000 core cycles, not 0"},
      {"sm:\n  latency:\n    adder: {latency: 1}\n", ":3: unknown key \"adder\""},
      {"memory: 5\n", ":1: memory must be a mapping"},
      {"memory:\n  partitions: six\n", ":2: memory.partitions must be 1 to 32, not six"},
      {"scheduler: best\n", ":1: scheduler must be gto or lrr, not best"},
      {"run:\n  iss: 3\n", ":2: run.iss must be false or true, not 3"},
      {"sms: 4\nsms: 5\n", ":2: key \"sms\" is there twice"},
      {"sms: [1, 2\n", "not YAML"},
      {"memory:\n  l1d_ways: 2\n  l1d_bytes: 5000\n",
       ":3: memory.l1d_bytes must be a power of two, 1024 to 16777216 bytes, not 5000"},
      {"sms: 4\nmemory:\n  l1d_bytes: 1024\n  l1d_ways: 16\n",
       ":3: memory: the sets of L1D, l1d_bytes / (l1d_ways x line_bytes), must be a power of two, "
       "not with l1d_bytes 1024, l1d_ways 16, line_bytes 128"},
      {"sm:\n  latency: {mem: {latency: 3}}\n", ":2: unknown key \"mem\""},
      {"run: {seed: 9223372036854775808}\n",
       ":1: run.seed must be 0 to 2^63 - 1, not 9223372036854775808"},
      {"sms: 3\n---\nsms: 4\n", "a second YAML document"},
      {"memory:\n  l2_ways: 3\n", ":2: memory: the sets of L2"}, /* the other keys are not there */
      {"memory:\n  t_rcd: 0\n", ":2: memory.t_rcd must be 1 to 1000 DRAM cycles, not 0"},
      {"buddy:\n  size: 3\n", ":2: buddy.size must be 1, 2, 4 or 8, not 3"},
      {"warp_size: 96\n", ":1: warp_size must be 32, 64 or 128 threads, not 96"},
      {"sm:\n  latency: {sfu: 3}\n", ":2: sm.latency.sfu must be a mapping"},
      {"sm: {warps: [1, 2]}\n", ":1: sm.warps must be a single value"},
      {"sms: -3\n", ":1: sms must be 1 to 64, not -3"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_config c;
    struct tandem_error err;
    assert_int_equal(read_config(cases[i].text, &c, &err), TANDEM_USAGE);
    contains(err.text, cases[i].said);
    assert_int_equal(c.sms, 16); /* nothing of a bad description is taken */
  }
  struct tandem_config c;
  struct tandem_error err;
  assert_int_equal(tandem_config_load(&c, PROGRAMS "/none/gpu.yaml", &err), TANDEM_USAGE);
  contains(err.text, PROGRAMS "/none/gpu.yaml");
  assert_int_equal(tandem_config_load(&c, PROGRAMS, &err), TANDEM_USAGE);
  contains(err.text, PROGRAMS ": Is a directory");
}

/* The end of a range that other keys do not go with as they are by default. */
static bool needs_others(const char *name, bool high) {
  static const struct {
    const char *name;
    bool high;
  } ends[] = {
      {"buddy.size", true},           {"flex.size", true},          {"run.bug", true},
      {"spu.columns", true},          {"sm.shared_bytes", true},    {"memory.shared_bytes", false},
      {"memory.dram_banks", false},   {"memory.dram_groups", true}, {"memory.dram_chips", true},
      {"memory.dram_bus_bytes", true}};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    if (strcmp(ends[i].name, name) == 0 && ends[i].high == high)
      return true;
  return false;
}

/* Sets a key in all ways that there are: each takes the value, or each refuses it naming the key.
 */
static void all_agree(const struct config_key *k, const char *name, uint64_t value, bool taken) {
  struct tandem_config c = small(TANDEM_ENGINE_REF), read;
  struct tandem_error err;
  struct tandem *t;
  char text[160], number[24];
  config_put(k, &c, value);
  if (config_get(k, &c) != value)
    return; /* the field cannot hold it */
  const enum tandem_status opened = tandem_open(&c, &t, &err);
  tandem_close(t);
  if (taken ? opened != TANDEM_OK && !needs_others(name, value == k->high)
            : opened != TANDEM_USAGE || strstr(err.text, name) == NULL)
    fail_msg("%s %llu: %s", name, (unsigned long long)value, err.text);
  snprintf(number, sizeof number, "%llu", (unsigned long long)value);
  gpu_config_default(&c);
  assert_int_equal(tandem_config_set(&c, name, number, &err), taken ? TANDEM_OK : TANDEM_USAGE);
  assert_true((config_get(k, &c) == value) == taken || k->standard == value);
  if (strncmp(name, "sm.latency", 10) == 0)
    return;
  if (*k->section != '\0')
    snprintf(text, sizeof text, "%s:\n  %s: %s\n", k->section, k->name, number);
  else
    snprintf(text, sizeof text, "%s: %s\n", k->name, number);
  const enum tandem_status loaded = read_config(text, &read, &err);
  if (taken ? loaded != TANDEM_OK && !needs_others(name, value == k->high)
            : loaded != TANDEM_USAGE || strstr(err.text, name) == NULL)
    fail_msg("%s: %s", name, err.text);
}

/* The library's structs, its keys and files have the same ranges, whose ends work. */
TEST(ranges) {
  unsigned numbers = 0;
  const struct config_key *k;
  for (size_t i = 0; (k = gpu_key_at(i)) != NULL; i++) {
    char name[96];
    snprintf(name, sizeof name, "%s%s%s", k->section, *k->section != '\0' ? "." : "", k->name);
    if (k->names != NULL)
      continue;
    numbers++;
    all_agree(k, name, k->low, true);
    all_agree(k, name, k->high, true);
    if (k->low > 0)
      all_agree(k, name, k->low - 1, false);
    if (k->high < UINT64_MAX)
      all_agree(k, name, k->high + 1, false);
    if (k->power && k->high > 2)
      all_agree(k, name, k->high - 1, false);
  }
  assert_true(numbers > 80);
}

/* A choice has no more values than words, also where it is set as a number. */
TEST(choices) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.feature.buddy.regroup = (enum buddy_regroup)2;
  refused(&c, "buddy.regroup must be new-kernel or halfway, not 2");
  struct tandem_error err;
  assert_int_equal(tandem_config_set(&c, "run.engine", "fast", &err), TANDEM_USAGE);
  contains(err.text, "run.engine must be rtl, ref or lockstep, not fast");
  assert_int_equal(tandem_config_set(&c, "run.engine", "rtl", &err), TANDEM_OK);
  assert_int_equal(c.engine, TANDEM_ENGINE_RTL);
  assert_int_equal(tandem_config_set(&c, "engine", "rtl", &err), TANDEM_USAGE);
  contains(err.text, "no configuration key \"engine\"");
}

/* Communication buffers of all sizes: the RTL of each is made when it is needed. */
TEST(buffers_of_each_size) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  c.feature.spu.columns = 2;
  tandem_close(open_gpu(&c));
  c.feature.spu.cb_bytes = 32768;
  tandem_close(open_gpu(&c));
  c.feature.spu.cb_bytes = 65536;
  refused(&c, "must be");
}

int main(void) { return test_run(NULL, NULL); }
