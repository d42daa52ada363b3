/* A small machine that runs programs warp by warp. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "tests/ptx/machine.h"

enum { LANES = ISA_WARP_SIZE, STACK = 17, MAX_STEPS = 200 * 1000 * 1000 };

struct entry {
  uint32_t pc, rpc, mask;
};

struct warp {
  _Alignas(64) uint32_t r[ISA_REGS][LANES];
  uint32_t p[16];
  struct entry stack[STACK + 3];
  int top;
  uint32_t live;
  bool waiting;
  unsigned number;
  uint8_t *local;
};

struct cta {
  struct machine *m;
  const struct isa_kernel *k;
  const struct machine_launch *l;
  uint32_t id[3];
  uint8_t *shared;
  uint32_t shared_bytes, local_bytes;
  struct warp *warps;
  unsigned nwarps;
};

static int fail(struct machine *m, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (!m->error[0])
    vsnprintf(m->error, sizeof m->error, format, ap);
  va_end(ap);
  return -1;
}

/* ---- memory ---- */

enum { SP_GLOBAL, SP_SHARED, SP_LOCAL, SP_GENERIC, SP_PARAM };

static uint8_t *locate(struct cta *c, struct warp *w, unsigned lane, unsigned space, uint32_t at,
                       uint32_t bytes) {
  static uint8_t nothing[16];
  if (space == SP_GENERIC) {
    space = at >= ISA_LOCAL_WINDOW ? SP_LOCAL : at >= ISA_SHARED_WINDOW ? SP_SHARED : SP_GLOBAL;
    at -= space == SP_LOCAL ? ISA_LOCAL_WINDOW : space == SP_SHARED ? ISA_SHARED_WINDOW : 0;
  }
  uint8_t *base = c->m->memory;
  uint32_t size = c->m->top, least = 0, side = (at - MACHINE_SIDE_FIRST) / MACHINE_SIDE_STRIDE;
  if (space == SP_GLOBAL)
    least = MACHINE_DATA;
  if (space == SP_SHARED)
    base = c->shared, size = c->shared_bytes;
  if (space == SP_SHARED && at >= MACHINE_SIDE_FIRST && side < MACHINE_SIDES) {
    base = c->m->sides[side], size = MACHINE_SIDE_BYTES;
    at %= MACHINE_SIDE_STRIDE;
  }
  if (space == SP_LOCAL)
    base = w->local + lane * c->local_bytes, size = c->local_bytes;
  if (space == SP_PARAM)
    base = (uint8_t *)(uintptr_t)c->l->params, size = (uint32_t)c->l->param_bytes;
  if (at < least || at % bytes != 0 || (uint64_t)at + bytes > size) {
    fail(c->m, "pc %u lane %u: access of %u bytes at 0x%x in space %u", w->stack[w->top].pc, lane,
         bytes, at, space);
    return nothing;
  }
  return base + at;
}

static unsigned space_of(enum isa_id id) {
  switch (id) {
  case ISA_LDS:
  case ISA_STS:
    return SP_SHARED;
  case ISA_LDL:
  case ISA_STL:
    return SP_LOCAL;
  case ISA_LDGEN:
  case ISA_STGEN:
    return SP_GENERIC;
  case ISA_LDP:
    return SP_PARAM;
  default:
    return SP_GLOBAL;
  }
}

static uint32_t address(struct cta *c, struct warp *w, const struct isa_uop *u, unsigned lane) {
  bool mem = isa_ops[u->id].unit == ISA_U_MEM;
  if (mem && (u->f.mods & ISA_MOD_ABS))
    return u->imm32;
  if ((u->f.mods & ISA_MOD_A64) && w->r[u->f.src1 + 1][lane] != 0)
    fail(c->m, "pc %u lane %u: upper half of an address is not 0", w->stack[w->top].pc, lane);
  return w->r[u->f.src1][lane] + u->imm32;
}

