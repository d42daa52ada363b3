/* The C interface of the verilated front end. */
#include "harness/shim/frontend.h"

struct frontend_rtl *frontend_rtl_create(enum rtl_variant variant, uint64_t seed) {
  frontend_rtl *f = variant == RTL_CHECKED  ? frontend_make_checked(seed)
                    : variant == RTL_BUGS   ? frontend_make_bugs(seed)
                    : variant == RTL_TRACED ? frontend_make_traced(seed)
                                            : frontend_make_fast(seed);
  f->reset();
  return f;
}

struct frontend_rtl *frontend_rtl_create_wide(unsigned lanes, bool full, uint64_t seed) {
  frontend_rtl *f = lanes == 64 ? full ? frontend_make_64_full(seed) : frontend_make_64_fast(seed)
                    : full ? frontend_make_128_full(seed)
                                : frontend_make_128_fast(seed);
  f->reset();
  return f;
}

void frontend_rtl_destroy(struct frontend_rtl *f) { delete f; }

int frontend_rtl_bug(struct frontend_rtl *f, unsigned n) { return f->bug(n); }

void frontend_rtl_out(struct frontend_rtl *f, struct sm_frontend_out *out) {
  static_cast<frontend_narrow *>(f)->out(out);
}

void frontend_rtl_step(struct frontend_rtl *f, const struct sm_frontend_in *in) {
  static_cast<frontend_narrow *>(f)->step(in);
}

void frontend_rtl_wide_out(struct frontend_rtl *f, struct sm_frontend_wide_out *out) {
  static_cast<frontend_wide *>(f)->out(out);
}

void frontend_rtl_wide_step(struct frontend_rtl *f, const struct sm_frontend_wide_in *in) {
  static_cast<frontend_wide *>(f)->step(in);
}

void frontend_rtl_state(struct frontend_rtl *f, struct sm_frontend_state *s) { f->state(s); }

int frontend_rtl_trace_open(struct frontend_rtl *f, const char *path) {
  return f->trace_open(path);
}

void frontend_rtl_trace_sample(struct frontend_rtl *f, uint64_t time_ps) {
  f->trace_sample(time_ps);
}

void frontend_rtl_trace_close(struct frontend_rtl *f) { f->trace_close(); }

unsigned frontend_rtl_assertions(const struct frontend_rtl *f, const char **first) {
  if (first)
    *first = f->log.count ? f->log.first.c_str() : nullptr;
  return f->log.count;
}
