/* How a model is made. */
#include "harness/shim/models/recipe.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/facts.h"

const char *const rtl_kind_names[RTL_KINDS] = {"plain",   "full",    "checked",
                                               "covered", "netlist", "mutants"};

/* Without the data-flow graph optimiser and the splitting of processes, which take work out of the
 * conditions under which it is needed: a fifth and a tenth of the speed. */
static const char every[] = "--cc -Wall -O3 -fno-dfg -fno-split --output-split 0 --x-assign unique "
                            "--x-initial unique --no-timing";
/* A netlist is no source to lint: its widths, names and unused nets are those of yosys, its carry
 * chains look like loops, it may stand beside its cells, and parts of one vector are written
 * behind different clock gates (the scoreboard's). */
static const char netlist[] = "-Wno-lint -Wno-style -Wno-UNOPTFLAT -Wno-MULTITOP -Wno-MULTIDRIVEN";

static const char *const adds[RTL_KINDS] = {
    [RTL_PLAIN] = "",
    [RTL_FULL] = "--assert --trace-fst +define+TANDEM_FAULTS +define+TANDEM_CHECKS",
    [RTL_CHECKED] = "--assert +define+TANDEM_FAULTS",
    /* Cover points see all ports of a unit and look at some. */
    [RTL_COVERED] = "--assert --coverage-line --coverage-toggle --coverage-user -Wno-UNUSEDSIGNAL",
    [RTL_NETLIST] = netlist,
    [RTL_MUTANTS] = netlist};

unsigned recipe_parameter(const char *parameters, const char *name, unsigned otherwise) {
  const size_t n = strlen(name);
  for (const char *p = parameters; p != NULL && *p != '\0'; p = strchr(p, ' ')) {
    p += strspn(p, " ");
    if (strncmp(p, name, n) == 0 && p[n] == '=')
      return (unsigned)strtoul(p + n + 1, NULL, 0);
  }
  return otherwise;
}

/* "Name=value Name=value", the values as SystemVerilog has them. */
static bool are_parameters(const char *p) {
  while (*p != '\0') {
    if (!isalpha((unsigned char)*p))
      return false;
    while (isalnum((unsigned char)*p) || *p == '_')
      p++;
    if (*p++ != '=' || !isdigit((unsigned char)*p))
      return false;
    while (isalnum((unsigned char)*p) || *p == '\'')
      p++;
    if (*p != '\0' && *p++ != ' ')
      return false;
  }
  return true;
}

static const char *parameters_of(const struct rtl_spec *s) {
  return s->parameters != NULL ? s->parameters : "";
}

static bool is_netlist(const struct rtl_spec *s) {
  return s->kind == RTL_NETLIST || s->kind == RTL_MUTANTS;
}

/* Definitions of the parameters that a model's own C++ sees. */
static void of_seen(struct recipe *r, const char *sees, const char *parameters) {
  for (const char *p = sees; p != NULL; p = *p != '\0' ? p + 1 : NULL) {
    char name[40];
    unsigned otherwise;
    if (sscanf(p, "%39[^=]=%u", name, &otherwise) == 2)
      words_add(&r->definitions, "P_%s=%u", name, recipe_parameter(parameters, name, otherwise));
    p += strcspn(p, " ");
  }
}

static void of_cluster(struct recipe *r, const char *rows, const char *parameters) {
  const unsigned members = recipe_parameter(parameters, "Members", 4);
  words_add(&r->definitions, "MEMBERS=%u", members);
  words_add(&r->definitions, "ROWS=%s", rows);
  if (r->spec->kind == RTL_FULL) { /* members lose their power */
    words_add(&r->options, "--vpi");
    words_add(&r->vlt, "scramble.vlt");
  }
  if (members == 8)                             /* takes longest, is needed least */
    r->fast[2] = r->fast[2] == '2' ? '1' : '0'; /* -O2, -O1 */
}

/* Adds the facts of the unit or block. */
static void of_facts(struct recipe *r, const struct unit_facts *f, const char *parameters) {
  if (f->made_of_units)
    words_add(&r->definitions, "COMPOSED");
  if (f->kind != NULL)
    words_add(&r->definitions, "KIND=\"rtl/%s\"", f->kind);
  if (f->vlt != NULL)
    words_split(&r->vlt, "", f->vlt);
  of_seen(r, f->sees, parameters);
  if (f->member != NULL)
    of_cluster(r, f->member, parameters);
}

