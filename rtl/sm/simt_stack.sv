// SIMT stack: next PC and active lanes of each warp, through divergence and reconvergence.
//
// The top of each stack is held in registers (tos_*), what lies below in a memory of two banks, by
// the parity of the entry's index, as a divergent branch may push two entries in a cycle.  An entry
// is (mask, reconvergence PC, PC); the warp is popped when its PC is the reconvergence PC of the
// top, or no lane is left in it.
//
// Branches and exits only stop the warp at issue (ctrl); what they do to the stack happens when the
// back end resolves them.  A pop takes a cycle of its own (settle), one warp a cycle, lowest first.
// In a cycle a warp sees at most one of launch, issue, resolve and pop; different warps may see
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
`ifdef TANDEM_BUGS
  input  logic [7:0]                   bug_i,
`endif
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

  // Warps that are not popped for now
  input  logic [Warps-1:0]             defer_i,

  // Fetch
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [tandem_pkg::PcW-1:0]   fetch_pc_o,

  output logic [tandem_pkg::PcW-1:0]   rd0_pc_o,
  output logic [WarpSize-1:0]          rd0_mask_o,
  output logic [tandem_pkg::PcW-1:0]   rd1_pc_o,
  output logic [WarpSize-1:0]          rd1_mask_o,
  output logic [tandem_pkg::DepthW-1:0] rd0_depth_o,  // met of the top, depth
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

  // Of this cycle's resolve: whether some lane takes it, some does not; where the branch reconverges;
  // by how much the stack grows
  output logic [1:0]                   res_dirs_o,
  output logic [tandem_pkg::PcW-1:0]   res_rpc_o,
  output logic [1:0]                   res_push_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned DepthW = $clog2(StackDepth + 1);
  localparam int unsigned RowW = $clog2(StackDepth) - 1;  // index within a bank
  localparam int unsigned RestW = PcW + WarpSize;         // {mask, rpc}, what an issue leaves alone
  localparam int unsigned EntryW = PcW + RestW;           // {mask, rpc, pc}
  localparam int unsigned BankRows = Warps * StackDepth / 2;

  logic [Warps-1:0]    live_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0]    ctrl_q  /*verilator public_flat_rd*/;
  logic [Warps-1:0]    settle_q  /*verilator public_flat_rd*/;
  logic [PcW-1:0]      tos_pc_q [Warps]  /*verilator public_flat_rd*/;
  logic [RestW-1:0]    tos_rest_q [Warps]  /*verilator public_flat_rd*/;
  logic [WarpSize-1:0] live_mask_q [Warps]  /*verilator public_flat_rd*/;
  logic [DepthW-1:0]   depth_q [Warps]  /*verilator public_flat_rd*/;
  logic [EntryW-1:0]   bank0_q [BankRows];
  logic [EntryW-1:0]   bank1_q [BankRows];

  // Of each entry, whether lanes wait already where it reconverges (for the roll call).
  logic                met_q [Warps];
  logic                met0_q [BankRows];
  logic                met1_q [BankRows];

  // What waits for its resolve.
  logic [Warps-1:0]    is_exit_q;
  logic [PcW-1:0]      target_q [Warps];
  logic [PcW-1:0]      rpc_q [Warps];

  // Reads.
  assign fetch_pc_o = tos_pc_q[fetch_warp_i];
  assign rd0_pc_o   = tos_pc_q[iss0_warp_i];
  assign rd0_mask_o = tos_rest_q[iss0_warp_i][RestW-1:PcW];
  assign rd1_pc_o   = tos_pc_q[iss1_warp_i];
  assign rd1_mask_o = tos_rest_q[iss1_warp_i][RestW-1:PcW];
  assign rd0_depth_o = Buddy ? {met_q[iss0_warp_i], 5'(depth_q[iss0_warp_i])} : '0;
  assign rd1_depth_o = Buddy ? {met_q[iss1_warp_i], 5'(depth_q[iss1_warp_i])} : '0;

  // Resolve.
  logic [PcW-1:0]      res_pc, res_rpc;
  logic [WarpSize-1:0] res_mask, res_live;
  logic [DepthW-1:0]   r_depth;
  logic [DepthW:0]     new_depth;
  logic                res_settle, res_done, res_trap, res_push0, res_push1;
  logic [EntryW-1:0]   res_entry0, res_entry1;
  logic                r_met, res_met, res_met0;  // met of the new top, of entry 0; that of entry 1 is the top's
  logic                bank0_we, bank1_we;
  logic [RowW-1:0]     bank0_row, bank1_row;
  always_comb begin
    logic [PcW-1:0]      r_fall, r_rpc, r_target, r_join;
    logic [WarpSize-1:0] r_mask, r_live, r_taken, r_other;
    logic                r_same, r_both, r_split;
    r_fall     = '0;
    r_rpc      = '0;
    r_target   = '0;
    r_join     = '0;
    r_mask     = '0;
    r_live     = '0;
    r_taken    = '0;
    r_other    = '0;
    r_same     = 1'b0;
    r_both     = 1'b0;
    r_split    = 1'b0;
    r_depth    = '0;
    new_depth  = '0;
    res_pc     = '0;
    res_rpc    = '0;
    res_mask   = '0;
    res_live   = '0;
    res_settle = 1'b0;
    res_done   = 1'b0;
    res_trap   = 1'b0;
    res_push0  = 1'b0;
    res_push1  = 1'b0;
    res_entry0 = '0;
    res_entry1 = '0;
    bank0_we   = 1'b0;
    bank1_we   = 1'b0;
    bank0_row  = '0;
    bank1_row  = '0;
    res_dirs_o = '0;
    res_rpc_o  = '0;
    res_push_o = '0;
    r_met      = 1'b0;
    res_met    = 1'b0;
    res_met0   = 1'b0;
    if (resolve_valid_i) begin
      r_fall   = tos_pc_q[resolve_warp_i];
      {r_mask, r_rpc} = tos_rest_q[resolve_warp_i];
      r_live   = live_mask_q[resolve_warp_i];
      r_depth  = depth_q[resolve_warp_i];
      r_target = target_q[resolve_warp_i];
      r_join   = rpc_q[resolve_warp_i];
      r_taken  = resolve_taken_i & r_mask;
`ifdef TANDEM_BUGS
      if (bug_i == 8'd19 && is_exit_q[resolve_warp_i]) r_taken = r_mask;
      if (bug_i == 8'd18 && !is_exit_q[resolve_warp_i] && r_target < r_fall)
        r_taken = r_mask & ~resolve_taken_i;
`endif
      r_other = r_mask & ~r_taken;

      // Default: nothing moves.
      res_pc    = r_fall;
      res_rpc   = r_rpc;
      res_mask  = r_mask;
      res_live  = r_live;
      new_depth = {1'b0, r_depth};
      if (is_exit_q[resolve_warp_i]) begin
        res_live = r_live & ~r_taken;
        res_mask   = r_other;
        res_done = res_live == '0;
      end else if (r_taken != '0 && r_target != r_fall) begin
        r_split = r_other != '0;
        if (!r_split) res_pc = r_target;
      end

      if (r_split) begin
        r_same     = r_join == r_rpc;
        r_both     = r_target != r_join && r_fall != r_join;
        res_push0  = !r_same || r_both;
        res_push1  = !r_same && r_both;
        res_entry1 = {r_other, r_join, r_fall};
        res_entry0 = r_same ? res_entry1 : {r_mask, r_rpc, r_join};
        new_depth  = {1'b0, r_depth} + (DepthW+1)'(res_push0) + (DepthW+1)'(res_push1);
        res_rpc    = r_join;
        res_pc     = (r_target == r_join) ? r_fall : r_target;
        res_mask   = (r_target == r_join) ? r_other : r_taken;
        res_trap   = new_depth > (DepthW+1)'(StackDepth);
`ifdef TANDEM_BUGS
        if (bug_i == 8'd15 && r_both) res_rpc = r_rpc;
        if (bug_i == 8'd20) res_trap = 1'b0;
`endif
        // Entry i of a warp is row i / 2 of bank i % 2; the first push goes to entry depth.
        bank0_we  = !res_trap && (r_depth[0] ? res_push1 : res_push0);
        bank1_we  = !res_trap && (r_depth[0] ? res_push0 : res_push1);
        bank0_row = r_depth[RowW:1] + RowW'(r_depth[0]);
        bank1_row = r_depth[RowW:1];
      end else begin
        res_settle = !res_done && (res_mask == '0 || res_pc == r_rpc);
      end
      if (Buddy) begin
        res_dirs_o  = {r_other != '0, r_taken != '0};
        res_rpc_o   = is_exit_q[resolve_warp_i] ? tandem_pkg::NoRpc : r_join;
        if (!res_trap) res_push_o = 2'(res_push0) + 2'(res_push1);
`ifdef TANDEM_BUGS
        if (bug_i == 8'd109) res_dirs_o[0] = resolve_taken_i != '0;
`endif
        // A path of no instructions is at its end at once.
        r_met    = met_q[resolve_warp_i];
        res_met  = r_split ? !r_both || (r_same && r_met) : r_met;
        res_met0 = r_same ? res_met : r_met;
      end
    end
  end

  logic res_moves;
  assign res_moves    = resolve_valid_i && !res_trap;
  assign done_valid_o = res_done;
  assign done_warp_o  = resolve_warp_i;
  assign trap_valid_o = res_trap;
  assign trap_warp_o  = resolve_warp_i;

  // Settle: one pop.
  logic                popping;
  logic [Warps-1:0]    popped;
  logic [WarpW-1:0]    pop_warp;
  logic [DepthW-1:0]   pop_depth;
  logic [PcW-1:0]      pop_pc, pop_rpc;
  logic [WarpSize-1:0] pop_mask;
  logic                pop_again, pop_met;
  always_comb begin
    logic [RowW-1:0]   pop_row;
    logic [EntryW-1:0] pop_entry;
    popping   = 1'b0;
    popped    = '0;
    pop_warp  = '0;
    pop_depth = '0;
    pop_row   = '0;
    pop_entry = '0;
    pop_again = 1'b0;
    pop_met   = 1'b0;
    pop_mask  = '0;
    pop_pc    = '0;
    pop_rpc   = '0;
    if ((settle_q & ~defer_i) != '0) begin
      popping = 1'b1;
      popped  = settle_q & ~defer_i & (~(settle_q & ~defer_i) + Warps'(1));
`ifdef TANDEM_BUGS
      // A warp that is to wait is popped with others.
      if (bug_i == 8'd106) popped = settle_q & (~settle_q + Warps'(1));
      // The upper half of the warps first.
      if (bug_i == 8'd21 && (settle_q >> (Warps / 2)) != '0)
        popped = (settle_q >> (Warps / 2) << (Warps / 2)) &
                 (~(settle_q >> (Warps / 2) << (Warps / 2)) + Warps'(1));
`endif
      pop_warp  = tandem_pkg::encode(64'(popped));
      pop_depth = depth_q[pop_warp] - DepthW'(1);
      pop_row   = pop_depth[RowW:1];
      pop_entry = pop_depth[0] ? bank1_q[{pop_warp, pop_row}] : bank0_q[{pop_warp, pop_row}];
      {pop_mask, pop_rpc, pop_pc} = pop_entry;
      pop_mask = pop_mask & live_mask_q[pop_warp];
`ifdef TANDEM_BUGS
      if (bug_i == 8'd17) pop_mask = pop_entry[EntryW-1-:WarpSize];
`endif
      pop_again = pop_mask == '0 || pop_pc == pop_rpc;
      if (Buddy) begin
        pop_met = pop_depth[0] ? met1_q[{pop_warp, pop_row}] : met0_q[{pop_warp, pop_row}];
        if (pop_rpc == tos_rest_q[pop_warp][PcW-1:0])
          pop_met = pop_met | met_q[pop_warp] | tos_rest_q[pop_warp][RestW-1:PcW] != '0;
      end
    end
  end
  assign flush_valid_o = popping;
  assign flush_warp_o  = pop_warp;

  // Flags.  At issue, branch and exit stop the warp; others may reach the end of the top.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [Warps-1:0] warp, live, ctrl, settle, is_exit;
    logic             end0, end1, stop0, stop1;
    warp    = '0;
    live    = '0;
    ctrl    = '0;
    settle  = '0;
    is_exit = '0;
    end0    = 1'b0;
    end1    = 1'b0;
    stop0   = 1'b0;
    stop1   = 1'b0;
    if (rst_ni) begin
      if (iss0_valid_i) begin
        end0  = rd0_pc_o + PcW'(1) == tos_rest_q[iss0_warp_i][PcW-1:0];
        stop0 = end0 || iss0_ctl_i != tandem_pkg::CtlNone;
      end
      if (iss1_valid_i) begin
        end1  = rd1_pc_o + PcW'(1) == tos_rest_q[iss1_warp_i][PcW-1:0];
`ifdef TANDEM_BUGS
        if (bug_i == 8'd16) end1 = rd1_pc_o == tos_rest_q[iss1_warp_i][PcW-1:0];
`endif
        stop1 = end1 || iss1_ctl_i != tandem_pkg::CtlNone;
      end
      if (stop0 || stop1 || launch_valid_i || resolve_valid_i || popping || kernel_start_i) begin
        if (!kernel_start_i) begin
          live    = live_q;
          ctrl    = ctrl_q;
          settle  = settle_q;
          is_exit = is_exit_q;
          if (launch_valid_i) begin
            warp   = Warps'(1) << launch_warp_i;
            live   = live | warp;
            ctrl   = ctrl & ~warp;
            settle = settle & ~warp;
          end
          if (res_moves) begin
            warp = Warps'(1) << resolve_warp_i;
            ctrl = ctrl & ~warp;
            if (res_done)   live   = live & ~warp;
            if (res_settle) settle = settle | warp;
          end
          if (popping && !pop_again) settle = settle & ~popped;
          if (stop0) begin
            warp = Warps'(1) << iss0_warp_i;
            if (iss0_ctl_i[0] != iss0_ctl_i[1]) ctrl   = ctrl | warp;  // CtlBra, CtlExit
            else if (end0)                      settle = settle | warp;
            is_exit = is_exit & ~warp;
            if (iss0_ctl_i == tandem_pkg::CtlExit) is_exit = is_exit | warp;
          end
          if (stop1) begin
            warp = Warps'(1) << iss1_warp_i;
            if (iss1_ctl_i[0] != iss1_ctl_i[1]) ctrl   = ctrl | warp;
            else if (end1)                      settle = settle | warp;
            is_exit = is_exit & ~warp;
            if (iss1_ctl_i == tandem_pkg::CtlExit) is_exit = is_exit | warp;
          end
        end
        live_q    <= live;
        ctrl_q    <= ctrl;
        settle_q  <= settle;
        is_exit_q <= is_exit;
      end
    end else begin
      live_q    <= '0;
      ctrl_q    <= '0;
      settle_q  <= '0;
      is_exit_q <= '0;
    end
  end

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
      if (res_moves) begin
        tos_pc_q[resolve_warp_i]    <= res_pc;
        tos_rest_q[resolve_warp_i]  <= {res_mask, res_rpc};
        live_mask_q[resolve_warp_i] <= res_live;
        depth_q[resolve_warp_i]     <= new_depth[DepthW-1:0];
        if (Buddy) met_q[resolve_warp_i] <= res_met;
        if (bank0_we) begin
          bank0_q[{resolve_warp_i, bank0_row}] <= r_depth[0] ? res_entry1 : res_entry0;
          if (Buddy) met0_q[{resolve_warp_i, bank0_row}] <= r_depth[0] ? res_met : res_met0;
        end
        if (bank1_we) begin
          bank1_q[{resolve_warp_i, bank1_row}] <= r_depth[0] ? res_entry0 : res_entry1;
          if (Buddy) met1_q[{resolve_warp_i, bank1_row}] <= r_depth[0] ? res_met0 : res_met;
        end
      end
      if (popping) begin
        tos_pc_q[pop_warp]   <= pop_pc;
        tos_rest_q[pop_warp] <= {pop_mask, pop_rpc};
        depth_q[pop_warp]    <= pop_depth;
        if (Buddy) met_q[pop_warp] <= pop_met;
      end
    end
  end

  assign live_o   = live_q;
  assign ctrl_o   = ctrl_q;
  assign settle_o = settle_q;

  logic unused_depth;
  assign unused_depth = 1'b0 & new_depth[DepthW];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert (!launch_valid_i || !live_q[launch_warp_i]);
      assert (!launch_valid_i || launch_mask_i != '0);
      assert (!iss0_valid_i || !iss0_warp_i[0]);
      assert (!iss1_valid_i || iss1_warp_i[0]);
      assert (!iss0_valid_i || live_q[iss0_warp_i]);
      assert (!iss1_valid_i || live_q[iss1_warp_i]);
      assert (!iss0_valid_i || (!ctrl_q[iss0_warp_i] && !settle_q[iss0_warp_i]));
      assert (!iss1_valid_i || (!ctrl_q[iss1_warp_i] && !settle_q[iss1_warp_i]));
      assert (!resolve_valid_i || (ctrl_q[resolve_warp_i] && live_q[resolve_warp_i]));
      assert (!popping || depth_q[pop_warp] != '0);
    end
  end
`endif
endmodule
