// Warp scheduler: picks one eligible warp of its parity.
//
// Greedy then oldest: stays with the warp that issued last while it is eligible, else takes the
// eligible warp that was launched longest ago (the lower one of two launched equally long ago,
// which only never-launched warps are).  Loose round robin (lrr_i): the next eligible warp after
// the last in cyclic order.  A launch of the last warp ends its greed, but a grant in the same
// cycle wins.  kernel_start wins over everything.
//
// Illegal: eligible or launched warps of the other parity; a grant without a pick.

module warp_scheduler #(
  parameter int unsigned Warps = tandem_pkg::Warps,
  parameter bit          Parity = 1'b0
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0]                   bug_i,
`endif
  input  logic                         kernel_start_i,
  input  logic                         lrr_i,

  input  logic                         launch_valid_i,
  input  logic [tandem_pkg::WarpW-1:0] launch_warp_i,

  // Issue
  input  logic [Warps-1:0]             elig_i,
  output logic                         pick_valid_o,
  output logic [tandem_pkg::WarpW-1:0] pick_warp_o,
  input  logic                         grant_i
);
  localparam int unsigned WarpW = tandem_pkg::WarpW;
  localparam int unsigned Own = Warps / 2;  // warps of this parity
  localparam int unsigned Odd = Parity ? 1 : 0;
  localparam int unsigned AgeW = 16;
  localparam int unsigned RowW = 32;        // a row of the order: Own bits, above them 0

  localparam logic [WarpW-1:0] LastReset = WarpW'(Warps - 2 + Odd);

  logic [WarpW-1:0] last_q  /*verilator public_flat_rd*/;
  logic                         greedy_q  /*verilator public_flat_rd*/;
  logic [AgeW-1:0]              count_q  /*verilator public_flat_rd*/;
  // Of each warp of this parity, numbered from 0: its sequence number, and the set of those that are
  // picked before it.  As vectors, not arrays: a simulator keeps track of what is written to those.
  logic [Own*AgeW-1:0]          seq_q;
  logic [Own*RowW-1:0]          before_q;

  // Of the greedy rule: the last warp may go on.
  logic stays;
  assign stays = greedy_q && ((elig_i >> last_q) & Warps'(1)) != '0;

  // The warps of this parity, next to each other.
  function automatic logic [RowW-1:0] own_of(input logic [63:0] warps);
    logic [63:0] x;
    x = (warps >> Odd) & 64'h5555_5555_5555_5555;
    x = (x | (x >> 1)) & 64'h3333_3333_3333_3333;
    x = (x | (x >> 2)) & 64'h0f0f_0f0f_0f0f_0f0f;
    x = (x | (x >> 4)) & 64'h00ff_00ff_00ff_00ff;
    x = (x | (x >> 8)) & 64'h0000_ffff_0000_ffff;
    own_of = x[31:0] | x[47:16];
  endfunction

  always_comb begin
    logic [Warps-1:0] after_last, candidates, next;
    logic [RowW-1:0]  own;
    after_last  = '0;
    candidates  = '0;
    next        = '0;
    own         = '0;
    pick_warp_o = '0;
    if (pick_valid_o) begin
      if (lrr_i) begin
        after_last = elig_i & (~(Warps'(1)) << last_q);
`ifdef TANDEM_BUGS
        if (bug_i == 8'd32) after_last = elig_i & (~(Warps'(7)) << last_q);
