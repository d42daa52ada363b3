/* Pictures of a report's units, drawn by yosys and dot. */
#include "synth/report/schematic.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "synth/flow/steps.h"

/* Limit of processor time for one picture's layout; pictures of an allowed size take seconds. */
enum { LAYOUT_SECONDS = 60 };

struct drawing {
  const struct synth_schematic *s;
  char yosys[256], dot[256], *work; /* programs, and a folder beside the pictures */
};

/* Runs the program silently in the folder, with a limit of processor time; true if it succeeds. */
static bool runs(const char *folder, const char *const *argv) {
  return process_run(
      &(struct process){.argv = argv, .folder = folder, .cpu_seconds = LAYOUT_SECONDS});
}

/* Cells of RTLIL: their declarations' lines. */
static size_t cells_of(const char *text) {
  size_t n = 0;
  for (const char *p = strstr(text, "\n  cell "); p != NULL; p = strstr(p + 1, "\n  cell "))
    n++;
  return n;
}

/* Both programs get names without folders: no quoting. */
static const char *draw_with(const struct drawing *d, const struct synth_unit *u) {
  char script[SYNTH_NAME + 128], from[700], to[1000];
  snprintf(script, sizeof script,
           "read_rtlil elaborated.il; show -format dot -prefix drawing -stretch -width -notitle %s",
           u->name);
  /* Without these limits the layout takes a hundred times as long. */
  if (!runs(d->work, (const char *const[]){d->yosys, "-q", "-p", script, NULL}))
    return "yosys could not draw it";
  if (!runs(d->work,
            (const char *const[]){d->dot, "-Gsplines=line", "-Gnslimit=0.3", "-Gnslimit1=0.3",
                                  "-Gmclimit=0.1", "-Tsvg", "-odrawing.svg", "drawing.dot", NULL}))
    return "graphviz could not lay it out within a minute";
  snprintf(from, sizeof from, "%s/drawing.svg", d->work);
  snprintf(to, sizeof to, "%s/%s.svg", d->s->folder, u->name);
  return rename(from, to) == 0 ? NULL : "its file could not be written";
}

static int draw(const struct drawing *d, const struct synth_unit *u, struct tandem_error *err) {
  char path[1000], link[700], why[128];
  char *text;
  snprintf(path, sizeof path, "%s/synth/rtl/%s/elaborated.il", d->s->build, u->name);
  const int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  const size_t cells = cells_of(text);
  free(text);
  char *whole = realpath(path, NULL);
  snprintf(link, sizeof link, "%s/elaborated.il", d->work);
  (void)unlink(link);
  const char *reason = why;
  if (cells > SYNTH_SCHEMATIC_CELLS)
    snprintf(why, sizeof why, "it has %zu cells, too many to be read in a picture (at most %d)",
             cells, SYNTH_SCHEMATIC_CELLS);
  else if (whole == NULL || symlink(whole, link) != 0)
    reason = "its netlist cannot be reached";
  else
    reason = draw_with(d, u);
  free(whole);
  d->s->drawn(d->s->user, u->name, reason);
  return 0;
}

int synth_schematic(const struct synth_schematic *s, const struct synth_report *r,
                    struct tandem_error *err) {
  struct drawing d = {.s = s};
  char beside[700];
  int status;
  if ((status = synth_tool("yosys", "yosys", d.yosys, sizeof d.yosys, err)) != 0 ||
      (status = synth_tool("dot", "graphviz", d.dot, sizeof d.dot, err)) != 0 ||
      (status = files_folder(s->folder, err)) != 0)
    return status;
  snprintf(beside, sizeof beside, "%s/", s->folder);
  if ((status = scratch_folder(beside, &d.work)) != 0)
    return tandem_fail(err, status, "cannot write to %s: %s", s->folder, strerror(-status));
  for (size_t i = 0; i < r->nunits && status == 0; i++)
    if (!r->units[i].flat)
      status = draw(&d, &r->units[i], err);
  scratch_drop(d.work);
  return status;
}