static void access_lane(struct cta *c, struct warp *w, const struct isa_uop *u, unsigned lane) {
  bool store = isa_ops[u->id].shape[0] == '-';
  uint32_t at = address(c, w, u, lane), size = u->mem_size;
  uint8_t *p = locate(c, w, lane, space_of(u->id), at, size * u->mem_elems);
  unsigned reg = store ? u->f.src2 : u->f.dst;
  for (unsigned e = 0; e < u->mem_elems; e++, p += size) {
    for (unsigned part = 0; part < (size == 8 ? 2U : 1U); part++, reg++) {
      uint32_t *r = &w->r[reg][lane], n = size == 8 ? 4 : size;
      if (store) {
        memcpy(p + 4 * part, r, n);
        continue;
      }
      uint32_t v = 0;
      memcpy(&v, p + 4 * part, n);
      if (u->f.mods & 4)
        v = size == 1 ? (uint32_t)(int8_t)v : size == 2 ? (uint32_t)(int16_t)v : v;
      *r = v;
    }
  }
}

static void atomic_lane(struct cta *c, struct warp *w, const struct isa_uop *u, unsigned lane) {
  uint32_t at = address(c, w, u, lane), words = u->mem_size / 4;
  uint64_t v[3] = {0}; /* memory, src 2, src 3 */
  uint8_t *p = locate(c, w, lane, u->f.mods & 1 ? SP_SHARED : SP_GLOBAL, at, u->mem_size);
  memcpy(&v[0], p, u->mem_size);
  for (uint32_t k = words; k-- > 0;) {
    v[1] = v[1] << 32 | w->r[u->f.src2 + k][lane];
    v[2] = v[2] << 32 | w->r[u->f.src3 + k][lane];
  }
  const uint64_t now = isa_atomic(u, v[0], v[1], v[2]);
  memcpy(p, &now, u->mem_size);
  for (uint32_t k = 0; k < words && !(u->f.mods & ISA_MOD_NORET); k++)
    w->r[u->f.dst + k][lane] = (uint32_t)(v[0] >> 32 * k);
}

/* ---- special registers ---- */

static uint32_t special(const struct cta *c, const struct warp *w, unsigned n, unsigned lane) {
  const uint32_t *b = c->l->block;
  uint32_t t = w->number * LANES + lane;
  uint32_t tid[3] = {t % b[0], t / b[0] % b[1], t / b[0] / b[1]};
  if (n >= ISA_SREG_PARAM) {
    uint32_t v = 0;
    size_t at = 4 * (size_t)(n - ISA_SREG_PARAM);
    if (at + 4 > c->l->param_bytes)
      return 0xbadbadU;
    memcpy(&v, (const uint8_t *)c->l->params + at, 4);
    return v;
  }
  if (n >= ISA_SR_REGVIU)
    return c->m->spu[n - ISA_SR_REGVIU];
  if (n <= ISA_SR_TID_Z)
    return tid[n];
  if (n <= ISA_SR_NTID_Z)
    return b[n - ISA_SR_NTID_X];
  if (n <= ISA_SR_CTAID_Z)
    return c->id[n - ISA_SR_CTAID_X];
  if (n <= ISA_SR_NCTAID_Z)
    return c->l->grid[n - ISA_SR_NCTAID_X];
  switch (n) {
  case ISA_SR_WORKDIM:
    return c->l->work_dim;
  case ISA_SR_LANEID:
    return lane;
  case ISA_SR_WARPID:
    return w->number;
  case ISA_SR_NWARPID:
    return c->nwarps;
  case ISA_SR_LANEMASK_EQ:
    return 1U << lane;
  case ISA_SR_LANEMASK_LT:
    return (1U << lane) - 1;
  case ISA_SR_LANEMASK_LE:
    return (2U << lane) - 1;
  case ISA_SR_LANEMASK_GT:
    return ~((2U << lane) - 1);
  case ISA_SR_LANEMASK_GE:
    return ~((1U << lane) - 1);
  default:
    return 0;
  }
}

/* ---- control ---- */

static uint32_t pred(const struct warp *w, unsigned field) {
  uint32_t v = (field & 15) == ISA_PT ? UINT32_MAX : w->p[field & 15];
  return field & 16 ? ~v : v;
}

static void settle(struct warp *w) {
  while (w->top > 0 &&
         (w->stack[w->top].mask == 0 || w->stack[w->top].pc == w->stack[w->top].rpc)) {
    w->top--;
    w->stack[w->top].mask &= w->live;
  }
}

