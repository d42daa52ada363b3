/* The flex: of a launch: its scheme. */
#include "harness/gpu/flex/launch.h"

#include <string.h>

#include "harness/gpu/flex/scheme.h"

_Static_assert((int)TANDEM_FLEX_BASE == (int)FLEX_BASE && (int)TANDEM_FLEX_OCC == (int)FLEX_OCC &&
                   (int)TANDEM_FLEX_BAL == (int)FLEX_BAL,
               "the same schemes");

int flex_launch_read(const struct launch_reader *r, yaml_node_t *node, void *part,
                     struct tandem_error *err) {
  struct tandem_flex *flex = part;
  const char *text;
  TRY(yaml_text(r->file, node, "flex", &text, err));
  for (unsigned s = 0; s <= FLEX_BAL; s++)
    if (strcmp(text, flex_name((enum flex_scheme)s)) == 0) {
      flex->scheme = (enum tandem_flex_scheme)s;
      return 0;
    }
  return yaml_fail(r->file, node, err, "flex must be base, occ or bal, not %s", text);
}
