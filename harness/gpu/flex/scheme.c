/* Roles of SMs by scheme and place. */
#include "harness/gpu/flex/scheme.h"

const char *flex_name(enum flex_scheme scheme) {
  static const char *const names[] = {"base", "occ", "bal", "bigsm", "bigsm_occ", "auto"};
  return names[scheme];
}

/* Roles in pairs: members 1 and 3 lend to the left, 4 lends to the right. */
static const struct flex_role in_pairs[FLEX_MEMBERS] = {
    {.active = true, .from = FLEX_RIGHT}, {.owner = {FLEX_LEFT, FLEX_LEFT}},
    {.active = true, .from = FLEX_RIGHT}, {.owner = {FLEX_LEFT, FLEX_LEFT}},
    {.owner = {FLEX_RIGHT, FLEX_RIGHT}},  {.active = true, .from = FLEX_LEFT}};

/* Roles in trios: the middle one lends bank 0 to the left and bank 1 to the right. */
static const struct flex_role in_trios[FLEX_MEMBERS] = {
    {.active = true, .from = FLEX_RIGHT}, {.owner = {FLEX_LEFT, FLEX_RIGHT}},
    {.active = true, .from = FLEX_LEFT},  {.active = true, .from = FLEX_RIGHT},
    {.owner = {FLEX_LEFT, FLEX_RIGHT}},   {.active = true, .from = FLEX_LEFT}};

struct flex_role flex_role(enum flex_scheme scheme, unsigned member) {
  if (scheme == FLEX_BASE)
    return (struct flex_role){.active = true};
  return scheme == FLEX_BAL ? in_trios[member] : in_pairs[member];
}

int flex_lender(enum flex_scheme scheme, unsigned member) {
  const struct flex_role role = flex_role(scheme, member);
  if (role.from == FLEX_OWN)
    return -1;
  return role.from == FLEX_LEFT ? (int)member - 1 : (int)member + 1;
}

unsigned flex_active(enum flex_scheme scheme, unsigned members) {
  unsigned set = 0;
  for (unsigned m = 0; m < members; m++)
    set |= (unsigned)flex_role(scheme, m).active << m;
  return set;
}

unsigned flex_power(enum flex_scheme scheme, bool own_memory, unsigned member) {
  if (flex_role(scheme, member).active)
    return (1U << FLEX_DOMAINS) - 1;
  unsigned set = 1U << FLEX_RF;
  if (scheme != FLEX_BIGSM)
    set |= 1U << FLEX_CTX;
  if (flex_wide(scheme))
    set |= 1U << FLEX_SIMD;
  if (flex_wide(scheme) || !own_memory)
    set |= 1U << FLEX_MEM;
  return set;
}