static int branch(struct cta *c, struct warp *w, const struct isa_uop *u, uint32_t guard) {
  struct entry *t = &w->stack[w->top];
  uint32_t mask = t->mask, taken = mask & guard, rest = mask & ~guard, fall = t->pc + 1;
  t->pc = fall;
  if (taken == 0 || u->f.imm == fall)
    return 0;
  if (rest == 0) {
    t->pc = u->f.imm;
    return 0;
  }
  if (u->rpc != t->rpc)
    t->pc = u->rpc;
  else
    w->top--;
  if (fall != u->rpc)
    w->stack[++w->top] = (struct entry){fall, u->rpc, rest};
  if (u->f.imm != u->rpc)
    w->stack[++w->top] = (struct entry){u->f.imm, u->rpc, taken};
  if (w->top >= STACK)
    return fail(c->m, "pc %u: the stack is too deep", fall - 1);
  if ((unsigned)w->top > c->m->deepest)
    c->m->deepest = (unsigned)w->top;
  return 0;
}

static void compute(struct warp *w, const struct isa_uop *u, uint32_t active) {
  _Alignas(64) uint32_t d[2 * LANES];
  const uint32_t *a = w->r[u->f.src1], *b = u->imm ? u->imm_planes : w->r[u->f.src2];
  uint32_t p =
      u->fn(u, d, u->o.s1 ? a : NULL, u->o.s2 || u->imm ? b : NULL,
            u->o.s3 ? w->r[u->f.src3] : NULL, pred(w, u->f.src2), pred(w, u->f.src3), active);
  if (u->o.dp) {
    if (u->f.dst < ISA_PREDS)
      w->p[u->f.dst] = (w->p[u->f.dst] & ~active) | (p & active);
    return;
  }
  for (unsigned k = 0; k < isa_n_regs(u->o.d); k++)
    for (unsigned l = 0; l < LANES; l++)
      if (active >> l & 1)
        w->r[u->f.dst + k][l] = d[k * LANES + l];
}

static void each_lane(struct cta *c, struct warp *w, const struct isa_uop *u, uint32_t active) {
  for (unsigned l = 0; l < LANES; l++) {
    if (!(active >> l & 1))
      continue;
    if (u->id == ISA_MOVI)
      w->r[u->f.dst][l] = u->imm32;
    else if (u->id == ISA_MOVS)
      w->r[u->f.dst][l] = special(c, w, u->f.imm, l);
    else if (isa_ops[u->id].unit == ISA_U_ATOM)
      atomic_lane(c, w, u, l);
    else
      access_lane(c, w, u, l);
  }
}

static void block_sync(struct machine *m, struct warp *w, const struct isa_uop *u) {
  memset(w->r[u->f.dst], 0, sizeof w->r[0]);
  if (m->sync != NULL)
    m->sync(m, u->f.imm);
}

/* One instruction; nonzero on error. */
static int step(struct cta *c, struct warp *w) {
  struct entry *t = &w->stack[w->top];
  if (t->pc < c->k->entry || t->pc >= c->k->end)
    return fail(c->m, "pc %u is outside of the kernel", t->pc);
  const struct isa_uop *u = &c->m->uops[t->pc];
  uint32_t guard = pred(w, u->f.guard), active = t->mask & guard;
  if (u->id == ISA_ILLEGAL)
    return fail(c->m, "pc %u: illegal word", t->pc);
  if (u->id == ISA_BRA) {
    if (branch(c, w, u, guard) != 0)
      return -1;
  } else {
    if (u->id == ISA_EXIT) {
      w->live &= ~active;
      t->mask &= ~active;
    } else if (u->id == ISA_BAR) {
      if (t->mask != w->live)
        return fail(c->m, "pc %u: a barrier with some of the lanes", t->pc);
      w->waiting = true;
    } else if (u->id == ISA_BSYNC) {
      block_sync(c->m, w, u);
    } else if (u->fn) {
      compute(w, u, active);
    } else if (u->id != ISA_NOP) {
      each_lane(c, w, u, active);
    }
    t->pc++;
  }
  settle(w);
  return c->m->error[0] ? -1 : 0;
}

