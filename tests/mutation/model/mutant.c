/* Which mutant acts: TANDEM_MUTANT in the environment.  When it first does, the file that
 * TANDEM_MUTANT_ACTED names is made. */
#include "tests/mutation/model/mutant.h"

#include <stdio.h>
#include <stdlib.h>

int mutant_now;

__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("TANDEM_MUTANT");
  mutant_now = number != NULL ? atoi(number) : 0;
}

void mutant_acts(void) {
  static int told;
  const char *path = getenv("TANDEM_MUTANT_ACTED");
  if (told || path == NULL)
    return;
  told = 1;
  FILE *f = fopen(path, "w");
  if (f != NULL)
    fclose(f);
}
