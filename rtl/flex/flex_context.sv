// Far half of an SM's front end in a Flex cluster: the words of the instruction buffer and the stack entries below
// the tops, in two banks that can each be lent.
//
// owner_i says whose bank 0 and bank 1 are: 0 the SM's own, 1 the left, 2 the right neighbour's.  A bank takes its
// owner's accesses.  Rows 0 to Rows / 2 - 1 are bank 0, the others bank 1.  A requester numbers its rows
// from 0, so those of a neighbour on the right that has bank 1 alone begin there.
//
// Reads are combinational: rd0 of an even row, rd1 of an odd one, a second word (b) or a first one; pop of an
// entry by its number.  They see what was there before the cycle, and are 0 without their valid.  Pushes are those
// of simt_entries.  There is no state but the memories, and no reset.
//
// Illegal: a valid of a requester for a row of a bank that it does not own; an odd row at rd0, an even one at rd1.

module flex_context #(
  parameter  int unsigned Rows   = 24,
  parameter  int unsigned Lanes  = 64,
  parameter  int unsigned Depth  = 16,  // a power of two
  localparam int unsigned RowW   = $clog2(Rows),
  localparam int unsigned DepthW = $clog2(Depth + 1)
) (
  input  logic                          clk_i,
  input  logic [3:0]                    owner_i,  // 2 bits a bank

  // The SM itself
  input  logic                          own_wr_valid_i,
  input  logic [RowW-1:0]               own_wr_row_i,
  input  logic                          own_wr_two_i,
  input  logic [tandem_pkg::InstW-1:0]  own_wr_inst0_i,
  input  logic [tandem_pkg::DecW-1:0]   own_wr_dec0_i,
  input  logic [tandem_pkg::InstW-1:0]  own_wr_inst1_i,
  input  logic [tandem_pkg::DecW-1:0]   own_wr_dec1_i,
  input  logic                          own_rd0_valid_i,
  input  logic [RowW-1:0]               own_rd0_row_i,
  input  logic                          own_rd0_b_i,
  input  logic                          own_rd1_valid_i,
  input  logic [RowW-1:0]               own_rd1_row_i,
  input  logic                          own_rd1_b_i,
  input  logic [1:0]                    own_push_i,
  input  logic [RowW-1:0]               own_push_row_i,
  input  logic [DepthW-1:0]             own_push_depth_i,
  input  logic [Lanes-1:0]              own_push0_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0]  own_push0_pcs_i,
  input  logic [Lanes-1:0]              own_push1_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0]  own_push1_pcs_i,
  input  logic                          own_pop_valid_i,
  input  logic [RowW-1:0]               own_pop_row_i,
  input  logic [DepthW-1:0]             own_pop_at_i,
  output logic [tandem_pkg::InstW-1:0]  own_rd0_inst_o,
  output logic [tandem_pkg::DecW-1:0]   own_rd0_dec_o,
  output logic [tandem_pkg::InstW-1:0]  own_rd1_inst_o,
  output logic [tandem_pkg::DecW-1:0]   own_rd1_dec_o,
  output logic [Lanes-1:0]              own_pop_mask_o,
  output logic [2*tandem_pkg::PcW-1:0]  own_pop_pcs_o,

  // The neighbour on the left
  input  logic                          left_wr_valid_i,
  input  logic [RowW-1:0]               left_wr_row_i,
  input  logic                          left_wr_two_i,
  input  logic [tandem_pkg::InstW-1:0]  left_wr_inst0_i,
  input  logic [tandem_pkg::DecW-1:0]   left_wr_dec0_i,
  input  logic [tandem_pkg::InstW-1:0]  left_wr_inst1_i,
  input  logic [tandem_pkg::DecW-1:0]   left_wr_dec1_i,
  input  logic                          left_rd0_valid_i,
  input  logic [RowW-1:0]               left_rd0_row_i,
  input  logic                          left_rd0_b_i,
  input  logic                          left_rd1_valid_i,
  input  logic [RowW-1:0]               left_rd1_row_i,
  input  logic                          left_rd1_b_i,
  input  logic [1:0]                    left_push_i,
  input  logic [RowW-1:0]               left_push_row_i,
  input  logic [DepthW-1:0]             left_push_depth_i,
  input  logic [Lanes-1:0]              left_push0_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0]  left_push0_pcs_i,
  input  logic [Lanes-1:0]              left_push1_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0]  left_push1_pcs_i,
  input  logic                          left_pop_valid_i,
  input  logic [RowW-1:0]               left_pop_row_i,
  input  logic [DepthW-1:0]             left_pop_at_i,
  output logic [tandem_pkg::InstW-1:0]  left_rd0_inst_o,
  output logic [tandem_pkg::DecW-1:0]   left_rd0_dec_o,
  output logic [tandem_pkg::InstW-1:0]  left_rd1_inst_o,
  output logic [tandem_pkg::DecW-1:0]   left_rd1_dec_o,
  output logic [Lanes-1:0]              left_pop_mask_o,
  output logic [2*tandem_pkg::PcW-1:0]  left_pop_pcs_o,

  // The neighbour on the right
  input  logic                          right_wr_valid_i,
  input  logic [RowW-1:0]               right_wr_row_i,
  input  logic                          right_wr_two_i,
  input  logic [tandem_pkg::InstW-1:0]  right_wr_inst0_i,
  input  logic [tandem_pkg::DecW-1:0]   right_wr_dec0_i,
  input  logic [tandem_pkg::InstW-1:0]  right_wr_inst1_i,
  input  logic [tandem_pkg::DecW-1:0]   right_wr_dec1_i,
  input  logic                          right_rd0_valid_i,
  input  logic [RowW-1:0]               right_rd0_row_i,
  input  logic                          right_rd0_b_i,
  input  logic                          right_rd1_valid_i,
  input  logic [RowW-1:0]               right_rd1_row_i,
  input  logic                          right_rd1_b_i,
  input  logic [1:0]                    right_push_i,
  input  logic [RowW-1:0]               right_push_row_i,
  input  logic [DepthW-1:0]             right_push_depth_i,
  input  logic [Lanes-1:0]              right_push0_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0]  right_push0_pcs_i,
  input  logic [Lanes-1:0]              right_push1_mask_i,
  input  logic [2*tandem_pkg::PcW-1:0]  right_push1_pcs_i,
  input  logic                          right_pop_valid_i,
  input  logic [RowW-1:0]               right_pop_row_i,
  input  logic [DepthW-1:0]             right_pop_at_i,
  output logic [tandem_pkg::InstW-1:0]  right_rd0_inst_o,
  output logic [tandem_pkg::DecW-1:0]   right_rd0_dec_o,
  output logic [tandem_pkg::InstW-1:0]  right_rd1_inst_o,
  output logic [tandem_pkg::DecW-1:0]   right_rd1_dec_o,
  output logic [Lanes-1:0]              right_pop_mask_o,
  output logic [2*tandem_pkg::PcW-1:0]  right_pop_pcs_o
);
  localparam int unsigned EntryW = Lanes + 2 * tandem_pkg::PcW;  // {mask, rpc, pc}
  localparam int unsigned WordW = tandem_pkg::InstW + tandem_pkg::DecW;
  localparam int unsigned AccessW = 5 * $clog2(Rows / 2) + 2 * DepthW + 3 + 2 * WordW + 2 * EntryW;
  localparam int unsigned ResultW = 2 * WordW + EntryW;
  localparam logic [1:0] Left = 2'd1;
  localparam logic [1:0] Right = 2'd2;

  // By requester: accesses to bank 0 and bank 1.
  logic [1:0]         own_wr, own_rd0, own_rd1, own_push0, own_push1, own_pop;
  logic [1:0]         left_wr, left_rd0, left_rd1, left_push0, left_push1, left_pop;
  logic [1:0]         right_wr, right_rd0, right_rd1, right_push0, right_push1, right_pop;
  logic [AccessW-1:0] own_access, left_access, right_access;
  logic [ResultW-1:0] result0, result1;

  logic upper_only;  // the right neighbour has bank 1 alone
  assign upper_only = `FAULT(166, owner_i[1:0] != Right, 1'b0);

  flex_request #(
    .Rows  (Rows),
    .EntryW(EntryW),
    .DepthW(DepthW)
  ) u_own (
    .upper_only_i(1'b0), .wr_valid_i(own_wr_valid_i), .wr_row_i(own_wr_row_i), .wr_two_i(own_wr_two_i),
    .wr_word0_i({own_wr_dec0_i, own_wr_inst0_i}), .wr_word1_i({own_wr_dec1_i, own_wr_inst1_i}),
    .rd0_valid_i(own_rd0_valid_i), .rd0_row_i(own_rd0_row_i), .rd0_b_i(own_rd0_b_i),
    .rd1_valid_i(own_rd1_valid_i), .rd1_row_i(own_rd1_row_i), .rd1_b_i(own_rd1_b_i), .push_i(own_push_i),
    .push_row_i(own_push_row_i), .push_depth_i(own_push_depth_i),
    .push0_i({own_push0_mask_i, own_push0_pcs_i}), .push1_i({own_push1_mask_i, own_push1_pcs_i}),
    .pop_valid_i(own_pop_valid_i), .pop_row_i(own_pop_row_i), .pop_at_i(own_pop_at_i),
    .rd0_word_o({own_rd0_dec_o, own_rd0_inst_o}), .rd1_word_o({own_rd1_dec_o, own_rd1_inst_o}),
    .pop_entry_o({own_pop_mask_o, own_pop_pcs_o}), .wr_o(own_wr), .rd0_o(own_rd0), .rd1_o(own_rd1),
    .push0_o(own_push0), .push1_o(own_push1), .pop_o(own_pop), .access_o(own_access), .bank0_i(result0),
    .bank1_i(result1)
  );
  flex_request #(
    .Rows  (Rows),
    .EntryW(EntryW),
    .DepthW(DepthW)
  ) u_left (
    .upper_only_i(1'b0), .wr_valid_i(left_wr_valid_i), .wr_row_i(left_wr_row_i), .wr_two_i(left_wr_two_i),
    .wr_word0_i({left_wr_dec0_i, left_wr_inst0_i}), .wr_word1_i({left_wr_dec1_i, left_wr_inst1_i}),
    .rd0_valid_i(left_rd0_valid_i), .rd0_row_i(left_rd0_row_i), .rd0_b_i(left_rd0_b_i),
    .rd1_valid_i(left_rd1_valid_i), .rd1_row_i(left_rd1_row_i), .rd1_b_i(left_rd1_b_i), .push_i(left_push_i),
    .push_row_i(left_push_row_i), .push_depth_i(left_push_depth_i),
    .push0_i({left_push0_mask_i, left_push0_pcs_i}), .push1_i({left_push1_mask_i, left_push1_pcs_i}),
    .pop_valid_i(left_pop_valid_i), .pop_row_i(left_pop_row_i), .pop_at_i(left_pop_at_i),
    .rd0_word_o({left_rd0_dec_o, left_rd0_inst_o}), .rd1_word_o({left_rd1_dec_o, left_rd1_inst_o}),
    .pop_entry_o({left_pop_mask_o, left_pop_pcs_o}), .wr_o(left_wr), .rd0_o(left_rd0), .rd1_o(left_rd1),
    .push0_o(left_push0), .push1_o(left_push1), .pop_o(left_pop), .access_o(left_access), .bank0_i(result0),
    .bank1_i(result1)
  );
  flex_request #(
    .Rows  (Rows),
    .EntryW(EntryW),
    .DepthW(DepthW)
  ) u_right (
    .upper_only_i(upper_only), .wr_valid_i(right_wr_valid_i), .wr_row_i(right_wr_row_i), .wr_two_i(right_wr_two_i),
    .wr_word0_i({right_wr_dec0_i, right_wr_inst0_i}), .wr_word1_i({right_wr_dec1_i, right_wr_inst1_i}),
    .rd0_valid_i(right_rd0_valid_i), .rd0_row_i(right_rd0_row_i), .rd0_b_i(right_rd0_b_i),
    .rd1_valid_i(right_rd1_valid_i), .rd1_row_i(right_rd1_row_i), .rd1_b_i(right_rd1_b_i), .push_i(right_push_i),
    .push_row_i(right_push_row_i), .push_depth_i(right_push_depth_i),
    .push0_i({right_push0_mask_i, right_push0_pcs_i}), .push1_i({right_push1_mask_i, right_push1_pcs_i}),
    .pop_valid_i(right_pop_valid_i), .pop_row_i(right_pop_row_i), .pop_at_i(right_pop_at_i),
    .rd0_word_o({right_rd0_dec_o, right_rd0_inst_o}), .rd1_word_o({right_rd1_dec_o, right_rd1_inst_o}),
    .pop_entry_o({right_pop_mask_o, right_pop_pcs_o}), .wr_o(right_wr), .rd0_o(right_rd0), .rd1_o(right_rd1),
    .push0_o(right_push0), .push1_o(right_push1), .pop_o(right_pop), .access_o(right_access), .bank0_i(result0),
    .bank1_i(result1)
  );

  // By bank: the access of its owner.
  logic [1:0]         wr, push0, push1;
  logic [AccessW-1:0] access0, access1;
  always_comb begin
    access0 = own_access;
    access1 = own_access;
    if (owner_i[1:0] == Left)  access0 = left_access;
    if (owner_i[1:0] == Right) access0 = right_access;
    if (owner_i[3:2] == Left)  access1 = left_access;
    if (owner_i[3:2] == Right) access1 = right_access;
    wr    = own_wr;
    push0 = own_push0;
    push1 = own_push1;
    for (int b = 0; b < 2; b++) begin
      if (owner_i[2*b+:2] == Left)  {wr[b], push0[b], push1[b]} = {left_wr[b], left_push0[b], left_push1[b]};
      if (owner_i[2*b+:2] == Right) {wr[b], push0[b], push1[b]} = {right_wr[b], right_push0[b], right_push1[b]};
    end
  end

  flex_bank #(
    .Rows      (Rows / 2),
    .EntryW    (EntryW),
    .StackDepth(Depth)
  ) u_bank0 (
    .clk_i, .wr_i(wr[0]), .push_i({push1[0], push0[0]}), .access_i(access0), .result_o(result0)
  );
  flex_bank #(
    .Rows      (Rows / 2),
    .EntryW    (EntryW),
    .StackDepth(Depth)
  ) u_bank1 (
    .clk_i, .wr_i(wr[1]), .push_i({push1[1], push0[1]}), .access_i(access1), .result_o(result1)
  );

`ifndef SYNTHESIS
  // The caller's contract.
  logic [1:0] own_at, left_at, right_at;  // banks to which the requester turns
  assign own_at   = own_wr | own_rd0 | own_rd1 | own_push0 | own_push1 | own_pop;
  assign left_at  = left_wr | left_rd0 | left_rd1 | left_push0 | left_push1 | left_pop;
  assign right_at = right_wr | right_rd0 | right_rd1 | right_push0 | right_push1 | right_pop;
  always_ff @(posedge clk_i) begin
    for (int b = 0; b < 2; b++) begin
      begin : own_owns_bank
        assert (!own_at[b] || owner_i[2*b+:2] == 2'd0);
      end
      begin : left_owns_bank
        assert (!left_at[b] || owner_i[2*b+:2] == Left);
      end
      begin : right_owns_bank
        assert (!right_at[b] || owner_i[2*b+:2] == Right);
      end
    end
    right_wr_to_bank:   assert (!right_wr_valid_i || right_wr != '0);
    right_rd0_to_bank:  assert (!right_rd0_valid_i || right_rd0 != '0);
    right_rd1_to_bank:  assert (!right_rd1_valid_i || right_rd1 != '0);
    right_push_to_bank: assert (right_push_i == '0 || (right_push0 | right_push1) != '0);
    right_pop_to_bank:  assert (!right_pop_valid_i || right_pop != '0);
    own_rd0_even:       assert (!own_rd0_valid_i || !own_rd0_row_i[0]);
    own_rd1_odd:        assert (!own_rd1_valid_i || own_rd1_row_i[0]);
    left_rd0_even:      assert (!left_rd0_valid_i || !left_rd0_row_i[0]);
    left_rd1_odd:       assert (!left_rd1_valid_i || left_rd1_row_i[0]);
    right_rd0_even:     assert (!right_rd0_valid_i || !right_rd0_row_i[0]);
    right_rd1_odd:      assert (!right_rd1_valid_i || right_rd1_row_i[0]);
  end
`endif
endmodule
