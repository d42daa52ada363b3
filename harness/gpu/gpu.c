/* The GPU as a library: open and close, device memory, programs, statistics. */
#include "harness/gpu/gpu.h"
#include "csim/isa/lanes/lanes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/gpu/config.h"

double gpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool tandem_has_fault(unsigned n, unsigned buddy) {
#define BUG(number, unit, kind, text) n == (number) ||
  const bool of_frontend =
#include "rtl/bugs.def"
      false;
  const bool of_cluster =
#include "rtl/buddy/bugs.def"
      false;
#undef BUG
  return of_frontend || (buddy > 1 ? of_cluster : cta_dispatch_has_fault(n, buddy));
}

static int check_config(const struct tandem_config *c, struct tandem_error *err) {
  int status = gpu_config_check(c, NULL, err);
  if (status != 0)
    return status;
  if (c->sm.shared_bytes > c->mem.shared_bytes)
    return tandem_fail(
        err, -EINVAL,
        "sm.shared_bytes, which CTAs share out, is %u, above memory.shared_bytes (%u)",
        c->sm.shared_bytes, c->mem.shared_bytes);
  if (c->engine == TANDEM_ENGINE_REF && c->bug != 0)
    return tandem_fail(err, -EINVAL, "a fault needs the RTL: engine rtl or lockstep");
  if (c->bug != 0 && !tandem_has_fault(c->bug, c->buddy))
    return tandem_fail(err, -EINVAL, "there is no fault %u (`tandem bugs --list`)", c->bug);
  if (c->bug != 0 && c->bug_sm >= c->sms)
    return tandem_fail(err, -EINVAL, "there is no SM %u to put the fault in: there are %u",
                       c->bug_sm, c->sms);
  status = machine_check(c, err);
  return status != 0 ? status : trace_check(c, err);
}

/* The models of an SM. */
static int create_sm(struct tandem *t, unsigned i, struct tandem_error *err) {
  struct gpu_sm *s = &t->sms[i];
  struct sm_config config = t->config.sm;
  config.barrier_check = t->config.barrier_check ? 1 : 0;
  config.buddy = t->config.buddy > 1;
  s->mem = gpu_mem_sm(t->mem, i);
  s->sm = sm_create(&config, i, s->mem, t->pages, err);
  if (s->sm == NULL)
    return -EINVAL;
  s->sm_fault = sm_fault(s->sm);
  sm_set_checked(s->sm, t->config.iss);
  if (t->config.iss && (s->iss = iss_create(i, t->pages, err)) == NULL)
    return -ENOMEM;
  return 0;
}

