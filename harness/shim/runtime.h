/* Functions that Verilator's run-time library calls instead of printing and ending the process. */
#ifndef TANDEM_SHIM_RUNTIME_H
#define TANDEM_SHIM_RUNTIME_H

#ifdef __cplusplus
#include <string>

/* Failed assertions of the model that runs in this thread, and its $error, $fatal, $stop and
 * $finish. */
struct assertion_log {
  unsigned &count;
  std::string first; /* text of the first */
  std::string last;  /* text that the model has printed, which may be that of the next one */
  bool deaf = false; /* nothing counts: registers are random */

  explicit assertion_log(unsigned &n) : count(n) {}
  ~assertion_log(); /* it is no thread's any more */

  /* How many, with the text of the first unless NULL. */
  unsigned failed(const char **text) const {
    if (text != nullptr)
      *text = count != 0 ? first.c_str() : nullptr;
    return count;
  }
};

/* Ends an evaluation that would not end. */
struct rtl_fatal {};
template <class F> void rtl_guard(const F &evaluate) {
  try {
    evaluate();
  } catch (const rtl_fatal &) {
    /* the log has the reason */
  }
}

/* The log for what the calling thread evaluates from now on; NULL: failures end the process. */
void assertion_log_use(assertion_log *log);

/* Called by the library, which does not declare it. */
void vl_stop_maybe(const char *file, int line, const char *hier, bool maybe);

extern "C"
#endif
    int
    tandem_vl_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
