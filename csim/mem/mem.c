/* The whole memory system: creation, the host's side, and the serial part of a cycle. */
#include "csim/mem/mem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "csim/mem/l1/sm_mem.h"

static void sm_destroy_mem(struct sm_mem *s) {
  if (s == NULL)
    return;
  log_free(&s->log);
  free(s->queue);
  free(s->wheel);
  cb_free(s->cb);
  l1_free(&s->l1d);
  l1_free(&s->constant);
  free(s->out.slot);
  free(s->in.slot);
  free(s->shared);
  free(s);
}

static struct sm_mem *sm_create_mem(struct gpu_mem *m, unsigned index) {
  const struct mem_config *c = &m->config;
  struct sm_mem *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  if (s == NULL)
    return NULL;
  *s = (struct sm_mem){.gpu = m,
                       .config = c,
                       .store = &m->store,
                       .active = &m->active[index],
                       .index = (uint8_t)index,
                       .l1d_latency = c->l1d_latency,
                       .shared_latency = c->shared_latency};
  uint32_t latency = c->l1d_latency;
  if (c->shared_latency > latency)
    latency = c->shared_latency;
  if (c->const_latency > latency)
    latency = c->const_latency;
  s->queue_mask = power_above(c->lsu_queue) - 1;
  s->queue = calloc(s->queue_mask + 1, sizeof s->queue[0]);
  s->shared = calloc(MEM_SLOTS, c->shared_bytes);
  if (s->queue == NULL || !completions_reach(s, latency) || s->shared == NULL ||
      !l1_init(&s->l1d, c->l1d_bytes, c->l1d_ways, c->line_bytes, c->l1d_mshrs,
               c->l1d_mshr_merge) ||
      !l1_init(&s->constant, c->const_bytes, c->const_ways, c->const_line, c->const_mshrs,
               c->l1d_mshr_merge) ||
      !ring_init(&s->out, c->xbar_queue, 0) ||
      !ring_init(&s->in, 4 * c->xbar_queue, MEM_LOOKAHEAD * (c->xbar_mhz / c->core_mhz + 1)) ||
      !log_init(&s->log)) {
    sm_destroy_mem(s);
    return NULL;
  }
  return s;
}

static void wire(struct gpu_mem *m) {
  m->request = (struct net){.clock = m->xbar_clock,
                            .latency = m->config.xbar_latency,
                            .delay = m->config.rop_latency,
                            .inputs = (uint8_t)m->sms};
  m->response = (struct net){.clock = m->xbar_clock,
                             .latency = m->config.xbar_latency,
                             .inputs = (uint8_t)m->config.partitions,
                             .to_sm = true};
  for (unsigned i = 0; i < m->sms; i++) {
    m->request.in[i] = &m->sm[i]->out;
    m->response.out[i] = &m->sm[i]->in;
    net_add(&m->response.prompt, i);
  }
  for (unsigned p = 0; p < m->config.partitions; p++) {
    m->request.out[p] = &m->part[p].in;
    m->response.in[p] = &m->part[p].out;
  }
}

static bool build(struct gpu_mem *m) {
  m->sm = calloc(m->sms, sizeof m->sm[0]);
  m->part = aligned_alloc(64, m->config.partitions * sizeof m->part[0]);
  if (m->sm == NULL || m->part == NULL)
    return false;
  memset(m->part, 0, m->config.partitions * sizeof m->part[0]);
  for (unsigned i = 0; i < m->sms; i++) {
    m->sm[i] = sm_create_mem(m, i);
    if (m->sm[i] == NULL)
      return false;
  }
  for (unsigned p = 0; p < m->config.partitions; p++)
    if (!l2_init(&m->part[p], &m->config))
      return false;
  wire(m);
  return true;
}

struct gpu_mem *gpu_mem_create(const struct mem_config *config, unsigned sms,
                               struct tandem_error *err) {
  if (mem_config_check(config, NULL, err) != 0)
    return NULL;
  if (sms == 0 || sms > MEM_SMS) {
    tandem_fail(err, -EINVAL, "memory: the number of SMs must be 1 to %u, not %u", MEM_SMS, sms);
    return NULL;
  }
  struct gpu_mem *m = aligned_alloc(64, (sizeof *m + 63) / 64 * 64);
  if (m == NULL) {
    tandem_fail(err, -ENOMEM, "memory: out of host memory");
    return NULL;
  }
  *m = (struct gpu_mem){.config = *config,
                        .sms = sms,
                        .xbar_clock = {.mhz = config->xbar_mhz, .core = config->core_mhz},
                        .dram_clock = {.mhz = config->dram_mhz, .core = config->core_mhz}};
  if (store_init(&m->store, err) != 0) {
    free(m);
    return NULL;
  }
  if (!build(m)) {
    gpu_mem_destroy(m);
    tandem_fail(err, -ENOMEM, "memory: out of host memory");
    return NULL;
  }
  return m;
}

