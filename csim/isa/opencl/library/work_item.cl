/* Sizes of dimensions that are not there are 1; libclc's are 0. */
BUILTIN size_t get_local_size(uint d) {
  return d == 0   ? __nvvm_read_ptx_sreg_ntid_x()
         : d == 1 ? __nvvm_read_ptx_sreg_ntid_y()
         : d == 2 ? __nvvm_read_ptx_sreg_ntid_z()
                  : 1;
}
BUILTIN size_t get_num_groups(uint d) {
  return d == 0   ? __nvvm_read_ptx_sreg_nctaid_x()
         : d == 1 ? __nvvm_read_ptx_sreg_nctaid_y()
         : d == 2 ? __nvvm_read_ptx_sreg_nctaid_z()
                  : 1;
}
BUILTIN size_t get_global_size(uint d) { return get_num_groups(d) * get_local_size(d); }
