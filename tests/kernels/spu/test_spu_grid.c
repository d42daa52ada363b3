/* The module spu_grid against the units as the harness wires them: beside real launches, an
 * observer of the fabric gives a verilated grid what comes from SMs, memory and the launch, and
 * compares its outputs and the states of all its units in every cycle.
 *
 *   test_spu_grid [--parameters "Columns=2 Rows=2 Words=256"] [OPTION...]   (tests/unit/device.h)
 */
#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"
#include "harness/gpu/spu/fabric.h"
#include "rtl/spu/grid_model.h"
#include "tests/test.h"
#include "tests/unit/device.h"
#include "tests/unit/testing.h"

enum { TILES = 3, CB_BYTES = 1024 };

struct scenario {
  unsigned nbx, nby;    /* blocks */
  unsigned rows, words; /* of a tile; an interface unit moves a row at a time */
  bool global, decoupled, serial;
  unsigned bug; /* in the grid */
};

struct watch {
  struct grid *grid;
  uint64_t cycles, differences; /* of the first cycle with one, after which nothing is compared */
  bool started;                 /* the constants of the grid's units are there */
  bool quiet;                   /* differences are wanted */
};

static uint64_t seed;
static const struct grid_functions *functions;
static unsigned columns, rows, slots, lanes;

/* ---- differences ---- */

static void differ(struct watch *w, uint64_t cycle, const char *where, const char *what,
                   unsigned index, uint64_t grid, uint64_t units) {
  if (!w->quiet) {
    print_error("%s: ", where);
    testing_cycles = cycle;
    (void)testing_difference("spu_grid", cycle, what, index, units, grid);
  }
  w->differences++;
}

static void same_words(struct watch *w, uint64_t cycle, const char *where, const char *what,
                       const uint64_t *grid, const uint64_t *units, unsigned words) {
  for (unsigned i = 0; i < words; i++)
    if (grid[i] != units[i]) {
      differ(w, cycle, where, what, i, grid[i], units[i]);
      return;
    }
}

/* ---- what the units have in the place of the grid's outputs ---- */

static void expect_request(const struct iu_dma_out *out, uint64_t *valid, uint64_t *write,
                           uint64_t *addr, uint64_t *sectors, uint64_t *tag, uint64_t data[16]) {
  *valid = out->m_valid;
  *write = out->m_write;
  *addr = out->m_addr;
  *sectors = out->m_sectors;
  *tag = out->m_tag;
  memcpy(data, out->m_data, sizeof out->m_data);
}

static const struct comm_pair_out *link_out(struct spu_fabric *f, unsigned slot, unsigned side) {
  return spu_out(f, SPU_PAIR, spu_slot_link(&f->shape, slot, side));
}

static void expect_slot(struct spu_fabric *f, unsigned i, struct spu_grid_slot_out *s) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, i);
  const struct block_port_out *port = spu_out(f, SPU_PORT, i);
  const struct comm_pair_out *north = link_out(f, i, SPU_N), *west = link_out(f, i, SPU_W);
  s->offer = seq->offer;
  s->cx = seq->cx;
  s->cy = seq->cy;
  s->ack = port->ack;
  s->bad = port->bad;
  s->cb_rsp = seq->role != SPU_STORE && (north->c_rsp | west->c_rsp);
  memcpy(s->cb_data, north->c_rsp ? north->c_data : west->c_data, sizeof s->cb_data);
  if (spu_has_dma(f, i))
    expect_request(spu_out(f, SPU_DMA, i), &s->m_valid, &s->m_write, &s->m_addr, &s->m_sectors,
                   &s->m_tag, s->m_data);
}

static void expect(struct spu_fabric *f, struct grid_out *out) {
  memset(out, 0, sizeof *out);
  out->own.done = 1;
  for (unsigned i = 0; i < slots + lanes; i++)
    out->own.done &= ((const struct pass_seq_out *)spu_out(f, SPU_SEQ, i))->done;
  for (unsigned i = 0; i < slots; i++)
    expect_slot(f, i, &out->slot[i]);
  for (unsigned i = 0; i < lanes; i++) {
    struct spu_grid_lane_out *l = &out->lane[i];
    expect_request(spu_out(f, SPU_DMA, slots + i), &l->lane_m_valid, &l->lane_m_write,
                   &l->lane_m_addr, &l->lane_m_sectors, &l->lane_m_tag, l->lane_m_data);
  }
}