static int create_all(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  t->mem = gpu_mem_create(&c->mem, c->sms, err);
  if (t->mem == NULL)
    return -EINVAL;
  t->pages = pages_create();
  t->sms = calloc(c->sms, sizeof *t->sms);
  t->units = calloc(c->sms + 1, sizeof(struct unit *));
  t->clocks = aligned_alloc(64, t->threads * sizeof *t->clocks);
  t->journal = journal_create();
  if (t->pages == NULL || t->sms == NULL || t->units == NULL || t->clocks == NULL ||
      t->journal == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u SMs", c->sms);
  memset(t->clocks, 0, t->threads * sizeof *t->clocks);
  for (unsigned i = 0; i < c->sms; i++) {
    int status = create_sm(t, i, err);
    if (status != 0)
      return status;
  }
  int status = t->machine->open(t, err);
  if (status == 0)
    status = cta_dispatch_open(t, err);
  return status != 0 ? status : pool_create(t->threads, gpu_parallel, t, &t->pool, err);
}

enum tandem_status tandem_open(const struct tandem_config *c, struct tandem **out,
                               struct tandem_error *err) {
  struct tandem_error ignored;
  *out = NULL;
  if (err == NULL)
    err = &ignored;
  if (check_config(c, err) != 0)
    return TANDEM_USAGE;
  struct tandem *t = aligned_alloc(64, (sizeof *t + 63) & ~(size_t)63);
  if (t == NULL) {
    tandem_fail(err, -ENOMEM, "out of memory");
    return TANDEM_USAGE;
  }
  memset(t, 0, sizeof *t);
  t->config = *c;
  t->config.sm.slices = c->warp_size / ISA_WARP_SIZE;
  t->failed.kind = "";
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  t->threads = c->threads != 0 ? c->threads : processors > 0 ? (unsigned)processors : 1;
  t->machine = machine_of(c);
  const unsigned cells = c->sms / machine_cell_sms(c);
  if (t->threads > cells)
    t->threads = cells;
  if (create_all(t, err) != 0) {
    tandem_close(t);
    return TANDEM_USAGE;
  }
  *out = t;
  return TANDEM_OK;
}

void tandem_close(struct tandem *t) {
  if (t == NULL)
    return;
  pool_destroy(t->pool);
  (void)trace_end(t, NULL);
  if (t->machine->close != NULL && t->sms != NULL)
    t->machine->close(t);
  for (unsigned i = 0; i < t->nunits; i++)
    unit_close(t->units[i]);
  for (unsigned i = 0; t->sms != NULL && i < t->config.sms; i++)
    sm_destroy(t->sms[i].sm);
  pages_destroy(t->pages);
  free(t->units);
  free(t->cells);
  free(t->sms);
  free(t->clocks);
  free((void *)(uintptr_t)t->grid.params); /* of a launch that failed while running again */
  while (t->programs != NULL) {
    struct gpu_program *p = t->programs;
    t->programs = p->next;
    if (p->owned)
      isa_program_free(p->program);
    free(p->code);
    free(p->uops);
    free(p);
  }
  if (t->mem != NULL)
    gpu_mem_destroy(t->mem);
  journal_destroy(t->journal);
  free(t->report);
  free(t);
}

static enum tandem_status usage(int status) { return status == 0 ? TANDEM_OK : TANDEM_USAGE; }

enum tandem_status tandem_alloc(struct tandem *t, uint64_t bytes, uint32_t *address,
                                struct tandem_error *err) {
  int status = gpu_mem_alloc(t->mem, bytes, address, err);
  if (status == 0 && t->journal != NULL && !journal_alloc(t->journal, bytes))
    status = tandem_fail(err, -ENOMEM, "out of memory");
  return usage(status);
}

enum tandem_status tandem_write(struct tandem *t, uint32_t address, const void *from,
                                uint64_t bytes, struct tandem_error *err) {
  int status = gpu_mem_write(t->mem, address, from, bytes, err);
  if (status == 0 && t->journal != NULL && !journal_write(t->journal, address, from, bytes))
    status = tandem_fail(err, -ENOMEM, "out of memory for a copy of what is written");
  return usage(status);
}

enum tandem_status tandem_read(struct tandem *t, uint32_t address, void *to, uint64_t bytes,
                               struct tandem_error *err) {
  return usage(gpu_mem_read(t->mem, address, to, bytes, err));
}

uint64_t tandem_digest(const struct tandem *t) { return gpu_mem_digest(t->mem); }

/* Adds the data segment's address to a MOVI: its 32 bits are {mods[0], src3, src2, src1, imm}. */
static uint64_t relocate_movi(uint64_t word, uint32_t add) {
  struct isa_inst f = isa_unpack(word);
  uint32_t value = (uint32_t)(f.mods & 1U) << 31 | (uint32_t)f.src3 << 26 | (uint32_t)f.src2 << 21 |
                   (uint32_t)f.src1 << 16 | f.imm;
  value += add;
  f.mods = (uint8_t)((f.mods & ~1U) | value >> 31);
  f.src3 = value >> 26 & 31;
  f.src2 = value >> 21 & 31;
  f.src1 = value >> 16 & 31;
  f.imm = (uint16_t)value;
  return isa_pack(f);
}

/* Places data and code in global memory, with relocations applied. */
static int place(struct tandem *t, struct gpu_program *g, struct tandem_error *err) {
  const struct isa_program *p = g->program;
  int status = 0;
  if (p->data_bytes != 0 &&
      (status = gpu_mem_alloc(t->mem, p->data_bytes, &g->data_address, err)) == 0)
    status = gpu_mem_write(t->mem, g->data_address, p->data, p->data_bytes, err);
  memcpy(g->code, p->code, p->ncode * sizeof *g->code);
  for (size_t i = 0; status == 0 && i < p->nrelocs; i++) {
    const struct isa_reloc *r = &p->relocs[i];
    uint32_t word;
    if (r->in_data == 0) {
      if (r->pc < p->ncode)
        g->code[r->pc] = relocate_movi(g->code[r->pc], g->data_address);
    } else if (r->pc + 4U <= p->data_bytes) {
      memcpy(&word, p->data + r->pc, sizeof word);
      word += g->data_address;
      status = gpu_mem_write(t->mem, g->data_address + r->pc, &word, sizeof word, err);
    }
  }
  /* Whole icache lines. */
  const uint64_t bytes = (p->ncode * sizeof *g->code + 127) & ~UINT64_C(127);
  if (status == 0)
    status = gpu_mem_alloc(t->mem, bytes, &g->code_address, err);
  if (status == 0)
    status = gpu_mem_write(t->mem, g->code_address, g->code, p->ncode * sizeof *g->code, err);
  for (size_t i = 0; i < p->ncode; i++)
    isa_uop_decode(g->code[i], &g->uops[i]);
  return status;
}

static enum tandem_status load(struct tandem *t, struct isa_program *program, bool owned,
                               struct tandem_error *err) {
  struct gpu_program *g = calloc(1, sizeof *g);
  if (g != NULL) {
    g->program = program;
    g->code = calloc(program->ncode + 16, sizeof *g->code);
    g->uops = aligned_alloc(64, (program->ncode + 1) * sizeof *g->uops);
  }
  if (g == NULL || g->code == NULL || g->uops == NULL ||
      (t->journal != NULL && !journal_load(t->journal, program))) {
    if (g != NULL)
      free(g->code), free(g->uops);
    free(g);
    if (owned)
      isa_program_free(program);
    return usage(tandem_fail(err, -ENOMEM, "out of memory for a program"));
  }
  g->owned = owned;
  g->next = t->programs;
  t->programs = g;
  return usage(place(t, g, err));
}

enum tandem_status tandem_load(struct tandem *t, struct isa_program *program,
                               struct tandem_error *err) {
  return load(t, program, true, err);
}

enum tandem_status gpu_load_shared(struct tandem *t, struct isa_program *program,
                                   struct tandem_error *err) {
  return load(t, program, false, err);
}

bool tandem_stopped(const struct tandem *t) { return t->stopped; }

const struct tandem_failure *tandem_failure(const struct tandem *t) { return &t->failed; }

const char *tandem_report(const struct tandem *t) { return t->report != NULL ? t->report : ""; }
