/* The last cycles of a unit's ports, as tables of a report. */
#include "harness/report/report_ports.h"
#include "csim/isa/asm/asm.h"

#include <inttypes.h>
#include <string.h>

static uint64_t value_of(const void *ports, const struct port_desc *p) {
  uint64_t v;
  memcpy(&v, (const char *)ports + p->offset, sizeof v);
  return v;
}

static unsigned records(const struct gpu_watch *w) {
  return w->filled < HISTORY ? w->filled : HISTORY;
}

static const struct port_record *record(const struct gpu_watch *w, unsigned i) {
  return &w->ring[(w->filled - records(w) + i) % HISTORY];
}

const struct port_record *report_last(const struct gpu_watch *w) {
  return &w->ring[(w->filled - 1) % HISTORY];
}

/* Columns of a table: the ports that say something in the recorded cycles, with their widths. */
struct columns {
  const struct port_desc *table;
  bool shown[PORTS_MAX];
  int width[PORTS_MAX];
};

static void add_row(struct columns *c, const void *ports, const bool *valid) {
  for (unsigned i = 0; c->table[i].name != NULL; i++)
    if (valid[i] && value_of(ports, &c->table[i]) != 0)
      c->shown[i] = true;
}

static void print_head(FILE *out, struct columns *c, const char *side) {
  fprintf(out, "%10s %-4s", "cycle", side);
  for (unsigned i = 0; c->table[i].name != NULL; i++) {
    const int name = (int)strlen(c->table[i].name), digits = (c->table[i].width + 3) / 4;
    c->width[i] = name > digits ? name : digits;
    if (c->shown[i])
      fprintf(out, " %*s", c->width[i], c->table[i].name);
  }
  fputc('\n', out);
}

/* other: the other side's ports, to mark what differs; NULL: none. */
static void print_row(FILE *out, const struct columns *c, const void *ports, const bool *valid,
                      const void *other, const char *side, uint64_t cycle) {
  fprintf(out, "%10" PRIu64 " %-4s", cycle, side);
  for (unsigned i = 0; c->table[i].name != NULL; i++) {
    if (!c->shown[i])
      continue;
    const uint64_t v = value_of(ports, &c->table[i]);
    const bool differs = other != NULL && valid[i] && v != value_of(other, &c->table[i]);
    if (!valid[i])
      fprintf(out, " %*s", c->width[i], "-");
    else if (v == 0 && !differs)
      fprintf(out, " %*s", c->width[i], ".");
    else
      fprintf(out, "%c%*" PRIx64, differs ? '*' : ' ', c->width[i], v);
  }
  fputc('\n', out);
}

/* A row of inputs of the front end, and which of them mean something. */
static const void *inputs_of(const struct port_record *r, bool wide, bool valid[PORTS_MAX]) {
  if (!wide) {
    sm_frontend_qualify_in(&r->in, valid);
    return &r->in;
  }
  sm_frontend_wide_qualify_in(&r->wide_in, valid);
  return &r->wide_in;
}

static void inputs(FILE *out, const struct gpu_watch *w, bool wide) {
  struct columns c = {.table = wide ? sm_frontend_wide_ports_in : sm_frontend_ports_in};
  bool valid[PORTS_MAX];
  for (unsigned i = 0; i < records(w); i++) {
    const void *in = inputs_of(record(w, i), wide, valid);
    add_row(&c, in, valid);
  }
  fprintf(out, "\ninputs of both sides, hexadecimal (. is 0, - without meaning)\n");
  print_head(out, &c, "");
  for (unsigned i = 0; i < records(w); i++) {
    const void *in = inputs_of(record(w, i), wide, valid);
    print_row(out, &c, in, valid, NULL, record(w, i)->stepped ? "" : "stop", record(w, i)->cycle);
  }
}

/* A table of outputs as a record has it on both sides. */
struct sides {
  const struct port_desc *table;
  void (*qualify)(const void *ports, bool valid[PORTS_MAX]);
  size_t rtl, ref; /* in struct port_record */
};

