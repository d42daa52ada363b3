/* The report of a failure (docs/models/lockstep.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/report/ports.h"
#include "harness/gpu/report/report.h"
#include "harness/gpu/report/spin.h"

static const char *const kinds[] = {
    [FAIL_NONE] = "",         [FAIL_PORT] = "port",       [FAIL_STATE] = "state",
    [FAIL_ASSERT] = "assert", [FAIL_BACKEND] = "backend", [FAIL_ISS] = "iss",
    [FAIL_MEMORY] = "memory", [FAIL_MACHINE] = "machine", [FAIL_HANG] = "hang",
    [FAIL_SPIN] = "spin",     [FAIL_ENDLESS] = "endless", [FAIL_EMPTY] = "empty",
    [FAIL_LOST] = "lost",
};

/* ---- the one-line reason ---- */

bool report_source(const struct tandem *t, uint32_t pc, char *text, size_t size) {
  const struct isa_program *p = t->launch.grid.program;
  *text = '\0';
  return p != NULL && isa_program_line(p, pc, text, size);
}

/* "kernel k, PC 12 (file.cl:34)" */
static void place_of(const struct tandem *t, uint32_t pc, char *text, size_t size) {
  const char *name = t->launch.grid.kernel != NULL ? t->launch.grid.kernel->name : "?";
  char line[192];
  if (report_source(t, pc, line, sizeof line))
    snprintf(text, size, "kernel %s, PC %u (%s)", name, pc, line);
  else
    snprintf(text, size, "kernel %s, PC %u", name, pc);
}

/* "SM 2 warp 5 lane 7", lane -1: without.  The back end's warps and lanes are those of large warps'
 * slices. */
static void lane_of(const struct tandem *t, unsigned sm, unsigned warp, int lane, char *text,
                    size_t size) {
  const unsigned slices = t->config.sm.slices, first = warp % slices * ISA_WARP_SIZE;
  char name[GPU_SM_NAME];
  gpu_sm_name(t, sm, name);
  const int n = snprintf(text, size, "%s warp %u", name, warp / slices);
  if (lane >= 0)
    snprintf(text + n, size - (size_t)n, " lane %u", first + (unsigned)lane);
}

/* The thread of a lane as grid coordinates. */
static void thread_of(const struct tandem *t, unsigned sm, unsigned warp, unsigned lane, char *text,
                      size_t size) {
  const struct warp_place *w = sm_place(t->sms[sm].sm, warp);
  const uint32_t *b = t->launch.grid.block;
  char place[96];
  lane_of(t, sm, warp, (int)lane, place, sizeof place);
  if (w == NULL || b[0] == 0 || b[1] == 0) {
    snprintf(text, size, "%s", place);
    return;
  }
  const uint32_t n = w->first + lane;
  snprintf(text, size, "thread (%u, %u, %u) of CTA (%u, %u, %u), %s", n % b[0], n / b[0] % b[1],
           n / b[0] / b[1], w->ctaid[0], w->ctaid[1], w->ctaid[2], place);
}

/* The sizes of shared memory, if the access was to it. */
static void shared_of(const struct tandem *t, const struct mem_fault *m, char *text, size_t size) {
  const struct grid *g = &t->launch.grid;
  const bool generic = m->space == ISA_SPACE_GENERIC && m->address >= ISA_SHARED_WINDOW &&
                       m->address < ISA_LOCAL_WINDOW;
  *text = '\0';
  if (m->kind != INST_FAULT_BOUNDS || g->kernel == NULL ||
      (m->space != ISA_SPACE_SHARED && !generic))
    return;
  snprintf(text, size,
           "; a CTA has %u bytes of shared memory of the kernel and %u bytes of the launch "
           "(dynamic_shared, --dynamic-shared)",
           g->kernel->shared_bytes, g->shared_bytes - ((g->kernel->shared_bytes + 15) & ~15U));
}

