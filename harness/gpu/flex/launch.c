/* The flex: of a launch: its scheme. */
#include "harness/gpu/flex/launch.h"

#include <string.h>

#include "harness/gpu/flex/scheme.h"

_Static_assert((int)TANDEM_FLEX_BASE == (int)FLEX_BASE && (int)TANDEM_FLEX_OCC == (int)FLEX_OCC &&
                   (int)TANDEM_FLEX_BAL == (int)FLEX_BAL &&
                   (int)TANDEM_FLEX_BIGSM == (int)FLEX_BIGSM &&
                   (int)TANDEM_FLEX_BIGSM_OCC == (int)FLEX_BIGSM_OCC &&
                   (int)TANDEM_FLEX_AUTO == (int)FLEX_AUTO,
               "the same schemes");

int flex_launch_read(const struct launch_reader *r, yaml_node_t *node, void *part,
                     struct tandem_error *err) {
  struct tandem_flex *flex = part;
  const char *text;
  TRY(yaml_text(r->file, node, "flex", &text, err));
  for (unsigned s = 0; s <= FLEX_AUTO; s++)
    if (strcmp(text, flex_name((enum flex_scheme)s)) == 0) {
      flex->scheme = (enum tandem_flex_scheme)s;
      return 0;
    }
  return yaml_fail(r->file, node, err,
                   "flex must be base, occ, bal, bigsm, bigsm_occ or auto, not %s", text);
}