static void qualify_frontend(const void *p, bool *valid) { sm_frontend_qualify_out(p, valid); }
static void qualify_wide(const void *p, bool *valid) { sm_frontend_wide_qualify_out(p, valid); }
static void qualify_member(const void *p, bool *valid) { buddy_member_qualify_out(p, valid); }
static void qualify_cluster(const void *p, bool *valid) { buddy_cluster_qualify_out(p, valid); }

static const struct sides frontend_sides = {sm_frontend_ports_out, qualify_frontend,
                                            offsetof(struct port_record, rtl),
                                            offsetof(struct port_record, ref)};
static const struct sides wide_sides = {sm_frontend_wide_ports_out, qualify_wide,
                                        offsetof(struct port_record, wide_rtl),
                                        offsetof(struct port_record, wide_ref)};
static const struct sides member_sides = {buddy_member_ports_out, qualify_member,
                                          offsetof(struct port_record, member_rtl),
                                          offsetof(struct port_record, member_ref)};
static const struct sides cluster_sides = {buddy_cluster_ports_out, qualify_cluster,
                                           offsetof(struct port_record, cluster_rtl),
                                           offsetof(struct port_record, cluster_ref)};

static void outputs(FILE *out, const struct gpu_watch *w, const struct sides *sides, bool rtl,
                    bool ref) {
  struct columns c = {.table = sides->table};
  bool valid[PORTS_MAX];
  for (unsigned i = 0; i < records(w); i++) {
    const char *r = (const char *)record(w, i);
    sides->qualify(r + sides->rtl, valid);
    add_row(&c, r + sides->rtl, valid);
    sides->qualify(r + sides->ref, valid);
    if (rtl && ref)
      add_row(&c, r + sides->ref, valid);
  }
  fprintf(out, "\noutputs%s%s\n", sides == &cluster_sides ? " of the cluster" : "",
          rtl && ref ? " (* differs from the other side)" : "");
  print_head(out, &c, "side");
  for (unsigned i = 0; i < records(w); i++) {
    const char *r = (const char *)record(w, i);
    const uint64_t cycle = record(w, i)->cycle;
    sides->qualify(r + sides->rtl, valid);
    print_row(out, &c, r + sides->rtl, valid, rtl && ref ? r + sides->ref : NULL,
              rtl ? "rtl" : "ref", cycle);
    if (!rtl || !ref)
      continue;
    sides->qualify(r + sides->ref, valid);
    print_row(out, &c, r + sides->ref, valid, r + sides->rtl, "ref", cycle);
  }
}

static void cluster_inputs(FILE *out, const struct gpu_watch *w) {
  struct columns c = {.table = buddy_cluster_ports_in};
  bool valid[PORTS_MAX];
  for (unsigned i = 0; i < records(w); i++) {
    buddy_cluster_qualify_in(&record(w, i)->cluster_in, valid);
    add_row(&c, &record(w, i)->cluster_in, valid);
  }
  fprintf(out, "\ninputs of the cluster\n");
  print_head(out, &c, "");
  for (unsigned i = 0; i < records(w); i++) {
    buddy_cluster_qualify_in(&record(w, i)->cluster_in, valid);
    print_row(out, &c, &record(w, i)->cluster_in, valid, NULL, record(w, i)->stepped ? "" : "stop",
              record(w, i)->cycle);
  }
}

/* high: lanes 64 to 127. */
static void issue(FILE *out, const struct tandem *t, const char *side, unsigned scheduler,
                  uint64_t cycle, uint64_t inst, uint64_t pc, uint64_t mask, uint64_t high) {
  char text[ISA_TEXT];
  const struct isa_program *p = t->grid.program;
  isa_disasm(inst & ~(UINT64_C(63) << 58), text);
  fprintf(out, "%10" PRIu64 " %-4s %u  warp %2u  pc %5" PRIu64 "  mask ", cycle, side, scheduler,
          (unsigned)(inst >> 58), pc);
  if (t->config.warp_size > 64)
    fprintf(out, "%016" PRIx64, high);
  fprintf(out, "%0*" PRIx64 "  %s", t->config.warp_size > 32 ? 16 : 8, mask, text);
  if (p != NULL && p->lines != NULL && pc < p->ncode && p->lines[pc] != 0)
    fprintf(out, "   (line %u)", p->lines[pc]);
  fputc('\n', out);
}