static void reason_memory(struct tandem *t) {
  static const char *const what[] = {
      [INST_FAULT_BOUNDS] = "out of bounds",
      [INST_FAULT_ALIGN] = "misaligned",
      [INST_FAULT_UPPER] = "beyond 32 bits (upper half of a 64-bit pointer is not zero)",
      [INST_FAULT_SIDE] = "in the wrong direction of a communication buffer:",
      [INST_FAULT_BUFFER] =
          "no load or store of whole words, all that communication buffers take:"};
  enum { KINDS = sizeof what / sizeof what[0] };
  static const char *const spaces[] = {"global", "shared", "local", "constant", "generic", "param"};
  const struct mem_fault *m = gpu_mem_fault(t->mem);
  char place[256], thread[160], sizes[160];
  place_of(t, m->pc, place, sizeof place);
  shared_of(t, m, sizes, sizeof sizes);
  if (m->client != 0)
    t->machine->shape.client_name(t, m->client - 1U, thread, sizeof thread);
  else
    thread_of(t, m->sm, m->warp, m->lane, thread, sizeof thread);
  if (m->kind == INST_FAULT_TRAP) {
    snprintf(t->end.failed.where, sizeof t->end.failed.where, "trap");
    tandem_fail(&t->end.reason, 0, "trap: the program has ended itself: %s, %s, cycle %" PRIu64,
                place, thread, m->cycle);
    return;
  }
  snprintf(t->end.failed.where, sizeof t->end.failed.where, "%s",
           m->kind < KINDS ? what[m->kind] : "access");
  tandem_fail(&t->end.reason, 0,
              "%s %s of %u bytes in %s memory, address 0x%08x: %s, %s, cycle %" PRIu64 "%s",
              m->kind < KINDS ? what[m->kind] : "bad", m->store ? "store" : "load", m->bytes,
              m->space < 6 ? spaces[m->space] : "?", m->address, place, thread, m->cycle, sizes);
}

static void reason_backend(struct tandem *t) {
  static const char *const what[] = {[SM_FAULT_ILLEGAL] = "illegal instruction",
                                     [SM_FAULT_PC] = "wrong instruction issued",
                                     [SM_FAULT_STACK] = "SIMT stack overflow",
                                     [SM_FAULT_BARRIER] = "barrier error",
                                     [SM_FAULT_PROTOCOL] = "front end broke its contract",
                                     [SM_FAULT_TIMING] = "timing depended on memory",
                                     [SM_FAULT_BLOCK] = "block synchronisation error"};
  const struct sm_fault *f = t->sms[t->end.failure.sm].sm_fault;
  char place[256], warp[96];
  place_of(t, f->pc, place, sizeof place);
  lane_of(t, t->end.failure.sm, f->warp, -1, warp, sizeof warp);
  const char *name = f->kind <= SM_FAULT_BLOCK ? what[f->kind] : "fault";
  snprintf(t->end.failed.where, sizeof t->end.failed.where, "%s", name);
  tandem_fail(&t->end.reason, 0, "%s: %s (%s, %s, cycle %" PRIu64 ")", name, f->text, place, warp,
              t->end.failure.cycle);
}

/* A thread of the grid by its number, counted CTA by CTA. */
static void thread_number(const struct tandem *t, uint64_t number, char *text, size_t size) {
  const uint32_t *b = t->launch.grid.block, *d = t->launch.grid.dim;
  const uint64_t n = number % t->launch.grid.threads, cta = number / t->launch.grid.threads;
  char name[GPU_SM_NAME];
  gpu_sm_name(t, t->end.failure.sm, name);
  snprintf(text, size,
           "thread (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ") of CTA (%" PRIu64 ", %" PRIu64
           ", %" PRIu64 "), %s warp %" PRIu64 " of it",
           n % b[0], n / b[0] % b[1], n / b[0] / b[1], cta % d[0], cta / d[0] % d[1],
           cta / d[0] / d[1], name, n / ISA_WARP_SIZE);
}

static void reason_iss(struct tandem *t) {
  const struct iss_mismatch *m = iss_mismatch(t->sms[t->end.failure.sm].iss);
  char place[256], lane[192], at[64] = "";
  place_of(t, m->pc, place, sizeof place);
  if (m->thread != 0)
    thread_number(t, m->thread - 1, lane, sizeof lane);
  else
    lane_of(t, t->end.failure.sm, m->warp, m->lane, lane, sizeof lane);
  if (m->of != NULL)
    snprintf(at, sizeof at, " %s 0x%" PRIx64, m->of, m->at);
  snprintf(t->end.failed.where, sizeof t->end.failed.where, "%s%s",
           m->what != NULL ? m->what : "unfinished", at);
  tandem_fail(&t->end.reason, 0,
              "architectural check: %s (%s, %s, issued in cycle %" PRIu64 ", found in %" PRIu64 ")",
              m->text, place, lane, m->cycle, t->end.failure.cycle);
}

