// Pair of communication buffers of a link: the producer writes one of them while the consumer
// reads the other; when both have finished, the buffers change sides (docs/spu_units.md).
//
// Every input is registered first; below, "input" is that copy.  So read data come two cycles
// after the request, and a done two cycles after the post that completes it.  An access uses the
// sides as they are before the hand-over of its cycle.  kernel_start wins over all inputs of its
// cycle, leaves the buffers' words alone, and takes no notice of inputs that come a cycle later.
//
// Word i is in bank i mod Banks, row i div Banks; a side has one word of each bank in a cycle.  A
// bank has one port, which its buffer's side has to itself.
//
// Illegal: mode 3; an access or a post by a side that waits (modes 0, 1); a read before the first
// hand-over; a post in mode 2; a swap in modes 0, 1.

module comm_pair #(
  parameter int unsigned Words = 1024,  // of a buffer: a power of two from 8 to 256 times Banks
  parameter int unsigned Banks = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]          bug_i,
`endif
  input  logic                kernel_start_i,
  input  logic [1:0]          mode_i,    // 0 rendezvous, 1 decoupled, 2 global; constant

  // Producer: the row of bank b in bits 8b+7 to 8b, its word in bits 32b+31 to 32b
  input  logic                p_valid_i,
  input  logic [Banks-1:0]    p_bank_i,
  input  logic [8*Banks-1:0]  p_row_i,
  input  logic [32*Banks-1:0] p_data_i,
  input  logic                p_post_i,  // its tile is complete
  output logic                p_done_o,  // it may write the next one

  // Consumer
  input  logic                c_valid_i,
  input  logic [Banks-1:0]    c_bank_i,
  input  logic [8*Banks-1:0]  c_row_i,
  output logic                c_rsp_o,
  output logic [32*Banks-1:0] c_data_o,  // 0 of banks that were not asked for
  input  logic                c_post_i,  // it has finished its tile and wants the next
  output logic                c_done_o,  // it may read it

  // Of spu_global, in mode 2
  input  logic                swap_i,

`ifdef FORMAL
  // A word that is followed, as both buffers have it
  input  logic                watch_bank_i,  // of the two lowest
  input  logic [7:0]          watch_row_i,
  output logic [31:0]         watch0_o,
  output logic [31:0]         watch1_o,
  output logic                w_o,
  output logic                r_o,
  output logic                some_o,
  output logic                p_wait_o,
  output logic                c_wait_o,
  output logic [1:0]          full_o,
  output logic                hold_o,
