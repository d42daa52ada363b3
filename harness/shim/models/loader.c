/* Loading by the dynamic linker. */
#include "harness/shim/models/loader.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

const bool loader_loads = true;

int loader_open(const char *path, const struct rtl_type **type, struct tandem_error *err) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return tandem_fail(err, -ENOEXEC, "cannot load a model: %s", dlerror());
  if (type == NULL)
    return 0;
  *type = dlsym(library, "rtl_type");
  return *type != NULL ? 0 : tandem_fail(err, -ENOEXEC, "%s is no model", path);
}
