/* The C interface of verilated units. */
#include "harness/shim/mutant.h"
#include "harness/shim/rtl_model.h"

struct rtl_model *rtl_create(const struct rtl_build *build, bool full, uint64_t seed) {
  return full ? build->full(seed) : build->plain(seed);
}

void rtl_destroy(struct rtl_model *m) { delete m; }

void rtl_reset(struct rtl_model *m) { m->reset(); }

void rtl_out(struct rtl_model *m, void *out) { m->out(out); }

void rtl_eval(struct rtl_model *m, const void *in, void *out) { m->eval(in, out); }

void rtl_step(struct rtl_model *m, const void *in) { m->step(in); }

void rtl_view(struct rtl_model *m, unsigned sm, void *view) { m->view(sm, view); }

int rtl_bug(struct rtl_model *m, unsigned n) { return m->bug(n); }

mutant the_mutant;

void rtl_mutate(unsigned n) { the_mutant = {n, nullptr, 0}; }

uint64_t rtl_mutant_age(void) { return the_mutant.age; }

int rtl_trace_open(struct rtl_model *m, const char *path) { return m->trace_open(path); }

void rtl_trace_time(struct rtl_model *m, uint64_t time_ps, uint64_t period_ps) {
  m->trace_time(time_ps, period_ps);
}

bool rtl_trace_close(struct rtl_model *m) { return m->trace_close(); }

unsigned rtl_assertions(const struct rtl_model *m, const char **first) {
  if (first)
    *first = m->log.count ? m->log.first.c_str() : nullptr;
  return m->log.count;
}
