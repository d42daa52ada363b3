/* Pictures of a report's units: what RTL each consists of, before any library (docs/use/synth.md).
 */
#ifndef TANDEM_SYNTH_SCHEMATIC_H
#define TANDEM_SYNTH_SCHEMATIC_H

#include "synth/model/report.h"

/* A picture of more boxes is unreadable, and takes minutes to lay out. */
enum { SYNTH_SCHEMATIC_CELLS = 600 };

struct synth_schematic {
  const char *build;  /* of the report's synth_config */
  const char *folder; /* for UNIT.svg of each unit; made if need be */
  /* Called for each unit: `why` is the reason that it is not drawn, or NULL. */
  void (*drawn)(void *user, const char *unit, const char *why);
  void *user;
};

/* 0, or a negative errno: -ENOENT without graphviz.  A picture appears under its name once it is
 * complete. */
int synth_schematic(const struct synth_schematic *s, const struct synth_report *r,
                    struct tandem_error *err);

#endif
