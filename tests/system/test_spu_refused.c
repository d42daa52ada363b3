/* GPUs with a stencil processing unit that cannot be, and launches that do not fit it: refused with
 * file, line and key before anything is simulated. */
#include <unistd.h>

#include "tests/system/helpers.h"

/* ---- GPU descriptions ---- */

TEST(gpus) {
  static const struct {
    const char *text, *said;
  } cases[] = {
      {"sms: 5\nspu: {columns: 2, rows: 2}\n",
       ":2: spu.columns 2 x spu.rows 2 make 4 SMs, and sms is 5"},
      {"sms: 4\nspu:\n  columns: 65\n", ":3: spu.columns must be 0 to 64 SMs, not 65"},
      {"sms: 4\nspu:\n  columns: 2\n  rows: 0\n", ":4: spu.rows must be 1 to 64 SMs, not 0"},
      {"sms: 4\nbuddy: {size: 2}\nspu: {columns: 2, rows: 2}\n",
       ":2: shared front ends (buddy.size) and stencil processing unit (spu.columns) exclude"},
      {"sms: 4\nwarp_size: 64\nspu: {columns: 2, rows: 2}\n",
       ":3: stencil processing unit (spu.columns) and large warps (warp_size) exclude"},
      {"sms: 4\nspu: {columns: 2, rows: 2, blocks: [3, 3]}\n",
       ":2: spu.blocks: 3 x 3 CTAs do not fit an SM of 8 (sm.ctas)"},
      {"sms: 64\nspu: {columns: 8, rows: 8, blocks: [4, 2]}\n", ":2: spu.columns, spu.rows and "},
      {"sms: 60\nspu: {columns: 60, rows: 1}\n", "more than the crossbar's 128 ports"},
      {"sms: 4\nspu: {columns: 2, rows: 2, sync: global}\n", ":2: with spu.sync global"},
      {"sms: 4\nspu: {columns: 2, rows: 2, sync: global, passes: serial, pairing: decoupled}\n",
       ":2: with spu.sync global buffers swap at each barrier, and spu.pairing decoupled"},
      {"sms: 4\nspu: {columns: 2, rows: 2, blocks: [2]}\n",
       ":2: blocks is a list of two numbers, x and y"},
      {"sms: 4\nspu: {columns: 2, rows: 2, blocks: 2}\n", ":2: blocks must be a list"},
      {"sms: 4\nspu: {columns: 2, rows: 2, blocks: [0, 1]}\n",
       ":2: spu.blocks_x must be 1 to 8 CTAs, not 0"},
      {"sms: 4\nspu: {columns: 2, rows: 2, blocks: [1, many]}\n",
       ":2: spu.blocks_y must be 1 to 8 CTAs, not many"},
      {"sms: 4\nspu:\n  columns: 2\n  cb_bytes: 3000\n",
       ":4: spu.cb_bytes must be a power of two, 1024 to 32768 bytes, not 3000"},
      {"spu: {sync: all}\n", ":1: spu.sync must be point or global, not all"},
      {"spu: {pairing: loose}\n", ":1: spu.pairing must be rendezvous or decoupled, not loose"},
      {"spu: {passes: none}\n", ":1: spu.passes must be serial or overlapped, not none"},
      {"spu: {outstanding: 17}\n", ":1: spu.outstanding must be 1 to 16 requests, not 17"},
      {"spu: {column: 2}\n", ":1: unknown key \"column\""},
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
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.feature.spu.columns = 3;
  refused(&c, "spu.columns 3 x spu.rows 1 make 3 SMs, and sms is 2");
  c.feature.spu.columns = 2;
  c.feature.spu.sync = SPU_SYNC_GLOBAL;
  refused(&c, "spu.passes must be serial");
}

/* ---- launches ---- */

#define KERNEL "program: spu.cl\nbuffers: [{name: a, type: u32, count: 1024}]\nsteps:\n"
#define LAUNCH(kernel, grid, more)                                                                 \
  KERNEL "  - launch: {kernel: " kernel ", grid: " grid ", block: [32], args: [{s32: 1}]" more "}" \
         "\n"
#define SPU(kernel, grid, spu) LAUNCH(kernel, grid, ",\n             spu: {" spu "}")
#define FACE(buffer, rows, words, pitches)                                                         \
  "west: {buffer: " buffer ", rows: " rows ", row_words: " words ", " pitches "}"
#define PITCHES "row_pitch: 32, tile_pitch: 32, block_pitch: 32"

static const struct {
  const char *text, *said;
} launches[] = {
    {LAUNCH("fine", "[2]", ""),
     ":4: kernel fine synchronises blocks (bsync): its launch needs spu"},
    {SPU("plain", "[2]", "tiles: 1"),
     ":4: kernel plain is launched with spu, and never synchronises blocks (bsync)"},
    {SPU("fine", "[2, 1, 2]", "tiles: 1"),
     ":4: kernel fine: the grid of an SPU's launch has two dimensions, and its z is 2"},
    {SPU("fine", "[2]", "tiles: 0"), ":5: tiles must be 1 to 65535, not 0"},
    {SPU("fine", "[2]", "tiles: 65536"), ":5: tiles must be 1 to 65535, not 65536"},
    {SPU("fine", "[2]", "tiles: many"), ":5: tiles"},
    {SPU("fine", "[2]", "west: {}"), ":5: spu needs tiles"},
    {SPU("fine", "[2]", "tiles: 1, weast: {}"), ":5: unknown key \"weast\""},
    {SPU("fine", "[2]", "tiles: 1, west: {rows: 1}"), ":5: a face needs a buffer"},
    {SPU("fine", "[2]", "tiles: 1, west: {buffer: b}"), ":5: there is no buffer \"b\""},
    {SPU("fine", "[2]", "tiles: 1, west: {buffer: a, rows: 1}"), ":5: a face needs row_words"},
    {SPU("fine", "[2]", "tiles: 1, west: {buffer: a, offset: 4097}"), ":5: offset (bytes) must be"},
    {SPU("fine", "[2]", "tiles: 1, " FACE("a", "0", "8", PITCHES)), ":5: rows must be 1 to 8192"},
    {SPU("fine", "[2]", "tiles: 1, " FACE("a", "1", "12", PITCHES)),
     ":4: spu.west: a face of 1 rows of 12 words: row_words must be a multiple of 8"},
    {SPU("fine", "[2]", "tiles: 1, " FACE("a", "9", "32", PITCHES)),
     ":4: spu.west: a face of 9 rows of 32 words: row_words must be a multiple of 8, and rows x "
     "row_words at most the 256 words of a communication buffer"},
    {SPU("fine", "[2]",
         "tiles: 1, " FACE("a", "1", "8", "row_pitch: 16, tile_pitch: 32, block_pitch: 32")),
     ":4: spu.west: the address and all pitches must be multiples of 32 bytes"},
    {SPU("fine", "[2]",
         "tiles: 1, " FACE("a", "1", "8", "row_pitch: 32, tile_pitch: 36, block_pitch: 32")),
     ":4: spu.west: the address and all pitches"},
    {SPU("fine", "[2]",
         "tiles: 1, " FACE("a", "1", "8", "row_pitch: 32, tile_pitch: 32, block_pitch: 4")),
     ":4: spu.west: the address and all pitches"},
    {SPU("fine", "[2]", "tiles: 1, " FACE("a, offset: 8", "1", "8", PITCHES)),
     ":4: spu.west: the address and all pitches"},
    {SPU("fine", "[2]",
         "tiles: 5, " FACE("a", "1", "8", "row_pitch: 0, tile_pitch: 1024, block_pitch: 0")),
     ":4: spu.west: the faces of 1 blocks and 5 tiles take 4128 bytes, and the buffer has 4096"},
    {SPU("fine", "[2]", "tiles: 1, " FACE("a, offset: 4096", "1", "8", PITCHES)),
     ":4: spu.west: the faces of 1 blocks and 1 tiles take 32 bytes, and the buffer has 0"},
    {SPU("fine", "[2]",
         "tiles: 1, " FACE("a", "1", "8",
                           PITCHES) ",\n"
                                    "    east: {buffer: a, rows: 1, row_words: 16, " PITCHES "}"),
     ":4: spu: the western and eastern faces have 8 and 16 words"},
    {SPU("fine", "[5]", "tiles: 1, " FACE("a", "1", "8", PITCHES)),
     ":4: the grid takes 3 passes in a direction: what leaves one enters the next, so spu.west and "
     "spu.east both need a face, or none of them"},
};

static struct tandem_config spu(void) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.feature.spu.columns = 2;
  c.feature.spu.cb_bytes = 1024;
  c.mem.l1d = c.mem.l2 = false;
  return c;
}

