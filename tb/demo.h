/* Code shared by the programs around a platform. */
#ifndef TANDEM_TB_DEMO_H
#define TANDEM_TB_DEMO_H

#include <cstdio>
#include <cstring>

#include "tb/cpu.h"
#include "tb/platform.h"

/* Takes [--config GPU.yaml] [--param NAME=VALUE]... LAUNCH.yaml; false: it has printed the usage.
 */
inline bool demo_arguments(int argc, char **argv, struct tb_job *job) {
  int i = 1;
  bool good = true;
  for (; good && i + 1 < argc && std::strncmp(argv[i], "--", 2) == 0; i += 2)
    if (std::strcmp(argv[i], "--config") == 0)
      job->gpu = argv[i + 1];
    else
      good = std::strcmp(argv[i], "--param") == 0 && tb_parameter(job, argv[i + 1]);
  job->path = argv[i];
  if (good && i + 1 == argc)
    return true;
  std::fprintf(stderr, "usage: %s [--config GPU.yaml] [--param NAME=VALUE]... LAUNCH.yaml\n",
               argv[0]);
  return false;
}

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
