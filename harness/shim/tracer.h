/* FST waveform of a model; without TRACED, of a model that has none.  A `tracer` is true while it
 * is open. */
#ifndef TANDEM_SHIM_TRACER_H
#define TANDEM_SHIM_TRACER_H

#include <verilated.h>
#ifdef TRACED
#include <verilated_fst_c.h>
#endif

#include <cerrno>
#include <memory>

#ifdef TRACED
class tracer {
  std::unique_ptr<VerilatedFstC> fst;

public:
  static constexpr bool possible = true;
  explicit operator bool() const { return fst != nullptr; }

  /* 0 or a negative errno. */
  template <class M> int open(VerilatedContext &context, M &m, const char *path) {
    close();
    /* Verilator allows a trace only in a context that was told so before any trace. */
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
    if (fst)
      fst->dump(time_ps);
  }
  void close() {
    if (fst)
      fst->close();
    fst.reset();
  }
};
#else
struct tracer {
  static constexpr bool possible = false;
  constexpr explicit operator bool() const { return false; }
  template <class M> int open(VerilatedContext &, M &, const char *) { return -ENOTSUP; }
  void dump(uint64_t) {}
  void close() {}
};
#endif

#endif
