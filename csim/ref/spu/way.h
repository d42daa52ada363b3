/* Pulses that are under way for a number of cycles, as in a shift register. */
#ifndef TANDEM_REF_WAY_H
#define TANDEM_REF_WAY_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { WAY_MOST = 63 /* cycles */ };

/* A queue, the oldest first: for each pulse the cycles since it entered. */
struct way {
  unsigned n;
  uint8_t age[WAY_MOST + 1];
};

/* Steps a cycle in which a pulse enters or not.  Returns whether one arrives that entered `cycles`
 * cycles ago. */
static inline bool way_step(struct way *w, bool enters, unsigned cycles) {
  for (unsigned i = 0; i < w->n; i++)
    w->age[i]++;
  if (enters)
    w->age[w->n++] = 0;
  if (w->n == 0 || w->age[0] != cycles)
    return false;
  memmove(w->age, w->age + 1, --w->n);
  return true;
}

/* The shift register: bit i is a pulse of age i. */
static inline uint64_t way_bits(const struct way *w) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < w->n; i++)
    bits |= UINT64_C(1) << w->age[i];
  return bits;
}

#endif
