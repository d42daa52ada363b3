/* A program without a dynamic linker. */
#include <errno.h>

#include "harness/shim/models/loader.h"

const bool loader_loads = false;

int loader_open(const char *path, const struct rtl_type **type, struct tandem_error *err) {
  (void)type;
  return tandem_fail(err, -ENOSYS, "this program cannot load %s: it has its models linked in",
                     path);
}
