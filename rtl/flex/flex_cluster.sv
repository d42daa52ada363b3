// Flex cluster: Members adjacent SMs' front ends, of which some lend warp contexts to their neighbours, their
// control and links (docs/hardware/flex.md).
//
// Each member's port is there Members times, packed, member 0 lowest.  Every input is registered before
// anything looks at it.  Roles are fixed by position: of six members 1 and 4 lend in each scheme but Base, 3 in
// pairs; of two, member 1.  A link from a borrower to a lender carries the borrower's accesses, whose stages are
// the borrower's; the answers come back in the same cycle.
//
// Illegal: what flex_control and the members forbid; a valid input of a member without front end.

module flex_cluster #(
  parameter int unsigned Members = 6,  // 2 or 6
  parameter int unsigned Dummy = 1,    // stages between near and far halves: 1 or 2
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned Mshrs = tandem_pkg::Mshrs,
  localparam int unsigned Lanes = 64
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    cfg_lrr_i,

  // Scheme of a kernel, and what follows from it
  input  logic                                    kernel_start_i,
  input  logic [2:0]                              mode_i,
  input  logic                                    own_memory_i,
  input  logic [7:0]                              power_up_i,
  output logic [2:0]                              mode_o,
  output logic [Members-1:0]                      active_o,
  output logic [Members-1:0]                      hold_o,
  output logic [Members-1:0]                      reset_fe_o,
  output logic [2*Members-1:0]                    lend_o,
  output logic [2*Members-1:0]                    from_o,
  output logic [7*Members-1:0]                    power_o,

  // Launch of a warp
  input  logic [Members-1:0]                      launch_valid_i,
  input  logic [Members*tandem_pkg::WarpW-1:0]    launch_warp_i,
  input  logic [3*Members-1:0]                    launch_cta_i,
  input  logic [Members-1:0]                      launch_last_i,
  input  logic [Members*tandem_pkg::PcW-1:0]      launch_pc_i,
  input  logic [Members*Lanes-1:0]                launch_mask_i,

  // Back end: branches and exits
  input  logic [Members-1:0]                      resolve_valid_i,
  input  logic [Members*tandem_pkg::WarpW-1:0]    resolve_warp_i,
  input  logic [Members*Lanes-1:0]                resolve_taken_i,

  // Back end: write-backs, a bit or field of SP 0, SP 1, SFU, MEM; operands collected, likewise
  input  logic [4*Members-1:0]                    wb_valid_i,
  input  logic [4*Members*tandem_pkg::WarpW-1:0]  wb_warp_i,
  input  logic [4*5*Members-1:0]                  wb_reg_i,
  input  logic [4*2*Members-1:0]                  wb_size_i,
  input  logic [4*Members-1:0]                    wb_pred_i,
  input  logic [4*Members-1:0]                    col_valid_i,
  input  logic [4*Members*tandem_pkg::WarpW-1:0]  col_warp_i,

  // Back end: slots freed, of own queues and of borrowed ones
  input  logic [2*Members-1:0]                    sp_credit_i,
  input  logic [Members-1:0]                      sfu_credit_i,
  input  logic [Members-1:0]                      mem_credit_i,
  input  logic [2*Members-1:0]                    sp_credit1_i,
  input  logic [Members-1:0]                      sfu_credit1_i,
  input  logic [Members-1:0]                      mem_credit1_i,

  // Instruction memory
  input  logic [Members-1:0]                      fill_valid_i,
  input  logic [Members*(tandem_pkg::PcW-4)-1:0]  fill_line_i,
  input  logic [3*Members-1:0]                    fill_beat_i,
  input  logic [Members*tandem_pkg::InstW-1:0]    fill_data0_i,
  input  logic [Members*tandem_pkg::InstW-1:0]    fill_data1_i,
  output logic [Members-1:0]                      imiss_valid_o,
  output logic [Members*(tandem_pkg::PcW-4)-1:0]  imiss_line_o,

  // Instructions
  output logic [Members-1:0]                      iss0_valid_o,
  output logic [Members*tandem_pkg::InstW-1:0]    iss0_inst_o,
  output logic [Members*tandem_pkg::PcW-1:0]      iss0_pc_o,
  output logic [Members*Lanes-1:0]                iss0_mask_o,
  output logic [Members-1:0]                      iss1_valid_o,
  output logic [Members*tandem_pkg::InstW-1:0]    iss1_inst_o,
  output logic [Members*tandem_pkg::PcW-1:0]      iss1_pc_o,
  output logic [Members*Lanes-1:0]                iss1_mask_o,

  // Warps that ended, or trapped; why a scheduler issues nothing
  output logic [Members-1:0]                      done_valid_o,
  output logic [Members*tandem_pkg::WarpW-1:0]    done_warp_o,
  output logic [Members-1:0]                      trap_valid_o,
  output logic [Members*tandem_pkg::WarpW-1:0]    trap_warp_o,
  output logic [4*Members-1:0]                    stall0_o,
  output logic [4*Members-1:0]                    stall1_o,

  // Accesses to borrowed rows in this cycle
  output logic [2*Members-1:0]                    far_rd_o,
  output logic [Members-1:0]                      far_wr_o,
  output logic [2*Members-1:0]                    far_push_o,
  output logic [Members-1:0]                      far_pop_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;

  // By position: members that can be active in each scheme; to the left and the right of which one may borrow.
  localparam logic [5:0] Actives = (Members == 6) ? 6'b101101 : 6'b000001;
  localparam logic [5:0] Lefts   = (Members == 6) ? 6'b011010 : 6'b000010;
  localparam logic [5:0] Rights  = (Members == 6) ? 6'b010010 : 6'b000000;

  logic       kernel_start_q, own_memory_q;
  logic [2:0] mode_q;
  logic [7:0] power_up_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kernel_start_q <= 1'b0;
    else         kernel_start_q <= kernel_start_i;
  end
  always_ff @(posedge clk_i) begin
    if (kernel_start_i) {mode_q, own_memory_q} <= {mode_i, own_memory_i};
    power_up_q <= power_up_i;
  end

  flex_control #(
    .Members(Members)
  ) u_control (
    .kernel_start_i(kernel_start_q), .mode_i(mode_q), .own_memory_i(own_memory_q), .power_up_i(power_up_q), .*
  );

  // Links, as arrays of nets, which yosys otherwise takes for memories that nobody writes: a borrower's accesses,
  // and what a lender answers to either side.
  localparam int unsigned AccessW = 394;  // of flex_access_t, flex_answer_t
  localparam int unsigned AnswerW = 254;
  (* mem2reg *) logic [AccessW-1:0] far [Members];
  (* mem2reg *) logic [AnswerW-1:0] to_left [Members];
  (* mem2reg *) logic [AnswerW-1:0] to_right [Members];

  for (genvar m = 0; m < Members; m++) begin : g_member
    logic [AccessW-1:0] left, right;
    logic [AnswerW-1:0] from_left, from_right;
    logic               by_left, by_right;  // neighbours that borrow from this member
    logic [3:0]         owner;
    if (m > 0) begin : g_left
      assign by_left   = from_o[2*(m-1)+:2] == 2'd2;
      assign left      = by_left ? far[m-1] : '0;
      assign from_left = to_right[m-1];
    end else begin : g_first
      assign {by_left, left, from_left} = '0;
    end
    if (m < Members - 1) begin : g_right
      assign by_right   = from_o[2*(m+1)+:2] == 2'd1;
      assign right      = by_right ? far[m+1] : '0;
      assign from_right = to_left[m+1];
    end else begin : g_last
      assign {by_right, right, from_right} = '0;
    end
    // A single borrower has both banks, of two the left one has bank 0.
    assign owner[1:0] = by_left ? 2'd1 : by_right ? 2'd2 : 2'd0;
    assign owner[3:2] = by_right ? 2'd2 : by_left ? 2'd1 : 2'd0;

    flex_member #(
      .Active(Actives[m]),
      .Left(Lefts[m]),
      .Right(Rights[m]),
      .Dummy(Dummy),
      .StackDepth(StackDepth),
      .Mshrs(Mshrs)
    ) u_member (
      .clk_i, .cfg_lrr_i, .kernel_start_i, .mode_i(mode_o), .mode_next_i(mode_q), .fe_i(power_o[7*m]),
      .ctx_i(power_o[7*m+1]), .reset_fe_i(reset_fe_o[m]), .hold_i(hold_o[m]), .from_i(from_o[2*m+:2]),
      .owner_i(owner), .launch_valid_i(launch_valid_i[m]),
      .launch_i({launch_warp_i[m*WarpW+:WarpW], launch_cta_i[m*3+:3], launch_last_i[m],
                 launch_pc_i[m*PcW+:PcW]}),
      .launch_mask_i(launch_mask_i[m*Lanes+:Lanes]), .resolve_valid_i(resolve_valid_i[m]),
      .resolve_warp_i(resolve_warp_i[m*WarpW+:WarpW]), .resolve_taken_i(resolve_taken_i[m*Lanes+:Lanes]),
      .wb_valid_i(wb_valid_i[m*4+:4]),
      .wb_i({wb_warp_i[m*4*WarpW+:4*WarpW], wb_reg_i[m*4*5+:4*5], wb_size_i[m*4*2+:4*2],
             wb_pred_i[m*4+:4]}),
      .col_valid_i(col_valid_i[m*4+:4]), .col_warp_i(col_warp_i[m*4*WarpW+:4*WarpW]),
      .credit_i({sp_credit_i[m*2+:2], sfu_credit_i[m], mem_credit_i[m]}),
      .credit1_i({sp_credit1_i[m*2+:2], sfu_credit1_i[m], mem_credit1_i[m]}),
      .fill_valid_i(fill_valid_i[m]),
      .fill_i({fill_line_i[m*(PcW-4)+:(PcW-4)], fill_beat_i[m*3+:3], fill_data1_i[m*InstW+:InstW],
               fill_data0_i[m*InstW+:InstW]}),
      .imiss_valid_o(imiss_valid_o[m]), .imiss_line_o(imiss_line_o[m*(PcW-4)+:(PcW-4)]),
      .iss0_valid_o(iss0_valid_o[m]), .iss0_o({iss0_pc_o[m*PcW+:PcW], iss0_inst_o[m*InstW+:InstW]}),
      .iss0_mask_o(iss0_mask_o[m*Lanes+:Lanes]), .iss1_valid_o(iss1_valid_o[m]),
      .iss1_o({iss1_pc_o[m*PcW+:PcW], iss1_inst_o[m*InstW+:InstW]}),
      .iss1_mask_o(iss1_mask_o[m*Lanes+:Lanes]), .done_valid_o(done_valid_o[m]),
      .done_warp_o(done_warp_o[m*WarpW+:WarpW]), .trap_valid_o(trap_valid_o[m]),
      .trap_warp_o(trap_warp_o[m*WarpW+:WarpW]), .stall0_o(stall0_o[m*4+:4]), .stall1_o(stall1_o[m*4+:4]),
      .far_o(far[m]), .from_left_i(from_left), .from_right_i(from_right), .left_i(left), .left_o(to_left[m]),
      .right_i(right), .right_o(to_right[m]), .far_rd_o(far_rd_o[2*m+:2]), .far_wr_o(far_wr_o[m]),
      .far_push_o(far_push_o[2*m+:2]), .far_pop_o(far_pop_o[m]), .*
    );

