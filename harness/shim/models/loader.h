/* Loads a shared object of the cache, for good. */
#ifndef TANDEM_MODELS_LOADER_H
#define TANDEM_MODELS_LOADER_H

#include <stdbool.h>

#include "csim/util/error.h"
#include "harness/shim/rtl.h"

/* 0, and in *type what a model exports (type NULL: it is no model, but what models need). -ENOEXEC:
 * it cannot be loaded.  -ENOSYS: this program loads nothing. */
int loader_open(const char *path, const struct rtl_type **type, struct tandem_error *err);
/* False in a program that has its models linked in. */
extern const bool loader_loads;

#endif
