// A memory of the netlists: what its macro does (memory.v says what becomes one).
module tandem_memory #(
  parameter Words = 4,
  parameter Width = 8,
  parameter Abits = 2,
  parameter Reads = 1,
  parameter Writes = 1
) (
  input                          clk,
  input      [Reads*Abits-1:0]   r_addr,
  output reg [Reads*Width-1:0]   r_data,
  input      [Writes*Abits-1:0]  w_addr,
  input      [Writes*Width-1:0]  w_data,
  input      [Writes*Width-1:0]  w_en  // of each bit
);
  reg [Width-1:0] rows [2**Abits];

  always @* begin
    for (int r = 0; r < Reads; r++) r_data[r*Width+:Width] = rows[r_addr[r*Abits+:Abits]];
  end

  // Ports that write the same row write the same value, in whose bits the highest port wins.
  reg [Width-1:0] row;
  always @(posedge clk) begin
    for (int w = 0; w < Writes; w++) begin
      row = rows[w_addr[w*Abits+:Abits]];
      for (int v = 0; v < Writes; v++) begin
        if (w_addr[v*Abits+:Abits] == w_addr[w*Abits+:Abits])
          row = (row & ~w_en[v*Width+:Width]) | (w_data[v*Width+:Width] & w_en[v*Width+:Width]);
      end
      if (w_en[w*Width+:Width] != 0) rows[w_addr[w*Abits+:Abits]] <= row;
    end
  end
endmodule