const struct unit *report_unit(const struct tandem *t) {
  const struct failure *f = &t->end.failure;
  const bool of_unit = f->kind == FAIL_PORT || f->kind == FAIL_STATE || f->kind == FAIL_ASSERT;
  return of_unit ? t->units[f->unit] : t->sms[f->sm].cell->unit;
}

/* Returns true if a difference is in rows that each SM behind the unit has for itself. */
static bool is_of_sm(const struct unit *u, const struct failure *f) {
  for (unsigned i = 0; f->kind == FAIL_PORT && i < u->type->nrows; i++)
    if (u->type->rows[i].ports->name == f->table)
      return u->type->rows[i].of_sms;
  return u->sms != 0;
}

/* "SM 5"; with several SMs behind the unit its name and "member 1 (SM 5)" or "(SMs 4 to 7)". */
static void place_in(const struct unit *u, const struct failure *f, char *text, size_t size) {
  if (u->sms < 2)
    snprintf(text, size, "%s", u->name);
  else if (is_of_sm(u, f))
    snprintf(text, size, "%s member %u (SM %u)", u->name, f->sm - u->first, f->sm);
  else
    snprintf(text, size, "%s (SMs %u to %u)", u->name, u->first, u->first + u->sms - 1);
}

static void reason_difference(struct tandem *t) {
  const struct failure *f = &t->end.failure;
  char element[16] = "", place[96];
  if (f->port.count > 1)
    snprintf(element, sizeof element, "[%u]", f->index);
  snprintf(t->end.failed.where, sizeof t->end.failed.where, "%s.%s%s", f->table, f->port.name,
           element);
  place_in(report_unit(t), f, place, sizeof place);
  tandem_fail(&t->end.reason, 0,
              "mismatch: %s, %s %s: RTL 0x%" PRIx64 ", reference 0x%" PRIx64 ", cycle %" PRIu64,
              place, f->kind == FAIL_STATE ? "state" : "port", t->end.failed.where, f->rtl, f->ref,
              f->cycle);
}

/* "[0] %Error: issue.sv:245: Assertion failed in TOP.u_issue.pick0_eligible: 'assert' failed." is
 * at "issue.sv:245: pick0_eligible"; other texts are where they are. */
static void where_asserted(const char *text, char where[80]) {
  static const char error[] = "%Error: ", failed[] = ": Assertion failed in ";
  const char *file = strstr(text, error), *scope = strstr(text, failed);
  const char *end = strstr(text, ": 'assert' failed"), *name = end;
  if (file == NULL || scope == NULL || end == NULL) {
    snprintf(where, 80, "%.79s", text);
    return;
  }
  while (name > scope && name[-1] != '.')
    name--;
  file += strlen(error);
  snprintf(where, 80, "%.*s: %.*s", (int)(scope - file), file, (int)(end - name), name);
}

static bool ends_run(const char *text) {
  const char *last = strrchr(text, '$');
  return last != NULL && (strcmp(last, "$finish") == 0 || strcmp(last, "$stop") == 0);
}

static void reason_assert(struct tandem *t) {
  const char *first = NULL;
  char place[96];
  rtl_assertions(report_unit(t)->rtl, &first);
  if (first == NULL)
    first = "";
  where_asserted(first, t->end.failed.where);
  place_in(report_unit(t), &t->end.failure, place, sizeof place);
  tandem_fail(&t->end.reason, 0, "%s %s, cycle %" PRIu64 ": %s",
              t->config.assertions && !ends_run(first) ? "RTL assertion failed in"
                                                       : "the RTL ends the run in",
              place, t->end.failure.cycle, first);
}

void report_reason(struct tandem *t) {
  const struct failure *f = &t->end.failure;
  const char *kernel = t->launch.grid.kernel != NULL ? t->launch.grid.kernel->name : "?";
  t->end.failed = (struct tandem_failure){
      .kind = kinds[f->kind], .sm = f->sm, .cycle = f->cycle, .launch_cycle = f->launch_cycle};
  switch (f->kind) {
  case FAIL_MEMORY:
    reason_memory(t);
    break;
  case FAIL_BACKEND:
    reason_backend(t);
    break;
  case FAIL_MACHINE:
    snprintf(t->end.failed.where, sizeof t->end.failed.where, "%s", t->machine->shape.name);
    tandem_fail(&t->end.reason, 0, "%s (kernel %s, cycle %" PRIu64 ")", t->machine->cycle.fault(t),
                kernel, f->cycle);
    break;
  case FAIL_ISS:
    reason_iss(t);
    break;
  case FAIL_ASSERT:
    reason_assert(t);
    break;
  case FAIL_HANG:
  case FAIL_SPIN:
  case FAIL_ENDLESS:
    spin_reason(t);
    break;
  case FAIL_LOST:
    tandem_fail(&t->end.reason, 0,
                "a failure before cycle %" PRIu64
                " of kernel %s does not show again while RTL and SMs "
                "are in the same cycle: an error of tandem; use --lookahead=1 --rtl-block=1",
                f->cycle, kernel);
    break;
  case FAIL_EMPTY:
    tandem_fail(&t->end.reason, 0, "the run in lockstep compared nothing");
    break;
  default:
    reason_difference(t);
  }
}

