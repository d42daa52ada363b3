// The registered inputs of a front end: nothing looks at an input before its register.  Why not use
// inputs at once, a cycle earlier?  A unit's outputs then depend on its inputs within a cycle, units
// could not be evaluated in any order, and a simulator works out all that hangs on an input twice.
//
// A payload is taken only with its valid, and keeps its value without.  Write-backs and collections
// are rows, port k being bit or field k (SP 0, SP 1, SFU, MEM): of each port, too, the payload is
// taken with its own valid alone.  Inputs that only the units that may be off look at are on
// units_clk_i, the others on clk_i.  idle_o says that the registers hold no valid and no credit.

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
  input  tandem_pkg::launch_t                 launch_i,
  input  logic [WarpSize-1:0]                 launch_mask_i,

  // Back end: branches and exits; write-backs and operands collected, a bit or field of SP 0, SP 1, SFU,
  // MEM; slots freed
  input  logic                                resolve_valid_i,
  input  logic [tandem_pkg::WarpW-1:0]        resolve_warp_i,
  input  logic [WarpSize-1:0]                 resolve_taken_i,
  input  logic [3:0]                          wb_valid_i,
  input  tandem_pkg::writeback_t              wb_i,
  input  logic [3:0]                          col_valid_i,
  input  logic [4*tandem_pkg::WarpW-1:0]      col_warp_i,
  input  tandem_pkg::credit_t                 credit_i,

  // Instruction memory
  input  logic                                fill_valid_i,
  input  tandem_pkg::fill_t                   fill_i,

  // Registered: on clk_i, and on units_clk_i what units that may be off look at
  output logic                                cfg_lrr_o,
  output logic                                kernel_start_o,
  output logic                                launch_valid_o,
  output tandem_pkg::launch_t                 launch_o,
  output logic [WarpSize-1:0]                 launch_mask_o,
  output logic                                resolve_valid_o,
  output logic [tandem_pkg::WarpW-1:0]        resolve_warp_o,
  output logic [WarpSize-1:0]                 resolve_taken_o,
  output logic [3:0]                          wb_valid_o,
  output tandem_pkg::writeback_t              wb_o,
  output logic [3:0]                          col_valid_o,
  output logic [4*tandem_pkg::WarpW-1:0]      col_warp_o,
  output tandem_pkg::credit_t                 credit_o,
  output logic                                fill_valid_o,
  output tandem_pkg::fill_t                   fill_o,

  output logic                                idle_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;

  // Inputs of units that may be off, in rows: write-backs but that of MEM, collections.
  logic [2:0]         wb_valid_q, wb_pred_q;
  logic [3*WarpW-1:0] wb_warp_q;
  logic [3*5-1:0]     wb_reg_q;
  logic [3*2-1:0]     wb_size_q;
  // The write-back of MEM, which a member's other ports take, too.
  logic               mem_valid_q, mem_pred_q;
  logic [WarpW-1:0]   mem_warp_q;
  logic [4:0]         mem_reg_q;
  logic [1:0]         mem_size_q;

  logic [1:0]         sp_credit_q;
  logic               sfu_credit_q, mem_credit_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {kernel_start_o, launch_valid_o, resolve_valid_o, mem_valid_q, mem_credit_q} <= '0;
    else         {kernel_start_o, launch_valid_o, resolve_valid_o, mem_valid_q, mem_credit_q}
                     <= {kernel_start_i, launch_valid_i, resolve_valid_i, wb_valid_i[3], credit_i.mem};
  end
  always_ff @(posedge units_clk_i or negedge rst_ni) begin
    if (!rst_ni)
      {wb_valid_q, fill_valid_o, sp_credit_q, sfu_credit_q, col_valid_o} <= '0;
    else
      {wb_valid_q, fill_valid_o, sp_credit_q, sfu_credit_q, col_valid_o}
          <= {wb_valid_i[2:0], fill_valid_i, credit_i.sp, credit_i.sfu, col_valid_i};
  end

  // A payload matters only with its valid.
  always_ff @(posedge clk_i) begin
    if (launch_valid_i)  {launch_o, launch_mask_o} <= {launch_i, launch_mask_i};
    if (resolve_valid_i) {resolve_warp_o, resolve_taken_o} <= {resolve_warp_i, resolve_taken_i};
    if (wb_valid_i[3])   {mem_warp_q, mem_reg_q, mem_size_q, mem_pred_q}
        <= {wb_i.warp[3*WarpW+:WarpW], wb_i.dst[3*5+:5], wb_i.size[3*2+:2], wb_i.pred[3]};
  end
  always_ff @(posedge units_clk_i) begin
    cfg_lrr_o <= cfg_lrr_i;
    for (int k = 0; k < 3; k++) begin
      if (wb_valid_i[k]) begin
        wb_warp_q[k*WarpW+:WarpW] <= wb_i.warp[k*WarpW+:WarpW];
        wb_reg_q[k*5+:5]          <= wb_i.dst[k*5+:5];
        wb_size_q[k*2+:2]         <= wb_i.size[k*2+:2];
        wb_pred_q[k]              <= wb_i.pred[k];
      end
    end
    for (int k = 0; k < 4; k++)
      if (col_valid_i[k]) col_warp_o[k*WarpW+:WarpW] <= col_warp_i[k*WarpW+:WarpW];
    if (fill_valid_i) fill_o <= fill_i;
  end

  assign wb_valid_o = {mem_valid_q, wb_valid_q};
  assign wb_o       = {mem_warp_q, wb_warp_q, mem_reg_q, wb_reg_q, mem_size_q, wb_size_q, mem_pred_q, wb_pred_q};
  assign credit_o   = {sp_credit_q, sfu_credit_q, mem_credit_q};

  assign idle_o = ~|{kernel_start_o, launch_valid_o, resolve_valid_o, wb_valid_o, col_valid_o, credit_o,
                     fill_valid_o};
endmodule
