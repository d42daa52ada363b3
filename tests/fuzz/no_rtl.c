/* No verilated RTL: inputs are read without it. */
#include <errno.h>

#include "harness/shim/rtl.h"

const struct rtl_build rtl_builds[] = {{NULL, NULL, NULL, NULL}};
const struct rtl_build *rtl_find(const char *unit, const char *parameters) {
  (void)unit, (void)parameters;
  return NULL;
}
struct rtl_model *rtl_create(const struct rtl_build *build, bool full, uint64_t seed) {
  (void)build, (void)full, (void)seed;
  return NULL;
}
void rtl_destroy(struct rtl_model *m) { (void)m; }
void rtl_reset(struct rtl_model *m) { (void)m; }
void rtl_out(struct rtl_model *m, void *out) { (void)m, (void)out; }
void rtl_eval(struct rtl_model *m, const void *in, void *out) { (void)m, (void)in, (void)out; }
void rtl_step(struct rtl_model *m, const void *in) { (void)m, (void)in; }
void rtl_view(struct rtl_model *m, unsigned sm, void *view) { (void)m, (void)sm, (void)view; }
int rtl_bug(struct rtl_model *m, unsigned n) { return (void)m, (void)n, -1; }
int rtl_trace_open(struct rtl_model *m, const char *path) { return (void)m, (void)path, -ENOTSUP; }
void rtl_trace_time(struct rtl_model *m, uint64_t time_ps, uint64_t period_ps) {
  (void)m, (void)time_ps, (void)period_ps;
}
bool rtl_trace_close(struct rtl_model *m) { return (void)m, true; }
unsigned rtl_assertions(const struct rtl_model *m, const char **first) {
  return (void)m, (void)first, 0;
}
double rtl_bench(bool full, bool busy, double *ipc) { return (void)full, (void)busy, (void)ipc, 0; }
