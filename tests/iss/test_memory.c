/* The check of memory: what each access may find and leave, and faults of a machine's memory. */
#include "tests/iss/machine.h"

#include "csim/iss/shadow.h"
#include "csim/mem/l1/sm_mem.h"
#include "csim/ref/sm/frontend.h"
#include "tests/test.h"

/* ---- the shadow ---- */

enum { SIZE = 4096, A = 5, B = 6 };

static struct iss_shadow shadow_of(bool alone) {
  struct iss_shadow s = {.shift = 7, .alone = alone};
  assert_true(iss_shadow_room(&s, SIZE));
  return s;
}

TEST(writers_join) {
  for (int alone = 0; alone < 2; alone++) {
    struct iss_shadow s = shadow_of(alone != 0);
    assert_int_equal(iss_shadow_write_word(&s, 8, 0x01020304, A, 7), 0);
    assert_int_equal(iss_shadow_writer(&s, 8), A);
    assert_int_equal(s.last[8], 4);
    assert_int_equal(s.pc[2], 7);
    assert_int_equal(iss_shadow_write_word(&s, 8, 1, A, 7), 0); /* again */
    assert_int_equal(iss_shadow_writer(&s, 11), A | SHADOW_AGAIN);
    assert_int_equal(iss_shadow_write_word(&s, 8, 2, B, 9), A);
    assert_int_equal(iss_shadow_writer(&s, 8), SHADOW_SEVERAL);
    /* Bytes of a word by different threads are no race. */
    assert_int_equal(iss_shadow_write_bytes(&s, 16, 0x11, 1, A, 7), 0);
    assert_int_equal(iss_shadow_write_bytes(&s, 17, 0x22, 1, B, 7), 0);
    assert_int_equal(iss_shadow_writer(&s, 16), A);
    assert_int_equal(iss_shadow_writer(&s, 17), B);
    assert_int_equal(iss_shadow_writer(&s, 18), SHADOW_NOBODY);
    assert_int_equal(iss_shadow_write_word(&s, 16, 0, A, 7), B);
    assert_int_equal(iss_shadow_writer(&s, 16), A | SHADOW_AGAIN);
    assert_int_equal(iss_shadow_writer(&s, 17), SHADOW_SEVERAL);
    assert_int_equal(iss_shadow_writer(&s, 19), A);
    /* Atomics join atomics alone. */
    (void)iss_shadow_write_word(&s, 32, 0, SHADOW_ATOMIC, 7);
    (void)iss_shadow_write_word(&s, 32, 0, SHADOW_ATOMIC, 7);
    assert_int_equal(iss_shadow_writer(&s, 32), SHADOW_ATOMIC);
    (void)iss_shadow_write_word(&s, 32, 0, A, 7);
    assert_int_equal(iss_shadow_writer(&s, 32), SHADOW_SEVERAL);
    iss_shadow_free(&s);
  }
}

TEST(reads_are_explained) {
  struct iss_shadow s = shadow_of(true);
  assert_int_equal(iss_shadow_read_byte(&s, 4, 0, A), SHADOW_FITS);
  assert_int_equal(iss_shadow_read_byte(&s, 4, 1, A), SHADOW_LATER);
  assert_false(iss_shadow_explains(&s, 4, 1, A)); /* nobody wrote it */
  (void)iss_shadow_write_word(&s, 4, 9, B, 0);
  assert_int_equal(iss_shadow_read_byte(&s, 4, 9, B), SHADOW_FITS);
  assert_int_equal(iss_shadow_read_byte(&s, 4, 0, B), SHADOW_LATER); /* its own store is lost */
  assert_false(iss_shadow_explains(&s, 4, 0, B));
  assert_int_equal(iss_shadow_read_byte(&s, 4, 9, A), SHADOW_RACE);
  assert_int_equal(iss_shadow_read_byte(&s, 4, 0, A), SHADOW_RACE);
  assert_int_equal(iss_shadow_read_byte(&s, 4, 8, A), SHADOW_LATER);
  assert_true(iss_shadow_explains(&s, 4, 9, A) && iss_shadow_explains(&s, 4, 0, A));
  assert_false(iss_shadow_explains(&s, 4, 8, A));
  (void)iss_shadow_write_word(&s, 4, 10, B, 0); /* a value between is not kept */
  assert_true(iss_shadow_explains(&s, 4, 8, A));
  assert_false(iss_shadow_explains(&s, 4, 8, B));
  iss_shadow_free(&s);
}