/* ---- the report ---- */

static void print_word(FILE *out, const struct tandem *t, uint64_t word, uint32_t pc) {
  char text[ISA_TEXT], place[256];
  isa_disasm(word & ~(UINT64_C(63) << 58), text);
  place_of(t, pc, place, sizeof place);
  fprintf(out, "  instruction   %s   (%s)\n", text, place);
}

enum { WARPS = 48 };

/* The warp that a state belongs to: an element of a warp each, a warp's number, or a bit of a warp
 * each (the lowest that differs).  WARPS: none. */
static unsigned warp_of(const struct failure *f) {
  if (f->port.count == WARPS)
    return f->index;
  if (strcmp(f->port.name, "last") == 0) /* of a round robin */
    return f->ref < WARPS ? (unsigned)f->ref : WARPS;
  return f->port.count == 1 && f->port.width == WARPS
             ? (unsigned)__builtin_ctzll((f->rtl ^ f->ref) | UINT64_C(1) << WARPS)
             : WARPS;
}

/* The instruction at a PC of the program, if there is one. */
static void print_at(FILE *out, const struct tandem *t, uint64_t pc) {
  if (pc < t->launch.grid.program->ncode)
    print_word(out, t, t->launch.grid.code[pc], (uint32_t)pc);
}

/* An issue port: the instruction of the side that issues one. */
static void print_issue(FILE *out, const struct tandem *t, const struct sm_frontend_out *rtl,
                        const struct sm_frontend_out *ref) {
  const bool one = t->end.failure.port.name[3] == '1';
  const struct sm_frontend_out *o = (one ? rtl->iss1_valid : rtl->iss0_valid) ? rtl : ref;
  if (one ? o->iss1_valid : o->iss0_valid)
    print_word(out, t, one ? o->iss1_inst : o->iss0_inst,
               (uint32_t)(one ? o->iss1_pc : o->iss0_pc));
}

/* u: the unit as it was compared last. */
static void print_instruction(FILE *out, const struct tandem *t, const struct unit *u) {
  const struct failure *f = &t->end.failure;
  const unsigned warp = f->kind == FAIL_STATE ? warp_of(f) : WARPS;
  const unsigned row = f->sm - u->first;
  const struct sm_frontend_state *state = u->sms != 0 ? u->state[row].ref : NULL;
  if (f->kind == FAIL_PORT && state != NULL && strncmp(f->port.name, "iss", 3) == 0) {
    const struct unit_record *last = report_last(u);
    print_issue(out, t, report_sm_out(u, last != NULL ? last->rtl : u->out, row),
                report_sm_out(u, last != NULL ? last->ref : u->ref_out, row));
  } else if (warp < WARPS && state != NULL && (state->simt_stack.live[0] >> warp & 1) != 0) {
    fprintf(out, "  warp          %u, at the next instruction to issue:\n", warp);
    print_at(out, t, state->simt_stack.tos_pc[warp]);
  } else if (f->kind == FAIL_ISS) {
    const struct iss_mismatch *m = iss_mismatch(t->sms[f->sm].iss);
    print_word(out, t, m->word, m->pc);
  } else if (f->kind == FAIL_MEMORY) {
    if (!gpu_mem_fault(t->mem)->client)
      print_at(out, t, gpu_mem_fault(t->mem)->pc);
  } else if (f->kind == FAIL_BACKEND) {
    print_at(out, t, t->sms[f->sm].sm_fault->pc);
  }
}

/* A table's width is that of 32 lanes; masks of large warps have more bits. */
static unsigned width_of(const struct failure *f) {
  unsigned width = f->port.width;
  while (width < 64 && ((f->rtl | f->ref) >> width) != 0)
    width++;
  return width == f->port.width ? width : 64;
}

