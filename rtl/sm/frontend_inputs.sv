// The registered inputs of a front end: nothing looks at an input before its register.
//
// A payload is taken only with its valid, and keeps its value without.  Inputs that only the units
// that may be off look at are on units_clk_i, the others on clk_i.  idle_o says that the registers
// hold no valid and no credit.  Write-backs and collections leave in rows: port i is bit or field i.

module frontend_inputs #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize
) (
  input  logic                                clk_i,
  input  logic                                units_clk_i,
  input  logic                                rst_ni,

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

  // Registered, on clk_i
  output logic                                kernel_start_o,
  output logic                                launch_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        launch_warp_o,
  output logic [2:0]                          launch_cta_o,
  output logic                                launch_last_o,
  output logic [tandem_pkg::PcW-1:0]          launch_pc_o,
  output logic [WarpSize-1:0]                 launch_mask_o,
  output logic                                resolve_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        resolve_warp_o,
  output logic [WarpSize-1:0]                 resolve_taken_o,
  output logic                                mem_credit_o,

  // Registered, on units_clk_i but for write-back 3
  output logic                                cfg_lrr_o,
  output logic [3:0]                          wb_valid_o,
  output logic [4*tandem_pkg::WarpW-1:0]      wb_warp_o,
  output logic [4*5-1:0]                      wb_reg_o,
  output logic [4*2-1:0]                      wb_size_o,
  output logic [3:0]                          wb_pred_o,
  output logic [3:0]                          col_valid_o,
  output logic [4*tandem_pkg::WarpW-1:0]      col_warp_o,
  output logic [1:0]                          sp_credit_o,
  output logic                                sfu_credit_o,
  output logic                                fill_valid_o,
  output logic [tandem_pkg::PcW-5:0]          fill_line_o,
  output logic [2:0]                          fill_beat_o,
  output logic [tandem_pkg::InstW-1:0]        fill_data0_o,
  output logic [tandem_pkg::InstW-1:0]        fill_data1_o,

  output logic                                idle_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;

  logic             wb0_valid_q, wb1_valid_q, wb2_valid_q, wb3_valid_q;
  logic [WarpW-1:0] wb0_warp_q, wb1_warp_q, wb2_warp_q, wb3_warp_q;
  logic [4:0]       wb0_reg_q, wb1_reg_q, wb2_reg_q, wb3_reg_q;
  logic [1:0]       wb0_size_q, wb1_size_q, wb2_size_q, wb3_size_q;
  logic             wb0_pred_q, wb1_pred_q, wb2_pred_q, wb3_pred_q;
  logic             col0_valid_q, col1_valid_q, col2_valid_q, col3_valid_q;
  logic [WarpW-1:0] col0_warp_q, col1_warp_q, col2_warp_q, col3_warp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {kernel_start_o, launch_valid_o, resolve_valid_o, wb3_valid_q, mem_credit_o} <= '0;
    else         {kernel_start_o, launch_valid_o, resolve_valid_o, wb3_valid_q, mem_credit_o}
                     <= {kernel_start_i, launch_valid_i, resolve_valid_i, wb3_valid_i, mem_credit_i};
  end
  always_ff @(posedge units_clk_i or negedge rst_ni) begin
    if (!rst_ni)
      {wb0_valid_q, wb1_valid_q, wb2_valid_q, fill_valid_o, sp_credit_o, sfu_credit_o,
       col0_valid_q, col1_valid_q, col2_valid_q, col3_valid_q} <= '0;
    else
      {wb0_valid_q, wb1_valid_q, wb2_valid_q, fill_valid_o, sp_credit_o, sfu_credit_o,
       col0_valid_q, col1_valid_q, col2_valid_q, col3_valid_q}
          <= {wb0_valid_i, wb1_valid_i, wb2_valid_i, fill_valid_i, sp_credit_i, sfu_credit_i,
              col0_valid_i, col1_valid_i, col2_valid_i, col3_valid_i};
  end

  // A payload matters only with its valid.
  always_ff @(posedge clk_i) begin
    if (launch_valid_i)
      {launch_warp_o, launch_cta_o, launch_last_o, launch_pc_o, launch_mask_o}
          <= {launch_warp_i, launch_cta_i, launch_last_i, launch_pc_i, launch_mask_i};
    if (resolve_valid_i) {resolve_warp_o, resolve_taken_o} <= {resolve_warp_i, resolve_taken_i};
    if (wb3_valid_i) {wb3_warp_q, wb3_reg_q, wb3_size_q, wb3_pred_q} <= {wb3_warp_i, wb3_reg_i, wb3_size_i, wb3_pred_i};
  end
  always_ff @(posedge units_clk_i) begin
    cfg_lrr_o <= cfg_lrr_i;
    if (wb0_valid_i) {wb0_warp_q, wb0_reg_q, wb0_size_q, wb0_pred_q} <= {wb0_warp_i, wb0_reg_i, wb0_size_i, wb0_pred_i};
    if (wb1_valid_i) {wb1_warp_q, wb1_reg_q, wb1_size_q, wb1_pred_q} <= {wb1_warp_i, wb1_reg_i, wb1_size_i, wb1_pred_i};
    if (wb2_valid_i) {wb2_warp_q, wb2_reg_q, wb2_size_q, wb2_pred_q} <= {wb2_warp_i, wb2_reg_i, wb2_size_i, wb2_pred_i};
    if (col0_valid_i) col0_warp_q <= col0_warp_i;
    if (col1_valid_i) col1_warp_q <= col1_warp_i;
    if (col2_valid_i || col3_valid_i) begin  // seldom
      if (col2_valid_i) col2_warp_q <= col2_warp_i;
      if (col3_valid_i) col3_warp_q <= col3_warp_i;
    end
    if (fill_valid_i) {fill_line_o, fill_beat_o, fill_data0_o, fill_data1_o}
        <= {fill_line_i, fill_beat_i, fill_data0_i, fill_data1_i};
  end

  assign wb_valid_o  = {wb3_valid_q, wb2_valid_q, wb1_valid_q, wb0_valid_q};
  assign wb_warp_o   = {wb3_warp_q, wb2_warp_q, wb1_warp_q, wb0_warp_q};
  assign wb_reg_o    = {wb3_reg_q, wb2_reg_q, wb1_reg_q, wb0_reg_q};
  assign wb_size_o   = {wb3_size_q, wb2_size_q, wb1_size_q, wb0_size_q};
  assign wb_pred_o   = {wb3_pred_q, wb2_pred_q, wb1_pred_q, wb0_pred_q};
  assign col_valid_o = {col3_valid_q, col2_valid_q, col1_valid_q, col0_valid_q};
  assign col_warp_o  = {col3_warp_q, col2_warp_q, col1_warp_q, col0_warp_q};

  assign idle_o = ~|{kernel_start_o, launch_valid_o, resolve_valid_o, wb_valid_o, col_valid_o,
                     sp_credit_o, sfu_credit_o, mem_credit_o, fill_valid_o};
endmodule
