// Spilled tiles of a row or column of slots: how many the restoring lane may fetch
// (docs/hardware/spu_units.md).
//
// A put counts from `hops` cycles later on: meanwhile it is in the line, which it enters at bit
// 0.  A get waits until a tile is there; then got pulses.
//
// kernel_start wins over everything.
//
// Illegal: hops 0, or another one while puts are under way; a get while one waits; more than 65535 tiles.

module spill_chan (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       kernel_start_i,
  input  logic [5:0] hops_i,  // constant, 1 to 63
  input  logic       put_i,   // of the lane that spills
  input  logic       get_i,   // of the lane that restores
  output logic       got_o,
`ifdef FORMAL
  output logic [15:0] count_o,
  output logic        want_o,
  output logic [62:0] line_o,
`endif
  output logic       quiet_o
);
  logic [15:0] count_q  /*verilator public_flat_rd*/;
  logic        want_q  /*verilator public_flat_rd*/;
  logic [62:0] line_q  /*verilator public_flat_rd*/;
  logic        got_q;

  // Puts under way, and the one that arrives.
  logic [63:0] way;
  logic [62:0] stays;
  logic        arrives;
  assign way     = {line_q, put_i};
  assign stays   = ~({63{1'b1}} << (hops_i - 6'd1));
  assign arrives = way[hops_i - 6'd1];

  logic asks, takes;
  assign asks = want_q | get_i;
  assign takes = asks && count_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      want_q  <= 1'b0;
      line_q  <= '0;
      got_q   <= 1'b0;
    end else if (kernel_start_i) begin
      count_q <= '0;
      want_q  <= 1'b0;
      line_q  <= '0;
      got_q   <= 1'b0;
    end else begin
      count_q <= count_q + 16'(arrives) - 16'(takes);
      want_q <= asks & ~takes;
      line_q <= way[62:0] & stays;
      got_q  <= takes;
    end
  end

  assign got_o   = got_q;
  assign quiet_o = ~got_q && line_q == '0 && (!want_q || count_q == '0);

`ifdef FORMAL
  assign count_o = count_q;
  assign want_o  = want_q;
  assign line_o  = line_q;
`endif

`ifndef SYNTHESIS
  logic [5:0] hops_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) hops_last <= hops_i;
    if (rst_ni && !kernel_start_i) begin
      hops_stable:    assert (line_q == '0 || hops_i == hops_last);
      get_once:       assert (!get_i || !want_q);
      count_has_room: assert (!arrives || takes || count_q != '1);
      if (put_i) put_has_hops: assert (hops_i != '0);
    end
  end
`endif
endmodule