void gpu_mem_destroy(struct gpu_mem *m) {
  if (m == NULL)
    return;
  for (unsigned i = 0; i < m->clients; i++)
    client_free(m->client[i]);
  for (unsigned i = 0; m->sm != NULL && i < m->sms; i++)
    sm_destroy_mem(m->sm[i]);
  for (unsigned p = 0; m->part != NULL && p < m->config.partitions; p++)
    l2_free(&m->part[p]);
  free(m->sm);
  free(m->part);
  if (m->local != NULL)
    munmap(m->local, m->local_bytes);
  store_free(&m->store);
  free(m);
}

static void forget_ranges(struct gpu_mem *m) {
  for (unsigned i = 0; i < m->sms; i++)
    m->sm[i]->range = (struct store_range){0, 0};
}

int gpu_mem_alloc(struct gpu_mem *m, uint64_t bytes, uint32_t *address, struct tandem_error *err) {
  return store_alloc(&m->store, bytes, address, err);
}

int gpu_mem_free(struct gpu_mem *m, uint32_t address, struct tandem_error *err) {
  forget_ranges(m);
  return store_release(&m->store, address, err);
}

static int check_host(const struct gpu_mem *m, uint32_t address, uint64_t bytes,
                      struct tandem_error *err) {
  if (bytes == 0 || store_holds(&m->store, address, bytes))
    return 0;
  return tandem_fail(err, -EFAULT, "memory: 0x%08x with %llu bytes is not within an allocation",
                     address, (unsigned long long)bytes);
}

int gpu_mem_write(struct gpu_mem *m, uint32_t address, const void *from, uint64_t bytes,
                  struct tandem_error *err) {
  int status = check_host(m, address, bytes, err);
  if (status == 0 && bytes > 0)
    memcpy(m->store.base + address, from, bytes);
  return status;
}

int gpu_mem_read(const struct gpu_mem *m, uint32_t address, void *to, uint64_t bytes,
                 struct tandem_error *err) {
  int status = check_host(m, address, bytes, err);
  if (status == 0 && bytes > 0)
    memcpy(to, m->store.base + address, bytes);
  return status;
}

size_t gpu_mem_allocations(const struct gpu_mem *m, struct mem_allocation *list, size_t max) {
  for (size_t i = 0; i < m->store.count && i < max; i++)
    list[i] = (struct mem_allocation){m->store.list[i].address, m->store.list[i].bytes};
  return m->store.count;
}

const uint8_t *gpu_mem_bytes(const struct gpu_mem *m) { return m->store.base; }

uint64_t gpu_mem_digest(const struct gpu_mem *m) { return store_digest(&m->store); }

