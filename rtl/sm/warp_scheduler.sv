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
  // Each warp of this parity, numbered from 0, has a sequence number and the set of warps that are
  // picked before it.  In few wide words: a simulator keeps track of each word that may be written.
  localparam int unsigned SeqWords = (Own + 3) / 4;
  localparam int unsigned RowWords = (Own + 1) / 2;
  logic [4*AgeW-1:0]            seq_q [SeqWords]  /*verilator public_flat_rd*/;
  logic [2*RowW-1:0]            before_q [RowWords]  /*verilator public_flat_rd*/;

  // Greedy rule: the last warp may go on.
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
    logic [RowW-1:0] own, after_last, next;
    logic            first;
    own         = '0;
    after_last  = '0;
    next        = '0;
    first       = 1'b0;
    pick_warp_o = '0;
    if (pick_valid_o) begin
      if (lrr_i) begin
        own        = own_of(64'(elig_i));
        after_last = own & (~(RowW'(1)) << last_q[WarpW-1:1]);
        next        = (after_last != '0) ? after_last & (~after_last + RowW'(1)) :
                                           own & (~own + RowW'(1));
        pick_warp_o = tandem_pkg::encode(64'(next)) << 1;
        if (Parity && pick_valid_o) pick_warp_o[0] = 1'b1;
      end else if (stays) begin
        pick_warp_o = last_q;
      end else begin
        own = own_of(64'(elig_i));
        for (int i = 0; i < Own; i++) begin
          first = own[i] && (own & before_q[i/2][i%2*RowW+:RowW]) == '0;
          pick_warp_o = pick_warp_o | (WarpW'(2 * i + Odd) & {WarpW{first}});
        end
      end
    end
  end
  assign pick_valid_o = elig_i != '0;

  // Ages are counted modulo 2^AgeW.  A launch makes all other warps one older, and so changes the
  // order of those pairs only that have the launched warp in them, or one whose age becomes 0.
  // Where two ages are equal the lower number is first.
  //
  // The row of warp i, and the sequence number, after a launch.
  function automatic logic [RowW-1:0] row_after(input logic [RowW-1:0] row, input int unsigned i,
                                                input logic [RowW-1:0] launched,
                                                input logic [RowW-1:0] tied,
                                                input logic [RowW-1:0] wraps);
    logic [RowW-1:0] all, lower;
    all   = {{RowW - Own{1'b0}}, {Own{1'b1}}};
    lower = (RowW'(1) << i) - RowW'(1);
    if (launched[i])   row_after = all & ~launched & ~wraps & ~(tied & ~lower);
    else if (wraps[i]) row_after = row | (all & ~wraps);
    else               row_after = (row & ~wraps & ~launched) | (tied[i] ? launched & lower : '0);
  endfunction

  // Among equally old warps the lower ones are first.
  function automatic logic [RowW-1:0] first_row(input int unsigned i);
    first_row = (i < Own) ? (RowW'(1) << i) - RowW'(1) : '0;
  endfunction

  always_ff @(posedge clk_i or negedge rst_ni) begin
    logic [RowW-1:0]   launched, tied, wraps;
    logic [2*RowW-1:0] rows;
    logic [4*AgeW-1:0] seqs;
    logic [AgeW-1:0]   count;
    launched = '0;
    tied     = '0;
    wraps    = '0;
    rows     = '0;
    seqs     = '0;
    count    = '0;
    if (rst_ni) begin
      if (kernel_start_i || launch_valid_i) begin
        launched = RowW'(1) << launch_warp_i[WarpW-1:1];
        count    = count_q + AgeW'(1);
        for (int i = 0; i < Own; i++) begin
          if (seq_q[i/4][i%4*AgeW+:AgeW] == count_q) tied[i] = !launched[i];
          if (seq_q[i/4][i%4*AgeW+:AgeW] == count)   wraps[i] = !launched[i];
        end
        for (int p = 0; p < RowWords; p++) begin
          for (int i = 2 * p; i < 2 * p + 2 && i < Own; i++)
            rows[i%2*RowW+:RowW] = kernel_start_i ?
                first_row(i) : row_after(before_q[p][i%2*RowW+:RowW], i, launched, tied, wraps);
          before_q[p] <= rows;
        end
        for (int p = 0; p < SeqWords; p++) begin
          seqs = seq_q[p];
          for (int i = 4 * p; i < 4 * p + 4 && i < Own; i++)
            if (launched[i]) seqs[i%4*AgeW+:AgeW] = count_q;
          seq_q[p] <= kernel_start_i ? '0 : seqs;
        end
        count_q <= kernel_start_i ? '0 : count;
        if (kernel_start_i || launch_warp_i == last_q) greedy_q <= 1'b0;
        if (kernel_start_i) last_q <= LastReset;
      end
      if (grant_i && !kernel_start_i) begin
        last_q   <= pick_warp_o;
        greedy_q <= 1'b1;
      end
    end else begin
      last_q   <= LastReset;
      greedy_q <= 1'b0;
      count_q  <= '0;
      for (int p = 0; p < SeqWords; p++) seq_q[p] <= '0;
      for (int p = 0; p < RowWords; p++) before_q[p] <= {first_row(2 * p + 1), first_row(2 * p)};
    end
  end

`ifndef SYNTHESIS
  localparam logic [Warps-1:0] OwnMask = {Own{Parity ? 2'b10 : 2'b01}};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      eligible_own:   assert ((elig_i & ~OwnMask) == '0);
      launched_own:   assert (!launch_valid_i || launch_warp_i[0] == Parity);
      granted_picked: assert (!grant_i || pick_valid_o);
    end
  end
`endif
endmodule
