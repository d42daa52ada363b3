/* The back end of an SM (csim/sm) at the pins of its front end.
 *
 * Half a core cycle after an edge, and a delta cycle after memory's answers, it takes the front
 * end's outputs and gives the inputs of the next edge. */
#ifndef TANDEM_TB_BACK_END_H
#define TANDEM_TB_BACK_END_H

#include "tb/memory_port.h"

class back_end : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"};
  /* The front end's: its inputs are outputs here. */
#define PORT_IN(name, width, qualifier) sc_core::sc_out<uint64_t> name{#name};
#define PORT_OUT(name, width, qualifier) sc_core::sc_in<uint64_t> name{#name};
#include "csim/ports/sm/sm.def"
#undef PORT_IN
#undef PORT_OUT
  sc_core::sc_out<uint64_t> kernel_start{"kernel_start"};
  sc_core::sc_in<uint64_t> drained{"drained"}; /* nothing is under way in the front end */
  /* Freed entries of borrowed queues: bound for SMs that borrow. */
  sc_core::sc_port<sc_core::sc_signal_inout_if<uint64_t>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      sp_credit1{"sp_credit1"}, sfu_credit1{"sfu_credit1"}, mem_credit1{"mem_credit1"};
  memory_port memory{"memory"};

  SC_HAS_PROCESS(back_end);
  back_end(sc_core::sc_module_name name, const struct sm_config &config, unsigned index,
           bool cluster);
  ~back_end() override {
    sm_lanes_destroy(pair);
    sm_destroy(sm);
    pages_destroy(pages);
  }

  /* In kernels with a pair's shape the other SM has the upper halves of wide warps. */
  void pair_with(back_end &upper);
  /* A kernel begins.  shape nullptr: the SM is as configured. */
  void begin(const struct grid *grid, const struct sm_shape *shape);
  void end() { running = false; }
  /* Functions of csim/sm/sm.h, called between a cycle's step and the next one's. */
  void room(struct sm_room *room) const;
  void launch(const uint32_t ctaid[3], const struct sm_room &room);
  bool idle() const { return is_idle; }
  bool resident(unsigned slot) const { return sm_cta_resident(sm, slot); }
  uint32_t *spu_registers(unsigned slot) { return sm_spu_registers(sm, slot); }
  bool block_events(struct sm_block_events *events) { return sm_block_events(sm, events); }
  const char *fault() const; /* nullptr: none */

private:
  void falling() { step_event.notify(sc_core::SC_ZERO_TIME); }
  void step();
  uint64_t step_sm(const struct sm_frontend_out &out, struct sm_frontend_in *in);
  void drive(const struct sm_frontend_in &in);
  void drive(const struct sm_credits &credits);
  bool wide() const { return paired && upper != nullptr; } /* steps both halves */
  bool half() const { return paired && upper == nullptr; } /* is stepped with the lower one */

  const bool member; /* of a cluster */
  struct pages *pages;
  struct sm *sm;
  struct sm_lanes *pair = nullptr;
  back_end *upper = nullptr;
  bool paired = false; /* in this kernel */
  sc_core::sc_event step_event;
  uint64_t cycle = 0;
  bool running = false, is_idle = true;
};

#endif
