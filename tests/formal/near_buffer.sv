// near_buffer, its stages and far rows: equal to an ibuffer of two entries, in every cycle; and the word of a popped
// head, which that one has at once, comes from the far row Dummy cycles later (with Bypass at once).
//
// Warps 0 and 1 have own rows, 2 and 3 borrowed ones: bank 1 of the same context, which a neighbour on its right has.
module near_buffer_formal #(
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

  logic [Warps-1:0] valid, sfu, mem, none, second;
  logic             nh0, nh1, nh2, own_wr, far_wr, own_rd0, far_rd0, own_rd1, far_rd1, b0, b1;
  logic [5:0]       nh0_warp, nh1_warp, nh2_warp;
  logic [39:0]      nh0_opnd, nh1_opnd, nh2_opnd;
  logic [4:0]       wr_row, rd0_row, rd1_row;
  logic [1:0]       ctl0, ctl1;
  near_buffer #(
    .Warps(Warps),
    .OwnRows(2)
  ) u_near (
    .clk_i, .rst_ni(rst_n), .kernel_start_i(1'b0), .wr_valid_i, .wr_warp_i(wr_warp), .wr_two_i,
    .wr_opnd0_i({wr_dec0_i, wr_inst0_i[24:0]}), .wr_opnd1_i({wr_dec1_i, wr_inst1_i[24:0]}), .pop0_valid_i,
    .pop0_warp_i(pop0_warp), .pop1_valid_i, .pop1_warp_i(pop1_warp), .flush_valid_i, .flush_warp_i(flush_warp),
    .valid_o(valid), .sfu_o(sfu), .mem_o(mem), .none_o(none), .second_o(second), .nh0_valid_o(nh0),
    .nh0_warp_o(nh0_warp), .nh0_opnd_o(nh0_opnd), .nh1_valid_o(nh1), .nh1_warp_o(nh1_warp), .nh1_opnd_o(nh1_opnd),
    .nh2_valid_o(nh2), .nh2_warp_o(nh2_warp), .nh2_opnd_o(nh2_opnd), .own_wr_o(own_wr), .far_wr_o(far_wr),
    .wr_row_o(wr_row), .own_rd0_o(own_rd0), .far_rd0_o(far_rd0), .rd0_row_o(rd0_row), .rd0_b_o(b0),
    .rd0_ctl_o(ctl0), .own_rd1_o(own_rd1), .far_rd1_o(far_rd1), .rd1_row_o(rd1_row), .rd1_b_o(b1), .rd1_ctl_o(ctl1)
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

  // The buffer of an SM alone.
  logic [Warps-1:0]  s_valid, s_sfu, s_mem, s_none, s_second, unused_load, unused_full;
  logic              unused_has0, unused_has1, s_nh0, s_nh1, s_nh2;
  logic [5:0]        s_nh0_warp, s_nh1_warp, s_nh2_warp;
  logic [39:0]       s_nh0_opnd, s_nh1_opnd, s_nh2_opnd;
  logic [1:0]        unused_fetch;
  logic [WordW-1:0]  s_word0, s_word1;
  ibuffer #(
    .Warps(Warps),
    .Buddy(1'b0)
  ) u_buffer (
    .clk_i, .rst_ni(rst_n), .kernel_start_i(1'b0), .wr_valid_i, .wr_warp_i(wr_warp), .wr_two_i, .wr_inst0_i,
    .wr_dec0_i, .wr_inst1_i, .wr_dec1_i, .pop0_valid_i, .pop0_warp_i(pop0_warp), .pop1_valid_i,
    .pop1_warp_i(pop1_warp), .flush_valid_i, .flush_warp_i(flush_warp), .rd0_warp_i(pop0_warp),
    .rd1_warp_i(pop1_warp), .rd0_inst_o(s_word0[InstW-1:0]), .rd0_dec_o(s_word0[InstW+:DecW]),
    .rd0_has_o(unused_has0), .rd1_inst_o(s_word1[InstW-1:0]), .rd1_dec_o(s_word1[InstW+:DecW]),
    .rd1_has_o(unused_has1), .valid_o(s_valid), .sfu_o(s_sfu), .mem_o(s_mem), .none_o(s_none),
    .second_o(s_second), .load_o(unused_load), .nh0_valid_o(s_nh0), .nh0_warp_o(s_nh0_warp),
    .nh0_opnd_o(s_nh0_opnd), .nh1_valid_o(s_nh1), .nh1_warp_o(s_nh1_warp), .nh1_opnd_o(s_nh1_opnd),
    .nh2_valid_o(s_nh2), .nh2_warp_o(s_nh2_warp), .nh2_opnd_o(s_nh2_opnd), .fetch_valid_i(1'b0),
    .fetch_warp_i('0), .fetch_held_o(unused_fetch), .full_o(unused_full)
  );

  // Its words, as late as they come from far.
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
      assert (valid == s_valid && second == s_second && sfu == s_sfu && mem == s_mem && none == s_none);
      assert (nh0 == s_nh0 && nh1 == s_nh1 && nh2 == s_nh2);
      if (nh0) assert (nh0_warp == s_nh0_warp && nh0_opnd == s_nh0_opnd);
      if (nh1) assert (nh1_warp == s_nh1_warp && nh1_opnd == s_nh1_opnd);
      if (nh2) assert (nh2_warp == s_nh2_warp && nh2_opnd == s_nh2_opnd);
      if (pop0_valid_i) assert (ctl0 == s_word0[InstW+2+:2]);
      if (pop1_valid_i) assert (ctl1 == s_word1[InstW+2+:2]);
      assert (due0 == (own_read0 | far_read0) && due1 == (own_read1 | far_read1));
      if (due0) assert (word0 == (far0 ? far_word0 : own_word0));
      if (due1) assert (word1 == (far1 ? far_word1 : own_word1));
      if (Never != 0) assert (!(far_read0 && far_rd0_at[0] && far_read1 && far_rd1_at[0]));
    end
  end
endmodule