`ifdef TANDEM_CHECKS
    // For simulation: what must hold in every cycle.
    logic lends, raised;
    logic [2*Members+3:0] lenders;  // between two that there are not
    assign lenders = {2'd0, lend_o, 2'd0};
    assign lends   = (from_o[2*m] ? lenders[2*m+:2] : lenders[2*m+4+:2]) != '0;
    assign raised = |{launch_valid_i[m], resolve_valid_i[m], wb_valid_i[4*m+:4], col_valid_i[4*m+:4],
                      sp_credit_i[2*m+:2], sfu_credit_i[m], mem_credit_i[m], sp_credit1_i[2*m+:2],
                      sfu_credit1_i[m], mem_credit1_i[m], fill_valid_i[m]};
    flex_checks #(
      .Dummy(Dummy)
    ) u_checks (
      .clk_i, .rst_ni, .kernel_start_i(kernel_start_q), .mode_i(mode_o), .power_up_i(power_up_q),
      .active_i(active_o[m]), .lend_i(lend_o[2*m+:2]), .from_i(from_o[2*m+:2]), .lends_i(lends),
      .owner_i(owner), .fe_i(power_o[7*m]), .ctx_i(power_o[7*m+1]), .on_i(u_member.on), .up_i(u_member.up),
      .live_i(u_member.u_frontend.live != '0), .reset_fe_i(reset_fe_o[m]), .raised_i(raised),
      .units_clk_i(u_member.units_clk),
      .context_clk_i(u_member.context_clk), .resolve_valid_i(u_member.u_frontend.resolve_valid_q),
      .resolve_warp_i(u_member.u_frontend.resolve_warp_q), .credit_i(u_member.u_frontend.credit_q),
      .credit1_i(u_member.u_frontend.credit1_q), .near_own_i(u_member.near_own),
      .near_far_i(u_member.near_far),
      .grant_i({u_member.near_grant1_valid, u_member.near_grant0_valid}), .grant0_i(u_member.near_grant0),
      .grant1_i(u_member.near_grant1), .own_i(u_member.own), .far_i(far[m]), .left_i(left), .right_i(right),
      .iss_valid_i({iss1_valid_o[m], iss0_valid_o[m]}), .iss0_i(u_member.iss0_o), .iss1_i(u_member.iss1_o),
      .iss0_mask_i(u_member.iss0_mask_o), .iss1_mask_i(u_member.iss1_mask_o),
      .count_i({u_member.u_frontend.u_issue.sp_count, u_member.u_frontend.u_issue.sfu_count,
                u_member.u_frontend.u_issue.mem_count[2:0]}),
      .count1_i({u_member.u_frontend.u_issue.sp_count1, u_member.u_frontend.u_issue.sfu_count1,
                 u_member.u_frontend.u_issue.mem_count1[2:0]}),
      .sp_i({u_member.u_frontend.u_issue.sp1, u_member.u_frontend.u_issue.sp0}),
      .sfu_i({u_member.u_frontend.u_issue.sfu1, u_member.u_frontend.u_issue.sfu0}),
      .mem_i({u_member.u_frontend.u_issue.mem1, u_member.u_frontend.u_issue.mem0}),
      .side_i({u_member.u_frontend.u_issue.far1, u_member.u_frontend.u_issue.far0})
    );
`endif
  end
endmodule
