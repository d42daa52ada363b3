/* Global memory from the host's side: allocation, bounds, contents, digest. */
#include <errno.h>

#include "tests/mem/bench.h"

static struct rng rng;

static struct gpu_mem *machine(void) {
  struct mem_config c;
  mem_config_default(&c);
  struct gpu_mem *m = gpu_mem_create(&c, 1, NULL);
  assert_non_null(m);
  return m;
}

TEST(allocations_are_aligned_apart_and_deterministic) {
  struct gpu_mem *m = machine();
  struct gpu_mem *n = machine();
  uint64_t end = ISA_GLOBAL_FIRST;
  for (unsigned i = 0; i < 200; i++) {
    uint64_t bytes = 1 + rng_below(&rng, 100000);
    uint32_t a;
    uint32_t b;
    assert_int_equal(gpu_mem_alloc(m, bytes, &a, NULL), 0);
    assert_int_equal(gpu_mem_alloc(n, bytes, &b, NULL), 0);
    assert_int_equal(a, b);
    assert_int_equal(a % 256, 0);
    assert_true(a >= end);
    end = a + bytes + STORE_GUARD;
  }
  gpu_mem_destroy(m);
  gpu_mem_destroy(n);
}

TEST(bounds_are_exact) {
  struct gpu_mem *m = machine();
  static const uint64_t sizes[] = {1, 3, 4, 255, 256, 257, 511, 512, 70000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    uint32_t a;
    uint8_t byte = 7;
    assert_int_equal(gpu_mem_alloc(m, sizes[i], &a, NULL), 0);
    uint32_t last = a + (uint32_t)sizes[i] - 1;
    struct tandem_error err = {""};
    assert_int_equal(gpu_mem_write(m, last, &byte, 1, &err), 0);
    assert_int_equal(gpu_mem_write(m, last + 1, &byte, 1, &err), -EFAULT);
    assert_true(err.text[0] != 0);
    assert_int_equal(gpu_mem_write(m, last, &byte, 2, NULL), -EFAULT);
    assert_int_equal(gpu_mem_read(m, a - 1, &byte, 1, NULL), -EFAULT);
    assert_int_equal(gpu_mem_read(m, a, &byte, 0, NULL), 0);
    assert_true(store_valid(&m->store, last, 1));
    assert_false(store_valid(&m->store, last + 1, 1));
    assert_false(store_valid(&m->store, a - 1, 1));
  }
  gpu_mem_destroy(m);
}

TEST(freed_memory_is_unmapped_and_comes_back_zeroed) {
  struct gpu_mem *m = machine();
  static uint8_t data[300000];
  static uint8_t back[sizeof data];
  memset(data, 0x77, sizeof data);
  uint32_t a;
  uint32_t b;
  uint32_t c;
  assert_int_equal(gpu_mem_alloc(m, sizeof data, &a, NULL), 0);
  assert_int_equal(gpu_mem_alloc(m, 1000, &b, NULL), 0);
  assert_int_equal(gpu_mem_write(m, a, data, sizeof data, NULL), 0);
  assert_int_equal(gpu_mem_write(m, b, data, 1000, NULL), 0);
  assert_int_equal(gpu_mem_free(m, a + 256, NULL), -EINVAL);
  assert_int_equal(gpu_mem_free(m, a, NULL), 0);
  assert_int_equal(gpu_mem_free(m, a, NULL), -EINVAL);
  assert_int_equal(gpu_mem_read(m, a, back, 1, NULL), -EFAULT);
  assert_false(store_valid(&m->store, a, 1));
  /* The gap takes what leaves a guard before the next allocation, and no more. */
  assert_int_equal(gpu_mem_alloc(m, b - a - STORE_GUARD + 1, &c, NULL), 0);
  assert_true(c > b);
  assert_int_equal(gpu_mem_alloc(m, sizeof data - 10, &c, NULL), 0);
  assert_int_equal(c, a); /* first fit */
  assert_int_equal(gpu_mem_read(m, c, back, sizeof data - 10, NULL), 0);
  for (size_t i = 0; i < sizeof data - 10; i++)
    assert_int_equal(back[i], 0);
  assert_int_equal(gpu_mem_read(m, b, back, 1000, NULL), 0);
  assert_memory_equal(back, data, 1000);
  gpu_mem_destroy(m);
}

