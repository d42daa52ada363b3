/* The headers that each unit of a model includes first, compiled beforehand where many models have
 * the same flags (recipe.h). */
#include "harness/shim/runtime.h"

#include <verilated.h>
