/* The table of stall causes, from csim/ports/stalls.def. */
#include "csim/ports/stalls.h"

#include <stddef.h>

const struct stall_desc stalls[STALL_CODES] = {
#define STALL(code, id, name, title, of, text) [code] = {name, title, text, of},
#include "csim/ports/stalls.def"
};