static void refuses(const struct tandem_config *c, const char *text, const char *said) {
  struct tandem *t;
  struct tandem_error err;
  if (run_text(c, text, &t, &err) != TANDEM_USAGE)
    fail_msg("not refused: %s %s", text, err.text);
  contains(err.text, "/text.yaml:");
  contains(err.text, said);
  tandem_close(t);
}

TEST(descriptions) {
  const struct tandem_config c = spu();
  for (size_t i = 0; i < sizeof launches / sizeof launches[0]; i++)
    refuses(&c, launches[i].text, launches[i].said);
}

/* Launches that this GPU cannot take. */
TEST(other_gpus) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  refuses(&c, SPU("fine", "[2]", "tiles: 1"),
          ":4: kernel fine synchronises blocks (bsync), and the GPU has no SPU: spu.columns");
  refuses(&c, SPU("plain", "[2]", "tiles: 1"),
          ":4: kernel plain is launched with spu, and the GPU");
  c = spu();
  c.feature.spu.blocks_x = c.feature.spu.blocks_y = 2;
  c.sm.threads = 64;
  refuses(&c, SPU("fine", "[2]", "tiles: 1"),
          ":4: kernel fine: an SM holds 2 of its CTAs, and spu.blocks asks for 4");
  c = spu();
  c.feature.spu.sync = SPU_SYNC_GLOBAL;
  c.feature.spu.passes = SPU_SERIAL;
  refuses(&c, SPU("everyone", "[5]", "tiles: 1"),
          ":4: the grid takes 3 passes in a direction, and with spu.sync global each spills");
  refuses(&c, SPU("fine", "[2]", "tiles: 1"),
          "it synchronises with neighbours (spu_sync), and spu.sync is global; change the kernel");
  c.feature.spu.sync = SPU_SYNC_POINT;
  refuses(&c, SPU("everyone", "[2]", "tiles: 1"),
          "it synchronises all blocks (spu_sync_all), and spu.sync is point; change the kernel");
}

/* Spill regions of more than the address space, which only the launch itself can find. */
TEST(no_room) {
  const struct tandem_config c = spu();
#define WIDE FACE("a", "1", "256", "row_pitch: 0, tile_pitch: 0, block_pitch: 0")
  refuses(&c,
          SPU("fine", "[400, 1]",
              "tiles: 65535, " WIDE ",\n    east: {buffer: a, rows: 1, row_words: 256, row_pitch: "
              "0, tile_pitch: 0, block_pitch: 0}"),
          ":4: no room in device memory for the spill regions of the SPU");
}

int main(void) { return test_run(NULL, NULL); }
