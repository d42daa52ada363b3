/* A small GPU for tests: its cycle, and runs to the end of a kernel. */
#include "tests/iss/machine.h"
#include "csim/isa/asm/asm.h"
#include "tests/test.h"

static void ok(int status, const struct tandem_error *err) {
  if (status != 0)
    fail_msg("%s", err->text);
}

void machine_open(struct machine *m, const char *text, unsigned sms, const struct sm_config *config,
                  bool checked) {
  struct tandem_error err = {{0}};
  struct mem_config mc;
  *m = (struct machine){.sms = sms, .checked = checked};
  ok(isa_assemble(text, "test.s", &m->program, &err), &err);
  mem_config_default(&mc);
  m->mem = gpu_mem_create(&mc, sms, &err);
  ok(m->mem == NULL, &err);
  m->pages = pages_create();
  assert_non_null(m->pages);
  m->check = iss_launch_create(sms, &err);
  ok(m->check == NULL, &err);
  for (unsigned i = 0; i < sms; i++) {
    m->sm[i] = sm_create(config, i, gpu_mem_sm(m->mem, i), m->pages, &err);
    ok(m->sm[i] == NULL, &err);
    sm_set_checked(m->sm[i], checked);
    m->iss[i] = iss_create(i, m->pages, &err);
    m->fe[i] = frontend_ref_create();
    assert_non_null(m->iss[i]);
    iss_launch_join(m->check, m->iss[i]);
    iss_set_full(m->iss[i], true);
    assert_non_null(m->fe[i]);
  }
  size_t n = m->program->ncode;
  m->uops = aligned_alloc(64, n * sizeof *m->uops);
  assert_non_null(m->uops);
  for (size_t i = 0; i < n; i++)
    isa_uop_decode(m->program->code[i], &m->uops[i]);
  m->grid.program = m->program;
  m->grid.uops = m->uops;
  m->grid.code = m->program->code;
  m->grid.code_address = machine_alloc(m, (uint32_t)(n * 8 + 256));
  machine_write(m, m->grid.code_address, m->program->code, (uint32_t)(n * 8));
}

uint32_t machine_alloc(struct machine *m, uint32_t bytes) {
  struct tandem_error err = {{0}};
  uint32_t address = 0;
  ok(gpu_mem_alloc(m->mem, bytes, &address, &err), &err);
  return address;
}

void machine_read(struct machine *m, uint32_t address, void *to, uint32_t bytes) {
  struct tandem_error err = {{0}};
  ok(gpu_mem_read(m->mem, address, to, bytes, &err), &err);
}

void machine_write(struct machine *m, uint32_t address, const void *from, uint32_t bytes) {
  struct tandem_error err = {{0}};
  ok(gpu_mem_write(m->mem, address, from, bytes, &err), &err);
}

static void begin(struct machine *m, const char *kernel, const uint32_t dim[3],
                  const uint32_t block[3], const uint32_t *params) {
  struct grid *g = &m->grid;
  g->kernel = isa_program_kernel(m->program, kernel);
  assert_non_null(g->kernel);
  memcpy(g->dim, dim, sizeof g->dim);
  memcpy(g->block, block, sizeof g->block);
  g->threads = block[0] * block[1] * block[2];
  g->warps = (g->threads + ISA_WARP_SIZE - 1) / ISA_WARP_SIZE;
  g->ctas = (uint64_t)dim[0] * dim[1] * dim[2];
  g->sms = m->sms;
  g->shared_bytes = g->kernel->shared_bytes;
  g->params = params;
  g->param_address = machine_alloc(m, g->kernel->param_bytes + 4);
  machine_write(m, g->param_address, params, g->kernel->param_bytes);
  if (g->kernel->local_bytes != 0)
    g->local_address = machine_alloc(m, m->sms * 48 * ISA_WARP_SIZE * g->kernel->local_bytes);
  m->next_cta = 0;
  struct tandem_error err = {{0}};
  struct mem_allocation list[32];
  struct iss_range range[32];
  const size_t n = gpu_mem_allocations(m->mem, list, 32);
  assert_true(n <= 32);
  for (size_t i = 0; i < n; i++)
    range[i] = (struct iss_range){list[i].address, list[i].bytes};
  ok(iss_launch_begin(m->check, g, &(struct iss_global_memory){gpu_mem_bytes(m->mem), range, n},
                      &err),
     &err);
  gpu_mem_begin(m->mem, g);
  for (unsigned i = 0; i < m->sms; i++) {
    sm_begin(m->sm[i], g);
    iss_begin(m->iss[i], g);
  }
}

