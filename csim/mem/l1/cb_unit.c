/* Accesses to communication buffers, pass by pass, and open bsyncs. */
#include "csim/mem/l1/cb_unit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

int sm_mem_cb(struct sm_mem *s, uint32_t bytes, uint32_t latency, struct tandem_error *err) {
  if (bytes < CB_BYTES_LEAST || bytes > CB_BYTES_MOST || (bytes & (bytes - 1)) != 0)
    return tandem_fail(err, -EINVAL,
                       "communication buffers must have a power of two of %u to %u bytes, not %u",
                       CB_BYTES_LEAST, CB_BYTES_MOST, bytes);
  if (latency < CB_LATENCY_LEAST || latency > CB_LATENCY_MOST)
    return tandem_fail(err, -EINVAL,
                       "the latency of communication buffers must be %u to %u, not %u",
                       CB_LATENCY_LEAST, CB_LATENCY_MOST, latency);
  struct cb_unit *u = calloc(1, sizeof *u);
  if (u == NULL || !completions_reach(s, latency)) {
    free(u);
    return tandem_fail(err, -ENOMEM, "memory: out of host memory");
  }
  u->bytes = bytes;
  u->latency = latency;
  s->cb = u;
  return 0;
}

void cb_free(struct cb_unit *u) { free(u); }

void sm_mem_role(struct sm_mem *s, unsigned cta_slot, const uint32_t *role) {
  s->cb->role[cta_slot] = role;
}

const struct cb_record *sm_mem_record(const struct sm_mem *s) {
  return s->cb != NULL ? &s->cb->record : NULL;
}

void sm_mem_words(const struct sm_mem *s, unsigned cta_slot, uint64_t *loaded, uint64_t *stored) {
  *loaded = s->cb->words[cta_slot][0];
  *stored = s->cb->words[cta_slot][1];
}

static bool direction_allowed(enum block_role role, unsigned side, bool store) {
  switch (side) {
  case CB_NORTH:
  case CB_WEST:
    return role == ROLE_BLOCK && !store;
  case CB_SOUTH:
  case CB_EAST:
    return role == ROLE_BLOCK && store;
  default:
    return role == (store ? ROLE_LOAD : ROLE_STORE);
  }
}

/* Returns the fault of a lane's access to a byte of a side, or INST_FAULT_NONE. */
static uint8_t refused(const struct cb_unit *u, const struct sm_inst *inst, enum block_role role,
                       unsigned side, uint32_t byte) {
  const struct isa_uop *uop = inst->uop;
  const uint32_t bytes = (uint32_t)uop->mem_size * uop->mem_elems;
  const bool store = lsu_is_store(uop);
  if ((byte & (bytes - 1)) != 0)
    return INST_FAULT_ALIGN;
  if (side >= CB_SIDES || byte + bytes > u->bytes)
    return INST_FAULT_BOUNDS;
  if (uop->f.unit == ISA_U_ATOM || (store && uop->mem_size < 4))
    return INST_FAULT_BUFFER;
  return direction_allowed(role, side, store) ? INST_FAULT_NONE : INST_FAULT_SIDE;
}

void cb_sort(struct sm_mem *s, const struct sm_inst *inst, struct lsu_lanes *lanes, bool wide) {
  struct cb_unit *u = s->cb;
  const enum block_role role = (enum block_role) * u->role[s->slot[inst->warp]];
  const uint32_t bytes = (uint32_t)inst->uop->mem_size * inst->uop->mem_elems;
  memset(u->lanes, 0, sizeof u->lanes);
  for (uint32_t todo = lanes->mask[ISA_SPACE_SHARED]; todo != 0; todo &= todo - 1) {
    const unsigned l = (unsigned)__builtin_ctz(todo);
    if (lanes->off[l] < CB_WINDOW)
      continue;
    const uint32_t at = lanes->off[l] - CB_WINDOW;
    const unsigned side = at / CB_WINDOW_BYTES;
    const uint8_t fault = wide && inst->a[1][l] != 0
                              ? INST_FAULT_UPPER
                              : refused(u, inst, role, side, at % CB_WINDOW_BYTES);
    lanes->mask[ISA_SPACE_SHARED] &= ~(1U << l);
    if (fault != INST_FAULT_NONE) {
      lsu_fault(s, inst, fault, l, ISA_SPACE_SHARED, bytes);
      continue;
    }
    u->off[l] = at % CB_WINDOW_BYTES;
    u->lanes[side] |= 1U << l;
    lanes->buffers |= 1U << l;
  }
  if (lanes->buffers == 0)
    return;
  s->cb_todo = true;
  u->left.set = 0;
  *(lsu_is_store(inst->uop) ? &s->stats.cb_stores : &s->stats.cb_loads) += 1;
}

/* Begins the next request to one buffer, of a warp for up to 4 bytes, half of one for 8, a quarter
 * for 16, as for shared memory.  False if there is none. */
static bool next_request(struct cb_unit *u, const struct sm_inst *inst) {
  const uint32_t bytes = (uint32_t)inst->uop->mem_size * inst->uop->mem_elems;
  const uint32_t words = bytes <= 4 ? 1 : bytes / 4, lanes = ISA_WARP_SIZE / words;
  unsigned side = 0;
  while (side < CB_SIDES && u->lanes[side] == 0)
    side++;
  if (side == CB_SIDES)
    return false;
  const uint32_t at = (uint32_t)__builtin_ctz(u->lanes[side]) / lanes * lanes;
  u->left = (struct cb_words){.at = (uint8_t)at, .words = (uint8_t)words};
  for (uint32_t l = at; l < at + lanes; l++)
    if ((u->lanes[side] >> l & 1) != 0)
      u->left.set |= ((1U << words) - 1) << (l - at) * words;
  u->lanes[side] &= ~((lanes == 32 ? UINT32_MAX : (1U << lanes) - 1) << at);
  u->side = (uint8_t)side;
  u->again = false;
  return true;
}

