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
  input  logic                          rs_hint_i,
  input  logic [tandem_pkg::PcW-1:0]    rs_pc_i,
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
  localparam int unsigned LineW = PcW + WarpSize;
  localparam int unsigned Slaves = Members - 1;
  localparam int unsigned CountW = 4;
  localparam logic [CountW-1:0] Full = CountW'(tandem_pkg::MemPlaces);
  // Cycles in a verdict window after the one in which rs_valid_i shows the resolve.
  localparam int unsigned Window = 2 * Delay + 2;

  // Bit i: the group came apart i + 1 cycles ago.  The Park packet leaves in the second of them.
  logic [Delay+1:0] park_q  /*verilator public_flat_rd*/;
  logic [PcW-1:0]   park_pc_q;

  // Slots of the downlinks.
  logic mask_valid;
  assign mask_valid = rs_valid_i & master_i;
  always_comb begin
    p0_valid_o = 1'b0;
    p0_o       = '0;
    p1_valid_o = 1'b0;
    p1_o       = '0;
    if (master_i && (iss0_valid_i || iss1_valid_i)) begin
      p0_valid_o = 1'b1;
      p0_o       = iss0_valid_i ? iss0_inst_i : iss1_inst_i;
      p1_valid_o = iss0_valid_i & iss1_valid_i;
      p1_o       = iss1_inst_i;
    end
    if (mask_valid) begin
      p1_valid_o = 1'b1;
      p1_o = {rs_warp_i, tandem_pkg::UnitNoc, tandem_pkg::NocMask, rs_dirs_i, rs_hint_i, rs_pc_i,
              rs_taken_i};
`ifdef TANDEM_BUGS
      // The directions change places.
      if (bug_i == 8'd82) p1_o[50:49] = {rs_dirs_i[0], rs_dirs_i[1]};
      // It takes the place of the second instruction's slot without being there.
      if (bug_i == 8'd83 && iss0_valid_i) p1_valid_o = 1'b0;
`endif
    end
    // What follows finds no instruction, as the group is held.
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

  // The master's own path, as long as the way to the slaves.
  logic [InstW-1:0] inst0_q [Delay];
  logic [InstW-1:0] inst1_q [Delay];
  logic [LineW-1:0] line0_q [Delay];  // PC and mask
  logic [LineW-1:0] line1_q [Delay];
  logic [Delay-1:0] valid0_q  /*verilator public_flat_rd*/;
  logic [Delay-1:0] valid1_q  /*verilator public_flat_rd*/;
  logic [Window-1:0] window_q;  // verdict windows, oldest last
  logic moves;
  assign moves = master_i & (iss0_valid_i | iss1_valid_i | mask_valid | valid0_q != '0 |
                             valid1_q != '0 | window_q != '0);
  always_ff @(posedge clk_i) begin
    if (moves) begin
      if (iss0_valid_i) begin
        inst0_q[0] <= iss0_inst_i;
        line0_q[0] <= {iss0_pc_i, iss0_mask_i};
      end
      if (iss1_valid_i) begin
        inst1_q[0] <= iss1_inst_i;
        line1_q[0] <= {iss1_pc_i, iss1_mask_i};
      end
      for (int i = 1; i < Delay; i++) begin
        if (valid0_q[i-1]) begin
          inst0_q[i] <= inst0_q[i-1];
          line0_q[i] <= line0_q[i-1];
        end
        if (valid1_q[i-1]) begin
          inst1_q[i] <= inst1_q[i-1];
          line1_q[i] <= line1_q[i-1];
        end
      end
    end
  end

  always_comb begin
    if (master_i) begin
      out0_valid_o = valid0_q[Delay-1];
      out0_inst_o  = inst0_q[Delay-1];
      {out0_pc_o, out0_mask_o} = line0_q[Delay-1];
      out1_valid_o = valid1_q[Delay-1];
      out1_inst_o  = inst1_q[Delay-1];
      {out1_pc_o, out1_mask_o} = line1_q[Delay-1];
    end else begin
      out0_valid_o = iss0_valid_i;
      out0_inst_o  = iss0_inst_i;
      out0_pc_o    = iss0_pc_i;
      out0_mask_o  = iss0_mask_i;
      out1_valid_o = iss1_valid_i;
      out1_inst_o  = iss1_inst_i;
      out1_pc_o    = iss1_pc_i;
      out1_mask_o  = iss1_mask_i;
    end
  end

  // Verdict windows: the warps whose branches were resolved lately, oldest last.
  logic [WarpW-1:0]  warp_q [Window];
  logic [PcW-1:0]    rpc_q [Window];
  logic [Warps-1:0]  verdict_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  opens, closes;
  always_comb begin
    opens  = '0;
    closes = '0;
    if (mask_valid)         opens  = Warps'(1) << rs_warp_i;
    if (window_q[Window-1]) closes = Warps'(1) << warp_q[Window-1];
