/* Functions that Verilator's run-time library calls instead of printing and ending the process. */
#ifndef TANDEM_SHIM_RUNTIME_H
#define TANDEM_SHIM_RUNTIME_H

#ifdef __cplusplus
#include <string>

/* Failed assertions of the model that runs in this thread. */
struct assertion_log {
  unsigned count = 0;
  std::string first; /* text of the first */

  /* How many, with the text of the first unless NULL. */
  unsigned failed(const char **text) const {
    if (text != nullptr)
      *text = count != 0 ? first.c_str() : nullptr;
    return count;
  }
};

/* The log for what the calling thread evaluates from now on; NULL: failures end the process. */
void assertion_log_use(assertion_log *log);

/* Called by the library, which does not declare it. */
void vl_stop_maybe(const char *file, int line, const char *hier, bool maybe);

extern "C"
#endif
    int
    tandem_vl_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