`endif
        candidates  = (after_last != '0) ? after_last : elig_i;
        next        = candidates & (~candidates + Warps'(1));
        pick_warp_o = tandem_pkg::encode(64'(next));
      end else if (stays) begin
        pick_warp_o = last_q;
      end else begin
        own = own_of(64'(elig_i));
        for (int i = 0; i < Own; i++) begin
`ifdef TANDEM_BUGS
          if (bug_i == 8'd30) begin
            if (own[i] && (own & ~before_q[i*RowW+:RowW] & ~(RowW'(1) << i)) == '0)
              pick_warp_o = WarpW'(2 * i + Odd);
          end else
`endif
          if (own[i] && (own & before_q[i*RowW+:RowW]) == '0)
            pick_warp_o = pick_warp_o | WarpW'(2 * i + Odd);
        end
      end
    end
  end
  assign pick_valid_o = elig_i != '0;

  // Ages are counted modulo 2^AgeW.  A launch makes all other warps one older, and so changes the
  // order of those pairs only that have the launched warp in them, or one whose age becomes 0.  Of
  // two of one age the lower number is before the other.
  function automatic logic [Own*RowW-1:0] order_after(input logic [Own*RowW-1:0] order,
                                                      input logic [Own*AgeW-1:0] seq,
                                                      input logic [AgeW-1:0] count,
                                                      input logic [WarpW-2:0] w);
    logic [RowW-1:0] launched, tied, wraps, row, lower, all;
    logic [AgeW-1:0] next;
    launched = RowW'(1) << w;
    tied     = '0;
    wraps    = '0;
    all      = {{RowW - Own{1'b0}}, {Own{1'b1}}};
    next     = count + AgeW'(1);
    for (int i = 0; i < Own; i++) begin
      if (!launched[i]) begin
        if (seq[i*AgeW+:AgeW] == count) tied[i] = 1'b1;
        if (seq[i*AgeW+:AgeW] == next)  wraps[i] = 1'b1;
      end
    end
    for (int i = 0; i < Own; i++) begin
      lower = (RowW'(1) << i) - RowW'(1);
      row   = order[i*RowW+:RowW];
      if (launched[i])   row = all & ~launched & ~wraps & ~(tied & ~lower);
      else if (wraps[i]) row = row | (all & ~wraps);
      else               row = (row & ~wraps & ~launched) | (tied[i] ? launched & lower : '0);
      order_after[i*RowW+:RowW] = row;
    end
  endfunction

  function automatic logic [Own*AgeW-1:0] seq_after(input logic [Own*AgeW-1:0] seq,
                                                    input logic [AgeW-1:0] count,
                                                    input logic [WarpW-2:0] w);
    for (int i = 0; i < Own; i++)
      seq_after[i*AgeW+:AgeW] = (w == (WarpW-1)'(i)) ? count : seq[i*AgeW+:AgeW];
  endfunction

  // Nobody is before a lower one.
  localparam logic [Own*RowW-1:0] Initial = initial_order();
  function automatic logic [Own*RowW-1:0] initial_order();
    initial_order = '0;
    for (int i = 0; i < Own; i++)
      initial_order[i*RowW+:RowW] = (RowW'(1) << i) - RowW'(1);
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      if (!kernel_start_i) begin
        if (launch_valid_i) begin
          seq_q    <= seq_after(seq_q, count_q, launch_warp_i[WarpW-1:1]);
          before_q <= order_after(before_q, seq_q, count_q, launch_warp_i[WarpW-1:1]);
          count_q  <= count_q + AgeW'(1);
          if (launch_warp_i == last_q) greedy_q <= 1'b0;
`ifdef TANDEM_BUGS
          if (bug_i == 8'd31) greedy_q <= greedy_q;
`endif
        end
        if (grant_i) begin
          last_q   <= pick_warp_o;
          greedy_q <= 1'b1;
        end
      end else begin
        last_q   <= LastReset;
        greedy_q <= 1'b0;
        count_q  <= '0;
        seq_q    <= '0;
        before_q <= Initial;
      end
    end else begin
      last_q   <= LastReset;
      greedy_q <= 1'b0;
      count_q  <= '0;
      seq_q    <= '0;
      before_q <= Initial;
    end
  end

`ifndef SYNTHESIS
  localparam logic [Warps-1:0] OwnMask = {Own{Parity ? 2'b10 : 2'b01}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      assert ((elig_i & ~OwnMask) == '0);
      assert (!launch_valid_i || launch_warp_i[0] == Parity);
      assert (!grant_i || pick_valid_o);
    end
  end
`endif
endmodule