TEST(epochs_follow_each_other) {
  struct iss_shadow s = shadow_of(true);
  iss_shadow_forget(&s, SIZE);
  assert_int_equal(iss_shadow_read_byte(&s, 40, 77, A), SHADOW_FITS); /* not known */
  (void)iss_shadow_write_word(&s, 40, 3, A, 0);
  assert_int_equal(iss_shadow_read_byte(&s, 40, 77, B), SHADOW_LATER); /* before that, perhaps */
  assert_true(iss_shadow_explains(&s, 40, 77, B));
  assert_false(iss_shadow_explains(&s, 40, 77, A));
  (void)iss_shadow_write_word(&s, 44, 3, A, 0);
  (void)iss_shadow_write_word(&s, 44, 3, B, 0);
  (void)iss_shadow_write_bytes(&s, 48, 3, 1, A, 0);
  (void)iss_shadow_write_bytes(&s, 49, 3, 1, A, 0);
  (void)iss_shadow_write_bytes(&s, 49, 3, 1, B, 0);
  assert_int_equal(iss_shadow_next(&s, SIZE), 2);
  assert_int_equal(iss_shadow_writer(&s, 40), SHADOW_NOBODY);
  assert_int_equal(iss_shadow_read_byte(&s, 40, 3, B), SHADOW_FITS);
  assert_int_equal(iss_shadow_read_byte(&s, 40, 4, B), SHADOW_LATER);
  assert_int_equal(iss_shadow_writer(&s, 44), SHADOW_UNKNOWN);
  assert_int_equal(iss_shadow_writer(&s, 48), SHADOW_NOBODY);
  assert_int_equal(iss_shadow_writer(&s, 49), SHADOW_UNKNOWN);
  assert_int_equal(iss_shadow_writer(&s, 50), SHADOW_UNKNOWN);
  assert_int_equal(iss_shadow_next(&s, SIZE), 0);
  iss_shadow_free(&s);
}

/* ---- a machine whose memory is at fault ---- */

enum { SMS = 2, CTAS = 4, THREADS = 64, WORDS = CTAS * THREADS };

/* Each thread: out[i] = in[i] + 1, and reads it back; count += i; old values of ticket += 1 to
 * tickets; through shared memory with a barrier, its neighbour's word. */
static const char work[] =
    ".kernel work\n.regs 16\n.shared 256\n"
    ".param in, 4, ptr global\n.param out, 4, ptr global\n.param count, 4, ptr global\n"
    ".param ticket, 4, ptr global\n.param far, 4, ptr global\n"
    "  movs r1, ctaid.x\n  movs r2, ntid.x\n  movs r3, tid.x\n  mad r1, r1, r2, r3\n"
    "  shl r2, r1, #2\n  movs r4, param+0\n  iadd r4, r4, r2\n  ld.global.32 r5, [r4]\n"
    "  iadd r5, r5, #1\n  movs r6, param+4\n  iadd r6, r6, r2\n"
    "  st.global.32 [r6], r5\n  ld.global.32 r7, [r6]\n"
    "  movs r8, param+8\n  atom.add.noret [r8], r1\n"
    "  movs r8, param+12\n  movi r9, #1\n  atom.add r10, [r8], r9\n"
    "  movs r8, param+16\n  iadd r8, r8, r2\n  st.global.32 [r8], r10\n"
    "  shl r11, r3, #2\n  st.shared.32 [r11], r1\n  bar\n"
    "  xor r12, r11, #252\n  ld.shared.32 r13, [r12]\n  exit\n.end\n";

static const struct iss_mismatch *found(const struct machine *m) {
  for (unsigned i = 0; i < SMS; i++)
    if (iss_mismatch(m->iss[i])->any)
      return iss_mismatch(m->iss[i]);
  return iss_mismatch(m->iss[0]);
}

