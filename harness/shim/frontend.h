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
  virtual void state(struct sm_frontend_state *state) = 0;
  virtual int trace_open(const char *path) = 0;
  virtual void trace_sample(uint64_t time_ps) = 0;
  virtual void trace_close() = 0;
};

/* Its ports: those of 32 lanes, or of large warps. */
template <class In, class Out> struct frontend_ports : frontend_rtl {
  virtual void out(Out *out) = 0;
  virtual void step(const In *in) = 0;
};
using frontend_narrow = frontend_ports<struct sm_frontend_in, struct sm_frontend_out>;
using frontend_wide = frontend_ports<struct sm_frontend_wide_in, struct sm_frontend_wide_out>;

frontend_rtl *frontend_make_fast(uint64_t seed);
frontend_rtl *frontend_make_traced(uint64_t seed);
frontend_rtl *frontend_make_checked(uint64_t seed);
frontend_rtl *frontend_make_bugs(uint64_t seed);
frontend_rtl *frontend_make_64_fast(uint64_t seed);
frontend_rtl *frontend_make_64_full(uint64_t seed);
frontend_rtl *frontend_make_128_fast(uint64_t seed);
frontend_rtl *frontend_make_128_full(uint64_t seed);

#endif
