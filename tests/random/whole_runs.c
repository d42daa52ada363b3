/* Random programs and kernels in lockstep, with a model of one unit in the place of the unit's full
 * model: a netlist with mutants, until a run notices the one that is on (docs/mutation.md), or one
 * that counts what is covered (docs/coverage.md).
 *
 *   mutants_system_<unit> [--mutant N] [--seed S]
 *
 * S: the first random program.  States are compared at intervals, as they are by default, and of
 * the runs that notice nothing once more in every cycle.
 *
 * The last line of standard output is "caught KIND NAME CYCLE AGE" (status 1) or "survived AGE".
 * CYCLE of the run that noticed it.  AGE: 1 and the cycles from the first difference, which the
 * same run tells when states are compared in every cycle, to this; "-" where only that tells; of a
 * survivor that of harness/shim/rtl.h.
 *
 * The model is linked before those of machines (whole_runs, CMakeLists.txt). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/bugs.h"
#include "harness/shim/rtl.h"
#include "tests/random/run.h"

/* What is run: the random program of a seed, the one that overflows the SIMT stack, or a launch
 * description. */
struct program {
  uint64_t seed;
  bool overflows;
  const char *name;
  const char *fault;     /* where it must fail; NULL: it must not */
  bool apart;            /* residues part clusters */
  uint32_t members, sms; /* of the machine; sms: of a description's */
};

struct end {
  char kind[16], where[80]; /* kind "": nothing is wrong */
  uint64_t cycle;
};

static int refused(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return 2;
}

/* Full models alone have mutants; lockstep as it is run otherwise. */
static void configure(struct tandem_config *c, uint32_t interval) {
  c->assertions = true;
  c->threads = 1;
  c->pin = false;
  c->state_interval = interval;
  c->max_cycles = 2000000;
  c->hang_cycles = 20000;
}

/* kind NULL: it has not failed. */
static void ended(struct end *e, const struct program *p, const char *kind, const char *where,
                  uint64_t cycle) {
  if (kind == NULL && p->fault == NULL)
    return;
  if (kind != NULL && p->fault != NULL && strcmp(where, p->fault) == 0)
    return;
  snprintf(e->kind, sizeof e->kind, "%s", kind != NULL ? kind : "missing");
  snprintf(e->where, sizeof e->where, "%s", kind != NULL ? where : p->fault);
  for (char *c = e->where; *c != '\0'; c++)
    if (*c == ' ')
      *c = '_';
  e->cycle = cycle;
}

static int run_random_program(const struct program *p, uint32_t interval, struct end *e) {
  static struct run_outcome o;
  struct tandem_config c;
  struct tandem_error err;
  if (p->members == 1)
    run_configure(p->seed, &c);
  else
    run_configure_buddy(p->seed, p->members,
                        p->seed % 2 != 0 ? TANDEM_REGROUP_HALFWAY : TANDEM_REGROUP_NEW_KERNEL, &c);
  configure(&c, interval);
  const enum tandem_status status =
      p->overflows ? run_overflow(&c, &o, &err) : run_random(p->seed, &c, &o, &err);
  if (status == TANDEM_USAGE)
    return refused("random program", err.text);
  if (status == TANDEM_FAULT)
    ended(e, p, o.failure.kind, o.failure.where, o.failure.cycle);
  else
    ended(e, p, NULL, NULL, o.stats.cycles);
  return 0;
}

static int run_description(const struct program *p, uint32_t interval, struct end *e) {
  char path[400];
  struct tandem_config c;
  struct tandem_error err;
  struct bugs_outcome o;
  snprintf(path, sizeof path, "%s/%s.yaml", KERNELS, p->name);
  gpu_config_default(&c);
  c.buddy = p->members;
  c.sms = p->sms;
  /* So that residues form clusters; or are given to members of clusters that part. */
  c.formation = p->apart ? TANDEM_FORM_DEFAULT : TANDEM_FORM_ADAPTIVE;
  if (!bugs_configure(path, OF_SPU, &c, &err))
    return refused(path, err.text);
  configure(&c, interval);
  if (!bugs_run(path, &c, &o))
    return 2;
  ended(e, p, o.failed ? o.kind : NULL, o.where, o.cycle);
  return 0;
}

