/* The folder with the small program, which is replaced as a whole. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/shrink/shrink.h"

int out_check(const char *folder, struct tandem_error *err) {
  DIR *d = opendir(folder);
  const struct dirent *e;
  bool other = false, own = false;
  if (d == NULL)
    return errno == ENOENT ? 0 : tandem_fail(err, -errno, "%s: %s", folder, strerror(errno));
  while ((e = readdir(d)) != NULL) {
    own = own || strcmp(e->d_name, SHRINK_LAUNCH) == 0;
    other = other || *e->d_name != '.';
  }
  closedir(d);
  return own || !other
             ? 0
             : tandem_fail(err, -EEXIST,
                           "the folder %s has other files than those of tandem shrink; name "
                           "another one by --out",
                           folder);
}

/* The folder above, which is made. */
static int make_above(const char *folder, struct tandem_error *err) {
  const char *slash = strrchr(folder, '/');
  char *above = slash != NULL && slash != folder ? strndup(folder, (size_t)(slash - folder)) : NULL;
  const int status = above != NULL ? files_folder(above, err) : 0;
  free(above);
  return status;
}

int out_write(const char *folder, const struct shrink_case *c, const char *head,
              struct tandem_error *err) {
  char *made = NULL;
  TRY(make_above(folder, err));
  int status = scratch_folder(folder, &made);
  if (status != 0)
    return tandem_fail(err, status, "%s: %s", folder, strerror(-status));
  status = case_write(c, made, head, err);
  (void)chmod(made, 0755);
  if (status == 0 && renameat2(AT_FDCWD, made, AT_FDCWD, folder, RENAME_EXCHANGE) == 0) {
    scratch_drop(made); /* what was there before */
    return 0;
  }
  if (status == 0 && errno != ENOENT)
    status = tandem_fail(err, -errno, "%s: %s", folder, strerror(errno));
  if (status != 0) {
    scratch_drop(made);
    return status;
  }
  status = scratch_become(made, folder);
  return status == 0 ? 0 : tandem_fail(err, status, "%s: %s", folder, strerror(-status));
}
