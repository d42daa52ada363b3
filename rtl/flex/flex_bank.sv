// One bank of a flex_context: the words of its rows, of which one is written, one even and one odd row read in a
// cycle, and the entries of their stacks (simt_entries).  A row has two words, which are written together, or
// the first one alone.  Reads are combinational and see what was there before the cycle.  No reset: nothing is read
// before it was written.

module flex_bank #(
  parameter  int unsigned Rows       = 12,
  parameter  int unsigned EntryW     = 96,
  parameter  int unsigned StackDepth = 16,
  localparam int unsigned DepthW     = $clog2(StackDepth + 1),
  localparam int unsigned RowW       = $clog2(Rows),
  localparam int unsigned WordW      = tandem_pkg::InstW + tandem_pkg::DecW,
  localparam int unsigned AccessW    = 5 * RowW + 2 * DepthW + 3 + 2 * WordW + 2 * EntryW,
  localparam int unsigned ResultW    = 2 * WordW + EntryW
) (
  input  logic               clk_i,
  input  logic               wr_i,
  input  logic [1:0]         push_i,
  input  logic [AccessW-1:0] access_i,  // fields as in flex_request
  output logic [ResultW-1:0] result_o
);
  logic [RowW-1:0]   wr_row, rd0_row, rd1_row, push_row, pop_row;
  logic [DepthW-1:0] push_depth, pop_at;
  logic              wr_two, rd0_b, rd1_b;
  logic [WordW-1:0]  wr_word0, wr_word1, rd0_word, rd1_word;
  logic [EntryW-1:0] push0, push1, pop_entry;
  assign {wr_row, rd0_row, rd1_row, push_row, pop_row, push_depth, pop_at, wr_two, rd0_b, rd1_b, wr_word0,
          wr_word1, push0, push1} = access_i;
  assign result_o = {rd0_word, rd1_word, pop_entry};

  logic [WordW-1:0] word0_q [Rows]  /*verilator public_flat_rd*/;
  logic [WordW-1:0] word1_q [Rows]  /*verilator public_flat_rd*/;
  always_ff @(posedge clk_i) begin
    if (wr_i) begin
      word0_q[wr_row] <= wr_word0;
      if (wr_two) word1_q[wr_row] <= wr_word1;
    end
  end

  logic [RowW-1:0] even, odd;
  assign even = (rd0_row >> 1) << 1;
  assign odd  = rd1_row | RowW'(1);
  always_comb begin
    rd0_word = rd0_b ? word1_q[even] : word0_q[even];
    rd1_word = rd1_b ? word1_q[odd] : word0_q[odd];
  end

  logic unused_met;
  simt_entries #(
    .Warps     (Rows),
    .EntryW    (EntryW),
    .StackDepth(StackDepth),
    .Met       (1'b0)
  ) u_entries (
    .clk_i, .push_i, .push_warp_i(tandem_pkg::WarpW'(push_row)), .push_depth_i(push_depth),
    .push0_entry_i(push0), .push0_met_i(1'b0), .push1_entry_i(push1), .push1_met_i(1'b0),
    .rd_warp_i(tandem_pkg::WarpW'(pop_row)), .rd_entry_i(pop_at), .rd_entry_o(pop_entry), .rd_met_o(unused_met)
  );
endmodule
