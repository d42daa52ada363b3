// SIMT stack: next PC and active lanes of each warp, through divergence and reconvergence.
//
// The top of each stack is held in registers (tos_*), the entries below in simt_entries; simt_flags
// knows which warps wait.  An entry is (mask, reconvergence PC, PC); the warp is popped when its PC is
// the reconvergence PC of the top, or no lane is left in it.
//
// Branches and exits only stop the warp at issue (ctrl); simt_resolve computes the new top
// when the back end resolves them.  A pop takes a cycle of its own (settle), one warp a cycle, lowest
// first.  In a cycle a warp sees at most one of launch, issue, resolve and pop; different warps may see
// different ones.  A branch that would overflow the stack traps: the warp then stays as it is.
// kernel_start wins over everything.
//
// Illegal: a launch of a live warp or without lanes, an issue of a warp that is not live or waits
// for a branch or a pop, a resolve without branch or exit.

module simt_stack #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,  // a power of two
  parameter bit          Buddy = 1'b1  // 0: res_*, rd*_depth are not there (0)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   launch_pc_i,
  input  logic [WarpSize-1:0]          launch_mask_i,

  // Back end: lanes that take the branch or exit
  input  logic                         resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] resolve_warp_i,
  input  logic [WarpSize-1:0]          resolve_taken_i,

  // Issue; the warps are also the read addresses of rd0 and rd1
  input  logic                         iss0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss0_warp_i,
  input  logic [1:0]                   iss0_ctl_i,
  input  logic [tandem_pkg::PcW-1:0]   iss0_target_i,
  input  logic [tandem_pkg::PcW-1:0]   iss0_rpc_i,
  input  logic                         iss1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss1_warp_i,
  input  logic [1:0]                   iss1_ctl_i,
  input  logic [tandem_pkg::PcW-1:0]   iss1_target_i,
  input  logic [tandem_pkg::PcW-1:0]   iss1_rpc_i,

  // Warps whose depths are asked for
  input  logic [tandem_pkg::WarpW-1:0] roll0_warp_i,
  input  logic [tandem_pkg::WarpW-1:0] roll1_warp_i,

  // Warps that are not popped for now
  input  logic [Warps-1:0]             defer_i,

  // Fetch
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [tandem_pkg::PcW-1:0]   fetch_pc_o,

  output logic [tandem_pkg::PcW-1:0]   rd0_pc_o,
  output logic [WarpSize-1:0]          rd0_mask_o,
  output logic [tandem_pkg::PcW-1:0]   rd1_pc_o,
  output logic [WarpSize-1:0]          rd1_mask_o,
  output logic [tandem_pkg::DepthW-1:0] rd0_depth_o,  // of roll0_warp_i: met of the top, depth
  output logic [tandem_pkg::DepthW-1:0] rd1_depth_o,

  output logic [Warps-1:0]             live_o,
  output logic [Warps-1:0]             ctrl_o,
  output logic [Warps-1:0]             settle_o,

  output logic                         flush_valid_o,
  output logic [tandem_pkg::WarpW-1:0] flush_warp_o,
  output logic                         done_valid_o,
  output logic [tandem_pkg::WarpW-1:0] done_warp_o,
  output logic                         trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0] trap_warp_o,

  // This cycle's resolve: the branch's or exit's PC; some lane takes it, some lane does not; where the
  // branch reconverges; by how much the stack grows
  output logic [tandem_pkg::PcW-1:0]   res_at_o,
  output logic [1:0]                   res_dirs_o,
  output logic [tandem_pkg::PcW-1:0]   res_rpc_o,
  output logic [1:0]                   res_push_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned DepthW = $clog2(StackDepth + 1);
  localparam int unsigned RestW = PcW + WarpSize;  // {mask, rpc}, what an issue leaves alone
  localparam int unsigned EntryW = PcW + RestW;    // {mask, rpc, pc}

  logic [PcW-1:0]      tos_pc_q [Warps]  /*verilator public_flat_rd*/;
  logic [RestW-1:0]    tos_rest_q [Warps]  /*verilator public_flat_rd*/;
  logic [WarpSize-1:0] live_mask_q [Warps]  /*verilator public_flat_rd*/;
  logic [DepthW-1:0]   depth_q [Warps]  /*verilator public_flat_rd*/;
  logic                met_q [Warps];  // lanes wait already where the top reconverges (for the roll call)

  // The branch or exit that waits for its resolve.
  logic [Warps-1:0]    is_exit;
  logic [PcW-1:0]      target_q [Warps];
  logic [PcW-1:0]      rpc_q [Warps];

  // Reads.
  assign fetch_pc_o = tos_pc_q[fetch_warp_i];
  assign rd0_pc_o   = tos_pc_q[iss0_warp_i];
  assign rd0_mask_o = tos_rest_q[iss0_warp_i][RestW-1:PcW];
  assign rd1_pc_o   = tos_pc_q[iss1_warp_i];
  assign rd1_mask_o = tos_rest_q[iss1_warp_i][RestW-1:PcW];
  assign rd0_depth_o = Buddy ? {met_q[roll0_warp_i], 5'(depth_q[roll0_warp_i])} : '0;
  assign rd1_depth_o = Buddy ? {met_q[roll1_warp_i], 5'(depth_q[roll1_warp_i])} : '0;

  // Issues that reach the end of the top.
  logic end0, end1;
  always_comb begin
    end0 = 1'b0;
    end1 = 1'b0;
    if (iss0_valid_i) end0 = rd0_pc_o + PcW'(1) == tos_rest_q[iss0_warp_i][PcW-1:0];
    if (iss1_valid_i) begin
      end1 = rd1_pc_o + PcW'(1) == tos_rest_q[iss1_warp_i][PcW-1:0];
    end
  end

  // Resolve.
  logic [PcW-1:0]      res_pc, res_rpc, r_pc, r_rpc, r_target, r_join;
  logic [WarpSize-1:0] res_mask, res_live, r_mask, r_live;
  logic [DepthW-1:0]   res_depth, r_depth;
  logic                res_settle, res_done, res_trap, res_met, res_met0, r_met, r_exit;
  logic [1:0]          res_push;  // 0 where it traps
  logic [EntryW-1:0]   res_entry0, res_entry1;
  always_comb begin
    r_pc     = tos_pc_q[resolve_warp_i];
    {r_mask, r_rpc} = tos_rest_q[resolve_warp_i];
    r_live   = live_mask_q[resolve_warp_i];
    r_depth  = depth_q[resolve_warp_i];
    r_target = target_q[resolve_warp_i];
    r_join   = rpc_q[resolve_warp_i];
    r_exit   = is_exit[resolve_warp_i];
    r_met    = Buddy ? met_q[resolve_warp_i] : 1'b0;
  end
  simt_resolve #(
    .WarpSize(WarpSize),
    .StackDepth(StackDepth),
    .Buddy(Buddy)
  ) u_resolve (
    .valid_i(resolve_valid_i), .taken_i(resolve_taken_i), .pc_i(r_pc), .rpc_i(r_rpc),
    .mask_i(r_mask), .live_i(r_live), .depth_i(r_depth), .met_i(r_met), .exit_i(r_exit),
    .target_i(r_target), .join_i(r_join), .pc_o(res_pc), .rpc_o(res_rpc), .mask_o(res_mask),
    .live_o(res_live), .depth_o(res_depth), .met_o(res_met), .settle_o(res_settle),
    .done_o(res_done), .trap_o(res_trap), .push_o(res_push), .entry0_o(res_entry0),
    .entry1_o(res_entry1), .met0_o(res_met0), .dirs_o(res_dirs_o), .branch_rpc_o(res_rpc_o)
  );
  assign res_at_o     = (Buddy && resolve_valid_i) ? r_pc - PcW'(1) : '0;
  assign res_push_o   = Buddy ? 2'(res_push[0]) + 2'(res_push[1]) : '0;
  assign done_valid_o = res_done;
  assign done_warp_o  = resolve_warp_i;
  assign trap_valid_o = res_trap;
  assign trap_warp_o  = resolve_warp_i;

  // Settle: the warp that is popped.
  logic              popping;
  logic [Warps-1:0]  popped;
  logic [WarpW-1:0]  pop_warp;
  logic [DepthW-1:0] pop_entry_n, pop_depth;  // entry that becomes the top, those that stay below
  always_comb begin
    popping     = 1'b0;
    popped      = '0;
    pop_warp    = '0;
    pop_entry_n = '0;
    if ((settle_o & ~defer_i) != '0) begin
      popping = 1'b1;
      popped  = settle_o & ~defer_i & (~(settle_o & ~defer_i) + Warps'(1));
      pop_warp  = tandem_pkg::encode(64'(popped));
      pop_entry_n = depth_q[pop_warp];
    end
    pop_depth = pop_entry_n - DepthW'(1);
  end
  assign flush_valid_o = popping;
  assign flush_warp_o  = pop_warp;

  logic [EntryW-1:0] pop_entry;
  logic              entry_met;
  simt_entries #(
    .Warps(Warps),
    .EntryW(EntryW),
    .StackDepth(StackDepth),
    .Buddy(Buddy)
  ) u_entries (
    .clk_i, .push_i(res_push), .push_warp_i(resolve_warp_i), .push_depth_i(r_depth),
    .push0_entry_i(res_entry0), .push0_met_i(res_met0), .push1_entry_i(res_entry1),
    .push1_met_i(res_met), .rd_warp_i(pop_warp), .rd_entry_i(pop_entry_n),
    .rd_entry_o(pop_entry), .rd_met_o(entry_met)
  );

  // Its new top.
  logic [PcW-1:0]      pop_pc, pop_rpc;
  logic [WarpSize-1:0] pop_mask;
  logic                pop_again, pop_met;
  always_comb begin
    {pop_mask, pop_rpc, pop_pc} = pop_entry;
    pop_again = 1'b0;
    pop_met   = entry_met;
    if (popping) begin
      pop_mask = pop_mask & live_mask_q[pop_warp];
      pop_again = pop_mask == '0 || pop_pc == pop_rpc;
      if (Buddy && pop_rpc == tos_rest_q[pop_warp][PcW-1:0])
        pop_met = pop_met | met_q[pop_warp] | tos_rest_q[pop_warp][RestW-1:PcW] != '0;
    end
  end

  simt_flags #(
    .Warps(Warps)
  ) u_flags (
    .clk_i, .rst_ni, .kernel_start_i, .launch_valid_i, .launch_warp_i, .iss0_valid_i, .iss0_warp_i,
    .iss0_ctl_i, .iss0_end_i(end0), .iss1_valid_i, .iss1_warp_i, .iss1_ctl_i, .iss1_end_i(end1),
    .resolve_valid_i, .resolve_warp_i, .resolve_trap_i(res_trap), .resolve_settle_i(res_settle),
    .resolve_done_i(res_done), .popped_i(popped), .pop_again_i(pop_again), .live_o, .ctrl_o,
    .settle_o, .exit_o(is_exit)
  );

  // Tops.  No reset: of a warp that is not live, nothing here is read.
  always_ff @(posedge clk_i) begin
    if (iss0_valid_i) begin
      tos_pc_q[iss0_warp_i] <= rd0_pc_o + PcW'(1);
      if (iss0_ctl_i != tandem_pkg::CtlNone) begin
        target_q[iss0_warp_i] <= iss0_target_i;
        rpc_q[iss0_warp_i]    <= iss0_rpc_i;
      end
    end
    if (iss1_valid_i) begin
      tos_pc_q[iss1_warp_i] <= rd1_pc_o + PcW'(1);
      if (iss1_ctl_i != tandem_pkg::CtlNone) begin
        target_q[iss1_warp_i] <= iss1_target_i;
        rpc_q[iss1_warp_i]    <= iss1_rpc_i;
      end
    end
    if (launch_valid_i || resolve_valid_i || popping) begin
      if (launch_valid_i) begin
        tos_pc_q[launch_warp_i]    <= launch_pc_i;
        tos_rest_q[launch_warp_i]  <= {launch_mask_i, tandem_pkg::NoRpc};
        live_mask_q[launch_warp_i] <= launch_mask_i;
        depth_q[launch_warp_i]     <= '0;
        if (Buddy) met_q[launch_warp_i] <= 1'b0;
      end
      if (resolve_valid_i && !res_trap) begin
        tos_pc_q[resolve_warp_i]    <= res_pc;
        tos_rest_q[resolve_warp_i]  <= {res_mask, res_rpc};
        live_mask_q[resolve_warp_i] <= res_live;
        depth_q[resolve_warp_i]     <= res_depth;
        if (Buddy) met_q[resolve_warp_i] <= res_met;
      end
      if (popping) begin
        tos_pc_q[pop_warp]   <= pop_pc;
        tos_rest_q[pop_warp] <= {pop_mask, pop_rpc};
        depth_q[pop_warp]    <= pop_depth;
        if (Buddy) met_q[pop_warp] <= pop_met;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!launch_valid_i || launch_mask_i != '0);
      assert (!popping || depth_q[pop_warp] != '0);
    end
  end
`endif
endmodule