`endif

  output logic                quiet_o
);
  localparam int unsigned Rows       = Words / Banks;
  localparam int unsigned RowW       = $clog2(Rows);
  localparam logic [1:0]  Rendezvous = 2'd0;
  localparam logic [1:0]  Decoupled  = 2'd1;
  localparam logic [1:0]  Global     = 2'd2;

  // The inputs' copies
  logic                  kernel_start_q, p_valid_q, p_post_q, c_valid_q, c_post_q, swap_q;
  logic [1:0]            mode_q;
  logic [Banks-1:0]      p_bank_q, c_bank_q;
  logic [RowW*Banks-1:0] p_row_q, c_row_q;
  logic [32*Banks-1:0]   p_data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kernel_start_q <= 1'b0;
      mode_q         <= '0;
      p_valid_q      <= 1'b0;
      p_post_q       <= 1'b0;
      c_valid_q      <= 1'b0;
      c_post_q       <= 1'b0;
      swap_q         <= 1'b0;
    end else begin
      kernel_start_q <= kernel_start_i;
      mode_q         <= mode_i;
      p_valid_q      <= p_valid_i;
      p_post_q       <= p_post_i;
      c_valid_q      <= c_valid_i;
      c_post_q       <= c_post_i;
      swap_q         <= swap_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (p_valid_i) begin
      p_bank_q <= p_bank_i;
      p_data_q <= p_data_i;
      for (int b = 0; b < Banks; b++) p_row_q[RowW*b +: RowW] <= p_row_i[8*b +: RowW];
    end
    if (c_valid_i) begin
      c_bank_q <= c_bank_i;
      for (int b = 0; b < Banks; b++) c_row_q[RowW*b +: RowW] <= c_row_i[8*b +: RowW];
    end
  end
  // Of a row's byte the bits that the buffer has rows for.
  logic unused_ok;
  assign unused_ok = ^{p_row_i, c_row_i};

  // The hand-over.  Who has which buffer:
  logic        w_q  /*verilator public_flat_rd*/;       // is written
  logic        r_q  /*verilator public_flat_rd*/;       // is read
  logic        some_q  /*verilator public_flat_rd*/;    // a tile was handed over
  logic        p_wait_q  /*verilator public_flat_rd*/;
  logic        c_wait_q  /*verilator public_flat_rd*/;
  logic [1:0]  full_q  /*verilator public_flat_rd*/;    // mode 1: complete, and not finished with
  logic        hold_q  /*verilator public_flat_rd*/;    // mode 1: the consumer has buffer r
  logic [15:0] tiles_q  /*verilator public_flat_rd*/;   // hand-overs
  logic        p_done_q, c_done_q;

  logic       p_asks, c_asks;    // the side waits from now on, unless it gets what it waits for
  logic       releases;          // mode 1: the consumer gives buffer r back
  logic       r_after;           // mode 1: as the posts of the cycle leave them
  logic [1:0] full_after;
  logic       both;              // modes 0 and 2: the buffers change sides
  logic       p_gets, c_gets;
  always_comb begin
    p_asks     = p_wait_q | p_post_q;
    c_asks     = c_wait_q | c_post_q;
    releases   = c_post_q & hold_q;
    r_after    = r_q ^ releases;
    full_after = full_q;
    if (p_post_q) full_after[w_q] = 1'b1;
    if (releases) full_after[r_q] = 1'b0;
`ifdef TANDEM_BUGS
    // A post beside a release keeps the buffer full.
    if (bug_i == 8'd123 && releases && p_post_q) full_after[r_q] = 1'b1;
`endif
  end
  always_comb begin
    both   = 1'b0;
    p_gets = 1'b0;
    c_gets = 1'b0;
    case (mode_q)
      Rendezvous: begin
        both = p_asks & c_asks;
`ifdef TANDEM_BUGS
        if (bug_i == 8'd120) both = p_asks;  // whether or not the consumer has come
`endif
        p_gets = both;
        c_gets = both;
      end
      Decoupled: begin
        p_gets = p_asks & ~full_after[~w_q];
        c_gets = c_asks & full_after[r_after];
      end
      default: both = swap_q;
    endcase
  end

  logic changes;  // of sides
  always_comb begin
    changes = both;
`ifdef TANDEM_BUGS
    if (bug_i == 8'd121 && tiles_q[7:0] == 8'd255) changes = 1'b0;
`endif
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      w_q      <= 1'b0;
      r_q      <= 1'b0;
      some_q   <= 1'b0;
      p_wait_q <= 1'b0;
      c_wait_q <= 1'b0;
      full_q   <= '0;
      hold_q   <= 1'b0;
      tiles_q  <= '0;
      p_done_q <= 1'b0;
      c_done_q <= 1'b0;
    end else if (kernel_start_q) begin
      w_q      <= 1'b0;
      r_q      <= 1'b0;
      some_q   <= 1'b0;
      p_wait_q <= 1'b0;
      c_wait_q <= 1'b0;
      full_q   <= '0;
      hold_q   <= 1'b0;
      tiles_q  <= '0;
      p_done_q <= 1'b0;
      c_done_q <= 1'b0;
    end else begin
      if (both || c_gets) begin
        some_q  <= 1'b1;
        tiles_q <= tiles_q + 16'd1;
      end
      if (mode_q == Decoupled) begin
        w_q    <= w_q ^ p_gets;
        r_q    <= r_after;
        full_q <= full_after;
        hold_q <= (hold_q & ~releases) | c_gets;
      end else if (changes) begin
        w_q <= ~w_q;
        r_q <= w_q;
      end
      if (mode_q != Global) begin
        p_wait_q <= p_asks & ~p_gets;
        c_wait_q <= c_asks & ~c_gets;
      end
      p_done_q <= p_gets;
      c_done_q <= c_gets;
`ifdef TANDEM_BUGS
      // Of two that come in the same cycle only the consumer goes on.
      if (bug_i == 8'd126 && p_post_q && c_post_q) p_done_q <= 1'b0;
`endif
    end
  end
  assign p_done_o = p_done_q;
  assign c_done_o = c_done_q;

  // The accesses: in a buffer, the producer's or the consumer's.
  logic                  p_takes, c_takes, w_access;
  logic [Banks-1:0]      p_banks;
  logic [RowW*Banks-1:0] c_rows;
  assign p_takes = p_valid_q & ~kernel_start_q;
  assign c_takes = c_valid_q & ~kernel_start_q;
`ifdef TANDEM_BUGS
  logic changed_q;  // no read since the sides changed
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) changed_q <= 1'b0;
    else         changed_q <= both | c_gets | (changed_q & ~c_takes);
  end
  always_comb begin
    w_access = w_q;
    p_banks  = p_bank_q;
    c_rows   = c_row_q;
    // A write beside a hand-over goes to the buffer that comes.
    if (bug_i == 8'd122) w_access = w_q ^ (mode_q == Decoupled ? p_gets : both);
    // The last bank is not written.
    if (bug_i == 8'd124) p_banks[Banks-1] = 1'b0;
    // The first read of a tile reads the row beside in bank 0.
    if (bug_i == 8'd125 && changed_q) c_rows[0] = ~c_row_q[0];
  end
`else
  assign w_access = w_q;
  assign p_banks  = p_bank_q;
  assign c_rows   = c_row_q;
`endif
  for (genvar i = 0; i < 2; i++) begin : g_buffer
    logic                writes, reads;
    logic [32*Banks-1:0] data;
`ifdef FORMAL
    logic [32*Banks-1:0] watch;
`endif
    assign writes = p_takes & (w_access == 1'(i));
    assign reads  = c_takes & (r_q == 1'(i));
    for (genvar b = 0; b < Banks; b++) begin : g_bank
      logic            valid;
      logic [RowW-1:0] row;
      assign valid = (writes & p_banks[b]) | (reads & c_bank_q[b]);
      assign row   = writes ? p_row_q[RowW*b +: RowW] : c_rows[RowW*b +: RowW];
      comm_bank #(
        .Rows(Rows)
      ) u_bank (
        .clk_i,
        .valid_i(valid),
        .write_i(writes),
        .row_i  (row),
        .data_i (p_data_q[32*b +: 32]),
`ifdef FORMAL
        .watch_row_i(watch_row_i[RowW-1:0]),
        .watch_o(watch[32*b +: 32]),
`endif
        .data_o (data[32*b +: 32])
      );
    end
  end

  // What was read: from which buffer, in which banks.
  logic             c_rsp_q, from_q;
  logic [Banks-1:0] banks_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) c_rsp_q <= 1'b0;
    else         c_rsp_q <= c_takes;
  end
  always_ff @(posedge clk_i) begin
    if (c_takes) begin
      from_q  <= r_q;
      banks_q <= c_bank_q;
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

  assign quiet_o = ~(kernel_start_q | p_valid_q | p_post_q | c_valid_q | c_post_q | swap_q |
                     p_done_q | c_done_q | c_rsp_q);

`ifdef FORMAL
  assign watch0_o = watch_bank_i ? g_buffer[0].watch[63:32] : g_buffer[0].watch[31:0];
  assign watch1_o = watch_bank_i ? g_buffer[1].watch[63:32] : g_buffer[1].watch[31:0];
  assign w_o      = w_q;
  assign r_o      = r_q;
  assign some_o   = some_q;
  assign p_wait_o = p_wait_q;
  assign c_wait_o = c_wait_q;
  assign full_o   = full_q;
  assign hold_o   = hold_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_q) begin
      if (mode_q == Global) begin
        assert (!p_post_q && !c_post_q);
      end else begin
        assert (!swap_q && mode_q <= Decoupled);
        assert (!p_wait_q || (!p_valid_q && !p_post_q));
        assert (!c_wait_q || (!c_valid_q && !c_post_q));
      end
      assert (!c_valid_q || some_q);
      // owner: nobody reads what is being written.
      assert (!p_valid_q || !c_valid_q || w_q != r_q);
      // ahead: the consumer has what is complete, and the producer only waits for a buffer that is
      // not free.
      assert (!hold_q || full_q[r_q]);
      assert (full_q == '0 || mode_q == Decoupled);
      assert (mode_q != Decoupled || full_q[w_q] == p_wait_q);
      // once: nobody waits who has a done.
      assert (!(p_done_q && p_wait_q) && !(c_done_q && c_wait_q));
    end
  end
`endif
endmodule