static bool run(struct machine *m, void (*meddle)(struct machine *)) {
  static const uint32_t dim[3] = {CTAS, 1, 1}, block[3] = {THREADS, 1, 1};
  struct sm_config config;
  uint32_t in[WORDS];
  sm_config_default(&config);
  machine_open(m, work, SMS, &config, true);
  m->meddle_memory = meddle;
  const uint32_t params[] = {machine_alloc(m, sizeof in), machine_alloc(m, sizeof in),
                             machine_alloc(m, 4), machine_alloc(m, 4), machine_alloc(m, sizeof in)};
  for (uint32_t i = 0; i < WORDS; i++)
    in[i] = 1000 + i;
  machine_write(m, params[0], in, sizeof in);
  return machine_run(m, "work", dim, block, params, 100000);
}

TEST(a_right_memory_passes) {
  struct machine m;
  char text[4096];
  if (!run(&m, NULL))
    fail_msg("%s", machine_trouble(&m, text, sizeof text));
  assert_int_equal(iss_shared_races(m.check), 0);
  assert_int_equal(iss_global_races(m.check), 0);
  machine_close(&m);
}

/* The store or atomic of SM 1 in this cycle, if it is of the kind, the first time. */
static bool done;
static struct log_entry *written(struct machine *m) {
  struct mem_log *l = &gpu_mem_sm(m->mem, 1)->log;
  struct log_entry *e = &l->entry[l->first % LOG_ENTRIES];
  return !done && l->first != l->end && e->due == UINT64_MAX ? e : NULL;
}
static struct log_entry *writes(struct machine *m, enum isa_id id) {
  struct log_entry *e = written(m);
  if (e == NULL || e->inst->uop->id != id)
    return NULL;
  done = true;
  return e;
}
static void lost_store(struct machine *m) {
  struct log_entry *e = writes(m, ISA_STG);
  if (e != NULL)
    e->lanes &= ~(1U << 9);
}
static void lost_last_store(struct machine *m) { /* which nobody reads back */
  struct log_entry *e = written(m);
  if (e != NULL && e->inst->pc == 20) {
    done = true;
    e->lanes &= ~(1U << 9);
  }
}
static void wild_store(struct machine *m) {
  if (writes(m, ISA_STG) != NULL)
    gpu_mem_sm(m->mem, 1)->store->base[m->grid.param_address] ^= 1;
}
static void lost_atomic(struct machine *m) {
  struct log_entry *e = writes(m, ISA_AADD);
  if (e != NULL)
    e->lanes &= ~(1U << 3);
}
/* The ticket's, which returns: two lanes get the same one. */
static void wrong_ticket(struct machine *m) {
  static struct sm_inst *ticket;
  const struct log_entry *e = written(m);
  if (ticket != NULL) { /* it has taken effect in the last cycle */
    ticket->d[0][4] = ticket->d[0][5];
    ticket = NULL;
  }
  if (e != NULL && e->inst->pc == 17) {
    ticket = e->inst;
    done = true;
  }
}
/* The instruction at the PC, if memory has done it and it is not back. */
static struct sm_inst *under_way(struct machine *m, unsigned pc) {
  for (unsigned w = 0; w < SM_WARPS; w++)
    for (struct sm_inst *i = m->sm[1]->warp[w].head; i != NULL; i = i->next)
      if (i->pc == pc && i->state[SM_STATE_STAGE] == SM_INST_MEMORY &&
          i->mem.phase == PHASE_WAITING &&
          gpu_mem_sm(m->mem, 1)->log.first == gpu_mem_sm(m->mem, 1)->log.end)
        return i;
  return NULL;
}
static void wrong_load(struct machine *m) {
  struct sm_inst *load = done ? NULL : under_way(m, 7);
  if (load != NULL) {
    load->d[0][17] ^= 0x100;
    done = true;
  }
}
/* A word of shared memory does not keep its value. */
static void lost_shared_store(struct machine *m) {
  const struct sm_inst *stored = done ? NULL : under_way(m, 22);
  if (stored != NULL) {
    gpu_mem_sm(m->mem, 1)->shared[stored->addr[2]] ^= 0x40;
    done = true;
  }
}

