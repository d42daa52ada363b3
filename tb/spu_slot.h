/* Between a slot of an SPU's grid and its SM: offers become CTAs, what the load-store unit asks of
 * the communication buffers goes to the grid, and data and acknowledgements come back.
 *
 * spu_tlm calls it once a core cycle, when the back end has had its step. */
#ifndef TANDEM_TB_SPU_SLOT_H
#define TANDEM_TB_SPU_SLOT_H

#include "tb/back_end.h"
#include "tb/pins.h"
#include "tb/spu_host.h"

class spu_slot : public sc_core::sc_module {
public:
  /* Named as the grid's pins, whose other ends they are. */
#define PORT_IN(name, width, qualifier) sc_core::sc_out<row_value<width>> name##_i{#name "_i"};
#define PORT_OUT(name, width, qualifier) sc_core::sc_in<row_value<width>> name##_o{#name "_o"};
#include "tb/spu_slot_ports.def"
#undef PORT_IN
#undef PORT_OUT

  spu_slot(sc_core::sc_module_name name, struct tandem *gpu_, unsigned number_, back_end &sm_)
      : sc_module(name), gpu(gpu_), number(number_), sm(sm_) {}

  /* A launch begins, whose CTAs have so many warps. */
  void begin(unsigned warps) { warps_i.write(warps); }
  void step();

private:
  void take_outputs();
  void give_requests();
  void give_access(const struct cb_pass &pass);
  bool take_offer();

  struct tandem *gpu;
  const unsigned number;
  back_end &sm;
  bool taken = false; /* a CTA is in the slot */
};

#endif
