// Near half of the SIMT stack: top and flags of each warp.  Entries below the top are in far rows, Dummy cycles
// away (docs/hardware/flex_frontend.md).
//
// It acts as simt_stack does, but that a pop has a beginning and an end.  A pop begins with the lowest warp that has
// settle and is not yet in popping_q: far is asked for the entry whose number is the warp's depth.  It ends
// Dummy cycles later with that entry at pop_mask_i and pop_pcs_i (flush).  While bypass, both are one cycle.
// Resolves change the top at once, and the entries that they push leave as requests.  Target and
// reconvergence PC of a branch come with its word (br0, br1), Dummy cycles after its issue.
// kernel_start wins over everything.
//
// Illegal: as simt_stack; a resolve of a branch whose target has not come; a change of bypass while
// a warp lives.

module near_stack #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned OwnRows = 24,
  parameter int unsigned Lanes = 64,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,  // a power of two
  parameter int unsigned Dummy = 1  // stages between near and far: 1 or 2
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,
  input  logic                         bypass_i,

  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   launch_pc_i,
  input  logic [Lanes-1:0]             launch_mask_i,

  // Back end: lanes that take the branch or exit
  input  logic                         resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] resolve_warp_i,
  input  logic [Lanes-1:0]             resolve_taken_i,

  // Issue; the warps are also the read addresses of rd0 and rd1
  input  logic                         iss0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss0_warp_i,
  input  logic [1:0]                   iss0_ctl_i,
  input  logic                         iss1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] iss1_warp_i,
  input  logic [1:0]                   iss1_ctl_i,

  // Branches whose word is read
  input  logic                         br0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] br0_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   br0_target_i,
  input  logic [tandem_pkg::PcW-1:0]   br0_rpc_i,
  input  logic                         br1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] br1_warp_i,
  input  logic [tandem_pkg::PcW-1:0]   br1_target_i,
  input  logic [tandem_pkg::PcW-1:0]   br1_rpc_i,

  // Fetch
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [tandem_pkg::PcW-1:0]   fetch_pc_o,

  output logic [tandem_pkg::PcW-1:0]   rd0_pc_o,
  output logic [Lanes-1:0]             rd0_mask_o,
  output logic [tandem_pkg::PcW-1:0]   rd1_pc_o,
  output logic [Lanes-1:0]             rd1_mask_o,

  output logic [Warps-1:0]             live_o,
  output logic [Warps-1:0]             ctrl_o,
  output logic [Warps-1:0]             settle_o,

  // Requests to far rows: pushes (lower and upper entry), the pop that begins
  output logic [1:0]                   own_push_o,
  output logic [1:0]                   far_push_o,
  output logic [4:0]                   push_row_o,
  output logic [$clog2(StackDepth+1)-1:0] push_depth_o,
  output logic [Lanes-1:0]             push0_mask_o,
  output logic [2*tandem_pkg::PcW-1:0] push0_pcs_o,  // {rpc, pc}
  output logic [Lanes-1:0]             push1_mask_o,
  output logic [2*tandem_pkg::PcW-1:0] push1_pcs_o,
  output logic                         own_pop_o,
  output logic                         far_pop_o,
  output logic [4:0]                   pop_row_o,
  output logic [$clog2(StackDepth+1)-1:0] pop_at_o,

  // The pop that ends, and its entry
  input  logic [Lanes-1:0]             pop_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0] pop_pcs_i,
  output logic                         flush_valid_o,
  output logic [tandem_pkg::WarpW-1:0] flush_warp_o,
  output logic                         flush_far_o,

  output logic                         done_valid_o,
  output logic [tandem_pkg::WarpW-1:0] done_warp_o,
  output logic                         trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0] trap_warp_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned DepthW = $clog2(StackDepth + 1);
  localparam int unsigned EntryW = Lanes + 2 * PcW;
  localparam bit Borrows = Warps > OwnRows;

  logic [PcW-1:0]    tos_pc_q [Warps]  /*verilator public_flat_rd*/;
  logic [PcW-1:0]    tos_rpc_q [Warps]  /*verilator public_flat_rd*/;
  logic [Lanes-1:0]  tos_mask_q [Warps]  /*verilator public_flat_rd*/;
  logic [Lanes-1:0]  live_mask_q [Warps]  /*verilator public_flat_rd*/;
  logic [DepthW-1:0] depth_q [Warps]  /*verilator public_flat_rd*/;
  logic [Warps-1:0]  popping_q  /*verilator public_flat_rd*/;

  // The branch or exit that waits for its resolve.
  logic [Warps-1:0]  is_exit;
  logic [PcW-1:0]    target_q [Warps];
  logic [PcW-1:0]    rpc_q [Warps];

  // Warps that issue: even ones, odd ones.
  logic [WarpW-1:0] even, odd;
  assign even = {iss0_warp_i[WarpW-1:1], 1'b0};
  assign odd  = {iss1_warp_i[WarpW-1:1], 1'b1};

  // Reads.
  assign fetch_pc_o = tos_pc_q[fetch_warp_i];
  assign rd0_pc_o   = tos_pc_q[even];
  assign rd0_mask_o = tos_mask_q[even];
  assign rd1_pc_o   = tos_pc_q[odd];
  assign rd1_mask_o = tos_mask_q[odd];

  // Issues that reach the end of the top.
  logic [PcW-1:0] fall0, fall1;
  logic           end0, end1;
  always_comb begin
    fall0 = rd0_pc_o + PcW'(1);
    fall1 = rd1_pc_o + PcW'(1);
    end0  = iss0_valid_i && fall0 == tos_rpc_q[even];
    end1  = iss1_valid_i && fall1 == tos_rpc_q[odd];
  end

  // Resolve.
  logic [PcW-1:0]    res_pc, res_rpc, r_pc, r_rpc, r_target, r_join;
  logic [Lanes-1:0]  res_mask, res_live, r_mask, r_live;
  logic [DepthW-1:0] res_depth, r_depth;
  logic              res_settle, res_done, res_trap, r_exit, unused_met, unused_met0;
  logic [1:0]        res_push, unused_dirs;
  logic [EntryW-1:0] res_entry0, res_entry1;
  logic [PcW-1:0]    unused_rpc;
  always_comb begin
    r_pc     = tos_pc_q[resolve_warp_i];
    r_rpc    = tos_rpc_q[resolve_warp_i];
    r_mask   = tos_mask_q[resolve_warp_i];
    r_live   = live_mask_q[resolve_warp_i];
    r_depth  = depth_q[resolve_warp_i];
    r_target = target_q[resolve_warp_i];
    r_join   = rpc_q[resolve_warp_i];
    r_exit   = is_exit[resolve_warp_i];
  end
  simt_resolve #(
    .WarpSize(Lanes),
    .StackDepth(StackDepth),
    .Buddy(1'b0)
  ) u_resolve (
    .valid_i(resolve_valid_i), .taken_i(resolve_taken_i), .pc_i(r_pc), .rpc_i(r_rpc),
    .mask_i(r_mask), .live_i(r_live), .depth_i(r_depth), .met_i(1'b0), .exit_i(r_exit),
    .target_i(r_target), .join_i(r_join), .pc_o(res_pc), .rpc_o(res_rpc), .mask_o(res_mask),
    .live_o(res_live), .depth_o(res_depth), .met_o(unused_met), .settle_o(res_settle),
    .done_o(res_done), .trap_o(res_trap), .push_o(res_push), .entry0_o(res_entry0),
    .entry1_o(res_entry1), .met0_o(unused_met0), .dirs_o(unused_dirs), .branch_rpc_o(unused_rpc)
  );
  assign done_valid_o = res_done;
  assign done_warp_o  = resolve_warp_i;
  assign trap_valid_o = res_trap;
  assign trap_warp_o  = resolve_warp_i;

  near_row #(.Borrows(Borrows), .OwnRows(OwnRows), .Requests(2)) u_push_row (
    .valid_i(res_push), .warp_i(resolve_warp_i), .own_o(own_push_o), .far_o(far_push_o), .row_o(push_row_o)
  );
  assign push_depth_o                = r_depth;
  assign {push0_mask_o, push0_pcs_o} = res_entry0;
  assign {push1_mask_o, push1_pcs_o} = res_entry1;

  // The pop that begins.
  logic             begins;
  logic [Warps-1:0] waits, begun;
  logic [WarpW-1:0] begin_warp;
  always_comb begin
    waits      = settle_o & ~`FAULT(171, popping_q, '0);
    begins     = waits != '0;
    begun      = waits & (~waits + Warps'(1));
    begin_warp = tandem_pkg::encode(64'(begun));
  end
  near_row #(.Borrows(Borrows), .OwnRows(OwnRows)) u_pop_row (
    .valid_i(begins), .warp_i(begin_warp), .own_o(own_pop_o), .far_o(far_pop_o), .row_o(pop_row_o)
  );
  assign pop_at_o = depth_q[begin_warp];

  // Pops whose entry is under way: place i began i + 1 cycles ago.
  logic [Dummy-1:0] stage_q, stage;
  logic [WarpW-1:0] stage_warp_q [Dummy];
  if (Dummy > 1) begin : g_stages
    assign stage = {stage_q[Dummy-2:0], begins & ~bypass_i};
  end else begin : g_stage
    assign stage = begins & ~bypass_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             stage_q <= '0;
    else if (kernel_start_i) stage_q <= '0;
    else                     stage_q <= stage;
  end
  for (genvar i = 0; i < Dummy; i++) begin : g_stage_warp
    always_ff @(posedge clk_i)
      if (stage[i]) stage_warp_q[i] <= (i == 0) ? begin_warp : stage_warp_q[(i == 0) ? 0 : i-1];
  end

  // The pop that ends, and its new top.
  logic              ends, again;
  logic [Warps-1:0]  ended;
  logic [WarpW-1:0]  end_warp;
  logic [Lanes-1:0]  end_mask;
  logic [PcW-1:0]    end_rpc, end_pc;
  logic [DepthW-1:0] end_depth;
  // Not in one process with the entry, which is read for this warp.
  assign ends     = bypass_i ? begins : stage_q[Dummy-1];
  assign end_warp = bypass_i ? begin_warp : stage_warp_q[Dummy-1];
  always_comb begin
    ended             = '0;
    if (ends) ended   = Warps'(1) << end_warp;
    end_mask          = pop_mask_i & live_mask_q[end_warp];
    {end_rpc, end_pc} = pop_pcs_i;
    end_depth         = depth_q[end_warp] - DepthW'(1);
    again             = ends && (end_mask == '0 || end_pc == end_rpc);
  end
  assign flush_valid_o = ends;
  assign flush_warp_o  = end_warp;
  assign flush_far_o   = Borrows && end_warp >= WarpW'(OwnRows);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             popping_q <= '0;
    else if (kernel_start_i) popping_q <= '0;
    else if (begins || ends) popping_q <= (popping_q | begun) & ~ended;
  end

  simt_flags #(
    .Warps(Warps)
  ) u_flags (
    .clk_i, .rst_ni, .kernel_start_i, .launch_valid_i, .launch_warp_i, .iss0_valid_i, .iss0_warp_i(even),
    .iss0_ctl_i, .iss0_end_i(end0), .iss1_valid_i, .iss1_warp_i(odd), .iss1_ctl_i, .iss1_end_i(end1),
    .resolve_valid_i, .resolve_warp_i, .resolve_trap_i(res_trap), .resolve_settle_i(res_settle),
    .resolve_done_i(res_done), .popped_i(ended), .pop_again_i(again), .live_o, .ctrl_o, .settle_o,
    .exit_o(is_exit)
  );

  // Tops.  No reset: of a warp that is not live, nothing here is read.
  always_ff @(posedge clk_i) begin
    if (iss0_valid_i) tos_pc_q[even] <= fall0;
    if (iss1_valid_i) tos_pc_q[odd] <= fall1;
    if (launch_valid_i) begin
      tos_pc_q[launch_warp_i]    <= launch_pc_i;
      tos_rpc_q[launch_warp_i]   <= tandem_pkg::NoRpc;
      tos_mask_q[launch_warp_i]  <= launch_mask_i;
      live_mask_q[launch_warp_i] <= launch_mask_i;
      depth_q[launch_warp_i]     <= '0;
    end
    if (resolve_valid_i && !res_trap) begin
      tos_pc_q[resolve_warp_i]    <= res_pc;
      tos_rpc_q[resolve_warp_i]   <= res_rpc;
      tos_mask_q[resolve_warp_i]  <= res_mask;
      live_mask_q[resolve_warp_i] <= res_live;
      depth_q[resolve_warp_i]     <= res_depth;
    end
    if (ends) begin
      tos_pc_q[end_warp]   <= end_pc;
      tos_rpc_q[end_warp]  <= end_rpc;
      tos_mask_q[end_warp] <= end_mask;
      depth_q[end_warp]    <= end_depth;
    end
  end
  always_ff @(posedge clk_i) begin
    if (br0_valid_i) begin
      target_q[br0_warp_i] <= br0_target_i;
      rpc_q[br0_warp_i]    <= br0_rpc_i;
    end
    if (br1_valid_i) begin
      target_q[br1_warp_i] <= br1_target_i;
      rpc_q[br1_warp_i]    <= br1_rpc_i;
    end
  end

`ifndef SYNTHESIS
  // Branches whose target is under way; pops in a stage; whether there was Base.
  logic [Warps-1:0] due_q, due, come, staged;
  logic             bypass_q, seen_q;
  always_comb begin
    due = due_q;
    if (iss0_valid_i && iss0_ctl_i == tandem_pkg::CtlBra) due = due | Warps'(1) << iss0_warp_i;
    if (iss1_valid_i && iss1_ctl_i == tandem_pkg::CtlBra) due = due | Warps'(1) << iss1_warp_i;
    come = '0;
    if (br0_valid_i) come = Warps'(1) << br0_warp_i;
    if (br1_valid_i) come = come | Warps'(1) << br1_warp_i;
    staged = '0;
    for (int i = 0; i < Dummy; i++) if (stage_q[i]) staged = staged | Warps'(1) << stage_warp_q[i];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {due_q, bypass_q, seen_q} <= '0;
    end else begin
      due_q    <= kernel_start_i ? '0 : due & ~come;
      bypass_q <= bypass_i;
      seen_q   <= 1'b1;
      if (!kernel_start_i) begin
        assert (!launch_valid_i || launch_mask_i != '0);
        assert (!ends || depth_q[end_warp] != '0);
        // Only warps that wait for a pop are popped, each once.
        assert (!ends || (settle_o & ended) != '0);
        assert ((popping_q & ~settle_o) == '0);
        assert (popping_q == staged);
        // base: no stage is in use.
        assert (!bypass_i || (popping_q == '0 && stage_q == '0));
        // delay: target and reconvergence PC come for branches alone, before the resolve.
        assert ((come & ~due) == '0);
        assert (!resolve_valid_i || ((due_q >> resolve_warp_i) & Warps'(1)) == '0);
        assert (!seen_q || bypass_i == bypass_q || live_o == '0);
        assert (!iss0_valid_i || !iss0_warp_i[0]);
        assert (!iss1_valid_i || iss1_warp_i[0]);
      end
    end
  end
`endif
endmodule