static void issues(FILE *out, const struct tandem *t, const struct sm_frontend_out *o,
                   const struct sm_frontend_wide_out *wide, const char *side, uint64_t cycle) {
  if (o->iss0_valid)
    issue(out, t, side, 0, cycle, o->iss0_inst, o->iss0_pc, o->iss0_mask, wide->iss0_mask_hi);
  if (o->iss1_valid)
    issue(out, t, side, 1, cycle, o->iss1_inst, o->iss1_pc, o->iss1_mask, wide->iss1_mask_hi);
}

void report_ports(FILE *out, const struct tandem *t, const struct gpu_watch *w) {
  const bool rtl = t->config.engine != TANDEM_ENGINE_REF;
  const bool ref = t->config.engine == TANDEM_ENGINE_LOCKSTEP;
  fprintf(out, "\nthe last %u cycles of SM %u's front end\n", records(w), w->sm);
  const bool wide = t->config.warp_size > 32;
  inputs(out, w, wide);
  outputs(out, w,
          t->clusters != NULL ? &member_sides
          : wide              ? &wide_sides
                              : &frontend_sides,
          rtl, ref);
  if (t->clusters != NULL) {
    cluster_inputs(out, w);
    outputs(out, w, &cluster_sides, rtl, ref);
  }
  fprintf(out, "\ninstructions issued in them: cycle, side, scheduler\n");
  for (unsigned i = 0; i < records(w); i++) {
    const struct port_record *r = record(w, i);
    const unsigned differing = wide ? sm_frontend_wide_same(&r->wide_rtl, &r->wide_ref)
                                    : sm_frontend_same(&r->rtl, &r->ref);
    const bool same = !ref || differing == 0;
    issues(out, t, &r->rtl, &r->wide_rtl, same && ref ? "both" : rtl ? "rtl" : "ref", r->cycle);
    if (!same)
      issues(out, t, &r->ref, &r->wide_ref, "ref", r->cycle);
  }
}

void report_dispatch(FILE *out, const struct tandem *t) {
  const struct gpu_dispatch *d = &t->dispatch;
  const unsigned n = d->clocked < HISTORY ? d->clocked : HISTORY;
  struct columns in = {.table = cta_dispatch_ports_in}, sides = {.table = cta_dispatch_ports_out};
  bool valid[PORTS_MAX], all[PORTS_MAX];
  memset(all, true, sizeof all); /* outputs have no qualifiers */
  for (unsigned i = 0; i < n; i++) {
    const struct dispatch_record *r = &d->ring[(d->clocked - n + i) % HISTORY];
    cta_dispatch_qualify_in(&r->in, valid);
    add_row(&in, &r->in, valid);
    add_row(&sides, &r->rtl, all);
    add_row(&sides, &r->ref, all);
  }
  fprintf(out,
          "\nthe last %u cycles in which cta_dispatch was clocked\n"
          "\ninputs of both sides, hexadecimal (. is 0, - without meaning)\n",
          n);
  print_head(out, &in, "");
  for (unsigned i = 0; i < n; i++) {
    const struct dispatch_record *r = &d->ring[(d->clocked - n + i) % HISTORY];
    cta_dispatch_qualify_in(&r->in, valid);
    print_row(out, &in, &r->in, valid, NULL, "", r->cycle);
  }
  fprintf(out, "\noutputs (* differs from the other side)\n");
  print_head(out, &sides, "side");
  for (unsigned i = 0; i < n; i++) {
    const struct dispatch_record *r = &d->ring[(d->clocked - n + i) % HISTORY];
    print_row(out, &sides, &r->rtl, all, &r->ref, "rtl", r->cycle);
    print_row(out, &sides, &r->ref, all, &r->rtl, "ref", r->cycle);
  }
}
