/* Blocks of a stencil processing unit on real back ends and memory: an interface unit loads tiles,
 * a block computes, another interface unit stores, each on an SM of its own.  A small model of the
 * links and block ports stands outside; the shadow watches it. */
#include "csim/mem/cb.h"
#include "tests/iss/machine.h"
#include "tests/test.h"

enum { THREADS = 64, TILES = 7, BYTES = 1024, WORDS = BYTES / 4, SMS = 3, LINKS = 2, DELAY = 3 };

static const char chain[] =
    ".kernel chain\n.regs 12\n"
    ".param in, 4, ptr global\n.param out, 4, ptr global\n.param tiles, 4\n"
    "  movs r1, tid.x\n  shl r1, r1, #2\n  movs r2, param+8\n  movi r3, #0\n"
    "  movs r4, param+0\n  iadd r4, r4, r1\n  movs r5, param+4\n  iadd r5, r5, r1\n"
    "  movi r6, #0x01400000\n  iadd r6, r6, r1\n"
    "  movs r7, regrole\n"
    "  isetp.eq.u p0, r7, #2\n  @p0 bra loads, rpc end\n"
    "  isetp.eq.u p1, r7, #3\n  @p1 bra stores, rpc end\n"
    "  movi r6, #0x01200000\n  iadd r6, r6, r1\n"
    "  movi r7, #0x01300000\n  iadd r7, r7, r1\n"
    "  movi r10, #3\n"
    "block: bsync r8, #4\n  mov r8, r8\n"
    "  ld.shared.32 r9, [r6]\n  mad r9, r9, r10, r1\n  st.shared.32 [r7], r9\n"
    "  bsync r8, #8\n  mov r8, r8\n"
    "  iadd r3, r3, #1\n  isetp.lt.u p2, r3, r2\n  @p2 bra block, rpc end\n"
    "  bra end, rpc end\n"
    "loads: ld.global.32 r9, [r4]\n  iadd r4, r4, #256\n  st.shared.32 [r6], r9\n"
    "  bsync r8, #16\n  mov r8, r8\n"
    "  iadd r3, r3, #1\n  isetp.lt.u p2, r3, r2\n  @p2 bra loads, rpc end\n"
    "  bra end, rpc end\n"
    "stores: bsync r8, #16\n  mov r8, r8\n"
    "  ld.shared.32 r9, [r6]\n  st.global.32 [r5], r9\n  iadd r5, r5, #256\n"
    "  iadd r3, r3, #1\n  isetp.lt.u p2, r3, r2\n  @p2 bra stores, rpc end\n"
    "end: exit\n.end\n";

/* Link 0 leads from SM 0 to SM 1, link 1 from there to SM 2. */
struct link {
  uint32_t word[2][WORDS];
  unsigned w, r;
  unsigned posted; /* ends */
  unsigned swaps;
};
struct port {
  unsigned need, here, dirs;
  unsigned ack_in; /* cycles; 0: not due */
};
static struct {
  struct link link[LINKS];
  struct port port[SMS];
  uint32_t data[SMS][CB_BANKS]; /* of the pass of the last cycle */
  bool answers[SMS];
  struct cb_shadow *shadow;
  enum cb_verdict verdict;
  struct tandem_error err;
  unsigned quiet;  /* cycles in which an SM waits for its bsyncs alone */
  bool lazy_links; /* a fault: every third tile is handed over without the exchange */
} outside;

static void judge(enum cb_verdict v) {
  if (outside.verdict == CB_GOOD)
    outside.verdict = v;
}

static unsigned link_of(unsigned sm, bool producer) { return producer ? sm : sm - 1; }

static void serve_pass(unsigned sm, const struct cb_pass *p) {
  static const struct cb_user user[SMS] = {{.unit = "SM 0"}, {.unit = "SM 1"}, {.unit = "SM 2"}};
  outside.answers[sm] = p->banks != 0 && !p->write;
  if (p->banks == 0)
    return;
  const unsigned n = link_of(sm, p->write);
  struct link *l = &outside.link[n];
  if (p->write)
    judge(cb_shadow_write(outside.shadow, n, &user[sm], p, &outside.err));
  else
    judge(cb_shadow_read(outside.shadow, n, &user[sm], p, &outside.err));
  for (uint32_t todo = p->banks; todo != 0; todo &= todo - 1) {
    const unsigned bank = (unsigned)__builtin_ctz(todo), word = 32U * p->row[bank] + bank;
    if (p->write)
      l->word[l->w][word] = p->data[bank];
    else
      outside.data[sm][bank] = l->word[l->r][word];
  }
}

static void arrive(unsigned sm, const struct block_arrival *a) {
  struct port *p = &outside.port[sm];
  if (a->dirs == 0)
    return;
  assert_true(p->here == 0 || p->dirs == a->dirs);
  p->dirs = a->dirs;
  if (++p->here < p->need)
    return;
  const bool producer = sm == 0 || a->dirs == ISA_DIR_EAST;
  const unsigned end = producer ? CB_PRODUCER : CB_CONSUMER;
  outside.link[link_of(sm, producer)].posted |= end;
  judge(cb_shadow_post(outside.shadow, link_of(sm, producer), end, &outside.err));
}

static void hand_over(unsigned n) {
  struct link *l = &outside.link[n];
  if (l->posted != (CB_PRODUCER | CB_CONSUMER))
    return;
  l->posted = 0;
  if (!outside.lazy_links || ++l->swaps % 3 != 0) {
    l->r = l->w;
    l->w ^= 1;
  }
  judge(cb_shadow_done(outside.shadow, n, CB_PRODUCER | CB_CONSUMER, &outside.err));
  outside.port[n].ack_in = outside.port[n + 1].ack_in = DELAY;
}

