/* Units and their facts, from csim/ports/units.def. */
#include "csim/ports/facts.h"

#include <string.h>

#include "csim/ports/units.h"

/* The variants of each unit: other facts are empty here. */
#define MACHINE(flags)
#define DEFAULT(parameters)
#define MADE_OF_UNITS()
#define MEMBERS(members, count, parts)
#define GATES()
#define MAPPED()
#define MUTATED(parameters)
#define KIND(file)
#define SHIM(file)
#define VLT(files)
#define SEES(parameters)
#define FAULTS VARIANT_FAULTS
#define COVERED VARIANT_COVERED
#define VARIANT(name, parameters, uses) {#name, parameters, uses},
#define BLOCK(name, ...)
#define ROWS(name)
#define UNIT(unit, ...)                                                                            \
  static const struct unit_variant unit##_variants[] = {__VA_ARGS__{NULL, NULL, 0}};
#include "csim/ports/units.def"
#undef UNIT
#undef VARIANT
#undef SEES
#undef VLT
#undef SHIM
#undef KIND
#undef MUTATED
#undef MAPPED
#undef GATES
#undef MEMBERS
#undef MADE_OF_UNITS
#undef DEFAULT
#undef MACHINE

#define MACHINE(flags) .machine = flags,
#define DEFAULT(parameters) .standard = parameters,
#define MADE_OF_UNITS() .made_of_units = true,
#define MEMBERS(members, count, parts) .member = #members, .most = count,
#define GATES() .gates = true,
#define MAPPED() .mapped_fast = true,
#define MUTATED(parameters) .mutated = parameters,
#define KIND(file) .kind = file,
#define SHIM(file) .shim = file,
#define VLT(files) .vlt = files,
#define SEES(parameters) .sees = parameters,
#define VARIANT(name, parameters, uses)
#define UNIT(unit, ...) {.name = #unit, __VA_ARGS__.variants = unit##_variants},
const struct unit_facts unit_facts[] = {
#include "csim/ports/units.def"
    {.name = NULL}};
#undef UNIT
#undef BLOCK

#define UNIT(unit, ...)
#define BLOCK(block, ...) {.name = #block, __VA_ARGS__},
static const struct unit_facts block_facts[] = {
#include "csim/ports/units.def"
    {.name = NULL}};
#undef UNIT
#undef BLOCK
#undef ROWS

#define UNIT(unit, ...) &unit##_ports,
#define BLOCK(name, ...) &name##_ports,
#define ROWS(name) &name##_ports,
const struct ports_table *const ports_tables[] = {
#include "csim/ports/units.def"
    NULL};

static const struct unit_facts *find(const struct unit_facts *f, const char *name) {
  while (f->name != NULL && strcmp(f->name, name) != 0)
    f++;
  return f->name != NULL ? f : NULL;
}

const struct unit_facts *unit_facts_of(const char *unit) { return find(unit_facts, unit); }

const struct unit_facts *block_facts_of(const char *block) { return find(block_facts, block); }

const struct ports_table *ports_table_of(const char *name) {
  const struct ports_table *const *t = ports_tables;
  while (*t != NULL && strcmp((*t)->name, name) != 0)
    t++;
  return *t;
}
