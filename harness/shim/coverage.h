/* Coverage of a verilated model (docs/models/coverage.md), written with the model's end to a new
 * file of the folder that TANDEM_COVERAGE in the environment names.  A model without coverage
 * (COVERED is not defined) has none of it. */
#ifndef TANDEM_SHIM_COVERAGE_H
#define TANDEM_SHIM_COVERAGE_H

#include <verilated.h>

#ifdef COVERED
#include <verilated_cov.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

struct coverage {
  VerilatedContext &context;

  explicit coverage(VerilatedContext &of) : context(of) {}
  /* Counting begins with a second reset of the model: a signal that leaves its random initial state
   * has not changed. */
  template <class Reset> void start(const Reset &reset) {
    context.coveragep()->forcePerInstance(true);
    context.coveragep()->zero();
    reset();
  }
  ~coverage() {
    static std::atomic<unsigned> files;
    const char *folder = std::getenv("TANDEM_COVERAGE");
    if (folder == nullptr)
      return;
    const std::string name = std::to_string(getpid()) + "-" + std::to_string(files++) + ".dat";
    context.coveragep()->write((std::string(folder) + "/" + name).c_str());
  }
};
#else
struct coverage {
  explicit coverage(VerilatedContext &) {}
  template <class Reset> void start(const Reset &) {}
};
#endif

#endif
