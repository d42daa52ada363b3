// Leader's part of a member of a cluster: what a front end that can lead others has besides.  It sends
// what the front end issues and what its branches did (master_port), and releases a load's registers
// when all members have completed it (monitor).
//
// While master_i is low nothing is sent, instructions pass at once, and loads are the member's own.
//
// Illegal: what master_port and monitor forbid.

module member_leader #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Leads = 4,      // members of the largest group that it leads
  parameter int unsigned Releases = 4,   // of registers in a cycle: at least Leads
  parameter int unsigned Delay = 2,      // of the way to the others, core cycles
  parameter int unsigned Entries = 1,    // of the monitor
  localparam int unsigned Slaves = Leads - 1
) (
  input  logic                                  clk_i,
  input  logic                                  units_clk_i,  // runs while the front end is on
  input  logic                                  rst_ni,
  input  logic                                  kernel_start_i,
  input  logic                                  on_i,
  input  logic                                  reset_fe_i,
  input  logic                                  master_i,
  input  logic                                  slave_i,
  input  logic [Slaves-1:0]                     slaves_i,  // bit k-1: the k-th neighbour follows

  // Issue registers of the front end
  input  logic                                  iss0_valid_i,
  input  logic [tandem_pkg::InstW-1:0]          iss0_inst_i,
  input  logic [tandem_pkg::PcW-1:0]            iss0_pc_i,
  input  logic [WarpSize-1:0]                   iss0_mask_i,
  input  logic                                  iss1_valid_i,
  input  logic [tandem_pkg::InstW-1:0]          iss1_inst_i,
  input  logic [tandem_pkg::PcW-1:0]            iss1_pc_i,
  input  logic [WarpSize-1:0]                   iss1_mask_i,

  // A memory instruction is granted; a load
  input  logic                                  take_mem_i,
  input  logic                                  take_load_i,
  input  logic [tandem_pkg::WarpW-1:0]          take_warp_i,
  input  logic [4:0]                            take_reg_i,

  // This cycle's resolve, and what comes of it
  input  logic                                  resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]          resolve_warp_i,
  input  logic [1:0]                            res_dirs_i,
  input  logic [tandem_pkg::PcW-1:0]            res_rpc_i,

  // Halfway: the group comes apart; the roll, and its end
  input  logic                                  set_i,
  input  logic                                  call0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]          call0_warp_i,
  input  logic [tandem_pkg::DepthW-1:0]         call0_depth_i,
  input  logic                                  call1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]          call1_warp_i,
  input  logic [tandem_pkg::DepthW-1:0]         call1_depth_i,
  input  logic                                  last_valid_i,
  input  logic [5:0]                            last_count_i,
  output logic [tandem_pkg::PcW-1:0]            split_rpc_o,

  // Loads that the own back end completes
  input  logic                                  own_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]          own_warp_i,
  input  logic [4:0]                            own_reg_i,
  input  logic [1:0]                            own_size_i,

  // Uplinks
  input  logic [Slaves-1:0]                     up_ack_valid_i,
  input  logic [Slaves*tandem_pkg::WarpW-1:0]   up_ack_warp_i,
  input  logic [Slaves*5-1:0]                   up_ack_reg_i,
  input  logic [Slaves*2-1:0]                   up_ack_size_i,
  input  logic [Slaves-1:0]                     up_credit_i,

  // Downlinks
  output logic                                  p0_valid_o,
  output logic [tandem_pkg::InstW-1:0]          p0_o,
  output logic                                  p1_valid_o,
  output logic [tandem_pkg::InstW-1:0]          p1_o,

  // Back end
  output logic                                  out0_valid_o,
  output logic [tandem_pkg::InstW-1:0]          out0_inst_o,
  output logic [tandem_pkg::PcW-1:0]            out0_pc_o,
  output logic [WarpSize-1:0]                   out0_mask_o,
  output logic                                  out1_valid_o,
  output logic [tandem_pkg::InstW-1:0]          out1_inst_o,
  output logic [tandem_pkg::PcW-1:0]            out1_pc_o,
  output logic [WarpSize-1:0]                   out1_mask_o,

  // Front end: warps in their verdict window, warps without an entry for a load, places, releases
  output logic [Warps-1:0]                      verdict_o,
  output logic [Warps-1:0]                      mon_full_o,
  output logic                                  members_ok_o,
  output logic [Releases-1:0]                   rel_valid_o,
  output logic [Releases*tandem_pkg::WarpW-1:0] rel_warp_o,
  output logic [Releases*5-1:0]                 rel_reg_o,
  output logic [Releases*2-1:0]                 rel_size_o,

  output logic                                  port_empty_o,
  output logic                                  mon_empty_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned Acks = Releases - 1;

  // The resolve of the cycle before.
  logic                rs_valid_q;
  logic [WarpW-1:0]    rs_warp_q;
  logic [1:0]          rs_dirs_q;
  logic [PcW-1:0]      rs_rpc_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rs_valid_q <= 1'b0;
    else         rs_valid_q <= resolve_valid_i & master_i & ~kernel_start_i;
  end
  always_ff @(posedge clk_i) begin
    if (resolve_valid_i && master_i)
      {rs_warp_q, rs_dirs_q, rs_rpc_q} <= {resolve_warp_i, res_dirs_i, res_rpc_i};
  end

  logic take_mem;
  assign take_mem = take_mem_i & master_i;
  master_port #(
    .Warps(Warps),
    .WarpSize(WarpSize),
    .Members(Leads),
    .Delay(Delay)
  ) u_master_port (
    .clk_i, .rst_ni,
    .kernel_start_i, .master_i, .slaves_i, .iss0_valid_i, .iss0_inst_i, .iss0_pc_i, .iss0_mask_i,
    .iss1_valid_i, .iss1_inst_i, .iss1_pc_i, .iss1_mask_i, .take_mem_i(take_mem),
    .rs_valid_i(rs_valid_q), .rs_warp_i(rs_warp_q), .rs_dirs_i(rs_dirs_q), .rs_rpc_i(rs_rpc_q),
    .credit_i(up_credit_i), .set_i, .call0_valid_i, .call0_warp_i,
    .call0_depth_i, .call1_valid_i, .call1_warp_i, .call1_depth_i, .last_valid_i, .last_count_i,
    .p0_valid_o, .p0_o, .p1_valid_o, .p1_o, .out0_valid_o, .out0_inst_o, .out0_pc_o, .out0_mask_o,
    .out1_valid_o, .out1_inst_o, .out1_pc_o, .out1_mask_o, .verdict_o, .split_rpc_o, .members_ok_o,
    .empty_o(port_empty_o)
  );

  // A slave's own loads are its leader's to follow.
  logic mon_clear, take_load, own_valid;
  assign mon_clear = kernel_start_i | reset_fe_i;
  assign take_load = take_load_i & master_i;
  assign own_valid = own_valid_i & ~slave_i & on_i;
  monitor #(
    .Members(Releases),
    .Entries(Entries),
    .Warps(Warps)
  ) u_monitor (
    .clk_i(units_clk_i), .rst_ni,
    .kernel_start_i(mon_clear), .iss_valid_i(take_load), .iss_warp_i(take_warp_i),
    .iss_reg_i(take_reg_i), .iss_members_i(Releases'({slaves_i, 1'b1})), .own_valid_i(own_valid),
    .own_warp_i, .own_reg_i, .own_size_i, .ack_valid_i(Acks'(up_ack_valid_i)),
    .ack_warp_i((WarpW*Acks)'(up_ack_warp_i)), .ack_reg_i((5*Acks)'(up_ack_reg_i)),
    .ack_size_i((2*Acks)'(up_ack_size_i)), .rel_valid_o, .rel_warp_o, .rel_reg_o, .rel_size_o,
    .full_o(mon_full_o), .empty_o(mon_empty_o)
  );
endmodule
