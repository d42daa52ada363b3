/* Failed RTL assertions are counted and their text kept; nothing is printed, nothing ends.
 *
 * Verilator's hooks name neither model nor caller, hence the thread's current log: a model is
 * evaluated by one thread at a time, which sets the log before. */
#include "harness/shim/runtime.h"

#include "harness/shim/mutant.h"

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

static thread_local assertion_log *current;

void assertion_log_use(assertion_log *log) { current = log; }

static void keep(const char *text) {
  if (current && current->first.size() < 500)
    current->first += text;
}

/* Verilator prints an assertion's message before it calls vl_stop_maybe. */
int tandem_vl_printf(const char *format, ...) {
  char text[512];
  va_list ap;
  va_start(ap, format);
  int n = std::vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  if (!current)
    std::fputs(text, stderr);
  else if (current->count == 0)
    keep(text);
  return n;
}

static void failed(const char *what, const char *file, int line) {
  if (!current) {
    std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
    std::abort();
  }
  if (current->count++ == 0 && current->first.empty())
    keep((std::string(file) + ":" + std::to_string(line) + ": " + what).c_str());
}

void vl_stop_maybe(const char *file, int line, const char *, bool) {
  failed("assertion failed", file, line);
}

void vl_stop(const char *file, int line, const char *) { failed("stopped", file, line); }

void vl_fatal(const char *file, int line, const char *, const char *text) {
  failed(text, file, line);
}

mutant the_mutant;