`ifdef TANDEM_BUGS
    // A cycle too short.
    if (bug_i == 8'd80 && window_q[Window-2]) closes = Warps'(1) << warp_q[Window-2];
`endif
  end
  assign verdict_o   = verdict_q | opens;
  assign split_rpc_o = window_q[Window-1] ? rpc_q[Window-1] : tandem_pkg::NoRpc;

  always_ff @(posedge clk_i) begin
    if (mask_valid) begin
      warp_q[0] <= rs_warp_i;
      rpc_q[0]  <= rs_rpc_i;
    end
    if (window_q != '0) for (int i = 1; i < Window; i++) begin
      if (window_q[i-1]) begin
        warp_q[i] <= warp_q[i-1];
        rpc_q[i]  <= rpc_q[i-1];
      end
    end
  end

  // Room of the slaves' memory pipelines.
  logic [Slaves*CountW-1:0] count_q  /*verilator public_flat_rd*/;
  logic [Slaves*CountW-1:0] count_d;
  logic                     all_home, none_short;
  always_comb begin
    count_d = count_q;
    if (take_mem_i || credit_i != '0) for (int k = 0; k < Slaves; k++) begin
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
  always_comb begin
    all_home   = count_q == {Slaves{Full}};
    none_short = 1'b1;
    if (!all_home) for (int k = 0; k < Slaves; k++) begin
`ifdef TANDEM_BUGS
      // The nearest slave alone is asked.
      if (bug_i == 8'd84 && k > 0) begin
      end else
`endif
      if (slaves_i[k] && count_q[k*CountW +: CountW] == '0) none_short = 1'b0;
    end
  end
  assign members_ok_o = none_short | ~master_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid0_q, valid1_q, window_q, verdict_q} <= '0;
      count_q <= {Slaves{Full}};
    end else if (kernel_start_i) begin
      {valid0_q, valid1_q, window_q, verdict_q} <= '0;
      count_q <= {Slaves{Full}};
    end else if (master_i) begin
      if (moves) begin
        valid0_q  <= Delay'({valid0_q, iss0_valid_i});
        valid1_q  <= Delay'({valid1_q, iss1_valid_i});
        window_q  <= Window'({window_q, mask_valid});
        verdict_q <= (verdict_q & ~closes) | opens;
      end
      count_q <= count_d;
    end
  end

  always_ff @(posedge clk_i) if (set_i) park_pc_q <= split_rpc_o;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             park_q <= '0;
    else if (kernel_start_i) park_q <= '0;
    else                     park_q <= (Delay+2)'({park_q, set_i});
  end

  assign empty_o = ~|{valid0_q, valid1_q, verdict_o, park_q} & all_home;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (!kernel_start_i && master_i) begin
      assert (!(mask_valid && iss0_valid_i && iss1_valid_i));
      assert (!(park_q[1] && (iss0_valid_i || iss1_valid_i)));
      for (int k = 0; k < Slaves; k++) begin
        assert (!(slaves_i[k] && credit_i[k] && count_q[k*CountW +: CountW] == Full));
        assert (!(slaves_i[k] && take_mem_i && count_q[k*CountW +: CountW] == '0));
      end
    end
  end
`endif
endmodule
