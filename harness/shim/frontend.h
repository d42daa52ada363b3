/* Between the C interface of the front end and its verilated variants. */
#ifndef TANDEM_SHIM_FRONTEND_H
#define TANDEM_SHIM_FRONTEND_H

#include "harness/shim/rtl_units.h"
#include "harness/shim/runtime.h"

struct frontend_rtl {
  assertion_log log;

  virtual ~frontend_rtl() = default;
  virtual void reset() = 0;
  virtual int bug(unsigned n) = 0;
  virtual void out(struct sm_frontend_out *out) = 0;
  virtual void step(const struct sm_frontend_in *in) = 0;
  virtual void state(struct sm_frontend_state *state) = 0;
  virtual int trace_open(const char *path) = 0;
  virtual void trace_sample(uint64_t time_ps) = 0;
  virtual void trace_close() = 0;
};

frontend_rtl *frontend_make_fast(uint64_t seed);
frontend_rtl *frontend_make_traced(uint64_t seed);
frontend_rtl *frontend_make_checked(uint64_t seed);
frontend_rtl *frontend_make_bugs(uint64_t seed);

#endif