static unsigned lane_of(const struct cb_words *w, unsigned i) { return w->at + i / w->words; }
static uint32_t byte_of(const uint32_t *off, const struct cb_words *w, unsigned i) {
  return off[lane_of(w, i)] + 4 * (i % w->words);
}

/* Fills a pass and returns the words of the request that it serves: in each bank those in the row
 * of the bank's first word.  If lanes store to the same word, the highest lane's value stays. */
static uint32_t fill_pass(struct cb_unit *u, const struct sm_inst *inst, struct cb_pass *p) {
  uint32_t served = 0;
  for (uint32_t todo = u->left.set; todo != 0; todo &= todo - 1) {
    const unsigned i = (unsigned)__builtin_ctz(todo);
    const uint32_t byte = byte_of(u->off, &u->left, i);
    const uint32_t bank = byte / 4 % CB_BANKS, row = byte / (4 * CB_BANKS);
    if ((p->banks >> bank & 1) != 0 && p->row[bank] != row)
      continue;
    p->banks |= 1U << bank;
    p->row[bank] = (uint8_t)row;
    p->data[bank] = p->write ? inst->b[i % u->left.words][lane_of(&u->left, i)] : 0;
    served |= 1U << i;
  }
  return served;
}

void cb_pass(struct sm_mem *s, struct sm_inst *inst) {
  struct cb_unit *u = s->cb;
  struct cb_pass *p = &u->record.pass;
  if (u->flight_tail - u->flight_head == CB_FLIGHTS)
    return;
  if (u->left.set == 0)
    (void)next_request(u, inst);
  p->side = u->side;
  p->cta_slot = s->slot[inst->warp];
  p->write = lsu_is_store(inst->uop);
  const uint32_t served = fill_pass(u, inst, p);
  s->stats.cb_passes++;
  s->stats.cb_conflict_cycles += u->again;
  u->again = true;
  if (!p->write) {
    u->flight[u->flight_tail++ % CB_FLIGHTS] = (struct cb_flight){
        .inst = inst, .of = {.set = served, .at = u->left.at, .words = u->left.words}};
    inst->mem.waiting++;
  }
  u->left.set &= ~served;
  const uint64_t ready = s->now + u->latency - 1;
  inst->mem.ready = inst->mem.ready > ready ? inst->mem.ready : ready;
  uint32_t more = u->left.set;
  for (unsigned side = 0; side < CB_SIDES; side++)
    more |= u->lanes[side];
  s->cb_todo = more != 0;
}

/* Writes the extended elements of less than a word that lie in word w of the lane's access. */
static void take_parts(struct sm_inst *inst, unsigned lane, unsigned w, uint32_t word) {
  const unsigned bits = 8U * inst->uop->mem_size;
  const bool sign = (inst->uop->f.mods & 4) != 0;
  for (unsigned e = 0; e < inst->uop->mem_elems; e++) {
    const unsigned at = (inst->addr[lane] & 3) + e * inst->uop->mem_size;
    if (at / 4 != w)
      continue;
    const uint32_t value = word >> at % 4 * 8 << (32 - bits); /* at the top */
    inst->d[e][lane] = sign ? (uint32_t)((int32_t)value >> (32 - bits)) : value >> (32 - bits);
  }
}

void sm_mem_cb_answer(struct sm_mem *s, uint64_t cycle, const uint32_t data[CB_BANKS]) {
  struct cb_unit *u = s->cb;
  if (u->flight_head == u->flight_tail)
    return;
  const struct cb_flight *f = &u->flight[u->flight_head++ % CB_FLIGHTS];
  struct sm_inst *inst = f->inst;
  for (uint32_t todo = f->of.set; todo != 0; todo &= todo - 1) {
    const unsigned i = (unsigned)__builtin_ctz(todo), w = i % f->of.words;
    const uint32_t word = data[byte_of(inst->addr, &f->of, i) / 4 % CB_BANKS];
    if (inst->uop->mem_size >= 4)
      inst->d[w][lane_of(&f->of, i)] = word;
    else
      take_parts(inst, lane_of(&f->of, i), w, word);
  }
  inst->mem.waiting--;
  if (inst->mem.ready <= cycle)
    inst->mem.ready = cycle + 1;
  completions_settle(s, inst);
}

void cb_arrive(struct sm_mem *s, struct sm_inst *inst) {
  struct cb_unit *u = s->cb;
  const uint8_t slot = s->slot[inst->warp];
  u->record.arrival = (struct block_arrival){.dirs = (uint8_t)inst->uop->imm32, .cta_slot = slot};
  inst->mem.waiting = 1;
  inst->mem.next = NULL;
  if (u->sync[slot].first == NULL)
    u->sync[slot].first = inst;
  else
    u->sync[slot].last->mem.next = inst;
  u->sync[slot].last = inst;
  s->stats.block_syncs++;
}

void sm_mem_block_ack(struct sm_mem *s, uint64_t cycle, unsigned cta_slot) {
  struct sm_inst *list = s->cb->sync[cta_slot].first;
  s->cb->sync[cta_slot].first = NULL;
  while (list != NULL) {
    struct sm_inst *inst = list;
    list = inst->mem.next;
    memset(inst->d[0], 0, sizeof inst->d[0]);
    inst->mem.waiting = 0;
    inst->mem.ready = cycle + 1;
    completions_settle(s, inst);
  }
}
