/* The verilated cluster behind signals of each member. */
#include "tb/cluster_rtl.h"

#define STATE(name, width, count, signal, qualifier)
#define EVERY for (unsigned i = 0; i < MEMBERS; i++)

cluster_rtl::cluster_rtl(sc_core::sc_module_name name) : sc_module(name), model("model") {
  model.clk_i(clk);
  model.noc_clk_i(noc_clk);
  model.rst_ni(rst_n);
#define PORT_IN(name, width, qualifier) model.name##_i(name##_wire);
#define PORT_OUT(name, width, qualifier) model.name##_o(name##_wire);
#include "csim/ports/buddy_cluster.def"
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT

  SC_METHOD(pack);
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier) sensitive << name;
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
#define PORT_IN(name, width, qualifier) EVERY sensitive << name[i];
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT

  SC_METHOD(unpack);
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) sensitive << name##_wire;
#include "csim/ports/buddy_cluster.def"
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}

void cluster_rtl::pack() {
#define PORT_OUT(name, width, qualifier)
#define PORT_IN(name, width, qualifier)                                                            \
  name##_wire.write(static_cast<pin_value<decltype(MODEL::name##_i)>::type>(name.read()));
#include "csim/ports/buddy_cluster.def"
#undef PORT_IN
#define PORT_IN(name, width, qualifier)                                                            \
  {                                                                                                \
    auto pin = name##_wire.read();                                                                 \
    EVERY pin_put(pin, i *(width), width, name[i].read());                                         \
    name##_wire.write(pin);                                                                        \
  }
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}

void cluster_rtl::unpack() {
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier) name.write(name##_wire.read());
#include "csim/ports/buddy_cluster.def"
#undef PORT_OUT
#define PORT_OUT(name, width, qualifier)                                                           \
  EVERY name[i].write(pin_take(name##_wire.read(), i *(width), width));
#include "csim/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}
