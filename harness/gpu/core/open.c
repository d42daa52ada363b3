/* A GPU: open and close, device memory, how it ended. */
#include "harness/gpu/core/open.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/gpu/core/cell.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/journal.h"
#include "harness/gpu/core/launch.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/core/program.h"
#include "harness/gpu/faults.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/host/follow.h"

int gpu_check(const struct tandem_config *c, struct tandem_error *err) {
  TRY(gpu_config_check(c, NULL, err));
  if (c->sm.shared_bytes > c->mem.shared_bytes)
    return tandem_fail(
        err, -EINVAL,
        "sm.shared_bytes, which CTAs share out, is %u, above memory.shared_bytes (%u)",
        c->sm.shared_bytes, c->mem.shared_bytes);
  if (c->engine == TANDEM_ENGINE_REF && c->bug != 0)
    return tandem_fail(err, -EINVAL, "a fault needs the RTL: engine rtl or lockstep");
  if (c->engine == TANDEM_ENGINE_REF && (c->rtl != NULL || c->instead != NULL))
    return tandem_fail(
        err, -EINVAL,
        "engine ref runs no RTL: another RTL or netlist is for engine rtl or lockstep");
  if (c->bug != 0 && !gpu_has_fault(c, c->bug))
    return tandem_fail(err, -EINVAL, "there is no fault %u (`tandem bugs --list`)", c->bug);
  TRY(machine_check(c, err));
  if (c->bug != 0 && c->bug_sm >= machine_all_sms(c))
    return tandem_fail(err, -EINVAL, "there is no SM %u to put the fault in: there are %u",
                       c->bug_sm, machine_all_sms(c));
  return 0;
}

/* The models of an SM. */
static int create_sm(struct tandem *t, unsigned i, struct tandem_error *err) {
  struct gpu_sm *s = &t->sms[i];
  struct sm_config config = t->config.sm;
  config.barrier_check = t->config.barrier_check ? 1 : 0;
  features_sm_config(&t->config, i, &config);
  if (t->machine->shape.sm_config != NULL)
    t->machine->shape.sm_config(&t->config, i, &config);
  s->mem = gpu_mem_sm(t->mem, i);
  s->sm = sm_create(&config, i, s->mem, t->pages, err);
  if (s->sm == NULL)
    return -EINVAL;
  s->sm_fault = sm_fault(s->sm);
  sm_set_checked(s->sm, t->config.iss);
  if (!t->config.iss)
    return 0;
  s->iss = iss_create(i, t->pages, err);
  if (s->iss == NULL)
    return -ENOMEM;
  iss_set_full(s->iss, t->config.check == TANDEM_CHECK_FULL);
  iss_launch_join(t->check, s->iss);
  return 0;
}

static bool beside(void *tandem, unsigned thread) {
  return follow_beside(&((struct tandem *)tandem)->follow, thread);
}

