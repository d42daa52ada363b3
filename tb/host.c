/* Launch descriptions on a platform in the place of the harness. */
#include "tb/host.h"

#include <errno.h>
#include <stdio.h>

#include "harness/gpu/gpu.h"

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
  wrong = host->launch(host->self, &t->grid);
  t->launches++;
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

struct tandem *tb_open(unsigned sms, const struct tb_host *host) {
  struct tandem_config c;
  struct tandem_error err;
  struct tandem *t;
  gpu_config_default(&c);
  c.sms = sms;
  c.engine = TANDEM_ENGINE_REF; /* of which nothing runs */
  c.iss = false;
  c.threads = 1;
  c.user = (void *)(uintptr_t)host;
  if (tandem_open(&c, &t, &err) != TANDEM_OK)
    fprintf(stderr, "%s\n", err.text);
  return t;
}

void tb_close(struct tandem *t) { tandem_close(t); }

struct gpu_mem *tb_memory(struct tandem *t) {
  return t->mem;
}

bool tb_run(struct tandem *t, const char *path) {
  struct tandem_job *job;
  struct tandem_error err;
  const bool good = tandem_job_open(t, path, &job, &err) == TANDEM_OK &&
                    tandem_job_run(job, &err) == TANDEM_OK &&
                    tandem_job_check(job, &err) == TANDEM_OK;
  if (!good)
    fprintf(stderr, "%s\n", err.text);
  tandem_job_close(job);
  return good;
}

uint64_t tb_digest(const struct tandem *t) { return tandem_digest(t); }
