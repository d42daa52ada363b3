// The front end of an SM alone: frontend, without a cluster.

module sm_frontend #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned StackDepth = tandem_pkg::StackDepth,
  parameter int unsigned IbEntries = 2,  // of a warp's instruction buffer: 2, 3 or 4
  parameter int unsigned Mshrs = tandem_pkg::Mshrs
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,

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

  // Back end: write-backs, a bit or field of SP 0, SP 1, SFU, MEM
  input  logic [3:0]                          wb_valid_i,
  input  logic [4*tandem_pkg::WarpW-1:0]      wb_warp_i,
  input  logic [4*5-1:0]                      wb_reg_i,
  input  logic [4*2-1:0]                      wb_size_i,
  input  logic [3:0]                          wb_pred_i,

  // Back end: operands collected, likewise
  input  logic [3:0]                          col_valid_i,
  input  logic [4*tandem_pkg::WarpW-1:0]      col_warp_i,

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
  output logic [3:0]                          stall0_o,
  output logic [3:0]                          stall1_o,
  output logic                                quiet_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned PcW = tandem_pkg::PcW;

  // The ports as the structs inside.
  tandem_pkg::launch_t    launch;
  tandem_pkg::writeback_t wb;
  tandem_pkg::credit_t    credit;
  tandem_pkg::fill_t      fill;
  tandem_pkg::issued_t    iss0, iss1;
  assign launch = {launch_warp_i, launch_cta_i, launch_last_i, launch_pc_i};
  assign wb     = {wb_warp_i, wb_reg_i, wb_size_i, wb_pred_i};
  assign credit = {sp_credit_i, sfu_credit_i, mem_credit_i};
  assign fill   = {fill_line_i, fill_beat_i, fill_data1_i, fill_data0_i};
  assign {iss0_pc_o, iss0_inst_o} = iss0;
  assign {iss1_pc_o, iss1_inst_o} = iss1;

  // Outputs for a cluster's member.
  logic                unused_take_mem, unused_take_load, unused_kernel_start, unused_mem_credit;
  logic                unused_resolve_valid, unused_wb3_valid, unused_idle, unused_fetching;
  logic [WarpW-1:0]    unused_take_warp, unused_resolve_warp, unused_wb3_warp;
  logic [4:0]          unused_take_reg, unused_wb3_reg;
  logic [1:0]          unused_wb3_size, unused_res_dirs;
  logic [PcW-1:0]      unused_top0_pc, unused_top1_pc, unused_rpc, unused_at;
  logic [WarpSize-1:0] unused_top0_mask, unused_top1_mask, unused_resolve_taken;
  logic [Warps-1:0]    unused_unsettled, unused_live, unused_held;
  tandem_pkg::parking_t unused_parking;

  frontend #(
    .Warps(Warps),
    .WarpSize(WarpSize),
    .StackDepth(StackDepth),
    .IbEntries(IbEntries),
    .Mshrs(Mshrs)
  ) u_frontend (
    .launch_i(launch), .wb_i(wb), .credit_i(credit), .fill_i(fill), .iss0_o(iss0), .iss1_o(iss1),
    .units_clk_i(clk_i), .on_i(1'b1), .reset_fe_i(1'b0), .follow_i(1'b0),
    .x0_valid_i(1'b0), .x0_inst_i('0), .x1_valid_i(1'b0), .x1_inst_i('0),
    .top0_pc_o(unused_top0_pc), .top0_mask_o(unused_top0_mask),
    .top1_pc_o(unused_top1_pc), .top1_mask_o(unused_top1_mask),
    .parks_i(1'b0), .parking_o(unused_parking), .res_rpc_o(unused_rpc), .live_o(unused_live),
    .held_o(unused_held), .stop0_i(1'b0), .stop1_i(1'b0), .parked_i('0), .fetch_hold_i(1'b0),
    .roll0_warp_i('0), .roll1_warp_i('0),
    .hold_i(1'b0), .members_short_i(1'b0), .one_slot_i(1'b0), .verdict_i('0), .mon_full_i('0),
    .take_mem_o(unused_take_mem), .take_load_o(unused_take_load),
    .take_warp_o(unused_take_warp), .take_reg_o(unused_take_reg),
    .kernel_start_o(unused_kernel_start), .resolve_valid_o(unused_resolve_valid),
    .resolve_warp_o(unused_resolve_warp), .resolve_taken_o(unused_resolve_taken),
    .wb3_valid_o(unused_wb3_valid), .wb3_warp_o(unused_wb3_warp), .wb3_reg_o(unused_wb3_reg),
    .wb3_size_o(unused_wb3_size), .mem_credit_o(unused_mem_credit),
    .st_resolve_valid_i(1'b0), .st_resolve_warp_i('0), .st_resolve_taken_i('0), .defer_i('0),
    .res_at_o(unused_at), .res_dirs_o(unused_res_dirs),
    .rel_valid_i(1'b0), .rel_warp_i('0), .rel_reg_i('0), .rel_size_i('0),
    .unsettled_o(unused_unsettled), .fetching_o(unused_fetching), .idle_o(unused_idle),
    .*
  );
endmodule