static void flags_of(struct recipe *r, const struct unit_facts *f) {
  const enum rtl_kind kind = r->spec->kind;
  const bool large = f != NULL && f->made_of_units;
  /* Compiling tens of thousands of gates, or counters, costs far more than running them for a test.
   * The netlist of a whole front end has words, and hundreds of gated clocks, which run slowly. */
  const bool unoptimised = large ? kind == RTL_COVERED : kind == RTL_NETLIST;
  const char *fast = unoptimised ? "-O0" : "-Og";
  if (kind == RTL_PLAIN)
    fast = f != NULL && f->machine != NULL ? f->machine : "-O2";
  snprintf(r->fast, sizeof r->fast, "%s -g0", fast);
  snprintf(r->slow, sizeof r->slow, "-O0 -g0");
  /* The headers of a small model take longer to compile than its sources. */
  r->whole = !large || (kind != RTL_PLAIN && kind != RTL_FULL);
}

int recipe_of(const struct rtl_spec *s, struct recipe *r, struct tandem_error *err) {
  const struct unit_facts *f = unit_facts_of(s->unit), *b = block_facts_of(s->unit);
  const bool own = b != NULL && b->shim != NULL;
  const char *parameters = parameters_of(s);
  *r = (struct recipe){.spec = s};
  snprintf(r->shim, sizeof r->shim, "%s%s", own ? "rtl/" : "harness/shim/",
           own ? b->shim : "unit_model.cpp");
  if (!are_parameters(parameters))
    return tandem_fail(err, -EINVAL, "\"%s\" are no parameters: Name=value Name=value", parameters);
  if (snprintf(r->name, sizeof r->name, "%s%s%s.%s", s->unit, *parameters != '\0' ? "." : "",
               parameters, rtl_kind_names[s->kind]) >= (int)sizeof r->name)
    return tandem_fail(err, -EINVAL, "\"%s\" are too many parameters", parameters);
  for (char *p = r->name; *p != '\0'; p++)
    if (*p == ' ')
      *p = '_';
  flags_of(r, f);
  words_split(&r->options, "", every);
  words_split(&r->options, "", adds[s->kind]);
  if (!is_netlist(s)) /* which has its parameters in it */
    words_split(&r->options, "-G", parameters);
  if (recipe_parameter(parameters, "Warps", 48) < 48)
    words_add(&r->vlt, "few_warps.vlt");
  words_add(&r->vlt, "trace.vlt");
  words_add(&r->definitions, "UNIT=%s", s->unit);
  if (f != NULL || b != NULL)
    of_facts(r, f != NULL ? f : b, parameters);
  /* A netlist with mutants has names of registers, which only the shim of units knows. */
  if (s->kind == RTL_NETLIST || (s->kind == RTL_MUTANTS && own))
    words_add(&r->definitions, "NETLIST");
  if (s->kind == RTL_FULL)
    words_add(&r->definitions, "TRACED");
  if (s->kind == RTL_COVERED)
    words_add(&r->definitions, "COVERED");
  r->needs[SUPPORT_RUNTIME] = true;
  r->needs[SUPPORT_TRACING] = s->kind == RTL_FULL;
  r->needs[SUPPORT_COVERAGE] = s->kind == RTL_COVERED;
  return 0;
}

void recipe_free(struct recipe *r) {
  words_free(&r->options);
  words_free(&r->vlt);
  words_free(&r->definitions);
}

/* The runtime's macros must agree in all that is loaded: its output and its way to stop are turned
 * over to the shim.  Nothing but itself takes the place of a model's own functions, which saves the
 * indirection that shared objects have otherwise. */
void recipe_compile(struct words *w) {
  words_split(
      w, "",
      "-std=gnu++17 -w -fPIC -fno-semantic-interposition -fno-plt -DVM_COVERAGE=0 -DVM_SC=0 "
      "-DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_TRACE_VCD=0 -DVL_USER_STOP -DVL_USER_FINISH "
      "-DVL_USER_FATAL "
      "-DVL_USER_STOP_MAYBE -DVL_PRINTF=tandem_vl_printf");
}

const char *const headers_names[HEADERS] = {"headers_checked", "headers_slow"};
const char *const headers_flags[HEADERS] = {"-Og -g0", "-O0 -g0"};
const char *const support_names[SUPPORTS] = {"runtime", "tracing", "coverage"};
const struct support_source support_sources[SUPPORTS][5] = {
    [SUPPORT_RUNTIME] = {{"verilated.cpp", false, ""},
                         {"verilated_threads.cpp", false, ""},
                         {"runtime.cpp", true, ""},
                         {NULL, false, NULL}},
    [SUPPORT_TRACING] = {{"verilated_fst_c.cpp", false,
                          "-DFST_FILES_REPLACE -includeharness/shim/fst_files.h"},
                         {"verilated_vpi.cpp", false, ""},
                         {"fst_files.cpp", true, ""},
                         {"scramble.cpp", true, ""},
                         {NULL, false, NULL}},
    [SUPPORT_COVERAGE] = {{"verilated_cov.cpp", false, ""}, {NULL, false, NULL}}};
