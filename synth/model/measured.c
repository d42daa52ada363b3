/* Sums of measured activity. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "synth/model/report.h"

void activity_free(struct activity_result *r) {
  free(r->rows);
  free(r->memories);
  free(r->links);
  *r = (struct activity_result){0};
}

unsigned activity_parts(const struct activity_result *r) {
  return r->members > 1 ? r->members + 1 : r->members;
}

struct activity_row activity_sum(const struct activity_result *r, unsigned member) {
  struct activity_row sum = {.member = member};
  for (size_t i = 0; i < r->nrows; i++) {
    const struct activity_row *row = &r->rows[i];
    if (row->member != member)
      continue;
    sum.changes += row->changes * (double)row->nets;
    sum.cells += row->cells;
    sum.nets += row->nets;
    sum.switching_w += row->switching_w;
    sum.internal_w += row->internal_w;
    sum.clock_w += row->clock_w;
    sum.leakage_w += row->leakage_w;
    sum.assumed_w += row->assumed_w;
    sum.gated_w += row->gated_w;
  }
  if (sum.nets != 0)
    sum.changes /= (double)sum.nets;
  return sum;
}

struct activity_memory activity_memory_sum(const struct activity_result *r, unsigned member) {
  struct activity_memory sum = {.member = member};
  for (size_t i = 0; i < r->nmemories; i++) {
    const struct activity_memory *m = &r->memories[i];
    if (m->member != member)
      continue;
    sum.reads += m->reads;
    sum.writes += m->writes;
    sum.access_w += m->access_w;
    sum.leakage_w += m->leakage_w;
    sum.gated_w += m->gated_w;
  }
  return sum;
}

static const struct synth_measured *find_way(const struct synth_report *r, const char *way) {
  for (size_t i = 0; i < r->nmeasured; i++)
    if (strcmp(r->measured[i].way, way) == 0)
      return &r->measured[i];
  return NULL;
}

/* Returns the power in W of the member's instances whose paths have the name in them. */
static double power_of(const struct activity_result *r, unsigned member, const char *name) {
  double w = 0;
  for (size_t i = 0; i < r->nrows; i++) {
    const struct activity_row *row = &r->rows[i];
    if (row->member == member && strstr(row->path, name) != NULL)
      w += row->switching_w + row->internal_w + row->clock_w + row->leakage_w;
  }
  for (size_t i = 0; i < r->nmemories; i++) {
    const struct activity_memory *m = &r->memories[i];
    if (m->member == member && strstr(m->path, name) != NULL)
      w += m->access_w + m->leakage_w;
  }
  return w;
}

bool synth_measured_scoreboards(const struct synth_report *r, double *baseline_w,
                                double *leader_w) {
  const struct synth_measured *baseline = find_way(r, "baseline"),
                              *grouped = find_way(r, "grouped"), *apart = find_way(r, "apart");
  if (baseline == NULL || grouped == NULL || apart == NULL)
    return false;
  *baseline_w = power_of(&baseline->result, 0, "u_scoreboard");
  *leader_w =
      power_of(&apart->result, 0, "u_scoreboard") + power_of(&grouped->result, 0, "u_monitor");
  return true;
}

double synth_measured_flit(const struct synth_report *r) {
  const struct synth_measured *grouped = find_way(r, "grouped");
  uint64_t flits = 0;
  double changes = 0;
  for (size_t i = 0; grouped != NULL && i < grouped->result.nlinks; i++) {
    const struct activity_link *l = &grouped->result.links[i];
    if (!l->up) {
      flits += l->flits;
      changes += (double)l->changes / l->stages;
    }
  }
  return flits != 0 ? changes / (double)flits : NAN;
}