static int run(const struct program *p, uint32_t interval, struct end *e) {
  *e = (struct end){0};
  return p->name != NULL ? run_description(p, interval, e) : run_random_program(p, interval, e);
}

/* Ends the program if a run notices the mutant. */
static int look(const struct program *p, uint32_t interval) {
  struct end e, first;
  int status = run(p, interval, &e);
  if (status != 0 || e.kind[0] == '\0')
    return status;
  printf("caught %s %s %" PRIu64 " ", e.kind, e.where, e.cycle);
  if (interval == 1)
    puts("-");
  else if ((status = run(p, 1, &first)) == 0)
    printf("%" PRIu64 "\n", e.cycle - first.cycle + 1);
  exit(status == 0 ? 1 : status);
}

int main(int argc, char **argv) {
  enum { PROGRAMS = 12 };
  static const char *const kernels[] = {
      "reduction/reduction", "bfs/bfs",     "mergesort/mergesort", "histogram/histogram",
      "vecadd/vecadd",       "spill/spill", "transpose/transpose", NULL};
  static const char *const spu[] = {"spu/faults/relay",
                                    "spu/faults/relay_serial",
                                    "spu/faults/relay_decoupled",
                                    "spu/faults/relay_global",
                                    "spu/faults/relay_close",
                                    "spu/faults/relay_leave",
                                    "spu/faults/relay_long",
                                    "spu/faults/relay_spill",
                                    "spu/faults/relay_row",
                                    "spu/faults/relay_global_large",
                                    "spu/jacobi2d",
                                    "spu/matmul_systolic",
                                    "spu/mean3d_128",
                                    "spu/mean3d_global",
                                    "spu/smith_waterman",
                                    "spu/stencil7",
                                    "spu/faults/differ",
                                    NULL};
  static struct program programs[96];
  /* For CTA dispatch clusters of any size, and all SMs that there may be. */
  static const char *const large[] = {"histogram/histogram", "vecadd/vecadd", "transpose/transpose",
                                      "reduction/reduction"};
  size_t n = 0;
  uint64_t first = 1;
  unsigned mutant = 0;
  int status = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--mutant") == 0)
      mutant = (unsigned)strtoul(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--seed") == 0)
      first = strtoull(argv[i + 1], NULL, 0);
  }
  if (!OF_SPU) {
    for (unsigned i = 0; i < PROGRAMS; i++)
      programs[n++] = (struct program){.seed = first + i, .members = MEMBERS};
    programs[n++] = (struct program){
        .seed = first, .members = MEMBERS, .overflows = true, .fault = "SIMT stack overflow"};
  }
  for (const char *const *name = OF_SPU ? spu : kernels; *name != NULL; name++)
    programs[n++] = (struct program){.name = *name, .members = MEMBERS, .sms = 2 * MEMBERS};
  for (uint32_t members = 2; OF_CTA_DISPATCH && members <= 8; members *= 2) {
    for (unsigned i = 0; i < PROGRAMS; i++)
      programs[n++] = (struct program){.seed = first + i, .members = members};
    for (unsigned i = 0; i < sizeof large / sizeof large[0]; i++)
      programs[n++] =
          (struct program){.name = large[i], .apart = i % 2 != 0, .members = members, .sms = 64};
  }
  if (OF_SPU) /* its warps of a block synchronise in different directions */
    programs[n - 1].fault = "SPU";

  struct tandem_config normal;
  gpu_config_default(&normal);
  rtl_mutate(mutant);
  for (size_t i = 0; i < n && status == 0; i++)
    status = look(&programs[i], normal.state_interval);
  for (size_t i = 0; i < n && status == 0 && rtl_mutant_age() != 0; i++)
    status = look(&programs[i], 1);
  if (status == 0)
    printf("survived %" PRIu64 "\n", rtl_mutant_age());
  return status;
}
