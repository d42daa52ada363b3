/* Comparison and printing by ports tables. */
#include "tests/unit/differ.h"

#include <stdio.h>

#include "tests/unit/testing.h"

static const uint64_t *field(const void *ports, const struct port_desc *d) {
  return (const uint64_t *)((const char *)ports + d->offset);
}

unsigned differ_out(const struct ports_table *t, uint64_t cycle, const void *ref, const void *dut) {
  static uint64_t counts[PORTS_MAX];
  bool means[PORTS_MAX];
  unsigned differences = 0;
  if (t->diff(ref, dut, counts) == 0)
    return 0;
  t->qualify_out(ref, means);
  for (unsigned line = 0; line < t->outs; line++) {
    const struct port_desc *d = &t->out[line];
    const uint64_t *a = field(ref, d), *b = field(dut, d);
    char what[80];
    snprintf(what, sizeof what, "output %s", d->name);
    for (unsigned i = 0; means[line] && i < d->count; i++)
      if (a[i] != b[i])
        differences += testing_difference(t->name, cycle, what, i, a[i], b[i]);
  }
  return differences;
}

unsigned differ_view(const struct ports_table *t, uint64_t cycle, const void *ref,
                     const void *dut) {
  static uint64_t counts[PORTS_MAX];
  unsigned differences = 0;
  if (t->view_same(ref, dut, counts, NULL) == 0)
    return 0;
  for (unsigned line = 0; line < t->lines; line++) {
    const struct port_desc *d = &t->states[line];
    const uint64_t *a = field(ref, d), *b = field(dut, d);
    char what[80];
    snprintf(what, sizeof what, "state %s", d->name);
    for (unsigned i = 0; i < d->count; i++)
      if (a[i] != b[i] && t->state_means(ref, line, i))
        differences += testing_difference(t->name, cycle, what, i, a[i], b[i]);
  }
  return differences;
}

/* One value, or reference/device; each word of several with its number. */
static void print_port(const struct port_desc *d, const void *ref, const void *dut) {
  for (unsigned i = 0; i < d->count; i++) {
    char name[80];
    snprintf(name, sizeof name, d->count > 1 ? "%s[%u]" : "%s", d->name, i);
    testing_print_field(name, field(ref, d)[i], field(dut, d)[i]);
  }
}

void differ_print_in(const struct ports_table *t, const void *in) {
  bool means[PORTS_MAX];
  t->qualify_in(in, means);
  for (unsigned line = 0; t->in[line].name != NULL; line++)
    if (means[line])
      print_port(&t->in[line], in, in);
}

void differ_print_out(const struct ports_table *t, const void *ref, const void *dut) {
  for (unsigned line = 0; line < t->outs; line++)
    print_port(&t->out[line], ref, dut);
}