TEST(each_fault_of_memory_is_caught) {
  static const struct {
    void (*meddle)(struct machine *);
    const char *text;
    unsigned pc, lane;
  } cases[] = {
      {lost_store, "for the byte of global memory at address", 12, 9},
      {lost_last_store, "but its one writer stored", 20, 0},
      {wild_store, "which no thread wrote, must be", 0, 0},
      {lost_atomic, "after atomics, must be", 14, 0},
      {wrong_ticket, "the atomics on global memory at address", 17, 0},
      {wrong_load, "for the byte of global memory at address", 7, 17},
      {lost_shared_store, "for the byte of shared memory at address", 25, 29},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct machine m;
    done = false;
    assert_false(run(&m, cases[i].meddle));
    assert_true(done);
    assert_non_null(strstr(found(&m)->text, cases[i].text));
    assert_int_equal(found(&m)->pc, cases[i].pc);
    assert_int_equal(found(&m)->lane, cases[i].lane);
    machine_close(&m);
  }
}

/* ---- atomics of 64 bits ---- */

/* Each thread: count += (tid, all ones), tickets by the same sum, and once more in shared memory.
 */
static const char pairs[] =
    ".kernel pairs\n.regs 16\n.shared 8\n.param count, 4, ptr global\n.param ticket, 4, ptr "
    "global\n"
    "  movs r3, tid.x\n  movi r2, #0xffffffff\n  movi r5, #0\n"
    "  isetp.eq p0, r3, #0\n  @p0 st.shared.64 [r5], d14\n  bar\n"
    "  movs r4, param+0\n  atom.add.64.noret [r4], d2\n"
    "  movs r4, param+4\n  atom.add.64 d6, [r4], d2\n  mov r8, r7\n"
    "  atom.add.64.shared d10, [r5], d2\n  bar\n  ld.shared.64 d12, [r5]\n  exit\n.end\n";

static bool run_pairs(struct machine *m, void (*meddle)(struct machine *)) {
  static const uint32_t dim[3] = {CTAS, 1, 1}, block[3] = {THREADS, 1, 1};
  struct sm_config config;
  sm_config_default(&config);
  machine_open(m, pairs, SMS, &config, true);
  m->meddle_memory = meddle;
  const uint32_t params[] = {machine_alloc(m, 8), machine_alloc(m, 8)};
  return machine_run(m, "pairs", dim, block, params, 100000);
}

static void lost_pair(struct machine *m) {
  struct log_entry *e = writes(m, ISA_AADD);
  if (e != NULL)
    e->lanes &= ~(1U << 3);
}
static void torn_pair(struct machine *m) { /* a carry too many */
  const struct log_entry *e = writes(m, ISA_AADD);
  if (e != NULL)
    gpu_mem_sm(m->mem, 1)->store->base[e->inst->addr[0] + 4] ^= 1;
}
static void wrong_upper_half(struct machine *m) {
  static struct sm_inst *ticket;
  const struct log_entry *e = written(m);
  if (ticket != NULL) {
    ticket->d[1][4] ^= 1;
    ticket = NULL;
  }
  if (e != NULL && e->inst->pc == 9) {
    ticket = e->inst;
    done = true;
  }
}
static void wrong_shared_pair(struct machine *m) {
  struct sm_inst *atomic = done ? NULL : under_way(m, 11);
  if (atomic != NULL) {
    atomic->d[1][8] ^= 1;
    done = true;
  }
}

TEST(each_fault_of_a_pair_is_caught) {
  static const struct {
    void (*meddle)(struct machine *);
    const char *text;
    unsigned pc;
  } cases[] = {
      {NULL, "", 0},
      {lost_pair, "the 64 bits at address", 7},
      {torn_pair, "the 64 bits at address", 7},
      {wrong_upper_half, "the atomics on global memory at address", 9},
      {wrong_shared_pair, "the atomics on shared memory at address", 11},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct machine m;
    char text[4096];
    const bool right = cases[i].meddle == NULL;
    done = false;
    if (run_pairs(&m, cases[i].meddle) != right)
      fail_msg("case %zu: %s", i, machine_trouble(&m, text, sizeof text));
    if (!right) {
      assert_true(done);
      assert_non_null(strstr(found(&m)->text, cases[i].text));
      assert_int_equal(found(&m)->pc, cases[i].pc);
    }
    machine_close(&m);
  }
}

