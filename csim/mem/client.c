/* Clients of memory without an SM: requests of one segment each, and their answers. */
#include "csim/mem/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

static unsigned own_ports(const struct gpu_mem *m) {
  unsigned n = 0;
  for (unsigned i = 0; i < m->clients; i++)
    n += m->client[i]->host == NULL;
  return n;
}

static int check_place(const struct gpu_mem *m, int sm, struct tandem_error *err) {
  if (sm >= 0 && (unsigned)sm >= m->sms)
    return tandem_fail(err, -EINVAL,
                       "memory: a client cannot use the port of SM %d; there are %u SMs", sm,
                       m->sms);
  if (m->clients == MEM_CLIENTS || (sm >= 0 && m->sm[sm]->clients == MEM_SM_CLIENTS))
    return tandem_fail(err, -EINVAL, "memory: there are at most %d clients, and %d at an SM's port",
                       MEM_CLIENTS, MEM_SM_CLIENTS);
  if (sm < 0 && m->sms + own_ports(m) == NET_PORTS)
    return tandem_fail(err, -EINVAL, "memory: %u SMs and %u clients use all of the %u ports",
                       m->sms, own_ports(m), NET_PORTS);
  return 0;
}

struct mem_client *gpu_mem_client(struct gpu_mem *m, int sm, struct tandem_error *err) {
  if (check_place(m, sm, err) != 0)
    return NULL;
  struct mem_client *c = calloc(1, sizeof *c);
  if (c == NULL || !ring_init(&c->out, MEM_CLIENT_TAGS, 0) ||
      !ring_init(&c->in, MEM_CLIENT_TAGS, 0)) {
    client_free(c);
    (void)tandem_fail(err, -ENOMEM, "memory: out of host memory");
    return NULL;
  }
  c->gpu = m;
  c->number = (uint16_t)m->clients;
  c->active = &m->client_active[m->clients];
  if (sm >= 0) {
    c->host = m->sm[sm];
    c->place = (uint8_t)c->host->clients;
    c->host->client[c->host->clients++] = c;
    c->port = (uint8_t)sm;
  } else {
    c->port = (uint8_t)(m->sms + own_ports(m));
    m->request.in[c->port] = &c->out;
    m->request.inputs = (uint8_t)(c->port + 1);
    m->response.out[c->port] = &c->in;
  }
  m->client[m->clients++] = c;
  return c;
}

void client_free(struct mem_client *c) {
  if (c == NULL)
    return;
  free(c->out.slot);
  free(c->in.slot);
  free(c);
}

/* Returns the sectors of the request that lie in an allocation; the first other one is a fault. */
static uint8_t allowed(struct mem_client *c, uint64_t cycle, const struct mem_request *r) {
  uint8_t good = 0;
  for (unsigned i = 0; i < CLIENT_SECTORS; i++) {
    const uint32_t address = r->address + CLIENT_SECTOR_BYTES * i;
    if ((r->sectors >> i & 1) == 0)
      continue;
    if (store_valid(&c->gpu->store, address, CLIENT_SECTOR_BYTES)) {
      good |= (uint8_t)(1U << i);
    } else if (c->fault.kind == INST_FAULT_NONE) {
      atomic_store_explicit(&c->gpu->faulted, true, memory_order_relaxed);
      c->fault = (struct mem_fault){.kind = INST_FAULT_BOUNDS,
                                    .client = (uint8_t)(c->number + 1),
                                    .sm = c->host != NULL ? c->port : 0,
                                    .space = ISA_SPACE_GLOBAL,
                                    .store = r->write,
                                    .address = address,
                                    .bytes = CLIENT_SECTOR_BYTES,
                                    .cycle = cycle};
    }
  }
  return good;
}

/* Copies the sectors between a segment of the store and words. */
static void read_sectors(const struct mem_client *c, uint32_t address, uint8_t sectors,
                         uint32_t *words) {
  memset(words, 0, MEM_SEGMENT_WORDS * sizeof *words);
  for (unsigned i = 0; i < CLIENT_SECTORS; i++)
    if ((sectors >> i & 1) != 0)
      memcpy((uint8_t *)words + CLIENT_SECTOR_BYTES * i,
             c->gpu->store.base + address + CLIENT_SECTOR_BYTES * i, CLIENT_SECTOR_BYTES);
}

