/* Profiles for people, and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "harness/cli/profile.h"
#include "harness/gpu/core/gpu.h"

static double share(uint64_t part, uint64_t whole) {
  return whole != 0 ? 100 * (double)part / (double)whole : 0;
}

/* ---- text ---- */

/* "scoreboard 812, fetch 12": the causes of waiting, the largest first. */
static void print_causes(FILE *out, const struct gpu_profile_row *r) {
  uint64_t last = UINT64_MAX;
  unsigned code = 0;
  for (unsigned n = 0;; n++) {
    unsigned best = STALL_CODES;
    for (unsigned i = 0; i < STALL_CODES; i++) {
      const uint64_t v = r->sm.stalls[i];
      if (i == STALL_NONE || v == 0 || v > last || (v == last && i <= code && n != 0))
        continue;
      if (best == STALL_CODES || v > r->sm.stalls[best])
        best = i;
    }
    if (best == STALL_CODES)
      return;
    fprintf(out, "%s%s %" PRIu64, n != 0 ? ", " : "", stalls[best].title, r->sm.stalls[best]);
    last = r->sm.stalls[best];
    code = best;
  }
}

static void print_head(FILE *out, const char *first) {
  fprintf(out, "  %-16s", first);
  for (size_t c = 0; c < profile_ncolumns; c++)
    fprintf(out, " %12s", profile_columns[c].title);
  fprintf(out, " %12s %6s  waits for\n", "waiting", "%");
}

static void print_row(FILE *out, const struct gpu_profile_row *r, uint64_t waits) {
  for (size_t c = 0; c < profile_ncolumns; c++)
    fprintf(out, " %12" PRIu64, profile_value(r, c));
  fprintf(out, " %12" PRIu64 " %6.1f  ", profile_waits(r), share(profile_waits(r), waits));
  print_causes(out, r);
  fputc('\n', out);
}

static void print_instructions(FILE *out, const struct gpu_profile_kernel *k, uint64_t waits) {
  struct isa_ptx_line line = {0};
  print_head(out, "PC");
  for (uint32_t pc = k->entry; pc < k->end; pc++) {
    const struct gpu_profile_row *r = &k->rows[pc - k->entry];
    char text[ISA_TEXT], where[256], ptx[PROFILE_PTX];
    if (!profile_counted(r))
      continue;
    isa_disasm(k->uops[pc].word, text);
    const bool known =
        pc < k->program->ncode && isa_program_line(k->program, pc, where, sizeof where);
    fprintf(out, "  %u: %s%s%s", pc, text, known ? "  ; " : "", known ? where : "");
    if (isa_program_ptx(k->program, pc, &line, ptx, sizeof ptx))
      fprintf(out, "  ; PTX %" PRIu32 ": %s", line.number, ptx);
    fprintf(out, "\n  %-16s", "");
    print_row(out, r, waits);
  }
}

static void print_lines(FILE *out, const struct gpu_profile_kernel *k, uint64_t waits) {
  struct profile_lines l;
  if (!profile_lines(k, false, &l))
    return;
  print_head(out, "source line");
  for (size_t i = 0; i < l.n; i++) {
    char text[512];
    snprintf(text, sizeof text, "%s", l.line[i].text != NULL ? l.line[i].text : "");
    tandem_printable(text);
    fprintf(out, "  %s: %s\n  %-16s", l.line[i].place != 0 ? l.line[i].name : "no line", text, "");
    print_row(out, &l.line[i].row, waits);
  }
  profile_lines_free(&l);
}

void profile_text(FILE *out, const struct tandem *t) {
  for (size_t i = 0; i < gpu_profile_kernels(t); i++) {
    const struct gpu_profile_kernel *k = gpu_profile_kernel(t, i);
    const struct gpu_profile_row total = profile_total(k);
    char name[256];
    snprintf(name, sizeof name, "%s", k->name);
    tandem_printable(name);
    fprintf(out, "profile of %s: %" PRIu64 " launch%s, %" PRIu64 " cycles\n", name, k->launches,
            k->launches == 1 ? "" : "es", k->cycles);
    const uint64_t waits = profile_waits(&total);
    print_lines(out, k, waits);
    print_instructions(out, k, waits);
    fprintf(out, "  %-16s", "no instruction");
    print_row(out, &k->none, waits);
    fprintf(out, "  %-16s", "all");
    print_row(out, &total, waits);
  }
}

/* ---- JSON ---- */

static json_t *row_object(const struct gpu_profile_row *r) {
  json_t *o = json_object(), *slots = json_object();
  for (size_t c = 0; c < profile_ncolumns; c++)
    json_object_set_new(o, profile_columns[c].name, json_integer((json_int_t)profile_value(r, c)));
  for (unsigned i = 0; i < STALL_CODES; i++)
    if (r->sm.stalls[i] != 0 && stalls[i].name != NULL)
      json_object_set_new(slots, stalls[i].name, json_integer((json_int_t)r->sm.stalls[i]));
  json_object_set_new(o, "slots", slots);
  return o;
}

static json_t *instructions(const struct gpu_profile_kernel *k) {
  json_t *list = json_array();
  struct isa_ptx_line line = {0};
  for (uint32_t pc = k->entry; pc < k->end; pc++) {
    char text[ISA_TEXT], where[256], ptx[PROFILE_PTX];
    isa_disasm(k->uops[pc].word, text);
    json_t *o = row_object(&k->rows[pc - k->entry]);
    json_object_set_new(o, "pc", json_integer(pc));
    json_object_set_new(o, "instruction", json_string(text));
    if (pc < k->program->ncode && isa_program_line(k->program, pc, where, sizeof where))
      json_object_set_new(o, "source", json_string(where));
    if (isa_program_ptx(k->program, pc, &line, ptx, sizeof ptx)) {
      json_object_set_new(o, "ptx_line", json_integer(line.number));
      json_object_set_new(o, "ptx", json_string(ptx));
    }
    json_array_append_new(list, o);
  }
  return list;
}

bool profile_json(FILE *out, const struct tandem *t) {
  json_t *kernels = json_array();
  for (size_t i = 0; i < gpu_profile_kernels(t); i++) {
    const struct gpu_profile_kernel *k = gpu_profile_kernel(t, i);
    const struct gpu_profile_row total = profile_total(k);
    json_array_append_new(kernels,
                          json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "kernel", k->name, "launches",
                                    (json_int_t)k->launches, "cycles", (json_int_t)k->cycles, "all",
                                    row_object(&total), "no_instruction", row_object(&k->none),
                                    "instructions", instructions(k)));
  }
  json_t *o = json_pack("{s:o}", "profile", kernels);
  const bool good = json_dumpf(o, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
