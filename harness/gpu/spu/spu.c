/* The machine of a stencil processing unit (docs/hardware/spu.md): SMs that work by themselves, in
 * a visible grid, and the fabric between them.  A launch without a description of faces runs as on
 * SMs alone.
 */
#include <errno.h>

#include "csim/isa/lanes/lanes.h"

#include "harness/gpu/core/sms.h"
#include "harness/gpu/results/statistics.h"
#include "harness/gpu/spu/border.h"
#include "harness/gpu/spu/check.h"
#include "harness/gpu/spu/fabric.h"
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/spu.h"
#include "harness/gpu/spu/waits.h"

static bool wanted(const struct tandem_config *c) { return c->feature.spu.columns != 0; }

static void sm_config(const struct tandem_config *c, unsigned number, struct sm_config *sm) {
  sm->cb_bytes = c->feature.spu.cb_bytes;
  sm->cb_latency = c->feature.spu.cb_latency;
  if (number >= c->sms)
    spu_truncate(sm);
}

static int open_all(struct tandem *t, struct tandem_error *err) {
  TRY(sms_open(t, err));
  if ((t->own = spu_fabric_open(t, err)) == NULL)
    return -EINVAL;
  for (unsigned i = t->config.sms; i < t->nsms; i++) {
    struct unit *u = t->cells[i].unit;
    char name[GPU_SM_NAME];
    gpu_sm_name(t, i, name);
    snprintf(u->name, sizeof u->name, "%.39s", name);
  }
  return 0;
}

static void close_all(struct tandem *t) { spu_fabric_close(t->own); }

/* ---- launches ---- */

static int place(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err) {
  struct spu_fabric *f = t->own;
  f->used = l->spu != NULL;
  return f->used ? spu_place(t, f, l->spu, err) : 0;
}

static void drop(struct tandem *t) { spu_drop(t, t->own); }

static void begin(struct tandem *t) {
  struct spu_fabric *f = t->own;
  sms_begin(t);
  if (!f->used)
    return;
  t->launch.dispatch = (struct gpu_dispatch){.own = true};
  f->phase = f->truncated ? SPU_START : SPU_CONFIG;
  f->step = 0;
}

static void step(struct tandem *t) {
  struct spu_fabric *f = t->own;
  if (f->phase == SPU_OFF)
    return;
  spu_fabric_step(t, f);
  t->launch.dispatch.done = f->phase == SPU_OFF;
}

static const char *fault(const struct tandem *t) {
  const struct spu_fabric *f = t->own;
  return *f->fault.text != '\0' ? f->fault.text : NULL;
}

/* Clients of memory are the DMA engines, of which slot (0, 0) has none. */
static void client_name(const struct tandem *t, unsigned client, char *name, size_t size) {
  const struct spu_fabric *f = t->own;
  const unsigned engine = client + 1;
  char place[32];
  spu_place_name(&f->shape, engine, place);
  snprintf(name, size, "DMA engine of %s", place);
}

/* Programs that synchronise blocks have it, with DMA engines too, so that the image in memory does
 * not depend on the interface. */
static const struct isa_program *appendix(const struct tandem *t, const struct isa_program *p) {
  for (size_t i = 0; i < p->ncode; i++) {
    struct isa_uop uop;
    isa_uop_decode(p->code[i], &uop);
    if (uop.id == ISA_BSYNC)
      return ((const struct spu_fabric *)t->own)->viu;
  }
  return NULL;
}

static void statistics(const struct tandem *t, struct gpu_stats *stats) {
  const struct spu_fabric *f = t->own;
  stats->feature.spu = f->counts;
  stats->feature.spu.words_loaded = stats->mem.global_words_loaded - f->border_loaded;
  stats->feature.spu.words_stored = stats->mem.global_words_stored - f->border_stored;
  for (unsigned i = t->config.sms; i < t->nsms; i++) {
    struct sm_stats one;
    sm_stats(t->sms[i].sm, &one);
    stats->feature.spu.border_instructions += one.warp_instructions;
  }
}

const struct machine machine_spu = {.shape = {.name = "SPU",
                                              .wanted = wanted,
                                              .cell_sms = sms_cell_sms,
                                              .more_sms = spu_more_sms,
                                              .sm_config = sm_config,
                                              .units = spu_fabric_units,
                                              .open = open_all,
                                              .close = close_all,
                                              .sm_place = spu_border_sm,
                                              .client_name = client_name},
                                    .launch = {.place = place,
                                               .drop = drop,
                                               .begin = begin,
                                               .ready = sms_ready,
                                               .leads = sms_leads,
                                               .appendix = appendix,
                                               .waits = spu_waits,
                                               .statistics = statistics},
                                    .cycle = {.step = step,
                                              .back_end = sms_back_end,
                                              .quiet = sms_quiet,
                                              .idle = sms_idle,
                                              .waiting = sms_waiting,
                                              .fault = fault}};
