/* A netlist in the place of the RTL, for `synth`, which measures what it does.  This is no part of
 * tandem.h: a model is compiled with headers of the sources (harness/shim), which an installed
 * library does not have. */
#ifndef TANDEM_NETLIST_H
#define TANDEM_NETLIST_H

#include "harness/tandem.h"

struct rtl_model;

/* What takes the place of the first unit with SMs behind it.  It has that unit's ports and is
 * compared like it but for its state, which is not looked at (csim/ports/netlist.h). */
struct tandem_netlist {
  void *user;
  /* One model for each GPU that is opened; the GPU closes it.  NULL: out of memory. */
  struct rtl_model *(*open)(void *user, uint64_t seed);
};

/* NULL: none, the default.  *netlist must last as long as the GPUs opened with the configuration.
 */
void tandem_config_netlist(struct tandem_config *c, const struct tandem_netlist *netlist);

#endif
