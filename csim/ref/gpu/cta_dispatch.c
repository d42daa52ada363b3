/* Reference of rtl/gpu/cta_dispatch.sv. */
#include "csim/ref/gpu/cta_dispatch.h"

enum { SMS = 64 };

/* SMs that take CTAs together. */
struct cta_group {
  unsigned first, size;
  uint64_t members;
};

/* The group that begins at the first enabled SM from `sm` on; false if there is none. */
static bool next_group(const struct cta_dispatch_in *in, unsigned sm, struct cta_group *g) {
  while (sm < SMS && (in->enabled >> sm & 1) == 0)
    sm++;
  *g = (struct cta_group){.first = sm};
  if (sm == SMS)
    return false;
  do {
    g->members |= UINT64_C(1) << sm;
    g->size++;
    sm++;
  } while (sm < SMS && (in->enabled >> sm & 1) != 0 && (in->lead >> sm & 1) == 0);
  return true;
}

static uint64_t give(const struct cta_dispatch_ref *d, const struct cta_dispatch_in *in) {
  uint64_t given = 0;
  uint32_t left = d->ctas - d->next;
  struct cta_group g;
  if ((in->ready & in->enabled) == 0)
    return 0;
  for (unsigned sm = 0; left != 0 && next_group(in, sm, &g); sm = g.first + g.size) {
    if ((in->ready & g.members) != g.members || g.size > left)
      continue;
    given |= g.members;
    left -= g.size;
  }
  return given;
}

/* The lead of the group to be split; 0: none. */
static uint64_t split(const struct cta_dispatch_ref *d, const struct cta_dispatch_in *in) {
  const uint32_t left = d->ctas - d->next;
  uint64_t idle = 0;
  struct cta_group g;
  if (left == 0 || left >= SMS || d->asked)
    return 0;
  for (unsigned sm = 0; next_group(in, sm, &g); sm = g.first + g.size) {
    if (g.size <= left)
      return 0; /* it will take them when it is ready */
    if (idle == 0 && (in->idle & g.members) == g.members)
      idle = UINT64_C(1) << g.first;
  }
  return idle;
}

/* CTAs that are left when every cluster has taken as many as it has members, again and again. */
static unsigned residue(const struct cta_dispatch_in *in) {
  const unsigned members = (unsigned)in->cluster + 1;
  return in->adaptive ? (uint32_t)in->ctas % members : 0;
}

void cta_dispatch_ref_reset(struct cta_dispatch_ref *d) { *d = (struct cta_dispatch_ref){0}; }

void cta_dispatch_ref_eval(const struct cta_dispatch_ref *d, const struct cta_dispatch_in *in,
                           struct cta_dispatch_out *out) {
  *out = (struct cta_dispatch_out){.first = d->next, .done = d->next == d->ctas, .form = d->form};
  if (in->kernel_start)
    return;
  out->give = give(d, in);
  out->split = split(d, in);
}

void cta_dispatch_ref_step(struct cta_dispatch_ref *d, const struct cta_dispatch_in *in) {
  struct cta_dispatch_out out;
  cta_dispatch_ref_eval(d, in, &out);
  d->next += (uint32_t)__builtin_popcountll(out.give);
  d->asked = d->asked || out.split != 0;
  if (in->kernel_start)
    *d = (struct cta_dispatch_ref){.ctas = (uint32_t)in->ctas, .form = residue(in)};
}

void cta_dispatch_ref_view(const struct cta_dispatch_ref *d, struct cta_dispatch_view *view) {
  *view = (struct cta_dispatch_view){
      .next = {d->next}, .left = {d->ctas - d->next}, .asked = {d->asked}, .form = {d->form}};
}
