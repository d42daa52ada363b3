/* synth_netlist ROOT BUILD UNIT OUTPUT: a unit's netlist in cells of the default library, with its
 * parameters as by default, for simulation with synth/tandem_memory.v and the library's cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/local.h"

static int copy(const struct synth_unit *u, const char *to, struct tandem_error *err) {
  char path[1000], part[1000], *text;
  size_t size;
  snprintf(path, sizeof path, "%s/map/model.v", u->folder);
  snprintf(part, sizeof part, "%.990s.part", to);
  int status = synth_read(path, &text, &size, err);
  if (status == 0)
    status = synth_write(part, text, size, err);
  free(text);
  return status == 0 && rename(part, to) != 0 ? tandem_fail(err, -1, "cannot write %s", to)
                                              : status;
}

int main(int argc, char **argv) {
  struct synth_report *r;
  struct tandem_error err;
  if (argc != 5) {
    fprintf(stderr, "usage: synth_netlist ROOT BUILD UNIT OUTPUT\n");
    return 2;
  }
  const char *unit = argv[3];
  const struct synth_config c = {
      .root = argv[1], .build = argv[2], .units = &unit, .nunits = 1, .processes = 1};
  int status = synth_run(&c, &r, &err);
  if (status == 0) {
    status = copy(&r->units[0], argv[4], &err);
    synth_free(r);
  }
  if (status != 0)
    fprintf(stderr, "synth_netlist: %s\n", err.text);
  return status != 0 ? 2 : 0;
}
