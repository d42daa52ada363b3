// comm_pair: what the producer wrote last to a word before it posted a tile is what the consumer
// reads there while it has that tile; sides never share a buffer, tiles come in order, each post
// has one done, and the done comes as soon as it may.
//
// Any word and any tile are followed: watch_i picks the tile that the producer begins.  "Now" is
// the cycle in which the copies of inputs act.
module comm_pair_formal #(
  parameter int unsigned Words = 4,
  parameter int unsigned Banks = 2,
  parameter int unsigned Mode  = 0
) (
  input logic watch_i,
`include "csim/ports/comm_pair_inputs.svh"
);
  localparam int unsigned Rows = Words / Banks;

  one_clock u_one_clock (.clk_i, .rst_ni);

`include "csim/ports/comm_pair_outputs.svh"
  comm_pair #(
    .Words(Words),
    .Banks(Banks)
  ) u_comm_pair (
    .mode_i  (2'(Mode)),
    .*
  );

  // Inputs of the cycle before, of the word that is followed.
  logic        kernel_start_q, write_q, post_q, read_q, asks_q, c_post_q, swap_q;
  logic        p_valid_q, c_valid_q;
  logic [31:0] data_q;
  logic        bank_q;
  logic [7:0]  row_q;
  always_ff @(posedge clk_i) begin
    kernel_start_q <= kernel_start_i & rst_ni;
    p_valid_q      <= p_valid_i & rst_ni;
    c_valid_q      <= c_valid_i & rst_ni;
    post_q         <= p_post_i & rst_ni;
    c_post_q       <= c_post_i & rst_ni;
    swap_q         <= swap_i & rst_ni;
    write_q        <= p_valid_i && rst_ni && p_bank_i[watch_bank_i] &&
                      p_row_i[8*32'(watch_bank_i) +: 8] == watch_row_i;
    data_q         <= p_data_i[32*32'(watch_bank_i) +: 32];
    asks_q         <= c_bank_i[watch_bank_i];
    read_q         <= c_valid_i && rst_ni && c_bank_i[watch_bank_i] &&
                      c_row_i[8*32'(watch_bank_i) +: 8] == watch_row_i;
    bank_q         <= watch_bank_i;
    row_q          <= watch_row_i;
  end

  // The sides that wait now; tiles that are posted and not acquired, and not given back; has_q: the
  // consumer has one.
  logic       p_asked_q, c_asked_q, p_waits, c_waits, has_q, begun_q;
  logic [1:0] posted_q, posted, kept_q;
  assign p_waits = p_asked_q & ~p_done_o;
  assign c_waits = c_asked_q & ~c_done_o;
  assign posted  = posted_q - 2'(c_done_o);
  logic       has, gives, p_asks, c_asks;
  logic [1:0] kept;  // after this cycle's posts
  assign has    = has_q | c_done_o;
  assign gives  = c_post_q & has;
  assign kept   = kept_q + 2'(post_q) - 2'(gives);
  assign p_asks = p_waits | post_q;
  assign c_asks = c_waits | c_post_q;
  logic p_due_q, c_due_q;  // done is due
  always_ff @(posedge clk_i) begin
    p_asked_q <= 1'b0;
    c_asked_q <= 1'b0;
    posted_q  <= '0;
    kept_q    <= '0;
    has_q     <= 1'b0;
    p_due_q   <= 1'b0;
    c_due_q   <= 1'b0;
    begun_q   <= 1'b0;
    if (rst_ni && !kernel_start_q) begin
      p_asked_q <= p_asks;
      c_asked_q <= c_asks;
      posted_q  <= posted + 2'(post_q);
      kept_q    <= kept;
      has_q     <= has & ~c_post_q;
      p_due_q   <= Mode == 0 ? p_asks && c_asks : Mode == 1 && p_asks && kept <= 2'd1;
      c_due_q   <= Mode == 0 ? p_asks && c_asks : Mode == 1 && c_asks && posted + 2'(post_q) != '0;
      begun_q   <= 1'b1;
    end
  end

  // The tile that is followed: the producer writes it, it waits behind others, the consumer has
  // it.
  localparam logic [1:0] None = 2'd0, Written = 2'd1, Posted = 2'd2, Read = 2'd3;
  logic [1:0]  tile_q, tile;
  logic        begins, swapped_q, known_q, known;  // known: the word was written in the tile
  logic [1:0]  ahead_q;
  logic [31:0] word_q;
  assign begins = !begun_q || p_done_o || swapped_q;
  always_comb begin
    tile  = tile_q;
    known = known_q;
    if (tile_q == Posted && c_done_o && ahead_q == '0) tile = Read;
    if (tile_q == None && watch_i && begins) begin
      tile  = Written;
      known = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    swapped_q <= 1'b0;
    tile_q    <= None;
    known_q   <= 1'b0;
    if (rst_ni && !kernel_start_q) begin
      swapped_q <= swap_q;
      tile_q    <= tile;
      known_q   <= known;
      if (tile_q == Posted && c_done_o) ahead_q <= ahead_q - 2'd1;
      if (tile == Written) begin
        if (write_q) begin
          known_q <= 1'b1;
          word_q  <= data_q;
        end
        if (post_q) begin
          tile_q  <= Posted;
          ahead_q <= posted;
        end
        if (swap_q) tile_q <= Read;
      end
      if (tile == Read && (c_post_q || swap_q)) tile_q <= None;
    end
  end

  // Reads
  logic        rsp_q, zero_q, expect_q;
  logic [31:0] expected_q, got;
  assign got = c_data_o[32*32'(bank_q) +: 32];
  always_ff @(posedge clk_i) begin
    rsp_q      <= c_valid_q & ~kernel_start_q;
    zero_q     <= ~asks_q;
    expect_q   <= read_q && tile == Read && known;
    expected_q <= word_q;
  end

  logic [31:0] word_w, word_r, word_p;
  assign word_w = w_o ? watch1_o : watch0_o;
  assign word_r = r_o ? watch1_o : watch0_o;
  assign word_p = w_o ^ p_waits ? watch0_o : watch1_o;  // of the tile posted last
  logic last;  // tile posted, the one that is followed
  assign last = ahead_q - 2'(c_done_o) == posted - 2'd1;
  always_comb begin
    // Legal inputs
    assume (watch_bank_i == bank_q && watch_row_i == row_q && watch_row_i < 8'(Rows));
    for (int b = 0; b < Banks; b++)
      assume (p_row_i[8*b +: 8] < 8'(Rows) && c_row_i[8*b +: 8] < 8'(Rows));
    if (!kernel_start_q) begin
      assume (!p_valid_q || Mode == 2 || !p_waits);
      assume (!c_valid_q || (some_o && (Mode == 2 || !c_waits)));
      assume (!post_q || (Mode != 2 && !p_waits));
      assume (!c_post_q || (Mode != 2 && !c_waits));
      assume (!swap_q || Mode == 2);
    end

    if (rst_ni) begin
      // owner; once, in time
      if (p_valid_q && c_valid_q && !kernel_start_q) assert (w_o != r_o);
      assert (p_done_o == p_due_q && c_done_o == c_due_q);
      assert ((!p_done_o || p_asked_q) && (!c_done_o || c_asked_q));
      assert (p_wait_o == p_waits && c_wait_o == c_waits);
      // ahead
      assert (posted_q <= 2'd2 && kept_q <= 2'd2 && kept_q == posted + 2'(has));
      // The words
      assert (c_rsp_o == rsp_q);
      if (rsp_q && zero_q) assert (got == '0);
      if (rsp_q && expect_q) assert (got == expected_q);

      // The state
      if (!begun_q) assert (!w_o && !r_o && !some_o && full_o == '0 && !hold_o && !p_waits && !c_waits);
      if (!begun_q) assert (posted_q == '0 && kept_q == '0 && !has_q && !p_done_o && !c_done_o);
      if (Mode == 1) begin
        assert (hold_o == has && (!hold_o || full_o[r_o]));
        assert (kept_q == 2'(full_o[0]) + 2'(full_o[1]));
        assert (full_o[w_o] == p_waits && (has || c_waits || !some_o));
        assert ((w_o == r_o) == (kept_q == '0) && (kept_q == '0 || full_o[r_o]));
        assert (!p_waits || full_o == '1);
        assert (!some_o || begun_q);
      end else begin
        assert (!some_o || w_o != r_o);
        assert (full_o == '0 && !hold_o);
        if (Mode == 0) assert (posted == 2'(p_waits) && !(p_waits && c_waits));
        if (Mode == 0) assert (!has || some_o);
        if (Mode == 2) assert (!p_asked_q && !c_asked_q && posted_q == '0 && !has_q);
      end
      if (c_done_o) assert (some_o);
      assert (!has || !c_waits);

      // The tile
      case (tile_q)
        Written: begin
          assert (Mode == 2 || !p_asked_q || p_done_o);
          if (known_q) assert (word_w == word_q);
        end
        Posted: begin
          assert (Mode != 2 && posted_q != '0 && ahead_q < posted_q);
          if (known_q && Mode == 0) assert (c_done_o ? word_r == word_q : word_w == word_q);
          if (known_q && Mode == 1)
            assert (tile != Read && last ? word_p == word_q : word_r == word_q);
        end
        Read: begin
          assert (Mode == 2 ? some_o : has_q && !c_done_o);
          if (known_q) assert (word_r == word_q);
        end
        default: ;
      endcase
      assert (!quiet_o || (!p_done_o && !c_done_o && !c_rsp_o));
      cover (expect_q && rsp_q && swapped_q == (Mode == 2));
    end
  end
endmodule
