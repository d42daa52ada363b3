/* Failed RTL assertions, $error, $fatal, $stop and $finish are counted and the text of the first is
 * kept; nothing is printed, nothing ends.
 *
 * Verilator's hooks name neither model nor caller, hence the thread's current log: a model is
 * evaluated by one thread at a time, which sets the log before. */
#include "harness/shim/runtime.h"

#include "harness/shim/mutant.h"

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static thread_local assertion_log *current;

void assertion_log_use(assertion_log *log) { current = log; }

assertion_log::~assertion_log() {
  if (current == this)
    current = nullptr;
}

/* Verilator prints the message of an assertion, $error or $fatal in one piece before it calls
 * vl_stop_maybe. */
int tandem_vl_printf(const char *format, ...) {
  char text[512];
  va_list ap;
  va_start(ap, format);
  int n = std::vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  if (!current)
    std::fputs(text, stderr);
  else if (current->count == 0)
    current->last = text;
  return n;
}

static void failed(const char *what, const char *file, int line) {
  const std::string place = std::string(file) + ":" + std::to_string(line) + ": ";
  if (!current) {
    std::fprintf(stderr, "%s%s\n", place.c_str(), what);
    std::abort();
  }
  if (current->count++ != 0)
    return;
  const char *slash = std::strrchr(file, '/'); /* a text has the name alone */
  const std::string base = place.substr(slash != nullptr ? slash + 1 - file : 0);
  const bool said = current->last.find("%Error: " + base) != std::string::npos;
  current->first = said ? current->last : place + what;
  while (!current->first.empty() && current->first.back() == '\n')
    current->first.pop_back();
}

static bool deaf() { return current && current->deaf; }

void vl_stop_maybe(const char *file, int line, const char *, bool) {
  if (!deaf())
    failed("$stop", file, line);
}

void vl_stop(const char *file, int line, const char *hier) {
  vl_stop_maybe(file, line, hier, false);
}

void vl_finish(const char *file, int line, const char *) {
  if (!deaf())
    failed("$finish", file, line);
}

/* The library's own errors, as of logic that does not settle: the model would go on for ever. */
void vl_fatal(const char *file, int line, const char *, const char *text) {
  failed(text, file, line);
  throw rtl_fatal();
}

mutant the_mutant;
