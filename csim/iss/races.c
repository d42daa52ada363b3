/* Races that the checks of a launch see: counted always, listed by pairs of PCs on request. */
#include "csim/iss/launch_local.h"

void iss_race_seen(struct iss *iss, bool shared, uint32_t address, uint32_t first,
                   uint16_t first_pc, uint32_t second, uint16_t second_pc) {
  struct iss_memory *m = &iss->memory;
  if (iss->launch == NULL || !iss->launch->races)
    return;
  for (unsigned i = 0; i < m->races; i++) {
    struct iss_race *r = &m->race[i];
    if (r->shared == shared && r->pc[0] == first_pc && r->pc[1] == second_pc) {
      r->count++;
      return;
    }
  }
  if (m->races < MEMORY_RACES)
    m->race[m->races++] = (struct iss_race){.shared = shared,
                                            .address = address,
                                            .pc = {first_pc, second_pc},
                                            .thread = {first, second},
                                            .count = 1};
}

uint64_t iss_shared_races(const struct iss_launch *l) {
  uint64_t n = 0;
  for (unsigned i = 0; i < l->sms; i++)
    n += l->iss[i] != NULL ? l->iss[i]->memory.shared_races : 0;
  return n;
}

uint64_t iss_global_races(const struct iss_launch *l) { return l->global_races; }

void iss_list_races(struct iss_launch *l) { l->races = true; }

size_t iss_races(const struct iss_launch *l, struct iss_race *races, size_t max) {
  size_t n = 0;
  for (unsigned i = 0; i < l->sms; i++)
    for (unsigned k = 0; l->iss[i] != NULL && k < l->iss[i]->memory.races; k++) {
      const struct iss_race *r = &l->iss[i]->memory.race[k];
      size_t at = 0;
      while (at < n && at < max &&
             (races[at].shared != r->shared || races[at].pc[0] != r->pc[0] ||
              races[at].pc[1] != r->pc[1]))
        at++;
      if (at < n && at < max)
        races[at].count += r->count;
      else if (n++ < max)
        races[at] = *r;
    }
  return n;
}
