/* Between the C interface (harness/shim/rtl.h) and the models (harness/shim/unit_model.cpp). */
#ifndef TANDEM_SHIM_RTL_MODEL_H
#define TANDEM_SHIM_RTL_MODEL_H

#include "harness/shim/rtl.h"
#include "harness/shim/runtime.h"

struct rtl_model {
  assertion_log log;

  virtual ~rtl_model() = default;
  virtual void reset() = 0;
  virtual void out(void *out) = 0;
  virtual void eval(const void *in, void *out) = 0;
  virtual void step(const void *in) = 0;
  virtual void view(unsigned sm, void *view) = 0;
  virtual int bug(unsigned n) = 0;
  virtual int trace_open(const char *path) = 0;
  virtual void trace_time(uint64_t time_ps, uint64_t period_ps) = 0;
  virtual bool trace_close() = 0;
};

#endif