/* Makes local memory of all threads zero.  False if the host has no memory. */
static bool renew_local(struct gpu_mem *m, const struct grid *grid) {
  uint64_t need = (uint64_t)m->sms * MEM_WARPS * (grid->kernel->local_bytes / 4) * 128;
  if (m->local != NULL)
    munmap(m->local, m->local_bytes);
  m->local = NULL;
  m->local_bytes = need;
  if (need == 0)
    return true;
  void *p =
      mmap(NULL, need, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    return false;
  m->local = p;
  return true;
}

void gpu_mem_begin(struct gpu_mem *m, const struct grid *grid) {
  forget_ranges(m);
  atomic_store_explicit(&m->faulted, false, memory_order_relaxed);
  bool local = renew_local(m, grid);
  uint32_t words = local ? grid->kernel->local_bytes / 4 : 0;
  for (unsigned i = 0; i < m->sms; i++) {
    struct sm_mem *s = m->sm[i];
    uint64_t first = (uint64_t)i * MEM_WARPS * words * 128;
    s->grid = grid;
    tags_flush(&s->l1d.tags);
    tags_flush(&s->constant.tags);
    const uint32_t shared = s->shaped ? s->shape.shared_bytes : m->config.shared_bytes;
    s->shared_limit = grid->shared_bytes < shared ? grid->shared_bytes : shared;
    if (s->no_shared)
      s->shared_limit = 0;
    s->shared_stride = (s->shared_limit + 127) / 128 * 128;
    s->local_words = words;
    s->local = m->local == NULL ? NULL : m->local + first;
    s->local_timing = (grid->local_address & ~127U) + i * words * 128;
    s->local_stride = m->sms * words * 128;
    s->fault = (struct mem_fault){0};
  }
  for (unsigned i = 0; i < m->clients; i++)
    m->client[i]->fault = (struct mem_fault){0};
}

void sm_mem_profile(struct sm_mem *s, struct mem_profile *rows) { s->profile = rows; }

struct sm_mem *gpu_mem_sm(struct gpu_mem *m, unsigned sm) {
  return m->sm[sm];
}

void sm_mem_no_shared(struct sm_mem *s) { s->no_shared = true; }

void sm_mem_acknowledged(struct sm_mem *s) { s->acknowledged = true; }

uint32_t sm_mem_stores(const struct sm_mem *s, unsigned warp) { return s->stores[warp]; }

void sm_mem_cta(struct sm_mem *s, unsigned cta_slot) {
  memset(s->shared + (size_t)cta_slot * s->shared_stride, 0xa5, s->shared_limit);
}

void sm_mem_warp(struct sm_mem *s, unsigned warp, const struct warp_place *place) {
  s->slot[warp] = (uint8_t)place->cta_slot;
}

/* Performs the accesses of a cycle, loads first, in the order of SMs, and offers packets to the
 * crossbar. */
static void take_sms(struct gpu_mem *m, uint64_t cycle) {
  uint8_t with[MEM_SMS];
  unsigned n = 0;
  for (unsigned i = 0; i < m->sms; i++) {
    if ((m->active[i] & MEM_EVENT(cycle)) == 0)
      continue;
    m->active[i] &= ~MEM_EVENT(cycle);
    with[n++] = (uint8_t)i;
    log_loads(m->sm[i], cycle);
  }
  for (unsigned i = 0; i < n; i++) {
    log_writes(m->sm[with[i]], cycle);
    net_offer(&m->request, with[i]);
  }
}

static void take_clients(struct gpu_mem *m, uint64_t cycle) {
  const uint8_t *const first = m->client_active, *const end = first + m->clients;
  for (const uint8_t *at = first; (at = memchr(at, 1, (size_t)(end - at))) != NULL; at++)
    client_take(m->client[at - first], cycle);
}

/* Partitions may be stepped in any order, beside the SMs: the cycle of a partition depends on
 * packets of earlier cycles alone, and the serial part takes the packets that it sends. */
void gpu_mem_parts(struct gpu_mem *m, uint64_t cycle, uint64_t parts) {
  parts &= m->busy_parts;
  if (parts == 0 || cycle < m->ahead)
    return;
  const uint64_t first = clock_first(&m->dram_clock, cycle);
  const uint64_t end = clock_first(&m->dram_clock, cycle + 1);
  for (; parts != 0; parts &= parts - 1) {
    unsigned p = (unsigned)__builtin_ctzll(parts);
    struct l2 *l = &m->part[p];
    if (l2_rests(l, cycle, end))
      continue;
    l2_step(l, cycle, first, end);
    uint8_t state = !ring_empty(&l->out) ? PART_SENDS : l2_idle(l) ? PART_IDLE : PART_WORKS;
    if (m->part_state[p] != state) /* the line is shared by all threads */
      m->part_state[p] = state;
  }
}

static void take_parts(struct gpu_mem *m, uint64_t cycle) {
  for (uint64_t todo = m->busy_parts; todo != 0; todo &= todo - 1) {
    unsigned p = (unsigned)__builtin_ctzll(todo);
    if (m->part_state[p] == PART_SENDS) {
      net_offer(&m->response, p);
    } else if (m->part_state[p] == PART_IDLE) {
      m->busy_parts &= ~((uint64_t)1 << p);
      m->worked = cycle + 1;
    }
  }
}

static void run(struct gpu_mem *m, struct net *n, uint64_t cycle) {
  net_run(n, clock_first(&m->xbar_clock, cycle), clock_first(&m->xbar_clock, cycle + 1));
}

/* Moves packets to the SMs. */
static void answer(struct gpu_mem *m, uint64_t cycle) {
  m->ahead = cycle + 1;
  m->response.cycle = cycle;
  if (m->busy_parts == 0)
    return;
  take_parts(m, cycle);
  run(m, &m->response, cycle);
}

/* Moves packets to the partitions. */
static void ask(struct gpu_mem *m, uint64_t cycle) {
  if (net_empty(&m->request.wanted))
    return;
  m->request.filled = (struct net_set){{0}};
  run(m, &m->request, cycle);
  m->busy_parts |= m->request.filled.word[0];
}

void gpu_mem_ahead(struct gpu_mem *m, uint64_t end) {
  for (uint64_t c = m->ahead > m->step_cycle ? m->ahead : m->step_cycle; c < end; c++) {
    gpu_mem_parts(m, c, UINT64_MAX);
    answer(m, c);
  }
}

/* A request is in a partition's queue for so long before its first cycle there. */
unsigned gpu_mem_lookahead(const struct gpu_mem *m) {
  const uint32_t delay = m->config.rop_latency + 1;
  if (m->clients != 0)
    return 1;
  return delay < MEM_LOOKAHEAD ? delay : MEM_LOOKAHEAD;
}

/* The order: 1. loads, stores and atomics; 2. crossbar to the SMs; 3. crossbar to the partitions.
 * The SMs see a packet of step 2, and the partitions one of step 3, in a later cycle. */
void gpu_mem_join(struct gpu_mem *m, uint64_t cycle) {
  m->step_cycle = cycle + 1;
  m->request.cycle = cycle;
  take_sms(m, cycle);
  if (m->clients != 0)
    take_clients(m, cycle);
  if (m->ahead <= cycle)
    answer(m, cycle);
  ask(m, cycle);
}

void gpu_mem_step(struct gpu_mem *m, uint64_t cycle) {
  gpu_mem_parts(m, cycle, UINT64_MAX);
  gpu_mem_join(m, cycle);
}

/* Returns the most packets of the SM's next cycle: an instruction line; a transaction, which writes
 * back another line if there is local memory. */
static uint32_t most_sent(const struct sm_mem *s) {
  const bool line = s->ask_head != s->ask_tail;
  const bool access = s->head != NULL || s->queue_head != s->queue_tail;
  return line + (access ? 1U + (s->local_words != 0) : 0);
}

bool sm_mem_may_step(const struct sm_mem *s, uint64_t cycle) {
  if (cycle <= s->gpu->step_cycle)
    return true;
  return cycle < s->log.due && ring_room(&s->out) >= most_sent(s);
}

bool sm_mem_idle(const struct sm_mem *s) {
  return s->in_flight == 0 && s->outstanding == 0 && ring_empty(&s->out) &&
         s->ask_head == s->ask_tail && s->fill_head == s->fill_tail;
}

bool gpu_mem_works(const struct gpu_mem *m) {
  return m->busy_parts != 0 || m->worked > m->step_cycle;
}

bool gpu_mem_idle(const struct gpu_mem *m) {
  if (gpu_mem_works(m))
    return false;
  for (unsigned i = 0; i < m->sms; i++)
    if (!sm_mem_idle(m->sm[i]))
      return false;
  for (unsigned i = 0; i < m->clients; i++)
    if (!mem_client_idle(m->client[i]))
      return false;
  return true;
}

static const struct mem_fault *earlier_fault(const struct mem_fault *a, const struct mem_fault *b) {
  return b->kind != INST_FAULT_NONE && (a->kind == INST_FAULT_NONE || b->cycle < a->cycle) ? b : a;
}

const struct mem_fault *gpu_mem_fault(const struct gpu_mem *m) {
  const struct mem_fault *first = &m->no_fault;
  if (!atomic_load_explicit(&m->faulted, memory_order_relaxed))
    return first;
  for (unsigned i = 0; i < m->sms; i++)
    first = earlier_fault(first, &m->sm[i]->fault);
  for (unsigned i = 0; i < m->clients; i++)
    first = earlier_fault(first, &m->client[i]->fault);
  return first;
}

static void add_stats(struct mem_stats *to, const struct mem_stats *from) {
#define STAT_COUNT STAT_ADD
#define STAT_MOST STAT_LARGER
#define STAT_SHARE STAT_NOTHING
#define STAT_MEAN STAT_NOTHING
#include "csim/mem/stats.def"
}

void gpu_mem_stats(const struct gpu_mem *m, struct mem_stats *stats) {
  *stats = (struct mem_stats){0};
  for (unsigned i = 0; i < m->sms; i++)
    add_stats(stats, &m->sm[i]->stats);
  for (unsigned p = 0; p < m->config.partitions; p++) {
    const struct l2 *l = &m->part[p];
    add_stats(stats, &l->stats);
    stats->dram_reads += l->dram.reads;
    stats->dram_writes += l->dram.writes;
    stats->dram_row_hits += l->dram.row_hits;
    stats->dram_busy += l->dram.busy_ticks;
  }
  for (unsigned i = 0; i < m->clients; i++) {
    stats->client_requests += m->client[i]->requests;
    stats->client_words_read += m->client[i]->words_read;
    stats->client_words_written += m->client[i]->words_written;
  }
  stats->dram_cycles = clock_first(&m->dram_clock, m->step_cycle) * m->config.partitions;
  stats->xbar_flits = m->request.flits + m->response.flits;
}
