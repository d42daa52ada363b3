// Tags of one way of L1D in a Flex SM, in two banks of 16 rows that can each be lent, with a valid bit a row
// (docs/hardware/flex.md, flex_tags).
//
// owner_i says whose bank 0 and bank 1 are: 0 the SM's own, 1 the left, 2 the right neighbour's.  A requester that has
// both banks finds a set in the bank of the set's highest bit.  One that has a single bank finds in this way
// only the sets whose highest bit is that of the way's number, since the other sets are in other ways.
//
// A lookup is combinational and sees what was there before the cycle.  A write stores a tag, or drops what is
// there.  kernel_start drops everything and wins.
//
// Illegal: a lookup or a write of a requester that has no bank, or a write to a set that is not in this way.

module flex_tags #(
  parameter  logic [1:0]  Way    = 2'd0,
  parameter  int unsigned TagW   = 20,
  parameter  int unsigned Sets   = 32,
  localparam int unsigned SetW   = $clog2(Sets)
) (
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            kernel_start_i,
  input  logic [3:0]      owner_i,  // 2 bits a bank

  // The SM itself
  input  logic            own_valid_i,
  input  logic [SetW-1:0] own_set_i,
  input  logic [TagW-1:0] own_tag_i,
  output logic            own_hit_o,
  input  logic            own_wr_i,
  input  logic            own_wr_keep_i,  // 0: the row becomes empty
  input  logic [SetW-1:0] own_wr_set_i,
  input  logic [TagW-1:0] own_wr_tag_i,

  // The neighbour on the left
  input  logic            left_valid_i,
  input  logic [SetW-1:0] left_set_i,
  input  logic [TagW-1:0] left_tag_i,
  output logic            left_hit_o,
  input  logic            left_wr_i,
  input  logic            left_wr_keep_i,
  input  logic [SetW-1:0] left_wr_set_i,
  input  logic [TagW-1:0] left_wr_tag_i,

  // The neighbour on the right
  input  logic            right_valid_i,
  input  logic [SetW-1:0] right_set_i,
  input  logic [TagW-1:0] right_tag_i,
  output logic            right_hit_o,
  input  logic            right_wr_i,
  input  logic            right_wr_keep_i,
  input  logic [SetW-1:0] right_wr_set_i,
  input  logic [TagW-1:0] right_wr_tag_i
);
  localparam int unsigned RowW = SetW - 1;
  localparam int unsigned Rows = Sets / 2;

  // By requester: the banks that it has; by bank: whether its access goes there.
  logic [1:0] own_has, left_has, right_has;
  logic [1:0] own_wr, left_wr, right_wr, own_at, left_at, right_at;
  always_comb begin
    for (int b = 0; b < 2; b++) begin
      own_has[b]   = owner_i[2*b+:2] == 2'd0;
      left_has[b]  = owner_i[2*b+:2] == 2'd1;
      right_has[b] = owner_i[2*b+:2] == 2'd2;
    end
  end
  assign own_at   = banks(own_has, own_valid_i, own_set_i[RowW]);
  assign left_at  = banks(left_has, left_valid_i, left_set_i[RowW]);
  assign right_at = banks(right_has, right_valid_i, right_set_i[RowW]);
  assign own_wr   = banks(own_has, own_wr_i, own_wr_set_i[RowW]);
  assign left_wr  = banks(left_has, left_wr_i, left_wr_set_i[RowW]);
  assign right_wr = banks(right_has, right_wr_i, right_wr_set_i[RowW]);

  // The bank of a set, as a set of banks: none if it is in another way.
  function automatic logic [1:0] banks(input logic [1:0] has, input logic valid, input logic high);
    case (has)
      2'b11:   banks = {valid & high, valid & ~high};
      default: banks = has & {2{valid & (high == Way[1])}};
    endcase
  endfunction

  logic [Rows-1:0]   valid0_q  /*verilator public_flat_rd*/;
  logic [Rows-1:0]   valid1_q  /*verilator public_flat_rd*/;
  logic [TagW-1:0]   tag0_q [Rows]  /*verilator public_flat_rd*/;
  logic [TagW-1:0]   tag1_q [Rows]  /*verilator public_flat_rd*/;

  // By bank: the accesses of its owner.
  logic [RowW-1:0] row0, row1, wr_row0, wr_row1;
  logic [TagW-1:0] want0, want1, wr_tag0, wr_tag1;
  logic            wr0, wr1, keep0, keep1, hit0, hit1;
  always_comb begin
    {row0, want0, wr0, keep0, wr_row0, wr_tag0} = {own_set_i[RowW-1:0], own_tag_i, own_wr[0], own_wr_keep_i,
                                                   own_wr_set_i[RowW-1:0], own_wr_tag_i};
    {row1, want1, wr1, keep1, wr_row1, wr_tag1} = {own_set_i[RowW-1:0], own_tag_i, own_wr[1], own_wr_keep_i,
                                                   own_wr_set_i[RowW-1:0], own_wr_tag_i};
    if (left_has[0])
      {row0, want0, wr0, keep0, wr_row0, wr_tag0} = {left_set_i[RowW-1:0], left_tag_i, left_wr[0], left_wr_keep_i,
                                                     left_wr_set_i[RowW-1:0], left_wr_tag_i};
    if (left_has[1])
      {row1, want1, wr1, keep1, wr_row1, wr_tag1} = {left_set_i[RowW-1:0], left_tag_i, left_wr[1], left_wr_keep_i,
                                                     left_wr_set_i[RowW-1:0], left_wr_tag_i};
    if (right_has[0])
      {row0, want0, wr0, keep0, wr_row0, wr_tag0} = {right_set_i[RowW-1:0], right_tag_i, right_wr[0],
                                                     right_wr_keep_i, right_wr_set_i[RowW-1:0], right_wr_tag_i};
    if (right_has[1])
      {row1, want1, wr1, keep1, wr_row1, wr_tag1} = {right_set_i[RowW-1:0], right_tag_i, right_wr[1],
                                                     right_wr_keep_i, right_wr_set_i[RowW-1:0], right_wr_tag_i};
  end

  always_comb begin
    hit0 = valid0_q[row0] && tag0_q[row0] == want0;
    hit1 = valid1_q[row1] && tag1_q[row1] == want1;
  end
  assign own_hit_o   = (own_at & {hit1, hit0}) != '0;
  assign left_hit_o  = (left_at & {hit1, hit0}) != '0;
  assign right_hit_o = (right_at & {hit1, hit0}) != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid0_q <= '0;
      valid1_q <= '0;
    end else if (kernel_start_i) begin
      valid0_q <= '0;
      valid1_q <= '0;
    end else begin
      if (wr0) valid0_q[wr_row0] <= keep0;
      if (wr1) valid1_q[wr_row1] <= keep1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (wr0 && keep0) tag0_q[wr_row0] <= wr_tag0;
    if (wr1 && keep1) tag1_q[wr_row1] <= wr_tag1;
  end

`ifndef SYNTHESIS
  // The caller's contract.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      own_in_a_way:       assert (!own_valid_i || own_has != '0);
      left_in_a_way:      assert (!left_valid_i || left_has != '0);
      right_in_a_way:     assert (!right_valid_i || right_has != '0);
      own_writes_a_way:   assert (!own_wr_i || own_wr != '0);
      left_writes_a_way:  assert (!left_wr_i || left_wr != '0);
      right_writes_a_way: assert (!right_wr_i || right_wr != '0);
    end
  end
`endif
endmodule
