// SIMT stack: next PC and active lanes of each warp, through divergence and reconvergence.
//
// The top of each stack is held in registers (tos_*); simt_flags knows which warps wait.  The entries below are held
// in simt_entries or, with Stages, in a memory beside this module.  An entry is (mask, reconvergence PC, PC); the
// warp is popped when its PC is the reconvergence PC of the top, or no lane is left in it.
//
// Branches and exits only stop the warp at issue (ctrl); simt_resolve computes the new top when the back end resolves
// them.  Target and reconvergence PC of a branch (br) come with its issue or later, before the resolve.  A pop begins
// in a cycle of its own (settle), one warp a cycle, lowest first.  It ends in the same cycle or, with Stages, when
// its entry is there (simt_pops).  In a cycle a warp sees at most one of launch, issue, resolve and end of a pop;
// different warps may see different ones.  A branch that would overflow the stack traps: the warp then stays as it
// is.  kernel_start wins over everything.
//
// Illegal: a launch of a live warp or without lanes, an issue of a warp that is not live or waits for a branch or a
// pop, a resolve without branch or exit or before the branch's target, a change of bypass while a warp lives.

module simt_stack #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,  // a power of two
  parameter int unsigned Stages = 0,  // cycles to the memory of the entries; 0: they are held here
  parameter bit          Outcomes = 1'b1  // 0: res_* and depth*_o are not there (0)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,
  input  logic                         bypass_i,  // the memory is 0 cycles away

  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   launch_pc_i,
  input  logic [WarpSize-1:0]          launch_mask_i,

  // Back end: lanes that take the branch or exit
  input  logic                         resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] resolve_warp_i,
  input  logic [WarpSize-1:0]          resolve_taken_i,

  // Issue, and branches whose target is known: even warps, odd warps
  input  logic                         iss0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss0_warp_i,
  input  logic [1:0]                   iss0_ctl_i,
  input  logic                         iss1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss1_warp_i,
  input  logic [1:0]                   iss1_ctl_i,
  input  logic                         br0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] br0_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   br0_target_i,
  input  logic [tandem_pkg::PcW-1:0]   br0_rpc_i,
  input  logic                         br1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] br1_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   br1_target_i,
  input  logic [tandem_pkg::PcW-1:0]   br1_rpc_i,

  // Warps that are not popped for now
  input  logic [Warps-1:0]             defer_i,

  // Tops: of the warp that is fetched, of the warps at iss0_warp and iss1_warp
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [tandem_pkg::PcW-1:0]   fetch_pc_o,
  output logic [tandem_pkg::PcW-1:0]   rd0_pc_o,
  output logic [WarpSize-1:0]          rd0_mask_o,
  output logic [tandem_pkg::PcW-1:0]   rd1_pc_o,
  output logic [WarpSize-1:0]          rd1_mask_o,

  // Met of the top (lanes wait already where it reconverges) and depth
  input  logic [tandem_pkg::WarpW-1:0] depth0_warp_i,
  input  logic [tandem_pkg::WarpW-1:0] depth1_warp_i,
  output logic [tandem_pkg::DepthW-1:0] depth0_o,
  output logic [tandem_pkg::DepthW-1:0] depth1_o,

  output logic [Warps-1:0]             live_o,
  output logic [Warps-1:0]             ctrl_o,
  output logic [Warps-1:0]             settle_o,

  // Entries that this cycle's resolve pushes, the lower one first: {rpc, pc}, mask
  output logic [1:0]                   push_o,
  output logic [$clog2(StackDepth+1)-1:0] push_depth_o,  // entries before
  output logic [WarpSize-1:0]          push0_mask_o,
  output logic [2*tandem_pkg::PcW-1:0] push0_pcs_o,
  output logic [WarpSize-1:0]          push1_mask_o,
  output logic [2*tandem_pkg::PcW-1:0] push1_pcs_o,

  // The pop that begins, with the number of its entry; from the memory, the entry of the pop that ends (flush)
  output logic                         pop_valid_o,
  output logic [tandem_pkg::WarpW-1:0] pop_warp_o,
  output logic [$clog2(StackDepth+1)-1:0] pop_at_o,
  input  logic [WarpSize-1:0]          pop_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0] pop_pcs_i,
  output logic                         flush_valid_o,
  output logic [tandem_pkg::WarpW-1:0] flush_warp_o,

  output logic                         done_valid_o,
  output logic [tandem_pkg::WarpW-1:0] done_warp_o,
  output logic                         trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0] trap_warp_o,

  // This cycle's resolve: the branch's or exit's PC; some lane takes it, some lane does not; where the
  // branch reconverges
  output logic [tandem_pkg::PcW-1:0]   res_at_o,
  output logic [1:0]                   res_dirs_o,
  output logic [tandem_pkg::PcW-1:0]   res_rpc_o
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
  logic                met_q [Warps];

  // The branch or exit that waits for its resolve.
  logic [Warps-1:0]    is_exit;
  logic [PcW-1:0]      target_q [Warps];
  logic [PcW-1:0]      rpc_q [Warps];

  // Warps of the two sides of issue: even ones, odd ones.
  logic [WarpW-1:0] even, odd, br_even, br_odd;
  assign even    = {iss0_warp_i[WarpW-1:1], 1'b0};
  assign odd     = {iss1_warp_i[WarpW-1:1], 1'b1};
  assign br_even = {br0_warp_i[WarpW-1:1], 1'b0};
  assign br_odd  = {br1_warp_i[WarpW-1:1], 1'b1};

  // Reads.
  assign fetch_pc_o = tos_pc_q[fetch_warp_i];
  assign rd0_pc_o   = tos_pc_q[even];
  assign rd0_mask_o = tos_rest_q[even][RestW-1:PcW];
  assign rd1_pc_o   = tos_pc_q[odd];
  assign rd1_mask_o = tos_rest_q[odd][RestW-1:PcW];
  assign depth0_o   = Outcomes ? {met_q[depth0_warp_i], 5'(depth_q[depth0_warp_i])} : '0;
  assign depth1_o   = Outcomes ? {met_q[depth1_warp_i], 5'(depth_q[depth1_warp_i])} : '0;

  // Issues that reach the end of the top.
  logic [PcW-1:0] fall0, fall1;
  logic           end0, end1;
  always_comb begin
    fall0 = rd0_pc_o + PcW'(1);
    fall1 = rd1_pc_o + PcW'(1);
    end0  = 1'b0;
    end1  = 1'b0;
    if (iss0_valid_i) end0 = fall0 == tos_rest_q[even][PcW-1:0];
    if (iss1_valid_i) end1 = fall1 == tos_rest_q[odd][PcW-1:0];
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
    r_met    = Outcomes ? met_q[resolve_warp_i] : 1'b0;
  end
  simt_resolve #(
    .WarpSize(WarpSize),
    .StackDepth(StackDepth),
    .Outcomes(Outcomes)
  ) u_resolve (
    .valid_i(resolve_valid_i), .taken_i(resolve_taken_i), .pc_i(r_pc), .rpc_i(r_rpc),
    .mask_i(r_mask), .live_i(r_live), .depth_i(r_depth), .met_i(r_met), .exit_i(r_exit),
    .target_i(r_target), .join_i(r_join), .pc_o(res_pc), .rpc_o(res_rpc), .mask_o(res_mask),
    .live_o(res_live), .depth_o(res_depth), .met_o(res_met), .settle_o(res_settle),
    .done_o(res_done), .trap_o(res_trap), .push_o(res_push), .entry0_o(res_entry0),
    .entry1_o(res_entry1), .met0_o(res_met0), .dirs_o(res_dirs_o), .branch_rpc_o(res_rpc_o)
  );
  assign res_at_o     = (Outcomes && resolve_valid_i) ? r_pc - PcW'(1) : '0;
  assign done_valid_o = res_done;
  assign done_warp_o  = resolve_warp_i;
  assign trap_valid_o = res_trap;
  assign trap_warp_o  = resolve_warp_i;
  assign push_o       = res_push;
  assign push_depth_o = r_depth;
  assign {push0_mask_o, push0_pcs_o} = res_entry0;
  assign {push1_mask_o, push1_pcs_o} = res_entry1;

  // The pop that begins.
  logic             begins;
  logic [Warps-1:0] popping  /*verilator public_flat_rd*/;
  logic [Warps-1:0] waits, begun;
  logic [WarpW-1:0] begin_warp;
  always_comb begin
    waits      = settle_o & ~defer_i & ~`FAULT(171, popping, '0);
    begins     = waits != '0;
    begun      = waits & (~waits + Warps'(1));
    begin_warp = tandem_pkg::encode(64'(begun));
  end
  assign pop_valid_o = begins;
  assign pop_warp_o  = begin_warp;
  assign pop_at_o    = depth_q[begin_warp];

  // The entries below the top.
  logic              ends, entry_met;
  logic [WarpW-1:0]  end_warp;
  logic [EntryW-1:0] entry;  // of the pop that ends
  if (Stages == 0) begin : g_here
    simt_entries #(
      .Warps(Warps),
      .EntryW(EntryW),
      .StackDepth(StackDepth),
      .Met(Outcomes)
    ) u_entries (
      .clk_i, .push_i(res_push), .push_warp_i(resolve_warp_i), .push_depth_i(r_depth),
      .push0_entry_i(res_entry0), .push0_met_i(res_met0), .push1_entry_i(res_entry1),
      .push1_met_i(res_met), .rd_warp_i(begin_warp), .rd_entry_i(pop_at_o), .rd_entry_o(entry),
      .rd_met_o(entry_met)
    );
    assign ends     = begins;
    assign end_warp = begin_warp;
    assign popping  = '0;
    logic unused_memory;
    assign unused_memory = 1'b0 & ^{bypass_i, pop_mask_i, pop_pcs_i};
  end else begin : g_beside
    simt_pops #(
      .Warps(Warps),
      .Stages(Stages)
    ) u_pops (
      .clk_i, .rst_ni, .kernel_start_i, .bypass_i, .begins_i(begins), .begin_warp_i(begin_warp),
      .begun_i(begun), .ends_o(ends), .end_warp_o(end_warp), .popping_o(popping)
    );
    assign entry     = {pop_mask_i, pop_pcs_i};
    assign entry_met = 1'b0;
    logic unused_met;
    assign unused_met = 1'b0 & res_met0;
  end
  assign flush_valid_o = ends;
  assign flush_warp_o  = end_warp;

  // The new top of the pop that ends.
  logic [Warps-1:0]    ended;
  logic [PcW-1:0]      end_pc, end_rpc;
  logic [WarpSize-1:0] end_mask;
  logic [DepthW-1:0]   end_depth;
  logic                again, end_met;
  always_comb begin
    ended = '0;
    if (ends) ended = Warps'(1) << end_warp;
    {end_mask, end_rpc, end_pc} = entry;
    end_mask  = end_mask & live_mask_q[end_warp];
    end_depth = depth_q[end_warp] - DepthW'(1);
    again     = end_mask == '0 || end_pc == end_rpc;
    end_met   = entry_met;
    if (Outcomes && end_rpc == tos_rest_q[end_warp][PcW-1:0])
      end_met = end_met | met_q[end_warp] | tos_rest_q[end_warp][RestW-1:PcW] != '0;
  end

  simt_flags #(
    .Warps(Warps)
  ) u_flags (
    .clk_i, .rst_ni, .kernel_start_i, .launch_valid_i, .launch_warp_i, .iss0_valid_i, .iss0_warp_i(even),
    .iss0_ctl_i, .iss0_end_i(end0), .iss1_valid_i, .iss1_warp_i(odd), .iss1_ctl_i, .iss1_end_i(end1),
    .resolve_valid_i, .resolve_warp_i, .resolve_trap_i(res_trap), .resolve_settle_i(res_settle),
    .resolve_done_i(res_done), .popped_i(ended), .pop_again_i(again), .live_o, .ctrl_o,
    .settle_o, .exit_o(is_exit)
  );

  // Tops.  No reset: of a warp that is not live, nothing here is read.
  always_ff @(posedge clk_i) begin
    if (iss0_valid_i) tos_pc_q[even] <= fall0;
    if (iss1_valid_i) tos_pc_q[odd] <= fall1;
    if (br0_valid_i) begin
      target_q[br_even] <= br0_target_i;
      rpc_q[br_even]    <= br0_rpc_i;
    end
    if (br1_valid_i) begin
      target_q[br_odd] <= br1_target_i;
      rpc_q[br_odd]    <= br1_rpc_i;
    end
    if (launch_valid_i || resolve_valid_i || ends) begin
      if (launch_valid_i) begin
        tos_pc_q[launch_warp_i]    <= launch_pc_i;
        tos_rest_q[launch_warp_i]  <= {launch_mask_i, tandem_pkg::NoRpc};
        live_mask_q[launch_warp_i] <= launch_mask_i;
        depth_q[launch_warp_i]     <= '0;
        if (Outcomes) met_q[launch_warp_i] <= 1'b0;
      end
      if (resolve_valid_i && !res_trap) begin
        tos_pc_q[resolve_warp_i]    <= res_pc;
        tos_rest_q[resolve_warp_i]  <= {res_mask, res_rpc};
        live_mask_q[resolve_warp_i] <= res_live;
        depth_q[resolve_warp_i]     <= res_depth;
        if (Outcomes) met_q[resolve_warp_i] <= res_met;
      end
      if (ends) begin
        tos_pc_q[end_warp]   <= end_pc;
        tos_rest_q[end_warp] <= {end_mask, end_rpc};
        depth_q[end_warp]    <= end_depth;
        if (Outcomes) met_q[end_warp] <= end_met;
      end
    end
  end

`ifndef SYNTHESIS
  // Branches whose target has not come.
  logic [Warps-1:0] due_q, due, come;
  logic             bypass_q, seen_q;
  always_comb begin
    due = due_q;
    if (iss0_valid_i && iss0_ctl_i == tandem_pkg::CtlBra) due = due | Warps'(1) << even;
    if (iss1_valid_i && iss1_ctl_i == tandem_pkg::CtlBra) due = due | Warps'(1) << odd;
    come = '0;
    if (br0_valid_i) come = Warps'(1) << br0_warp_i;
    if (br1_valid_i) come = come | Warps'(1) << br1_warp_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {due_q, bypass_q, seen_q} <= '0;
    end else begin
      due_q    <= kernel_start_i ? '0 : due & ~come;
      bypass_q <= bypass_i;
      seen_q   <= 1'b1;
      if (!kernel_start_i) begin
        launch_has_lanes:   assert (!launch_valid_i || launch_mask_i != '0);
        even_issues:        assert (!iss0_valid_i || !iss0_warp_i[0]);
        odd_issues:         assert (!iss1_valid_i || iss1_warp_i[0]);
        target_of_branch:   assert ((come & ~due) == '0);
        target_has_come:    assert (!resolve_valid_i || !due_q[resolve_warp_i]);
        pop_has_entry:      assert (!ends || depth_q[end_warp] != '0);
        pop_waits:          assert ((ended & ~settle_o) == '0 && (popping & ~settle_o) == '0);
        bypass_is_constant: assert (!seen_q || bypass_i == bypass_q || live_o == '0);
      end
    end
  end
`endif
endmodule
