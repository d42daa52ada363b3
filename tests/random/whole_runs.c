/* Random programs and kernels in lockstep, with a model of one unit in the place of the unit's full
 * model: a netlist with mutants, until a run notices the one that is on (docs/models/mutation.md),
 * or one that counts what is covered (docs/models/coverage.md).
 *
 *   whole_runs --unit UNIT --device mutants|covered [--files FILE,FILE] [--parameters "Name=value"]
 *              [--mutant N] [--seed S]
 *
 * Units with these parameters are replaced, those that the RTL has of itself if none are given.
 * S: the first random program.  States are compared at intervals, as they are by default, and of
 * the runs that notice nothing once more in every cycle.
 *
 * The last line of standard output is "caught KIND NAME CYCLE AGE" (status 1) or "survived AGE".
 * CYCLE of the run that noticed it.  AGE: 1 and the cycles from the first difference to CYCLE; the
 * same run with states compared in every cycle finds the first difference.  AGE is "-" if only that
 * run finds it.  AGE of a survivor is mutant_age of harness/shim/rtl.h. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/bugs.h"
#include "harness/netlist.h"
#include "harness/shim/models/models.h"
#include "tests/random/run.h"

/* A program to run: the random one of a seed, the one that overflows the SIMT stack, or a launch
 * description. */
struct program {
  uint64_t seed;
  bool overflows;
  const char *name;
  const char *fault;     /* where it must fail; NULL: it must not */
  bool apart;            /* residues part clusters */
  uint32_t members, sms; /* of the machine; sms: of a description's */
};

/* The values of the options. */
static struct {
  struct tandem_instead instead;
  bool spu;         /* a unit of the stencil processing unit */
  uint32_t members; /* of the clusters that have the unit */
  unsigned mutant;
  uint64_t seed;
} chosen = {.members = 1, .seed = 1};

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
  tandem_config_instead(c, &chosen.instead);
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
                        p->seed % 2 != 0 ? BUDDY_REGROUP_HALFWAY : BUDDY_REGROUP_NEW_KERNEL, &c);
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
  c.feature.buddy.size = p->members;
  c.sms = p->sms;
  /* So that residues form clusters; or are given to members of clusters that part. */
  c.feature.buddy.formation = p->apart ? BUDDY_FORM_DEFAULT : BUDDY_FORM_ADAPTIVE;
  struct tandem_job *job = bugs_read(path, chosen.spu, &c, &err);
  if (job == NULL)
    return refused(path, err.text);
  configure(&c, interval);
  if (!bugs_run(job, &c, &o))
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

enum { PROGRAMS_MOST = 96 };
static struct program programs[PROGRAMS_MOST];
static size_t nprograms;

static void add(struct program p) { programs[nprograms++] = p; }

static void add_random(uint32_t members) {
  for (unsigned i = 0; i < 12; i++)
    add((struct program){.seed = chosen.seed + i, .members = members});
}

static void add_kernels(void) {
  static const char *const kernels[] = {
      "atomics/atomics", "bfs/bfs",     "prefix/prefix",       "matmul/matmul",
      "vecadd/vecadd",   "spill/spill", "stencil2d/stencil2d", NULL};
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
  for (const char *const *name = chosen.spu ? spu : kernels; *name != NULL; name++)
    add((struct program){.name = *name, .members = chosen.members, .sms = 2 * chosen.members});
  if (chosen.spu) /* its warps of a block synchronise in different directions */
    programs[nprograms - 1].fault = "SPU";
}

/* For CTA dispatch clusters of any size, and all SMs that there may be. */
static void add_clusters(void) {
  static const char *const large[] = {"stencil2d/stencil2d", "vecadd/vecadd", "matmul/matmul",
                                      "atomics/atomics"};
  for (uint32_t members = 2; members <= 8; members *= 2) {
    add_random(members);
    for (unsigned i = 0; i < sizeof large / sizeof large[0]; i++)
      add((struct program){.name = large[i], .apart = i % 2 != 0, .members = members, .sms = 64});
  }
}

