/* Put before csim/sm where it is compiled for SystemC: what it asks of the memory side is then
 * asked of tb/memory_port.cpp, which asks through sockets. */
#define sm_mem_accept port_mem_accept
#define sm_mem_cb port_mem_cb
#define sm_mem_completed port_mem_completed
#define sm_mem_cta port_mem_cta
#define sm_mem_fill port_mem_fill
#define sm_mem_idle port_mem_idle
#define sm_mem_ifetch port_mem_ifetch
#define sm_mem_ready port_mem_ready
#define sm_mem_role port_mem_role
#define sm_mem_stores port_mem_stores
#define sm_mem_warp port_mem_warp
