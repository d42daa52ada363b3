/* Models that are linked into the program, made when it was built: of a library that is used alone,
 * and of a program without dlopen. */
#ifndef TANDEM_MODELS_LINKED_H
#define TANDEM_MODELS_LINKED_H

#include "harness/shim/rtl.h"

struct linked_model {
  const char *name; /* "sm_frontend.WarpSize=32.plain"; NULL: no further one */
  const struct rtl_type *type;
};
extern const struct linked_model models_linked[];

#endif
