/* Where sources and models are. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"
#include "harness/shim/models/local.h"
#include "harness/shim/models/root.h"

static char *root, *shipped;

void models_places(const char *r, const char *s) {
  free(root);
  free(shipped);
  root = r != NULL ? strdup(r) : NULL;
  shipped = s != NULL ? strdup(s) : NULL;
}

const char *models_root(void) {
  const char *named = getenv("TANDEM_ROOT");
  if (root != NULL)
    return root;
  return named != NULL && *named != '\0' ? named : models_default_root;
}

const char *models_shipped(void) { return shipped; }

char *models_cache(struct tandem_error *err) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  char *path = NULL;
  int n = 0;
  if (cache != NULL && *cache == '/')
    n = asprintf(&path, "%s/tandem", cache);
  else if (home != NULL && *home == '/')
    n = asprintf(&path, "%s/.cache/tandem", home);
  else
    tandem_fail(err, -ENOENT,
                "there is no place for the cache of models: HOME is not set, nor XDG_CACHE_HOME, "
                "which names a folder for caches");
  if (n < 0)
    tandem_fail(err, -ENOMEM, "out of memory");
  return n > 0 ? path : NULL;
}

char *models_cache_made(struct tandem_error *err) {
  struct tandem_error why;
  char *path = models_cache(err);
  if (path == NULL || files_folder(path, &why) == 0)
    return path;
  tandem_fail(err, -EACCES, "the cache of models: %s (XDG_CACHE_HOME names another folder)",
              why.text);
  free(path);
  return NULL;
}
