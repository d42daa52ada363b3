// The instruction that simt_stack and barrier see issue on one of the two issue ports: its own one or, of
// a follower, that of the cluster's master.  ctl is CtlNone without an instruction; target and rpc matter
// only with one.

module issue_select (
  // Own: the scheduler's pick, 0 without one; whether it issues; the head of its instruction buffer
  input  logic                         on_i,     // else there is none
  input  logic [tandem_pkg::WarpW-1:0] pick_i,
  input  logic                         grant_i,  // only while on
  input  logic [tandem_pkg::InstW-1:0] head_i,
  input  logic [1:0]                   head_ctl_i,

  // The master's, taken while follow
  input  logic                         follow_i,
  input  logic                         x_valid_i,
  input  logic [tandem_pkg::InstW-1:0] x_inst_i,

  output logic                         valid_o,
  output logic [tandem_pkg::WarpW-1:0] warp_o,
  output logic [1:0]                   ctl_o,
  output logic [tandem_pkg::PcW-1:0]   target_o,
  output logic [tandem_pkg::PcW-1:0]   rpc_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned InstW = tandem_pkg::InstW;

  assign valid_o  = follow_i ? x_valid_i : grant_i;
  assign warp_o   = follow_i ? x_inst_i[InstW-1-:WarpW] : (on_i ? pick_i : '0);
  assign target_o = follow_i ? x_inst_i[47:32] : head_i[47:32];
  assign rpc_o    = follow_i ? x_inst_i[15:0] : head_i[15:0];
  always_comb begin
    ctl_o = '0;
    if (follow_i) begin
      if (x_valid_i) ctl_o = tandem_pkg::ctl_of(x_inst_i[57:48]);
    end else if (grant_i) begin
      ctl_o = head_ctl_i;
    end
  end

  logic unused_bits;
  assign unused_bits = 1'b0 & ^{head_i, x_inst_i};
endmodule
