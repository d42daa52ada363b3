/* Speed of the bare verilated front end. */
#include "harness/shim/rtl_units.h"

#include <stdio.h>

int main(void) {
  static const struct {
    enum rtl_variant variant;
    const char *name;
  } variants[] = {{RTL_FAST, "plain"}, {RTL_CHECKED, "assertions"}, {RTL_BUGS, "faults"}};
  for (unsigned i = 0; i < sizeof variants / sizeof *variants; i++) {
    double ipc = 0;
    double busy = frontend_rtl_bench(variants[i].variant, true, &ipc);
    double stalled = frontend_rtl_bench(variants[i].variant, false, NULL);
    printf("%-10s busy %6.1f ns (%.2f issued a cycle), stalled %6.1f ns a cycle\n",
           variants[i].name, busy, ipc, stalled);
  }
  return 0;
}