/* ---- programs with races ---- */

/* A warp reads what another one stores, without a barrier; threads of all CTAs store to one word.
 */
static const char racy[] =
    ".kernel racy\n.regs 16\n.shared 256\n.param out, 4, ptr global\n"
    "  movs r3, tid.x\n  shl r1, r3, #2\n  st.shared.32 [r1], r3\n"
    "  xor r2, r1, #252\n  ld.shared.32 r4, [r2]\n"
    "  movs r5, param+0\n  st.global.32 [r5], r3\n  ld.global.32 r6, [r5]\n  exit\n.end\n";

TEST(races_are_counted_and_listed) {
  static const uint32_t dim[3] = {CTAS, 1, 1}, block[3] = {THREADS, 1, 1};
  struct machine m;
  struct sm_config config;
  struct iss_race race[8];
  char text[4096];
  sm_config_default(&config);
  machine_open(&m, racy, SMS, &config, true);
  iss_list_races(m.check);
  const uint32_t params[] = {machine_alloc(&m, 4)};
  if (!machine_run(&m, "racy", dim, block, params, 100000))
    fail_msg("%s", machine_trouble(&m, text, sizeof text));
  assert_true(iss_shared_races(m.check) >= CTAS * THREADS / 2);
  assert_int_equal(iss_global_races(m.check), 1);
  assert_int_equal(iss_races(m.check, race, 8), 2);
  const unsigned g = race[0].shared ? 1 : 0;
  assert_true(!race[g].shared && race[!g].shared);
  assert_int_equal(race[g].address, params[0]);
  assert_true(race[g].pc[0] == 6 && race[g].pc[1] == 6);
  assert_true(race[!g].pc[0] == 2 && race[!g].pc[1] == 4);
  assert_int_equal(race[!g].thread[0] + race[!g].thread[1], THREADS + 1);
  machine_close(&m);
}

/* A barrier that the front end lets pass: a warp reads before the other one has stored. */
static const char barrier[] = ".kernel barrier\n.regs 16\n.shared 256\n.param out, 4, ptr global\n"
                              "  movs r3, tid.x\n  shl r1, r3, #2\n  movi r5, #0\n"
                              "  isetp.ge.u p0, r3, #32\n  st.shared.32 [r1], r5\n  bar\n"
                              "  @!p0 bra on, rpc on\n"
                              "  idiv.u r6, r3, r1\n  idiv.u r6, r6, r1\n  mov r6, r6\n"
                              "on: st.shared.32 [r1], r3\n  bar\n"
                              "  xor r2, r1, #252\n  ld.shared.32 r4, [r2]\n  exit\n.end\n";

/* The front end's reference forgets the arrival of warp 0. */
static void ignored_barrier(struct machine *m) {
  for (unsigned i = 0; i < SMS; i++)
    m->fe[i]->barrier.waiting &= ~UINT64_C(1);
}

TEST(an_ignored_barrier_is_noticed) {
  static const uint32_t dim[3] = {1, 1, 1}, block[3] = {THREADS, 1, 1};
  for (int broken = 0; broken < 2; broken++) {
    struct machine m;
    struct sm_config config;
    sm_config_default(&config);
    machine_open(&m, barrier, SMS, &config, true);
    const uint32_t params[] = {machine_alloc(&m, 4)};
    m.meddle = broken ? ignored_barrier : NULL;
    assert_int_equal(machine_run(&m, "barrier", dim, block, params, 100000), !broken);
    if (broken) {
      assert_non_null(strstr(found(&m)->text, "for the byte of shared memory at address"));
      assert_int_equal(found(&m)->pc, 13);
    }
    machine_close(&m);
  }
}

int main(void) { return test_run(NULL, NULL); }
