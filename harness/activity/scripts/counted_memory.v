// A memory of the netlists (tandem_memory.v) that counts its accesses: a model for the measurement
// of activity.
//
// A port reads in a cycle in which its address or what is at that address is another than in the cycle
// before (nobody reads again what is there already); it writes in a cycle in which a bit's enable is 1.
// In a cycle without clock it does neither.
module counted_memory #(
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
  reg [Width-1:0] row;

  // Accesses of all ports together; only differences mean something.
  reg [31:0] reads /*verilator public_flat_rd*/;
  reg [31:0] writes /*verilator public_flat_rd*/;
  reg [31:0] reads_now, writes_now;
  reg [Reads*Abits-1:0] addr_was;
  reg [Reads*Width-1:0] data_was;

  always @* begin
    for (int r = 0; r < Reads; r++) r_data[r*Width+:Width] = rows[r_addr[r*Abits+:Abits]];
  end

  // A port writes whole rows, with what the ports below it write there: the highest wins.
  always @(posedge clk) begin
    for (int w = 0; w < Writes; w++) begin
      row = rows[w_addr[w*Abits+:Abits]];
      for (int v = 0; v <= w; v++) begin
        if (w_addr[v*Abits+:Abits] == w_addr[w*Abits+:Abits]) begin
          row = (row & ~w_en[v*Width+:Width]) | (w_data[v*Width+:Width] & w_en[v*Width+:Width]);
        end
      end
      if (w_en[w*Width+:Width] != 0) rows[w_addr[w*Abits+:Abits]] <= row;
    end
  end

  always @(posedge clk) begin
    reads_now = reads;
    writes_now = writes;
    for (int r = 0; r < Reads; r++) begin
      if (r_addr[r*Abits+:Abits] != addr_was[r*Abits+:Abits] ||
          r_data[r*Width+:Width] != data_was[r*Width+:Width]) reads_now = reads_now + 1;
    end
    for (int w = 0; w < Writes; w++) begin
      if (w_en[w*Width+:Width] != 0) writes_now = writes_now + 1;
    end
    reads    <= reads_now;
    writes   <= writes_now;
    addr_was <= r_addr;
    data_was <= r_data;
  end
endmodule