static void print_difference(FILE *out, const struct tandem *t) {
  const struct failure *f = &t->end.failure;
  char place[96];
  place_in(report_unit(t), f, place, sizeof place);
  fprintf(out, "  unit          %s of %s\n", f->table, place);
  fprintf(out, "  %s         %s, %u bits", f->kind == FAIL_STATE ? "state" : "port ", f->port.name,
          width_of(f));
  if (f->port.count > 1)
    fprintf(out, ", element %u", f->index);
  const int digits = (int)(width_of(f) + 3) / 4;
  fprintf(out, "\n  RTL           0x%0*" PRIx64 "\n", digits, f->rtl);
  fprintf(out, "  reference     0x%0*" PRIx64 "\n", digits, f->ref);
  fprintf(out, "  differing     0x%0*" PRIx64 "\n", digits, f->rtl ^ f->ref);
}

static void print_warps(FILE *out, const struct tandem *t) {
  char text[8192], name[GPU_SM_NAME];
  for (unsigned i = 0; i < t->nsms; i++) {
    text[0] = '\0';
    if (t->sms[i].idle || sm_describe(t->sms[i].sm, text, sizeof text) < 0 || text[0] == '\0')
      continue;
    gpu_sm_name(t, i, name);
    fprintf(out, "\n%s: warps that wait\n%s", name, text);
    if (text[strlen(text) - 1] != '\n')
      fputc('\n', out);
  }
}

static void print_reproduce(FILE *out, const struct tandem *t) {
  const struct failure *f = &t->end.failure;
  if (t->config.command == NULL)
    return;
  fprintf(out, "\nreproduce: %s", t->config.command);
  /* A hang shows most where the SM issued last. */
  const uint64_t at = f->kind == FAIL_HANG ? t->sms[f->sm].last_issue : f->cycle;
  const bool hardware =
      f->kind == FAIL_PORT || f->kind == FAIL_STATE || f->kind == FAIL_ISS || f->kind == FAIL_HANG;
  if (hardware && t->config.engine != TANDEM_ENGINE_REF) {
    fprintf(out,
            " --state-interval 1 --trace mismatch.fst --trace-from %" PRIu64 " --trace-to %" PRIu64,
            at > 64 ? at - 64 : 0, at + 16);
    if (report_unit(t)->sms == 0)
      fprintf(out, " --trace-gpu");
    else
      fprintf(out, " --trace-sms %u", f->sm);
  }
  fputc('\n', out);
}

void report_write(struct tandem *t, struct tandem *again, const char *waveform,
                  const char *no_waveform) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return;
  const struct failure *f = &t->end.failure;
  fprintf(out, "%s\n", t->end.reason.text);
  fprintf(out, "  kernel        %s, launch %u, grid (%u, %u, %u), block (%u, %u, %u)\n",
          t->launch.grid.kernel != NULL ? t->launch.grid.kernel->name : "?", t->launch.grid.id,
          t->launch.grid.dim[0], t->launch.grid.dim[1], t->launch.grid.dim[2],
          t->launch.grid.block[0], t->launch.grid.block[1], t->launch.grid.block[2]);
  fprintf(out, "  cycle         %" PRIu64 " of the run, %" PRIu64 " of the launch\n", f->cycle,
          f->cycle - f->launch_cycle);
  if (f->kind == FAIL_PORT || f->kind == FAIL_STATE)
    print_difference(out, t);
  const struct unit *u = report_unit(t);
  if (again != NULL)
    u = again->units[u->index];
  print_instruction(out, t, u);
  if (!t->end.reproduced)
    fprintf(out, "not reproduced: running again from the start, both sides agreed to the end\n");
  if (f->kind == FAIL_SPIN)
    spin_print(t, out);
  if (f->kind == FAIL_HANG || f->kind == FAIL_ENDLESS)
    print_warps(out, t);
  if ((f->kind == FAIL_HANG || f->kind == FAIL_ENDLESS) && t->machine->launch.waits != NULL)
    t->machine->launch.waits(t, out);
  if (report_last(u) != NULL)
    report_ports(out, t, u);
  if (*waveform != '\0') {
    char view[4096];
    fprintf(out, "\nwaveform: %s\n", waveform);
    if (view_write(t, waveform, view, sizeof view))
      fprintf(out, "  in GTKWave: gtkwave %s\n", view);
  } else if (*no_waveform != '\0') {
    fprintf(out, "\nno waveform: %s\n", no_waveform);
  }
  print_reproduce(out, t);
  fclose(out);
  free(t->end.report);
  t->end.report = text;
}
