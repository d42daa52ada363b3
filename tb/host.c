/* Launch descriptions on a platform in the place of the harness. */
#include "tb/host.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "csim/util/expression.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/grid.h"
#include "harness/gpu/core/machine.h"

/* The linker puts these in the place of the library's (--wrap). */
enum tandem_status __wrap_tandem_launch(struct tandem *t, const struct tandem_launch *launch,
                                        struct tandem_error *err);
enum tandem_status __wrap_tandem_write(struct tandem *t, uint32_t address, const void *from,
                                       uint64_t bytes, struct tandem_error *err);
enum tandem_status __wrap_tandem_read(struct tandem *t, uint32_t address, void *to, uint64_t bytes,
                                      struct tandem_error *err);

static enum tandem_status outcome(const char *wrong, enum tandem_status bad,
                                  struct tandem_error *err) {
  if (wrong == NULL)
    return TANDEM_OK;
  tandem_fail(err, -EIO, "%s", wrong);
  return bad;
}

enum tandem_status __wrap_tandem_launch(struct tandem *t, const struct tandem_launch *launch,
                                        struct tandem_error *err) {
  const struct tb_host *host = t->config.user;
  const char *wrong = NULL;
  if (gpu_grid_make(t, launch, err) != 0) {
    gpu_grid_drop(t);
    return TANDEM_USAGE;
  }
  wrong = host->launch(host->self, &t->launch.grid);
  t->launch.count++;
  gpu_grid_drop(t);
  return outcome(wrong, TANDEM_FAULT, err);
}

enum tandem_status __wrap_tandem_write(struct tandem *t, uint32_t address, const void *from,
                                       uint64_t bytes, struct tandem_error *err) {
  const struct tb_host *host = t->config.user;
  return outcome(host->transfer(host->self, true, address, (void *)(uintptr_t)from, bytes),
                 TANDEM_USAGE, err);
}

enum tandem_status __wrap_tandem_read(struct tandem *t, uint32_t address, void *to, uint64_t bytes,
                                      struct tandem_error *err) {
  const struct tb_host *host = t->config.user;
  return outcome(host->transfer(host->self, false, address, to, bytes), TANDEM_USAGE, err);
}

bool tb_parameter(struct tb_job *job, char *text) {
  struct tandem_parameter *p = &job->parameters[job->nparameters];
  struct tandem_error err;
  char *value = strchr(text, '=');
  if (value == NULL || job->nparameters == sizeof job->parameters / sizeof *p)
    return false;
  if (expression_whole(value + 1, NULL, &p->value, &err) != 0) {
    fprintf(stderr, "--param %s: %s\n", text, err.text);
    return false;
  }
  *value = '\0';
  p->name = text;
  job->nparameters++;
  return true;
}

/* The SMs' communication buffers, for which the back ends here do not ask (tb/renamed.h). */
static enum tandem_status give_buffers(struct tandem *t, struct tandem_error *err) {
  struct sm_config config;
  int status = 0;
  tb_sm_config(t, &config);
  for (unsigned i = 0; config.cb_bytes != 0 && status == 0 && i < t->config.sms; i++)
    status = sm_mem_cb(gpu_mem_sm(t->mem, i), config.cb_bytes, config.cb_latency, err);
  return status == 0 ? TANDEM_OK : TANDEM_USAGE;
}

/* The benches' front ends are verilated with the parameters that the RTL has by itself. */
static enum tandem_status check_front_end(const struct tandem_config *c, struct tandem_error *err) {
  enum { ENTRIES = 2 };
  if (c->sm.ibuffer_entries == ENTRIES)
    return TANDEM_OK;
  (void)tandem_fail(err, 0,
                    "sm.ibuffer_entries must be %u in a SystemC test bench, whose front ends are "
                    "verilated with as many, not %u",
                    ENTRIES, c->sm.ibuffer_entries);
  return TANDEM_USAGE;
}

struct tandem *tb_open(unsigned sms, struct tb_job *job, const struct tb_host *host) {
  struct tandem_config c;
  struct tandem_error err;
  struct tandem *t = NULL;
  gpu_config_default(&c);
  if (sms != 0)
    c.sms = sms;
  enum tandem_status status =
      tandem_job_read(job->path, job->parameters, job->nparameters, &job->read, &err);
  if (status == TANDEM_OK && sms == 0)
    status = job->gpu != NULL ? tandem_config_load(&c, job->gpu, &err)
                              : tandem_job_config(job->read, &c, &err);
  if (status == TANDEM_OK)
    status = check_front_end(&c, &err);
  c.engine = TANDEM_ENGINE_REF; /* of which nothing runs */
  c.iss = false;
  c.threads = 1;
  c.user = (void *)(uintptr_t)host;
  if (status == TANDEM_OK)
    status = tandem_open(&c, &t, &err);
  if (status == TANDEM_OK)
    status = give_buffers(t, &err);
  if (status != TANDEM_OK) {
    fprintf(stderr, "%s\n", err.text);
    tandem_job_close(job->read);
    tandem_close(t);
    t = NULL;
  }
  return t;
}

void tb_close(struct tandem *t) { tandem_close(t); }

struct gpu_mem *tb_memory(struct tandem *t) {
  return t->mem;
}

void tb_sm_config(const struct tandem *t, struct sm_config *config) {
  *config = t->config.sm;
  config->barrier_check = t->config.barrier_check ? 1 : 0;
  if (t->machine->shape.sm_config != NULL)
    t->machine->shape.sm_config(&t->config, 0, config);
}

bool tb_lrr(const struct tandem *t) { return t->config.scheduler == TANDEM_LRR; }

uint64_t tb_max_cycles(const struct tandem *t) { return t->config.max_cycles; }

bool tb_run(struct tandem *t, struct tb_job *job) {
  struct tandem_error err;
  const bool good = tandem_job_bind(job->read, t, &err) == TANDEM_OK &&
                    tandem_job_run(job->read, &err) == TANDEM_OK &&
                    tandem_job_check(job->read, &err) == TANDEM_OK;
  if (!good)
    fprintf(stderr, "%s\n", err.text);
  tandem_job_close(job->read);
  job->read = NULL;
  return good;
}

uint64_t tb_digest(const struct tandem *t) { return tandem_digest(t); }