/* Between two cycles: data of the passes before the last cycle, its own passes and arrivals. */
static void meddle(struct machine *m) {
  struct sm_block_events ev;
  for (unsigned i = 0; i < SMS; i++) {
    struct sm_mem *mem = gpu_mem_sm(m->mem, i);
    sm_spu_registers(m->sm[i], 0)[ISA_SR_REGROLE - ISA_SR_REGVIU] = i == 0   ? ROLE_LOAD
                                                                    : i == 1 ? ROLE_BLOCK
                                                                             : ROLE_STORE;
    if (outside.answers[i]) {
      judge(cb_shadow_data(outside.shadow, i - 1, outside.data[i], &outside.err));
      sm_mem_cb_answer(mem, m->cycle, outside.data[i]);
    }
    while (sm_block_events(m->sm[i], &ev)) {
      outside.port[i].need += (ev.launched & 1) != 0 ? ev.warps[0] : 0;
      outside.port[i].need -= ev.ended[0];
    }
    serve_pass(i, &sm_mem_record(mem)->pass);
    arrive(i, &sm_mem_record(mem)->arrival);
    const bool waits = outside.port[i].here == outside.port[i].need && outside.port[i].here != 0;
    outside.quiet += waits && sm_waiting(m->sm[i]) && sm_mem_waits(mem, m->cycle);
  }
  for (unsigned n = 0; n < LINKS; n++)
    hand_over(n);
  for (unsigned i = 0; i < SMS; i++)
    if (outside.port[i].ack_in != 0 && --outside.port[i].ack_in == 0) {
      outside.port[i].here = 0;
      sm_mem_block_ack(gpu_mem_sm(m->mem, i), m->cycle, 0);
    }
}

/* One run of the chain; whether it ended well and what it stored. */
static bool run_chain(struct machine *m, uint32_t in[TILES][THREADS],
                      uint32_t out[TILES][THREADS]) {
  static const struct grid_spu spu = {.columns = SMS, .rows = 1};
  static const uint32_t dim[3] = {SMS, 1, 1}, block[3] = {THREADS, 1, 1};
  const size_t bytes = sizeof(uint32_t) * TILES * THREADS;
  struct sm_config config;
  sm_config_default(&config);
  config.ctas = 1;
  config.cb_bytes = BYTES;
  config.cb_latency = 28;
  machine_open(m, chain, SMS, &config, true);
  m->grid.spu = &spu;
  m->meddle = meddle;
  const uint32_t params[] = {machine_alloc(m, (uint32_t)bytes), machine_alloc(m, (uint32_t)bytes),
                             TILES};
  machine_write(m, params[0], in, (uint32_t)bytes);
  const bool good = machine_run(m, "chain", dim, block, params, 100000);
  machine_read(m, params[1], out, (uint32_t)bytes);
  return good;
}

static void begin(bool lazy_links) {
  memset(&outside, 0, sizeof outside);
  outside.lazy_links = lazy_links;
  outside.shadow = cb_shadow_create(LINKS, WORDS, NULL);
  assert_non_null(outside.shadow);
  for (unsigned n = 0; n < LINKS; n++)
    outside.link[n].r = 1;
}

TEST(tiles_go_through_a_chain_of_blocks) {
  struct machine m;
  static uint32_t in[TILES][THREADS], out[TILES][THREADS];
  char text[8192];
  begin(false);
  for (uint32_t k = 0; k < TILES; k++)
    for (uint32_t i = 0; i < THREADS; i++)
      in[k][i] = 1000 * k + i;
  if (!run_chain(&m, in, out))
    fail_msg("cycle %llu: %s", (unsigned long long)m.cycle, machine_trouble(&m, text, sizeof text));
  for (uint32_t k = 0; k < TILES; k++)
    for (uint32_t i = 0; i < THREADS; i++)
      assert_int_equal(out[k][i], 3 * in[k][i] + 4 * i);
  if (outside.verdict != CB_GOOD || cb_shadow_end(outside.shadow, &outside.err) != CB_GOOD)
    fail_msg("%s", outside.err.text);
  for (unsigned n = 0; n < LINKS; n++)
    assert_int_equal(cb_shadow_tiles(outside.shadow, n), TILES);
  for (unsigned i = 0; i < SMS; i++)
    assert_int_equal(outside.port[i].need, 0);
  assert_true(outside.quiet > 100);
  struct mem_stats s;
  gpu_mem_stats(m.mem, &s);
  assert_int_equal(s.block_syncs, 4 * TILES * THREADS / 32);
  assert_int_equal(s.cb_passes, 4 * TILES * THREADS / 32);
  cb_shadow_destroy(outside.shadow);
  machine_close(&m);
}

TEST(the_shadow_sees_a_link_that_does_not_switch) {
  struct machine m;
  static uint32_t in[TILES][THREADS], out[TILES][THREADS];
  begin(true);
  for (uint32_t k = 0; k < TILES; k++)
    for (uint32_t i = 0; i < THREADS; i++)
      in[k][i] = 1000 * k + i;
  run_chain(&m, in, out);
  assert_int_equal(outside.verdict, CB_STALE);
  cb_shadow_destroy(outside.shadow);
  machine_close(&m);
}

int main(void) { return test_run(NULL, NULL); }