static int run_cta(struct cta *c) {
  for (;;) {
    bool any = false, moved = false;
    for (unsigned i = 0; i < c->nwarps; i++) {
      struct warp *w = &c->warps[i];
      for (; w->live && !w->waiting; moved = true) {
        if (step(c, w) != 0)
          return -1;
        if (++c->m->steps > MAX_STEPS)
          return fail(c->m, "no end in sight");
      }
      any = any || w->live;
    }
    if (!any)
      return 0;
    for (unsigned i = 0; i < c->nwarps; i++)
      c->warps[i].waiting = false;
    if (!moved)
      return fail(c->m, "nobody moves");
  }
}

/* Registers start as rubbish, so that nothing may rely on zeros. */
static void start_warps(struct cta *c) {
  uint32_t threads = c->l->block[0] * c->l->block[1] * c->l->block[2];
  for (unsigned i = 0; i < c->nwarps; i++) {
    struct warp *w = &c->warps[i];
    uint8_t *local = w->local;
    memset(w, 0xa5, sizeof *w);
    w->local = local;
    memset(local, 0x5a, (size_t)c->local_bytes * LANES);
    uint32_t left = threads - i * LANES;
    w->live = left >= LANES ? UINT32_MAX : (1U << left) - 1;
    w->waiting = false;
    w->number = i;
    w->top = 0;
    w->stack[0] = (struct entry){c->k->entry, ISA_NO_RPC, w->live};
  }
}

int machine_run(struct machine *m, const struct isa_kernel *k, const struct machine_launch *l) {
  struct cta c = {.m = m, .k = k, .l = l};
  c.shared_bytes = k->shared_bytes + l->dynamic_shared;
  c.local_bytes = k->local_bytes;
  c.nwarps = (l->block[0] * l->block[1] * l->block[2] + LANES - 1) / LANES;
  c.shared = malloc(c.shared_bytes + 1);
  c.warps = aligned_alloc(64, (sizeof(struct warp) + 63) / 64 * 64 * c.nwarps);
  for (unsigned i = 0; i < c.nwarps; i++)
    c.warps[i].local = malloc((size_t)c.local_bytes * LANES + 1);
  int status = 0;
  for (uint32_t n = 0; n < l->grid[0] * l->grid[1] * l->grid[2] && status == 0; n++) {
    c.id[0] = n % l->grid[0];
    c.id[1] = n / l->grid[0] % l->grid[1];
    c.id[2] = n / l->grid[0] / l->grid[1];
    memset(c.shared, 0xcc, c.shared_bytes);
    start_warps(&c);
    status = run_cta(&c);
  }
  for (unsigned i = 0; i < c.nwarps; i++)
    free(c.warps[i].local);
  free(c.warps);
  free(c.shared);
  return status;
}

/* ---- the machine ---- */

static void relocate(struct machine *m) {
  for (size_t i = 0; i < m->program->nrelocs; i++) {
    struct isa_reloc r = m->program->relocs[i];
    if (!r.in_data) {
      m->uops[r.pc].imm32 += MACHINE_DATA;
      continue;
    }
    uint32_t v;
    memcpy(&v, m->memory + MACHINE_DATA + r.pc, 4);
    v += MACHINE_DATA;
    memcpy(m->memory + MACHINE_DATA + r.pc, &v, 4);
  }
}

struct machine *machine_create(const struct isa_program *p, uint32_t size) {
  struct machine *m = calloc(1, sizeof *m);
  m->program = p;
  m->size = size;
  m->memory = calloc(1, size);
  m->uops = aligned_alloc(64, p->ncode * sizeof *m->uops);
  for (size_t i = 0; i < p->ncode; i++)
    isa_uop_decode(p->code[i], &m->uops[i]);
  memcpy(m->memory + MACHINE_DATA, p->data, p->data_bytes);
  m->top = (MACHINE_DATA + (uint32_t)p->data_bytes + 255) & ~255U;
  relocate(m);
  return m;
}

void machine_destroy(struct machine *m) {
  free(m->memory);
  free(m->uops);
  free(m);
}

uint32_t machine_buffer(struct machine *m, const void *data, uint32_t bytes) {
  uint32_t at = m->top;
  if (at + bytes > m->size)
    abort();
  m->top = (at + bytes + 255) & ~255U;
  if (data)
    memcpy(m->memory + at, data, bytes);
  return at;
}
