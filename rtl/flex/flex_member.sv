// Member of a Flex cluster: the near half of its front end, its far half, which it may lend, and the ways to far
// halves (docs/hardware/flex_frontend.md).
//
// Accesses of the near half pass one of two paths of Dummy stages: to the own context, and to that of the
// neighbour from which the member borrows (from_i).  A grant passes as many stages beside them.  The word is then
// taken into a register of the own path, or into the boundary buffer of the other one; a registered select puts
// one of both on the output.  In Base all stages are bypassed.
//
// The near half is off while its power is, and until reset_fe_i after that returned: it has no clock then, and
// its outputs are 0.  So is the context without power.  The edges between both have neither state nor clock of
// these domains, and are empty while one is off.
//
// A member that is not Active in each scheme has 24 warps and borrows nothing.  Without Left or Right the
// neighbour there has no link to its context.
//
// Illegal: what flex_context and the near half forbid.

module flex_member #(
  parameter bit          Active = 1'b1,
  parameter bit          Left = 1'b1,
  parameter bit          Right = 1'b1,
  parameter int unsigned Dummy = 1,  // 1 or 2
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned Mshrs = tandem_pkg::Mshrs,
  localparam int unsigned Lanes = 64
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           cfg_lrr_i,
  input  logic                           kernel_start_i,

  // Control
  input  logic [2:0]                     mode_i,
  input  logic [2:0]                     mode_next_i,  // of the kernel that begins, a cycle after kernel_start_i
  input  logic                           fe_i,         // power of the near half, of the context
  input  logic                           ctx_i,
  input  logic                           reset_fe_i,
  input  logic                           hold_i,
  input  logic [1:0]                     from_i,
  input  logic [3:0]                     owner_i,

  // Launch of a warp
  input  logic                           launch_valid_i,
  input  tandem_pkg::launch_t            launch_i,
  input  logic [Lanes-1:0]               launch_mask_i,

  // Back end, as in flex_frontend
  input  logic                           resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]   resolve_warp_i,
  input  logic [Lanes-1:0]               resolve_taken_i,
  input  logic [3:0]                     wb_valid_i,
  input  tandem_pkg::writeback_t         wb_i,
  input  logic [3:0]                     col_valid_i,
  input  logic [4*tandem_pkg::WarpW-1:0] col_warp_i,
  input  tandem_pkg::credit_t            credit_i,
  input  tandem_pkg::credit_t            credit1_i,

  // Instruction memory
  input  logic                           fill_valid_i,
  input  tandem_pkg::fill_t              fill_i,
  output logic                           imiss_valid_o,
  output logic [tandem_pkg::PcW-5:0]     imiss_line_o,

  // Issued instructions
  output logic                           iss0_valid_o,
  output tandem_pkg::issued_t            iss0_o,
  output logic [Lanes-1:0]               iss0_mask_o,
  output logic                           iss1_valid_o,
  output tandem_pkg::issued_t            iss1_o,
  output logic [Lanes-1:0]               iss1_mask_o,

  // Warps that ended, or trapped; why a scheduler issues nothing
  output logic                           done_valid_o,
  output logic [tandem_pkg::WarpW-1:0]   done_warp_o,
  output logic                           trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0]   trap_warp_o,
  output logic [3:0]                     stall0_o,
  output logic [3:0]                     stall1_o,

  // Links: to the context of the neighbour that lends, from those that borrow
  output tandem_pkg::flex_access_t       far_o,
  input  tandem_pkg::flex_answer_t       from_left_i,
  input  tandem_pkg::flex_answer_t       from_right_i,
  input  tandem_pkg::flex_access_t       left_i,
  output tandem_pkg::flex_answer_t       left_o,
  input  tandem_pkg::flex_access_t       right_i,
  output tandem_pkg::flex_answer_t       right_o,

  // Accesses to borrowed rows in this cycle
  output logic [1:0]                     far_rd_o,
  output logic                           far_wr_o,
  output logic [1:0]                     far_push_o,
  output logic                           far_pop_o
);
  localparam int unsigned Warps = Active ? 48 : 24;
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned GrantW = 89;  // of flex_grant_t

  // Power: on has a clock, up also a state.
  logic on  /*verilator public_flat_rd*/;
  logic on_q, up, units_clk, context_clk;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) on_q <= 1'b1;
    else         on_q <= on;
  end
  assign on = fe_i & (on_q | reset_fe_i);
  assign up = on & ~reset_fe_i;
  clock_gate u_units_gate (
    .clk_i,
    .rst_ni,
    .en_i(on),
    .clk_o(units_clk)
  );
  clock_gate u_context_gate (
    .clk_i,
    .rst_ni,
    .en_i(ctx_i),
    .clk_o(context_clk)
  );

  logic bypass, own_bypass;
  assign bypass     = mode_i == tandem_pkg::FlexBase;
  assign own_bypass = `FAULT(182, bypass, 1'b1);

  // The near half.
  logic                     imiss_valid, done_valid, trap_valid, flush_far;
  logic [3:0]               stall0, stall1;
  tandem_pkg::flex_access_t near_own, near_far, own;
  logic                     near_grant0_valid, near_grant1_valid, grant0_valid, grant1_valid, br0_valid, br1_valid;
  tandem_pkg::flex_grant_t  near_grant0, near_grant1, grant0, grant1;
  tandem_pkg::flex_answer_t own_answer, far_answer;
  logic [InstW-1:0]         word0, word1;  // of this cycle's reads
  flex_frontend #(
    .Warps(Warps),
    .StackDepth(StackDepth),
    .Mshrs(Mshrs),
    .Dummy(Dummy)
  ) u_frontend (
    .clk_i(units_clk), .bypass_i(bypass), .up_i(up), .reset_i(reset_fe_i), .imiss_valid_o(imiss_valid),
    .done_valid_o(done_valid), .trap_valid_o(trap_valid), .stall0_o(stall0), .stall1_o(stall1),
    .own_o(near_own), .far_o(near_far), .grant0_valid_o(near_grant0_valid), .grant0_o(near_grant0),
    .grant1_valid_o(near_grant1_valid), .grant1_o(near_grant1), .br0_valid_i(br0_valid),
    .br0_warp_i(grant0.warp), .br0_pcs_i({word0[47:32], word0[15:0]}), .br1_valid_i(br1_valid),
    .br1_warp_i(grant1.warp), .br1_pcs_i({word1[47:32], word1[15:0]}), .flush_far_o(flush_far),
    .pop_entry_i(flush_far ? far_answer.pop : own_answer.pop), .*
  );

  // Dummy stages and boundary buffers.
  flex_path #(
    .Dummy(Dummy)
  ) u_own (
    .bypass_i(own_bypass), .access_i(near_own), .access_o(own), .*
  );
  if (Active) begin : g_far
    flex_path #(
      .Dummy(Dummy)
    ) u_far (
      .bypass_i(bypass), .access_i(near_far), .access_o(far_o), .*
    );
    assign far_answer = from_i[0] ? from_left_i : from_right_i;
    logic unused_from;
    assign unused_from = 1'b0 & from_i[1];
  end else begin : g_no_far
    assign far_o      = '0;
    assign far_answer = '0;
    logic unused_far;
    assign unused_far = 1'b0 & ^{near_far, from_i, from_left_i, from_right_i};
  end
  flex_edge #(
    .Width(GrantW),
    .Stages(Dummy)
  ) u_grant0 (
    .bypass_i(bypass), .valid_i(near_grant0_valid), .data_i(near_grant0), .valid_o(grant0_valid),
    .data_o(grant0), .*
  );
  flex_edge #(
    .Width(GrantW),
    .Stages(Dummy)
  ) u_grant1 (
    .bypass_i(bypass), .valid_i(near_grant1_valid), .data_i(near_grant1), .valid_o(grant1_valid),
    .data_o(grant1), .*
  );

  assign far_rd_o   = {far_o.rd1, far_o.rd0};
  assign far_wr_o   = far_o.wr;
  assign far_push_o = far_o.push;
  assign far_pop_o  = far_o.pop;

  // The far half.
  tandem_pkg::flex_access_t left, right;
  assign left  = Left ? left_i : '0;
  assign right = Right ? right_i : '0;
  flex_context #(
    .Lanes(Lanes),
    .Depth(StackDepth)
  ) u_context (
    .clk_i(context_clk), .owner_i,
    .own_wr_valid_i(own.wr), .own_wr_row_i(own.wr_row), .own_wr_two_i(own.wr_two),
    .own_wr_inst0_i(own.wr_inst0), .own_wr_dec0_i(own.wr_dec0), .own_wr_inst1_i(own.wr_inst1),
    .own_wr_dec1_i(own.wr_dec1), .own_rd0_valid_i(own.rd0), .own_rd0_row_i(own.rd0_row),
    .own_rd0_b_i(own.rd0_b), .own_rd1_valid_i(own.rd1), .own_rd1_row_i(own.rd1_row),
    .own_rd1_b_i(own.rd1_b), .own_push_i(own.push), .own_push_row_i(own.push_row),
    .own_push_depth_i(own.push_depth), .own_push0_mask_i(own.push0[95:32]), .own_push0_pcs_i(own.push0[31:0]),
    .own_push1_mask_i(own.push1[95:32]), .own_push1_pcs_i(own.push1[31:0]), .own_pop_valid_i(own.pop),
    .own_pop_row_i(own.pop_row), .own_pop_at_i(own.pop_at), .own_rd0_inst_o(own_answer.rd0_inst),
    .own_rd0_dec_o(own_answer.rd0_dec), .own_rd1_inst_o(own_answer.rd1_inst),
    .own_rd1_dec_o(own_answer.rd1_dec), .own_pop_mask_o(own_answer.pop[95:32]),
    .own_pop_pcs_o(own_answer.pop[31:0]),
    .left_wr_valid_i(left.wr), .left_wr_row_i(left.wr_row), .left_wr_two_i(left.wr_two),
    .left_wr_inst0_i(left.wr_inst0), .left_wr_dec0_i(left.wr_dec0), .left_wr_inst1_i(left.wr_inst1),
    .left_wr_dec1_i(left.wr_dec1), .left_rd0_valid_i(left.rd0), .left_rd0_row_i(left.rd0_row),
    .left_rd0_b_i(left.rd0_b), .left_rd1_valid_i(left.rd1), .left_rd1_row_i(left.rd1_row),
    .left_rd1_b_i(left.rd1_b), .left_push_i(left.push), .left_push_row_i(left.push_row),
    .left_push_depth_i(left.push_depth), .left_push0_mask_i(left.push0[95:32]),
    .left_push0_pcs_i(left.push0[31:0]), .left_push1_mask_i(left.push1[95:32]),
    .left_push1_pcs_i(left.push1[31:0]), .left_pop_valid_i(left.pop), .left_pop_row_i(left.pop_row),
    .left_pop_at_i(left.pop_at), .left_rd0_inst_o(left_o.rd0_inst), .left_rd0_dec_o(left_o.rd0_dec),
    .left_rd1_inst_o(left_o.rd1_inst), .left_rd1_dec_o(left_o.rd1_dec), .left_pop_mask_o(left_o.pop[95:32]),
    .left_pop_pcs_o(left_o.pop[31:0]),
    .right_wr_valid_i(right.wr), .right_wr_row_i(right.wr_row), .right_wr_two_i(right.wr_two),
    .right_wr_inst0_i(right.wr_inst0), .right_wr_dec0_i(right.wr_dec0), .right_wr_inst1_i(right.wr_inst1),
    .right_wr_dec1_i(right.wr_dec1), .right_rd0_valid_i(right.rd0), .right_rd0_row_i(right.rd0_row),
    .right_rd0_b_i(right.rd0_b), .right_rd1_valid_i(right.rd1), .right_rd1_row_i(right.rd1_row),
    .right_rd1_b_i(right.rd1_b), .right_push_i(right.push), .right_push_row_i(right.push_row),
    .right_push_depth_i(right.push_depth), .right_push0_mask_i(right.push0[95:32]),
    .right_push0_pcs_i(right.push0[31:0]), .right_push1_mask_i(right.push1[95:32]),
    .right_push1_pcs_i(right.push1[31:0]), .right_pop_valid_i(right.pop), .right_pop_row_i(right.pop_row),
    .right_pop_at_i(right.pop_at), .right_rd0_inst_o(right_o.rd0_inst), .right_rd0_dec_o(right_o.rd0_dec),
    .right_rd1_inst_o(right_o.rd1_inst), .right_rd1_dec_o(right_o.rd1_dec),
    .right_pop_mask_o(right_o.pop[95:32]), .right_pop_pcs_o(right_o.pop[31:0])
  );

  // Words to the stack, of branches.
  assign word0     = grant0.borrowed ? far_answer.rd0_inst : own_answer.rd0_inst;
  assign word1     = grant1.borrowed ? far_answer.rd1_inst : own_answer.rd1_inst;
  assign br0_valid = grant0_valid && grant0.ctl == tandem_pkg::CtlBra;
  assign br1_valid = grant1_valid && grant1.ctl == tandem_pkg::CtlBra;

  // To the back end: each port has a register of the own path, one of the other, and a select.
  logic             valid0_q, valid1_q, far0_q, far1_q;
  logic [WarpW-1:0] warp0_q, warp1_q;
  logic [PcW-1:0]   pc0_q, pc1_q;
  logic [Lanes-1:0] mask0_q, mask1_q;
  logic [InstW-WarpW-1:0] own0_q, own1_q, far_word0_q, far_word1_q;
  always_ff @(posedge units_clk or negedge rst_ni) begin
    if (!rst_ni) {valid0_q, valid1_q} <= '0;
    else         {valid0_q, valid1_q} <= {grant0_valid, grant1_valid};
  end
  always_ff @(posedge units_clk) begin
    if (grant0_valid) {far0_q, warp0_q, pc0_q, mask0_q} <= {grant0.borrowed, grant0.warp, grant0.pc, grant0.mask};
    if (grant1_valid) {far1_q, warp1_q, pc1_q, mask1_q} <= {grant1.borrowed, grant1.warp, grant1.pc, grant1.mask};
    if (grant0_valid && !grant0.borrowed) own0_q      <= own_answer.rd0_inst[InstW-WarpW-1:0];
    if (grant0_valid && grant0.borrowed)  far_word0_q <= far_answer.rd0_inst[InstW-WarpW-1:0];
    if (grant1_valid && !grant1.borrowed) own1_q      <= own_answer.rd1_inst[InstW-WarpW-1:0];
    if (grant1_valid && grant1.borrowed)  far_word1_q <= far_answer.rd1_inst[InstW-WarpW-1:0];
  end
  assign iss0_valid_o  = valid0_q & up;
  assign iss1_valid_o  = valid1_q & up;
  assign iss0_o        = {pc0_q, warp0_q, far0_q ? far_word0_q : own0_q};
  assign iss1_o        = {pc1_q, warp1_q, far1_q ? far_word1_q : own1_q};
  assign iss0_mask_o   = mask0_q;
  assign iss1_mask_o   = mask1_q;
  assign imiss_valid_o = imiss_valid & up;
  assign done_valid_o  = done_valid & up;
  assign trap_valid_o  = trap_valid & up;
  assign stall0_o      = up ? stall0 : '0;
  assign stall1_o      = up ? stall1 : '0;

  // The warp field of a word in memory is 0; near knows what a word is.
  logic unused_answer;
  assign unused_answer = 1'b0 & ^{own_answer, far_answer, word0, word1};
endmodule
