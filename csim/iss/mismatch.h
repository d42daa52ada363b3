/* The first mismatch that the check of an SM finds. */
#ifndef TANDEM_ISS_MISMATCH_H
#define TANDEM_ISS_MISMATCH_H

#include "csim/iss/iss_local.h"

/* Records `bad` with the sentence that the format makes, unless the SM has a mismatch already.
 * A word of 0 becomes the kernel's word at bad.pc.  Returns false, so that callers can return it.
 */
bool iss_fails(struct iss *iss, struct iss_mismatch bad, const char *format, ...)
    __attribute__((cold, format(printf, 3, 4)));

/* Records that a retired instruction has a value in a lane that the check does not expect. */
bool iss_differs(struct iss *iss, const struct sm_inst *inst, const char *what, unsigned lane,
                 uint64_t expected, uint64_t got) __attribute__((cold));

/* Records that a load returned a byte that no order of the stores explains; `memory` is the name of
 * the memory. */
bool iss_byte_differs(struct iss *iss, const struct iss_pending_load *load, const char *memory)
    __attribute__((cold));

/* The format for atomics: name of the memory, address. */
#define ISS_ATOMICS_TEXT                                                                           \
  "the atomics on %s memory at address 0x%x returned values that no order of them explains"

#endif
