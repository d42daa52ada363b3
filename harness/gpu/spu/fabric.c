/* The fabric of an SPU: its units, and a cycle of theirs. */
#include "harness/gpu/spu/fabric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/cb.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/faults.h"
#include "harness/gpu/host/follow.h"
#include "harness/gpu/spu/border.h"
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/shadow.h"
#include "harness/gpu/spu/sm_side.h"
#include "harness/gpu/spu/viu.h"
#include "harness/gpu/spu/wires.h"

static void (*const wires[SPU_KINDS])(struct tandem *t, struct spu_fabric *f, unsigned i) = {
    [SPU_PAIR] = spu_wire_pair, [SPU_PORT] = spu_wire_port, [SPU_SEQ] = spu_wire_seq,
    [SPU_DMA] = spu_wire_dma,   [SPU_CHAN] = spu_wire_chan, [SPU_GLOBAL] = spu_wire_global,
};

/* ---- open and close ---- */

static struct spu_shape shape_of(const struct tandem_config *c) {
  return spu_shape_of(c->feature.spu.columns, c->feature.spu.rows, c->feature.spu.blocks_x,
                      c->feature.spu.blocks_y);
}

/* Units of each kind. */
static void count_units(const struct spu_shape *s, bool truncated, unsigned counts[SPU_KINDS]) {
  counts[SPU_PAIR] = s->links;
  counts[SPU_PORT] = s->slots + (truncated ? s->lanes : 0);
  counts[SPU_SEQ] = s->slots + s->lanes;
  counts[SPU_DMA] = truncated ? 0 : s->slots + s->lanes;
  counts[SPU_CHAN] = s->px + s->qy;
  counts[SPU_GLOBAL] = 1;
}

static bool is_truncated(const struct tandem_config *c) {
  return c->feature.spu.interface == SPU_INTERFACE_SM;
}

/* Slot (0, 0) has no DMA engine. */
unsigned spu_fabric_units(const struct tandem_config *c) {
  const struct spu_shape s = shape_of(c);
  unsigned counts[SPU_KINDS], n = 0;
  count_units(&s, is_truncated(c), counts);
  for (unsigned k = 0; k < SPU_KINDS; k++)
    n += counts[k];
  return is_truncated(c) ? n : n - 1;
}

/* "slot (1, 0)", "N lane 2", "link H(0, 3)": where the i-th unit of a kind is. */
static void name_of(const struct spu_shape *s, enum spu_kind kind, unsigned i, char name[32]) {
  if (kind == SPU_PAIR)
    spu_link_name(s, i, name);
  else if (kind == SPU_CHAN)
    snprintf(name, 32, "%s %u", i < s->qy ? "row" : "column", i < s->qy ? i : i - s->qy);
  else if (kind == SPU_GLOBAL)
    snprintf(name, 32, "the SPU");
  else
    spu_place_name(s, i, name);
}

static int open_unit(struct tandem *t, struct spu_fabric *f, enum spu_kind kind, unsigned i,
                     struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct unit_type *type = spu_kinds[kind].unit;
  const struct gpu_fault *fault = gpu_fault(c->bug);
  char parameters[32] = "";
  const unsigned words = c->feature.spu.cb_bytes / 4, stores = i < f->shape.slots ? 2 : 1;
  if (kind == SPU_PAIR)
    snprintf(parameters, sizeof parameters, "Words=%u", words);
  else if (kind == SPU_DMA)
    snprintf(parameters, sizeof parameters, "Stores=%u", stores);
  const unsigned numbers[1] = {kind == SPU_PAIR ? words : stores};
  const bool bug = fault != NULL && strcmp(fault->unit, type->name) == 0; /* in all of a kind */
  const struct unit_request r = {.type = type,
                                 .parameters = parameters,
                                 .numbers = numbers,
                                 .bug = bug ? c->bug : 0,
                                 .traced = c->trace != NULL && c->trace_gpu,
                                 .seed = c->seed + t->nunits};
  struct spu_unit *x = spu_unit(f, kind, i);
  x->kind = kind;
  x->u = machine_add_unit(t, &r, err);
  if (x->u == NULL)
    return -ENOMEM;
  name_of(&f->shape, kind, i, x->u->name);
  bitset_put(f->there, f->first[kind] + i, true);
  bitset_put(f->fresh, f->first[kind] + i, true);
  return 0;
}

/* All that is in the fabric. */
static int fill(struct tandem *t, struct spu_fabric *f, const unsigned counts[SPU_KINDS],
                struct tandem_error *err) {
  for (unsigned k = 0; k < SPU_KINDS; k++)
    for (unsigned i = 0; i < counts[k]; i++)
      if (k != SPU_DMA || spu_has_dma(f, i))
        TRY(open_unit(t, f, (enum spu_kind)k, i, err));
  TRY(spu_viu_make(t, &f->viu, err));
  if (!f->truncated)
    TRY(spu_open_memory(t, f, err));
  return spu_shadow_open(t, f, err);
}

