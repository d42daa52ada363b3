/* Work-item functions: each dimension that there is and some that there are not, as constants and
 * as values that the compiler does not know. */
#include <stdio.h>
#include <string.h>

#include "tests/builtins/case.h"

/* Number and size of a dimension that is not there are 0 and 1. */
struct place {
  unsigned id, size;
};
static struct place place_of(const struct item *it, uint64_t dimension) {
  static const unsigned sizes[] = {SOLID_X, SOLID_Y, SOLID_Z};
  size_t id = it->index;
  if (dimension > 2)
    return (struct place){0, 1};
  for (unsigned d = 0; d < dimension; d++)
    id /= sizes[d];
  return (struct place){(unsigned)(id % sizes[dimension]), sizes[dimension]};
}

static unsigned value_of(const char *name, struct place p, uint64_t dimension) {
  const unsigned block = dimension == 0 ? 8 : dimension < 3 ? 2 : 1;
  return strcmp(name, "get_global_id") == 0     ? p.id
         : strcmp(name, "get_global_size") == 0 ? p.size
         : strcmp(name, "get_local_id") == 0    ? p.id % block
         : strcmp(name, "get_local_size") == 0  ? block
         : strcmp(name, "get_group_id") == 0    ? p.id / block
         : strcmp(name, "get_num_groups") == 0  ? p.size / block
         : strcmp(name, "get_work_dim") == 0    ? 3
                                                : 0; /* get_global_offset */
}

static void judge(struct item *it) {
  const uint64_t dimension = it->in[0][0];
  expect_bits(it, 0, 0, value_of(it->c->name, place_of(it, dimension), dimension));
  for (unsigned d = 0; d < 5; d++)
    expect_bits(it, 1, d, value_of(it->c->name, place_of(it, d), d));
}

void cases_of_work_items(struct cases *all) {
  static const char *const names[] = {"get_global_id",    "get_global_size", "get_local_id",
                                      "get_local_size",   "get_group_id",    "get_num_groups",
                                      "get_global_offset"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    struct builtin_case *c = case_add(all);
    char call[48];
    c->group = "work-item";
    snprintf(c->name, sizeof c->name, "%s", names[n]);
    snprintf(c->type, sizeof c->type, "size_t");
    snprintf(c->variant, sizeof c->variant, "any dimension");
    c->width = 1;
    c->solid = true;
    c->judge = judge;
    case_input(c, UINT, 1);
    snprintf(call, sizeof call, "%s(x0)", names[n]);
    case_output(c, UINT, 1, call);
    case_plain_output(c, UINT, 5);
    for (unsigned d = 0; d < 5; d++)
      body_add(c, "r1[i * 5 + %u] = %s(%u); ", d, names[n], d);
  }
}