static void write_sectors(struct mem_client *c) {
  for (unsigned i = 0; i < CLIENT_SECTORS; i++)
    if ((c->write.sectors >> i & 1) != 0)
      memcpy(c->gpu->store.base + c->write.address + CLIENT_SECTOR_BYTES * i,
             (const uint8_t *)c->write.data + CLIENT_SECTOR_BYTES * i, CLIENT_SECTOR_BYTES);
  c->commit = false;
}

static uint8_t flits(const struct mem_client *c, unsigned sectors) {
  const uint32_t flit = c->gpu->config.xbar_flit_bytes;
  return (uint8_t)((CLIENT_SECTOR_BYTES * sectors + flit - 1) / flit);
}

bool mem_client_request(struct mem_client *c, uint64_t cycle, const struct mem_request *r) {
  if (r->tag >= MEM_CLIENT_TAGS || (c->open >> r->tag & 1) != 0 || c->asked == cycle + 1 ||
      r->sectors == 0 || r->sectors >= 1U << CLIENT_SECTORS ||
      r->address % (CLIENT_SECTORS * CLIENT_SECTOR_BYTES) != 0)
    return false;
  const uint8_t data_flits = flits(c, (unsigned)__builtin_popcount(r->sectors));
  const unsigned words = 8U * (unsigned)__builtin_popcount(r->sectors);
  const uint8_t good = allowed(c, cycle, r);
  *ring_push(&c->out) =
      (struct packet){.address = r->address,
                      .kind = r->write ? PACKET_WRITE : PACKET_CLIENT,
                      .tag = (uint16_t)(c->place * MEM_CLIENT_TAGS + r->tag),
                      .port = c->port,
                      .part = (uint8_t)l2_partition(r->address, c->gpu->config.partitions),
                      .flits = (uint8_t)(r->write ? 1 + data_flits : 1),
                      .reply = r->write ? 1 : data_flits,
                      .sectors = r->sectors,
                      .full = r->sectors};
  if (r->write) {
    c->write = *r;
    c->write.sectors = good;
    c->commit = true;
    c->words_written += words;
  } else {
    read_sectors(c, r->address, good, c->data[r->tag]);
    c->words_read += words;
  }
  c->sectors[r->tag] = r->sectors;
  c->open |= (uint16_t)(1U << r->tag);
  c->asked = cycle + 1;
  c->requests++;
  *c->active = 1;
  if (c->host != NULL)
    c->host->outstanding++;
  return true;
}

bool mem_client_answer(struct mem_client *c, uint64_t cycle, struct mem_answer *a) {
  if (ring_empty(&c->in) || ring_head(&c->in)->ready > cycle)
    return false;
  const struct packet *p = ring_head(&c->in);
  const uint8_t tag = p->tag % MEM_CLIENT_TAGS;
  *a =
      (struct mem_answer){.write = p->kind == PACKET_WRITE, .tag = tag, .sectors = c->sectors[tag]};
  if (!a->write)
    memcpy(a->data, c->data[tag], sizeof a->data);
  c->open &= (uint16_t) ~(1U << tag);
  ring_pop(&c->in, cycle);
  return true;
}

bool mem_client_idle(const struct mem_client *c) { return c->open == 0; }

/* Returns the room that the host's port must have for a packet of the client.  At most two packets
 * that the SM could not send go first. */
static uint32_t room_needed(const struct sm_mem *host) {
  return host->stalled || host->ask_head != host->ask_tail ? 3 : 1;
}

void client_take(struct mem_client *c, uint64_t cycle) {
  if (c->commit)
    write_sectors(c);
  if (c->host == NULL) {
    *c->active = 0;
  } else if (ring_room(&c->host->out) >= room_needed(c->host)) {
    *ring_push(&c->host->out) = *ring_head(&c->out);
    ring_pop(&c->out, cycle);
    *c->active = !ring_empty(&c->out);
  }
  net_offer(&c->gpu->request, c->port);
}
