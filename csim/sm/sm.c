/* The back end of an SM: creation, start of a kernel, queries of its state. */
#include "csim/sm/sm_local.h"

#include "csim/util/pages.h"

#include <errno.h>
#include <stdlib.h>

enum { MEM_QUEUE = 4 };

/* Checks the fields that have no key, and what they require of those with a key. */
static int check_use(const struct sm_config *c, struct tandem_error *err) {
  if (c->slices != 1 &&
      (c->slices > SM_SLICES || c->slices == 3 || c->slices == 0 || c->deep_queues))
    return tandem_fail(err, -EINVAL,
                       "SM configuration: slices is %u, must be 1, 2 or 4, and 1 with deep queues",
                       c->slices);
  if (c->cb_bytes != 0 && (c->slices != 1 || c->deep_queues))
    return tandem_fail(err, -EINVAL,
                       "SM configuration: communication buffers of %u bytes, must be 0 with large "
                       "warps and with deep queues",
                       c->cb_bytes);
  if (c->integer_only > 1)
    return tandem_fail(err, -EINVAL, "SM configuration: integer_only is %u, must be 0 or 1",
                       c->integer_only);
  if (c->deep_queues > 1)
    return tandem_fail(err, -EINVAL, "SM configuration: deep_queues is %u, must be 0 or 1",
                       c->deep_queues);
  if (!c->deep_queues)
    return 0;
  if (c->collectors_mem != SM_MEM_PLACES)
    return tandem_fail(err, -EINVAL, "sm.collectors_mem must be %u in a buddy cluster, not %u",
                       SM_MEM_PLACES, c->collectors_mem);
  for (unsigned i = 0; i < ISA_L_MEM; i++)
    if (c->lat[i].interval > c->lat[i].latency)
      return tandem_fail(err, -EINVAL,
                         "sm.latency.%s must have an interval of at most its latency in a buddy "
                         "cluster, where a pipeline is free when its results are written, not "
                         "latency %u and interval %u",
                         isa_lat_classes[i].key, c->lat[i].latency, c->lat[i].interval);
  return 0;
}
_Static_assert(ISA_L_MEM + 1 == ISA_LATS, "the class of memory instructions is the last");

static void reset_pipelines(struct sm *sm) {
  const uint8_t collectors[SM_CLASSES] = {(uint8_t)sm->config.collectors_mem, 1};
  const uint8_t queues[SM_CLASSES] = {sm->config.deep_queues ? SM_MEM_PLACES : MEM_QUEUE, 0};
  const uint8_t rates[SM_CLASSES] = {1, 1};
  sm_alu_reset(&sm->alu, &sm->config, &sm->shape);
  sm_collect_reset(sm->memq, &sm->shape, collectors, queues, rates, sm->config.banks);
  sm->to_memory = sm->from_memory = (struct sm_path){0};
  sm->completed = NULL;
  sm->lags = 0;
  memset(sm->lag, 0, sizeof sm->lag);
  sm->replay.on = false;
}

struct sm *sm_create(const struct sm_config *config, unsigned index, struct sm_mem *mem,
                     struct pages *pages, struct tandem_error *err) {
  if (sm_config_check(config, NULL, err) != 0 || check_use(config, err) != 0)
    return NULL;
  if (config->cb_bytes != 0 && sm_mem_cb(mem, config->cb_bytes, config->cb_latency, err) != 0)
    return NULL;
  if (config->integer_only) {
    sm_mem_no_shared(mem);
    sm_mem_acknowledged(mem);
  }
  struct sm *sm = pages_take(pages, sizeof *sm);
  if (sm == NULL) {
    (void)tandem_fail(err, -ENOMEM, "no memory for SM %u", index);
    return NULL;
  }
  sm->config = *config;
  sm->config.lat[ISA_L_MEM].latency = 1;
  sm->config.lat[ISA_L_MEM].interval = 1;
  sm->index = index;
  sm->mem = mem;
  for (unsigned slot = 0; config->cb_bytes != 0 && slot < SM_CTAS; slot++)
    sm_mem_role(mem, slot, &sm->cta[slot].spu[SM_REGROLE]);
  sm_set_timing_check(sm, SM_CHECK_PERIOD, SM_CHECK_WINDOW);
  sm_set_shape(sm, NULL);
  reset_pipelines(sm);
  return sm;
}

void sm_destroy(struct sm *sm) {
  if (sm == NULL)
    return;
  sm_pool_free(sm);
  free(sm->decoded);
}

void sm_begin(struct sm *sm, const struct grid *grid) {
  sm->grid = grid;
  sm->fit = sm->shaped ? sm_shape_occupancy(&sm->config, &sm->shape, grid, NULL)
                       : sm_occupancy(&sm->config, grid, NULL);
  sm->begin = true;
  sm->block_event = false; /* nobody takes those of a kernel without blocks to synchronise */
  sm->events = (struct sm_block_events){0};
  reset_pipelines(sm);
  if (!sm_decode(sm))
    sm_raise(sm, SM_FAULT_PROTOCOL, 0, grid->kernel->entry, 0, "host memory is exhausted");
}

void sm_set_checked(struct sm *sm, bool checked) { sm->checked = checked; }

void sm_set_timing_check(struct sm *sm, uint32_t period, uint32_t window) {
  sm->check_period = period; /* a power of two */
  sm->check_window = window;
}

bool sm_idle(const struct sm *sm) {
  return !sm->begin && sm->in_flight == 0 && sm->resident == 0 && sm_mem_idle(sm->mem);
}

/* Returns whether no instruction is in flight whose timing the members of a group must share. */
static bool pipelines_settled(const struct sm *sm) {
  return sm->resolves == 0 && sm_alu_empty(&sm->alu) && sm->memq[0].queue[0].n == 0 &&
         sm->memq[0].collecting.n == 0;
}

bool sm_settled(const struct sm *sm) { return sm->launches == 0 && pipelines_settled(sm); }

static bool same_launches(const struct sm *a, const struct sm *b) {
  if (a->launches != b->launches)
    return false;
  for (unsigned i = 0; i < a->launches; i++)
    if (a->launch[(a->launch_at + i) % SM_WARPS] != b->launch[(b->launch_at + i) % SM_WARPS])
      return false;
  return true;
}

void sm_join(struct sm *sm, const struct sm *leader) {
  if (!pipelines_settled(sm))
    sm_raise(sm, SM_FAULT_PROTOCOL, 0, 0, 0,
             "a group forms again, but this member's pipelines are not empty");
  else if (!same_launches(sm, leader))
    sm_raise(sm, SM_FAULT_PROTOCOL, 0, 0, 0,
             "a group forms again, but this member is to launch other warps than its leader");
}

const struct warp_place *sm_place(const struct sm *sm, unsigned warp) {
  return &sm->warp[warp].place;
}

uint64_t sm_launched_warps(struct sm *sm) {
  uint64_t warps = sm->launched;
  sm->launched = 0;
  return warps;
}

void sm_set_off(struct sm *sm, bool off) { sm->off = off; }

enum sm_inst_stage sm_inst_stage(const struct sm_inst *inst) {
  return (enum sm_inst_stage)inst->state[SM_STATE_STAGE];
}

unsigned sm_slices(const struct sm *sm) { return sm->config.slices; }
