/* Output files of commands: errors are printed where they are found. */
#include "harness/cli/cli.h"

static bool told(int status, const struct tandem_error *err) {
  if (status != 0)
    fprintf(stderr, "tandem: %s\n", err->text);
  return status == 0;
}

bool outfile_open(struct output *o, const char *path) {
  struct tandem_error err;
  return told(output_open(o, path, &err), &err);
}

bool outfile_commit(struct output *o) {
  struct tandem_error err;
  return told(output_commit(o, &err), &err);
}
