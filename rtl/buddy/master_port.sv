// Master port: what the front end that leads a group puts between its issue registers and the
// members.
//
// Each instruction leaves in the downlinks' slots in the cycle in which the front end shows it, and
// reaches the master's own back end Delay cycles later, when the slaves have it (issue_line).  Slot 1
// carries the Mask packet of a resolved branch; the front end then shows at most one instruction.  The
// branch's warp is then in its verdict window (verdict_windows).  Memory instructions take places of
// the slaves (slave_places).
//
// While master_i is low, instructions pass at once, nothing is sent, and all members are well.
//
// kernel_start wins over everything.
//
// Illegal: two instructions beside a Mask packet, a credit beyond the full count, an instruction
// without a place.

module master_port #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Members = 4,
  parameter int unsigned Delay = 2
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic                          kernel_start_i,
  input  logic                          master_i,
  input  logic [Members-2:0]            slaves_i,  // bit k-1: the k-th neighbour follows

  // Issue registers of the front end
  input  logic                          iss0_valid_i,
  input  logic [tandem_pkg::InstW-1:0]  iss0_inst_i,
  input  logic [tandem_pkg::PcW-1:0]    iss0_pc_i,
  input  logic [WarpSize-1:0]           iss0_mask_i,
  input  logic                          iss1_valid_i,
  input  logic [tandem_pkg::InstW-1:0]  iss1_inst_i,
  input  logic [tandem_pkg::PcW-1:0]    iss1_pc_i,
  input  logic [WarpSize-1:0]           iss1_mask_i,

  // A memory instruction is granted
  input  logic                          take_mem_i,

  // The resolve of the cycle before
  input  logic                          rs_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  rs_warp_i,
  input  logic [1:0]                    rs_dirs_i,
  input  logic [tandem_pkg::PcW-1:0]    rs_rpc_i,

  // Uplinks
  input  logic [Members-2:0]            credit_i,

  // Halfway: the group comes apart, to meet again at split_rpc; the roll, and its end
  input  logic                          set_i,
  input  logic                          call0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  call0_warp_i,
  input  logic [tandem_pkg::DepthW-1:0] call0_depth_i,
  input  logic                          call1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]  call1_warp_i,
  input  logic [tandem_pkg::DepthW-1:0] call1_depth_i,
  input  logic                          last_valid_i,
  input  logic [5:0]                    last_count_i,

  // Downlinks
  output logic                          p0_valid_o,
  output logic [tandem_pkg::InstW-1:0]  p0_o,
  output logic                          p1_valid_o,
  output logic [tandem_pkg::InstW-1:0]  p1_o,

  // Back end
  output logic                          out0_valid_o,
  output logic [tandem_pkg::InstW-1:0]  out0_inst_o,
  output logic [tandem_pkg::PcW-1:0]    out0_pc_o,
  output logic [WarpSize-1:0]           out0_mask_o,
  output logic                          out1_valid_o,
  output logic [tandem_pkg::InstW-1:0]  out1_inst_o,
  output logic [tandem_pkg::PcW-1:0]    out1_pc_o,
  output logic [WarpSize-1:0]           out1_mask_o,

  output logic [Warps-1:0]              verdict_o,
  output logic [tandem_pkg::PcW-1:0]    split_rpc_o,  // of the window that closes
  output logic                          members_ok_o,
  output logic                          empty_o
);
  localparam int unsigned PcW = tandem_pkg::PcW;

  // Bit i: the group came apart i + 1 cycles ago.  The Park packet leaves in the second of them.
  logic [Delay+1:0] park_q  /*verilator public_flat_rd*/;
  logic [PcW-1:0]   park_pc_q;

  // Slots of the downlinks.
  always_comb begin
    p0_valid_o = 1'b0;
    p0_o       = '0;
    p1_valid_o = 1'b0;
    p1_o       = '0;
    if (master_i) begin
      if (iss0_valid_i || iss1_valid_i) begin
        p0_valid_o = 1'b1;
        p0_o       = iss0_valid_i ? iss0_inst_i : iss1_inst_i;
        p1_valid_o = iss0_valid_i & iss1_valid_i;
        p1_o       = iss1_inst_i;
      end
      if (rs_valid_i) begin
        p1_valid_o = 1'b1;
        p1_o = {rs_warp_i, tandem_pkg::UnitNoc, tandem_pkg::NocMask, rs_dirs_i, 49'd0};
      end
    end
    // The packets below find no instruction in their slot, as the group is held.
    if (park_q[1] || call0_valid_i || call1_valid_i || last_valid_i) begin
      if (park_q[1]) begin
        p0_valid_o = 1'b1;
        p0_o = {6'd0, tandem_pkg::UnitNoc, tandem_pkg::NocPark, 35'd0, park_pc_q};
      end
      if (call0_valid_i) begin
        p0_valid_o = 1'b1;
        p0_o = {call0_warp_i, tandem_pkg::UnitNoc, tandem_pkg::NocCall, 45'd0, call0_depth_i};
      end
      if (call1_valid_i) begin
        p1_valid_o = 1'b1;
        p1_o = {call1_warp_i, tandem_pkg::UnitNoc, tandem_pkg::NocCall, 45'd0, call1_depth_i};
      end
      if (last_valid_i) begin
        p0_valid_o = 1'b1;
        p0_o = {6'd0, tandem_pkg::UnitNoc, tandem_pkg::NocEnd, 45'd0, last_count_i};
      end
    end
  end

  // The master's own path, as long as the way to the slaves.
  logic empty0, empty1;
  issue_line #(
    .WarpSize(WarpSize),
    .Delay(Delay)
  ) u_line0 (
    .clk_i, .rst_ni, .clear_i(kernel_start_i), .on_i(master_i), .valid_i(iss0_valid_i),
    .inst_i(iss0_inst_i), .pc_i(iss0_pc_i), .mask_i(iss0_mask_i), .valid_o(out0_valid_o),
    .inst_o(out0_inst_o), .pc_o(out0_pc_o), .mask_o(out0_mask_o), .empty_o(empty0)
  );
  issue_line #(
    .WarpSize(WarpSize),
    .Delay(Delay)
  ) u_line1 (
    .clk_i, .rst_ni, .clear_i(kernel_start_i), .on_i(master_i), .valid_i(iss1_valid_i),
    .inst_i(iss1_inst_i), .pc_i(iss1_pc_i), .mask_i(iss1_mask_i), .valid_o(out1_valid_o),
    .inst_o(out1_inst_o), .pc_o(out1_pc_o), .mask_o(out1_mask_o), .empty_o(empty1)
  );

  verdict_windows #(
    .Warps(Warps),
    .Window(2 * Delay + 2)
  ) u_windows (
    .clk_i, .rst_ni,
    .clear_i(kernel_start_i), .on_i(master_i), .rs_valid_i, .rs_warp_i, .rs_rpc_i, .verdict_o,
    .rpc_o(split_rpc_o)
  );

  logic all_home;
  slave_places #(
    .Slaves(Members - 1)
  ) u_places (
    .clk_i, .rst_ni,
    .clear_i(kernel_start_i), .on_i(master_i), .slaves_i, .take_i(take_mem_i), .credit_i,
    .ok_o(members_ok_o), .home_o(all_home)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)                    park_q <= '0;
    else if (kernel_start_i)        park_q <= '0;
    else if (set_i || park_q != '0) park_q <= (Delay+2)'({park_q, set_i});
  end
  always_ff @(posedge clk_i) if (set_i) park_pc_q <= split_rpc_o;

  assign empty_o = empty0 && empty1 && verdict_o == '0 && park_q == '0 && all_home;

`ifndef SYNTHESIS
  // The role changes while nothing is under way; a master calls no roll.
  logic master_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      master_last <= 1'b0;
    end else begin
      master_last <= master_i;
      master_changes_when_empty: assert (master_i == master_last || (empty0 && empty1 && park_q == '0 && all_home));
      master_not_called:         assert (!(master_i && (call0_valid_i || call1_valid_i || last_valid_i)));
    end
  end
  always_ff @(posedge clk_i) begin
    if (!kernel_start_i && master_i) begin
      resolve_with_one_issue: assert (!(rs_valid_i && iss0_valid_i && iss1_valid_i));
      parked_without_issue:   assert (!(park_q[1] && (iss0_valid_i || iss1_valid_i)));
    end
  end
`endif
endmodule
