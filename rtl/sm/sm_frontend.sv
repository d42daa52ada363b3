// The SM front end: fetch to issue of one SM, two instructions a cycle.
//
// Every input is registered before anything looks at it, and every output but quiet_o is a
// register, so that nothing combinational crosses the boundary.  An instruction passes in four
// cycles: fetch selects a warp; the icache is asked; its answer is decoded into the instruction
// buffer; a scheduler picks it and it issues, visible one cycle later.
//
// quiet_o says, of state alone, that with all valids and credits at 0 another clock would change
// nothing: a simulator may leave it out, hardware may gate the clock.
//
// kernel_start brings the units to their reset state; it is legal only while nothing is live or in
// flight, and leaves the registers of this module alone, which may hold the next cycle's launch.
//
// Illegal: what docs/frontend.md forbids to the environment.

module sm_frontend #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned Mshrs = tandem_pkg::Mshrs
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]                          bug_i,  // fault to switch on (rtl/bugs.def), 0: none
`endif

  // Configuration, constant in a run
  input  logic                                cfg_lrr_i,
  input  logic                                kernel_start_i,

  // Launch of a warp
  input  logic                                launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        launch_warp_i,
  input  logic [2:0]                          launch_cta_i,
  input  logic                                launch_last_i,
  input  logic [tandem_pkg::PcW-1:0]          launch_pc_i,
  input  logic [WarpSize-1:0]                 launch_mask_i,

  // Back end: branches and exits
  input  logic                                resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        resolve_warp_i,
  input  logic [WarpSize-1:0]                 resolve_taken_i,

  // Back end: write-backs
  input  logic                                wb0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        wb0_warp_i,
  input  logic [4:0]                          wb0_reg_i,
  input  logic [1:0]                          wb0_size_i,
  input  logic                                wb0_pred_i,
  input  logic                                wb1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        wb1_warp_i,
  input  logic [4:0]                          wb1_reg_i,
  input  logic [1:0]                          wb1_size_i,
  input  logic                                wb1_pred_i,
  input  logic                                wb2_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        wb2_warp_i,
  input  logic [4:0]                          wb2_reg_i,
  input  logic [1:0]                          wb2_size_i,
  input  logic                                wb2_pred_i,
  input  logic                                wb3_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        wb3_warp_i,
  input  logic [4:0]                          wb3_reg_i,
  input  logic [1:0]                          wb3_size_i,
  input  logic                                wb3_pred_i,

  // Back end: operands collected
  input  logic                                col0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        col0_warp_i,
  input  logic                                col1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        col1_warp_i,
  input  logic                                col2_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        col2_warp_i,
  input  logic                                col3_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        col3_warp_i,

  // Back end: slots freed
  input  logic [1:0]                          sp_credit_i,
  input  logic                                sfu_credit_i,
  input  logic                                mem_credit_i,

  // Instruction memory
  input  logic                                fill_valid_i,
  input  logic [tandem_pkg::PcW-5:0]          fill_line_i,
  input  logic [2:0]                          fill_beat_i,
  input  logic [tandem_pkg::InstW-1:0]        fill_data0_i,
  input  logic [tandem_pkg::InstW-1:0]        fill_data1_i,

  // Issued instructions
  output logic                                iss0_valid_o,
  output logic [tandem_pkg::InstW-1:0]        iss0_inst_o,
  output logic [tandem_pkg::PcW-1:0]          iss0_pc_o,
  output logic [WarpSize-1:0]                 iss0_mask_o,
  output logic                                iss1_valid_o,
  output logic [tandem_pkg::InstW-1:0]        iss1_inst_o,
  output logic [tandem_pkg::PcW-1:0]          iss1_pc_o,
  output logic [WarpSize-1:0]                 iss1_mask_o,

  // Instruction lines asked for
  output logic                                imiss_valid_o,
  output logic [tandem_pkg::PcW-5:0]          imiss_line_o,

  // Warps that ended, or trapped
  output logic                                done_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        done_warp_o,
  output logic                                trap_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        trap_warp_o,

  // Why a scheduler issues nothing; nothing to do at all
  output logic [2:0]                          stall0_o,
  output logic [2:0]                          stall1_o,
  output logic                                quiet_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;
  localparam int unsigned InstW = tandem_pkg::InstW;
  localparam int unsigned OpndW = tandem_pkg::OpndW;
  localparam logic [Warps-1:0] Even = {(Warps / 2) {2'b01}};

  // Registered inputs.
  logic                cfg_lrr_q, kernel_start_q;
  logic                launch_valid_q, launch_last_q;
  logic [WarpW-1:0]    launch_warp_q;
  logic [2:0]          launch_cta_q;
  logic [PcW-1:0]      launch_pc_q;
  logic [WarpSize-1:0] launch_mask_q;
  logic                resolve_valid_q;
  logic [WarpW-1:0]    resolve_warp_q;
  logic [WarpSize-1:0] resolve_taken_q;
  logic                wb0_valid_q, wb1_valid_q, wb2_valid_q, wb3_valid_q;
  logic [WarpW-1:0]    wb0_warp_q, wb1_warp_q, wb2_warp_q, wb3_warp_q;
  logic [4:0]          wb0_reg_q, wb1_reg_q, wb2_reg_q, wb3_reg_q;
  logic [1:0]          wb0_size_q, wb1_size_q, wb2_size_q, wb3_size_q;
  logic                wb0_pred_q, wb1_pred_q, wb2_pred_q, wb3_pred_q;
  logic                col0_valid_q, col1_valid_q, col2_valid_q, col3_valid_q;
  logic [WarpW-1:0]    col0_warp_q, col1_warp_q, col2_warp_q, col3_warp_q;
  logic [1:0]          sp_credit_q;
  logic                sfu_credit_q, mem_credit_q;
  logic                fill_valid_q;
  logic [PcW-5:0]      fill_line_q;
  logic [2:0]          fill_beat_q;
  logic [InstW-1:0]    fill_data0_q, fill_data1_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {kernel_start_q, launch_valid_q, resolve_valid_q} <= '0;
      {wb0_valid_q, wb1_valid_q, wb2_valid_q, wb3_valid_q} <= '0;
      {col0_valid_q, col1_valid_q, col2_valid_q, col3_valid_q} <= '0;
      {sp_credit_q, sfu_credit_q, mem_credit_q} <= '0;
      fill_valid_q <= '0;
    end else begin
      {kernel_start_q, launch_valid_q, resolve_valid_q}
          <= {kernel_start_i, launch_valid_i, resolve_valid_i};
      {wb0_valid_q, wb1_valid_q, wb2_valid_q, wb3_valid_q}
          <= {wb0_valid_i, wb1_valid_i, wb2_valid_i, wb3_valid_i};
      {col0_valid_q, col1_valid_q, col2_valid_q, col3_valid_q}
          <= {col0_valid_i, col1_valid_i, col2_valid_i, col3_valid_i};
      {sp_credit_q, sfu_credit_q, mem_credit_q} <= {sp_credit_i, sfu_credit_i, mem_credit_i};
      fill_valid_q <= fill_valid_i;
    end
  end

  // A payload matters only with its valid.
  always_ff @(posedge clk_i) begin
    cfg_lrr_q <= cfg_lrr_i;
    if (launch_valid_i) begin
      launch_warp_q <= launch_warp_i;
      launch_cta_q  <= launch_cta_i;
      launch_last_q <= launch_last_i;
      launch_pc_q   <= launch_pc_i;
      launch_mask_q <= launch_mask_i;
    end
    if (resolve_valid_i) {resolve_warp_q, resolve_taken_q} <= {resolve_warp_i, resolve_taken_i};
    if (wb0_valid_i)
      {wb0_warp_q, wb0_reg_q, wb0_size_q, wb0_pred_q}
          <= {wb0_warp_i, wb0_reg_i, wb0_size_i, wb0_pred_i};
    if (wb1_valid_i)
      {wb1_warp_q, wb1_reg_q, wb1_size_q, wb1_pred_q}
          <= {wb1_warp_i, wb1_reg_i, wb1_size_i, wb1_pred_i};
    if (wb2_valid_i)
      {wb2_warp_q, wb2_reg_q, wb2_size_q, wb2_pred_q}
          <= {wb2_warp_i, wb2_reg_i, wb2_size_i, wb2_pred_i};
    if (wb3_valid_i)
      {wb3_warp_q, wb3_reg_q, wb3_size_q, wb3_pred_q}
          <= {wb3_warp_i, wb3_reg_i, wb3_size_i, wb3_pred_i};
    if (col0_valid_i) col0_warp_q <= col0_warp_i;
    if (col1_valid_i) col1_warp_q <= col1_warp_i;
    if (col2_valid_i) col2_warp_q <= col2_warp_i;
    if (col3_valid_i) col3_warp_q <= col3_warp_i;
    if (fill_valid_i) begin
      fill_line_q  <= fill_line_i;
      fill_beat_q  <= fill_beat_i;
      fill_data0_q <= fill_data0_i;
      fill_data1_q <= fill_data1_i;
    end
  end

  // Between the units.
  logic              sel_valid, req_valid, rsp_valid, rsp_two;
  logic [WarpW-1:0]  sel_warp, req_warp, rsp_warp;
  logic [PcW-1:0]    sel_pc, req_pc;
  logic [InstW-1:0]  rsp_inst0, rsp_inst1;
  logic [Warps-1:0]  wake;
  logic [Mshrs-1:0]  unused_mshr_valid;
  tandem_pkg::dec_t  dec0, dec1;
  logic [Warps-1:0]  ib_valid, ib_sfu, ib_mem, ib_none, unused_ib_second;
  logic              nh0_valid, nh1_valid, nh2_valid;
  logic [WarpW-1:0]  nh0_warp, nh1_warp, nh2_warp;
  logic [OpndW-1:0]  nh0_opnd, nh1_opnd, nh2_opnd;
  logic [InstW-1:0]  head0, head1;
  tandem_pkg::dec_t  head0_dec, head1_dec;
  logic              unused_head0_has, unused_head1_has;
  logic [Warps-1:0]  live, ctrl, settle, waiting, hazard, elig;
  logic [PcW-1:0]    pc0, pc1;
  logic [WarpSize-1:0] mask0, mask1;
  logic              flush_valid, done_valid, trap_valid;
  logic [WarpW-1:0]  flush_warp, done_warp, trap_warp;
  logic              pick0_valid, pick1_valid, grant0, grant1;
  logic [WarpW-1:0]  pick0, pick1;
  logic [2:0]        stall0, stall1;
  logic [7:0]        released;

  logic [Warps-1:0] fetchable, elig0, elig1;
  logic             launch0, launch1, arrive0, arrive1, ends_fetch, wr_two;
  assign fetchable = live & ~ctrl & ~settle & ~waiting;
  assign elig0     = elig & Even;
  assign elig1     = elig & ~Even;
  assign launch0   = launch_valid_q & ~launch_warp_q[0];
  assign launch1   = launch_valid_q & launch_warp_q[0];
  assign arrive0   = grant0 && head0_dec.ctl == tandem_pkg::CtlBar;
  assign arrive1   = grant1 && head1_dec.ctl == tandem_pkg::CtlBar;

  // What follows a branch or exit is not executed next.
  always_comb begin
    ends_fetch = dec0.ctl == tandem_pkg::CtlBra || dec0.ctl == tandem_pkg::CtlExit;
    wr_two     = rsp_two && !ends_fetch;
`ifdef TANDEM_BUGS
    if (bug_i == 8'd42) wr_two = rsp_two;
`endif
  end

  fetch #(
    .Warps(Warps)
  ) u_fetch (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .fetchable_i(fetchable),
    .ib_valid_i(ib_valid),
    .deliver_valid_i(rsp_valid),
    .deliver_warp_i(rsp_warp),
    .wake_i(wake),
    .sel_valid_o(sel_valid),
    .sel_warp_o(sel_warp),
    .sel_pc_i(sel_pc),
    .req_valid_o(req_valid),
    .req_warp_o(req_warp),
    .req_pc_o(req_pc)
  );

  icache #(
    .Warps(Warps),
    .Mshrs(Mshrs)
  ) u_icache (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .req_valid_i(req_valid),
    .req_warp_i(req_warp),
    .req_pc_i(req_pc),
    .fill_valid_i(fill_valid_q),
    .fill_line_i(fill_line_q),
    .fill_beat_i(fill_beat_q),
    .fill_data0_i(fill_data0_q),
    .fill_data1_i(fill_data1_q),
    .rsp_valid_o(rsp_valid),
    .rsp_warp_o(rsp_warp),
    .rsp_two_o(rsp_two),
    .rsp_inst0_o(rsp_inst0),
    .rsp_inst1_o(rsp_inst1),
    .wake_o(wake),
    .imiss_valid_o(imiss_valid_o),
    .imiss_line_o(imiss_line_o),
    .mshr_valid_o(unused_mshr_valid)
  );

  decode u_decode0 (
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .inst_i(rsp_inst0),
    .dec_o(dec0)
  );

  decode u_decode1 (
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .inst_i(rsp_inst1),
    .dec_o(dec1)
  );

  ibuffer #(
    .Warps(Warps)
  ) u_ibuffer (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .wr_valid_i(rsp_valid),
    .wr_warp_i(rsp_warp),
    .wr_two_i(wr_two),
    .wr_inst0_i(rsp_inst0),
    .wr_dec0_i(dec0),
    .wr_inst1_i(rsp_inst1),
    .wr_dec1_i(dec1),
    .pop0_valid_i(grant0),
    .pop0_warp_i(pick0),
    .pop1_valid_i(grant1),
    .pop1_warp_i(pick1),
    .flush_valid_i(flush_valid),
    .flush_warp_i(flush_warp),
    .rd0_warp_i(pick0),
    .rd1_warp_i(pick1),
    .rd0_inst_o(head0),
    .rd0_dec_o(head0_dec),
    .rd0_has_o(unused_head0_has),
    .rd1_inst_o(head1),
    .rd1_dec_o(head1_dec),
    .rd1_has_o(unused_head1_has),
    .valid_o(ib_valid),
    .sfu_o(ib_sfu),
    .mem_o(ib_mem),
    .none_o(ib_none),
    .second_o(unused_ib_second),
    .nh0_valid_o(nh0_valid),
    .nh0_warp_o(nh0_warp),
    .nh0_opnd_o(nh0_opnd),
    .nh1_valid_o(nh1_valid),
    .nh1_warp_o(nh1_warp),
    .nh1_opnd_o(nh1_opnd),
    .nh2_valid_o(nh2_valid),
    .nh2_warp_o(nh2_warp),
    .nh2_opnd_o(nh2_opnd)
  );

  simt_stack #(
    .Warps(Warps),
    .WarpSize(WarpSize),
    .StackDepth(StackDepth)
  ) u_simt_stack (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .launch_valid_i(launch_valid_q),
    .launch_warp_i(launch_warp_q),
    .launch_pc_i(launch_pc_q),
    .launch_mask_i(launch_mask_q),
    .resolve_valid_i(resolve_valid_q),
    .resolve_warp_i(resolve_warp_q),
    .resolve_taken_i(resolve_taken_q),
    .iss0_valid_i(grant0),
    .iss0_warp_i(pick0),
    .iss0_ctl_i(head0_dec.ctl),
    .iss0_target_i(head0[47:32]),
    .iss0_rpc_i(head0[15:0]),
    .iss1_valid_i(grant1),
    .iss1_warp_i(pick1),
    .iss1_ctl_i(head1_dec.ctl),
    .iss1_target_i(head1[47:32]),
    .iss1_rpc_i(head1[15:0]),
    .fetch_warp_i(sel_warp),
    .fetch_pc_o(sel_pc),
    .rd0_pc_o(pc0),
    .rd0_mask_o(mask0),
    .rd1_pc_o(pc1),
    .rd1_mask_o(mask1),
    .live_o(live),
    .ctrl_o(ctrl),
    .settle_o(settle),
    .flush_valid_o(flush_valid),
    .flush_warp_o(flush_warp),
    .done_valid_o(done_valid),
    .done_warp_o(done_warp),
    .trap_valid_o(trap_valid),
    .trap_warp_o(trap_warp)
  );

  scoreboard #(
    .Warps(Warps)
  ) u_scoreboard (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .nh0_valid_i(nh0_valid),
    .nh0_warp_i(nh0_warp),
    .nh0_opnd_i(nh0_opnd),
    .nh1_valid_i(nh1_valid),
    .nh1_warp_i(nh1_warp),
    .nh1_opnd_i(nh1_opnd),
    .nh2_valid_i(nh2_valid),
    .nh2_warp_i(nh2_warp),
    .nh2_opnd_i(nh2_opnd),
    .flush_valid_i(flush_valid),
    .flush_warp_i(flush_warp),
    .iss0_valid_i(grant0),
    .iss0_warp_i(pick0),
    .iss1_valid_i(grant1),
    .iss1_warp_i(pick1),
    .wb0_valid_i(wb0_valid_q),
    .wb0_warp_i(wb0_warp_q),
    .wb0_reg_i(wb0_reg_q),
    .wb0_size_i(wb0_size_q),
    .wb0_pred_i(wb0_pred_q),
    .wb1_valid_i(wb1_valid_q),
    .wb1_warp_i(wb1_warp_q),
    .wb1_reg_i(wb1_reg_q),
    .wb1_size_i(wb1_size_q),
    .wb1_pred_i(wb1_pred_q),
    .wb2_valid_i(wb2_valid_q),
    .wb2_warp_i(wb2_warp_q),
    .wb2_reg_i(wb2_reg_q),
    .wb2_size_i(wb2_size_q),
    .wb2_pred_i(wb2_pred_q),
    .wb3_valid_i(wb3_valid_q),
    .wb3_warp_i(wb3_warp_q),
    .wb3_reg_i(wb3_reg_q),
    .wb3_size_i(wb3_size_q),
    .wb3_pred_i(wb3_pred_q),
    .col0_valid_i(col0_valid_q),
    .col0_warp_i(col0_warp_q),
    .col1_valid_i(col1_valid_q),
    .col1_warp_i(col1_warp_q),
    .col2_valid_i(col2_valid_q),
    .col2_warp_i(col2_warp_q),
    .col3_valid_i(col3_valid_q),
    .col3_warp_i(col3_warp_q),
    .hazard_o(hazard)
  );

  warp_scheduler #(
    .Warps(Warps),
    .Parity(1'b0)
  ) u_sched0 (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .lrr_i(cfg_lrr_q),
    .launch_valid_i(launch0),
    .launch_warp_i(launch_warp_q),
    .elig_i(elig0),
    .grant_i(grant0),
    .pick_valid_o(pick0_valid),
    .pick_warp_o(pick0)
  );

  warp_scheduler #(
    .Warps(Warps),
    .Parity(1'b1)
  ) u_sched1 (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .lrr_i(cfg_lrr_q),
    .launch_valid_i(launch1),
    .launch_warp_i(launch_warp_q),
    .elig_i(elig1),
    .grant_i(grant1),
    .pick_valid_o(pick1_valid),
    .pick_warp_o(pick1)
  );

  issue #(
    .Warps(Warps)
  ) u_issue (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .live_i(live),
    .ctrl_i(ctrl),
    .settle_i(settle),
    .waiting_i(waiting),
    .ib_valid_i(ib_valid),
    .ib_sfu_i(ib_sfu),
    .ib_mem_i(ib_mem),
    .ib_none_i(ib_none),
    .hazard_i(hazard),
    .sp_credit_i(sp_credit_q),
    .sfu_credit_i(sfu_credit_q),
    .mem_credit_i(mem_credit_q),
    .elig_o(elig),
    .pick0_valid_i(pick0_valid),
    .pick0_warp_i(pick0),
    .pick1_valid_i(pick1_valid),
    .pick1_warp_i(pick1),
    .grant0_o(grant0),
    .grant1_o(grant1),
    .stall0_o(stall0),
    .stall1_o(stall1)
  );

  barrier #(
    .Warps(Warps)
  ) u_barrier (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .kernel_start_i(kernel_start_q),
    .live_i(live),
    .launch_valid_i(launch_valid_q),
    .launch_warp_i(launch_warp_q),
    .launch_cta_i(launch_cta_q),
    .launch_last_i(launch_last_q),
    .arrive0_valid_i(arrive0),
    .arrive0_warp_i(pick0),
    .arrive1_valid_i(arrive1),
    .arrive1_warp_i(pick1),
    .waiting_o(waiting),
    .release_o(released)
  );

  // Registered outputs.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {iss0_valid_o, iss1_valid_o, done_valid_o, trap_valid_o, stall0_o, stall1_o} <= '0;
    end else begin
      {iss0_valid_o, iss1_valid_o, done_valid_o, trap_valid_o, stall0_o, stall1_o}
          <= {grant0, grant1, done_valid, trap_valid, stall0, stall1};
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant0) begin
      iss0_inst_o <= {pick0, head0[InstW-WarpW-1:0]};
      iss0_pc_o   <= pc0;
      iss0_mask_o <= mask0;
    end
    if (grant1) begin
      iss1_inst_o <= {pick1, head1[InstW-WarpW-1:0]};
      iss1_pc_o   <= pc1;
      iss1_mask_o <= mask1;
`ifdef TANDEM_BUGS
      if (bug_i == 8'd41) iss1_mask_o <= {1'b0, mask1[WarpSize-2:0]};
`endif
    end
    if (done_valid) done_warp_o <= done_warp;
    if (trap_valid) trap_warp_o <= trap_warp;
  end

  // Nothing under way, and the next stall causes are the present ones.  The most likely reason
  // against it comes first, and spares the others.
  logic in_idle;
  always_comb begin
    in_idle = 1'b0;
    quiet_o = 1'b0;
    if (elig == '0 && !sel_valid && !rsp_valid) begin
      in_idle = ~|{kernel_start_q, launch_valid_q, resolve_valid_q, wb0_valid_q, wb1_valid_q,
                   wb2_valid_q, wb3_valid_q, col0_valid_q, col1_valid_q, col2_valid_q,
                   col3_valid_q, sp_credit_q, sfu_credit_q, mem_credit_q, fill_valid_q};
      if (in_idle && !iss0_valid_o && !iss1_valid_o && wake == '0 && settle == '0)
        quiet_o = ~|{req_valid, imiss_valid_o, done_valid_o, trap_valid_o, released} &&
                  stall0 == stall0_o && stall1 == stall1_o;
    end
`ifdef TANDEM_BUGS
    if (bug_i == 8'd43)
      quiet_o = elig == '0 && !rsp_valid && in_idle && !iss0_valid_o && !iss1_valid_o &&
                wake == '0 && settle == '0 && stall0 == stall0_o && stall1 == stall1_o;
`endif
  end

  // The warp field of a word in memory is 0.
  logic unused_head;
  assign unused_head = 1'b0 & ^{head0[InstW-1-:WarpW], head1[InstW-1-:WarpW], head0_dec, head1_dec};
endmodule
