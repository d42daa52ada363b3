// Entries of an instruction buffer of three or four: a ring a warp.
//
// first_q is the place of the head.  A write into an empty buffer begins at place 0, another one behind
// the last instruction; a pop moves on by one place.  So the place has no reset.  The number of entries
// is a thermometer: valid_i, which ibuffer keeps, second_q, third_q, fourth_q.  ends_q: the last one is
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

  // The warps that the ports of pops name, by number and as a bit
  input  logic                         pop0_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] even_i,
  input  logic                         pop1_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] odd_i,
  input  logic [Warps-1:0]             pick0_i,
  input  logic [Warps-1:0]             pick1_i,
  input  logic                         flush_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] flush_warp_i,

  // Fetch: the warp that is selected, its instructions (2: or more), warps that are full
  input  logic                         fetch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] fetch_warp_i,
  output logic [1:0]                   fetch_held_o,
  output logic [Warps-1:0]             full_o,

  // Warps with one entry, with two
  input  logic [Warps-1:0]             valid_i,
  output logic [Warps-1:0]             second_o,

  // The write makes a head; a pop leaves one, and which
  output logic                         nh0_valid_o,
  output logic                         nh1_valid_o,
  output logic [OpndW-1:0]             nh1_opnd_o,
  output logic                         nh2_valid_o,
  output logic [OpndW-1:0]             nh2_opnd_o,

  // Heads
  output logic [OpndW-1:0]             rd0_opnd_o,
  output logic [RestW-1:0]             rd0_rest_o,
  output logic [OpndW-1:0]             rd1_opnd_o,
  output logic [RestW-1:0]             rd1_rest_o
);
  logic [Warps-1:0] second_q, third_q, fourth_q, ends_q, stale_q;
  logic [1:0]       first_q [Warps];

  // The place behind one.
  function automatic logic [1:0] behind(input logic [1:0] place);
    behind = (place == 2'(Entries - 1)) ? 2'd0 : place + 2'd1;
  endfunction

  // The written warp: its entries before the pops, where the new ones go.
  logic       take, wr_empty;
  logic [1:0] place0, place1;
  always_comb begin
    take = wr_valid_i && ((stale_q >> wr_warp_i) & Warps'(1)) == '0 &&
           !(flush_valid_i && flush_warp_i == wr_warp_i);
    wr_empty = ((valid_i >> wr_warp_i) & Warps'(1)) == '0;
    place0   = 2'd0;
    if (!wr_empty) begin
      place0 = behind(first_q[wr_warp_i]);
      if (((second_q >> wr_warp_i) & Warps'(1)) != '0) place0 = behind(place0);
    end
    place1 = behind(place0);
  end
  assign nh0_valid_o = take & wr_empty;

  // Entries, by place.
  logic [Entries*OpndW-1:0] rd0_opnd, rd1_opnd;
  logic [Entries*RestW-1:0] rd0_rest, rd1_rest;
  for (genvar e = 0; e < Entries; e++) begin : g_entry
    logic [OpndW-1:0] opnd_q [Warps];
    logic [RestW-1:0] rest_q [Warps];
    always_ff @(posedge clk_i) begin
      if (take && (place0 == 2'(e) || (wr_two_i && place1 == 2'(e)))) begin
        opnd_q[wr_warp_i] <= (place0 == 2'(e)) ? wr_opnd0_i : wr_opnd1_i;
        rest_q[wr_warp_i] <= (place0 == 2'(e)) ? wr_rest0_i : wr_rest1_i;
      end
    end
    assign rd0_opnd[e*OpndW+:OpndW] = opnd_q[even_i];
    assign rd0_rest[e*RestW+:RestW] = rest_q[even_i];
    assign rd1_opnd[e*OpndW+:OpndW] = opnd_q[odd_i];
    assign rd1_rest[e*RestW+:RestW] = rest_q[odd_i];
  end
  always_comb begin
    rd0_opnd_o = rd0_opnd[first_q[even_i]*OpndW+:OpndW];
    rd0_rest_o = rd0_rest[first_q[even_i]*RestW+:RestW];
    rd1_opnd_o = rd1_opnd[first_q[odd_i]*OpndW+:OpndW];
    rd1_rest_o = rd1_rest[first_q[odd_i]*RestW+:RestW];
  end

  // Pops leave an entry behind the head, or the instruction that is written now.
  logic more0, more1;
  assign more0       = (second_q & pick0_i) != '0;
  assign more1       = (second_q & pick1_i) != '0;
  assign nh1_valid_o = pop0_valid_i && (more0 || (take && wr_warp_i == even_i));
  assign nh2_valid_o = pop1_valid_i && (more1 || (take && wr_warp_i == odd_i));
  assign nh1_opnd_o  = more0 ? rd0_opnd[behind(first_q[even_i])*OpndW+:OpndW] : wr_opnd0_i;
  assign nh2_opnd_o  = more1 ? rd1_opnd[behind(first_q[odd_i])*OpndW+:OpndW] : wr_opnd0_i;

  // The places of the heads.
  always_ff @(posedge clk_i) begin
    if (nh0_valid_o)  first_q[wr_warp_i] <= 2'd0;
    if (pop0_valid_i) first_q[even_i]    <= behind(first_q[even_i]);
    if (pop1_valid_i) first_q[odd_i]     <= behind(first_q[odd_i]);
  end

  // How many there are.  Pops take away, then the write adds.
  logic [Warps-1:0] one, two, pops, kept, third, fourth, ends;
  logic [1:0]       last_ctl;
  assign last_ctl = wr_two_i ? wr_opnd1_i[28:27] : wr_opnd0_i[28:27];
  always_comb begin
    {one, two, pops} = '0;
    kept = '1;
    if (take && wr_two_i)  two  = Warps'(1) << wr_warp_i;
    if (take && !wr_two_i) one  = Warps'(1) << wr_warp_i;
    if (pop0_valid_i)      pops = pick0_i;
    if (pop1_valid_i)      pops = pops | pick1_i;
    if (flush_valid_i)     kept = ~(Warps'(1) << flush_warp_i);
  end
  logic [Warps-1:0] valid, keep2, keep3, second;  // keep2, keep3: after the pops
  always_comb begin
    valid  = ((valid_i & ~pops) | (second_q & pops)) & kept;
    keep2  = ((second_q & ~pops) | (third_q & pops)) & kept;
    keep3  = ((third_q & ~pops) | (fourth_q & pops)) & kept;
    second = keep2 | (valid & one) | two;
    third  = keep3 | (keep2 & one) | (valid & two);
    fourth = fourth_q & ~pops & kept;
    if (Entries == 4) fourth = fourth | (keep3 & one) | (keep2 & two);
    ends = ends_q & valid & ~(one | two);
    if (last_ctl[0] != last_ctl[1]) ends = ends | one | two;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)             {second_q, third_q, fourth_q, ends_q} <= '0;
    else if (kernel_start_i) {second_q, third_q, fourth_q, ends_q} <= '0;
    else                     {second_q, third_q, fourth_q, ends_q} <= {second, third, fourth, ends};
  end

  assign second_o = second_q;

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

  assign full_o       = ((Entries == 3) ? second_q : third_q) | ends_q;
  assign fetch_held_o =
      {2{fetch_valid_i}} & {second_q[fetch_warp_i], valid_i[fetch_warp_i] & ~second_q[fetch_warp_i]};
endmodule
