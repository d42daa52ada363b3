/* Clusters that cannot be, and launches that do not fit them: refused with file, line and key
 * before anything is simulated. */
#include "tests/flex/machine.h"

#define SM "sm: {warps: 24, threads: 768, registers: 16384, shared_bytes: 16384}\n"
#define MEMORY "memory: {shared_bytes: 16384, shared_banks: 16, l1d_bytes: 16384, l1d_ways: 4}\n"
#define GPU(flex) "sms: 12\n" SM MEMORY "flex: {" flex "}\n"

TEST(taken) {
  static const char *const texts[] = {GPU("size: 6"),
                                      GPU("size: 2"),
                                      GPU("size: 0"),
                                      GPU("size: 6, scheme: bal"),
                                      GPU("size: 6, scheme: auto"),
                                      GPU("size: 2, scheme: bigsm_occ, dummy: 2"),
                                      GPU("size: 6, dummy: 0") "run: {engine: ref}\n"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    struct tandem_config c;
    struct tandem_error err;
    if (read_config(texts[i], &c, &err) != TANDEM_OK)
      fail_msg("refused: %s", err.text);
  }
}

TEST(gpus) {
  static const struct {
    const char *text, *said;
  } cases[] = {
      {GPU("size: 6, scheme: best"),
       ":4: flex.scheme must be base, occ, bal, bigsm, bigsm_occ or auto, not best"},
      {GPU("size: 6, choice: any"), ":4: flex.choice must be static, first or power, not any"},
      {GPU("size: 6, choice: power"), ":4: flex.choice power needs a limit"},
      {GPU("size: 6, memory: none"), ":4: flex.memory must be lent or own, not none"},
      {GPU("size: 6, placement: any"), ":4: flex.placement must be warps or sides, not any"},
      {GPU("size: 6, coalesce: no"), ":4: flex.coalesce must be warp or half, not no"},
      {GPU("size: 6, dummy: 3"), ":4: flex.dummy must be 0 to 2 core cycles, not 3"},
      {GPU("size: 6, power_up: 256"), ":4: flex.power_up must be 0 to 255 core cycles, not 256"},
      {GPU("size: 6, operand_planes: 0"), ":4: flex.operand_planes must be 1 to 8 planes, not 0"},
      {GPU("size: 6, memory_planes: 9"), ":4: flex.memory_planes must be 1 to 8 planes, not 9"},
      {GPU("size: 6, plane: 1"), ":4: unknown key \"plane\""},
      {GPU("size: 8"), ":4: flex.size must be 0 to 6, not 8"},
      {GPU("size: 4"), ":4: flex.size must be 0, 2 or 6, not 4"},
      {GPU("size: 2, scheme: bal"), ":4: flex.scheme bal needs trios, clusters of 6 SMs"},
      {GPU("size: 6, dummy: 0"), ":4: flex.dummy 0 needs engine ref"},
      {"sms: 16\n" SM MEMORY "flex: {size: 6}\n", ":4: 16 SMs do not make clusters of 6"},
      {"sms: 12\nbuddy: {size: 2}\n" SM MEMORY "flex: {size: 6}\n",
       "shared front ends (buddy.size) and cross-SM resource sharing (flex.size) exclude each "
       "other"},
      {"sms: 12\nwarp_size: 64\n" SM MEMORY "flex: {size: 6}\n",
       "cross-SM resource sharing (flex.size) and large warps (warp_size) exclude each other"},
      {"sms: 12\nspu: {columns: 4, rows: 3}\n" SM MEMORY "flex: {size: 6}\n",
       "cross-SM resource sharing (flex.size) and stencil processing unit (spu.columns) exclude"},
      {"sms: 12\nbuddy: {member_queues: true}\nrun: {engine: ref}\n" SM MEMORY "flex: {size: 6}\n",
       "buddy.member_queues is for SMs alone"},
      {"sms: 12\nsm: {warps: 48}\n" MEMORY "flex: {size: 6}\n",
       ":4: sm.warps must be 24 with flex.size, not 48"},
      {"sms: 12\nsm: {warps: 24, registers: 16400, shared_bytes: 16384}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.registers must be a multiple of 1024 with flex.size"},
      {"sms: 12\nsm: {warps: 24, registers: 16384, shared_bytes: 16000}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.shared_bytes must be a multiple of 256 with flex.size"},
      {"sms: 12\nsm: {warps: 24, registers: 16384, shared_bytes: 8192}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: memory.shared_bytes must be sm.shared_bytes, 8192, with flex.size, not 16384"},
      {"sms: 12\nsm: {warps: 24, registers: 16384, shared_bytes: 16384, banks: 1}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.banks must be a multiple of 2 with flex.size"},
      {"sms: 12\nsm: {warps: 24, shared_bytes: 16384, collectors_sp: 1}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.collectors_sp must be a multiple of 2 with flex.size, halves of which are lent"},
      {"sms: 12\nsm: {warps: 24, shared_bytes: 16384, collectors_sfu: 3}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.collectors_sfu must be a multiple of 2 with flex.size"},
      {"sms: 12\nsm: {warps: 24, shared_bytes: 16384, collectors_mem: 1}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.collectors_mem must be a multiple of 2 with flex.size"},
      {"sms: 12\nsm: {warps: 24, ibuffer_entries: 3, shared_bytes: 16384}\n" MEMORY
       "flex: {size: 6}\n",
       ":4: sm.ibuffer_entries must be 2 with flex.size, not 3"},
      {"sms: 12\n" SM "memory: {shared_bytes: 16384, l1d: false}\nflex: {size: 6}\n",
       ":4: memory.l1d must be true with flex.size"},
      {"sms: 12\n" SM "memory: {shared_bytes: 16384, l1d_ways: 1, l1d_bytes: 4096}\n"
       "flex: {size: 6}\n",
       ":4: memory.l1d_ways must be a multiple of 2 with flex.size"},
      {"sms: 12\n" SM "memory: {shared_bytes: 16384, l1d_ways: 8, l1d_bytes: 1024}\n"
       "flex: {size: 6}\n",
       ":4: memory.l1d_bytes must be a multiple of 2048 with flex.size"},
      {"sms: 12\n" SM "memory: {shared_bytes: 16384, shared_banks: 1}\nflex: {size: 6}\n",
       ":4: memory.shared_banks must be a multiple of 2 with flex.size"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct tandem_config c;
    struct tandem_error err;
    if (read_config(cases[i].text, &c, &err) != TANDEM_USAGE)
      fail_msg("taken: %s", cases[i].text);
    contains(err.text, cases[i].said);
    assert_int_equal(c.sms, 16); /* nothing of it is taken */
  }
}

/* An error of options in combination has no file; the text names the keys. */
TEST(options) {
  struct tandem_config c = table2_gpu(6, FLEX_BASE);
  c.sms = 8;
  refused(&c, "8 SMs do not make clusters of 6");
  c = table2_gpu(6, FLEX_BASE);
  c.feature.flex.dummy = 0;
  c.engine = TANDEM_ENGINE_LOCKSTEP;
  refused(&c, "flex.dummy 0 needs engine ref");
}

/* ---- launches ---- */

#define LAUNCH(block, more)                                                                        \
  "program: scale.cl\nbuffers: [{name: a, type: f32, count: 4096}]\nsteps:\n"                      \
  "  - launch: {grid: [2], block: [" block "], args: [{buffer: a}, {f32: 2.0}, {s32: 4096}]" more  \
  "}\n"

static void refuses(const struct tandem_config *c, const char *text, const char *said) {
  struct tandem *t;
  struct tandem_error err;
  if (run_text(c, text, &t, &err) != TANDEM_USAGE)
    fail_msg("not refused: %s %s", text, err.text);
  contains(err.text, "/text.yaml:");
  contains(err.text, said);
  assert_int_equal(t->cycle, 0);
  tandem_close(t);
}

TEST(launches) {
  const struct tandem_config six = table2_gpu(6, FLEX_BASE), two = table2_gpu(2, FLEX_BASE),
                             none = table2_gpu(0, FLEX_BASE), bal = table2_gpu(6, FLEX_BAL);
  refuses(&six, LAUNCH("64", ", flex: best"),
          ":4: flex must be base, occ, bal, bigsm, bigsm_occ or auto, not best");
  refuses(&six, LAUNCH("64", ", flex: [occ]"), ":4: flex must be");
  refuses(&two, LAUNCH("64", ", flex: bal"),
          ":4: kernel scale: scheme bal needs trios, clusters of 6 SMs (flex.size), not of 2");
  refuses(&none, LAUNCH("64", ", flex: occ"),
          ":4: kernel scale is launched with flex, and this GPU has no clusters (flex.size)");
  refuses(&six, LAUNCH("1024", ""),
          ":4: kernel scale: a CTA needs 1024 threads, an SM has 768 in scheme base; it fits in "
          "occ, bal, bigsm, bigsm_occ");
  refuses(&two, LAUNCH("1024", ", flex: base"), "it fits in occ, bigsm, bigsm_occ");
  refuses(
      &bal, LAUNCH("64", ", dynamic_shared: 28000"),
      "a CTA needs 28032 bytes of shared memory, an SM has 24576 in scheme bal; it fits in occ, "
      "bigsm, bigsm_occ");
  refuses(&six, LAUNCH("512", ", registers: 63, flex: base"), "with 63 registers a thread");
  refuses(&six, LAUNCH("1025", ", flex: occ"),
          "block of (1025, 1, 1) threads does not fit: 1 to "
          "1024 threads");
}

int main(void) { return test_run(NULL, NULL); }
