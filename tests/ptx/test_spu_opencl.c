/* Programs for a stencil processing unit: block synchronisation, special registers and addresses of
 * communication buffers, from OpenCL C: what
 * clang at -O2 leaves of them. */
#include "csim/isa/opencl/opencl.h"
#include "tests/ptx/machine.h"
#include "tests/test.h"

typedef uint32_t u32;

enum { LANES = 32 };
static const unsigned limits[] = {32, 16, 8};
enum { LIMITS = sizeof limits / sizeof limits[0] };

/* Runs the kernel on a warp. */
static void run(struct machine *m, const char *name, const u32 *args) {
  const struct isa_kernel *k = isa_program_kernel(m->program, name);
  assert_non_null(k);
  struct machine_launch l = {
      .grid = {1, 1, 1}, .block = {LANES, 1, 1}, .params = args, .param_bytes = k->param_bytes};
  if (machine_run(m, k, &l) != 0)
    fail_msg("%s: %s", name, m->error);
}

static unsigned synced; /* synchronisations executed, or the sum of their directions */

static int compile(void **state) {
  static struct isa_program *p[LIMITS];
  struct tandem_error err = {""};
  char *ptx;
  if (opencl_to_ptx(TANDEM_ROOT "/tests/ptx/spu.cl", NULL, &ptx, &err) != 0)
    fail_msg("%s", err.text);
  assert_non_null(strstr(ptx, "bar.blocksync 5;"));
  assert_non_null(strstr(ptx, "bar.blocksync;"));
  for (unsigned i = 0; i < LIMITS; i++) {
    struct ptx_options opt = {.max_regs = limits[i]};
    if (ptx_translate(ptx, "spu.cl.ptx", &opt, &p[i], &err) != 0)
      fail_msg("%s", err.text);
  }
  free(ptx);
  *state = p;
  return 0;
}

static int discard(void **state) {
  struct isa_program **p = *state;
  for (unsigned i = 0; i < LIMITS; i++)
    isa_program_free(p[i]);
  return 0;
}

static float *side(struct machine *m, unsigned number) { return (float *)(void *)m->sides[number]; }

/* The sum of a lane after so many tiles. */
static float sum_of(u32 lane, u32 tiles) {
  u32 sum = lane * tiles;
  for (u32 k = 0; k < tiles; k++)
    sum += k;
  return (float)sum;
}

/* Each hand-over to the south must find the sums, then the machine takes them away; before the next
 * tile it puts new values into the north buffer. */
static void hand_over(struct machine *m, unsigned dirs) {
  static const unsigned sequence[] = {5, 2, 64};
  assert_int_equal(dirs, sequence[synced % 3]);
  u32 tile = synced++ / 3;
  for (u32 l = 0; l < LANES; l++) {
    if (dirs == 5)
      side(m, 0)[l] = (float)(l + tile);
    if (dirs == 2)
      assert_true(side(m, 1)[l] == sum_of(l, tile + 1));
    if (dirs == 64)
      assert_true(side(m, 1)[l] == -1);
  }
}

TEST(tiles) {
  struct isa_program **p = *state;
  enum { TILES = 6 };
  for (unsigned i = 0; i < LIMITS; i++) {
    struct machine *m = machine_create(p[i], 1 << 16);
    u32 args[2] = {machine_buffer(m, NULL, 4 * LANES), TILES};
    m->sync = hand_over;
    synced = 0;
    run(m, "tiles", args);
    assert_int_equal(synced, 3 * TILES);
    const float *out = (const void *)(m->memory + args[0]);
    for (u32 l = 0; l < LANES; l++)
      assert_true(out[l] == sum_of(l, TILES));
    machine_destroy(m);
  }
}

static u32 host_address;
static void change_memory(struct machine *m, unsigned dirs) {
  u32 value;
  assert_int_equal(dirs, 8);
  memcpy(&value, m->memory + host_address, 4);
  assert_int_equal(value, synced == 0 ? 7 : 8);
  value++;
  memcpy(m->memory + host_address, &value, 4);
  synced++;
}

