// Which side of a link has which of its two communication buffers, and the hand-over of tiles: part
// of comm_pair, whose registered copies its inputs are (docs/hardware/spu_units.md).  The parent asserts what
// is illegal.  kernel_start wins over all.

module comm_sides (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       kernel_start_i,
  input  logic [1:0] mode_i,       // link_mode_e
  input  logic       p_post_i,
  input  logic       c_post_i,
  input  logic       swap_i,
  output logic       p_done_o,
  output logic       c_done_o,

  // State
  output logic       w_o,
  output logic       r_o,
  output logic       some_o,
  output logic       p_wait_o,
`ifdef FORMAL
  output logic [1:0] full_o,
  output logic       hold_o,
`endif
  output logic       c_wait_o
);
  logic        w_q  /*verilator public_flat_rd*/;       // is written
  logic        r_q  /*verilator public_flat_rd*/;       // is read
  logic        some_q  /*verilator public_flat_rd*/;    // a tile was handed over
  logic        p_wait_q  /*verilator public_flat_rd*/;
  logic        c_wait_q  /*verilator public_flat_rd*/;
  logic [1:0]  full_q  /*verilator public_flat_rd*/;    // mode 1: complete, and not finished with
  logic        hold_q  /*verilator public_flat_rd*/;    // mode 1: the consumer has buffer r
  logic [15:0] tiles_q  /*verilator public_flat_rd*/;   // hand-overs
  logic        p_done_q, c_done_q;
  logic        w_d, r_d, some_d, p_wait_d, c_wait_d, hold_d;
  logic [1:0]  full_d;
  logic [15:0] tiles_d;

  logic       p_asks, c_asks;    // the side waits from now on, unless it gets what it waits for
  logic       releases;          // mode 1: the consumer gives buffer r back
  logic       r_after;           // mode 1: as the posts of the cycle leave them
  logic [1:0] full_after;
  logic       both;              // modes 0 and 2: the buffers change sides
  logic       p_gets, c_gets;
  always_comb begin
    p_asks     = p_wait_q | p_post_i;
    c_asks     = c_wait_q | c_post_i;
    releases   = c_post_i & hold_q;
    r_after    = r_q ^ releases;
    full_after = full_q;
    if (p_post_i) full_after[w_q] = 1'b1;
    if (releases) full_after[r_q] = 1'b0;
  end
  always_comb begin
    both   = 1'b0;
    p_gets = 1'b0;
    c_gets = 1'b0;
    case (mode_i)
      tandem_pkg::LinkRendezvous: begin
        both = `FAULT(15, p_asks & c_asks, p_asks);
        p_gets = both;
        c_gets = both;
      end
      tandem_pkg::LinkDecoupled: begin
        p_gets = p_asks & ~full_after[~w_q];
        c_gets = c_asks & full_after[r_after];
      end
      default: both = swap_i;
    endcase
  end

  always_comb begin
    w_d      = w_q;
    r_d      = r_q;
    full_d   = full_q;
    hold_d   = hold_q;
    p_wait_d = p_wait_q;
    c_wait_d = c_wait_q;
    some_d   = some_q;
    tiles_d  = tiles_q;
    if (both || c_gets) begin
      some_d  = 1'b1;
      tiles_d = tiles_q + 16'd1;
    end
    if (mode_i == tandem_pkg::LinkDecoupled) begin
      w_d    = w_q ^ p_gets;
      r_d    = r_after;
      full_d = full_after;
      hold_d = (hold_q & ~releases) | c_gets;
    end else if (both) begin
      w_d = ~w_q;
      r_d = w_q;
    end
    if (mode_i != tandem_pkg::LinkGlobal) begin
      p_wait_d = p_asks & ~p_gets;
      c_wait_d = c_asks & ~c_gets;
    end
    if (kernel_start_i) {w_d, r_d, full_d, hold_d, p_wait_d, c_wait_d, some_d, tiles_d} = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {w_q, r_q, full_q, hold_q, p_wait_q, c_wait_q, some_q, tiles_q} <= '0;
      {p_done_q, c_done_q}                                            <= '0;
    end else begin
      {w_q, r_q, full_q, hold_q, p_wait_q, c_wait_q, some_q, tiles_q} <=
          {w_d, r_d, full_d, hold_d, p_wait_d, c_wait_d, some_d, tiles_d};
      {p_done_q, c_done_q} <= {p_gets & ~kernel_start_i, c_gets & ~kernel_start_i};
    end
  end
  assign p_done_o = p_done_q;
  assign c_done_o = c_done_q;
  assign w_o      = w_q;
  assign r_o      = r_q;
  assign some_o   = some_q;
  assign p_wait_o = p_wait_q;
  assign c_wait_o = c_wait_q;
`ifdef FORMAL
  assign full_o   = full_q;
  assign hold_o   = hold_q;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      // ahead: the consumer has what is complete, and the producer only waits for a buffer that is
      // not free.
      held_full:           assert (!hold_q || full_q[r_q]);
      full_only_decoupled: assert (full_q == '0 || mode_i == tandem_pkg::LinkDecoupled);
      full_waits:          assert (mode_i != tandem_pkg::LinkDecoupled || full_q[w_q] == p_wait_q);
      // once: nobody waits who has a done.
      done_or_waits: assert (!(p_done_q && p_wait_q) && !(c_done_q && c_wait_q));
    end
  end
`endif
endmodule