static void dispatch(struct machine *m) {
  const uint32_t *dim = m->grid.dim;
  for (unsigned i = 0; i < m->sms && m->next_cta < m->grid.ctas; i++) {
    if (!sm_cta_ready(m->sm[i]))
      continue;
    uint32_t n = (uint32_t)m->next_cta++;
    n -= n + 1 == m->skip_cta;
    const uint32_t ctaid[3] = {n % dim[0], n / dim[0] % dim[1], n / dim[0] / dim[1]};
    sm_cta_launch(m->sm[i], ctaid);
    iss_cta(m->iss[i], n, true);
  }
}

/* False to stop. */
static bool step(struct machine *m) {
  bool good = true, idle = true;
  if (m->meddle != NULL)
    m->meddle(m);
  for (unsigned i = 0; i < m->sms; i++) {
    struct sm_frontend_out out;
    frontend_ref_out(m->fe[i], &out);
    sm_mem_step(gpu_mem_sm(m->mem, i), m->cycle);
    sm_step(m->sm[i], m->cycle, &out, &m->in[i]);
    if (m->checked)
      good &= check_retired(m->iss[i], m->sm[i]);
    good &= sm_fault(m->sm[i])->kind == SM_FAULT_NONE;
    if (m->meddle_inputs != NULL)
      m->meddle_inputs(m);
    frontend_ref_step(m->fe[i], &m->in[i]);
    idle &= sm_idle(m->sm[i]);
  }
  if (m->meddle_memory != NULL)
    m->meddle_memory(m);
  gpu_mem_step(m->mem, m->cycle);
  good &= gpu_mem_fault(m->mem)->kind == INST_FAULT_NONE;
  dispatch(m);
  m->cycle++;
  return good && !(idle && m->next_cta == m->grid.ctas && gpu_mem_idle(m->mem));
}

bool machine_run(struct machine *m, const char *kernel, const uint32_t dim[3],
                 const uint32_t block[3], const uint32_t *params, uint64_t cycles) {
  begin(m, kernel, dim, block, params);
  uint64_t end = m->cycle + cycles;
  dispatch(m);
  while (m->cycle < end && step(m))
    ;
  bool good = m->cycle < end && m->next_cta == m->grid.ctas &&
              gpu_mem_fault(m->mem)->kind == INST_FAULT_NONE;
  for (unsigned i = 0; i < m->sms; i++) {
    good &= sm_fault(m->sm[i])->kind == SM_FAULT_NONE && sm_idle(m->sm[i]);
    if (m->checked && good)
      good = iss_finish(m->iss[i]);
  }
  unsigned sm;
  if (m->checked && good)
    good = iss_launch_finish(m->check, &sm);
  m->grid.id++;
  return good;
}

const char *machine_trouble(const struct machine *m, char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  const struct mem_fault *mf = gpu_mem_fault(m->mem);
  if (mf->kind != INST_FAULT_NONE)
    n += (size_t)snprintf(text, size, "memory fault %u at %08x, pc %u\n", mf->kind, mf->address,
                          mf->pc);
  for (unsigned i = 0; i < m->sms && n < size; i++) {
    const struct sm_fault *f = sm_fault(m->sm[i]);
    const struct iss_mismatch *b = iss_mismatch(m->iss[i]);
    if (f->kind != SM_FAULT_NONE)
      n += (size_t)snprintf(text + n, size - n, "SM %u, cycle %llu: %s\n", i,
                            (unsigned long long)f->cycle, f->text);
    if (b->any && n < size)
      n += (size_t)snprintf(text + n, size - n, "SM %u, check: %s; warp %u, pc %u, lane %u\n", i,
                            b->text, b->warp, b->pc, b->lane);
    if (n < size)
      n += (size_t)sm_describe(m->sm[i], text + n, size - n);
  }
  return text;
}

uint64_t machine_instructions(const struct machine *m) {
  uint64_t n = 0;
  for (unsigned i = 0; i < m->sms; i++) {
    struct sm_stats s;
    sm_stats(m->sm[i], &s);
    n += s.warp_instructions;
  }
  return n;
}

void machine_close(struct machine *m) {
  for (unsigned i = 0; i < m->sms; i++) {
    sm_destroy(m->sm[i]);
    frontend_ref_destroy(m->fe[i]);
  }
  iss_launch_destroy(m->check);
  pages_destroy(m->pages);
  gpu_mem_destroy(m->mem);
  isa_program_free(m->program);
  free(m->uops);
}
