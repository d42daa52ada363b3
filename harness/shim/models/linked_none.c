/* No model is linked into the program. */
#include <stddef.h>

#include "harness/shim/models/linked.h"

const struct linked_model models_linked[] = {{NULL, NULL}};