static int create_all(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  t->mem = gpu_mem_create(&c->mem, t->nsms, err);
  if (t->mem == NULL)
    return -EINVAL;
  t->pages = pages_create();
  t->sms = calloc(t->nsms, sizeof *t->sms);
  const unsigned own = t->machine->shape.units != NULL ? t->machine->shape.units(c) : 0;
  t->units = calloc(t->nsms + own + gpu_units_count(), sizeof(struct unit *));
  t->time.clocks = aligned_alloc(64, t->threads.n * sizeof *t->time.clocks);
  t->journal = journal_create();
  if (t->pages == NULL || t->sms == NULL || t->units == NULL || t->time.clocks == NULL ||
      t->journal == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u SMs", t->nsms);
  if (c->iss && (t->check = iss_launch_create(t->nsms, err)) == NULL)
    return -ENOMEM;
  if (c->races && c->iss)
    iss_list_races(t->check);
  memset(t->time.clocks, 0, t->threads.n * sizeof *t->time.clocks);
  for (unsigned i = 0; i < t->nsms; i++)
    TRY(create_sm(t, i, err));
  t->follow = (struct gpu_follow){.units = t->units,
                                  .block = follow_wanted(c) ? c->rtl_block : 0,
                                  .threads = &t->threads,
                                  .time = &t->time,
                                  .trouble = &t->end.trouble};
  TRY(t->machine->shape.open(t, err));
  TRY(gpu_units_open(t, err));
  TRY(units_load(t->units, t->nunits, c->instead, err));
  const struct pool_work work = {
      .threads = t->threads.n, .cycle = gpu_parallel, .beside = beside, .context = t};
  return pool_create(&work, &t->threads.pool, err);
}

/* Makes the GPU of t->config, in memory that is 0 but for it. */
static int begin(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  features_settle(&t->config);
  t->end.failed.kind = "";
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned threads = c->threads != 0 ? c->threads : processors > 0 ? (unsigned)processors : 1;
  t->machine = machine_of(c);
  t->nsms = machine_all_sms(c);
  const unsigned cells = t->nsms / machine_cell_sms(c), most = follow_wanted(c) ? 2 * cells : cells;
  if (threads > most)
    threads = most;
  if (c->races) /* the list is that of one order of the SMs */
    threads = 1;
  threads_open(&t->threads, threads, follow_wanted(c), c->together);
  return create_all(t, err);
}

/* Frees all but the configuration's texts. */
static void end(struct tandem *t) {
  pool_destroy(t->threads.pool);
  if (t->machine->shape.close != NULL && t->sms != NULL)
    t->machine->shape.close(t);
  for (unsigned i = 0; i < t->nunits; i++)
    unit_close(t->units[i]);
  for (unsigned i = 0; t->sms != NULL && i < t->nsms; i++)
    sm_destroy(t->sms[i].sm);
  iss_launch_destroy(t->check);
  pages_destroy(t->pages);
  free(t->units);
  free(t->cells);
  free(t->sms);
  free(t->time.clocks);
  free((void *)(uintptr_t)t->launch.grid.params); /* of a launch that failed while running again */
  gpu_unload(t);
  gpu_results.drop(t);
  if (t->mem != NULL)
    gpu_mem_destroy(t->mem);
  journal_destroy(t->journal);
  free(t->end.report);
}

int gpu_open(const struct tandem_config *c, struct tandem **out, struct tandem_error *err) {
  struct tandem *t = aligned_alloc(64, (sizeof *t + 63) & ~(size_t)63);
  struct tandem_error ignored;
  *out = NULL;
  if (err == NULL)
    err = &ignored;
  if (t != NULL) {
    memset(t, 0, sizeof *t);
    t->config = *c;
  }
  if (t == NULL || !config_own_texts(&t->config)) {
    free(t);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  const int status = begin(t, err);
  if (status == 0)
    *out = t;
  else
    gpu_close(t);
  return status;
}

void gpu_close(struct tandem *t) {
  if (t == NULL)
    return;
  end(t);
  config_free_texts(&t->config);
  free(t);
}

enum tandem_status gpu_replay(const struct journal *j, struct tandem *t, struct tandem_error *err) {
  enum tandem_status status = TANDEM_OK;
  for (size_t i = 0; status == TANDEM_OK && i < j->n; i++) {
    const struct journal_entry *e = &j->entries[i];
    struct tandem_launch launch = e->launch;
    const struct tandem_program *program;
    uint32_t address;
    switch (e->kind) {
    case JOURNAL_ALLOC:
      status = tandem_alloc(t, e->bytes, &address, err);
      break;
    case JOURNAL_WRITE:
      status = tandem_write(t, e->address, e->data, e->bytes, err);
      break;
    case JOURNAL_LOAD:
      status = gpu_load(t, e->program, false, &program, err);
      break;
    case JOURNAL_LAUNCH:
      launch.args = e->data;
      status = gpu_launch(t, &launch, err);
      break;
    }
  }
  return status;
}

int gpu_repeat(struct tandem *t, struct tandem_error *err) {
  struct tandem *before = aligned_alloc(64, (sizeof *t + 63) & ~(size_t)63);
  if (before == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  pool_destroy(t->threads.pool);
  t->threads.pool = NULL;
  *before = *t;
  memset(t, 0, sizeof *t);
  t->config = before->config;
  t->config.rtl_block = 1;
  t->config.lookahead = 1;
  t->config.on_progress = NULL;
  const int status = begin(t, err);
  if (status == 0) {
    journal_destroy(t->journal);
    t->journal = NULL;
    (void)gpu_replay(before->journal, t, err);
    t->config = before->config;
    t->journal = before->journal;
    gpu_keep(t, before->programs); /* the host has them */
    before->journal = NULL;
    before->programs = NULL;
    end(before);
  } else {
    end(t);
    *t = *before;
  }
  free(before);
  return status;
}

const char *tandem_version(void) {
#define TEXT(x) #x
#define VERSION(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)
  return VERSION(TANDEM_VERSION_MAJOR, TANDEM_VERSION_MINOR, TANDEM_VERSION_PATCH);
#undef VERSION
#undef TEXT
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
  if (from == NULL && bytes != 0)
    return usage(tandem_fail(err, -EINVAL, "memory: there are no bytes to write at NULL"));
  int status = gpu_mem_write(t->mem, address, from, bytes, err);
  if (status == 0 && t->journal != NULL && !journal_write(t->journal, address, from, bytes))
    status = tandem_fail(err, -ENOMEM, "out of memory for a copy of what is written");
  return usage(status);
}

enum tandem_status tandem_read(struct tandem *t, uint32_t address, void *to, uint64_t bytes,
                               struct tandem_error *err) {
  if (to == NULL && bytes != 0)
    return usage(tandem_fail(err, -EINVAL, "memory: there is no place to read to at NULL"));
  return usage(gpu_mem_read(t->mem, address, to, bytes, err));
}

uint64_t tandem_digest(const struct tandem *t) { return gpu_mem_digest(t->mem); }

bool gpu_observe(struct tandem *t,
                 int (*look)(struct tandem *t, void *own, struct tandem_error *err), void *own) {
  if (t->nobservers == GPU_OBSERVERS)
    return false;
  for (unsigned i = 0; i < t->nunits; i++) /* it sees the cycle of a failure as the last one */
    t->units[i]->follows = false;
  t->observers[t->nobservers++] = (struct gpu_observer){look, own};
  return true;
}

const struct tandem_config *gpu_config(const struct tandem *t) { return &t->config; }

bool tandem_stopped(const struct tandem *t) { return t->launch.stopped; }

const struct tandem_failure *tandem_failure(const struct tandem *t) { return &t->end.failed; }

const char *tandem_report(const struct tandem *t) {
  return t->end.report != NULL ? t->end.report : "";
}
