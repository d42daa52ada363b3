/* Pins of the verilated models against the ports tables, both ways. */
#include "harness/shim/rtl_units.h"

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>

namespace {

struct pin {
  const char *name;
  unsigned width;
};

#define PIN(name, width) {#name, width},
#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier) {#name "_i", width},
#define PORT_OUT(name, width, qualifier) {#name "_o", width},

#define PINS_OF(unit) const pin unit##_pins[] = {
#define PORTS_OF(unit) const pin unit##_ports[] = {
#define END                                                                                        \
  { nullptr, 0 }                                                                                   \
  }                                                                                                \
  ;

// clang-format off
PINS_OF(fetch)
#include "Vrtl_fetch/Vrtl_fetch_pins.def"
END PORTS_OF(fetch)
#include "csim/ports/fetch.def"
END PINS_OF(icache)
#include "Vrtl_icache/Vrtl_icache_pins.def"
END PORTS_OF(icache)
#include "csim/ports/icache.def"
END PINS_OF(decode)
#include "Vrtl_decode/Vrtl_decode_pins.def"
END PORTS_OF(decode)
#include "csim/ports/decode.def"
END PINS_OF(ibuffer)
#include "Vrtl_ibuffer/Vrtl_ibuffer_pins.def"
END PORTS_OF(ibuffer)
#include "csim/ports/ibuffer.def"
END PINS_OF(simt_stack)
#include "Vrtl_simt_stack/Vrtl_simt_stack_pins.def"
END PORTS_OF(simt_stack)
#include "csim/ports/simt_stack.def"
END PINS_OF(scoreboard)
#include "Vrtl_scoreboard/Vrtl_scoreboard_pins.def"
END PORTS_OF(scoreboard)
#include "csim/ports/scoreboard.def"
END PINS_OF(warp_scheduler)
#include "Vrtl_warp_scheduler/Vrtl_warp_scheduler_pins.def"
END PORTS_OF(warp_scheduler)
#include "csim/ports/warp_scheduler.def"
END PINS_OF(issue)
#include "Vrtl_issue/Vrtl_issue_pins.def"
END PORTS_OF(issue)
#include "csim/ports/issue.def"
END PINS_OF(barrier)
#include "Vrtl_barrier/Vrtl_barrier_pins.def"
END PORTS_OF(barrier)
#include "csim/ports/barrier.def"
END PINS_OF(cta_dispatch)
#include "Vrtl_cta_dispatch/Vrtl_cta_dispatch_pins.def"
END PORTS_OF(cta_dispatch)
#include "csim/ports/cta_dispatch.def"
END PINS_OF(group_control)
#include "Vrtl_group_control/Vrtl_group_control_pins.def"
END PORTS_OF(group_control)
#include "csim/ports/group_control.def"
END PINS_OF(monitor)
#include "Vrtl_monitor/Vrtl_monitor_pins.def"
END PORTS_OF(monitor)
#include "csim/ports/monitor.def"
END PINS_OF(uplink)
#include "Vrtl_uplink/Vrtl_uplink_pins.def"
END PORTS_OF(uplink)
#include "csim/ports/uplink.def"
END PINS_OF(downlink)
#include "Vrtl_downlink/Vrtl_downlink_pins.def"
END PORTS_OF(downlink)
#include "csim/ports/downlink.def"
END PINS_OF(master_port)
#include "Vrtl_master_port/Vrtl_master_port_pins.def"
END PORTS_OF(master_port)
#include "csim/ports/master_port.def"
END PINS_OF(slave_port)
#include "Vrtl_slave_port/Vrtl_slave_port_pins.def"
END PORTS_OF(slave_port)
#include "csim/ports/slave_port.def"
END PINS_OF(park)
#include "Vrtl_park/Vrtl_park_pins.def"
END PORTS_OF(park)
#include "csim/ports/park.def"
END PORTS_OF(sm_frontend)
#include "csim/ports/sm_frontend.def"
END
#define PORT_LANES 64
PORTS_OF(sm_frontend_64)
#include "csim/ports/sm_frontend.def"
END
#undef PORT_LANES
#define PORT_LANES 128
PORTS_OF(sm_frontend_128)
#include "csim/ports/sm_frontend.def"
END
#undef PORT_LANES
PINS_OF(wide_64)
#include "Vfe64_full/Vfe64_full_pins.def"
END PINS_OF(wide_128)
#include "Vfe128_full/Vfe128_full_pins.def"
END PINS_OF(fast)
#include "Vfe_fast/Vfe_fast_pins.def"
END PINS_OF(checked)
#include "Vfe_checked/Vfe_checked_pins.def"
END PINS_OF(bugs)
#include "Vfe_bugs/Vfe_bugs_pins.def"
END
    // clang-format on

    unsigned width_of(const pin *list, const char *name) {
  for (; list->name; list++)
    if (!std::strcmp(list->name, name))
      return list->width;
  return 0;
}

/* Counts differences, and writes about the first of all. */
int compare(const char *unit, const pin *ports, const pin *pins, int before, char *text,
            unsigned size) {
  int n = 0;
  auto differs = [&](const char *name, unsigned table, unsigned model) {
    if (n++ == 0 && before == 0 && size)
      std::snprintf(text, size, "%s: %s has %u bits in the ports table, %u in the model", unit,
                    name, table, model);
  };
  for (const pin *p = ports; p->name; p++)
    if (unsigned w = width_of(pins, p->name); w != p->width)
      differs(p->name, p->width, w);
  for (const pin *p = pins; p->name; p++) {
    bool implied = false;
    for (const char *name : {"clk_i", "noc_clk_i", "rst_ni", "bug_i"})
      implied = implied || !std::strcmp(p->name, name);
    if (!implied && !width_of(ports, p->name))
      differs(p->name, 0, p->width);
  }
  return n;
}

} // namespace

int rtl_check_widths(char *text, unsigned size) {
  const struct {
    const char *name;
    const pin *ports, *pins;
  } units[] = {
#define UNIT_PINS(unit, kind) {#unit, unit##_ports, unit##_pins},
      RTL_UNITS(UNIT_PINS, rtl) /* the front end's variants: */
      {"sm_frontend", sm_frontend_ports, fast_pins},
      {"sm_frontend (checked)", sm_frontend_ports, checked_pins},
      {"sm_frontend (bugs)", sm_frontend_ports, bugs_pins},
      {"sm_frontend (64 lanes)", sm_frontend_64_ports, wide_64_pins},
      {"sm_frontend (128 lanes)", sm_frontend_128_ports, wide_128_pins},
  };
  int n = 0;
  if (size)
    text[0] = '\0';
  for (const auto &u : units)
    n += compare(u.name, u.ports, u.pins, n, text, size);
  return n;
}
