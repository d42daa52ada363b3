// Rotator of a DMA engine: four lanes of eight words; lane i of the output is lane i + turn of the
// input, or 0 if it is not kept.  Combinational.

module dma_rotator #(
  parameter int unsigned Width = 256  // of a lane
) (
  input  logic [1:0]         turn_i,
  input  logic [3:0]         keep_i,
  input  logic [4*Width-1:0] data_i,
  output logic [4*Width-1:0] data_o
);
  logic [1:0]         turn;
  logic [4*Width-1:0] half, turned;  // by two lanes, by one more
  always_comb begin
    turn   = `FAULT(18, turn_i, turn_i == 2'd3 ? 2'd1 : turn_i);
    half   = '0;
    turned = '0;
    data_o = '0;
    if (keep_i != '0) begin
      half   = turn[1] ? {data_i[0 +: 2*Width], data_i[2*Width +: 2*Width]} : data_i;
      turned = turn[0] ? {half[0 +: Width], half[Width +: 3*Width]} : half;
      for (int i = 0; i < 4; i++)
        if (keep_i[i]) data_o[Width*i +: Width] = turned[Width*i +: Width];
    end
  end
endmodule
