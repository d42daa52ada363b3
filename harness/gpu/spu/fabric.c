/* The fabric of an SPU: its units, and a cycle of theirs. */
#include "harness/gpu/spu/fabric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/mem/cb.h"
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/shadow.h"
#include "harness/gpu/spu/wires.h"

static const struct wire {
  void (*out)(struct tandem *t, struct spu_fabric *f, unsigned i);
} wires[SPU_KINDS] = {
    [SPU_PAIR] = {spu_wire_pair}, [SPU_PORT] = {spu_wire_port}, [SPU_SEQ] = {spu_wire_seq},
    [SPU_DMA] = {spu_wire_dma},   [SPU_CHAN] = {spu_wire_chan}, [SPU_GLOBAL] = {spu_wire_global},
};

/* ---- open and close ---- */

static struct spu_shape shape_of(const struct tandem_config *c) {
  return spu_shape_of(c->spu_columns, c->spu_rows, c->spu_blocks_x, c->spu_blocks_y);
}

/* Units of each kind. */
static void count_units(const struct spu_shape *s, unsigned counts[SPU_KINDS]) {
  counts[SPU_PAIR] = s->links;
  counts[SPU_PORT] = s->slots;
  counts[SPU_SEQ] = s->slots + s->lanes;
  counts[SPU_DMA] = s->slots + s->lanes;
  counts[SPU_CHAN] = s->px + s->qy;
  counts[SPU_GLOBAL] = 1;
}

unsigned spu_fabric_units(const struct tandem_config *c) {
  const struct spu_shape s = shape_of(c);
  unsigned counts[SPU_KINDS], n = 0;
  count_units(&s, counts);
  for (unsigned k = 0; k < SPU_KINDS; k++)
    n += counts[k];
  return n - 1; /* slot (0, 0) has no DMA engine */
}

/* "slot (1, 0)", "N lane 2", "link H(0, 3)": where the i-th unit of a kind is. */
static void name_of(const struct spu_shape *s, enum spu_kind kind, unsigned i, char name[32]) {
  if (kind == SPU_PAIR)
    spu_link_name(s, i, name);
  else if (kind == SPU_CHAN)
    snprintf(name, 32, "%s %u", i < s->qy ? "row" : "column", i < s->qy ? i : i - s->qy);
  else if (kind == SPU_GLOBAL)
    snprintf(name, 32, "the SPU");
  else if (i < s->slots)
    spu_slot_name(s, i, name);
  else
    spu_lane_name(s, i - s->slots, name);
}

static int open_unit(struct tandem *t, struct spu_fabric *f, enum spu_kind kind, unsigned i,
                     struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct unit_type *type = spu_kinds[kind].unit;
  const char *faulty = gpu_fault_unit(c->bug);
  char parameters[32] = "";
  const unsigned words = c->cb_bytes / 4, stores = i < f->shape.slots ? 2 : 1;
  if (kind == SPU_PAIR)
    snprintf(parameters, sizeof parameters, "Words=%u", words);
  else if (kind == SPU_DMA)
    snprintf(parameters, sizeof parameters, "Stores=%u", stores);
  const unsigned numbers[1] = {kind == SPU_PAIR ? words : stores};
  const bool bug = faulty != NULL && strcmp(faulty, type->name) == 0; /* in all of a kind */
  const struct unit_request r = {.type = type,
                                 .parameters = parameters,
                                 .numbers = numbers,
                                 .bug = bug ? c->bug : 0,
                                 .traced = c->trace != NULL && c->trace_gpu,
                                 .seed = c->seed + t->nunits};
  struct spu_unit *x = spu_unit(f, kind, i);
  x->kind = kind;
  x->u = unit_open(&r, c, err);
  if (x->u == NULL)
    return -ENOMEM;
  name_of(&f->shape, kind, i, x->u->name);
  x->u->index = t->nunits;
  t->units[t->nunits++] = x->u;
  return 0;
}

