/* SMs for a virtual platform: back ends, CTA dispatch, and a socket through which kernels are run.
 * Their front ends, and what they share, are a derived class's.
 *
 * Their memory is behind sockets, one pair an SM (docs/use/systemc.md). */
#ifndef TANDEM_TB_SMS_TLM_H
#define TANDEM_TB_SMS_TLM_H

#include <tlm_utils/simple_target_socket.h>

#include <string>

#include "tb/back_end.h"

class sms_tlm : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst_n{"rst_n"};
  sc_core::sc_vector<tlm::tlm_initiator_socket<64>> fetch;
  sc_core::sc_vector<tlm::tlm_initiator_socket<64, warp_protocol>> data;
  tlm_utils::simple_target_socket<sms_tlm, 64> control;

  uint64_t cycles() const { return total; }            /* of all kernels */
  const std::string &fault() const { return trouble; } /* of the last one; "": none */

protected:
  struct description {
    unsigned sms;
    struct sm_config sm;
    uint64_t max_cycles;   /* of a kernel */
    bool cluster = false;  /* of all SMs: their front ends are one unit */
    bool adaptive = false; /* which is formed by the grid's residue */
  };
  SC_HAS_PROCESS(sms_tlm);
  sms_tlm(sc_core::sc_module_name name, const description &of);

  /* Groups of SMs that work together, a bit an SM: the first of each; SMs that take no CTA. */
  struct groups {
    uint64_t leads = UINT64_MAX, held = 0;
  };
  /* Prepares to run `grid`; returns the core cycles until it begins. */
  virtual unsigned prepare() { return 0; }
  virtual void begin() {}
  /* Returns the cycles of the kernel before CTAs may be given. */
  virtual unsigned forming() const { return 0; }
  /* Returns the SMs that take CTAs of the kernel, a bit an SM. */
  virtual uint64_t enabled() const { return (UINT64_C(1) << settings.sms) - 1; }
  /* Returns the shape of an SM in the kernel; nullptr: that of an SM alone. */
  virtual const struct sm_shape *shape(unsigned) const { return nullptr; }
  /* Returns the groups as they were in the cycle that an edge ends. */
  virtual groups now() const { return {}; }
  /* Takes the groups that CTA dispatch splits. */
  virtual void split_groups(uint64_t) {}
  /* Returns true if something else than CTA dispatch places the kernel's CTAs. */
  virtual bool places() const { return false; }
  /* Returns true if it has placed all CTAs, and nothing of it is under way. */
  virtual bool placed() const { return true; }
  /* Returns the grid's residue, which CTA dispatch has from its start on. */
  unsigned residue() const { return dispatcher.form; }
  virtual std::string wrong() const { return {}; } /* that ends the kernel; "": nothing */

  /* Kernels may be begun by any process. */
  using wire = sc_core::sc_signal<uint64_t, sc_core::SC_MANY_WRITERS>;
  sc_core::sc_vector<back_end> back_ends;
  const struct grid *grid = nullptr; /* of the running kernel */
  bool running = false;              /* it has begun */

private:
  void run(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
  void start();
  void half() { stepped = running; }
  void edge();
  void end_cycle();
  void dispatch();
  struct sm_room room_of(unsigned first) const;
  bool finished();
  void look_for_trouble();

  const description settings;
  struct cta_dispatch_ref dispatcher = {};
  sc_core::sc_event edge_event, end_event;
  bool stepped = false; /* the back ends have, in this cycle */
  uint64_t age = 0, total = 0;
  groups before; /* in the cycle that ends */
  std::string trouble;
};

#endif
