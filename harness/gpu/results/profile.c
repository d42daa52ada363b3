/* The profile of a run.  Each SM has rows of its own, which its thread alone writes; they become
 * rows of the kernel when the launch ends. */
#include "harness/gpu/results/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/core/gpu.h"

/* The counters of one SM in the running launch; all 0 between launches. */
struct of_sm {
  struct sm_profile *sm; /* by PC; behind the last one the row of no instruction */
  struct mem_profile *mem;
  uint32_t room;   /* rows of each */
  bool on;         /* they count */
  uint64_t cycles; /* that its statistics have had before */
};

struct gpu_profile {
  struct gpu_profile_kernel *kernels;
  size_t n;
  size_t running; /* n: none */
  struct of_sm sms[GPU_ALL];
};

void gpu_profile_add(struct gpu_profile_row *to, const struct gpu_profile_row *from) {
#define PROFILE(field, ...) to->sm.field += from->sm.field;
#include "csim/sm/profile.def"
#define PROFILE(field, ...) to->mem.field += from->mem.field;
#include "csim/mem/profile.def"
  for (unsigned i = 0; i < STALL_CODES; i++)
    to->sm.stalls[i] += from->sm.stalls[i];
}

/* The first PC that a launch cannot execute. */
static uint32_t end_of(const struct grid *g) {
  return g->spu != NULL && g->spu->viu_end != 0 ? g->spu->viu_end : g->kernel->end;
}

/* Finds or adds the kernel of the launch.  False: out of memory. */
static bool find_kernel(struct gpu_profile *p, const struct grid *g) {
  const uint32_t entry = g->kernel->entry, end = end_of(g);
  for (p->running = 0; p->running < p->n; p->running++) {
    const struct gpu_profile_kernel *k = &p->kernels[p->running];
    if (k->program == g->program && k->entry == entry && k->end == end)
      return true;
  }
  struct gpu_profile_kernel *more = realloc(p->kernels, (p->n + 1) * sizeof *more);
  if (more == NULL)
    return false;
  p->kernels = more;
  struct gpu_profile_kernel k = {
      .program = g->program, .uops = g->uops, .entry = entry, .end = end};
  k.name = strdup(g->kernel->name);
  k.rows = calloc(end - entry, sizeof *k.rows);
  if (k.name == NULL || k.rows == NULL) {
    free(k.name);
    free(k.rows);
    return false;
  }
  more[p->n++] = k;
  return true;
}

/* Makes room for so many rows. */
static bool make_room(struct of_sm *o, uint32_t rows) {
  if (rows <= o->room)
    return true;
  free(o->sm);
  free(o->mem);
  o->sm = calloc(rows, sizeof *o->sm);
  o->mem = calloc(rows, sizeof *o->mem);
  o->room = o->sm != NULL && o->mem != NULL ? rows : 0;
  return o->room != 0;
}

static bool begin_sm(struct tandem *t, struct of_sm *o, unsigned sm) {
  const uint32_t end = end_of(&t->launch.grid);
  struct sm_stats stats;
  if (!make_room(o, end + 1))
    return false;
  sm_stats(t->sms[sm].sm, &stats);
  o->cycles = stats.cycles;
  o->on = true;
  sm_profile_begin(t->sms[sm].sm, o->sm, end);
  sm_mem_profile(t->sms[sm].mem, o->mem);
  return true;
}

static void end_sms(struct tandem *t) {
  for (unsigned i = 0; i < t->nsms; i++) {
    struct of_sm *o = &t->profile->sms[i];
    if (!o->on)
      continue;
    sm_profile_end(t->sms[i].sm);
    sm_mem_profile(t->sms[i].mem, NULL);
    o->on = false;
  }
}

int profile_begin(struct tandem *t, struct tandem_error *err) {
  if (!t->config.profile)
    return 0;
  if (t->profile == NULL)
    t->profile = calloc(1, sizeof *t->profile);
  bool good = t->profile != NULL && find_kernel(t->profile, &t->launch.grid);
  for (unsigned i = 0; good && i < t->nsms; i++)
    good = begin_sm(t, &t->profile->sms[i], i);
  if (good)
    return 0;
  if (t->profile != NULL) {
    end_sms(t);
    t->profile->running = t->profile->n;
  }
  return tandem_fail(err, -ENOMEM, "out of memory for a profile");
}

/* Cycles that an SM was left out of, or began the kernel in, are idle (statistics.c). */
static uint64_t left_out(const struct tandem *t, unsigned sm) {
  struct sm_stats stats;
  sm_stats(t->sms[sm].sm, &stats);
  return t->cycle - t->launch.start - (stats.cycles - t->profile->sms[sm].cycles);
}

/* Moves the counters of an SM to the kernel. */
static void add_sm(struct gpu_profile_kernel *k, struct of_sm *o) {
  const uint32_t n = k->end - k->entry;
  struct sm_profile *sm = o->sm + k->entry;
  struct mem_profile *mem = o->mem + k->entry;
  for (uint32_t i = 0; i <= n; i++)
    gpu_profile_add(i < n ? &k->rows[i] : &k->none, &(struct gpu_profile_row){sm[i], mem[i]});
  memset(sm, 0, (n + 1) * sizeof *sm);
  memset(mem, 0, (n + 1) * sizeof *mem);
}

void profile_end(struct tandem *t) {
  struct gpu_profile *p = t->profile;
  if (p == NULL || p->running == p->n)
    return;
  struct gpu_profile_kernel *k = &p->kernels[p->running];
  k->launches++;
  k->cycles += t->cycle - t->launch.start;
  end_sms(t);
  for (unsigned i = 0; i < t->nsms; i++) {
    k->none.sm.stalls[STALL_IDLE] += 2 * left_out(t, i);
    add_sm(k, &p->sms[i]);
  }
  p->running = p->n;
}

void profile_free(struct tandem *t) {
  struct gpu_profile *p = t->profile;
  for (unsigned i = 0; p != NULL && i < GPU_ALL; i++) {
    free(p->sms[i].sm);
    free(p->sms[i].mem);
  }
  for (size_t i = 0; p != NULL && i < p->n; i++) {
    free(p->kernels[i].name);
    free(p->kernels[i].rows);
  }
  if (p != NULL)
    free(p->kernels);
  free(p);
}

size_t gpu_profile_kernels(const struct tandem *t) {
  return t->profile != NULL ? t->profile->n : 0;
}

const struct gpu_profile_kernel *gpu_profile_kernel(const struct tandem *t, size_t i) {
  return i < gpu_profile_kernels(t) ? &t->profile->kernels[i] : NULL;
}
