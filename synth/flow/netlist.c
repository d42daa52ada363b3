/* synth_netlist ROOT BUILD UNIT OUTPUT: a unit's netlist in cells of the default library, with its
 * parameters as by default, for simulation with synth/flow/scripts/tandem_memory.v and the
 * library's cells. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"
#include "csim/util/output.h"
#include "synth/flow/synth.h"

/* The unit's netlist; of one that instantiates others the flat one, under the unit's own name. */
static int copy(const struct synth_unit *u, const char *name, const char *to,
                struct tandem_error *err) {
  char path[1000], *text, *rest = NULL;
  struct output out;
  snprintf(path, sizeof path, "%s/map/model.v", u->folder);
  int status = files_read(path, &text, NULL, err);
  if (status == 0)
    status = output_open(&out, to, err);
  for (char *line = status == 0 ? strtok_r(text, "\n", &rest) : NULL; line != NULL;
       line = strtok_r(NULL, "\n", &rest)) {
    const char *ports = strncmp(line, "module ", 7) == 0 ? strchr(line, '(') : NULL;
    if (ports != NULL)
      fprintf(out.file, "module %s%s\n", name, ports);
    else
      fprintf(out.file, "%s\n", line);
  }
  free(text);
  return status == 0 ? output_commit(&out, err) : status;
}

int main(int argc, char **argv) {
  struct synth_report *r;
  struct tandem_error err;
  if (argc != 5) {
    fprintf(stderr, "usage: synth_netlist ROOT BUILD UNIT OUTPUT\n");
    return 2;
  }
  const char *unit = argv[3];
  struct synth_config c = {
      .root = argv[1], .build = argv[2], .units = &unit, .nunits = 1, .processes = 1};
  int status = synth_run(&c, &r, &err);
  if (status == 0 && r->units[0].nchildren > 0) {
    synth_free(r);
    c.flat = true;
    status = synth_run(&c, &r, &err);
  }
  const struct synth_unit *u = NULL;
  for (size_t i = 0; status == 0 && i < r->nunits; i++)
    if (r->units[i].flat == c.flat && strcmp(r->units[i].spec.module, unit) == 0)
      u = &r->units[i];
  if (u != NULL)
    status = copy(u, unit, argv[4], &err);
  if (r != NULL)
    synth_free(r);
  if (status != 0)
    fprintf(stderr, "synth_netlist: %s\n", err.text);
  return status != 0 ? 2 : 0;
}
