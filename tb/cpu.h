/* Stand-in for a CPU in a platform: a thread that runs a launch description.  Kernels go through
 * `control`, transfers through `memory`. */
#ifndef TANDEM_TB_CPU_H
#define TANDEM_TB_CPU_H

#include <tlm_utils/simple_initiator_socket.h>

#include "tb/c_models.h"

class cpu : public sc_core::sc_module {
public:
  tlm_utils::simple_initiator_socket<cpu, 64> control{"control"}, memory{"memory"};
  struct tb_host calls = {launch, transfer, this};
  bool good = false; /* all ran, and the results are as expected */

  SC_HAS_PROCESS(cpu);
  cpu(sc_core::sc_module_name name, struct tb_job &job);
  void use(struct tandem *t) { gpu = t; }

private:
  void run();
  static const char *launch(void *self, const struct grid *grid);
  static const char *transfer(void *self, bool write, uint32_t address, void *data, uint64_t bytes);

  struct tb_job &job;
  struct tandem *gpu = nullptr;
};

#endif
