/* Proofs that units whose RTL changed, and whose reference did not, still do the same. */
#ifndef TANDEM_COMPARE_PROOFS_H
#define TANDEM_COMPARE_PROOFS_H

#include "harness/compare/modules.h"

enum compare_outcome { PROOF_EQUAL, PROOF_DIFFERS, PROOF_OPEN, PROOF_OUTCOMES };
extern const char *const compare_outcomes[PROOF_OUTCOMES]; /* "equal", "differs", "open" */

struct compare_proof {
  const char *unit;
  enum compare_outcome outcome;
  unsigned cycle; /* of the first difference; without one up to which is known: of none */
  char *text; /* inputs up to the difference, a line a cycle; why a proof is open; "": nothing */
};
struct compare_proofs {
  struct compare_proof *at;
  size_t n;
};

/* Proves the chosen units, or takes verdicts from earlier ones.  The program of the later side has
 * the ports of its units.  starts(unit) is called before a proof that takes a while. */
int compare_proofs_make(const struct compare_places *at, const struct compare_modules *m,
                        void (*starts)(const char *unit), struct compare_proofs *p,
                        struct tandem_error *err);
void compare_proofs_free(struct compare_proofs *p);

#endif
