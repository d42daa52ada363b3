// Master port: what the front end that leads a group puts between its issue registers and the
// members.
//
// Each instruction leaves in the downlinks' slots in the cycle in which the front end shows it, and
// reaches the master's own back end Delay cycles later, when the slaves have it.  Slot 1 carries
// the Mask packet of a resolved branch; the front end then shows at most one instruction.  A
// warp whose branch was resolved stays in its verdict window until an objection of a slave would
// have taken effect.  For each slave a count tells how many memory instructions it has room for.
//
// While master_i is low, instructions pass at once, nothing is sent, and all members are well.
//
// Within a cycle an instruction may take the place that a credit returns.  kernel_start wins over
// everything.
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
`ifdef TANDEM_BUGS
  input  logic [7:0]                    bug_i,
`endif
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
  input  logic [WarpSize-1:0]           rs_taken_i,

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
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned Slaves = Members - 1;
  localparam int unsigned CountW = 4;
  localparam logic [CountW-1:0] Full = CountW'(tandem_pkg::MemPlaces);
  // Cycles in a verdict window after the one in which rs_valid_i shows the resolve.
  localparam int unsigned Window = 2 * Delay + 2;

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
        p1_o = {rs_warp_i, tandem_pkg::UnitNoc, tandem_pkg::NocMask, rs_dirs_i, 17'd0, rs_taken_i};
`ifdef TANDEM_BUGS
        // The directions change places.
        if (bug_i == 8'd82) p1_o[50:49] = {rs_dirs_i[0], rs_dirs_i[1]};
        // It takes the place of the second instruction's slot without being there.
        if (bug_i == 8'd83 && iss0_valid_i) p1_valid_o = 1'b0;
`endif
      end
    end
    // What follows finds no instruction, as the group is held.
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
  logic [Delay-1:0] valid0_q  /*verilator public_flat_rd*/;
  logic [Delay-1:0] valid1_q  /*verilator public_flat_rd*/;
  for (genvar i = 0; i < Delay; i++) begin : g_line
    logic                comes0, comes1;
    logic [InstW-1:0]    inst0, inst1, inst0_q, inst1_q;
    logic [PcW-1:0]      pc0, pc1, pc0_q, pc1_q;
    logic [WarpSize-1:0] mask0, mask1, mask0_q, mask1_q;
    if (i == 0) begin : g_first
      assign {comes0, comes1} = {iss0_valid_i, iss1_valid_i};
      assign inst0 = iss0_inst_i;
      assign inst1 = iss1_inst_i;
      assign pc0   = iss0_pc_i;
      assign pc1   = iss1_pc_i;
      assign mask0 = iss0_mask_i;
      assign mask1 = iss1_mask_i;
    end else begin : g_next
      assign {comes0, comes1} = {valid0_q[i-1], valid1_q[i-1]};
      assign inst0 = g_line[i-1].inst0_q;
      assign inst1 = g_line[i-1].inst1_q;
      assign pc0   = g_line[i-1].pc0_q;
      assign pc1   = g_line[i-1].pc1_q;
      assign mask0 = g_line[i-1].mask0_q;
      assign mask1 = g_line[i-1].mask1_q;
    end
    always_ff @(posedge clk_i) begin
      if (master_i) begin
        if (comes0) begin
          inst0_q <= inst0;
          pc0_q   <= pc0;
          mask0_q <= mask0;
        end
        if (comes1) begin
          inst1_q <= inst1;
          pc1_q   <= pc1;
          mask1_q <= mask1;
        end
      end
    end
  end

  assign out0_valid_o = master_i ? valid0_q[Delay-1] : iss0_valid_i;
  assign out0_inst_o  = master_i ? g_line[Delay-1].inst0_q : iss0_inst_i;
  assign out0_pc_o    = master_i ? g_line[Delay-1].pc0_q : iss0_pc_i;
  assign out0_mask_o  = master_i ? g_line[Delay-1].mask0_q : iss0_mask_i;
  assign out1_valid_o = master_i ? valid1_q[Delay-1] : iss1_valid_i;
  assign out1_inst_o  = master_i ? g_line[Delay-1].inst1_q : iss1_inst_i;
  assign out1_pc_o    = master_i ? g_line[Delay-1].pc1_q : iss1_pc_i;
  assign out1_mask_o  = master_i ? g_line[Delay-1].mask1_q : iss1_mask_i;

  // Verdict windows: the warps whose branches were resolved lately, oldest last.
  logic [Window-1:0] window_q;
  logic [Warps-1:0]  verdict_q  /*verilator public_flat_rd*/;
  for (genvar i = 0; i < Window; i++) begin : g_window
    logic             comes;
    logic [WarpW-1:0] warp, warp_q;
    logic [PcW-1:0]   rpc, rpc_q;
    if (i == 0) begin : g_first
      assign comes = rs_valid_i;
      assign warp  = rs_warp_i;
      assign rpc   = rs_rpc_i;
    end else begin : g_next
      assign comes = window_q[i-1];
      assign warp  = g_window[i-1].warp_q;
      assign rpc   = g_window[i-1].rpc_q;
    end
    always_ff @(posedge clk_i) begin
      if (master_i) begin
        if (rs_valid_i || window_q != '0) begin
          if (comes) begin
            warp_q <= warp;
            rpc_q  <= rpc;
          end
        end
      end
    end
  end
  assign split_rpc_o = window_q[Window-1] ? g_window[Window-1].rpc_q : tandem_pkg::NoRpc;

  logic [Warps-1:0] closes;
  always_comb begin
    closes = '0;
    if (window_q[Window-1]) closes = Warps'(1) << g_window[Window-1].warp_q;
`ifdef TANDEM_BUGS
    // A cycle too short.
    if (bug_i == 8'd80 && window_q[Window-2]) closes = Warps'(1) << g_window[Window-2].warp_q;
`endif
  end
  always_comb begin
    verdict_o = verdict_q;
    if (rs_valid_i && master_i) verdict_o = verdict_q | (Warps'(1) << rs_warp_i);
  end

  // Room of the slaves' memory pipelines.
  logic [Slaves*CountW-1:0] count_q  /*verilator public_flat_rd*/;
  logic [Slaves*CountW-1:0] count_d;
  logic                     turns, all_home;
  assign turns    = take_mem_i | (credit_i != '0);
  assign all_home = count_q == {Slaves{Full}};
  always_comb begin
    count_d = '0;
    if (turns) begin
      count_d = count_q;
      for (int k = 0; k < Slaves; k++) begin
        if (slaves_i[k] && credit_i[k] && !take_mem_i)
          count_d[k*CountW +: CountW] = count_q[k*CountW +: CountW] + CountW'(1);
        if (slaves_i[k] && !credit_i[k] && take_mem_i)
          count_d[k*CountW +: CountW] = count_q[k*CountW +: CountW] - CountW'(1);
`ifdef TANDEM_BUGS
        // A place that returns while one is taken is lost.
        if (bug_i == 8'd81 && slaves_i[k] && credit_i[k] && take_mem_i)
          count_d[k*CountW +: CountW] = count_q[k*CountW +: CountW] - CountW'(1);
`endif
      end
    end
  end
  always_comb begin
    members_ok_o = 1'b1;
    if (master_i && !all_home) for (int k = 0; k < Slaves; k++) begin
`ifdef TANDEM_BUGS
      // The nearest slave alone is asked.
      if (bug_i == 8'd84 && k > 0) begin
      end else
`endif
      if (slaves_i[k] && count_q[k*CountW +: CountW] == '0) members_ok_o = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid0_q, valid1_q, window_q, verdict_q, park_q} <= '0;
      count_q <= {Slaves{Full}};
    end else begin
      if (master_i) begin
        valid0_q <= Delay'({valid0_q, iss0_valid_i});
        valid1_q <= Delay'({valid1_q, iss1_valid_i});
        if (rs_valid_i || window_q != '0) begin
          verdict_q <= (verdict_q & ~closes) | (Warps'(rs_valid_i) << rs_warp_i);
          window_q  <= Window'({window_q, rs_valid_i});
        end
        if (turns) count_q <= count_d;
      end
      if (set_i || park_q != '0) park_q <= (Delay+2)'({park_q, set_i});
      if (kernel_start_i) begin
        {valid0_q, valid1_q, window_q, verdict_q, park_q} <= '0;
        count_q <= {Slaves{Full}};
      end
    end
  end
  always_ff @(posedge clk_i) if (set_i) park_pc_q <= split_rpc_o;

  assign empty_o = (64'(valid0_q) | 64'(valid1_q) | 64'(verdict_o) | 64'(park_q)) == '0 && all_home;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!kernel_start_i && master_i) begin
      assert (!(rs_valid_i && iss0_valid_i && iss1_valid_i));
      assert (!(park_q[1] && (iss0_valid_i || iss1_valid_i)));
      for (int k = 0; k < Slaves; k++) begin
        assert (!(slaves_i[k] && credit_i[k] && count_q[k*CountW +: CountW] == Full));
        assert (!(slaves_i[k] && take_mem_i && count_q[k*CountW +: CountW] == '0));
      end
    end
  end
`endif
endmodule
