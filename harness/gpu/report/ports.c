/* The last cycles of a unit's ports, as tables of a report. */
#include "harness/gpu/report/ports.h"
#include "csim/isa/asm/asm.h"

#include <inttypes.h>
#include <string.h>

static uint64_t value_of(const void *ports, const struct port_desc *p) {
  uint64_t v;
  memcpy(&v, (const char *)ports + p->offset, sizeof v);
  return v;
}

/* A port's digits, the lowest 64 bits last: of words all but leading zeros. */
struct digits {
  char text[16 * PORT_WORDS_MAX + 1];
};
static struct digits digits_of(const void *ports, const struct port_desc *p) {
  struct digits d = {""};
  int n = 0;
  for (unsigned w = p->count; w-- > 0;) {
    const struct port_desc word = {.offset = (uint16_t)(p->offset + w * sizeof(uint64_t))};
    const uint64_t v = value_of(ports, &word);
    if (n != 0 || v != 0 || w == 0)
      n += sprintf(d.text + n, n != 0 ? "%016" PRIx64 : "%" PRIx64, v);
  }
  return d;
}

static bool is_zero(const void *ports, const struct port_desc *p) {
  return strcmp(digits_of(ports, p).text, "0") == 0;
}

static unsigned records(const struct unit *u) {
  const unsigned filled = u->history != NULL ? u->history->filled : 0;
  return filled < UNIT_HISTORY ? filled : UNIT_HISTORY;
}

static const struct unit_record *record(const struct unit *u, unsigned i) {
  return &u->history->ring[(u->history->filled - records(u) + i) % UNIT_HISTORY];
}

const struct unit_record *report_last(const struct unit *u) {
  return records(u) != 0 ? record(u, records(u) - 1) : NULL;
}

/* Columns of a table: the ports that say something in the recorded cycles, with their widths. */
struct columns {
  const struct port_desc *table;
  bool shown[PORTS_MAX];
  int width[PORTS_MAX];
};

static void add_row(struct columns *c, const void *ports, const bool *valid) {
  for (unsigned i = 0; c->table[i].name != NULL; i++)
    if (valid[i] && !is_zero(ports, &c->table[i]))
      c->shown[i] = true;
}

static void print_head(FILE *out, struct columns *c, const char *side) {
  fprintf(out, "%10s %-4s", "cycle", side);
  for (unsigned i = 0; c->table[i].name != NULL; i++) {
    const int name = (int)strlen(c->table[i].name),
              digits = (c->table[i].width * c->table[i].count + 3) / 4;
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
    const struct port_desc *port = &c->table[i];
    const bool differs =
        other != NULL && valid[i] &&
        memcmp((const char *)ports + port->offset, (const char *)other + port->offset,
               port->count * sizeof(uint64_t)) != 0;
    if (!valid[i])
      fprintf(out, " %*s", c->width[i], "-");
    else if (!differs && is_zero(ports, port))
      fprintf(out, " %*s", c->width[i], ".");
    else
      fprintf(out, "%c%*s", differs ? '*' : ' ', c->width[i], digits_of(ports, port).text);
  }
  fputc('\n', out);
}

/* The engines that there are. */
static bool has_rtl(const struct tandem *t) { return t->config.engine != TANDEM_ENGINE_REF; }
static bool has_both(const struct tandem *t) { return t->config.engine == TANDEM_ENGINE_LOCKSTEP; }

/* The table's name where a unit has more than one. */
static void print_title(FILE *out, const struct unit *u, const struct unit_rows *rows,
                        const char *what, const char *more) {
  fprintf(out, "\n%s%s%s%s\n", what, u->type->nrows > 1 ? " of " : "",
          u->type->nrows > 1 ? rows->ports->name : "", more);
}

static void inputs(FILE *out, const struct unit *u, const struct unit_rows *rows, unsigned row) {
  struct columns c = {.table = rows->ports->in};
  bool valid[PORTS_MAX];
  for (unsigned i = 0; i < records(u); i++) {
    const void *in = unit_row_in(rows, record(u, i)->in, row);
    rows->ports->qualify_in(in, valid);
    add_row(&c, in, valid);
  }
  print_title(out, u, rows, "inputs", " of both sides, hexadecimal (. is 0, - without meaning)");
  print_head(out, &c, "");
  for (unsigned i = 0; i < records(u); i++) {
    const struct unit_record *r = record(u, i);
    const void *in = unit_row_in(rows, r->in, row);
    rows->ports->qualify_in(in, valid);
    print_row(out, &c, in, valid, NULL, r->stepped ? "" : "stop", r->cycle);
  }
}