static void compare_ports(struct watch *w, uint64_t cycle, const char *where,
                          const struct ports_table *t, const void *grid, const void *units) {
  bool means[PORTS_MAX];
  t->qualify_out(units, means);
  for (unsigned line = 0; line < t->outs; line++) {
    const struct port_desc *d = &t->out[line];
    char what[64];
    snprintf(what, sizeof what, "output %s", d->name);
    if (means[line])
      same_words(w, cycle, where, what, (const uint64_t *)((const char *)grid + d->offset),
                 (const uint64_t *)((const char *)units + d->offset), d->count);
  }
}

static void compare_outputs(struct watch *w, uint64_t cycle, struct spu_fabric *f) {
  struct grid_out grid, units;
  char where[32];
  functions->outputs(w->grid, &grid);
  expect(f, &units);
  compare_ports(w, cycle, "the grid", &spu_grid_ports, &grid.own, &units.own);
  for (unsigned i = 0; i < slots; i++) {
    spu_slot_name(&f->shape, i, where);
    compare_ports(w, cycle, where, &spu_grid_slot_ports, &grid.slot[i], &units.slot[i]);
  }
  for (unsigned i = 0; i < lanes; i++) {
    spu_lane_name(&f->shape, i, where);
    compare_ports(w, cycle, where, &spu_grid_lane_ports, &grid.lane[i], &units.lane[i]);
  }
}

/* The states of all units, but for the words of buffers, which reads show. */
static void compare_states(struct watch *w, uint64_t cycle, struct spu_fabric *f) {
  static union {
    struct comm_pair_view pair;
    struct iu_dma_view dma;
    struct spu_global_view global;
  } grid, unit;
  static uint64_t counts[PORTS_MAX];
  for (unsigned i = 0; i < f->nunits; i++) {
    const struct spu_unit *x = &f->units[i];
    struct port_diff first = {.state = NULL};
    char what[64];
    if (x->u == NULL)
      continue;
    const struct unit_type *type = x->u->type;
    assert_true(type->view_bytes <= sizeof grid);
    functions->view(w->grid, type->name, i - f->first[x->kind], &grid);
    (void)type->ref.view(x->u->ref, 0, &unit);
    if (x->kind == SPU_PAIR) {
      memcpy(grid.pair.sum0, unit.pair.sum0, sizeof grid.pair.sum0);
      memcpy(grid.pair.sum1, unit.pair.sum1, sizeof grid.pair.sum1);
    }
    if (type->parts[0].ports->view_same(&grid, &unit, counts, &first) == 0)
      continue;
    snprintf(what, sizeof what, "state %s.%s", type->name, first.state->name);
    differ(w, cycle, x->u->name, what, first.index, first.a, first.b);
  }
}

/* ---- the grid's inputs ---- */

/* Writes the access that a slot's SM makes to the slot's links: at most one in a cycle. */
static void access_of(struct spu_fabric *f, unsigned slot, struct spu_grid_slot_in *s) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, slot);
  unsigned accesses = 0;
  for (unsigned side = 0; side < SPU_SIDES; side++) {
    const struct comm_pair_in *in =
        spu_unit(f, SPU_PAIR, spu_slot_link(&f->shape, slot, side))->u->in;
    const bool writes = side == SPU_S || side == SPU_E;
    if (writes ? !in->p_valid : !in->c_valid || seq->role == SPU_STORE)
      continue;
    accesses++;
    s->cb_valid = 1;
    s->cb_write = writes;
    s->cb_side = side;
    s->cb_bank = writes ? in->p_bank : in->c_bank;
    memcpy(s->cb_row, writes ? in->p_row : in->c_row, sizeof s->cb_row);
    if (writes)
      memcpy(s->cb_data, in->p_data, sizeof s->cb_data);
  }
  assert_true(accesses <= 1);
}

static void slot_in(struct spu_fabric *f, unsigned i, struct spu_grid_slot_in *s) {
  const struct block_port_in *port = spu_unit(f, SPU_PORT, i)->u->in;
  const struct pass_seq_in *seq = spu_unit(f, SPU_SEQ, i)->u->in;
  s->taken = seq->taken;
  s->warps = port->launch_warps;
  s->exit = port->exit;
  s->gone = seq->fin;
  s->arrive = port->arrive;
  s->arrive_dirs = port->arrive_dirs;
  access_of(f, i, s);
  if (!spu_has_dma(f, i))
    return;
  const struct iu_dma_in *dma = spu_unit(f, SPU_DMA, i)->u->in;
  const struct iu_dma_out *out = spu_out(f, SPU_DMA, i);
  s->gone = seq->fin && !out->fin;
  s->m_rsp = dma->m_rsp;
  s->m_rsp_tag = dma->m_rsp_tag;
  memcpy(s->m_rsp_data, dma->m_rsp_data, sizeof s->m_rsp_data);
}

