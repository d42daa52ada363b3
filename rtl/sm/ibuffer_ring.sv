// Entries of an instruction buffer of three or four: a ring a warp.
//
// first_q is the place of the head.  A write into an empty buffer begins at place 0, another one behind
// the last instruction; a pop moves on by one place.  So the place has no reset.  The number of entries
// is a thermometer: valid_i and second_i, which ibuffer keeps, third_q, fourth_q.  ends_q: the last one is
// a branch or exit.  A write in the cycle of the pop that takes the only entry leaves its first
// instruction as the head.  stale_q: the warp was flushed since fetch selected it last.
//
// Illegal: as ibuffer.

module ibuffer_ring #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter int unsigned Entries = 4,  // 3 or 4
  localparam int unsigned OpndW = tandem_pkg::OpndW,
  localparam int unsigned RestW = tandem_pkg::InstW - 25
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         kernel_start_i,

  input  logic                         wr_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] wr_warp_i,
  input  logic                         wr_two_i,
  input  logic [OpndW-1:0]             wr_opnd0_i,
  input  logic [RestW-1:0]             wr_rest0_i,
  input  logic [OpndW-1:0]             wr_opnd1_i,
  input  logic [RestW-1:0]             wr_rest1_i,

  input  logic                         pop0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop0_warp_i,
  input  logic                         pop1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] pop1_warp_i,
  input  logic                         flush_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] flush_warp_i,

  // Fetch: the warp that is selected, its instructions (2: or more), warps that are full
  input  logic                         fetch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [1:0]                   fetch_held_o,
  output logic [Warps-1:0]             full_o,

  // Warps with one entry, with two; those that have two behind this cycle's events but for a write of
  // two, besides those that keep them
  input  logic [Warps-1:0]             valid_i,
  input  logic [Warps-1:0]             second_i,
  output logic [Warps-1:0]             second_o,

  // The write is taken; if so, it makes a head; a pop leaves one, and which
  output logic                         take_o,
  output logic                         head_o,
  output logic                         pop0_head_o,
  output logic [OpndW-1:0]             pop0_opnd_o,
  output logic                         pop1_head_o,
  output logic [OpndW-1:0]             pop1_opnd_o,

  // Heads: of an even and an odd warp
  input  logic [tandem_pkg::WarpW-1:0] rd0_warp_i,
  input  logic [tandem_pkg::WarpW-1:0] rd1_warp_i,
  output logic [OpndW-1:0]             rd0_opnd_o,
  output logic [RestW-1:0]             rd0_rest_o,
  output logic [OpndW-1:0]             rd1_opnd_o,
  output logic [RestW-1:0]             rd1_rest_o
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;

  logic [Warps-1:0] third_q, fourth_q, ends_q, stale_q;
  logic [1:0]       first_q [Warps];

  // The place behind one.
  function automatic logic [1:0] behind(input logic [1:0] place);
    behind = (place == 2'(Entries - 1)) ? 2'd0 : place + 2'd1;
  endfunction

  // The written warp: its entries before the pops, where the new ones go.
  logic       wr_empty;
  logic [1:0] place0, place1;
  always_comb begin
    take_o = wr_valid_i && ((stale_q >> wr_warp_i) & Warps'(1)) == '0 &&
             !(flush_valid_i && flush_warp_i == wr_warp_i);
    wr_empty = ((valid_i >> wr_warp_i) & Warps'(1)) == '0;
    place0   = 2'd0;
    if (!wr_empty) begin
      place0 = behind(first_q[wr_warp_i]);
      if (((second_i >> wr_warp_i) & Warps'(1)) != '0) place0 = behind(place0);
    end
    place1 = behind(place0);
  end
  assign head_o = wr_empty;

  // Entries, by place.
  logic [WarpW-1:0]         even, odd, pop_even, pop_odd;
  logic [Entries*OpndW-1:0] rd0_opnd, rd1_opnd, pop0_opnd, pop1_opnd;
  logic [Entries*RestW-1:0] rd0_rest, rd1_rest;
  assign even     = {rd0_warp_i[WarpW-1:1], 1'b0};
  assign odd      = {rd1_warp_i[WarpW-1:1], 1'b1};
  assign pop_even = {pop0_warp_i[WarpW-1:1], 1'b0};
  assign pop_odd  = {pop1_warp_i[WarpW-1:1], 1'b1};
  logic unused_parity;
  assign unused_parity = 1'b0 & ^{rd0_warp_i[0], rd1_warp_i[0]};
  for (genvar e = 0; e < Entries; e++) begin : g_entry
    logic [OpndW-1:0] opnd_q [Warps];
    logic [RestW-1:0] rest_q [Warps];
    always_ff @(posedge clk_i) begin
      if (take_o && (place0 == 2'(e) || (wr_two_i && place1 == 2'(e)))) begin
        opnd_q[wr_warp_i] <= (place0 == 2'(e)) ? wr_opnd0_i : wr_opnd1_i;
        rest_q[wr_warp_i] <= (place0 == 2'(e)) ? wr_rest0_i : wr_rest1_i;
      end
    end
    assign rd0_opnd[e*OpndW+:OpndW]  = opnd_q[even];
    assign rd0_rest[e*RestW+:RestW]  = rest_q[even];
    assign rd1_opnd[e*OpndW+:OpndW]  = opnd_q[odd];
    assign rd1_rest[e*RestW+:RestW]  = rest_q[odd];
    assign pop0_opnd[e*OpndW+:OpndW] = opnd_q[pop_even];
    assign pop1_opnd[e*OpndW+:OpndW] = opnd_q[pop_odd];
  end
  always_comb begin
    rd0_opnd_o = rd0_opnd[first_q[even]*OpndW+:OpndW];
    rd0_rest_o = rd0_rest[first_q[even]*RestW+:RestW];
    rd1_opnd_o = rd1_opnd[first_q[odd]*OpndW+:OpndW];
    rd1_rest_o = rd1_rest[first_q[odd]*RestW+:RestW];
  end

  // Pops leave an entry behind the head, or the instruction that is written now.
  logic pop0_more, pop1_more;
  assign pop0_more   = ((second_i >> pop0_warp_i) & Warps'(1)) != '0;
  assign pop1_more   = ((second_i >> pop1_warp_i) & Warps'(1)) != '0;
  assign pop0_head_o = pop0_more || (take_o && wr_warp_i == pop0_warp_i);
  assign pop1_head_o = pop1_more || (take_o && wr_warp_i == pop1_warp_i);
  assign pop0_opnd_o = pop0_more ? pop0_opnd[behind(first_q[pop_even])*OpndW+:OpndW] : wr_opnd0_i;
  assign pop1_opnd_o = pop1_more ? pop1_opnd[behind(first_q[pop_odd])*OpndW+:OpndW] : wr_opnd0_i;

  // The places of the heads.
  always_ff @(posedge clk_i) begin
    if (take_o && wr_empty) first_q[wr_warp_i]   <= 2'd0;
    if (pop0_valid_i)       first_q[pop0_warp_i] <= behind(first_q[pop0_warp_i]);
    if (pop1_valid_i)       first_q[pop1_warp_i] <= behind(first_q[pop1_warp_i]);
  end

  // How many there are.  Pops take away, then the write adds.
  logic [Warps-1:0] one, two, pops, kept, third, fourth, ends;
  logic [1:0]       last_ctl;
  assign last_ctl = wr_two_i ? wr_opnd1_i[28:27] : wr_opnd0_i[28:27];
  always_comb begin
    {one, two, pops} = '0;
    kept = '1;
    if (take_o && wr_two_i)  two  = Warps'(1) << wr_warp_i;
    if (take_o && !wr_two_i) one  = Warps'(1) << wr_warp_i;
    if (pop0_valid_i)        pops = Warps'(1) << pop0_warp_i;
    if (pop1_valid_i)        pops = pops | Warps'(1) << pop1_warp_i;
    if (flush_valid_i)       kept = ~(Warps'(1) << flush_warp_i);
  end
  logic [Warps-1:0] valid, second;  // after the pops
  assign valid    = ((valid_i & ~pops) | (second_i & pops)) & kept;
  assign second   = ((second_i & ~pops) | (third_q & pops)) & kept;
  assign second_o = second | (valid & one);
  always_comb begin
    third  = ((third_q & ~pops) | (fourth_q & pops)) & kept;
    fourth = fourth_q & ~pops & kept;
    if (Entries == 4) fourth = fourth | (third & one) | (second & two);
    third = third | (second & one) | (valid & two);
    ends  = ends_q & valid & ~(one | two);
    if (last_ctl[0] != last_ctl[1]) ends = ends | one | two;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             {third_q, fourth_q, ends_q} <= '0;
    else if (kernel_start_i) {third_q, fourth_q, ends_q} <= '0;
    else                     {third_q, fourth_q, ends_q} <= {third, fourth, ends};
  end

  logic [Warps-1:0] stale;
  always_comb begin
    stale = stale_q;
    if (flush_valid_i) stale = stale | Warps'(1) << flush_warp_i;
    if (fetch_valid_i) stale = stale & ~(Warps'(1) << fetch_warp_i);
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             stale_q <= '0;
    else if (kernel_start_i) stale_q <= '0;
    else                     stale_q <= stale;
  end

  assign full_o       = ((Entries == 3) ? second_i : third_q) | ends_q;
  assign fetch_held_o =
      {2{fetch_valid_i}} & {second_i[fetch_warp_i], valid_i[fetch_warp_i] & ~second_i[fetch_warp_i]};
endmodule
