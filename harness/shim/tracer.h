/* FST waveform of a model; without TRACED, of a model that has none.  A `tracer` is true while it
 * is open. */
#ifndef TANDEM_SHIM_TRACER_H
#define TANDEM_SHIM_TRACER_H

#include <verilated.h>
#ifdef TRACED
#include <verilated_fst_c.h>

#include "harness/shim/fst_files.h"
#endif

#include <cerrno>
#include <memory>

#ifdef TRACED
class tracer {
  std::unique_ptr<VerilatedFstC> fst;
  bool failed = false;

public:
  static constexpr bool possible = true;
  explicit operator bool() const { return fst != nullptr; }

  /* 0 or a negative errno. */
  template <class M> int open(VerilatedContext &context, M &m, const char *path) {
    close();
    fst_failed_use(&failed);
    failed = false;
    /* Verilator allows a trace only in a context that was switched to traces before any of them. */
    context.traceEverOn(true);
    fst = std::make_unique<VerilatedFstC>();
    m.trace(fst.get(), 99);
    fst->open(path);
    if (fst->isOpen())
      return 0;
    fst.reset();
    return -EIO;
  }
  void dump(uint64_t time_ps) {
    fst_failed_use(&failed);
    if (fst)
      fst->dump(time_ps);
  }
  /* False: the file lacks something. */
  bool close() {
    fst_failed_use(&failed);
    if (fst)
      fst->close();
    fst.reset();
    fst_failed_use(nullptr);
    return !failed;
  }
};
#else
struct tracer {
  static constexpr bool possible = false;
  constexpr explicit operator bool() const { return false; }
  template <class M> int open(VerilatedContext &, M &, const char *) { return -ENOTSUP; }
  void dump(uint64_t) {}
  bool close() { return true; }
};
#endif

#endif
