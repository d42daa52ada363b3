// The two buffers of a pair and the accesses to them: part of comm_pair, whose registered copies its
// inputs are.  Data of a read come in the next cycle.
//
// Word i is in bank i mod Banks, row i div Banks; a side has one word of each bank in a cycle.  A
// bank has one port, which its buffer's side has to itself.
//
// Illegal: a read and a write of the same buffer in a cycle.

module comm_store #(
  parameter int unsigned Rows = 32,  // of a buffer
  parameter int unsigned Banks = 32,
  localparam int unsigned RowW = $clog2(Rows)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  w_i,       // buffer that is written
  input  logic                  r_i,       // buffer that is read
  input  logic                  p_takes_i,
  input  logic [Banks-1:0]      p_bank_i,
  input  logic [RowW*Banks-1:0] p_row_i,
  input  logic [32*Banks-1:0]   p_data_i,
  input  logic                  c_takes_i,
  input  logic [Banks-1:0]      c_bank_i,
  input  logic [RowW*Banks-1:0] c_row_i,
`ifdef FORMAL
  input  logic                  watch_bank_i,  // of the two lowest
  input  logic [RowW-1:0]       watch_row_i,
  output logic [31:0]           watch0_o,
  output logic [31:0]           watch1_o,
`endif
  output logic                  c_rsp_o,
  output logic [32*Banks-1:0]   c_data_o   // 0 of banks that were not asked for
);
  for (genvar i = 0; i < 2; i++) begin : g_buffer
    logic                writes, reads;
    logic [32*Banks-1:0] data;
`ifdef FORMAL
    logic [32*Banks-1:0] watch;
`endif
    assign writes = p_takes_i & (w_i == 1'(i));
    assign reads  = c_takes_i & (r_i == 1'(i));
    for (genvar b = 0; b < Banks; b++) begin : g_bank
      logic            valid;
      logic [RowW-1:0] row;
      assign valid = (writes & p_bank_i[b]) | (reads & c_bank_i[b]);
      assign row   = writes ? p_row_i[RowW*b +: RowW] : c_row_i[RowW*b +: RowW];
      comm_bank #(
        .Rows(Rows)
      ) u_bank (
        .clk_i,
        .valid_i(valid),
        .write_i(writes),
        .row_i  (row),
        .data_i (p_data_i[32*b +: 32]),
`ifdef FORMAL
        .watch_row_i,
        .watch_o(watch[32*b +: 32]),
`endif
        .data_o (data[32*b +: 32])
      );
    end
  end

  // The last read: from which buffer, in which banks.
  logic             c_rsp_q, from_q;
  logic [Banks-1:0] banks_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) c_rsp_q <= 1'b0;
    else         c_rsp_q <= c_takes_i;
  end
  always_ff @(posedge clk_i) begin
    if (c_takes_i) begin
      from_q  <= r_i;
      banks_q <= c_bank_i;
    end
  end
  assign c_rsp_o = c_rsp_q;
  always_comb begin
    c_data_o = '0;
    if (c_rsp_q) begin
      c_data_o = from_q ? g_buffer[1].data : g_buffer[0].data;
      for (int b = 0; b < Banks; b++) if (!banks_q[b]) c_data_o[32*b +: 32] = '0;
    end
  end

`ifdef FORMAL
  assign watch0_o = watch_bank_i ? g_buffer[0].watch[63:32] : g_buffer[0].watch[31:0];
  assign watch1_o = watch_bank_i ? g_buffer[1].watch[63:32] : g_buffer[1].watch[31:0];
`endif
endmodule
