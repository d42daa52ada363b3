// Bank of a communication buffer: a memory of 32-bit words with one port, which writes or reads a
// row in a cycle.  The word read is at data_o from the next cycle until the next read.  Rows are
// not reset; models write zeros to them before a simulation starts (rtl/spu/comm_pair_model.h).

module comm_bank #(
  parameter int unsigned Rows = 32,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic            clk_i,
  input  logic            valid_i,
  input  logic            write_i,  // else it reads
  input  logic [RowW-1:0] row_i,
  input  logic [31:0]     data_i,
`ifdef FORMAL
  input  logic [RowW-1:0] watch_row_i,
  output logic [31:0]     watch_o,
`endif
  output logic [31:0]     data_o
);
  logic [31:0] ram_q [Rows]  /*verilator public_flat_rw*/;
  logic [31:0] data_q;

  always_ff @(posedge clk_i) begin
    if (valid_i && write_i)  ram_q[row_i] <= data_i;
    if (valid_i && !write_i) data_q <= ram_q[row_i];
  end
  assign data_o = data_q;

`ifdef FORMAL
  assign watch_o = ram_q[watch_row_i];
`endif
endmodule
