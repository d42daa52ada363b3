// flex_context: a requester that owns a bank reads what was written there last, whatever the others do, legal or not.
// The proof follows a row, a word of it and an entry of its stack that are any, of which it looks at two bits: all
// bits go the same way.  Owners may change at any time.
//
// Rows of a requester: those of the SM itself and of the left neighbour are numbered as the SM's, so are those of a
// right neighbour that has bank 0; those of one that has bank 1 alone begin there.
module flex_context_formal #(
  parameter int unsigned Rows  = 4,
  parameter int unsigned Lanes = 1,
  parameter int unsigned Depth = 4,
  localparam int unsigned RowW   = $clog2(Rows),
  localparam int unsigned DepthW = $clog2(Depth + 1)
) (
`include "csim/ports/flex_context_inputs.svh"
);
  always_comb assume (clk_i);

`include "csim/ports/flex_context_outputs.svh"
  flex_context #(
    .Rows (Rows),
    .Lanes(Lanes),
    .Depth(Depth)
  ) u_context (
    .*
  );

  (* anyconst *) logic [RowW-1:0]   row;
  (* anyconst *) logic              second;
  (* anyconst *) logic [DepthW-1:0] entry;
  localparam int unsigned WordW = 2;
  localparam int unsigned EntryW = 2;

  // Its bank's owner, and the row's number for each requester.
  logic [1:0]      owner;
  logic            own, left, right;
  logic [RowW-1:0] right_row;
  always_comb begin
    owner     = row < RowW'(Rows / 2) ? owner_i[1:0] : owner_i[3:2];
    own       = owner == 2'd0;
    left      = owner == 2'd1;
    right     = owner == 2'd2;
    right_row = owner_i[1:0] == 2'd2 ? row : row - RowW'(Rows / 2);
    assume (owner_i[1:0] != 2'd3 && owner_i[3:2] != 2'd3);
  end

  // The last write, by the owner.
  logic             word_known_q, entry_known_q;
  logic [WordW-1:0] word_q;
  logic [EntryW-1:0] entry_q;
  initial word_known_q = 1'b0;
  initial entry_known_q = 1'b0;
  logic wr_own, wr_left, wr_right;
  assign wr_own   = own && own_wr_valid_i && own_wr_row_i == row && (own_wr_two_i || !second);
  assign wr_left  = left && left_wr_valid_i && left_wr_row_i == row && (left_wr_two_i || !second);
  assign wr_right = right && right_wr_valid_i && right_wr_row_i == right_row && (right_wr_two_i || !second);
  always_ff @(posedge clk_i) begin
    if (wr_own) word_q <= second ? {own_wr_dec1_i[14], own_wr_inst1_i[0]} : {own_wr_dec0_i[14], own_wr_inst0_i[0]};
    if (wr_left) word_q <= second ? {left_wr_dec1_i[14], left_wr_inst1_i[0]} : {left_wr_dec0_i[14], left_wr_inst0_i[0]};
    if (wr_right) word_q <= second ? {right_wr_dec1_i[14], right_wr_inst1_i[0]} : {right_wr_dec0_i[14], right_wr_inst0_i[0]};
    word_known_q <= word_known_q | wr_own | wr_left | wr_right;
  end

  // By requester: bit 0, the lower push is the entry; bit 1, the upper one.
  logic [1:0] push_own, push_left, push_right;
  always_comb begin
    push_own   = own_push_i & {2{own && own_push_row_i == row}};
    push_left  = left_push_i & {2{left && left_push_row_i == row}};
    push_right = right_push_i & {2{right && right_push_row_i == right_row}};
    // Pushes are within the stack, and the upper one is not alone.
    assume (own_push_i != 2'd2 && left_push_i != 2'd2 && right_push_i != 2'd2);
    assume (own_push_depth_i + DepthW'(own_push_i[0]) + DepthW'(own_push_i[1]) <= DepthW'(Depth));
    assume (left_push_depth_i + DepthW'(left_push_i[0]) + DepthW'(left_push_i[1]) <= DepthW'(Depth));
    assume (right_push_depth_i + DepthW'(right_push_i[0]) + DepthW'(right_push_i[1]) <= DepthW'(Depth));
    assume (own_push_depth_i <= DepthW'(Depth) && left_push_depth_i <= DepthW'(Depth) &&
            right_push_depth_i <= DepthW'(Depth));
    assume (entry != '0 && entry <= DepthW'(Depth));
    if (entry != own_push_depth_i + DepthW'(1)) push_own[0] = 1'b0;
    if (entry != own_push_depth_i + DepthW'(2)) push_own[1] = 1'b0;
    if (entry != left_push_depth_i + DepthW'(1)) push_left[0] = 1'b0;
    if (entry != left_push_depth_i + DepthW'(2)) push_left[1] = 1'b0;
    if (entry != right_push_depth_i + DepthW'(1)) push_right[0] = 1'b0;
    if (entry != right_push_depth_i + DepthW'(2)) push_right[1] = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (push_own[0]) entry_q <= {own_push0_mask_i[0], own_push0_pcs_i[31]};
    if (push_own[1]) entry_q <= {own_push1_mask_i[0], own_push1_pcs_i[31]};
    if (push_left[0]) entry_q <= {left_push0_mask_i[0], left_push0_pcs_i[31]};
    if (push_left[1]) entry_q <= {left_push1_mask_i[0], left_push1_pcs_i[31]};
    if (push_right[0]) entry_q <= {right_push0_mask_i[0], right_push0_pcs_i[31]};
    if (push_right[1]) entry_q <= {right_push1_mask_i[0], right_push1_pcs_i[31]};
    entry_known_q <= entry_known_q | push_own != '0 | push_left != '0 | push_right != '0;
  end

  // Reads by the owner.
  logic read_own, read_left, read_right;
  always_comb begin
    read_own   = row[0] ? own && own_rd1_valid_i && own_rd1_row_i == row && own_rd1_b_i == second :
                 own && own_rd0_valid_i && own_rd0_row_i == row && own_rd0_b_i == second;
    read_left  = row[0] ? left && left_rd1_valid_i && left_rd1_row_i == row && left_rd1_b_i == second :
                 left && left_rd0_valid_i && left_rd0_row_i == row && left_rd0_b_i == second;
    read_right = row[0] ? right && right_rd1_valid_i && right_rd1_row_i == right_row && right_rd1_b_i == second :
                 right && right_rd0_valid_i && right_rd0_row_i == right_row && right_rd0_b_i == second;
    if (word_known_q) begin
      if (read_own) assert (word_q == (row[0] ? {own_rd1_dec_o[14], own_rd1_inst_o[0]} : {own_rd0_dec_o[14], own_rd0_inst_o[0]}));
      if (read_left)
        assert (word_q == (row[0] ? {left_rd1_dec_o[14], left_rd1_inst_o[0]} : {left_rd0_dec_o[14], left_rd0_inst_o[0]}));
      if (read_right)
        assert (word_q == (row[0] ? {right_rd1_dec_o[14], right_rd1_inst_o[0]} : {right_rd0_dec_o[14], right_rd0_inst_o[0]}));
      cover (read_right && !own_wr_valid_i);
    end
    if (entry_known_q) begin
      if (own && own_pop_valid_i && own_pop_row_i == row && own_pop_at_i == entry)
        assert (entry_q == {own_pop_mask_o[0], own_pop_pcs_o[31]});
      if (left && left_pop_valid_i && left_pop_row_i == row && left_pop_at_i == entry)
        assert (entry_q == {left_pop_mask_o[0], left_pop_pcs_o[31]});
      if (right && right_pop_valid_i && right_pop_row_i == right_row && right_pop_at_i == entry)
        assert (entry_q == {right_pop_mask_o[0], right_pop_pcs_o[31]});
      cover (right && right_pop_valid_i && right_pop_row_i == right_row && right_pop_at_i == entry);
    end
    // Nothing comes to a requester that does not ask.
    if (!own_rd0_valid_i) assert (own_rd0_inst_o[0] == 1'b0);
    if (!left_rd1_valid_i) assert (left_rd1_inst_o[0] == 1'b0);
    if (!right_pop_valid_i) assert (right_pop_mask_o[0] == 1'b0);
  end
endmodule
