// One requester of a flex_context: where its rows lie, and which bank answers it.  Combinational.
//
// A requester numbers its rows from 0.  upper_only_i: it has bank 1 alone, so that its row 0 is the first one
// of that bank.

module flex_request #(
  parameter  int unsigned Rows    = 24,
  parameter  int unsigned EntryW  = 96,
  parameter  int unsigned DepthW  = 5,
  localparam int unsigned RowW    = $clog2(Rows),
  localparam int unsigned LocalW  = $clog2(Rows / 2),
  localparam int unsigned WordW   = tandem_pkg::InstW + tandem_pkg::DecW,
  localparam int unsigned AccessW = 5 * LocalW + 2 * DepthW + 3 + 2 * WordW + 2 * EntryW,
  localparam int unsigned ResultW = 2 * WordW + EntryW
) (
  input  logic               upper_only_i,

  input  logic               wr_valid_i,
  input  logic [RowW-1:0]    wr_row_i,
  input  logic               wr_two_i,
  input  logic [WordW-1:0]   wr_word0_i,
  input  logic [WordW-1:0]   wr_word1_i,
  input  logic               rd0_valid_i,
  input  logic [RowW-1:0]    rd0_row_i,
  input  logic               rd0_b_i,
  input  logic               rd1_valid_i,
  input  logic [RowW-1:0]    rd1_row_i,
  input  logic               rd1_b_i,
  input  logic [1:0]         push_i,
  input  logic [RowW-1:0]    push_row_i,
  input  logic [DepthW-1:0]  push_depth_i,
  input  logic [EntryW-1:0]  push0_i,
  input  logic [EntryW-1:0]  push1_i,
  input  logic               pop_valid_i,
  input  logic [RowW-1:0]    pop_row_i,
  input  logic [DepthW-1:0]  pop_at_i,

  output logic [WordW-1:0]   rd0_word_o,
  output logic [WordW-1:0]   rd1_word_o,
  output logic [EntryW-1:0]  pop_entry_o,

  // To the banks: bit b, for bank b; the access, which is the same for both; what they answer
  output logic [1:0]         wr_o,
  output logic [1:0]         rd0_o,
  output logic [1:0]         rd1_o,
  output logic [1:0]         push0_o,
  output logic [1:0]         push1_o,
  output logic [1:0]         pop_o,
  output logic [AccessW-1:0] access_o,
  input  logic [ResultW-1:0] bank0_i,
  input  logic [ResultW-1:0] bank1_i
);
  localparam logic [RowW-1:0] Half = RowW'(Rows / 2);

  // By bank: an access to this row is one of its own.
  function automatic logic [1:0] banks(input logic valid, input logic [RowW-1:0] row, input logic upper);
    banks = {valid & (upper ^ (row >= Half)), valid & ~upper & (row < Half)};
  endfunction
  // The row's place within the bank.
  function automatic logic [LocalW-1:0] place(input logic [RowW-1:0] row);
    place = LocalW'(row >= Half ? row - Half : row);
  endfunction

  assign wr_o    = banks(wr_valid_i, wr_row_i, upper_only_i);
  assign rd0_o   = banks(rd0_valid_i, rd0_row_i, upper_only_i);
  assign rd1_o   = banks(rd1_valid_i, rd1_row_i, upper_only_i);
  assign push0_o = banks(push_i[0], push_row_i, upper_only_i);
  assign push1_o = banks(push_i[1], push_row_i, upper_only_i);
  assign pop_o   = banks(pop_valid_i, pop_row_i, upper_only_i);
  assign access_o = {place(wr_row_i), place(rd0_row_i), place(rd1_row_i), place(push_row_i), place(pop_row_i),
                     push_depth_i, pop_at_i, wr_two_i, rd0_b_i, rd1_b_i, wr_word0_i, wr_word1_i, push0_i,
                     push1_i};

  logic [WordW-1:0]  rd0_word0, rd0_word1, rd1_word0, rd1_word1;
  logic [EntryW-1:0] pop_entry0, pop_entry1;
  assign {rd0_word0, rd1_word0, pop_entry0} = bank0_i;
  assign {rd0_word1, rd1_word1, pop_entry1} = bank1_i;
  assign rd0_word_o  = ({WordW{rd0_o[0]}} & rd0_word0) | ({WordW{rd0_o[1]}} & rd0_word1);
  assign rd1_word_o  = ({WordW{rd1_o[0]}} & rd1_word0) | ({WordW{rd1_o[1]}} & rd1_word1);
  assign pop_entry_o = ({EntryW{pop_o[0]}} & pop_entry0) | ({EntryW{pop_o[1]}} & pop_entry1);
endmodule