struct spu_fabric *spu_fabric_open(struct tandem *t, struct tandem_error *err) {
  struct spu_fabric *f = calloc(1, sizeof *f);
  unsigned counts[SPU_KINDS];
  int status = 0;
  if (f != NULL) {
    f->shape = shape_of(&t->config);
    f->nunits = spu_fabric_units(&t->config) + 1;
    f->units = calloc(f->nunits, sizeof *f->units);
  }
  if (f == NULL || f->units == NULL) {
    (void)tandem_fail(err, -ENOMEM, "out of memory for the units of an SPU");
    spu_fabric_close(f);
    return NULL;
  }
  count_units(&f->shape, counts);
  for (unsigned k = 0, first = 0; k < SPU_KINDS; first += counts[k], k++)
    f->first[k] = first;
  for (unsigned k = 0; k < SPU_KINDS; k++)
    for (unsigned i = 0; status == 0 && i < counts[k]; i++)
      if (k != SPU_DMA || spu_has_dma(f, i))
        status = open_unit(t, f, (enum spu_kind)k, i, err);
  if (status == 0)
    status = spu_open_memory(t, f, err);
  if (status == 0)
    status = spu_shadow_open(t, f, err);
  if (status == 0)
    return f;
  spu_fabric_close(f);
  return NULL;
}

/* The units themselves are closed with those of the GPU. */
void spu_fabric_close(struct spu_fabric *f) {
  if (f == NULL)
    return;
  cb_shadow_destroy(f->shadow);
  free(f->clients);
  free(f->units);
  free(f);
}

/* ---- a cycle ---- */

static void trouble_unless(struct tandem *t, bool good) {
  if (!good)
    atomic_store_explicit(&t->trouble, true, memory_order_relaxed);
}

/* New outputs, compared. */
static void look(struct tandem *t, struct spu_fabric *f) {
  for (unsigned i = 0; i < f->nunits; i++) {
    struct spu_unit *x = &f->units[i];
    x->fresh = x->u != NULL && x->u->fresh;
    if (!x->fresh)
      continue;
    unit_out(x->u, NULL);
    if (x->kind == SPU_PAIR)
      spu_shadow_outputs(f, i - f->first[SPU_PAIR], x->u->out);
    trouble_unless(t, unit_compare(x->u, t->cycle, NULL));
  }
}

static void wire(struct tandem *t, struct spu_fabric *f) {
  for (unsigned i = 0; i < f->nunits; i++)
    if (f->units[i].fresh)
      wires[f->units[i].kind].out(t, f, i - f->first[f->units[i].kind]);
}

/* Clock edges of the units with an event, or that are not quiet; of all without skip_quiet. */
static void clock_units(struct tandem *t, struct spu_fabric *f) {
  for (unsigned i = 0; i < f->nunits; i++) {
    struct spu_unit *x = &f->units[i];
    if (x->u == NULL)
      continue;
    const struct spu_kind_type *type = &spu_kinds[x->kind];
    const uint64_t *quiet = (const uint64_t *)((const char *)x->u->out + type->quiet_at);
    const bool step = x->event || !*quiet || !t->config.skip_quiet || x->u->trace_open;
    if (x->u->watched && t->failure.kind == FAIL_NONE && (step || !t->watch.clocked))
      unit_record(x->u, t->cycle, step);
    if (!step)
      continue;
    if (x->event && x->kind == SPU_PAIR)
      spu_shadow_inputs(t, f, i - f->first[SPU_PAIR], x->u->in);
    unit_step_ref(x->u, NULL);
    trouble_unless(t, unit_step_rtl(x->u, t->cycle, NULL));
    if (x->event)
      type->settle(x->u->in);
    x->event = false;
  }
}

static bool all_done(struct spu_fabric *f) {
  for (unsigned i = 0; i < f->shape.slots + f->shape.lanes; i++)
    if (!((const struct pass_seq_out *)spu_out(f, SPU_SEQ, i))->done)
      return false;
  return true;
}

void spu_fabric_step(struct tandem *t, struct spu_fabric *f) {
  if (f->phase == SPU_OFF)
    return;
  look(t, f);
  wire(t, f);
  if (f->phase == SPU_CONFIG)
    spu_configure(t, f);
  else if (f->phase == SPU_START)
    spu_kernel_start(t, f);
  else
    spu_sm_side(t, f);
  spu_memory_side(t, f);
  clock_units(t, f);
  if (f->phase == SPU_RUNS && f->age++ > 2 && all_done(f)) {
    f->phase = SPU_OFF;
    spu_shadow_end(f);
  }
}