TEST(too_much_is_refused) {
  struct gpu_mem *m = machine();
  uint32_t a;
  struct tandem_error err = {""};
  assert_int_equal(gpu_mem_alloc(m, 0, &a, &err), -EINVAL);
  assert_int_equal(gpu_mem_alloc(m, (uint64_t)1 << 32, &a, &err), -ENOMEM);
  assert_int_equal(gpu_mem_alloc(m, UINT64_MAX, &a, &err), -ENOMEM);
  assert_int_equal(gpu_mem_alloc(m, 0xc0000000U, &a, &err), 0);
  assert_int_equal(gpu_mem_alloc(m, 0x40000000U, &a, &err), -ENOMEM);
  assert_int_equal(gpu_mem_alloc(m, 0x1000000U, &a, &err), 0);
  gpu_mem_destroy(m);
}

TEST(the_digest_sees_every_byte_and_address) {
  struct gpu_mem *m = machine();
  uint64_t before = gpu_mem_digest(m);
  uint32_t a;
  assert_int_equal(gpu_mem_alloc(m, 1001, &a, NULL), 0);
  uint64_t empty = gpu_mem_digest(m);
  assert_true(empty != before);
  for (uint32_t i = 0; i < 1001; i++) {
    uint8_t byte = (uint8_t)(1U << rng_below(&rng, 8));
    assert_int_equal(gpu_mem_write(m, a + i, &byte, 1, NULL), 0);
    assert_true(gpu_mem_digest(m) != empty);
    byte = 0;
    assert_int_equal(gpu_mem_write(m, a + i, &byte, 1, NULL), 0);
    assert_true(gpu_mem_digest(m) == empty);
  }
  uint32_t b;
  assert_int_equal(gpu_mem_alloc(m, 1001, &b, NULL), 0);
  assert_int_equal(gpu_mem_free(m, a, NULL), 0);
  assert_true(gpu_mem_digest(m) != empty);
  gpu_mem_destroy(m);
}

/* The default with one field changed is refused, and the text names the field. */
static void refused(size_t field, uint32_t value, const char *name) {
  struct mem_config c;
  struct tandem_error err = {""};
  mem_config_default(&c);
  memcpy((char *)&c + field, &value, sizeof value);
  assert_null(gpu_mem_create(&c, 16, &err));
  assert_non_null(strstr(err.text, name));
}

TEST(bad_configurations_are_refused) {
  struct mem_config c;
  struct tandem_error err = {""};
  mem_config_default(&c);
  assert_int_equal(mem_config_check(&c, NULL, NULL), 0);
  assert_null(gpu_mem_create(&c, 0, &err));
  assert_null(gpu_mem_create(&c, 129, &err));
  assert_non_null(strstr(err.text, "129"));
  refused(offsetof(struct mem_config, partitions), 0, "partitions");
  refused(offsetof(struct mem_config, partitions), 33, "partitions");
  refused(offsetof(struct mem_config, shared_banks), 24, "shared_banks");
  refused(offsetof(struct mem_config, xbar_queue), 1, "xbar_queue");
  refused(offsetof(struct mem_config, l1d_ways), 3, "L1D");
  refused(offsetof(struct mem_config, const_ways), 3, "constant cache");
  refused(offsetof(struct mem_config, l2_bytes), 65536 * 3, "L2");
  refused(offsetof(struct mem_config, dram_groups), 32, "dram_groups");
  refused(offsetof(struct mem_config, dram_chips), 16, "burst");
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
