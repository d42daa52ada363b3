/* A program that is used where it was built. */
#include "harness/shim/models/root.h"

const char models_default_root[] = MODELS_ROOT;
