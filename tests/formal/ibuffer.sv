// ibuffer without words, its stages and far rows: equal to an ibuffer with words, in every cycle; and the word of a
// popped head, which that one has at once, comes from the far row Dummy cycles later (with Bypass at once).
//
// Warps 0 and 1 have own rows, 2 and 3 borrowed ones: bank 1 of the same context, which a neighbour on its right has.
module ibuffer_formal #(
  parameter int unsigned Dummy = 1,
  parameter int unsigned Bypass = 0,
  parameter int unsigned Never = 0,  // claims that two borrowed second entries are never read in a cycle
  localparam int unsigned Warps = 4,
  localparam int unsigned InstW = 64,
  localparam int unsigned DecW = 15
) (
  input logic             clk_i,
  input logic             wr_valid_i,
  input logic [1:0]       wr_warp_i,
  input logic             wr_two_i,
  input logic [InstW-1:0] wr_inst0_i,
  input logic [DecW-1:0]  wr_dec0_i,
  input logic [InstW-1:0] wr_inst1_i,
  input logic [DecW-1:0]  wr_dec1_i,
  input logic             pop0_valid_i,
  input logic             pop0_upper_i,  // warp 2, else warp 0
  input logic             pop1_valid_i,
  input logic             pop1_upper_i,
  input logic             flush_valid_i,
  input logic [1:0]       flush_warp_i
);
  localparam int unsigned WordW = InstW + DecW;

  logic rst_n;
  initial rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [5:0] wr_warp, pop0_warp, pop1_warp, flush_warp;
  assign wr_warp    = {4'd0, wr_warp_i};
  assign pop0_warp  = {4'd0, pop0_upper_i, 1'b0};
  assign pop1_warp  = {4'd0, pop1_upper_i, 1'b1};
  assign flush_warp = {4'd0, flush_warp_i};

  // A buffer without words, and one with them.
  localparam int unsigned FlagsW = 7 * Warps + 3 * 41;
  logic [Warps-1:0]  valid, unused_valid;
  logic [FlagsW-1:0] flags, s_flags;
  logic [WordW-1:0]  head0, head1, s_word0, s_word1;
  logic              b0, b1, unused_b0, unused_b1;
  ibuffer_flags #(
    .Warps(Warps),
    .Words(1'b0)
  ) u_flags (
    .valid_o(valid), .flags_o(flags), .word0_o(head0), .b0_o(b0), .word1_o(head1), .b1_o(b1), .*
  );
  ibuffer_flags #(
    .Warps(Warps),
    .Words(1'b1)
  ) u_buffer (
    .valid_o(unused_valid), .flags_o(s_flags), .word0_o(s_word0), .b0_o(unused_b0), .word1_o(s_word1),
    .b1_o(unused_b1), .*
  );

  // Rows.
  logic       own_wr, far_wr, own_rd0, far_rd0, own_rd1, far_rd1;
  logic [4:0] wr_row, rd0_row, rd1_row;
  flex_row #(.OwnRows(2)) u_wr_row (
    .valid_i(wr_valid_i), .warp_i(wr_warp), .own_o(own_wr), .far_o(far_wr), .row_o(wr_row)
  );
  flex_row #(.OwnRows(2)) u_rd0_row (
    .valid_i(pop0_valid_i), .warp_i(pop0_warp), .own_o(own_rd0), .far_o(far_rd0), .row_o(rd0_row)
  );
  flex_row #(.OwnRows(2)) u_rd1_row (
    .valid_i(pop1_valid_i), .warp_i(pop1_warp), .own_o(own_rd1), .far_o(far_rd1), .row_o(rd1_row)
  );

  // Requests on their way.
  localparam int unsigned WrW = 3 + 2 * WordW;
  logic [WrW-1:0] wr, own_wr_at, far_wr_at;
  logic [2:0]     own_rd0_at, far_rd0_at, own_rd1_at, far_rd1_at;  // row, b
  logic           own_wrote, far_wrote, own_read0, far_read0, own_read1, far_read1;
  assign wr = {wr_row[1:0], wr_two_i, wr_dec0_i, wr_inst0_i, wr_dec1_i, wr_inst1_i};
  flex_edge #(.Width(WrW), .Stages(Dummy)) u_own_wr (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(own_wr), .data_i(wr), .valid_o(own_wrote),
    .data_o(own_wr_at)
  );
  flex_edge #(.Width(WrW), .Stages(Dummy)) u_far_wr (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(far_wr), .data_i(wr), .valid_o(far_wrote),
    .data_o(far_wr_at)
  );
  flex_edge #(.Width(3), .Stages(Dummy)) u_own_rd0 (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(own_rd0), .data_i({rd0_row[1:0], b0}),
    .valid_o(own_read0), .data_o(own_rd0_at)
  );
  flex_edge #(.Width(3), .Stages(Dummy)) u_far_rd0 (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(far_rd0), .data_i({rd0_row[1:0], b0}),
    .valid_o(far_read0), .data_o(far_rd0_at)
  );
  flex_edge #(.Width(3), .Stages(Dummy)) u_own_rd1 (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(own_rd1), .data_i({rd1_row[1:0], b1}),
    .valid_o(own_read1), .data_o(own_rd1_at)
  );
  flex_edge #(.Width(3), .Stages(Dummy)) u_far_rd1 (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(far_rd1), .data_i({rd1_row[1:0], b1}),
    .valid_o(far_read1), .data_o(far_rd1_at)
  );

  // The context.
  localparam int unsigned EntryW = 2 + 32;
  logic [WordW-1:0]  own_word0, own_word1, far_word0, far_word1, unused_left0, unused_left1;
  logic [EntryW-1:0] unused_own_pop, unused_left_pop, unused_far_pop;
  flex_context #(
    .Rows(4),
    .Lanes(2),
    .Depth(4)
  ) u_context (
    .clk_i, .owner_i({2'd2, 2'd0}), .own_wr_valid_i(own_wrote), .own_wr_row_i(own_wr_at[WrW-1-:2]),
    .own_wr_two_i(own_wr_at[2*WordW]), .own_wr_inst0_i(own_wr_at[WordW+:InstW]),
    .own_wr_dec0_i(own_wr_at[WordW+InstW+:DecW]), .own_wr_inst1_i(own_wr_at[InstW-1:0]),
    .own_wr_dec1_i(own_wr_at[InstW+:DecW]), .own_rd0_valid_i(own_read0), .own_rd0_row_i(own_rd0_at[2:1]),
    .own_rd0_b_i(own_rd0_at[0]), .own_rd1_valid_i(own_read1), .own_rd1_row_i(own_rd1_at[2:1]),
    .own_rd1_b_i(own_rd1_at[0]), .own_push_i('0), .own_push_row_i('0), .own_push_depth_i('0),
    .own_push0_mask_i('0), .own_push0_pcs_i('0), .own_push1_mask_i('0), .own_push1_pcs_i('0),
    .own_pop_valid_i(1'b0), .own_pop_row_i('0), .own_pop_at_i('0), .own_rd0_inst_o(own_word0[InstW-1:0]),
    .own_rd0_dec_o(own_word0[InstW+:DecW]), .own_rd1_inst_o(own_word1[InstW-1:0]),
    .own_rd1_dec_o(own_word1[InstW+:DecW]), .own_pop_mask_o(unused_own_pop[1:0]),
    .own_pop_pcs_o(unused_own_pop[33:2]), .left_wr_valid_i(1'b0), .left_wr_row_i('0), .left_wr_two_i(1'b0),
    .left_wr_inst0_i('0), .left_wr_dec0_i('0), .left_wr_inst1_i('0), .left_wr_dec1_i('0), .left_rd0_valid_i(1'b0),
    .left_rd0_row_i('0), .left_rd0_b_i(1'b0), .left_rd1_valid_i(1'b0), .left_rd1_row_i('0), .left_rd1_b_i(1'b0),
    .left_push_i('0), .left_push_row_i('0), .left_push_depth_i('0), .left_push0_mask_i('0),
    .left_push0_pcs_i('0), .left_push1_mask_i('0), .left_push1_pcs_i('0), .left_pop_valid_i(1'b0),
    .left_pop_row_i('0), .left_pop_at_i('0), .left_rd0_inst_o(unused_left0[InstW-1:0]),
    .left_rd0_dec_o(unused_left0[InstW+:DecW]), .left_rd1_inst_o(unused_left1[InstW-1:0]),
    .left_rd1_dec_o(unused_left1[InstW+:DecW]), .left_pop_mask_o(unused_left_pop[1:0]),
    .left_pop_pcs_o(unused_left_pop[33:2]), .right_wr_valid_i(far_wrote), .right_wr_row_i(far_wr_at[WrW-1-:2]),
    .right_wr_two_i(far_wr_at[2*WordW]), .right_wr_inst0_i(far_wr_at[WordW+:InstW]),
    .right_wr_dec0_i(far_wr_at[WordW+InstW+:DecW]), .right_wr_inst1_i(far_wr_at[InstW-1:0]),
    .right_wr_dec1_i(far_wr_at[InstW+:DecW]), .right_rd0_valid_i(far_read0), .right_rd0_row_i(far_rd0_at[2:1]),
    .right_rd0_b_i(far_rd0_at[0]), .right_rd1_valid_i(far_read1), .right_rd1_row_i(far_rd1_at[2:1]),
    .right_rd1_b_i(far_rd1_at[0]), .right_push_i('0), .right_push_row_i('0), .right_push_depth_i('0),
    .right_push0_mask_i('0), .right_push0_pcs_i('0), .right_push1_mask_i('0), .right_push1_pcs_i('0),
    .right_pop_valid_i(1'b0), .right_pop_row_i('0), .right_pop_at_i('0),
    .right_rd0_inst_o(far_word0[InstW-1:0]), .right_rd0_dec_o(far_word0[InstW+:DecW]),
    .right_rd1_inst_o(far_word1[InstW-1:0]), .right_rd1_dec_o(far_word1[InstW+:DecW]),
    .right_pop_mask_o(unused_far_pop[1:0]), .right_pop_pcs_o(unused_far_pop[33:2])
  );

  // The words of the buffer that has them, as late as they come from far.
  localparam int unsigned LateW = 2 * (2 + WordW);
  logic [LateW-1:0] late [3];
  assign late[0] = {pop0_valid_i, pop0_upper_i, s_word0, pop1_valid_i, pop1_upper_i, s_word1};
  always_ff @(posedge clk_i) begin
    late[1] <= rst_n ? late[0] : '0;
    late[2] <= rst_n ? late[1] : '0;
  end
  initial begin
    late[1] = '0;
    late[2] = '0;
  end
  logic             due0, far0, due1, far1;
  logic [WordW-1:0] word0, word1;
  assign {due0, far0, word0, due1, far1, word1} = late[(Bypass != 0) ? 0 : Dummy];

  // Legal inputs.
  always_comb begin
    if (!rst_n) assume (!wr_valid_i && !pop0_valid_i && !pop1_valid_i && !flush_valid_i);
    if (wr_valid_i) assume (!valid[wr_warp_i]);
    if (pop0_valid_i) assume (valid[pop0_warp[1:0]]);
    if (pop1_valid_i) assume (valid[pop1_warp[1:0]]);
    if (flush_valid_i) begin
      assume (!(wr_valid_i && wr_warp_i == flush_warp_i));
      assume (!(pop0_valid_i && pop0_warp == flush_warp) && !(pop1_valid_i && pop1_warp == flush_warp));
    end
  end

  always_comb begin
    if (rst_n) begin
      assert (flags == s_flags);
      if (pop0_valid_i) assert (head0[InstW+2+:2] == s_word0[InstW+2+:2]);
      if (pop1_valid_i) assert (head1[InstW+2+:2] == s_word1[InstW+2+:2]);
      assert (due0 == (own_read0 | far_read0) && due1 == (own_read1 | far_read1));
      if (due0) assert (word0 == (far0 ? far_word0 : own_word0));
      if (due1) assert (word1 == (far1 ? far_word1 : own_word1));
      if (Never != 0) assert (!(far_read0 && far_rd0_at[0] && far_read1 && far_rd1_at[0]));
    end
  end
endmodule

// The buffer's outputs: what it says of all warps, with the new heads; the heads that are popped.
module ibuffer_flags #(
  parameter int unsigned Warps = 4,
  parameter bit          Words = 1'b1
) (
  input  logic        clk_i,
  input  logic        rst_n,
  input  logic        wr_valid_i,
  input  logic [5:0]  wr_warp,
  input  logic        wr_two_i,
  input  logic [63:0] wr_inst0_i,
  input  logic [14:0] wr_dec0_i,
  input  logic [63:0] wr_inst1_i,
  input  logic [14:0] wr_dec1_i,
  input  logic        pop0_valid_i,
  input  logic [5:0]  pop0_warp,
  input  logic        pop1_valid_i,
  input  logic [5:0]  pop1_warp,
  input  logic        flush_valid_i,
  input  logic [5:0]  flush_warp,
  output logic [Warps-1:0]          valid_o,
  output logic [7*Warps+3*41-1:0]   flags_o,
  output logic [78:0] word0_o,
  output logic        b0_o,
  output logic [78:0] word1_o,
  output logic        b1_o
);
  logic             rd0, rd1, nh0, nh1, nh2;
  logic [39:0]      nh0_opnd, nh1_opnd, nh2_opnd;
  logic [Warps-1:0] sfu, mem, none, second, load, full;
  logic [1:0]       unused_held;
  ibuffer #(
    .Warps(Warps),
    .Words(Words)
  ) u_buffer (
    .rst_ni(rst_n), .kernel_start_i(1'b0), .wr_warp_i(wr_warp), .pop0_warp_i(pop0_warp), .pop1_warp_i(pop1_warp),
    .flush_warp_i(flush_warp), .rd0_valid_o(rd0), .rd0_inst_o(word0_o[63:0]), .rd0_dec_o(word0_o[78:64]),
    .rd0_b_o(b0_o), .rd1_valid_o(rd1), .rd1_inst_o(word1_o[63:0]), .rd1_dec_o(word1_o[78:64]), .rd1_b_o(b1_o),
    .sfu_o(sfu), .mem_o(mem), .none_o(none), .second_o(second), .load_o(load), .nh0_valid_o(nh0),
    .nh0_opnd_o(nh0_opnd), .nh1_valid_o(nh1), .nh1_opnd_o(nh1_opnd),
    .nh2_valid_o(nh2), .nh2_opnd_o(nh2_opnd), .fetch_valid_i(1'b0), .fetch_warp_i('0),
    .fetch_held_o(unused_held), .full_o(full), .*
  );
  assign flags_o = {valid_o, sfu, mem, none, second, load, full, nh0, nh0 ? nh0_opnd : 40'd0,
                    nh1, nh1 ? nh1_opnd : 40'd0, nh2, nh2 ? nh2_opnd : 40'd0};
  logic unused_rd;
  assign unused_rd = 1'b0 & ^{rd0, rd1};
endmodule