TEST(memories) {
  struct isa_program **p = *state;
  for (unsigned i = 0; i < LIMITS; i++) {
    struct machine *m = machine_create(p[i], 1 << 16);
    u32 args[2] = {host_address = machine_buffer(m, NULL, 4 * LANES + 4), 5};
    m->sync = change_memory;
    synced = 0;
    run(m, "memories", args);
    const u32 *out = (const void *)(m->memory + args[0]);
    for (u32 l = 0; l < LANES; l++)
      assert_int_equal(out[1 + l], (8 + 5) * 1000 + 9 + 5);
    machine_destroy(m);
    /* Once stored, and loaded behind each synchronisation. */
    unsigned loads = 0, stores = 0;
    const struct isa_kernel *k = isa_program_kernel(p[i], "memories");
    for (unsigned pc = k->entry; pc < k->end; pc++) {
      loads += isa_id_of(p[i]->code[pc]) == ISA_LDS;
      stores += isa_id_of(p[i]->code[pc]) == ISA_STS;
    }
    assert_int_equal(loads, 2);
    assert_int_equal(stores, 1);
  }
}

enum { SPILLS = 4, FACE = 4 * LANES };
#define SPU_REG(m, name) (m)->spu[ISA_SR_##name - ISA_SR_REGVIU]

static void next_spill(struct machine *m, unsigned dirs) {
  if (dirs == 16) {
    for (u32 l = 0; l < LANES; l++)
      side(m, 4)[l] = (float)(l + 100 * SPU_REG(m, REGCSPILLNB));
    SPU_REG(m, REGCSPILLNB)++;
    SPU_REG(m, REGLAST) = SPU_REG(m, REGCSPILLNB) == SPILLS;
    SPU_REG(m, REGSPILL) += FACE;
  }
  synced += dirs;
}

TEST(spill) {
  struct isa_program **p = *state;
  for (unsigned i = 0; i < LIMITS; i++) {
    struct machine *m = machine_create(p[i], 1 << 16);
    u32 args[1] = {machine_buffer(m, NULL, 4 * (SPILLS + 1))};
    u32 region = machine_buffer(m, NULL, SPILLS * FACE);
    SPU_REG(m, REGROLE) = 3;
    SPU_REG(m, REGSPILL) = region;
    m->sync = next_spill;
    synced = 0;
    run(m, "spill", args);
    assert_int_equal(synced, SPILLS * (16 + 32));
    const float *faces = (const void *)(m->memory + region);
    const u32 *out = (const void *)(m->memory + args[0]);
    for (u32 k = 0; k < SPILLS; k++) {
      for (u32 l = 0; l < LANES; l++)
        assert_true(faces[k * LANES + l] == (float)(l + 100 * k));
      assert_int_equal(out[k], 100 * k + k + 1);
    }
    assert_int_equal(out[SPILLS], 3);
    machine_destroy(m);
  }
}

TEST(all_registers) {
  struct isa_program **p = *state;
  struct machine *m = machine_create(p[0], 1 << 16);
  u32 args[1] = {machine_buffer(m, NULL, sizeof m->spu)};
  for (u32 i = 0; i < ISA_SPU_SREGS; i++)
    m->spu[i] = 2000 + i;
  run(m, "registers", args);
  assert_memory_equal(m->memory + args[0], m->spu, sizeof m->spu);
  machine_destroy(m);
}

/* A function without its header is reported by name; a program's own header wins. */
TEST(header) {
  struct tandem_error err = {""};
  char *ptx;
  char dir[] = "/tmp/tandem-spu-XXXXXX", path[64], header[64], option[64];
  const char *const options[] = {option, NULL};
  assert_non_null(mkdtemp(dir));
  (void)snprintf(path, sizeof path, "%s/a.cl", dir);
  (void)snprintf(header, sizeof header, "%s/spu.h", dir);
  (void)snprintf(option, sizeof option, "-I%s", dir);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  (void)fputs("__kernel void k(__global int *a) { a[0] = spu_role(); }\n", f);
  assert_int_equal(fclose(f), 0);
  assert_true(opencl_to_ptx(path, NULL, &ptx, &err) < 0);
  assert_non_null(strstr(err.text, "spu_role"));
  f = fopen(path, "w");
  assert_non_null(f);
  (void)fputs("#include <spu.h>\n__kernel void k(__global int *a) { a[0] = MINE; }\n", f);
  assert_int_equal(fclose(f), 0);
  assert_true(opencl_to_ptx(path, options, &ptx, &err) < 0);
  f = fopen(header, "w");
  assert_non_null(f);
  (void)fputs("#define MINE 5\n", f);
  assert_int_equal(fclose(f), 0);
  assert_int_equal(opencl_to_ptx(path, options, &ptx, &err), 0);
  free(ptx);
  (void)remove(path);
  (void)remove(header);
  (void)remove(dir);
}

int main(void) { return test_run(compile, discard); }
