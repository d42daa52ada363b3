// Near half of the front end of an SM in a Flex cluster (docs/hardware/flex_frontend.md): fetch to issue, and what
// it asks of far rows.
//
// An instruction passes as in an SM alone (frontend.md) up to its grant.  Then the accesses to its row, and the
// grant with PC and mask, leave this module; the word comes back, for the stack, Dummy cycles later.
//
// up_i: the state means something.  While it is low nothing leaves but stall causes, which are those of an SM
// without warps.  reset_i resets all units, as kernel_start does.
//
// Illegal: what docs/hardware/frontend.md forbids to the environment; any valid input without up_i.

module flex_frontend #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned Mshrs = tandem_pkg::Mshrs,
  parameter int unsigned Dummy = 1,
  localparam int unsigned Lanes = 64
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           cfg_lrr_i,
  input  logic                           kernel_start_i,

  // Control: the scheme in force, and that of the kernel that begins, beside its registered kernel_start
  input  logic [2:0]                     mode_i,
  input  logic [2:0]                     mode_next_i,
  input  logic                           bypass_i,
  input  logic                           up_i,
  input  logic                           reset_i,
  input  logic                           hold_i,

  // Launch of a warp
  input  logic                           launch_valid_i,
  input  tandem_pkg::launch_t            launch_i,
  input  logic [Lanes-1:0]               launch_mask_i,

  // Back end: branches and exits; write-backs and operands collected, a bit or field of SP 0, SP 1, SFU,
  // MEM; slots freed, of own queues and of borrowed ones
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

  // Warps that ended, or trapped; why a scheduler issues nothing
  output logic                           done_valid_o,
  output logic [tandem_pkg::WarpW-1:0]   done_warp_o,
  output logic                           trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0]   trap_warp_o,
  output logic [3:0]                     stall0_o,
  output logic [3:0]                     stall1_o,

  // This cycle's decisions: accesses to own rows and to borrowed ones, grants
  output tandem_pkg::flex_access_t       own_o,
  output tandem_pkg::flex_access_t       far_o,
  output logic                           grant0_valid_o,
  output tandem_pkg::flex_grant_t        grant0_o,
  output logic                           grant1_valid_o,
  output tandem_pkg::flex_grant_t        grant1_o,

  // Decisions of Dummy cycles ago: branches with target and reconvergence PC, the entry of a pop that ends
  input  logic                           br0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]   br0_warp_i,
  input  logic [2*tandem_pkg::PcW-1:0]   br0_pcs_i,  // target, reconvergence PC
  input  logic                           br1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]   br1_warp_i,
  input  logic [2*tandem_pkg::PcW-1:0]   br1_pcs_i,
  output logic                           flush_far_o,  // the entry is one of a borrowed row
  input  logic [Lanes+2*tandem_pkg::PcW-1:0] pop_entry_i
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  // Registered inputs.
  logic                   cfg_lrr_q, kernel_start_q, launch_valid_q, resolve_valid_q, fill_valid_q, unused_idle;
  tandem_pkg::launch_t    launch_q;
  tandem_pkg::writeback_t wb_q;
  tandem_pkg::credit_t    credit_q, credit1_q;
  tandem_pkg::fill_t      fill_q;
  logic [Lanes-1:0]       launch_mask_q, resolve_taken_q;
  logic [WarpW-1:0]       resolve_warp_q;
  logic [3:0]             wb_valid_q, col_valid_q;
  logic [4*WarpW-1:0]     col_warp_q;
  frontend_inputs #(
    .WarpSize(Lanes)
  ) u_inputs (
    .units_clk_i(clk_i),
    .cfg_lrr_o(cfg_lrr_q), .kernel_start_o(kernel_start_q), .launch_valid_o(launch_valid_q),
    .launch_o(launch_q), .launch_mask_o(launch_mask_q), .resolve_valid_o(resolve_valid_q),
    .resolve_warp_o(resolve_warp_q), .resolve_taken_o(resolve_taken_q), .wb_valid_o(wb_valid_q),
    .wb_o(wb_q), .col_valid_o(col_valid_q), .col_warp_o(col_warp_q), .credit_o(credit_q),
    .fill_valid_o(fill_valid_q), .fill_o(fill_q), .idle_o(unused_idle), .*
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) credit1_q <= '0;
    else         credit1_q <= credit1_i;
  end

  // Between the units.
  logic              start, unused_sel_valid, req_valid, rsp_valid, rsp_two, wr_two, imiss;
  logic [WarpW-1:0]  sel_warp, req_warp, rsp_warp;
  logic [PcW-1:0]    sel_pc, req_pc;
  logic [InstW-1:0]  rsp_inst0, rsp_inst1;
  logic [Warps-1:0]  wake;
  logic [Mshrs-1:0]  unused_mshr_valid;
  tandem_pkg::dec_t  dec0, dec1;
  logic [Warps-1:0]  ib_valid, ib_sfu, ib_mem, ib_none, unused_second, unused_load, ib_full;
  logic [InstW-1:0]  unused_inst0, unused_inst1;
  tandem_pkg::dec_t  head0_dec, head1_dec;  // nothing but ctl
  logic              unused_rd0, unused_rd1;
  logic [1:0]        unused_fetch_held;
  logic              nh0_valid, nh1_valid, nh2_valid;
  tandem_pkg::opnd_t nh0_opnd, nh1_opnd, nh2_opnd;
  logic [Warps-1:0]  live, ctrl, settle, waiting, hazard, elig, unused_held;
  logic              flush_valid, done_valid, trap_valid, pick0_valid, pick1_valid, grant0, grant1;
  logic [WarpW-1:0]  flush_warp, done_warp, trap_warp, pick0, pick1;
  logic [3:0]        stall0, stall1;
  logic [7:0]        unused_freed;
  logic              unused_pending, unused_mem_home, unused_take_mem;
  assign start = kernel_start_q | reset_i;

  logic [Warps-1:0] fetchable, elig0, elig1, far;
  logic             launch0, launch1;
  assign fetchable = up_i ? live & ~ctrl & ~settle & ~waiting : '0;
  assign elig0     = elig & Even;
  assign elig1     = elig & ~Even;
  assign {launch1, launch0} = {2{launch_valid_q}} & {launch_q.warp[0], ~launch_q.warp[0]};
  // Registers are borrowed with warps 24 and above.  A register, since no warp lives when the scheme changes.
  if (Warps > 24) begin : g_far
    logic lent_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) lent_q <= 1'b0;
      else         lent_q <= mode_i == tandem_pkg::FlexOcc || mode_i == tandem_pkg::FlexBal;
    end
    assign far = {{Warps - 24{lent_q}}, 24'd0};
  end else begin : g_own
    assign far = '0;
  end

  fetch #(
    .Warps(Warps)
  ) u_fetch (
    .kernel_start_i(start), .fetchable_i(fetchable), .ib_valid_i(ib_full), .deliver_valid_i(rsp_valid),
    .deliver_warp_i(rsp_warp), .wake_i(wake), .sel_valid_o(unused_sel_valid), .sel_warp_o(sel_warp),
    .sel_pc_i(sel_pc), .req_valid_o(req_valid), .req_warp_o(req_warp), .req_pc_o(req_pc), .*
  );

  icache #(
    .Warps(Warps),
    .Mshrs(Mshrs)
  ) u_icache (
    .kernel_start_i(start), .req_valid_i(req_valid), .req_warp_i(req_warp), .req_pc_i(req_pc),
    .fill_valid_i(fill_valid_q), .fill_line_i(fill_q.line), .fill_beat_i(fill_q.beat),
    .fill_data0_i(fill_q.data0), .fill_data1_i(fill_q.data1), .rsp_valid_o(rsp_valid),
    .rsp_warp_o(rsp_warp), .rsp_two_o(rsp_two), .rsp_inst0_o(rsp_inst0), .rsp_inst1_o(rsp_inst1),
    .wake_o(wake), .imiss_valid_o(imiss), .imiss_line_o, .mshr_valid_o(unused_mshr_valid), .*
  );
  assign imiss_valid_o = imiss & up_i;

  decode u_decode0 (.inst_i(rsp_inst0), .dec_o(dec0), .*);
  decode u_decode1 (.inst_i(rsp_inst1), .dec_o(dec1), .*);
  // The instruction behind a branch or exit is not executed next.
  assign wr_two = rsp_two && dec0.ctl != tandem_pkg::CtlBra && dec0.ctl != tandem_pkg::CtlExit;

  // Accesses to rows, by this cycle's decisions.
  logic       own_wr, far_wr, own_rd0, far_rd0, own_rd1, far_rd1, rd0_b, rd1_b, own_pop, far_pop;
  logic [4:0] wr_row, rd0_row, rd1_row, push_row, push_depth, pop_row, pop_at;
  logic [1:0] push, own_push, far_push, unused_dirs;
  logic       pop_valid;
  logic [WarpW-1:0]  pop_warp;
  logic [PcW-1:0]    unused_at, unused_rpc;
  logic [tandem_pkg::DepthW-1:0] unused_depth0, unused_depth1;
  logic [Lanes-1:0]  push0_mask, push1_mask;
  logic [2*PcW-1:0]  push0_pcs, push1_pcs;

  // The words of instructions are in the rows: a write and a pop of the buffer are requests.
  ibuffer #(
    .Warps(Warps),
    .Loads(1'b0),
    .Words(1'b0)
  ) u_ibuffer (
    .kernel_start_i(start), .wr_valid_i(rsp_valid), .wr_warp_i(rsp_warp), .wr_two_i(wr_two),
    .wr_inst0_i(rsp_inst0), .wr_dec0_i(dec0), .wr_inst1_i(rsp_inst1), .wr_dec1_i(dec1),
    .pop0_valid_i(grant0), .pop0_warp_i(pick0), .pop1_valid_i(grant1), .pop1_warp_i(pick1),
    .flush_valid_i(flush_valid), .flush_warp_i(flush_warp), .rd0_valid_o(unused_rd0), .rd0_inst_o(unused_inst0),
    .rd0_dec_o(head0_dec), .rd0_b_o(rd0_b), .rd1_valid_o(unused_rd1), .rd1_inst_o(unused_inst1),
    .rd1_dec_o(head1_dec), .rd1_b_o(rd1_b), .valid_o(ib_valid), .sfu_o(ib_sfu), .mem_o(ib_mem),
    .none_o(ib_none), .second_o(unused_second), .load_o(unused_load), .nh0_valid_o(nh0_valid),
    .nh0_opnd_o(nh0_opnd), .nh1_valid_o(nh1_valid), .nh1_opnd_o(nh1_opnd), .nh2_valid_o(nh2_valid),
    .nh2_opnd_o(nh2_opnd), .fetch_valid_i(1'b0), .fetch_warp_i('0), .fetch_held_o(unused_fetch_held),
    .full_o(ib_full), .*
  );
  logic unused_dec;
  assign unused_dec = 1'b0 & ^{head0_dec, head1_dec};
  flex_row #(.Borrows(Warps > 24)) u_wr_row (
    .valid_i(rsp_valid), .warp_i(rsp_warp), .own_o(own_wr), .far_o(far_wr), .row_o(wr_row)
  );
  flex_row #(.Borrows(Warps > 24)) u_rd0_row (
    .valid_i(grant0), .warp_i(pick0), .own_o(own_rd0), .far_o(far_rd0), .row_o(rd0_row)
  );
  flex_row #(.Borrows(Warps > 24)) u_rd1_row (
    .valid_i(grant1), .warp_i(pick1), .own_o(own_rd1), .far_o(far_rd1), .row_o(rd1_row)
  );

  simt_stack #(
    .Warps(Warps),
    .WarpSize(Lanes),
    .StackDepth(StackDepth),
    .Stages(Dummy),
    .Outcomes(1'b0)
  ) u_simt_stack (
    .kernel_start_i(start), .launch_valid_i(launch_valid_q), .launch_warp_i(launch_q.warp),
    .launch_pc_i(launch_q.pc), .launch_mask_i(launch_mask_q), .resolve_valid_i(resolve_valid_q),
    .resolve_warp_i(resolve_warp_q), .resolve_taken_i(resolve_taken_q), .iss0_valid_i(grant0),
    .iss0_warp_i(pick0), .iss0_ctl_i(head0_dec.ctl), .iss1_valid_i(grant1), .iss1_warp_i(pick1),
    .iss1_ctl_i(head1_dec.ctl), .br0_target_i(br0_pcs_i[2*PcW-1:PcW]), .br0_rpc_i(br0_pcs_i[PcW-1:0]),
    .br1_target_i(br1_pcs_i[2*PcW-1:PcW]), .br1_rpc_i(br1_pcs_i[PcW-1:0]), .defer_i('0),
    .fetch_warp_i(sel_warp), .fetch_pc_o(sel_pc), .rd0_pc_o(grant0_o.pc), .rd0_mask_o(grant0_o.mask),
    .rd1_pc_o(grant1_o.pc), .rd1_mask_o(grant1_o.mask), .depth0_warp_i('0), .depth1_warp_i('0),
    .depth0_o(unused_depth0), .depth1_o(unused_depth1), .live_o(live), .ctrl_o(ctrl), .settle_o(settle),
    .push_o(push), .push_depth_o(push_depth), .push0_mask_o(push0_mask), .push0_pcs_o(push0_pcs),
    .push1_mask_o(push1_mask), .push1_pcs_o(push1_pcs), .pop_valid_o(pop_valid), .pop_warp_o(pop_warp),
    .pop_at_o(pop_at), .pop_mask_i(pop_entry_i[Lanes+2*PcW-1:2*PcW]), .pop_pcs_i(pop_entry_i[2*PcW-1:0]),
    .flush_valid_o(flush_valid), .flush_warp_o(flush_warp), .done_valid_o(done_valid), .done_warp_o(done_warp),
    .trap_valid_o(trap_valid), .trap_warp_o(trap_warp), .res_at_o(unused_at), .res_dirs_o(unused_dirs),
    .res_rpc_o(unused_rpc), .*
  );
  flex_row #(.Borrows(Warps > 24), .Requests(2)) u_push_row (
    .valid_i(push), .warp_i(resolve_warp_q), .own_o(own_push), .far_o(far_push), .row_o(push_row)
  );
  flex_row #(.Borrows(Warps > 24)) u_pop_row (
    .valid_i(pop_valid), .warp_i(pop_warp), .own_o(own_pop), .far_o(far_pop), .row_o(pop_row)
  );
  assign flush_far_o = Warps > 24 && flush_warp >= WarpW'(24);

  assign own_o = {own_wr & up_i, wr_row, wr_two, dec1, rsp_inst1, dec0, rsp_inst0, own_rd0 & up_i, rd0_row, rd0_b,
                  own_rd1 & up_i, rd1_row, rd1_b, own_push & {2{up_i}}, push_row, push_depth, push1_mask, push1_pcs,
                  push0_mask, push0_pcs, own_pop & up_i, pop_row, pop_at};
  assign far_o = {far_wr & up_i, wr_row, wr_two, dec1, rsp_inst1, dec0, rsp_inst0, far_rd0 & up_i, rd0_row, rd0_b,
                  far_rd1 & up_i, rd1_row, rd1_b, far_push & {2{up_i}}, push_row, push_depth, push1_mask, push1_pcs,
                  push0_mask, push0_pcs, far_pop & up_i, pop_row, pop_at};
  assign grant0_valid_o = grant0 & up_i;
  assign grant1_valid_o = grant1 & up_i;
  assign {grant0_o.borrowed, grant0_o.ctl, grant0_o.warp} = {far_rd0, head0_dec.ctl, pick0};
  assign {grant1_o.borrowed, grant1_o.ctl, grant1_o.warp} = {far_rd1, head1_dec.ctl, pick1};

  scoreboard #(
    .Warps(Warps)
  ) u_scoreboard (
    .kernel_start_i(start), .nh0_valid_i(nh0_valid), .nh0_warp_i(rsp_warp), .nh0_opnd_i(nh0_opnd),
    .nh1_valid_i(nh1_valid), .nh1_opnd_i(nh1_opnd), .nh2_valid_i(nh2_valid), .nh2_opnd_i(nh2_opnd),
    .flush_valid_i(flush_valid), .flush_warp_i(flush_warp),
    .iss0_valid_i(grant0), .iss0_warp_i(pick0), .iss1_valid_i(grant1), .iss1_warp_i(pick1),
    .wb_valid_i(wb_valid_q), .wb_warp_i(wb_q.warp), .wb_reg_i(wb_q.dst), .wb_size_i(wb_q.size),
    .wb_pred_i(wb_q.pred), .col_valid_i(col_valid_q), .col_warp_i(col_warp_q), .hazard_o(hazard),
    .idle_o(unused_pending), .*
  );

  warp_scheduler #(
    .Warps(Warps),
    .Parity(1'b0)
  ) u_sched0 (
    .kernel_start_i(start), .lrr_i(cfg_lrr_q), .launch_valid_i(launch0), .launch_warp_i(launch_q.warp),
    .elig_i(elig0), .grant_i(grant0), .pick_valid_o(pick0_valid), .pick_warp_o(pick0), .*
  );
  warp_scheduler #(
    .Warps(Warps),
    .Parity(1'b1)
  ) u_sched1 (
    .kernel_start_i(start), .lrr_i(cfg_lrr_q), .launch_valid_i(launch1), .launch_warp_i(launch_q.warp),
    .elig_i(elig1), .grant_i(grant1), .pick_valid_o(pick1_valid), .pick_warp_o(pick1), .*
  );

  // Slots of a scheme; side 1 has the queues of borrowed registers.
  localparam logic [10:0] SlotsFull = {4'd12, 3'd4, 4'd4};  // SP, SFU, MEM
  logic [2:0] starts;
  logic [10:0] slots, slots1;
  assign starts = reset_i ? mode_i : mode_next_i;
  always_comb begin
    slots  = (starts == tandem_pkg::FlexBase) ? {4'd8, 3'd4, 4'd4} : SlotsFull;
    slots1 = '0;
    if (starts == tandem_pkg::FlexOcc) slots1 = SlotsFull;
    if (starts == tandem_pkg::FlexBal) slots1 = {4'd6, 3'd2, 4'd2};
  end
  issue #(
    .Warps(Warps),
    .Sides(2),
    .Causes({tandem_pkg::StallHold, 24'd0})
  ) u_issue (
    .kernel_start_i(start), .start_sp_i(slots[10:7]), .start_sfu_i(slots[6:4]), .start_mem_i(slots[3:0]),
    .start_sp1_i(slots1[10:7]), .start_sfu1_i(slots1[6:4]), .start_mem1_i(slots1[3:0]),
    .live_i(up_i ? live : '0), .ctrl_i(ctrl), .settle_i(settle), .waiting_i(waiting), .ib_valid_i(ib_valid),
    .ib_sfu_i(ib_sfu), .ib_mem_i(ib_mem), .ib_none_i(ib_none), .hazard_i(hazard), .far_i(far),
    .sp_credit_i(credit_q.sp), .sfu_credit_i(credit_q.sfu), .mem_credit_i(credit_q.mem),
    .sp_credit1_i(credit1_q.sp), .sfu_credit1_i(credit1_q.sfu), .mem_credit1_i(credit1_q.mem),
    .veto_all_i(hold_i), .veto_two_i(1'b0), .veto_pick0_i(1'b0), .veto_pick1_i(1'b0), .veto_slot_a_i('0),
    .veto_slot_b_i('0), .veto_ready_a_i('0), .veto_ready_b_i('0), .mem_home_o(unused_mem_home),
    .take_mem_o(unused_take_mem), .elig_o(elig), .pick0_valid_i(pick0_valid), .pick0_warp_i(pick0),
    .pick1_valid_i(pick1_valid), .pick1_warp_i(pick1), .grant0_o(grant0), .grant1_o(grant1), .stall0_o(stall0),
    .stall1_o(stall1), .*
  );

  barrier #(
    .Warps(Warps)
  ) u_barrier (
    .kernel_start_i(start), .live_i(live), .launch_valid_i(launch_valid_q), .launch_warp_i(launch_q.warp),
    .launch_cta_i(launch_q.cta), .launch_last_i(launch_q.last),
    .arrive0_valid_i(grant0 && head0_dec.ctl == tandem_pkg::CtlBar), .arrive0_warp_i(pick0),
    .arrive1_valid_i(grant1 && head1_dec.ctl == tandem_pkg::CtlBar), .arrive1_warp_i(pick1), .waiting_o(waiting),
    .release_o(unused_freed), .held_o(unused_held), .*
  );

  // Registered outputs.  A payload is taken only with its valid.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {done_valid_o, trap_valid_o, stall0_o, stall1_o} <= '0;
    else         {done_valid_o, trap_valid_o, stall0_o, stall1_o}
                     <= {done_valid & up_i, trap_valid & up_i, stall0, stall1};
  end
  always_ff @(posedge clk_i) begin
    if (done_valid) done_warp_o <= done_warp;
    if (trap_valid) trap_warp_o <= trap_warp;
  end
endmodule
