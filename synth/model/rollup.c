/* Sizes of units, summed over all that they contain. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "synth/model/report.h"

double synth_area(const struct synth_size *s) { return s->sequential + s->combinational; }

double synth_gates(const struct synth_report *r, double area) { return area / r->library.nand2; }

void synth_size_add(struct synth_size *to, const struct synth_size *s, double times) {
  const uint64_t n = (uint64_t)times;
  to->cells += n * s->cells;
  to->sequential_cells += n * s->sequential_cells;
  to->clock_gates += n * s->clock_gates;
  to->gated_registers += n * s->gated_registers;
  to->sequential += times * s->sequential;
  to->combinational += times * s->combinational;
  to->memory_bits += n * s->memory_bits;
  to->memories += n * s->memories;
  to->ideal_memories += n * s->ideal_memories;
  to->memory_area += times * s->memory_area;
  to->memory_access_w += times * s->memory_access_w;
  to->memory_leakage_w += times * s->memory_leakage_w;
}

/* Children first: a module never contains itself. */
static void whole(struct synth_report *r, size_t at, bool *done) {
  struct synth_unit *u = &r->units[at];
  if (done[at])
    return;
  /* OpenSTA reports given memories' power for the whole unit: own is that less the children's. */
  u->own.memory_access_w += u->power.macro_internal_w;
  u->own.memory_leakage_w += u->power.macro_leakage_w;
  for (size_t i = 0; i < u->nchildren; i++) {
    const struct synth_power *p = &r->units[u->children[i].unit].power;
    u->own.memory_access_w -= u->children[i].count * p->macro_internal_w;
    u->own.memory_leakage_w -= u->children[i].count * p->macro_leakage_w;
  }
  u->whole = u->own;
  for (size_t i = 0; i < u->nchildren; i++) {
    whole(r, u->children[i].unit, done);
    synth_size_add(&u->whole, &r->units[u->children[i].unit].whole, u->children[i].count);
  }
  done[at] = true;
}

void synth_rollup(struct synth_report *r) {
  bool *done = calloc(r->nunits + 1, sizeof *done);
  for (size_t i = 0; done != NULL && i < r->nunits; i++)
    whole(r, i, done);
  free(done);
}

size_t synth_find(const struct synth_report *r, const struct synth_spec *s, bool flat) {
  for (size_t i = 0; i < r->nunits; i++)
    if (r->units[i].flat == flat && synth_spec_same(&r->units[i].spec, s))
      return i;
  return SIZE_MAX;
}

/* Adds the unit to a list, after all below it. */
static void below(const struct synth_report *r, size_t at, bool *seen, size_t *list, size_t *n) {
  if (seen[at])
    return;
  seen[at] = true;
  for (size_t i = 0; i < r->units[at].nchildren; i++)
    below(r, r->units[at].children[i].unit, seen, list, n);
  list[(*n)++] = at;
}

size_t synth_descendants(const struct synth_report *r, size_t at, size_t *list) {
  bool *seen = calloc(r->nunits, sizeof *seen);
  size_t n = 0;
  if (seen == NULL)
    return 0;
  below(r, at, seen, list, &n);
  free(seen);
  for (size_t i = 0; i < n / 2; i++) {
    const size_t other = list[i];
    list[i] = list[n - 1 - i];
    list[n - 1 - i] = other;
  }
  return n;
}

static double watts(const struct synth_power *p) {
  return p->internal_w + p->switching_w + p->leakage_w;
}

/* Power of the unit's own cells: the unit's total minus that of its instances, at least 0. */
static double own_watts(const struct synth_report *r, const struct synth_unit *u) {
  double w = watts(&u->power);
  for (size_t i = 0; i < u->nchildren; i++)
    w -= u->children[i].count * watts(&r->units[u->children[i].unit].power);
  return w > 0 ? w : 0;
}

static double percent(double part, double of) { return of > 0 ? 100 * part / of : 0; }

static void added_one(const struct synth_report *r, const struct synth_cluster *c,
                      struct synth_added *a) {
  memset(a, 0, sizeof *a);
  memcpy(a->feature, c->feature, sizeof a->feature);
  memcpy(a->variant, c->variant, sizeof a->variant);
  a->members = c->members;
  a->sms = c->sms;
  for (size_t i = 0; i < c->nparts; i++) {
    const struct synth_part *p = &c->parts[i];
    const size_t unit = synth_find(r, &p->spec, false);
    const struct synth_unit *u = &r->units[unit];
    a->shares[a->nshares++] = (struct synth_share){unit, p->count, p->own};
    synth_size_add(&a->cluster, p->own ? &u->own : &u->whole, p->count);
    a->cluster_w += p->count * (p->own ? own_watts(r, u) : watts(&u->power));
  }
  a->baseline_unit = synth_find(r, &c->baseline, false);
  const struct synth_unit *b = &r->units[a->baseline_unit];
  synth_size_add(&a->baseline, &b->whole, c->members);
  a->baseline_w = c->members * watts(&b->power);
  a->area = synth_area(&a->cluster) - synth_area(&a->baseline);
  a->memory_bits = (int64_t)a->cluster.memory_bits - (int64_t)a->baseline.memory_bits;
  a->memory_area = a->cluster.memory_area - a->baseline.memory_area;
  a->percent = percent(a->area, synth_area(&a->baseline));
  a->memory_percent = percent((double)a->memory_bits, (double)a->baseline.memory_bits);
  a->power_percent = percent(a->cluster_w - a->baseline_w, a->baseline_w);
}

int synth_added_all(struct synth_report *r, const struct synth_designs *d, const char *feature,
                    struct tandem_error *err) {
  r->added = calloc(d->nclusters + 1, sizeof *r->added);
  if (r->added == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < d->nclusters; i++)
    if (feature == NULL || strcmp(feature, d->clusters[i].feature) == 0)
      added_one(r, &d->clusters[i], &r->added[r->nadded++]);
  return 0;
}

void synth_memory_add(struct synth_size *to, const struct synth_memory *m, double mhz) {
  const double n = (double)m->count;
  to->memory_bits += m->count * m->words * m->width;
  to->memories += m->count;
  to->ideal_memories += m->source == SYNTH_IDEAL ? m->count : 0;
  to->memory_area += n * m->macro.area_um2;
  /* pJ at MHz are uW. */
  to->memory_access_w +=
      n * (m->reads + m->writes) * SYNTH_ACTIVITY * m->macro.access_pj * mhz * 1e-6;
  to->memory_leakage_w += n * m->macro.leakage_uw * 1e-6;
}
