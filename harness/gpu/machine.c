/* Which machine a configuration asks for, and what all machines make alike. */
#include "harness/gpu/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/gpu.h"

static const struct machine *const machines[] = {&machine_wide, &machine_buddy, &machine_sms};

const struct machine *machine_of(const struct tandem_config *c) {
  for (unsigned i = 0;; i++)
    if (machines[i]->wanted(c))
      return machines[i];
}

unsigned machine_cell_sms(const struct tandem_config *c) { return machine_of(c)->cell_sms(c); }

int machine_check(const struct tandem_config *c, struct tandem_error *err) {
  int status = 0;
  for (unsigned i = 0; status == 0 && i < sizeof machines / sizeof machines[0]; i++)
    if (machines[i]->check != NULL)
      status = machines[i]->check(c, err);
  return status;
}

int machine_cells(struct tandem *t, struct tandem_error *err) {
  const unsigned sms = t->machine->cell_sms(&t->config);
  t->ncells = t->config.sms / sms;
  t->cells = aligned_alloc(64, t->ncells * sizeof *t->cells);
  if (t->cells == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u cells of SMs", t->ncells);
  memset(t->cells, 0, t->ncells * sizeof *t->cells);
  for (unsigned i = 0; i < t->ncells; i++) {
    struct cell *c = &t->cells[i];
    c->first = i * sms;
    c->sms = sms;
    c->sm = &t->sms[c->first];
    for (unsigned k = 0; k < sms; k++) {
      c->sm[k].cell = c;
      c->mem[k] = c->sm[k].mem;
    }
  }
  return 0;
}

int machine_unit(struct tandem *t, struct cell *c, const struct unit_type *type,
                 const char *parameters, const unsigned *numbers, const char *what,
                 struct tandem_error *err) {
  const struct tandem_config *k = &t->config;
  const uint64_t here = c->sms == 64 ? UINT64_MAX : (UINT64_C(1) << c->sms) - 1;
  const bool bug =
      k->bug != 0 && k->bug_sm / c->sms == c->first / c->sms && !cta_dispatch_has_fault(k->bug);
  const struct unit_request r = {.type = type,
                                 .parameters = parameters,
                                 .numbers = numbers,
                                 .first = c->first,
                                 .sms = c->sms,
                                 .bug = bug ? k->bug : 0,
                                 .traced =
                                     k->trace != NULL && (k->trace_sms >> c->first & here) != 0,
                                 .opaque = c->first == 0 && k->netlist != NULL,
                                 .seed = k->seed + c->first};
  c->unit = unit_open(&r, k, err);
  if (c->unit == NULL)
    return -ENOMEM;
  snprintf(c->unit->name, sizeof c->unit->name, "%s %u", what, c->first / c->sms);
  c->unit->index = t->nunits;
  t->units[t->nunits++] = c->unit;
  return 0;
}
