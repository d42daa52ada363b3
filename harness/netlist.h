/* Other models in the place of a GPU's RTL.  This is no part of tandem.h: models are made with
 * headers of the sources (harness/shim). */
#ifndef TANDEM_NETLIST_H
#define TANDEM_NETLIST_H

#include "harness/tandem.h"

#include "harness/shim/models/models.h"

/* A netlist in the place of the first unit with SMs behind it.  It has that unit's ports and is
 * compared like it but for its state, which is not looked at (csim/ports/netlist.h). */
struct tandem_netlist {
  void *user;
  /* One model for each GPU that is opened; the GPU closes it.  NULL: out of memory. */
  struct rtl_model *(*open)(void *user, uint64_t seed);
};

/* Another model of a unit, wherever machines have it: its netlist, with mutants, or covered (struct
 * rtl_spec has the meaning of kind and files).  The state of a netlist is not compared. */
struct tandem_instead {
  const char *unit;
  /* Only of units with these, and of none if a GPU has no such unit; NULL: of any, and a GPU
   * without the unit is refused. */
  const char *parameters;
  enum rtl_kind kind;
  const char *const *files;
};

/* NULL: none, the default.  *instead must last as long as the GPUs opened with the configuration.
 */
void tandem_config_instead(struct tandem_config *c, const struct tandem_instead *instead);

/* NULL: none, the default.  *netlist must last as long as the GPUs opened with the configuration.
 */
void tandem_config_netlist(struct tandem_config *c, const struct tandem_netlist *netlist);

#endif