static void inputs(struct spu_fabric *f, struct grid_in *in) {
  const struct pass_seq_in *seq = spu_unit(f, SPU_SEQ, 0)->u->in;
  const struct comm_pair_in *pair = spu_unit(f, SPU_PAIR, 0)->u->in;
  const struct spu_global_in *global = spu_unit(f, SPU_GLOBAL, 0)->u->in;
  memset(in, 0, sizeof *in);
  in->own.kernel_start = global->kernel_start;
  in->own.mode = pair->mode;
  in->own.overlap = seq->overlap;
  in->own.npx = seq->npx;
  in->own.npy = seq->npy;
  in->own.lastc = seq->lastc;
  in->own.lastr = seq->lastr;
  in->own.global_hops = global->hops;
  for (unsigned i = 0; i < slots; i++)
    slot_in(f, i, &in->slot[i]);
  for (unsigned i = 0; i < lanes; i++) {
    const struct iu_dma_in *dma = spu_unit(f, SPU_DMA, slots + i)->u->in;
    in->lane[i].lane_m_rsp = dma->m_rsp;
    in->lane[i].lane_m_rsp_tag = dma->m_rsp_tag;
    memcpy(in->lane[i].lane_m_rsp_data, dma->m_rsp_data, sizeof dma->m_rsp_data);
  }
}

/* A cycle in which registers are written: the grid, which has one bus for them, takes a cycle for
 * each engine.  All units stand still meanwhile.  False: it is another cycle. */
static bool configures(struct watch *w, struct spu_fabric *f) {
  bool some = false;
  for (unsigned i = 1; i < slots + lanes; i++) {
    const struct iu_dma_in *dma = spu_unit(f, SPU_DMA, i)->u->in;
    struct grid_in in;
    if (!dma->cfg_valid)
      continue;
    inputs(f, &in);
    in.own.cfg_reg = dma->cfg_reg;
    in.own.cfg_data = dma->cfg_data;
    if (i < slots)
      in.slot[i].cfg_slot = 1;
    else
      in.lane[i - slots].cfg_lane = 1;
    functions->step(w->grid, &in);
    some = true;
  }
  return some;
}

static void look(void *user, uint64_t cycle, struct spu_fabric *f) {
  struct watch *w = user;
  struct grid_in in;
  if (w->differences != 0 || configures(w, f))
    return;
  if (w->started) {
    compare_outputs(w, cycle, f);
    compare_states(w, cycle, f);
    w->cycles++;
  }
  inputs(f, &in);
  w->started |= in.own.kernel_start != 0;
  functions->step(w->grid, &in);
}

/* ---- launches ---- */

static struct tandem *open_gpu(const struct scenario *s) {
  struct tandem_config c;
  struct tandem_error err;
  struct tandem *gpu;
  gpu_config_default(&c);
  c.engine = TANDEM_ENGINE_REF;
  c.threads = 1;
  c.seed = seed;
  c.sms = slots;
  c.feature.spu.columns = columns;
  c.feature.spu.rows = rows;
  c.feature.spu.sync = s->global ? SPU_SYNC_GLOBAL : SPU_SYNC_POINT;
  c.feature.spu.pairing = s->decoupled ? SPU_DECOUPLED : SPU_RENDEZVOUS;
  c.feature.spu.passes = s->serial ? SPU_SERIAL : SPU_OVERLAPPED;
  c.feature.spu.cb_bytes = CB_BYTES;
  c.mem.l1d = c.mem.l2 = false;
  if (tandem_open(&c, &gpu, &err) != TANDEM_OK)
    fail_msg("open: %s", err.text);
  return gpu;
}