static void outputs(FILE *out, const struct tandem *t, const struct unit *u,
                    const struct unit_rows *rows, unsigned row) {
  struct columns c = {.table = rows->ports->out};
  const bool both = has_both(t);
  bool valid[PORTS_MAX];
  for (unsigned i = 0; i < records(u); i++) {
    const void *sides[] = {unit_row_out(rows, record(u, i)->rtl, row),
                           unit_row_out(rows, record(u, i)->ref, row)};
    for (unsigned k = 0; k < (both ? 2 : 1); k++) {
      rows->ports->qualify_out(sides[k], valid);
      add_row(&c, sides[k], valid);
    }
  }
  print_title(out, u, rows, "outputs", both ? " (* differs from the other side)" : "");
  print_head(out, &c, "side");
  for (unsigned i = 0; i < records(u); i++) {
    const struct unit_record *r = record(u, i);
    const void *rtl = unit_row_out(rows, r->rtl, row), *ref = unit_row_out(rows, r->ref, row);
    rows->ports->qualify_out(rtl, valid);
    print_row(out, &c, rtl, valid, both ? ref : NULL, has_rtl(t) ? "rtl" : "ref", r->cycle);
    if (!both)
      continue;
    rows->ports->qualify_out(ref, valid);
    print_row(out, &c, ref, valid, rtl, "ref", r->cycle);
  }
}

/* high: lanes 64 to 127. */
static void issue(FILE *out, const struct tandem *t, const char *side, unsigned scheduler,
                  uint64_t cycle, uint64_t inst, uint64_t pc, uint64_t mask, uint64_t high) {
  char text[ISA_TEXT];
  const struct isa_program *p = t->launch.grid.program;
  isa_disasm(inst & ~(UINT64_C(63) << 58), text);
  fprintf(out, "%10" PRIu64 " %-4s %u  warp %2u  pc %5" PRIu64 "  mask ", cycle, side, scheduler,
          (unsigned)(inst >> 58), pc);
  if (t->config.sm.slices > 2)
    fprintf(out, "%016" PRIx64, high);
  fprintf(out, "%0*" PRIx64 "  %s", t->config.sm.slices > 1 ? 16 : 8, mask, text);
  char line[192];
  if (p != NULL && isa_program_line(p, (uint32_t)pc, line, sizeof line))
    fprintf(out, "   (%s)", strrchr(line, '/') != NULL ? strrchr(line, '/') + 1 : line);
  fputc('\n', out);
}

/* The rows of SMs behind a unit begin with the outputs of a front end. */
static const struct unit_rows *sm_rows(const struct unit *u) {
  for (unsigned i = 0; i < u->type->nrows; i++)
    if (u->type->rows[i].of_sms)
      return &u->type->rows[i];
  return NULL;
}

const struct sm_frontend_out *report_sm_out(const struct unit *u, const void *out, unsigned row) {
  return unit_row_out(sm_rows(u), out, row);
}

/* An output by its name; 0 if the table has none. */
static uint64_t output(const struct ports_table *ports, const void *out, const char *name) {
  for (unsigned i = 0; i < ports->outs; i++)
    if (strcmp(ports->out[i].name, name) == 0)
      return value_of(out, &ports->out[i]);
  return 0;
}

static void issues(FILE *out, const struct tandem *t, const struct ports_table *ports,
                   const void *row, const char *side, uint64_t cycle) {
  const struct sm_frontend_out *o = row;
  if (o->iss0_valid)
    issue(out, t, side, 0, cycle, o->iss0_inst, o->iss0_pc, o->iss0_mask,
          output(ports, row, "iss0_mask_hi"));
  if (o->iss1_valid)
    issue(out, t, side, 1, cycle, o->iss1_inst, o->iss1_pc, o->iss1_mask,
          output(ports, row, "iss1_mask_hi"));
}

static void instructions(FILE *out, const struct tandem *t, const struct unit *u, unsigned row) {
  const struct unit_rows *rows = sm_rows(u);
  fprintf(out, "\ninstructions issued in them: cycle, side, scheduler\n");
  for (unsigned i = 0; i < records(u); i++) {
    const struct unit_record *r = record(u, i);
    const void *rtl = unit_row_out(rows, r->rtl, row), *ref = unit_row_out(rows, r->ref, row);
    uint64_t counts[PORTS_MAX] = {0};
    const bool same = !has_both(t) || rows->ports->diff(rtl, ref, counts) == 0;
    issues(out, t, rows->ports, rtl,
           same && has_both(t) ? "both"
           : has_rtl(t)        ? "rtl"
                               : "ref",
           r->cycle);
    if (!same)
      issues(out, t, rows->ports, ref, "ref", r->cycle);
  }
}

void report_ports(FILE *out, const struct tandem *t, const struct unit *u) {
  const unsigned row = u->sms != 0 ? t->end.failure.sm - u->first : 0;
  fprintf(out, "\nthe last %u cycles of %s (%s)\n", records(u), u->name, u->type->name);
  if (u->sms > 1)
    fprintf(out, "rows of SM %u\n", t->end.failure.sm);
  /* Rows that each SM has for itself come first. */
  for (unsigned of_sms = 2; of_sms-- > 0;)
    for (unsigned i = 0; i < u->type->nrows; i++) {
      const struct unit_rows *rows = &u->type->rows[i];
      if (rows->of_sms != (of_sms != 0))
        continue;
      inputs(out, u, rows, rows->of_sms ? row : 0);
      outputs(out, t, u, rows, rows->of_sms ? row : 0);
    }
  if (u->sms != 0)
    instructions(out, t, u, row);
}
