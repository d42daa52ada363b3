// The pipeline that a scheduler's pick takes a slot of; without a pick all outputs are 0.

module issue_pick #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter bit          Parity = 1'b0  // of the scheduler's warps
) (
  input  logic                         valid_i,
  input  logic [tandem_pkg::WarpW-1:0] warp_i,
  input  logic [Warps-1:0]             sfu_i,
  input  logic [Warps-1:0]             mem_i,
  input  logic [Warps-1:0]             not_sp_i,
  output logic                         sp_o,
  output logic                         sfu_o,
  output logic                         mem_o
);
  logic [tandem_pkg::WarpW-1:0] warp;
  assign warp = {warp_i[tandem_pkg::WarpW-1:1], Parity};

  always_comb begin
    {sp_o, sfu_o, mem_o} = '0;
    if (valid_i) begin
      if (((not_sp_i >> warp) & Warps'(1)) == '0) begin
        sp_o  = 1'b1;
      end else begin
        sfu_o = ((sfu_i >> warp) & Warps'(1)) != '0;
        mem_o = ((mem_i >> warp) & Warps'(1)) != '0;
      end
    end
  end

  logic unused_bit;
  assign unused_bit = 1'b0 & warp_i[0];
endmodule
