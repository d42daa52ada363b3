/* Speed of the bare verilated front end. */
#include <stdio.h>

#include "harness/shim/rtl.h"

int main(void) {
  static const char *const names[] = {"plain", "full"};
  for (int full = 0; full < 2; full++) {
    double ipc = 0;
    double busy = rtl_bench(full != 0, true, &ipc);
    double stalled = rtl_bench(full != 0, false, NULL);
    printf("%-10s busy %6.1f ns (%.2f issued a cycle), stalled %6.1f ns a cycle\n", names[full],
           busy, ipc, stalled);
  }
  return 0;
}