static void add_programs(void) {
  if (!chosen.spu) {
    add_random(chosen.members);
    add((struct program){.seed = chosen.seed,
                         .members = chosen.members,
                         .overflows = true,
                         .fault = "SIMT stack overflow"});
  }
  add_kernels();
  if (strcmp(chosen.instead.unit, "cta_dispatch") == 0)
    add_clusters();
}

static int choose_kind(const char *name) {
  static const enum rtl_kind kinds[] = {RTL_MUTANTS, RTL_COVERED};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(rtl_kind_names[kinds[i]], name) == 0) {
      chosen.instead.kind = kinds[i];
      return 0;
    }
  return refused("--device", name);
}

static void choose_files(char *list) {
  enum { FILES_MOST = 40 };
  static const char *files[FILES_MOST + 1];
  unsigned n = 0;
  for (char *file = strtok(list, ","); file != NULL && n < FILES_MOST; file = strtok(NULL, ","))
    files[n++] = file;
  chosen.instead.files = files;
}

static int choose(int argc, char **argv) {
  static const struct option options[] = {{"unit", required_argument, NULL, 'u'},
                                          {"device", required_argument, NULL, 'd'},
                                          {"files", required_argument, NULL, 'f'},
                                          {"parameters", required_argument, NULL, 'p'},
                                          {"mutant", required_argument, NULL, 'm'},
                                          {"seed", required_argument, NULL, 's'},
                                          {NULL, 0, NULL, 0}};
  struct tandem_instead *instead = &chosen.instead;
  int option, status = 0;
  instead->parameters = "";
  while (status == 0 && (option = getopt_long(argc, argv, "", options, NULL)) != -1)
    if (option == 'u')
      instead->unit = optarg;
    else if (option == 'd')
      status = choose_kind(optarg);
    else if (option == 'f')
      choose_files(optarg);
    else if (option == 'p')
      instead->parameters = optarg;
    else if (option == 'm')
      chosen.mutant = (unsigned)strtoul(optarg, NULL, 0);
    else if (option == 's')
      chosen.seed = strtoull(optarg, NULL, 0);
    else
      status = 2;
  if (status == 0 && instead->unit == NULL)
    return refused("--unit", "of which unit is the model?");
  return status;
}

/* The runs in which the unit is at work: launches of the stencil processing unit for its units, and
 * clusters of as many members as its parameters say. */
static void choose_runs(void) {
  static const char members[] = "Members=";
  const char *found = strstr(chosen.instead.parameters, members);
  char path[400];
  snprintf(path, sizeof path, "%s/spu/%s.sv", RTL, chosen.instead.unit);
  chosen.spu = access(path, R_OK) == 0;
  if (found != NULL)
    chosen.members = (uint32_t)strtoul(found + strlen(members), NULL, 10);
}

int main(int argc, char **argv) {
  struct tandem_config normal;
  struct tandem_error err;
  int status = choose(argc, argv);
  if (status != 0)
    return status;
  choose_runs();
  const struct rtl_spec spec = {.unit = chosen.instead.unit,
                                .parameters = chosen.instead.parameters,
                                .kind = chosen.instead.kind,
                                .files = chosen.instead.files};
  const struct rtl_type *type = models_get(&spec, &err);
  if (type == NULL)
    return refused(spec.unit, err.text);
  add_programs();
  gpu_config_default(&normal);
  type->mutate(chosen.mutant);
  for (size_t i = 0; i < nprograms && status == 0; i++)
    status = look(&programs[i], normal.state_interval);
  for (size_t i = 0; i < nprograms && status == 0 && type->mutant_age() != 0; i++)
    status = look(&programs[i], 1);
  if (status == 0)
    printf("survived %" PRIu64 "\n", type->mutant_age());
  return status;
}
