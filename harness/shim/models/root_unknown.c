/* A program that may be moved. */
#include "harness/shim/models/root.h"

const char models_default_root[] = "";
