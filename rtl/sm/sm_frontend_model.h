/* A verilated front end: its state is that of its parts. */
#ifndef TANDEM_SM_FRONTEND_MODEL_H
#define TANDEM_SM_FRONTEND_MODEL_H

#include "harness/shim/kind.h"

#if P_WarpSize > 32
struct kind : unit_kind<sm_frontend_wide_in, sm_frontend_wide_out, sm_frontend_state> {
#else
struct kind : unit_kind<sm_frontend_in, sm_frontend_out, sm_frontend_state> {
#endif
  template <class Root> static void view(const Root &root, unsigned, bool, state &s) {
    read_frontend(root, s);
#if P_WarpSize > 32
    const uint64_t live = s.simt_stack.live[0];
    read_some(s.wide.tos_mask_hi,
              root.sm_frontend__DOT__u_frontend__DOT__u_simt_stack__DOT__tos_rest_q | bits(80, 64),
              live);
    read_some(s.wide.live_mask_hi,
              root.sm_frontend__DOT__u_frontend__DOT__u_simt_stack__DOT__live_mask_q | bits(64, 64),
              live);
#endif
  }
};

#endif
