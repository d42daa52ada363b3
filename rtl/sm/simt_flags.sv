// Where each warp stands: it is live, waits for a branch or exit (ctrl), or for a pop (settle).
//
// An issue of a branch or exit sets ctrl; of another instruction that ends the top of the stack,
// settle.  A resolve clears ctrl, and may set settle or clear live.  A pop clears settle, unless the
// entry below is to be popped too.  A launch makes a warp live.  exit selects which of both a warp
// waits for: it holds from an issue to the warp's next one that stops it.  kernel_start wins over
// everything.
//
// Illegal: a launch of a live warp, an issue of a warp that is not live or waits, a resolve without
// branch or exit.

module simt_flags #(
  parameter int unsigned Warps = tandem_pkg::Warps
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,

  // Issue: even warps, odd warps; end: the instruction is the last one of the top
  input  logic                         iss0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss0_warp_i,
  input  logic [1:0]                   iss0_ctl_i,
  input  logic                         iss0_end_i,
  input  logic                         iss1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss1_warp_i,
  input  logic [1:0]                   iss1_ctl_i,
  input  logic                         iss1_end_i,

  input  logic                         resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] resolve_warp_i,
  input  logic                         resolve_trap_i,  // the warp stays as it is
  input  logic                         resolve_settle_i,
  input  logic                         resolve_done_i,

  input  logic [Warps-1:0]             popped_i,  // one-hot or 0
  input  logic                         pop_again_i,

  output logic [Warps-1:0]             live_o,
  output logic [Warps-1:0]             ctrl_o,
  output logic [Warps-1:0]             settle_o,
  output logic [Warps-1:0]             exit_o
);
  logic [Warps-1:0] live_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] ctrl_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] settle_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0] exit_q;

  // Issues that stop their warp.
  logic stop0, stop1;
  assign stop0 = iss0_valid_i && (iss0_end_i || iss0_ctl_i != tandem_pkg::CtlNone);
  assign stop1 = iss1_valid_i && (iss1_end_i || iss1_ctl_i != tandem_pkg::CtlNone);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] warp, live, ctrl, settle, exits;
    warp   = '0;
    live   = '0;
    ctrl   = '0;
    settle = '0;
    exits  = '0;
    if (rst_ni) begin
      if (stop0 || stop1 || launch_valid_i || resolve_valid_i || popped_i != '0 || kernel_start_i) begin
        if (!kernel_start_i) begin
          live   = live_q;
          ctrl   = ctrl_q;
          settle = settle_q;
          exits  = exit_q;
          if (launch_valid_i) begin
            warp   = Warps'(1) << launch_warp_i;
            live   = live | warp;
            ctrl   = ctrl & ~warp;
            settle = settle & ~warp;
          end
          if (resolve_valid_i && !resolve_trap_i) begin
            warp = Warps'(1) << resolve_warp_i;
            ctrl = ctrl & ~warp;
            if (resolve_done_i)   live   = live & ~warp;
            if (resolve_settle_i) settle = settle | warp;
          end
          if (!pop_again_i) settle = settle & ~popped_i;
          if (stop0) begin
            warp = Warps'(1) << iss0_warp_i;
            if (iss0_ctl_i[0] != iss0_ctl_i[1]) ctrl   = ctrl | warp;  // CtlBra, CtlExit
            else if (iss0_end_i)                settle = settle | warp;
            exits = exits & ~warp;
            if (iss0_ctl_i == tandem_pkg::CtlExit) exits = exits | warp;
          end
          if (stop1) begin
            warp = Warps'(1) << iss1_warp_i;
            if (iss1_ctl_i[0] != iss1_ctl_i[1]) ctrl   = ctrl | warp;
            else if (iss1_end_i)                settle = settle | warp;
            exits = exits & ~warp;
            if (iss1_ctl_i == tandem_pkg::CtlExit) exits = exits | warp;
          end
        end
        {live_q, ctrl_q, settle_q, exit_q} <= {live, ctrl, settle, exits};
      end
    end else begin
      {live_q, ctrl_q, settle_q, exit_q} <= '0;
    end
  end

  assign live_o   = live_q;
  assign ctrl_o   = ctrl_q;
  assign settle_o = settle_q;
  assign exit_o   = exit_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      launch_of_dead:     assert (!launch_valid_i || !live_q[launch_warp_i]);
      even_is_live:       assert (!iss0_valid_i || live_q[iss0_warp_i]);
      odd_is_live:        assert (!iss1_valid_i || live_q[iss1_warp_i]);
      even_does_not_wait: assert (!iss0_valid_i || (!ctrl_q[iss0_warp_i] && !settle_q[iss0_warp_i]));
      odd_does_not_wait:  assert (!iss1_valid_i || (!ctrl_q[iss1_warp_i] && !settle_q[iss1_warp_i]));
      resolve_of_waiting: assert (!resolve_valid_i || (ctrl_q[resolve_warp_i] && live_q[resolve_warp_i]));
    end
  end
`endif
endmodule