static struct tandem_job *open_job(struct tandem *gpu, const struct scenario *s) {
  static const char *const sides[] = {"north", "south", "west", "east"};
  struct tandem_error err;
  struct tandem_job *job;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  fprintf(out, "program: %s/faults/relay.cl\noptions: [-DWORDS=%u%s]\nbuffers:\n", SPU_KERNELS,
          s->words, s->global ? ", -DGLOBAL" : "");
  for (unsigned i = 0; i < SPU_SIDES; i++)
    fprintf(out, "  - {name: %s, type: f32, count: %u%s}\n", sides[i],
            (i < 2 ? s->nbx : s->nby) * TILES * s->words,
            i % 2 == 0 ? ", fill: {random: {seed: 1, min: 0.0, max: 1.0}}" : "");
  fprintf(out,
          "steps:\n  - launch:\n      kernel: relay\n      grid: [%u, %u, 1]\n"
          "      block: [%u, 1, 1]\n      args: [{s32: %u}]\n      spu:\n        tiles: %u\n",
          s->nbx, s->nby, s->words, TILES, TILES);
  for (unsigned i = 0; i < SPU_SIDES; i++)
    fprintf(out,
            "        %s: {buffer: %s, rows: %u, row_words: %u, row_pitch: %u, tile_pitch: %u, "
            "block_pitch: %u}\n",
            sides[i], sides[i], s->rows, s->words / s->rows, 4 * s->words / s->rows, 4 * s->words,
            4 * s->words * TILES);
  assert_int_equal(fclose(out), 0);
  if (tandem_job_open_text(gpu, text, "relay", &job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  free(text);
  return job;
}

/* Two launches, so that the second begins where the first ended. */
static struct watch run(const struct scenario *s) {
  struct watch w = {.grid = functions->create(seed, s->bug), .quiet = s->bug != 0};
  struct tandem *gpu = open_gpu(s);
  struct tandem_error err;
  const char *text;
  ((struct spu_fabric *)gpu->own)->observer = (struct spu_observer){look, &w};
  for (unsigned i = 0; i < 2; i++) {
    struct tandem_job *job = open_job(gpu, s);
    if (tandem_job_run(job, &err) != TANDEM_OK)
      fail_msg("%s", err.text);
    tandem_job_close(job);
  }
  if (functions->assertions(w.grid, &text) != 0 && !w.quiet)
    fail_msg("%s", text);
  tandem_close(gpu);
  functions->destroy(w.grid);
  return w;
}

static void check(const struct scenario *s) {
  print_message("%u x %u blocks, %u words in %u rows, %s, %s, %s\n", s->nbx, s->nby, s->words,
                s->rows, s->global ? "global" : "point", s->decoupled ? "decoupled" : "rendezvous",
                s->serial ? "serial" : "overlapped");
  const struct watch w = run(s);
  print_message("  %llu cycles\n", (unsigned long long)w.cycles);
  assert_int_equal(w.differences, 0);
  assert_true(w.cycles > 500);
}

/* ---- tests ---- */

/* Full, partial and several passes, in all modes; of many rows many requests are on their way. */
TEST(equal) {
  static const unsigned grids[][4] = {/* blocks, blocks, rows, words */
                                      {1, 1, 2, 64},
                                      {2, 2, 2, 64},
                                      {3, 3, 32, 256},
                                      {5, 3, 2, 64},
                                      {7, 1, 2, 64}};
  for (unsigned i = 0; i < sizeof grids / sizeof grids[0]; i++) {
    const unsigned *g = grids[i];
    struct scenario s = {.nbx = g[0], .nby = g[1], .rows = g[2], .words = g[3]};
    check(&s);
    s.decoupled = true;
    check(&s);
    s.serial = true;
    check(&s);
    s.decoupled = false;
    s.global = true;
    check(&s);
  }
}

/* A fault in the grid is a difference from its units. */
TEST(finds_a_fault) {
  if (device.spec.kind != RTL_CHECKED) /* it has no faults */
    skip();
  const struct scenario s = {.nbx = 5, .nby = 5, .rows = 2, .words = 64, .bug = 15};
  const struct watch w = run(&s);
  assert_true(w.differences != 0);
}

int main(int argc, char **argv) {
  const int status = device_choose("spu_grid", "Columns=2 Rows=2 Words=256", argc, argv);
  if (status != 0)
    return status;
  if (device.type == NULL) {
    fprintf(stderr, "spu_grid: without a device there is nothing to be compared\n");
    return 2;
  }
  functions = device.type->own;
  columns = device_parameter("Columns", 2);
  rows = device_parameter("Rows", 2);
  slots = columns * rows;
  lanes = 2 * (columns + rows);
  seed = device.fresh != 0 ? device.fresh : device.seed;
  return test_run(NULL, NULL);
}
