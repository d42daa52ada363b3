/* Code shared by the programs around a platform. */
#ifndef TANDEM_TB_DEMO_H
#define TANDEM_TB_DEMO_H

#include <cstdio>

#include "tb/cpu.h"
#include "tb/platform.h"

/* Before anything is made: time's resolution, and the random state that RTL starts from. */
inline void demo_begin() {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Verilated::threadContextp()->randReset(2);
  Verilated::threadContextp()->randSeed(1);
}

/* Runs the job to its end; what went wrong is printed. */
template <class SMS> void demo_run(cpu &host, platform<SMS> &around) {
  host.control.bind(around.sms.control);
  host.memory.bind(around.memory.host);
  sc_core::sc_start();
  if (!around.sms.fault().empty())
    std::fprintf(stderr, "%s\n", around.sms.fault().c_str());
}

#endif