struct spu_fabric *spu_fabric_open(struct tandem *t, struct tandem_error *err) {
  struct spu_fabric *f = calloc(1, sizeof *f);
  unsigned counts[SPU_KINDS];
  if (f != NULL) {
    f->shape = shape_of(&t->config);
    f->truncated = is_truncated(&t->config);
    count_units(&f->shape, f->truncated, counts);
    for (unsigned k = 0; k < SPU_KINDS; f->nunits += counts[k], k++)
      f->first[k] = f->nunits;
    f->words = (f->nunits + 63) / 64;
    f->units = calloc(f->nunits, sizeof *f->units);
  }
  if (f == NULL || f->units == NULL) {
    (void)tandem_fail(err, -ENOMEM, "out of memory for the units of an SPU");
    spu_fabric_close(f);
    return NULL;
  }
  if (fill(t, f, counts, err) == 0)
    return f;
  spu_fabric_close(f);
  return NULL;
}

/* The units themselves are closed with those of the GPU. */
void spu_fabric_close(struct spu_fabric *f) {
  if (f == NULL)
    return;
  cb_shadow_destroy(f->shadow);
  isa_program_free(f->viu);
  free(f->clients);
  free(f->units);
  free(f);
}

/* ---- a cycle ---- */

static bool is_quiet(const struct spu_unit *x) {
  const uint64_t *quiet = (const uint64_t *)((const char *)x->u->out + spu_kinds[x->kind].quiet_at);
  return *quiet != 0;
}

/* New outputs, compared. */
static void look(struct tandem *t, struct spu_fabric *f, uint64_t *ticks) {
  BITSET_EACH (i, f->fresh, f->words) {
    struct spu_unit *x = &f->units[i];
    unit_out(x->u, ticks);
    if (x->kind == SPU_PAIR)
      spu_shadow_outputs(f, i - f->first[SPU_PAIR], x->u->out);
    if (!unit_compare(x->u, t->cycle, ticks))
      set_failed(t);
    bitset_put(f->busy, i, !is_quiet(x));
  }
}

static void wire(struct tandem *t, struct spu_fabric *f) {
  BITSET_EACH (i, f->fresh, f->words)
    wires[f->units[i].kind](t, f, i - f->first[f->units[i].kind]);
}

/* A unit's clock edge. */
static void clock_unit(struct tandem *t, struct spu_fabric *f, unsigned i, uint64_t *ticks) {
  struct spu_unit *x = &f->units[i];
  const bool event = bitset_has(f->events, i);
  if (event && x->kind == SPU_PAIR)
    spu_shadow_inputs(t, f, i - f->first[SPU_PAIR], x->u->in);
  unit_step_ref(x->u, ticks);
  follow_edge(&t->follow, x->u, t->cycle, 0);
  if (event)
    spu_kinds[x->kind].settle(x->u->in);
}

/* Clock edges of the units with an event, or that are not quiet; of all without skip_quiet and
 * while waveforms are written. */
static void clock_units(struct tandem *t, struct spu_fabric *f, uint64_t *ticks) {
  const bool all = !t->config.skip_quiet, more = all || t->watch.on || t->watch.traced;
  spu_set active;
  for (unsigned w = 0; w < f->words; w++) {
    active[w] = f->events[w] | f->busy[w];
    f->fresh[w] = 0;
  }
  BITSET_EACH (i, more ? f->there : active, f->words) {
    struct unit *u = f->units[i].u;
    const bool step = all || bitset_has(active, i) || u->trace_open;
    if (u->watched && t->end.failure.kind == FAIL_NONE && (step || !t->watch.clocked))
      unit_record(u, t->cycle, step);
    if (!step)
      continue;
    clock_unit(t, f, i, ticks);
    bitset_put(f->fresh, i, true);
  }
  memset(f->events, 0, sizeof f->events);
}

/* Returns true if all sequencers are done; one that is done stays so until the next launch. */
static bool all_done(struct spu_fabric *f) {
  const unsigned n = spu_places(f);
  while (f->done < n && ((const struct pass_seq_out *)spu_out(f, SPU_SEQ, f->done))->done)
    f->done++;
  return f->done == n;
}

void spu_fabric_step(struct tandem *t, struct spu_fabric *f) {
  if (f->phase == SPU_OFF)
    return;
  uint64_t *ticks = t->time.sampled ? t->time.clocks[0].ticks : NULL;
  look(t, f, ticks);
  wire(t, f);
  if (f->phase == SPU_CONFIG)
    spu_configure(t, f);
  else if (f->phase == SPU_START)
    spu_kernel_start(t, f);
  else
    spu_sm_side(t, f);
  if (!f->truncated)
    spu_memory_side(t, f);
  if (f->observer.look != NULL)
    f->observer.look(f->observer.user, t->cycle, f);
  clock_units(t, f, ticks);
  if (f->phase == SPU_RUNS && f->age++ > 2 && all_done(f)) {
    f->phase = SPU_OFF;
    spu_shadow_end(f);
  }
}
